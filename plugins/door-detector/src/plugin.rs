//! The model that the host runs: detects candidates page by page, and filters them at each read.

use fanlight_detection::classifier::Classifier;
use fanlight_detection::detector::{Detection, Detector};
use fanlight_detection::symbols::Plan;
use fanlight_plugin::vocabulary::{PagePaths, Rect};
use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel, pdf};

use crate::filter;
use crate::fusion;
use crate::result::{Candidate, Doors};

/// Finds the doors of floor plans.
#[derive(Default)]
pub struct DoorDetector {
    classifier: Classifier,
    detector: Detector,
}

impl PageModel for DoorDetector {
    type Parameters = NoParameters;
    type Item = Candidate;
    type Outcome = Doors;

    const NAME: &'static str = "door-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the doors of floor plans.";
    const PRESENTS: bool = true;

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Candidate>, Failure> {
        let paths = page.content.paths();
        let found = match self.detector.detections(&page.content, paths.ops.len(), &self.classifier) {
            Some(detections) => from_detections(&detections),
            None => from_lines(&page.content, &paths, &self.classifier),
        };
        let candidates = found.into_iter().map(|(bbox, confidence)| Candidate {
            id: page.identifier("door", bbox),
            page: page.number,
            bbox: bbox.into(),
            confidence,
        });
        let mut candidates: Vec<Candidate> = candidates.collect();
        candidates.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        Ok(candidates)
    }

    fn present(stored: Doors) -> Result<Doors, Failure> {
        let doors = filter::doors(&stored.candidates);
        Ok(Doors { doors_found: doors.len(), doors, candidates: Vec::new(), ..stored })
    }
}

impl From<PageItems<Candidate>> for Doors {
    fn from(found: PageItems<Candidate>) -> Self {
        Self { candidates: found.items, pages_analyzed: found.pages_analyzed, ..Self::default() }
    }
}

/// Returns the door candidates of a scanned page, with their confidences.
fn from_detections(detections: &[Detection]) -> Vec<(Rect, f32)> {
    let doors = detections.iter().filter(|detection| detection.class.is_door());
    doors.map(|door| (door.bbox, door.confidence)).collect()
}

/// Returns the door candidates of a page that is drawn with lines, with their confidences.
///
/// The detector network does not look at them: fused with it, more doors are right, but the mean over offices is lower (see
/// `docs/detection.md`).
fn from_lines(page: &pdf::Page, paths: &PagePaths, classifier: &Classifier) -> Vec<(Rect, f32)> {
    let doors = Plan::read(paths, &page.text(), &page.geometry()).doors();
    let confidences = fusion::confidences(&doors, |boxes| classifier.classify(page, boxes));
    doors.iter().map(|door| door.bbox).zip(confidences).collect()
}

fanlight_plugin::export_model!(DoorDetector);

#[cfg(test)]
mod tests {
    use fanlight_plugin::BoundingBox;

    use super::*;

    #[test]
    fn clients_read_doors_without_candidates() {
        let candidate = |confidence: f32| Candidate {
            id: format!("door_{confidence}"),
            page: 1,
            bbox: BoundingBox { x1: 0.0, y1: 0.0, x2: 30.0, y2: 30.0 },
            confidence,
        };
        let stored = Doors { candidates: vec![candidate(0.9), candidate(0.2)], pages_analyzed: 1, ..Doors::default() };
        let read = serde_json::to_value(DoorDetector::present(stored).unwrap()).unwrap();
        let bbox = serde_json::json!({ "x1": 0.0, "y1": 0.0, "x2": 30.0, "y2": 30.0 });
        let door = serde_json::json!({ "id": "door_0.9", "page": 1, "bbox": bbox });
        assert_eq!(read, serde_json::json!({ "doors": [door], "doors_found": 1, "pages_analyzed": 1 }));
    }
}
