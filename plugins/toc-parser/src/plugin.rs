//! The model that the host runs. It reads the document through the engine and reports progress page
//! by page.

use fanlight_plugin::vocabulary::{Geometry, PagePaths, PageText};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use fanlight_raster::ReadText;
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
        crate::read(&document, &request.pages, |index| {
            job::progress(index as u32, total as u32, &format!("Reading page {} of {total}", index + 1));
        })
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
        let read = fanlight_raster::read_text(&page);
        Ok(EnginePage { page, read })
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        let items = self.0.outline();
        items.into_iter().map(|item| Bookmark { title: item.title, level: item.level }).collect()
    }
}

/// A page with its own text, or with the text that OCR reads from a scanned page.
struct EnginePage {
    page: pdf::Page,
    read: ReadText,
}

impl ManualPage for EnginePage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.read.text.clone()
    }

    fn is_recognized(&self) -> bool {
        self.read.is_recognized()
    }

    fn text_in_picture(&self) -> Option<PageText> {
        self.read.in_picture(&self.page)
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }
}

fanlight_plugin::export_model!(TocParser);
