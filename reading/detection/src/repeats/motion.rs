//! Rigid motions of the page's plane: a turn, with or without a reflection, and a shift.

use crate::symbols::plane::{Extent, Point};

/// A turn this near a multiple of 90 degrees, in degrees, is one: a short line tells its turn no better.
const SQUARE: f32 = 2.0;
/// Degrees of a quarter turn.
const QUARTER: f32 = 90.0;

/// A reflection left to right or none, then a turn, then a shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    /// Whether it mirrors left to right before it turns.
    pub(crate) is_mirrored: bool,
    /// The turn in degrees counterclockwise, from 0 to 360.
    pub(crate) degrees: f32,
    cosine: f32,
    sine: f32,
    shift: Point,
}

impl Motion {
    /// Returns the four motions that bring one line to another: either end to either end, mirrored and not.
    pub(crate) fn between(from: (Point, Point), to: (Point, Point)) -> [Self; 4] {
        [(false, to), (false, (to.1, to.0)), (true, to), (true, (to.1, to.0))]
            .map(|(is_mirrored, to)| Self::new(from, to, is_mirrored))
    }

    fn new(from: (Point, Point), to: (Point, Point), is_mirrored: bool) -> Self {
        let way = reflected(from.1 - from.0, is_mirrored);
        let degrees = snapped(((to.1 - to.0).angle() - way.angle()).to_degrees().rem_euclid(360.0));
        let (sine, cosine) = sine_and_cosine(degrees);
        let mut motion = Self { is_mirrored, degrees, cosine, sine, shift: Point::default() };
        let (here, there) = ((from.0 + from.1) * 0.5, (to.0 + to.1) * 0.5);
        motion.shift = there - motion.place(here);
        motion
    }

    /// Returns where a point comes to lie.
    pub(crate) fn place(&self, point: Point) -> Point {
        let point = reflected(point, self.is_mirrored);
        let turned =
            Point::new(self.cosine * point.x - self.sine * point.y, self.sine * point.x + self.cosine * point.y);
        turned + self.shift
    }

    /// Returns the box around where the corners of a box come to lie.
    pub(crate) fn place_extent(&self, area: &Extent) -> Extent {
        let corners = [(area.x1, area.y1), (area.x2, area.y1), (area.x1, area.y2), (area.x2, area.y2)];
        Extent::bounding(corners.map(|(x, y)| self.place(Point::new(x, y))))
    }
}

fn reflected(point: Point, is_mirrored: bool) -> Point {
    if is_mirrored { Point::new(-point.x, point.y) } else { point }
}

/// Returns a turn from 0 to 360 degrees, exact if it is nearly a multiple of a quarter.
fn snapped(degrees: f32) -> f32 {
    let square = (degrees / QUARTER).round() * QUARTER;
    let degrees = if (degrees - square).abs() <= SQUARE { square } else { degrees };
    degrees.rem_euclid(360.0)
}

/// Returns the sine and the cosine of a turn, exact for quarter turns.
fn sine_and_cosine(degrees: f32) -> (f32, f32) {
    match degrees / QUARTER {
        0.0 => (0.0, 1.0),
        1.0 => (1.0, 0.0),
        2.0 => (0.0, -1.0),
        3.0 => (-1.0, 0.0),
        _ => degrees.to_radians().sin_cos(),
    }
}
