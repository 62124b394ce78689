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
use crate::cli::output::tell;
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
            format!("there is no component at {}; {}", places.join(" or "), self.build())
        })
    }

    /// Says on standard error if a source was changed after the component was built: what is tried is not what was written.
    pub(super) fn tell_if_older(&self, component: &Path) {
        if let Some(source) = self.newer_source(component) {
            let (component, source) = (component.display(), source.display());
            tell(format_args!("{component} is older than {source}; {}", self.build()));
        }
    }

    /// Returns a source that was changed after the component was built.
    fn newer_source(&self, component: &Path) -> Option<PathBuf> {
        let built = modified(component)?;
        let mut sources = files_with(&self.folder.join("src"), "rs");
        sources.extend(files_with(&self.folder, "py"));
        sources.into_iter().find(|source| modified(source).is_some_and(|changed| changed > built))
    }

    /// Returns what to do so that there is a component.
    fn build(&self) -> &'static str {
        if self.folder.join("Cargo.toml").exists() { BUILD_RUST } else { BUILD }
    }

    /// Reads the package.
    ///
    /// # Errors
    ///
    /// There is no component, or the package is not valid; `plugin check` says more.
    fn read(&self) -> anyhow::Result<Package> {
        let component = self.component()?;
        self.tell_if_older(&component);
        let package = Package::read_with(&self.folder, &component);
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

/// Returns the files of a folder whose names have an extension. None if the folder cannot be read.
fn files_with(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|own| own == extension)).collect()
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
    use std::time::Duration;

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
    fn a_source_that_was_changed_after_the_build_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (component, source) = (folder.path().join("plugin.wasm"), folder.path().join("src/lib.rs"));
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(&component, "").unwrap();
        fs::write(&source, "").unwrap();
        let package = WorkFolder::open(folder.path()).unwrap();
        let built = modified(&component).unwrap();
        let minute = Duration::from_mins(1);
        for (changed, newer) in [(built + minute, Some(source.clone())), (built - minute, None)] {
            fs::File::options().write(true).open(&source).unwrap().set_modified(changed).unwrap();
            assert_eq!(package.newer_source(&component), newer);
        }
    }

    #[test]
    fn the_component_of_an_installed_package_is_found() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plugin.wasm"), "").unwrap();
        let found = WorkFolder::open(folder.path()).unwrap().component().unwrap();
        assert_eq!(found, folder.path().join("plugin.wasm"));
    }
}
