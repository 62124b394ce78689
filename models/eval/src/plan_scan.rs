//! Detections compared with the truth of a scanned plan.

use drafting::plan::{FixtureKind, Truth};
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::Class;
use fanlight_detection::detector::Detection;
use scoring::{Tally, match_boxes, rect};

/// The groups of symbols that the endpoints detect.
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
    /// All groups.
    pub const ALL: [Self; 3] = [Self::Doors, Self::Toilets, Self::Fixtures];

    /// Returns whether a class belongs to the group.
    pub fn has(self, class: Class) -> bool {
        match self {
            Self::Doors => class.is_door(),
            Self::Toilets => class.is_toilet(),
            Self::Fixtures => class.is_fixture(),
        }
    }

    /// Returns the group's symbols on a sheet that the scanner rotated by `skew` degrees.
    pub fn truths(self, truth: &Truth, skew: f32) -> Vec<Rect> {
        let is_toilet = |kind| matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal);
        let boxes: Vec<[f32; 4]> = match self {
            Self::Doors => truth.doors.iter().map(|door| door.bbox).collect(),
            Self::Toilets => truth.fixtures.iter().filter(|own| is_toilet(own.kind)).map(|own| own.bbox).collect(),
            Self::Fixtures => truth.fixtures.iter().map(|own| own.bbox).collect(),
        };
        boxes.into_iter().map(|bbox| rotated(rect(bbox), truth, skew)).collect()
    }
}

/// Moves a box as the scanner rotates the page about its centre. The skew is so small that the box keeps its shape.
fn rotated(bbox: Rect, truth: &Truth, degrees: f32) -> Rect {
    let [_, _, width, height] = truth.media_box;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (dx, dy) = (f32::midpoint(bbox.x1, bbox.x2) - width / 2.0, f32::midpoint(bbox.y1, bbox.y2) - height / 2.0);
    let (right, up) = (dx * cos - dy * sin - dx, dx * sin + dy * cos - dy);
    Rect { x1: bbox.x1 + right, y1: bbox.y1 + up, x2: bbox.x2 + right, y2: bbox.y2 + up }
}

/// Counts the detections of a group with a confidence above 0.5.
pub fn tally(detections: &[Detection], group: Group, truth: &Truth, skew: f32) -> Tally {
    let likely = detections.iter().filter(|detection| group.has(detection.class) && detection.confidence > 0.5);
    let boxes: Vec<Rect> = likely.map(|detection| detection.bbox).collect();
    match_boxes(&boxes, &group.truths(truth, skew), &uncertain(truth, skew)).tally()
}

/// Returns what counts neither way on a sheet that the scanner rotated by `skew` degrees.
pub fn uncertain(truth: &Truth, skew: f32) -> Vec<Rect> {
    truth.uncertain.iter().map(|thing| rotated(rect(thing.bbox), truth, skew)).collect()
}
