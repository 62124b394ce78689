//! Folders of networks, and the guest that runs them.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::installed;

/// A folder of networks, and of the packages of the guests `inferring` and `hoarding`, which name them. Gone with the
/// value.
#[derive(Debug)]
pub struct Networks {
    folder: TempDir,
    /// What the package's description says of each.
    named: Vec<String>,
}

impl Default for Networks {
    fn default() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), named: Vec::new() }
    }
}

impl Networks {
    /// With a network that the package names by its own hash.
    #[must_use]
    pub fn with(self, name: &str, onnx: &[u8]) -> Self {
        let sha256 = hex::encode(Sha256::digest(onnx));
        self.with_another(name, onnx, &sha256)
    }

    /// With a network that the package names by this hash.
    #[must_use]
    pub fn with_another(self, name: &str, onnx: &[u8], sha256: &str) -> Self {
        let folder = self.models().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("model.onnx"), onnx).unwrap();
        self.naming(name, sha256)
    }

    /// With a network that the package names, and that isn't there.
    #[must_use]
    pub fn naming(mut self, name: &str, sha256: &str) -> Self {
        self.named.push(format!("[[models]]\nname = '{name}'\nsha256 = '{sha256}'\n"));
        self
    }

    /// The folder of the networks.
    pub fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    /// The package, which can do without its networks.
    pub fn package(&self) -> PathBuf {
        self.package_with("optional_capabilities")
    }

    /// The package of the guest `hoarding` with its own limits, which can do without its networks.
    pub fn hoarding_package(&self) -> PathBuf {
        let (package, folder) = (installed::guest("hoarding"), self.folder.path().join("hoarding"));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(package.join("plugin.wasm"), folder.join("plugin.wasm")).unwrap();
        let manifest = fs::read_to_string(package.join("plugin.toml")).unwrap();
        let (without_networks, _) = manifest.split_once("[[models]]").unwrap();
        fs::write(folder.join("plugin.toml"), format!("{without_networks}\n{}", self.named.concat())).unwrap();
        folder
    }

    /// The package, which can't do without its networks.
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
