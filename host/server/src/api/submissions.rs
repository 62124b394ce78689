//! What submissions have in common: the body's fields that most of them take, and their acknowledgement.

use fanlight_store::Job;
use poem_openapi::payload::Json;
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Object};
use serde_json::json;
use uuid::Uuid;

use crate::api::authentication::Limited;
use crate::api::error::ApiError;
use crate::api::jobs::Status;
use crate::api::values::Text;
use crate::idempotency::Answer;
use crate::service::Service;
use crate::submission::{self, Wanted};

/// A submission on pages of a document.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
pub(super) struct PagesRequest {
    /// An uploaded document.
    document_id: Uuid,
    /// Pages, 1-based; all, where absent. Those that the document doesn't have are skipped, and billed.
    #[oai(nullable, validator(min_items = 1, max_items = 10_000))]
    page_numbers: Option<Vec<i64>>,
    /// Where to post the finished job; not on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run it even where the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl PagesRequest {
    /// Of a model without parameters.
    pub(super) fn wanted(self, model: &str) -> Wanted {
        Wanted {
            model: model.to_owned(),
            document: self.document_id,
            pages: self.page_numbers.as_deref().map(submission::pages),
            parameters: json!({}),
            webhook_url: self.webhook_url.map(|url| url.0),
            reuse: !self.no_cache,
        }
    }
}

/// What answers a submission.
#[derive(Debug, Object)]
pub(super) struct Acknowledgement {
    /// The new job.
    job_id: Uuid,
    /// Always `queued`.
    status: Status,
    /// The path to poll, without the base address.
    poll_url: String,
    /// In how many seconds the job is likely done; only of `POST /v1/specs/parse/document`.
    #[oai(skip_serializing_if_is_none)]
    estimated_processing_seconds: Option<u64>,
}

impl Acknowledgement {
    /// Of a job just queued.
    pub(super) fn of(job: &Job) -> Self {
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
    /// Of a job just queued.
    pub(super) fn of(job: &Job) -> Self {
        let acknowledgement = Acknowledgement::of(job);
        let location = acknowledgement.poll_url.clone();
        Self::Queued(Json(acknowledgement), location)
    }

    /// Of a submission that tells how long it will take.
    pub(super) fn with_estimate(job: &Job, seconds: u64) -> Self {
        let Self::Queued(Json(acknowledgement), location) = Self::of(job);
        let estimated_processing_seconds = Some(seconds);
        Self::Queued(Json(Acknowledgement { estimated_processing_seconds, ..acknowledgement }), location)
    }

    /// As it is kept for repetitions.
    fn answer(&self) -> Answer {
        let Self::Queued(acknowledgement, location) = self;
        Answer { status: 202, location: Some(location.clone()), body: acknowledgement.0.to_json_string() }
    }
}

/// Takes a submission, as every operation that is one does. Where the request has an idempotency key, what it is
/// answered is kept with its job.
pub(super) async fn accept(service: &Service, caller: &Limited, wanted: Wanted) -> Result<Accepted, ApiError> {
    let checked = submission::check(service, &caller.0, wanted).await?;
    let answer = |job: &Job| Accepted::of(job).answer();
    let job = submission::submit(service, &caller.0, &checked, caller.0.held(), answer).await?;
    Ok(Accepted::of(&job))
}

/// As [`accept`], with how long it will take.
pub(super) async fn accept_with_estimate(
    service: &Service,
    caller: &Limited,
    wanted: Wanted,
) -> Result<Accepted, ApiError> {
    let checked = submission::check(service, &caller.0, wanted).await?;
    let seconds = checked.estimated_seconds(service, &caller.0).await?;
    let answer = |job: &Job| Accepted::with_estimate(job, seconds).answer();
    let job = submission::submit(service, &caller.0, &checked, caller.0.held(), answer).await?;
    Ok(Accepted::with_estimate(&job, seconds))
}
