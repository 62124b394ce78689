//! The area of a page that cells cover, as tiles. What is drawn elsewhere needs no further work.

use fanlight_contract::Rect;

/// Side of a tile, in points.
const TILE: f32 = 32.0;
/// Tiles along a side at most; what lies further out is in the last one.
const MOST_TILES: usize = 1024;

/// Tiles of a page that cells reach into.
#[derive(Debug)]
pub(crate) struct Ground {
    width: usize,
    /// Row by row from the top.
    covered: Vec<bool>,
}

impl Ground {
    /// The ground of some cells, y down.
    pub(crate) fn under<'a>(cells: impl Iterator<Item = &'a Rect> + Clone) -> Self {
        let width = cells.clone().map(|cell| tile(cell.x2) + 1).max().unwrap_or(0);
        let height = cells.clone().map(|cell| tile(cell.y2) + 1).max().unwrap_or(0);
        let mut covered = vec![false; width * height];
        for cell in cells {
            for row in covered.chunks_mut(width).take(tile(cell.y2) + 1).skip(tile(cell.y1)) {
                row[tile(cell.x1)..=tile(cell.x2)].fill(true);
            }
        }
        Self { width, covered }
    }

    /// Whether a point lies on it, or close by.
    pub(crate) fn holds(&self, (x, y): (f32, f32)) -> bool {
        let column = tile(x);
        column < self.width && self.covered.get(tile(y) * self.width + column).copied().unwrap_or(false)
    }
}

fn tile(place: f32) -> usize {
    // What lies before the first tile, or nowhere, is in the first.
    ((place / TILE) as usize).min(MOST_TILES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_on_cells_is_told_from_what_lies_elsewhere() {
        let cells =
            [Rect { x1: 100.0, y1: 40.0, x2: 200.0, y2: 50.0 }, Rect { x1: -9e9, y1: 900.0, x2: 20.0, y2: 9e9 }];
        let ground = Ground::under(cells.iter());
        let cases = [
            ((150.0, 45.0), true),
            ((300.0, 45.0), false),
            ((150.0, 200.0), false),
            ((-50.0, 1000.0), true),
            ((f32::NAN, f32::NAN), false),
            ((1e30, 45.0), false),
        ];
        for (place, expected) in cases {
            assert_eq!(ground.holds(place), expected, "{place:?}");
        }
        assert!(!Ground::under([].iter()).holds((0.0, 0.0)));
    }
}
