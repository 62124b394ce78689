//! Verification of bearer tokens: JSON Web Tokens of one OpenID Connect provider.
//!
//! The server that uses this is a resource server (RFC 6750): it receives tokens. Where the provider knows it as a client,
//! it also signs people in at a browser, by the authorization code flow. Both access tokens
//! (RFC 9068) and ID tokens are accepted, if the configured audience is among theirs. `jsonwebtoken` does the
//! cryptography. It has no discovery, which here takes two documents over HTTP, and the client libraries of OpenID
//! Connect verify ID tokens only.
//!
//! | module | holds |
//! |---|---|
//! | `token` | the rules that a token must meet |
//! | `keys` | the provider's keys and addresses: discovery, cache, and a limit on fetches |
//! | `sign_in` | the authorization code flow with PKCE |

mod keys;
mod sign_in;
mod token;

use thiserror::Error;
use url::Url;

use keys::{KeyRing, NoKeys};
pub use sign_in::PendingSignIn;

/// The provider whose tokens are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The provider's issuer identifier, exactly as in the claim `iss`: https, or http on a loopback address.
    pub issuer: String,
    /// The audience that must be in a token's claim `aud`.
    pub audience: String,
    /// As which client the provider knows this server. None if nobody signs in at a browser.
    pub client: Option<Client>,
}

/// A client of the provider (RFC 6749, section 2).
#[derive(Clone, PartialEq, Eq)]
pub struct Client {
    /// The client identifier.
    pub id: String,
    /// The client secret. None for a public client, which proves itself by PKCE alone.
    pub secret: Option<String>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Client").field("id", &self.id).finish_non_exhaustive()
    }
}

/// An error in the settings.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// Keys can't be fetched from the issuer safely.
    #[error("the issuer {0:?} must be an https address without a query, or an http one on a loopback address")]
    Issuer(String),
    /// The audience is empty, so it would not be checked.
    #[error("the audience must not be empty")]
    Audience,
    /// The HTTP client can't be set up, for example because this machine has no certificate authorities.
    #[error("can't prepare to ask the provider for its keys")]
    Client(#[source] reqwest::Error),
}

/// A person, as the provider identifies them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The provider's issuer identifier: the claim `iss`.
    pub issuer: String,
    /// The person's identifier, unique within the provider: the claim `sub`.
    pub subject: String,
    /// A name for people, from the claim `email`, `preferred_username` or `name`. It proves nothing.
    pub label: Option<String>,
}

/// The reason why a token is not accepted. The texts are for the log; a client learns only which of the two it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// It is not a valid token of the provider.
    #[error("the token is refused: {0}")]
    Refused(String),
    /// It can't be checked, because the provider's keys are not available now.
    #[error("the token can't be checked: {0}")]
    Unavailable(String),
}

/// Verifies the tokens of one provider. Fetches the provider's keys when the first token comes.
#[derive(Debug)]
pub struct Provider {
    settings: Settings,
    keys: KeyRing,
}

impl Provider {
    /// Checks the settings. Sends nothing to the provider.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] when the settings are not usable or the HTTP client can't be set up.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let issuer = Url::parse(&settings.issuer).ok().filter(is_trustworthy);
        let issuer = issuer.ok_or_else(|| SettingsError::Issuer(settings.issuer.clone()))?;
        if settings.audience.is_empty() {
            return Err(SettingsError::Audience);
        }
        let keys = KeyRing::new(&settings.issuer, issuer.scheme() == "https").map_err(SettingsError::Client)?;
        Ok(Self { settings, keys })
    }

    /// Returns whether people can sign in at a browser.
    pub fn signs_in(&self) -> bool {
        self.settings.client.is_some()
    }

    /// Returns the person that a token identifies.
    ///
    /// # Errors
    ///
    /// [`VerifyError`] when the token is not valid, or can't be checked now.
    pub async fn verify(&self, token: &str) -> Result<Identity, VerifyError> {
        let header = token::header(token)?;
        let candidates = self.keys.candidates(&header).await?;
        token::verify(token, header.alg, &candidates, &self.settings)
    }
}

impl From<NoKeys> for VerifyError {
    fn from(error: NoKeys) -> Self {
        match error {
            NoKeys::Unknown => Self::Refused("no key of the provider fits its header".to_owned()),
            NoKeys::Unavailable(reason) => Self::Unavailable(reason),
        }
    }
}

/// Returns whether keys from this address can be trusted: nobody on the way can replace them.
fn is_trustworthy(issuer: &Url) -> bool {
    let is_protected = issuer.scheme() == "https" || (issuer.scheme() == "http" && is_on_this_machine(issuer));
    is_protected && issuer.query().is_none() && issuer.fragment().is_none()
}

/// Returns whether an address is one of this machine, so that what is sent there passes no network.
pub fn is_on_this_machine(address: &Url) -> bool {
    match address.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuer_is_https_or_on_this_machine() {
        let cases = [
            ("https://login.example.com/realms/office", true),
            ("http://127.0.0.1:4000", true),
            ("http://[::1]:4000", true),
            ("http://localhost:4000", true),
            ("http://login.example.com", false),
            ("http://127.0.0.1.example.com", false),
            ("https://login.example.com/?tenant=1", false),
            ("https://login.example.com/#", false),
            ("ftp://127.0.0.1", false),
            ("login.example.com", false),
        ];
        for (issuer, expected) in cases {
            let settings = Settings { issuer: issuer.to_owned(), audience: "fanlight".to_owned(), client: None };
            assert_eq!(Provider::new(settings).is_ok(), expected, "{issuer}");
        }
    }

    #[test]
    fn empty_audience_is_refused() {
        let settings =
            Settings { issuer: "https://login.example.com".to_owned(), audience: String::new(), client: None };
        assert!(matches!(Provider::new(settings), Err(SettingsError::Audience)));
    }
}
