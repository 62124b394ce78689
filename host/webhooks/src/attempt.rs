//! One attempt at delivering a message, and how it ended.

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
use crate::resolver::{LookupError, PublicOnly, System};
use crate::retry_after;
use crate::signature::SigningSecret;

/// The headers of Standard Webhooks.
const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// What receivers see as the sender.
const USER_AGENT: &str = concat!("Fanlight-Webhooks/", env!("CARGO_PKG_VERSION"));

/// Bytes of an answer's body that are read, and dropped, before the connection is closed.
const READ_OF_BODY: usize = 16 * 1024;

/// How attempts are made.
#[derive(Clone, Debug)]
pub struct SenderOptions {
    /// Hosts whose addresses need not be public.
    pub allowed_hosts: Vec<AllowedHost>,
    /// Authorities that those hosts' certificates may be of, beside the system's: certificates as PEM.
    pub authorities: Option<Vec<u8>>,
    /// What an attempt may take in all.
    pub time_limit: Duration,
}

/// Why no attempts can be made.
#[derive(Debug, Error)]
pub enum SenderError {
    /// The authorities are not certificates as PEM.
    #[error("the certificate authorities are not PEM certificates")]
    Authorities(#[source] Box<dyn Error + Send + Sync>),
    /// The client can't be made.
    #[error("the client of webhooks can't be set up")]
    Client(#[source] reqwest::Error),
}

/// A message to be delivered.
#[derive(Clone, Debug)]
pub struct Message {
    /// Where to.
    pub url: Url,
    /// `webhook-id`: the same at every attempt.
    pub id: String,
    /// `webhook-timestamp`: the time of this attempt.
    pub time: DateTime<Utc>,
    /// The body, JSON.
    pub body: Bytes,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The receiver took it: the status is 2xx.
    Delivered {
        /// The status.
        status: u16,
    },
    /// 410: the receiver wants no more of it.
    Gone,
    /// The receiver answered something else, a redirect too.
    Answered {
        /// The status.
        status: u16,
        /// How long it asks to be left alone, at most [`LONGEST_WAIT`](crate::LONGEST_WAIT).
        retry_after: Option<Duration>,
    },
    /// There was no answer.
    Failed(Failure),
}

/// Why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The address is not on the public internet, or not an https one. Nothing was connected to.
    AddressRefused,
    /// The name has no address.
    NameNotFound,
    /// Nothing took the connection.
    NotConnected,
    /// The receiver's certificate is not good for its name, or it does not speak TLS.
    Tls,
    /// The time limit passed.
    TimedOut,
    /// The connection ended before the answer.
    NoAnswer,
}

impl Failure {
    /// In a word, for programs.
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
    /// Connects to any address: for hosts that are allowed.
    to_allowed: Client,
}

impl Sender {
    /// Sets the clients up. Where the system has no certificate authorities, nothing but the allowed hosts can be
    /// reached, and the log says so.
    pub fn new(options: SenderOptions) -> Result<Self, SenderError> {
        let system: Arc<dyn Resolve> = Arc::new(System);
        Self::with_resolver(options, &system)
    }

    /// As [`Sender::new`], with another resolver than the system's.
    pub fn with_resolver(options: SenderOptions, resolver: &Arc<dyn Resolve>) -> Result<Self, SenderError> {
        let public_only = Arc::new(PublicOnly(resolver.clone()));
        let to_any = || client().dns_resolver(resolver.clone());
        let to_allowed = match &options.authorities {
            None => trusting_the_system(to_any)?,
            Some(pem) => {
                let trusting = to_any().tls_certs_merge(certificates(pem)?).build();
                trusting.map_err(|error| SenderError::Authorities(error.into()))?
            }
        };
        Ok(Self {
            allowed_hosts: options.allowed_hosts,
            time_limit: options.time_limit,
            to_public: trusting_the_system(|| client().dns_resolver(public_only.clone()))?,
            to_allowed,
        })
    }

    /// Whether an attempt at this address would be refused as it stands: it is not https, or names an address that is
    /// not public. Names are not looked up.
    pub fn refuses(&self, url: &Url) -> bool {
        if url.scheme() != "https" {
            return true;
        }
        // A URL's parser has already read decimal, octal and hexadecimal forms of IPv4 addresses.
        let public = match url.host() {
            Some(Host::Ipv4(address)) => is_public(address.into()),
            Some(Host::Ipv6(address)) => is_public(address.into()),
            Some(Host::Domain(_)) => true,
            None => return true,
        };
        !public && !self.allows(url)
    }

    /// What an attempt may take in all.
    pub fn time_limit(&self) -> Duration {
        self.time_limit
    }

    fn allows(&self, url: &Url) -> bool {
        self.allowed_hosts.iter().any(|host| host.is_of(url))
    }

    /// Posts the message once. It is over when the time limit is.
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
                // Some receivers take a connection that closes on their answer's body for an error of theirs.
                let _ = timeout_at(deadline, read_a_little(&mut response)).await;
                outcome
            }
        }
    }
}

/// What both clients have in common: no redirects, no proxies, and a look-up and a connection for each attempt.
fn client() -> ClientBuilder {
    Client::builder()
        .user_agent(USER_AGENT)
        .https_only(true)
        .redirect(Policy::none())
        .no_proxy()
        .http1_only()
        .pool_max_idle_per_host(0)
}

/// Trusts the system's authorities. Where there are none it trusts nobody, and the log says so.
fn trusting_the_system(builder: impl Fn() -> ClientBuilder) -> Result<Client, SenderError> {
    builder().build().or_else(|error| {
        tracing::warn!(reason = causes(&error), "webhooks can't be delivered: no certificate authorities");
        builder().tls_certs_only([]).build().map_err(SenderError::Client)
    })
}

/// The certificates of a PEM file, of which there must be one.
fn certificates(pem: &[u8]) -> Result<Vec<Certificate>, SenderError> {
    let certificates = Certificate::from_pem_bundle(pem).map_err(|error| SenderError::Authorities(error.into()))?;
    if certificates.is_empty() {
        return Err(SenderError::Authorities("there is no certificate in it".into()));
    }
    Ok(certificates)
}

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

/// Stops at [`READ_OF_BODY`], at the end, or at an error, whichever comes first.
async fn read_a_little(response: &mut Response) {
    let mut left = READ_OF_BODY;
    while let Ok(Some(chunk)) = response.chunk().await {
        left = left.saturating_sub(chunk.len());
        if left == 0 {
            return;
        }
    }
}

fn failure(error: &reqwest::Error) -> Failure {
    let behind = || std::iter::successors(error.source(), |error| (*error).source());
    if let Some(lookup) = behind().find_map(|error| error.downcast_ref::<LookupError>()) {
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
    // What ends a handshake comes wrapped by hyper-rustls in an error of no kind; the system's own have one.
    let mut kinds = behind().filter_map(|error| error.downcast_ref::<io::Error>()).map(io::Error::kind);
    if kinds.any(|kind| kind == io::ErrorKind::Other) { Failure::Tls } else { Failure::NotConnected }
}

fn causes(error: &dyn Error) -> String {
    let chain = std::iter::successors(Some(error), |error| (*error).source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
