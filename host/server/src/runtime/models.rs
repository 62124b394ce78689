//! The installed models: the packages in the plugins' folder.
//!
//! A model with machine code is ready at once. The others are compiled while the server already answers requests:
//! [`Models::compile`] first reads the description of each, which takes a fraction of the time, and then compiles it.
//! [`Models::described`] and [`Models::ready`] wait for a model and move it to the front.
//!
//! Several versions of a model may be installed. A name stands for the newest one that is not refused; `NAME@VERSION`
//! for that version. [`Models::refresh`] reads the folder again while the server runs. A version that was removed takes
//! no new jobs, and stays in memory for the jobs that wait for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use fanlight_sandbox::{Capability, Description, Grants, Model, Outline, Package};
use futures_util::future::join_all;
use jsonschema::Validator;
use semver::Version;
use serde_json::{Map, Value};
use thiserror::Error;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use crate::configuration::Configuration;
use crate::runtime::guests::Guests;
use crate::runtime::packages::{CheckedPackage, Origin, PackageFolder, package_of, packages};

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
        let Unloaded { package, grants, .. } = Unloaded::read(folder, configuration).await?;
        Self::from_model(guests.load(package, grants).await?)
    }

    /// Loads a package that need not be installed.
    ///
    /// # Errors
    ///
    /// The sandbox refuses it.
    pub(crate) async fn from_package(package: Package, grants: Grants, guests: &Guests) -> anyhow::Result<Self> {
        Self::from_model(guests.load(Arc::new(package), grants).await?)
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
    origin: Origin,
    grants: Grants,
    permissions: Vec<String>,
}

impl Unloaded {
    /// Reads a package, as [`CheckedPackage::read`] does.
    async fn read(folder: &Path, configuration: &Configuration) -> anyhow::Result<Self> {
        let (folder, configuration) = (folder.to_owned(), configuration.clone());
        let checked = tokio::task::spawn_blocking(move || CheckedPackage::read(&folder, &configuration)).await??;
        let CheckedPackage { package, origin, grants, permissions } = checked;
        Ok(Self { package: Arc::new(package), origin, grants, permissions })
    }
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

    fn state(&self) -> VersionState {
        match self {
            Self::Unknown(_) | Self::Described(..) => VersionState::Compiling,
            Self::Ready(_) => VersionState::Ready,
            Self::Skipped => VersionState::Refused,
        }
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

/// A version of a model.
struct Entry {
    /// The name of its folder.
    folder: String,
    name: String,
    version: Version,
    /// When its description was written.
    modified: Option<SystemTime>,
    /// Who has published it.
    origin: Origin,
    /// The grants that it asks for and has.
    permissions: Vec<String>,
    stage: watch::Sender<Stage>,
    /// Whether its folder is gone.
    removed: AtomicBool,
}

impl Entry {
    fn has(&self, matches: impl Fn(&Stage) -> bool) -> bool {
        matches(&self.stage.borrow())
    }

    fn installed(&self) -> Option<Arc<Installed>> {
        self.stage.borrow().installed().cloned()
    }

    fn installed_version(&self) -> InstalledVersion {
        InstalledVersion {
            folder: self.folder.clone(),
            version: self.version.to_string(),
            publisher: self.origin.publisher.clone(),
            permissions: self.permissions.clone(),
            state: self.stage.borrow().state(),
        }
    }

    fn is_removed(&self) -> bool {
        self.removed.load(Ordering::Relaxed)
    }

    /// Returns whether it was read from this package, which has not changed since.
    fn is_current(&self, package: &PackageFolder) -> bool {
        self.folder == package.folder && self.modified == package.modified()
    }

    /// Returns whether it is meant by a name, or by `NAME@VERSION`.
    fn is_called(&self, wanted: &str) -> bool {
        match wanted.split_once('@') {
            None => self.name == wanted,
            Some((name, version)) => self.name == name && self.version.to_string() == version,
        }
    }

    /// Reads a package and loads it if it has machine code.
    async fn load(package: &PackageFolder, guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let modified = package.modified();
        let unloaded = Unloaded::read(&package.path, configuration).await?;
        let version = unloaded.package.version();
        let version =
            Version::parse(version).with_context(|| format!("its version `{version}` is not a semantic one"))?;
        let name = unloaded.package.name().to_owned();
        let (origin, permissions) = (unloaded.origin.clone(), unloaded.permissions.clone());
        let stage = match guests.load_compiled(unloaded.package.clone(), unloaded.grants.clone()).await? {
            Some(model) => Stage::Ready(Arc::new(Installed::from_model(model)?)),
            None => Stage::Unknown(unloaded),
        };
        let folder = package.folder.clone();
        let stage = watch::Sender::new(stage);
        Ok(Self { folder, name, version, modified, origin, permissions, stage, removed: AtomicBool::new(false) })
    }
}

/// What is known of an installed version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstalledVersion {
    /// The name of its folder in the plugins' folder.
    pub(crate) folder: String,
    /// The version.
    pub(crate) version: String,
    /// The name of its publisher, as the operator has it.
    pub(crate) publisher: Option<String>,
    /// The grants that it asks for and has, as they are written in the configuration.
    pub(crate) permissions: Vec<String>,
    /// Whether it can be run.
    pub(crate) state: VersionState,
}

/// Whether a version can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VersionState {
    /// It is being compiled.
    Compiling,
    /// It can be run.
    Ready,
    /// It cannot be used. The log says why.
    Refused,
}

/// All installed models.
#[derive(Default)]
pub(crate) struct Models {
    /// Versions of models, in no order.
    entries: RwLock<Vec<Arc<Entry>>>,
    /// Folders that were refused, with the time of their description, so that each is refused once.
    refused: Mutex<BTreeMap<String, Option<SystemTime>>>,
    /// Folders of models that requests wait for, first come first served.
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
        let models = Self::default();
        models.refresh(guests, configuration).await?;
        let ready: Vec<String> = models.iter().map(|installed| installed.description.name.clone()).collect();
        let milliseconds = started.elapsed().as_millis() as u64;
        let compiling = models.compiling().join(",");
        tracing::info!(models = ready.join(","), compiling, milliseconds, "loaded the installed models");
        Ok(models)
    }

    /// Reads the plugins' folder again. Returns whether it has changed.
    ///
    /// # Errors
    ///
    /// Fails if the plugins' folder cannot be read.
    pub(crate) async fn refresh(&self, guests: &Guests, configuration: &Configuration) -> anyhow::Result<bool> {
        let plugins = configuration.plugins_folder()?;
        let folders = tokio::task::spawn_blocking(move || packages(&plugins)).await??;
        let known = self.entries();
        let mut changed = false;
        for entry in known.iter().filter(|entry| !entry.is_removed()) {
            if !folders.iter().any(|package| entry.is_current(package)) {
                entry.removed.store(true, Ordering::Relaxed);
                tracing::info!(plugin = entry.folder, "a plugin was removed");
                changed = true;
            }
        }
        let is_known = |package| known.iter().any(|entry| !entry.is_removed() && entry.is_current(package));
        let new = folders.iter().filter(|package| !is_known(package) && !self.was_refused(package));
        let new: Vec<&PackageFolder> = new.collect();
        let loading = new.iter().map(|package| Entry::load(package, guests, configuration));
        for (package, loaded) in new.iter().zip(join_all(loading).await) {
            changed = true;
            match loaded {
                Ok(entry) => self.add(entry),
                Err(error) => {
                    log_skipped(&package.folder, &error);
                    let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
                    refused.insert(package.folder.clone(), package.modified());
                }
            }
        }
        Ok(changed)
    }

    /// Returns whether a package was refused as it is now.
    fn was_refused(&self, package: &PackageFolder) -> bool {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get(&package.folder).is_some_and(|modified| *modified == package.modified())
    }

    /// Adds a version. It takes the place of one that was removed.
    fn add(&self, entry: Entry) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &Entry| known.name == entry.name && known.version == entry.version;
        if entries.iter().any(|known| !known.is_removed() && is_same(known)) {
            tracing::warn!(plugin = entry.folder, "skipped a plugin: the same version is installed in another folder");
            return;
        }
        entries.retain(|known| !is_same(known));
        entries.push(Arc::new(entry));
    }

    /// Returns all versions, also those that were removed.
    fn entries(&self) -> Vec<Arc<Entry>> {
        self.entries.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the newest version of this name, or that of `NAME@VERSION`. One that cannot be used is returned only if
    /// there is no other.
    fn entry(&self, wanted: &str) -> Option<Arc<Entry>> {
        let entries = self.entries();
        let called = entries.into_iter().filter(|entry| !entry.is_removed() && entry.is_called(wanted));
        called.max_by(|one, other| {
            let rank = |entry: &Entry| (!entry.has(|stage| matches!(stage, Stage::Skipped)), entry.version.clone());
            rank(one).cmp(&rank(other))
        })
    }

    /// Returns the newest version of each name, sorted by name.
    fn newest(&self) -> Vec<Arc<Entry>> {
        let entries = self.entries();
        let present = entries.iter().filter(|entry| !entry.is_removed());
        let mut names: Vec<&str> = present.map(|entry| entry.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().filter_map(|name| self.entry(name)).collect()
    }

    /// Loads only one model, by its name or as `NAME@VERSION`.
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
        while let Some(entry) = self.next(Stage::is_final) {
            advance(&entry, guests).await;
            ready.notify_one();
        }
    }

    /// Reads the description of every model, and compiles none.
    pub(crate) async fn describe(&self, guests: &Guests) {
        while let Some(entry) = self.next(Stage::is_described) {
            advance(&entry, guests).await;
        }
    }

    /// Returns whether the description of every version of every model is known.
    pub(crate) fn are_described(&self) -> bool {
        let entries = self.entries();
        entries.iter().filter(|entry| !entry.is_removed()).all(|entry| entry.installed().is_some())
    }

    /// Returns the model to advance next: one that a request waits for, else one without a description, else any other
    /// that is not `done`.
    fn next(&self, done: fn(&Stage) -> bool) -> Option<Arc<Entry>> {
        let mut entries = self.entries();
        entries.retain(|entry| !entry.is_removed());
        entries.sort_by(|one, other| one.folder.cmp(&other.folder));
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        wanted.retain(|folder| entries.iter().any(|entry| entry.folder == *folder && !entry.has(Stage::is_final)));
        let waited_for = wanted
            .iter()
            .find_map(|folder| entries.iter().find(|entry| entry.folder == *folder && entry.has(|stage| !done(stage))));
        let undescribed = || entries.iter().find(|entry| entry.has(|stage| !stage.is_described()));
        let unfinished = || entries.iter().find(|entry| entry.has(|stage| !done(stage)));
        waited_for.or_else(undescribed).or_else(unfinished).cloned()
    }

    /// Returns the newest version of all models whose descriptions are known, sorted by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Arc<Installed>> {
        self.newest().into_iter().filter_map(|entry| entry.installed())
    }

    /// Returns each version of each model that can be run, as jobs name it. A version that was removed is among them:
    /// jobs may wait for it.
    pub(crate) fn versions(&self) -> Vec<String> {
        let installed = self.entries().into_iter().filter_map(|entry| entry.installed());
        let ready = installed.filter(|installed| installed.model.is_some());
        let mut versions: Vec<String> = ready.map(|installed| installed.description.model_version()).collect();
        versions.sort_unstable();
        versions
    }

    /// Returns the installed versions of a model, newest first.
    pub(crate) fn versions_of(&self, name: &str) -> Vec<InstalledVersion> {
        let mut entries = self.entries();
        entries.retain(|entry| entry.name == name && !entry.is_removed());
        entries.sort_by(|one, other| other.version.cmp(&one.version));
        entries.iter().map(|entry| entry.installed_version()).collect()
    }

    /// Returns the version that a name, or `NAME@VERSION`, stands for.
    pub(crate) fn version_of(&self, wanted: &str) -> Option<InstalledVersion> {
        self.entry(wanted).map(|entry| entry.installed_version())
    }

    /// Returns the names of the models that are still being compiled.
    pub(crate) fn compiling(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .entries()
            .iter()
            .filter(|entry| !entry.is_removed() && !entry.has(Stage::is_final))
            .map(|entry| entry.name.clone())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns whether a model is installed and still being compiled.
    pub(crate) fn is_compiling(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| !entry.has(Stage::is_final))
    }

    /// Returns the newest version of the model with this name, or that of `NAME@VERSION`, if it is installed and its
    /// description is known.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Installed>> {
        self.entry(name)?.installed()
    }

    /// Returns the version of a model that a job names, also if it was removed since this process started.
    pub(crate) fn version(&self, model_version: &str) -> Option<Arc<Installed>> {
        let installed = self.entries().into_iter().filter_map(|entry| entry.installed());
        installed.into_iter().find(|installed| installed.description.model_version() == model_version)
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
        let entries = self.entries();
        let present = entries.iter().filter(|entry| !entry.is_removed());
        let waiting = join_all(present.map(|entry| async {
            // The sender lives as long as this value.
            let _ = entry.stage.subscribe().wait_for(Stage::is_described).await;
        }));
        timeout(COMPILATION_WAIT, waiting).await.is_ok()
    }

    /// Moves a model before those that no request waits for.
    fn prioritize(&self, folder: &str) {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if !wanted.iter().any(|known| known == folder) {
            wanted.push(folder.to_owned());
        }
    }

    /// Waits for a stage of a model.
    async fn reached(&self, name: &str, far_enough: fn(&Stage) -> bool) -> Result<Arc<Installed>, NotReady> {
        let entry = self.entry(name).ok_or(NotReady::NotInstalled)?;
        if !entry.has(far_enough) {
            self.prioritize(&entry.folder);
        }
        let mut stages = entry.stage.subscribe();
        let reached = timeout(COMPILATION_WAIT, stages.wait_for(far_enough)).await;
        let stage = reached.map_err(|_elapsed| NotReady::Compiling)?.map_err(|_closed| NotReady::NotInstalled)?;
        stage.installed().cloned().ok_or(NotReady::NotInstalled)
    }
}

/// Takes a model to its next stage. One that fails is skipped from then on.
async fn advance(entry: &Entry, guests: &Guests) {
    let stage = entry.stage.borrow().clone();
    let next = match stage {
        Stage::Unknown(unloaded) => describe(unloaded, guests).await,
        Stage::Described(unloaded, _) => load(unloaded, guests).await,
        finished => Ok(finished),
    };
    let next = next.unwrap_or_else(|error| {
        log_skipped(&entry.folder, &error);
        Stage::Skipped
    });
    if let Stage::Ready(_) = next {
        tracing::info!(model = entry.name, version = %entry.version, "a model can be run");
    }
    entry.stage.send_replace(next);
}

/// Logs that a plugin cannot be used.
fn log_skipped(name: &str, error: &anyhow::Error) {
    tracing::warn!(plugin = name, reason = format!("{error:#}"), "skipped a plugin");
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

/// Checks that a model with this name is installed, before anything is loaded.
///
/// # Errors
///
/// A sentence that names the installed models.
pub(crate) fn ensure_installed(name: &str, configuration: &Configuration) -> anyhow::Result<()> {
    package_of(name, &packages(&configuration.plugins_folder()?)?).map(|_| ())
}
