//! Walls: strips between two parallel faces along one of the sheet's axes, whatever their fill. Slanted and curved walls are
//! left to the network.
//!
//! - `patterns`: lines that repeat, which are no faces: treads, tiles, boards;
//! - `strips`: from faces to strips;
//! - `gaps`: where walls are interrupted.

mod gaps;
mod patterns;
mod strips;

use fanlight_geometry::{Frame, Line, Lines, Segment};

pub(crate) use gaps::{Gap, GapLimits, gaps};

/// Least thickness of a wall in inches of the building. Set by hand: a 70 mm partition is 2.76 in, a 50 mm panel 1.97 in.
const MIN_THICKNESS: f32 = 2.6;
/// Most thickness of a wall in inches of the building: a wall of one and a half bricks (DIN 4172: 365 mm) is 14.4 in.
const MAX_THICKNESS: f32 = 15.0;
/// Faces run beside each other over at least this, in inches. Set by hand.
const MIN_FACE: f32 = 4.0;
/// A segment along at least this share of the sheet's width or height is part of the sheet's border. Set by hand.
const MIN_BORDER: f32 = 0.8;
/// Gaps in a face that are no openings, in points: the rounding of a CAD program.
const ROUNDING: f32 = 1.0;
/// Most pairs of lines of a sheet that are compared, a bound on time: a dense sheet has some ten million.
const MAX_PAIRS: usize = 60_000_000;
/// Most strips of one line, or along one face, that are compared with one strip, a bound on time.
const MAX_IN_LINE: usize = 500;

/// An axis of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    Horizontal,
    Vertical,
}

impl Axis {
    /// Returns the point of the sheet at a position along and across the axis.
    pub(crate) fn place(self, along: f32, across: f32) -> (f32, f32) {
        match self {
            Self::Horizontal => (along, across),
            Self::Vertical => (across, along),
        }
    }
}

/// A straight strip of wall in the coordinates of an [`Axis`]: from `from` to `to` along it, from `low` to `high` across it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    pub(crate) from: f32,
    pub(crate) to: f32,
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl Strip {
    pub(crate) fn length(&self) -> f32 {
        self.to - self.from
    }

    pub(crate) fn thickness(&self) -> f32 {
        self.high - self.low
    }

    /// Returns the position of the centre line across the axis.
    pub(crate) fn middle(&self) -> f32 {
        f32::midpoint(self.low, self.high)
    }

    /// Returns the centre on the sheet.
    pub(crate) fn centre(&self, axis: Axis) -> (f32, f32) {
        axis.place(f32::midpoint(self.from, self.to), self.middle())
    }
}

/// The range of walls' thicknesses on paper, in points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thickness {
    pub(crate) least: f32,
    pub(crate) most: f32,
}

impl Thickness {
    /// Returns the range on a plan with `points_per_inch` points per inch of the building.
    pub(crate) fn at(points_per_inch: f32) -> Self {
        Self { least: MIN_THICKNESS * points_per_inch, most: MAX_THICKNESS * points_per_inch }
    }
}

/// The walls along one axis.
#[derive(Clone, Debug)]
pub(crate) struct ParallelWalls {
    pub(crate) axis: Axis,
    pub(crate) strips: Vec<Strip>,
}

/// Detects the walls of a sheet.
pub(crate) fn detect(segments: &[Segment], points_per_inch: f32, frame: &Frame) -> [ParallelWalls; 2] {
    let solid = segments.iter().filter(|segment| !segment.dashed && !is_border(segment, frame));
    let solid: Vec<Segment> = solid.copied().collect();
    let lines = Lines::from_segments(&solid, ROUNDING, MIN_FACE * points_per_inch);
    let mut effort = MAX_PAIRS;
    [(Axis::Horizontal, &lines.horizontal), (Axis::Vertical, &lines.vertical)]
        .map(|(axis, lines)| ParallelWalls { axis, strips: strips_along(lines, points_per_inch, &mut effort) })
}

/// Returns the strips of walls between the lines along an axis.
fn strips_along(lines: &[Line], points_per_inch: f32, effort: &mut usize) -> Vec<Strip> {
    let thickness = Thickness::at(points_per_inch);
    let faces = patterns::without_patterns(lines, thickness, effort);
    strips::joined(strips::between_faces(faces, thickness, MIN_FACE * points_per_inch, effort))
}

/// Returns whether a segment is part of the sheet's border.
fn is_border(segment: &Segment, frame: &Frame) -> bool {
    let (dx, dy) = ((segment.to.0 - segment.from.0).abs(), (segment.to.1 - segment.from.1).abs());
    dx >= MIN_BORDER * frame.width || dy >= MIN_BORDER * frame.height
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;

    use super::*;

    fn segment(from: (f32, f32), to: (f32, f32)) -> Segment {
        Segment { from, to, width: 0.5, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn two_faces_along_each_axis_make_a_wall_and_a_border_makes_none() {
        let frame = Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 400.0, y2: 300.0 }, 0.0);
        let lines = [
            segment((50.0, 60.0), (200.0, 60.0)),
            segment((50.0, 66.0), (200.0, 66.0)),
            segment((50.0, 66.0), (50.0, 200.0)),
            segment((56.0, 66.0), (56.0, 200.0)),
            segment((5.0, 5.0), (395.0, 5.0)),
            segment((5.0, 10.0), (395.0, 10.0)),
        ];
        let [along, across] = detect(&lines, 1.0, &frame);
        assert_eq!(along.strips, [Strip { from: 50.0, to: 200.0, low: 60.0, high: 66.0 }]);
        assert_eq!(across.strips, [Strip { from: 66.0, to: 200.0, low: 50.0, high: 56.0 }]);
    }
}
