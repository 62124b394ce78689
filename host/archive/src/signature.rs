//! Ed25519 keys and signatures (RFC 8032).

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use aws_lc_rs::encoding::AsBigEndian;
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde::{Deserialize, Serialize};

use crate::error::ArchiveError;

/// Maximum bytes of a key's file, which takes about 200.
const KEY_FILE_BYTES: u64 = 4096;

/// A publisher's public key. Its text is 64 hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicKey([u8; 32]);

impl fmt::Display for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for PublicKey {
    type Err = ArchiveError;

    fn from_str(text: &str) -> Result<Self, ArchiveError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes)
            .map_err(|_| ArchiveError::Key(format!("`{text}`"), "a public key is 64 hex digits"))?;
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for PublicKey {
    type Error = ArchiveError;

    fn try_from(text: String) -> Result<Self, ArchiveError> {
        text.parse()
    }
}

/// A publisher's secret key.
pub struct SecretKey(Ed25519KeyPair);

impl fmt::Debug for SecretKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("SecretKey").field(&self.public()).finish()
    }
}

/// The content of a key's file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    public: String,
    secret: String,
}

impl SecretKey {
    /// Creates a key and writes it into a new file, which only this user may read.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<Self, ArchiveError> {
        let key = Ed25519KeyPair::generate().map_err(|_| invalid(path, "this machine has no random numbers"))?;
        let seed = key.seed().map_err(|_| invalid(path, "its seed is not available"))?;
        let seed = seed.as_be_bytes().map_err(|_| invalid(path, "its seed is not available"))?;
        let key = Self(key);
        let text = format!(
            "# The key of a publisher of Fanlight plugins. Keep it secret: who has it signs in your name.\n\
             public = \"{}\"\nsecret = \"{}\"\n",
            key.public(),
            hex::encode(seed.as_ref())
        );
        let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
        new_private_file(path).map_err(failed)?.write_all(text.as_bytes()).map_err(failed)?;
        Ok(key)
    }

    /// Reads a key's file.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if it cannot be read or is not one.
    pub fn read(path: &Path) -> Result<Self, ArchiveError> {
        let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
        if fs::metadata(path).map_err(failed)?.len() > KEY_FILE_BYTES {
            return Err(invalid(path, "it is too long"));
        }
        let text = fs::read_to_string(path).map_err(failed)?;
        let file: KeyFile = toml::from_str(&text).map_err(|_| invalid(path, "it has no `public` and `secret`"))?;
        let (public, secret) = (hex::decode(file.public), hex::decode(file.secret));
        let (Ok(public), Ok(secret)) = (public, secret) else {
            return Err(invalid(path, "`public` and `secret` are 64 hex digits each"));
        };
        let key = Ed25519KeyPair::from_seed_and_public_key(&secret, &public);
        Ok(Self(key.map_err(|_| invalid(path, "`public` and `secret` do not belong together"))?))
    }

    /// Returns the public key.
    pub fn public(&self) -> PublicKey {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(self.0.public_key().as_ref());
        PublicKey(bytes)
    }

    /// Signs the digest of a package.
    pub fn sign(&self, digest: &[u8; 32]) -> Signature {
        Signature { key: self.public(), signature: self.0.sign(digest).as_ref().to_vec() }
    }
}

/// Returns the error of a key's file.
fn invalid(path: &Path, reason: &'static str) -> ArchiveError {
    ArchiveError::Key(path.display().to_string(), reason)
}

/// Creates a file that did not exist, for this user only.
fn new_private_file(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// A signature over a package's digest, with the public key that it is checked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    key: PublicKey,
    signature: Vec<u8>,
}

/// The content of `plugin.sig`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignatureFile {
    key: PublicKey,
    signature: String,
}

impl Signature {
    /// Returns the key that has signed.
    pub fn key(&self) -> PublicKey {
        self.key
    }

    pub(crate) fn parse(text: &[u8]) -> Result<Self, ArchiveError> {
        let text = std::str::from_utf8(text).map_err(|error| ArchiveError::SignatureFile(error.to_string()))?;
        let file: SignatureFile =
            toml::from_str(text).map_err(|error| ArchiveError::SignatureFile(error.message().to_owned()))?;
        let signature = hex::decode(file.signature).map_err(|error| ArchiveError::SignatureFile(error.to_string()))?;
        Ok(Self { key: file.key, signature })
    }

    pub(crate) fn to_text(&self) -> String {
        format!("key = \"{}\"\nsignature = \"{}\"\n", self.key, hex::encode(&self.signature))
    }

    pub(crate) fn verify(&self, digest: &[u8; 32]) -> Result<(), ArchiveError> {
        let key = UnparsedPublicKey::new(&ED25519, self.key.0);
        key.verify(digest, &self.signature).map_err(|_| ArchiveError::WrongSignature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_digest_and_key_only() {
        let folder = tempfile::tempdir().unwrap();
        let key = SecretKey::create(&folder.path().join("a.key")).unwrap();
        let other = SecretKey::create(&folder.path().join("b.key")).unwrap();
        let signature = key.sign(&[1; 32]);
        let read = Signature::parse(signature.to_text().as_bytes()).unwrap();
        assert_eq!(read, signature);
        assert!(read.verify(&[1; 32]).is_ok());
        assert!(read.verify(&[2; 32]).is_err());
        assert!(Signature { key: other.public(), ..read }.verify(&[1; 32]).is_err());
    }

    #[test]
    fn a_key_survives_its_file_and_overwrites_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.key");
        let key = SecretKey::create(&path).unwrap();
        assert_eq!(SecretKey::read(&path).unwrap().public(), key.public());
        assert!(SecretKey::create(&path).is_err());
        fs::write(&path, "secret = 'x'").unwrap();
        let error = SecretKey::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("is not a key: it has no `public` and `secret`"), "{error}");
    }
}
