//! Where the networks of plugins run, as the configuration says.

use std::sync::Arc;

use anyhow::Context;
use fanlight_inference::{Inference, Settings};

use crate::configuration::Configuration;

/// Starts the device.
pub(crate) fn open(configuration: &Configuration) -> anyhow::Result<Arc<Inference>> {
    let settings = Settings { models: configuration.models_folder()? };
    let inference = Inference::open(settings).context("can't start inference")?;
    Ok(Arc::new(inference))
}
