//! Asks the network that judges symbols about boxes of a page, and weighs what it says.
//!
//! [`Judge::load`] gives a judge where the plugin has the network, [`Judge::answers`] what it says of each box, and
//! [`Weights`] make one confidence of a finder's and the judge's. Where there is no judge, a finder's confidence stands.
//!
//! - `regions`: which parts of a page are rendered, and how finely;
//! - `asking`: from boxes to crops to answers;
//! - `weights`: one confidence of two.

mod asking;
mod regions;
mod weights;

use fanlight_crops::{Answer, SIDE};
use fanlight_plugin::nn::{Network, NnError, Tensor};
use fanlight_plugin::pdf;
use fanlight_vocabulary::Rect;

pub use asking::answers;
pub use weights::{Weights, log_odds, picture_odds};

/// The network's name, as `plugin.toml` and the operator's grants have it.
const NETWORK: &str = "symbols-judge";
/// A side of the network's input.
const SIDE_OF_TENSOR: u32 = SIDE as u32;

/// The network that judges symbols.
#[derive(Debug)]
pub struct Judge {
    network: Network,
}

impl Judge {
    /// None where this plugin can't have the network: not granted, not installed, or not run here.
    pub fn load() -> Option<Self> {
        match Network::load(NETWORK) {
            Ok(network) => Some(Self { network }),
            Err(error) => {
                eprintln!("symbols are judged by their lines alone: {error}");
                None
            }
        }
    }

    /// What the network says of each box of a page, in user space; none for a box that can't be shown to it, and for all
    /// after the network has failed. Boxes that matter most come first: only so many are asked about.
    pub fn answers(&self, page: &pdf::Page, boxes: &[Rect]) -> Vec<Option<Answer>> {
        let render = |options: &_| page.render(*options).ok();
        answers(&page.geometry(), boxes, render, |crop| self.logits(crop).ok())
    }

    fn logits(&self, crop: Vec<f32>) -> Result<Vec<f32>, NnError> {
        let crop = Tensor::new(&[1, 1, SIDE_OF_TENSOR, SIDE_OF_TENSOR], crop);
        let mut outputs = self.network.run(vec![("crop", crop)])?;
        Ok(outputs.take("logits")?.values)
    }
}
