//! Deletes, now and then, what is past its retention, and what killed processes left of uploads.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use crate::api::LONGEST;
use crate::service::Service;
use crate::worker::causes;

/// When expired documents, jobs and the like are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retention {
    /// Seconds from one sweep to the next, at least 1.
    pub(crate) sweep_seconds: u32,
    /// Seconds after its expiry for which what has expired is kept: what began to be read may be read to its end, and
    /// hosts' clocks may differ.
    pub(crate) grace_seconds: u32,
}

/// Sweeps until the service stops. Of hosts that share a database one sweeps at a time.
pub(crate) async fn keep(service: Arc<Service>, retention: Retention) {
    let sweeper = format!("{}-{}", std::process::id(), Uuid::now_v7().simple());
    let grace = Duration::from_secs(u64::from(retention.grace_seconds));
    let mut again = interval(Duration::from_secs(u64::from(retention.sweep_seconds.max(1))));
    again.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = service.stopping.cancelled() => return,
            _ = again.tick() => {}
        }
        tokio::select! {
            () = service.stopping.cancelled() => return,
            () = sweep(&service, &sweeper, grace) => {}
        }
        remove_unfinished_uploads(&service).await;
    }
}

async fn sweep(service: &Service, sweeper: &str, grace: Duration) {
    match service.store.sweep(&service.blobs, sweeper, grace).await {
        Ok(Some(swept)) if swept.documents + swept.rows + swept.failed > 0 => {
            tracing::info!(documents = swept.documents, rows = swept.rows, failed = swept.failed, "swept");
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(error = %causes(&error), "can't sweep"),
    }
}

/// None that is still coming in is so old.
async fn remove_unfinished_uploads(service: &Service) {
    let blobs = service.blobs.clone();
    let removing = spawn_blocking(move || blobs.remove_unfinished(SystemTime::now() - LONGEST));
    match removing.await {
        Ok(Ok(0)) | Err(_) => {}
        Ok(Ok(files)) => tracing::info!(files, "removed unfinished uploads"),
        Ok(Err(error)) => tracing::warn!(error = %causes(&error), "can't remove unfinished uploads"),
    }
}
