//! The network `symbol-detector` without a host, and synthetic sheets as scans.

use std::path::Path;

use anyhow::Result;
use drafting::scan::{Scanner, scan};
use fanlight_contract::{Orientation, Rect};
use fanlight_detection::classifier_input::Classification;
use fanlight_detection::detector::{Detection, SIDE, scanned_area};
use fanlight_plugin::page::Readable as _;
use native::{NativeNetwork, NativePage, prints};

use crate::NativeClassifier;

/// The detector network's name.
const NAME: &str = "symbol-detector";

/// The network `symbol-detector`.
pub struct NativeDetector(NativeNetwork);

impl NativeDetector {
    /// Opens the project's own network.
    ///
    /// # Errors
    ///
    /// If its file is missing, or the engine cannot run it.
    pub fn open() -> Result<Self> {
        NativeNetwork::open(NAME).map(Self)
    }

    /// Opens the network of another training, in a folder of networks.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in(networks: &Path) -> Result<Self> {
        NativeNetwork::open_in(networks, NAME).map(Self)
    }

    /// Returns its maps for a tile of [`SIDE`] by [`SIDE`] cells.
    ///
    /// # Errors
    ///
    /// If the tile has another size.
    pub fn maps(&self, tile: &[f32]) -> Result<Vec<f32>> {
        self.0.run(&[1, 1, SIDE, SIDE], tile)
    }
}

/// Both networks of the detectors.
pub struct NativeNetworks {
    /// `symbol-detector`.
    pub detector: NativeDetector,
    /// `symbol-classifier`.
    pub classifier: NativeClassifier,
}

impl NativeNetworks {
    /// Opens the project's own networks.
    ///
    /// # Errors
    ///
    /// If a file is missing, or the engine cannot run it.
    pub fn open() -> Result<Self> {
        Ok(Self { detector: NativeDetector::open()?, classifier: NativeClassifier::open()? })
    }

    /// Opens the networks of another training, in a folder of networks.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in(networks: &Path) -> Result<Self> {
        let (detector, classifier) = (NativeDetector::open_in(networks)?, NativeClassifier::open_in(networks)?);
        Ok(Self { detector, classifier })
    }
}

/// Detects symbols on a scanned page with the detector alone; other pages have none.
///
/// # Errors
///
/// If the file cannot be opened or has no such page.
pub fn detections(pdf: Vec<u8>, number: u32, detector: &NativeDetector) -> Result<Vec<Detection>> {
    let page = NativePage::open(pdf, number)?;
    let Some(area) = scanned_area(page.paths().ops.len(), &page.geometry(), || page.images()) else {
        return Ok(Vec::new());
    };
    Ok(fanlight_detection::detector::detect(&page, area, |tile| detector.maps(&tile).ok()))
}

/// Classifies each detection of a page.
///
/// # Errors
///
/// If the file cannot be opened or has no such page.
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

/// Prints the first page of a file in an orientation, and scans it at `dpi`.
///
/// # Errors
///
/// If the file cannot be opened or rendered.
pub fn scanned(pdf: &[u8], orientation: Orientation, scanner: &Scanner, dpi: f32, seed: u64) -> Result<Vec<u8>> {
    Ok(scan(&prints(pdf.to_vec(), [1], dpi, orientation)?, scanner, seed))
}
