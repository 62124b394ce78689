//! The model that the host runs. It reads the document through the engine and reports progress page
//! by page.

use fanlight_plugin::page::{Layout, Readable as _};
use fanlight_plugin::vocabulary::{Geometry, PagePaths, PageText};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Bookmark, Contents, Manual, ManualPage};

/// The service reads at most this many pages of a manual for its table of contents.
const MAX_PAGES: u32 = 40;

/// Reads the table of contents of a project manual.
pub struct TocParser;

/// This model has no parameters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for TocParser {
    type Parameters = Parameters;
    type Partial = Contents;
    type Outcome = Contents;

    fn description() -> Description {
        Description {
            name: "toc-parser",
            version: fanlight_plugin::version!(),
            summary: "Reads the divisions and sections that a project manual's table of contents prints.",
            granularity: Granularity::Document,
            max_pages: Some(MAX_PAGES),
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Contents, Failure> {
        let document = EngineDocument(pdf::Document::open()?);
        let total = request.pages.len();
        let before_page = |index: usize| {
            job::progress(index as u32, total as u32, &format!("Reading page {} of {total}", index + 1));
        };
        crate::read(&document, &request.pages, before_page)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Contents>) -> Result<Contents, Failure> {
        partials.into_iter().next().ok_or_else(|| Failure::Internal("no partial result to conclude".to_owned()))
    }
}

struct EngineDocument(pdf::Document);

impl Manual for EngineDocument {
    type Error = Failure;
    type Page = EnginePage;

    fn page(&self, number: u32) -> Result<EnginePage, Failure> {
        let page = self.0.page(number)?;
        let geometry = page.geometry();
        let mut text = page.text();
        if fanlight_raster::is_scan(&text, || page.images(), &geometry)
            && let Some(read) = read_scan(&page, &geometry)
        {
            text = read;
        }
        Ok(EnginePage { page, text })
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        let items = self.0.outline();
        items.into_iter().map(|item| Bookmark { title: item.title, level: item.level }).collect()
    }
}

/// A page with its own text, or with the text that OCR reads from a scanned page.
struct EnginePage {
    page: pdf::Page,
    text: PageText,
}

impl ManualPage for EnginePage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.text.clone()
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }
}

/// The languages of OCR. The host uses those that it has data for.
const LANGUAGES: [&str; 2] = ["en", "fr"];

/// Returns the text of a scanned page; `None` if the host has no OCR or OCR fails. The page is then
/// read as it is.
fn read_scan(page: &pdf::Page, geometry: &Geometry) -> Option<PageText> {
    let picture = fanlight_raster::clean(&page.render(fanlight_raster::render_options()).ok()?);
    let words = page.recognize(&picture, Layout::Block, &LANGUAGES)?;
    Some(fanlight_raster::page_text(&fanlight_raster::fitted(words, &picture), geometry, fanlight_raster::DPI))
}

fanlight_plugin::export_model!(TocParser);
