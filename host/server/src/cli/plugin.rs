//! `fanlight plugin`: the models that are installed.

use std::io::{self, Write};

use anyhow::Context;
use serde_json::{Value, json};
use tokio::runtime::Builder;

use crate::configuration::Configuration;
use crate::guests::Guests;
use crate::models::{Installed, Models};
use crate::{inference, logging};

/// Prints a line for each installed model: what it is called, and what it does.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    let models = load(configuration)?;
    let mut stdout = io::stdout().lock();
    for model in models.iter() {
        let description = model.description();
        writeln!(stdout, "{}  {}", description.model_version(), description.summary).context("can't write the list")?;
    }
    Ok(())
}

/// Prints what each installed model says of itself, the JSON Schemas of its parameters and its result included.
pub(super) fn describe(configuration: &Configuration) -> anyhow::Result<()> {
    let models = load(configuration)?;
    let described: Vec<Value> = models.iter().map(described).collect();
    let mut stdout = io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &described)?;
    writeln!(stdout).context("can't write the descriptions")
}

fn load(configuration: &Configuration) -> anyhow::Result<Models> {
    logging::start(&configuration.log, "warn")?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let settings = configuration.sandbox(inference::open(configuration).await?)?;
        let guests = Guests::open(settings, std::future::ready(None)).await?;
        Models::load(&guests, configuration).await
    })
}

fn described(model: &Installed) -> Value {
    let description = model.description();
    json!({
        "name": description.name,
        "version": description.version,
        "summary": description.summary,
        "max_pages": description.max_pages,
        "parameters": description.parameters,
        "result": description.result,
    })
}
