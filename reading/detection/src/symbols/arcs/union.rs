//! Unites arcs of one circle that overlap or nearly touch.

use std::f32::consts::{PI, TAU};

use crate::symbols::arcs::{Arc, MAX_NEIGHBOURS};
use crate::symbols::places::Grid;
use crate::symbols::plane::Extent;

/// Side of a cell in which other arcs' centres are looked for, in points.
const CELL: f32 = 8.0;
/// Centres and radii of one circle differ by at most this share of the radius, plus [`SAME_CIRCLE_ROUNDING`].
const SAME_CIRCLE: f32 = 0.03;
/// What rounding adds to that difference, in points.
const SAME_CIRCLE_ROUNDING: f32 = 0.3;
/// Most gap between two arcs that nearly touch, in radians: 7 degrees.
const MAX_GAP: f32 = 0.12;
/// Two arcs that make at least this much of a full turn together overlap or touch.
const FULL_TURN: f32 = 0.9 * TAU;
/// Ends that differ by less than this are one, in radians.
const SAME_END: f32 = 0.02;

/// Returns arcs, of which those of one circle that overlap or nearly touch are one. The longest comes first.
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
    if !is_same_circle(a, b) {
        return None;
    }
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
    use crate::symbols::plane::Point;

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
