//! The long lines along a frame's axes, whatever pieces they are drawn in.

use crate::Piece;

/// A straight line along one axis of a frame, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Where it lies across its direction: y of a level line, x of a plumb one.
    pub at: f32,
    /// Where it starts along its direction.
    pub from: f32,
    /// Where it ends; more than `from`.
    pub to: f32,
}

impl Line {
    /// Its length.
    pub fn length(&self) -> f32 {
        self.to - self.from
    }

    /// How much of it lies between two places along its direction.
    pub fn within(&self, from: f32, to: f32) -> f32 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }
}

/// The lines of a page along both axes, each by `at`.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// Along x.
    pub level: Vec<Line>,
    /// Along y.
    pub plumb: Vec<Line>,
}

/// Pieces this close across lie on one line, in points: a CAD program's rounding.
const SAME_LINE: f32 = 0.5;

impl Lines {
    /// Joins the pieces that lie on one line with no more than `gap` points between them, and keeps what is then at
    /// least `shortest` points long. One sort; dashes join where the gap is as wide as theirs.
    pub fn of(pieces: &[Piece], gap: f32, shortest: f32) -> Self {
        let (mut level, mut plumb) = (Vec::new(), Vec::new());
        for piece in pieces.iter().filter(|piece| !piece.curved) {
            let (a, b) = (piece.from, piece.to);
            if piece.is_level() {
                level.push(Line { at: f32::midpoint(a.1, b.1), from: a.0.min(b.0), to: a.0.max(b.0) });
            } else if piece.is_plumb() {
                plumb.push(Line { at: f32::midpoint(a.0, b.0), from: a.1.min(b.1), to: a.1.max(b.1) });
            }
        }
        Self { level: joined(level, gap, shortest), plumb: joined(plumb, gap, shortest) }
    }

    /// The level lines between two heights.
    pub fn level_between(&self, top: f32, bottom: f32) -> &[Line] {
        between(&self.level, top, bottom)
    }

    /// The plumb lines between two places along x.
    pub fn plumb_between(&self, left: f32, right: f32) -> &[Line] {
        between(&self.plumb, left, right)
    }
}

fn between(lines: &[Line], low: f32, high: f32) -> &[Line] {
    let from = lines.partition_point(|line| line.at < low);
    let to = lines.partition_point(|line| line.at <= high);
    lines.get(from..to).unwrap_or_default()
}

fn joined(mut lines: Vec<Line>, gap: f32, shortest: f32) -> Vec<Line> {
    lines.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut whole: Vec<Line> = Vec::new();
    let mut rest = lines.as_mut_slice();
    while let Some(first) = rest.first().map(|line| line.at) {
        let count = rest.partition_point(|line| line.at - first <= SAME_LINE);
        let (row, others) = rest.split_at_mut(count);
        row.sort_by(|a, b| a.from.total_cmp(&b.from));
        let start = whole.len();
        for line in row.iter() {
            match whole.get_mut(start..).and_then(<[Line]>::last_mut) {
                Some(open) if line.from - open.to <= gap => open.to = open.to.max(line.to),
                _ => whole.push(*line),
            }
        }
        rest = others;
    }
    whole.retain(|line| line.length() >= shortest);
    whole.sort_by(|a, b| a.at.total_cmp(&b.at));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(from: (f32, f32), to: (f32, f32)) -> Piece {
        Piece { from, to, width: 0.5, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn dashes_make_one_line_and_a_wide_gap_parts_two() {
        let pieces = [
            piece((0.0, 10.0), (8.0, 10.0)),
            piece((20.0, 10.1), (11.0, 10.1)),
            piece((40.0, 10.0), (60.0, 10.0)),
            piece((5.0, 0.0), (5.0, 30.0)),
            piece((0.0, 0.0), (30.0, 30.0)),
        ];
        let lines = Lines::of(&pieces, 4.0, 10.0);
        assert_eq!(lines.level.len(), 2, "{lines:?}");
        assert!((lines.level[0].length() - 20.0).abs() < 1e-3);
        assert_eq!(lines.plumb.len(), 1);
        assert_eq!(lines.level_between(9.0, 11.0).len(), 2);
        assert!(lines.plumb_between(6.0, 9.0).is_empty());
        assert!((lines.plumb[0].within(10.0, 50.0) - 20.0).abs() < 1e-3);
    }
}
