//! The detector as plugins use it, with the host's networks.

use std::cell::OnceCell;

use crate::classifier::{Classifier, FusionCoefficients};
use crate::classifier_input::{CLASSES, Class, Classification};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::pdf;

use crate::detector::search::Detection;
use crate::detector::tile::SIDE;
use crate::symbols::Scales;
use fanlight_raster::scanned_area;

/// The network's name in `plugin.toml` and in the operator's grants.
const NETWORK: &str = "symbols-finder";

/// The network that detects symbols on pictures of pages.
///
/// It is loaded at the first page with lines or a scan: a failed load becomes a warning to the client, and a document of
/// text alone should cause none.
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
    /// Returns `None` if the network is not granted, not installed or not run on this host. `path_operators` is the number of
    /// operators in its paths: a page without any has no symbols. `scales` are those of the page's plans.
    pub fn detections_on_lines(
        &self,
        page: &pdf::Page,
        path_operators: usize,
        scales: &Scales,
    ) -> Option<Vec<Detection>> {
        if path_operators == 0 {
            return Some(Vec::new());
        }
        let network = self.network()?;
        Some(crate::detector::detect_on_lines(page, scales, |tile| maps(network, tile).ok()))
    }

    /// Returns the network, unless it cannot be loaded.
    fn network(&self) -> Option<&Network> {
        let load =
            || Network::load(NETWORK).map_err(|error| eprintln!("nothing is detected on pictures of pages: {error}"));
        self.network.get_or_init(|| load().ok()).as_ref()
    }
}

/// Runs the network on one tile and returns its maps.
fn maps(network: &Network, tile: Vec<f32>) -> Result<Vec<f32>, NnError> {
    let side = SIDE as u32;
    let mut outputs = network.run(vec![("tile", Tensor::new(&[1, 1, side, side], tile))])?;
    Ok(outputs.take("maps")?.values)
}

/// Fitted by `cargo run --release -p eval --bin fit-plan-fusion` on labelled real pages as pictures.
const DOORS: FusionCoefficients = FusionCoefficients { bias: -0.93, detector: 0.97, classifier: 0.36 };
const FIXTURES: FusionCoefficients = FusionCoefficients { bias: -1.63, detector: 0.92, classifier: 0.70 };

/// Fuses a detection's confidence with its classification, and takes the class of its group, doors or fixtures, that both
/// agree on most. A detection without a classification stays as it is.
pub fn fused(detection: &Detection, classification: Option<&Classification>) -> Detection {
    let Some(classification) = classification else { return *detection };
    let (coefficients, group): (FusionCoefficients, fn(Class) -> bool) =
        if detection.class.is_door() { (DOORS, Class::is_door) } else { (FIXTURES, Class::is_fixture) };
    let confidence = coefficients.fuse(detection.confidence, classification.likelihood(group));
    Detection { class: agreed_class(detection, classification, group), confidence, ..*detection }
}

/// Returns the class of a group with the highest sum of the detection's confidence and the classification's share.
fn agreed_class(detection: &Detection, classification: &Classification, group: fn(Class) -> bool) -> Class {
    let any = classification.likelihood(group).max(f32::MIN_POSITIVE);
    let score = |class: Class| {
        let by_detector = if class == detection.class { detection.confidence } else { 0.0 };
        by_detector + classification.likelihood(|own| own == class) / any
    };
    let members = CLASSES.iter().copied().filter(|class| group(*class));
    members.max_by(|a, b| score(*a).total_cmp(&score(*b))).unwrap_or(detection.class)
}
