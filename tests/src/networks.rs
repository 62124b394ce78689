//! Folders of networks for tests, and the packages of guests that run them.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::installed;

/// A folder of networks, and of the packages of the guests `inferring` and `hoarding`, which name them. Deleted when
/// dropped.
#[derive(Debug)]
pub struct Networks {
    folder: TempDir,
    /// The entry of each network in the package's `plugin.toml`.
    named: Vec<String>,
}

impl Default for Networks {
    fn default() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), named: Vec::new() }
    }
}

impl Networks {
    /// Adds a network that the package names by its own hash.
    #[must_use]
    pub fn with(self, name: &str, onnx: &[u8]) -> Self {
        let sha256 = hex::encode(Sha256::digest(onnx));
        self.with_another(name, onnx, &sha256)
    }

    /// Adds a network that the package names by this hash, which need not be its own.
    #[must_use]
    pub fn with_another(self, name: &str, onnx: &[u8], sha256: &str) -> Self {
        let folder = self.models().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("model.onnx"), onnx).unwrap();
        self.naming(name, sha256)
    }

    /// Names a network in the package without adding its file.
    #[must_use]
    pub fn naming(mut self, name: &str, sha256: &str) -> Self {
        self.named.push(format!("[[models]]\nname = '{name}'\nsha256 = '{sha256}'\n"));
        self
    }

    /// Returns the folder of the networks.
    pub fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    /// Writes the package with `nn` as an optional capability and returns its folder.
    pub fn package(&self) -> PathBuf {
        self.package_with("optional_capabilities")
    }

    /// Writes the package of the guest `hoarding`, with its own limits and `nn` as an optional capability.
    pub fn hoarding_package(&self) -> PathBuf {
        let (package, folder) = (installed::guest("hoarding"), self.folder.path().join("hoarding"));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(package.join("plugin.wasm"), folder.join("plugin.wasm")).unwrap();
        let manifest = fs::read_to_string(package.join("plugin.toml")).unwrap();
        let (without_networks, _) = manifest.split_once("[[models]]").unwrap();
        fs::write(folder.join("plugin.toml"), format!("{without_networks}\n{}", self.named.concat())).unwrap();
        folder
    }

    /// Writes the package with `nn` as a required capability and returns its folder.
    pub fn needy_package(&self) -> PathBuf {
        self.package_with("capabilities")
    }

    fn package_with(&self, key: &str) -> PathBuf {
        let folder = self.folder.path().join("inferring");
        fs::create_dir_all(&folder).unwrap();
        fs::copy(installed::guest("inferring").join("plugin.wasm"), folder.join("plugin.wasm")).unwrap();
        let manifest = format!(
            "name = 'inferring'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\n{key} = ['nn']\n{}",
            self.named.concat()
        );
        fs::write(folder.join("plugin.toml"), manifest).unwrap();
        folder
    }
}
