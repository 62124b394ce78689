//! The long horizontal and vertical lines of a page, in however many segments they are drawn.

use crate::Segment;

/// A straight line along one axis of a frame; all values are points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Position across its direction: y of a horizontal line, x of a vertical line.
    pub at: f32,
    /// Where it starts along its direction.
    pub from: f32,
    /// Where it ends along its direction; not less than `from`.
    pub to: f32,
}

impl Line {
    /// Returns the length.
    pub fn length(&self) -> f32 {
        self.to - self.from
    }

    /// Returns the length of its part between two positions along its direction.
    pub fn within(&self, from: f32, to: f32) -> f32 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }
}

/// The lines of a page along both axes, each list sorted by `at`.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The lines along x.
    pub horizontal: Vec<Line>,
    /// The lines along y.
    pub vertical: Vec<Line>,
}

/// Segments whose positions across differ by no more than this lie on one line, in points: the rounding of a CAD program.
const SAME_LINE: f32 = 0.5;

impl Lines {
    /// Joins the straight segments that lie on one line with gaps of at most `gap` points, and keeps the lines that are
    /// then at least `min_length` points long. Dashes join where `gap` is as wide as theirs. The cost is that of a sort.
    pub fn from_segments(segments: &[Segment], gap: f32, min_length: f32) -> Self {
        let (mut horizontal, mut vertical) = (Vec::new(), Vec::new());
        for segment in segments.iter().filter(|segment| !segment.curved) {
            let (a, b) = (segment.from, segment.to);
            if segment.is_horizontal() {
                horizontal.push(Line { at: f32::midpoint(a.1, b.1), from: a.0.min(b.0), to: a.0.max(b.0) });
            } else if segment.is_vertical() {
                vertical.push(Line { at: f32::midpoint(a.0, b.0), from: a.1.min(b.1), to: a.1.max(b.1) });
            }
        }
        Self { horizontal: join(horizontal, gap, min_length), vertical: join(vertical, gap, min_length) }
    }
}

/// Joins lines along one axis where they lie on one line with gaps of at most `gap`; drops those below `min_length`.
fn join(mut lines: Vec<Line>, gap: f32, min_length: f32) -> Vec<Line> {
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
    whole.retain(|line| line.length() >= min_length);
    whole.sort_by(|a, b| a.at.total_cmp(&b.at));
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(from: (f32, f32), to: (f32, f32)) -> Segment {
        Segment { from, to, width: 0.5, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn dashes_make_one_line_and_a_wide_gap_splits_it() {
        let segments = [
            segment((0.0, 10.0), (8.0, 10.0)),
            segment((20.0, 10.1), (11.0, 10.1)),
            segment((40.0, 10.0), (60.0, 10.0)),
            segment((5.0, 0.0), (5.0, 30.0)),
            segment((0.0, 0.0), (30.0, 30.0)),
        ];
        let lines = Lines::from_segments(&segments, 4.0, 10.0);
        assert_eq!(lines.horizontal.len(), 2, "{lines:?}");
        assert!((lines.horizontal[0].length() - 20.0).abs() < 1e-3);
        assert_eq!(lines.vertical.len(), 1);
        assert!((lines.vertical[0].within(10.0, 50.0) - 20.0).abs() < 1e-3);
    }
}
