//! Doors without a swing: panels that pass each other in an opening, and leaves that fold.

use crate::symbols::places::Grid;
use crate::symbols::plan::{Lining, Plan};
use crate::symbols::plane::{Extent, Point};
use crate::symbols::swings::{saturated, wall};

/// Widths of a sliding panel and of a folding leaf, in inches.
const PANELS: std::ops::RangeInclusive<f32> = 13.0..=80.0;
const FOLDING: std::ops::RangeInclusive<f32> = 6.5..=28.0;
/// Leaves whose ends are so close fold there, in inches.
const MEETING: f32 = 1.3;
/// A panel or a leaf is drawn this thick, in inches.
const THICK: std::ops::RangeInclusive<f32> = 0.3..=3.2;
/// The width of a usual leaf, in inches: how far from an opening's end its wall is looked for.
const USUAL_LEAF: f32 = 34.0;
/// Panels and folds of a page that are looked at, and ends that are compared with one end.
const MOST: usize = 4_000;
const MOST_NEIGHBOURS: u32 = 24;

/// What may be a door, and how likely it is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panelled {
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
pub(crate) fn sliding(plan: &Plan, scale: f32) -> Vec<Panelled> {
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

/// Two panels that pass each other, as a door.
fn passing(plan: &Plan, one: &Strip, other: &Strip, scale: f32) -> Option<Panelled> {
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
    let ends = |end: Point, out: Point| {
        wall(plan, end, out, along.left(), radius).max(wall(plan, end, out, along.left() * -1.0, radius))
    };
    let (first_wall, last_wall) = (ends(a, along * -1.0), ends(b, along));
    // A window has its sill's lines on both sides, from end to end; the white that a wall is cut with has none.
    let beyond = aside.abs() / 2.0 + thick;
    let side = |left: f32, right: f32| plan.inked_along(a, b, Lining { left, right, beyond: f32::MAX }).covered;
    let (left, right) = (side(7.0 * scale, -beyond), side(-beyond, 7.0 * scale));
    let glazed = saturated(left.min(right), 0.7, 0.95);
    let extent = Extent::bounding([one.a, one.b, other.a, other.b]).grown(thick / 2.0);
    let walled = first_wall.min(0.75) + last_wall.min(0.75);
    // Most doors are drawn closed.
    let half_open = saturated(shared_part, 0.25, 0.4);
    Some(Panelled { extent, confidence: 0.45 + 0.3 * walled - 0.4 * glazed - 0.3 * half_open })
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

/// Whether a thin rectangle is closed at its ends, and not two lines that run on.
fn is_capped(plan: &Plan, strip: &Strip) -> bool {
    let along = (strip.b - strip.a).unit();
    let mut found = Vec::new();
    let mut capped = |end: Point| {
        let within = 0.3 * strip.thick + 0.3;
        plan.near(Extent::bounding([end]).grown(within), &mut found).any(|(_, segment)| {
            let way = segment.b - segment.a;
            let across = way.dot(along).abs() <= 0.2 * way.length() + 0.05;
            let fits = (way.length() - strip.thick).abs() <= 0.3 * strip.thick + 0.25;
            across && fits && ((segment.a + segment.b) * 0.5).to(end) <= within
        })
    };
    capped(strip.a) && capped(strip.b)
}

/// Two leaves that meet in a fold.
#[derive(Clone, Copy, Debug)]
struct Fold {
    apex: Point,
    /// Where the leaves end, in the opening.
    ends: [Point; 2],
    /// Wall or jamb beyond each of the ends.
    walls: [f32; 2],
    doubled: f32,
    closed: f32,
    /// The fold lies on a line along the opening: so does the point of the mark on an elevation's leaf that tells how it
    /// swings or opens, which lies on the leaf's other edge.
    marked: f32,
}

/// Finds doors of folding leaves, one pair or two in an opening.
pub(crate) fn folding(plan: &Plan, scale: f32) -> Vec<Panelled> {
    let folds = folds(plan, scale);
    let mut found: Vec<Panelled> = folds
        .iter()
        .map(|fold| {
            let walled = fold.walls[0].min(0.75) + fold.walls[1].min(0.75);
            let sum = -0.1 + 0.42 * fold.doubled + 0.28 * walled - 0.35 * fold.closed - 0.6 * fold.marked;
            Panelled { extent: Extent::bounding([fold.apex, fold.ends[0], fold.ends[1]]), confidence: sum }
        })
        .collect();
    let near = 30.0 * scale;
    for (index, one) in folds.iter().enumerate() {
        for other in folds.iter().skip(index + 1).take_while(|other| other.apex.x - one.apex.x <= 4.0 * near) {
            found.extend(facing(one, other));
        }
    }
    found
}

/// Two folds that face each other in one opening.
fn facing(one: &Fold, other: &Fold) -> Option<Panelled> {
    let base = |fold: &Fold| fold.ends[0].to(fold.ends[1]);
    let (small, large) = (base(one).min(base(other)), base(one).max(base(other)));
    let between = (other.apex - one.apex).unit();
    let along = (one.ends[1] - one.ends[0]).unit();
    let gap = one.apex.to(other.apex);
    let in_line = between.dot(along).abs() >= 0.985 && small >= 0.75 * large;
    if !in_line || gap < 0.9 * large || gap > 3.4 * large {
        return None;
    }
    let side = |fold: &Fold| along.cross(fold.apex - fold.ends[0]).signum();
    if side(one) != side(other) {
        return None;
    }
    // The outer ends stand at the jambs.
    let outer = |fold: &Fold, away: Point| {
        if (fold.ends[0] - fold.apex).dot(away) > 0.0 { fold.walls[0] } else { fold.walls[1] }
    };
    let walls = outer(one, between * -1.0) + outer(other, between);
    let closed = one.closed.max(other.closed);
    let marked = one.marked.max(other.marked);
    let extent = Extent::bounding([one.apex, one.ends[0], one.ends[1], other.apex, other.ends[0], other.ends[1]]);
    let confidence = 0.05 + 0.25 * (one.doubled + other.doubled) + 0.2 * walls - 0.35 * closed - 0.6 * marked;
    Some(Panelled { extent, confidence })
}

/// Finds pairs of equal leaves that meet at an angle, sorted by where they meet from left to right.
fn folds(plan: &Plan, scale: f32) -> Vec<Fold> {
    let reach = MEETING * scale;
    let mut leaves: Vec<(Point, Point)> = Vec::new();
    for segment in plan.segments.iter().filter(|segment| FOLDING.contains(&(segment.a.to(segment.b) / scale))) {
        leaves.extend([(segment.a, segment.b), (segment.b, segment.a)]);
    }
    let mut ends = Grid::new(reach, MOST_NEIGHBOURS);
    for (number, &(end, far)) in leaves.iter().enumerate() {
        ends.add(end, (number, end, far));
    }
    let around = |end: Point| ends.near(Extent::bounding([end]).grown(reach));
    let leads = |from: Point, to: Point| around(from).any(|(_, end, far)| end.to(from) <= reach && far.to(to) <= reach);
    // Four equal lines in a ring are a tag's diamond.
    let is_diamond = |fold: &Fold| {
        let opposite = fold.ends[0] + fold.ends[1] - fold.apex;
        leads(fold.ends[0], opposite) && leads(fold.ends[1], opposite)
    };
    let mut folds: Vec<Fold> = Vec::new();
    for (number, &(end, far)) in leaves.iter().enumerate() {
        for &(_, other_end, other_far) in around(end).filter(|(other, ..)| *other > number) {
            if folds.len() < MOST {
                let met = fold(plan, (end, far), (other_end, other_far), scale);
                folds.extend(met.filter(|fold| !is_diamond(fold)));
            }
        }
    }
    folds.sort_by(|a, b| a.apex.x.total_cmp(&b.apex.x).then(a.apex.y.total_cmp(&b.apex.y)));
    folds
}

/// Whether a line goes on beyond the fold, straight on from a leaf: two lines that cross are no leaves.
fn runs_on(plan: &Plan, fold: Point, way: Point, scale: f32) -> bool {
    let on = way.unit() * -1.0;
    let mut found = Vec::new();
    plan.near(Extent::bounding([fold]).grown(1.2 * scale), &mut found).any(|(_, segment)| {
        [segment.a, segment.b].into_iter().any(|point| {
            let beyond = point - fold;
            let along = (segment.b - segment.a).unit();
            let off = (segment.a - fold).cross(along).abs();
            beyond.dot(on) >= 3.0 * scale && along.dot(on).abs() >= 0.985 && off <= 1.2 * scale
        })
    })
}

fn fold(plan: &Plan, (end, far): (Point, Point), (other_end, other_far): (Point, Point), scale: f32) -> Option<Fold> {
    let (way, other_way) = (far - end, other_far - other_end);
    let (long, other_long) = (way.length(), other_way.length());
    let met = end.to(other_end) <= MEETING * scale;
    if !met || long.min(other_long) < 0.88 * long.max(other_long) {
        return None;
    }
    let angle = way.cross(other_way).atan2(way.dot(other_way)).abs();
    if !(0.6..=2.6).contains(&angle) {
        return None;
    }
    // A right angle along the page's axes is a corner.
    let square = |way: Point| way.x.abs().min(way.y.abs()) <= 0.05 * way.length();
    if square(way) && square(other_way) {
        return None;
    }
    let along = (other_far - far).unit();
    let away = if along.cross(end - far) > 0.0 { along.left() * -1.0 } else { along.left() };
    if runs_on(plan, end, way, scale) || runs_on(plan, other_end, other_way, scale) {
        return None;
    }
    let radius = USUAL_LEAF * scale;
    let walls = [wall(plan, far, along * -1.0, away, radius), wall(plan, other_far, along, away, radius)];
    if walls[0].max(walls[1]) < 0.4 {
        return None;
    }
    let doubled = |from: Point, to: Point| {
        let thick = THICK.end() * scale;
        let least = THICK.start() * scale;
        let side = |left: f32, right: f32| plan.along(from, to, Lining { left, right, beyond: 2.5 * scale }).covered;
        saturated(side(thick, -least).max(side(-least, thick)), 0.6, 0.9)
    };
    let across = Lining { left: 0.8 * scale, right: 0.8 * scale, beyond: 2.0 * scale };
    let closed = saturated(plan.along(far, other_far, across).covered, 0.6, 0.95);
    let doubled = doubled(end, far).min(doubled(other_end, other_far));
    let apex = (end + other_end) * 0.5;
    let half = along * (0.45 * far.to(other_far));
    let marked =
        saturated(plan.along(apex - half, apex + half, Lining { beyond: f32::MAX, ..across }).covered, 0.7, 0.95);
    Some(Fold { apex, ends: [far, other_far], walls, doubled, closed, marked })
}
