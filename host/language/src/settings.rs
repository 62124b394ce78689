//! What the operator sets.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;
use url::{Host, Url};

/// The key of an account with the provider. Its `Debug` doesn't show it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key as the provider gave it.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(…)")
    }
}

/// What the protocol's field for the most tokens of an answer is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerLimit {
    /// OpenAI since its reasoning models, and what keeps up with it.
    MaxCompletionTokens,
    /// Before that.
    MaxTokens,
}

impl AnswerLimit {
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// The provider and what may be spent on it: the table `[language]` of the configuration. Without a `base_url` there is
/// no provider.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What stands before `/chat/completions`.
    pub base_url: Option<Url>,
    /// The model's name with the provider.
    pub model: String,
    /// The account's key, sent as a bearer token; none for a provider that asks for none.
    pub api_key: Option<ApiKey>,
    /// Seconds of one request, from the connection to the answer's last byte.
    pub timeout_seconds: u32,
    /// How often a request that failed in a way that may pass is made again.
    pub retries: u32,
    /// Milliseconds before the first of them; each further one waits twice as long, half a minute at most. A provider's
    /// `Retry-After` takes their place.
    pub backoff_milliseconds: u32,
    /// Requests at a time.
    pub parallel: usize,
    /// Tokens, of prompts and answers, that one job may use.
    pub tokens_per_job: u64,
    /// Tokens that all jobs of this process may use in an hour.
    pub tokens_per_hour: u64,
    /// What the protocol's field for the most tokens of an answer is called.
    pub answer_limit: AnswerLimit,
    /// What else is put into each request, such as a temperature.
    pub request: Map<String, Value>,
}

impl Default for Settings {
    /// A section of a manual takes some 10,000 tokens with its answer, a manual some 100 sections.
    fn default() -> Self {
        Self {
            base_url: None,
            model: String::new(),
            api_key: None,
            timeout_seconds: 120,
            retries: 3,
            backoff_milliseconds: 1000,
            parallel: 8,
            tokens_per_job: 2_000_000,
            tokens_per_hour: 10_000_000,
            answer_limit: AnswerLimit::MaxCompletionTokens,
            request: Map::new(),
        }
    }
}

/// What is wrong with the settings, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// The address isn't one.
    #[error("the language provider's `base_url` must be an http or https address without a password or a query")]
    Address,
    /// The key would cross a network in the open.
    #[error("the language provider's `api_key` is sent over https, or to this machine alone: `base_url` is neither")]
    OpenKey,
    /// The key can't stand in a header.
    #[error("the language provider's `api_key` holds characters that no key has")]
    Key,
    /// No model is named.
    #[error("the language provider's `model` is not named")]
    Model,
    /// A number is 0 that must not be.
    #[error("the language provider's `{0}` must be at least 1")]
    Zero(&'static str),
    /// The system has no use for TLS, such as no root certificates.
    #[error("can't make connections to the language provider: {0}")]
    Connections(String),
}

impl Settings {
    /// Where requests go; none without a provider.
    ///
    /// # Errors
    ///
    /// What is wrong with the settings; nothing is wrong with those of no provider.
    pub fn endpoint(&self) -> Result<Option<Url>, SettingsError> {
        let Some(base_url) = &self.base_url else {
            return Ok(None);
        };
        let is_web = matches!(base_url.scheme(), "http" | "https") && base_url.has_host();
        let is_plain = base_url.username().is_empty() && base_url.password().is_none();
        if !is_web || !is_plain || base_url.query().is_some() || base_url.fragment().is_some() {
            return Err(SettingsError::Address);
        }
        if self.api_key.is_some() && base_url.scheme() == "http" && !is_loopback(base_url) {
            return Err(SettingsError::OpenKey);
        }
        if self.model.is_empty() {
            return Err(SettingsError::Model);
        }
        if self.timeout_seconds == 0 {
            return Err(SettingsError::Zero("timeout_seconds"));
        }
        if self.parallel == 0 {
            return Err(SettingsError::Zero("parallel"));
        }
        let mut endpoint = base_url.clone();
        endpoint
            .path_segments_mut()
            .map_err(|()| SettingsError::Address)?
            .pop_if_empty()
            .extend(["chat", "completions"]);
        Ok(Some(endpoint))
    }

    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(u64::from(self.timeout_seconds))
    }

    pub(crate) fn backoff(&self) -> Duration {
        Duration::from_millis(u64::from(self.backoff_milliseconds))
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base_url: &str, api_key: Option<&str>) -> Result<String, SettingsError> {
        let settings = Settings {
            base_url: Some(Url::parse(base_url).unwrap()),
            model: "small".to_owned(),
            api_key: api_key.map(ApiKey::new),
            ..Settings::default()
        };
        settings.endpoint().map(|endpoint| endpoint.unwrap().to_string())
    }

    #[test]
    fn the_endpoint_stands_below_the_base_url() {
        for base_url in ["https://api.example.com/v1", "https://api.example.com/v1/"] {
            assert_eq!(endpoint(base_url, None).unwrap(), "https://api.example.com/v1/chat/completions");
        }
    }

    #[test]
    fn a_key_never_crosses_a_network_in_the_open() {
        let cases = [
            ("https://api.example.com/v1", Some("key"), true),
            ("http://localhost:11434/v1", Some("key"), true),
            ("http://127.0.0.1:11434/v1", Some("key"), true),
            ("http://[::1]:11434/v1", Some("key"), true),
            ("http://10.0.0.5:8000/v1", None, true),
            ("http://10.0.0.5:8000/v1", Some("key"), false),
            ("http://localhost.example.com/v1", Some("key"), false),
        ];
        for (base_url, key, expected) in cases {
            assert_eq!(endpoint(base_url, key).is_ok(), expected, "{base_url}");
        }
    }

    #[test]
    fn an_address_is_nothing_but_an_address() {
        for base_url in
            ["ftp://example.com/", "https://me:secret@example.com/", "https://example.com/?a=b", "data:,hello"]
        {
            assert_eq!(endpoint(base_url, None).unwrap_err(), SettingsError::Address, "{base_url}");
        }
    }

    #[test]
    fn a_key_is_not_shown() {
        let settings = Settings { api_key: Some(ApiKey::new("sk-secret")), ..Settings::default() };
        assert!(!format!("{settings:?}").contains("secret"));
    }
}
