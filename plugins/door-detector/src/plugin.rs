//! The model that the host runs: pages from the engine, candidates from the drawing, the filter at every read.

use fanlight_detection::classifier::Classifier;
use fanlight_detection::detector::{Detection, Detector};
use fanlight_plugin::vocabulary::{PagePaths, Rect};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::building;
use crate::filter;
use crate::fusion;
use crate::result::{Candidate, Doors};

/// Finds the doors of floor plans.
pub struct DoorDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for DoorDetector {
    type Parameters = Parameters;
    type Partial = Vec<Candidate>;
    type Outcome = Doors;

    const PRESENTS: bool = true;

    fn description() -> Description {
        Description {
            name: "door-detector",
            version: "1.0.0",
            summary: "Finds the doors of floor plans.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Candidate>, Failure> {
        let document = pdf::Document::open()?;
        let (classifier, detector) = (Classifier::default(), Detector::default());
        let total = request.pages.len();
        let mut candidates = Vec::new();
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Analyzing page {number}"));
            let page = document.page(number)?;
            let paths = page.paths();
            let found = match detector.detections(&page, paths.ops.len(), &classifier) {
                Some(detections) => from_detections(&detections),
                None => from_lines(&page, &paths, &classifier),
            };
            let mut of_page: Vec<Candidate> = found
                .into_iter()
                .map(|(bbox, confidence)| Candidate {
                    id: identifier("door", &request.document_sha256, number, bbox),
                    page: number,
                    bbox: bbox.into(),
                    confidence,
                })
                .collect();
            of_page.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
            candidates.extend(of_page);
        }
        Ok(candidates)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Vec<Candidate>>) -> Result<Doors, Failure> {
        let candidates = partials.into_iter().flatten().collect();
        Ok(Doors { candidates, pages_analyzed: request.pages.len(), ..Doors::default() })
    }

    fn present(stored: Doors) -> Result<Doors, Failure> {
        let doors = filter::doors(&stored.candidates);
        Ok(Doors { doors_found: doors.len(), doors, candidates: Vec::new(), ..stored })
    }
}

/// What may be doors of a page that is a picture, each with how likely it is one.
fn from_detections(detections: &[Detection]) -> Vec<(Rect, f32)> {
    detections
        .iter()
        .filter(|detection| detection.class.is_door())
        .map(|detection| (detection.bbox, detection.confidence))
        .collect()
}

/// What may be doors by a page's lines, each with how likely it is one.
fn from_lines(page: &pdf::Page, paths: &PagePaths, classifier: &Classifier) -> Vec<(Rect, f32)> {
    let doors = building::doors(paths, &page.text(), &page.geometry());
    let confidences = fusion::confidences(&doors, |boxes| classifier.classify(page, boxes));
    doors.iter().map(|door| door.bbox).zip(confidences).collect()
}

fanlight_plugin::export_model!(DoorDetector);

#[cfg(test)]
mod tests {
    use fanlight_plugin::{BoundingBox, Model};

    use super::*;

    #[test]
    fn clients_read_doors_and_nothing_of_what_was_filtered_out() {
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
