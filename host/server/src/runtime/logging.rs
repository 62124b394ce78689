//! The log, on standard error.

use std::io::stderr;

use anyhow::Context;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt;

use crate::configuration::{Log, LogFormat};

/// Directives that silence the verbose logs of the GPU libraries by default.
const GPU_DIRECTIVES: &str = "wonnx=error,wgpu_core=error,wgpu_hal=off,naga=error";

/// Starts the log. `default` holds the directives that are used if the configuration has none.
///
/// # Errors
///
/// Fails if the directives are not valid, or a log has been started before.
pub(crate) fn start(log: &Log, default: &str) -> anyhow::Result<()> {
    let directives = log.filter.clone().unwrap_or_else(|| format!("{default},{GPU_DIRECTIVES}"));
    let filter =
        EnvFilter::try_new(&directives).with_context(|| format!("the log filter {directives:?} is not valid"))?;
    // A line that nobody reads is dropped; a message about it would panic.
    let lines = fmt().with_env_filter(filter).with_writer(stderr).log_internal_errors(false);
    let started = match log.format {
        LogFormat::Text => lines.with_ansi(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("can't start the log: {error}"))
}
