//! Asks the network that judges symbols about boxes of a page, and weighs what it says.
//!
//! [`Judge::answers`] gives what the network says of each box, where the plugin has the network, and [`Weights`] make one
//! confidence of a finder's and the judge's. Where there is no answer, a finder's confidence stands.
//!
//! - `regions`: which parts of a page are rendered, and how finely;
//! - `asking`: from boxes to crops to answers;
//! - `weights`: one confidence of two.

mod asking;
mod regions;
mod weights;

use std::cell::OnceCell;

use crate::classifier_input::{Answer, SIDE};
use fanlight_contract::Rect;
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::pdf;

pub use asking::answers;
pub use weights::{Weights, log_odds, picture_odds};

/// The network's name, as `plugin.toml` and the operator's grants have it.
const NETWORK: &str = "symbols-judge";
/// A side of the network's input.
const SIDE_OF_TENSOR: u32 = SIDE as u32;

/// The network that judges symbols, loaded when there is a box to ask about: a network that was loaded in vain is a warning
/// to the client.
#[derive(Debug, Default)]
pub struct Judge {
    network: OnceCell<Option<Network>>,
}

impl Judge {
    /// What the network says of each box of a page, in user space. None for a box that can't be shown to it, for all after
    /// the network has failed, and for all where this plugin can't have it: not granted, not installed, or not run here.
    /// Boxes that matter most come first: only so many are asked about.
    pub fn answers(&self, page: &pdf::Page, boxes: &[Rect]) -> Vec<Option<Answer>> {
        let Some(network) = self.network_for(boxes) else {
            return vec![None; boxes.len()];
        };
        let render = |options: &_| page.render(*options).ok();
        answers(&page.geometry(), boxes, render, |crop| logits(network, crop).ok())
    }

    fn network_for(&self, boxes: &[Rect]) -> Option<&Network> {
        if boxes.is_empty() {
            return None;
        }
        let load =
            || Network::load(NETWORK).map_err(|error| eprintln!("symbols are judged by their lines alone: {error}"));
        self.network.get_or_init(|| load().ok()).as_ref()
    }
}

fn logits(network: &Network, crop: Vec<f32>) -> Result<Vec<f32>, NnError> {
    let crop = Tensor::new(&[1, 1, SIDE_OF_TENSOR, SIDE_OF_TENSOR], crop);
    let mut outputs = network.run(vec![("crop", crop)])?;
    Ok(outputs.take("logits")?.values)
}
