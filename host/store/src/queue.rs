//! The queue as workers see it: claiming under a lease, keeping the lease, finishing.
//!
//! The database is the queue. A claim counts up the job's `attempt`, which is the fence: whatever a worker writes
//! names its attempt and is refused once another claim has been made or the job is final. Attempts that were given back
//! do not count towards [`MAX_ATTEMPTS`]; those whose worker died, or let the lease run out, do.
//!
//! A worker takes up only what it has installed, so hosts may have different plugins, and an upgrade may roll through
//! them: a job waits for a host that has its model in its version. One that waits longer than [`UNWANTED_AFTER`] has
//! none, and is failed and refunded by whoever looks next.

use std::fmt::Write;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Executor};
use uuid::Uuid;

use crate::Store;
use crate::database::Columns;
use crate::delivery;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};
use crate::job::{Job, JobStatus, job_columns, read_job};
use crate::ledger;

/// How often a job is taken up, and not given back, before it fails.
pub const MAX_ATTEMPTS: u32 = 3;

/// How long after its submission a job is failed that nobody who looks for work has the model for.
pub const UNWANTED_AFTER: Duration = Duration::from_hours(24);

/// The error code of failures that are the service's own; a job that fails with it is refunded.
pub const INTERNAL_ERROR: &str = "INTERNAL_ERROR";

/// The message for [`INTERNAL_ERROR`].
const INTERNAL_ERROR_MESSAGE: &str = "The job failed for an internal reason.";

/// A worker's right to a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job_id: Uuid,
    /// Which attempt at it this is, from 1.
    pub attempt: u32,
}

/// A job under a lease.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The job.
    pub job: Job,
    /// The right to it.
    pub lease: Lease,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With a result.
    Complete {
        /// The model's result, JSON text.
        result: String,
        /// The job whose stored result this is, when it was reused.
        cached_from: Option<Uuid>,
    },
    /// With an error.
    Failed {
        /// The error code that clients see. [`INTERNAL_ERROR`] refunds the job.
        code: String,
        /// A short, generic sentence.
        message: String,
    },
}

impl Outcome {
    /// A failure of the service's own making: refunded.
    pub fn internal_error() -> Self {
        Self::Failed { code: INTERNAL_ERROR.to_owned(), message: INTERNAL_ERROR_MESSAGE.to_owned() }
    }
}

/// The stored result of an equal submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The job it is the result of.
    pub job_id: Uuid,
    /// The result, JSON text. It names that job's document.
    pub result: String,
}

/// What a worker of these model versions may take up or end: the oldest open job that nobody holds a lease of at time
/// `$1`, and that is for one of the versions, or came before `$2`, or was taken up `$3` times.
fn oldest_unheld(model_versions: usize, lock: &str) -> AssertSqlSafe<String> {
    let mut versions = String::new();
    for index in 0..model_versions {
        let _ = write!(versions, "model_version = ${} OR ", FIRST_VERSION + index);
    }
    AssertSqlSafe(format!(
        "SELECT id, model_version, attempt, attempt - given_back AS used_up, processing_started_at FROM jobs
         WHERE status IN ('queued', 'processing') AND (lease_until IS NULL OR lease_until <= $1)
         AND ({versions}queued_at <= $2 OR attempt - given_back >= $3) ORDER BY queued_at, id LIMIT 1{lock}"
    ))
}

/// The number of the first version's parameter in [`oldest_unheld`].
const FIRST_VERSION: usize = 4;

/// How many jobs of all accounts are not final.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenJobs {
    /// They wait.
    pub queued: u64,
    /// They run.
    pub processing: u64,
}

impl Store {
    /// How many jobs wait and run now, over all hosts: for operators.
    pub async fn open_jobs(&self) -> Result<OpenJobs, StoreError> {
        let rows = sqlx::query(
            "SELECT status, COUNT(*) AS jobs FROM jobs WHERE status IN ('queued', 'processing') GROUP BY status",
        )
        .fetch_all(&self.database.reader)
        .await?;
        let mut open = OpenJobs::default();
        for row in &rows {
            match row.word("status", "job status")? {
                JobStatus::Queued => open.queued = row.count("jobs")?,
                _ => open.processing = row.count("jobs")?,
            }
        }
        Ok(open)
    }

    /// Takes up the oldest job that waits, or whose worker let its lease end, and that is for one of these model
    /// versions. On the way, jobs that used up their attempts or that nobody has the model for are failed and refunded,
    /// and so is one whose row can't be read. `worker` names the worker in the database, for operators.
    pub async fn claim(&self, worker: &str, model_versions: &[String]) -> Result<Option<Claim>, StoreError> {
        let unwanted_before = self.clock.now() - UNWANTED_AFTER;
        self.claim_or_give_up(worker, model_versions, unwanted_before).await
    }

    /// As [`Store::claim`], for a worker that has more models than those it can run at the moment: no job is given up
    /// for want of its model.
    pub async fn claim_ready(&self, worker: &str, model_versions: &[String]) -> Result<Option<Claim>, StoreError> {
        self.claim_or_give_up(worker, model_versions, DateTime::UNIX_EPOCH).await
    }

    async fn claim_or_give_up(
        &self,
        worker: &str,
        model_versions: &[String],
        unwanted_before: DateTime<Utc>,
    ) -> Result<Option<Claim>, StoreError> {
        let now = self.clock.now();
        while self.oldest(&self.database.reader, model_versions, "", now, unwanted_before).await?.is_some() {
            let mut transaction = self.database.write().await?;
            let lock = self.database.dialect.row_lock("", " FOR UPDATE SKIP LOCKED");
            let Some(oldest) = self.oldest(&mut *transaction, model_versions, lock, now, unwanted_before).await? else {
                break;
            };
            let mut lease = Lease { job_id: oldest.id("id")?, attempt: oldest.count("attempt")? as u32 };
            let reason = if oldest.count("used_up")? >= u64::from(MAX_ATTEMPTS) {
                "its workers all died"
            } else if !model_versions.contains(&oldest.text("model_version")?) {
                "no worker has its model"
            } else {
                lease.attempt += 1;
                match self.take_up(&mut transaction, lease.job_id, worker, now).await {
                    Ok(job) => {
                        failpoint::reach(Failpoint::JobTaken);
                        transaction.commit().await?;
                        failpoint::reach(Failpoint::JobClaimed);
                        return Ok(Some(Claim { job, lease }));
                    }
                    Err(StoreError::Corrupt { .. }) => "its row can't be read",
                    Err(other) => return Err(other),
                }
            };
            let started = oldest.optional_time("processing_started_at")?.unwrap_or(now);
            let took = (now - started).to_std().unwrap_or_default();
            self.end(&mut transaction, &lease, &Outcome::internal_error(), took, now).await?;
            transaction.commit().await?;
            tracing::warn!(job = %lease.job_id, attempts = lease.attempt, reason, "gave up a job");
        }
        Ok(None)
    }

    /// What [`oldest_unheld`] finds; without a lock, so that idle workers do not disturb those who write.
    async fn oldest(
        &self,
        executor: impl Executor<'_, Database = Any>,
        model_versions: &[String],
        lock: &str,
        now: DateTime<Utc>,
        unwanted_before: DateTime<Utc>,
    ) -> Result<Option<AnyRow>, StoreError> {
        let mut query = sqlx::query(oldest_unheld(model_versions.len(), lock))
            .bind(now.timestamp_micros())
            .bind(unwanted_before.timestamp_micros())
            .bind(i64::from(MAX_ATTEMPTS));
        for version in model_versions {
            query = query.bind(version.clone());
        }
        Ok(query.fetch_optional(executor).await?)
    }

    async fn take_up(
        &self,
        transaction: &mut AnyConnection,
        job_id: Uuid,
        worker: &str,
        now: DateTime<Utc>,
    ) -> Result<Job, StoreError> {
        let row = sqlx::query(concat!(
            "UPDATE jobs SET status = 'processing', attempt = attempt + 1, lease_owner = $2, lease_until = $3, ",
            "processing_started_at = COALESCE(processing_started_at, $4), progress = NULL WHERE id = $1 RETURNING ",
            job_columns!()
        ))
        .bind(job_id.to_string())
        .bind(worker)
        .bind((now + self.lease).timestamp_micros())
        .bind(now.timestamp_micros())
        .fetch_one(&mut *transaction)
        .await?;
        read_job(&row)
    }

    /// Extends the lease to a whole one from now.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: stop working on it.
    pub async fn heartbeat(&self, lease: &Lease) -> Result<(), StoreError> {
        let lease_until = self.clock.now() + self.lease;
        let held =
            sqlx::query("UPDATE jobs SET lease_until = $1 WHERE id = $2 AND attempt = $3 AND status = 'processing'")
                .bind(lease_until.timestamp_micros())
                .bind(lease.job_id.to_string())
                .bind(i64::from(lease.attempt))
                .execute(self.database.writer())
                .await?;
        lease_held(held.rows_affected())
    }

    /// Says what the job is doing, for people.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: stop working on it.
    pub async fn report_progress(&self, lease: &Lease, progress: &str) -> Result<(), StoreError> {
        let held =
            sqlx::query("UPDATE jobs SET progress = $1 WHERE id = $2 AND attempt = $3 AND status = 'processing'")
                .bind(progress)
                .bind(lease.job_id.to_string())
                .bind(i64::from(lease.attempt))
                .execute(self.database.writer())
                .await?;
        lease_held(held.rows_affected())
    }

    /// Lets the lease end now, so that the next worker need not wait for it. The attempt does not count.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: there is nothing to give back.
    pub async fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let released = sqlx::query(
            "UPDATE jobs SET lease_until = $1, lease_owner = NULL, given_back = given_back + 1
             WHERE id = $2 AND attempt = $3 AND status = 'processing' AND lease_owner IS NOT NULL",
        )
        .bind(self.clock.now().timestamp_micros())
        .bind(lease.job_id.to_string())
        .bind(i64::from(lease.attempt))
        .execute(self.database.writer())
        .await?;
        lease_held(released.rows_affected())
    }

    /// The newest stored result of an equal submission in the same account: same document bytes, model version,
    /// parameters and pages. None when the job's submission forbids its use.
    pub async fn stored_result(&self, job: &Job) -> Result<Option<StoredResult>, StoreError> {
        if !job.reuse {
            return Ok(None);
        }
        let row = sqlx::query(
            "SELECT stored.id, stored.result FROM jobs wanted JOIN jobs stored
             ON stored.account_id = wanted.account_id AND stored.document_sha256 = wanted.document_sha256
             AND stored.model_version = wanted.model_version AND stored.parameters = wanted.parameters
             AND stored.pages IS NOT DISTINCT FROM wanted.pages
             WHERE wanted.id = $1 AND stored.status = 'complete' AND stored.cached_from IS NULL
             AND stored.expires_at > $2 ORDER BY stored.id DESC LIMIT 1",
        )
        .bind(job.id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?;
        row.map(|row| Ok(StoredResult { job_id: row.id("id")?, result: row.text("result")? })).transpose()
    }

    /// Ends the job, and refunds it when it failed with [`INTERNAL_ERROR`]. `took` is the time of this attempt.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: nothing was written.
    pub async fn finish(&self, lease: &Lease, outcome: &Outcome, took: Duration) -> Result<Job, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        let row = self.end(&mut transaction, lease, outcome, took, now).await?;
        failpoint::reach(Failpoint::JobEnded);
        transaction.commit().await?;
        failpoint::reach(Failpoint::JobFinished);
        read_job(&row)
    }

    /// Everything that belongs to a job's end, in the transaction that ends it. A job that was never taken up has the
    /// attempt 0, which is no worker's.
    async fn end(
        &self,
        transaction: &mut AnyConnection,
        lease: &Lease,
        outcome: &Outcome,
        took: Duration,
        now: DateTime<Utc>,
    ) -> Result<AnyRow, StoreError> {
        let ending = Ending::of(outcome);
        let row = sqlx::query(concat!(
            "UPDATE jobs SET status = $4, result = $5, cached_from = $6, error_code = $7, error_message = $8, ",
            "credits_charged = credits_charged * $9, progress = NULL, completed_at = $3, processing_time_ms = $10, ",
            "lease_owner = NULL, lease_until = NULL WHERE id = $1 AND attempt = $2 AND status IN ('queued', 'processing') ",
            "RETURNING ",
            job_columns!()
        ))
        .bind(lease.job_id.to_string())
        .bind(i64::from(lease.attempt))
        .bind(now.timestamp_micros())
        .bind(ending.status.as_str())
        .bind(ending.result)
        .bind(ending.cached_from.map(|id| id.to_string()))
        .bind(ending.error_code)
        .bind(ending.error_message)
        .bind(i64::from(!ending.refunded))
        .bind(i64::try_from(took.as_millis()).unwrap_or(i64::MAX))
        .fetch_optional(&mut *transaction)
        .await?
        .ok_or(StoreError::LeaseLost)?;
        if ending.refunded {
            ledger::refund(transaction, self.new_id(now), lease.job_id, now).await?;
        }
        if row.optional_text("webhook_url")?.is_some() {
            delivery::make(transaction, self.new_id(now), lease.job_id, now).await?;
        }
        Ok(row)
    }
}

/// An outcome as the columns it is kept in.
struct Ending<'a> {
    status: JobStatus,
    result: Option<&'a str>,
    cached_from: Option<Uuid>,
    error_code: Option<&'a str>,
    error_message: Option<&'a str>,
    refunded: bool,
}

impl<'a> Ending<'a> {
    fn of(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Complete { result, cached_from } => Self {
                status: JobStatus::Complete,
                result: Some(result),
                cached_from: *cached_from,
                error_code: None,
                error_message: None,
                refunded: false,
            },
            Outcome::Failed { code, message } => Self {
                status: JobStatus::Failed,
                result: None,
                cached_from: None,
                error_code: Some(code),
                error_message: Some(message),
                refunded: code == INTERNAL_ERROR,
            },
        }
    }
}

fn lease_held(rows: u64) -> Result<(), StoreError> {
    if rows == 0 {
        return Err(StoreError::LeaseLost);
    }
    Ok(())
}
