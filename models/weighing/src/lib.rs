//! The network that judges symbols, run natively by the engine that the host runs it with: for measuring and tests.

use std::path::Path;

use anyhow::{Context, Result};
use fanlight_crops::{Answer, SIDE};
use fanlight_vocabulary::Rect;
use rten::{Model, ModelOptions, Value};
use rten_tensor::TensorView;

/// The network that judges symbols.
pub struct NativeJudge(Model);

impl NativeJudge {
    /// Opens the project's own.
    ///
    /// # Errors
    ///
    /// Where its file is missing, or the engine can't run it.
    pub fn open() -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../symbols-judge/model.onnx");
        let onnx = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        Ok(Self(options.load(onnx).context("the network can't be opened")?))
    }

    /// What it says of each box of a page, as `fanlight_judge::Judge::answers` does in a plugin.
    pub fn answers(&self, page: &pdf_engine::Page, boxes: &[Rect]) -> Vec<Option<Answer>> {
        let render = |options: &_| page.render(options).ok();
        fanlight_judge::answers(&page.geometry(), boxes, render, |crop| self.outputs(&crop))
    }

    fn outputs(&self, crop: &[f32]) -> Option<Vec<f32>> {
        let input = TensorView::from_data(&[1, 1, SIDE, SIDE], crop).into();
        let input_id = *self.0.input_ids().first()?;
        let mut outputs = self.0.run(vec![(input_id, input)], self.0.output_ids(), None).ok()?;
        let Value::FloatTensor(logits) = outputs.pop()? else { return None };
        Some(logits.into_data())
    }
}
