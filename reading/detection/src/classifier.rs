//! Classifies candidate boxes with the network `symbol-classifier`, and fuses its scores with the candidates' own.
//!
//! [`Classifier::classify`] returns a classification for each box if the plugin has the network.
//! [`FusionCoefficients`] combine a detector's confidence with the classifier's likelihood. A candidate without a
//! classification keeps its own confidence.
//!
//! - `regions`: which parts of a page are rendered, and at which resolution;
//! - `classify`: from boxes to network inputs to classifications;
//! - `fusion`: log-odds fusion of two scores.

mod classify;
mod fusion;
mod regions;

use crate::classifier_input::{Classification, SIDE};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{OptionalNetwork, Tensor};
use fanlight_plugin::pdf;

pub use classify::classify;
pub(crate) use fusion::logistic;
pub use fusion::{FusionCoefficients, classifier_log_odds, detector_log_odds};

/// The network that classifies symbols.
#[derive(Debug)]
pub struct Classifier {
    network: OptionalNetwork,
}

impl Default for Classifier {
    fn default() -> Self {
        Self { network: OptionalNetwork::new("symbol-classifier", "symbols are scored by their lines alone") }
    }
}

impl Classifier {
    /// Classifies boxes of a page, given in user space with the most important first.
    ///
    /// An entry is `None` if the box cannot be rendered, is beyond the most boxes that a page may have, or comes after
    /// the network has failed. All are `None` if the network is not granted, not installed or not run on this host.
    pub fn classify(&self, page: &pdf::Page, boxes: &[Rect]) -> Vec<Option<Classification>> {
        if boxes.is_empty() || !self.network.is_there() {
            return vec![None; boxes.len()];
        }
        let render = |options: &_| page.render(*options).ok();
        classify(&page.geometry(), boxes, render, |input| {
            self.network.run(vec![("crop", Tensor::square(SIDE, input))], "logits")
        })
    }
}
