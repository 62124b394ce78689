//! The model that the host runs: pages from the engine, in shards; the judgement over all of them.

use fanlight_plugin::vocabulary::{Geometry, ImagePlacement, PageText, Raster, RenderOptions};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, ocr, pdf};
use fanlight_scans::ReadWord;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::reading::{self, Layout, Readable};
use crate::{Classification, Sheet};

/// Tells what each page of a drawing set is.
pub struct DrawingClassifier;

/// None: the document is all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for DrawingClassifier {
    type Parameters = Parameters;
    type Partial = Vec<Sheet>;
    type Outcome = Classification;

    fn description() -> Description {
        Description {
            name: "drawing-classifier",
            version: "1.0.0",
            summary: "Tells the number, title, type and discipline of each sheet of a drawing set.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Sheet>, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len();
        let mut sheets = Vec::with_capacity(total);
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Reading sheet {} of {total}", index + 1));
            sheets.push(reading::sheet(number, &EnginePage(document.page(number)?)));
        }
        Ok(sheets)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Vec<Sheet>>) -> Result<Classification, Failure> {
        let sheets: Vec<Sheet> = partials.into_iter().flatten().collect();
        Ok(crate::classify(&sheets))
    }
}

struct EnginePage(pdf::Page);

impl Readable for EnginePage {
    fn geometry(&self) -> Geometry {
        self.0.geometry()
    }

    fn text(&self) -> PageText {
        self.0.text()
    }

    fn images(&self) -> Vec<ImagePlacement> {
        self.0.images()
    }

    fn is_drawn(&self) -> bool {
        !self.0.paths().lengths.is_empty()
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        self.0.render(*options).ok()
    }

    fn recognize(&self, picture: &Raster, layout: Layout) -> Option<Vec<ReadWord>> {
        let layout = match layout {
            Layout::Sparse => ocr::Layout::Sparse,
            Layout::Block => ocr::Layout::Block,
        };
        let options = ocr::Options { layout, languages: Vec::new(), characters: String::new() };
        match ocr::recognize(picture, &options) {
            Ok(words) => Some(words.into_iter().map(read_word).collect()),
            Err(error) => {
                eprintln!("a sheet without text is not read: {error:?}");
                None
            }
        }
    }
}

fn read_word(word: ocr::Word) -> ReadWord {
    ReadWord { text: word.text, bbox: word.bbox, confidence: word.confidence, line: word.line }
}

fanlight_plugin::export_model!(DrawingClassifier);
