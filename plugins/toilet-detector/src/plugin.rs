//! The model that the host runs: detects toilets page by page.

use fanlight_detection::classifier::Classifier;
use fanlight_detection::detector::Detector;
use fanlight_detection::fixtures::rounded;
use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};

use crate::result::{Toilet, Toilets};

/// Finds the water closets, squat pans and urinals of floor plans.
#[derive(Default)]
pub struct ToiletDetector {
    classifier: Classifier,
    detector: Detector,
}

impl PageModel for ToiletDetector {
    type Parameters = NoParameters;
    type Item = Toilet;
    type Outcome = Toilets;

    const NAME: &'static str = "toilet-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the water closets, squat pans and urinals of floor plans.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Toilet>, Failure> {
        let fixtures = fanlight_detection::fixtures::detect(&page.content, &self.classifier, &self.detector);
        let toilets = fixtures.into_iter().filter(|fixture| fixture.kind.is_toilet()).map(|fixture| Toilet {
            id: page.identifier("tlt", fixture.bbox),
            page: page.number,
            bbox: fixture.bbox.into(),
            confidence: rounded(&fixture),
        });
        Ok(toilets.collect())
    }
}

impl From<PageItems<Toilet>> for Toilets {
    fn from(found: PageItems<Toilet>) -> Self {
        Self { toilets: found.items, toilets_found: found.items_found, pages_analyzed: found.pages_analyzed }
    }
}

fanlight_plugin::export_model!(ToiletDetector);
