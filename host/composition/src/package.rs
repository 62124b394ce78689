//! A plugin's package: a folder with `plugin.toml` and `plugin.wasm`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::capability::{Capability, Grant, Grants};
use crate::limits::Limits;

/// The contract that this host implements: the version of the WIT package `fanlight:plugin` without its patch.
pub(crate) const CONTRACT: &str = "0.1";

/// Why a package cannot be used. Each message is one sentence.
#[derive(Debug, Error)]
pub enum PackageError {
    /// A file of the package is missing or cannot be read.
    #[error("can't read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// `plugin.toml` is invalid.
    #[error("{path} is not a valid package description: {detail}")]
    Description {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        detail: String,
    },
    /// The package requires another version of the contract.
    #[error("plugin `{name}` is written for contract {found}, this host speaks {CONTRACT}")]
    Contract {
        /// The plugin's name.
        name: String,
        /// The required version.
        found: String,
    },
}

/// The kind of a package's component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// A model, run by jobs.
    #[default]
    Model,
    /// A PDF engine, composed with models.
    Engine,
    /// An OCR engine, composed with models that are granted `ocr`.
    OcrEngine,
    /// Draws boxes into documents.
    Annotator,
}

/// The content of `plugin.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    name: String,
    version: String,
    contract: String,
    kind: Kind,
    #[serde(default)]
    capabilities: Vec<Capability>,
    #[serde(default)]
    optional_capabilities: Vec<Capability>,
    #[serde(default)]
    limits: Limits,
    #[serde(default)]
    models: Vec<WantedModel>,
}

impl Manifest {
    /// Returns whether the package is a model.
    pub(crate) fn is_model(&self) -> bool {
        self.kind == Kind::Model
    }

    /// Returns the version of the contract.
    pub(crate) fn contract(&self) -> &str {
        &self.contract
    }
}

/// A network that a plugin runs by `wasi:nn`, identified by the hash of the file that the plugin was developed with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WantedModel {
    name: String,
    sha256: String,
}

impl WantedModel {
    /// Returns the name in the catalogue and in the operator's grants.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the SHA-256 of its file, in hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// A plugin's package as read from the disk, with a checked manifest.
#[derive(Clone, Debug)]
pub struct Package {
    manifest: Manifest,
    wasm: Vec<u8>,
    sha256: String,
}

impl Package {
    /// Reads the package in `folder`.
    ///
    /// # Errors
    ///
    /// [`PackageError`] if a file cannot be read, the manifest is invalid, or the contract is another.
    pub fn read(folder: &Path) -> Result<Self, PackageError> {
        Self::read_with(folder, &folder.join("plugin.wasm"))
    }

    /// As [`Self::read`], with the component at another place, such as where the author's build left it.
    ///
    /// # Errors
    ///
    /// As [`Self::read`].
    pub fn read_with(folder: &Path, component: &Path) -> Result<Self, PackageError> {
        let manifest_path = folder.join("plugin.toml");
        let text = read_manifest(&manifest_path)
            .map_err(|source| PackageError::Unreadable { path: manifest_path.clone(), source })?;
        let manifest = parse(&text, &manifest_path)?;
        let wasm =
            fs::read(component).map_err(|source| PackageError::Unreadable { path: component.to_owned(), source })?;
        Ok(Self::new(manifest, wasm))
    }

    /// Creates a package from the text of its `plugin.toml` and its component.
    ///
    /// # Errors
    ///
    /// [`PackageError`] if the manifest is invalid, or the contract is another.
    pub fn parse(text: &str, wasm: Vec<u8>) -> Result<Self, PackageError> {
        Ok(Self::new(parse(text, Path::new("plugin.toml"))?, wasm))
    }

    /// Creates a package of a checked manifest and a component.
    pub fn new(manifest: Manifest, wasm: Vec<u8>) -> Self {
        let sha256 = hex::encode(Sha256::digest(&wasm));
        Self { manifest, wasm, sha256 }
    }

    /// Returns the package under another name and version.
    #[must_use]
    pub fn with_name(mut self, name: &str, version: &str) -> Self {
        (self.manifest.name, self.manifest.version) = (name.to_owned(), version.to_owned());
        self
    }

    /// Returns a grant of everything that the package asks for.
    pub fn all_that_is_asked(&self) -> Grants {
        let asked = self.capabilities().iter().chain(self.optional_capabilities());
        let whole = asked.filter_map(|capability| match capability {
            Capability::Ocr => Some(Grant::Ocr),
            Capability::Language => Some(Grant::Language),
            Capability::Nn => None,
        });
        let networks = self.models().iter().map(|model| Grant::Model(model.name().to_owned()));
        Grants::new(whole.chain(networks))
    }

    /// Returns the name in kebab-case, as the API shows it.
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// Returns the semantic version.
    pub fn version(&self) -> &str {
        &self.manifest.version
    }

    /// Returns whether this is a model, not a PDF engine or annotator.
    pub fn is_model(&self) -> bool {
        self.manifest.kind == Kind::Model
    }

    /// Returns whether this is an OCR engine.
    pub fn is_ocr_engine(&self) -> bool {
        self.manifest.kind == Kind::OcrEngine
    }

    /// Returns whether this is an annotator.
    pub fn is_annotator(&self) -> bool {
        self.manifest.kind == Kind::Annotator
    }

    /// Returns the required capabilities, beyond the document and the job that every model has.
    pub fn capabilities(&self) -> &[Capability] {
        &self.manifest.capabilities
    }

    /// Returns the capabilities that it uses if available.
    pub fn optional_capabilities(&self) -> &[Capability] {
        &self.manifest.optional_capabilities
    }

    /// Returns whether it asks for a capability, required or optional.
    pub fn asks_for(&self, capability: Capability) -> bool {
        self.capabilities().contains(&capability) || self.optional_capabilities().contains(&capability)
    }

    /// Returns the networks that it may load by name.
    pub fn models(&self) -> &[WantedModel] {
        &self.manifest.models
    }

    /// Returns the limits that the package requests.
    pub fn limits(&self) -> Limits {
        self.manifest.limits
    }

    /// Returns the bytes of the component.
    pub fn wasm(&self) -> &[u8] {
        &self.wasm
    }

    /// Returns the SHA-256 of the component, in lower-case hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Parses a manifest and checks it as a whole. `path` names it in the error.
fn parse(text: &str, path: &Path) -> Result<Manifest, PackageError> {
    let refuse = |detail| PackageError::Description { path: path.to_owned(), detail };
    let manifest: Manifest = toml::from_str(text).map_err(|error| {
        refuse(match error.span() {
            Some(span) => {
                let line = text.as_bytes().iter().take(span.start).filter(|byte| **byte == b'\n').count() + 1;
                format!("line {line}: {}", error.message())
            }
            None => error.message().to_owned(),
        })
    })?;
    if let Some(detail) = contradictions(&manifest).into_iter().next() {
        return Err(refuse(detail));
    }
    if manifest.contract != CONTRACT {
        return Err(PackageError::Contract { name: manifest.name, found: manifest.contract });
    }
    Ok(manifest)
}

/// Maximum bytes of `plugin.toml`. Those of this repository have at most 1 KiB (`wc -c plugins/*/plugin.toml`).
const MANIFEST_BYTES: u64 = 64 * 1024;

/// Reads a manifest, and at most [`MANIFEST_BYTES`] of it.
fn read_manifest(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = fs::File::open(path)?.take(MANIFEST_BYTES + 1).read_to_string(&mut text)?;
    if read as u64 > MANIFEST_BYTES {
        return Err(std::io::Error::other(format!("it has more than {MANIFEST_BYTES} bytes")));
    }
    Ok(text)
}

/// Checks that a manifest requests inference exactly if it names models, names each once, and gives valid hashes.
/// Returns each contradiction as one sentence.
pub(crate) fn contradictions(manifest: &Manifest) -> Vec<String> {
    let asked = [&manifest.capabilities, &manifest.optional_capabilities];
    let asks = asked.iter().any(|capabilities| capabilities.contains(&Capability::Nn));
    let mut names = BTreeSet::new();
    let twice = manifest.models.iter().find(|model| !names.insert(&model.name));
    let is_hash = |text: &str| text.len() == 64 && text.chars().all(|c| c.is_ascii_hexdigit());
    let unhashed = manifest.models.iter().find(|model| !is_hash(&model.sha256));
    let without_other = match (asks, manifest.models.is_empty()) {
        (true, true) => Some("it asks for the capability `nn` and names no model under [[models]]".to_owned()),
        (false, false) => Some("it names models and does not ask for the capability `nn`".to_owned()),
        _ => None,
    };
    let twice = twice.map(|model| format!("it names the model `{}` twice", model.name));
    let unhashed = unhashed.map(|model| format!("the sha256 of the model `{}` is not 64 hex digits", model.name));
    [without_other, twice, unhashed].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(manifest: &str) -> Result<Package, PackageError> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plugin.toml"), manifest).unwrap();
        fs::write(folder.path().join("plugin.wasm"), b"").unwrap();
        Package::read(folder.path())
    }

    #[test]
    fn a_package_reports_its_requests() {
        let manifest = "name = 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\ncapabilities = ['ocr']\n";
        let package = read(manifest).unwrap();
        assert_eq!(package.capabilities(), [Capability::Ocr]);
        assert_eq!(package.optional_capabilities(), []);
        assert_eq!(package.limits(), Limits::default());

        let package = read(&format!("{manifest}optional_capabilities = ['language']\n")).unwrap();
        assert_eq!(package.optional_capabilities(), [Capability::Language]);

        let sha256 = "a".repeat(64);
        let models = format!("optional_capabilities = ['nn']\n[[models]]\nname = 'doors'\nsha256 = '{sha256}'\n");
        let package = read(&format!("{manifest}{models}")).unwrap();
        assert_eq!(package.models(), [WantedModel { name: "doors".to_owned(), sha256 }]);
    }

    #[test]
    fn an_invalid_package_is_explained_in_one_sentence() {
        let cases = [
            ("name = 'a'\nversion = '1.0.0'\ncontract = '0.2'\nkind = 'model'\n", "written for contract 0.2"),
            (
                "name = 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\nfiles = true\n",
                "unknown field `files`",
            ),
            ("name = 'a'\n", "missing field `version`"),
            (
                "name = 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\ncapabilities = ['nn']\n",
                "names no model under [[models]]",
            ),
            (
                "name = 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\n[[models]]\nname = 'm'\nsha256 = ''\n",
                "does not ask for the capability `nn`",
            ),
            (
                "name = 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\ncapabilities = ['nn']\n\
                 [[models]]\nname = 'm'\nsha256 = 'abc'\n",
                "the sha256 of the model `m` is not 64 hex digits",
            ),
        ];
        for (manifest, expected) in cases {
            let error = read(manifest).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
