//! Batches: jobs that are submitted together, all of them or none.

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

/// A batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Its id.
    pub id: Uuid,
    /// The account it belongs to.
    pub account_id: Uuid,
    /// When it was submitted.
    pub submitted_at: DateTime<Utc>,
    /// From when on it is not found.
    pub expires_at: DateTime<Utc>,
    /// Its jobs without their results, in the order in which they were submitted.
    pub jobs: Vec<Job>,
}

/// Where a batch stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchStatus {
    /// All of its jobs wait for a worker.
    Queued,
    /// Some of its jobs are being worked on or have ended, and some have not.
    Processing,
    /// All of its jobs have ended, one way or another.
    Complete,
    /// All of its jobs were cancelled.
    Cancelled,
}

impl BatchStatus {
    /// The name used in the API.
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
    /// Most jobs of a batch: they are charged and queued in one transaction, for which others wait.
    pub const MOST: usize = 100;

    /// How many of its jobs stand so.
    pub fn count(&self, status: JobStatus) -> usize {
        self.jobs.iter().filter(|job| job.status == status).count()
    }

    /// Where it stands.
    pub fn status(&self) -> BatchStatus {
        let all = |of: fn(JobStatus) -> bool| self.jobs.iter().all(|job| of(job.status));
        if all(|status| status == JobStatus::Queued) {
            BatchStatus::Queued
        } else if all(|status| status == JobStatus::Cancelled) {
            BatchStatus::Cancelled
        } else if all(JobStatus::is_final) {
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
    /// [`StoreError::BatchSize`] when there is no job or more than [`Batch::MOST`]; else those of [`Store::submit`].
    pub async fn submit_batch(&self, caller: &Caller, submissions: &[Submission]) -> Result<Batch, StoreError> {
        self.submit_batch_answered(caller, submissions, |_| None).await
    }

    /// As [`Self::submit_batch`], with the answer that is kept: see [`Self::submit_answered`].
    pub async fn submit_batch_answered(
        &self,
        caller: &Caller,
        submissions: &[Submission],
        answer: impl FnOnce(&Batch) -> Option<(Reservation, String)> + Send,
    ) -> Result<Batch, StoreError> {
        if !(1..=Batch::MOST).contains(&submissions.len()) {
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

    /// A batch of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchNotFound`], also when it is someone else's or has expired.
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

    /// Cancels what is still queued of a batch, and refunds it.
    ///
    /// # Errors
    ///
    /// [`StoreError::BatchNotFound`].
    pub async fn cancel_batch(&self, account_id: Uuid, id: Uuid) -> Result<Batch, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        // Whoever cancels the same batch waits here, so that the two don't lock its jobs in different orders.
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

fn read_batch(row: &AnyRow, jobs: Vec<Job>) -> Result<Batch, StoreError> {
    Ok(Batch {
        id: row.id("id")?,
        account_id: row.id("account_id")?,
        submitted_at: row.time("submitted_at")?,
        expires_at: row.time("expires_at")?,
        jobs,
    })
}
