//! `fanlight plugin pack`, `inspect`, `install`, `upgrade`, `remove`, `list` and `key`: packages of plugins.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use fanlight_archive::{Files, SecretKey};
use fanlight_inference::carried_model_path;
use fanlight_sandbox::{Capability, Grant, Limits, Package, WantedModel};
use semver::Version;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use tokio::runtime::Builder;

use crate::configuration::Configuration;
use crate::runtime::guests::Guests;
use crate::runtime::packages::{CheckedPackage, Origin, PackageFolder, is_tool, packages};
use crate::runtime::{inference, logging, ocr};

/// The end of the name of a package's file.
const EXTENSION: &str = "fanlight";
/// The begin of the name of a folder that holds an unfinished installation. The server ignores such folders.
const STAGING: &str = ".staging-";
/// Maximum length of a plugin's name, as that of a network.
const NAME_LENGTH: usize = 64;

/// A package that has been read and checked, but not compiled.
struct Checked {
    files: Files,
    package: Package,
    origin: Origin,
    version: Version,
    /// What the operator grants it.
    granted: BTreeSet<Grant>,
}

impl Checked {
    /// Reads and checks a package from a folder or a file.
    fn open(path: &Path, configuration: &Configuration) -> anyhow::Result<Self> {
        let files = Files::open(path)?;
        let origin = Origin::of(&files, configuration)?;
        let package = read_package(&files)?;
        ensure!(
            is_name(package.name()),
            "`{}` is no plugin's name: names are of lower-case letters, digits and hyphens, at most {NAME_LENGTH}",
            package.name().escape_debug()
        );
        ensure!(package.is_model() && !is_tool(package.name()), "`{}` is not a model", package.name());
        let version = Version::parse(package.version())
            .with_context(|| format!("the version `{}` is not a semantic one", package.version().escape_debug()))?;
        check_networks(&package, &files)?;
        let granted = configuration.granted(package.name(), origin.publisher.as_deref(), &origin.digest);
        Ok(Self { files, package, origin, version, granted })
    }

    /// Returns the name of the folder that the package is installed in.
    fn folder(&self) -> String {
        format!("{}@{}", self.package.name(), self.version)
    }

    /// Returns whether a package carries a network.
    fn carries(&self, network: &str) -> bool {
        self.files.networks().any(|(name, _)| name == network)
    }

    /// Returns whether a capability is granted, all networks for `nn`.
    fn is_granted(&self, capability: Capability) -> bool {
        match capability {
            Capability::Ocr => self.granted.contains(&Grant::Ocr),
            Capability::Language => self.granted.contains(&Grant::Language),
            Capability::Nn => self.package.models().iter().all(|network| self.is_network_granted(network)),
        }
    }

    fn is_network_granted(&self, network: &WantedModel) -> bool {
        self.granted.contains(&Grant::Model(network.name().to_owned()))
    }

    /// Returns the grants that the package requires and does not have, as they are written in the configuration.
    fn missing_grants(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for capability in self.package.capabilities().iter().filter(|capability| !self.is_granted(**capability)) {
            if *capability == Capability::Nn {
                let networks = self.package.models().iter().filter(|network| !self.is_network_granted(network));
                missing.extend(networks.map(|network| format!("\"nn:{}\"", network.name())));
            } else {
                missing.push(format!("\"{capability}\""));
            }
        }
        missing
    }

    /// Returns what the package wants, is granted and may use at most, one plain sentence a line.
    fn permissions(&self, ceiling: Limits) -> Vec<String> {
        let mut lines = vec!["reads the document of each job, and nothing else: no files, no network".to_owned()];
        let required = self.package.capabilities().iter().map(|capability| (*capability, "wanted"));
        let optional = self.package.optional_capabilities().iter().map(|capability| (*capability, "optional"));
        for (capability, wanted) in required.chain(optional) {
            let granted = |granted: bool| if granted { "granted" } else { "not granted" };
            match capability {
                Capability::Ocr => {
                    lines.push(format!(
                        "reads text in pictures (ocr): {wanted}, {}",
                        granted(self.is_granted(capability))
                    ));
                }
                Capability::Language => lines.push(format!(
                    "sends text of documents to the language model (language): {wanted}, {}",
                    granted(self.is_granted(capability))
                )),
                Capability::Nn => lines.extend(self.package.models().iter().map(|network| {
                    let name = network.name();
                    format!(
                        "runs the network {name} (nn:{name}): {wanted}, {}",
                        granted(self.is_network_granted(network))
                    )
                })),
            }
        }
        let limits = self.package.limits();
        let under = limits.under(ceiling);
        lines.push(format!(
            "memory: {} MB wanted, the ceiling is {} MB, so {} MB",
            limits.memory_mb, ceiling.memory_mb, under.memory_mb
        ));
        lines.push(format!(
            "time of a call: {} s wanted, the ceiling is {} s, so {} s",
            limits.seconds, ceiling.seconds, under.seconds
        ));
        lines
    }

    /// Says who has signed the package.
    fn signature(&self) -> String {
        match (&self.origin.publisher, &self.origin.key) {
            (Some(publisher), Some(key)) => format!("valid, by {publisher} (key {key})"),
            (None, Some(key)) => format!("valid, by a key that this host does not trust ({key})"),
            _ => "none".to_owned(),
        }
    }

    /// Describes the package for people.
    fn text(&self, ceiling: Limits) -> String {
        let mut text = format!("{} {}\n", self.package.name(), self.version);
        let _ = writeln!(text, "signature: {}", self.signature());
        let _ = writeln!(text, "digest: sha256:{}", self.origin.digest);
        text.push_str("permissions:\n");
        for line in self.permissions(ceiling) {
            let _ = writeln!(text, "  {line}");
        }
        for network in self.package.models() {
            let carried =
                if self.carries(network.name()) { "in the package" } else { "to be installed by the operator" };
            let _ = writeln!(text, "network {}: {carried}, sha256:{}", network.name(), network.sha256());
        }
        text.push_str("files:\n");
        for (name, bytes) in self.files.iter() {
            let _ = writeln!(text, "  {name}: {} bytes", bytes.len());
        }
        text
    }

    /// Describes the package for programs.
    fn json(&self, ceiling: Limits) -> Value {
        let networks = self.package.models().iter().map(|network| {
            json!({
                "name": network.name(),
                "sha256": network.sha256(),
                "carried": self.carries(network.name()),
                "granted": self.is_network_granted(network),
            })
        });
        let capability = |capability: &Capability, required: bool| json!({ "name": capability.to_string(), "required": required, "granted": self.is_granted(*capability) });
        let required = self.package.capabilities().iter().map(|wanted| capability(wanted, true));
        let optional = self.package.optional_capabilities().iter().map(|wanted| capability(wanted, false));
        let files = self.files.iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes.len() }));
        json!({
            "name": self.package.name(),
            "version": self.version.to_string(),
            "publisher": self.origin.publisher,
            "signed_by": self.origin.key,
            "digest": format!("sha256:{}", self.origin.digest),
            "capabilities": required.chain(optional).collect::<Vec<_>>(),
            "permissions": self.permissions(ceiling),
            "networks": networks.collect::<Vec<_>>(),
            "files": files.collect::<Vec<_>>(),
        })
    }
}

/// Returns whether a name is one that a plugin may have, so that it cannot lead out of a folder.
fn is_name(name: &str) -> bool {
    let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=NAME_LENGTH).contains(&name.len()) && name.chars().all(kebab) && !name.starts_with('-')
}

/// Reads the description among files, as the sandbox does.
fn read_package(files: &Files) -> anyhow::Result<Package> {
    let folder = tempfile::tempdir().context("can't create a temporary folder")?;
    files.write(folder.path())?;
    let within = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    // The temporary folder means nothing to a reader.
    Package::read(folder.path()).map_err(|error| anyhow::anyhow!("{}", error.to_string().replace(&within, "")))
}

/// Checks that each carried network is one that the description names, with its hash.
fn check_networks(package: &Package, files: &Files) -> anyhow::Result<()> {
    for (name, bytes) in files.networks() {
        let Some(wanted) = package.models().iter().find(|network| network.name() == name) else {
            bail!("the package carries the network `{name}`, which its plugin.toml does not name");
        };
        let found = hex::encode(Sha256::digest(bytes));
        ensure!(
            wanted.sha256().eq_ignore_ascii_case(&found),
            "the network `{name}` in the package has the SHA-256 {found}, but plugin.toml says {}",
            wanted.sha256()
        );
    }
    Ok(())
}

/// Packs a folder into one file, signed if a key is given, and prints its name.
pub(super) fn pack(
    configuration: &Configuration,
    folder: &Path,
    key: Option<&Path>,
    out: Option<PathBuf>,
) -> anyhow::Result<()> {
    ensure!(folder.is_dir(), "{} is not a folder", folder.display());
    let mut files = Files::from_folder(folder)?;
    files.set_signature(None);
    if let Some(key) = key {
        let signature = SecretKey::read(key)?.sign(&files.digest());
        files.set_signature(Some(&signature));
    }
    let package = read_package(&files)?;
    check_networks(&package, &files)?;
    let name = format!("{}-{}.{EXTENSION}", package.name(), package.version());
    let out = match out {
        Some(out) => out,
        None if is_name(package.name()) && Version::parse(package.version()).is_ok() => PathBuf::from(name),
        None => bail!("`{name}` is not a valid name and version"),
    };
    // In one step, so that no reader sees half a package.
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = || format!("can't write {}", out.display());
    let mut temporary = tempfile::NamedTempFile::new_in(parent).with_context(failed)?;
    files.pack(&mut temporary).with_context(failed)?;
    readable_by_all(temporary.as_file()).with_context(failed)?;
    temporary.persist(&out).with_context(failed)?;
    let checked = Checked::open(&out, configuration)?;
    print(&format!("packed {} (sha256:{})\n", out.display(), checked.origin.digest))
}

/// Prints what a package is and wants.
pub(super) fn inspect(configuration: &Configuration, path: &Path, as_json: bool) -> anyhow::Result<()> {
    let checked = Checked::open(path, configuration)?;
    if as_json {
        return print(&format!("{:#}\n", checked.json(configuration.limits)));
    }
    print(&checked.text(configuration.limits))
}

/// How a package is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Beside the versions that are there.
    Beside,
    /// In place of older versions.
    Upgrade,
}

/// Installs a package after it has asked: checks it, compiles it, and moves it into the plugins' folder in one step.
pub(super) fn install(configuration: &Configuration, path: &Path, yes: bool, mode: Mode) -> anyhow::Result<()> {
    let checked = Checked::open(path, configuration)?;
    checked.origin.check(configuration)?;
    let plugins = configuration.plugins_folder()?;
    let installed = versions_of(checked.package.name(), &plugins)?;
    let (name, version) = (checked.package.name().to_owned(), checked.version.clone());
    ensure!(
        !installed.iter().any(|other| other.version == version),
        "{name} {version} is already installed; remove it first, or pack the new one under another version"
    );
    if mode == Mode::Upgrade {
        ensure!(!installed.is_empty(), "{name} is not installed: use `fanlight plugin install`");
        if let Some(newer) = installed.iter().map(|other| &other.version).find(|other| **other > version) {
            bail!("{name} {newer} is installed, which is newer than {version}");
        }
    }
    let missing = checked.missing_grants();
    if !missing.is_empty() {
        let grantee = checked.origin.publisher.as_ref().map_or_else(|| name.clone(), |by| format!("\"{by}/{name}\""));
        bail!(
            "{name} needs what this host does not grant it: add `{grantee} = [{}]` under [grants] in the configuration",
            missing.join(", ")
        );
    }
    if !yes {
        print(&checked.text(configuration.limits))?;
        if mode == Mode::Upgrade {
            let older: Vec<String> = installed.iter().map(|other| other.version.to_string()).collect();
            print(&format!("It takes the place of {}.\n", older.join(", ")))?;
        }
        ensure!(asked("Install it? [y/N] ")?, "nothing was installed");
    }
    let started = Instant::now();
    lay_out(&checked, &plugins, configuration)?;
    if mode == Mode::Upgrade {
        for older in installed {
            remove_folder(&older.package, &plugins)?;
        }
        delete_unused_networks(&plugins, &configuration.models_folder()?)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    print(&format!("installed {name} {version} in {seconds:.1} s; a running server takes it within seconds\n"))
}

/// Compiles a package and moves it into the plugins' folder. Deletes what it has written if a step fails.
fn lay_out(checked: &Checked, plugins: &Path, configuration: &Configuration) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    let staging = TempDir::with_prefix_in(STAGING, plugins)
        .with_context(|| format!("can't write to the plugins' folder {}", plugins.display()))?;
    let folder = staging.path().join(checked.folder());
    fs::create_dir(&folder).context("can't create the package's folder")?;
    checked.files.write(&folder)?;
    let networks = CarriedNetworks::write(&checked.files, &configuration.models_folder()?)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let CheckedPackage { package, grants, .. } = CheckedPackage::read(&folder, configuration)?;
        let settings = configuration.sandbox(inference::open(configuration).await?)?;
        let guests = Guests::open(settings, ocr::reader(configuration)).await?;
        guests.load(Arc::new(package), grants).await?;
        anyhow::Ok(())
    })?;
    fs::rename(&folder, plugins.join(checked.folder())).context("can't move the package into the plugins' folder")?;
    networks.keep();
    Ok(())
}

/// Networks that were written for a package. Deleted when dropped, unless they are kept.
struct CarriedNetworks(Vec<PathBuf>);

impl CarriedNetworks {
    /// Writes the networks of a package into the folder of networks, each in one step, and leaves those that are there.
    fn write(files: &Files, models: &Path) -> anyhow::Result<Self> {
        let mut written = Self(Vec::new());
        for (_, bytes) in files.networks() {
            let path = carried_model_path(models, &hex::encode(Sha256::digest(bytes)));
            if path.is_file() {
                continue;
            }
            let failed = || format!("can't write the network {}", path.display());
            let parent = path.parent().with_context(failed)?;
            fs::create_dir_all(parent).with_context(failed)?;
            let mut temporary = tempfile::NamedTempFile::new_in(parent).with_context(failed)?;
            temporary.write_all(bytes).with_context(failed)?;
            readable_by_all(temporary.as_file()).with_context(failed)?;
            temporary.persist(&path).with_context(failed)?;
            written.0.push(path);
        }
        Ok(written)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for CarriedNetworks {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

/// Lets other users, such as the server's, read a file.
#[cfg(unix)]
fn readable_by_all(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

/// Does nothing: files are created with the folder's access on this platform.
#[cfg(not(unix))]
fn readable_by_all(_file: &fs::File) -> io::Result<()> {
    Ok(())
}

/// An installed version of a plugin.
struct InstalledVersion {
    version: Version,
    package: PackageFolder,
}

/// Returns the installed versions of a plugin. A folder that holds no valid package is not among them.
fn versions_of(name: &str, plugins: &Path) -> anyhow::Result<Vec<InstalledVersion>> {
    let mut versions = Vec::new();
    for package in packages(plugins)?.into_iter().filter(|package| package.name == name) {
        let described = || Version::parse(Package::read(&package.path).ok()?.version()).ok();
        if let Some(version) = package.version.clone().or_else(described) {
            versions.push(InstalledVersion { version, package });
        }
    }
    Ok(versions)
}

/// Removes all versions of a plugin, or `NAME@VERSION`.
pub(super) fn remove(configuration: &Configuration, wanted: &str) -> anyhow::Result<()> {
    let plugins = configuration.plugins_folder()?;
    let (name, version) = wanted.split_once('@').map_or((wanted, None), |(name, version)| (name, Some(version)));
    let mut versions = versions_of(name, &plugins)?;
    versions.retain(|installed| version.is_none_or(|version| installed.version.to_string() == version));
    ensure!(!versions.is_empty(), "{wanted} is not installed: see `fanlight plugin list`");
    for installed in &versions {
        remove_folder(&installed.package, &plugins)?;
        print(&format!("removed {name} {}\n", installed.version))?;
    }
    delete_unused_networks(&plugins, &configuration.models_folder()?)
}

/// Takes a package out of the plugins' folder in one step, and then deletes it.
fn remove_folder(package: &PackageFolder, plugins: &Path) -> anyhow::Result<()> {
    let failed = || format!("can't remove {}", package.path.display());
    let staging = TempDir::with_prefix_in(STAGING, plugins).with_context(failed)?;
    fs::rename(&package.path, staging.path().join(&package.folder)).with_context(failed)?;
    staging.close().with_context(failed)
}

/// Deletes networks that came with plugins and that no installed plugin names any more.
fn delete_unused_networks(plugins: &Path, models: &Path) -> anyhow::Result<()> {
    let mut named = BTreeSet::new();
    for package in packages(plugins)? {
        // What a broken package names is unknown, so nothing is deleted.
        let Ok(package) = Package::read(&package.path) else { return Ok(()) };
        named.extend(package.models().iter().map(|network| carried_model_path(models, network.sha256())));
    }
    let probe = carried_model_path(models, "");
    let Some(entries) = probe.parent().and_then(|folder| fs::read_dir(folder).ok()) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| !named.contains(path)) {
        fs::remove_file(&path).with_context(|| format!("can't delete {}", path.display()))?;
    }
    Ok(())
}

/// Prints the installed plugins: version, publisher, permissions and state, one per line.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    let mut text = String::new();
    for folder in packages(&configuration.plugins_folder()?)? {
        match CheckedPackage::read(&folder.path, configuration) {
            Ok(checked) => {
                let package = &checked.package;
                let publisher = checked.origin.publisher.as_deref().unwrap_or(match checked.origin.key {
                    Some(_) => "signed, not trusted",
                    None => "not signed",
                });
                let granted = match checked.permissions.join(" ") {
                    none if none.is_empty() => "document only".to_owned(),
                    granted => granted,
                };
                let _ = writeln!(text, "{}  {}  {publisher}  {granted}  installed", package.name(), package.version());
            }
            Err(error) => {
                let version = folder.version.map(|version| version.to_string()).unwrap_or_default();
                let _ = writeln!(text, "{}  {version}  -  -  refused: {error:#}", folder.name);
            }
        }
    }
    print(&text)
}

/// Creates a publisher's key and prints the public part.
pub(super) fn create_key(path: &Path) -> anyhow::Result<()> {
    let key = SecretKey::create(path)?;
    print(&format!("wrote {}\npublic key: {}\n", path.display(), key.public()))
}

/// Asks a question on standard error and returns whether the answer is yes.
fn asked(question: &str) -> anyhow::Result<bool> {
    eprint!("{question}");
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).context("can't read the answer")?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn print(text: &str) -> anyhow::Result<()> {
    io::stdout().lock().write_all(text.as_bytes()).context("can't write to standard output")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_name_leads_nowhere_else() {
        for name in ["word-counter", "a", "a1"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "..", "a/b", "a@b", "-a", "A", "a\n", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
