//! What all submissions share: the fields of most bodies, and the acknowledgement.

use fanlight_store::Job;
use poem_openapi::payload::Json;
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Object};
use serde_json::json;
use uuid::Uuid;

use crate::api::authentication::RateLimited;
use crate::api::error::ApiError;
use crate::domain::idempotency::Answer;
use crate::domain::service::Service;
use crate::domain::submission::{self, UncheckedSubmission};
use crate::views::job::Status;
use crate::views::values::Text;

/// Submission of a document, or of some of its pages.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
pub(super) struct PagesRequest {
    /// Uploaded document.
    document_id: Uuid,
    /// 1-based page numbers; all pages if absent. Pages that the document does not have are skipped, but billed.
    #[oai(nullable, validator(min_items = 1, max_items = 10_000))]
    page_numbers: Option<Vec<i64>>,
    /// Address to post the finished job to; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run the job even if the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl PagesRequest {
    /// Returns the submission to a model without parameters.
    pub(super) fn unchecked(self, model: &str) -> UncheckedSubmission {
        UncheckedSubmission {
            model: model.to_owned(),
            document: self.document_id,
            pages: self.page_numbers.as_deref().map(submission::pages),
            parameters: json!({}),
            webhook_url: self.webhook_url.map(|url| url.0),
            reuse: !self.no_cache,
        }
    }
}

/// Acknowledgement of a submitted job.
#[derive(Debug, Object)]
pub(super) struct Acknowledgement {
    /// ID of the new job.
    job_id: Uuid,
    /// Always `queued`.
    status: Status,
    /// Path to poll, without the base address.
    poll_url: String,
    /// Estimated number of seconds until the job is complete; only from `POST /v1/specs/parse/document`.
    #[oai(skip_serializing_if_is_none)]
    estimated_processing_seconds: Option<u64>,
}

impl Acknowledgement {
    /// Acknowledges a job that has just been queued.
    pub(super) fn new(job: &Job) -> Self {
        Self {
            job_id: job.id,
            status: Status::Queued,
            poll_url: format!("/v1/jobs/{}", job.id),
            estimated_processing_seconds: None,
        }
    }
}

#[derive(ApiResponse)]
pub(super) enum Accepted {
    /// The job is queued.
    #[oai(status = 202)]
    Queued(Json<Acknowledgement>, #[oai(header = "Location")] String),
}

impl Accepted {
    /// Accepts a job that has just been queued.
    pub(super) fn new(job: &Job) -> Self {
        let acknowledgement = Acknowledgement::new(job);
        let location = acknowledgement.poll_url.clone();
        Self::Queued(Json(acknowledgement), location)
    }

    /// Accepts a job that has just been queued, with the estimated seconds until it is complete.
    pub(super) fn with_estimate(job: &Job, seconds: u64) -> Self {
        let Self::Queued(Json(acknowledgement), location) = Self::new(job);
        let estimated_processing_seconds = Some(seconds);
        Self::Queued(Json(Acknowledgement { estimated_processing_seconds, ..acknowledgement }), location)
    }

    /// Returns the answer to store under an idempotency key.
    fn stored_answer(&self) -> Answer {
        let Self::Queued(acknowledgement, location) = self;
        Answer { status: 202, location: Some(location.clone()), body: acknowledgement.0.to_json_string() }
    }
}

/// Checks, charges and queues a submission. The answer is stored in the same transaction if the request has an
/// idempotency key.
pub(super) async fn accept(
    service: &Service,
    caller: &RateLimited,
    unchecked: UncheckedSubmission,
) -> Result<Accepted, ApiError> {
    let checked = submission::check(service, &caller.0, unchecked).await?;
    let held = caller.0.held();
    let job = submission::submit(service, &caller.0, &checked, held, |job| Accepted::new(job).stored_answer()).await?;
    Ok(Accepted::new(&job))
}

/// Accepts a submission as [`accept`] does and estimates its processing time.
pub(super) async fn accept_with_estimate(
    service: &Service,
    caller: &RateLimited,
    unchecked: UncheckedSubmission,
) -> Result<Accepted, ApiError> {
    let checked = submission::check(service, &caller.0, unchecked).await?;
    let seconds = checked.estimated_seconds(service, &caller.0).await?;
    let job = submission::submit(service, &caller.0, &checked, caller.0.held(), |job| {
        Accepted::with_estimate(job, seconds).stored_answer()
    });
    Ok(Accepted::with_estimate(&job.await?, seconds))
}
