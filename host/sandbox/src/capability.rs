//! What a plugin may import: wanted by its package, and granted by the operator, and offered by this host. Inference is
//! granted model by model; what becomes of each stands in `nn`.
//!
//! A package wants a capability or can do without. One that wants it is refused where it is not granted or not offered;
//! one that can do without is loaded, and what it imports answers that it is unavailable.

use std::collections::BTreeSet;
use std::fmt;

use fanlight_inference::ModelError;
use serde::Deserialize;
use thiserror::Error;

use crate::package::{CONTRACT, Package};

/// A right beyond the document and the job, which every model is given.
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

/// A right that the operator grants: in text `ocr`, `language`, or `nn:` and the name of a model.
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

/// What stands in text where a right should.
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

/// What the operator grants to one plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants(BTreeSet<Grant>);

impl Grants {
    /// Nothing beyond the document and the job.
    pub fn none() -> Self {
        Self::default()
    }

    /// Exactly these.
    pub fn new(grants: impl IntoIterator<Item = Grant>) -> Self {
        Self(grants.into_iter().collect())
    }

    /// Whether inference by the model of this name is among them.
    pub(crate) fn has_model(&self, name: &str) -> bool {
        self.0.contains(&Grant::Model(name.to_owned()))
    }

    /// Whether a capability that is granted as a whole is among them.
    fn has(&self, capability: Capability) -> bool {
        match capability {
            Capability::Ocr => self.0.contains(&Grant::Ocr),
            Capability::Language => self.0.contains(&Grant::Language),
            Capability::Nn => false,
        }
    }
}

/// What this host has, inference aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Offer(BTreeSet<Capability>);

impl Offer {
    /// Exactly these.
    pub(crate) fn new(capabilities: impl IntoIterator<Item = Capability>) -> Self {
        Self(capabilities.into_iter().collect())
    }

    /// What a package gets of what it wants or can do without, inference aside.
    pub(crate) fn to(&self, package: &Package, grants: &Grants) -> BTreeSet<Capability> {
        let asked = package.capabilities().iter().chain(package.optional_capabilities()).copied();
        asked.filter(|capability| grants.has(*capability) && self.0.contains(capability)).collect()
    }
}

/// Why a plugin is not loaded. Each is one sentence that names the plugin and what to do about it.
#[derive(Debug, Error)]
pub enum Refusal {
    /// It imports something that its package doesn't ask for.
    #[error("plugin `{plugin}` imports `{import}`, but its plugin.toml does not ask for the capability `{capability}`")]
    NotAsked {
        /// The plugin's name.
        plugin: String,
        /// The import.
        import: String,
        /// The capability that covers it.
        capability: Capability,
    },
    /// It asks for something that the operator hasn't granted.
    #[error("plugin `{plugin}` asks for the capability `{capability}`, which the operator has not granted it")]
    NotGranted {
        /// The plugin's name.
        plugin: String,
        /// What it asks for.
        capability: Capability,
    },
    /// It is granted something that this host can't give.
    #[error("plugin `{plugin}` needs the capability `{capability}`, which this host does not offer")]
    NotOffered {
        /// The plugin's name.
        plugin: String,
        /// What it needs.
        capability: Capability,
    },
    /// It needs a model that the operator hasn't granted.
    #[error("plugin `{plugin}` asks for the model `{model}`, which the operator has not granted it")]
    ModelNotGranted {
        /// The plugin's name.
        plugin: String,
        /// The model's name.
        model: String,
    },
    /// It needs a model that this host can't give.
    #[error("plugin `{plugin}` can't have what it needs: {error}")]
    Model {
        /// The plugin's name.
        plugin: String,
        /// What is in the way.
        error: ModelError,
    },
    /// It imports something that no plugin is ever given.
    #[error("plugin `{plugin}` imports `{import}`, which no plugin is given")]
    Forbidden {
        /// The plugin's name.
        plugin: String,
        /// The import.
        import: String,
    },
    /// It imports or exports an interface of the contract in a version that this host doesn't speak.
    #[error("plugin `{plugin}` uses `{interface}`, this host speaks fanlight:plugin {CONTRACT}")]
    Version {
        /// The plugin's name.
        plugin: String,
        /// The interface with its version.
        interface: String,
    },
    /// It doesn't export what its kind must.
    #[error("plugin `{plugin}` does not export `{missing}`; it exports {found}")]
    MissingExport {
        /// The plugin's name.
        plugin: String,
        /// The interface that is missing.
        missing: &'static str,
        /// What it exports instead.
        found: String,
    },
    /// It can't be joined with the PDF engine: an interface has other types than the contract's.
    #[error("plugin `{plugin}` does not fit the PDF engine: {detail}")]
    InterfaceMismatch {
        /// The plugin's name.
        plugin: String,
        /// Which interface, and how it differs.
        detail: String,
    },
    /// It isn't a component, or none that compiles.
    #[error("plugin `{plugin}` is not a usable component: {detail}")]
    NotAComponent {
        /// The plugin's name.
        plugin: String,
        /// What the compiler or the validator said.
        detail: String,
    },
    /// `describe` failed, or what it says contradicts the package.
    #[error("plugin `{plugin}` does not describe itself properly: {detail}")]
    Description {
        /// The plugin's name.
        plugin: String,
        /// What is wrong.
        detail: String,
    },
}

/// The version of `wasi:nn` that this host speaks; it has no other that is compatible.
const WASI_NN: &str = "0.2.0-rc-2024-10-28";

/// What stands behind an import.
enum Provider {
    /// Given to every plugin.
    Everyone,
    /// Given to the PDF engine alone.
    EngineOnly,
    /// Given where granted.
    Capability(Capability),
    /// The contract's, in another version.
    OtherVersion,
    /// Nobody's.
    Nobody,
}

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
    // Standard libraries import these whether they use them or not; they are linked with nothing behind them.
    let empty_wasi = ["wasi:cli/", "wasi:clocks/", "wasi:filesystem/", "wasi:io/", "wasi:random/", "wasi:sockets/"];
    if empty_wasi.iter().any(|prefix| interface.starts_with(prefix)) && version.starts_with("0.2.") {
        return Provider::Everyone;
    }
    Provider::Nobody
}

/// Checks what a model imports, the document's bytes aside. `imports` are the names as the component has them.
pub(crate) fn check_imports<'a>(
    package: &Package,
    imports: impl IntoIterator<Item = &'a str>,
    grants: &Grants,
    offer: &Offer,
) -> Result<(), Refusal> {
    let plugin = || package.name().to_owned();
    for import in imports {
        match provider(import) {
            Provider::Capability(capability)
                if !package.capabilities().contains(&capability)
                    && !package.optional_capabilities().contains(&capability) =>
            {
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

/// Checks that a component exports `interface` of the contract in the version that this host speaks.
pub(crate) fn check_export<'a>(
    package: &Package,
    exports: impl IntoIterator<Item = &'a str>,
    interface: &'static str,
) -> Result<(), Refusal> {
    let names: Vec<&str> = exports.into_iter().collect();
    let versions: Vec<&&str> =
        names.iter().filter(|name| name.split('@').next() == interface.split('@').next()).collect();
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

/// `0.1` of `0.1.3`.
fn contract_of(version: &str) -> Option<&str> {
    version.rsplit_once('.').map(|(contract, _patch)| contract)
}
