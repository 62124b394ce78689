//! The detector as plugins use it, with the host's networks.

use crate::classifier::{Classifier, FusionCoefficients};
use crate::classifier_input::{CLASSES, Class, Classification};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{OptionalNetwork, Tensor};
use fanlight_plugin::pdf;

use crate::detector::search::Detection;
use crate::detector::tile::SIDE;
use crate::symbols::Scales;
use fanlight_raster::scanned_area;

/// The network that detects symbols on pictures of pages.
#[derive(Debug)]
pub struct Detector {
    network: OptionalNetwork,
}

impl Default for Detector {
    fn default() -> Self {
        Self { network: OptionalNetwork::new("symbol-detector", "nothing is detected on pictures of pages") }
    }
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
        let mut detections = self.unclassified(page, part)?;
        let boxes: Vec<Rect> = detections.iter().map(|detection| detection.bbox).collect();
        let classifications = classifier.classify(page, &boxes);
        for (detection, classification) in detections.iter_mut().zip(classifications) {
            *detection = fused(detection, classification.as_ref());
        }
        detections.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        Some(detections)
    }

    /// Detects the symbols in the scanned `part` of a page, the most confident first, by this network alone.
    ///
    /// Returns `None` if the network is not granted, not installed or not run on this host.
    pub fn unclassified(&self, page: &pdf::Page, part: Rect) -> Option<Vec<Detection>> {
        self.network.is_there().then(|| crate::detector::detect(page, part, |tile| self.maps(tile)))
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
        let is_there = self.network.is_there();
        is_there.then(|| crate::detector::detect_on_lines(page, scales, |tile| self.maps(tile)))
    }

    /// Runs the network on one tile and returns its maps.
    fn maps(&self, tile: Vec<f32>) -> Option<Vec<f32>> {
        self.network.run(vec![("tile", Tensor::square(SIDE, tile))], "maps")
    }
}

/// Coefficients of doors, fitted by `cargo run --release -p eval --bin fit-plan-fusion` on labelled real pages as
/// pictures.
const DOORS: FusionCoefficients = FusionCoefficients { bias: -0.93, detector: 0.97, classifier: 0.36 };
/// Coefficients of fixtures, fitted likewise.
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
    let scores = CLASSES.iter().copied().filter(|class| group(*class)).map(|class| {
        let by_detector = if class == detection.class { detection.confidence } else { 0.0 };
        (class, by_detector + classification.likelihood(|own| own == class) / any)
    });
    scores.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(detection.class, |(class, _)| class)
}
