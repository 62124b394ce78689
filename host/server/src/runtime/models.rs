//! The installed models: the packages in the plugins' folder.
//!
//! A model with machine code is ready at once. The others are compiled while the server already answers requests:
//! [`Models::compile`] first reads the description of each, which takes a fraction of the time, and then compiles it.
//! [`Models::described`] and [`Models::ready`] wait for a model and move it to the front.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use fanlight_sandbox::{Capability, Description, Grants, Model, Outline, Package};
use futures_util::future::join_all;
use jsonschema::Validator;
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::configuration::{ANNOTATOR, Configuration, OCR_ENGINE, PDF_ENGINE};
use crate::runtime::guests::Guests;

/// How long a request waits for a model that is being compiled. The PDF engine and a model each take seconds. A request
/// may wait as long for a job.
const COMPILATION_WAIT: Duration = Duration::from_mins(1);

/// An installed model whose description is known.
pub(crate) struct Installed {
    description: Description,
    parameters: Validator,
    may_ask_a_language_model: bool,
    /// None until the model is compiled.
    model: Option<Model>,
}

impl Installed {
    /// Loads a package, and compiles it if it has no machine code.
    async fn load(folder: &Path, guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let Unloaded { package, grants } = Unloaded::read(folder, configuration).await?;
        Self::from_model(guests.load(package, grants).await?)
    }

    fn from_model(model: Model) -> anyhow::Result<Self> {
        let installed = Self::new(model.description().clone(), model.has(Capability::Language))?;
        Ok(Self { model: Some(model), ..installed })
    }

    fn from_outline(outline: &Outline) -> anyhow::Result<Self> {
        Self::new(outline.description().clone(), outline.has(Capability::Language))
    }

    fn new(description: Description, may_ask_a_language_model: bool) -> anyhow::Result<Self> {
        let parameters = jsonschema::validator_for(&description.parameters)
            .with_context(|| format!("the parameters' schema of plugin `{}` is not valid", description.name))?;
        Ok(Self { description, parameters, may_ask_a_language_model, model: None })
    }

    /// Returns the compiled model. None until it is compiled.
    pub(crate) fn model(&self) -> Option<Model> {
        self.model.clone()
    }

    /// Returns the model's description.
    pub(crate) fn description(&self) -> &Description {
        &self.description
    }

    /// Returns whether the model requests a language model, has the grant, and one is configured.
    pub(crate) fn may_ask_a_language_model(&self) -> bool {
        self.may_ask_a_language_model
    }

    /// Checks parameters against the model's schema.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong.
    pub(crate) fn check_parameters(&self, parameters: &Value) -> Result<(), String> {
        let Some(named) = parameters.as_object() else {
            return Err("the parameters are not a JSON object".to_owned());
        };
        if let Some(unknown) = unknown_parameter(&self.description().parameters, named) {
            return Err(format!("there is no parameter `{unknown}`"));
        }
        self.parameters.validate(parameters).map_err(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            place => format!("{error} at `{place}`"),
        })
    }
}

/// A package that has been read, but not loaded.
#[derive(Clone)]
struct Unloaded {
    package: Arc<Package>,
    grants: Grants,
}

impl Unloaded {
    /// Reads a package. Fails if it is not a model, or has another name than its folder.
    async fn read(folder: &Path, configuration: &Configuration) -> anyhow::Result<Self> {
        let reading = folder.to_owned();
        let package = tokio::task::spawn_blocking(move || Package::read(&reading)).await??;
        ensure_named_as_folder(package.name(), folder)?;
        if !package.is_model() {
            bail!(
                "the package `{}` is not a model; only one PDF engine and one annotator can be installed",
                package.name()
            );
        }
        let grants = configuration.grants_for(package.name());
        Ok(Self { package: Arc::new(package), grants })
    }
}

/// Checks that a package is named as its folder, so that it can neither replace another one nor get its grants.
fn ensure_named_as_folder(name: &str, folder: &Path) -> anyhow::Result<()> {
    if folder.file_name().is_some_and(|folder| folder == name) {
        return Ok(());
    }
    bail!("the folder {} holds a package that is named `{name}`", folder.display())
}

/// Returns the first name that is not a property of a schema without additional properties. The validator's own message
/// does not name it.
fn unknown_parameter<'a>(schema: &Value, named: &'a Map<String, Value>) -> Option<&'a str> {
    if schema["additionalProperties"] != Value::Bool(false) {
        return None;
    }
    named.keys().map(String::as_str).find(|name| schema["properties"].get(name).is_none())
}

/// How far a model has been loaded.
#[derive(Clone)]
enum Stage {
    /// Only the package has been read.
    Unknown(Unloaded),
    /// The description is known.
    Described(Unloaded, Arc<Installed>),
    /// The model can be run.
    Ready(Arc<Installed>),
    /// The model cannot be used. The log says why.
    Skipped,
}

impl Stage {
    fn installed(&self) -> Option<&Arc<Installed>> {
        match self {
            Self::Described(_, installed) | Self::Ready(installed) => Some(installed),
            Self::Unknown(_) | Self::Skipped => None,
        }
    }

    fn is_described(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }

    fn is_final(&self) -> bool {
        matches!(self, Self::Ready(_) | Self::Skipped)
    }
}

/// Why a model is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NotReady {
    /// The model is not installed, or cannot be used.
    #[error("the model is not installed")]
    NotInstalled,
    /// The model was still being compiled after the time that a request may wait.
    #[error("the model is still being compiled")]
    Compiling,
}

/// All installed models.
#[derive(Default)]
pub(crate) struct Models {
    /// The stage of each model, by name.
    stages: BTreeMap<String, watch::Sender<Stage>>,
    /// Models that requests wait for, first come first served.
    wanted: Mutex<Vec<String>>,
}

impl Models {
    /// Reads every package in the plugins' folder concurrently, and loads those that have machine code. A package that
    /// cannot be used is skipped with a warning.
    ///
    /// # Errors
    ///
    /// Fails if the plugins' folder cannot be read.
    pub(crate) async fn load(guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let started = Instant::now();
        let folders = packages(&configuration.plugins_folder()?)?;
        let loading = folders.iter().map(|folder| load_compiled(&folder.path, guests, configuration));
        let mut models = Self::default();
        for (PackageFolder { name, .. }, loaded) in folders.iter().zip(join_all(loading).await) {
            match loaded {
                Ok(stage) => {
                    models.stages.insert(name.clone(), watch::Sender::new(stage));
                }
                Err(error) => log_skipped(name, &error),
            }
        }
        let ready: Vec<String> = models.iter().map(|installed| installed.description.name.clone()).collect();
        let milliseconds = started.elapsed().as_millis() as u64;
        let compiling = models.compiling().join(",");
        tracing::info!(models = ready.join(","), compiling, milliseconds, "loaded the installed models");
        Ok(models)
    }

    /// Loads only one model.
    ///
    /// # Errors
    ///
    /// Fails if it is not installed or cannot be loaded.
    pub(crate) async fn load_one(
        name: &str,
        guests: &Guests,
        configuration: &Configuration,
    ) -> anyhow::Result<Installed> {
        let plugins = configuration.plugins_folder()?;
        let folder = package_of(name, &packages(&plugins)?)?;
        Installed::load(&folder, guests, configuration).await
    }

    /// Describes and compiles every model, one step at a time. `ready` is notified after each step.
    pub(crate) async fn compile(&self, guests: &Guests, ready: &Notify) {
        while let Some(name) = self.next(Stage::is_final) {
            self.advance(&name, guests).await;
            ready.notify_one();
        }
    }

    /// Reads the description of every model, and compiles none.
    pub(crate) async fn describe(&self, guests: &Guests) {
        while let Some(name) = self.next(Stage::is_described) {
            self.advance(&name, guests).await;
        }
    }

    /// Returns the model to advance next: one that a request waits for, else one without a description, else any other
    /// that is not `done`.
    fn next(&self, done: fn(&Stage) -> bool) -> Option<String> {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        wanted.retain(|name| self.has_stage(name, |stage| !stage.is_final()));
        if let Some(name) = wanted.iter().find(|name| self.has_stage(name, |stage| !done(stage))) {
            return Some(name.clone());
        }
        let undescribed = self.stages.keys().find(|name| self.has_stage(name, |stage| !stage.is_described()));
        undescribed.or_else(|| self.stages.keys().find(|name| self.has_stage(name, |stage| !done(stage)))).cloned()
    }

    /// Returns whether a model is installed and its stage matches.
    fn has_stage(&self, name: &str, matches: impl Fn(&Stage) -> bool) -> bool {
        self.stages.get(name).is_some_and(|stage| matches(&stage.borrow()))
    }

    /// Takes a model to its next stage. One that fails is skipped from then on.
    async fn advance(&self, name: &str, guests: &Guests) {
        let Some(entry) = self.stages.get(name) else { return };
        let stage = entry.borrow().clone();
        let next = match stage {
            Stage::Unknown(unloaded) => describe(unloaded, guests).await,
            Stage::Described(unloaded, _) => load(unloaded, guests).await,
            finished => Ok(finished),
        };
        let next = next.unwrap_or_else(|error| {
            log_skipped(name, &error);
            Stage::Skipped
        });
        if let Stage::Ready(_) = next {
            tracing::info!(model = name, "a model can be run");
        }
        entry.send_replace(next);
    }

    /// Returns all models whose descriptions are known, sorted by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Arc<Installed>> {
        self.stages.values().filter_map(|stage| stage.borrow().installed().cloned())
    }

    /// Returns the version of each model that can be run, as jobs name it.
    pub(crate) fn versions(&self) -> Vec<String> {
        let ready = self.iter().filter(|installed| installed.model.is_some());
        ready.map(|installed| installed.description.model_version()).collect()
    }

    /// Returns the names of the models that are still being compiled.
    pub(crate) fn compiling(&self) -> Vec<&str> {
        let compiling = self.stages.iter().filter(|(_, stage)| !stage.borrow().is_final());
        compiling.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns whether a model is installed and still being compiled.
    pub(crate) fn is_compiling(&self, name: &str) -> bool {
        self.has_stage(name, |stage| !stage.is_final())
    }

    /// Returns the model with this name, if it is installed and its description is known.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Installed>> {
        self.stages.get(name)?.borrow().installed().cloned()
    }

    /// Returns the model with this name, once its description is known.
    ///
    /// # Errors
    ///
    /// [`NotReady`] if it is not installed, cannot be used, or is not described within [`COMPILATION_WAIT`].
    pub(crate) async fn described(&self, name: &str) -> Result<Arc<Installed>, NotReady> {
        self.reached(name, Stage::is_described).await
    }

    /// Returns the model with this name, once it can be run.
    ///
    /// # Errors
    ///
    /// [`NotReady`] if it is not installed, cannot be used, or is not compiled within [`COMPILATION_WAIT`].
    pub(crate) async fn ready(&self, name: &str) -> Result<Arc<Installed>, NotReady> {
        self.reached(name, Stage::is_final).await
    }

    /// Waits up to [`COMPILATION_WAIT`] until all descriptions are known. Returns whether they are.
    pub(crate) async fn all_described(&self) -> bool {
        let waiting = join_all(self.stages.values().map(|stage| async {
            // The sender lives as long as this value.
            let _ = stage.subscribe().wait_for(Stage::is_described).await;
        }));
        timeout(COMPILATION_WAIT, waiting).await.is_ok()
    }

    /// Moves a model before those that no request waits for.
    fn prioritize(&self, name: &str) {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if !wanted.iter().any(|known| known == name) {
            wanted.push(name.to_owned());
        }
    }

    /// Waits for a stage of a model.
    async fn reached(&self, name: &str, far_enough: fn(&Stage) -> bool) -> Result<Arc<Installed>, NotReady> {
        let entry = self.stages.get(name).ok_or(NotReady::NotInstalled)?;
        if !far_enough(&entry.borrow()) {
            self.prioritize(name);
        }
        let mut stages = entry.subscribe();
        let reached = timeout(COMPILATION_WAIT, stages.wait_for(far_enough)).await;
        let stage = reached.map_err(|_elapsed| NotReady::Compiling)?.map_err(|_closed| NotReady::NotInstalled)?;
        stage.installed().cloned().ok_or(NotReady::NotInstalled)
    }
}

/// Logs that a plugin cannot be used.
fn log_skipped(name: &str, error: &anyhow::Error) {
    tracing::warn!(plugin = name, reason = format!("{error:#}"), "skipped a plugin");
}

/// Reads a package and loads it if it has machine code.
async fn load_compiled(folder: &Path, guests: &Guests, configuration: &Configuration) -> anyhow::Result<Stage> {
    let unloaded = Unloaded::read(folder, configuration).await?;
    match guests.load_compiled(unloaded.package.clone(), unloaded.grants.clone()).await? {
        Some(model) => Ok(Stage::Ready(Arc::new(Installed::from_model(model)?))),
        None => Ok(Stage::Unknown(unloaded)),
    }
}

/// Reads the description of a model.
async fn describe(unloaded: Unloaded, guests: &Guests) -> anyhow::Result<Stage> {
    let outline = guests.describe(unloaded.package.clone(), unloaded.grants.clone()).await?;
    Ok(Stage::Described(unloaded, Arc::new(Installed::from_outline(&outline)?)))
}

/// Compiles and loads a model.
async fn load(unloaded: Unloaded, guests: &Guests) -> anyhow::Result<Stage> {
    let model = guests.load(unloaded.package, unloaded.grants).await?;
    Ok(Stage::Ready(Arc::new(Installed::from_model(model)?)))
}

/// A folder that holds the package of a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PackageFolder {
    name: String,
    path: PathBuf,
}

/// Returns the folders that hold packages of models, sorted by name.
fn packages(plugins: &Path) -> anyhow::Result<Vec<PackageFolder>> {
    let entries =
        fs::read_dir(plugins).with_context(|| format!("can't read the plugins' folder {}", plugins.display()))?;
    let mut packages = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("can't read the plugins' folder {}", plugins.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_tool = [PDF_ENGINE, OCR_ENGINE, ANNOTATOR].contains(&name.as_str());
        let is_package = entry.path().is_dir() && !name.starts_with('.') && !is_tool;
        if is_package {
            packages.push(PackageFolder { name, path: entry.path() });
        }
    }
    packages.sort();
    Ok(packages)
}

/// Checks that a model with this name is installed, before anything is loaded.
///
/// # Errors
///
/// A sentence that names the installed models.
pub(crate) fn ensure_installed(name: &str, configuration: &Configuration) -> anyhow::Result<()> {
    package_of(name, &packages(&configuration.plugins_folder()?)?).map(|_| ())
}

/// Returns the folder of the model with this name.
fn package_of(name: &str, packages: &[PackageFolder]) -> anyhow::Result<PathBuf> {
    if let Some(package) = packages.iter().find(|package| package.name == name) {
        return Ok(package.path.clone());
    }
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    if names.is_empty() {
        bail!("no model `{name}` is installed, and no other either");
    }
    bail!("no model `{name}` is installed; installed are: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_folder_but_the_engine_is_a_package() {
        let plugins = tempfile::tempdir().unwrap();
        for name in ["toc-parser", "pdf-engine", ".staging", "door-detector"] {
            fs::create_dir(plugins.path().join(name)).unwrap();
        }
        fs::write(plugins.path().join("README"), "").unwrap();
        let found = packages(plugins.path()).unwrap();
        let names: Vec<&str> = found.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["door-detector", "toc-parser"]);
    }

    #[test]
    fn a_package_is_named_as_its_folder() {
        assert!(ensure_named_as_folder("toc-parser", Path::new("/plugins/toc-parser")).is_ok());
        let error = ensure_named_as_folder("toc-parser", Path::new("/plugins/zzz")).unwrap_err().to_string();
        assert_eq!(error, "the folder /plugins/zzz holds a package that is named `toc-parser`");
    }

    #[test]
    fn an_unknown_model_lists_the_installed_ones() {
        let installed = ["a", "b"].map(|name| PackageFolder { name: name.to_owned(), path: PathBuf::from(name) });
        let cases: [(&str, &[_], &str); 3] = [
            ("c", &installed, "no model `c` is installed; installed are: a, b"),
            ("../a", &installed, "no model `../a` is installed; installed are: a, b"),
            ("c", &[], "no model `c` is installed, and no other either"),
        ];
        for (name, packages, expected) in cases {
            assert_eq!(package_of(name, packages).unwrap_err().to_string(), expected);
        }
    }
}
