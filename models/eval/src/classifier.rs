//! The network `symbols-judge`, run natively by the engine that the host runs it with.

use anyhow::Result;
use fanlight_contract::Rect;
use fanlight_detection::classifier_input::{Answer, SIDE};
use fanlight_plugin::page::Readable;
use native::NativeNetwork;

/// The network that judges symbols.
pub struct NativeJudge(NativeNetwork);

impl NativeJudge {
    /// Opens the project's own.
    ///
    /// # Errors
    ///
    /// Where its file is missing, or the engine can't run it.
    pub fn open() -> Result<Self> {
        NativeNetwork::open("symbols-judge").map(Self)
    }

    /// What it says of each box of a page, as `fanlight_detection::classifier::Judge::answers` does in a plugin.
    pub fn answers(&self, page: &impl Readable, boxes: &[Rect]) -> Vec<Option<Answer>> {
        let run = |crop: Vec<f32>| self.0.run(&[1, 1, SIDE, SIDE], &crop).ok();
        fanlight_detection::classifier::answers(&page.geometry(), boxes, |options| page.render(options), run)
    }
}
