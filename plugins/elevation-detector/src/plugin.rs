//! The model that the host runs: the document from the engine, progress page by page.

use std::cell::OnceCell;

use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use fanlight_sheet::view_segmentation::{HEIGHT, WIDTH};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Elevation, Elevations};

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
            for bbox in crate::read(&document.page(number)?, |shown| mapper.run(shown)) {
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

fanlight_plugin::export_model!(ElevationDetector);
