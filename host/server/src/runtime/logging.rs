//! The log, on standard error.

use std::io::stderr;

use anyhow::Context;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

use crate::configuration::{Log, LogFormat};

/// What the GPU's libraries say of every step is left out, unless the configuration asks for it.
const QUIET: &str = "wonnx=error,wgpu_core=error,wgpu_hal=off,naga=error";

/// Starts the log. `default` are the directives where the configuration has none.
pub(crate) fn start(log: &Log, default: &str) -> anyhow::Result<()> {
    let directives = log.filter.clone().unwrap_or_else(|| format!("{default},{QUIET}"));
    let filter = EnvFilter::try_new(&directives).with_context(|| format!("{directives:?} is no filter of the log"))?;
    let lines = fmt().with_env_filter(filter).with_writer(stderr);
    let started = match log.format {
        LogFormat::Text => lines.with_ansi(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("can't start the log: {error}"))
}
