//! Waiting for a job to become final.

use std::time::Duration;

use fanlight_store::{Job, StoreError};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use crate::domain::service::Service;

/// Time between two looks at a job, which another process may run.
const POLL: Duration = Duration::from_millis(500);

/// Returns the job once it is final, or as it is after `time_limit` or when the service stops.
///
/// # Errors
///
/// [`StoreError`] if the account has no such job, or the database fails.
pub(crate) async fn for_job(
    service: &Service,
    account: Uuid,
    id: Uuid,
    time_limit: Duration,
) -> Result<Job, StoreError> {
    let deadline = Instant::now() + time_limit;
    loop {
        let finished = service.finished.notified();
        tokio::pin!(finished);
        // Listen before the job is read, so that an end in between is not missed.
        finished.as_mut().enable();
        let job = service.store.job(account, id).await?;
        let now = Instant::now();
        if job.status.is_final() || now >= deadline || service.stopping.is_cancelled() {
            return Ok(job);
        }
        tokio::select! {
            _ = timeout_at(deadline.min(now + POLL), finished) => {}
            () = service.stopping.cancelled() => {}
        }
    }
}
