//! Pages read natively, with the network that maps views or without.

use fanlight_contract::Rect;
use fanlight_sheet::view_segmentation::{HEIGHT, WIDTH};
use native::{NativeNetwork, NativePage};

/// The interior elevations of a page.
pub(crate) fn found(page: &NativePage, network: Option<&NativeNetwork>) -> Vec<Rect> {
    elevation_detector::read(page, |shown| network?.run(&[1, 1, HEIGHT, WIDTH], &shown).ok())
}
