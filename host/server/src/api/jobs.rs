//! `/v1/jobs`

use std::sync::Arc;
use std::time::Duration;

use fanlight_store::{Job, JobFilter, JobStatus, ListRequest};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::Authenticated;
use crate::api::error::{ApiError, Code};
use crate::domain::job;
use crate::domain::result::PresentError;
use crate::domain::service::Service;
use crate::domain::waiting;
use crate::views::job::{JobSchema, JobSummary, JobView, Status};
use crate::views::values::{Nullable, default_limit};

/// Operations on jobs.
pub(super) struct Jobs;

/// The answer that holds one job.
#[derive(Debug)]
struct JobAnswer(JobView);

impl JobAnswer {
    /// Returns the job as it is now.
    async fn new(job: Job, service: &Service) -> Result<Self, PresentError> {
        Ok(Self(job::view(service, job).await?))
    }
}

impl IntoResponse for JobAnswer {
    fn into_response(self) -> Response {
        match self.0.text() {
            Ok(text) => Response::builder().content_type(Json::<JobSchema>::CONTENT_TYPE).body(text),
            Err(error) => ApiError::new(Code::InternalError, error).response(),
        }
    }
}

impl ApiResponse for JobAnswer {
    fn meta() -> MetaResponses {
        Json::<JobSchema>::meta()
    }

    fn register(registry: &mut Registry) {
        <Json<JobSchema> as ApiResponse>::register(registry);
    }
}

/// Returns a job of an account that is complete.
///
/// # Errors
///
/// [`Code::JobNotComplete`] for another state, [`Code::JobNotFound`] for a job of another account.
pub(super) async fn complete_job(service: &Service, account_id: Uuid, job_id: Uuid) -> Result<Job, ApiError> {
    let job = service.store.job(account_id, job_id).await?;
    if job.status != JobStatus::Complete {
        return Err(ApiError::new(Code::JobNotComplete, format!("the job is {}", job.status)));
    }
    Ok(job)
}

/// A page of jobs.
#[derive(Debug, Object)]
struct JobList {
    /// The jobs, newest first.
    jobs: Vec<JobSummary>,
    /// Value of `cursor` for the next page; null on the last page.
    next_cursor: Nullable<String>,
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
        let jobs = job::summaries(&service, caller.0.account_id, listed.items).await?;
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
        Ok(JobAnswer::new(job, &service).await?)
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
        Ok(JobAnswer::new(job, &service).await?)
    }
}
