//! The packages in the plugins' folder: `NAME`, as an operator lays it out, or `NAME@VERSION`, as `fanlight plugin
//! install` does. Several versions of a plugin may lie side by side.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, bail};
use fanlight_archive::{Files, MANIFEST, SIGNATURE, WASM};
use fanlight_sandbox::{Capability, Grant, Grants, Package};
use semver::Version;

use crate::configuration::{ANNOTATOR, Configuration, OCR_ENGINE, PDF_ENGINE};

/// A folder that holds the package of a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PackageFolder {
    /// The name of the folder.
    pub(crate) folder: String,
    /// The name of the plugin.
    pub(crate) name: String,
    /// The version in the folder's name, if it has one.
    pub(crate) named_version: Option<Version>,
    pub(crate) path: PathBuf,
}

impl PackageFolder {
    /// Returns the package in a folder; `None` if no package can have this name.
    fn new(path: PathBuf) -> Option<Self> {
        let folder = path.file_name()?.to_string_lossy().into_owned();
        if folder.starts_with('.') || is_tool(&folder) || !path.is_dir() {
            return None;
        }
        let (name, named_version) = match folder.split_once('@') {
            Some((name, version)) => (name.to_owned(), Some(Version::parse(version).ok()?)),
            None => (folder.clone(), None),
        };
        (!is_tool(&name)).then_some(Self { folder, name, named_version, path })
    }

    /// Returns the version: that of the folder's name, else that of the description. None if there is no valid one.
    pub(crate) fn version(&self) -> Option<Version> {
        let described = || Version::parse(Package::read(&self.path).ok()?.version()).ok();
        self.named_version.clone().or_else(described)
    }

    /// Returns a time that changes when the package is replaced, and while it is being copied.
    pub(crate) fn modified(&self) -> Option<SystemTime> {
        let of = |file: &str| fs::metadata(self.path.join(file)).and_then(|metadata| metadata.modified()).ok();
        Some(of(MANIFEST)?.max(of(WASM)?))
    }
}

/// Returns whether a name is that of one of the host's own tools.
pub(crate) fn is_tool(name: &str) -> bool {
    [PDF_ENGINE, OCR_ENGINE, ANNOTATOR].contains(&name)
}

/// Returns the folders that hold packages of models, sorted by name.
pub(crate) fn packages(plugins: &Path) -> anyhow::Result<Vec<PackageFolder>> {
    let unreadable = || format!("can't read the plugins' folder {}", plugins.display());
    let mut packages = Vec::new();
    for entry in fs::read_dir(plugins).with_context(unreadable)? {
        packages.extend(PackageFolder::new(entry.with_context(unreadable)?.path()));
    }
    packages.sort();
    Ok(packages)
}

/// Returns the folder of the newest version of the model with this name, or of `NAME@VERSION`.
pub(crate) fn package_of(wanted: &str, packages: &[PackageFolder]) -> anyhow::Result<PathBuf> {
    let mut candidates: Vec<&PackageFolder> =
        packages.iter().filter(|package| package.name == wanted || package.folder == wanted).collect();
    candidates.sort_by_key(|package| package.version());
    if let Some(package) = candidates.pop() {
        return Ok(package.path.clone());
    }
    let names: Vec<&str> = packages.iter().map(|package| package.folder.as_str()).collect();
    if names.is_empty() {
        bail!("no model `{wanted}` is installed, and no other either");
    }
    bail!("no model `{wanted}` is installed; installed are: {}", names.join(", "))
}

/// Who has published a package, as far as its signature proves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The public key that has signed it, whether trusted or not.
    pub(crate) key: Option<String>,
    /// The operator's name of the publisher. None if the package is not signed, or by nobody in `[publishers]`.
    pub(crate) publisher: Option<String>,
    /// The digest of the package, in hex. Empty if nothing asks for it.
    pub(crate) digest: String,
}

impl Origin {
    /// Checks the signature of files.
    ///
    /// # Errors
    ///
    /// A sentence, if there is a signature that does not match.
    pub(crate) fn read(files: &Files, configuration: &Configuration) -> anyhow::Result<Self> {
        let key = files.signature()?.map(|signature| signature.key());
        let publisher = key.and_then(|key| configuration.publisher(key)).map(str::to_owned);
        Ok(Self { key: key.map(|key| key.to_string()), publisher, digest: hex::encode(files.digest()) })
    }

    /// Checks that the package is signed by a trusted publisher, if the operator requires it.
    ///
    /// # Errors
    ///
    /// A sentence that says what to do.
    pub(crate) fn check(&self, configuration: &Configuration) -> anyhow::Result<()> {
        if !configuration.require_signatures || self.publisher.is_some() {
            return Ok(());
        }
        match &self.key {
            None => bail!("the package is not signed, and this host requires signatures (`require_signatures`)"),
            Some(key) => bail!(
                "the package is signed with the key {key}, which this host does not trust: \
                 add it under [publishers] if you know whose it is"
            ),
        }
    }
}

/// A package on the disk that has been checked, with what it is granted.
pub(crate) struct CheckedPackage {
    pub(crate) package: Package,
    pub(crate) origin: Origin,
    pub(crate) grants: Grants,
    /// The grants that the package asks for, as they are written in the configuration.
    pub(crate) permissions: Vec<String>,
}

impl CheckedPackage {
    /// Reads a package. Fails if it is not a model, has another name than its folder, or has a wrong signature. A
    /// package that `plugin install` has laid out must be signed if the operator requires it.
    pub(crate) fn read(folder: &Path, configuration: &Configuration) -> anyhow::Result<Self> {
        let package = Package::read(folder)?;
        ensure_named_as_folder(&package, folder)?;
        if !package.is_model() {
            bail!(
                "the package `{}` is not a model; only one PDF engine and one annotator can be installed",
                package.name()
            );
        }
        let is_signed = folder.join(SIGNATURE).exists();
        let origin = if is_signed || configuration.grants_to_digests() {
            let files = Files::from_folder(folder)?;
            if !files.iter().any(|(name, bytes)| name == WASM && bytes == package.wasm()) {
                bail!("the package `{}` changed while it was read", package.name());
            }
            Origin::read(&files, configuration)?
        } else {
            Origin::default()
        };
        if folder.file_name().is_some_and(|folder| folder.to_string_lossy().contains('@')) {
            origin.check(configuration)?;
        }
        let granted = configuration.granted(package.name(), origin.publisher.as_deref(), &origin.digest);
        let asked = granted.iter().filter(|grant| asks_for(&package, grant));
        let permissions = asked.map(Grant::to_string).collect();
        Ok(Self { package, origin, grants: Grants::new(granted), permissions })
    }
}

/// Returns whether a package asks for what a grant gives, required or optional.
fn asks_for(package: &Package, grant: &Grant) -> bool {
    let capability = match grant {
        Grant::Ocr => Capability::Ocr,
        Grant::Language => Capability::Language,
        Grant::Model(name) => return package.models().iter().any(|network| network.name() == name),
    };
    package.capabilities().contains(&capability) || package.optional_capabilities().contains(&capability)
}

/// Checks that a package is named as its folder, so that it can neither replace another one nor get its grants.
fn ensure_named_as_folder(package: &Package, path: &Path) -> anyhow::Result<()> {
    let (name, version) = (package.name(), package.version());
    let folder = path.file_name().map(|folder| folder.to_string_lossy()).unwrap_or_default();
    if folder == name || folder == format!("{name}@{version}") {
        return Ok(());
    }
    if folder.contains('@') {
        bail!("the folder {} holds a package that is `{name}@{version}`", path.display())
    }
    bail!("the folder {} holds a package that is named `{name}`", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(folders: &[&str]) -> Vec<PackageFolder> {
        let plugins = tempfile::tempdir().unwrap();
        for name in folders {
            fs::create_dir(plugins.path().join(name)).unwrap();
        }
        fs::write(plugins.path().join("README"), "").unwrap();
        packages(plugins.path()).unwrap()
    }

    #[test]
    fn every_visible_folder_but_the_engine_is_a_package() {
        let found =
            installed(&["toc-parser", "pdf-engine", ".staging", "door-detector@1.0.0", "a@b", "pdf-engine@1.0.0"]);
        let names: Vec<&str> = found.iter().map(|package| package.folder.as_str()).collect();
        assert_eq!(names, ["door-detector@1.0.0", "toc-parser"]);
    }

    #[test]
    fn the_newest_version_is_chosen_unless_one_is_named() {
        let found = installed(&["a@1.9.0", "a@1.10.0", "a@1.10.0-rc.1", "b@2.0.0"]);
        let chosen = |wanted: &str| {
            let path = package_of(wanted, &found).unwrap();
            path.file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(chosen("a"), "a@1.10.0");
        assert_eq!(chosen("a@1.9.0"), "a@1.9.0");
    }

    #[test]
    fn a_package_is_named_as_its_folder() {
        let manifest = "name = 'toc-parser'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\n";
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MANIFEST), manifest).unwrap();
        fs::write(folder.path().join(WASM), "").unwrap();
        let package = Package::read(folder.path()).unwrap();
        for folder in ["/plugins/toc-parser", "/plugins/toc-parser@1.0.0"] {
            assert!(ensure_named_as_folder(&package, Path::new(folder)).is_ok(), "{folder}");
        }
        let error = ensure_named_as_folder(&package, Path::new("/plugins/zzz")).unwrap_err().to_string();
        assert_eq!(error, "the folder /plugins/zzz holds a package that is named `toc-parser`");
        let error = ensure_named_as_folder(&package, Path::new("/plugins/toc-parser@2.0.0")).unwrap_err().to_string();
        assert_eq!(error, "the folder /plugins/toc-parser@2.0.0 holds a package that is `toc-parser@1.0.0`");
    }

    #[test]
    fn an_unknown_model_lists_the_installed_ones() {
        let found = installed(&["a", "b"]);
        let cases: [(&str, &[_], &str); 3] = [
            ("c", &found, "no model `c` is installed; installed are: a, b"),
            ("../a", &found, "no model `../a` is installed; installed are: a, b"),
            ("c", &[], "no model `c` is installed, and no other either"),
        ];
        for (name, packages, expected) in cases {
            assert_eq!(package_of(name, packages).unwrap_err().to_string(), expected);
        }
    }
}
