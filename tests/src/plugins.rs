//! Folders of plugins made to measure.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::installed;

/// What the guest `stand-in` calls itself in its component and in its manifest.
const NOBODY: &str = "stand-in-for-any-model-under-the-name-that-a-test-writes-here--";

/// A folder of plugins, at first the PDF engine alone. Gone with the value.
#[derive(Debug)]
pub struct Plugins {
    folder: TempDir,
}

impl Default for Plugins {
    fn default() -> Self {
        let plugins = Self::without_machine_code();
        #[cfg(unix)]
        std::os::unix::fs::symlink(installed::machine_code(), plugins.folder.path().join(".machine-code")).unwrap();
        plugins
    }
}

impl Plugins {
    /// As the default, but without the installed plugins' machine code.
    pub fn without_machine_code() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }.with("pdf-engine", &installed::plugin("pdf-engine"))
    }

    /// With a package under this name.
    #[must_use]
    pub fn with(self, name: &str, package: &Path) -> Self {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        for file in ["plugin.toml", "plugin.wasm"] {
            fs::copy(package.join(file), folder.join(file)).unwrap();
        }
        self
    }

    /// With a model of this name that answers with the pages and parameters it was asked for.
    #[must_use]
    pub fn with_stand_in(self, model: &str) -> Self {
        let package = installed::guest("stand-in");
        let folder = self.folder.path().join(model);
        fs::create_dir_all(&folder).unwrap();
        let manifest = fs::read_to_string(package.join("plugin.toml")).unwrap();
        fs::write(folder.join("plugin.toml"), manifest.replace(NOBODY, model)).unwrap();

        let mut component = fs::read(package.join("plugin.wasm")).unwrap();
        let places: Vec<usize> = component
            .windows(NOBODY.len())
            .enumerate()
            .filter(|(_, window)| *window == NOBODY.as_bytes())
            .map(|(at, _)| at)
            .collect();
        let [place] = places[..] else { panic!("the guest names itself at {places:?}") };
        let name = format!("{model:<width$}", width = NOBODY.len());
        component[place..place + NOBODY.len()].copy_from_slice(name.as_bytes());
        fs::write(folder.join("plugin.wasm"), component).unwrap();
        self
    }

    /// The folder.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}
