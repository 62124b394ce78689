//! Sliding doors: panels that pass each other in an opening.
//!
//! Constants without a source are set by hand.

use crate::symbols::places::Grid;
use crate::symbols::plan::{Lining, Plan};
use crate::symbols::plane::{Extent, Point};
use crate::symbols::swings::{saturated, wall};

/// Widths of a sliding panel, in inches.
const PANELS: std::ops::RangeInclusive<f32> = 13.0..=80.0;
/// A panel is drawn this thick, in inches.
const THICK: std::ops::RangeInclusive<f32> = 0.3..=3.2;
/// The width of a usual leaf, in inches: how far from an opening's end its wall is looked for.
const USUAL_LEAF: f32 = 34.0;
/// Most panels of a page that are looked at.
const MOST: usize = 4_000;
/// Most panels of one place that are looked at.
const MOST_NEIGHBOURS: u32 = 24;

/// The box around what may be a door, with its probability, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredExtent {
    pub(crate) extent: Extent,
    pub(crate) confidence: f32,
}

/// A thin rectangle: its middle line, and how thick it is.
#[derive(Clone, Copy, Debug)]
struct Strip {
    a: Point,
    b: Point,
    thick: f32,
}

impl Strip {
    fn middle(&self) -> Point {
        (self.a + self.b) * 0.5
    }
}

/// Detects doors of two panels that pass each other; `scale` is in points of paper per inch of the building.
pub(crate) fn detect(plan: &Plan, scale: f32) -> Vec<ScoredExtent> {
    let strips = strips(plan, scale);
    let mut near = Grid::new(30.0 * scale, MOST_NEIGHBOURS);
    for (index, strip) in strips.iter().enumerate() {
        near.add(strip.middle(), (index, *strip));
    }
    let mut found = Vec::new();
    for (index, strip) in strips.iter().enumerate() {
        let around = Extent::bounding([strip.middle()]).grown(60.0 * scale);
        for (_, other) in near.near(around).filter(|(other, _)| *other > index) {
            found.extend(passing(plan, strip, other, scale));
        }
    }
    found
}

/// Detects two panels that pass each other, as a door.
fn passing(plan: &Plan, one: &Strip, other: &Strip, scale: f32) -> Option<ScoredExtent> {
    let (along, long) = ((one.b - one.a).unit(), one.a.to(one.b));
    let (from, to) = (other.a - one.a, other.b - one.a);
    let other_long = other.a.to(other.b);
    if (along.cross(from) - along.cross(to)).abs() > 0.02 * long || other_long.min(long) < 0.93 * other_long.max(long) {
        return None;
    }
    let aside = f32::midpoint(along.cross(from), along.cross(to));
    let thick = one.thick.max(other.thick);
    let thin = one.thick.min(other.thick);
    // Panels of one make, on neighbouring tracks.
    if thin < 0.7 * thick || !(0.7 * thick..=2.4 * thick).contains(&aside.abs()) {
        return None;
    }
    let (start, end) = (along.dot(from).min(along.dot(to)), along.dot(from).max(along.dot(to)));
    let shared = end.min(long) - start.max(0.0);
    let shared_part = shared / long.min(other_long);
    if shared < -0.6 * scale || shared_part > 0.6 {
        return None;
    }
    let (first, last) = (start.min(0.0), end.max(long));
    let middle = along.left() * (aside / 2.0);
    let (a, b) = (one.a + along * first + middle, one.a + along * last + middle);
    let radius = USUAL_LEAF * scale;
    let [first_wall, last_wall] = [(a, along * -1.0), (b, along)].map(|(end, out)| {
        wall(plan, end, out, along.left(), radius).max(wall(plan, end, out, along.left() * -1.0, radius))
    });
    // A window has its sill's lines on both sides, from end to end; the white that a wall is cut with has none.
    let beyond = aside.abs() / 2.0 + thick;
    let side = |left: f32, right: f32| plan.inked_along(a, b, Lining { left, right, beyond: f32::MAX });
    let (left, right) = (side(7.0 * scale, -beyond), side(-beyond, 7.0 * scale));
    let glazed = saturated(left.min(right), 0.7, 0.95);
    let extent = Extent::bounding([one.a, one.b, other.a, other.b]).grown(thick / 2.0);
    let walled = first_wall.min(0.75) + last_wall.min(0.75);
    // Most doors are drawn closed.
    let half_open = saturated(shared_part, 0.25, 0.4);
    Some(ScoredExtent { extent, confidence: 0.45 + 0.3 * walled - 0.4 * glazed - 0.3 * half_open })
}

/// Finds thin rectangles as long as panels.
fn strips(plan: &Plan, scale: f32) -> Vec<Strip> {
    let mut strips: Vec<Strip> = Vec::new();
    let mut found = Vec::new();
    for (number, segment) in plan.segments.iter().enumerate() {
        let long = segment.a.to(segment.b);
        if !PANELS.contains(&(long / scale)) {
            continue;
        }
        let along = (segment.b - segment.a).unit();
        // A partner ends beside this one's end.
        let area = Extent::bounding([segment.a]).grown(THICK.end() * scale + 0.03 * long + 0.2);
        let mut best: Option<Strip> = None;
        for (other, partner) in plan.near(area, &mut found) {
            if other as usize <= number {
                continue;
            }
            let (c, d) = if segment.a.to(partner.a) < segment.a.to(partner.b) {
                (partner.a, partner.b)
            } else {
                (partner.b, partner.a)
            };
            let (off, end_off) = (along.cross(c - segment.a), along.cross(d - segment.a));
            let even = (off - end_off).abs() <= 0.01 * long + 0.1;
            let level =
                along.dot(c - segment.a).abs().max((along.dot(d - segment.a) - long).abs()) <= 0.03 * long + 0.2;
            if even && level && THICK.contains(&(off.abs() / scale)) && best.is_none_or(|best| off.abs() < best.thick) {
                best = Some(Strip { a: (segment.a + c) * 0.5, b: (segment.b + d) * 0.5, thick: off.abs() });
            }
        }
        if let Some(strip) = best
            && is_capped(plan, &strip)
        {
            strips.push(strip);
            if strips.len() >= MOST {
                break;
            }
        }
    }
    strips
}

/// Returns whether a thin rectangle is closed at its ends, and not two lines that run on.
fn is_capped(plan: &Plan, strip: &Strip) -> bool {
    let along = (strip.b - strip.a).unit();
    let within = 0.3 * strip.thick + 0.3;
    let mut found = Vec::new();
    [strip.a, strip.b].into_iter().all(|end| {
        plan.near(Extent::bounding([end]).grown(within), &mut found).any(|(_, segment)| {
            let way = segment.b - segment.a;
            let across = way.dot(along).abs() <= 0.2 * way.length() + 0.05;
            let fits = (way.length() - strip.thick).abs() <= 0.3 * strip.thick + 0.25;
            across && fits && ((segment.a + segment.b) * 0.5).to(end) <= within
        })
    })
}
