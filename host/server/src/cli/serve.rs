//! `fanlight serve`

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use poem::Server;
use poem::listener::{Acceptor, Listener, TcpListener};
use tokio::runtime::Builder;
use tokio::signal;
use tokio_util::sync::CancellationToken;

use crate::api::{self, Peers};
use crate::configuration::{Configuration, Role};
use crate::service::Service;
use crate::silence::Attentive;
use crate::{delivery, logging, retention, worker};

/// How long requests may take to end once the server stops.
const LAST_REQUESTS: Duration = Duration::from_secs(5);
/// After so long without a byte a connection is closed; longer than a client may wait for a job.
const IDLE: Duration = Duration::from_secs(90);
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
    if !configuration.roles.contains(&Role::Api) {
        if configuration.base_url.is_none() {
            tracing::warn!("without `base_url` the links in messages to webhooks lead nowhere");
        }
        let service = Service::open(configuration, String::new()).await?;
        stop_on_signal(service.stopping.clone())?;
        tokio::spawn(retention::keep(service.clone(), configuration.retention));
        announce("working")?;
        work(service.clone(), configuration.workers()).await;
        service.store.close().await;
        return Ok(());
    }
    let listening = TcpListener::bind(configuration.listen).into_acceptor().await;
    let acceptor = listening.with_context(|| format!("can't listen on {}", configuration.listen))?;
    let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());
    let base_url = format!("http://{}", address.unwrap_or(configuration.listen));

    let service = Service::open(configuration, base_url.clone()).await?;
    stop_on_signal(service.stopping.clone())?;
    let works = configuration.roles.contains(&Role::Worker);
    let working = works.then(|| tokio::spawn(work(service.clone(), configuration.workers())));
    tokio::spawn(retention::keep(service.clone(), configuration.retention));
    let endpoint = api::endpoint(service.clone(), peers(configuration));
    announce(&format!("listening on {base_url}"))?;
    let stopping = service.stopping.clone();
    Server::new_with_acceptor(Attentive::new(acceptor, SILENCE))
        .idle_timeout(IDLE)
        .run_with_graceful_shutdown(endpoint, stopping.cancelled_owned(), Some(LAST_REQUESTS))
        .await?;
    if let Some(working) = working {
        working.await?;
    }
    close(service).await;
    Ok(())
}

/// What a worker does until the service stops: it runs jobs, and delivers those that are finished.
async fn work(service: Arc<Service>, jobs: usize) {
    tokio::join!(worker::work(service.clone(), jobs), delivery::deliver(service));
}

async fn close(service: Arc<Service>) {
    service.store.close().await;
    tracing::info!("stopped");
}

fn peers(configuration: &Configuration) -> Peers {
    if configuration.listen.ip().is_loopback() {
        return Peers::All;
    }
    Peers::Proxies(configuration.trusted_proxies.clone())
}

/// The one line on standard output, for whoever started this process.
fn announce(line: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}").and_then(|()| stdout.flush()).context("can't write to standard output")
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
            tracing::info!("stopping");
            stopping.cancel();
        }
    });
    Ok(())
}
