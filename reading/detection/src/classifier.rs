//! Classifies candidate boxes with the network `symbols-judge`, and fuses its scores with the candidates' own.
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

use std::cell::OnceCell;

use crate::classifier_input::{Classification, SIDE};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::pdf;

pub use classify::classify;
pub(crate) use fusion::logistic;
pub use fusion::{FusionCoefficients, classifier_log_odds, detector_log_odds};

/// The network's name in `plugin.toml` and in the operator's grants.
const NETWORK: &str = "symbols-judge";
/// Side of the network's input, in cells.
const INPUT_SIDE: u32 = SIDE as u32;

/// The network that classifies symbols.
///
/// It is loaded at the first box to classify: a failed load becomes a warning to the client, and a page without
/// candidates should cause none.
#[derive(Debug, Default)]
pub struct Classifier {
    network: OnceCell<Option<Network>>,
}

impl Classifier {
    /// Classifies boxes of a page, given in user space with the most important first.
    ///
    /// An entry is `None` if the box cannot be rendered, is beyond the most boxes that a page may have, or comes after
    /// the network has failed. All are `None` if the network is not granted, not installed or not run on this host.
    pub fn classify(&self, page: &pdf::Page, boxes: &[Rect]) -> Vec<Option<Classification>> {
        let Some(network) = self.network_for(boxes) else {
            return vec![None; boxes.len()];
        };
        let render = |options: &_| page.render(*options).ok();
        classify(&page.geometry(), boxes, render, |input| logits(network, input).ok())
    }

    /// Returns the network, unless there is nothing to classify or it cannot be loaded.
    fn network_for(&self, boxes: &[Rect]) -> Option<&Network> {
        if boxes.is_empty() {
            return None;
        }
        let load =
            || Network::load(NETWORK).map_err(|error| eprintln!("symbols are scored by their lines alone: {error}"));
        self.network.get_or_init(|| load().ok()).as_ref()
    }
}

/// Runs the network on one input of `SIDE` by `SIDE` cells and returns its logits.
fn logits(network: &Network, input: Vec<f32>) -> Result<Vec<f32>, NnError> {
    let tensor = Tensor::new(&[1, 1, INPUT_SIDE, INPUT_SIDE], input);
    let mut outputs = network.run(vec![("crop", tensor)])?;
    Ok(outputs.take("logits")?.values)
}
