//! Detects the interior elevations of drawing sheets: the walls of rooms as seen from inside, each view with its dimensions and
//! without its title.
//!
//! `fanlight_sheet::views` finds the views of a sheet and says what each one shows. This crate keeps the interior elevations.
//!
//! - `result`: what clients read;
//! - `plugin`: the model that the host runs.

mod plugin;
mod result;

use std::cmp::Ordering;

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::Frame;
use fanlight_plugin::page::Readable;
use fanlight_sheet::views;
use fanlight_sheet::views::network_input::{PLACE, ViewClass};

pub use plugin::ElevationDetector;
pub use result::{Elevation, Elevations};

/// Least confidence of an interior elevation. On 162 real pages that the network has not seen, all 12 right ones are kept and 14
/// of 16 wrong ones; on the corpus' labelled sheets 36 of 37 right ones and all 6 wrong ones.
const MIN_CONFIDENCE: f32 = 0.4;

/// Detects the interior elevations of a page and returns their boxes in user space, from the top left in reading order.
///
/// `classify` runs the network `view-classifier` on a picture and a place, or returns `None` without it; then there are none.
pub fn detect(page: &impl Readable, classify: impl FnMut(Vec<f32>, [f32; PLACE]) -> Option<Vec<f32>>) -> Vec<Rect> {
    let found = views::find(page, classify);
    let interior = found
        .into_iter()
        .filter(|view| view.class == ViewClass::InteriorElevation && view.confidence >= MIN_CONFIDENCE);
    in_reading_order(interior.map(|view| view.bbox).collect(), &page.geometry())
}

/// Sorts boxes of user space from the top left, as the page is displayed.
fn in_reading_order(mut boxes: Vec<Rect>, geometry: &Geometry) -> Vec<Rect> {
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    boxes.sort_by(|a, b| {
        let (a, b) = (frame.place_box(*a), frame.place_box(*b));
        (a.y1, a.x1).partial_cmp(&(b.y1, b.x1)).unwrap_or(Ordering::Equal)
    });
    boxes
}
