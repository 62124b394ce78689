//! The hosts that the operator allowed, whatever their addresses.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use url::{Host, Url};

/// The port of https.
const HTTPS_PORT: u16 = 443;

/// A host that webhooks may go to although its address is not public: every port of it, or one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    host: Host<String>,
    port: Option<u16>,
}

/// The text is no host.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is neither a host nor a host and a port, such as hooks.internal or hooks.internal:8443")]
pub struct InvalidHost(String);

impl AllowedHost {
    /// Whether this is the host of that address. Names are compared as they stand, without looking them up.
    pub fn is_of(&self, url: &Url) -> bool {
        let port = url.port_or_known_default().unwrap_or(HTTPS_PORT);
        url.host().is_some_and(|host| host.to_owned() == self.host) && self.port.is_none_or(|own| own == port)
    }
}

impl FromStr for AllowedHost {
    type Err = InvalidHost;

    /// `hooks.internal`, `hooks.internal:8443`, `10.0.0.5` or `[fd00::5]:8443`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidHost(text.to_owned());
        // A URL's parser drops the port that its scheme has anyway, so the port is read apart.
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().map_err(|_| invalid())?)),
            _ => (text, None),
        };
        if host.contains(':') && !host.starts_with('[') {
            return Err(invalid());
        }
        let url = Url::parse(&format!("https://{host}/")).map_err(|_| invalid())?;
        let alone = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.port().is_none();
        if !alone || !url.username().is_empty() || url.password().is_some() || host.ends_with('/') {
            return Err(invalid());
        }
        Ok(Self { host: url.host().ok_or_else(invalid)?.to_owned(), port })
    }
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
    fn a_host_is_allowed_as_it_was_named_and_no_other() {
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
            assert_eq!(allowed.is_of(&Url::parse(url).unwrap()), expected, "{allowed} and {url}");
        }
    }

    #[test]
    fn what_is_no_host_alone_is_refused() {
        for text in
            ["", ":8443", "https://hooks.internal", "hooks.internal/", "hooks.internal/a", "hooks.internal?a", "a#b"]
        {
            assert!(text.parse::<AllowedHost>().is_err(), "{text}");
        }
        for text in ["me@hooks.internal", "hooks.internal:", "hooks.internal:99999", "hooks internal", "fd00::5"] {
            assert!(text.parse::<AllowedHost>().is_err(), "{text}");
        }
    }
}
