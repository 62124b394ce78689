//! Opens the inference engine that the configuration selects.

use std::sync::Arc;

use fanlight_inference::{Inference, Settings};

use crate::configuration::Configuration;

/// Opens the inference engine: on a GPU if there is one, unless the configuration selects the CPU.
///
/// # Errors
///
/// Fails if a GPU is required and there is none, or the folder of networks is unknown.
pub(crate) async fn open(configuration: &Configuration) -> anyhow::Result<Arc<Inference>> {
    let settings = Settings { models: configuration.models_folder()?, choice: configuration.inference };
    let inference = tokio::task::spawn_blocking(move || Inference::open(settings)).await??;
    tracing::info!(processor = %inference.processor(), "opened the inference engine");
    Ok(Arc::new(inference))
}
