//! The network `view-classifier` behind the host.

use std::cell::OnceCell;

use fanlight_plugin::nn::{Network, NnError, Tensor};

use crate::views::network_input::{PLACE, PLANES, SIDE};

/// The network's name in `plugin.toml` and in the operator's grants.
const NETWORK: &str = "view-classifier";

/// The network that says what a box of a sheet holds. It is loaded at the first box.
#[derive(Debug, Default)]
pub struct ViewClassifier {
    network: OnceCell<Option<Network>>,
}

impl ViewClassifier {
    /// Returns the logits for a box's picture and place. `None` if the network is not granted, not installed, or fails.
    pub fn classify(&self, picture: Vec<f32>, place: [f32; PLACE]) -> Option<Vec<f32>> {
        let load = || Network::load(NETWORK).map_err(|error| eprintln!("views are not classified: {error}")).ok();
        let network = self.network.get_or_init(load).as_ref()?;
        let failed = |error: &NnError| eprintln!("views are not classified: {error}");
        logits(network, picture, place).inspect_err(failed).ok()
    }
}

fn logits(network: &Network, picture: Vec<f32>, place: [f32; PLACE]) -> Result<Vec<f32>, NnError> {
    let side = SIDE as u32;
    let picture = Tensor::new(&[1, PLANES as u32, side, side], picture);
    let place = Tensor::new(&[1, PLACE as u32, 1, 1], place.to_vec());
    Ok(network.run(vec![("picture", picture), ("place", place)])?.take("logits")?.values)
}
