//! Takes queued jobs up, runs them in the sandbox and writes their results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fanlight_sandbox::{Failure, Progress, Task};
use fanlight_store::{Claim, Job, Lease, Outcome, StoreError};
use tokio::sync::{Semaphore, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::progress;
use crate::service::Service;

/// How often the queue is looked at for jobs of other processes.
const POLL: Duration = Duration::from_secs(1);
/// How long a worker waits after the database has failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// At most this often is progress written.
const PROGRESS: Duration = Duration::from_millis(500);
/// How long running jobs may take to end when the process stops; then they are given back.
const LAST_CHANCE: Duration = Duration::from_secs(5);

/// The error code of a document that can't be worked on.
const PDF_CORRUPT: &str = "PDF_CORRUPT";
/// What clients read with it.
const PDF_CORRUPT_MESSAGE: &str = "The PDF can't be read.";

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
        match service.store.claim(&name).await {
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
                tracing::error!(error = %causes(&error), "can't claim jobs");
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

/// Runs one job to its end, or gives it back.
async fn run_claim(service: &Service, claim: Claim, give_back: &CancellationToken) {
    let Claim { job, lease } = claim;
    let started = Instant::now();
    let cancelled = give_back.child_token();
    let (progress, steps) = watch::channel(Progress::default());
    let outcome = tokio::select! {
        outcome = outcome(service, &job, progress, cancelled.clone()) => outcome,
        () = keep(service, &lease, steps) => None,
    };
    cancelled.cancel();
    let written = match &outcome {
        Some(outcome) => service.store.finish(&lease, outcome, started.elapsed()).await.map(|_| ()),
        None => service.store.release(&lease).await,
    };
    service.finished.notify_waiters();
    let milliseconds = started.elapsed().as_millis() as u64;
    let ending = match (&outcome, &written) {
        (_, Err(StoreError::LeaseLost)) => "lease lost",
        (_, Err(_)) => "not written",
        (Some(Outcome::Complete { .. }), Ok(())) => "complete",
        (Some(Outcome::Failed { .. }), Ok(())) => "failed",
        (None, Ok(())) => "given back",
    };
    tracing::info!(job = %job.id, model = job.model, attempt = lease.attempt, milliseconds, ending, "a job has ended");
    if let Err(error) = written
        && !matches!(error, StoreError::LeaseLost)
    {
        tracing::error!(job = %job.id, error = %causes(&error), "can't write how a job ended");
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
            Err(error) => tracing::warn!(job = %lease.job_id, error = %causes(&error), "can't keep a lease"),
        }
    }
}

/// How a job ends; none when it is to be given back.
async fn outcome(
    service: &Service,
    job: &Job,
    progress: watch::Sender<Progress>,
    cancelled: CancellationToken,
) -> Option<Outcome> {
    match service.store.stored_result(job).await {
        Ok(Some(stored)) => {
            return Some(Outcome::Complete { result: stored.result, cached_from: Some(stored.job_id) });
        }
        Ok(None) => {}
        Err(error) => tracing::warn!(job = %job.id, error = %causes(&error), "can't look for a stored result"),
    }
    match run(service, job, progress, cancelled).await {
        Ok(result) => Some(Outcome::Complete { result, cached_from: None }),
        Err(Ended::Failure(Failure::Cancelled)) => None,
        Err(Ended::Failure(failure)) => {
            tracing::warn!(job = %job.id, model = job.model_version, reason = %failure, "a job failed");
            Some(failed(&failure))
        }
        Err(Ended::Other(error)) => {
            tracing::error!(job = %job.id, model = job.model_version, reason = format!("{error:#}"), "a job can't be run");
            Some(Outcome::internal_error())
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

async fn run(
    service: &Service,
    job: &Job,
    progress: watch::Sender<Progress>,
    cancelled: CancellationToken,
) -> Result<String, Ended> {
    let Some(installed) = service.models.get(&job.model) else {
        return Err(Ended::Other(anyhow::anyhow!("the model `{}` is not installed here", job.model)));
    };
    let version = installed.description().model_version();
    if version != job.model_version {
        return Err(Ended::Other(anyhow::anyhow!("it is for {}, installed is {version}", job.model_version)));
    }
    let document = service.store.document_of(job).await?;
    let file = service.blobs.local_file(&document.blob)?;
    let task = Task {
        id: job.id.to_string(),
        document: fanlight_sandbox::Document::open(&file, &document.sha256)?,
        pages: installed.description().pages(document.page_count, job.pages.as_deref()),
        parameters: job.parameters.to_string(),
        progress,
        cancelled,
    };
    service.guests.run(installed.model(), task).await.map_err(Ended::Failure)
}

/// What clients read of a failure: that the document is to blame, or nothing more than that it failed.
fn failed(failure: &Failure) -> Outcome {
    match failure {
        Failure::PdfCorrupt(_) | Failure::Unsupported(_) => {
            Outcome::Failed { code: PDF_CORRUPT.to_owned(), message: PDF_CORRUPT_MESSAGE.to_owned() }
        }
        _ => Outcome::internal_error(),
    }
}

/// An error with what is behind it, on one line.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_store::INTERNAL_ERROR;

    #[test]
    fn only_the_document_is_ever_named_as_the_reason() {
        let cases = [
            (Failure::PdfCorrupt("page 3".to_owned()), PDF_CORRUPT),
            (Failure::Unsupported("no contents".to_owned()), PDF_CORRUPT),
            (Failure::Internal("/home/me".to_owned()), INTERNAL_ERROR),
            (Failure::Crashed("unreachable".to_owned()), INTERNAL_ERROR),
            (Failure::Memory(1024), INTERNAL_ERROR),
            (Failure::Deadline(600), INTERNAL_ERROR),
        ];
        for (failure, expected) in cases {
            let told = match expected {
                INTERNAL_ERROR => Outcome::internal_error(),
                code => Outcome::Failed { code: code.to_owned(), message: PDF_CORRUPT_MESSAGE.to_owned() },
            };
            assert_eq!(failed(&failure), told, "{failure}");
        }
    }
}
