//! An HTTPS server for tests of webhooks. It gives the answers that a test sets and hands out what it received, in order.
//! Its certificate is for `localhost`, 127.0.0.1 and `::1`, from an authority of its own.
#![expect(clippy::missing_panics_doc, reason = "in a test a panic is the report")]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::VecDeque;
use std::future::pending;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use deadline::PATIENCE;
use futures_util::stream;
use poem::endpoint::make;
use poem::http::{HeaderMap, StatusCode};
use poem::listener::{Acceptor, Listener, RustlsCertificate, RustlsConfig, TcpListener};
use poem::{Body, Request, Response, Server};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tempfile::NamedTempFile;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::task::JoinHandle;

/// How a request is answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// This status and nothing else.
    Status(u16),
    /// This status and this header.
    Header(u16, &'static str, String),
    /// 200 and a body that never ends.
    EndlessBody,
    /// No answer: the connection stays open.
    Never,
}

/// A request that arrived.
#[derive(Clone, Debug)]
pub struct Received {
    /// Path and query.
    pub path: String,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Received {
    /// Returns a header's text. Empty if the header is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

/// A running receiver. Dropping the value ends it.
#[derive(Debug)]
pub struct Receiver {
    port: u16,
    authority: NamedTempFile,
    answers: Arc<Mutex<VecDeque<Answer>>>,
    received: UnboundedReceiver<Received>,
    serving: JoinHandle<()>,
}

impl Receiver {
    /// Listens on a free port of 127.0.0.1. Each request gets the next of these answers, and 204 after the last.
    pub async fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let (certificate, authority_pem) = certificate();
        let authority = NamedTempFile::new().unwrap();
        std::fs::write(authority.path(), authority_pem).unwrap();
        let config = RustlsConfig::new().fallback(certificate);
        let acceptor = TcpListener::bind("127.0.0.1:0").rustls(config).into_acceptor().await.unwrap();
        let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());

        let answers = Arc::new(Mutex::new(answers.into_iter().collect::<VecDeque<_>>()));
        let (sender, received) = unbounded_channel();
        let coming = answers.clone();
        let endpoint = make(move |mut request: Request| {
            let (coming, sender) = (coming.clone(), sender.clone());
            async move {
                let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
                let body = request.take_body().into_bytes().await?;
                // Taken before the test sees the request, so that the test may then set the next answer.
                let answer = coming.lock().unwrap().pop_front().unwrap_or(Answer::Status(204));
                // The test may have ended.
                let _ = sender.send(Received { path, headers: request.headers().clone(), body });
                poem::Result::<Response>::Ok(answer.response().await)
            }
        });
        let serving = tokio::spawn(async move {
            Server::new_with_acceptor(acceptor).run(endpoint).await.unwrap();
        });
        Self { port: address.unwrap().port(), authority, answers, received, serving }
    }

    /// Returns `https://localhost:PORT` and the path.
    pub fn url(&self, path: &str) -> String {
        self.url_of("localhost", path)
    }

    /// Returns the URL of a path under another name or address of the host.
    pub fn url_of(&self, host: &str, path: &str) -> String {
        format!("https://{host}:{}{path}", self.port)
    }

    /// Returns `localhost:PORT`.
    pub fn host(&self) -> String {
        format!("localhost:{}", self.port)
    }

    /// Returns the PEM file of the certificate authority.
    pub fn authority(&self) -> &Path {
        self.authority.path()
    }

    /// Adds an answer after those that are set already.
    pub fn answer_next(&self, answer: Answer) {
        self.answers.lock().unwrap().push_back(answer);
    }

    /// Waits for the next request.
    pub async fn next(&mut self) -> Received {
        deadline::within(PATIENCE, "a request at the receiver", self.received.recv()).await.unwrap()
    }

    /// Returns a request that has arrived already, without waiting.
    pub fn already_here(&mut self) -> Option<Received> {
        self.received.try_recv().ok()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Answer {
    async fn response(self) -> Response {
        let with_status = |status| Response::builder().status(StatusCode::from_u16(status).unwrap());
        match self {
            Self::Status(status) => with_status(status).finish(),
            Self::Header(status, name, value) => with_status(status).header(name, value).finish(),
            Self::EndlessBody => {
                let chunk = Bytes::from(vec![b'x'; 64 * 1024]);
                let endless = stream::repeat_with(move || Ok::<_, std::io::Error>(chunk.clone()));
                with_status(200).body(Body::from_bytes_stream(endless))
            }
            Self::Never => pending().await,
        }
    }
}

/// Creates a server's certificate, and returns it with the PEM of its authority.
fn certificate() -> (RustlsCertificate, String) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let names = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let key = KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(names).unwrap().signed_by(&key, &authority).unwrap();
    let served = RustlsCertificate::new().cert(certificate.pem()).key(key.serialize_pem());
    (served, authority.pem())
}
