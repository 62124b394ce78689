//! The model that the host runs: reads text page by page.

use fanlight_plugin::{Failure, JobPage, PageItems, PageModel};

use crate::result::{Pages, Parameters, TextPage};

/// Reads the lines of pages.
#[derive(Default)]
pub struct PageTextModel;

impl PageModel for PageTextModel {
    type Parameters = Parameters;
    type Item = TextPage;
    type Outcome = Pages;

    const NAME: &'static str = "page-text";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str =
        "Reads the lines of each page in reading order, by OCR where a page has no text layer.";

    fn analyze_page(&self, page: &JobPage<'_>, parameters: &Parameters) -> Result<Vec<TextPage>, Failure> {
        Ok(vec![TextPage { page: page.number, lines: crate::read(&page.content, *parameters) }])
    }

    fn progress_message(number: u32, _: u32, _: u32) -> String {
        format!("Reading page {number}")
    }
}

impl From<PageItems<TextPage>> for Pages {
    fn from(found: PageItems<TextPage>) -> Self {
        let lines_found = found.items.iter().map(|page| page.lines.len()).sum();
        Self { pages: found.items, lines_found, pages_analyzed: found.pages_analyzed }
    }
}

fanlight_plugin::export_model!(PageTextModel);
