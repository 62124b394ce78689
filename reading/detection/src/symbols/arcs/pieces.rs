//! Cuts chains into smooth runs that lie on circles, and short straight strokes.

use smallvec::SmallVec;

use crate::symbols::arcs::{MAX_DASH, MAX_RADIUS, MAX_TURN, MIN_LENGTH, OFF_CIRCLE, Piece, ROUNDING, length, turn};
use crate::symbols::circle;
use crate::symbols::drawing::Chain;
use crate::symbols::plane::Point;

/// A stroke is straight if its ends are this share of its length apart.
const STRAIGHT: f32 = 0.995;
/// Most points of a chain that may be a dash.
const MAX_DASH_POINTS: usize = 3;
/// Least chords of a run that a circle is fitted to: three chords have four points.
const MIN_CHORDS: usize = 3;
/// A run's radius may be this many times that of an arc: a part of an arc tells its radius less exactly.
const RADIUS_SLACK: f32 = 4.0;
/// A run's points may be off the circle by this many roundings.
const ROUNDINGS_OFF: f32 = 1.5;
/// Most of a turn that rounding may add where a run ends, in radians.
const MAX_NOISE: f32 = 0.3;
/// A turn up to this, in radians, does not say which way a run turns if rounding may cause it.
const MAX_STRAIGHT_NOISE: f32 = 0.1;

/// The turn of a line at a point.
struct Turn {
    /// In radians counterclockwise.
    angle: f32,
    /// How much of it rounding may be, in radians.
    noise: f32,
}

impl Turn {
    /// Returns the turn at `b` on the way from `a` to `c`.
    fn at(a: Point, b: Point, c: Point) -> Self {
        let (before, after) = (b - a, c - b);
        let noise = ROUNDING / before.length().max(MIN_LENGTH) + ROUNDING / after.length().max(MIN_LENGTH);
        Self { angle: turn(before, after), noise }
    }
}

/// Cuts a chain into runs that turn one way. A chain of one short stroke is a piece too.
pub(super) fn add_pieces(points: &[Point], chain: &Chain, pieces: &mut Vec<Piece>) {
    let count = points.len();
    if !chain.closed && count <= MAX_DASH_POINTS {
        pieces.extend(dash(points, chain));
        if count == 2 {
            return;
        }
    }
    // A closed chain is followed once around, from its sharpest corner to the same corner.
    let (first, steps) = if chain.closed { (sharpest(points), count + 1) } else { (0, count) };
    let around: Vec<Point> = (0..steps).map(|step| points[(first + step) % count]).collect();
    let mut start = 0;
    while start + MIN_CHORDS < around.len() {
        let end = smooth_to(&around, start);
        if end - start >= MIN_CHORDS {
            SmoothRun { points: &around, start, end, chain }.add_pieces(pieces);
        }
        start = end.max(start + 1);
    }
}

/// Returns a short straight stroke.
fn dash(points: &[Point], chain: &Chain) -> Option<Piece> {
    let length = length(points);
    let is_straight = points.first()?.to(*points.last()?) >= STRAIGHT * length;
    (is_straight && length <= MAX_DASH).then(|| Piece {
        points: SmallVec::from_slice(points),
        style: chain.style,
        goes_on: [false; 2],
        open: [true; 2],
        length,
        turned: 0.0,
    })
}

/// Returns the last point that a line continues to smoothly from `start`, turning one way.
fn smooth_to(points: &[Point], start: usize) -> usize {
    let mut side = 0.0_f32;
    for middle in start + 1..points.len() - 1 {
        let Turn { angle, noise } = Turn::at(points[middle - 1], points[middle], points[middle + 1]);
        let turns_back = side != 0.0 && angle * side < 0.0 && angle.abs() > noise;
        if angle.abs() > MAX_TURN + noise.min(MAX_NOISE) || turns_back {
            return middle;
        }
        if side == 0.0 && angle.abs() > noise.min(MAX_STRAIGHT_NOISE) {
            side = angle.signum();
        }
    }
    points.len() - 1
}

/// A smooth part of a chain, from one of its points to another.
struct SmoothRun<'a> {
    /// All points of the chain; those of a closed one begin and end at the same corner.
    points: &'a [Point],
    start: usize,
    end: usize,
    chain: &'a Chain,
}

impl SmoothRun<'_> {
    /// Cuts the run into the longest pieces that lie on circles, from its start on.
    fn add_pieces(&self, pieces: &mut Vec<Piece>) {
        let mut from = self.start;
        while from + MIN_CHORDS <= self.end {
            if self.is_circular(from, from + MIN_CHORDS) {
                let to = self.circular_to(from);
                pieces.push(self.piece(from, to));
                from = to;
            } else {
                from += 1;
            }
        }
    }

    /// Returns whether a circle fits the points from one to another.
    fn is_circular(&self, from: usize, to: usize) -> bool {
        circle::fit(self.points[from..=to].iter().copied()).is_some_and(|circle| {
            circle.radius <= RADIUS_SLACK * MAX_RADIUS
                && circle.off <= (OFF_CIRCLE * circle.radius).max(ROUNDINGS_OFF * ROUNDING)
        })
    }

    /// Returns the farthest point up to which a circle fits (galloping search: by doubling steps, then by halving them).
    fn circular_to(&self, from: usize) -> usize {
        let mut good = from + MIN_CHORDS;
        let mut step = 2;
        while good < self.end && self.is_circular(from, (good + step).min(self.end)) {
            good = (good + step).min(self.end);
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            if good + step <= self.end && self.is_circular(from, good + step) {
                good += step;
            }
        }
        good
    }

    fn piece(&self, from: usize, to: usize) -> Piece {
        let run = &self.points[from..=to];
        let last = self.points.len() - 1;
        let is_ring = self.chain.closed;
        let is_seamless = is_ring && is_smooth_seam(self.points);
        Piece {
            points: SmallVec::from_slice(run),
            style: self.chain.style,
            goes_on: [from > self.start || (from == 0 && is_seamless), to < self.end || (to == last && is_seamless)],
            open: [!is_ring && from == 0, !is_ring && to == last],
            length: length(run),
            turned: run.windows(3).map(|three| Turn::at(three[0], three[1], three[2]).angle).sum(),
        }
    }
}

/// Returns whether a closed line has no corner where it starts and ends.
fn is_smooth_seam(points: &[Point]) -> bool {
    match points {
        [first, second, .., before, _] => Turn::at(*before, *first, *second).angle.abs() < MAX_TURN,
        _ => false,
    }
}

/// Returns the vertex at which a closed chain turns most.
fn sharpest(points: &[Point]) -> usize {
    let count = points.len();
    let turns = (0..count).map(|vertex| {
        let before = points[vertex] - points[(vertex + count - 1) % count];
        let after = points[(vertex + 1) % count] - points[vertex];
        (vertex, turn(before, after).abs())
    });
    turns.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(vertex, _)| vertex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(points: &[Point], closed: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        add_pieces(points, &Chain::new(points.len() as u32, closed), &mut pieces);
        pieces
    }

    fn arc(degrees: std::ops::RangeInclusive<i32>) -> Vec<Point> {
        degrees.step_by(10).map(|degree| Point::at((degree as f32).to_radians()) * 50.0).collect()
    }

    #[test]
    fn an_arc_and_its_jamb_are_cut_at_the_corner() {
        let points = [arc(0..=90), vec![Point::new(-20.0, 50.0), Point::new(-20.0, 90.0)]].concat();
        let pieces = pieces(&points, false);
        assert_eq!(pieces.len(), 1);
        assert!((pieces[0].turned - 80_f32.to_radians()).abs() < 0.01, "{}", pieces[0].turned);
        assert_eq!(pieces[0].open, [true, false]);
    }

    #[test]
    fn a_curve_that_turns_back_is_two_pieces() {
        let back = arc(0..=90).into_iter().map(|point| Point::new(0.0, 100.0) - point);
        let points: Vec<Point> = arc(0..=90).into_iter().chain(back.rev().skip(1)).collect();
        assert_eq!(pieces(&points, false).len(), 2);
    }

    #[test]
    fn a_short_stroke_is_a_dash_and_a_long_one_is_none() {
        assert_eq!(pieces(&[Point::new(0.0, 0.0), Point::new(9.0, 0.0)], false).len(), 1);
        assert!(pieces(&[Point::new(0.0, 0.0), Point::new(30.0, 0.0)], false).is_empty());
    }

    #[test]
    fn a_circle_has_no_corner_at_its_seam() {
        let pieces = pieces(&arc(0..=350), true);
        assert_eq!(pieces.len(), 1);
        assert_eq!((pieces[0].goes_on, pieces[0].open), ([true; 2], [false; 2]));
    }
}
