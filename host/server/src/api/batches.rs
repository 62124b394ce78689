//! `/v1/batches`

use std::sync::Arc;

use fanlight_store::{Batch, BatchStatus, JobStatus};
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, Limited};
use crate::api::error::ApiError;
use crate::api::jobs::JobSummary;
use crate::api::json::JsonBody;
use crate::api::submissions::Acknowledgement;
use crate::api::values::{JsonObject, Text, Time};
use crate::batch::{self, BatchError, Request};
use crate::catalog::CONTENT_EXTRACTOR;
use crate::extraction::WantedSections;
use crate::idempotency::Answer;
use crate::service::Service;
use crate::submission::{self, SubmissionError, Wanted};

/// Operations on batches.
pub(super) struct Batches;

/// Submissions that are queued together.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct BatchRequest {
    /// The submissions.
    #[oai(validator(min_items = 1, max_items = 100))]
    requests: Vec<BatchJobRequest>,
    /// Where to post each finished job whose submission doesn't say; not on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
}

/// A submission: a model's name, and the body that the model takes.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct BatchJobRequest {
    /// The model.
    model: Text,
    /// An uploaded document; of every model but content-extractor.
    #[oai(nullable)]
    document_id: Option<Uuid>,
    /// Pages, 1-based; all, where absent. Those that the document doesn't have are skipped, and billed.
    #[oai(nullable, validator(min_items = 1, max_items = 10_000))]
    page_numbers: Option<Vec<i64>>,
    /// What the model's own schema has.
    #[oai(nullable)]
    parameters: Option<JsonObject>,
    /// A toc-parser job that is complete; of content-extractor alone.
    #[oai(nullable)]
    job_id: Option<Uuid>,
    /// Sections by their code; of content-extractor alone.
    #[oai(nullable, validator(max_items = 1000))]
    section_codes: Option<Vec<Text>>,
    /// Divisions by their number; of content-extractor alone.
    #[oai(nullable, validator(max_items = 100))]
    division_codes: Option<Vec<Text>>,
    /// Where to post the finished job; not on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run it even where the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl BatchJobRequest {
    /// As the model's own endpoint would have it.
    fn wanted(self) -> Result<Request, SubmissionError> {
        let webhook_url = self.webhook_url.map(|url| url.0);
        let of_documents = self.page_numbers.is_some() || self.parameters.is_some();
        let of_sections = self.section_codes.is_some() || self.division_codes.is_some();
        let texts = |given: Option<Vec<Text>>| given.into_iter().flatten().map(|text| text.0).collect();
        match (self.model.0.as_str(), self.document_id, self.job_id) {
            (CONTENT_EXTRACTOR, None, Some(source)) if !of_documents => Ok(Request::Sections(WantedSections {
                source,
                section_codes: texts(self.section_codes),
                division_codes: texts(self.division_codes),
                webhook_url,
                reuse: !self.no_cache,
            })),
            (model, Some(document), None) if model != CONTENT_EXTRACTOR && !of_sections => {
                Ok(Request::Document(Wanted {
                    model: self.model.0,
                    document,
                    pages: self.page_numbers.as_deref().map(submission::pages),
                    parameters: Value::Object(self.parameters.map_or_else(Map::new, |parameters| parameters.0)),
                    webhook_url,
                    reuse: !self.no_cache,
                }))
            }
            (model, ..) => Err(SubmissionError::Invalid(format!("it is not a submission to {model:?}"))),
        }
    }
}

/// What answers the submission of a batch.
#[derive(Debug, Object)]
struct BatchAcknowledgement {
    /// The new batch.
    batch_id: Uuid,
    /// Always `queued`.
    status: BatchState,
    /// Its jobs, in the order of the submissions.
    jobs: Vec<Acknowledgement>,
}

#[derive(ApiResponse)]
enum BatchAccepted {
    /// The jobs are queued.
    #[oai(status = 202)]
    Queued(Json<BatchAcknowledgement>, #[oai(header = "Location")] String),
}

impl BatchAccepted {
    /// Of a batch just queued.
    fn of(batch: &Batch) -> Self {
        let acknowledgement = BatchAcknowledgement {
            batch_id: batch.id,
            status: batch.status().into(),
            jobs: batch.jobs.iter().map(Acknowledgement::of).collect(),
        };
        Self::Queued(Json(acknowledgement), format!("/v1/batches/{}", batch.id))
    }

    /// As it is kept for repetitions.
    fn answer(&self) -> Answer {
        let Self::Queued(acknowledgement, location) = self;
        Answer { status: 202, location: Some(location.clone()), body: acknowledgement.0.to_json_string() }
    }
}

/// Where a batch stands.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "BatchStatus", rename_all = "lowercase")]
enum BatchState {
    /// All of its jobs wait.
    Queued,
    /// Some of its jobs are worked on or have ended, and some have not.
    Processing,
    /// All of its jobs have ended.
    Complete,
    /// All of its jobs were cancelled.
    Cancelled,
}

impl From<BatchStatus> for BatchState {
    fn from(status: BatchStatus) -> Self {
        match status {
            BatchStatus::Queued => Self::Queued,
            BatchStatus::Processing => Self::Processing,
            BatchStatus::Complete => Self::Complete,
            BatchStatus::Cancelled => Self::Cancelled,
        }
    }
}

/// A batch.
#[derive(Debug, Object)]
#[oai(rename = "Batch")]
struct BatchObject {
    /// The batch's id.
    batch_id: Uuid,
    /// Where it stands.
    status: BatchState,
    /// How many of its jobs stand how.
    counts: BatchCounts,
    /// When it was submitted.
    submitted_at: Time,
    /// When it is deleted.
    expires_at: Time,
    /// Its jobs without their results, in the order of the submissions.
    jobs: Vec<JobSummary>,
}

/// How many jobs stand how.
#[derive(Debug, Object)]
struct BatchCounts {
    queued: u32,
    processing: u32,
    complete: u32,
    failed: u32,
    cancelled: u32,
}

impl BatchObject {
    async fn of(batch: Batch, service: &Service) -> Result<Self, ApiError> {
        let count = |status| batch.count(status) as u32;
        let counts = BatchCounts {
            queued: count(JobStatus::Queued),
            processing: count(JobStatus::Processing),
            complete: count(JobStatus::Complete),
            failed: count(JobStatus::Failed),
            cancelled: count(JobStatus::Cancelled),
        };
        let status = batch.status().into();
        let jobs = JobSummary::of_each(batch.account_id, batch.jobs, service).await?;
        let (submitted_at, expires_at) = (Time(batch.submitted_at), Time(batch.expires_at));
        Ok(Self { batch_id: batch.id, status, counts, submitted_at, expires_at, jobs })
    }
}

#[OpenApi]
impl Batches {
    /// Submit up to 100 jobs, all of them or none
    ///
    /// Each costs what it costs alone. Where one can't be taken, or the credits don't cover all of them, nothing is
    /// queued and nothing charged.
    #[oai(path = "/v1/batches", method = "post", operation_id = "submit_batch")]
    async fn submit(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<BatchRequest>,
    ) -> Result<BatchAccepted, ApiError> {
        let BatchRequest { requests, webhook_url } = request.0;
        let requests: Vec<Request> = requests
            .into_iter()
            .enumerate()
            .map(|(index, request)| request.wanted().map_err(|error| BatchError::Request { index, error }))
            .collect::<Result<_, _>>()?;
        let webhook_url = webhook_url.map(|url| url.0);
        let answer = |batch: &Batch| BatchAccepted::of(batch).answer();
        let batch = batch::submit(&service, &caller.0, requests, webhook_url, caller.0.held(), answer).await?;
        Ok(BatchAccepted::of(&batch))
    }

    /// Get a batch, with its jobs
    #[oai(path = "/v1/batches/:batch_id", method = "get", operation_id = "get_batch")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        batch_id: Path<Uuid>,
    ) -> Result<Json<BatchObject>, ApiError> {
        let batch = service.store.batch(caller.0.account_id, batch_id.0).await?;
        Ok(Json(BatchObject::of(batch, &service).await?))
    }

    /// Cancel those jobs of a batch that are still queued
    #[oai(path = "/v1/batches/:batch_id", method = "delete", operation_id = "cancel_batch")]
    async fn cancel(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        batch_id: Path<Uuid>,
    ) -> Result<Json<BatchObject>, ApiError> {
        let batch = service.store.cancel_batch(caller.0.account_id, batch_id.0).await?;
        service.finished.notify_waiters();
        Ok(Json(BatchObject::of(batch, &service).await?))
    }
}
