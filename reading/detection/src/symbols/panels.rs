//! Doors without a swing: panels that pass each other in an opening, and leaves that fold.
//!
//! Constants without a source are set by hand.

use crate::symbols::drawing::Segment;
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
/// Least ratio of the lengths of two leaves that fold.
const ALIKE: f32 = 0.88;
/// Angles between two leaves that fold, in radians: 34 to 149 degrees.
const ANGLES: std::ops::RangeInclusive<f32> = 0.6..=2.6;
/// Sine of the most angle between a leaf and an axis of the page along which it runs: 3 degrees.
const SQUARE: f32 = 0.05;
/// A line continues a leaf if it is in line within this, in inches, reaches so many inches beyond, and has this cosine: 10
/// degrees.
const OFF_LINE: f32 = 1.2;
const MIN_BEYOND: f32 = 3.0;
const IN_LINE: f32 = 0.985;
/// Least wall at one of the ends, as [`wall`] measures it.
const MIN_WALL: f32 = 0.4;
/// A line closes the opening within this of its ends' line, in inches, and ends no farther beyond than that.
const BESIDE: f32 = 0.8;
const BEYOND_OPENING: f32 = 2.0;
/// A leaf's other face ends no farther beyond it than this, in inches.
const BEYOND_LEAF: f32 = 2.5;
/// Half of the line through the apex along which a mark is looked for, as a share of the opening.
const MARKED_HALF: f32 = 0.45;
/// Shares that lines cover, from surely not to surely: of the opening, of the line through the apex, of a leaf's other face.
const CLOSED_SHARES: [f32; 2] = [0.6, 0.95];
const MARKED_SHARES: [f32; 2] = [0.7, 0.95];
const DOUBLED_SHARES: [f32; 2] = [0.6, 0.9];
/// Panels and folds of a page that are looked at, and ends that are compared with one end.
const MOST: usize = 4_000;
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
pub(crate) fn sliding(plan: &Plan, scale: f32) -> Vec<ScoredExtent> {
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
pub(crate) fn folding(plan: &Plan, scale: f32) -> Vec<ScoredExtent> {
    let folds = folds(plan, scale);
    let mut found: Vec<ScoredExtent> = folds
        .iter()
        .map(|fold| {
            let walled = fold.walls[0].min(0.75) + fold.walls[1].min(0.75);
            let sum = -0.1 + 0.42 * fold.doubled + 0.28 * walled - 0.35 * fold.closed - 0.6 * fold.marked;
            ScoredExtent { extent: Extent::bounding([fold.apex, fold.ends[0], fold.ends[1]]), confidence: sum }
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
fn facing(one: &Fold, other: &Fold) -> Option<ScoredExtent> {
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
    Some(ScoredExtent { extent, confidence })
}

/// A line that may be a leaf, from one of its ends.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    end: Point,
    far: Point,
}

impl Leaf {
    fn way(&self) -> Point {
        self.far - self.end
    }

    /// Whether it runs along one of the page's axes.
    fn is_square(&self) -> bool {
        let way = self.way();
        way.x.abs().min(way.y.abs()) <= SQUARE * way.length()
    }
}

/// Lines that may be leaves, from either end, by where they end.
struct Leaves {
    all: Vec<Leaf>,
    /// Indices in `all`.
    by_end: Grid<usize>,
    /// Ends so close meet, in points.
    reach: f32,
}

impl Leaves {
    fn new(plan: &Plan, scale: f32) -> Self {
        let is_leaf = |segment: &&Segment| FOLDING.contains(&(segment.a.to(segment.b) / scale));
        let both =
            |segment: &Segment| [Leaf { end: segment.a, far: segment.b }, Leaf { end: segment.b, far: segment.a }];
        let all: Vec<Leaf> = plan.segments.iter().filter(is_leaf).flat_map(both).collect();
        let reach = MEETING * scale;
        let mut by_end = Grid::new(reach, MOST_NEIGHBOURS);
        for (number, leaf) in all.iter().enumerate() {
            by_end.add(leaf.end, number);
        }
        Self { all, by_end, reach }
    }

    /// Returns the numbers of the leaves that end near a place.
    fn around(&self, place: Point) -> impl Iterator<Item = usize> {
        self.by_end.near(Extent::bounding([place]).grown(self.reach)).copied()
    }

    /// Whether a leaf leads from one place to another.
    fn lead(&self, from: Point, to: Point) -> bool {
        let mut leaves = self.around(from).filter_map(|number| self.all.get(number));
        leaves.any(|leaf| leaf.end.to(from) <= self.reach && leaf.far.to(to) <= self.reach)
    }

    /// Whether a fold is half of four equal lines in a ring: a tag's diamond.
    fn have_diamond(&self, fold: &Fold) -> bool {
        let opposite = fold.ends[0] + fold.ends[1] - fold.apex;
        self.lead(fold.ends[0], opposite) && self.lead(fold.ends[1], opposite)
    }
}

/// Returns pairs of equal leaves that meet at an angle, sorted by where they meet from left to right.
fn folds(plan: &Plan, scale: f32) -> Vec<Fold> {
    let leaves = Leaves::new(plan, scale);
    let mut folds: Vec<Fold> = Vec::new();
    for (number, leaf) in leaves.all.iter().enumerate() {
        for other in leaves.around(leaf.end).filter(|other| *other > number) {
            if folds.len() < MOST {
                let met = fold(plan, leaf, &leaves.all[other], scale);
                folds.extend(met.filter(|fold| !leaves.have_diamond(fold)));
            }
        }
    }
    folds.sort_by(|a, b| a.apex.x.total_cmp(&b.apex.x).then(a.apex.y.total_cmp(&b.apex.y)));
    folds
}

/// Whether a line continues beyond the fold, straight on from a leaf: two lines that cross are no leaves.
fn runs_on(plan: &Plan, leaf: &Leaf, scale: f32) -> bool {
    let on = leaf.way().unit() * -1.0;
    let off_line = OFF_LINE * scale;
    let mut found = Vec::new();
    plan.near(Extent::bounding([leaf.end]).grown(off_line), &mut found).any(|(_, segment)| {
        [segment.a, segment.b].into_iter().any(|point| {
            let beyond = point - leaf.end;
            let along = (segment.b - segment.a).unit();
            let off = (segment.a - leaf.end).cross(along).abs();
            beyond.dot(on) >= MIN_BEYOND * scale && along.dot(on).abs() >= IN_LINE && off <= off_line
        })
    })
}

/// Returns the fold of two leaves that meet, if they are alike, at an angle, and end at a wall.
fn fold(plan: &Plan, leaf: &Leaf, other: &Leaf, scale: f32) -> Option<Fold> {
    let (way, other_way) = (leaf.way(), other.way());
    let (long, other_long) = (way.length(), other_way.length());
    let meet = leaf.end.to(other.end) <= MEETING * scale;
    if !meet || long.min(other_long) < ALIKE * long.max(other_long) {
        return None;
    }
    let angle = way.cross(other_way).atan2(way.dot(other_way)).abs();
    // A right angle along the page's axes is a corner.
    if !ANGLES.contains(&angle) || (leaf.is_square() && other.is_square()) {
        return None;
    }
    if runs_on(plan, leaf, scale) || runs_on(plan, other, scale) {
        return None;
    }
    let along = (other.far - leaf.far).unit();
    let away = if along.cross(leaf.end - leaf.far) > 0.0 { along.left() * -1.0 } else { along.left() };
    let radius = USUAL_LEAF * scale;
    let walls = [wall(plan, leaf.far, along * -1.0, away, radius), wall(plan, other.far, along, away, radius)];
    if walls[0].max(walls[1]) < MIN_WALL {
        return None;
    }
    let across = Lining { left: BESIDE * scale, right: BESIDE * scale, beyond: BEYOND_OPENING * scale };
    let [open, closed] = CLOSED_SHARES;
    let closed = saturated(plan.along(leaf.far, other.far, across).covered, open, closed);
    let apex = (leaf.end + other.end) * 0.5;
    let half = along * (MARKED_HALF * leaf.far.to(other.far));
    let through = plan.along(apex - half, apex + half, Lining { beyond: f32::MAX, ..across }).covered;
    let [unmarked, marked] = MARKED_SHARES;
    Some(Fold {
        apex,
        ends: [leaf.far, other.far],
        walls,
        doubled: doubled(plan, leaf, scale).min(doubled(plan, other, scale)),
        closed,
        marked: saturated(through, unmarked, marked),
    })
}

/// Returns how sure it is that a leaf is drawn with two faces, from 0 to 1.
fn doubled(plan: &Plan, leaf: &Leaf, scale: f32) -> f32 {
    let (least, thick) = (THICK.start() * scale, THICK.end() * scale);
    let beside = |left: f32, right: f32| {
        plan.along(leaf.end, leaf.far, Lining { left, right, beyond: BEYOND_LEAF * scale }).covered
    };
    let [single, double] = DOUBLED_SHARES;
    saturated(beside(thick, -least).max(beside(-least, thick)), single, double)
}
