//! Leaves on a hinge at an opening's end that fold, without an arc.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use crate::symbols::closing::surroundings::{Stroke, Surroundings};
use crate::symbols::plane::Point;
use crate::symbols::sliding::ScoredExtent;

/// Widths of openings that one pair of leaves closes, in inches.
const ONE_FOLD: RangeInclusive<f32> = 18.0..=64.0;
/// Widths of openings that two pairs close, in inches.
const TWO_FOLDS: RangeInclusive<f32> = 30.0..=130.0;
/// Lengths of a leaf that folds, as shares of its part of the opening; a frame takes some of it.
const FOLDING: RangeInclusive<f32> = 0.82..=1.08;
/// A hinge is at most this far from the opening's end, in inches, plus [`FRAME_ROUNDING`]: a frame's width and a leaf's
/// thickness.
const FRAME: f32 = 3.6;
/// What rounding adds to that distance, in points.
const FRAME_ROUNDING: f32 = 0.3;
/// A hinge is at most this share of the leaf's length from the opening's end.
const MAX_FRAME: f32 = 0.35;
/// Most thickness of a leaf, in inches: 1 3/4 in with an allowance.
const THICKNESS: f32 = 2.8;
/// A leaf that folds stands open by at least this share of its length: less is closed, or a wall's line.
const MIN_RISE: f32 = 0.3;
/// The second leaf ends on the first one's hinge line within this share of its length, plus [`OFF_HINGE_THICKNESS`].
const OFF_HINGE_LINE: f32 = 0.12;
/// What a leaf's thickness adds to that, as a share of it.
const OFF_HINGE_THICKNESS: f32 = 0.5;
/// Most lines from one end of an opening that are read: more are a hatch.
const MAX_LEAVES: usize = 8;
/// Confidence of two pairs that fold.
const TWO_PAIRS: f32 = 0.85;
/// Confidence of one pair that folds.
const ONE_PAIR: f32 = 0.75;

/// The corners of a pair of leaves that fold: the first leaf's hinge, the fold, and where the second leaf ends.
type Fold = [Point; 3];

impl Surroundings {
    /// Detects one pair of leaves that fold from one end of the opening, or one from each.
    pub(super) fn folding(&self) -> Option<ScoredExtent> {
        if self.is_wide(&TWO_FOLDS)
            && let Some(one) = self.fold_from(0.0, 0.25 * self.width)
            && let Some(other) = self.fold_from(self.width, 0.25 * self.width)
        {
            return Some(self.holding([one, other].into_iter().flatten(), TWO_PAIRS));
        }
        if !self.is_wide(&ONE_FOLD) {
            return None;
        }
        let fold = [0.0, self.width].into_iter().find_map(|end| self.fold_from(end, 0.5 * self.width))?;
        Some(self.holding(fold, ONE_PAIR))
    }

    /// Returns a pair of leaves of about this length: the first is hung at an end of the opening, the second folds back from
    /// its tip to the opening's line.
    fn fold_from(&self, end: f32, long: f32) -> Option<Fold> {
        let mut leaves = self.leaves_from(end, long).into_iter();
        let inwards = if end > 0.0 { -1.0 } else { 1.0 };
        leaves.find_map(|leaf| self.fold_of_leaf(leaf, inwards, long))
    }

    /// Returns the pair that a leaf makes with one that folds back; `inwards` is the sign of the way into the opening.
    fn fold_of_leaf(&self, leaf: Stroke, inwards: f32, long: f32) -> Option<Fold> {
        let Stroke { a: hinge, b: tip } = leaf;
        let way = tip - hinge;
        if way.y.abs() < MIN_RISE * long || way.x * inwards <= 0.0 {
            return None;
        }
        let thick = THICKNESS * self.scale;
        let mut others = self.slanted.iter().flat_map(|stroke| stroke.both_ways());
        let second = others.find(|second| {
            let way = second.b - second.a;
            second.a.to(tip) <= thick
                && FOLDING.contains(&(way.length() / long))
                && way.x * inwards > 0.0
                && (second.b.y - hinge.y).abs() <= OFF_HINGE_LINE * long + OFF_HINGE_THICKNESS * thick
        })?;
        Some([hinge, tip, second.b])
    }

    /// Returns the lines that begin at an end of the opening, with their hinge, and are about as long as they should be.
    fn leaves_from(&self, end: f32, long: f32) -> Vec<Stroke> {
        let within = (FRAME * self.scale + FRAME_ROUNDING).min(MAX_FRAME * long);
        self.slanted
            .iter()
            .flat_map(|stroke| stroke.both_ways())
            .filter(|Stroke { a: hinge, .. }| (hinge.x - end).abs() <= within && hinge.y.abs() <= self.half + within)
            .filter(|Stroke { a: hinge, b: tip }| FOLDING.contains(&(hinge.to(*tip) / long)))
            .filter(|Stroke { a: hinge, b: tip }| tip.y.abs() > hinge.y.abs())
            .take(MAX_LEAVES)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::closing::surroundings::Stroke;
    use crate::symbols::closing::surroundings::tests::empty_opening;

    fn stroke(a: (f32, f32), b: (f32, f32)) -> Stroke {
        Stroke { a: Point::new(a.0, a.1), b: Point::new(b.0, b.1) }
    }

    /// An opening of 100 points, at 2 points per inch, with slanted lines.
    fn with(slanted: Vec<Stroke>) -> Surroundings {
        let mut own = empty_opening();
        own.slanted = slanted;
        own
    }

    /// A pair of leaves of about half the opening's width.
    fn fold(end: f32) -> Vec<Stroke> {
        vec![stroke((0.0, 0.0), (25.0, 40.0)), stroke((25.0, 40.0), (50.0, end))]
    }

    #[test]
    fn a_leaf_and_one_that_folds_back_are_a_folding_door() {
        assert!(with(fold(0.0)).folding().unwrap().confidence > 0.7);
    }

    #[test]
    fn a_second_leaf_that_ends_elsewhere_is_no_folding_door() {
        assert!(with(fold(20.0)).folding().is_none());
    }

    #[test]
    fn leaves_begin_at_an_end_of_the_opening() {
        let own = with(vec![stroke((1.0, 4.0), (1.0, 99.0)), stroke((40.0, 4.0), (40.0, 99.0))]);
        assert_eq!(own.leaves_from(0.0, 100.0).len(), 1);
        assert_eq!(own.leaves_from(100.0, 100.0).len(), 0);
    }
}
