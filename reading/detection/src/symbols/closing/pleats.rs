//! Accordion doors: a zigzag along the opening from one of its ends.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use crate::symbols::closing::surroundings::{Stroke, Surroundings};
use crate::symbols::panels::ScoredExtent;
use crate::symbols::swings::saturated;

/// Widths of openings that an accordion door closes, in inches.
const WIDTHS: RangeInclusive<f32> = 24.0..=200.0;
/// Lengths of a pleat, in inches.
const PLEATS: RangeInclusive<f32> = 2.5..=14.0;
/// Least pleats of a door.
const MIN_PLEATS: usize = 4;
/// Most lines that may be pleats: more are a hatch.
const MAX_PLEATS: usize = 200;
/// Pleats are within this distance of the wall, in inches.
const BESIDE: f32 = 6.0;
/// Ends of two pleats touch within this distance, in inches, plus some points of rounding.
const TOUCHING: f32 = 0.15;
const TOUCHING_ROUNDING: f32 = 0.2;
/// Ratios of the lengths of two pleats that follow each other: the last one may be shorter.
const ALIKE: RangeInclusive<f32> = 0.6..=1.6;
/// Least share of the opening that the zigzag covers.
const MIN_SHARE: f32 = 0.3;
/// The zigzag begins or ends at an end of the opening, within this share of its width.
const AT_END: f32 = 0.06;
/// Confidence of the least zigzag, what pleats add from the first count to the second, and the share that is covered.
const CONFIDENCE: f32 = 0.55;
const MANY: f32 = 0.2;
const COUNTS: [f32; 2] = [4.0, 7.0];
const LONG: f32 = 0.15;
const SHARES: [f32; 2] = [0.4, 0.7];

impl Surroundings {
    /// A zigzag along the opening from one of its ends.
    pub(super) fn accordion(&self) -> Option<ScoredExtent> {
        if !self.is_wide(&WIDTHS) {
            return None;
        }
        let mut pleats: Vec<Stroke> = self.slanted.iter().filter(|stroke| self.is_pleat(stroke)).copied().collect();
        if !(MIN_PLEATS..=MAX_PLEATS).contains(&pleats.len()) {
            return None;
        }
        for pleat in &mut pleats {
            if pleat.a.x > pleat.b.x {
                (pleat.a, pleat.b) = (pleat.b, pleat.a);
            }
        }
        pleats.sort_by(|one, other| one.a.x.total_cmp(&other.a.x));
        let zigzag = longest_zigzag(&pleats, TOUCHING * self.scale + TOUCHING_ROUNDING);
        self.zigzag_door(&zigzag, &pleats)
    }

    /// Whether a line may be a pleat.
    fn is_pleat(&self, stroke: &Stroke) -> bool {
        let aside = self.half + BESIDE * self.scale;
        PLEATS.contains(&(stroke.length() / self.scale)) && stroke.a.y.abs().max(stroke.b.y.abs()) <= aside
    }

    /// Returns the door that a zigzag is, if it is long enough and not one among other strokes.
    fn zigzag_door(&self, zigzag: &[Stroke], pleats: &[Stroke]) -> Option<ScoredExtent> {
        let (start, end) = (zigzag.first()?.a.x, zigzag.last()?.b.x);
        let share = (end - start) / self.width;
        let is_at_end = start.abs().min((self.width - end).abs()) <= AT_END * self.width;
        // Among as many other strokes it is a hatch's, or chance.
        let between = pleats.iter().filter(|pleat| pleat.a.x >= start && pleat.b.x <= end).count();
        if zigzag.len() < MIN_PLEATS || share < MIN_SHARE || !is_at_end || 2 * zigzag.len() < between {
            return None;
        }
        let many = MANY * saturated(zigzag.len() as f32, COUNTS[0], COUNTS[1]);
        let long = LONG * saturated(share, SHARES[0], SHARES[1]);
        Some(self.holding(zigzag.iter().flat_map(|pleat| [pleat.a, pleat.b]), CONFIDENCE + many + long))
    }
}

/// Returns the longest zigzag: pleats that touch end to end, are about equally long, and turn at each end. `pleats` run from
/// left to right and are sorted by where they begin.
fn longest_zigzag(pleats: &[Stroke], touching: f32) -> Vec<Stroke> {
    let mut longest: Vec<Stroke> = Vec::new();
    for first in 0..pleats.len() {
        let run = zigzag_from(&pleats[first..], touching);
        if run.len() > longest.len() {
            longest = run;
        }
        if longest.len() * 2 > pleats.len() {
            break;
        }
    }
    longest
}

/// Returns the zigzag that begins with the first pleat.
fn zigzag_from(pleats: &[Stroke], touching: f32) -> Vec<Stroke> {
    let mut run: Vec<Stroke> = pleats.first().copied().into_iter().collect();
    for next in pleats.iter().skip(1) {
        let Some(last) = run.last() else { break };
        let is_alike = ALIKE.contains(&(next.length() / last.length().max(0.01)));
        let turns = (next.b.y - next.a.y) * (last.b.y - last.a.y) < 0.0;
        if next.a.to(last.b) <= touching && is_alike && turns {
            run.push(*next);
        }
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::closing::surroundings::tests::empty_opening;
    use crate::symbols::plane::Point;

    /// Pleats of 10 points along the opening from `start`.
    fn zigzag(start: f32, count: usize) -> Vec<Stroke> {
        let corner = |at: usize| Point::new(start + 8.0 * at as f32, if at.is_multiple_of(2) { -3.0 } else { 3.0 });
        (0..count).map(|at| Stroke { a: corner(at), b: corner(at + 1) }).collect()
    }

    fn confidence(strokes: Vec<Stroke>) -> Option<f32> {
        let mut own = empty_opening();
        own.slanted = strokes;
        own.accordion().map(|door| door.confidence)
    }

    #[test]
    fn a_zigzag_from_an_end_is_an_accordion_door() {
        assert!(confidence(zigzag(0.0, 8)).unwrap() > 0.8);
    }

    #[test]
    fn a_zigzag_in_the_middle_is_no_door() {
        assert_eq!(confidence(zigzag(20.0, 6)), None);
    }

    #[test]
    fn strokes_of_a_hatch_are_no_zigzag() {
        let hatch = zigzag(0.0, 12).into_iter().step_by(2).collect();
        assert_eq!(confidence(hatch), None);
    }
}
