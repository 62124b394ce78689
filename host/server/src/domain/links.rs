//! Signed links to files, which need no key and expire.
//!
//! A token is a claim and the HMAC-SHA-256 of that claim, both in base64url. The claim is a version, the purpose, the
//! expiry in seconds since 1970, the account and the document. It names the account so that a link reads only files of
//! that account.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;
use uuid::Uuid;

/// Lifetime of the link in a document.
pub(crate) const DOCUMENT_LINK: Duration = Duration::from_mins(15);
/// Lifetime of the link in a job.
pub(crate) const JOB_LINK: Duration = Duration::from_hours(1);

/// Version of the token's layout, incremented when it changes.
const VERSION: u8 = 1;
/// Length of a claim: version, purpose, expiry, account and document.
const CLAIM_BYTES: usize = 1 + 1 + 8 + 16 + 16;

/// What a link is for. A token for one purpose is not valid for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Reading the uploaded file.
    Source,
}

impl Purpose {
    fn byte(self) -> u8 {
        match self {
            Self::Source => 1,
        }
    }

    fn from_byte(byte: u8) -> Option<Self> {
        (byte == Self::Source.byte()).then_some(Self::Source)
    }
}

/// The access that a link grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// The purpose.
    pub(crate) purpose: Purpose,
    /// The account that owns the document.
    pub(crate) account: Uuid,
    /// The document.
    pub(crate) document: Uuid,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum BadLink {
    /// The token was altered or truncated, or signed with another secret.
    #[error("the link was not signed by this service")]
    Forged,
    /// The token has expired.
    #[error("the link has expired")]
    Expired,
}

/// Signs and checks tokens.
#[derive(Clone)]
pub(crate) struct Links {
    key: Hmac<Sha256>,
}

impl Links {
    /// Creates the key from the operator's secret of 64 hex digits.
    pub(crate) fn from_hex(secret: &str) -> anyhow::Result<Self> {
        let bytes = hex::decode(secret.trim()).context("the link secret must consist of hex digits")?;
        let bytes: [u8; 32] = bytes.try_into().ok().context("the link secret must have 64 hex digits")?;
        Self::new(&bytes)
    }

    /// Reads the secret from `file`, and creates the file if it is missing.
    pub(crate) fn from_file(file: &Path) -> anyhow::Result<Self> {
        if !file.exists() {
            make_secret(file).with_context(|| format!("can't write the link secret to {}", file.display()))?;
        }
        let secret = fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
        ensure!(!secret.trim().is_empty(), "{} is empty: delete it to have a new secret created", file.display());
        Self::from_hex(&secret)
    }

    fn new(secret: &[u8; 32]) -> anyhow::Result<Self> {
        Ok(Self { key: Hmac::new_from_slice(secret)? })
    }

    /// Derives a key for another use, from which the secret cannot be computed. `purpose` must not begin like a token.
    pub(crate) fn derived_key(&self, purpose: &str) -> [u8; 32] {
        self.key.clone().chain_update(purpose.as_bytes()).finalize().into_bytes().into()
    }

    /// Signs a token that is valid until `expires`.
    pub(crate) fn sign(&self, grant: Grant, expires: DateTime<Utc>) -> String {
        let mut token = Vec::with_capacity(CLAIM_BYTES + 32);
        token.extend([VERSION, grant.purpose.byte()]);
        token.extend(expires.timestamp().to_be_bytes());
        token.extend(grant.account.as_bytes());
        token.extend(grant.document.as_bytes());
        let mac = self.key.clone().chain_update(&token).finalize();
        token.extend(mac.into_bytes());
        BASE64_URL_SAFE_NO_PAD.encode(token)
    }

    /// Returns the access that a token grants.
    ///
    /// The signature is verified in constant time, before any part of the claim is used.
    ///
    /// # Errors
    ///
    /// [`BadLink`] if the signature is wrong or the token has expired at `now`.
    pub(crate) fn check(&self, token: &str, now: DateTime<Utc>) -> Result<Grant, BadLink> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| BadLink::Forged)?;
        let (claim, mac) = bytes.split_first_chunk::<CLAIM_BYTES>().ok_or(BadLink::Forged)?;
        self.key.clone().chain_update(claim).verify_slice(mac).map_err(|_| BadLink::Forged)?;
        let [version, purpose, rest @ ..] = claim;
        if *version != VERSION {
            return Err(BadLink::Forged);
        }
        let purpose = Purpose::from_byte(*purpose).ok_or(BadLink::Forged)?;
        let (expires, ids) = rest.split_first_chunk::<8>().ok_or(BadLink::Forged)?;
        if i64::from_be_bytes(*expires) <= now.timestamp() {
            return Err(BadLink::Expired);
        }
        let (account, document) = ids.split_first_chunk::<16>().ok_or(BadLink::Forged)?;
        let document = Uuid::from_slice(document).map_err(|_| BadLink::Forged)?;
        Ok(Grant { purpose, account: Uuid::from_bytes(*account), document })
    }
}

/// Creates the file with a new secret, unless it exists by then: processes that start at the same time use the secret
/// of the first one.
fn make_secret(file: &Path) -> anyhow::Result<()> {
    let folder = file.parent().context("it has no folder")?;
    let secret: [u8; 32] = rand::random();
    let mut private = tempfile::NamedTempFile::new_in(folder)?;
    private.write_all(hex::encode(secret).as_bytes())?;
    private.as_file().sync_all()?;
    match private.persist_noclobber(file) {
        Err(error) if !file.exists() => Err(error.error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links() -> Links {
        Links::new(&[7; 32]).unwrap()
    }

    fn grant() -> Grant {
        Grant { purpose: Purpose::Source, account: Uuid::from_u128(1), document: Uuid::from_u128(2) }
    }

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn a_link_is_valid_until_it_expires() {
        let token = links().sign(grant(), at(1000));
        assert_eq!(links().check(&token, at(999)), Ok(grant()));
        assert_eq!(links().check(&token, at(1000)), Err(BadLink::Expired));
    }

    #[test]
    fn a_link_with_any_byte_changed_is_forged() {
        let token = links().sign(grant(), at(1000));
        for position in 0..token.len() {
            for replacement in ['A', 'B', '_', '='] {
                let mut altered: Vec<char> = token.chars().collect();
                if altered[position] == replacement {
                    continue;
                }
                altered[position] = replacement;
                let altered: String = altered.into_iter().collect();
                assert_eq!(links().check(&altered, at(0)), Err(BadLink::Forged), "{altered}");
            }
        }
    }

    #[test]
    fn a_truncated_extended_or_foreign_link_is_forged() {
        let token = links().sign(grant(), at(1000));
        for altered in ["", "A", &token[1..], &token[..token.len() - 1], &format!("{token}A"), &token.repeat(2)] {
            assert_eq!(links().check(altered, at(0)), Err(BadLink::Forged), "{altered}");
        }
        assert_eq!(Links::new(&[8; 32]).unwrap().check(&token, at(0)), Err(BadLink::Forged));
    }

    #[test]
    fn the_secret_is_created_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("links.secret");
        let token = Links::from_file(&file).unwrap().sign(grant(), at(1000));
        assert_eq!(Links::from_file(&file).unwrap().check(&token, at(0)), Ok(grant()));
    }
}
