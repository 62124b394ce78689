//! Leaves on a hinge at an opening's end that have no arc: two that fold, and one that stands open.

use super::Closing;
use crate::symbols::panels::Panelled;
use crate::symbols::plan::Plan;
use crate::symbols::plane::{Extent, Point};

/// Widths of openings that leaves without an arc close, in inches: one leaf, two, one pair that folds, two pairs.
const ONE_LEAF: std::ops::RangeInclusive<f32> = 20.0..=50.0;
const TWO_LEAVES: std::ops::RangeInclusive<f32> = 40.0..=100.0;
const ONE_FOLD: std::ops::RangeInclusive<f32> = 18.0..=64.0;
const TWO_FOLDS: std::ops::RangeInclusive<f32> = 30.0..=130.0;
/// Leaves are as long as the opening is wide, or as their share of it; a frame takes some of it.
const FOLDING: std::ops::RangeInclusive<f32> = 0.82..=1.08;
const STANDING: std::ops::RangeInclusive<f32> = 0.86..=1.08;
/// A hinge is this far from the opening's end at most, in inches: a frame's width and a leaf's thickness.
const FRAME: f32 = 3.6;
/// A leaf is drawn this thick, in inches; lines that are nearer are one.
const THIN: f32 = 0.3;
const THICK: std::ops::RangeInclusive<f32> = 0.8..=2.8;
/// A leaf that folds stands open by this at least, as a share of its length: less is closed, or a wall's line.
const LEAST_RISE: f32 = 0.3;
/// A leaf that stands open is turned from the wall by this at least: the sine of 40°.
const LEAST_OPEN: f32 = 0.64;
/// Lines from one end of an opening that are looked at: more are a hatch.
const MOST_LEAVES: usize = 8;

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

impl Closing {
    /// One pair of leaves that fold from one end of the opening, or one from each.
    pub(super) fn folding(&self) -> Option<Panelled> {
        let fold = |share: f32, end: f32| self.fold_from(end, share * self.width);
        if self.is_wide(&TWO_FOLDS)
            && let Some((one, other)) = fold(0.25, 0.0).zip(fold(0.25, self.width))
        {
            return Some(self.holding(one.into_iter().chain(other), 0.85));
        }
        if !self.is_wide(&ONE_FOLD) {
            return None;
        }
        let one = fold(0.5, 0.0).or_else(|| fold(0.5, self.width))?;
        Some(self.holding(one, 0.75))
    }

    /// The corners of two leaves of about this length: the first is hung at an end of the opening, the second folds back from
    /// its tip to the opening's line.
    fn fold_from(&self, end: f32, long: f32) -> Option<[Point; 3]> {
        let thick = THICK.end() * self.scale;
        let inwards = if end > 0.0 { -1.0 } else { 1.0 };
        let leaves = self.leaves_from(end, &self.slanted, &FOLDING, long);
        let are_joined = |one: Point, other: Point| {
            let joins = |from: Point, to: Point| from.to(one) <= thick && to.to(other) <= thick;
            self.slanted.iter().any(|&(a, b)| joins(a, b) || joins(b, a))
        };
        // Four equal lines in a ring are a tag's diamond.
        let is_diamond = |[hinge, tip, foot]: [Point; 3]| {
            let opposite = hinge + foot - tip;
            are_joined(hinge, opposite) && are_joined(foot, opposite)
        };
        leaves.into_iter().find_map(|leaf| {
            let rise = leaf.tip.y - leaf.hinge.y;
            let rises = rise.abs() >= LEAST_RISE * long && leaf.way().x * inwards > 0.0;
            let second = self.slanted.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).find(|(top, foot)| {
                let way = *foot - *top;
                top.to(leaf.tip) <= thick
                    && FOLDING.contains(&(way.length() / long))
                    && way.x * inwards > 0.0
                    && (foot.y - leaf.hinge.y).abs() <= 0.12 * long + 0.5 * thick
            });
            let fold = second.filter(|_| rises).map(|(_, foot)| [leaf.hinge, leaf.tip, foot]);
            fold.filter(|corners| !is_diamond(*corners))
        })
    }

    /// A leaf that stands open from an end of the opening, all by itself but for its hinge, or one from each.
    pub(super) fn standing(&self, plan: &Plan) -> Option<Panelled> {
        let leaf = |end: f32, share: f32| self.standing_at(plan, end, share * self.width);
        if self.is_wide(&TWO_LEAVES)
            && let Some((one, other)) = leaf(0.0, 0.5).zip(leaf(self.width, 0.5))
        {
            return Some(self.holding(one.iter().chain(&other).flat_map(|line| [line.hinge, line.tip]), 0.8));
        }
        if !self.is_wide(&ONE_LEAF) {
            return None;
        }
        // One line that ends before an opening may be anything.
        let mut leaves = [0.0, self.width].into_iter().filter_map(|end| leaf(end, 1.0));
        let leaf = leaves.find(|lines| lines.len() > 1)?;
        Some(self.holding(leaf.iter().flat_map(|line| [line.hinge, line.tip]), 0.75))
    }

    /// The lines of a leaf of about this length that stands open from an end of the opening: one, or its two faces and what
    /// lies on them.
    fn standing_at(&self, plan: &Plan, end: f32, long: f32) -> Option<Vec<Leaf>> {
        let open = |leaf: &Leaf| leaf.way().y.abs() >= LEAST_OPEN * leaf.way().length();
        let mut lines = self.leaves_from(end, &self.from_wall, &STANDING, long);
        lines.retain(open);
        let first = *lines.first()?;
        let along = first.way().unit();
        let aside = |line: &Leaf| along.cross(line.hinge - first.hinge);
        lines.sort_by(|a, b| aside(a).total_cmp(&aside(b)));
        lines.dedup_by(|a, b| (aside(a) - aside(b)).abs() < THIN * self.scale);
        let is_parallel = |line: &Leaf| line.way().unit().cross(along).abs() <= 0.03;
        // More than two faces are stairs or a shelf.
        let is_leaf = match lines.as_slice() {
            [_] => true,
            [one, other] => {
                let thick = aside(other) - aside(one);
                THICK.contains(&(thick / self.scale))
                    && is_parallel(one)
                    && is_parallel(other)
                    && self.is_joined(plan, one.tip, other.tip, thick)
            }
            _ => false,
        };
        (is_leaf && lines.iter().all(|line| self.is_free(plan, line))).then_some(lines)
    }

    /// Of some lines those that begin at an end of the opening and are about as long as they should be.
    fn leaves_from(
        &self,
        end: f32,
        lines: &[(Point, Point)],
        share: &std::ops::RangeInclusive<f32>,
        long: f32,
    ) -> Vec<Leaf> {
        let within = (FRAME * self.scale + 0.3).min(0.35 * long);
        let begins = |point: Point| (point.x - end).abs() <= within && point.y.abs() <= self.half + within;
        lines
            .iter()
            .flat_map(|&(a, b)| [Leaf { hinge: a, tip: b }, Leaf { hinge: b, tip: a }])
            .filter(|leaf| begins(leaf.hinge) && share.contains(&(leaf.way().length() / long)))
            .filter(|leaf| leaf.tip.y.abs() > leaf.hinge.y.abs())
            .take(MOST_LEAVES)
            .collect()
    }

    /// Whether a line joins the tips of a leaf's faces.
    fn is_joined(&self, plan: &Plan, tip: Point, other: Point, thick: f32) -> bool {
        let [tip, other] = [tip, other].map(|point| self.on_page(point));
        let near = 0.3 * thick + 0.2;
        let mut found = Vec::new();
        let joins = |from: Point, to: Point| from.to(tip) <= near && to.to(other) <= near;
        plan.near(Extent::bounding([tip, other]).grown(near), &mut found)
            .any(|(_, segment)| joins(segment.a, segment.b) || joins(segment.b, segment.a))
    }

    /// Whether nothing is drawn at a leaf's tip but the leaf and its cap.
    fn is_free(&self, plan: &Plan, leaf: &Leaf) -> bool {
        let [tip, hinge] = [leaf.tip, leaf.hinge].map(|point| self.on_page(point));
        let (along, near) = ((tip - hinge).unit(), 0.5 * self.scale + 0.2);
        let cap = 1.2 * THICK.end() * self.scale + 0.3;
        let mut found = Vec::new();
        let mut drawn = plan.near(Extent::bounding([tip]).grown(near), &mut found);
        drawn.all(|(_, segment)| {
            let (a, b) = (segment.a - tip, segment.b - tip);
            let way = segment.b - segment.a;
            let nearest = a + way.unit() * (-a.dot(way.unit())).clamp(0.0, way.length());
            let is_leaf = way.unit().cross(along).abs() <= 0.03 && a.dot(along).max(b.dot(along)) <= near;
            nearest.length() > near || is_leaf || way.length() <= cap
        })
    }

    /// A door around the opening and places in its frame.
    fn holding(&self, places: impl IntoIterator<Item = Point>, confidence: f32) -> Panelled {
        let Panelled { extent, .. } = self.in_wall(0.0);
        let extent = places.into_iter().map(|place| self.on_page(place)).fold(extent, Extent::with);
        Panelled { extent, confidence }
    }
}
