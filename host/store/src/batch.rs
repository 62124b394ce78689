//! Batches: jobs that are submitted together. Either all of them are queued or none.

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::Store;
use crate::account::Caller;
use crate::database::Columns;
use crate::document::days_after;
use crate::error::StoreError;
use crate::idempotency::{self, Reservation};
use crate::job::{Job, JobStatus, Submission, job_columns, read_job};
use crate::ledger;
use crate::schedule;

/// Jobs that were submitted together.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// The batch's id.
    pub id: Uuid,
    /// The account it belongs to.
    pub account_id: Uuid,
    /// When it was submitted.
    pub submitted_at: DateTime<Utc>,
    /// From then on the batch is not found.
    pub expires_at: DateTime<Utc>,
    /// Its jobs without their results, in the order in which they were submitted.
    pub jobs: Vec<Job>,
}

/// The status of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchStatus {
    /// All of its jobs wait for a worker.
    Queued,
    /// Some of its jobs run or have ended, and at least one has not ended.
    Processing,
    /// All of its jobs have ended, whether complete, failed or cancelled.
    Complete,
    /// All of its jobs were cancelled.
    Cancelled,
}

impl BatchStatus {
    /// Returns the status's name in the API.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Complete => "complete",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Batch {
    /// Maximum jobs of a batch. They are charged and queued in one transaction, and other writers wait for it.
    pub const MAX_JOBS: usize = 100;

    /// Returns how many of its jobs have this status.
    pub fn count(&self, status: JobStatus) -> usize {
        self.jobs.iter().filter(|job| job.status == status).count()
    }

    /// Returns the status of the batch, which follows from those of its jobs.
    pub fn status(&self) -> BatchStatus {
        let jobs = self.jobs.len();
        if self.count(JobStatus::Queued) == jobs {
            BatchStatus::Queued
        } else if self.count(JobStatus::Cancelled) == jobs {
            BatchStatus::Cancelled
        } else if self.jobs.iter().all(|job| job.status.is_final()) {
            BatchStatus::Complete
        } else {
            BatchStatus::Processing
        }
    }
}

impl Store {
    /// Charges the caller and queues all of the jobs, or none of them.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchSize`] when there is no job or more than [`Batch::MAX_JOBS`], and the errors of
    /// [`Store::submit`].
    pub async fn submit_batch(&self, caller: &Caller, submissions: &[Submission]) -> Result<Batch, StoreError> {
        self.submit_batch_answered(caller, submissions, |_| None).await
    }

    /// Like [`Self::submit_batch`], for a request that has reserved an idempotency key. `answer` is as in
    /// [`Self::submit_answered`].
    ///
    /// # Errors
    ///
    /// Those of [`Self::submit_batch`], and [`StoreError::IdempotencyKeyInUse`] when another request holds the key by
    /// now.
    pub async fn submit_batch_answered(
        &self,
        caller: &Caller,
        submissions: &[Submission],
        answer: impl FnOnce(&Batch) -> Option<(Reservation, String)> + Send,
    ) -> Result<Batch, StoreError> {
        if !(1..=Batch::MAX_JOBS).contains(&submissions.len()) {
            return Err(StoreError::BatchSize);
        }
        let now = self.clock.now();
        let mut batch = Batch {
            id: self.new_id(now),
            account_id: caller.account_id,
            submitted_at: now,
            expires_at: days_after(now, self.limits(caller.tier).job_retention_days),
            jobs: Vec::with_capacity(submissions.len()),
        };
        let mut transaction = self.database.write().await?;
        sqlx::query("INSERT INTO batches (id, account_id, submitted_at, expires_at) VALUES ($1, $2, $3, $4)")
            .bind(batch.id.to_string())
            .bind(batch.account_id.to_string())
            .bind(batch.submitted_at.timestamp_micros())
            .bind(batch.expires_at.timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        for submission in submissions {
            batch.jobs.push(self.queue(&mut transaction, caller, submission, Some(batch.id), now).await?);
        }
        schedule::enter(&mut transaction, caller.account_id, now).await?;
        for job in &batch.jobs {
            self.charge(&mut transaction, caller, job).await?;
        }
        if let Some((reservation, answer)) = answer(&batch) {
            idempotency::keep_answer(&mut transaction, &reservation, &answer).await?;
        }
        transaction.commit().await?;
        Ok(batch)
    }

    /// Returns a batch of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchNotFound`], also when it belongs to another account or has expired.
    pub async fn batch(&self, account_id: Uuid, id: Uuid) -> Result<Batch, StoreError> {
        let row = sqlx::query(
            "SELECT id, account_id, submitted_at, expires_at FROM batches
             WHERE id = $1 AND account_id = $2 AND expires_at > $3",
        )
        .bind(id.to_string())
        .bind(account_id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?
        .ok_or(StoreError::BatchNotFound)?;
        let jobs = sqlx::query(concat!(
            "SELECT ",
            job_columns!(without_result),
            ", CAST(NULL AS TEXT) AS result FROM jobs WHERE batch_id = $1 ORDER BY id"
        ))
        .bind(id.to_string())
        .fetch_all(&self.database.reader)
        .await?;
        read_batch(&row, jobs.iter().map(read_job).collect::<Result<_, _>>()?)
    }

    /// Cancels and refunds the jobs of a batch that are still queued.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchNotFound`], also when it belongs to another account or has expired.
    pub async fn cancel_batch(&self, account_id: Uuid, id: Uuid) -> Result<Batch, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        // Two requests that cancel the same batch must not lock its jobs in different orders, so the second waits here.
        let found = sqlx::query(self.database.dialect.row_lock(
            "SELECT id FROM batches WHERE id = $1 AND account_id = $2 AND expires_at > $3",
            "SELECT id FROM batches WHERE id = $1 AND account_id = $2 AND expires_at > $3 FOR UPDATE",
        ))
        .bind(id.to_string())
        .bind(account_id.to_string())
        .bind(now.timestamp_micros())
        .fetch_optional(&mut *transaction)
        .await?;
        if found.is_none() {
            return Err(StoreError::BatchNotFound);
        }
        let cancelled = sqlx::query(
            "UPDATE jobs SET status = 'cancelled', progress = NULL, credits_charged = 0, completed_at = $1
             WHERE batch_id = $2 AND status = 'queued' RETURNING id",
        )
        .bind(now.timestamp_micros())
        .bind(id.to_string())
        .fetch_all(&mut *transaction)
        .await?;
        if !cancelled.is_empty() {
            schedule::leave_if_empty(&mut transaction, self.database.dialect, account_id).await?;
        }
        for row in &cancelled {
            ledger::refund(&mut transaction, self.new_id(now), row.id("id")?, now).await?;
        }
        transaction.commit().await?;
        self.batch(account_id, id).await
    }
}

/// Reads a batch from its row and its jobs.
fn read_batch(row: &AnyRow, jobs: Vec<Job>) -> Result<Batch, StoreError> {
    Ok(Batch {
        id: row.id("id")?,
        account_id: row.id("account_id")?,
        submitted_at: row.time("submitted_at")?,
        expires_at: row.time("expires_at")?,
        jobs,
    })
}
