//! Folders of plugins for tests.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::installed;

/// The name of the guest `stand-in` in its component and its manifest, to be replaced by a model's.
const NOBODY: &str = "stand-in-for-any-model-under-the-name-that-a-test-writes-here--";

/// A folder of plugins that starts with the PDF engine only. Deleted when dropped.
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
    /// Creates the default folder without the machine code of the installed plugins.
    pub fn without_machine_code() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }.with("pdf-engine", &installed::plugin("pdf-engine"))
    }

    /// Adds a package under this name.
    #[must_use]
    pub fn with(self, name: &str, package: &Path) -> Self {
        let folder = self.folder.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        // Guests of tests have no card.
        for file in ["plugin.toml", "plugin.wasm", "card.md"] {
            if file != "card.md" || package.join(file).exists() {
                fs::copy(package.join(file), folder.join(file)).unwrap();
            }
        }
        self
    }

    /// Adds a model of this name that returns the pages and parameters of its request.
    #[must_use]
    pub fn with_stand_in(self, model: &str) -> Self {
        let folder = self.folder.path().join(model);
        fs::create_dir_all(&folder).unwrap();
        write_stand_in(&installed::guest("stand-in"), &folder, model, STAND_IN_VERSION);
        self
    }

    /// Returns the folder's path.
    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

/// The version of the guest `stand-in`.
const STAND_IN_VERSION: &str = "1.0.0";

/// Writes the package of a model of this name and version that returns the pages and parameters of its request.
/// `package` is the built guest `stand-in`.
pub fn write_stand_in(package: &Path, folder: &Path, model: &str, version: &str) {
    write_renamed(package, folder, NOBODY, model);
    assert_eq!(version.len(), STAND_IN_VERSION.len());
    let (manifest, wasm) = (folder.join("plugin.toml"), folder.join("plugin.wasm"));
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(manifest, text.replace(STAND_IN_VERSION, version)).unwrap();
    let mut component = fs::read(&wasm).unwrap();
    for place in places(&component, STAND_IN_VERSION) {
        component[place..place + version.len()].copy_from_slice(version.as_bytes());
    }
    fs::write(wasm, component).unwrap();
}

/// Writes a package in which `name` takes the place of the name that the guest has in its component and its manifest.
pub fn write_renamed(package: &Path, folder: &Path, guest: &str, name: &str) {
    let manifest = fs::read_to_string(package.join("plugin.toml")).unwrap();
    fs::write(folder.join("plugin.toml"), manifest.replace(guest, name)).unwrap();
    let mut component = fs::read(package.join("plugin.wasm")).unwrap();
    let found = places(&component, guest);
    let [place] = found[..] else { panic!("the guest names itself at {found:?}") };
    let padded = format!("{name:<width$}", width = guest.len());
    component[place..place + guest.len()].copy_from_slice(padded.as_bytes());
    fs::write(folder.join("plugin.wasm"), component).unwrap();
}

/// Returns where a text is in a component.
fn places(component: &[u8], text: &str) -> Vec<usize> {
    let windows = component.windows(text.len()).enumerate();
    windows.filter(|(_, window)| *window == text.as_bytes()).map(|(at, _)| at).collect()
}
