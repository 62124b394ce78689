//! One attempt at delivering a message, and its outcome.

use std::error::Error;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use reqwest::dns::Resolve;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, ClientBuilder, Response, StatusCode};
use thiserror::Error;
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use crate::allowed::AllowedHost;
use crate::public::is_public;
use crate::resolver::{LookupError, PublicOnly, SystemResolver};
use crate::retry_after;
use crate::signature::SigningSecret;

/// The header of Standard Webhooks with the message's identifier.
const ID: HeaderName = HeaderName::from_static("webhook-id");
/// The header of Standard Webhooks with the time of the attempt.
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
/// The header of Standard Webhooks with the signature.
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// The value of the header `User-Agent`.
const USER_AGENT: &str = concat!("Fanlight-Webhooks/", env!("CARGO_PKG_VERSION"));

/// Maximum bytes of an answer's body that are read and discarded before the connection is closed.
const MAX_DRAINED_BYTES: usize = 16 * 1024;

/// The settings of a [`Sender`].
#[derive(Clone, Debug)]
pub struct SenderOptions {
    /// Hosts whose addresses need not be public.
    pub allowed_hosts: Vec<AllowedHost>,
    /// Further certificate authorities for those hosts, beside the system's, in PEM.
    pub authorities: Option<Vec<u8>>,
    /// The time limit of a whole attempt.
    pub time_limit: Duration,
}

/// An error in setting up a [`Sender`].
#[derive(Debug, Error)]
pub enum SenderError {
    /// The authorities are not certificates in PEM.
    #[error("the certificate authorities are not PEM certificates")]
    Authorities(#[source] Box<dyn Error + Send + Sync>),
    /// The HTTP client can't be set up.
    #[error("the client of webhooks can't be set up")]
    Client(#[source] reqwest::Error),
}

/// A message to be delivered.
#[derive(Clone, Debug)]
pub struct Message {
    /// The receiver's address.
    pub url: Url,
    /// The header `webhook-id`: the same for every attempt.
    pub id: String,
    /// The header `webhook-timestamp`: the time of this attempt.
    pub time: DateTime<Utc>,
    /// The body, JSON.
    pub body: Bytes,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver accepted the message: its status is 2xx.
    Delivered {
        /// The HTTP status.
        status: u16,
    },
    /// The receiver wants no further messages: its status is 410.
    Gone,
    /// The receiver answered with any other status, such as a redirect.
    Answered {
        /// The HTTP status.
        status: u16,
        /// The minimum wait that the receiver asks for, at most [`MAX_RETRY_AFTER`](crate::MAX_RETRY_AFTER).
        retry_after: Option<Duration>,
    },
    /// There was no answer.
    Failed(Failure),
}

/// The reason why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The address is not https, or not on the public internet. No connection was made.
    AddressRefused,
    /// The name has no address.
    NameNotFound,
    /// The connection was not accepted.
    NotConnected,
    /// The receiver's certificate is not valid for its name, or the receiver does not speak TLS.
    Tls,
    /// The time limit passed.
    TimedOut,
    /// The connection ended before an answer came.
    NoAnswer,
}

impl Failure {
    /// Returns the reason as one word, for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddressRefused => "address_refused",
            Self::NameNotFound => "name_not_found",
            Self::NotConnected => "not_connected",
            Self::Tls => "tls",
            Self::TimedOut => "timed_out",
            Self::NoAnswer => "no_answer",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// Makes attempts.
#[derive(Clone, Debug)]
pub struct Sender {
    allowed_hosts: Vec<AllowedHost>,
    time_limit: Duration,
    /// Connects to public addresses only.
    to_public: Client,
    /// Connects to any address, for the allowed hosts.
    to_allowed: Client,
}

impl Sender {
    /// Sets the HTTP clients up. If the system has no certificate authorities, a warning is logged, and only allowed
    /// hosts can be reached, by the authorities in `options`.
    ///
    /// # Errors
    ///
    /// [`SenderError`] when the authorities in `options` can't be read or a client can't be set up.
    pub fn new(options: SenderOptions) -> Result<Self, SenderError> {
        let system: Arc<dyn Resolve> = Arc::new(SystemResolver);
        Self::with_resolver(options, &system)
    }

    /// Like [`Sender::new`], with another resolver than the system's.
    ///
    /// # Errors
    ///
    /// Those of [`Sender::new`].
    pub fn with_resolver(options: SenderOptions, resolver: &Arc<dyn Resolve>) -> Result<Self, SenderError> {
        let public_only: Arc<dyn Resolve> = Arc::new(PublicOnly(resolver.clone()));
        let to_allowed = match &options.authorities {
            None => client_with_system_authorities(resolver)?,
            Some(pem) => {
                let client = client(resolver).tls_certs_merge(certificates(pem)?).build();
                client.map_err(|error| SenderError::Authorities(error.into()))?
            }
        };
        Ok(Self {
            allowed_hosts: options.allowed_hosts,
            time_limit: options.time_limit,
            to_public: client_with_system_authorities(&public_only)?,
            to_allowed,
        })
    }

    /// Returns whether an attempt at this address would be refused by its text: it is not https, or it contains an IP address
    /// that is not public. Names are not looked up here.
    pub fn refuses(&self, url: &Url) -> bool {
        if url.scheme() != "https" {
            return true;
        }
        // The URL parser has already converted decimal, octal and hexadecimal forms of IPv4 addresses.
        let public = match url.host() {
            Some(Host::Ipv4(address)) => is_public(address.into()),
            Some(Host::Ipv6(address)) => is_public(address.into()),
            Some(Host::Domain(_)) => true,
            None => return true,
        };
        !public && !self.allows(url)
    }

    /// Returns the time limit of a whole attempt.
    pub fn time_limit(&self) -> Duration {
        self.time_limit
    }

    fn allows(&self, url: &Url) -> bool {
        self.allowed_hosts.iter().any(|host| host.matches(url))
    }

    /// Posts the message once, within the time limit.
    pub async fn attempt(&self, message: Message, secret: &SigningSecret) -> Outcome {
        if self.refuses(&message.url) {
            return Outcome::Failed(Failure::AddressRefused);
        }
        let deadline = Instant::now() + self.time_limit;
        let client = if self.allows(&message.url) { &self.to_allowed } else { &self.to_public };
        let signature = secret.sign(&message.id, message.time, &message.body);
        let request = client
            .post(message.url)
            .header(CONTENT_TYPE, "application/json")
            .header(ID, message.id)
            .header(TIMESTAMP, message.time.timestamp())
            .header(SIGNATURE, signature)
            .body(message.body);
        match timeout_at(deadline, request.send()).await {
            Err(_elapsed) => Outcome::Failed(Failure::TimedOut),
            Ok(Err(error)) => Outcome::Failed(failure(&error)),
            Ok(Ok(mut response)) => {
                let outcome = outcome(response.status(), response.headers());
                // Some receivers log an error if the connection closes before their answer's body is read.
                let _ = timeout_at(deadline, drain_body(&mut response)).await;
                outcome
            }
        }
    }
}

/// Returns what both clients have in common: no redirects, no proxies, and a look-up and a connection for each attempt.
fn client(resolver: &Arc<dyn Resolve>) -> ClientBuilder {
    Client::builder()
        .dns_resolver(resolver.clone())
        .user_agent(USER_AGENT)
        .https_only(true)
        .redirect(Policy::none())
        .no_proxy()
        .http1_only()
        .pool_max_idle_per_host(0)
}

/// Sets up a client that trusts the system's certificate authorities. If there are none, it logs a warning, and the
/// client trusts nobody.
fn client_with_system_authorities(resolver: &Arc<dyn Resolve>) -> Result<Client, SenderError> {
    client(resolver).build().or_else(|error| {
        tracing::warn!(reason = error_chain(&error), "webhooks can't be delivered: no certificate authorities");
        client(resolver).tls_certs_only([]).build().map_err(SenderError::Client)
    })
}

/// Reads the certificates of a PEM file, which must hold at least one.
fn certificates(pem: &[u8]) -> Result<Vec<Certificate>, SenderError> {
    let certificates = Certificate::from_pem_bundle(pem).map_err(|error| SenderError::Authorities(error.into()))?;
    if certificates.is_empty() {
        return Err(SenderError::Authorities("there is no certificate in it".into()));
    }
    Ok(certificates)
}

/// Returns the outcome that an answer's status and headers mean.
fn outcome(status: StatusCode, headers: &HeaderMap) -> Outcome {
    if status.is_success() {
        return Outcome::Delivered { status: status.as_u16() };
    }
    if status == StatusCode::GONE {
        return Outcome::Gone;
    }
    let header = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
    let retry_after = header.and_then(|header| retry_after::wait(header, SystemTime::now()));
    Outcome::Answered { status: status.as_u16(), retry_after }
}

/// Reads and discards the body, until its end, an error, or [`MAX_DRAINED_BYTES`].
async fn drain_body(response: &mut Response) {
    let mut left = MAX_DRAINED_BYTES;
    while let Ok(Some(chunk)) = response.chunk().await {
        left = left.saturating_sub(chunk.len());
        if left == 0 {
            return;
        }
    }
}

/// Returns the reason that an error of the client means.
fn failure(error: &reqwest::Error) -> Failure {
    if let Some(lookup) = sources(error).find_map(|error| error.downcast_ref::<LookupError>()) {
        return match lookup {
            LookupError::NotPublic => Failure::AddressRefused,
            LookupError::NotFound(_) => Failure::NameNotFound,
        };
    }
    if error.is_timeout() {
        return Failure::TimedOut;
    }
    if !error.is_connect() {
        return Failure::NoAnswer;
    }
    // hyper-rustls wraps a failed handshake in an error of kind `Other`; the system's errors have another kind.
    let mut kinds = sources(error).filter_map(|error| error.downcast_ref::<io::Error>()).map(io::Error::kind);
    if kinds.any(|kind| kind == io::ErrorKind::Other) { Failure::Tls } else { Failure::NotConnected }
}

/// Returns the errors that caused this one, outermost first.
fn sources(error: &dyn Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |error| (*error).source())
}

/// Returns the messages of an error and its causes, outermost first.
fn error_chain(error: &dyn Error) -> String {
    let messages = std::iter::once(error.to_string()).chain(sources(error).map(ToString::to_string));
    messages.collect::<Vec<_>>().join(": ")
}
