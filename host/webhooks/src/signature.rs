//! Signatures by Standard Webhooks: HMAC-SHA-256 over id, time and body.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

/// What every secret starts with.
const PREFIX: &str = "whsec_";

/// A secret that receivers share. It does not print itself in logs.
#[derive(Clone)]
pub struct SigningSecret(Hmac<Sha256>);

/// The text is no secret: `whsec_` and base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the webhook secret is not `whsec_` and base64")]
pub struct InvalidSecret;

impl SigningSecret {
    /// The header `webhook-signature` of a message: `v1,` and base64.
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

    /// The example that the specification's libraries test themselves with.
    #[test]
    fn a_signature_is_that_of_the_published_example() {
        let secret: SigningSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        let time = DateTime::from_timestamp(1_614_265_330, 0).unwrap();
        let signature = secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_secret_has_its_prefix_and_is_base64() {
        for text in ["", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8G!", "whsk_MfKQ9r8GKYqr"] {
            assert_eq!(text.parse::<SigningSecret>().unwrap_err(), InvalidSecret, "{text}");
        }
    }

    #[test]
    fn a_secret_does_not_print_itself() {
        let secret: SigningSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse().unwrap();
        assert_eq!(format!("{secret:?}"), "SigningSecret(…)");
    }
}
