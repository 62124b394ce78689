//! Who a bearer token speaks for: checks JSON Web Tokens of one OpenID Connect provider.
//!
//! The server that uses this is a resource server (RFC 6750): it never signs anybody in, it is handed tokens. So the
//! tokens may be access tokens (RFC 9068) or ID tokens, as long as the configured audience is among theirs.
//! Cryptography is `jsonwebtoken`'s; that crate knows no discovery, which is two documents read over HTTP here, and
//! the client libraries of OpenID Connect check ID tokens only.
//!
//! | module | holds |
//! |---|---|
//! | `token` | what a token must be |
//! | `keys` | the provider's keys: found, kept, fetched anew within bounds |

mod keys;
mod token;

use thiserror::Error;
use url::Url;

use keys::{KeyRing, NoKeys};

/// Which provider's tokens are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The provider's issuer identifier, as it stands in `iss`: https, or http on a loopback address.
    pub issuer: String,
    /// What must be among a token's `aud`.
    pub audience: String,
}

/// The settings can't be worked with.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The issuer can't be asked for its keys safely.
    #[error("the issuer {0:?} must be an https address without a query, or an http one on a loopback address")]
    Issuer(String),
    /// Any token would do.
    #[error("the audience must not be empty")]
    Audience,
    /// This machine has no certificates to know the provider by, or the like.
    #[error("can't prepare to ask the provider for its keys")]
    Client(#[source] reqwest::Error),
}

/// Somebody, as the provider vouches for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The provider: `iss`.
    pub issuer: String,
    /// Who it is, unique within the provider: `sub`.
    pub subject: String,
    /// How people know them, where the token says: `email`, `preferred_username` or `name`. It proves nothing.
    pub label: Option<String>,
}

/// Why a token is not taken. The texts are for the log: a client learns which of the two it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// It is not a good token of the provider.
    #[error("the token is refused: {0}")]
    Refused(String),
    /// It can't be checked, since the provider's keys can't be had now.
    #[error("the token can't be checked: {0}")]
    Unavailable(String),
}

/// The provider whose tokens are taken. Asks it for its keys when the first token comes.
#[derive(Debug)]
pub struct Provider {
    settings: Settings,
    keys: KeyRing,
}

impl Provider {
    /// A provider of which nothing is known yet but the settings.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let issuer = Url::parse(&settings.issuer).ok().filter(is_askable);
        let issuer = issuer.ok_or_else(|| SettingsError::Issuer(settings.issuer.clone()))?;
        if settings.audience.is_empty() {
            return Err(SettingsError::Audience);
        }
        let keys = KeyRing::new(&settings.issuer, issuer.scheme() == "https").map_err(SettingsError::Client)?;
        Ok(Self { settings, keys })
    }

    /// Who the token speaks for.
    pub async fn verify(&self, token: &str) -> Result<Identity, VerifyError> {
        let header = token::header(token)?;
        let candidates = self.keys.candidates(&header).await.map_err(|error| match error {
            NoKeys::Unknown => VerifyError::Refused("no key of the provider fits its header".to_owned()),
            NoKeys::Away(reason) => VerifyError::Unavailable(reason),
        })?;
        token::verify(token, header.alg, &candidates, &self.settings)
    }
}

/// Whether keys that come from there can be believed.
fn is_askable(issuer: &Url) -> bool {
    let host_is_loopback = match issuer.host() {
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    let scheme_will_do = issuer.scheme() == "https" || (issuer.scheme() == "http" && host_is_loopback);
    scheme_will_do && issuer.query().is_none() && issuer.fragment().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_over_https_or_from_this_machine() {
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
            let settings = Settings { issuer: issuer.to_owned(), audience: "fanlight".to_owned() };
            assert_eq!(Provider::new(settings).is_ok(), expected, "{issuer}");
        }
        let settings = Settings { issuer: "https://login.example.com".to_owned(), audience: String::new() };
        assert!(matches!(Provider::new(settings), Err(SettingsError::Audience)));
    }
}
