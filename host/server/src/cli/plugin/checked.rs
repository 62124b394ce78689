//! A package of others, read and checked before anything of it is compiled or run.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use fanlight_archive::{Files, LONGEST_NAME, MANIFEST, is_name};
use fanlight_sandbox::{Capability, Grant, Limits, Package, PackageError, WantedModel};
use semver::Version;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::cli::output::print;
use crate::configuration::Configuration;
use crate::runtime::packages::{Origin, is_tool};

/// A package that has been read and checked, but not compiled.
pub(super) struct Checked {
    pub(super) files: Files,
    pub(super) package: Package,
    pub(super) origin: Origin,
    pub(super) version: Version,
    /// What the operator grants it.
    granted: BTreeSet<Grant>,
}

impl Checked {
    /// Reads and checks a package from a folder or a file.
    pub(super) fn open(path: &Path, configuration: &Configuration) -> anyhow::Result<Self> {
        let files = Files::open(path)?;
        let origin = Origin::read(&files, configuration)?;
        let package = read_package(&files)?;
        ensure!(
            is_name(package.name()),
            "`{}` is no plugin's name: names are of lower-case letters, digits and hyphens, at most {LONGEST_NAME}",
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
    pub(super) fn folder(&self) -> String {
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
    pub(super) fn missing_grants(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for capability in self.package.capabilities().iter().filter(|capability| !self.is_granted(**capability)) {
            if *capability == Capability::Nn {
                let networks = self.package.models().iter().filter(|network| !self.is_network_granted(network));
                missing.extend(networks.map(|network| format!("\"{}\"", Grant::Model(network.name().to_owned()))));
            } else {
                missing.push(format!("\"{capability}\""));
            }
        }
        missing
    }

    /// Returns what the package wants, is granted and may use at most, one plain sentence a line.
    fn permissions(&self, ceiling: Limits) -> Vec<String> {
        let mut lines = vec!["reads the document of each job; it reaches no files, no network".to_owned()];
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
    pub(super) fn text(&self, ceiling: Limits) -> String {
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

/// Reads the description among files, as the sandbox does.
pub(super) fn read_package(files: &Files) -> anyhow::Result<Package> {
    let manifest = std::io::read_to_string(files.manifest())
        .map_err(|source| PackageError::Unreadable { path: PathBuf::from(MANIFEST), source })?;
    Ok(Package::parse(&manifest, files.component().to_vec())?)
}

/// Checks that each carried network is one that the description names, with its hash.
pub(super) fn check_networks(package: &Package, files: &Files) -> anyhow::Result<()> {
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

/// Prints what a package is and wants.
pub(super) fn inspect(configuration: &Configuration, path: &Path, as_json: bool) -> anyhow::Result<()> {
    let checked = Checked::open(path, configuration)?;
    if as_json {
        return print(&format!("{:#}\n", checked.json(configuration.limits)));
    }
    print(&checked.text(configuration.limits))
}
