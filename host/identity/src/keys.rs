//! The provider's keys: found by discovery, kept for a while, fetched anew when a token names one that isn't among
//! them.
//!
//! Anybody can name a key that doesn't exist, so fetches come out of a small budget that fills up slowly. A key that
//! the provider has withdrawn is refused from the next fetch on, which is at most [`GOOD_FOR`] away.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{DecodingKey, Header};
use reqwest::redirect::Policy;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long fetched keys are believed.
const GOOD_FOR: Duration = Duration::from_mins(10);
/// How long the provider may take for each of its two documents.
const PATIENCE: Duration = Duration::from_secs(5);
/// The largest document that is read.
const LARGEST: usize = 512 * 1024;
/// Most keys that are kept; providers publish a handful.
const MOST_KEYS: usize = 64;
/// Most keys that a token without a key id is tried with.
const MOST_TRIED: usize = 4;

/// Fetches that may come at once.
const BURST: u32 = 5;
/// After so long there may be one more.
const REFILL: Duration = Duration::from_mins(1);

/// Why there is no key to check a token with.
#[derive(Debug)]
pub(crate) enum NoKeys {
    /// The provider has none that fits.
    Unknown,
    /// The provider's keys are not to be had.
    Away(String),
}

/// The provider's keys.
pub(crate) struct KeyRing {
    issuer: String,
    client: reqwest::Client,
    known: RwLock<Option<Arc<Known>>>,
    /// Whoever holds it fetches; the others wait for what comes of it.
    budget: Mutex<Budget>,
}

impl KeyRing {
    /// `https_only`: whether all that is fetched must come over TLS.
    pub(crate) fn new(issuer: &str, https_only: bool) -> Result<Self, reqwest::Error> {
        let client =
            reqwest::Client::builder().https_only(https_only).redirect(Policy::none()).timeout(PATIENCE).build()?;
        Ok(Self {
            issuer: issuer.to_owned(),
            client,
            known: RwLock::new(None),
            budget: Mutex::new(Budget::full(Instant::now())),
        })
    }

    /// The keys that a token with this header may be signed with.
    pub(crate) async fn candidates(&self, header: &Header) -> Result<Vec<DecodingKey>, NoKeys> {
        let before = self.known();
        if let Some(found) = before.as_ref().and_then(|known| known.fitting(header, Instant::now())) {
            return Ok(found);
        }
        let mut budget = self.budget.lock().await;
        let now = Instant::now();
        let known = self.known();
        if let Some(found) = known.as_ref().and_then(|known| known.fitting(header, now)) {
            return Ok(found);
        }
        // Whoever was first has just fetched for all that waited.
        let fetched_meanwhile = known.as_ref().map(|known| known.fetched) != before.map(|known| known.fetched);
        if fetched_meanwhile || !budget.take(now) {
            return match known {
                Some(known) if known.is_fresh(now) => Err(NoKeys::Unknown),
                _ => Err(NoKeys::Away("the provider's keys were asked for too often".to_owned())),
            };
        }
        let fetched = self.fetch().await.map_err(|error| {
            tracing::warn!(error = %error.with_causes(), "can't fetch the identity provider's keys");
            NoKeys::Away(error.with_causes())
        })?;
        tracing::info!(keys = fetched.keys.len(), "fetched the identity provider's keys");
        let fetched = Arc::new(fetched);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(fetched.clone());
        fetched.fitting(header, Instant::now()).ok_or(NoKeys::Unknown)
    }

    fn known(&self) -> Option<Arc<Known>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// OpenID Connect Discovery 1.0, sections 4.2 and 4.3; then the key set (RFC 7517, section 5).
    async fn fetch(&self) -> Result<Known, FetchError> {
        #[derive(Deserialize)]
        struct Discovered {
            issuer: String,
            jwks_uri: String,
        }
        #[derive(Deserialize)]
        struct KeySet {
            keys: Vec<serde_json::Value>,
        }
        let address = format!("{}/.well-known/openid-configuration", self.issuer.trim_end_matches('/'));
        let discovered: Discovered = self.document(&address).await?;
        if discovered.issuer != self.issuer {
            return Err(FetchError::OtherIssuer(discovered.issuer));
        }
        let set: KeySet = self.document(&discovered.jwks_uri).await?;
        // A key of a kind that is unknown here doesn't spoil the others.
        let keys = set.keys.into_iter().filter_map(|key| Key::of(serde_json::from_value(key).ok()?));
        Ok(Known { keys: keys.take(MOST_KEYS).collect(), fetched: Instant::now() })
    }

    async fn document<T: DeserializeOwned>(&self, address: &str) -> Result<T, FetchError> {
        let mut response = self.client.get(address).send().await?.error_for_status()?;
        if !response.status().is_success() {
            return Err(FetchError::Status(response.status().as_u16()));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if bytes.len() + chunk.len() > LARGEST {
                return Err(FetchError::TooLarge);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(serde_json::from_slice(&bytes)?)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("KeyRing").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// Why the keys could not be fetched.
#[derive(Debug, Error)]
enum FetchError {
    #[error("the provider can't be asked")]
    Http(#[from] reqwest::Error),
    #[error("the provider answered with status {0}")]
    Status(u16),
    #[error("the provider's answer is too large")]
    TooLarge,
    #[error("the provider's answer is not what it should be")]
    Json(#[from] serde_json::Error),
    #[error("the provider calls itself {0:?}")]
    OtherIssuer(String),
}

impl FetchError {
    fn with_causes(&self) -> String {
        let chain = std::iter::successors(Some(self as &dyn std::error::Error), |error| error.source());
        chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }
}

/// Keys as they were fetched.
struct Known {
    keys: Vec<Key>,
    fetched: Instant,
}

impl Known {
    fn is_fresh(&self, now: Instant) -> bool {
        now < self.fetched + GOOD_FOR
    }

    /// The keys that fit the header; none where the keys are too old to say.
    fn fitting(&self, header: &Header, now: Instant) -> Option<Vec<DecodingKey>> {
        let fitting = self.keys.iter().filter(|key| key.fits(header)).take(MOST_TRIED);
        let fitting: Vec<DecodingKey> = fitting.map(|key| key.decoding.clone()).collect();
        (self.is_fresh(now) && !fitting.is_empty()).then_some(fitting)
    }
}

/// A public key that signatures are made with.
struct Key {
    id: Option<String>,
    algorithm: Option<KeyAlgorithm>,
    decoding: DecodingKey,
}

impl Key {
    fn of(jwk: Jwk) -> Option<Self> {
        let for_signatures = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
        let is_secret = matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_));
        if !for_signatures || is_secret {
            return None;
        }
        let decoding = DecodingKey::from_jwk(&jwk).ok()?;
        Some(Self { id: jwk.common.key_id, algorithm: jwk.common.key_algorithm, decoding })
    }

    fn fits(&self, header: &Header) -> bool {
        let id_fits = header.kid.is_none() || header.kid == self.id;
        let algorithm_fits = self.algorithm.is_none_or(|algorithm| algorithm == header.alg.into());
        id_fits && algorithm_fits && self.decoding.family() == header.alg.family()
    }
}

/// Fetches that are left.
#[derive(Debug)]
struct Budget {
    left: u32,
    /// When `left` last grew, or was full.
    since: Instant,
}

impl Budget {
    fn full(now: Instant) -> Self {
        Self { left: BURST, since: now }
    }

    fn take(&mut self, now: Instant) -> bool {
        while self.left < BURST && now >= self.since + REFILL {
            self.left += 1;
            self.since += REFILL;
        }
        if self.left == BURST {
            self.since = now;
        }
        let taken = self.left > 0;
        self.left = self.left.saturating_sub(1);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::Algorithm;
    use serde_json::json;

    #[test]
    fn fetches_are_five_at_once_and_one_a_minute() {
        let start = Instant::now();
        let mut budget = Budget::full(start);
        let mut taken_after = |seconds: u64| {
            let now = start + Duration::from_secs(seconds);
            std::iter::repeat_with(|| budget.take(now)).take(20).filter(|taken| *taken).count()
        };
        for (seconds, expected) in [(0, 5), (59, 0), (60, 1), (119, 0), (180, 2), (100_000, 5), (100_059, 0)] {
            assert_eq!(taken_after(seconds), expected, "after {seconds} s");
        }
    }

    fn keys(jwks: serde_json::Value) -> Known {
        let jwks: Vec<serde_json::Value> = serde_json::from_value(jwks).unwrap();
        let keys = jwks.into_iter().filter_map(|key| Key::of(serde_json::from_value(key).ok()?)).collect();
        Known { keys, fetched: Instant::now() }
    }

    fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
        Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) }
    }

    #[test]
    fn a_key_fits_by_its_id_its_kind_and_its_use() {
        let known = keys(json!([
            { "kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB", "alg": "RS256", "use": "sig" },
            { "kty": "RSA", "kid": "any", "n": "AQAB", "e": "AQAB" },
            { "kty": "RSA", "kid": "enc", "n": "AQAB", "e": "AQAB", "use": "enc" },
            { "kty": "EC", "kid": "ec", "crv": "P-256", "x": "AQAB", "y": "AQAB" },
            { "kty": "oct", "kid": "secret", "k": "AQAB" },
            { "kty": "novel", "kid": "new" },
            "no key at all",
        ]));
        let cases = [
            (header(Algorithm::RS256, Some("rsa")), 1),
            (header(Algorithm::RS512, Some("rsa")), 0),
            (header(Algorithm::PS256, Some("any")), 1),
            (header(Algorithm::RS256, Some("enc")), 0),
            (header(Algorithm::RS256, Some("ec")), 0),
            (header(Algorithm::ES256, Some("ec")), 1),
            (header(Algorithm::HS256, Some("secret")), 0),
            (header(Algorithm::RS256, Some("new")), 0),
            (header(Algorithm::RS256, None), 2),
        ];
        for (header, expected) in cases {
            let fitting = known.fitting(&header, Instant::now()).map_or(0, |keys| keys.len());
            assert_eq!(fitting, expected, "{header:?}");
        }
    }

    #[test]
    fn old_keys_are_not_believed() {
        let known = keys(json!([{ "kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB" }]));
        let header = header(Algorithm::RS256, Some("rsa"));
        let last = known.fetched + GOOD_FOR;
        assert!(known.fitting(&header, last - Duration::from_millis(1)).is_some());
        assert!(known.fitting(&header, last).is_none());
    }
}
