//! Requests that carry an `Idempotency-Key`: each is carried out once, and a repetition gets the first answer.
//!
//! What a key stands for is reserved before anything is done, and the answer is kept with what was done. Only answers
//! that did something are kept, those of 2xx: a request that was refused changed nothing, and is simply tried again.
//!
//! An answer is sealed before it is kept. One of them holds a secret that is shown once, and none is the database
//! reader's business.

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

/// What [`parse_key`] takes, as the API's description says it.
pub(crate) const KEY_PATTERN: &str = r#"^([!#-\[\]-~]{1,255}|"([ !#-\[\]-~]|\\["\\]){1,255}")$"#;

/// The longest key.
const KEY_LENGTH: usize = 255;

/// Why a request with a key gets another answer than its own.
#[derive(Debug, Error)]
pub(crate) enum IdempotencyError {
    /// The header holds no key.
    #[error("the idempotency key is not one: {0}")]
    Invalid(&'static str),
    /// Another request has the key, or the service's own failure.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It was sealed with another secret, or altered.
    #[error("a kept answer can't be opened: was the secret of links changed?")]
    Sealed,
}

/// The key in a header's value: a string in quotes as RFC 8941 has it, or as many clients send it, bare and then without
/// blanks. A key has 1 to 255 printable ASCII characters.
pub(crate) fn parse_key(value: &[u8]) -> Result<String, IdempotencyError> {
    let invalid = IdempotencyError::Invalid;
    let text = std::str::from_utf8(value).map_err(|_| invalid("it is not ASCII"))?.trim_matches([' ', '\t']);
    let key = match text.strip_prefix('"') {
        Some(quoted) => unquoted(quoted).ok_or(invalid("its quotes don't match"))?,
        None if text.contains([' ', '"', '\\']) => return Err(invalid("it must stand in quotes")),
        None => text.to_owned(),
    };
    if key.is_empty() || key.len() > KEY_LENGTH {
        return Err(invalid("it has not 1 to 255 characters"));
    }
    if !key.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(invalid("it is not printable ASCII"));
    }
    Ok(key)
}

/// What stands before the closing quote, which must be the end.
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

/// A digest of what makes a request another one.
pub(crate) fn fingerprint(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    hex::encode(digest.finalize())
}

/// An answer as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: u16,
    /// The header `Location`.
    pub(crate) location: Option<String>,
    /// The body.
    pub(crate) body: String,
}

impl Answer {
    /// Seals the answer.
    fn sealed(&self, seal: &Seal) -> anyhow::Result<String> {
        seal.seal(b"", &serde_json::to_vec(self)?).context("an answer can't be sealed")
    }

    fn opened(seal: &Seal, sealed: &str) -> Option<Self> {
        serde_json::from_slice(&seal.open(b"", sealed)?).ok()
    }
}

/// A key that this request holds. Dropped before an answer is kept, it is given back.
pub(crate) struct Held {
    service: Arc<Service>,
    reservation: Reservation,
    /// Whether the answer is kept, or the key given back.
    settled: AtomicBool,
}

impl fmt::Debug for Held {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Held").field(&self.reservation).finish()
    }
}

/// What has become of a key.
#[derive(Debug)]
pub(crate) enum Begun {
    /// The request is to be carried out.
    New(Held),
    /// It was carried out before.
    Before(Answer),
}

/// Reserves a request's key, or finds the answer that it got before.
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
    /// The reservation and a sealed answer, for the transaction that does what was asked for. [`Self::settle`] is to be
    /// called once that is committed.
    pub(crate) fn with_answer(&self, answer: &Answer) -> Option<(Reservation, String)> {
        match answer.sealed(&self.service.answers) {
            Ok(sealed) => Some((self.reservation.clone(), sealed)),
            Err(error) => {
                tracing::error!(error = format!("{error:#}"), "an answer is not kept");
                None
            }
        }
    }

    /// Notes that the answer is kept.
    pub(crate) fn settle(&self) {
        self.settled.store(true, Ordering::Release);
    }

    /// Whether the answer is kept.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }

    /// Keeps the answer of what has been done already. Best effort: it has been done.
    pub(crate) async fn keep(&self, answer: &Answer) {
        let Some((reservation, sealed)) = self.with_answer(answer) else {
            return;
        };
        match self.service.store.keep_answer(&reservation, &sealed).await {
            Ok(()) => self.settle(),
            Err(error) => tracing::error!(error = %error_chain(&error), "an answer is not kept"),
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
                tracing::warn!(error = %error_chain(&error), "an idempotency key stays in use until its lease ends");
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
    fn a_fingerprint_tells_where_one_part_ends() {
        assert_eq!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"ab", b"c"]));
        assert_ne!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"a", b"bc"]));
    }

    #[test]
    fn a_sealed_answer_is_read_with_its_secret_only() {
        let answer = Answer { status: 201, location: Some("/v1/keys/1".to_owned()), body: "fl_s3cret".to_owned() };
        let sealed = answer.sealed(&Seal::new(&[7; 32])).unwrap();
        assert!(!sealed.contains("s3cret") && sealed.len() > 60, "{sealed}");
        assert_eq!(Answer::opened(&Seal::new(&[7; 32]), &sealed), Some(answer));
        assert_eq!(Answer::opened(&Seal::new(&[8; 32]), &sealed), None);
    }
}
