//! The plumbing fixtures of a page, as `fixture-detector` and `toilet-detector` list them.
//!
//! [`symbols`](crate::symbols) proposes outlines from a page's lines, and the [`classifier`](crate::classifier) looks at each
//! candidate's raster. `fusion` combines the scores, and [`repeats`](crate::repeats) lets equal copies of a symbol share them.
//! On a scan the [`detector`](crate::detector) proposes the candidates.

mod fusion;

use std::cell::LazyCell;

use crate::classifier::Classifier;
use crate::detector::{Detection, Detector};
use crate::repeats::DrawnLines;
use crate::symbols::{Fixture, Plan};
use fanlight_plugin::pdf;
use fanlight_plugin::vocabulary::Rect;

use fusion::fixture_kind;
pub use fusion::{COEFFICIENTS, COEFFICIENTS_ON_LINES, FixtureEvidence, evidence, fused, fused_evidence};

/// Candidates from this confidence on are listed. The API's specification says that those up to 0.5 may need manual review.
pub const MIN_LISTED_CONFIDENCE: f32 = 0.12;

/// Detects the fixtures of a page that are to be listed, the most confident first and without overlaps.
///
/// Without the classifier's network, confidences follow from lines and the detector. Without the detector's network they
/// follow from lines and the classifier, and a scan has no fixtures.
pub fn detect(page: &pdf::Page, classifier: &Classifier, detector: &Detector) -> Vec<Fixture> {
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    if let Some(detections) = detector.detections(page, paths.ops.len(), classifier) {
        return from_detections(&detections);
    }
    let plan = Plan::read(&paths, &text, &geometry);
    let scales = plan.scales();
    let mut candidates = plan.fixture_candidates(&scales);
    let detections = detector.detections_on_lines(page, paths.ops.len(), &scales);
    let mut fixtures: Vec<Detection> = detections.iter().flatten().copied().collect();
    fixtures.retain(|detection| detection.class.is_fixture());
    if !candidates.iter().any(Fixture::is_possible) && fixtures.is_empty() {
        return Vec::new();
    }
    let classify = |boxes: &[Rect]| classifier.classify(page, boxes);
    let mut found = if detections.is_some() {
        let lines = LazyCell::new(|| DrawnLines::of_plan(&plan));
        let copies = |bbox: Rect| lines.places_like(bbox);
        fused_evidence(&evidence(&candidates, &fixtures, classify), &COEFFICIENTS_ON_LINES, copies)
    } else {
        candidates.retain(Fixture::is_possible);
        let boxes: Vec<Rect> = candidates.iter().map(|candidate| candidate.bbox).collect();
        fused(candidates, &classify(&boxes), COEFFICIENTS)
    };
    found.retain(is_listed);
    found
}

/// Returns the fixtures to list among the detections on a scan.
fn from_detections(detections: &[Detection]) -> Vec<Fixture> {
    let fixtures = detections.iter().filter_map(|detection| {
        Some(Fixture { kind: fixture_kind(detection.class)?, bbox: detection.bbox, confidence: detection.confidence })
    });
    fixtures.filter(is_listed).collect()
}

fn is_listed(candidate: &Fixture) -> bool {
    candidate.confidence >= MIN_LISTED_CONFIDENCE
}

/// Rounds a candidate's confidence to thousandths without moving it across 0.5, where manual review begins.
pub fn rounded(candidate: &Fixture) -> f64 {
    let thousandths = (f64::from(candidate.confidence) * 1000.0).round();
    let thousandths = if candidate.is_likely() { thousandths.max(501.0) } else { thousandths.min(499.0) };
    thousandths / 1000.0
}

#[cfg(test)]
mod tests {
    use crate::classifier_input::Class;

    use super::*;

    fn find(class: Class, confidence: f32) -> Detection {
        Detection { class, bbox: Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 20.0 }, confidence }
    }

    #[test]
    fn candidates_are_listed_from_the_review_threshold_on() {
        let detections = [(Class::Urinal, 0.9), (Class::Sink, 0.12), (Class::Sink, 0.11), (Class::SwingingDoor, 0.9)];
        let listed = from_detections(&detections.map(|(class, confidence)| find(class, confidence)));
        assert_eq!(listed.iter().map(|own| own.confidence).collect::<Vec<_>>(), [0.9, 0.12]);
    }

    #[test]
    fn rounding_keeps_the_side_of_one_half() {
        let cases = [(0.9, 0.9), (0.500_3, 0.501), (0.5, 0.499), (0.499_7, 0.499), (0.120_4, 0.12)];
        for (confidence, expected) in cases {
            let candidate = from_detections(&[find(Class::Sink, confidence)]);
            assert_eq!(candidate.first().map(rounded), Some(expected), "{confidence}");
        }
    }
}
