//! The model that the host runs: detects fixtures page by page.

use fanlight_detection::classifier::Classifier;
use fanlight_detection::detector::Detector;
use fanlight_detection::fixtures::rounded;
use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};

use crate::result::{Fixture, Fixtures};

/// Finds the plumbing fixtures of floor plans by kind.
#[derive(Default)]
pub struct FixtureDetector {
    classifier: Classifier,
    detector: Detector,
}

impl PageModel for FixtureDetector {
    type Parameters = NoParameters;
    type Item = Fixture;
    type Outcome = Fixtures;

    const NAME: &'static str = "fixture-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the plumbing fixtures of floor plans by kind.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Fixture>, Failure> {
        let fixtures = fanlight_detection::fixtures::detect(&page.content, &self.classifier, &self.detector);
        let items = fixtures.into_iter().map(|fixture| Fixture {
            id: page.identifier("fix", fixture.bbox),
            page: page.number,
            bbox: fixture.bbox.into(),
            kind: fixture.kind.into(),
            confidence: rounded(&fixture),
        });
        Ok(items.collect())
    }
}

impl From<PageItems<Fixture>> for Fixtures {
    fn from(found: PageItems<Fixture>) -> Self {
        Self { fixtures: found.items, fixtures_found: found.items_found, pages_analyzed: found.pages_analyzed }
    }
}

fanlight_plugin::export_model!(FixtureDetector);
