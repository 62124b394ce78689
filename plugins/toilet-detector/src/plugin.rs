//! The model that the host runs: pages from the engine, toilets from the drawing.

use fanlight_detection::classifier::Classifier;
use fanlight_detection::detector::Detector;
use fanlight_detection::fixtures::rounded;
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::result::{Toilet, Toilets};

/// Finds the water closets, squat pans and urinals of floor plans.
pub struct ToiletDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for ToiletDetector {
    type Parameters = Parameters;
    type Partial = Vec<Toilet>;
    type Outcome = Toilets;

    fn description() -> Description {
        Description {
            name: "toilet-detector",
            version: "1.0.0",
            summary: "Finds the water closets, squat pans and urinals of floor plans.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Toilet>, Failure> {
        let document = pdf::Document::open()?;
        let (classifier, detector) = (Classifier::default(), Detector::default());
        let total = request.pages.len();
        let mut found = Vec::new();
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Analyzing page {number}"));
            let page = document.page(number)?;
            let fixtures = fanlight_detection::fixtures::detect(&page, &classifier, &detector);
            let toilets = fixtures.into_iter().filter(|fixture| fixture.kind.is_toilet());
            found.extend(toilets.map(|fixture| Toilet {
                id: identifier("tlt", &request.document_sha256, number, fixture.bbox),
                page: number,
                bbox: fixture.bbox.into(),
                confidence: rounded(&fixture),
            }));
        }
        Ok(found)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Vec<Toilet>>) -> Result<Toilets, Failure> {
        let toilets: Vec<Toilet> = partials.into_iter().flatten().collect();
        Ok(Toilets { toilets_found: toilets.len(), toilets, pages_analyzed: request.pages.len() })
    }
}

fanlight_plugin::export_model!(ToiletDetector);
