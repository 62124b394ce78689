//! How much of what a drafted scan shows is found.

use drafting::plan::{FixtureKind, Truth};
use fanlight_crops::Class;
use fanlight_finder::Find;

/// Left, bottom, right, top.
pub type Box4 = [f32; 4];

/// What is found where it should be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Symbols that are found.
    pub hit: usize,
    /// Symbols that are not.
    pub missed: usize,
    /// Finds that are none.
    pub wrong: usize,
}

impl Tally {
    /// Counts another sheet's as well.
    pub fn add(&mut self, other: Self) {
        self.hit += other.hit;
        self.missed += other.missed;
        self.wrong += other.wrong;
    }

    /// Of what is found, the share that is right.
    pub fn precision(self) -> f64 {
        self.hit as f64 / (self.hit + self.wrong).max(1) as f64
    }

    /// Of what is there, the share that is found.
    pub fn recall(self) -> f64 {
        self.hit as f64 / (self.hit + self.missed).max(1) as f64
    }

    /// The harmonic mean of both.
    pub fn f1(self) -> f64 {
        2.0 * self.hit as f64 / (2 * self.hit + self.missed + self.wrong).max(1) as f64
    }
}

/// What is looked for, as the endpoints do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Doors of all kinds.
    Doors,
    /// Water closets, squat pans and urinals.
    Toilets,
    /// All fixtures, toilets among them.
    Fixtures,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Doors, Self::Toilets, Self::Fixtures];

    /// Whether a class is of the group.
    pub fn has(self, class: Class) -> bool {
        match self {
            Self::Doors => class.is_door(),
            Self::Toilets => class.is_toilet(),
            Self::Fixtures => class.is_fixture(),
        }
    }

    /// The group's symbols on a sheet that the scanner turned by so many degrees.
    pub fn wanted(self, truth: &Truth, turn: f32) -> Vec<Box4> {
        let is_toilet = |kind| matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal);
        let boxes: Vec<Box4> = match self {
            Self::Doors => truth.doors.iter().map(|door| door.bbox).collect(),
            Self::Toilets => truth.fixtures.iter().filter(|own| is_toilet(own.kind)).map(|own| own.bbox).collect(),
            Self::Fixtures => truth.fixtures.iter().map(|own| own.bbox).collect(),
        };
        boxes.into_iter().map(|bbox| turned(bbox, truth, turn)).collect()
    }
}

/// A box moved as the scanner turns the page about its middle; so little that it keeps its shape.
pub fn turned(bbox: Box4, truth: &Truth, degrees: f32) -> Box4 {
    let [_, _, wide, high] = truth.media_box;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (dx, dy) = (f32::midpoint(bbox[0], bbox[2]) - wide / 2.0, f32::midpoint(bbox[1], bbox[3]) - high / 2.0);
    let (right, up) = (dx * cos - dy * sin - dx, dx * sin + dy * cos - dy);
    [bbox[0] + right, bbox[1] + up, bbox[2] + right, bbox[3] + up]
}

/// What two boxes have in common, over what either covers. Around a thin truth both are 4 points wider: a point's
/// difference would decide.
pub fn overlap(found: Box4, truth: Box4) -> f32 {
    let thin = (truth[2] - truth[0]).min(truth[3] - truth[1]) < 12.0;
    let by = if thin { 4.0 } else { 0.0 };
    let grown = |b: Box4| [b[0] - by, b[1] - by, b[2] + by, b[3] + by];
    let area = |b: Box4| (b[2] - b[0]).max(0.0) * (b[3] - b[1]).max(0.0);
    let (a, b) = (grown(found), grown(truth));
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both / (area(a) + area(b) - both).max(0.01)
}

/// For each find whether it is right; none where it is of what is uncertain. And how many symbols are not found.
pub fn matched(finds: &[Box4], wanted: &[Box4], uncertain: &[Box4]) -> (Vec<Option<bool>>, usize) {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (index, find) in finds.iter().enumerate() {
        pairs.extend(wanted.iter().enumerate().map(|(place, truth)| (overlap(*find, *truth), index, place)));
    }
    pairs.retain(|(common, ..)| *common >= 0.5);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut right, mut met) = (vec![false; finds.len()], vec![false; wanted.len()]);
    for (_, index, place) in pairs {
        if !right[index] && !met[place] {
            (right[index], met[place]) = (true, true);
        }
    }
    let is_unclear = |find: &Box4| uncertain.iter().any(|thing| overlap(*find, *thing) >= 0.5);
    let judged = finds.iter().zip(right).map(|(find, right)| (right || !is_unclear(find)).then_some(right));
    (judged.collect(), met.iter().filter(|met| !**met).count())
}

/// How much of a group is found above even odds.
pub fn tally(finds: &[Find], group: Group, truth: &Truth, turn: f32) -> Tally {
    let sure = finds.iter().filter(|find| group.has(find.class) && find.confidence > 0.5);
    let found: Vec<Box4> = sure.map(|find| [find.bbox.x1, find.bbox.y1, find.bbox.x2, find.bbox.y2]).collect();
    let uncertain: Vec<Box4> = truth.uncertain.iter().map(|thing| turned(thing.bbox, truth, turn)).collect();
    let (judged, missed) = matched(&found, &group.wanted(truth, turn), &uncertain);
    let count = |wanted: bool| judged.iter().filter(|right| **right == Some(wanted)).count();
    Tally { hit: count(true), missed, wrong: count(false) }
}
