//! What every request passes through: a request ID, a log line, limits on its body, and one form for all errors.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use poem::error::ResponseError;
use poem::http::{HeaderName, HeaderValue, Method};
use poem::{Addr, Endpoint, IntoResponse, Request, Response};
use tracing::Instrument;
use uuid::Uuid;

use crate::api::Methods;
use crate::api::body::{BodyLimits, JSON_BYTES, guarded};
use crate::api::body_budget::BodyBudget;
use crate::api::error::{ApiError, Code};
use crate::api::request_context::{Replay, RequestContext};
use crate::api::security_headers;
use crate::configuration::Http;
use crate::domain::upload::LONGEST_REQUEST;
use crate::runtime::connection_timeouts::Connections;
use crate::runtime::metrics::Metrics;

/// The response header with the request's ID, under which the log has details that a response leaves out.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Path prefixes of the tokens of signed links. A token grants access like a key, so it is never logged.
const LINKS: [&str; 3] = ["/files/", "/sign-in/", "/shared/"];
/// The route of uploads, whose body is limited by tier.
const UPLOADS: &str = "/v1/documents";
/// The peers whose requests are answered.
#[derive(Clone, Debug)]
pub(crate) enum Peers {
    /// All peers. The address is reachable from this machine only, or it speaks TLS.
    All,
    /// These proxies, and this machine.
    Proxies(Vec<IpAddr>),
}

impl Peers {
    fn allow(&self, peer: &Addr) -> bool {
        match (self, peer) {
            (Self::All, _) => true,
            (Self::Proxies(proxies), Addr::SocketAddr(peer)) => {
                let ip = peer.ip().to_canonical();
                ip.is_loopback() || proxies.contains(&ip)
            }
            _ => false,
        }
    }
}

/// Which clients are answered, and their limits.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    /// The peers whose requests are answered.
    pub(crate) peers: Peers,
    /// Limits on how long heads and bodies of requests may take.
    pub(crate) http: Http,
    /// The open connections, which are told when a request is being handled.
    pub(crate) connections: Connections,
    /// Memory budget for request bodies.
    pub(crate) bodies: BodyBudget,
    /// Whether clients reach this server over https.
    pub(crate) over_https: bool,
}

impl Clients {
    /// Returns the limits of a body. Uploads have no byte limit here: the operation applies the tier's.
    fn body_limits(&self, is_upload: bool) -> BodyLimits {
        let pause = Duration::from_secs(self.http.pause_seconds.into());
        if is_upload {
            return BodyLimits { bytes: u64::MAX, pause, whole: LONGEST_REQUEST };
        }
        BodyLimits { bytes: JSON_BYTES, pause, whole: Duration::from_secs(self.http.body_seconds.into()) }
    }
}

/// Answers a request. Errors, timeouts and panics within `routes` become error responses.
pub(super) async fn answer(
    routes: &impl Endpoint,
    clients: &Clients,
    methods: &Methods,
    metrics: &Metrics,
    mut request: Request,
) -> Response {
    let _at_work = clients.connections.begin_request(request.remote_addr());
    let id = Uuid::now_v7();
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let span = tracing::info_span!("request", %id);
    let is_upload = path == UPLOADS && method == Method::POST;
    let body = request.take_body();
    request.set_body(guarded(body, clients.body_limits(is_upload)));
    let context = RequestContext::attach(&mut request, is_upload, clients.bodies.clone());

    let handled = async {
        if !clients.peers.allow(request.remote_addr()) {
            return Err(ApiError::new(Code::Forbidden, "the peer is not a trusted proxy"));
        }
        let call = AssertUnwindSafe(tokio::time::timeout(LONGEST_REQUEST, routes.call(request))).catch_unwind();
        match call.await {
            Ok(Ok(Ok(response))) => Ok(response.into_response()),
            Ok(Ok(Err(error))) => match error.downcast_ref::<Replay>() {
                Some(replay) => Ok(replay.as_response()),
                None => Err(ApiError::from_poem(&error)),
            },
            Ok(Err(_elapsed)) => Err(ApiError::new(Code::BadRequest, "the request took too long")),
            Err(_panic) => Err(ApiError::new(Code::InternalError, "a handler panicked")),
        }
    };
    let finished = async {
        let response = handled.await.unwrap_or_else(|error| refusal(error, methods, &path));
        context.finish(response).await
    };
    let mut response = finished.instrument(span.clone()).await;

    let _entered = span.enter();
    let took = started.elapsed();
    metrics.request(&method, methods.route(&path), response.status(), took);
    let status = response.status().as_u16();
    let milliseconds = took.as_millis() as u64;
    tracing::info!(%method, path = loggable(&path), status, milliseconds, "answered");
    if let Ok(value) = HeaderValue::from_str(&id.to_string()) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    security_headers::add(response.headers_mut(), clients.over_https);
    response
}

/// Logs an error and returns its response.
fn refusal(error: ApiError, methods: &Methods, path: &str) -> Response {
    let error = match error.code() {
        Code::MethodNotAllowed => ApiError::method_not_allowed(methods.allowed(path)),
        _ => error,
    };
    if error.code() == Code::InternalError {
        tracing::error!(%error, "a request failed");
    } else {
        tracing::debug!(%error, "a request was refused");
    }
    error.response()
}

/// Returns a path without the token of a signed link, at whatever depth a proxy's prefix puts the link.
fn loggable(path: &str) -> &str {
    let token_at = LINKS.iter().filter_map(|link| path.find(link).map(|at| at + link.len())).min();
    token_at.and_then(|at| path.get(..at)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use poem::endpoint::make;
    use poem::http::{StatusCode, Uri};

    async fn status_and_body(routes: impl Endpoint, peers: Peers) -> (StatusCode, String) {
        let request = Request::builder().uri(Uri::from_static("/v1/jobs")).finish();
        let http = Http { head_seconds: 1, pause_seconds: 1, body_seconds: 1, connections: 1, bodies_megabytes: 24 };
        let (connections, bodies) = (Connections::default(), BodyBudget::new(0));
        let clients = Clients { peers, http, connections, bodies, over_https: false };
        let response = answer(&routes, &clients, &Methods::default(), &Metrics::new().unwrap(), request).await;
        assert!(response.headers().contains_key(REQUEST_ID));
        let status = response.status();
        (status, response.into_body().into_string().await.unwrap())
    }

    #[tokio::test]
    #[expect(clippy::panic, reason = "it is what the test is about")]
    async fn a_panic_is_an_internal_error() {
        let routes = make(async |_| -> poem::Result<Response> { panic!("at the disco") });
        let (status, body) = status_and_body(routes, Peers::All).await;
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(body.contains("INTERNAL_ERROR") && !body.contains("disco"), "{body}");
    }

    #[tokio::test]
    async fn a_peer_that_is_no_trusted_proxy_is_refused() {
        let routes = make(async |_| -> poem::Result<Response> { Ok(Response::default()) });
        let (status, body) = status_and_body(routes, Peers::Proxies(Vec::new())).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        assert!(body.contains("FORBIDDEN"), "{body}");
    }

    #[test]
    fn the_token_of_a_link_is_not_logged() {
        let cases = [
            ("/v1/files/AbC", "/v1/files/"),
            ("//v1/files/AbC/d", "//v1/files/"),
            ("/prefix/v1/files/AbC", "/prefix/v1/files/"),
            ("/v1/sign-in/AbC", "/v1/sign-in/"),
            ("/v1/files/AbC/sign-in/d", "/v1/files/"),
            ("/v1/jobs/1", "/v1/jobs/1"),
        ];
        for (path, logged) in cases {
            assert_eq!(loggable(path), logged);
        }
    }
}
