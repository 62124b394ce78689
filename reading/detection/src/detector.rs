//! Finds doors and plumbing fixtures in pictures of plans: scans have no lines to read.
//!
//! [`pictured`] tells pages that are pictures; [`find`] cuts such a page into tiles at one scale of the building, asks the
//! network `symbols-finder` what stands on each, and gives each symbol once. The scale is the sheet's own notes', where they
//! can be read and symbols are found at it; else that at which most is surely found.
//!
//! - `tile`: what the network looks at, in training as in serving; `maps`: what it says;
//! - `sheet`: pages, and parts of them in pixels;
//! - `scale`: how large the building is on paper;
//! - `search`: from a page to its symbols;
//! - `asking`: the host's networks and the engine's pages, as plugins have them.

mod asking;
mod maps;
mod scale;
mod search;
mod sheet;
mod tile;

use fanlight_contract::Rect;
use fanlight_plugin::page::Readable;

pub use asking::{Finder, weighed};
pub use maps::{CLASSES, position};
pub use search::Find;
pub use sheet::pictured;
pub use tile::{PIXELS_PER_METRE, SIDE, cut, pixels_per_point, whiten};

/// The symbols in the part of a page that is a picture, the likeliest first. `run` gives the network's values for a tile of
/// [`SIDE`] by [`SIDE`] cells; from where it gives none on, nothing more is found.
pub fn find(page: &impl Readable, pictured: Rect, run: impl FnMut(Vec<f32>) -> Option<Vec<f32>>) -> Vec<Find> {
    search::find(page, pictured, run)
}
