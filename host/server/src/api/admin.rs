//! The operator's own address: whether the process lives, whether it can be given work, and what it has counted. It
//! has no keys, so it is never the API's address.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context;
use poem::http::header::X_CONTENT_TYPE_OPTIONS;
use poem::http::{HeaderValue, StatusCode};
use poem::listener::{Acceptor, Listener, TcpAcceptor, TcpListener};
use poem::web::Data;
use poem::{Endpoint, EndpointExt, IntoResponse, Response, Route, Server, get, handler};
use tokio::time::timeout;

use crate::domain::service::Service;
use crate::errors::error_chain;

/// How long the database may take to show that it is there, and the place of the uploaded files.
const PATIENCE: Duration = Duration::from_secs(3);

/// The address, bound, and the service once there is one.
pub(crate) struct Admin {
    acceptor: TcpAcceptor,
    service: Arc<OnceLock<Arc<Service>>>,
}

impl Admin {
    /// Takes the address.
    pub(crate) async fn bind(address: SocketAddr) -> anyhow::Result<Self> {
        let listening = TcpListener::bind(address).into_acceptor().await;
        let acceptor = listening.with_context(|| format!("can't listen on {address}"))?;
        Ok(Self { acceptor, service: Arc::new(OnceLock::new()) })
    }

    /// What to say about where it is.
    pub(crate) fn line(&self) -> Option<String> {
        let addresses = self.acceptor.local_addr();
        let address = addresses.iter().find_map(|address| address.as_socket_addr())?;
        Some(format!("health and metrics at http://{address}"))
    }

    /// Answers until the process ends. The service is given to what comes back as soon as it is ready.
    pub(crate) fn serve(self) -> Arc<OnceLock<Arc<Service>>> {
        let service = self.service.clone();
        let routes = Route::new()
            .at("/healthz", get(healthz))
            .at("/readyz", get(readyz))
            .at("/metrics", get(metrics))
            .data(self.service)
            .around(|routes, request| async move { Ok(unsniffed(routes.get_response(request).await)) });
        tokio::spawn(async move {
            if let Err(error) = Server::new_with_acceptor(self.acceptor).run(routes).await {
                tracing::error!(%error, "the admin address failed");
            }
        });
        service
    }
}

/// Forbids browsers to guess what an answer is.
fn unsniffed(mut response: Response) -> Response {
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// The process lives, or it would not answer.
#[handler]
fn healthz() -> &'static str {
    "ok\n"
}

/// Whether requests and jobs can be taken: the PDF engine is loaded, the process does not stop, the database answers,
/// and so does the place of the uploaded files. Jobs of models that are still being compiled wait; they are listed.
#[handler]
async fn readyz(service: Data<&Arc<OnceLock<Arc<Service>>>>) -> Response {
    let Some(service) = service.get() else {
        return unavailable("starting\n");
    };
    if service.stopping.is_cancelled() {
        return unavailable("stopping\n");
    }
    if !service.guests.is_prepared() {
        return unavailable("compiling: pdf-engine\n");
    }
    match timeout(PATIENCE, service.store.ping()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "the database does not answer");
            return unavailable("the database does not answer\n");
        }
        Err(_elapsed) => return unavailable("the database does not answer\n"),
    }
    match timeout(PATIENCE, service.blobs.ping()).await {
        Ok(Ok(())) => ready(&service.models.compiling()).into_response(),
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "the uploaded files can't be reached");
            unavailable("the uploaded files can't be reached\n")
        }
        Err(_elapsed) => unavailable("the uploaded files can't be reached\n"),
    }
}

/// What a server says that can be given work, and that still compiles these models.
fn ready(compiling: &[&str]) -> String {
    if compiling.is_empty() {
        return "ready\n".to_owned();
    }
    format!("ready\ncompiling: {}\n", compiling.join(", "))
}

#[handler]
async fn metrics(service: Data<&Arc<OnceLock<Arc<Service>>>>) -> Response {
    let Some(service) = service.get() else {
        return unavailable("starting\n");
    };
    match timeout(PATIENCE, service.store.open_jobs()).await {
        Ok(Ok(open)) => {
            service.metrics.open_jobs("queued", open.queued);
            service.metrics.open_jobs("processing", open.processing);
        }
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "can't count the open jobs");
            service.metrics.forget_open_jobs();
        }
        Err(_elapsed) => {
            tracing::warn!("counting the open jobs takes too long");
            service.metrics.forget_open_jobs();
        }
    }
    match service.metrics.text() {
        Ok(text) => Response::builder().content_type(prometheus::TEXT_FORMAT).body(text),
        Err(error) => {
            tracing::error!(%error, "can't write the metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn unavailable(reason: &'static str) -> Response {
    reason.with_status(StatusCode::SERVICE_UNAVAILABLE).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ready_server_lists_what_it_still_compiles() {
        assert_eq!(ready(&[]), "ready\n");
        assert_eq!(ready(&["door-detector", "toc-parser"]), "ready\ncompiling: door-detector, toc-parser\n");
    }
}
