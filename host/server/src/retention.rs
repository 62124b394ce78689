//! Deletes, now and then, what is past its retention, and what killed processes left of uploads.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use crate::api::LONGEST;
use crate::service::Service;
use crate::worker::causes;

/// An upload that began so long ago has ended: requests don't last longer, and hosts' clocks agree to within the rest.
const ABANDONED: Duration = LONGEST.saturating_add(Duration::from_mins(5));

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
        tokio::select! {
            () = service.stopping.cancelled() => return,
            () = sweep_uploads(&service, &sweeper) => {}
        }
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

async fn sweep_uploads(service: &Service, sweeper: &str) {
    match service.store.sweep_uploads(&service.blobs, sweeper, ABANDONED).await {
        Ok(Some(0) | None) => {}
        Ok(Some(uploads)) => tracing::info!(uploads, "removed abandoned uploads"),
        Err(error) => tracing::warn!(error = %causes(&error), "can't remove abandoned uploads"),
    }
}
