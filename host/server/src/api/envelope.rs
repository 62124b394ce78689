//! What every request goes through: an id, a line in the log, limits on its body, and one form for every error.

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
use crate::api::exchange::{Exchange, Replay};
use crate::api::security_headers;
use crate::configuration::Http;
use crate::metrics::Metrics;
use crate::silence::Connections;

/// Under this id the log has what a response doesn't say.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// What stands before the token of a link, which is as good as a key and so never logged.
const LINKS: [&str; 2] = ["/files/", "/sign-in/"];
/// The route whose body has a limit of its own, the tier's.
const UPLOADS: &str = "/v1/documents";
/// The longest that a request may take: an upload of 200 MB over a slow line.
pub(crate) const LONGEST: Duration = Duration::from_mins(30);

/// Who is answered.
#[derive(Clone, Debug)]
pub(crate) enum Peers {
    /// Everybody: only this machine can reach the address, or nobody can listen in.
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

/// Who is answered, and for how long they are listened to.
#[derive(Clone, Debug)]
pub(crate) struct Clients {
    /// Who is answered.
    pub(crate) peers: Peers,
    /// How long bodies may take.
    pub(crate) http: Http,
    /// Where it is said that a request has been taken up.
    pub(crate) connections: Connections,
    /// What bodies may take of the memory.
    pub(crate) bodies: BodyBudget,
    /// Whether they reach this server over https.
    pub(crate) over_https: bool,
}

impl Clients {
    fn body_limits(&self, is_upload: bool) -> BodyLimits {
        let seconds = |seconds| Duration::from_secs(u64::from(seconds));
        let pause = seconds(self.http.pause_seconds);
        if is_upload {
            return BodyLimits { bytes: u64::MAX, pause, whole: LONGEST };
        }
        BodyLimits { bytes: JSON_BYTES, pause, whole: seconds(self.http.body_seconds) }
    }
}

/// Answers a request, whatever happens to it within `routes`.
pub(super) async fn answer(
    routes: &impl Endpoint,
    clients: &Clients,
    methods: &Methods,
    metrics: &Metrics,
    mut request: Request,
) -> Response {
    let _at_work = clients.connections.taken_up(request.remote_addr());
    let id = Uuid::now_v7();
    let started = Instant::now();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let span = tracing::info_span!("request", %id);
    let is_upload = path == UPLOADS && method == Method::POST;
    let body = request.take_body();
    request.set_body(guarded(body, clients.body_limits(is_upload)));
    let exchange = Exchange::of(&mut request, is_upload, clients.bodies.clone());

    let handled = async {
        if !clients.peers.allow(request.remote_addr()) {
            return Err(ApiError::new(Code::Forbidden, "the peer is no trusted proxy"));
        }
        let call = AssertUnwindSafe(tokio::time::timeout(LONGEST, routes.call(request))).catch_unwind();
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
        exchange.finish(response).await
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

/// A path up to the token in it, wherever a proxy put what the token stands behind.
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
    async fn behind_a_proxy_nobody_else_is_answered() {
        let routes = make(async |_| -> poem::Result<Response> { Ok(Response::default()) });
        let (status, body) = status_and_body(routes, Peers::Proxies(Vec::new())).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        assert!(body.contains("FORBIDDEN"), "{body}");
    }

    #[test]
    fn a_link_is_not_logged() {
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
