//! `fanlight plugin install`, `upgrade`, `remove` and `list`: the packages in the plugins' folder.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use fanlight_archive::Files;
use fanlight_inference::carried_model_path;
use fanlight_sandbox::Package;
use semver::Version;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::runtime::Builder;

use super::checked::Checked;
use super::notice::CompilationNotice;
use super::pack::readable_by_all;
use crate::cli::output::{print, tell};
use crate::configuration::Configuration;
use crate::runtime::guests::Guests;
use crate::runtime::packages::{CheckedPackage, PackageFolder, packages};
use crate::runtime::{inference, logging, ocr};

/// The begin of the name of a folder that holds an unfinished installation. The server ignores such folders.
const STAGING: &str = ".staging-";

/// How a package is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Beside the versions that are there.
    Beside,
    /// In place of older versions.
    Upgrade,
}

/// Installs a package after it has asked: checks it, compiles it, and moves it into the plugins' folder in one step.
pub(super) fn install(configuration: &Configuration, path: &Path, yes: bool, mode: Mode) -> anyhow::Result<()> {
    let checked = Checked::open(path, configuration)?;
    checked.origin.check(configuration)?;
    let plugins = configuration.plugins_folder()?;
    let installed = versions_of(checked.package.name(), &plugins)?;
    let (name, version) = (checked.package.name().to_owned(), checked.version.clone());
    ensure!(
        !installed.iter().any(|other| other.version == version),
        "{name} {version} is already installed; remove it first, or pack the new one under another version"
    );
    if mode == Mode::Upgrade {
        ensure!(!installed.is_empty(), "{name} is not installed: use `fanlight plugin install`");
        if let Some(newer) = installed.iter().map(|other| &other.version).find(|other| **other > version) {
            bail!("{name} {newer} is installed, which is newer than {version}");
        }
    }
    let missing = checked.missing_grants();
    if !missing.is_empty() {
        let grantee = checked.origin.publisher.as_ref().map_or_else(|| name.clone(), |by| format!("\"{by}/{name}\""));
        bail!(
            "{name} needs what this host does not grant it: add `{grantee} = [{}]` under [grants] in the configuration",
            missing.join(", ")
        );
    }
    if !yes {
        print(&checked.text(configuration.limits))?;
        if mode == Mode::Upgrade {
            let older: Vec<String> = installed.iter().map(|other| other.version.to_string()).collect();
            print(&format!("It takes the place of {}.\n", older.join(", ")))?;
        }
        ensure!(asked("Install it? [y/N] ")?, "nothing was installed");
    }
    let started = Instant::now();
    let notice = CompilationNotice::new();
    lay_out(&checked, &plugins, configuration)?;
    drop(notice);
    if mode == Mode::Upgrade {
        for older in installed {
            remove_folder(&older.package, &plugins)?;
        }
        delete_unused_networks(&plugins, &configuration.models_folder()?)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    print(&format!("installed {name} {version} in {seconds:.1} s; a running server takes it within seconds\n"))
}

/// Compiles a package and moves it into the plugins' folder. Deletes what it has written if a step fails.
fn lay_out(checked: &Checked, plugins: &Path, configuration: &Configuration) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    let staging = TempDir::with_prefix_in(STAGING, plugins)
        .with_context(|| format!("can't write to the plugins' folder {}", plugins.display()))?;
    let folder = staging.path().join(checked.folder());
    fs::create_dir(&folder).context("can't create the package's folder")?;
    checked.files.write(&folder)?;
    let networks = CarriedNetworks::write(&checked.files, &configuration.models_folder()?)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let CheckedPackage { package, grants, .. } = CheckedPackage::read(&folder, configuration)?;
        let settings = configuration.sandbox(inference::open(configuration).await?)?;
        let guests = Guests::open(settings, ocr::reader(configuration)).await?;
        guests.load(Arc::new(package), grants).await?;
        anyhow::Ok(())
    })?;
    fs::rename(&folder, plugins.join(checked.folder())).context("can't move the package into the plugins' folder")?;
    networks.keep();
    Ok(())
}

/// Networks that were written for a package. Deleted when dropped, unless they are kept.
struct CarriedNetworks(Vec<PathBuf>);

impl CarriedNetworks {
    /// Writes the networks of a package into the folder of networks, each in one step, and leaves those that are there.
    fn write(files: &Files, models: &Path) -> anyhow::Result<Self> {
        let mut written = Self(Vec::new());
        for (_, bytes) in files.networks() {
            let path = carried_model_path(models, &hex::encode(Sha256::digest(bytes)));
            if path.is_file() {
                continue;
            }
            let failed = || format!("can't write the network {}", path.display());
            let parent = path.parent().with_context(failed)?;
            fs::create_dir_all(parent).with_context(failed)?;
            let mut temporary = tempfile::NamedTempFile::new_in(parent).with_context(failed)?;
            temporary.write_all(bytes).with_context(failed)?;
            readable_by_all(temporary.as_file()).with_context(failed)?;
            temporary.persist(&path).with_context(failed)?;
            written.0.push(path);
        }
        Ok(written)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for CarriedNetworks {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// An installed version of a plugin.
struct InstalledVersion {
    version: Version,
    package: PackageFolder,
}

/// Returns the installed versions of a plugin. A folder that holds no valid package is not among them.
fn versions_of(name: &str, plugins: &Path) -> anyhow::Result<Vec<InstalledVersion>> {
    let mut versions = Vec::new();
    for package in packages(plugins)?.into_iter().filter(|package| package.name == name) {
        if let Some(version) = package.version() {
            versions.push(InstalledVersion { version, package });
        }
    }
    Ok(versions)
}

/// Removes all versions of a plugin, or `NAME@VERSION`.
pub(super) fn remove(configuration: &Configuration, wanted: &str) -> anyhow::Result<()> {
    let plugins = configuration.plugins_folder()?;
    let (name, version) = wanted.split_once('@').map_or((wanted, None), |(name, version)| (name, Some(version)));
    let mut versions = versions_of(name, &plugins)?;
    versions.retain(|installed| version.is_none_or(|version| installed.version.to_string() == version));
    ensure!(!versions.is_empty(), "{wanted} is not installed: see `fanlight plugin list`");
    for installed in &versions {
        remove_folder(&installed.package, &plugins)?;
        print(&format!("removed {name} {}\n", installed.version))?;
    }
    delete_unused_networks(&plugins, &configuration.models_folder()?)
}

/// Takes a package out of the plugins' folder in one step, and then deletes it.
fn remove_folder(package: &PackageFolder, plugins: &Path) -> anyhow::Result<()> {
    let failed = || format!("can't remove {}", package.path.display());
    let staging = TempDir::with_prefix_in(STAGING, plugins).with_context(failed)?;
    fs::rename(&package.path, staging.path().join(&package.folder)).with_context(failed)?;
    staging.close().with_context(failed)
}

/// Deletes networks that came with plugins and that no installed plugin names any more.
fn delete_unused_networks(plugins: &Path, models: &Path) -> anyhow::Result<()> {
    let mut named = BTreeSet::new();
    for package in packages(plugins)? {
        // What a broken package names is unknown, so nothing is deleted.
        let Ok(package) = Package::read(&package.path) else { return Ok(()) };
        named.extend(package.models().iter().map(|network| carried_model_path(models, network.sha256())));
    }
    let probe = carried_model_path(models, "");
    let Some(entries) = probe.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| !named.contains(path)) {
        fs::remove_file(&path).with_context(|| format!("can't delete {}", path.display()))?;
    }
    Ok(())
}

/// Prints the installed plugins: version, publisher, permissions and state, one per line.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    let mut text = String::new();
    for folder in packages(&configuration.plugins_folder()?)? {
        match CheckedPackage::read(&folder.path, configuration) {
            Ok(checked) => {
                let package = &checked.package;
                let publisher = checked.origin.publisher.as_deref().unwrap_or(match checked.origin.key {
                    Some(_) => "signed, not trusted",
                    None => "not signed",
                });
                let granted = match checked.permissions.join(" ") {
                    none if none.is_empty() => "document only".to_owned(),
                    granted => granted,
                };
                let _ = writeln!(text, "{}  {}  {publisher}  {granted}  installed", package.name(), package.version());
            }
            Err(error) => {
                let version = folder.named_version.map(|version| version.to_string()).unwrap_or_default();
                let _ = writeln!(text, "{}  {version}  -  -  refused: {error:#}", folder.name);
            }
        }
    }
    if text.is_empty() {
        tell("no plugin is installed");
    }
    print(&text)
}

/// Asks a question on standard error and returns whether the answer is yes.
fn asked(question: &str) -> anyhow::Result<bool> {
    let _ = write!(io::stderr(), "{question}");
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).context("can't read the answer")?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
