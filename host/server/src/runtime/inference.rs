//! Where the networks of plugins run, as the configuration says.

use std::sync::Arc;

use fanlight_inference::{Inference, Settings};

use crate::configuration::Configuration;

/// Looks for a GPU, unless the CPU is chosen, and says what it is to be.
pub(crate) async fn open(configuration: &Configuration) -> anyhow::Result<Arc<Inference>> {
    let settings = Settings { models: configuration.models_folder()?, choice: configuration.inference };
    let inference = tokio::task::spawn_blocking(move || Inference::open(settings)).await??;
    tracing::info!("networks run on {}", inference.processor());
    Ok(Arc::new(inference))
}
