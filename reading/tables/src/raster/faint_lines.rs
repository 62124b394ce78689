//! Lines that are too faint and broken to close cells. They count only along the borders of other cells.

use fanlight_contract::Rect;

use super::MAX_OFFSET;
use super::strokes::{Axis, Foreground};
use crate::regions;

/// Length of the pieces of a line that are examined one by one, in points: a line drawn by hand wavers.
const PIECE: f32 = 12.0;
/// Minimum number of pieces of a line: fewer do not distinguish a line from the stem of a letter.
const MIN_PIECES: usize = 6;
/// Minimum share of a piece's length that is foreground.
const MIN_DENSITY: f32 = 0.4;
/// Minimum share of a line's pieces that are foreground.
const MIN_PIECES_DRAWN: f32 = 0.75;
/// A border is a column's if at least one in this many rows has it.
const ROWS_PER_BORDER: usize = 3;

/// Splits cells along the borders of other cells where a faint line is drawn.
pub(super) fn split_at_faint_lines(faces: Vec<Rect>, foreground: &Foreground) -> Vec<Rect> {
    let rows = regions::snapped_within(faces.iter().flat_map(|face| [face.y1, face.y2]), MAX_OFFSET);
    let columns = column_borders(&faces, rows.len());
    let mut whole = Vec::with_capacity(faces.len());
    let mut left = faces;
    while let Some(face) = left.pop() {
        match split(&face, &rows, &columns, foreground) {
            Some(parts) => left.extend(parts),
            None => whole.push(face),
        }
    }
    whole
}

/// Returns the borders at which enough of the `rows` have a cell that begins.
fn column_borders(faces: &[Rect], rows: usize) -> Vec<f32> {
    let mut borders = regions::snapped_within(faces.iter().flat_map(|face| [face.x1, face.x2]), MAX_OFFSET);
    borders.retain(|border| {
        let begin = faces.iter().filter(|face| (face.x1 - border).abs() <= MAX_OFFSET).count();
        ROWS_PER_BORDER * begin >= rows
    });
    borders
}

/// Returns the two parts of a cell that has a faint line along one of the borders.
fn split(face: &Rect, rows: &[f32], columns: &[f32], foreground: &Foreground) -> Option<[Rect; 2]> {
    let is_row = |y: f32| Lane { axis: Axis::Horizontal, at: y, from: face.x1, to: face.x2 }.is_drawn(foreground);
    if let Some(y) = inside(rows, face.y1, face.y2).find(|&y| is_row(y)) {
        return Some([Rect { y2: y, ..*face }, Rect { y1: y, ..*face }]);
    }
    let is_column = |x: f32| Lane { axis: Axis::Vertical, at: x, from: face.y1, to: face.y2 }.is_drawn(foreground);
    let x = inside(columns, face.x1, face.x2).find(|&x| is_column(x))?;
    Some([Rect { x2: x, ..*face }, Rect { x1: x, ..*face }])
}

/// Returns the borders between two places, and not at them.
fn inside(borders: &[f32], from: f32, to: f32) -> impl Iterator<Item = f32> {
    borders.iter().copied().filter(move |border| *border > from + MAX_OFFSET && *border < to - MAX_OFFSET)
}

/// Where a line may be drawn, in points.
struct Lane {
    axis: Axis,
    /// Its position across the axis.
    at: f32,
    from: f32,
    to: f32,
}

impl Lane {
    /// Returns whether a line is drawn there, faint and broken as it may be.
    fn is_drawn(&self, foreground: &Foreground) -> bool {
        let pixel = |points: f32| foreground.pixels(points).max(0.0) as usize;
        let (start, end, lane) = (pixel(self.from), pixel(self.to), pixel(self.at));
        if end <= start {
            return false;
        }
        let lanes = lane.saturating_sub(pixel(MAX_OFFSET))..=lane + pixel(MAX_OFFSET);
        let pieces = ((end - start) / pixel(PIECE).max(1)).max(MIN_PIECES);
        let border = |piece: usize| start + (end - start) * piece / pieces;
        let drawn = (0..pieces).filter(|&piece| {
            let (from, to) = (border(piece), border(piece + 1));
            let densest = lanes.clone().map(|lane| self.count(foreground, lane, from, to)).max().unwrap_or(0);
            densest as f32 >= MIN_DENSITY * (to - from).max(1) as f32
        });
        drawn.count() as f32 >= MIN_PIECES_DRAWN * pieces as f32
    }

    /// Returns the number of pixels that are foreground in a lane or the next one.
    fn count(&self, foreground: &Foreground, lane: usize, from: usize, to: usize) -> usize {
        let is_foreground =
            |&along: &usize| foreground.at(self.axis, lane, along) || foreground.at(self.axis, lane + 1, along);
        (from..to).filter(is_foreground).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 60.0, y2: 40.0 };

    /// A mask of 60 by 40 pixels at one pixel per point, with a line at y = 20 in the columns for which `is_drawn`.
    fn foreground(is_drawn: fn(usize) -> bool) -> Foreground {
        let (width, height) = (60, 40);
        let mask = (0..width * height).map(|index| index / width == 20 && is_drawn(index % width)).collect();
        Foreground { mask, width, height, points_per_pixel: 1.0 }
    }

    #[test]
    fn broken_line_along_a_neighbors_border_splits_a_cell() {
        let broken = foreground(|x| x % 2 == 0);
        let parts = split(&FACE, &[0.0, 20.0, 40.0], &[], &broken);
        assert_eq!(parts.map(|[upper, lower]| (upper.y2, lower.y1)), Some((20.0, 20.0)));
    }

    #[test]
    fn line_along_no_border_splits_nothing() {
        assert!(split(&FACE, &[0.0, 40.0], &[], &foreground(|_| true)).is_none());
    }

    #[test]
    fn line_over_half_of_a_cell_splits_nothing() {
        assert!(split(&FACE, &[0.0, 20.0, 40.0], &[], &foreground(|x| x < 30)).is_none());
    }

    #[test]
    fn border_of_few_rows_is_no_columns() {
        let row = |index: usize| Rect { y1: 10.0 * index as f32, y2: 10.0 * (index + 1) as f32, ..FACE };
        let mut faces: Vec<Rect> = (0..6).map(row).collect();
        faces.push(Rect { x1: 30.0, ..row(6) });
        assert_eq!(column_borders(&faces, 7), [0.0]);
    }
}
