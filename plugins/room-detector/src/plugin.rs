//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, identifier, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Room, Rooms};

/// Finds rooms.
pub struct RoomDetector;

/// None: the document and its pages are all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for RoomDetector {
    type Parameters = Parameters;
    type Partial = Vec<Room>;
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

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Room>, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len() as u32;
        let mut rooms = Vec::new();
        for (done, &number) in request.pages.iter().enumerate() {
            job::progress(done as u32, total, &format!("Looking for rooms on page {number}"));
            let page = document.page(number)?;
            for found in crate::find(&page.text(), &page.paths(), &page.geometry()) {
                let id = identifier("room", &request.document_sha256, number, found.bbox());
                rooms.push(found.into_room(id, number));
            }
        }
        Ok(rooms)
    }

    fn conclude(request: &Request<Parameters>, partials: Vec<Vec<Room>>) -> Result<Rooms, Failure> {
        let rooms: Vec<Room> = partials.into_iter().flatten().collect();
        let pages_analyzed = request.pages.len() as u32;
        Ok(Rooms { rooms_found: rooms.len(), rooms, pages_analyzed })
    }
}

fanlight_plugin::export_model!(RoomDetector);
