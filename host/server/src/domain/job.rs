//! Jobs with everything that clients read of them.

use fanlight_store::{Job, JobStatus, StoreError};
use uuid::Uuid;

use crate::domain::links::JOB_LINK;
use crate::domain::result::{self, PresentError};
use crate::domain::service::Service;
use crate::views::job::{JobSummary, JobView};

/// Returns a job with its result, as it is now.
pub(crate) async fn view(service: &Service, mut job: Job) -> Result<JobView, PresentError> {
    let result = take_result(service, &mut job).await?;
    let jobs_ahead = match job.status {
        JobStatus::Queued => service.store.jobs_ahead(&job).await?,
        _ => 0,
    };
    Ok(JobView::new(summary(service, job, jobs_ahead), result))
}

/// Returns jobs of one account without their results, in the given order.
pub(crate) async fn summaries(
    service: &Service,
    account_id: Uuid,
    jobs: Vec<Job>,
) -> Result<Vec<JobSummary>, StoreError> {
    let ahead = service.store.jobs_ahead_of_each(account_id, &jobs).await?;
    let with_position = jobs.into_iter().map(|job| (ahead.get(&job.id).copied().unwrap_or(0), job));
    Ok(with_position.map(|(jobs_ahead, job)| summary(service, job, jobs_ahead)).collect())
}

/// Takes the stored result out of a job and presents it to clients. None before the job is complete.
pub(crate) async fn take_result(service: &Service, job: &mut Job) -> Result<Option<String>, PresentError> {
    match job.result.take() {
        Some(stored) => Ok(Some(result::presented(service, job, stored).await?)),
        None => Ok(None),
    }
}

fn summary(service: &Service, job: Job, jobs_ahead: u64) -> JobSummary {
    let pdf_url = service.link_to_source(job.account_id, job.document_id, JOB_LINK);
    JobSummary::new(job, jobs_ahead, pdf_url)
}
