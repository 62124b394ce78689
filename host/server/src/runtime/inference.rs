//! Opens the inference engine that the configuration selects.

use std::path::PathBuf;
use std::sync::Arc;

use fanlight_inference::{Inference, Settings};

use crate::configuration::Configuration;

/// Opens the inference engine: on a GPU if there is one, unless the configuration selects the CPU.
///
/// # Errors
///
/// Fails if a GPU is required and there is none, or the folder of networks is unknown.
pub(crate) async fn open(configuration: &Configuration) -> anyhow::Result<Arc<Inference>> {
    start(configuration).await.map(Arc::new)
}

/// As [`open`], with the networks that a package carries, `NAME.onnx` each in the folder `carried`. They come before the
/// host's.
///
/// # Errors
///
/// As [`open`].
pub(crate) async fn open_with_carried(
    configuration: &Configuration,
    carried: PathBuf,
) -> anyhow::Result<Arc<Inference>> {
    Ok(Arc::new(start(configuration).await?.with_carried_models(carried)))
}

async fn start(configuration: &Configuration) -> anyhow::Result<Inference> {
    let settings = Settings { models: configuration.models_folder()?, choice: configuration.inference };
    let inference = tokio::task::spawn_blocking(move || Inference::open(settings)).await??;
    tracing::info!(processor = %inference.processor(), "opened the inference engine");
    Ok(inference)
}
