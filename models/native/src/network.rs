//! The project's networks, run by the host's inference on the CPU.

use std::path::Path;

use anyhow::{Context, Result};
use fanlight_inference::{Choice, Inference, Model, Settings, Tensor};
use tokio::runtime::{Builder, Runtime};

/// One of the project's networks, with one output.
pub struct NativeNetwork {
    runtime: Runtime,
    model: Model,
}

impl NativeNetwork {
    /// Opens a network by its name, a folder of `models`.
    ///
    /// # Errors
    ///
    /// If its file or the file's hash is missing, or the engine cannot run it.
    pub fn open(name: &str) -> Result<Self> {
        Self::open_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), name)
    }

    /// Opens a network by its name, a folder of `models`, which is any folder of networks.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in(models: &Path, name: &str) -> Result<Self> {
        let path = models.join(name).join("model.onnx.sha256");
        let hash = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let sha256 = hash.split_whitespace().next().with_context(|| format!("{} is empty", path.display()))?;
        let runtime = Builder::new_current_thread().build()?;
        let inference = Inference::open(Settings { models: models.to_owned(), choice: Choice::Cpu })?;
        let model = runtime.block_on(inference.model(name, sha256))?;
        Ok(Self { runtime, model })
    }

    /// Runs a network with one input on values of a shape and returns its output.
    ///
    /// # Errors
    ///
    /// If the network does not take that shape, or the engine fails.
    pub fn run(&self, shape: &[usize], values: &[f32]) -> Result<Vec<f32>> {
        let input = self.model.inputs().first().context("the network has no input")?;
        self.run_on(&[(input.name(), shape, values)])
    }

    /// Runs the network on inputs by name, each with its shape and values, and returns its output.
    ///
    /// # Errors
    ///
    /// If the network does not take those inputs, or the engine fails.
    pub fn run_on(&self, inputs: &[(&str, &[usize], &[f32])]) -> Result<Vec<f32>> {
        Ok(self.output(inputs)?.into_parts().1)
    }

    /// Runs the network on inputs by name, each with its shape and values, and returns its first output with its shape.
    ///
    /// # Errors
    ///
    /// If the network does not take those inputs, or the engine fails.
    pub(crate) fn output(&self, inputs: &[(&str, &[usize], &[f32])]) -> Result<Tensor> {
        let (_, output) = self.outputs(inputs)?.into_iter().next().context("the network has no output")?;
        Ok(output)
    }

    /// Runs the network on inputs by name, each with its shape and values, and returns its outputs by name.
    ///
    /// # Errors
    ///
    /// If the network does not take those inputs, or the engine fails.
    pub(crate) fn outputs(&self, inputs: &[(&str, &[usize], &[f32])]) -> Result<Vec<(String, Tensor)>> {
        let inputs = inputs
            .iter()
            .map(|&(name, shape, values)| anyhow::Ok((name.to_owned(), Tensor::new(shape.to_vec(), values.to_vec())?)));
        Ok(self.runtime.block_on(self.model.run(inputs.collect::<Result<_>>()?))?)
    }
}
