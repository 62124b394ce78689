//! A load generator: a fixed number of connections to a server on this machine. Each sends one request after another
//! until time is up.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use futures_util::future::try_join_all;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// The body of a request.
pub(crate) type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// Creates a body of this content.
pub(crate) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// One connection.
pub(crate) struct Connection(SendRequest<Body>);

impl Connection {
    /// Connects to a server on this machine.
    pub(crate) async fn open(address: SocketAddr) -> Result<Self> {
        ensure!(address.ip().is_loopback(), "{address} is not on this machine");
        let stream = TcpStream::connect(address).await.context("can't connect")?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        // If the connection fails, the next request reports it.
        tokio::spawn(connection);
        Ok(Self(sender))
    }

    /// Sends a request and reads its answer.
    pub(crate) async fn send(&mut self, request: Request<Body>) -> Result<(StatusCode, Bytes)> {
        self.0.ready().await?;
        let response = self.0.send_request(request).await?;
        let status = response.status();
        Ok((status, response.into_body().collect().await?.to_bytes()))
    }
}

/// Sends requests over several connections for a given time, and returns how many a second were answered with
/// `expected`. `request` creates each request from its number.
pub(crate) async fn rate(
    address: SocketAddr,
    connections: u64,
    time: Duration,
    expected: StatusCode,
    request: impl Fn(u64) -> Result<Request<Body>>,
) -> Result<f64> {
    let open = try_join_all((0..connections).map(|_| Connection::open(address))).await?;
    let (request, started) = (&request, Instant::now());
    let sending = (0..).zip(open).map(|(index, mut connection): (u64, Connection)| async move {
        let mut answered: u64 = 0;
        while started.elapsed() < time {
            let (status, body) = connection.send(request(index + answered * connections)?).await?;
            ensure!(status == expected, "answered with {status}: {}", String::from_utf8_lossy(&body));
            answered += 1;
        }
        anyhow::Ok(answered)
    });
    let answered: u64 = try_join_all(sending).await?.into_iter().sum();
    Ok(answered as f64 / started.elapsed().as_secs_f64())
}
