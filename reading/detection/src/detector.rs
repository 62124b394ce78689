//! Detects doors and plumbing fixtures on the picture of a plan.
//!
//! [`scanned_area`] says whether a page is a scan. [`detect`] cuts a scan into tiles at one scale of the building, runs the
//! network `symbol-detector` on each, and keeps each symbol once (non-maximum suppression). The scale is the one that the
//! sheet's notes state, if symbols are detected at it; otherwise the scale at which most is detected with certainty.
//!
//! - `tile`: the network's input, the same in training and serving;
//! - `maps`: the network's output;
//! - `raster`: pages that are scans, and parts of them in pixels;
//! - `scale`: the scale of a sheet;
//! - `search`: from a page to its symbols;
//! - `network`: the detector as plugins use it, with the host's networks.

mod maps;
mod network;
mod raster;
mod scale;
mod search;
mod tile;

pub use fanlight_raster::scanned_area;
pub use maps::{CLASSES, position};
pub use network::{Detector, fused};
pub use raster::RenderedArea;
pub use search::{Detection, detect, detect_on_lines};
pub use tile::{PIXELS_PER_METRE, SIDE, pixels_per_point, whiten};
