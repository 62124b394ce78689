//! Requests with an `Idempotency-Key`: each is carried out once, and a repetition gets the first answer.
//!
//! The key is reserved before the request is carried out. The answer is stored in the same transaction as its effects.
//! Only 2xx answers are stored: a refused request has changed nothing and can be tried again.
//!
//! An answer is sealed before it is stored, since one of them holds a secret that is shown only once.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use fanlight_store::{IdempotentRequest, Reservation, Reserved, StoreError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::domain::seal::Seal;
use crate::domain::service::Service;
use crate::errors::error_chain;

/// The keys that [`parse_key`] accepts, as a regular expression for the OpenAPI document.
pub(crate) const KEY_PATTERN: &str = r#"^([!#-\[\]-~]{1,255}|"([ !#-\[\]-~]|\\["\\]){1,255}")$"#;

/// Maximum length of a key in bytes.
const KEY_LENGTH: usize = 255;

/// Why a request with a key is refused.
#[derive(Debug, Error)]
pub(crate) enum IdempotencyError {
    /// The header holds no valid key.
    #[error("the idempotency key is not valid: {0}")]
    Invalid(&'static str),
    /// Another request holds the key, or the database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored answer was sealed with another secret, or altered.
    #[error("the stored answer can't be opened: was the link secret changed?")]
    Sealed,
}

/// Parses the value of the header: a quoted string (RFC 8941, section 3.3.3), or the bare key that many clients send.
///
/// A key has 1 to 255 printable ASCII characters. A bare key has no spaces, quotes or backslashes.
///
/// # Errors
///
/// [`IdempotencyError::Invalid`] with the reason.
pub(crate) fn parse_key(value: &[u8]) -> Result<String, IdempotencyError> {
    let invalid = IdempotencyError::Invalid;
    let text = std::str::from_utf8(value).map_err(|_| invalid("it is not ASCII"))?.trim_matches([' ', '\t']);
    let key = match text.strip_prefix('"') {
        Some(quoted) => unquoted(quoted).ok_or(invalid("its quotes don't match"))?,
        None if text.contains([' ', '"', '\\']) => return Err(invalid("it must be quoted")),
        None => text.to_owned(),
    };
    if key.is_empty() || key.len() > KEY_LENGTH {
        return Err(invalid("it must have 1 to 255 characters"));
    }
    if !key.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(invalid("it is not printable ASCII"));
    }
    Ok(key)
}

/// Unescapes the text before the closing quote. None if that quote is missing or is not the end.
fn unquoted(quoted: &str) -> Option<String> {
    let mut key = String::new();
    let mut rest = quoted.chars();
    loop {
        match rest.next()? {
            '"' => return rest.as_str().is_empty().then_some(key),
            '\\' => key.push(rest.next().filter(|escaped| matches!(escaped, '"' | '\\'))?),
            other => key.push(other),
        }
    }
}

/// Returns the SHA-256 of parts of a request, in hex. Two requests with one key must have the same fingerprint.
pub(crate) fn fingerprint(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    hex::encode(digest.finalize())
}

/// An answer as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The header `Location`.
    pub(crate) location: Option<String>,
    /// The body.
    pub(crate) body: String,
}

impl Answer {
    /// Serializes and seals the answer.
    fn sealed(&self, seal: &Seal) -> anyhow::Result<String> {
        seal.seal(b"", &serde_json::to_vec(self)?).context("an answer can't be sealed")
    }

    /// Opens a sealed answer. None if it was sealed with another key, or altered.
    fn opened(seal: &Seal, sealed: &str) -> Option<Self> {
        serde_json::from_slice(&seal.open(b"", sealed)?).ok()
    }
}

/// A reserved key. It is released if it is dropped before an answer is stored.
pub(crate) struct Held {
    service: Arc<Service>,
    reservation: Reservation,
    /// Whether the answer is stored.
    settled: AtomicBool,
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Held").field(&self.reservation).finish()
    }
}

/// The result of reserving a key.
#[derive(Debug)]
pub(crate) enum Begun {
    /// The key is new: the request must be carried out.
    New(Held),
    /// The request was carried out before, with this answer.
    Before(Answer),
}

/// Reserves a request's key, or returns the answer that is stored for it.
///
/// # Errors
///
/// [`IdempotencyError`] if another request holds the key or has used it, or the stored answer cannot be opened.
pub(crate) async fn begin(service: &Arc<Service>, request: &IdempotentRequest) -> Result<Begun, IdempotencyError> {
    match service.store.reserve_key(request).await? {
        Reserved::New(reservation) => {
            Ok(Begun::New(Held { service: service.clone(), reservation, settled: AtomicBool::new(false) }))
        }
        Reserved::Answered(sealed) => {
            let answer = Answer::opened(&service.answers, &sealed);
            Ok(Begun::Before(answer.ok_or(IdempotencyError::Sealed)?))
        }
    }
}

impl Held {
    /// Returns the reservation and the sealed answer, for the transaction that carries the request out. Call
    /// [`Self::settle`] once it is committed.
    pub(crate) fn with_answer(&self, answer: &Answer) -> Option<(Reservation, String)> {
        match answer.sealed(&self.service.answers) {
            Ok(sealed) => Some((self.reservation.clone(), sealed)),
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "an idempotent answer is not stored");
                None
            }
        }
    }

    /// Records that the answer is stored.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::Release);
    }

    /// Returns whether the answer is stored.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }

    /// Stores the answer of a request that has already been carried out. A failure is only logged, since its effects
    /// cannot be undone.
    pub(crate) async fn keep(&self, answer: &Answer) {
        let Some((reservation, sealed)) = self.with_answer(answer) else {
            return;
        };
        match self.service.store.keep_answer(&reservation, &sealed).await {
            Ok(()) => self.settle(),
            Err(error) => tracing::error!(error = %error_chain(&error), "an idempotent answer is not stored"),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if self.is_settled() {
            return;
        }
        let (service, reservation) = (self.service.clone(), self.reservation.clone());
        runtime.spawn(async move {
            if let Err(error) = service.store.release_key(&reservation).await {
                tracing::warn!(error = %error_chain(&error), "can't release an idempotency key before its lease ends");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_quoted_or_bare() {
        let longest = "k".repeat(KEY_LENGTH);
        let cases = [
            ("\"8e03978e-40d5\"", Some("8e03978e-40d5")),
            ("8e03978e-40d5", Some("8e03978e-40d5")),
            (" \"a b\" ", Some("a b")),
            (r#""a \"b\" \\""#, Some(r#"a "b" \"#)),
            (&longest, Some(longest.as_str())),
            (&format!("{longest}k"), None),
            ("", None),
            ("\"\"", None),
            ("\"open", None),
            ("\"two\" \"keys\"", None),
            (r#""\n""#, None),
            ("a\tb", None),
            ("a b", None),
            (r#"a"b"#, None),
            (r"a\b", None),
            ("schlüssel", None),
        ];
        let described = serde_json::json!({ "type": "string", "pattern": KEY_PATTERN });
        let described = jsonschema::validator_for(&described).unwrap();
        for (value, key) in cases {
            assert_eq!(described.is_valid(&value.trim().into()), key.is_some(), "{value}");
            assert_eq!(parse_key(value.as_bytes()).ok().as_deref(), key, "{value}");
        }
    }

    #[test]
    fn a_fingerprint_depends_on_where_parts_end() {
        assert_eq!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"ab", b"c"]));
        assert_ne!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"a", b"bc"]));
    }

    #[test]
    fn a_sealed_answer_opens_with_its_key_only() {
        let answer = Answer { status: 201, location: Some("/v1/keys/1".to_owned()), body: "fl_s3cret".to_owned() };
        let sealed = answer.sealed(&Seal::new(&[7; 32])).unwrap();
        assert!(!sealed.contains("s3cret") && sealed.len() > 60, "{sealed}");
        assert_eq!(Answer::opened(&Seal::new(&[7; 32]), &sealed), Some(answer));
        assert_eq!(Answer::opened(&Seal::new(&[8; 32]), &sealed), None);
    }
}
