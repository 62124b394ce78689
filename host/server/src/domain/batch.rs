//! Batches: submissions that are all checked before any is queued.

use fanlight_store::{Batch, Caller, StoreError};
use thiserror::Error;

use crate::domain::extraction::WantedSections;
use crate::domain::idempotency::{Answer, Held};
use crate::domain::service::Service;
use crate::domain::submission::{self, SubmissionError, Wanted};

/// One submission of a batch.
#[derive(Debug)]
pub(crate) enum Request {
    /// On a document.
    Document(Wanted),
    /// On a finished table of contents.
    Sections(WantedSections),
}

/// Why nothing of a batch is queued, and nothing charged.
#[derive(Debug, Error)]
pub(crate) enum BatchError {
    /// One of its submissions can't be taken.
    #[error("request {index} of the batch: {error}")]
    Request {
        /// Its place, from 0.
        index: usize,
        /// Why.
        error: SubmissionError,
    },
    /// Its size is wrong, its credits don't cover it, or the service's own failure.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks submissions, charges all of them and queues their jobs. `webhook_url` is for those that name none.
pub(crate) async fn submit(
    service: &Service,
    caller: &Caller,
    requests: Vec<Request>,
    webhook_url: Option<String>,
    held: Option<&Held>,
    answer: impl FnOnce(&Batch) -> Answer + Send,
) -> Result<Batch, BatchError> {
    let mut submissions = Vec::with_capacity(requests.len());
    for (index, request) in requests.into_iter().enumerate() {
        let checked = check(service, caller, request, webhook_url.as_ref()).await;
        submissions.push(checked.map_err(|error| BatchError::Request { index, error })?.submission);
    }
    let sealed = |batch: &Batch| held?.with_answer(&answer(batch));
    let batch = service.store.submit_batch_answered(caller, &submissions, sealed).await?;
    if let Some(held) = held {
        held.settle();
    }
    service.queued.notify_one();
    Ok(batch)
}

async fn check(
    service: &Service,
    caller: &Caller,
    request: Request,
    webhook_url: Option<&String>,
) -> Result<submission::Checked, SubmissionError> {
    let mut wanted = match request {
        Request::Document(wanted) => wanted,
        Request::Sections(sections) => sections.resolve(service, caller).await?,
    };
    wanted.webhook_url = wanted.webhook_url.or_else(|| webhook_url.cloned());
    match submission::check(service, caller, wanted).await {
        // Here the model's name is a part of the body.
        Err(error @ SubmissionError::NoSuchModel(_)) => Err(SubmissionError::Invalid(error.to_string())),
        checked => checked,
    }
}
