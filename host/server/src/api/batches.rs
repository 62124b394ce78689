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

use crate::api::authentication::{Authenticated, RateLimited};
use crate::api::error::ApiError;
use crate::api::json::JsonBody;
use crate::api::submissions::Acknowledgement;
use crate::domain::batch::{self, BatchError, Request};
use crate::domain::catalog::CONTENT_EXTRACTOR;
use crate::domain::extraction::SectionsRequest;
use crate::domain::idempotency::Answer;
use crate::domain::job;
use crate::domain::service::Service;
use crate::domain::submission::{self, SubmissionError, UncheckedSubmission};
use crate::views::job::JobSummary;
use crate::views::values::{JsonObject, Text, Time, plain_strings};

/// Operations on batches.
pub(super) struct Batches;

/// Submissions to queue together.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct BatchRequest {
    /// Submissions; all of them are queued, or none.
    // `Batch::MAX_JOBS`, which the attribute can't name; a test compares them.
    #[oai(validator(min_items = 1, max_items = 100))]
    requests: Vec<BatchJobRequest>,
    /// Address to post each finished job to whose submission names none; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
}

/// A submission of a batch: the name of a model and the body of that model's own endpoint.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct BatchJobRequest {
    /// Name of the model.
    model: Text,
    /// Uploaded document; for every model but content-extractor.
    #[oai(nullable)]
    document_id: Option<Uuid>,
    /// 1-based page numbers; all pages if absent. Pages that the document does not have are skipped, but billed.
    #[oai(nullable, validator(min_items = 1, max_items = 10_000))]
    page_numbers: Option<Vec<i64>>,
    /// Parameters of the model, checked against the model's own schema.
    #[oai(nullable)]
    parameters: Option<JsonObject>,
    /// Complete toc-parser job; for content-extractor only.
    #[oai(nullable)]
    job_id: Option<Uuid>,
    /// Section codes; for content-extractor only.
    #[oai(nullable, validator(max_items = 1000))]
    section_codes: Option<Vec<Text>>,
    /// Division codes; for content-extractor only.
    #[oai(nullable, validator(max_items = 100))]
    division_codes: Option<Vec<Text>>,
    /// Address to post the finished job to; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run the job even if the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl BatchJobRequest {
    /// Returns the submission as the model's own endpoint would.
    ///
    /// # Errors
    ///
    /// [`SubmissionError::Invalid`] if the fields are not those of the model's endpoint.
    fn unchecked(self) -> Result<Request, SubmissionError> {
        let webhook_url = self.webhook_url.map(|url| url.0);
        let has_document_fields = self.page_numbers.is_some() || self.parameters.is_some();
        let has_section_fields = self.section_codes.is_some() || self.division_codes.is_some();
        match (self.model.0.as_str(), self.document_id, self.job_id) {
            (CONTENT_EXTRACTOR, None, Some(source)) if !has_document_fields => Ok(Request::Sections(SectionsRequest {
                source,
                section_codes: plain_strings(self.section_codes),
                division_codes: plain_strings(self.division_codes),
                webhook_url,
                reuse: !self.no_cache,
            })),
            (model, Some(document), None) if model != CONTENT_EXTRACTOR && !has_section_fields => {
                Ok(Request::Document(UncheckedSubmission {
                    model: self.model.0,
                    document,
                    pages: self.page_numbers.as_deref().map(submission::pages),
                    parameters: Value::Object(self.parameters.map_or_else(Map::new, |parameters| parameters.0)),
                    webhook_url,
                    reuse: !self.no_cache,
                }))
            }
            (model, ..) => {
                Err(SubmissionError::Invalid(format!("the fields are not those of a submission to {model:?}")))
            }
        }
    }
}

/// Acknowledgement of a submitted batch.
#[derive(Debug, Object)]
struct BatchAcknowledgement {
    /// ID of the new batch.
    batch_id: Uuid,
    /// Always `queued`.
    status: BatchState,
    /// Acknowledgements of the jobs, in the order of the submissions.
    jobs: Vec<Acknowledgement>,
}

#[derive(ApiResponse)]
enum BatchAccepted {
    /// The jobs are queued.
    #[oai(status = 202)]
    Queued(Json<BatchAcknowledgement>, #[oai(header = "Location")] String),
}

impl BatchAccepted {
    /// Acknowledges a batch that has just been queued.
    fn new(batch: &Batch) -> Self {
        let acknowledgement = BatchAcknowledgement {
            batch_id: batch.id,
            status: batch.status().into(),
            jobs: batch.jobs.iter().map(Acknowledgement::new).collect(),
        };
        Self::Queued(Json(acknowledgement), format!("/v1/batches/{}", batch.id))
    }

    /// Returns the answer to store under an idempotency key.
    fn stored_answer(&self) -> Answer {
        let Self::Queued(acknowledgement, location) = self;
        Answer { status: 202, location: Some(location.clone()), body: acknowledgement.0.to_json_string() }
    }
}

/// Status of a batch.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "BatchStatus", rename_all = "lowercase")]
enum BatchState {
    /// All jobs are queued.
    Queued,
    /// At least one job has started or ended, and at least one has not ended.
    Processing,
    /// All jobs have ended.
    Complete,
    /// All jobs were cancelled.
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

/// A batch of jobs.
#[derive(Debug, Object)]
#[oai(rename = "Batch")]
struct BatchObject {
    /// Batch ID.
    batch_id: Uuid,
    /// Status of the batch.
    status: BatchState,
    /// Number of jobs by status.
    counts: BatchCounts,
    /// Time of submission.
    submitted_at: Time,
    /// Time at which the batch is deleted.
    expires_at: Time,
    /// Jobs without their results, in the order of the submissions.
    jobs: Vec<JobSummary>,
}

/// Number of jobs by status.
#[derive(Debug, Object)]
struct BatchCounts {
    queued: u32,
    processing: u32,
    complete: u32,
    failed: u32,
    cancelled: u32,
}

impl BatchCounts {
    /// Counts the jobs of a batch.
    fn new(batch: &Batch) -> Self {
        Self {
            queued: batch.count(JobStatus::Queued) as u32,
            processing: batch.count(JobStatus::Processing) as u32,
            complete: batch.count(JobStatus::Complete) as u32,
            failed: batch.count(JobStatus::Failed) as u32,
            cancelled: batch.count(JobStatus::Cancelled) as u32,
        }
    }
}

impl BatchObject {
    /// Reads the batch's jobs as clients see them.
    async fn from_batch(batch: Batch, service: &Service) -> Result<Self, ApiError> {
        let counts = BatchCounts::new(&batch);
        let status = batch.status().into();
        let jobs = job::summaries(service, batch.account_id, batch.jobs).await?;
        let (submitted_at, expires_at) = (Time(batch.submitted_at), Time(batch.expires_at));
        Ok(Self { batch_id: batch.id, status, counts, submitted_at, expires_at, jobs })
    }
}

#[OpenApi]
impl Batches {
    /// Submit up to 100 jobs in one transaction
    ///
    /// Each job costs the same as when it is submitted alone. If one submission is refused, or the credits do not cover
    /// all of them, nothing is queued and nothing is charged.
    #[oai(path = "/v1/batches", method = "post", operation_id = "submit_batch")]
    async fn submit(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<BatchRequest>,
    ) -> Result<BatchAccepted, ApiError> {
        let BatchRequest { requests, webhook_url } = request.0;
        let requests: Vec<Request> = requests
            .into_iter()
            .enumerate()
            .map(|(index, request)| request.unchecked().map_err(|error| BatchError::Request { index, error }))
            .collect::<Result<_, _>>()?;
        let webhook_url = webhook_url.map(|url| url.0);
        let held = caller.0.held();
        let batch = batch::submit(&service, &caller.0, requests, webhook_url, held, |batch| {
            BatchAccepted::new(batch).stored_answer()
        });
        Ok(BatchAccepted::new(&batch.await?))
    }

    /// Get a batch and its jobs
    #[oai(path = "/v1/batches/:batch_id", method = "get", operation_id = "get_batch")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        batch_id: Path<Uuid>,
    ) -> Result<Json<BatchObject>, ApiError> {
        let batch = service.store.batch(caller.0.account_id, batch_id.0).await?;
        Ok(Json(BatchObject::from_batch(batch, &service).await?))
    }

    /// Cancel the queued jobs of a batch and refund their credits
    #[oai(path = "/v1/batches/:batch_id", method = "delete", operation_id = "cancel_batch")]
    async fn cancel(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        batch_id: Path<Uuid>,
    ) -> Result<Json<BatchObject>, ApiError> {
        let batch = service.store.cancel_batch(caller.0.account_id, batch_id.0).await?;
        service.finished.notify_waiters();
        Ok(Json(BatchObject::from_batch(batch, &service).await?))
    }
}

#[cfg(test)]
mod tests {
    use fanlight_store::Batch;

    use crate::api::description::{Uploads, document};

    #[test]
    fn a_batch_takes_as_many_submissions_as_the_store() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        let requests = &document["components"]["schemas"]["BatchRequest"]["properties"]["requests"];
        assert_eq!(requests["maxItems"], Batch::MAX_JOBS);
    }
}
