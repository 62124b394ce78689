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

/// The field that holds what the model says.
const RESULT: &str = "result";
/// About as many bytes as the other fields take.
const ROOM_FOR_SUMMARY: usize = 1024;

/// Operations on jobs.
pub(super) struct Jobs;

/// A job as lists have it: without its result.
///
/// It is written in two ways: as a part of other objects through the framework, and by itself, which is most often, as
/// text at once.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "JobSummary")]
pub(super) struct JobSummary {
    /// The job's id.
    id: Uuid,
    /// Where it stands.
    status: Status,
    /// The model.
    model: String,
    /// `<model>-v<major>.<minor>.<patch>`
    model_version: String,
    /// Tier of the key that submitted it.
    tier: String,
    /// The document it works on.
    document_id: Uuid,
    /// How far it is, for people.
    progress: String,
    /// Whether the result is a stored one of an equal submission.
    cached: bool,
    /// Why the result may be weaker than it could be: what was missing when the model needed it. Empty where nothing was,
    /// and while the job is not complete.
    warnings: Vec<JobWarning>,
    /// What it cost; 0 once refunded.
    credits_charged: u32,
    /// When it was submitted.
    queued_at: Time,
    /// When it was taken up.
    processing_started_at: Nullable<Time>,
    /// When it became final.
    completed_at: Nullable<Time>,
    /// How long it took.
    processing_time_ms: Nullable<u64>,
    /// A link to the document's file that needs no key and is good for an hour.
    pdf_url: String,
    /// Why it failed, for programs.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<ErrorCode>,
    /// Why it failed, for people.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<String>,
    /// When its webhook first took it.
    webhook_delivered_at: Nullable<Time>,
    /// When it is deleted.
    expires_at: Time,
}

/// Something that was missing when a result was made.
#[derive(Debug, Object, Serialize)]
struct JobWarning {
    /// What was missing, for programs.
    code: WarningCode,
    /// What was missing, for people.
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
    /// The model's result, once it is complete.
    result: Nullable<ModelObject>,
}

/// A job as it is sent, in answers and to webhooks: a [`JobObject`].
#[derive(Debug)]
pub(crate) struct JobAnswer {
    summary: JobSummary,
    /// The text of the result.
    result: Option<String>,
}

impl JobAnswer {
    /// As it stands now.
    pub(crate) async fn of(mut job: Job, service: &Service) -> Result<Self, ApiError> {
        let result = result_of(&mut job, service).await?;
        let ahead = match job.status {
            JobStatus::Queued => service.store.jobs_ahead(&job).await?,
            _ => 0,
        };
        Ok(Self { summary: JobSummary::of(job, ahead, service), result })
    }

    /// The body, with the result's text in its place.
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
    /// Of jobs of one account, in their order.
    pub(super) async fn of_each(account_id: Uuid, jobs: Vec<Job>, service: &Service) -> Result<Vec<Self>, ApiError> {
        let ahead = service.store.jobs_ahead_of_each(account_id, &jobs).await?;
        let summary = |job: Job| {
            let ahead = ahead.get(&job.id).copied().unwrap_or(0);
            Self::of(job, ahead, service)
        };
        Ok(jobs.into_iter().map(summary).collect())
    }

    /// `ahead` are the jobs that will be taken up before this one, if it is queued.
    fn of(job: Job, ahead: u64, service: &Service) -> Self {
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
            error_code: job.error_code.as_deref().map(ErrorCode::named),
            error_message: job.error_message,
            webhook_delivered_at: Nullable(job.webhook_delivered_at.map(Time)),
            expires_at: Time(job.expires_at),
        }
    }
}

/// A job's result as clients read it; none before it is complete.
pub(super) async fn result_of(job: &mut Job, service: &Service) -> Result<Option<String>, ApiError> {
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
    /// To be given as `cursor` for those that follow; null at the end.
    next_cursor: Nullable<String>,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[oai(rename = "JobStatus", rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// It waits for a worker.
    Queued,
    /// A worker works on it.
    Processing,
    /// It has a result.
    Complete,
    /// It has an error code.
    Failed,
    /// It was cancelled while it waited.
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
    /// The document can't be read. The job is not refunded.
    PdfCorrupt,
    /// The document is sound, and the model can't work on it. The job is not refunded.
    UnsupportedDocument,
    /// The service failed. The job is refunded.
    InternalError,
}

impl ErrorCode {
    /// By its name in the database.
    fn named(name: &str) -> Self {
        match name {
            worker::PDF_CORRUPT => Self::PdfCorrupt,
            worker::UNSUPPORTED_DOCUMENT => Self::UnsupportedDocument,
            _ => Self::InternalError,
        }
    }
}

#[OpenApi]
impl Jobs {
    /// List jobs, newest first and without their results
    #[oai(path = "/v1/jobs", method = "get", operation_id = "list_jobs")]
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the query")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        /// Only those that stand so.
        status: Query<Option<Status>>,
        /// Only those of this model.
        #[oai(validator(max_length = 100, pattern = "^[a-z0-9-]+$"))]
        model: Query<Option<String>>,
        /// Only those of this document.
        document_id: Query<Option<Uuid>>,
        /// Most jobs to give.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the page before, of the same list.
        cursor: Query<Option<String>>,
    ) -> Result<Json<JobList>, ApiError> {
        let filter = JobFilter { status: status.0.map(JobStatus::from), model: model.0, document_id: document_id.0 };
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.jobs(caller.0.account_id, &filter, &request).await?;
        let jobs = JobSummary::of_each(caller.0.account_id, listed.items, &service).await?;
        Ok(Json(JobList { jobs, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Get a job, with its result once it is complete
    #[oai(path = "/v1/jobs/:job_id", method = "get", operation_id = "get_job")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        /// Seconds to hold the answer back until the job is final.
        #[oai(validator(maximum(value = "60")))]
        wait: Query<Option<u32>>,
    ) -> Result<JobAnswer, ApiError> {
        let patience = Duration::from_secs(u64::from(wait.0.unwrap_or(0)));
        let job = waiting::for_job(&service, caller.0.account_id, job_id.0, patience).await?;
        JobAnswer::of(job, &service).await
    }

    /// Cancel a job that is still queued
    #[oai(path = "/v1/jobs/:job_id", method = "delete", operation_id = "cancel_job")]
    async fn cancel(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
    ) -> Result<JobAnswer, ApiError> {
        let job = service.store.cancel(caller.0.account_id, job_id.0).await?;
        service.finished.notify_waiters();
        JobAnswer::of(job, &service).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use poem_openapi::types::ToJSON;
    use serde_json::Value;

    #[test]
    fn a_job_written_at_once_is_the_object_that_is_described() {
        let time = Time(DateTime::from_timestamp_micros(1_795_264_836_123_456).unwrap());
        for error in [None, Some(ErrorCode::named("PDF_CORRUPT")), Some(ErrorCode::named("UNSUPPORTED_DOCUMENT"))] {
            let summary = || JobSummary {
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
            };
            let described = JobObject { summary: summary(), result: Nullable(None) }.to_json();

            let text = JobAnswer { summary: summary(), result: None }.text().unwrap();
            let with_result =
                JobAnswer { summary: summary(), result: Some("{\"pages\": 2}".to_owned()) }.text().unwrap();

            assert_eq!(Some(serde_json::from_str::<Value>(&text).unwrap()), described);
            assert!(with_result.ends_with(",\"result\":{\"pages\": 2}}"), "{with_result}");
            assert_eq!(with_result.replace("{\"pages\": 2}", "null"), text);
        }
    }
}
