//! Authenticated encryption of texts that must be read again: idempotent answers, webhook secrets, and what a browser keeps
//! during a sign-in.
//!
//! Each use has a key of its own, derived from the link secret, so that hosts that share a database open each other's
//! texts. A sealed text is the base64 of a random nonce and the output of XChaCha20-Poly1305.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use fanlight_store::SecretSealing;
use uuid::Uuid;

use crate::domain::links::Links;

/// Purpose for which the key of answers is derived.
const ANSWERS: &str = "idempotent answers";
/// Purpose for which the key of sign-ins is derived.
const SIGN_INS: &str = "sign-ins at the identity provider";
/// Purpose for which the key of webhook secrets is derived.
const WEBHOOK_SECRETS: &str = "webhook secrets";
/// Length of the nonce at the start of a sealed text, in bytes.
const NONCE_BYTES: usize = 24;

/// Seals and opens texts with one key, which `Debug` does not print.
pub(crate) struct Seal(XChaCha20Poly1305);

impl Seal {
    /// Creates the seal of idempotent answers.
    pub(crate) fn for_answers(links: &Links) -> Self {
        Self::new(&links.derived_key(ANSWERS))
    }

    /// Creates the seal of sign-ins that have begun.
    pub(crate) fn for_sign_ins(links: &Links) -> Self {
        Self::new(&links.derived_key(SIGN_INS))
    }

    /// Creates the seal of webhook secrets.
    pub(crate) fn for_webhook_secrets(links: &Links) -> Self {
        Self::new(&links.derived_key(WEBHOOK_SECRETS))
    }

    /// Creates a seal from a key.
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(key.into()))
    }

    /// Seals a text, with `owner` as associated data. Returns `None` if the text is too long for the cipher.
    pub(crate) fn seal(&self, owner: &[u8], text: &[u8]) -> Option<String> {
        let nonce: [u8; NONCE_BYTES] = rand::random();
        let sealed = self.0.encrypt(&XNonce::from(nonce), Payload { msg: text, aad: owner }).ok()?;
        Some(BASE64_STANDARD_NO_PAD.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// Opens a sealed text. Returns `None` if it was altered, or sealed with another key or for another owner.
    pub(crate) fn open(&self, owner: &[u8], sealed: &str) -> Option<Vec<u8>> {
        let bytes = BASE64_STANDARD_NO_PAD.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        self.0.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: owner }).ok()
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Seal(…)")
    }
}

impl SecretSealing for Seal {
    fn seal(&self, key_id: Uuid, secret: &str) -> Option<String> {
        Self::seal(self, key_id.as_bytes(), secret.as_bytes())
    }

    fn open(&self, key_id: Uuid, sealed: &str) -> Option<String> {
        String::from_utf8(Self::open(self, key_id.as_bytes(), sealed)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_text_opens_only_for_its_owner() {
        let seal = Seal::new(&[7; 32]);
        let sealed = seal.seal(b"one", b"s3cret").unwrap();
        assert_eq!(seal.open(b"one", &sealed).as_deref(), Some(b"s3cret".as_slice()));
        for owner in [b"two".as_slice(), b""] {
            assert_eq!(seal.open(owner, &sealed), None);
        }
    }

    #[test]
    fn a_sealed_text_opens_only_with_its_key() {
        let sealed = Seal::new(&[7; 32]).seal(b"", b"s3cret").unwrap();
        assert!(!sealed.contains("s3cret"));
        assert_eq!(Seal::new(&[8; 32]).open(b"", &sealed), None);
        for altered in ["", &sealed[1..], &sealed[..50], &format!("{sealed}AAAA")] {
            assert_eq!(Seal::new(&[7; 32]).open(b"", altered), None, "{altered}");
        }
    }

    #[test]
    fn a_webhook_secret_opens_only_for_its_api_key() {
        let seal = Seal::for_webhook_secrets(&Links::from_hex(&"07".repeat(32)).unwrap());
        let sealing: &dyn SecretSealing = &seal;
        let sealed = sealing.seal(Uuid::from_u128(1), "whsec_AA==").unwrap();
        assert!(!sealed.starts_with("whsec_"), "{sealed}");
        assert_eq!(sealing.open(Uuid::from_u128(1), &sealed).as_deref(), Some("whsec_AA=="));
        assert_eq!(sealing.open(Uuid::from_u128(2), &sealed), None);
    }
}
