//! The network that tells windows from other parallel lines.

use std::cell::OnceCell;

use fanlight_plugin::Failure;
use fanlight_plugin::nn::{Network, NnError, Tensor};

use crate::input::{BLACK, CHANNELS, SIDE};

/// The network's name in `plugin.toml`, and that of its file in `networks/`.
const NETWORK: &str = "window-classifier";

/// The network, loaded when the first candidate needs it: a document without any loads nothing.
#[derive(Default)]
pub(crate) struct Classifier {
    network: OnceCell<Network>,
}

impl Classifier {
    /// Returns how likely an [`input`](crate::input::input) shows a window, from 0 to 1.
    ///
    /// # Errors
    ///
    /// [`Failure::Internal`] if the host cannot run the network.
    pub(crate) fn confidence(&self, cells: &[u8]) -> Result<f32, Failure> {
        self.logit(cells).map(sigmoid).map_err(|error| Failure::Internal(error.to_string()))
    }

    /// Runs the network. The first of its outputs is the logit of a window.
    fn logit(&self, cells: &[u8]) -> Result<f32, NnError> {
        let values = cells.iter().map(|&cell| f32::from(cell) / f32::from(BLACK)).collect();
        let shape = [1, CHANNELS, SIDE, SIDE].map(|size| size as u32);
        let mut outputs = self.network()?.run(vec![("input", Tensor::new(&shape, values))])?;
        let logits = outputs.take("logits")?.values;
        logits.first().copied().ok_or_else(|| NnError::Failed("the network gives no logit".to_owned()))
    }

    fn network(&self) -> Result<&Network, NnError> {
        if let Some(network) = self.network.get() {
            return Ok(network);
        }
        let network = Network::load(NETWORK)?;
        Ok(self.network.get_or_init(|| network))
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns a confidence to two decimals, which every engine gives alike.
pub(crate) fn rounded(confidence: f32) -> f64 {
    (f64::from(confidence) * 100.0).round() / 100.0
}
