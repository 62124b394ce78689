//! The model that the host runs. It reads pages in shards, and classifies all of them together.

use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};
use fanlight_sheet::views::{self, ViewClassifier};

use crate::{Classification, Sheet, reading, shown};

/// Classifies each page of a drawing set.
#[derive(Default)]
pub struct DrawingClassifier {
    classifier: ViewClassifier,
}

impl PageModel for DrawingClassifier {
    type Parameters = NoParameters;
    type Item = Sheet;
    type Outcome = Classification;

    const NAME: &'static str = "drawing-classifier";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Classifies each sheet of a drawing set by number, title, type and discipline.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Sheet>, Failure> {
        let mut sheet = reading::sheet(page.number, &page.content);
        if crate::is_untyped(&sheet) {
            let views = views::find(&page.content, |picture, place| self.classifier.classify(picture, place));
            sheet.shown = shown::drawing_type(&views);
        }
        Ok(vec![sheet])
    }

    fn progress_message(_: u32, done: u32, total: u32) -> String {
        format!("Reading sheet {} of {total}", done + 1)
    }
}

/// Classifies the sheets of the whole set, since what one sheet is depends on the others.
impl From<PageItems<Sheet>> for Classification {
    fn from(found: PageItems<Sheet>) -> Self {
        crate::classify(&found.items)
    }
}

fanlight_plugin::export_model!(DrawingClassifier);
