//! The choice of the processor that runs networks.

use std::fmt;

use serde::Deserialize;
use thiserror::Error;

use crate::gpu::{self, Found};

/// The processor that the operator chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// The GPU if there is one, and the CPU for what the GPU cannot run.
    #[default]
    Auto,
    /// Only the GPU.
    Gpu,
    /// Only the CPU.
    Cpu,
}

/// The processor that runs networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Processor {
    /// The CPU.
    Cpu,
    /// The GPU, by the adapter's name and its graphics interface.
    Gpu(String),
}

impl fmt::Display for Processor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => formatter.write_str("the CPU"),
            Self::Gpu(adapter) => write!(formatter, "the GPU {adapter}"),
        }
    }
}

/// Why no GPU can be used. Each message is one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoGpu {
    /// No adapter was found.
    #[error(
        "no GPU was found: neither Vulkan, Metal nor DirectX 12 shows one, or none by the name in WGPU_ADAPTER_NAME"
    )]
    Nothing,
    /// Only a software adapter was found.
    #[error(
        "the only GPU is {0}, which computes on the CPU; name it in WGPU_ADAPTER_NAME to have it used all the same"
    )]
    Software(String),
}

/// Returns the processor that runs networks.
///
/// # Errors
///
/// [`NoGpu`] if only the GPU is allowed and none was found.
pub(crate) fn choose_processor(choice: Choice) -> Result<Processor, NoGpu> {
    let found = match choice {
        Choice::Cpu => return Ok(Processor::Cpu),
        Choice::Auto | Choice::Gpu => gpu::find(),
    };
    match (found, choice) {
        (Found::Gpu(adapter), _) => Ok(Processor::Gpu(adapter)),
        (Found::Software(adapter), Choice::Gpu) => Err(NoGpu::Software(adapter)),
        (Found::Nothing, Choice::Gpu) => Err(NoGpu::Nothing),
        (Found::Software(_) | Found::Nothing, _) => Ok(Processor::Cpu),
    }
}
