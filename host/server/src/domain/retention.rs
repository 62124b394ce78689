//! Deletes expired data, and what processes that were killed left of uploads, in regular sweeps.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use crate::configuration::Retention;
use crate::domain::service::Service;
use crate::domain::upload::LONGEST_REQUEST;
use crate::errors::error_chain;

/// Age at which an unfinished upload is abandoned: the maximum duration of a request, and five minutes for hosts whose
/// clocks differ.
const ABANDONED: Duration = LONGEST_REQUEST.saturating_add(Duration::from_mins(5));

/// Sweeps until the service stops. Only one of the hosts that share a database sweeps at a time.
pub(crate) async fn sweep_regularly(service: Arc<Service>, retention: Retention) {
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

/// Deletes what expired more than `grace` ago.
async fn sweep(service: &Service, sweeper: &str, grace: Duration) {
    match service.store.sweep(&service.blobs, sweeper, grace).await {
        Ok(Some(swept)) if swept.documents + swept.rows + swept.failed > 0 => {
            tracing::info!(documents = swept.documents, rows = swept.rows, failed = swept.failed, "swept");
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(error = %error_chain(&error), "can't delete expired data"),
    }
}

/// Deletes abandoned uploads.
async fn sweep_uploads(service: &Service, sweeper: &str) {
    match service.store.sweep_uploads(&service.blobs, sweeper, ABANDONED).await {
        Ok(Some(0) | None) => {}
        Ok(Some(uploads)) => tracing::info!(uploads, "removed abandoned uploads"),
        Err(error) => tracing::warn!(error = %error_chain(&error), "can't delete abandoned uploads"),
    }
}
