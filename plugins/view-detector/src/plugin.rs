//! The model that the host runs: detects views page by page.

use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel, hundredth};
use fanlight_sheet::views::network_input::ViewClass;
use fanlight_sheet::views::{self, ViewClassifier};

use crate::result::{View, Views};

/// Finds the views of drawing sheets.
#[derive(Default)]
pub struct ViewDetector {
    classifier: ViewClassifier,
}

impl PageModel for ViewDetector {
    type Parameters = NoParameters;
    type Item = View;
    type Outcome = Views;

    const NAME: &'static str = "view-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str =
        "Finds the views of drawing sheets: drawings of each kind, schedules, notes and title blocks.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<View>, Failure> {
        let found = views::find(&page.content, |picture, place| self.classifier.classify(picture, place));
        let views = found.into_iter().filter(|view| view.class != ViewClass::None).map(|view| View {
            id: page.identifier("view", view.bbox),
            page: page.number,
            bbox: view.bbox.into(),
            kind: view.class,
            confidence: hundredth(view.confidence),
        });
        Ok(views.collect())
    }
}

impl From<PageItems<View>> for Views {
    fn from(found: PageItems<View>) -> Self {
        Self { views: found.items, views_found: found.items_found, pages_analyzed: found.pages_analyzed }
    }
}

fanlight_plugin::export_model!(ViewDetector);
