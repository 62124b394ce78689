//! Pages and the network without a host: the engine by itself, rten by itself.

use crate::NativeClassifier;
use anyhow::Result;
use drafting::scan::{Scanner, scan};
use fanlight_contract::{Orientation, Rect};
use fanlight_detection::classifier_input::Classification;
use fanlight_detection::detector::{Detection, SIDE, picture_area};
use fanlight_plugin::page::Readable as _;
use native::{NativeNetwork, NativePage, prints};

/// The network `symbols-finder`.
pub struct NativeDetector(NativeNetwork);

impl NativeDetector {
    /// Opens the project's own.
    ///
    /// # Errors
    ///
    /// Where its file is missing, or the engine can't run it.
    pub fn open() -> Result<Self> {
        NativeNetwork::open("symbols-finder").map(Self)
    }

    /// Its maps for a tile.
    ///
    /// # Errors
    ///
    /// Where the tile is of another size.
    pub fn maps(&self, tile: &[f32]) -> Result<Vec<f32>> {
        self.0.run(&[1, 1, SIDE, SIDE], tile)
    }
}

/// What the detector alone detections on a page that is a picture; nothing on others.
pub fn detections(pdf: Vec<u8>, number: u32, detector: &NativeDetector) -> Result<Vec<Detection>> {
    let page = NativePage::open(pdf, number)?;
    let Some(part) = picture_area(page.paths().ops.len(), &page.geometry(), || page.images()) else {
        return Ok(Vec::new());
    };
    Ok(fanlight_detection::detector::detect(&page, part, |tile| detector.maps(&tile).ok()))
}

/// What the classifier says of each detection of a page.
pub fn classifications(
    pdf: Vec<u8>,
    number: u32,
    detections: &[Detection],
    classifier: &NativeClassifier,
) -> Result<Vec<Option<Classification>>> {
    let page = NativePage::open(pdf, number)?;
    let boxes: Vec<Rect> = detections.iter().map(|detection| detection.bbox).collect();
    Ok(classifier.classify(&page, &boxes))
}

/// A drafted sheet, scanned at a resolution that offices use.
pub fn scanned(pdf: &[u8], scanner: &Scanner, dpi: f32, seed: u64) -> Result<Vec<u8>> {
    Ok(scan(&prints(pdf.to_vec(), [1], dpi, Orientation::UserSpace)?, scanner, seed))
}
