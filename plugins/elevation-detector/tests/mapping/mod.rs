//! Pages read natively, with the network that maps views or without.

use fanlight_viewmap::{HEIGHT, WIDTH};
use fanlight_vocabulary::Rect;
use native::{NativeNetwork, NativePage};

/// The interior elevations of a page.
pub(crate) fn found(page: &NativePage, network: Option<&NativeNetwork>) -> Vec<Rect> {
    elevation_detector::read(page, |shown| network?.run(&[1, 1, HEIGHT, WIDTH], &shown).ok())
}
