//! The models that are installed: the packages of the plugins' folder, loaded.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use fanlight_sandbox::{Capability, Description, Model, Package};
use futures_util::future::join_all;
use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::configuration::{ANNOTATOR, Configuration, PDF_ENGINE};
use crate::guests::Guests;

/// A model that is installed and loaded.
pub(crate) struct Installed {
    model: Model,
    parameters: Validator,
}

impl Installed {
    async fn load(folder: &Path, guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let reading = folder.to_owned();
        let package = tokio::task::spawn_blocking(move || Package::read(&reading)).await??;
        ensure_named_as_folder(package.name(), folder)?;
        if !package.is_model() {
            bail!("the package `{}` is no model; of PDF engines and annotators one each is used", package.name());
        }
        let grants = configuration.grants_of(package.name());
        let model = guests.load(package, grants).await?;
        let parameters = jsonschema::validator_for(&model.description().parameters)
            .with_context(|| format!("the parameters' schema of plugin `{}` is not valid", model.description().name))?;
        Ok(Self { model, parameters })
    }

    /// To be run.
    pub(crate) fn model(&self) -> Model {
        self.model.clone()
    }

    /// What the model is.
    pub(crate) fn description(&self) -> &Description {
        self.model.description()
    }

    /// Whether the model asks for a language model, is granted it, and one is configured.
    pub(crate) fn may_ask_a_language_model(&self) -> bool {
        self.model.has(Capability::Language)
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

/// All installed models, by name.
#[derive(Default)]
pub(crate) struct Models(BTreeMap<String, Installed>);

impl Models {
    /// Loads every package of the plugins' folder, all at once. One that can't be used is left out with a warning.
    pub(crate) async fn load(guests: &Guests, configuration: &Configuration) -> anyhow::Result<Self> {
        let started = Instant::now();
        let folders = packages(&configuration.plugins_folder()?)?;
        let loading = folders.iter().map(|(_, folder)| Installed::load(folder, guests, configuration));
        let mut models = BTreeMap::new();
        for ((name, _), loaded) in folders.iter().zip(join_all(loading).await) {
            match loaded {
                Ok(installed) => {
                    models.insert(name.clone(), installed);
                }
                Err(error) => {
                    tracing::warn!(plugin = name, reason = format!("{error:#}"), "a plugin is left out");
                }
            }
        }
        let names: Vec<&str> = models.keys().map(String::as_str).collect();
        let milliseconds = started.elapsed().as_millis() as u64;
        tracing::info!(models = names.join(","), milliseconds, "loaded the installed models");
        Ok(Self(models))
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

    /// All of them, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Installed> {
        self.0.values()
    }

    /// The version of each of them, as jobs name it.
    pub(crate) fn versions(&self) -> Vec<String> {
        self.iter().map(|installed| installed.description().model_version()).collect()
    }

    /// The model of that name, if it is installed.
    pub(crate) fn get(&self, name: &str) -> Option<&Installed> {
        self.0.get(name)
    }
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
