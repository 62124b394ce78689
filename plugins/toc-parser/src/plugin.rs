//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_plugin::vocabulary::{Geometry, PagePaths, PageText};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Bookmark, Contents, Leaf, Manual};

/// The service reads so many pages of a manual for its contents.
const MOST_PAGES: u32 = 40;

/// Reads the table of contents of a project manual.
pub struct TocParser;

/// None: the document is all that it takes.
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
            version: "1.0.0",
            summary: "Reads the divisions and sections that a project manual's table of contents prints.",
            granularity: Granularity::Document,
            max_pages: Some(MOST_PAGES),
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
    type Leaf = pdf::Page;

    fn leaf(&self, number: u32) -> Result<pdf::Page, Failure> {
        Ok(self.0.page(number)?)
    }

    fn bookmarks(&self) -> Vec<Bookmark> {
        let items = self.0.outline();
        items.into_iter().map(|item| Bookmark { title: item.title, level: item.level }).collect()
    }
}

impl Leaf for pdf::Page {
    fn geometry(&self) -> Geometry {
        Self::geometry(self)
    }

    fn text(&self) -> PageText {
        Self::text(self)
    }

    fn paths(&self) -> PagePaths {
        Self::paths(self)
    }
}

fanlight_plugin::export_model!(TocParser);
