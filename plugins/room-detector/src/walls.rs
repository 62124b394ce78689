//! Walls: strips between two parallel faces, whatever their fill, in each direction of the plan.
//!
//! - `directions`: the directions that a plan is drawn in;
//! - `patterns`: lines that repeat, which are no faces: treads, tiles, boards;
//! - `strips`: from faces and thick strokes to strips;
//! - `clutter`: strips that are no walls: boxes around text, furniture, leaves of doors, stubs;
//! - `gaps`: where walls are interrupted.

mod clutter;
mod directions;
mod gaps;
mod patterns;
mod strips;

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, Line, Lines, Segment};

use crate::mask::Mask;

pub(crate) use gaps::{Gap, GapLimits, gaps};

/// Least thickness of a wall in inches of the building. Set by hand: a 70 mm partition is 2.76 in, a 50 mm panel 1.97 in.
const MIN_THICKNESS: f32 = 2.6;
/// Most thickness of a wall in inches of the building: a wall of one and a half bricks (DIN 4172: 365 mm) is 14.4 in.
pub(crate) const MAX_THICKNESS: f32 = 15.0;
/// Faces run beside each other over at least this, in inches. Set by hand.
const MIN_FACE: f32 = 4.0;
/// A wall that is drawn as one line is at least this long, in inches. Set by hand.
const MIN_SINGLE_LINE: f32 = 24.0;
/// A wall that is drawn as one line is taken to be this thick, in inches: about one cell of the mask.
const SINGLE_LINE_THICKNESS: f32 = 1.5;
/// Gaps in a face that are no openings, in points: the rounding of a CAD program.
const ROUNDING: f32 = 1.0;
/// A strip with at least this share of its centre line in walls of other directions is part of their hatch. Set by hand.
const MIN_HATCHED: f32 = 0.6;
/// Lines along an opening that are its own are at least this share of it: dashes are shorter. Set by hand.
const MIN_LINING: f32 = 0.3;
/// Lines that lie this share of a strip's thickness beyond it still run along it. Set by hand.
const LINING_SLACK: f32 = 0.25;
/// Most pairs of lines of a sheet that are compared, a bound on time: a dense sheet has some ten million.
const MAX_PAIRS: usize = 60_000_000;
/// Most strips of one line, or along one face, that are compared with one strip, a bound on time.
const MAX_IN_LINE: usize = 500;

/// A direction of the sheet as a unit vector, with y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Axis {
    /// The axis at an angle in radians, clockwise from the x axis.
    fn at_angle(angle: f32) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { x: cos, y: sin }
    }

    /// The axis a right angle clockwise from the one at an angle. Across it is against x, since y runs down.
    fn across_angle(angle: f32) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { x: -sin, y: cos }
    }

    /// Returns the position of a point of the sheet along the axis.
    pub(crate) fn along(self, (x, y): (f32, f32)) -> f32 {
        x * self.x + y * self.y
    }

    /// Returns the position of a point of the sheet across the axis.
    pub(crate) fn across(self, (x, y): (f32, f32)) -> f32 {
        y * self.x - x * self.y
    }

    /// Returns the point of the sheet at a position along and across the axis.
    pub(crate) fn place(self, along: f32, across: f32) -> (f32, f32) {
        (along * self.x - across * self.y, along * self.y + across * self.x)
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

/// The walls along one direction.
#[derive(Clone, Debug)]
pub(crate) struct ParallelWalls {
    pub(crate) axis: Axis,
    pub(crate) strips: Vec<Strip>,
    /// All long lines along the axis, sorted by where they lie across it.
    pub(crate) lines: Vec<Line>,
}

impl ParallelWalls {
    /// Returns the share of an opening's length along which lines run that end with it, within `beyond` points.
    pub(crate) fn lined(&self, opening: &Strip, beyond: f32) -> f32 {
        let slack = LINING_SLACK * opening.thickness();
        let from = self.lines.partition_point(|line| line.at < opening.low - slack);
        let within = self.lines.get(from..).unwrap_or_default();
        let mut spans: Vec<Line> = within
            .iter()
            .take_while(|line| line.at <= opening.high + slack)
            .filter(|line| line.from >= opening.from - beyond && line.to <= opening.to + beyond)
            .filter(|line| line.length() >= MIN_LINING * opening.length())
            .map(|line| Line { from: line.from.max(opening.from), to: line.to.min(opening.to), ..*line })
            .filter(|span| span.to > span.from)
            .collect();
        spans.sort_by(|a, b| a.from.total_cmp(&b.from));
        let (mut covered, mut reached) = (0.0, opening.from);
        for span in spans {
            covered += (span.to - span.from.max(reached)).max(0.0);
            reached = reached.max(span.to);
        }
        covered / opening.length().max(f32::EPSILON)
    }

    /// Removes strips that lie within a door, grown by `slack` points: its leaves, and frames beside it.
    pub(crate) fn remove_leaves(&mut self, doors: &[Rect], slack: f32) {
        clutter::remove_leaves(&mut self.strips, self.axis, doors, slack);
    }
}

/// Detects the walls of a sheet. `texts` are the centres of its texts: a box around a number is not a wall.
pub(crate) fn detect(
    segments: &[Segment],
    texts: &[(f32, f32)],
    points_per_inch: f32,
    frame: &Frame,
) -> Vec<ParallelWalls> {
    let thickness = Thickness::at(points_per_inch);
    let shortest = MIN_FACE * points_per_inch;
    let mut effort = MAX_PAIRS;
    let mut walls = Vec::new();
    for directed in directions::by_direction(segments, MIN_SINGLE_LINE * points_per_inch, frame) {
        let lines = Lines::from_segments(&directed.segments, ROUNDING, shortest);
        let mut faces = Lines::default();
        for pen in strips::by_pen(&directed.segments) {
            let drawn = Lines::from_segments(&pen, ROUNDING, shortest);
            faces.horizontal.extend(patterns::without_patterns(&drawn.horizontal, thickness, &mut effort));
            faces.vertical.extend(patterns::without_patterns(&drawn.vertical, thickness, &mut effort));
        }
        let along = Drawn {
            axis: directed.along(),
            lines: lines.horizontal,
            faces: faces.horizontal,
            strokes: strips::thick_strokes(&directed.segments, thickness),
        };
        let across = Drawn {
            axis: directed.across(),
            lines: strips::mirrored(lines.vertical),
            faces: strips::mirrored(faces.vertical),
            strokes: strips::thick_strokes_across(&directed.segments, thickness),
        };
        for drawn in [along, across] {
            walls.push(drawn.walls(texts, points_per_inch, &mut effort));
        }
    }
    walls
}

/// What is drawn along one axis that may be walls.
struct Drawn {
    axis: Axis,
    lines: Vec<Line>,
    /// The lines that are part of no pattern.
    faces: Vec<Line>,
    /// Strokes as thick as a wall.
    strokes: Vec<Strip>,
}

impl Drawn {
    /// Makes walls of faces and strokes.
    fn walls(self, texts: &[(f32, f32)], points_per_inch: f32, effort: &mut usize) -> ParallelWalls {
        let Self { axis, lines, faces, strokes } = self;
        let mut strips =
            strips::between_faces(faces, Thickness::at(points_per_inch), MIN_FACE * points_per_inch, effort);
        strips.extend(strips::without_outlines(strokes, &strips));
        let mut strips = strips::joined(strips);
        clutter::remove_text_boxes(&mut strips, axis, texts);
        clutter::remove_furniture(&mut strips, points_per_inch);
        clutter::remove_stubs(&mut strips, points_per_inch);
        ParallelWalls { axis, strips, lines }
    }
}

/// Detects the walls of a sheet that draws each as one thin line: all long lines that belong to no pattern.
pub(crate) fn detect_thin(segments: &[Segment], points_per_inch: f32, frame: &Frame) -> Vec<ParallelWalls> {
    let mut effort = MAX_PAIRS;
    let shortest = MIN_SINGLE_LINE * points_per_inch;
    let mut walls = Vec::new();
    for directed in directions::by_direction(segments, shortest, frame) {
        let lines = Lines::from_segments(&directed.segments, ROUNDING, shortest);
        let along = (directed.along(), lines.horizontal);
        let across = (directed.across(), strips::mirrored(lines.vertical));
        for (axis, lines) in [along, across] {
            let half = SINGLE_LINE_THICKNESS / 2.0 * points_per_inch;
            let single = patterns::without_patterns(&lines, Thickness::at(points_per_inch), &mut effort);
            let strips = single
                .into_iter()
                .map(|line| Strip { from: line.from, to: line.to, low: line.at - half, high: line.at + half })
                .collect();
            walls.push(ParallelWalls { axis, strips, lines });
        }
    }
    walls
}

/// Draws walls direction by direction, without the hatches of walls in other directions.
pub(crate) fn draw(mask: &mut Mask, walls: &mut [ParallelWalls]) {
    // Walls along a direction and across it come in pairs: neither is the other's hatch.
    for pair in walls.chunks_mut(2) {
        for own in &mut *pair {
            let axis = own.axis;
            own.strips.retain(|strip| mask.walled(axis, strip) < MIN_HATCHED);
        }
        for own in pair {
            for strip in &own.strips {
                mask.draw(own.axis, strip);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: f32, from: f32, to: f32) -> Line {
        Line { at, from, to }
    }

    #[test]
    fn an_axis_places_points_it_measured() {
        for axis in [Axis::at_angle(0.4), Axis::across_angle(0.4)] {
            let (x, y) = axis.place(axis.along((30.0, 70.0)), axis.across((30.0, 70.0)));
            assert!((x - 30.0).abs() < 1e-3 && (y - 70.0).abs() < 1e-3, "{axis:?}: {x} {y}");
        }
        // Across a vertical axis is against x: y runs down.
        assert!((Axis::across_angle(0.0).across((30.0, 70.0)) + 30.0).abs() < 1e-3);
    }

    #[test]
    fn an_opening_is_lined_by_lines_that_end_with_it() {
        let opening = Strip { from: 200.0, to: 400.0, low: 10.0, high: 15.0 };
        let lined = |lines: Vec<Line>| {
            ParallelWalls { axis: Axis { x: 1.0, y: 0.0 }, strips: Vec::new(), lines }.lined(&opening, 1.0)
        };
        assert!((lined(vec![line(12.0, 200.0, 330.0)]) - 0.65).abs() < 1e-3);
        assert_eq!(lined(vec![line(12.0, 150.0, 400.0)]), 0.0, "it runs on beyond the opening");
        assert_eq!(lined(vec![line(12.0, 220.0, 270.0)]), 0.0, "a dash");
        assert_eq!(lined(vec![line(30.0, 200.0, 400.0)]), 0.0, "beside the wall");
        let both = vec![line(12.0, 200.0, 330.0), line(13.0, 230.0, 300.0)];
        assert!((lined(both) - 0.65).abs() < 1e-3, "what two lines cover counts once");
    }
}
