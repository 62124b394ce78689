//! `/v1/jobs`

use std::sync::Arc;
use std::time::Duration;

use fanlight_store::{Job, JobFilter, JobStatus, ListRequest};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};
use serde::Serialize;
use serde::ser::Error;
use uuid::Uuid;

use crate::api::authentication::Authenticated;
use crate::api::error::{ApiError, Code};
use crate::api::values::{ModelObject, Nullable, Time, WarningCode, default_limit};
use crate::links::JOB_LINK;
use crate::service::Service;
use crate::{progress, result, waiting, worker};

/// The field of a job that holds the model's result.
const RESULT: &str = "result";
/// Approximate size of a job's other fields, in bytes.
const ROOM_FOR_SUMMARY: usize = 1024;

/// Operations on jobs.
pub(super) struct Jobs;

/// A job without its result, as in lists.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "JobSummary")]
// `Object` writes it as a part of other objects; `Serialize` writes it straight to text in `JobAnswer`, the usual case.
pub(super) struct JobSummary {
    /// Job ID.
    id: Uuid,
    /// Status of the job.
    status: Status,
    /// Name of the model.
    model: String,
    /// Version of the model, as `<model>-v<major>.<minor>.<patch>`.
    model_version: String,
    /// Tier of the key that submitted the job.
    tier: String,
    /// Document that the job analyzes.
    document_id: Uuid,
    /// Human-readable progress.
    progress: String,
    /// Whether the result was reused from an equal submission.
    cached: bool,
    /// Resources that the model needed and did not have, which may have weakened the result. Empty until the job is
    /// complete.
    warnings: Vec<JobWarning>,
    /// Credits charged; 0 after a refund.
    credits_charged: u32,
    /// Time of submission.
    queued_at: Time,
    /// Time at which a worker claimed the job; null while it is queued.
    processing_started_at: Nullable<Time>,
    /// Time at which the job reached its final status; null until then.
    completed_at: Nullable<Time>,
    /// Processing time in milliseconds; null until the job is final.
    processing_time_ms: Nullable<u64>,
    /// Signed link to the document's file, valid for one hour. It needs no key.
    pdf_url: String,
    /// Machine-readable reason for the failure; only if the job failed.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<ErrorCode>,
    /// Human-readable reason for the failure; only if the job failed.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<String>,
    /// Time at which the webhook first accepted the job; null until then.
    webhook_delivered_at: Nullable<Time>,
    /// Time at which the job is deleted.
    expires_at: Time,
}

/// A resource that was missing when a result was made.
#[derive(Debug, Object, Serialize)]
struct JobWarning {
    /// Machine-readable name of the missing resource.
    code: WarningCode,
    /// Human-readable description of what was missing.
    message: String,
}

impl From<fanlight_store::Warning> for JobWarning {
    fn from(warning: fanlight_store::Warning) -> Self {
        Self { code: WarningCode(warning.code), message: warning.message }
    }
}

/// A job.
#[derive(Debug, Object)]
#[oai(rename = "Job")]
struct JobObject {
    #[oai(flatten)]
    summary: JobSummary,
    /// Result of the model; null until the job is complete.
    result: Nullable<ModelObject>,
}

/// A job as answers and webhooks send it. Its JSON is that of a [`JobObject`].
#[derive(Debug)]
pub(crate) struct JobAnswer {
    summary: JobSummary,
    /// The result's JSON text.
    result: Option<String>,
}

impl JobAnswer {
    /// Reads what a job's answer needs beside the job: its presented result and its place in the queue.
    pub(crate) async fn from_job(mut job: Job, service: &Service) -> Result<Self, ApiError> {
        let result = presented_result(&mut job, service).await?;
        let ahead = match job.status {
            JobStatus::Queued => service.store.jobs_ahead(&job).await?,
            _ => 0,
        };
        Ok(Self { summary: JobSummary::from_job(job, ahead, service), result })
    }

    /// Returns the JSON text of the job.
    ///
    /// The result's text is copied in as it is, since a tree of it would take many times its bytes.
    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        let result = self.result.as_deref().unwrap_or("null");
        let mut body = Vec::with_capacity(ROOM_FOR_SUMMARY + result.len());
        serde_json::to_writer(&mut body, &self.summary)?;
        let mut text = String::from_utf8(body).map_err(serde_json::Error::custom)?;
        text.pop();
        text.extend([",\"", RESULT, "\":", result, "}"]);
        Ok(text)
    }
}

impl IntoResponse for JobAnswer {
    fn into_response(self) -> Response {
        match self.text() {
            Ok(text) => Response::builder().content_type(Json::<JobObject>::CONTENT_TYPE).body(text),
            Err(error) => ApiError::new(Code::InternalError, error).response(),
        }
    }
}

impl ApiResponse for JobAnswer {
    fn meta() -> MetaResponses {
        Json::<JobObject>::meta()
    }

    fn register(registry: &mut Registry) {
        <Json<JobObject> as ApiResponse>::register(registry);
    }
}

impl JobSummary {
    /// Returns the summaries of one account's jobs, in the same order.
    pub(super) async fn from_jobs(account_id: Uuid, jobs: Vec<Job>, service: &Service) -> Result<Vec<Self>, ApiError> {
        let ahead = service.store.jobs_ahead_of_each(account_id, &jobs).await?;
        let summaries = jobs.into_iter().map(|job| {
            let ahead = ahead.get(&job.id).copied().unwrap_or(0);
            Self::from_job(job, ahead, service)
        });
        Ok(summaries.collect())
    }

    /// Returns the summary of a job. `ahead` is the number of jobs that workers claim before it, if it is queued.
    fn from_job(job: Job, ahead: u64, service: &Service) -> Self {
        Self {
            id: job.id,
            status: job.status.into(),
            progress: progress::of_job(&job, ahead),
            model: job.model,
            model_version: job.model_version,
            tier: job.tier.to_string(),
            document_id: job.document_id,
            cached: job.cached_from.is_some(),
            warnings: job.warnings.into_iter().map(JobWarning::from).collect(),
            credits_charged: job.credits_charged,
            queued_at: Time(job.queued_at),
            processing_started_at: Nullable(job.processing_started_at.map(Time)),
            completed_at: Nullable(job.completed_at.map(Time)),
            processing_time_ms: Nullable(job.processing_time_ms),
            pdf_url: service.link_to_source(job.account_id, job.document_id, JOB_LINK),
            error_code: job.error_code.as_deref().map(ErrorCode::from_name),
            error_message: job.error_message,
            webhook_delivered_at: Nullable(job.webhook_delivered_at.map(Time)),
            expires_at: Time(job.expires_at),
        }
    }
}

/// Takes the stored result out of a job and returns it as clients read it. Returns `None` until the job is complete.
pub(super) async fn presented_result(job: &mut Job, service: &Service) -> Result<Option<String>, ApiError> {
    let Some(stored) = job.result.take() else {
        return Ok(None);
    };
    Ok(Some(result::presented(service, job, stored).await?))
}

/// A page of jobs.
#[derive(Debug, Object)]
struct JobList {
    /// The jobs, newest first.
    jobs: Vec<JobSummary>,
    /// Value of `cursor` for the next page; null on the last page.
    next_cursor: Nullable<String>,
}

/// Status of a job.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[oai(rename = "JobStatus", rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// The job waits for a worker.
    Queued,
    /// A worker runs the job.
    Processing,
    /// The job has a result.
    Complete,
    /// The job has an error code.
    Failed,
    /// The job was cancelled while it was queued.
    Cancelled,
}

impl From<Status> for JobStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Queued => Self::Queued,
            Status::Processing => Self::Processing,
            Status::Complete => Self::Complete,
            Status::Failed => Self::Failed,
            Status::Cancelled => Self::Cancelled,
        }
    }
}

impl From<JobStatus> for Status {
    fn from(status: JobStatus) -> Self {
        match status {
            JobStatus::Queued => Self::Queued,
            JobStatus::Processing => Self::Processing,
            JobStatus::Complete => Self::Complete,
            JobStatus::Failed => Self::Failed,
            JobStatus::Cancelled => Self::Cancelled,
        }
    }
}

/// Why a job failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[oai(rename = "JobErrorCode", rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ErrorCode {
    /// The document cannot be read. The job is not refunded.
    PdfCorrupt,
    /// The document is valid, but the model cannot analyze it. The job is not refunded.
    UnsupportedDocument,
    /// The service or the model failed. The job is refunded.
    InternalError,
}

impl ErrorCode {
    /// Returns the code with this name in the database; [`Self::InternalError`] for an unknown name.
    fn from_name(name: &str) -> Self {
        match name {
            worker::PDF_CORRUPT => Self::PdfCorrupt,
            worker::UNSUPPORTED_DOCUMENT => Self::UnsupportedDocument,
            _ => Self::InternalError,
        }
    }
}

#[OpenApi]
impl Jobs {
    /// List jobs without their results, newest first
    #[oai(path = "/v1/jobs", method = "get", operation_id = "list_jobs")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the query")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        /// Only jobs with this status.
        status: Query<Option<Status>>,
        /// Only jobs of this model.
        #[oai(validator(max_length = 100, pattern = "^[a-z0-9-]+$"))]
        model: Query<Option<String>>,
        /// Only jobs on this document.
        document_id: Query<Option<Uuid>>,
        /// Maximum number of jobs on a page.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the previous page. It is valid for the same list and filters only.
        cursor: Query<Option<String>>,
    ) -> Result<Json<JobList>, ApiError> {
        let filter = JobFilter { status: status.0.map(JobStatus::from), model: model.0, document_id: document_id.0 };
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.jobs(caller.0.account_id, &filter, &request).await?;
        let jobs = JobSummary::from_jobs(caller.0.account_id, listed.items, &service).await?;
        Ok(Json(JobList { jobs, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Get a job and, once it is complete, its result
    #[oai(path = "/v1/jobs/:job_id", method = "get", operation_id = "get_job")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        /// Maximum number of seconds to wait for the job's final status before the answer is sent.
        #[oai(validator(maximum(value = "60")))]
        wait: Query<Option<u32>>,
    ) -> Result<JobAnswer, ApiError> {
        let longest_wait = Duration::from_secs(u64::from(wait.0.unwrap_or(0)));
        let job = waiting::for_job(&service, caller.0.account_id, job_id.0, longest_wait).await?;
        JobAnswer::from_job(job, &service).await
    }

    /// Cancel a queued job and refund its credits
    #[oai(path = "/v1/jobs/:job_id", method = "delete", operation_id = "cancel_job")]
    async fn cancel(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
    ) -> Result<JobAnswer, ApiError> {
        let job = service.store.cancel(caller.0.account_id, job_id.0).await?;
        service.finished.notify_waiters();
        JobAnswer::from_job(job, &service).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use poem_openapi::types::ToJSON;
    use serde_json::Value;

    fn summary(error: Option<ErrorCode>) -> JobSummary {
        let time = Time(DateTime::from_timestamp_micros(1_795_264_836_123_456).unwrap());
        JobSummary {
            id: Uuid::from_u128(1),
            status: Status::Complete,
            model: "toc-parser".to_owned(),
            model_version: "toc-parser-v1.0.0".to_owned(),
            tier: "pro".to_owned(),
            document_id: Uuid::from_u128(2),
            progress: "Complete: \"all\"".to_owned(),
            cached: false,
            warnings: vec![JobWarning {
                code: WarningCode("OCR_FAILED".to_owned()),
                message: "Some pictures of text were not read: OCR failed.".to_owned(),
            }],
            credits_charged: 1,
            queued_at: time,
            processing_started_at: Nullable(Some(time)),
            completed_at: Nullable(None),
            processing_time_ms: Nullable(Some(279)),
            pdf_url: "http://127.0.0.1/v1/files/a".to_owned(),
            error_code: error,
            error_message: error.map(|_| "It failed.".to_owned()),
            webhook_delivered_at: Nullable(None),
            expires_at: time,
        }
    }

    #[test]
    fn the_text_of_a_job_equals_its_described_object() {
        for name in [None, Some("PDF_CORRUPT"), Some("UNSUPPORTED_DOCUMENT")] {
            let error = name.map(ErrorCode::from_name);
            let described = JobObject { summary: summary(error), result: Nullable(None) }.to_json();

            let text = JobAnswer { summary: summary(error), result: None }.text().unwrap();
            let with_result =
                JobAnswer { summary: summary(error), result: Some("{\"pages\": 2}".to_owned()) }.text().unwrap();

            assert_eq!(Some(serde_json::from_str::<Value>(&text).unwrap()), described);
            assert!(with_result.ends_with(",\"result\":{\"pages\": 2}}"), "{with_result}");
            assert_eq!(with_result.replace("{\"pages\": 2}", "null"), text);
        }
    }
}
