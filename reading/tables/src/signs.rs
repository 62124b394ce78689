//! Signs that are drawn in cells as paths: a check mark, a cross.

use fanlight_contract::Rect;

use crate::rules::Drawn;

/// A sign is so high at least and at most, in points.
const HEIGHT: (f32, f32) = (2.0, 18.0);
/// What fills more of its cell than this, both ways, crosses the cell out.
const MOST_OF_CELL: f32 = 0.85;
/// Places of a sign's strokes are the same within this share of its height.
const SAME: f32 = 0.15;
/// The short stroke of a check mark is so high at most, of the long one.
const SHORT_STROKE: f32 = 0.8;

/// What these slanted strokes, all there are in a cell, stand for.
pub(crate) fn sign(strokes: &[Drawn], cell: &Rect) -> Option<&'static str> {
    let [a, b] = *strokes else { return None };
    let (left, right) = if a.middle.0 - a.half.0 <= b.middle.0 - b.half.0 { (a, b) } else { (b, a) };
    let (from, to) = (left.middle.0 - left.half.0, (right.middle.0 + right.half.0).max(left.middle.0 + left.half.0));
    let (wide, tall) = (to - from, 2.0 * left.half.1.max(right.half.1));
    let room = (cell.x2 - cell.x1, cell.y2 - cell.y1);
    let crosses_out = wide > MOST_OF_CELL * room.0 && tall > MOST_OF_CELL * room.1;
    if tall < HEIGHT.0 || tall > HEIGHT.1 || wide > 2.0 * tall || tall > 2.0 * wide || crosses_out {
        return None;
    }
    let same = |a: f32, b: f32| (a - b).abs() <= SAME * tall;
    let alike = same(left.half.0, right.half.0) && same(left.half.1, right.half.1);
    if alike && same(left.middle.0, right.middle.0) && same(left.middle.1, right.middle.1) {
        return Some("X");
    }
    let meet_below = same(left.middle.0 + left.half.0, right.middle.0 - right.half.0)
        && same(left.middle.1 + left.half.1, right.middle.1 + right.half.1);
    (meet_below && left.half.1 <= SHORT_STROKE * right.half.1).then_some("✓")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(x1: f32, y1: f32, x2: f32, y2: f32) -> Drawn {
        let middle = (f32::midpoint(x1, x2), f32::midpoint(y1, y2));
        Drawn { middle, half: ((x2 - x1).abs() / 2.0, (y2 - y1).abs() / 2.0) }
    }

    #[test]
    fn signs_are_told_from_letters_and_from_crossed_out_cells() {
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
