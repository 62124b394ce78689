//! Claims queued jobs, runs them in the sandbox and writes their results.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanlight_sandbox::{Failure, Progress, Task, Warning};
use fanlight_store::failpoint::{self, Failpoint};
use fanlight_store::{Claim, Job, Lease, Outcome, StoreError, StoredResult};
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::domain::result::{PresentError, Stored};
use crate::domain::service::Service;
use crate::errors::{
    PDF_CORRUPT, PDF_CORRUPT_MESSAGE, UNSUPPORTED_DOCUMENT, UNSUPPORTED_DOCUMENT_MESSAGE, error_chain,
};
use crate::runtime::circuit_breaker::Verdict;
use crate::views::progress;

/// Time between two looks at the queue for jobs that other processes have queued.
const POLL: Duration = Duration::from_secs(1);
/// Pause after the database has failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// Minimum time between two writes of a job's progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);
/// Time that running jobs have to finish when the process stops. After it they are released.
const STOP_TIME_LIMIT: Duration = Duration::from_secs(5);

/// Pause before another attempt to write how a job ended.
const FINISH_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Runs jobs until the service stops: up to `jobs` at once, each under a lease.
pub(crate) async fn work(service: Arc<Service>, jobs: usize) {
    let name = format!("{}-{}", std::process::id(), uuid::Uuid::now_v7().simple());
    let slots = Arc::new(Semaphore::new(jobs.max(1)));
    let running = TaskTracker::new();
    let release = CancellationToken::new();
    tracing::info!(worker = name, jobs, "worker started");
    loop {
        let slot = tokio::select! {
            () = service.stopping.cancelled() => break,
            slot = slots.clone().acquire_owned() => slot,
        };
        match claim(&service, &name).await {
            Ok(Some(claim)) => {
                let (service, release) = (service.clone(), release.clone());
                running.spawn(async move {
                    run_claim(&service, claim, &release).await;
                    drop(slot);
                });
            }
            Ok(None) => {
                drop(slot);
                tokio::select! {
                    () = service.stopping.cancelled() => break,
                    () = service.queued.notified() => {}
                    () = sleep(POLL) => {}
                }
            }
            Err(error) => {
                drop(slot);
                tracing::error!(error = %error_chain(&error), "can't claim jobs");
                tokio::select! {
                    () = service.stopping.cancelled() => break,
                    () = sleep(AFTER_FAILURE) => {}
                }
            }
        }
    }
    running.close();
    if timeout(STOP_TIME_LIMIT, running.wait()).await.is_err() {
        release.cancel();
        running.wait().await;
    }
}

/// Claims a job of a model that can be run. While models are being compiled or set aside, no job fails because its model is
/// missing.
async fn claim(service: &Service, worker: &str) -> Result<Option<Claim>, StoreError> {
    let is_complete = service.models.compiling().is_empty() && !service.breakers.any_set_aside();
    let now = Instant::now();
    let mut versions = service.models.versions();
    versions.retain(|version| service.breakers.may_begin(version, now));
    let claimed = if is_complete {
        service.store.claim(worker, &versions).await?
    } else {
        service.store.claim_ready(worker, &versions).await?
    };
    if let Some(claim) = &claimed {
        service.breakers.begin(&claim.job.model_version);
    }
    Ok(claimed)
}

/// How a claimed job ends in this process.
enum Ending {
    /// The job is final.
    Final(Outcome),
    /// The process stops, or the lease is lost. Another worker may claim the job at once.
    Released,
    /// The database, the bucket or the disk is unavailable. The job is claimed again once its lease has expired.
    LeftToLease,
}

/// Runs a claimed job and writes how it ended, or leaves it to another worker.
async fn run_claim(service: &Service, claim: Claim, release: &CancellationToken) {
    let Claim { job, lease } = claim;
    let started = Instant::now();
    let cancelled = release.child_token();
    let (progress, steps) = watch::channel(Progress::default());
    let (ending, verdict) = tokio::select! {
        ended = run_to_ending(service, &job, progress, cancelled.clone()) => ended,
        () = hold_lease(service, &lease, steps) => (Ending::Released, Verdict::NotTried),
    };
    cancelled.cancel();
    if let Some(pause) = service.breakers.end(&job.model_version, verdict, Instant::now()) {
        tracing::error!(
            model = job.model_version,
            seconds = pause.as_secs(),
            "a model that keeps failing is set aside"
        );
    }
    let written = match &ending {
        Ending::Final(outcome) => finish(service, &lease, outcome, started.elapsed(), release).await,
        Ending::Released => service.store.release(&lease).await,
        Ending::LeftToLease => Ok(()),
    };
    service.finished.notify_waiters();
    service.deliverable.notify_one();
    let took = started.elapsed();
    let milliseconds = took.as_millis() as u64;
    let ending = ending_label(&ending, &written);
    service.metrics.job(&job.model, ending, took);
    tracing::info!(job = %job.id, model = job.model, attempt = lease.attempt, milliseconds, ending, "a job has ended");
    if let Err(error) = written
        && !matches!(error, StoreError::LeaseLost)
    {
        tracing::error!(job = %job.id, error = %error_chain(&error), "can't write how a job ended");
    }
}

/// Returns how a job ended, for the metrics and the log.
fn ending_label(ending: &Ending, written: &Result<(), StoreError>) -> &'static str {
    match (ending, written) {
        (_, Err(StoreError::LeaseLost)) => "lease lost",
        (_, Err(_)) => "not written",
        (Ending::Final(Outcome::Complete { .. }), Ok(())) => "complete",
        (Ending::Final(Outcome::Failed { .. }), Ok(())) => "failed",
        (Ending::Released, Ok(())) => "given back",
        (Ending::LeftToLease, Ok(())) => "left to its lease",
    }
}

/// Writes how a job ended. While the database is unavailable, this is tried again for about as long as the lease lasts.
async fn finish(
    service: &Service,
    lease: &Lease,
    outcome: &Outcome,
    took: Duration,
    release: &CancellationToken,
) -> Result<(), StoreError> {
    let first = Instant::now();
    loop {
        match service.store.finish(lease, outcome, took).await {
            Err(StoreError::Database(error)) if first.elapsed() < service.store.lease() => {
                tracing::warn!(job = %lease.job_id, error = %error_chain(&error), "can't write how a job ended; trying again");
            }
            written => return written.map(|_| ()),
        }
        tokio::select! {
            () = release.cancelled() => return service.store.finish(lease, outcome, took).await.map(|_| ()),
            () = sleep(FINISH_RETRY_DELAY) => {}
        }
    }
}

/// Renews the lease and writes the job's progress. Returns when the lease is lost.
async fn hold_lease(service: &Service, lease: &Lease, mut steps: watch::Receiver<Progress>) {
    let mut heartbeat = interval(service.store.lease() / 3);
    let mut report = interval(PROGRESS_INTERVAL);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    report.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let kept = tokio::select! {
            _ = heartbeat.tick() => service.store.heartbeat(lease).await,
            _ = report.tick() => {
                if !steps.has_changed().unwrap_or(false) {
                    continue;
                }
                let text = progress::running(&steps.borrow_and_update());
                service.store.report_progress(lease, &text).await
            }
        };
        match kept {
            Ok(()) => {}
            Err(StoreError::LeaseLost) => return,
            // The lease may still be valid after a short failure of the database. Writing the result decides.
            Err(error) => tracing::warn!(job = %lease.job_id, error = %error_chain(&error), "can't renew a lease"),
        }
    }
}

/// Runs a job, or reuses the stored result of an equal one. Returns how it ends, and what that says of the model.
async fn run_to_ending(
    service: &Service,
    job: &Job,
    progress: watch::Sender<Progress>,
    cancelled: CancellationToken,
) -> (Ending, Verdict) {
    match service.store.stored_result(job).await {
        Ok(Some(stored)) => {
            let StoredResult { job_id, result, presented } = stored;
            let cached_from = Some(job_id);
            let reused = Outcome::Complete { result, presented, warnings: Vec::new(), cached_from };
            return (Ending::Final(reused), Verdict::NotTried);
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(job = %job.id, error = %error_chain(&error), "can't look for a stored result"),
    }
    match run(service, job, progress, cancelled).await {
        Ok(outcome) => (Ending::Final(outcome), Verdict::Worked),
        Err(RunError::Failure(Failure::Cancelled)) => (Ending::Released, Verdict::NotTried),
        Err(RunError::Failure(failure)) => {
            tracing::warn!(job = %job.id, model = job.model_version, reason = %failure, "a job failed");
            (Ending::Final(failed(&failure)), verdict(&failure))
        }
        Err(RunError::Other(error)) if is_transient(&error) => {
            tracing::warn!(job = %job.id, reason = format!("{error:#}"), "a job can't be run now; it is left to its lease");
            (Ending::LeftToLease, Verdict::NotTried)
        }
        Err(RunError::Other(error)) => {
            tracing::error!(job = %job.id, model = job.model_version, reason = format!("{error:#}"), "a job can't be run");
            (Ending::Final(Outcome::internal_error()), Verdict::NotTried)
        }
    }
}

/// Why a run has no result.
enum RunError {
    /// The model failed in the sandbox.
    Failure(Failure),
    /// The job could not be given to the sandbox.
    Other(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for RunError {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Returns whether a failure of the database, the bucket or the disk may be gone at another attempt.
fn is_transient(error: &anyhow::Error) -> bool {
    if let Some(StoreError::Database(_) | StoreError::Blob(_) | StoreError::Folder(_)) = error.downcast_ref() {
        return true;
    }
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() != io::ErrorKind::NotFound)
}

/// Runs a job in the sandbox and prepares its result for storage.
async fn run(
    service: &Service,
    job: &Job,
    progress: watch::Sender<Progress>,
    cancelled: CancellationToken,
) -> Result<Outcome, RunError> {
    let Some(installed) = service.models.version(&job.model_version) else {
        return Err(RunError::Other(anyhow::anyhow!("{} is not installed here", job.model_version)));
    };
    let Some(model) = installed.model() else {
        return Err(RunError::Other(anyhow::anyhow!("the model `{}` is not compiled yet", job.model)));
    };
    let document = service.store.document_of(job).await?;
    let file = tokio::select! {
        () = cancelled.cancelled() => return Err(RunError::Failure(Failure::Cancelled)),
        file = service.blobs.open(&document.blob, document.size_bytes) => file?,
    };
    failpoint::reach(Failpoint::DocumentOpened);
    let task = Task {
        id: job.id.to_string(),
        document: fanlight_sandbox::Document::from_file(file, &document.sha256)?,
        pages: installed.description().pages(document.page_count, job.pages.as_deref()),
        asked_for: job.pages.as_deref().map(Arc::from),
        parameters: job.parameters.to_string(),
        progress,
        cancelled,
    };
    let own = service.guests.run(model.clone(), task).await.map_err(RunError::Failure)?;
    failpoint::reach(Failpoint::TaskRun);
    let warnings = own.warnings.iter().map(stored_warning).collect();
    let stored = Stored::from_model(&service.guests, model, own.json).await.map_err(|error| match error {
        PresentError::Plugin(failure) => RunError::Failure(failure),
        other => other.into(),
    })?;
    Ok(Outcome::Complete { result: stored.own, presented: stored.presented, warnings, cached_from: None })
}

/// Returns a warning as it is stored with the job.
fn stored_warning(warning: &Warning) -> fanlight_store::Warning {
    fanlight_store::Warning { code: warning.code().to_owned(), message: warning.to_string() }
}

/// Returns the outcome that clients read of a failure. It names the document as the cause, or no cause at all.
fn failed(failure: &Failure) -> Outcome {
    let (code, message) = match failure {
        Failure::PdfCorrupt(_) => (PDF_CORRUPT, PDF_CORRUPT_MESSAGE),
        Failure::Unsupported(_) => (UNSUPPORTED_DOCUMENT, UNSUPPORTED_DOCUMENT_MESSAGE),
        _ => return Outcome::internal_error(),
    };
    Outcome::Failed { code: code.to_owned(), message: message.to_owned() }
}

/// Returns what a failure says of the model.
fn verdict(failure: &Failure) -> Verdict {
    match failure {
        Failure::PdfCorrupt(_) | Failure::Unsupported(_) => Verdict::Worked,
        _ => Verdict::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_store::INTERNAL_ERROR;

    #[test]
    fn failures_of_storage_are_transient() {
        let cases = [
            (io::Error::from(io::ErrorKind::StorageFull).into(), true),
            (io::Error::from(io::ErrorKind::PermissionDenied).into(), true),
            (io::Error::from(io::ErrorKind::NotFound).into(), false),
            (StoreError::Folder(io::ErrorKind::StorageFull.into()).into(), true),
            (StoreError::Blob("connection refused".to_owned()).into(), true),
            (StoreError::BlobNotFound.into(), false),
            (StoreError::DocumentNotFound.into(), false),
            (anyhow::anyhow!("the model is not installed here"), false),
        ];
        for (error, expected) in cases {
            assert_eq!(is_transient(&error), expected, "{error}");
        }
    }

    #[test]
    fn only_the_document_is_named_as_a_cause() {
        let cases = [
            (Failure::PdfCorrupt("page 3".to_owned()), PDF_CORRUPT),
            (Failure::Unsupported("no contents".to_owned()), UNSUPPORTED_DOCUMENT),
            (Failure::Internal("/home/me".to_owned()), INTERNAL_ERROR),
            (Failure::Crashed("unreachable".to_owned()), INTERNAL_ERROR),
            (Failure::Memory(1024), INTERNAL_ERROR),
            (Failure::Deadline(600), INTERNAL_ERROR),
            (Failure::TooMuchToCheck { what: "result" }, INTERNAL_ERROR),
        ];
        for (failure, expected) in cases {
            let Outcome::Failed { code, message } = failed(&failure) else {
                unreachable!("{failure} has another outcome")
            };
            assert_eq!(code, expected, "{failure}");
            assert!(!message.contains("/home"), "{message}");
        }
    }
}
