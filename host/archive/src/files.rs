//! The files of a package, and what may be among them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::ArchiveError;
use crate::signature::Signature;

/// The name of the description.
pub const MANIFEST: &str = "plugin.toml";
/// The name of the component.
pub const WASM: &str = "plugin.wasm";
/// The name of the signature. The digest does not cover it.
pub const SIGNATURE: &str = "plugin.sig";
/// The folder of carried networks, `NAME.onnx` each.
pub const NETWORKS: &str = "networks";

/// Maximum letters of a plugin's or a network's name.
pub const LONGEST_NAME: usize = 64;

/// Maximum files of a package: a few texts and networks. Fanlight's own plugins use at most two networks.
const MOST_FILES: usize = 64;
/// Maximum bytes of plugin.toml, as the sandbox reads it.
const MANIFEST_BYTES: u64 = 64 * 1024;
/// Maximum bytes of a signature, which takes about 250.
const SIGNATURE_BYTES: u64 = 1024;
/// Maximum bytes of a text: the longest licence of Fanlight's dependencies has 35 KiB.
const TEXT_BYTES: u64 = 1024 * 1024;
/// Maximum bytes of a component: a plugin in Python has about 40 MB.
const WASM_BYTES: u64 = 128 * 1024 * 1024;
/// Maximum bytes of a network: the largest of Fanlight's has 9 MB.
const NETWORK_BYTES: u64 = 512 * 1024 * 1024;

/// Maximum bytes of a package. It is read into memory.
pub const PACKAGE_BYTES: u64 = 1024 * 1024 * 1024;

/// The begin of a component: the magic number of WebAssembly, then the version and the layer of components.
const COMPONENT: [u8; 8] = [0, b'a', b's', b'm', 0x0d, 0, 1, 0];
/// The begin of a core module.
const CORE_MODULE: [u8; 8] = [0, b'a', b's', b'm', 1, 0, 0, 0];

/// The begin of what is signed. It separates signatures of packages from any other use of a key.
const DOMAIN: &str = "fanlight plugin package 1\n";

/// The files of a package, by name. There is a description and a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl Files {
    /// Reads the files of a folder that belong into a package. Other files, such as sources, stay where they are.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if a file cannot be read, is a link, is too large, or a required one is missing.
    pub fn from_folder(folder: &Path) -> Result<Self, ArchiveError> {
        Self::with_component(folder, &folder.join(WASM))
    }

    /// As [`Self::from_folder`], with a component that lies elsewhere, such as where cargo has built it.
    ///
    /// # Errors
    ///
    /// As [`Self::from_folder`].
    pub fn with_component(folder: &Path, component: &Path) -> Result<Self, ArchiveError> {
        let mut files = BTreeMap::new();
        if component.symlink_metadata().is_ok() {
            add(component, WASM, &mut files)?;
        }
        collect(folder, "", &mut files)?;
        let networks = folder.join(NETWORKS);
        if networks.symlink_metadata().is_ok() {
            refuse_link(&networks, NETWORKS)?;
            collect(&networks, "networks/", &mut files)?;
        }
        Self::new(files)
    }

    /// Checks the files as a whole.
    pub(crate) fn new(files: BTreeMap<String, Vec<u8>>) -> Result<Self, ArchiveError> {
        if !files.contains_key(MANIFEST) {
            return Err(ArchiveError::Missing(MANIFEST));
        }
        let wasm = files.get(WASM).ok_or(ArchiveError::Missing(WASM))?;
        check_component(wasm)?;
        Ok(Self(files))
    }

    /// Returns names and contents, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Returns the description, `plugin.toml`.
    pub fn manifest(&self) -> &[u8] {
        self.0.get(MANIFEST).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the component, `plugin.wasm`.
    pub fn component(&self) -> &[u8] {
        self.0.get(WASM).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the carried networks by name.
    pub fn networks(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.iter().filter_map(|(name, bytes)| Some((network_name(name)?, bytes)))
    }

    /// Returns the SHA-256 of the list of all files but the signature: a line with hash, size and name of each.
    pub fn digest(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        digest.update(DOMAIN);
        for (name, bytes) in self.iter().filter(|(name, _)| *name != SIGNATURE) {
            digest.update(format!("{} {} {name}\n", hex::encode(Sha256::digest(bytes)), bytes.len()));
        }
        digest.finalize().into()
    }

    /// Returns the signature, after it has been checked. None if the package is not signed.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if the signature is malformed or does not match the files.
    pub fn signature(&self) -> Result<Option<Signature>, ArchiveError> {
        let Some(text) = self.0.get(SIGNATURE) else { return Ok(None) };
        let signature = Signature::parse(text)?;
        signature.verify(&self.digest())?;
        Ok(Some(signature))
    }

    /// Removes the signature of other files, and adds this one if there is one.
    pub fn set_signature(&mut self, signature: Option<&Signature>) {
        self.0.remove(SIGNATURE);
        if let Some(signature) = signature {
            self.0.insert(SIGNATURE.to_owned(), signature.to_text().into_bytes());
        }
    }

    /// Writes the files into an empty folder.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), ArchiveError> {
        for (name, bytes) in self.iter() {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|source| ArchiveError::Io { path: parent.to_owned(), source })?;
            }
            fs::write(&path, bytes).map_err(|source| ArchiveError::Io { path, source })?;
        }
        Ok(())
    }
}

/// Reads the files of one folder that belong into a package, but the component, under names with this prefix.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), ArchiveError> {
    let failed = |source| ArchiveError::Io { path: folder.to_owned(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if name != WASM && most_bytes(&name).is_some() {
            add(&entry.path(), &name, files)?;
        }
    }
    Ok(())
}

/// Reads a file and adds it under a name.
fn add(path: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), ArchiveError> {
    let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
    refuse_link(path, name)?;
    let file = fs::File::open(path).map_err(failed)?;
    let size = file.metadata().map_err(failed)?.len();
    check_size(name, size)?;
    check_total(files, size)?;
    files.insert(name.to_owned(), read_limited(name, file)?);
    Ok(())
}

/// Refuses a link, which may lead out of the package.
fn refuse_link(path: &Path, name: &str) -> Result<(), ArchiveError> {
    let metadata = path.symlink_metadata().map_err(|source| ArchiveError::Io { path: path.to_owned(), source })?;
    let is_expected = if name == NETWORKS { metadata.is_dir() } else { metadata.is_file() };
    if is_expected { Ok(()) } else { Err(ArchiveError::NotAFile(name.to_owned())) }
}

/// Reads a file up to the bytes that its name permits.
pub(crate) fn read_limited(name: &str, file: impl Read) -> Result<Vec<u8>, ArchiveError> {
    let most = most_bytes(name).ok_or_else(|| ArchiveError::UnknownFile(name.to_owned()))?;
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|source| ArchiveError::Io { path: name.into(), source })?;
    check_size(name, bytes.len() as u64)?;
    Ok(bytes)
}

/// Checks that there is room for one more file of this size.
pub(crate) fn check_total(files: &BTreeMap<String, Vec<u8>>, size: u64) -> Result<(), ArchiveError> {
    if files.len() == MOST_FILES {
        return Err(ArchiveError::TooMany(MOST_FILES));
    }
    let total = files.values().map(|bytes| bytes.len() as u64).sum::<u64>() + size;
    if total > PACKAGE_BYTES {
        return Err(ArchiveError::TooLarge { name: "all files".to_owned(), size: total, most: PACKAGE_BYTES });
    }
    Ok(())
}

/// Checks a name and the bytes under it.
pub(crate) fn check_size(name: &str, size: u64) -> Result<(), ArchiveError> {
    let most = most_bytes(name).ok_or_else(|| ArchiveError::UnknownFile(name.to_owned()))?;
    if size > most {
        return Err(ArchiveError::TooLarge { name: name.to_owned(), size, most });
    }
    Ok(())
}

/// Returns the maximum bytes of a file of this name. None if it does not belong into a package.
pub(crate) fn most_bytes(name: &str) -> Option<u64> {
    match name {
        MANIFEST => Some(MANIFEST_BYTES),
        WASM => Some(WASM_BYTES),
        SIGNATURE => Some(SIGNATURE_BYTES),
        "README.md" | "card.md" | "LICENSE" | "LICENSE.txt" | "LICENSE.md" | "LICENSE-MIT" | "LICENSE-APACHE" => {
            Some(TEXT_BYTES)
        }
        _ => network_name(name).map(|_| NETWORK_BYTES),
    }
}

/// Returns the name of the network that a file holds.
fn network_name(file: &str) -> Option<&str> {
    let name = file.strip_prefix("networks/")?.strip_suffix(".onnx")?;
    is_name(name).then_some(name)
}

/// Returns whether a name is one that a plugin or a network may have, so that it cannot lead out of a folder: at most
/// [`LONGEST_NAME`] lower-case letters, digits and hyphens, a hyphen not first.
pub fn is_name(name: &str) -> bool {
    let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(kebab) && !name.starts_with('-')
}

/// Checks that bytes begin as a component does, before any reader of components sees them.
fn check_component(wasm: &[u8]) -> Result<(), ArchiveError> {
    if wasm.starts_with(&COMPONENT) {
        return Ok(());
    }
    Err(ArchiveError::NotAComponent(if wasm.starts_with(&CORE_MODULE) {
        "it is a core module; build for the target wasm32-wasip2"
    } else if wasm.starts_with(b"\x7fELF") || wasm.starts_with(b"MZ") || wasm.starts_with(b"\xcf\xfa\xed\xfe") {
        "it is machine code, which is never accepted"
    } else {
        "it does not begin as one"
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_names_belong_into_a_package() {
        for name in ["plugin.toml", "networks/a-1.onnx", "LICENSE-MIT", "card.md"] {
            assert!(most_bytes(name).is_some(), "{name}");
        }
        for name in
            ["../plugin.toml", "/plugin.toml", "./plugin.toml", "networks/../a.onnx", "networks/A.onnx", "a", ""]
        {
            assert!(most_bytes(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_name_leads_nowhere_else() {
        for name in ["word-counter", "a", "a1"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "..", "a/b", "a@b", "-a", "A", "a\n", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn a_component_may_lie_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("package");
        fs::create_dir(&package).unwrap();
        fs::write(package.join(MANIFEST), "a").unwrap();
        let built = folder.path().join("built.wasm");
        fs::write(&built, COMPONENT).unwrap();
        assert!(matches!(Files::from_folder(&package), Err(ArchiveError::Missing(WASM))));
        let files = Files::with_component(&package, &built).unwrap();
        assert_eq!(files.iter().map(|(name, _)| name).collect::<Vec<_>>(), [MANIFEST, WASM]);
    }

    #[test]
    fn the_digest_covers_every_file_but_the_signature() {
        let files = BTreeMap::from([(MANIFEST.to_owned(), b"a".to_vec()), (WASM.to_owned(), COMPONENT.to_vec())]);
        let files = Files::new(files).unwrap();
        let mut signed = files.clone();
        signed.0.insert(SIGNATURE.to_owned(), b"s".to_vec());
        assert_eq!(files.digest(), signed.digest());
        for name in [MANIFEST, WASM, "card.md"] {
            let mut changed = files.clone();
            changed.0.entry(name.to_owned()).or_default().push(b'x');
            assert_ne!(files.digest(), changed.digest(), "{name}");
        }
    }

    #[test]
    fn sources_beside_a_package_are_not_packed() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MANIFEST), "a").unwrap();
        fs::write(folder.path().join(WASM), COMPONENT).unwrap();
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        let files = Files::from_folder(folder.path()).unwrap();
        assert_eq!(files.iter().map(|(name, _)| name).collect::<Vec<_>>(), [MANIFEST, WASM]);
    }
}
