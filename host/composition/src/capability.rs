//! Decides which imports a plugin may have. Its package must request a capability, the operator must grant it, and
//! this host must offer it. Inference is granted per model; `nn` handles each model.
//!
//! A package requests a capability as required or as optional. A plugin whose required capability is missing is
//! refused. A plugin whose optional capability is missing is loaded, and calls to it report that it is unavailable.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use thiserror::Error;

use crate::package::{CONTRACT, Package};
use crate::problem::Problem;

/// A right beyond access to the document and the job, which every model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capability {
    /// Reading text from pixels.
    Ocr,
    /// A large language model.
    Language,
    /// Inference by `wasi:nn`.
    Nn,
}

impl fmt::Display for Capability {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Ocr => "ocr",
            Self::Language => "language",
            Self::Nn => "nn",
        })
    }
}

/// A right that the operator grants. Its text is `ocr`, `language`, or `nn:` and the name of a model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum Grant {
    /// Reading text from pixels.
    Ocr,
    /// A large language model.
    Language,
    /// Inference by the model of this name.
    Model(String),
}

/// The error of a text that names no right.
#[derive(Debug, Error)]
#[error("`{0}` is nothing that can be granted: that is `ocr`, `language`, or `nn:NAME` for a model of that name")]
pub struct UnknownGrant(String);

impl TryFrom<String> for Grant {
    type Error = UnknownGrant;

    fn try_from(text: String) -> Result<Self, UnknownGrant> {
        match text.split_once(':') {
            None if text == "ocr" => Ok(Self::Ocr),
            None if text == "language" => Ok(Self::Language),
            Some(("nn", model)) if !model.is_empty() => Ok(Self::Model(model.to_owned())),
            _ => Err(UnknownGrant(text)),
        }
    }
}

impl fmt::Display for Grant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ocr => formatter.write_str("ocr"),
            Self::Language => formatter.write_str("language"),
            Self::Model(name) => write!(formatter, "nn:{name}"),
        }
    }
}

/// The rights that the operator grants to one plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants(BTreeSet<Grant>);

impl Grants {
    /// Grants nothing beyond the document and the job.
    pub fn none() -> Self {
        Self::default()
    }

    /// Grants exactly these rights.
    pub fn new(grants: impl IntoIterator<Item = Grant>) -> Self {
        Self(grants.into_iter().collect())
    }

    /// Returns whether inference by the model of this name is granted.
    pub fn has_model(&self, name: &str) -> bool {
        self.0.contains(&Grant::Model(name.to_owned()))
    }

    /// Returns whether a capability is granted as a whole; inference never is.
    fn has(&self, capability: Capability) -> bool {
        match capability {
            Capability::Ocr => self.0.contains(&Grant::Ocr),
            Capability::Language => self.0.contains(&Grant::Language),
            Capability::Nn => false,
        }
    }
}

/// The capabilities that this host offers, inference aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer(BTreeSet<Capability>);

impl Offer {
    /// Offers exactly these capabilities.
    pub fn new(capabilities: impl IntoIterator<Item = Capability>) -> Self {
        Self(capabilities.into_iter().collect())
    }

    /// Returns the capabilities that a package requests, is granted, and this host offers, inference aside.
    pub fn to(&self, package: &Package, grants: &Grants) -> BTreeSet<Capability> {
        let asked = package.capabilities().iter().chain(package.optional_capabilities()).copied();
        asked.filter(|capability| grants.has(*capability) && self.0.contains(capability)).collect()
    }
}

/// Why a plugin is not loaded. Each message is one sentence that names the plugin and the remedy.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It imports an interface whose capability its package does not request.
    #[error("plugin `{plugin}` imports `{import}`, but its plugin.toml does not ask for the capability `{capability}`")]
    NotAsked {
        /// The plugin's name.
        plugin: String,
        /// The import.
        import: String,
        /// The capability that covers it.
        capability: Capability,
    },
    /// It requires a capability that the operator has not granted.
    #[error("plugin `{plugin}` asks for the capability `{capability}`, which the operator has not granted it")]
    NotGranted {
        /// The plugin's name.
        plugin: String,
        /// The required capability.
        capability: Capability,
    },
    /// It requires a capability that this host does not offer.
    #[error("plugin `{plugin}` needs the capability `{capability}`, which this host does not offer")]
    NotOffered {
        /// The plugin's name.
        plugin: String,
        /// The required capability.
        capability: Capability,
    },
    /// It requires a model that the operator has not granted.
    #[error("plugin `{plugin}` asks for the model `{model}`, which the operator has not granted it")]
    ModelNotGranted {
        /// The plugin's name.
        plugin: String,
        /// The model's name.
        model: String,
    },
    /// It requires a model that this host cannot run.
    #[error("plugin `{plugin}` can't have what it needs: {reason}")]
    Model {
        /// The plugin's name.
        plugin: String,
        /// The reason.
        reason: String,
    },
    /// It imports an interface that plugins never get.
    #[error("plugin `{plugin}` imports `{import}`, which no plugin is given")]
    Forbidden {
        /// The plugin's name.
        plugin: String,
        /// The import.
        import: String,
    },
    /// It uses an interface of the contract in another version than this host's.
    #[error("plugin `{plugin}` uses `{interface}`, this host speaks fanlight:plugin {CONTRACT}")]
    Version {
        /// The plugin's name.
        plugin: String,
        /// The interface with its version.
        interface: String,
    },
    /// It does not export the interface that its kind must export.
    #[error("plugin `{plugin}` does not export `{missing}`; it exports {found}")]
    MissingExport {
        /// The plugin's name.
        plugin: String,
        /// The missing interface.
        missing: &'static str,
        /// The interfaces that it exports.
        found: String,
    },
    /// It cannot be composed with an engine, because the types of an interface differ from the contract's.
    #[error("plugin `{plugin}` does not fit the PDF or OCR engine: {detail}")]
    InterfaceMismatch {
        /// The plugin's name.
        plugin: String,
        /// The interface and the difference.
        detail: String,
    },
    /// It is not a component, or cannot be compiled.
    #[error("plugin `{plugin}` is not a usable component: {detail}")]
    NotAComponent {
        /// The plugin's name.
        plugin: String,
        /// The message of the compiler or validator.
        detail: String,
    },
    /// `describe` failed or contradicts the package.
    #[error("plugin `{plugin}` does not describe itself properly: {detail}")]
    Description {
        /// The plugin's name.
        plugin: String,
        /// The contradiction or failure.
        detail: String,
    },
}

/// The only supported version of `wasi:nn`.
const WASI_NN: &str = "0.2.0-rc-2024-10-28";

/// What provides an import.
enum Provider {
    /// Every plugin gets it.
    Everyone,
    /// Only the PDF engine gets it.
    EngineOnly,
    /// A plugin gets it with this capability.
    Capability(Capability),
    /// An interface of the contract in another version.
    OtherVersion,
    /// Nothing provides it.
    Nobody,
}

/// Returns what provides an import, by its name and version.
fn provider(import: &str) -> Provider {
    let (interface, version) = import.split_once('@').unwrap_or((import, ""));
    if let Some(name) = interface.strip_prefix("fanlight:plugin/") {
        if contract_of(version) != Some(CONTRACT) {
            return Provider::OtherVersion;
        }
        return match name {
            "types" | "pdf" | "job" => Provider::Everyone,
            "source" => Provider::EngineOnly,
            "ocr" => Provider::Capability(Capability::Ocr),
            "language" => Provider::Capability(Capability::Language),
            _ => Provider::Nobody,
        };
    }
    if interface.starts_with("wasi:nn/") {
        return if version == WASI_NN { Provider::Capability(Capability::Nn) } else { Provider::Nobody };
    }
    // Standard libraries import these whether they use them or not. They are linked without any access behind them.
    let empty_wasi = ["wasi:cli/", "wasi:clocks/", "wasi:filesystem/", "wasi:io/", "wasi:random/", "wasi:sockets/"];
    if empty_wasi.iter().any(|prefix| interface.starts_with(prefix)) && version.starts_with("0.2.") {
        return Provider::Everyone;
    }
    Provider::Nobody
}

/// Checks the imports of a model, apart from the document's bytes. `imports` are names as in the component.
///
/// # Errors
///
/// The [`Refusal`] of the first import or capability that the plugin may not have.
pub fn check_imports<'a>(
    package: &Package,
    imports: impl IntoIterator<Item = &'a str>,
    grants: &Grants,
    offer: &Offer,
) -> Result<(), Refusal> {
    let plugin = || package.name().to_owned();
    for import in imports {
        match provider(import) {
            Provider::Capability(capability) if !package.asks_for(capability) => {
                return Err(Refusal::NotAsked { plugin: plugin(), import: import.to_owned(), capability });
            }
            Provider::Capability(_) | Provider::Everyone => {}
            Provider::EngineOnly | Provider::Nobody => {
                return Err(Refusal::Forbidden { plugin: plugin(), import: import.to_owned() });
            }
            Provider::OtherVersion => {
                return Err(Refusal::Version { plugin: plugin(), interface: import.to_owned() });
            }
        }
    }
    for &capability in package.capabilities().iter().filter(|capability| **capability != Capability::Nn) {
        if !grants.has(capability) {
            return Err(Refusal::NotGranted { plugin: plugin(), capability });
        }
        if !offer.0.contains(&capability) {
            return Err(Refusal::NotOffered { plugin: plugin(), capability });
        }
    }
    Ok(())
}

/// Returns everything that is wrong with the imports of a model, and the capabilities that it asks for in vain. With
/// `has_capabilities` false, the package's capabilities are not known and not compared.
pub(crate) fn import_problems(package: &Package, imports: &[String], has_capabilities: bool) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for import in imports {
        match provider(import) {
            Provider::Everyone => {}
            Provider::Capability(capability) => {
                let is_first = used.insert(capability);
                if is_first && has_capabilities && !package.asks_for(capability) {
                    problems.push(Problem::new(
                        format!("the component imports `{import}`, and plugin.toml does not ask for `{capability}`"),
                        format!("add \"{capability}\" to `capabilities` or `optional_capabilities`, or don't use it"),
                    ));
                }
            }
            Provider::EngineOnly | Provider::Nobody => problems.push(Problem::new(
                format!("the component imports `{import}`, which no plugin is given"),
                "remove what imports it: plugins have no files, network or environment beyond an empty wasi:*@0.2",
            )),
            Provider::OtherVersion => problems.push(Problem::new(
                format!("the component imports `{import}`, this host speaks fanlight:plugin {CONTRACT}"),
                "build it with the SDK that this program's `fanlight plugin new` writes",
            )),
        }
    }
    let asked = package.capabilities().iter().chain(package.optional_capabilities());
    for capability in asked.filter(|capability| has_capabilities && !used.contains(capability)) {
        problems.push(Problem::new(
            format!("plugin.toml asks for `{capability}`, which the component does not use"),
            format!("delete \"{capability}\" there: operators grant only what a plugin needs"),
        ));
    }
    problems
}

/// Checks that a component exports `interface` of the contract in this host's version.
///
/// # Errors
///
/// [`Refusal::MissingExport`] or [`Refusal::Version`].
pub(crate) fn check_export<'a>(
    package: &Package,
    exports: impl IntoIterator<Item = &'a str>,
    interface: &'static str,
) -> Result<(), Refusal> {
    let names: Vec<&str> = exports.into_iter().collect();
    let versions: Vec<&&str> = names.iter().filter(|name| is_same_interface(name, interface)).collect();
    let plugin = || package.name().to_owned();
    match versions.as_slice() {
        [] => {
            let found = if names.is_empty() { "nothing".to_owned() } else { format!("`{}`", names.join("`, `")) };
            Err(Refusal::MissingExport { plugin: plugin(), missing: interface, found })
        }
        found
            if found.iter().any(|name| contract_of(name.split_once('@').map_or("", |(_, v)| v)) == Some(CONTRACT)) =>
        {
            Ok(())
        }
        [first, ..] => Err(Refusal::Version { plugin: plugin(), interface: (**first).to_owned() }),
    }
}

/// Returns whether two names are of one interface, whatever their versions.
pub fn is_same_interface(one: &str, other: &str) -> bool {
    one.split('@').next() == other.split('@').next()
}

/// Returns the version without its patch: `0.1` of `0.1.3`.
fn contract_of(version: &str) -> Option<&str> {
    version.rsplit_once('.').map(|(contract, _patch)| contract)
}
