//! Which processor runs networks: what the operator wants, and what there is.

use std::fmt;

use serde::Deserialize;
use thiserror::Error;

use crate::gpu::{self, Found};

/// What the operator wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// The GPU where there is one, and the CPU for what it can't run.
    #[default]
    Auto,
    /// The GPU alone.
    Gpu,
    /// The CPU alone.
    Cpu,
}

/// What runs networks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Processor {
    /// The CPU.
    Cpu,
    /// The GPU: the adapter's name, and the interface to it.
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

/// Why there is no GPU to be had. Each is one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoGpu {
    /// There is no adapter at all.
    #[error(
        "no GPU was found: neither Vulkan, Metal nor DirectX 12 shows one, or none by the name in WGPU_ADAPTER_NAME"
    )]
    Nothing,
    /// There is one that is none.
    #[error(
        "the only GPU is {0}, which computes on the CPU; name it in WGPU_ADAPTER_NAME to have it used all the same"
    )]
    Software(String),
}

/// What is to run networks.
pub(crate) fn chosen(choice: Choice) -> Result<Processor, NoGpu> {
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
