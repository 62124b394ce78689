//! Leaves on a hinge at an opening's end that have no arc: two that fold, and one that stands open.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use crate::symbols::closing::surroundings::{Stroke, Surroundings};
use crate::symbols::panels::ScoredExtent;
use crate::symbols::plan::Plan;
use crate::symbols::plane::{Extent, Point};

/// Widths of openings that one leaf, two leaves, one pair that folds and two pairs close, in inches.
const ONE_LEAF: RangeInclusive<f32> = 20.0..=50.0;
const TWO_LEAVES: RangeInclusive<f32> = 40.0..=100.0;
const ONE_FOLD: RangeInclusive<f32> = 18.0..=64.0;
const TWO_FOLDS: RangeInclusive<f32> = 30.0..=130.0;
/// Lengths of a leaf that folds, as shares of its part of the opening; a frame takes some of it.
const FOLDING: RangeInclusive<f32> = 0.82..=1.08;
/// Lengths of a leaf that stands open, as shares of its part of the opening.
const STANDING: RangeInclusive<f32> = 0.86..=1.08;
/// A hinge is at most this far from the opening's end, in inches, plus some points of rounding: a frame's width and a leaf's
/// thickness.
const FRAME: f32 = 3.6;
const FRAME_ROUNDING: f32 = 0.3;
/// A hinge is at most this share of the leaf's length from the opening's end.
const MAX_FRAME: f32 = 0.35;
/// Lines of a leaf that are nearer than this are one, in inches.
const SAME_FACE: f32 = 0.3;
/// Thicknesses of a leaf, in inches: 1 3/8 in and 1 3/4 in with an allowance.
const THICKNESS: RangeInclusive<f32> = 0.8..=2.8;
/// A leaf that folds stands open by at least this share of its length: less is closed, or a wall's line.
const MIN_RISE: f32 = 0.3;
/// The second leaf ends on the first one's hinge line, within this share of the length and of a leaf's thickness.
const OFF_HINGE_LINE: f32 = 0.12;
const OFF_HINGE_THICKNESS: f32 = 0.5;
/// A leaf that stands open is turned from the wall by at least this: the sine of 40 degrees.
const MIN_OPEN: f32 = 0.64;
/// Both faces of a leaf differ in direction by at most this, in radians: 1.7 degrees.
const PARALLEL: f32 = 0.03;
/// A leaf's cap joins the faces' tips within this share of the thickness, plus some points of rounding.
const CAP: f32 = 0.3;
const CAP_ROUNDING: f32 = 0.2;
/// Nothing but the leaf is drawn within this of its tip, in inches, plus some points of rounding.
const FREE: f32 = 0.5;
const FREE_ROUNDING: f32 = 0.2;
/// A line at a leaf's tip is its cap up to this many times the most thickness, plus some points of rounding.
const MAX_CAP: f32 = 1.2;
const MAX_CAP_ROUNDING: f32 = 0.3;
/// Most lines from one end of an opening that are read: more are a hatch.
const MAX_LEAVES: usize = 8;
/// Confidences of two pairs that fold, one pair, two leaves that stand open, and one.
const TWO_PAIRS: f32 = 0.85;
const ONE_PAIR: f32 = 0.75;
const TWO_OPEN: f32 = 0.8;
const ONE_OPEN: f32 = 0.75;

/// A line from an opening's end, in the opening's frame.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    hinge: Point,
    tip: Point,
}

impl Leaf {
    fn way(&self) -> Point {
        self.tip - self.hinge
    }
}

/// The corners of a pair of leaves that fold: the first leaf's hinge, the fold, and where the second leaf ends.
#[derive(Clone, Copy, Debug)]
struct Fold {
    hinge: Point,
    tip: Point,
    foot: Point,
}

impl Fold {
    fn corners(self) -> [Point; 3] {
        [self.hinge, self.tip, self.foot]
    }
}

impl Surroundings {
    /// One pair of leaves that fold from one end of the opening, or one from each.
    pub(super) fn folding(&self) -> Option<ScoredExtent> {
        if self.is_wide(&TWO_FOLDS)
            && let Some(one) = self.fold_from(0.0, 0.25 * self.width)
            && let Some(other) = self.fold_from(self.width, 0.25 * self.width)
        {
            return Some(self.holding([one, other].into_iter().flat_map(Fold::corners), TWO_PAIRS));
        }
        if !self.is_wide(&ONE_FOLD) {
            return None;
        }
        let mut folds = [0.0, self.width].into_iter().filter_map(|end| self.fold_from(end, 0.5 * self.width));
        Some(self.holding(folds.next()?.corners(), ONE_PAIR))
    }

    /// Returns a pair of leaves of about this length: the first is hung at an end of the opening, the second folds back from
    /// its tip to the opening's line.
    fn fold_from(&self, end: f32, long: f32) -> Option<Fold> {
        let leaves = self.leaves_from(end, &self.slanted, &FOLDING, long).into_iter();
        let inwards = if end > 0.0 { -1.0 } else { 1.0 };
        leaves.filter_map(|leaf| self.fold_of_leaf(leaf, inwards, long)).find(|fold| !self.is_diamond(*fold))
    }

    /// Returns the pair that a leaf makes with one that folds back; `inwards` is the sign of the way into the opening.
    fn fold_of_leaf(&self, leaf: Leaf, inwards: f32, long: f32) -> Option<Fold> {
        let rise = leaf.tip.y - leaf.hinge.y;
        if rise.abs() < MIN_RISE * long || leaf.way().x * inwards <= 0.0 {
            return None;
        }
        let thick = THICKNESS.end() * self.scale;
        let mut others = self.slanted.iter().flat_map(|stroke| stroke.both_ways());
        let second = others.find(|second| {
            let way = second.b - second.a;
            second.a.to(leaf.tip) <= thick
                && FOLDING.contains(&(way.length() / long))
                && way.x * inwards > 0.0
                && (second.b.y - leaf.hinge.y).abs() <= OFF_HINGE_LINE * long + OFF_HINGE_THICKNESS * thick
        })?;
        Some(Fold { hinge: leaf.hinge, tip: leaf.tip, foot: second.b })
    }

    /// Whether a fold is half of four equal lines in a ring: a tag's diamond.
    fn is_diamond(&self, fold: Fold) -> bool {
        let opposite = fold.hinge + fold.foot - fold.tip;
        self.has_line(fold.hinge, opposite) && self.has_line(fold.foot, opposite)
    }

    /// Whether a line joins two points, within a leaf's thickness.
    fn has_line(&self, one: Point, other: Point) -> bool {
        let thick = THICKNESS.end() * self.scale;
        self.slanted.iter().any(|stroke| stroke.joins(one, other, thick))
    }

    /// A leaf that stands open from an end of the opening, all by itself but for its hinge, or one from each.
    pub(super) fn standing(&self, plan: &Plan) -> Option<ScoredExtent> {
        let corners = |leaf: &Leaf| [leaf.hinge, leaf.tip];
        if self.is_wide(&TWO_LEAVES)
            && let Some(one) = self.standing_at(plan, 0.0, 0.5 * self.width)
            && let Some(other) = self.standing_at(plan, self.width, 0.5 * self.width)
        {
            return Some(self.holding(one.iter().chain(&other).flat_map(corners), TWO_OPEN));
        }
        if !self.is_wide(&ONE_LEAF) {
            return None;
        }
        // One line that ends before an opening may be anything.
        let mut leaves = [0.0, self.width].into_iter().filter_map(|end| self.standing_at(plan, end, self.width));
        let leaf = leaves.find(|lines| lines.len() > 1)?;
        Some(self.holding(leaf.iter().flat_map(corners), ONE_OPEN))
    }

    /// Returns the lines of a leaf of about this length that stands open from an end of the opening: one, or its two faces and
    /// what lies on them.
    fn standing_at(&self, plan: &Plan, end: f32, long: f32) -> Option<Vec<Leaf>> {
        let mut lines = self.leaves_from(end, &self.from_wall, &STANDING, long);
        lines.retain(|leaf| leaf.way().y.abs() >= MIN_OPEN * leaf.way().length());
        let first = *lines.first()?;
        let along = first.way().unit();
        let aside = |line: &Leaf| along.cross(line.hinge - first.hinge);
        lines.sort_by(|a, b| aside(a).total_cmp(&aside(b)));
        lines.dedup_by(|a, b| (aside(a) - aside(b)).abs() < SAME_FACE * self.scale);
        let is_parallel = |line: &Leaf| line.way().unit().cross(along).abs() <= PARALLEL;
        // More than two faces are stairs or a shelf.
        let is_leaf = match lines.as_slice() {
            [_] => true,
            [one, other] => {
                let thick = aside(other) - aside(one);
                THICKNESS.contains(&(thick / self.scale))
                    && is_parallel(one)
                    && is_parallel(other)
                    && self.is_capped_at(plan, one.tip, other.tip, thick)
            }
            _ => false,
        };
        (is_leaf && lines.iter().all(|line| self.is_free(plan, line))).then_some(lines)
    }

    /// Returns the lines that begin at an end of the opening and are about as long as they should be.
    fn leaves_from(&self, end: f32, lines: &[Stroke], shares: &RangeInclusive<f32>, long: f32) -> Vec<Leaf> {
        let within = (FRAME * self.scale + FRAME_ROUNDING).min(MAX_FRAME * long);
        lines
            .iter()
            .flat_map(|stroke| stroke.both_ways())
            .map(|way| Leaf { hinge: way.a, tip: way.b })
            .filter(|leaf| (leaf.hinge.x - end).abs() <= within && leaf.hinge.y.abs() <= self.half + within)
            .filter(|leaf| shares.contains(&(leaf.way().length() / long)))
            .filter(|leaf| leaf.tip.y.abs() > leaf.hinge.y.abs())
            .take(MAX_LEAVES)
            .collect()
    }

    /// Whether a line joins the tips of a leaf's faces.
    fn is_capped_at(&self, plan: &Plan, tip: Point, other: Point, thick: f32) -> bool {
        let [tip, other] = [tip, other].map(|point| self.on_page(point));
        let near = CAP * thick + CAP_ROUNDING;
        let mut found = Vec::new();
        let mut drawn = plan.near(Extent::bounding([tip, other]).grown(near), &mut found);
        drawn.any(|(_, segment)| Stroke { a: segment.a, b: segment.b }.joins(tip, other, near))
    }

    /// Whether nothing is drawn at a leaf's tip but the leaf and its cap.
    fn is_free(&self, plan: &Plan, leaf: &Leaf) -> bool {
        let [tip, hinge] = [leaf.tip, leaf.hinge].map(|point| self.on_page(point));
        let (along, near) = ((tip - hinge).unit(), FREE * self.scale + FREE_ROUNDING);
        let cap = MAX_CAP * THICKNESS.end() * self.scale + MAX_CAP_ROUNDING;
        let mut found = Vec::new();
        let mut drawn = plan.near(Extent::bounding([tip]).grown(near), &mut found);
        drawn.all(|(_, segment)| {
            let (a, b) = (segment.a - tip, segment.b - tip);
            let way = segment.b - segment.a;
            let nearest = a + way.unit() * (-a.dot(way.unit())).clamp(0.0, way.length());
            let is_leaf = way.unit().cross(along).abs() <= PARALLEL && a.dot(along).max(b.dot(along)) <= near;
            nearest.length() > near || is_leaf || way.length() <= cap
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn four_lines_in_a_ring_are_a_tag() {
        let ring = [fold(0.0), vec![stroke((0.0, 0.0), (25.0, -40.0)), stroke((25.0, -40.0), (50.0, 0.0))]];
        assert!(with(ring.concat()).folding().is_none());
    }

    #[test]
    fn leaves_begin_at_an_end_of_the_opening() {
        let own = with(vec![stroke((1.0, 4.0), (1.0, 99.0)), stroke((40.0, 4.0), (40.0, 99.0))]);
        assert_eq!(own.leaves_from(0.0, &own.slanted, &STANDING, 100.0).len(), 1);
        assert_eq!(own.leaves_from(100.0, &own.slanted, &STANDING, 100.0).len(), 0);
    }
}
