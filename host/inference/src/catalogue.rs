//! The folder of models, `<name>/model.onnx`. A model is requested by its name and the SHA-256 of its file. Models that
//! came with plugins are in `.by-hash`. Models of a package that is not installed are read from its own folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use thiserror::Error;

/// Why a model's file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CatalogueError {
    /// The requested name is not a valid name.
    #[error("`{0}` is no model's name: names are of lower-case letters, digits and hyphens, at most 64")]
    Name(String),
    /// Its file does not exist or cannot be read.
    #[error("the model `{name}` is not installed: can't read {path}: {detail}")]
    Missing {
        /// The model's name.
        name: String,
        /// The expected path.
        path: PathBuf,
        /// The system's message.
        detail: String,
    },
    /// Its file has another hash.
    #[error("the model `{name}` is not the one that is asked for: its SHA-256 is {found}, not {wanted}")]
    Hash {
        /// The model's name.
        name: String,
        /// The requested hash.
        wanted: String,
        /// The file's hash.
        found: String,
    },
}

/// The folder of models.
#[derive(Debug)]
pub(crate) struct Catalogue {
    folder: PathBuf,
    /// The models of a package that is not installed, `<name>.onnx` each.
    carried: Option<PathBuf>,
}

/// The name of a model's file in its folder.
const FILE: &str = "model.onnx";

/// The folder of the models that came with plugins, `<sha256>.onnx` each. Its name starts with a dot, so it is no
/// model's.
const BY_HASH: &str = ".by-hash";

/// Returns the path of a model that came with a plugin, in the folder of models. Two plugins, or two versions of one,
/// may bring different models of one name.
pub fn carried_model_path(folder: &Path, sha256: &str) -> PathBuf {
    folder.join(BY_HASH).join(format!("{}.onnx", sha256.to_ascii_lowercase()))
}

impl Catalogue {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, carried: None }
    }

    /// Reads models from this folder first, `<name>.onnx` each.
    pub(crate) fn read_first(&mut self, carried: PathBuf) {
        self.carried = Some(carried);
    }

    /// Reads the file of a model and checks its hash.
    ///
    /// # Errors
    ///
    /// [`CatalogueError`] if the name is invalid, the file is missing, or its hash differs.
    pub(crate) async fn read(&self, name: &str, sha256: &str) -> Result<Arc<[u8]>, CatalogueError> {
        if !is_name(name) {
            return Err(CatalogueError::Name(name.to_owned()));
        }
        let path = self.folder.join(name).join(FILE);
        let (name, wanted) = (name.to_owned(), sha256.to_ascii_lowercase());
        let in_package = self.carried.as_ref().map(|folder| folder.join(format!("{name}.onnx")));
        let by_hash = is_sha256(&wanted).then(|| carried_model_path(&self.folder, &wanted));
        let read = tokio::task::spawn_blocking({
            let (name, path) = (name.clone(), path.clone());
            move || {
                let carried = in_package.into_iter().chain(by_hash).find(|carried| carried.is_file());
                read_file(name, &carried.unwrap_or(path), wanted)
            }
        });
        let gone = |error: tokio::task::JoinError| CatalogueError::Missing { name, path, detail: error.to_string() };
        read.await.unwrap_or_else(|error| Err(gone(error)))
    }
}

/// Returns whether a name is valid: 1 to 64 lower-case letters, digits and hyphens, so it cannot lead out of the
/// folder.
fn is_name(name: &str) -> bool {
    let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=64).contains(&name.len()) && name.chars().all(kebab)
}

/// Returns whether a text is a SHA-256 in lower-case hex, so it cannot lead out of a folder.
fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

/// Reads the file at `path` and checks that its hash is `wanted` (lower-case hex).
fn read_file(name: String, path: &Path, wanted: String) -> Result<Arc<[u8]>, CatalogueError> {
    let onnx = match fs::read(path) {
        Ok(onnx) => onnx,
        Err(error) => {
            return Err(CatalogueError::Missing { name, path: path.to_owned(), detail: error.to_string() });
        }
    };
    let found = hex::encode(Sha256::digest(&onnx));
    if found == wanted { Ok(onnx.into()) } else { Err(CatalogueError::Hash { name, wanted, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_model_is_read_only_by_name_and_hash() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("doors")).unwrap();
        fs::write(folder.path().join("doors").join(FILE), "abc").unwrap();
        let catalogue = Catalogue::new(folder.path().to_owned());
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(catalogue.read("doors", &hash.to_uppercase()).await.unwrap().as_ref(), b"abc");

        fs::create_dir(folder.path().join(BY_HASH)).unwrap();
        let carried = carried_model_path(folder.path(), &hash.to_uppercase());
        fs::write(&carried, "abc").unwrap();
        fs::write(folder.path().join("doors").join(FILE), "another").unwrap();
        assert_eq!(catalogue.read("doors", hash).await.unwrap().as_ref(), b"abc", "the model that a plugin brought");
        fs::remove_file(carried).unwrap();
        fs::write(folder.path().join("doors").join(FILE), "abc").unwrap();

        let refused = async |name: &str, sha256: &str| catalogue.read(name, sha256).await.unwrap_err().to_string();
        let other = refused("doors", "00").await;
        assert_eq!(other, format!("the model `doors` is not the one that is asked for: its SHA-256 is {hash}, not 00"));
        assert!(refused("rooms", hash).await.starts_with("the model `rooms` is not installed: can't read "));
        for name in ["../doors", "", "Doors", "doors/.", &"a".repeat(65)] {
            assert!(refused(name, hash).await.contains("is no model's name"), "{name}");
        }
    }

    #[tokio::test]
    async fn a_package_that_is_not_installed_brings_its_own_models() {
        let (folder, package) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(folder.path().join("doors")).unwrap();
        fs::write(folder.path().join("doors").join(FILE), "abc").unwrap();
        let mut catalogue = Catalogue::new(folder.path().to_owned());
        catalogue.read_first(package.path().to_owned());
        let hash = |text: &str| hex::encode(Sha256::digest(text));
        assert_eq!(catalogue.read("doors", &hash("abc")).await.unwrap().as_ref(), b"abc", "the host's model");

        fs::write(package.path().join("doors.onnx"), "trained again").unwrap();
        let carried = catalogue.read("doors", &hash("trained again")).await.unwrap();
        assert_eq!(carried.as_ref(), b"trained again");
        let stale = catalogue.read("doors", &hash("abc")).await.unwrap_err().to_string();
        assert!(stale.contains("its SHA-256 is"), "the package's own model is not the one that it names: {stale}");
    }
}
