//! The models that are installed: the packages of the plugins' folder, loaded.
//!
//! A model whose machine code is there is ready at once. The others are compiled while the server already answers:
//! [`Models::compile`] asks each what it is, which takes a fraction of the time, and then compiles it. Whoever needs a
//! model waits for it by [`Models::described`] or [`Models::ready`], and so brings it to the front.

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

use crate::configuration::{ANNOTATOR, Configuration, PDF_ENGINE};
use crate::runtime::guests::Guests;

/// How long a request waits for a model that is being compiled. A model takes seconds, and so does the PDF engine
/// before it; clients wait for a minute for a job too.
const COMPILATION_WAIT: Duration = Duration::from_mins(1);

/// A model that is installed, and has said what it is.
pub(crate) struct Installed {
    description: Description,
    parameters: Validator,
    may_ask_a_language_model: bool,
    /// None until it is compiled.
    model: Option<Model>,
}

impl Installed {
    async fn load(folder: &Path, guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let Unloaded { package, grants } = Unloaded::read(folder, configuration).await?;
        Self::of_model(guests.load(package, grants).await?)
    }

    fn of_model(model: Model) -> anyhow::Result<Self> {
        let installed = Self::new(model.description().clone(), model.has(Capability::Language))?;
        Ok(Self { model: Some(model), ..installed })
    }

    fn of_outline(outline: &Outline) -> anyhow::Result<Self> {
        Self::new(outline.description().clone(), outline.has(Capability::Language))
    }

    fn new(description: Description, may_ask_a_language_model: bool) -> anyhow::Result<Self> {
        let parameters = jsonschema::validator_for(&description.parameters)
            .with_context(|| format!("the parameters' schema of plugin `{}` is not valid", description.name))?;
        Ok(Self { description, parameters, may_ask_a_language_model, model: None })
    }

    /// To be run. None until it is compiled.
    pub(crate) fn model(&self) -> Option<Model> {
        self.model.clone()
    }

    /// What the model is.
    pub(crate) fn description(&self) -> &Description {
        &self.description
    }

    /// Whether the model asks for a language model, is granted it, and one is configured.
    pub(crate) fn may_ask_a_language_model(&self) -> bool {
        self.may_ask_a_language_model
    }

    /// Whether the model takes these parameters; else what is wrong with them.
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

/// A package that is read and not loaded yet.
#[derive(Clone)]
struct Unloaded {
    package: Arc<Package>,
    grants: Grants,
}

impl Unloaded {
    async fn read(folder: &Path, configuration: &Configuration) -> anyhow::Result<Self> {
        let reading = folder.to_owned();
        let package = tokio::task::spawn_blocking(move || Package::read(&reading)).await??;
        ensure_named_as_folder(package.name(), folder)?;
        if !package.is_model() {
            bail!("the package `{}` is no model; of PDF engines and annotators one each is used", package.name());
        }
        let grants = configuration.grants_of(package.name());
        Ok(Self { package: Arc::new(package), grants })
    }
}

/// Checks that a package is what its folder says: it takes nobody's place, and gets nobody's grants.
fn ensure_named_as_folder(name: &str, folder: &Path) -> anyhow::Result<()> {
    if folder.file_name().is_some_and(|folder| folder == name) {
        return Ok(());
    }
    bail!("the folder {} holds a package that calls itself `{name}`", folder.display())
}

/// The first name that a schema without further properties doesn't have. The validator says only that it is wrong.
fn unknown_parameter<'a>(schema: &Value, named: &'a Map<String, Value>) -> Option<&'a str> {
    if schema["additionalProperties"] != Value::Bool(false) {
        return None;
    }
    named.keys().map(String::as_str).find(|name| schema["properties"].get(name).is_none())
}

/// How far a model is.
#[derive(Clone)]
enum Stage {
    /// Nothing is known of it but its package.
    Unknown(Unloaded),
    /// It has said what it is.
    Described(Unloaded, Arc<Installed>),
    /// It can be run.
    Ready(Arc<Installed>),
    /// It can't be used; the log says why.
    LeftOut,
}

impl Stage {
    fn installed(&self) -> Option<&Arc<Installed>> {
        match self {
            Self::Described(_, installed) | Self::Ready(installed) => Some(installed),
            Self::Unknown(_) | Self::LeftOut => None,
        }
    }

    fn is_described(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }

    fn is_final(&self) -> bool {
        matches!(self, Self::Ready(_) | Self::LeftOut)
    }
}

/// Why a model can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NotReady {
    /// It is not installed, or can't be used.
    #[error("the model is not installed")]
    NotInstalled,
    /// It was waited for as long as a request may take.
    #[error("the model is still being compiled")]
    Compiling,
}

/// All installed models.
#[derive(Default)]
pub(crate) struct Models {
    /// By name.
    stages: BTreeMap<String, watch::Sender<Stage>>,
    /// Models that somebody waits for, in the order in which they were asked for.
    wanted: Mutex<Vec<String>>,
}

impl Models {
    /// Reads every package of the plugins' folder, all at once, and loads those whose machine code is there. One that
    /// can't be used is left out with a warning.
    pub(crate) async fn load(guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let started = Instant::now();
        let folders = packages(&configuration.plugins_folder()?)?;
        let loading = folders.iter().map(|(_, folder)| load_compiled(folder, guests, configuration));
        let mut models = Self::default();
        for ((name, _), loaded) in folders.iter().zip(join_all(loading).await) {
            match loaded {
                Ok(stage) => {
                    models.stages.insert(name.clone(), watch::Sender::new(stage));
                }
                Err(error) => leave_out(name, &error),
            }
        }
        let ready: Vec<String> = models.iter().map(|installed| installed.description.name.clone()).collect();
        let milliseconds = started.elapsed().as_millis() as u64;
        let compiling = models.compiling().join(",");
        tracing::info!(models = ready.join(","), compiling, milliseconds, "loaded the installed models");
        Ok(models)
    }

    /// Loads one model alone.
    pub(crate) async fn load_one(
        name: &str,
        guests: &Guests,
        configuration: &Configuration,
    ) -> anyhow::Result<Installed> {
        let plugins = configuration.plugins_folder()?;
        let folder = package_of(name, &packages(&plugins)?)?;
        Installed::load(&folder, guests, configuration).await
    }

    /// Brings every model to its end, one step at a time: to be described, and to be compiled. `ready` is told of each
    /// that can be run from now on.
    pub(crate) async fn compile(&self, guests: &Guests, ready: &Notify) {
        while let Some(name) = self.next(Stage::is_final) {
            self.advance(&name, guests).await;
            ready.notify_one();
        }
    }

    /// Has every model say what it is, and compiles none.
    pub(crate) async fn describe(&self, guests: &Guests) {
        while let Some(name) = self.next(Stage::is_described) {
            self.advance(&name, guests).await;
        }
    }

    /// The model whose turn it is: one that is waited for, or one that has not described itself, or any other that is
    /// not done.
    fn next(&self, done: fn(&Stage) -> bool) -> Option<String> {
        let is_open = |name: &&String| self.stages.get(*name).is_some_and(|stage| !done(&stage.borrow()));
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        wanted.retain(|name| self.stages.get(name).is_some_and(|stage| !stage.borrow().is_final()));
        if let Some(name) = wanted.iter().find(is_open) {
            return Some(name.clone());
        }
        let is_unknown = |name: &&String| self.stages.get(*name).is_some_and(|stage| !stage.borrow().is_described());
        self.stages.keys().find(is_unknown).or_else(|| self.stages.keys().find(is_open)).cloned()
    }

    /// Takes a model to its next stage.
    async fn advance(&self, name: &str, guests: &Guests) {
        let Some(place) = self.stages.get(name) else { return };
        let stage = place.borrow().clone();
        let next = match stage {
            Stage::Unknown(unloaded) => describe(unloaded, guests).await,
            Stage::Described(unloaded, _) => load(unloaded, guests).await,
            finished => Ok(finished),
        };
        let next = next.unwrap_or_else(|error| {
            leave_out(name, &error);
            Stage::LeftOut
        });
        if let Stage::Ready(_) = next {
            tracing::info!(model = name, "a model can be run");
        }
        place.send_replace(next);
    }

    /// All that have described themselves, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Arc<Installed>> {
        self.stages.values().filter_map(|stage| stage.borrow().installed().cloned())
    }

    /// The version of each that can be run, as jobs name it.
    pub(crate) fn versions(&self) -> Vec<String> {
        let ready = self.iter().filter(|installed| installed.model.is_some());
        ready.map(|installed| installed.description.model_version()).collect()
    }

    /// The names of those that can't be run yet.
    pub(crate) fn compiling(&self) -> Vec<&str> {
        let compiling = self.stages.iter().filter(|(_, stage)| !stage.borrow().is_final());
        compiling.map(|(name, _)| name.as_str()).collect()
    }

    /// Whether a model is installed and can't be run yet.
    pub(crate) fn is_compiling(&self, name: &str) -> bool {
        self.stages.get(name).is_some_and(|stage| !stage.borrow().is_final())
    }

    /// The model of that name, if it is installed and has described itself.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Installed>> {
        self.stages.get(name)?.borrow().installed().cloned()
    }

    /// The model of that name once it has described itself.
    pub(crate) async fn described(&self, name: &str) -> Result<Arc<Installed>, NotReady> {
        self.reached(name, Stage::is_described).await
    }

    /// The model of that name once it can be run.
    pub(crate) async fn ready(&self, name: &str) -> Result<Arc<Installed>, NotReady> {
        self.reached(name, Stage::is_final).await
    }

    /// Waits until all models have described themselves, as long as a request may wait. Returns whether they have.
    pub(crate) async fn all_described(&self) -> bool {
        let waiting = join_all(self.stages.values().map(|stage| async {
            // The sender lives as long as this value.
            let _ = stage.subscribe().wait_for(Stage::is_described).await;
        }));
        timeout(COMPILATION_WAIT, waiting).await.is_ok()
    }

    /// Has a model taken up before those that nobody waits for.
    fn want(&self, name: &str) {
        let mut wanted = self.wanted.lock().unwrap_or_else(PoisonError::into_inner);
        if !wanted.iter().any(|known| known == name) {
            wanted.push(name.to_owned());
        }
    }

    async fn reached(&self, name: &str, far_enough: fn(&Stage) -> bool) -> Result<Arc<Installed>, NotReady> {
        let place = self.stages.get(name).ok_or(NotReady::NotInstalled)?;
        if !far_enough(&place.borrow()) {
            self.want(name);
        }
        let mut stages = place.subscribe();
        let reached = timeout(COMPILATION_WAIT, stages.wait_for(far_enough)).await;
        let stage = reached.map_err(|_elapsed| NotReady::Compiling)?.map_err(|_closed| NotReady::NotInstalled)?;
        stage.installed().cloned().ok_or(NotReady::NotInstalled)
    }
}

fn leave_out(name: &str, error: &anyhow::Error) {
    tracing::warn!(plugin = name, reason = format!("{error:#}"), "a plugin is left out");
}

async fn load_compiled(folder: &Path, guests: &Guests, configuration: &Configuration) -> anyhow::Result<Stage> {
    let unloaded = Unloaded::read(folder, configuration).await?;
    match guests.load_compiled(unloaded.package.clone(), unloaded.grants.clone()).await? {
        Some(model) => Ok(Stage::Ready(Arc::new(Installed::of_model(model)?))),
        None => Ok(Stage::Unknown(unloaded)),
    }
}

async fn describe(unloaded: Unloaded, guests: &Guests) -> anyhow::Result<Stage> {
    let outline = guests.describe(unloaded.package.clone(), unloaded.grants.clone()).await?;
    Ok(Stage::Described(unloaded, Arc::new(Installed::of_outline(&outline)?)))
}

async fn load(unloaded: Unloaded, guests: &Guests) -> anyhow::Result<Stage> {
    let model = guests.load(unloaded.package, unloaded.grants).await?;
    Ok(Stage::Ready(Arc::new(Installed::of_model(model)?)))
}

/// The folders that hold models' packages, by the folder's name, sorted.
fn packages(plugins: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let entries =
        fs::read_dir(plugins).with_context(|| format!("can't read the plugins' folder {}", plugins.display()))?;
    let mut packages = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("can't read the plugins' folder {}", plugins.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_tool = [PDF_ENGINE, ANNOTATOR].contains(&name.as_str());
        let is_package = entry.path().is_dir() && !name.starts_with('.') && !is_tool;
        if is_package {
            packages.push((name, entry.path()));
        }
    }
    packages.sort();
    Ok(packages)
}

/// Checks that a model of that name is installed, before anything is loaded.
pub(crate) fn ensure_installed(name: &str, configuration: &Configuration) -> anyhow::Result<()> {
    package_of(name, &packages(&configuration.plugins_folder()?)?).map(|_| ())
}

fn package_of(name: &str, packages: &[(String, PathBuf)]) -> anyhow::Result<PathBuf> {
    if let Some((_, folder)) = packages.iter().find(|(package, _)| package == name) {
        return Ok(folder.clone());
    }
    let names: Vec<&str> = packages.iter().map(|(package, _)| package.as_str()).collect();
    if names.is_empty() {
        bail!("no model `{name}` is installed, and no other either");
    }
    bail!("no model `{name}` is installed; installed are: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_but_the_engine_and_hidden_ones_is_a_package() {
        let plugins = tempfile::tempdir().unwrap();
        for name in ["toc-parser", "pdf-engine", ".staging", "door-detector"] {
            fs::create_dir(plugins.path().join(name)).unwrap();
        }
        fs::write(plugins.path().join("README"), "").unwrap();
        let found = packages(plugins.path()).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["door-detector", "toc-parser"]);
    }

    #[test]
    fn a_package_is_named_as_its_folder() {
        assert!(ensure_named_as_folder("toc-parser", Path::new("/plugins/toc-parser")).is_ok());
        let error = ensure_named_as_folder("toc-parser", Path::new("/plugins/zzz")).unwrap_err().to_string();
        assert_eq!(error, "the folder /plugins/zzz holds a package that calls itself `toc-parser`");
    }

    #[test]
    fn an_unknown_model_is_answered_with_the_installed_ones() {
        let installed = [("a".to_owned(), PathBuf::from("/a")), ("b".to_owned(), PathBuf::from("/b"))];
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
