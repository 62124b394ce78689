//! The queue as workers see it: claiming under a lease, keeping the lease, finishing.
//!
//! The database is the queue. A claim counts up the job's `attempt`, which is the fence: whatever a worker writes
//! names its attempt and is refused once another claim has been made or the job is final.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{Any, Transaction};
use uuid::Uuid;

use crate::Store;
use crate::database::Columns;
use crate::error::StoreError;
use crate::job::{Job, JobStatus, job_columns, read_job};
use crate::ledger;

/// How often a job is taken up before it fails.
pub const MAX_ATTEMPTS: u32 = 3;

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

/// The oldest open job that nobody holds a lease of at time `$1`.
macro_rules! oldest_unheld {
    ($lock:literal) => {
        concat!(
            "SELECT id, attempt, processing_started_at FROM jobs WHERE status IN ('queued', 'processing') ",
            "AND (lease_until IS NULL OR lease_until <= $1) ORDER BY queued_at, id LIMIT 1",
            $lock
        )
    };
}

impl Store {
    /// Takes up the oldest job that waits or whose worker let its lease end. On the way, jobs whose last attempt
    /// ended so are failed and refunded. `worker` names the worker in the database, for operators.
    pub async fn claim(&self, worker: &str) -> Result<Option<Claim>, StoreError> {
        let now = self.clock.now();
        while self.anything_to_claim(now).await? {
            let mut transaction = self.database.write().await?;
            let query = self.database.dialect.row_lock(oldest_unheld!(""), oldest_unheld!(" FOR UPDATE SKIP LOCKED"));
            let oldest = sqlx::query(query).bind(now.timestamp_micros()).fetch_optional(&mut *transaction).await?;
            let Some(oldest) = oldest else {
                break;
            };
            let ended = Lease { job_id: oldest.id("id")?, attempt: oldest.count("attempt")? as u32 };
            if ended.attempt < MAX_ATTEMPTS {
                let claim = self.take_up(&mut transaction, ended.job_id, worker, now).await?;
                transaction.commit().await?;
                return Ok(Some(claim));
            }
            let started = oldest.optional_time("processing_started_at")?.unwrap_or(now);
            let took = (now - started).to_std().unwrap_or_default();
            self.end(&mut transaction, &ended, &Outcome::internal_error(), took, now).await?;
            transaction.commit().await?;
            tracing::warn!(job = %ended.job_id, attempts = MAX_ATTEMPTS, "gave up a job whose workers all died");
        }
        Ok(None)
    }

    /// A look without locks, so that idle workers do not disturb those who write.
    async fn anything_to_claim(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let found = sqlx::query(
            "SELECT id FROM jobs WHERE status IN ('queued', 'processing')
             AND (lease_until IS NULL OR lease_until <= $1) LIMIT 1",
        )
        .bind(now.timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?;
        Ok(found.is_some())
    }

    async fn take_up(
        &self,
        transaction: &mut Transaction<'static, Any>,
        job_id: Uuid,
        worker: &str,
        now: DateTime<Utc>,
    ) -> Result<Claim, StoreError> {
        let row = sqlx::query(concat!(
            "UPDATE jobs SET status = 'processing', attempt = attempt + 1, lease_owner = $2, lease_until = $3, ",
            "processing_started_at = COALESCE(processing_started_at, $4), progress = NULL WHERE id = $1 RETURNING ",
            job_columns!()
        ))
        .bind(job_id.to_string())
        .bind(worker)
        .bind((now + self.lease).timestamp_micros())
        .bind(now.timestamp_micros())
        .fetch_one(&mut **transaction)
        .await?;
        let job = read_job(&row)?;
        let lease = Lease { job_id, attempt: job.attempt };
        Ok(Claim { job, lease })
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

    /// Lets the lease end now, so that the next worker need not wait for it; the attempt counts.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: there is nothing to give back.
    pub async fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let held =
            sqlx::query("UPDATE jobs SET lease_until = $1 WHERE id = $2 AND attempt = $3 AND status = 'processing'")
                .bind(self.clock.now().timestamp_micros())
                .bind(lease.job_id.to_string())
                .bind(i64::from(lease.attempt))
                .execute(self.database.writer())
                .await?;
        lease_held(held.rows_affected())
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
        let job = self.end(&mut transaction, lease, outcome, took, now).await?;
        transaction.commit().await?;
        Ok(job)
    }

    /// Everything that belongs to a job's end, in the transaction that ends it.
    async fn end(
        &self,
        transaction: &mut Transaction<'static, Any>,
        lease: &Lease,
        outcome: &Outcome,
        took: Duration,
        now: DateTime<Utc>,
    ) -> Result<Job, StoreError> {
        let ending = Ending::of(outcome);
        let row = sqlx::query(concat!(
            "UPDATE jobs SET status = $4, result = $5, cached_from = $6, error_code = $7, error_message = $8, ",
            "credits_charged = credits_charged * $9, progress = NULL, completed_at = $3, processing_time_ms = $10, ",
            "lease_owner = NULL, lease_until = NULL WHERE id = $1 AND attempt = $2 AND status = 'processing' ",
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
        .fetch_optional(&mut **transaction)
        .await?
        .ok_or(StoreError::LeaseLost)?;
        if ending.refunded {
            ledger::refund(transaction, self.new_id(now), lease.job_id, now).await?;
        }
        read_job(&row)
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
