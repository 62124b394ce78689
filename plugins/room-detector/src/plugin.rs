//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Partial, Rooms};

/// Finds rooms.
pub struct RoomDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for RoomDetector {
    type Parameters = Parameters;
    type Partial = Partial;
    type Outcome = Rooms;

    fn description() -> Description {
        Description {
            name: "room-detector",
            version: "1.0.0",
            summary: "Finds the rooms of floor plans.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Partial, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len() as u32;
        let mut partial = Partial::default();
        for (done, &number) in request.pages.iter().enumerate() {
            job::progress(done as u32, total, &format!("Looking for rooms on page {number}"));
            let page = document.page(number)?;
            for found in crate::find(&page.text(), &page.paths(), &page.geometry()) {
                let id = identifier("room", &request.document_sha256, number, found.bbox());
                partial.rooms.push(found.into_room(id, number));
            }
            partial.pages_analyzed += 1;
        }
        Ok(partial)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Partial>) -> Result<Rooms, Failure> {
        let mut result = Rooms::default();
        for partial in partials {
            result.rooms.extend(partial.rooms);
            result.pages_analyzed += partial.pages_analyzed;
        }
        result.rooms_found = result.rooms.len();
        Ok(result)
    }
}

fanlight_plugin::export_model!(RoomDetector);
