//! The network `symbols-judge`, run natively by the engine that the host runs it with.

use anyhow::Result;
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{Classification, SIDE};
use fanlight_plugin::page::Readable;
use native::NativeNetwork;

/// The network that judges symbols.
pub struct NativeClassifier(NativeNetwork);

impl NativeClassifier {
    /// Opens the project's own.
    ///
    /// # Errors
    ///
    /// Where its file is missing, or the engine can't run it.
    pub fn open() -> Result<Self> {
        NativeNetwork::open("symbols-judge").map(Self)
    }

    /// What it says of each box of a page, as `fanlight_detection::classifier::Classifier::classify` does in a plugin.
    pub fn classify(&self, page: &impl Readable, boxes: &[Rect]) -> Vec<Option<Classification>> {
        let run = |crop: Vec<f32>| self.0.run(&[1, 1, SIDE, SIDE], &crop).ok();
        fanlight_detection::classifier::classify(&page.geometry(), boxes, |options| page.render(options), run)
    }
}
