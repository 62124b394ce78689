//! The network `view-classifier` behind the host.

use fanlight_plugin::nn::{OptionalNetwork, Tensor};

use crate::views::network_input::{PLACE, PLANES, SIDE};

/// The network that says what a box of a sheet holds. It is loaded at the first box.
#[derive(Debug)]
pub struct ViewClassifier(OptionalNetwork);

impl Default for ViewClassifier {
    fn default() -> Self {
        Self(OptionalNetwork::new("view-classifier", "views are not classified"))
    }
}

impl ViewClassifier {
    /// Returns the logits for a box's picture and place. `None` if the network is not granted, not installed, or fails.
    pub fn classify(&self, picture: Vec<f32>, place: [f32; PLACE]) -> Option<Vec<f32>> {
        let side = SIDE as u32;
        let picture = Tensor::new(&[1, PLANES as u32, side, side], picture);
        let place = Tensor::new(&[1, PLACE as u32, 1, 1], place.to_vec());
        self.0.run(vec![("picture", picture), ("place", place)], "logits")
    }
}
