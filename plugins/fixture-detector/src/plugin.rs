//! The model that the host runs: pages from the engine, fixtures from the drawing.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use fanlight_symbols::Plan;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::result::{Fixture, Fixtures};

/// Finds the plumbing fixtures of floor plans by kind.
pub struct FixtureDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

/// What is less likely isn't listed.
const LEAST_CONFIDENCE: f32 = 0.5;

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
        let total = request.pages.len();
        let mut found = Vec::new();
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Analyzing page {number}"));
            let page = document.page(number)?;
            let plan = Plan::read(&page.paths(), &page.text(), &page.geometry());
            let listed = plan.fixtures().into_iter().filter(|fixture| fixture.confidence > LEAST_CONFIDENCE);
            found.extend(listed.map(|fixture| Fixture {
                id: identifier("fix", &request.document_sha256, number, fixture.bbox),
                page: number,
                bbox: fixture.bbox.into(),
                kind: fixture.kind.into(),
                confidence: (f64::from(fixture.confidence) * 1000.0).round() / 1000.0,
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
