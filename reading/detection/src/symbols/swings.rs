//! Doors that swing: an arc around a hinge, a leaf from the hinge to one end of the arc, an opening to the other.

use std::f32::consts::PI;

use crate::symbols::arcs::Arc;
use crate::symbols::plan::{Lining, Plan};
use crate::symbols::plane::{Extent, Point};

/// Swings are drawn over 20° (a closet's pair, hardly opened) to 190° (a leaf that folds back onto the wall).
const SWEEPS: std::ops::RangeInclusive<f32> = 0.33..=3.35;
/// On paper a leaf is this long at least, in points: 24 in at 1:250.
const LEAST_RADIUS: f32 = 7.0;
/// A leaf is drawn this thick at most, of its width: 2½ in of 20 in.
const LEAF_THICKNESS: f32 = 0.13;
/// A wall is this thick at most, of a door's width.
const WALL_THICKNESS: f32 = 0.45;
/// How far along the wall jambs and walls are looked for, of the door's width.
const JAMB_WITHIN: f32 = 0.3;
/// The other reading of an arc counts from this probability on.
const LIKELY: f32 = 0.5;

/// One leaf and its swing.
#[derive(Clone, Debug)]
pub(crate) struct Swing {
    pub(crate) hinge: Point,
    /// The leaf's free end, open.
    pub(crate) tip: Point,
    /// Its free end where it is closed.
    pub(crate) latch: Point,
    pub(crate) radius: f32,
    pub(crate) extent: Extent,
    /// Whether its arc is drawn in dashes.
    pub(crate) is_dashed: bool,
    /// Whether the leaf may as well stand where it is closed by this reading, and close where it stands.
    pub(crate) is_reversible: bool,
    pub(crate) evidence: Evidence,
}

/// What speaks for a swing being a door's, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Evidence {
    /// The share of the leaf that is drawn.
    pub(crate) leaf: f32,
    /// Wall or jamb beyond the latch, and behind the hinge.
    pub(crate) latch: f32,
    pub(crate) hinge: f32,
    /// Sweeps that doors are drawn with.
    pub(crate) usual: f32,
    /// The arc's line goes on beyond the leaf: a rounded corner's or a road's does.
    pub(crate) goes_on: f32,
    /// No door is of this width.
    pub(crate) size: f32,
}

impl Evidence {
    /// Returns how likely it is a door's, from 0 to 1. The weights follow from what a door can't do without: an arc with a leaf
    /// of its radius is rarely anything else, and one that ends at walls on both sides hardly ever.
    pub(crate) fn probability(&self) -> f32 {
        let sum =
            -4.4 + 3.6 * saturated(self.leaf, 0.45, 0.85) + 2.0 * self.latch + 1.4 * self.hinge + 0.8 * self.usual
                - 2.6 * self.goes_on
                - 6.0 * self.size;
        1.0 / (1.0 + (-sum).exp())
    }
}

/// Returns 0 up to `low`, 1 from `high` on, even between.
pub(crate) fn saturated(value: f32, low: f32, high: f32) -> f32 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

/// Finds what may be swings, each arc's better reading.
pub(crate) fn detect(plan: &Plan) -> Vec<Swing> {
    plan.arcs
        .iter()
        .filter(|arc| SWEEPS.contains(&arc.sweep) && arc.radius >= LEAST_RADIUS)
        .map(|arc| {
            let mut readings = [read(plan, arc, true), read(plan, arc, false)];
            readings.sort_by(|a, b| a.evidence.probability().total_cmp(&b.evidence.probability()));
            let [other, better] = readings;
            Swing { is_reversible: other.evidence.probability() >= LIKELY, ..better }
        })
        .collect()
}

/// Reads an arc as a swing whose leaf stands at its start, or at its end.
fn read(plan: &Plan, arc: &Arc, leaf_at_start: bool) -> Swing {
    let [start, end] = arc.ends;
    let (end_of_arc, latch) = if leaf_at_start { (start, end) } else { (end, start) };
    let drawn_leaf = drawn_leaf(plan, arc, end_of_arc, latch);
    let (hinge, tip) = drawn_leaf.unwrap_or((arc.center, end_of_arc));
    let radius = hinge.to(latch).max(0.01);
    let (open, closed) = (tip - hinge, latch - hinge);
    // More than a half turn has no smaller angle between its ends.
    let sweep = if arc.sweep < 2.8 { open.cross(closed).atan2(open.dot(closed)).abs() } else { arc.sweep };
    // The opening's far side, seen from the swing.
    let along = (latch - hinge).unit();
    let away = if along.cross(tip - hinge) > 0.0 { along.left() * -1.0 } else { along.left() };
    let evidence = Evidence {
        leaf: leaf(plan, hinge, tip, radius),
        latch: wall(plan, latch, along, away, radius),
        hinge: wall(plan, hinge, along * -1.0, away, radius),
        usual: usual(sweep),
        goes_on: goes_on(plan, arc, end_of_arc, leaf_at_start),
        size: 0.0,
    };
    let extent = arc.extent().with(hinge).with(tip).with(latch);
    Swing { hinge, tip, latch, radius, extent, is_dashed: arc.is_dashed(), is_reversible: false, evidence }
}

/// Returns the hinge and the free end of a leaf that is drawn as one line: arcs of dashes stop short of it, and arcs of few
/// chords are so flat that their own centre lies off the hinge.
fn drawn_leaf(plan: &Plan, arc: &Arc, end: Point, latch: Point) -> Option<(Point, Point)> {
    let radius = arc.radius;
    let within = (0.2 * radius).min(0.3 * arc.sweep * radius);
    let middle = arc.point(0.5);
    let mut found = Vec::new();
    plan.near(Extent::bounding([end]).grown(within), &mut found)
        .flat_map(|(_, segment)| [(segment.a, segment.b), (segment.b, segment.a)])
        .filter(|(hinge, tip)| tip.to(end) <= within && hinge.to(arc.center) <= 0.3 * radius)
        .filter_map(|(hinge, tip)| {
            let open = hinge.to(tip);
            let uneven = (hinge.to(latch) - open).abs() / open + (hinge.to(middle) - open).abs() / open;
            let is_leaf = (0.75..=1.3).contains(&(open / radius)) && uneven <= 0.16;
            is_leaf.then_some((uneven + tip.to(end) / radius, (hinge, tip)))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, leaf)| leaf)
}

/// Returns the share of the leaf that is drawn: lines from the hinge to the arc's end and no further, a leaf's thickness to
/// either side.
fn leaf(plan: &Plan, hinge: Point, tip: Point, radius: f32) -> f32 {
    let thick = (LEAF_THICKNESS * radius).max(0.8);
    plan.along(hinge, tip, Lining { left: thick, right: thick, beyond: 0.16 * radius })
}

/// Returns whether a wall or a jamb begins where the opening ends at `end`, going on along `out`; `away` is the opening's far
/// side.
pub(crate) fn wall(plan: &Plan, end: Point, out: Point, away: Point, radius: f32) -> f32 {
    let thick = WALL_THICKNESS * radius;
    let reach = JAMB_WITHIN * radius;
    let lining = Lining { left: thick, right: thick, beyond: f32::MAX };
    let goes_on = plan.along(end + out * (0.05 * radius), end + out * reach, lining);
    // A jamb stands across the wall, and reaches to the opening's far side.
    let mut found = Vec::new();
    let area = Extent::bounding([end, end + out * (0.15 * radius), end + away * thick]).grown(0.06 * radius);
    let jamb = plan.near(area, &mut found).any(|(_, segment)| {
        let way = segment.b - segment.a;
        let long = way.length();
        let (a, b) = (segment.a - end, segment.b - end);
        let (near, far) = (a.dot(away).min(b.dot(away)), a.dot(away).max(b.dot(away)));
        let place = f32::midpoint(a.dot(out), b.dot(out));
        way.dot(out).abs() <= 0.1 * long
            && long >= 0.06 * radius
            && (-0.08 * radius..=0.16 * radius).contains(&place)
            && far >= 0.04 * radius
            && near <= 0.3 * radius
    });
    (0.75 * saturated(goes_on, 0.2, 0.8) + 0.5 * f32::from(u8::from(jamb))).min(1.0)
}

/// Returns whether doors are drawn with a sweep: closed by a quarter, a half or a third of a right angle, or folded back.
fn usual(sweep: f32) -> f32 {
    let degrees = sweep * 180.0 / PI;
    let nearest =
        [30.0, 45.0, 60.0, 90.0, 180.0].into_iter().map(|usual| (degrees - usual).abs()).fold(f32::MAX, f32::min);
    let right = (degrees - 90.0).abs();
    (1.0 - right / 12.0).max(0.8 * (1.0 - nearest / 6.0)).clamp(0.0, 1.0)
}

/// Returns whether the arc's line goes on beyond the leaf's free end, bending back or straight on.
fn goes_on(plan: &Plan, arc: &Arc, tip: Point, tip_at_start: bool) -> f32 {
    if arc.goes_on[usize::from(!tip_at_start)] {
        return 1.0;
    }
    let radial = (tip - arc.center).unit();
    let out = if tip_at_start { radial.left() * -1.0 } else { radial.left() };
    let within = 0.02 * arc.radius + 0.3;
    let mut found = Vec::new();
    let on = plan.near(Extent::bounding([tip]).grown(within), &mut found).any(|(_, segment)| {
        let (near, far) =
            if segment.a.to(tip) < segment.b.to(tip) { (segment.a, segment.b) } else { (segment.b, segment.a) };
        let way = far - near;
        near.to(tip) <= within && way.dot(out) >= 0.98 * way.length() && way.length() >= 0.2 * arc.radius
    });
    f32::from(u8::from(on))
}
