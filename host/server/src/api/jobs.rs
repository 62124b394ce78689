//! `/v1/jobs`

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use fanlight_store::{Job, JobFilter, JobStatus, ListRequest};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};
use serde_json::Value;
use uuid::Uuid;

use crate::api::authentication::Authenticated;
use crate::api::error::{ApiError, Code};
use crate::api::values::{ModelObject, Nullable, Time, default_limit};
use crate::links::JOB_LINK;
use crate::result::{self, Around};
use crate::service::Service;
use crate::{progress, waiting};

/// The field that holds what the model says.
const RESULT: &str = "result";

/// Operations on jobs.
pub(super) struct Jobs;

/// A job as lists have it: without its result.
#[derive(Debug, Object)]
#[oai(rename = "JobSummary")]
pub(super) struct JobSummary {
    /// The job's id.
    id: Uuid,
    /// `queued`, `processing`, `complete`, `failed` or `cancelled`.
    status: String,
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
    error_code: Option<String>,
    /// Why it failed, for people.
    #[oai(skip_serializing_if_is_none)]
    error_message: Option<String>,
    /// When its webhook first took it.
    webhook_delivered_at: Nullable<Time>,
    /// When it is deleted.
    expires_at: Time,
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

/// A job as it is sent, in answers and to webhooks.
#[derive(Debug)]
pub(crate) struct JobAnswer {
    /// All of it but its result.
    job: JobObject,
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
        let summary = JobSummary::of(job, ahead, service);
        Ok(Self { job: JobObject { summary, result: Nullable(None) }, result })
    }

    /// The body, with the result's text in its place.
    pub(crate) fn text(&self) -> String {
        let Some(Value::Object(fields)) = self.job.to_json() else {
            return String::new();
        };
        let mut text = String::from("{");
        for (name, value) in fields {
            let separator = if text.len() > 1 { "," } else { "" };
            let value = match &self.result {
                Some(result) if name == RESULT => Cow::Borrowed(result.as_str()),
                _ => Cow::Owned(value.to_string()),
            };
            text.extend([separator, "\"", &name, "\":", &value]);
        }
        text.push('}');
        text
    }
}

impl IntoResponse for JobAnswer {
    fn into_response(self) -> Response {
        Response::builder().content_type(Json::<JobObject>::CONTENT_TYPE).body(self.text())
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
            status: job.status.to_string(),
            progress: progress::of_job(&job, ahead),
            model: job.model,
            model_version: job.model_version,
            tier: job.tier.to_string(),
            document_id: job.document_id,
            cached: job.cached_from.is_some(),
            credits_charged: job.credits_charged,
            queued_at: Time(job.queued_at),
            processing_started_at: Nullable(job.processing_started_at.map(Time)),
            completed_at: Nullable(job.completed_at.map(Time)),
            processing_time_ms: Nullable(job.processing_time_ms),
            pdf_url: service.link_to_source(job.account_id, job.document_id, JOB_LINK),
            error_code: job.error_code,
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
    // What a model hides when it presents a result must stay hidden, so nothing is shown without it.
    let installed = service.models.get(&job.model).ok_or_else(|| {
        ApiError::new(Code::ModelUnavailable, format!("{} can't present the result of {}", job.model, job.id))
    })?;
    let around = Around {
        document_id: job.document_id,
        model_version: &job.model_version,
        processing_time_ms: job.processing_time_ms.unwrap_or_default(),
    };
    Ok(Some(result::presented(&service.guests, installed.model(), stored, around).await?))
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
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename_all = "lowercase")]
enum Status {
    Queued,
    Processing,
    Complete,
    Failed,
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
