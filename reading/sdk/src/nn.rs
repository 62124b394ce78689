//! Inference by the host. Using it asks for the capability `nn`, and for the networks that `plugin.toml` names.
//!
//! ```no_run
//! use fanlight_plugin::nn::{Network, NnError, Tensor};
//!
//! # fn judge(pixels: Vec<f32>) -> Result<Vec<f32>, NnError> {
//! let network = Network::load("symbols-judge")?;
//! let image = Tensor::new(&[1, 1, 64, 64], pixels);
//! let mut outputs = network.run(vec![("image", image)])?;
//! let scores = outputs.take("scores")?;
//! # Ok(scores.values)
//! # }
//! ```

use std::fmt;

use crate::bindings::wasi::nn::{errors, graph, inference, tensor};

/// Why there is no result. The text is for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NnError {
    /// This plugin can't have the network here: it isn't granted, isn't installed, or can't be run. The same for the
    /// whole job, so a plugin that can do without goes on without.
    Unavailable(String),
    /// The inputs are not what the network takes.
    BadInput(String),
    /// The network failed on these inputs.
    Failed(String),
}

impl fmt::Display for NnError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(text) | Self::BadInput(text) | Self::Failed(text) => formatter.write_str(text),
        }
    }
}

impl std::error::Error for NnError {}

impl From<errors::Error> for NnError {
    fn from(error: errors::Error) -> Self {
        let text = error.data();
        match error.code() {
            errors::ErrorCode::NotFound
            | errors::ErrorCode::Security
            | errors::ErrorCode::UnsupportedOperation
            | errors::ErrorCode::InvalidEncoding => Self::Unavailable(text),
            errors::ErrorCode::InvalidArgument => Self::BadInput(text),
            errors::ErrorCode::Timeout
            | errors::ErrorCode::RuntimeError
            | errors::ErrorCode::TooLarge
            | errors::ErrorCode::Unknown => Self::Failed(text),
        }
    }
}

/// 32-bit floats in row-major order: the last dimension varies fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The size of each dimension.
    pub shape: Vec<u32>,
    /// The values, as many as the product of the sizes.
    pub values: Vec<f32>,
}

impl Tensor {
    /// These values in this shape. Whether they fit is checked when a network runs on them.
    pub fn new(shape: &[u32], values: Vec<f32>) -> Self {
        Self { shape: shape.to_vec(), values }
    }

    fn handed_over(self) -> tensor::Tensor {
        let mut data = vec![0; self.values.len() * 4];
        for (bytes, value) in data.as_chunks_mut().0.iter_mut().zip(&self.values) {
            *bytes = value.to_le_bytes();
        }
        tensor::Tensor::new(&self.shape, tensor::TensorType::Fp32, &data)
    }

    fn taken_over(handle: &tensor::Tensor) -> Self {
        let data = handle.data();
        let values = data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Self { shape: handle.dimensions(), values }
    }
}

/// A network, loaded.
#[derive(Debug)]
pub struct Network {
    context: inference::GraphExecutionContext,
}

impl Network {
    /// Loads the network of this name, one of those that `plugin.toml` names. The host has it open already, so load it when a
    /// page needs it: where this plugin can't have it, the job carries a warning to the client.
    ///
    /// # Errors
    ///
    /// [`NnError::Unavailable`] where this plugin can't have it.
    pub fn load(name: &str) -> Result<Self, NnError> {
        let graph = graph::load_by_name(name)?;
        Ok(Self { context: graph.init_execution_context()? })
    }

    /// Runs the network on its inputs by name, each once, in whatever order. Waits for its turn on the device.
    ///
    /// # Errors
    ///
    /// [`NnError::BadInput`] where a name, a shape or a number of values isn't what it takes; [`NnError::Failed`] where
    /// it failed.
    pub fn run(&self, inputs: Vec<(&str, Tensor)>) -> Result<Outputs, NnError> {
        let inputs = inputs.into_iter().map(|(name, tensor)| (name.to_owned(), tensor.handed_over())).collect();
        let outputs = self.context.compute(inputs)?;
        Ok(Outputs(outputs.iter().map(|(name, handle)| (name.clone(), Tensor::taken_over(handle))).collect()))
    }
}

/// What a network gave, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs(Vec<(String, Tensor)>);

impl Outputs {
    /// Takes out the output of this name.
    ///
    /// # Errors
    ///
    /// [`NnError::Failed`] where the network has none of that name.
    pub fn take(&mut self, name: &str) -> Result<Tensor, NnError> {
        let found = self.0.iter().position(|(output, _)| output == name);
        let place = found.ok_or_else(|| NnError::Failed(format!("the network has no output `{name}`")))?;
        Ok(self.0.swap_remove(place).1)
    }

    /// All of them, by name, in the network's own order.
    pub fn into_vec(self) -> Vec<(String, Tensor)> {
        self.0
    }
}
