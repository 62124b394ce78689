//! The hosts that the operator allowed, whether their addresses are public or not.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use url::{Host, Url};

/// The port of https.
const HTTPS_PORT: u16 = 443;

/// A host that webhooks may be sent to although its address is not public, on one port or on all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    host: Host<String>,
    port: Option<u16>,
}

/// The text is not a host.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is neither a host nor a host and a port, such as hooks.internal or hooks.internal:8443")]
pub struct InvalidHost(String);

impl AllowedHost {
    /// Returns whether `url` has this host and port. Names are compared as text, without looking them up.
    pub fn matches(&self, url: &Url) -> bool {
        let port = url.port_or_known_default().unwrap_or(HTTPS_PORT);
        url.host().is_some_and(|host| host.to_owned() == self.host) && self.port.is_none_or(|own| own == port)
    }
}

impl FromStr for AllowedHost {
    type Err = InvalidHost;

    /// Reads a host with or without a port: `hooks.internal`, `hooks.internal:8443`, `10.0.0.5` or `[fd00::5]:8443`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| InvalidHost(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<AllowedHost> {
    // The URL parser drops a port that is its scheme's default, so the port is read separately.
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
        _ => (text, None),
    };
    if host.contains(':') && !host.starts_with('[') {
        return None;
    }
    let url = Url::parse(&format!("https://{host}/")).ok()?;
    let has_more = url.path() != "/" || url.query().is_some() || url.fragment().is_some() || url.port().is_some();
    let has_user = !url.username().is_empty() || url.password().is_some();
    if has_more || has_user || host.ends_with('/') {
        return None;
    }
    Some(AllowedHost { host: url.host()?.to_owned(), port })
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(formatter, "{}:{port}", self.host),
            None => write!(formatter, "{}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_matches_only_its_own_name_and_port() {
        let cases = [
            ("hooks.internal", "https://hooks.internal/a?b", true),
            ("hooks.internal", "https://HOOKS.internal:8443/", true),
            ("hooks.internal", "https://a.hooks.internal/", false),
            ("hooks.internal", "https://hooks.internal.example.com/", false),
            ("hooks.internal", "https://hooks.internal./", false),
            ("hooks.internal:8443", "https://hooks.internal:8443/", true),
            ("hooks.internal:8443", "https://hooks.internal/", false),
            ("hooks.internal:443", "https://hooks.internal/", true),
            ("Bücher.example", "https://xn--bcher-kva.example/", true),
            ("127.0.0.1:8443", "https://2130706433:8443/", true),
            ("127.0.0.1", "https://localhost/", false),
            ("[fd00::5]", "https://[fd00:0::5]:1/", true),
            ("[fd00::5]:8443", "https://[fd00::5]:8443/", true),
            ("[fd00::5]:8443", "https://[fd00::5]/", false),
        ];
        for (allowed, url, expected) in cases {
            let allowed: AllowedHost = allowed.parse().unwrap();
            assert_eq!(allowed.matches(&Url::parse(url).unwrap()), expected, "{allowed} and {url}");
        }
    }

    #[test]
    fn url_or_malformed_host_is_refused() {
        let urls = ["https://hooks.internal", "hooks.internal/", "hooks.internal/a", "hooks.internal?a", "a#b"];
        let malformed = ["", ":8443", "me@hooks.internal", "hooks.internal:", "hooks.internal:99999", "hooks internal"];
        for text in urls.into_iter().chain(malformed).chain(["fd00::5"]) {
            assert!(text.parse::<AllowedHost>().is_err(), "{text}");
        }
    }
}
