//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_plugin::vocabulary::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, Rect, RenderOptions,
};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, ocr, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Partial, ReadWord, Schedules, Sheet};

/// Reads the schedules of drawing sheets.
pub struct ScheduleExtractor;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for ScheduleExtractor {
    type Parameters = Parameters;
    type Partial = Partial;
    type Outcome = Schedules;

    fn description() -> Description {
        Description {
            name: "schedule-extractor",
            version: "1.0.0",
            summary: "Reads the schedules of drawing sheets as tables.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Partial, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len();
        let mut partial = Partial { page_count: document.page_count(), ..Partial::default() };
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Reading page {number}"));
            let page = EnginePage { page: document.page(number)?, number, done: index as u32, total: total as u32 };
            let found = crate::read(&page);
            partial.schedules.extend(found.schedules);
            if found.rasterized {
                partial.rasterized_pages.push(number);
            }
        }
        Ok(partial)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Partial>) -> Result<Schedules, Failure> {
        let page_count = partials.first().map_or(0, |partial| partial.page_count);
        let mut result = Schedules::default();
        for partial in partials {
            result.schedules.extend(partial.schedules);
            result.rasterized_pages.extend(partial.rasterized_pages);
        }
        result.schedules_found = result.schedules.len();
        result.ocr_fallback_used = !result.rasterized_pages.is_empty();
        // All pages of the document are a scan of the whole, named or not.
        let asked = request.pages.len() as u32;
        result.pages_analyzed = (asked < page_count).then_some(asked);
        Ok(result)
    }
}

/// The languages that cells are read in; the host takes those that it has data for.
const LANGUAGES: [&str; 1] = ["en"];

fn read_word(word: ocr::Word) -> ReadWord {
    ReadWord { text: word.text, bbox: word.bbox, confidence: word.confidence, line: word.line }
}

/// A page of the engine's.
struct EnginePage {
    page: pdf::Page,
    number: u32,
    /// Pages that were read before it, of how many.
    done: u32,
    total: u32,
}

impl Sheet for EnginePage {
    fn geometry(&self) -> Geometry {
        self.page.geometry()
    }

    fn text(&self) -> PageText {
        self.page.text()
    }

    fn paths(&self) -> PagePaths {
        self.page.paths()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.page.images()
    }

    fn render(&self, region: Option<Rect>, dpi: f32) -> Option<Raster> {
        let options = RenderOptions { dpi, region, format: PixelFormat::Grey, orientation: Orientation::Displayed };
        self.page.render(options).ok()
    }

    fn recognize(&self, picture: &Raster) -> Option<Vec<ReadWord>> {
        let options = ocr::Options {
            layout: ocr::Layout::Block,
            languages: LANGUAGES.map(str::to_owned).to_vec(),
            characters: String::new(),
        };
        match ocr::recognize(picture, &options) {
            Ok(words) => Some(words.into_iter().map(read_word).collect()),
            Err(error) => {
                eprintln!("cells are not read: {error:?}");
                None
            }
        }
    }

    fn progress(&self, read: usize, cells: usize) {
        let text = format!("Reading page {}: {read} of {cells} cells", self.number);
        job::progress(self.done, self.total, &text);
    }
}

fanlight_plugin::export_model!(ScheduleExtractor);
