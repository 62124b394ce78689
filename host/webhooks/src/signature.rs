//! Signatures of Standard Webhooks: HMAC-SHA-256 over id, time and body.
//!
//! The crate `standardwebhooks` signs too, but it copies the body, which may be many megabytes, and accepts secrets that
//! are empty or have no prefix. The tests verify our signatures by it.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

/// The beginning of every secret.
const PREFIX: &str = "whsec_";

/// A secret that is shared with receivers. `Debug` does not show it.
#[derive(Clone)]
pub struct SigningSecret(Hmac<Sha256>);

/// The text is not a secret: `whsec_` and base64 of at least one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the webhook secret is not `whsec_` and base64")]
pub struct InvalidSecret;

impl SigningSecret {
    /// Returns the value of the header `webhook-signature` for a message: `v1,` and base64.
    pub fn sign(&self, id: &str, time: DateTime<Utc>, body: &[u8]) -> String {
        let head = format!("{id}.{}.", time.timestamp());
        let mac = self.0.clone().chain_update(head).chain_update(body).finalize();
        format!("v1,{}", BASE64_STANDARD.encode(mac.into_bytes()))
    }
}

impl FromStr for SigningSecret {
    type Err = InvalidSecret;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let key = text.strip_prefix(PREFIX).and_then(|key| BASE64_STANDARD.decode(key).ok()).ok_or(InvalidSecret)?;
        if key.is_empty() {
            return Err(InvalidSecret);
        }
        Ok(Self(Hmac::new_from_slice(&key).map_err(|_| InvalidSecret)?))
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SigningSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example is the one in the tests of the specification's libraries.
    #[test]
    fn signature_is_that_of_the_published_example() {
        let secret: SigningSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let time = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn secret_without_prefix_or_base64_is_refused() {
        for text in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8G!", "whsk_MfKQ9r8GKYqr"] {
            assert_eq!(text.parse::<SigningSecret>().unwrap_err(), InvalidSecret, "{text}");
        }
    }

    #[test]
    fn debug_output_does_not_show_the_secret() {
        let secret: SigningSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        assert_eq!(format!("{secret:?}"), "SigningSecret(…)");
    }
}
