//! The admin address: liveness, readiness and metrics of the process. It needs no key, so it is apart from the API's
//! address.

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

/// Maximum time for an answer of the database, and of the storage of uploaded files.
const PING_TIMEOUT: Duration = Duration::from_secs(3);

/// The bound admin address, and the service once it has started.
pub(crate) struct Admin {
    acceptor: TcpAcceptor,
    service: Arc<OnceLock<Arc<Service>>>,
}

impl Admin {
    /// Binds the address.
    ///
    /// # Errors
    ///
    /// If the address cannot be bound.
    pub(crate) async fn bind(address: SocketAddr) -> anyhow::Result<Self> {
        let listening = TcpListener::bind(address).into_acceptor().await;
        let acceptor = listening.with_context(|| format!("can't listen on {address}"))?;
        Ok(Self { acceptor, service: Arc::new(OnceLock::new()) })
    }

    /// Returns the line that tells the operator the address.
    pub(crate) fn line(&self) -> Option<String> {
        let addresses = self.acceptor.local_addr();
        let address = addresses.iter().find_map(|address| address.as_socket_addr())?;
        Some(format!("health and metrics at http://{address}"))
    }

    /// Serves the address until the process ends. The caller puts the service into the returned cell once it has started.
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
                tracing::error!(%error, "admin address failed");
            }
        });
        service
    }
}

/// Adds the header that keeps browsers from guessing the type of an answer.
fn unsniffed(mut response: Response) -> Response {
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Answers while the process runs.
#[handler]
fn healthz() -> &'static str {
    "ok\n"
}

/// Answers whether the process accepts requests and jobs: the PDF engine is loaded, the database and the storage of
/// uploaded files answer, and the process is not stopping. Lists models that are still being compiled, whose jobs wait.
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
    match timeout(PING_TIMEOUT, service.store.ping()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "database does not answer");
            return unavailable("the database does not answer\n");
        }
        Err(_elapsed) => return unavailable("the database does not answer\n"),
    }
    match timeout(PING_TIMEOUT, service.blobs.ping()).await {
        Ok(Ok(())) => ready(&service.models.compiling()).into_response(),
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "storage of uploaded files can't be reached");
            unavailable("the uploaded files can't be reached\n")
        }
        Err(_elapsed) => unavailable("the uploaded files can't be reached\n"),
    }
}

/// Returns the text of a ready server, with the models that it is still compiling.
fn ready(compiling: &[String]) -> String {
    if compiling.is_empty() {
        return "ready\n".to_owned();
    }
    format!("ready\ncompiling: {}\n", compiling.join(", "))
}

/// Answers with the metrics in Prometheus' text format, open jobs as counted now.
#[handler]
async fn metrics(service: Data<&Arc<OnceLock<Arc<Service>>>>) -> Response {
    let Some(service) = service.get() else {
        return unavailable("starting\n");
    };
    match timeout(PING_TIMEOUT, service.store.open_jobs()).await {
        Ok(Ok(open)) => {
            service.metrics.open_jobs("queued", open.queued);
            service.metrics.open_jobs("processing", open.processing);
        }
        Ok(Err(error)) => {
            tracing::warn!(error = %error_chain(&error), "can't count open jobs");
            service.metrics.forget_open_jobs();
        }
        Err(_elapsed) => {
            tracing::warn!("counting open jobs takes too long");
            service.metrics.forget_open_jobs();
        }
    }
    match service.metrics.text() {
        Ok(text) => Response::builder().content_type(prometheus::TEXT_FORMAT).body(text),
        Err(error) => {
            tracing::error!(%error, "can't write metrics");
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
    fn a_ready_server_lists_the_models_it_is_compiling() {
        assert_eq!(ready(&[]), "ready\n");
        assert_eq!(
            ready(&["door-detector", "toc-parser"].map(str::to_owned)),
            "ready\ncompiling: door-detector, toc-parser\n"
        );
    }
}
