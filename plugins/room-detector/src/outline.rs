//! The outline of a region of cells: contour following, then Douglas-Peucker simplification.

use crate::mask::Mask;

/// Returns the corners of a region's outer edge in points of the frame, simplified with a tolerance of `slack` points.
///
/// `first` is the region's topmost cell, and `owner` says which region a cell belongs to. Holes are ignored.
pub(crate) fn corners(mask: &Mask, owner: &[u32], room: u32, first: usize, slack: f32) -> Vec<(f32, f32)> {
    let points: Vec<(f32, f32)> = walk(mask, owner, room, first)
        .into_iter()
        .map(|Corner { at, outward }| {
            let place = |lattice: i64, off: i64| (lattice as f32 + GROWN * off as f32) * mask.cell;
            (place(at.0, outward.0), place(at.1, outward.1))
        })
        .collect();
    simplify(&points, slack)
}

/// A wall covers so much of a cell more than it is thick, on the average: it is drawn a third of a cell larger, and takes
/// whole cells.
const GROWN: f32 = 0.75;

/// A corner of the lattice, and the way out of the region along both axes.
struct Corner {
    at: (i64, i64),
    outward: (i64, i64),
}

/// The cells of one room.
struct Region<'a> {
    /// For each cell the number of the room that owns it.
    owner: &'a [u32],
    /// Columns and rows of the grid.
    wide: i64,
    high: i64,
    room: u32,
}

impl Region<'_> {
    /// Returns whether the room owns a cell, given by column and row; none outside the grid.
    fn has(&self, (column, row): (i64, i64)) -> bool {
        let is_on_grid = (0..self.wide).contains(&column) && (0..self.high).contains(&row);
        is_on_grid && self.owner.get((row * self.wide + column) as usize) == Some(&self.room)
    }
}

/// Follows the contour of a region along the edges of its cells, with the region on the right, and returns the corners.
fn walk(mask: &Mask, owner: &[u32], room: u32, first: usize) -> Vec<Corner> {
    let (wide, high) = (i64::from(mask.wide as u32), i64::from(mask.high as u32));
    let region = Region { owner, wide, high, room };
    let first = i64::from(first as u32);
    let start = (first % wide, first / wide);
    // Over the topmost cell, to the right: the cell lies below.
    let (mut at, mut heading) = (start, (1_i64, 0_i64));
    // Outside is at the left hand: over the first cell, and before it, where the walk ends.
    let mut corners = vec![Corner { at: start, outward: (-1, -1) }];
    // An edge of a region is at most all edges of its cells.
    for _ in 0..4 * owner.len() {
        at = (at.0 + heading.0, at.1 + heading.1);
        // The contour passes the upper left corner of the first cell once: no other cell of the region touches it.
        if at == start {
            break;
        }
        // Cells ahead, to the left and to the right of the heading.
        let (left, right) = match heading {
            (1, 0) => ((at.0, at.1 - 1), (at.0, at.1)),
            (0, 1) => ((at.0, at.1), (at.0 - 1, at.1)),
            (-1, 0) => ((at.0 - 1, at.1), (at.0 - 1, at.1 - 1)),
            _ => ((at.0 - 1, at.1 - 1), (at.0, at.1 - 1)),
        };
        let next = if !region.has(right) {
            (-heading.1, heading.0)
        } else if region.has(left) {
            (heading.1, -heading.0)
        } else {
            heading
        };
        if next != heading {
            // To the left of both headings.
            corners.push(Corner { at, outward: (heading.1 + next.1, -heading.0 - next.0) });
            heading = next;
        }
    }
    corners
}

/// Simplifies a closed polyline with a tolerance (Douglas-Peucker).
fn simplify(points: &[(f32, f32)], slack: f32) -> Vec<(f32, f32)> {
    let Some(first) = points.first().copied() else { return Vec::new() };
    // The corner furthest from the first one is certainly kept, so the polyline starts there.
    let away = |at: &usize| (points[*at].0 - first.0).powi(2) + (points[*at].1 - first.1).powi(2);
    let begin = (0..points.len()).max_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
    let round: Vec<(f32, f32)> = points.iter().cycle().skip(begin).take(points.len() + 1).copied().collect();
    // The last point is the first one again.
    let mut keep = vec![false; round.len()];
    keep[0] = true;
    let mut open = vec![(0, points.len())];
    while let Some((from, to)) = open.pop() {
        let (mut most, mut place) = (slack, None);
        for at in from + 1..to {
            let off = distance_to_line(round[at], round[from], round[to]);
            if off > most {
                (most, place) = (off, Some(at));
            }
        }
        if let Some(at) = place {
            keep[at] = true;
            open.push((from, at));
            open.push((at, to));
        }
    }
    round.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(point, _)| point).collect()
}

/// Returns the distance of a point from the line through two points, or from the first if they coincide.
fn distance_to_line(p: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    if length < f32::EPSILON {
        return (p.0 - a.0).hypot(p.1 - a.1);
    }
    ((p.0 - a.0) * dy - (p.1 - a.1) * dx).abs() / length
}

/// Returns the area of a polygon in square points (shoelace formula).
pub(crate) fn area(corners: &[(f32, f32)]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    let twice: f64 =
        corners.iter().zip(next).map(|(a, b)| f64::from(a.0) * f64::from(b.1) - f64::from(b.0) * f64::from(a.1)).sum();
    (twice.abs() / 2.0) as f32
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;
    use fanlight_geometry::Frame;

    use super::*;

    #[test]
    fn an_l_has_six_corners() {
        let mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 60.0, y2: 60.0 }, 0.0), 1.0);
        let mut owner = vec![0_u32; mask.wide * mask.high];
        for row in 5..40 {
            for column in 5..if row < 20 { 40 } else { 15 } {
                owner[row * mask.wide + column] = 7;
            }
        }
        let found = corners(&mask, &owner, 7, 5 * mask.wide + 5, 1.0);
        assert_eq!(found.len(), 6, "{found:?}");
        // 35 by 35 cells less 20 by 25, all of it larger by what walls cover.
        let grown = 2.0 * GROWN;
        let cells = (35.0 + grown) * (35.0 + grown) - 25.0 * 20.0;
        assert!((area(&found) - cells * mask.cell * mask.cell).abs() < 1.0, "{} {cells}", area(&found));
    }
}
