//! The operator's settings.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;
use url::{Host, Url};

/// The API key of an account with the provider. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ApiKey(String);

impl ApiKey {
    /// Wraps a key.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// Returns the key as plain text.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ApiKey(…)")
    }
}

/// The request field for the maximum number of tokens in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerLimit {
    /// `max_completion_tokens`: OpenAI since its reasoning models, and compatible providers.
    MaxCompletionTokens,
    /// `max_tokens`: older providers.
    MaxTokens,
}

impl AnswerLimit {
    /// Returns the field's name.
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::MaxTokens => "max_tokens",
        }
    }
}

/// The provider and its budgets: the table `[language]` of the configuration. Without a `base_url` there is no provider.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The address before `/chat/completions`.
    pub base_url: Option<Url>,
    /// The provider's name of the model.
    pub model: String,
    /// The API key, sent as a bearer token; `None` for a provider without keys.
    pub api_key: Option<ApiKey>,
    /// Timeout of one request in seconds, from the connection to the answer's last byte.
    pub timeout_seconds: u32,
    /// Maximum number of retries after transient failures.
    pub retries: u32,
    /// Milliseconds before the first retry. The wait doubles with each further one, up to half a minute. A provider's
    /// `Retry-After` replaces it.
    pub backoff_milliseconds: u32,
    /// Maximum number of parallel requests.
    pub parallel: usize,
    /// Tokens of prompts and answers that one job may use.
    pub tokens_per_job: u64,
    /// Tokens that all jobs of this process may use in an hour.
    pub tokens_per_hour: u64,
    /// The request field for the maximum number of tokens in an answer.
    pub answer_limit: AnswerLimit,
    /// Additional fields of each request, such as a temperature.
    pub request: Map<String, Value>,
}

impl Default for Settings {
    /// Returns defaults for project manuals: a section with its answer takes about 10,000 tokens, and a manual has about
    /// 100 sections.
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
    /// The address is not a plain http or https address.
    #[error("the language provider's `base_url` must be an http or https address without a password or a query")]
    Address,
    /// The key would cross a network unencrypted.
    #[error("the language provider's `api_key` needs a `base_url` with https or on this machine")]
    UnencryptedKey,
    /// The key has characters that a header cannot have.
    #[error("the language provider's `api_key` has characters that are not valid in a header")]
    Key,
    /// No model is named.
    #[error("the language provider's `model` is missing")]
    Model,
    /// This setting is 0.
    #[error("the language provider's `{0}` must be at least 1")]
    Zero(&'static str),
    /// TLS cannot be set up, for example without root certificates.
    #[error("can't make connections to the language provider: {0}")]
    Connections(String),
}

impl Settings {
    /// Checks the settings and returns the address of requests; `None` without a provider.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] for the first invalid setting. Without a provider all settings are valid.
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
            return Err(SettingsError::UnencryptedKey);
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
    fn the_endpoint_is_below_the_base_url() {
        for base_url in ["https://api.example.com/v1", "https://api.example.com/v1/"] {
            assert_eq!(endpoint(base_url, None).unwrap(), "https://api.example.com/v1/chat/completions");
        }
    }

    #[test]
    fn a_key_never_crosses_a_network_unencrypted() {
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
    fn an_address_with_other_parts_is_refused() {
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
