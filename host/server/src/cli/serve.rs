//! `fanlight serve`

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures_util::FutureExt;
use poem::Server;
use poem::listener::{Acceptor, Listener, TcpListener};
use tokio::runtime::Builder;
use tokio::signal;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::api::admin::Admin;
use crate::api::{self, BodyBudget, Clients, Peers};
use crate::configuration::{Configuration, Role};
use crate::domain::delivery;
use crate::domain::retention;
use crate::domain::service::Service;
use crate::domain::signing_in;
use crate::domain::worker;
use crate::runtime::connection_timeouts::{Attentive, Connections, Patience};
use crate::runtime::logging;
use crate::runtime::tls;

/// How long requests may take to end once the server stops.
const LAST_REQUESTS: Duration = Duration::from_secs(5);
/// After so long without a byte a connection is closed; longer than a client may wait for a job.
const IDLE: Duration = Duration::from_secs(90);
/// After so long without a first byte a connection is cut off, in the middle of a TLS handshake too.
const FIRST_BYTE: Duration = Duration::from_secs(30);
/// After so long without a byte either way a connection is cut off, whatever it was in the middle of. An upload's
/// inspection is the longest that the server itself is silent, and takes half of it at most.
const SILENCE: Duration = Duration::from_mins(3);

/// Serves until it is told to stop.
pub(super) fn serve(configuration: &Configuration) -> anyhow::Result<()> {
    logging::start(&configuration.log, "info")?;
    if configuration.data_is_open()? {
        tracing::warn!("other users of this machine can look into the data folder: take their rights away (chmod 700)");
    }
    let runtime = Builder::new_multi_thread().enable_all().build().context("can't start the server's threads")?;
    let served = runtime.block_on(run(configuration));
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn run(configuration: &Configuration) -> anyhow::Result<()> {
    // Told to stop while models still load, the process just ends; from here on it ends in order.
    let admin = match configuration.admin {
        Some(address) => Some(Admin::bind(address).await?),
        None => None,
    };
    let admin_line = admin.as_ref().and_then(Admin::line);
    let watched = admin.map(Admin::serve).unwrap_or_default();
    if !configuration.roles.contains(&Role::Api) {
        if configuration.base_url.is_none() {
            tracing::warn!("without `base_url` the links in messages to webhooks lead nowhere");
        }
        let service = Service::open(configuration, String::new()).await?;
        stop_on_signal(service.stopping.clone())?;
        let compiling = tokio::spawn(compile(service.clone()));
        tokio::spawn(retention::keep(service.clone(), configuration.retention));
        let _ = watched.set(service.clone());
        announce(&[Some("working".to_owned()), admin_line])?;
        work(service.clone(), configuration.workers()).await;
        close(service).await;
        return ended(compiling).await;
    }
    let listener = TcpListener::bind(configuration.listen);
    let listener = match &configuration.tls {
        Some(tls) => listener.rustls(tls::config(tls)?).boxed(),
        None => listener.boxed(),
    };
    let listening = listener.into_acceptor().await;
    let mut acceptor = listening.with_context(|| format!("can't listen on {}", configuration.listen))?;
    // With TLS the first look for a connection is what takes the certificate up; one that came before is lost.
    let _ = acceptor.accept().now_or_never();
    let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());
    let base_url = configuration.own_address(address.unwrap_or(configuration.listen));

    let service = Service::open(configuration, base_url.clone()).await?;
    stop_on_signal(service.stopping.clone())?;
    let compiling = tokio::spawn(compile(service.clone()));
    let works = configuration.roles.contains(&Role::Worker);
    let working = works.then(|| tokio::spawn(work(service.clone(), configuration.workers())));
    tokio::spawn(retention::keep(service.clone(), configuration.retention));
    let connections = Connections::default();
    let clients = Clients {
        peers: peers(configuration),
        http: configuration.http,
        connections: connections.clone(),
        bodies: BodyBudget::new(configuration.http.body_bytes()),
        over_https: service.is_https(),
    };
    let endpoint = api::endpoint(service.clone(), clients);
    let head = Duration::from_secs(u64::from(configuration.http.head_seconds));
    let patience = Patience { at_first: FIRST_BYTE, afterwards: SILENCE, head };
    let sign_in_line = if service.identity.is_none() {
        let link = signing_in::link(&service.store, &service.base_url).await?;
        Some(format!("sign in, once and within an hour, at {link}"))
    } else {
        None
    };
    let _ = watched.set(service.clone());
    announce(&[Some(format!("listening on {base_url}")), sign_in_line, admin_line])?;
    let stopping = service.stopping.clone();
    Server::new_with_acceptor(Attentive::new(acceptor, patience, connections, configuration.http.connections))
        .idle_timeout(IDLE)
        .run_with_graceful_shutdown(endpoint, stopping.cancelled_owned(), Some(LAST_REQUESTS))
        .await?;
    if let Some(working) = working {
        working.await?;
    }
    close(service).await;
    ended(compiling).await
}

/// Compiles what came without machine code. A server whose PDF engine can't be compiled is of no use and stops.
async fn compile(service: Arc<Service>) -> anyhow::Result<()> {
    let compiled = service.compile().await;
    if compiled.is_err() {
        service.stopping.cancel();
    }
    compiled
}

/// How the compilation ended, if it has: a server that is told to stop does not wait for it.
async fn ended(compiling: JoinHandle<anyhow::Result<()>>) -> anyhow::Result<()> {
    if compiling.is_finished() { compiling.await? } else { Ok(()) }
}

/// What a worker does until the service stops: it runs jobs, and delivers those that are finished.
async fn work(service: Arc<Service>, jobs: usize) {
    tokio::join!(worker::work(service.clone(), jobs), delivery::deliver(service));
}

async fn close(service: Arc<Service>) {
    if timeout(LAST_REQUESTS, service.blobs.settle()).await.is_err() {
        tracing::warn!("what was left of uploads is not deleted yet; a later sweep does it");
    }
    service.store.close().await;
    tracing::info!("stopped");
}

fn peers(configuration: &Configuration) -> Peers {
    let over_tls_alone = configuration.tls.is_some() && configuration.trusted_proxies.is_empty();
    if configuration.listen.ip().is_loopback() || over_tls_alone {
        return Peers::All;
    }
    Peers::Proxies(configuration.trusted_proxies.clone())
}

/// The lines on standard output, for whoever started this process. They are written at once: who has read the first
/// one may listen no longer.
fn announce(lines: &[Option<String>]) -> anyhow::Result<()> {
    let text: String = lines.iter().flatten().flat_map(|line| [line.as_str(), "\n"]).collect();
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("can't write to standard output")
}

/// The first signal ends the server in order, the second one at once.
fn stop_on_signal(stopping: CancellationToken) -> anyhow::Result<()> {
    #[cfg(unix)]
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    tokio::spawn(async move {
        loop {
            #[cfg(unix)]
            tokio::select! {
                _ = signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            #[cfg(not(unix))]
            let _ = signal::ctrl_c().await;
            if stopping.is_cancelled() {
                std::process::exit(1);
            }
            stopping.cancel();
            tracing::info!("stopping");
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::Flags;

    #[test]
    fn whom_a_server_answers_follows_from_how_it_listens() {
        let tls = "tls = { certificate = 'c', key = 'k' }\nbase_url = 'https://fanlight.example.com'";
        let proxy = "trusted_proxies = ['10.0.0.1']\nbase_url = 'https://fanlight.example.com'";
        let both = format!("{tls}\ntrusted_proxies = ['10.0.0.1']");
        let cases = [
            ("127.0.0.1:0", "", true),
            ("127.0.0.1:0", proxy, true),
            ("0.0.0.0:0", tls, true),
            ("0.0.0.0:0", proxy, false),
            ("0.0.0.0:0", both.as_str(), false),
        ];
        let folder = tempfile::tempdir().unwrap();
        for (listen, settings, everybody) in cases {
            let file = folder.path().join("fanlight.toml");
            std::fs::write(&file, settings).unwrap();
            let flags = Flags { config: Some(file), listen: Some(listen.to_owned()), ..Flags::default() };
            let peers = peers(&Configuration::load(&flags).unwrap());
            assert_eq!(matches!(peers, Peers::All), everybody, "{listen} {settings}");
        }
    }
}
