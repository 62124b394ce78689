//! Unites arcs of one circle that overlap or nearly touch, and rows of dashes across their gaps.

use std::f32::consts::{PI, TAU};

use crate::symbols::arcs::fitting::{MIN_DRAWN, ROUNDINGS_OFF};
use crate::symbols::arcs::{Arc, MAX_NEIGHBOURS, OFF_CIRCLE, ROUNDING};
use crate::symbols::circle::{self, Circle};
use crate::symbols::places::Grid;
use crate::symbols::plane::{Extent, Point};

/// Side of a cell in which other arcs' centres are looked for, in points.
const CELL: f32 = 8.0;
/// Centres and radii of one circle differ by at most this share of the radius, plus [`SAME_CIRCLE_ROUNDING`].
const SAME_CIRCLE: f32 = 0.03;
/// What rounding adds to that difference, in points.
const SAME_CIRCLE_ROUNDING: f32 = 0.3;
/// Most gap between two arcs that nearly touch, in radians: 7 degrees.
const MAX_GAP: f32 = 0.12;
/// Most gap between two rows of dashes of one circle, in radians: 17 degrees.
const MAX_GAP_OF_DASHES: f32 = 0.3;
/// The radii of two rows of one circle differ by this factor at most, for each by itself tells it badly.
const MIN_RATIO: f32 = 0.75;
/// Steps along a row whose ends a circle is fitted to.
const FITTED_STEPS: u8 = 4;
/// Two arcs that make at least this much of a full turn together overlap or touch.
const FULL_TURN: f32 = 0.9 * TAU;
/// Ends that differ by less than this are one, in radians.
const SAME_END: f32 = 0.02;

/// Returns arcs, of which those of one circle that overlap, nearly touch or are rows of dashes are one. The longest comes first.
pub(super) fn united(mut arcs: Vec<Arc>) -> Vec<Arc> {
    arcs.sort_by(|a, b| b.sweep.total_cmp(&a.sweep));
    let mut kept: Vec<Arc> = Vec::with_capacity(arcs.len());
    let mut near: Grid<usize> = Grid::new(CELL, MAX_NEIGHBOURS);
    for arc in arcs {
        let around = Extent::bounding([arc.center]).grown(CELL);
        let united = near.near(around).find_map(|&other| Some((other, union(kept.get(other)?, &arc)?)));
        if let Some((other, union)) = united {
            kept[other] = union;
        } else {
            near.add(arc.center, kept.len());
            kept.push(arc);
        }
    }
    kept
}

/// Returns the arc that two arcs of one circle make together; `None` if they are apart or of different circles.
fn union(a: &Arc, b: &Arc) -> Option<Arc> {
    // Dashes beside a line that is drawn through show another place of the leaf.
    if a.is_dashed() != b.is_dashed() {
        return None;
    }
    if is_same_circle(a, b) { touching(a, b).or_else(|| over_gap(a, b)) } else { over_gap(a, b) }
}

/// Returns the arc that two rows of dashes make across a gap. A short row tells its circle less exactly than both together, so a
/// circle is fitted to both.
fn over_gap(a: &Arc, b: &Arc) -> Option<Arc> {
    if !a.is_dashed() || !(MIN_RATIO..=1.0 / MIN_RATIO).contains(&(a.radius / b.radius)) {
        return None;
    }
    let points = [a, b]
        .into_iter()
        .flat_map(|arc| (0..=FITTED_STEPS).map(|at| arc.point(f32::from(at) / f32::from(FITTED_STEPS))));
    let Circle { center, radius, off } = circle::fit(points)?;
    if off > (OFF_CIRCLE * radius).max(ROUNDINGS_OFF * ROUNDING) {
        return None;
    }
    let ((start_a, sweep_a), (start_b, sweep_b)) = (around(center, a), around(center, b));
    let gap_after = (start_b - start_a - sweep_a).rem_euclid(TAU);
    let gap_before = (start_a - start_b - sweep_b).rem_euclid(TAU);
    let (first, last, start, gap) =
        if gap_after <= gap_before { (a, b, start_a, gap_after) } else { (b, a, start_b, gap_before) };
    let sweep = sweep_a + gap + sweep_b;
    let drawn = (a.drawn * sweep_a + b.drawn * sweep_b) / sweep;
    (gap <= MAX_GAP_OF_DASHES && drawn >= MIN_DRAWN && sweep < TAU).then_some(Arc {
        center,
        radius,
        start,
        sweep,
        drawn,
        goes_on: [first.goes_on[0], last.goes_on[1]],
        ends: [first.ends[0], last.ends[1]],
    })
}

/// Returns where an arc starts and how far it goes on, seen from a centre, in radians counterclockwise.
fn around(center: Point, arc: &Arc) -> (f32, f32) {
    let [start, end] = [arc.point(0.0), arc.point(1.0)].map(|point| (point - center).angle());
    (start, (end - start).rem_euclid(TAU))
}

/// Returns the arc that two arcs of one circle make which overlap or nearly touch; `None` if they are apart.
fn touching(a: &Arc, b: &Arc) -> Option<Arc> {
    // The other's start, counted from this one's.
    let offset = (b.start - a.start + PI).rem_euclid(TAU) - PI;
    let gap = if offset >= 0.0 { offset - a.sweep } else { -(offset + b.sweep) };
    let is_around = offset < 0.0 && a.sweep + b.sweep > FULL_TURN;
    if gap <= MAX_GAP || is_around {
        return Some(overlapping(a, b, offset));
    }
    // The other may be located beyond the seam of the circle.
    let beyond = (b.start - (a.start + a.sweep)).rem_euclid(TAU);
    (beyond <= MAX_GAP).then(|| Arc {
        sweep: (a.sweep + beyond + b.sweep).min(TAU),
        goes_on: [a.goes_on[0], b.goes_on[1]],
        ends: [a.ends[0], b.ends[1]],
        ..*a
    })
}

/// Returns whether two arcs are parts of one circle.
fn is_same_circle(a: &Arc, b: &Arc) -> bool {
    let within = SAME_CIRCLE * a.radius + SAME_CIRCLE_ROUNDING;
    a.center.to(b.center) <= within && (a.radius - b.radius).abs() <= within
}

/// Returns the arc that two arcs make which overlap or nearly touch; `offset` is where the other starts, counted from this
/// one's start.
fn overlapping(a: &Arc, b: &Arc, offset: f32) -> Arc {
    let (low, high) = (offset.min(0.0), a.sweep.max(offset + b.sweep));
    let first = if low < -SAME_END { b } else { a };
    let last = if high > a.sweep + SAME_END { b } else { a };
    Arc {
        start: a.start + low,
        sweep: (high - low).min(TAU),
        drawn: a.drawn.max(b.drawn),
        goes_on: [first.goes_on[0], last.goes_on[1]],
        ends: [first.ends[0], last.ends[1]],
        ..*a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(start: f32, sweep: f32) -> Arc {
        let ends = [start, start + sweep].map(|angle| Point::at(angle) * 50.0);
        Arc { center: Point::default(), radius: 50.0, start, sweep, drawn: 1.0, goes_on: [false; 2], ends }
    }

    #[test]
    fn arcs_that_overlap_are_one() {
        let whole = union(&arc(0.0, 1.0), &arc(0.8, 0.7)).unwrap();
        assert!((whole.sweep - 1.5).abs() < 1e-3 && whole.start == 0.0, "{whole:?}");
    }

    #[test]
    fn an_arc_before_another_starts_the_union() {
        let whole = union(&arc(0.0, 1.0), &arc(-0.5, 0.45)).unwrap();
        assert!((whole.sweep - 1.5).abs() < 1e-3 && (whole.start + 0.5).abs() < 1e-3, "{whole:?}");
        assert_eq!(whole.ends[0], arc(-0.5, 0.45).ends[0]);
    }

    #[test]
    fn rows_of_dashes_are_one_across_a_gap_though_each_tells_its_circle_badly() {
        let dashed = Arc { drawn: 0.6, ..arc(0.0, 0.5) };
        // A circle that is a tenth smaller through about the same points.
        let center = Point::at(0.95) * 5.0;
        let other = Arc { center, radius: 45.0, ..Arc { drawn: 0.6, ..arc(0.7, 0.5) } };
        let whole = union(&dashed, &other).unwrap();
        assert!((whole.radius - 50.0).abs() < 1.5 && (whole.sweep - 1.2).abs() < 0.1, "{whole:?}");
        assert!((whole.drawn - 0.5).abs() < 0.05, "{whole:?}");
        assert!(
            union(&arc(0.0, 0.5), &Arc { drawn: 1.0, ..other }).is_none(),
            "lines that are drawn through have no gaps"
        );
    }

    #[test]
    fn dashes_do_not_continue_a_line_that_is_drawn_through() {
        assert!(union(&arc(0.0, 1.0), &Arc { drawn: 0.6, ..arc(1.0, 1.0) }).is_none());
    }

    #[test]
    fn arcs_that_are_apart_stay_two() {
        assert!(union(&arc(0.0, 1.0), &arc(1.5, 0.5)).is_none());
    }

    #[test]
    fn concentric_arcs_of_other_radii_stay_two() {
        let larger = Arc { radius: 60.0, ..arc(0.5, 1.0) };
        assert!(union(&arc(0.0, 1.0), &larger).is_none());
        assert_eq!(united(vec![arc(0.0, 1.0), larger]).len(), 2);
    }
}
