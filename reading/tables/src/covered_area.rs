//! The area of a page that cells cover, as tiles. Only what is drawn there is examined.

use fanlight_contract::Rect;

/// Side of a tile, in points. Affects only speed.
const TILE: f32 = 32.0;
/// Maximum number of tiles along a side; the last one holds everything beyond. Bounds the memory.
const MAX_TILES: usize = 1024;

/// Tiles of a page that cells extend into.
#[derive(Debug)]
pub(crate) struct CoveredArea {
    width: usize,
    /// Row by row from the top.
    covered: Vec<bool>,
}

impl CoveredArea {
    /// Returns the area of some cells, y down.
    pub(crate) fn of_cells<'a>(cells: impl Iterator<Item = &'a Rect> + Clone) -> Self {
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

    /// Returns whether a point is in the area, or close to it.
    pub(crate) fn holds(&self, (x, y): (f32, f32)) -> bool {
        let column = tile(x);
        column < self.width && self.covered.get(tile(y) * self.width + column).copied().unwrap_or(false)
    }
}

/// Returns the number of the tile that holds a coordinate. The first one holds everything before it, and what is not a number.
fn tile(coordinate: f32) -> usize {
    ((coordinate / TILE) as usize).min(MAX_TILES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_cells_are_in_the_area() {
        let cells =
            [Rect { x1: 100.0, y1: 40.0, x2: 200.0, y2: 50.0 }, Rect { x1: -9e9, y1: 900.0, x2: 20.0, y2: 9e9 }];
        let area = CoveredArea::of_cells(cells.iter());
        let cases = [
            ((150.0, 45.0), true),
            ((300.0, 45.0), false),
            ((150.0, 200.0), false),
            ((-50.0, 1000.0), true),
            ((f32::NAN, f32::NAN), false),
            ((1e30, 45.0), false),
        ];
        for (place, expected) in cases {
            assert_eq!(area.holds(place), expected, "{place:?}");
        }
        assert!(!CoveredArea::of_cells([].iter()).holds((0.0, 0.0)));
    }
}
