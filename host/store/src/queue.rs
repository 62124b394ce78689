//! The queue as workers see it: claiming under a lease, keeping the lease, finishing.
//!
//! The database is the queue. A claim counts up the job's `attempt`, which is the fence: whatever a worker writes
//! names its attempt and is refused once another claim has been made or the job is final. Attempts that were given back
//! do not count towards [`MAX_ATTEMPTS`]; those whose worker died, or let the lease run out, do.
//!
//! Accounts share the workers: see `schedule`. A job whose worker died has had its account's turn already, so it is
//! claimed again before any queued one.
//!
//! A worker takes up only what it has installed, so hosts may have different plugins, and an upgrade may roll through
//! them: a job waits for a host that has its model in its version. One that waits longer than [`UNWANTED_AFTER`] has
//! none, and is failed and refunded by whoever looks next.

use std::fmt::Write;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Database};
use uuid::Uuid;

use crate::Store;
use crate::database::Columns;
use crate::delivery;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};
use crate::job::{Job, JobStatus, Warning, job_columns, read_job};
use crate::ledger;
use crate::schedule::{self, Rank};

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
        /// What clients read of it, JSON text; none where they read the result itself.
        presented: Option<String>,
        /// Why it may be weaker than it could be.
        warnings: Vec<Warning>,
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
    /// What clients read of it, where that is another text.
    pub presented: Option<String>,
}

/// What clients read of a complete job's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentedResult {
    /// The result itself.
    AsStored,
    /// This text, as the model presented the result when the job ended.
    Text(String),
    /// It was not noted yet when the job ended.
    Unknown,
}

/// A query that is being built.
type Query<'q> = sqlx::query::Query<'q, Any, <Any as Database>::Arguments>;

/// Which queued jobs a worker may claim or end: those of its model versions, and those that nobody wanted for too long.
pub(crate) struct Claimable<'a> {
    model_versions: &'a [String],
    now: DateTime<Utc>,
    /// A job that was queued by then is given up if none of the versions is its own.
    unwanted_before: DateTime<Utc>,
}

impl Claimable<'_> {
    /// Returns the condition on a row of `jobs`. Its parameters are numbered from `first` on.
    pub(crate) fn condition(&self, first: usize) -> String {
        let mut condition = format!("(queued_at <= ${first}");
        for index in 1..=self.model_versions.len() {
            let _ = write!(condition, " OR model_version = ${}", first + index);
        }
        condition + ")"
    }

    /// When the worker asks.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Binds the parameters of the condition.
    pub(crate) fn bind_to<'q>(&self, query: Query<'q>) -> Query<'q> {
        let query = query.bind(self.unwanted_before.timestamp_micros());
        self.model_versions.iter().fold(query, |query, version| query.bind(version.clone()))
    }
}

/// What a claim reads of a job before it claims or ends it.
const CLAIM_COLUMNS: &str =
    "id, account_id, model_version, attempt, attempt - given_back AS used_up, processing_started_at";

/// Returns the job to claim or end next: the oldest one whose worker let its lease end, else the oldest queued one of
/// the account whose turn it is.
///
/// Rows that others have locked are passed over where `lock` says so. Two workers that choose the same account at once
/// claim its two oldest jobs.
async fn next_job(
    connection: &mut AnyConnection,
    claimable: &Claimable<'_>,
    lock: &str,
) -> Result<Option<AnyRow>, StoreError> {
    if let Some(abandoned) = oldest_abandoned(connection, claimable, lock).await? {
        return Ok(Some(abandoned));
    }
    let mut rank = Rank::before_all();
    while let Some(account) = schedule::next_account(connection, claimable, &rank).await? {
        if let Some(job) = oldest_queued(connection, claimable, account.account_id(), lock).await? {
            return Ok(Some(job));
        }
        rank = account;
    }
    Ok(None)
}

async fn oldest_abandoned(
    connection: &mut AnyConnection,
    claimable: &Claimable<'_>,
    lock: &str,
) -> Result<Option<AnyRow>, StoreError> {
    let statement = format!(
        "SELECT {CLAIM_COLUMNS} FROM jobs WHERE status = 'processing' AND (lease_until IS NULL OR lease_until <= $1)
         AND (attempt - given_back >= $2 OR {}) ORDER BY queued_at, id LIMIT 1{lock}",
        claimable.condition(3)
    );
    let query =
        sqlx::query(AssertSqlSafe(statement)).bind(claimable.now.timestamp_micros()).bind(i64::from(MAX_ATTEMPTS));
    Ok(claimable.bind_to(query).fetch_optional(connection).await?)
}

async fn oldest_queued(
    connection: &mut AnyConnection,
    claimable: &Claimable<'_>,
    account_id: &str,
    lock: &str,
) -> Result<Option<AnyRow>, StoreError> {
    let statement = format!(
        "SELECT {CLAIM_COLUMNS} FROM jobs WHERE account_id = $1 AND status = 'queued'
         AND {} ORDER BY queued_at, id LIMIT 1{lock}",
        claimable.condition(2)
    );
    let query = sqlx::query(AssertSqlSafe(statement)).bind(account_id.to_owned());
    Ok(claimable.bind_to(query).fetch_optional(connection).await?)
}

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
        // One count an index.
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM jobs WHERE status = 'queued') AS queued,
                    (SELECT COUNT(*) FROM jobs WHERE status = 'processing') AS processing",
        )
        .fetch_one(&self.database.reader)
        .await?;
        Ok(OpenJobs { queued: row.count("queued")?, processing: row.count("processing")? })
    }

    /// Claims a job for one of these model versions: one whose worker let its lease end, else the oldest queued one of
    /// the account that was served longest ago. On the way, jobs that used up their attempts or that nobody has the
    /// model for are failed and refunded, and so is one whose row can't be read. `worker` names the worker in the
    /// database, for operators.
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
        let claimable = Claimable { model_versions, now, unwanted_before };
        while self.may_claim(&claimable).await? {
            let mut transaction = self.database.write().await?;
            let lock = self.database.dialect.row_lock("", " FOR UPDATE SKIP LOCKED");
            let Some(next) = next_job(&mut transaction, &claimable, lock).await? else {
                break;
            };
            let account_id = next.id("account_id")?;
            let mut lease = Lease { job_id: next.id("id")?, attempt: next.count("attempt")? as u32 };
            let reason = if next.count("used_up")? >= u64::from(MAX_ATTEMPTS) {
                "its workers all died"
            } else if !model_versions.contains(&next.text("model_version")?) {
                "no worker has its model"
            } else {
                lease.attempt += 1;
                match self.take_up(&mut transaction, lease.job_id, worker, now).await {
                    Ok(job) => {
                        failpoint::reach(Failpoint::JobTaken);
                        if lease.attempt == 1 {
                            schedule::serve(&mut transaction, account_id).await?;
                        }
                        transaction.commit().await?;
                        failpoint::reach(Failpoint::JobClaimed);
                        return Ok(Some(Claim { job, lease }));
                    }
                    Err(StoreError::Corrupt { .. }) => "its row can't be read",
                    Err(other) => return Err(other),
                }
            };
            let started = next.optional_time("processing_started_at")?.unwrap_or(now);
            let took = (now - started).to_std().unwrap_or_default();
            self.end(&mut transaction, &lease, &Outcome::internal_error(), took, now).await?;
            transaction.commit().await?;
            tracing::warn!(job = %lease.job_id, attempts = lease.attempt, reason, "gave up a job");
            // By itself: the refund has locked the account's credits, which are locked after its place in the queue.
            self.leave_queue_if_empty(account_id).await?;
        }
        Ok(None)
    }

    /// Whether there is a job to claim or end. Without a lock, so that idle workers do not disturb those who write.
    async fn may_claim(&self, claimable: &Claimable<'_>) -> Result<bool, StoreError> {
        let mut reader = self.database.reader.acquire().await?;
        Ok(oldest_abandoned(&mut reader, claimable, "").await?.is_some()
            || schedule::next_account(&mut reader, claimable, &Rank::before_all()).await?.is_some())
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
    /// parameters and pages. None when the job's submission forbids its use. Results from before what clients read of
    /// them was stored are not used again.
    ///
    /// A result with warnings is not used again: what was missing may be there by now. Nor is one from before warnings were kept.
    pub async fn stored_result(&self, job: &Job) -> Result<Option<StoredResult>, StoreError> {
        if !job.reuse {
            return Ok(None);
        }
        let row = sqlx::query(
            "SELECT stored.id, stored.result, stored.presented FROM jobs wanted JOIN jobs stored
             ON stored.account_id = wanted.account_id AND stored.document_sha256 = wanted.document_sha256
             AND stored.model_version = wanted.model_version AND stored.parameters = wanted.parameters
             AND stored.pages IS NOT DISTINCT FROM wanted.pages
             WHERE wanted.id = $1 AND stored.status = 'complete' AND stored.cached_from IS NULL
             AND stored.presents IS NOT NULL AND stored.warnings = '[]'
             AND stored.expires_at > $2 ORDER BY stored.id DESC LIMIT 1",
        )
        .bind(job.id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?;
        let read = |row: AnyRow| -> Result<StoredResult, StoreError> {
            let (result, presented) = (row.text("result")?, row.optional_text("presented")?);
            Ok(StoredResult { job_id: row.id("id")?, result, presented })
        };
        row.map(read).transpose()
    }

    /// What clients read of a complete job's result.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], also when it is someone else's.
    pub async fn presented_result(&self, account_id: Uuid, id: Uuid) -> Result<PresentedResult, StoreError> {
        let statement = "SELECT presents, presented FROM jobs WHERE id = $1 AND account_id = $2";
        let (id, account_id) = (id.to_string(), account_id.to_string());
        let mut found = self.database.find(statement, &[&id, &account_id], |row| read_presented(row)).await?;
        found.pop().ok_or(StoreError::JobNotFound)
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
            "presents = $11, presented = $12, warnings = $13, lease_owner = NULL, lease_until = NULL ",
            "WHERE id = $1 AND attempt = $2 AND status IN ('queued', 'processing') ",
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
        .bind(ending.result.map(|_| i64::from(ending.presented.is_some())))
        .bind(ending.presented)
        .bind(ending.warnings)
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

fn read_presented(row: &impl Columns) -> Result<PresentedResult, StoreError> {
    let presents = row.optional_integer("presents")?;
    Ok(match (presents, row.optional_text("presented")?) {
        (Some(0), _) => PresentedResult::AsStored,
        (_, Some(text)) => PresentedResult::Text(text),
        _ => PresentedResult::Unknown,
    })
}

/// An outcome as the columns it is kept in.
struct Ending<'a> {
    status: JobStatus,
    result: Option<&'a str>,
    presented: Option<&'a str>,
    warnings: Option<String>,
    cached_from: Option<Uuid>,
    error_code: Option<&'a str>,
    error_message: Option<&'a str>,
    refunded: bool,
}

impl<'a> Ending<'a> {
    fn of(outcome: &'a Outcome) -> Self {
        match outcome {
            Outcome::Complete { result, presented, warnings, cached_from } => Self {
                status: JobStatus::Complete,
                result: Some(result),
                presented: presented.as_deref(),
                warnings: Some(serde_json::json!(warnings).to_string()),
                cached_from: *cached_from,
                error_code: None,
                error_message: None,
                refunded: false,
            },
            Outcome::Failed { code, message } => Self {
                status: JobStatus::Failed,
                result: None,
                presented: None,
                warnings: None,
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
