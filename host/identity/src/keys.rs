//! The provider's keys and addresses: found by discovery, cached, and fetched again when a token names a key that isn't
//! among them.
//!
//! Anybody can name a key that doesn't exist, so a token bucket limits fetches. A key that the provider has withdrawn is
//! refused from the next fetch on, at most [`KEY_LIFETIME`] later.

use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{DecodingKey, Header};
use reqwest::RequestBuilder;
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long fetched keys are used.
const KEY_LIFETIME: Duration = Duration::from_mins(10);
/// The timeout for each of the provider's two documents.
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of a document in bytes.
const MAX_DOCUMENT_BYTES: usize = 512 * 1024;
/// Maximum keys that are cached. Providers publish a few.
const MAX_KEYS: usize = 64;
/// Maximum keys that a token without a key id is checked with.
const MAX_CANDIDATES: usize = 4;

/// The media type of a form.
const FORM: &str = "application/x-www-form-urlencoded";

/// Fetches that may follow each other at once.
const BURST: u32 = 5;
/// The time after which one more fetch is allowed.
const REFILL: Duration = Duration::from_mins(1);

/// The reason why there is no key to check a token with.
#[derive(Debug)]
pub(crate) enum NoKeys {
    /// The provider has no key that fits.
    Unknown,
    /// The provider's keys can't be fetched now.
    Unavailable(String),
}

/// The cache of the provider's keys.
pub(crate) struct KeyRing {
    issuer: String,
    client: reqwest::Client,
    known: RwLock<Option<Arc<FetchedKeys>>>,
    /// The task that holds the lock fetches. Others wait for its result.
    budget: Mutex<FetchBudget>,
}

/// The provider's discovery document (OpenID Connect Discovery 1.0, section 4.2), as far as it is used.
#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
    #[serde(flatten)]
    addresses: Addresses,
}

/// Where the provider signs people in (OpenID Connect Discovery 1.0, section 3). A provider that only issues tokens to
/// programs has no such address.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Addresses {
    pub(crate) authorization_endpoint: Option<String>,
    pub(crate) token_endpoint: Option<String>,
}

/// The provider's key set (RFC 7517, section 5).
#[derive(Deserialize)]
struct KeySet {
    keys: Vec<serde_json::Value>,
}

impl KeyRing {
    /// Creates an empty cache. `https_only` says whether all documents must come over TLS.
    ///
    /// # Errors
    ///
    /// The error of the HTTP client when it can't be set up.
    pub(crate) fn new(issuer: &str, https_only: bool) -> Result<Self, reqwest::Error> {
        let client = reqwest::Client::builder()
            .https_only(https_only)
            .redirect(Policy::none())
            .timeout(FETCH_TIMEOUT)
            .build()?;
        Ok(Self {
            issuer: issuer.to_owned(),
            client,
            known: RwLock::new(None),
            budget: Mutex::new(FetchBudget::full(Instant::now())),
        })
    }

    /// Returns the keys that may have signed a token with this header, at most [`MAX_CANDIDATES`]. Fetches the provider's
    /// keys if no cached key fits.
    pub(crate) async fn candidates(&self, header: &Header) -> Result<Vec<DecodingKey>, NoKeys> {
        self.find(|known, now| known.fitting(header, now)).await
    }

    /// Returns where the provider signs people in. Asks the provider if that is not known, or was found too long ago.
    pub(crate) async fn addresses(&self) -> Result<Addresses, NoKeys> {
        self.find(|known, now| known.is_fresh(now).then(|| known.addresses.clone())).await
    }

    /// Returns what is found among what is known of the provider. Asks the provider if it is not there.
    async fn find<T>(&self, wanted: impl Fn(&FetchedKeys, Instant) -> Option<T>) -> Result<T, NoKeys> {
        let before = self.known();
        if let Some(found) = before.as_ref().and_then(|known| wanted(known, Instant::now())) {
            return Ok(found);
        }
        let mut budget = self.budget.lock().await;
        let now = Instant::now();
        let known = self.known();
        if let Some(found) = known.as_ref().and_then(|known| wanted(known, now)) {
            return Ok(found);
        }
        // A task that waited for the lock does not fetch again what another has just fetched.
        let fetched_meanwhile = known.as_ref().map(|known| known.fetched) != before.map(|known| known.fetched);
        if fetched_meanwhile || !budget.take(now) {
            return match known {
                Some(known) if known.is_fresh(now) => Err(NoKeys::Unknown),
                _ => Err(NoKeys::Unavailable("the provider's keys were asked for too often".to_owned())),
            };
        }
        let fetched = self.fetch().await.map_err(|error| {
            let error = error.error_chain();
            tracing::warn!(%error, "can't fetch the identity provider's keys");
            NoKeys::Unavailable(error)
        })?;
        tracing::info!(keys = fetched.keys.len(), "fetched the identity provider's keys");
        let fetched = Arc::new(fetched);
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some(fetched.clone());
        wanted(&fetched, Instant::now()).ok_or(NoKeys::Unknown)
    }

    fn known(&self) -> Option<Arc<FetchedKeys>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fetches the discovery document, checks its issuer (OpenID Connect Discovery 1.0, section 4.3), and fetches the key
    /// set that it names.
    async fn fetch(&self) -> Result<FetchedKeys, FetchError> {
        let address = format!("{}/.well-known/openid-configuration", self.issuer.trim_end_matches('/'));
        let discovery: Discovery = self.document(&address).await?;
        if discovery.issuer != self.issuer {
            return Err(FetchError::OtherIssuer(discovery.issuer));
        }
        let set: KeySet = self.document(&discovery.jwks_uri).await?;
        // Keys of types that are unknown here are skipped.
        let keys = set.keys.into_iter().filter_map(|key| Key::from_jwk(serde_json::from_value(key).ok()?));
        let keys = keys.take(MAX_KEYS).collect();
        Ok(FetchedKeys { keys, addresses: discovery.addresses, fetched: Instant::now() })
    }

    /// Fetches a JSON document of at most [`MAX_DOCUMENT_BYTES`].
    async fn document<T: DeserializeOwned>(&self, address: &str) -> Result<T, FetchError> {
        self.answer(self.client.get(address)).await
    }

    /// Sends a form and reads the JSON document in the answer, as [`Self::document`] does.
    pub(crate) async fn submit<T: DeserializeOwned>(
        &self,
        address: &str,
        form: &[(&str, &str)],
        basic: Option<(&str, &str)>,
    ) -> Result<T, FetchError> {
        let mut request = self.client.post(address).header(CONTENT_TYPE, FORM).body(form_text(form));
        if let Some((name, secret)) = basic {
            request = request.basic_auth(form_escaped(name), Some(form_escaped(secret)));
        }
        self.answer(request).await
    }

    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, FetchError> {
        let mut response = request.send().await?.error_for_status()?;
        if !response.status().is_success() {
            return Err(FetchError::Status(response.status().as_u16()));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if bytes.len() + chunk.len() > MAX_DOCUMENT_BYTES {
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

/// Returns a form as a body of the type [`FORM`].
fn form_text(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// Returns a name or secret of a client as the Basic scheme has it (RFC 6749, section 2.3.1).
fn form_escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The reason why the provider could not be asked.
#[derive(Debug, Error)]
pub(crate) enum FetchError {
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
    /// Returns the messages of the error and its causes, outermost first.
    pub(crate) fn error_chain(&self) -> String {
        let chain = std::iter::successors(Some(self as &dyn std::error::Error), |error| error.source());
        chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
    }
}

/// The provider's keys and addresses, and when they were fetched.
struct FetchedKeys {
    keys: Vec<Key>,
    addresses: Addresses,
    fetched: Instant,
}

impl FetchedKeys {
    fn is_fresh(&self, now: Instant) -> bool {
        now < self.fetched + KEY_LIFETIME
    }

    /// Returns the keys that fit the header, or `None` if none fits or the keys are too old.
    fn fitting(&self, header: &Header, now: Instant) -> Option<Vec<DecodingKey>> {
        let fitting = self.keys.iter().filter(|key| key.fits(header)).take(MAX_CANDIDATES);
        let fitting: Vec<DecodingKey> = fitting.map(|key| key.decoding.clone()).collect();
        (self.is_fresh(now) && !fitting.is_empty()).then_some(fitting)
    }
}

/// A public key that verifies signatures.
struct Key {
    id: Option<String>,
    algorithm: Option<KeyAlgorithm>,
    decoding: DecodingKey,
}

impl Key {
    /// Reads a key of a key set, or returns `None` if it does not verify signatures: a secret, or a key for encryption.
    fn from_jwk(jwk: Jwk) -> Option<Self> {
        let for_signatures = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
        let is_secret = matches!(jwk.algorithm, AlgorithmParameters::OctetKey(_));
        if !for_signatures || is_secret {
            return None;
        }
        let decoding = DecodingKey::from_jwk(&jwk).ok()?;
        Some(Self { id: jwk.common.key_id, algorithm: jwk.common.key_algorithm, decoding })
    }

    /// Returns whether a token with this header may be signed with the key, by its id, algorithm and type.
    fn fits(&self, header: &Header) -> bool {
        let id_fits = header.kid.is_none() || header.kid == self.id;
        let algorithm_fits = self.algorithm.is_none_or(|algorithm| algorithm == header.alg.into());
        id_fits && algorithm_fits && self.decoding.family() == header.alg.family()
    }
}

/// A token bucket for fetches: at most [`BURST`], and one more each [`REFILL`].
#[derive(Debug)]
struct FetchBudget {
    left: u32,
    /// When `left` last grew, or was at its maximum.
    since: Instant,
}

impl FetchBudget {
    fn full(now: Instant) -> Self {
        Self { left: BURST, since: now }
    }

    /// Takes one fetch, and returns whether there was one left at `now`.
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
    fn budget_allows_five_fetches_and_one_more_each_minute() {
        let start = Instant::now();
        let mut budget = FetchBudget::full(start);
        let mut taken_after = |seconds: u64| {
            let now = start + Duration::from_secs(seconds);
            std::iter::repeat_with(|| budget.take(now)).take(20).filter(|taken| *taken).count()
        };
        for (seconds, expected) in [(0, 5), (59, 0), (60, 1), (119, 0), (180, 2), (100_000, 5), (100_059, 0)] {
            assert_eq!(taken_after(seconds), expected, "after {seconds} s");
        }
    }

    fn keys(jwks: serde_json::Value) -> FetchedKeys {
        let jwks: Vec<serde_json::Value> = serde_json::from_value(jwks).unwrap();
        let keys = jwks.into_iter().filter_map(|key| Key::from_jwk(serde_json::from_value(key).ok()?)).collect();
        FetchedKeys { keys, addresses: Addresses::default(), fetched: Instant::now() }
    }

    fn header(algorithm: Algorithm, kid: Option<&str>) -> Header {
        Header { kid: kid.map(str::to_owned), ..Header::new(algorithm) }
    }

    #[test]
    fn key_fits_by_its_id_type_and_use() {
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
    fn old_keys_are_not_used() {
        let known = keys(json!([{ "kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB" }]));
        let header = header(Algorithm::RS256, Some("rsa"));
        let last = known.fetched + KEY_LIFETIME;
        assert!(known.fitting(&header, last - Duration::from_millis(1)).is_some());
        assert!(known.fitting(&header, last).is_none());
    }
}
