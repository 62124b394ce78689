//! What an engine is: it opens ONNX files and runs them. It lives on a thread of its own and needn't be `Send`.

use std::sync::Arc;

use thiserror::Error;

use crate::cost::{Graph, UnknownCost};
use crate::tensor::Tensor;
use crate::tensor_spec::TensorSpec;

/// Why an engine can't run a model. Each goes on a sentence that begins with the model.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UnsupportedModel {
    /// Its file is no ONNX file, or a broken one.
    #[error("is not a readable ONNX file: {0}")]
    Unreadable(String),
    /// It has an operator that the engine lacks, or one in a form that it lacks.
    #[error("can't be run by {engine}: {detail}")]
    Operator {
        /// The engine.
        engine: &'static str,
        /// Which, and where.
        detail: String,
    },
    /// It gives something else than on the CPU.
    #[error("gives something else on the GPU than on the CPU: its output `{output}` is off by {by}")]
    Differs {
        /// The output.
        output: String,
        /// By how much, of a value above 1 or in all.
        by: f32,
    },
    /// An input or output isn't of 32-bit floats, or has no shape.
    #[error("is none for this host, which runs models of 32-bit floats: its {0}")]
    TensorSpec(String),
    /// Nobody can say beforehand what a run costs, and no run can be interrupted.
    #[error("{0}")]
    UnknownCost(#[from] UnknownCost),
    /// Every run costs more than one may.
    #[error("takes inputs of fixed sizes, and a run on them costs {0}")]
    TooExpensive(String),
}

/// Opens models.
pub(crate) trait Engine {
    /// Reads an ONNX file and makes it ready to run.
    fn open(&mut self, onnx: &[u8]) -> Result<Box<dyn Network>, UnsupportedModel>;
}

/// A model that an engine has opened.
pub(crate) trait Network {
    /// What it takes.
    fn inputs(&self) -> &[TensorSpec];
    /// The names of what it gives.
    fn outputs(&self) -> &[String];
    /// What says how much a run costs.
    fn graph(&self) -> &Arc<Graph>;
    /// Runs it on inputs that fit, in the order of [`Network::inputs`]; outputs come in the order of theirs.
    fn run(&mut self, inputs: &[Tensor]) -> Result<Vec<Tensor>, String>;
}
