//! Packages in OCI registries, such as those that serve container images: `oci://HOST/NAME:TAG` or, pinned to what was
//! looked at, `oci://HOST/NAME@sha256:DIGEST`.
//!
//! A package is an artifact with one layer, the file that `fanlight plugin pack` writes. Who has published it is told by
//! its own signature, which is checked like that of a file; a digest says that the registry has not exchanged it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, ensure};
use docker_credential::{CredentialRetrievalError, DockerCredential};
use fanlight_archive::PACKAGE_BYTES;
use fanlight_identity::is_on_this_machine;
use futures_util::TryStreamExt as _;
use oci_client::client::{ClientConfig, ClientProtocol, Config, ImageLayer};
use oci_client::manifest::OciImageManifest;
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference};
use tempfile::NamedTempFile;
use tokio::runtime::Builder;
use url::Url;

use super::checked::Checked;
use crate::cli::output::print;
use crate::configuration::Configuration;

/// What an address in a registry begins with.
const SCHEME: &str = "oci://";
/// The media type of a package, and of the artifact that it is.
const PACKAGE_TYPE: &str = "application/vnd.fanlight.plugin.v1.tar";
/// The media type of an artifact's configuration that says nothing, by the OCI image specification 1.1.
const EMPTY_TYPE: &str = "application/vnd.oci.empty.v1+json";

/// Where a package is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Source {
    /// A file, or the folder of a package.
    Local(PathBuf),
    /// An OCI registry.
    Registry(Reference),
}

impl FromStr for Source {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(reference) = text.strip_prefix(SCHEME) else { return Ok(Self::Local(text.into())) };
        let reference =
            reference.parse::<Reference>().map_err(|error| format!("{error}: write oci://HOST/NAME:TAG"))?;
        Ok(Self::Registry(reference))
    }
}

/// A package on this machine.
pub(super) struct Fetched {
    path: PathBuf,
    /// Deletes a package from a registry once it has been read.
    _downloaded: Option<NamedTempFile>,
}

impl Fetched {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Source {
    /// Brings the package to this machine, if it is not there.
    ///
    /// # Errors
    ///
    /// Fails if the registry cannot be reached or has no such package, or the package is too large or not what its digest
    /// says.
    pub(super) fn fetch(&self) -> anyhow::Result<Fetched> {
        match self {
            Self::Local(path) => Ok(Fetched { path: path.clone(), _downloaded: None }),
            Self::Registry(reference) => {
                let file = run(pull(reference))?.with_context(|| format!("can't fetch {SCHEME}{reference}"))?;
                Ok(Fetched { path: file.path().to_owned(), _downloaded: Some(file) })
            }
        }
    }
}

/// Checks a package and puts it into a registry. Prints the address that is pinned to its digest.
pub(super) fn push(configuration: &Configuration, package: &Path, to: &Source) -> anyhow::Result<()> {
    let Source::Registry(reference) = to else { anyhow::bail!("name a registry, such as oci://HOST/NAME:TAG") };
    ensure!(reference.digest().is_none(), "the digest follows from the package: name a tag");
    // What cannot be installed is not published.
    Checked::open(package, configuration)?;
    let bytes = std::fs::read(package).with_context(|| format!("can't read {}: pack it first", package.display()))?;
    let digest = run(upload(reference, bytes))?.with_context(|| format!("can't push to {SCHEME}{reference}"))?;
    print(&format!("pushed {SCHEME}{}/{}@{digest}\n", reference.registry(), reference.repository()))
}

fn run<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    Ok(Builder::new_current_thread().enable_all().build()?.block_on(work))
}

async fn pull(reference: &Reference) -> anyhow::Result<NamedTempFile> {
    let client = client(reference);
    let (manifest, _) = client.pull_image_manifest(reference, &credentials(reference)?).await?;
    let [layer] = manifest.layers.as_slice() else {
        anyhow::bail!("it is no plugin: it has {} layers instead of one", manifest.layers.len())
    };
    ensure!(layer.media_type == PACKAGE_TYPE, "it is no plugin, but of the type {}", layer.media_type);
    let mut file = NamedTempFile::new()?;
    let mut left = PACKAGE_BYTES;
    let mut stream = client.pull_blob_stream(reference, layer).await?.stream;
    while let Some(bytes) = stream.try_next().await? {
        left =
            left.checked_sub(bytes.len() as u64).with_context(|| format!("it has more than {PACKAGE_BYTES} bytes"))?;
        file.write_all(&bytes)?;
    }
    file.flush()?;
    Ok(file)
}

/// Returns the digest of the artifact.
async fn upload(reference: &Reference, package: Vec<u8>) -> anyhow::Result<String> {
    let client = client(reference);
    let layer = ImageLayer::new(package, PACKAGE_TYPE.to_owned(), None);
    let config = Config::new(b"{}".as_slice(), EMPTY_TYPE.to_owned(), None);
    let mut manifest = OciImageManifest::build(std::slice::from_ref(&layer), &config, None);
    manifest.artifact_type = Some(PACKAGE_TYPE.to_owned());
    let auth = credentials(reference)?;
    client.push(reference, &[layer], config, &auth, Some(manifest)).await?;
    Ok(client.fetch_manifest_digest(reference, &auth).await?)
}

/// Returns a client that encrypts, unless the registry is on this machine.
fn client(reference: &Reference) -> Client {
    let registry = reference.resolve_registry().to_owned();
    let protocol =
        if is_loopback(&registry) { ClientProtocol::HttpsExcept(vec![registry]) } else { ClientProtocol::Https };
    Client::new(ClientConfig { protocol, ..ClientConfig::default() })
}

fn is_loopback(registry: &str) -> bool {
    Url::parse(&format!("http://{registry}")).is_ok_and(|address| is_on_this_machine(&address))
}

/// Returns the credentials that `docker login` or a like program has stored for the registry, if there are any.
fn credentials(reference: &Reference) -> anyhow::Result<RegistryAuth> {
    match docker_credential::get_credential(reference.resolve_registry()) {
        Ok(DockerCredential::UsernamePassword(user, password)) => Ok(RegistryAuth::Basic(user, password)),
        Ok(DockerCredential::IdentityToken(token)) => Ok(RegistryAuth::Bearer(token)),
        Err(
            CredentialRetrievalError::ConfigNotFound
            | CredentialRetrievalError::ConfigReadError
            | CredentialRetrievalError::NoCredentialConfigured,
        ) => Ok(RegistryAuth::Anonymous),
        Err(error) => Err(error).context("can't read the credentials of the registry"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_files_or_in_a_registry() {
        assert_eq!("a/b.fanlight".parse(), Ok(Source::Local("a/b.fanlight".into())));
        let tagged = "oci://plugins.example:5000/acme/windows:1.0".parse();
        let Ok(Source::Registry(reference)) = tagged else { unreachable!("{tagged:?}") };
        assert_eq!((reference.registry(), reference.repository()), ("plugins.example:5000", "acme/windows"));
        assert_eq!((reference.tag(), reference.digest()), (Some("1.0"), None));
        for wrong in ["oci://", "oci://HOST/UPPER", "oci://host/name@sha256:12"] {
            assert!(wrong.parse::<Source>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_registries_on_this_machine_are_not_encrypted() {
        for here in ["localhost:5000", "127.0.0.1:5000", "[::1]:5000"] {
            assert!(is_loopback(here), "{here}");
        }
        for elsewhere in ["ghcr.io", "localhost.example", "10.0.0.1:5000"] {
            assert!(!is_loopback(elsewhere), "{elsewhere}");
        }
    }
}
