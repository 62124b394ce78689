//! The network `symbol-classifier` without a host, run by the engine that the host runs it with.

use std::path::Path;

use anyhow::Result;
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{Classification, SIDE};
use fanlight_plugin::page::Readable;
use native::NativeNetwork;

/// The network's name.
const NAME: &str = "symbol-classifier";

/// The network that classifies symbols.
pub struct NativeClassifier(NativeNetwork);

impl NativeClassifier {
    /// Opens the project's own network.
    ///
    /// # Errors
    ///
    /// If its file is missing, or the engine cannot run it.
    pub fn open() -> Result<Self> {
        NativeNetwork::open(NAME).map(Self)
    }

    /// Opens the network of another training, in a folder of networks.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in(networks: &Path) -> Result<Self> {
        NativeNetwork::open_in(networks, NAME).map(Self)
    }

    /// Classifies boxes of a page, as `fanlight_detection::classifier::Classifier::classify` does in a plugin.
    pub fn classify(&self, page: &impl Readable, boxes: &[Rect]) -> Vec<Option<Classification>> {
        let run = |input: Vec<f32>| self.0.run(&[1, 1, SIDE, SIDE], &input).ok();
        fanlight_detection::classifier::classify(&page.geometry(), boxes, |options| page.render(options), run)
    }
}
