//! The model that the host runs: the document from the engine, progress page by page.

use std::cell::OnceCell;

use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::vocabulary::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, RenderOptions,
};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, ocr, pdf};
use fanlight_viewmap::{HEIGHT, WIDTH};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Elevation, Elevations, ReadWord, Sheet};

/// Finds interior elevations.
pub struct ElevationDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for ElevationDetector {
    type Parameters = Parameters;
    type Partial = Vec<Elevation>;
    type Outcome = Elevations;

    fn description() -> Description {
        Description {
            name: "elevation-detector",
            version: "1.0.0",
            summary: "Finds the interior elevations of drawing sheets.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Elevation>, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len() as u32;
        let mapper = Mapper::default();
        let mut elevations = Vec::new();
        for (done, &number) in request.pages.iter().enumerate() {
            job::progress(done as u32, total, &format!("Looking for elevations on page {number}"));
            let page = EnginePage { page: document.page(number)?, mapper: &mapper };
            for bbox in crate::read(&page) {
                let id = identifier("ele", &request.document_sha256, number, bbox);
                elevations.push(Elevation { id, page: number, bbox: bbox.into() });
            }
        }
        Ok(elevations)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Vec<Elevation>>) -> Result<Elevations, Failure> {
        let elevations: Vec<Elevation> = partials.into_iter().flatten().collect();
        let pages_analyzed = request.pages.len() as u32;
        Ok(Elevations { elevations_found: elevations.len(), elevations, pages_analyzed })
    }
}

/// The languages that titles are read in; the host takes those that it has data for.
const LANGUAGES: [&str; 7] = ["en", "de", "fr", "es", "it", "tr", "pt"];

/// The network that maps views, loaded when a page needs it.
#[derive(Default)]
struct Mapper(OnceCell<Option<Network>>);

impl Mapper {
    fn network(&self) -> Option<&Network> {
        let load = || Network::load("sheet-views").map_err(|error| eprintln!("views are not mapped: {error}")).ok();
        self.0.get_or_init(load).as_ref()
    }

    fn run(&self, shown: Vec<f32>) -> Option<Vec<f32>> {
        let sheet = Tensor::new(&[1, 1, HEIGHT as u32, WIDTH as u32], shown);
        let run = |network: &Network| -> Result<Vec<f32>, NnError> {
            Ok(network.run(vec![("sheet", sheet)])?.take("map")?.values)
        };
        run(self.network()?).map_err(|error| eprintln!("views are not mapped: {error}")).ok()
    }
}

/// A page of the engine's.
struct EnginePage<'a> {
    page: pdf::Page,
    mapper: &'a Mapper,
}

impl Sheet for EnginePage<'_> {
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

    fn render(&self, dpi: f32) -> Option<Raster> {
        let format = PixelFormat::Grey;
        self.page.render(RenderOptions { dpi, region: None, format, orientation: Orientation::Displayed }).ok()
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
                eprintln!("titles are not read: {error:?}");
                None
            }
        }
    }

    fn mapped(&self, shown: Vec<f32>) -> Option<Vec<f32>> {
        self.mapper.run(shown)
    }
}

fn read_word(word: ocr::Word) -> ReadWord {
    ReadWord { text: word.text, bbox: word.bbox, confidence: word.confidence, line: word.line }
}

fanlight_plugin::export_model!(ElevationDetector);
