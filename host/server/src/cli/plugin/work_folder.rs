//! A package as its author has it: a folder with a `plugin.toml` and a built component.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context, bail};
use fanlight_archive::NETWORKS;
use fanlight_sandbox::Package;

use super::notice::CompilationNotice;
use crate::configuration::Configuration;
use crate::runtime::guests::Guests;
use crate::runtime::models::Installed;

/// Where cargo leaves a component in its target folder.
const BUILT: &str = "wasm32-wasip2/release";
/// What to do if there is no component of a package in Rust.
const BUILD_RUST: &str = "build it: `cargo build --release --target wasm32-wasip2`";
/// What to do if there is none of another package.
const BUILD: &str = "build it, as the README.md of the package says";

/// An author's folder.
#[derive(Debug)]
pub(super) struct WorkFolder {
    folder: PathBuf,
}

impl WorkFolder {
    /// Opens a folder.
    ///
    /// # Errors
    ///
    /// It does not exist.
    pub(super) fn open(folder: &Path) -> anyhow::Result<Self> {
        if !folder.is_dir() {
            bail!("there is no folder {}: name the folder of a package", folder.display());
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// Returns the path of `plugin.toml`.
    pub(super) fn manifest(&self) -> PathBuf {
        self.folder.join("plugin.toml")
    }

    /// Returns the folder of golden tests.
    pub(super) fn tests(&self) -> PathBuf {
        self.folder.join("tests")
    }

    /// Returns the newest component that exists.
    ///
    /// # Errors
    ///
    /// A sentence that names the places where it can be, and how it is built.
    pub(super) fn component(&self) -> anyhow::Result<PathBuf> {
        let places = self.places();
        let built = places.iter().filter_map(|path| Some((modified(path)?, path)));
        let newest = built.max_by_key(|(time, _)| *time).map(|(_, path)| path.clone());
        newest.with_context(|| {
            let places: Vec<String> = places.iter().map(|path| path.display().to_string()).collect();
            let build = if self.folder.join("Cargo.toml").exists() { BUILD_RUST } else { BUILD };
            format!("there is no component at {}; {build}", places.join(" or "))
        })
    }

    /// Reads the package.
    ///
    /// # Errors
    ///
    /// There is no component, or the package is not valid; `plugin check` says more.
    fn read(&self) -> anyhow::Result<Package> {
        let package = Package::read_with(&self.folder, &self.component()?);
        package.context("the package is not valid, `fanlight plugin check` lists everything that is wrong")
    }

    /// Opens the sandbox that the configuration describes, for a package that runs from here. The networks in its folder
    /// `networks` come before the host's, as they would after its installation.
    ///
    /// # Errors
    ///
    /// No PDF engine is installed, or a folder of the configuration cannot be used.
    pub(super) async fn sandbox(&self, configuration: &Configuration) -> anyhow::Result<Arc<Guests>> {
        Ok(Arc::new(Guests::start_with_carried(configuration, self.folder.join(NETWORKS)).await?))
    }

    /// Reads the package and loads it with all that it asks for. Says so if it has to be compiled.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and if the sandbox refuses the package.
    pub(super) async fn load(&self, guests: &Guests) -> anyhow::Result<Installed> {
        let package = self.read()?;
        let grants = package.all_that_is_asked();
        let _notice = CompilationNotice::new();
        Installed::from_package(package, grants, guests).await
    }

    /// Returns the places where a component can be: the package's own, and where cargo builds one.
    fn places(&self) -> Vec<PathBuf> {
        let mut places = vec![self.folder.join("plugin.wasm")];
        let manifest = fs::read_to_string(self.folder.join("Cargo.toml")).unwrap_or_default();
        if let Some(name) = crate_name(&manifest) {
            let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.folder.join("target"), PathBuf::from);
            places.push(target.join(BUILT).join(format!("{}.wasm", name.replace('-', "_"))));
        }
        places
    }
}

/// Returns when a file was written; `None` if there is no such file.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// Returns the name of the package in the text of a `Cargo.toml`.
fn crate_name(manifest: &str) -> Option<&str> {
    let package = manifest.split("[package]").nth(1)?.split("\n[").next()?;
    let value = package.lines().find_map(|line| line.trim().strip_prefix("name")?.trim().strip_prefix('='))?;
    value.trim().trim_matches('"').split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_crate_is_that_of_its_package() {
        assert_eq!(crate_name("[package]\nname = \"exit-signs\"\n[lib]\nname = \"other\"\n"), Some("exit-signs"));
        assert_eq!(crate_name("[workspace]\n"), None);
    }

    #[test]
    fn a_missing_component_names_its_places_and_the_build() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "[package]\nname = \"exit-signs\"\n").unwrap();
        let error = WorkFolder::open(folder.path()).unwrap().component().unwrap_err().to_string();
        assert!(error.contains("exit_signs.wasm") && error.contains("cargo build"), "{error}");
    }

    #[test]
    fn the_component_of_an_installed_package_is_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plugin.wasm"), "").unwrap();
        let found = WorkFolder::open(folder.path()).unwrap().component().unwrap();
        assert_eq!(found, folder.path().join("plugin.wasm"));
    }
}
