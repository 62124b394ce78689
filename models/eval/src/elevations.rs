//! Interior elevations on synthetic sheets: detection without a host, and scoring.

use anyhow::Result;
use drafting::elevation::{ElevationTruth, Style, SyntheticSheet, generate};
use drafting::scan::Scanner;
use fanlight_contract::{Orientation, Rect};
use fanlight_sheet::views::network_input::{PLACE, PLANES, SIDE};
use native::{NativeNetwork, NativePage};
use scoring::{Tally, iou, match_pairs, rect};

use crate::scan::scanned;

/// Boxes with at least this intersection over union are of the same view, as the corpus counts.
const SAME_VIEW: f32 = 0.5;

/// Counts how many interior elevations of a sheet are detected.
pub fn tally_elevations(detections: &[Rect], truth: &[ElevationTruth]) -> Tally {
    let pairs = match_pairs(detections.len(), truth.len(), |detection, own| {
        let overlap = iou(detections[detection], rect(truth[own].bbox));
        (overlap >= SAME_VIEW).then_some(overlap)
    });
    let hit = pairs.len();
    Tally { hit, missed: truth.len() - hit, wrong: detections.len() - hit }
}

/// Detects the interior elevations of a page with the network `view-classifier`.
pub fn detect_elevations(page: &NativePage, network: &NativeNetwork) -> Vec<Rect> {
    elevation_detector::detect(page, |picture, place| view_logits(network, &picture, place))
}

/// Returns the logits of `view-classifier` for a box's picture and place; `None` if it fails.
pub fn view_logits(network: &NativeNetwork, picture: &[f32], place: [f32; PLACE]) -> Option<Vec<f32>> {
    let (picture_shape, place_shape) = ([1, PLANES, SIDE, SIDE], [1, PLACE, 1, 1]);
    network.run_on(&[("picture", &picture_shape, picture), ("place", &place_shape, &place)]).ok()
}

/// Generates a sheet of elevations, prints it and scans it at `dpi`: the file is a picture.
///
/// A rotated page leaves the scanner upright, where its truth would not fit, so the sheet is not rotated.
///
/// # Errors
///
/// If the sheet cannot be rendered.
pub fn scanned_elevations(style: &Style, seed: u64, scanner: &Scanner, dpi: f32) -> Result<SyntheticSheet> {
    let SyntheticSheet { pdf, truth } = generate(&Style { rotate: 0, ..style.clone() }, seed);
    Ok(SyntheticSheet { pdf: scanned(&pdf, Orientation::Displayed, scanner, dpi, seed)?, truth })
}
