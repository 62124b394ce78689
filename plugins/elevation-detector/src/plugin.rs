//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};
use fanlight_sheet::views::ViewClassifier;

use crate::{Elevation, Elevations};

/// Finds interior elevations.
#[derive(Default)]
pub struct ElevationDetector {
    classifier: ViewClassifier,
}

impl PageModel for ElevationDetector {
    type Parameters = NoParameters;
    type Item = Elevation;
    type Outcome = Elevations;

    const NAME: &'static str = "elevation-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the interior elevations of drawing sheets.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Elevation>, Failure> {
        let boxes = crate::detect(&page.content, |picture, place| self.classifier.classify(picture, place));
        let elevations = boxes.into_iter().map(|bbox| Elevation {
            id: page.identifier("ele", bbox),
            page: page.number,
            bbox: bbox.into(),
        });
        Ok(elevations.collect())
    }

    fn progress_message(number: u32, _: u32, _: u32) -> String {
        format!("Looking for elevations on page {number}")
    }
}

impl From<PageItems<Elevation>> for Elevations {
    fn from(found: PageItems<Elevation>) -> Self {
        Self {
            elevations: found.items,
            elevations_found: found.items_found,
            pages_analyzed: found.pages_analyzed as u32,
        }
    }
}

fanlight_plugin::export_model!(ElevationDetector);
