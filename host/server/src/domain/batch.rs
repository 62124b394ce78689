//! Batches: submissions that are all checked before any is queued.

use fanlight_store::{Batch, Caller, StoreError};
use thiserror::Error;

use crate::domain::extraction::SectionsRequest;
use crate::domain::idempotency::{Answer, Held};
use crate::domain::service::Service;
use crate::domain::submission::{self, SubmissionError, UncheckedSubmission};

/// One submission in a batch.
#[derive(Debug)]
pub(crate) enum Request {
    /// A submission of a document.
    Document(UncheckedSubmission),
    /// A content extraction from a finished table of contents.
    Sections(SectionsRequest),
}

/// Why a batch is refused. Nothing is queued and nothing is charged.
#[derive(Debug, Error)]
pub(crate) enum BatchError {
    /// One of its submissions is not valid.
    #[error("request {index} of the batch: {error}")]
    Request {
        /// Position of the submission in the batch, from 0.
        index: usize,
        /// What is wrong with it.
        error: SubmissionError,
    },
    /// The batch has too many submissions or too few, the credits do not cover it, or the database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks all submissions, then charges them and queues their jobs in one transaction.
///
/// `webhook_url` is used for submissions that have none of their own. If the request holds an idempotency key, `answer`
/// makes the answer that is stored in the same transaction.
///
/// # Errors
///
/// [`BatchError`]: nothing is queued or charged.
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

/// Checks one submission.
async fn check(
    service: &Service,
    caller: &Caller,
    request: Request,
    webhook_url: Option<&String>,
) -> Result<submission::Checked, SubmissionError> {
    let mut unchecked = match request {
        Request::Document(unchecked) => unchecked,
        Request::Sections(sections) => sections.resolve(service, caller).await?,
    };
    unchecked.webhook_url = unchecked.webhook_url.or_else(|| webhook_url.cloned());
    match submission::check(service, caller, unchecked).await {
        // In a batch the model's name is part of the body, so an unknown name is an invalid body, not an unknown path.
        Err(error @ SubmissionError::NoSuchModel(_)) => Err(SubmissionError::Invalid(error.to_string())),
        checked => checked,
    }
}
