//! The project's networks.

use std::path::Path;

use anyhow::{Context, Result};
use rten::{Model, ModelOptions};
use rten_tensor::TensorView;

/// One of the project's networks, with one input and one output, run by the engine that the host runs it with on a CPU.
pub struct NativeNetwork(Model);

impl NativeNetwork {
    /// Opens it by its name, a folder of `models`.
    ///
    /// # Errors
    ///
    /// Where its file is missing, or the engine can't run it.
    pub fn open(name: &str) -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("model.onnx");
        let onnx = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        Ok(Self(options.load(onnx).with_context(|| format!("{} is no network", path.display()))?))
    }

    /// Its output for an input of a shape.
    ///
    /// # Errors
    ///
    /// Where the network doesn't take that shape.
    pub fn run(&self, shape: &[usize], values: &[f32]) -> Result<Vec<f32>> {
        let input = *self.0.input_ids().first().context("the network has no input")?;
        let view = TensorView::from_data(shape, values);
        let mut outputs = self.0.run(vec![(input, view.into())], self.0.output_ids(), None)?;
        let output = outputs.pop().context("the network gave nothing")?;
        let tensor = output.into_tensor::<f32>().context("the network gave no floats")?;
        Ok(tensor.into_data())
    }
}
