//! Score fusion for doors: confidence from a candidate's lines and its classification.

use fanlight_detection::classifier::FusionCoefficients;
use fanlight_detection::classifier_input::{Class, Classification};
use fanlight_detection::symbols::{Door, DoorSymbol};
use fanlight_plugin::vocabulary::Rect;

/// Coefficients of the ways in which doors move, fitted by `cargo run --release -p eval --bin fit-score-fusion` on synthetic
/// sheets with mixed styles.
///
/// The network of that fit had learnt half of these styles only. Most offices' drawings are new to the network too;
/// coefficients fitted on a network that knows all styles trust it more than real sheets justify. Of sliding and closing
/// doors these sheets hold next to no false candidates.
const SWINGING: FusionCoefficients = FusionCoefficients { bias: 0.87, detector: 0.85, classifier: 0.97 };
/// The same for panels that pass each other.
const SLIDING: FusionCoefficients = FusionCoefficients { bias: 0.51, detector: 1.35, classifier: 0.88 };
/// The same for leaves that fold.
const FOLDING: FusionCoefficients = FusionCoefficients { bias: -2.17, detector: 1.58, classifier: 1.05 };
/// The same for doors that slide into the wall or go up.
const CLOSING: FusionCoefficients = FusionCoefficients { bias: 1.10, detector: 0.97, classifier: 0.73 };

/// Candidates above this confidence are doors.
const LIKELY: f32 = 0.5;
/// Candidates below this confidence are not classified: of the 1,377 doors on sheets of the named styles, the network detects
/// none among them.
const MIN_CLASSIFIED: f32 = 0.2;
/// Most candidates of a page that are classified, the most confident first: a hospital floor has some 300 doors.
const MAX_CLASSIFIED: usize = 1_000;
/// A page with more candidates to classify than this is crowded.
const CROWD: usize = 300;
/// A crowded page is a plan only if at least one in this many candidates is likely by its lines. Otherwise its arcs and
/// strokes are those of something that the network has not seen in training, and nothing is classified.
const LIKELY_SHARE: usize = 5;

/// Returns the confidence of each candidate of a page; the candidates are sorted by their confidence by lines.
///
/// `classify` classifies boxes. It is called for the candidates that classification may change; the others, and those
/// without a classification, keep their confidence by lines.
pub fn confidences(doors: &[Door], classify: impl FnOnce(&[Rect]) -> Vec<Option<Classification>>) -> Vec<f32> {
    let mut confidences: Vec<f32> = doors.iter().map(|door| door.confidence).collect();
    let open: Vec<(&Door, &mut f32)> =
        doors.iter().zip(&mut confidences).filter(|(door, _)| is_open(door)).take(MAX_CLASSIFIED).collect();
    let likely = open.iter().filter(|(door, _)| door.confidence > LIKELY).count();
    if open.len() > CROWD && likely * LIKELY_SHARE < open.len() {
        return confidences;
    }
    let boxes: Vec<Rect> = open.iter().map(|(door, _)| door.bbox).collect();
    for ((door, confidence), classification) in open.into_iter().zip(classify(&boxes)) {
        if let Some(classification) = classification {
            *confidence = coefficients(door.kind).fuse(door.confidence, classification.likelihood(Class::is_door));
        }
    }
    confidences
}

/// Returns whether a candidate may be a door, depending on its classification.
fn is_open(door: &Door) -> bool {
    door.confidence >= MIN_CLASSIFIED && coefficients(door.kind).fuse(door.confidence, 1.0) > LIKELY
}

/// Returns the coefficients of a kind of door.
fn coefficients(kind: DoorSymbol) -> FusionCoefficients {
    match kind {
        DoorSymbol::OneSwing | DoorSymbol::SeveralSwings => SWINGING,
        DoorSymbol::Sliding => SLIDING,
        DoorSymbol::Folding => FOLDING,
        DoorSymbol::Pocket => CLOSING,
    }
}

#[cfg(test)]
mod tests {
    use fanlight_detection::classifier_input::CLASSES;

    use super::*;

    /// Returns a classification with these log-odds for one class.
    fn classification(class: Class, odds: f32) -> Classification {
        let mut outputs = vec![0.0; 16];
        let place = CLASSES.iter().position(|known| *known == class).unwrap();
        outputs[place] = odds;
        Classification::from_logits(&outputs).unwrap()
    }

    fn door(kind: DoorSymbol, confidence: f32) -> Door {
        Door { kind, bbox: Rect { x1: 0.0, y1: 0.0, x2: 30.0, y2: 30.0 }, confidence }
    }

    #[test]
    fn the_classifier_decides_uncertain_candidates() {
        for kind in [
            DoorSymbol::OneSwing,
            DoorSymbol::SeveralSwings,
            DoorSymbol::Sliding,
            DoorSymbol::Folding,
            DoorSymbol::Pocket,
        ] {
            let open = [door(kind, 0.6)];
            let fused = |said: Option<Classification>| confidences(&open, |_| vec![said])[0];
            assert_eq!(fused(None), 0.6);
            assert!(fused(Some(classification(Class::DoubleDoor, 9.0))) > 0.5, "{kind:?}");
            assert!(fused(Some(classification(Class::Bathtub, 9.0))) < 0.5, "{kind:?}");
        }
    }

    #[test]
    fn only_uncertain_candidates_are_classified() {
        let candidates = [
            (door(DoorSymbol::OneSwing, 0.9), true),
            (door(DoorSymbol::Folding, 0.4), true),
            (door(DoorSymbol::Folding, 0.25), false),
            (door(DoorSymbol::Folding, 0.1), false),
            (door(DoorSymbol::OneSwing, 0.25), true),
            (door(DoorSymbol::OneSwing, 0.1), false),
        ];
        let (doors, asked): (Vec<Door>, Vec<bool>) = candidates.into_iter().unzip();
        let sure = classification(Class::SwingingDoor, 9.0);
        let fused = confidences(&doors, |boxes| vec![Some(sure.clone()); boxes.len()]);
        let changed: Vec<bool> = doors.iter().zip(&fused).map(|(door, fused)| door.confidence != *fused).collect();
        assert_eq!(changed, asked);
    }

    #[test]
    fn crowded_pages_are_classified_only_if_they_are_plans() {
        let cases = [
            ("a large plan", [300, 20], 320),
            ("no end of doors", [5_000, 0], MAX_CLASSIFIED),
            ("a few strokes", [0, 300], 300),
            ("no end of strokes", [60, 900], 0),
        ];
        for (what, [sure, unsure], expected) in cases {
            let likely = vec![door(DoorSymbol::OneSwing, 0.9); sure];
            let unlikely = vec![door(DoorSymbol::OneSwing, 0.3); unsure];
            let mut asked = 0;
            confidences(&[likely, unlikely].concat(), |boxes| {
                asked = boxes.len();
                Vec::new()
            });
            assert_eq!(asked, expected, "{what}");
        }
    }
}
