//! The network that judges symbols, run natively by the engine that the host runs it with, for measuring and tests; and how
//! much it counts beside a finder.

mod logistic;

use anyhow::Result;
use fanlight_crops::{Answer, SIDE};
use fanlight_page::Readable;
use fanlight_vocabulary::Rect;
use native::NativeNetwork;

pub use logistic::{Opinion, fit};

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

    /// What it says of each box of a page, as `fanlight_judge::Judge::answers` does in a plugin.
    pub fn answers(&self, page: &impl Readable, boxes: &[Rect]) -> Vec<Option<Answer>> {
        let run = |crop: Vec<f32>| self.0.run(&[1, 1, SIDE, SIDE], &crop).ok();
        fanlight_judge::answers(&page.geometry(), boxes, |options| page.render(options), run)
    }
}
