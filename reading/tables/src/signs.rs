//! Recognizes signs that are drawn in cells as two slanted segments: a check mark, a cross.

use fanlight_contract::Rect;

use crate::rules::Drawn;

/// Minimum height of a sign, in points.
const MIN_HEIGHT: f32 = 2.0;
/// Maximum height of a sign, in points.
const MAX_HEIGHT: f32 = 18.0;
/// Maximum ratio of a sign's height and width, either way.
const MAX_ASPECT: f32 = 2.0;
/// A cross that is larger than this share of its cell, both across and down, crosses the cell out.
const MAX_CELL_SHARE: f32 = 0.85;
/// Maximum distance of places that are the same, as a share of the sign's height.
const MAX_OFFSET: f32 = 0.15;
/// Maximum height of the short stroke of a check mark, as a share of the long one's.
const MAX_SHORT_STROKE: f32 = 0.8;

/// Returns the sign that two segments form, if they are all that is drawn in `cell`.
pub(crate) fn sign(strokes: &[Drawn], cell: &Rect) -> Option<&'static str> {
    let [a, b] = *strokes else { return None };
    let strokes =
        if a.bbox().x1 <= b.bbox().x1 { TwoStrokes { left: a, right: b } } else { TwoStrokes { left: b, right: a } };
    if !strokes.has_size_of_sign(cell) {
        return None;
    }
    if strokes.is_cross() {
        return Some("X");
    }
    strokes.is_check_mark().then_some("✓")
}

/// Two segments, the one that begins further to the left first.
struct TwoStrokes {
    left: Drawn,
    right: Drawn,
}

impl TwoStrokes {
    fn height(&self) -> f32 {
        2.0 * self.left.half.1.max(self.right.half.1)
    }

    fn has_size_of_sign(&self, cell: &Rect) -> bool {
        let (left, right) = (self.left.bbox(), self.right.bbox());
        let (width, height) = (right.x2.max(left.x2) - left.x1, self.height());
        let crosses_out = width > MAX_CELL_SHARE * (cell.x2 - cell.x1) && height > MAX_CELL_SHARE * (cell.y2 - cell.y1);
        (MIN_HEIGHT..=MAX_HEIGHT).contains(&height)
            && width <= MAX_ASPECT * height
            && height <= MAX_ASPECT * width
            && !crosses_out
    }

    fn is_same(&self, a: f32, b: f32) -> bool {
        (a - b).abs() <= MAX_OFFSET * self.height()
    }

    /// Returns whether the segments have the same box.
    fn is_cross(&self) -> bool {
        let Self { left, right } = self;
        self.is_same(left.half.0, right.half.0)
            && self.is_same(left.half.1, right.half.1)
            && self.is_same(left.middle.0, right.middle.0)
            && self.is_same(left.middle.1, right.middle.1)
    }

    /// Returns whether the segments meet at the bottom, and the left one is short.
    fn is_check_mark(&self) -> bool {
        let (left, right) = (self.left.bbox(), self.right.bbox());
        self.is_same(left.x2, right.x1)
            && self.is_same(left.y2, right.y2)
            && self.left.half.1 <= MAX_SHORT_STROKE * self.right.half.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(x1: f32, y1: f32, x2: f32, y2: f32) -> Drawn {
        let middle = (f32::midpoint(x1, x2), f32::midpoint(y1, y2));
        Drawn { middle, half: ((x2 - x1).abs() / 2.0, (y2 - y1).abs() / 2.0) }
    }

    #[test]
    fn signs_are_distinguished_from_letters_and_crossed_out_cells() {
        let cell = Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 14.0 };
        let cases = [
            ("a check mark", [stroke(6.0, 7.0, 8.0, 10.0), stroke(8.0, 10.0, 13.0, 3.0)], Some("✓")),
            ("a cross", [stroke(7.0, 4.0, 13.0, 10.0), stroke(7.0, 10.0, 13.0, 4.0)], Some("X")),
            ("a V", [stroke(7.0, 4.0, 10.0, 10.0), stroke(10.0, 10.0, 13.0, 4.0)], None),
            ("a cell crossed out", [stroke(0.5, 0.5, 19.5, 13.5), stroke(0.5, 13.5, 19.5, 0.5)], None),
            ("an A without its bar", [stroke(7.0, 10.0, 10.0, 4.0), stroke(10.0, 4.0, 13.0, 10.0)], None),
        ];
        for (what, strokes, expected) in cases {
            assert_eq!(sign(&strokes, &cell), expected, "{what}");
        }
        assert_eq!(sign(&[stroke(7.0, 4.0, 13.0, 10.0)], &cell), None);
    }
}
