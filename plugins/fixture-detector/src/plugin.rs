//! The model that the host runs: pages from the engine, fixtures from the drawing.

use fanlight_detection::classifier::Classifier;
use fanlight_detection::detector::Detector;
use fanlight_detection::fixtures::rounded;
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::result::{Fixture, Fixtures};

/// Finds the plumbing fixtures of floor plans by kind.
pub struct FixtureDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for FixtureDetector {
    type Parameters = Parameters;
    type Partial = Vec<Fixture>;
    type Outcome = Fixtures;

    fn description() -> Description {
        Description {
            name: "fixture-detector",
            version: "1.0.0",
            summary: "Finds the plumbing fixtures of floor plans by kind.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Fixture>, Failure> {
        let document = pdf::Document::open()?;
        let (classifier, detector) = (Classifier::default(), Detector::default());
        let total = request.pages.len();
        let mut found = Vec::new();
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Analyzing page {number}"));
            let page = document.page(number)?;
            let fixtures = fanlight_detection::fixtures::detect(&page, &classifier, &detector);
            found.extend(fixtures.into_iter().map(|fixture| Fixture {
                id: identifier("fix", &request.document_sha256, number, fixture.bbox),
                page: number,
                bbox: fixture.bbox.into(),
                kind: fixture.kind.into(),
                confidence: rounded(&fixture),
            }));
        }
        Ok(found)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Vec<Fixture>>) -> Result<Fixtures, Failure> {
        let fixtures: Vec<Fixture> = partials.into_iter().flatten().collect();
        Ok(Fixtures { fixtures_found: fixtures.len(), fixtures, pages_analyzed: request.pages.len() })
    }
}

fanlight_plugin::export_model!(FixtureDetector);
