//! `fanlight serve`: answers API requests, runs jobs, or both.

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
use crate::runtime::connection_timeouts::{ConnectionTimeouts, Connections, TimeoutAcceptor};
use crate::runtime::logging;
use crate::runtime::tls;

/// Time that requests have to finish when the server stops.
const STOP_TIME_LIMIT: Duration = Duration::from_secs(5);
/// Idle time after which the HTTP server closes a connection between requests. Longer than a request may wait for a
/// job.
const KEEP_ALIVE: Duration = Duration::from_secs(90);
/// Time within which the first byte of a connection must arrive. A TLS handshake does not count as a byte.
const FIRST_BYTE: Duration = Duration::from_secs(30);
/// Idle time after which any connection is closed. The server itself is silent for at most half of it, while it
/// inspects an upload.
const CONNECTION_IDLE: Duration = Duration::from_mins(3);

/// Serves until a signal stops it.
///
/// # Errors
///
/// Fails if the data, the sandbox or an address cannot be opened, or the PDF engine cannot be compiled.
pub(super) fn serve(configuration: &Configuration) -> anyhow::Result<()> {
    logging::start(&configuration.log, "info")?;
    if configuration.data_is_open()? {
        tracing::warn!("other users of this machine can read the data folder: remove their access (chmod 700)");
    }
    let runtime = Builder::new_multi_thread().enable_all().build().context("can't start the server's threads")?;
    let served = runtime.block_on(run(configuration));
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Starts what the roles of this process need, and serves until the service stops.
async fn run(configuration: &Configuration) -> anyhow::Result<()> {
    let admin = match configuration.admin {
        Some(address) => Some(Admin::bind(address).await?),
        None => None,
    };
    let admin_line = admin.as_ref().and_then(Admin::line);
    let watched = admin.map(Admin::serve).unwrap_or_default();
    if !configuration.roles.contains(&Role::Api) {
        if configuration.base_url.is_none() {
            tracing::warn!("`base_url` is not set, so links in webhook messages do not work");
        }
        let service = Service::open(configuration, String::new()).await?;
        stop_on_signal(service.stopping.clone())?;
        let compiling = tokio::spawn(compile(service.clone(), configuration.clone()));
        tokio::spawn(retention::sweep_regularly(service.clone(), configuration.retention));
        let _ = watched.set(service.clone());
        announce(&[Some("working".to_owned()), admin_line])?;
        work(service.clone(), configuration.workers()).await;
        close(service).await;
        return compilation_result(compiling).await;
    }
    let listener = TcpListener::bind(configuration.listen);
    let listener = match &configuration.tls {
        Some(tls) => listener.rustls(tls::config(tls)?).boxed(),
        None => listener.boxed(),
    };
    let listening = listener.into_acceptor().await;
    let mut acceptor = listening.with_context(|| format!("can't listen on {}", configuration.listen))?;
    // With TLS the acceptor loads its certificate when it is first polled. A connection that has arrived before is
    // lost.
    let _ = acceptor.accept().now_or_never();
    let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());
    let base_url = configuration.own_address(address.unwrap_or(configuration.listen));

    let service = Service::open(configuration, base_url.clone()).await?;
    // A signal before this point ends the process at once.
    stop_on_signal(service.stopping.clone())?;
    let compiling = tokio::spawn(compile(service.clone(), configuration.clone()));
    let works = configuration.roles.contains(&Role::Worker);
    let working = works.then(|| tokio::spawn(work(service.clone(), configuration.workers())));
    tokio::spawn(retention::sweep_regularly(service.clone(), configuration.retention));
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
    let timeouts = ConnectionTimeouts { first_byte: FIRST_BYTE, idle: CONNECTION_IDLE, head };
    let sign_in_line = if service.identity.is_none() {
        let link = signing_in::link(&service.store, &service.base_url).await?;
        Some(format!("sign in, once and within an hour, at {link}"))
    } else {
        None
    };
    let _ = watched.set(service.clone());
    announce(&[Some(format!("listening on {base_url}")), sign_in_line, admin_line])?;
    let stopping = service.stopping.clone();
    Server::new_with_acceptor(TimeoutAcceptor::new(acceptor, timeouts, connections, configuration.http.connections))
        .idle_timeout(KEEP_ALIVE)
        .run_with_graceful_shutdown(endpoint, stopping.cancelled_owned(), Some(STOP_TIME_LIMIT))
        .await?;
    if let Some(working) = working {
        working.await?;
    }
    close(service).await;
    compilation_result(compiling).await
}

/// Compiles the plugins without machine code, and then those that are installed while the server runs. Stops the server
/// if the PDF engine cannot be compiled.
async fn compile(service: Arc<Service>, configuration: Configuration) -> anyhow::Result<()> {
    let compiled = service.compile().await;
    match &compiled {
        Ok(()) => service.watch_plugins(&configuration).await,
        Err(_) => service.stopping.cancel(),
    }
    compiled
}

/// Returns how the compilation ended. A server that stops does not wait for it.
async fn compilation_result(compiling: JoinHandle<anyhow::Result<()>>) -> anyhow::Result<()> {
    if compiling.is_finished() { compiling.await? } else { Ok(()) }
}

/// Runs jobs and delivers finished ones until the service stops.
async fn work(service: Arc<Service>, jobs: usize) {
    tokio::join!(worker::work(service.clone(), jobs), delivery::deliver(service));
}

/// Deletes what is left of unfinished uploads and closes the database.
async fn close(service: Arc<Service>) {
    if timeout(STOP_TIME_LIMIT, service.blobs.settle()).await.is_err() {
        tracing::warn!("unfinished uploads are not deleted yet; a later sweep deletes them");
    }
    service.store.close().await;
    tracing::info!("stopped");
}

/// Returns the peers that are answered. Plain HTTP from other machines is accepted only from trusted proxies.
fn peers(configuration: &Configuration) -> Peers {
    let only_tls = configuration.tls.is_some() && configuration.trusted_proxies.is_empty();
    if configuration.listen.ip().is_loopback() || only_tls {
        return Peers::All;
    }
    Peers::Proxies(configuration.trusted_proxies.clone())
}

/// Prints lines on standard output, for the process that started this one. They are written in one piece, since that
/// process may stop reading after the first line.
fn announce(lines: &[Option<String>]) -> anyhow::Result<()> {
    let text: String = lines.iter().flatten().flat_map(|line| [line.as_str(), "\n"]).collect();
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("can't write to standard output")
}

/// Stops the server on the first SIGINT or SIGTERM, and ends the process at once on the second.
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
    fn answered_peers_depend_on_tls_and_proxies() {
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
        for (listen, settings, all) in cases {
            let file = folder.path().join("fanlight.toml");
            std::fs::write(&file, settings).unwrap();
            let flags = Flags { config: Some(file), listen: Some(listen.to_owned()), ..Flags::default() };
            let peers = peers(&Configuration::load(&flags).unwrap());
            assert_eq!(matches!(peers, Peers::All), all, "{listen} {settings}");
        }
    }
}
