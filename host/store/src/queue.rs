//! The queue as workers see it: they claim a job under a lease, extend the lease, and finish the job.
//!
//! The database is the queue. A claim increments the job's `attempt`, which is the fencing token: a worker names its
//! attempt in everything it writes, and is refused once another worker has claimed the job or the job is final. Attempts
//! that were released do not count towards [`MAX_ATTEMPTS`]. Those whose worker died, or let the lease end, do count.
//!
//! Accounts share the workers: see `schedule`. A job whose worker died has had its account's turn already, so it is
//! claimed again before any queued job.
//!
//! A worker claims only jobs whose model version it has installed. So hosts may have different plugins, and be upgraded
//! one by one: a job waits for a host that has its model in its version. A job that waits longer than [`UNWANTED_AFTER`]
//! is failed and refunded by the next worker that looks for a job and lacks its model.

use std::fmt::Write;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Database};
use uuid::Uuid;

use crate::Store;
use crate::database::{Columns, Transaction};
use crate::delivery;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};
use crate::job::{Job, JobStatus, Warning, job_columns, read_job};
use crate::ledger;
use crate::schedule::{self, Rank};

/// A job fails after this many attempts that were not released.
pub const MAX_ATTEMPTS: u32 = 3;

/// A job whose model no worker has is failed this long after its submission.
pub const UNWANTED_AFTER: Duration = Duration::from_hours(24);

/// The error code of failures that the service causes itself. A job that fails with it is refunded.
pub const INTERNAL_ERROR: &str = "INTERNAL_ERROR";

/// The message for [`INTERNAL_ERROR`].
const INTERNAL_ERROR_MESSAGE: &str = "The job failed for an internal reason.";

/// A worker's right to process a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The job.
    pub job_id: Uuid,
    /// The attempt's number, from 1.
    pub attempt: u32,
}

/// A job that a worker has claimed.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The job.
    pub job: Job,
    /// The right to process it.
    pub lease: Lease,
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has a result.
    Complete {
        /// The model's result, JSON text.
        result: String,
        /// The result as clients read it, JSON text; absent where they read the result itself.
        presented: Option<String>,
        /// Reasons why the result may be weaker than it could be.
        warnings: Vec<Warning>,
        /// The job whose stored result this is; absent where the model ran.
        cached_from: Option<Uuid>,
    },
    /// It has an error.
    Failed {
        /// The error code that clients see. [`INTERNAL_ERROR`] refunds the job.
        code: String,
        /// A short, generic sentence.
        message: String,
    },
}

impl Outcome {
    /// Returns the failure with [`INTERNAL_ERROR`], which refunds the job.
    pub fn internal_error() -> Self {
        Self::Failed { code: INTERNAL_ERROR.to_owned(), message: INTERNAL_ERROR_MESSAGE.to_owned() }
    }
}

/// The stored result of an equal submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResult {
    /// The job that the result belongs to.
    pub job_id: Uuid,
    /// The result, JSON text. It names that job's document.
    pub result: String,
    /// The result as clients read it; absent where they read the result itself.
    pub presented: Option<String>,
}

/// A complete job's result as clients read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PresentedResult {
    /// Clients read the stored result itself.
    AsStored,
    /// Clients read this text, in which the model presented the result when the job ended.
    Text(String),
    /// The job ended before presented results were stored.
    Unknown,
}

/// A query that is being built.
type Query<'q> = sqlx::query::Query<'q, Any, <Any as Database>::Arguments>;

/// The queued jobs that a worker may claim or give up: those of its model versions, and those that have waited too long.
pub(crate) struct Claimable<'a> {
    model_versions: &'a [String],
    now: DateTime<Utc>,
    /// A job of any other version is given up if it was queued by then.
    unwanted_before: DateTime<Utc>,
}

impl Claimable<'_> {
    /// Returns the SQL condition on a row of `jobs`. Its parameters are numbered from `first` on.
    pub(crate) fn condition(&self, first: usize) -> String {
        let mut condition = format!("(queued_at <= ${first}");
        for index in 1..=self.model_versions.len() {
            let _ = write!(condition, " OR model_version = ${}", first + index);
        }
        condition + ")"
    }

    /// Returns the time of the claim.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Binds the parameters of the condition.
    pub(crate) fn bind_to<'q>(&self, query: Query<'q>) -> Query<'q> {
        let query = query.bind(self.unwanted_before.timestamp_micros());
        self.model_versions.iter().fold(query, |query, version| query.bind(version.clone()))
    }
}

/// The columns of a job that decide whether it is claimed or given up.
const CLAIM_COLUMNS: &str =
    "id, account_id, model_version, attempt, attempt - given_back AS used_up, processing_started_at";

/// Returns the job to claim or give up next: the oldest one whose lease has ended, else the oldest queued one of the
/// account whose turn it is.
///
/// `lock` is the locking clause of the queries. With `SKIP LOCKED`, two workers that choose the same account at once claim
/// its two oldest jobs.
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

/// Returns the oldest claimable job whose lease has ended.
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

/// Returns the oldest claimable queued job of an account.
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

/// Returns why a job is given up and not claimed, or `None` if a worker with these model versions may claim it.
fn reason_to_give_up(job: &AnyRow, model_versions: &[String]) -> Result<Option<&'static str>, StoreError> {
    if job.count("used_up")? >= u64::from(MAX_ATTEMPTS) {
        return Ok(Some("all of its workers died"));
    }
    if !model_versions.contains(&job.text("model_version")?) {
        return Ok(Some("no worker has its model"));
    }
    Ok(None)
}

/// The number of jobs, of all accounts, that are not final.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OpenJobs {
    /// Jobs that wait for a worker.
    pub queued: u64,
    /// Jobs that a worker has claimed.
    pub processing: u64,
}

impl Store {
    /// Counts the jobs that are not final, over all hosts. For operators.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn open_jobs(&self) -> Result<OpenJobs, StoreError> {
        // Two queries, because each status has an index of its own.
        let row = sqlx::query(
            "SELECT (SELECT COUNT(*) FROM jobs WHERE status = 'queued') AS queued,
                    (SELECT COUNT(*) FROM jobs WHERE status = 'processing') AS processing",
        )
        .fetch_one(&self.database.reader)
        .await?;
        Ok(OpenJobs { queued: row.count("queued")?, processing: row.count("processing")? })
    }

    /// Claims a job of one of these model versions: the oldest one whose lease has ended, else the oldest queued one of
    /// the account that was served longest ago. Returns `None` if there is none. `worker` names the worker in the
    /// database, for operators.
    ///
    /// On the way it fails and refunds jobs that have used up their attempts, that have waited longer than
    /// [`UNWANTED_AFTER`] for another model version, or whose rows can't be read.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn claim(&self, worker: &str, model_versions: &[String]) -> Result<Option<Claim>, StoreError> {
        let unwanted_before = self.clock.now() - UNWANTED_AFTER;
        self.claim_or_give_up(worker, model_versions, unwanted_before).await
    }

    /// Like [`Store::claim`], for a worker that names only some of its models because others can't run at the moment: no
    /// job is given up because its model is missing.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
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
            let reason = if let Some(reason) = reason_to_give_up(&next, model_versions)? {
                reason
            } else {
                lease.attempt += 1;
                match self.begin_attempt(&mut transaction, lease.job_id, worker, now).await {
                    Ok(job) => {
                        commit_claim(transaction, &job).await?;
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
            // In a transaction of its own: the refund has locked the account's credits, and the account's place in the
            // queue must be locked before them.
            self.leave_queue_if_empty(account_id).await?;
        }
        Ok(None)
    }

    /// Returns whether there is a job to claim or give up. Takes no lock, so that idle workers do not disturb writers.
    async fn may_claim(&self, claimable: &Claimable<'_>) -> Result<bool, StoreError> {
        let mut reader = self.database.reader.acquire().await?;
        Ok(oldest_abandoned(&mut reader, claimable, "").await?.is_some()
            || schedule::next_account(&mut reader, claimable, &Rank::before_all()).await?.is_some())
    }

    /// Writes a new attempt and its lease into a job's row, within a transaction.
    async fn begin_attempt(
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

    /// Extends the lease to its full duration from now.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: the worker must stop.
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

    /// Writes what the job is doing, for people.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: the worker must stop.
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

    /// Releases the lease, so that the next worker need not wait until it ends. The attempt does not count towards
    /// [`MAX_ATTEMPTS`].
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when it was released before, another worker has the job, or the job is final.
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

    /// Returns the newest stored result of an equal submission of the same account: one with the same document bytes,
    /// model version, parameters and pages. Returns `None` if the job's submission forbids reuse.
    ///
    /// Not reused are results with warnings, since what was missing may be there by now, and results from before warnings
    /// or presented results were stored.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
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
        row.as_ref().map(read_stored_result).transpose()
    }

    /// Returns a complete job's result as clients read it.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], also when it belongs to another account.
    pub async fn presented_result(&self, account_id: Uuid, id: Uuid) -> Result<PresentedResult, StoreError> {
        let statement = "SELECT presents, presented FROM jobs WHERE id = $1 AND account_id = $2";
        let (id, account_id) = (id.to_string(), account_id.to_string());
        let mut found = self.database.look_up(statement, &[&id, &account_id], |row| read_presented(row)).await?;
        found.pop().ok_or(StoreError::JobNotFound)
    }

    /// Ends the job, and refunds it if it failed with [`INTERNAL_ERROR`]. `took` is the duration of this attempt.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when another worker has the job or the job is final; nothing was written.
    pub async fn finish(&self, lease: &Lease, outcome: &Outcome, took: Duration) -> Result<Job, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        let row = self.end(&mut transaction, lease, outcome, took, now).await?;
        failpoint::reach(Failpoint::JobEnded);
        transaction.commit().await?;
        failpoint::reach(Failpoint::JobFinished);
        read_job(&row)
    }

    /// Ends a job within a transaction: writes its outcome, refunds it and creates its delivery as needed. The lease of a
    /// job that was never claimed has the attempt 0, which no worker has.
    async fn end(
        &self,
        transaction: &mut AnyConnection,
        lease: &Lease,
        outcome: &Outcome,
        took: Duration,
        now: DateTime<Utc>,
    ) -> Result<AnyRow, StoreError> {
        let ending = Ending::from_outcome(outcome);
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
            delivery::create(transaction, self.new_id(now), lease.job_id, now).await?;
        }
        Ok(row)
    }
}

/// Ends the transaction that claims a job. A job's first attempt is its account's turn.
async fn commit_claim(mut transaction: Transaction, job: &Job) -> Result<(), StoreError> {
    failpoint::reach(Failpoint::JobTaken);
    if job.attempt == 1 {
        schedule::serve(&mut transaction, job.account_id).await?;
    }
    transaction.commit().await?;
    failpoint::reach(Failpoint::JobClaimed);
    Ok(())
}

fn read_stored_result(row: &AnyRow) -> Result<StoredResult, StoreError> {
    Ok(StoredResult { job_id: row.id("id")?, result: row.text("result")?, presented: row.optional_text("presented")? })
}

fn read_presented(row: &impl Columns) -> Result<PresentedResult, StoreError> {
    let presents = row.optional_integer("presents")?;
    Ok(match (presents, row.optional_text("presented")?) {
        (Some(0), _) => PresentedResult::AsStored,
        (_, Some(text)) => PresentedResult::Text(text),
        _ => PresentedResult::Unknown,
    })
}

/// The values of the columns that an outcome is kept in.
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
    fn from_outcome(outcome: &'a Outcome) -> Self {
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

/// Fails with [`StoreError::LeaseLost`] if an update under a lease has changed no row.
fn lease_held(rows: u64) -> Result<(), StoreError> {
    if rows == 0 {
        return Err(StoreError::LeaseLost);
    }
    Ok(())
}
