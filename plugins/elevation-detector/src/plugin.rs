//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Elevation, Elevations, Partial};

/// Finds interior elevations.
pub struct ElevationDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for ElevationDetector {
    type Parameters = Parameters;
    type Partial = Partial;
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

    fn analyze(request: &Request<Parameters>) -> Result<Partial, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len() as u32;
        let mut partial = Partial::default();
        for (done, &number) in request.pages.iter().enumerate() {
            job::progress(done as u32, total, &format!("Looking for elevations on page {number}"));
            let page = document.page(number)?;
            for bbox in crate::find(&page.text(), &page.paths(), &page.geometry()) {
                let id = identifier("ele", &request.document_sha256, number, bbox);
                partial.elevations.push(Elevation { id, page: number, bbox: bbox.into() });
            }
            partial.pages_analyzed += 1;
        }
        Ok(partial)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Partial>) -> Result<Elevations, Failure> {
        let mut result = Elevations::default();
        for partial in partials {
            result.elevations.extend(partial.elevations);
            result.pages_analyzed += partial.pages_analyzed;
        }
        result.elevations_found = result.elevations.len();
        Ok(result)
    }
}

fanlight_plugin::export_model!(ElevationDetector);
