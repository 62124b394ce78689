//! How likely a candidate is a door: what its lines say and what the network says of its picture, weighed together.

use fanlight_detection::classifier::FusionCoefficients;
use fanlight_detection::classifier_input::{Class, Classification};
use fanlight_detection::symbols::{Door, DoorKind};
use fanlight_plugin::vocabulary::Rect;

/// Fitted by `cargo run --release -p eval --bin fit-score-fusion`, on drafted sheets of offices with mixed habits, and on a network that had learnt
/// half of these habits alone: what other offices draw is such as the network has not seen, and a fit on one that knows all
/// of it believes it too much. Of panels that pass each other and of what closes an opening these sheets hold next to nothing
/// that is none.
const SWINGING: FusionCoefficients = FusionCoefficients { bias: 0.87, detector: 0.85, classifier: 0.97 };
const SLIDING: FusionCoefficients = FusionCoefficients { bias: 0.51, detector: 1.35, classifier: 0.88 };
const FOLDING: FusionCoefficients = FusionCoefficients { bias: -2.17, detector: 1.58, classifier: 1.05 };
const CLOSING: FusionCoefficients = FusionCoefficients { bias: 1.10, detector: 0.97, classifier: 0.73 };
const STANDING: FusionCoefficients = FusionCoefficients { bias: 0.34, detector: 1.16, classifier: 0.76 };

/// What is likelier than this is rather a door than not.
const EVEN: f32 = 0.5;
/// A candidate is left to its lines where they speak less for a door than this: of the 1,377 doors of the drafted offices'
/// sheets the network detections none among those.
const MIN_CLASSIFIED: f32 = 0.2;
/// Candidates of a page that the network is asked about, the likeliest: a floor of a hospital has some 300 doors.
const MAX_CLASSIFIED: usize = 1_000;
/// A page with more open candidates than this is crowded. On a plan lines are sure of most doors; where they are sure of fewer
/// than one in so many of a crowd, arcs and strokes are anything but a plan's, of which the network saw none in training.
const CROWD: usize = 300;
const SURE_OF_CROWD: usize = 5;

/// How likely each candidate of a page is a door, from 0 to 1; the likeliest by their lines come first. `classifications` gives what
/// the network says of boxes: it is asked where it may change what a candidate is. Elsewhere, and where it has no classification, the
/// lines alone say.
pub fn confidences(doors: &[Door], classifications: impl FnOnce(&[Rect]) -> Vec<Option<Classification>>) -> Vec<f32> {
    let mut confidences: Vec<f32> = doors.iter().map(|door| door.confidence).collect();
    let open: Vec<(&Door, &mut f32)> =
        doors.iter().zip(&mut confidences).filter(|(door, _)| is_open(door)).take(MAX_CLASSIFIED).collect();
    let sure = open.iter().filter(|(door, _)| door.confidence > EVEN).count();
    if open.len() > CROWD && sure * SURE_OF_CROWD < open.len() {
        return confidences;
    }
    let boxes: Vec<Rect> = open.iter().map(|(door, _)| door.bbox).collect();
    for ((door, confidence), classification) in open.into_iter().zip(classifications(&boxes)) {
        if let Some(classification) = classification {
            *confidence = coefficients(door.kind).fuse(door.confidence, classification.likelihood(Class::is_door));
        }
    }
    confidences
}

/// Whether a candidate may be a door, as the network sees it.
fn is_open(door: &Door) -> bool {
    door.confidence >= MIN_CLASSIFIED && coefficients(door.kind).fuse(door.confidence, 1.0) > EVEN
}

fn coefficients(kind: DoorKind) -> FusionCoefficients {
    match kind {
        DoorKind::Single | DoorKind::Pair => SWINGING,
        DoorKind::Sliding => SLIDING,
        DoorKind::Folding => FOLDING,
        DoorKind::Leaf => STANDING,
        DoorKind::Pocket | DoorKind::Surface | DoorKind::Overhead | DoorKind::Accordion | DoorKind::Revolving => {
            CLOSING
        }
    }
}

#[cfg(test)]
mod tests {
    use fanlight_detection::classifier_input::CLASSES;

    use super::*;

    /// The network's classification where it is this sure of one class.
    fn classification(class: Class, odds: f32) -> Classification {
        let mut outputs = vec![0.0; 16];
        let place = CLASSES.iter().position(|known| *known == class).unwrap();
        outputs[place] = odds;
        Classification::from_logits(&outputs).unwrap()
    }

    fn door(kind: DoorKind, confidence: f32) -> Door {
        Door { kind, bbox: Rect { x1: 0.0, y1: 0.0, x2: 30.0, y2: 30.0 }, confidence }
    }

    #[test]
    fn the_network_decides_where_lines_leave_it_open_and_lines_alone_without_it() {
        for kind in [DoorKind::Single, DoorKind::Pair, DoorKind::Sliding, DoorKind::Folding, DoorKind::Overhead] {
            let open = [door(kind, 0.6)];
            let fused = |said: Option<Classification>| confidences(&open, |_| vec![said])[0];
            assert_eq!(fused(None), 0.6);
            assert!(fused(Some(classification(Class::DoubleDoor, 9.0))) > 0.5, "{kind:?}");
            assert!(fused(Some(classification(Class::Bathtub, 9.0))) < 0.5, "{kind:?}");
        }
    }

    #[test]
    fn the_network_is_asked_only_where_it_may_see_a_door() {
        let candidates = [
            (door(DoorKind::Single, 0.9), true),
            (door(DoorKind::Folding, 0.4), true),
            (door(DoorKind::Folding, 0.25), false),
            (door(DoorKind::Folding, 0.1), false),
            (door(DoorKind::Single, 0.25), true),
            (door(DoorKind::Single, 0.1), false),
        ];
        let (doors, asked): (Vec<Door>, Vec<bool>) = candidates.into_iter().unzip();
        let sure = classification(Class::SwingingDoor, 9.0);
        let fused = confidences(&doors, |boxes| vec![Some(sure.clone()); boxes.len()]);
        let changed: Vec<bool> = doors.iter().zip(&fused).map(|(door, fused)| door.confidence != *fused).collect();
        assert_eq!(changed, asked);
    }

    #[test]
    fn of_a_crowd_the_network_is_asked_about_the_likeliest_and_only_on_a_plan() {
        let cases = [
            ("a large plan", [300, 20], 320),
            ("no end of doors", [5_000, 0], MAX_CLASSIFIED),
            ("a few strokes", [0, 300], 300),
            ("no end of strokes", [60, 900], 0),
        ];
        for (what, [sure, unsure], expected) in cases {
            let likely = vec![door(DoorKind::Single, 0.9); sure];
            let unlikely = vec![door(DoorKind::Single, 0.3); unsure];
            let mut asked = 0;
            confidences(&[likely, unlikely].concat(), |boxes| {
                asked = boxes.len();
                Vec::new()
            });
            assert_eq!(asked, expected, "{what}");
        }
    }
}
