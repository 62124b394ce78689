//! Waiting for a job to become final.

use std::time::Duration;

use fanlight_store::{Job, StoreError};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::domain::service::Service;

/// How often a job that another process runs is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// The job, once it is final, or as it stands when `patience` is over or the service stops.
pub(crate) async fn for_job(service: &Service, account: Uuid, id: Uuid, patience: Duration) -> Result<Job, StoreError> {
    let deadline = Instant::now() + patience;
    loop {
        let finished = service.finished.notified();
        tokio::pin!(finished);
        // Listening begins before the job is read, so that an ending in between is not missed.
        finished.as_mut().enable();
        let job = service.store.job(account, id).await?;
        let now = Instant::now();
        if job.status.is_final() || now >= deadline || service.stopping.is_cancelled() {
            return Ok(job);
        }
        tokio::select! {
            _ = timeout_at(deadline.min(now + LOOK), finished) => {}
            () = service.stopping.cancelled() => {}
        }
    }
}
