//! Links to files that need no key: signed, and good for a while.
//!
//! A token is what it allows and the HMAC-SHA-256 over that, both in base64url: a version, the purpose, the expiry in
//! seconds since 1970, the account and the document. The account is in it so that a link, too, reads only what is its
//! account's.

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

/// How long the link in a document is good for.
pub(crate) const DOCUMENT_LINK: Duration = Duration::from_mins(15);
/// How long the link in a job is good for.
pub(crate) const JOB_LINK: Duration = Duration::from_hours(1);

/// The layout of a token, counted up when it changes.
const VERSION: u8 = 1;
/// Version, purpose, expiry, account, document.
const CLAIM_BYTES: usize = 1 + 1 + 8 + 16 + 16;

/// What a link is for; a token for one thing is none for another.
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

    fn of(byte: u8) -> Option<Self> {
        (byte == Self::Source.byte()).then_some(Self::Source)
    }
}

/// What a link allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grant {
    /// What it is for.
    pub(crate) purpose: Purpose,
    /// Whose document.
    pub(crate) account: Uuid,
    /// Which document.
    pub(crate) document: Uuid,
}

/// The token is not one of ours, or not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum BadLink {
    /// Altered, cut, or signed with another secret.
    #[error("the link is not one that this service has signed")]
    Forged,
    /// Past its expiry.
    #[error("the link has expired")]
    Expired,
}

/// Signs and checks tokens.
#[derive(Clone)]
pub(crate) struct Links {
    key: Hmac<Sha256>,
}

impl Links {
    /// From the operator's secret of 64 hex digits.
    pub(crate) fn from_hex(secret: &str) -> anyhow::Result<Self> {
        let bytes = hex::decode(secret.trim()).context("the secret of links is not in hex digits")?;
        let bytes: [u8; 32] = bytes.try_into().ok().context("the secret of links has not 64 hex digits")?;
        Self::new(&bytes)
    }

    /// With the secret in `file`, which is made where it is missing.
    pub(crate) fn from_file(file: &Path) -> anyhow::Result<Self> {
        if !file.exists() {
            make_secret(file).with_context(|| format!("can't keep the secret of links in {}", file.display()))?;
        }
        let secret = fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
        ensure!(!secret.trim().is_empty(), "{} is empty: delete it to have a new secret made", file.display());
        Self::from_hex(&secret)
    }

    fn new(secret: &[u8; 32]) -> anyhow::Result<Self> {
        Ok(Self { key: Hmac::new_from_slice(secret)? })
    }

    /// A key for another use, which tells nothing of the secret. `purpose` is none of a token's first bytes.
    pub(crate) fn derived_key(&self, purpose: &str) -> [u8; 32] {
        self.key.clone().chain_update(purpose.as_bytes()).finalize().into_bytes().into()
    }

    /// A token that is good until `expires`.
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

    /// What a token allows. Its signature is compared in constant time, before anything of it is believed.
    pub(crate) fn check(&self, token: &str, now: DateTime<Utc>) -> Result<Grant, BadLink> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| BadLink::Forged)?;
        let (claim, mac) = bytes.split_first_chunk::<CLAIM_BYTES>().ok_or(BadLink::Forged)?;
        self.key.clone().chain_update(claim).verify_slice(mac).map_err(|_| BadLink::Forged)?;
        let [version, purpose, rest @ ..] = claim;
        if *version != VERSION {
            return Err(BadLink::Forged);
        }
        let purpose = Purpose::of(*purpose).ok_or(BadLink::Forged)?;
        let (expires, ids) = rest.split_first_chunk::<8>().ok_or(BadLink::Forged)?;
        if i64::from_be_bytes(*expires) <= now.timestamp() {
            return Err(BadLink::Expired);
        }
        let (account, document) = ids.split_first_chunk::<16>().ok_or(BadLink::Forged)?;
        let document = Uuid::from_slice(document).map_err(|_| BadLink::Forged)?;
        Ok(Grant { purpose, account: Uuid::from_bytes(*account), document })
    }
}

/// Two processes that start at once agree on the secret of whichever was first.
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
    fn a_link_is_good_until_it_expires() {
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
    fn a_link_that_is_cut_extended_or_of_another_secret_is_forged() {
        let token = links().sign(grant(), at(1000));
        for altered in ["", "A", &token[1..], &token[..token.len() - 1], &format!("{token}A"), &token.repeat(2)] {
            assert_eq!(links().check(altered, at(0)), Err(BadLink::Forged), "{altered}");
        }
        assert_eq!(Links::new(&[8; 32]).unwrap().check(&token, at(0)), Err(BadLink::Forged));
    }

    #[test]
    fn the_secret_is_made_once_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("links.secret");
        let token = Links::from_file(&file).unwrap().sign(grant(), at(1000));
        assert_eq!(Links::from_file(&file).unwrap().check(&token, at(0)), Ok(grant()));
    }
}
