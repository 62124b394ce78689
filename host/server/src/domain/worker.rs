//! Takes queued jobs up, runs them in the sandbox and writes their results.

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
use crate::views::progress;

/// How often the queue is looked at for jobs of other processes.
const POLL: Duration = Duration::from_secs(1);
/// How long a worker waits after the database has failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// At most this often is progress written.
const PROGRESS: Duration = Duration::from_millis(500);
/// How long running jobs may take to end when the process stops; then they are given back.
const LAST_CHANCE: Duration = Duration::from_secs(5);

/// How long a worker waits before it writes a job's end again.
const AGAIN: Duration = Duration::from_secs(1);

/// Works until the service stops: `jobs` at a time, each under a lease.
pub(crate) async fn work(service: Arc<Service>, jobs: usize) {
    let name = format!("{}-{}", std::process::id(), uuid::Uuid::now_v7().simple());
    let slots = Arc::new(Semaphore::new(jobs.max(1)));
    let running = TaskTracker::new();
    let give_back = CancellationToken::new();
    tracing::info!(worker = name, jobs, "working");
    loop {
        let slot = tokio::select! {
            () = service.stopping.cancelled() => break,
            slot = slots.clone().acquire_owned() => slot,
        };
        match claim(&service, &name).await {
            Ok(Some(claim)) => {
                let (service, give_back) = (service.clone(), give_back.clone());
                running.spawn(async move {
                    run_claim(&service, claim, &give_back).await;
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
    if timeout(LAST_CHANCE, running.wait()).await.is_err() {
        give_back.cancel();
        running.wait().await;
    }
}

/// Takes up a job of a model that can be run. While others are being compiled, no job is given up for want of its model.
async fn claim(service: &Service, worker: &str) -> Result<Option<Claim>, StoreError> {
    let compiling = !service.models.compiling().is_empty();
    let versions = service.models.versions();
    if compiling {
        return service.store.claim_ready(worker, &versions).await;
    }
    service.store.claim(worker, &versions).await
}

/// What becomes of a job that was taken up.
enum Ending {
    /// It is final.
    Final(Outcome),
    /// The process stops, or the lease is lost: it goes to another worker at once.
    GivenBack,
    /// The database, the bucket or the disk is away: it is taken up again when its lease has run out.
    LeftAlone,
}

/// Runs one job to its end, or leaves it to another worker.
async fn run_claim(service: &Service, claim: Claim, give_back: &CancellationToken) {
    let Claim { job, lease } = claim;
    let started = Instant::now();
    let cancelled = give_back.child_token();
    let (progress, steps) = watch::channel(Progress::default());
    let ending = tokio::select! {
        ending = ending(service, &job, progress, cancelled.clone()) => ending,
        () = keep(service, &lease, steps) => Ending::GivenBack,
    };
    cancelled.cancel();
    let written = match &ending {
        Ending::Final(outcome) => finish(service, &lease, outcome, started.elapsed(), give_back).await,
        Ending::GivenBack => service.store.release(&lease).await,
        Ending::LeftAlone => Ok(()),
    };
    service.finished.notify_waiters();
    service.deliverable.notify_one();
    let took = started.elapsed();
    let milliseconds = took.as_millis() as u64;
    let ending = match (&ending, &written) {
        (_, Err(StoreError::LeaseLost)) => "lease lost",
        (_, Err(_)) => "not written",
        (Ending::Final(Outcome::Complete { .. }), Ok(())) => "complete",
        (Ending::Final(Outcome::Failed { .. }), Ok(())) => "failed",
        (Ending::GivenBack, Ok(())) => "given back",
        (Ending::LeftAlone, Ok(())) => "left to its lease",
    };
    service.metrics.job(&job.model, ending, took);
    tracing::info!(job = %job.id, model = job.model, attempt = lease.attempt, milliseconds, ending, "a job has ended");
    if let Err(error) = written
        && !matches!(error, StoreError::LeaseLost)
    {
        tracing::error!(job = %job.id, error = %error_chain(&error), "can't write how a job ended");
    }
}

/// Writes how a job ended. A database that is away is asked again for about as long as the lease lasts.
async fn finish(
    service: &Service,
    lease: &Lease,
    outcome: &Outcome,
    took: Duration,
    give_back: &CancellationToken,
) -> Result<(), StoreError> {
    let first = Instant::now();
    loop {
        match service.store.finish(lease, outcome, took).await {
            Err(StoreError::Database(error)) if first.elapsed() < service.store.lease() => {
                tracing::warn!(job = %lease.job_id, error = %error_chain(&error), "can't write how a job ended yet");
            }
            written => return written.map(|_| ()),
        }
        tokio::select! {
            () = give_back.cancelled() => return service.store.finish(lease, outcome, took).await.map(|_| ()),
            () = sleep(AGAIN) => {}
        }
    }
}

/// Keeps the lease and tells the progress, for as long as the lease lasts.
async fn keep(service: &Service, lease: &Lease, mut steps: watch::Receiver<Progress>) {
    let mut beat = interval(service.store.lease() / 3);
    let mut tell = interval(PROGRESS);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tell.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let kept = tokio::select! {
            _ = beat.tick() => service.store.heartbeat(lease).await,
            _ = tell.tick() => {
                if !steps.has_changed().unwrap_or(false) {
                    continue;
                }
                let text = progress::of_running(&steps.borrow_and_update());
                service.store.report_progress(lease, &text).await
            }
        };
        match kept {
            Ok(()) => {}
            Err(StoreError::LeaseLost) => return,
            // The lease may outlast a database that is away for a moment; finishing tells.
            Err(error) => tracing::warn!(job = %lease.job_id, error = %error_chain(&error), "can't keep a lease"),
        }
    }
}

async fn ending(
    service: &Service,
    job: &Job,
    progress: watch::Sender<Progress>,
    cancelled: CancellationToken,
) -> Ending {
    match service.store.stored_result(job).await {
        Ok(Some(stored)) => {
            let StoredResult { job_id, result, presented } = stored;
            let cached_from = Some(job_id);
            return Ending::Final(Outcome::Complete { result, presented, warnings: Vec::new(), cached_from });
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(job = %job.id, error = %error_chain(&error), "can't look for a stored result"),
    }
    match run(service, job, progress, cancelled).await {
        Ok(outcome) => Ending::Final(outcome),
        Err(Ended::Failure(Failure::Cancelled)) => Ending::GivenBack,
        Err(Ended::Failure(failure)) => {
            tracing::warn!(job = %job.id, model = job.model_version, reason = %failure, "a job failed");
            Ending::Final(failed(&failure))
        }
        Err(Ended::Other(error)) if passes(&error) => {
            tracing::warn!(job = %job.id, reason = format!("{error:#}"), "a job can't be run now");
            Ending::LeftAlone
        }
        Err(Ended::Other(error)) => {
            tracing::error!(job = %job.id, model = job.model_version, reason = format!("{error:#}"), "a job can't be run");
            Ending::Final(Outcome::internal_error())
        }
    }
}

/// Why a run has no result.
enum Ended {
    /// The sandbox says why.
    Failure(Failure),
    /// It did not get that far.
    Other(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Ended {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Whether a failure is one of the database, the bucket or the disk that another attempt may not meet.
fn passes(error: &anyhow::Error) -> bool {
    if let Some(StoreError::Database(_) | StoreError::Blob(_) | StoreError::Folder(_)) = error.downcast_ref() {
        return true;
    }
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() != io::ErrorKind::NotFound)
}

async fn run(
    service: &Service,
    job: &Job,
    progress: watch::Sender<Progress>,
    cancelled: CancellationToken,
) -> Result<Outcome, Ended> {
    let Some(installed) = service.models.get(&job.model) else {
        return Err(Ended::Other(anyhow::anyhow!("the model `{}` is not installed here", job.model)));
    };
    let version = installed.description().model_version();
    if version != job.model_version {
        return Err(Ended::Other(anyhow::anyhow!("it is for {}, installed is {version}", job.model_version)));
    }
    let Some(model) = installed.model() else {
        return Err(Ended::Other(anyhow::anyhow!("the model `{}` is not compiled yet", job.model)));
    };
    let document = service.store.document_of(job).await?;
    let file = tokio::select! {
        () = cancelled.cancelled() => return Err(Ended::Failure(Failure::Cancelled)),
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
    let own = service.guests.run(model.clone(), task).await.map_err(Ended::Failure)?;
    failpoint::reach(Failpoint::TaskRun);
    let warnings = own.warnings.iter().map(stored_warning).collect();
    let made = Stored::of(&service.guests, model, own.json).await.map_err(|error| match error {
        PresentError::Plugin(failure) => Ended::Failure(failure),
        other => other.into(),
    })?;
    Ok(Outcome::Complete { result: made.own, presented: made.presented, warnings, cached_from: None })
}

/// A warning as it is stored with the job.
fn stored_warning(warning: &Warning) -> fanlight_store::Warning {
    fanlight_store::Warning { code: warning.code().to_owned(), message: warning.to_string() }
}

/// What clients read of a failure: that the document is to blame, or nothing more than that it failed.
fn failed(failure: &Failure) -> Outcome {
    let (code, message) = match failure {
        Failure::PdfCorrupt(_) => (PDF_CORRUPT, PDF_CORRUPT_MESSAGE),
        Failure::Unsupported(_) => (UNSUPPORTED_DOCUMENT, UNSUPPORTED_DOCUMENT_MESSAGE),
        _ => return Outcome::internal_error(),
    };
    Outcome::Failed { code: code.to_owned(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_store::INTERNAL_ERROR;

    #[test]
    fn what_may_pass_is_told_from_what_will_not() {
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
            assert_eq!(passes(&error), expected, "{error}");
        }
    }

    #[test]
    fn only_the_document_is_ever_named_as_the_reason() {
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
            let Outcome::Failed { code, message } = failed(&failure) else { unreachable!("{failure} is no failure") };
            assert_eq!(code, expected, "{failure}");
            assert!(!message.contains("/home"), "{message}");
        }
    }
}
