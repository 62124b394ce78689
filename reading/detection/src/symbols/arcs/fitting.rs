//! Fits circles to sequences of pieces.

use std::f32::consts::TAU;

use crate::symbols::arcs::{
    Arc, Ends, MAX_PIECES, MAX_RADIUS, MIN_LENGTH, MIN_RADIUS, OFF_CIRCLE, Piece, ROUNDING, Step, turn,
};
use crate::symbols::circle::{self, Circle};
use crate::symbols::plane::Point;

/// Least share of an arc that is drawn.
pub(super) const MIN_DRAWN: f32 = 0.3;
/// Least share of an arc in dots that is drawn.
const MIN_DRAWN_OF_DOTS: f32 = 0.13;
/// Least points of an arc in dots, two for each.
const MIN_POINTS_OF_DOTS: usize = 30;
/// Most sweep of an arc in dots, in radians: a right angle and a little more.
const MAX_SWEEP_OF_DOTS: f32 = 1.9;
/// Least sweep of an arc, in radians: 7 degrees.
const MIN_SWEEP: f32 = 0.12;
/// Least points of a piece that a circle is fitted to.
const MIN_POINTS: usize = 4;
/// Least points of several pieces that a circle is fitted to.
const MIN_POINTS_OF_SEVERAL: usize = 6;
/// An arc's points may be off its circle by this many roundings.
pub(super) const ROUNDINGS_OFF: f32 = 2.0;
/// An arc's points may step back along it by this many roundings.
const ROUNDINGS_BACK: f32 = 3.0;
/// Most pieces that a circle is searched with before the first fit.
const MAX_UNFIT: usize = 6;

/// Adds the arcs that a row of pieces makes, or those that its pieces make alone.
///
/// A row of dashes may run straight before or after it bends, so arcs grow from each piece as far as a circle fits.
pub(super) fn add_arcs(pieces: &[Piece], sequence: &[Step], arcs: &mut Vec<Arc>) {
    let mut rest = sequence;
    while let Some(piece) = rest.first().and_then(|step| pieces.get(step.piece)) {
        let taken = longest(pieces, rest);
        if taken > 1 {
            arcs.extend(arc_through(pieces, &rest[..taken]));
        } else {
            arcs.extend(arc_alone(piece));
        }
        rest = &rest[taken.max(1)..];
    }
}

/// Returns the arc of one piece.
fn arc_alone(piece: &Piece) -> Option<Arc> {
    if piece.points.len() < MIN_POINTS {
        return None;
    }
    arc(circle::fit(piece.points.iter().copied())?, &piece.points, piece.length, piece.goes_on)
}

/// Returns how many pieces from the first on lie on one circle: 1 if the first two do not.
///
/// Three dashes are the fewest that determine a circle; a curved piece and another are enough.
fn longest(pieces: &[Piece], sequence: &[Step]) -> usize {
    let sequence = sequence.get(..MAX_PIECES).unwrap_or(sequence);
    if sequence.len() < 2 {
        return 1;
    }
    if arc_through(pieces, sequence).is_some() {
        return sequence.len();
    }
    let mut best = 1;
    for count in 2..sequence.len() {
        if arc_through(pieces, &sequence[..count]).is_some() {
            best = count;
        } else if best > 1 || count > MAX_UNFIT {
            break;
        }
    }
    best
}

/// Returns the arc through all pieces of a row.
fn arc_through(pieces: &[Piece], sequence: &[Step]) -> Option<Arc> {
    let mut points: Vec<Point> = Vec::new();
    let mut length = 0.0;
    for step in sequence {
        let piece = pieces.get(step.piece)?;
        length += piece.length;
        if step.is_backwards {
            points.extend(piece.points.iter().rev());
        } else {
            points.extend(piece.points.iter());
        }
    }
    if points.len() < MIN_POINTS_OF_SEVERAL {
        return None;
    }
    let (first, last) = (sequence.first()?, sequence.last()?);
    let (start, end) = (pieces.get(first.piece)?, pieces.get(last.piece)?);
    let goes_on = [start.goes_on[usize::from(first.is_backwards)], end.goes_on[usize::from(!last.is_backwards)]];
    arc(circle::fit(points.iter().copied())?, &points, length, goes_on)
}

/// Returns the part of a circle that points follow; `None` if they leave it, step back or hardly follow it.
fn arc(circle: Circle, points: &[Point], length: f32, goes_on: Ends<bool>) -> Option<Arc> {
    let Circle { center, radius, off } = circle;
    // Straight dashes touch the circle with both ends or with the middle, so they may be off by half a sagitta.
    let is_off = off > (OFF_CIRCLE * radius).max(ROUNDINGS_OFF * ROUNDING);
    if !(MIN_RADIUS..=MAX_RADIUS).contains(&radius) || is_off {
        return None;
    }
    let sweep = sweep(points, center, radius)?;
    let drawn = (length / (radius * sweep.abs()).max(MIN_LENGTH)).min(1.0);
    if sweep.abs() < MIN_SWEEP || drawn < least_drawn(points.len(), sweep.abs()) {
        return None;
    }
    let (first, last) = (points.first()?, points.last()?);
    let (ends, goes_on) =
        if sweep > 0.0 { ([*first, *last], goes_on) } else { ([*last, *first], [goes_on[1], goes_on[0]]) };
    let start = (ends[0] - center).angle();
    Some(Arc { center, radius, start, sweep: sweep.abs().min(TAU), drawn, goes_on, ends })
}

/// Returns the least share of an arc of so many points that is drawn. Dots may be far apart if they are many and make no more than a
/// door's swing, so that a circle in dots is no outline of a fixture.
fn least_drawn(points: usize, sweep: f32) -> f32 {
    if points >= MIN_POINTS_OF_DOTS && sweep <= MAX_SWEEP_OF_DOTS { MIN_DRAWN_OF_DOTS } else { MIN_DRAWN }
}

/// Returns the angle that points turn by around a centre, in radians counterclockwise; `None` if they step back by more than
/// rounding.
fn sweep(points: &[Point], center: Point, radius: f32) -> Option<f32> {
    let mut sweep = 0.0_f32;
    for pair in points.windows(2) {
        let step = turn(pair[0] - center, pair[1] - center);
        if step * sweep < 0.0 && step.abs() * radius > ROUNDINGS_BACK * ROUNDING {
            return None;
        }
        sweep += step;
    }
    Some(sweep)
}

#[cfg(test)]
mod tests {
    use smallvec::SmallVec;

    use super::*;

    fn piece(points: &[Point]) -> Piece {
        Piece {
            points: SmallVec::from_slice(points),
            style: 0,
            goes_on: [false; 2],
            open: [true; 2],
            length: crate::symbols::arcs::length(points),
            turned: 0.0,
        }
    }

    fn on_circle(degrees: f32) -> Point {
        Point::at(degrees.to_radians()) * 50.0
    }

    fn arcs(pieces: &[Piece]) -> Vec<Arc> {
        let sequence: Vec<Step> = (0..pieces.len()).map(|piece| Step { piece, is_backwards: false }).collect();
        let mut arcs = Vec::new();
        add_arcs(pieces, &sequence, &mut arcs);
        arcs
    }

    #[test]
    fn dashes_on_a_circle_are_one_arc_drawn_in_part() {
        let dashes: Vec<Piece> =
            (0..8).map(|at| 11.0 * at as f32).map(|at| piece(&[on_circle(at), on_circle(at + 6.0)])).collect();
        let arcs = arcs(&dashes);
        assert_eq!(arcs.len(), 1);
        assert!((arcs[0].radius - 50.0).abs() < 0.5 && (arcs[0].drawn - 0.58).abs() < 0.03, "{:?}", arcs[0]);
    }

    #[test]
    fn many_dots_are_an_arc_and_few_are_none() {
        let dots = |count: u8| -> Vec<Piece> {
            let at = (0..count).map(|dot| 5.0 * f32::from(dot));
            at.map(|at| piece(&[on_circle(at), on_circle(at + 0.8)])).collect()
        };
        assert_eq!(arcs(&dots(18)).len(), 1);
        assert!(arcs(&dots(9)).is_empty());
        assert!(arcs(&dots(60)).iter().all(|arc| arc.sweep <= MAX_SWEEP_OF_DOTS), "dots make no circle");
    }

    #[test]
    fn points_that_step_back_are_no_arc() {
        let points = [0.0, 20.0, 40.0, 30.0, 60.0].map(on_circle);
        assert_eq!(sweep(&points, Point::default(), 50.0), None);
    }
}
