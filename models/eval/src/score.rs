//! How much of what a drafted scan shows is found.

use drafting::plan::{FixtureKind, Truth};
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::Class;
use fanlight_detection::detector::Detection;
use scoring::{Tally, match_boxes, rect};

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
    pub fn wanted(self, truth: &Truth, turn: f32) -> Vec<Rect> {
        let is_toilet = |kind| matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal);
        let boxes: Vec<[f32; 4]> = match self {
            Self::Doors => truth.doors.iter().map(|door| door.bbox).collect(),
            Self::Toilets => truth.fixtures.iter().filter(|own| is_toilet(own.kind)).map(|own| own.bbox).collect(),
            Self::Fixtures => truth.fixtures.iter().map(|own| own.bbox).collect(),
        };
        boxes.into_iter().map(|bbox| turned(rect(bbox), truth, turn)).collect()
    }
}

/// A box moved as the scanner turns the page about its middle; so little that it keeps its shape.
fn turned(bbox: Rect, truth: &Truth, degrees: f32) -> Rect {
    let [_, _, wide, high] = truth.media_box;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (dx, dy) = (f32::midpoint(bbox.x1, bbox.x2) - wide / 2.0, f32::midpoint(bbox.y1, bbox.y2) - high / 2.0);
    let (right, up) = (dx * cos - dy * sin - dx, dx * sin + dy * cos - dy);
    Rect { x1: bbox.x1 + right, y1: bbox.y1 + up, x2: bbox.x2 + right, y2: bbox.y2 + up }
}

/// How much of a group is found above even odds.
pub fn tally(detections: &[Detection], group: Group, truth: &Truth, turn: f32) -> Tally {
    let sure = detections.iter().filter(|detection| group.has(detection.class) && detection.confidence > 0.5);
    let found: Vec<Rect> = sure.map(|detection| detection.bbox).collect();
    match_boxes(&found, &group.wanted(truth, turn), &unclear(truth, turn)).tally()
}

/// What counts neither way on a sheet that the scanner turned by so many degrees.
pub fn unclear(truth: &Truth, turn: f32) -> Vec<Rect> {
    truth.uncertain.iter().map(|thing| turned(rect(thing.bbox), truth, turn)).collect()
}
