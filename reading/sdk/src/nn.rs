//! Inference by the host. Using it asks for the capability `nn`, and for the networks that `plugin.toml` names.
//!
//! ```no_run
//! use fanlight_plugin::nn::{Network, NnError, Tensor};
//!
//! # fn classify(pixels: Vec<f32>) -> Result<Vec<f32>, NnError> {
//! let network = Network::load("symbols-judge")?;
//! let image = Tensor::new(&[1, 1, 64, 64], pixels);
//! let mut outputs = network.run(vec![("image", image)])?;
//! let scores = outputs.take("scores")?;
//! # Ok(scores.values)
//! # }
//! ```

use std::fmt;

use crate::bindings::wasi::nn::{errors, graph, inference, tensor};

/// Why a network gave no result. The message is for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NnError {
    /// The plugin cannot use the network here: it is not granted, not installed or cannot run. This holds for the
    /// whole job, so a plugin that can work without it continues without.
    Unavailable(String),
    /// The inputs do not match the network.
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
    /// Creates a tensor. The number of values is checked when a network runs on it.
    pub fn new(shape: &[u32], values: Vec<f32>) -> Self {
        Self { shape: shape.to_vec(), values }
    }

    /// Passes the tensor to the host.
    fn into_host(self) -> tensor::Tensor {
        let mut data = vec![0; self.values.len() * 4];
        for (bytes, value) in data.as_chunks_mut().0.iter_mut().zip(&self.values) {
            *bytes = value.to_le_bytes();
        }
        tensor::Tensor::new(&self.shape, tensor::TensorType::Fp32, &data)
    }

    /// Copies a tensor from the host.
    fn from_host(handle: &tensor::Tensor) -> Self {
        let data = handle.data();
        let values = data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Self { shape: handle.dimensions(), values }
    }
}

/// A loaded network.
#[derive(Debug)]
pub struct Network {
    context: inference::GraphExecutionContext,
}

impl Network {
    /// Loads a network that `plugin.toml` names. The host has it open already, so load it only when a page needs it:
    /// if this plugin cannot use it, the job carries a warning for the client.
    ///
    /// # Errors
    ///
    /// [`NnError::Unavailable`] if this plugin cannot use it.
    pub fn load(name: &str) -> Result<Self, NnError> {
        let graph = graph::load_by_name(name)?;
        Ok(Self { context: graph.init_execution_context()? })
    }

    /// Runs the network on its inputs by name, each once, in any order. Waits in the device's queue.
    ///
    /// # Errors
    ///
    /// [`NnError::BadInput`] if a name, a shape or a number of values does not match; [`NnError::Failed`] if the
    /// network fails.
    pub fn run(&self, inputs: Vec<(&str, Tensor)>) -> Result<Outputs, NnError> {
        let inputs = inputs.into_iter().map(|(name, tensor)| (name.to_owned(), tensor.into_host())).collect();
        let outputs = self.context.compute(inputs)?;
        Ok(Outputs(outputs.iter().map(|(name, handle)| (name.clone(), Tensor::from_host(handle))).collect()))
    }
}

/// The outputs of a network, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs(Vec<(String, Tensor)>);

impl Outputs {
    /// Removes and returns the output of this name.
    ///
    /// # Errors
    ///
    /// [`NnError::Failed`] if the network has no output of this name.
    pub fn take(&mut self, name: &str) -> Result<Tensor, NnError> {
        let found = self.0.iter().position(|(output, _)| output == name);
        let place = found.ok_or_else(|| NnError::Failed(format!("the network has no output `{name}`")))?;
        Ok(self.0.swap_remove(place).1)
    }

    /// Returns all outputs by name, in the network's own order.
    pub fn into_vec(self) -> Vec<(String, Tensor)> {
        self.0
    }
}
