//! The traits of an engine, which opens ONNX files, and of an open network. An engine lives on a thread of its own,
//! so it need not be `Send`.

use std::sync::Arc;

use thiserror::Error;

use crate::cost::{Graph, UnknownCost};
use crate::tensor::Tensor;
use crate::tensor_spec::TensorSpec;

/// Why an engine cannot run a model. Each message continues a sentence that begins with the model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UnsupportedModel {
    /// Its file is not an ONNX file, or is damaged.
    #[error("is not a readable ONNX file: {0}")]
    Unreadable(String),
    /// It has an operator, or a form of one, that the engine does not support.
    #[error("can't be run by {engine}: {detail}")]
    Operator {
        /// The engine's name.
        engine: &'static str,
        /// Which operator, and where.
        detail: String,
    },
    /// Its results on the GPU differ from those on the CPU.
    #[error("gives something else on the GPU than on the CPU: its output `{output}` is off by {by}")]
    Differs {
        /// The name of the output.
        output: String,
        /// The largest difference: relative where the value is above 1, else absolute.
        by: f32,
    },
    /// An input or output is not of 32-bit floats, or has no shape.
    #[error("is none for this host, which runs models of 32-bit floats: its {0}")]
    TensorSpec(String),
    /// The cost of a run cannot be computed beforehand, and a run cannot be interrupted.
    #[error("{0}")]
    UnknownCost(#[from] UnknownCost),
    /// Every run exceeds the limit on cost.
    #[error("takes inputs of fixed sizes, and a run on them costs {0}")]
    TooExpensive(String),
}

/// Opens models.
pub(crate) trait Engine {
    /// Reads an ONNX file and prepares it for running.
    ///
    /// # Errors
    ///
    /// [`UnsupportedModel`] if this engine cannot run it.
    fn open(&mut self, onnx: &[u8]) -> Result<Box<dyn Network>, UnsupportedModel>;
}

/// A model that an engine has opened.
pub(crate) trait Network {
    /// The specifications of its inputs.
    fn inputs(&self) -> &[TensorSpec];
    /// The names of its outputs.
    fn outputs(&self) -> &[String];
    /// The graph from which the cost of a run is computed.
    fn graph(&self) -> &Arc<Graph>;
    /// Runs on checked inputs in the order of [`Network::inputs`] and returns outputs in the order of
    /// [`Network::outputs`].
    ///
    /// # Errors
    ///
    /// The engine's own message.
    fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, String>;
}
