//! `fanlight plugin`: describes and compiles the installed plugins, installs packages, and serves the authors of new ones.

mod author;
mod bench;
mod check;
mod checked;
mod golden;
mod install;
mod new;
mod notice;
mod pack;
mod packages;
mod registry;
mod sdk;
mod trial;
mod units;
mod work_folder;

use std::path::PathBuf;

use fanlight_inference::Choice;
use fanlight_sandbox::{Compilation, Package, Settings};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::sync::Notify;

use crate::cli::output::{print, print_json};
use crate::configuration::{ANNOTATOR, Configuration};
use crate::runtime::guests::Guests;
use crate::runtime::inference;
use crate::runtime::logging;
use crate::runtime::models::{Installed, Models};
use crate::runtime::ocr;

pub(super) use self::author::{AuthorCommand, run as author};
pub(super) use self::packages::{PackageCommand, run as packages};

/// Prints the descriptions of the installed models as JSON, with the JSON Schemas of their parameters and results.
pub(super) fn describe(configuration: &Configuration) -> anyhow::Result<()> {
    let models = describe_installed(configuration)?;
    let described: Vec<Value> = models.iter().map(|model| description_json(&model)).collect();
    print_json(&described)
}

/// Compiles every installed plugin and stores the machine code in `out`, by default in the folder beside the plugins.
/// Unused machine code is deleted from the default folder only.
pub(super) fn compile(configuration: &Configuration, out: Option<PathBuf>) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    let beside_plugins = out.is_none();
    let out = out.map_or_else(|| configuration.machine_code_folder(), Ok)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let compiled = runtime.block_on(async {
        let settings = configuration.sandbox(inference::open(configuration).await?)?;
        let settings = Settings { cache: out.clone(), machine_code: None, ..settings };
        let guests = Guests::open(settings, ocr::reader(configuration)).await?;
        guests.prepare().await?;
        let models = Models::load(&guests, configuration).await?;
        models.compile(&guests, &Notify::new()).await;
        let annotator = configuration.plugins_folder()?.join(ANNOTATOR);
        if annotator.is_dir() {
            guests.load_annotator(Package::read(&annotator)?).await?;
        }
        if beside_plugins {
            guests.delete_unused_machine_code()?;
        }
        anyhow::Ok(models.versions())
    })?;
    print(&format!("compiled {} into {}\n", compiled.join(", "), out.display()))
}

/// Reads the descriptions of all installed models with the quick compiler. If a component does not start so, the compiler of
/// jobs has the last word on all.
fn describe_installed(configuration: &Configuration) -> anyhow::Result<Models> {
    logging::start(&configuration.log, "warn")?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let models = describe_compiled(configuration, Compilation::ForChecks).await?;
        if models.are_described() {
            return Ok(models);
        }
        describe_compiled(configuration, Compilation::ForJobs).await
    })
}

/// Reads the descriptions of those installed models that start with a compiler.
async fn describe_compiled(configuration: &Configuration, compilation: Compilation) -> anyhow::Result<Models> {
    // No network runs, so there is no need to look for a GPU.
    let configuration = Configuration { inference: Choice::Cpu, ..configuration.clone() };
    let settings = configuration.sandbox(inference::open(&configuration).await?)?;
    let settings = Settings { compilation, ..settings };
    let guests = Guests::open(settings, std::future::ready(None)).await?;
    let models = Models::load(&guests, &configuration).await?;
    models.describe(&guests).await;
    Ok(models)
}

/// Returns a model's description as JSON.
fn description_json(model: &Installed) -> Value {
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
