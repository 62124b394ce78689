//! The model that the host runs: the document from the engine, progress page by page.

use fanlight_detection::detector::{Detector, SIDE};
use fanlight_plugin::nn::{OptionalNetwork, Tensor};
use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel};

use crate::{FloorMap, PageContent, Room, Rooms, analyze};

/// Finds rooms.
pub struct RoomDetector {
    detector: Detector,
    segmenter: OptionalNetwork,
}

impl Default for RoomDetector {
    fn default() -> Self {
        let segmenter = OptionalNetwork::new("room-segmenter", "only rooms with a name are detected");
        Self { detector: Detector::default(), segmenter }
    }
}

impl PageModel for RoomDetector {
    type Parameters = NoParameters;
    type Item = Room;
    type Outcome = Rooms;

    const NAME: &'static str = "room-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the rooms of floor plans.";

    fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<Room>, Failure> {
        let detections = |area| self.detector.unclassified(&page.content, area).unwrap_or_default();
        let content = PageContent::read(&page.content, detections);
        let run = |tile| self.segmenter.run(vec![("tile", Tensor::square(SIDE, tile))], "maps");
        let found = analyze(&content, |points_per_inch| FloorMap::read(&page.content, points_per_inch, run));
        let rooms = found.rooms.into_iter().map(|found| {
            let id = page.identifier("room", found.bbox());
            found.into_room(id, page.number)
        });
        Ok(rooms.collect())
    }

    fn progress_message(number: u32, _: u32, _: u32) -> String {
        format!("Looking for rooms on page {number}")
    }
}

impl From<PageItems<Room>> for Rooms {
    fn from(found: PageItems<Room>) -> Self {
        Self { rooms: found.items, rooms_found: found.items_found, pages_analyzed: found.pages_analyzed as u32 }
    }
}

fanlight_plugin::export_model!(RoomDetector);
