//! Doors: merges leaves that share a frame into one door, and applies non-maximum suppression.

use fanlight_contract::Rect;
use rustc_hash::FxHashMap;

use crate::symbols::closing;
use crate::symbols::openings::{self, Opening};
use crate::symbols::plan::{Plan, extent, rect};
use crate::symbols::plane::{Extent, Point};
use crate::symbols::sliding::{self, ScoredExtent};
use crate::symbols::swings::{self, Swing};

/// A door candidate.
#[derive(Clone, Debug)]
pub struct Door {
    /// The symbol that it was recognized by.
    pub kind: DoorSymbol,
    /// Box around leaf, swing and opening, or around both leaves of a pair; in user space of the unrotated page.
    pub bbox: Rect,
    /// Probability, from 0 to 1, that it is a door.
    pub confidence: f32,
}

/// The symbols that doors are recognized by. One symbol may stand for several kinds of doors: their kinds as drawn are
/// `drafting::plan::DoorKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoorSymbol {
    /// One leaf with its swing.
    OneSwing,
    /// Several swings in one frame: two leaves, of the same width or not, or one leaf that swings to both sides.
    SeveralSwings,
    /// Panels that pass each other.
    Sliding,
    /// Leaves that fold.
    Folding,
    /// A panel that slides into the wall.
    Pocket,
}

/// Below this a candidate isn't worth keeping.
pub(crate) const LEAST_CONFIDENCE: f32 = 0.05;
/// What lies within another's box by this much is a part of the same door.
const PART: f32 = 0.75;
/// The likeliest swings of a page that are looked at; a floor of a hospital has some 300 doors.
const MOST_SWINGS: usize = 4_000;
/// Two boxes that overlap by this much are the same door.
const SAME: f32 = 0.45;
/// Least side of the cells of the grid in which boxes that overlap are looked for, in points: a door at 1:50.
const LEAST_CELL: f32 = 48.0;
/// No box is longer than this many sides of a cell.
const MOST_CELLS: f32 = 8.0;

/// The scales of a sheet's plans, in points on paper for an inch in the building.
#[derive(Clone, Debug)]
pub enum Scales {
    /// Plans of each of these are on the sheet.
    All(Vec<f32>),
    /// One of these, the likeliest first.
    OneOf(Vec<f32>),
}

/// Returns how many points on paper an inch in the building may be, by the plan's doors and the sheet's notes. None where
/// nothing tells; several where the notes tell several, or where only the doors do: those of stalls and closets are narrow.
pub(crate) fn scales(plan: &Plan) -> Scales {
    let sizes = Sizes::new(&swings::detect(plan), &plan.noted);
    if sizes.estimated {
        let likeliest = sizes.scales.first();
        return Scales::OneOf(likeliest.into_iter().flat_map(|scale| NARROWER.map(|factor| scale * factor)).collect());
    }
    Scales::All(sizes.scales)
}

/// How many points on paper an inch in the building is, as far as the doors and the notes of a sheet tell.
struct Sizes {
    scales: Vec<f32>,
    /// By the doors alone.
    estimated: bool,
}

/// Widths of nearly all doors' leaves, in inches.
const USUAL_LEAF: std::ops::RangeInclusive<f32> = 20.0..=46.0;
/// Widths of all doors' leaves, in inches.
const LEAVES: std::ops::RangeInclusive<f32> = 11.0..=64.0;
/// A quarter of all doors have a leaf of about this width or a wider one, in inches: 3 ft, 900 mm.
const WIDE_LEAF: f32 = 35.5;
/// The scales that plans are drawn at, as what an inch on paper is in the building: 1:10 to 1:500, 1" = 1'-0" to 1/16".
const USUAL_SCALES: [f32; 18] =
    [10.0, 12.0, 16.0, 20.0, 24.0, 25.0, 30.0, 32.0, 40.0, 48.0, 50.0, 64.0, 75.0, 96.0, 100.0, 128.0, 192.0, 200.0];
/// An estimated scale is taken for a usual one that it is this close to.
const CLOSE: f32 = 0.09;
/// What is likelier than this is counted where a sheet's scale is estimated.
const SURE: f32 = 0.8;

/// Likely doors that tell the scale of an enlarged plan beside a sheet's plan: fewer may be other curves.
const FEWEST_OF_ENLARGED: usize = 4;
/// Where a sheet's doors are narrower than most sheets', the scale is larger than they say by one of these factors.
const NARROWER: [f32; 3] = [1.0, 1.16, 1.34];

fn is_usual(radius: f32, scale: f32) -> bool {
    USUAL_LEAF.contains(&(radius / scale))
}

/// Returns those of a sheet's noted scales that its doors are drawn at, the one with most doors first.
///
/// Each has doors that no scale before it has.
fn ratios_with_doors(noted: &[f32], radii: &[f32]) -> Vec<f32> {
    let mut left: Vec<f32> = radii.to_vec();
    let mut agreed = Vec::new();
    loop {
        let doors = |scale: f32| left.iter().filter(|radius| is_usual(**radius, scale)).count();
        let Some(best) = noted.iter().copied().max_by_key(|scale| doors(*scale)) else { break };
        if doors(best) * 10 < radii.len().max(10) {
            break;
        }
        left.retain(|radius| !is_usual(*radius, best));
        agreed.push(best);
    }
    agreed
}

/// Returns the usual scale next to an estimated one, where one is close; both in points on paper for an inch in the building.
fn usual_scale(estimated: f32) -> f32 {
    let off = |scale: f32| (scale / estimated).ln().abs();
    let usual = USUAL_SCALES.into_iter().map(|ratio| 72.0 / ratio).min_by(|a, b| off(*a).total_cmp(&off(*b)));
    usual.filter(|usual| off(*usual) <= CLOSE).unwrap_or(estimated)
}

/// Estimates the scale at which doors are drawn, in points on paper for an inch in the building, by their leaves: of those about the
/// leaf that swings over most paper within a third of its width, the upper quarter's are wide ones.
fn estimated_scale(radii: &[f32]) -> f32 {
    let about = |middle: f32| radii.iter().copied().filter(move |radius| (0.7..=1.4).contains(&(radius / middle)));
    let weight = |middle: f32| -> f32 { about(middle).sum() };
    let middle = radii.iter().copied().max_by(|a, b| weight(*a).total_cmp(&weight(*b)));
    let mut common: Vec<f32> = middle.map_or_else(Vec::new, |middle| about(middle).collect());
    common.sort_by(f32::total_cmp);
    let wide = common.get(common.len() * 3 / 4).or(common.last()).copied();
    usual_scale(wide.unwrap_or(WIDE_LEAF) / WIDE_LEAF)
}

impl Sizes {
    /// Takes noted scales if likely doors agree with them; sheets may be printed at half their size. Otherwise the scale
    /// follows from the widths of most doors.
    fn new(swings: &[Swing], noted: &[f32]) -> Self {
        let sure: Vec<f32> =
            swings.iter().filter(|swing| swing.evidence.probability() >= SURE).map(|swing| swing.radius).collect();
        if sure.is_empty() {
            return Self { scales: noted.to_vec(), estimated: false };
        }
        let agreed = ratios_with_doors(noted, &sure);
        let explained = sure.iter().filter(|radius| agreed.iter().any(|scale| is_usual(**radius, *scale))).count();
        if explained * 2 >= sure.len() {
            return Self { scales: agreed, estimated: false };
        }
        let scale = estimated_scale(&sure);
        // A plan that is smaller than the one of most doors is a key plan.
        let larger: Vec<f32> = sure.into_iter().filter(|radius| radius / scale > *LEAVES.end()).collect();
        let enlarged = (larger.len() >= FEWEST_OF_ENLARGED).then(|| estimated_scale(&larger));
        Self { scales: [Some(scale), enlarged].into_iter().flatten().collect(), estimated: true }
    }

    /// Returns how well a leaf's width fits: 0 where it does or nothing is known, 1 where no door is of that width.
    fn fit(&self, radius: f32) -> f32 {
        self.scales.iter().map(|scale| unusual(radius / scale)).min_by(f32::total_cmp).unwrap_or(0.0)
    }
}

/// Returns how unusual a leaf's width in inches is: 0 for nearly all doors', 1 for no door's.
fn unusual(inches: f32) -> f32 {
    let narrow = (USUAL_LEAF.start() - inches) / (USUAL_LEAF.start() - LEAVES.start());
    let wide = (inches - USUAL_LEAF.end()) / (LEAVES.end() - USUAL_LEAF.end());
    narrow.max(wide).clamp(0.0, 1.0)
}

/// Finds the doors of a plan, the likeliest first.
pub(crate) fn detect(plan: &Plan) -> Vec<Door> {
    let mut swings = swings::detect(plan);
    swings.retain(|swing| swing.evidence.probability() >= LEAST_CONFIDENCE);
    swings.sort_by(|a, b| b.evidence.probability().total_cmp(&a.evidence.probability()));
    swings.truncate(MOST_SWINGS);
    let sizes = Sizes::new(&swings, &plan.noted);
    for swing in &mut swings {
        swing.evidence.size = sizes.fit(swing.radius);
    }
    swings.retain(|swing| swing.evidence.probability() >= LEAST_CONFIDENCE);
    let mut candidates = joined(&without_other_places(swings));
    if let Some(&scale) = sizes.scales.first() {
        let openings = openings::detect(plan, scale);
        let sliding = sliding::detect(plan, scale).into_iter().map(|panels| in_opening(panels, &openings));
        candidates.extend(sliding.map(|panels| candidate(DoorSymbol::Sliding, panels)));
        let closing = closing::detect(plan, &openings, scale).into_iter();
        candidates.extend(closing.map(|(symbol, door)| candidate(symbol, door)));
    }
    candidates.retain(|candidate| candidate.confidence >= LEAST_CONFIDENCE);
    candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    one_each(candidates)
}

/// How far apart the swings of one leaf may be to either side of its wall, of its width.
const OTHER_SIDE: f32 = 0.4;
/// By how much the widths of one leaf may differ, of its width.
const OTHER_WIDTH: f32 = 0.15;

/// Leaves out dashed swings where the same leaf's swing is drawn through: they show where else it may stand.
fn without_other_places(swings: Vec<Swing>) -> Vec<Swing> {
    let (mut dashed, mut kept): (Vec<Swing>, Vec<Swing>) = swings.into_iter().partition(|swing| swing.is_dashed);
    dashed.retain(|swing| !kept.iter().any(|drawn| is_of_leaf(swing, drawn)));
    kept.extend(dashed);
    kept
}

/// Returns whether a dashed swing is of another swing's leaf. Of dashes either end may be taken for the leaf's.
fn is_of_leaf(dashed: &Swing, other: &Swing) -> bool {
    let within = OTHER_SIDE * dashed.radius;
    other.hinge.to(dashed.hinge) <= within
        && other.latch.to(dashed.latch).min(other.latch.to(dashed.tip)) <= within
        && (other.radius - dashed.radius).abs() <= OTHER_WIDTH * dashed.radius
}

/// Returns those of some candidates, the likeliest first, that are not of the same door as a likelier one.
fn one_each(candidates: Vec<Door>) -> Vec<Door> {
    let longest = candidates.iter().map(|candidate| extent(&candidate.bbox).long()).fold(0.0, f32::max);
    let cell = LEAST_CELL.max(longest / MOST_CELLS);
    let mut kept: Vec<Door> = Vec::new();
    let mut near: FxHashMap<(i32, i32), Vec<usize>> = FxHashMap::default();
    for candidate in candidates {
        let cells = cells(&extent(&candidate.bbox), cell);
        let mut others = cells.iter().filter_map(|cell| near.get(cell)).flatten().filter_map(|&other| kept.get(other));
        if others.any(|other| is_same(other, &candidate)) {
            continue;
        }
        for cell in cells {
            near.entry(cell).or_default().push(kept.len());
        }
        kept.push(candidate);
    }
    kept
}

/// Returns the cells that a box lies on, of a grid whose cells have sides of `cell` points.
fn cells(extent: &Extent, cell: f32) -> Vec<(i32, i32)> {
    let place = |value: f32| (value / cell).floor() as i32;
    let (rows, columns) = (place(extent.y1)..=place(extent.y2), place(extent.x1)..=place(extent.x2));
    rows.flat_map(|row| columns.clone().map(move |column| (column, row))).collect()
}

/// Returns a door of panels that pass each other with the box of the opening that it stands in, if there is one.
fn in_opening(scored: ScoredExtent, openings: &[Opening]) -> ScoredExtent {
    let own = openings.iter().find(|opening| opening.is_filled_by(&scored.extent));
    ScoredExtent { extent: own.map_or(scored.extent, Opening::extent), ..scored }
}

/// Returns whether a less likely candidate is of the same door as another: on the same place, or a part of it.
fn is_same(likelier: &Door, candidate: &Door) -> bool {
    let (one, other) = (extent(&likelier.bbox), extent(&candidate.bbox));
    let part = one.common(&other) / other.area().max(0.01);
    one.overlap(&other) > SAME || part > PART
}

fn candidate(kind: DoorSymbol, scored: ScoredExtent) -> Door {
    Door { kind, bbox: rect(scored.extent), confidence: scored.confidence.min(0.97) }
}

/// Makes doors of swings: two leaves that close towards each other, or leaves on one hinge, are one door.
fn joined(swings: &[Swing]) -> Vec<Door> {
    let mut of_swing: Vec<usize> = (0..swings.len()).collect();
    let mut from_left: Vec<(usize, &Swing)> = swings.iter().enumerate().collect();
    from_left.sort_by(|(_, a), (_, b)| a.hinge.x.total_cmp(&b.hinge.x));
    let widest = swings.iter().map(|swing| swing.radius).fold(0.0, f32::max);
    for (place, &(index, swing)) in from_left.iter().enumerate() {
        // Hinges of a pair are as far apart as both leaves are wide, and a little more.
        let reach = 1.5 * (swing.radius + widest) + 1.0;
        let near = from_left[place + 1..].iter().take_while(|(_, other)| other.hinge.x - swing.hinge.x <= reach);
        for &(other_index, other) in near {
            let (from, to) = (of_swing[other_index], of_swing[index]);
            if from != to && one_frame(swing, other) {
                of_swing.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    let mut groups: Vec<Vec<&Swing>> = vec![Vec::new(); swings.len()];
    for (swing, group) in swings.iter().zip(of_swing) {
        groups[group].push(swing);
    }
    groups.retain(|members| !members.is_empty());
    groups.iter().map(|leaves| door_of_leaves(leaves)).collect()
}

/// Returns the door that leaves in one frame are. It is no door only if none of them is one.
fn door_of_leaves(leaves: &[&Swing]) -> Door {
    let extent = leaves.iter().map(|swing| swing.extent).fold(Extent::EMPTY, Extent::joined);
    let doubt: f32 = leaves.iter().map(|swing| 1.0 - swing.evidence.probability()).product();
    let kind = if leaves.len() > 1 { DoorSymbol::SeveralSwings } else { DoorSymbol::OneSwing };
    Door { kind, bbox: rect(extent), confidence: 1.0 - doubt }
}

/// Returns the ends of a swing at which its leaf may close that lie in a direction from its hinge.
fn ends_towards(swing: &Swing, way: Point) -> impl Iterator<Item = Point> {
    let hinge = swing.hinge;
    let ends = [Some(swing.latch), swing.is_reversible.then_some(swing.tip)];
    ends.into_iter().flatten().filter(move |end| (*end - hinge).unit().dot(way) > 0.97)
}

/// Returns whether two leaves hang in one frame.
fn one_frame(a: &Swing, b: &Swing) -> bool {
    let (small, large) = (a.radius.min(b.radius), a.radius.max(b.radius));
    if small < 0.25 * large {
        return false;
    }
    let near = 0.14 * small + 0.5;
    // A pair: hinges apart by both widths, latches together, closing along one line.
    let between = (b.hinge - a.hinge).unit();
    let meeting =
        ends_towards(a, between).any(|end| ends_towards(b, between * -1.0).any(|other| end.to(other) <= 2.0 * near));
    let spread = (a.hinge.to(b.hinge) - a.radius - b.radius).abs() <= 2.0 * near;
    let pair = spread && meeting;
    // A leaf that swings both ways.
    let same_hinge = a.hinge.to(b.hinge) <= near && large - small <= near;
    let both_ways = same_hinge && (a.latch.to(b.latch) <= near || a.tip.to(b.tip) <= near);
    pair || both_ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::swings::Evidence;

    /// A certain door's swing around a hinge: its leaf stands upwards and closes to the left or to the right.
    fn swing(hinge: Point, closed: f32) -> Swing {
        let (tip, latch, radius) =
            (hinge + Point::new(0.0, closed.abs()), hinge + Point::new(closed, 0.0), closed.abs());
        let evidence = Evidence { leaf: 1.0, latch: 1.0, hinge: 1.0, usual: 1.0, ..Evidence::default() };
        let extent = Extent::bounding([hinge, tip, latch]);
        Swing { hinge, tip, latch, radius, extent, is_dashed: false, is_reversible: false, evidence }
    }

    fn at(x: f32) -> Point {
        Point::new(x, 100.0)
    }

    #[test]
    fn leaves_that_close_towards_each_other_are_one_door() {
        let pair = [swing(at(100.0), 30.0), swing(at(160.0), -30.0)];
        let doors = joined(&pair);
        assert_eq!(
            doors.iter().map(|door| (door.kind, door.bbox.x1, door.bbox.x2)).collect::<Vec<_>>(),
            [(DoorSymbol::SeveralSwings, 100.0, 160.0)]
        );
        let back_to_back = [swing(at(100.0), -30.0), swing(at(160.0), 30.0)];
        assert_eq!(joined(&back_to_back).len(), 2);
    }

    #[test]
    fn a_leaf_may_close_where_it_seems_to_stand_if_another_closes_there() {
        let right = swing(at(160.0), -30.0);
        // It seems to stand in the opening, and to close upwards.
        let left = swing(at(100.0), 30.0);
        let left = Swing { tip: left.latch, latch: left.tip, ..left };
        assert_eq!(joined(&[left.clone(), right.clone()]).len(), 2);
        assert_eq!(joined(&[Swing { is_reversible: true, ..left }, right]).len(), 1);
    }

    #[test]
    fn dashes_show_where_else_a_leaf_may_stand() {
        let drawn = swing(at(100.0), 30.0);
        let other = Swing { is_dashed: true, ..swing(Point::new(100.0, 106.0), 30.0) };
        let kept = without_other_places(vec![other.clone(), drawn]);
        assert_eq!(kept.iter().map(|swing| swing.is_dashed).collect::<Vec<_>>(), [false]);
        assert_eq!(without_other_places(vec![other.clone()]).len(), 1, "a door may be drawn in dashes alone");
        assert_eq!(without_other_places(vec![other, swing(at(140.0), 30.0)]).len(), 2, "doors side by side are two");
    }

    #[test]
    fn an_enlarged_plan_has_a_scale_of_its_own_and_a_key_plan_has_none() {
        let doors =
            |count: usize, radius: f32| (0..count).map(move |at| swing(Point::new(90.0 * at as f32, 0.0), radius));
        let sizes = |small: usize, large: usize| {
            Sizes::new(&doors(small, 13.5).chain(doors(large, 54.0)).collect::<Vec<_>>(), &[])
        };
        assert_eq!(sizes(40, 5).scales, [72.0 / 192.0, 72.0 / 48.0]);
        assert_eq!(sizes(40, 2).scales, [72.0 / 192.0], "two may be other curves");
        assert_eq!(sizes(8, 40).scales, [72.0 / 48.0], "the smaller plan is a key plan");
    }
}
