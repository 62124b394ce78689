//! The detector as plugins use it, with the host's networks.

use std::cell::OnceCell;

use crate::classifier::{Classifier, FusionCoefficients};
use crate::classifier_input::{Class, Classification};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::pdf;

use crate::detector::search::Detection;
use crate::detector::tile::SIDE;
use crate::symbols::Scales;
use fanlight_raster::scanned_area;

/// The network's name in `plugin.toml` and in the operator's grants.
const NETWORK: &str = "symbols-finder";

/// The network that detects symbols on scans.
///
/// It is loaded at the first scan: a failed load becomes a warning to the client, and a document without scans should
/// cause none.
#[derive(Debug, Default)]
pub struct Detector {
    network: OnceCell<Option<Network>>,
}

impl Detector {
    /// Detects and classifies the symbols of a scanned page, the most confident first.
    ///
    /// Returns `None` if the page is no scan, or if the network is not granted, not installed or not run on this host.
    /// `path_operators` is the number of operators in the page's paths.
    pub fn detections(
        &self,
        page: &pdf::Page,
        path_operators: usize,
        classifier: &Classifier,
    ) -> Option<Vec<Detection>> {
        let part = scanned_area(path_operators, &page.geometry(), || page.images())?;
        let network = self.network()?;
        let mut detections = crate::detector::detect(page, part, |tile| maps(network, tile).ok());
        let boxes: Vec<Rect> = detections.iter().map(|detection| detection.bbox).collect();
        let classifications = classifier.classify(page, &boxes);
        for (detection, classification) in detections.iter_mut().zip(classifications) {
            *detection = fused(detection, classification.as_ref());
        }
        detections.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        Some(detections)
    }

    /// Detects the symbols of a page that is drawn with lines, the most confident first.
    ///
    /// Returns `None` if the network is not granted, not installed or not run on this host. `scales` are those of the page's
    /// plans.
    pub fn detections_on_lines(&self, page: &pdf::Page, scales: &Scales) -> Option<Vec<Detection>> {
        let network = self.network()?;
        Some(crate::detector::detect_on_lines(page, scales, |tile| maps(network, tile).ok()))
    }

    /// Returns the network, unless it cannot be loaded.
    fn network(&self) -> Option<&Network> {
        let load = || Network::load(NETWORK).map_err(|error| eprintln!("nothing is detected on scans: {error}"));
        self.network.get_or_init(|| load().ok()).as_ref()
    }
}

/// Runs the network on one tile and returns its maps.
fn maps(network: &Network, tile: Vec<f32>) -> Result<Vec<f32>, NnError> {
    let side = SIDE as u32;
    let mut outputs = network.run(vec![("tile", Tensor::new(&[1, 1, side, side], tile))])?;
    Ok(outputs.take("maps")?.values)
}

/// Fitted by `cargo run --release -p eval --bin eval-detector -- fit --sheets 36`, on synthetic scans with mixed styles.
const DOORS: FusionCoefficients = FusionCoefficients { bias: -0.17, detector: 0.82, classifier: 0.19 };
const FIXTURES: FusionCoefficients = FusionCoefficients { bias: -0.47, detector: 0.88, classifier: 0.58 };

/// Fuses a detection's confidence with its classification, and takes the most probable class of its group: doors or
/// fixtures. A detection without a classification stays as it is.
pub fn fused(detection: &Detection, classification: Option<&Classification>) -> Detection {
    let Some(classification) = classification else { return *detection };
    let (coefficients, group): (FusionCoefficients, fn(Class) -> bool) =
        if detection.class.is_door() { (DOORS, Class::is_door) } else { (FIXTURES, Class::is_fixture) };
    let confidence = coefficients.fuse(detection.confidence, classification.likelihood(group));
    Detection { class: classification.likeliest(group).unwrap_or(detection.class), confidence, ..*detection }
}
