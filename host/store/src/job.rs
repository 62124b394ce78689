//! Jobs as clients see them: submitting, reading and cancelling. What workers do with them is in [`crate::queue`].

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe};
use uuid::Uuid;

use crate::Store;
use crate::account::Caller;
use crate::database::Columns;
use crate::direct::Version;
use crate::document::days_after;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};
use crate::idempotency::{self, Reservation};
use crate::ledger::{self, Charge};
use crate::listing::{ListPage, ListRequest, Listed};
use crate::schedule;
use crate::tier::Tier;

/// The status of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobStatus {
    /// It waits for a worker, and can be cancelled.
    Queued,
    /// A worker holds its lease, or held it and died.
    Processing,
    /// Final: it has a result.
    Complete,
    /// Final: it has an error code.
    Failed,
    /// Final: it was cancelled while it was queued.
    Cancelled,
}

impl JobStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Queued, Self::Processing, Self::Complete, Self::Failed, Self::Cancelled];

    /// Returns the status's name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Returns whether the status can't change any more.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Complete | Self::Failed | Self::Cancelled)
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The word is not a job status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a job status")]
pub struct UnknownStatus(String);

impl FromStr for JobStatus {
    type Err = UnknownStatus;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|status| status.as_str() == word).ok_or_else(|| UnknownStatus(word.to_owned()))
    }
}

/// A run of a model over a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The job's id; later jobs have greater ones.
    pub id: Uuid,
    /// The account it belongs to.
    pub account_id: Uuid,
    /// The key that submitted it.
    pub key_id: Uuid,
    /// The tier that the key acted with.
    pub tier: Tier,
    /// The document it works on.
    pub document_id: Uuid,
    /// The SHA-256 of that document in lower-case hex.
    pub document_sha256: String,
    /// The model's name.
    pub model: String,
    /// The model's version, `<model>-v<major>.<minor>.<patch>`.
    pub model_version: String,
    /// The model's parameters: a JSON object, its keys sorted.
    pub parameters: Value,
    /// The requested pages, 1-based as submitted; all pages when absent.
    pub pages: Option<Vec<u32>>,
    /// Whether a stored result of an equal submission may be used as its result.
    pub reuse: bool,
    /// The job's status.
    pub status: JobStatus,
    /// What the job is doing, for people; only while it is processing.
    pub progress: Option<String>,
    /// The model's result as stored, JSON text; only when complete.
    pub result: Option<String>,
    /// The error code of a failed job.
    pub error_code: Option<String>,
    /// A short, generic sentence for the error code.
    pub error_message: Option<String>,
    /// The job's price in credits; 0 once refunded.
    pub credits_charged: u32,
    /// Reasons why the result may be weaker than it could be; only when complete.
    pub warnings: Vec<Warning>,
    /// The job whose stored result it reuses.
    pub cached_from: Option<Uuid>,
    /// The address to post the job to when it is complete or failed.
    pub webhook_url: Option<String>,
    /// When a receiver first accepted it there.
    pub webhook_delivered_at: Option<DateTime<Utc>>,
    /// When it was submitted.
    pub queued_at: DateTime<Utc>,
    /// When a worker first claimed it.
    pub processing_started_at: Option<DateTime<Utc>>,
    /// When it became final.
    pub completed_at: Option<DateTime<Utc>>,
    /// Duration of its last attempt, in milliseconds.
    pub processing_time_ms: Option<u64>,
    /// From then on the job is not found.
    pub expires_at: DateTime<Utc>,
    /// How many times workers have claimed it.
    pub attempt: u32,
}

/// A reason why a result may be weaker than it could be: something that its model requested was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The reason as a code, for programs.
    pub code: String,
    /// The reason as a sentence, for people.
    pub message: String,
}

/// A client's request for a job, after validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// The model's name.
    pub model: String,
    /// The model's version, `<model>-v<major>.<minor>.<patch>`.
    pub model_version: String,
    /// The model's parameters, a JSON object.
    pub parameters: Value,
    /// The requested pages, 1-based; all pages when absent.
    pub pages: Option<Vec<u32>>,
    /// The document to work on.
    pub document_id: Uuid,
    /// The job's price in credits.
    pub credits: u32,
    /// The address to post the finished job to. Ignored for tiers without webhooks.
    pub webhook_url: Option<String>,
    /// Whether a stored result of an equal submission may be used as its result.
    pub reuse: bool,
}

/// Which jobs of an account are listed: those that match every condition that is set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Only jobs with this status.
    pub status: Option<JobStatus>,
    /// Only jobs of this model.
    pub model: Option<String>,
    /// Only jobs on this document.
    pub document_id: Option<Uuid>,
}

/// The columns of [`read_job`]. The result comes last, since lists are read without it.
///
/// Migration 0001 says that columns which may be long stand last in the table. That is true of 0001 only: later migrations
/// add columns after them. Applied migrations can't be edited, since sqlx compares their checksums.
macro_rules! job_columns {
    () => {
        concat!(job_columns!(without_result), ", result")
    };
    (without_result) => {
        "id, account_id, key_id, tier, document_id, document_sha256, model, model_version, parameters, pages, reuse, \
         status, progress, error_code, error_message, credits_charged, cached_from, webhook_url, queued_at, \
         processing_started_at, completed_at, processing_time_ms, expires_at, attempt, \
         webhook_delivered_at, warnings"
    };
}
pub(crate) use job_columns;

/// The number of the first filter's parameter in [`Store::jobs`].
const FIRST_FILTER: usize = 5;

/// The statement that queues a job on a document. It reads the digest from the document's row and checks its owner by it:
/// without a matching row it inserts nothing. On PostgreSQL, `$lock` locks the row, so that a deletion of the document
/// sees this job and cancels it.
macro_rules! queue_on_document {
    ($lock:literal) => {
        concat!(
            "INSERT INTO jobs (id, account_id, key_id, tier, document_id, document_sha256, model, model_version, \
             parameters, pages, reuse, status, credits_charged, webhook_url, queued_at, expires_at, attempt, batch_id) \
             SELECT $1, account_id, $2, $3, id, sha256, $4, $5, $6, $7, $8, 'queued', $9, $10, $11, $12, 0, $15 \
             FROM documents WHERE id = $13 AND account_id = $14 AND expires_at > $11",
            $lock,
            " RETURNING ",
            job_columns!()
        )
    };
}

impl Store {
    /// Charges the caller and queues the job, in one transaction.
    ///
    /// # Errors
    ///
    /// [`StoreError::DocumentNotFound`] when the document is missing, expired or another account's;
    /// [`StoreError::FreeTierLimit`] or [`StoreError::QuotaExceeded`] when the credits do not cover the price.
    pub async fn submit(&self, caller: &Caller, submission: &Submission) -> Result<Job, StoreError> {
        self.submit_answered(caller, submission, |_| None).await
    }

    /// Like [`Self::submit`], for a request that has reserved an idempotency key. `answer` returns the reservation and
    /// the client's answer, which is kept in the same transaction as the charge and the job.
    ///
    /// # Errors
    ///
    /// Those of [`Self::submit`], and [`StoreError::IdempotencyKeyInUse`] when another request holds the key by now.
    pub async fn submit_answered(
        &self,
        caller: &Caller,
        submission: &Submission,
        answer: impl FnOnce(&Job) -> Option<(Reservation, String)> + Send,
    ) -> Result<Job, StoreError> {
        let mut transaction = self.database.write().await?;
        let job = self.queue(&mut transaction, caller, submission, None, self.clock.now()).await?;
        schedule::enter(&mut transaction, caller.account_id, job.queued_at).await?;
        self.charge(&mut transaction, caller, &job).await?;
        if let Some((reservation, answer)) = answer(&job) {
            idempotency::keep_answer(&mut transaction, &reservation, &answer).await?;
        }
        failpoint::reach(Failpoint::JobCharged);
        transaction.commit().await?;
        failpoint::reach(Failpoint::JobQueued);
        Ok(job)
    }

    /// Queues a job within a transaction, without charging it.
    ///
    /// Several jobs are all queued before the account enters the queue and before any is charged. So documents are locked
    /// before credits, in the same order as when a document is deleted, and the two can't deadlock.
    pub(crate) async fn queue(
        &self,
        transaction: &mut AnyConnection,
        caller: &Caller,
        submission: &Submission,
        batch_id: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<Job, StoreError> {
        let id = self.new_id(now);
        let limits = self.tiers.limits(caller.tier);
        let webhook_url = submission.webhook_url.as_deref().filter(|_| limits.webhooks);
        let queue = self.database.dialect.row_lock(queue_on_document!(""), queue_on_document!(" FOR SHARE"));
        let row = sqlx::query(queue)
            .bind(id.to_string())
            .bind(caller.key_id.to_string())
            .bind(caller.tier.as_str())
            .bind(&*submission.model)
            .bind(&*submission.model_version)
            .bind(canonical(&submission.parameters))
            .bind(submission.pages.as_deref().map(pages_text))
            .bind(i64::from(submission.reuse))
            .bind(i64::from(submission.credits))
            .bind(webhook_url)
            .bind(now.timestamp_micros())
            .bind(days_after(now, limits.job_retention_days).timestamp_micros())
            .bind(submission.document_id.to_string())
            .bind(caller.account_id.to_string())
            .bind(batch_id.map(|id| id.to_string()))
            .fetch_optional(&mut *transaction)
            .await?
            .ok_or(StoreError::DocumentNotFound)?;
        read_job(&row)
    }

    /// Charges the caller for a job, within the transaction that queued it.
    pub(crate) async fn charge(
        &self,
        transaction: &mut AnyConnection,
        caller: &Caller,
        job: &Job,
    ) -> Result<(), StoreError> {
        let now = job.queued_at;
        let limits = self.tiers.limits(caller.tier);
        ledger::charge(transaction, &Charge { entry_id: self.new_id(now), job, limits, now }).await
    }

    /// Returns a job of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], also when it belongs to another account or has expired.
    pub async fn job(&self, account_id: Uuid, id: Uuid) -> Result<Job, StoreError> {
        let version = self.database.version();
        let job = match self.finished_jobs.get(version, &(account_id, id)) {
            Some(job) => job,
            None => self.look_up_job(account_id, id, version).await?,
        };
        if job.expires_at <= self.clock.now() {
            return Err(StoreError::JobNotFound);
        }
        Ok(Arc::unwrap_or_clone(job))
    }

    /// Reads a job of the account, expired or not. A final job is cached.
    async fn look_up_job(&self, account_id: Uuid, id: Uuid, version: Option<Version>) -> Result<Arc<Job>, StoreError> {
        let statement = concat!("SELECT ", job_columns!(), " FROM jobs WHERE id = $1 AND account_id = $2");
        let (id_text, account_text) = (id.to_string(), account_id.to_string());
        let mut found = self.database.look_up(statement, &[&id_text, &account_text], |row| read_job(row)).await?;
        let job = Arc::new(found.pop().ok_or(StoreError::JobNotFound)?);
        if job.status.is_final() {
            let bytes = size_of::<Job>() + job.result.as_ref().map_or(0, String::len);
            self.finished_jobs.insert(version, (account_id, id), job.clone(), bytes);
        }
        Ok(job)
    }

    /// Returns a page of the account's jobs without their results, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidListRequest`].
    pub async fn jobs(
        &self,
        account_id: Uuid,
        filter: &JobFilter,
        request: &ListRequest,
    ) -> Result<Listed<Job>, StoreError> {
        let status = filter.status.map(JobStatus::as_str);
        let document_id = filter.document_id.map(|id| id.to_string());
        let filters = [status, filter.model.as_deref(), document_id.as_deref()];
        let page = ListPage::new(request, "jobs", account_id, &filters)?;

        // Only the conditions that are set, so that each combination can use its index.
        let mut conditions = String::new();
        let given: Vec<(&str, &str)> = ["status", "model", "document_id"]
            .into_iter()
            .zip(filters)
            .filter_map(|(column, value)| Some((column, value?)))
            .collect();
        for (index, (column, _)) in given.iter().enumerate() {
            let _ = write!(conditions, "AND {column} = ${} ", FIRST_FILTER + index);
        }
        let statement = format!(
            "SELECT {}, CAST(NULL AS TEXT) AS result FROM jobs \
             WHERE account_id = $1 AND expires_at > $2 AND id < $3 {conditions}ORDER BY id DESC LIMIT $4",
            job_columns!(without_result)
        );
        let mut query = sqlx::query(AssertSqlSafe(statement))
            .bind(account_id.to_string())
            .bind(self.clock.now().timestamp_micros())
            .bind(page.before())
            .bind(page.rows());
        for (_, value) in given {
            query = query.bind(value.to_owned());
        }
        let rows = query.fetch_all(&self.database.reader).await?;
        let jobs: Vec<Job> = rows.iter().map(read_job).collect::<Result<_, _>>()?;
        Ok(page.into_listed(jobs, |job| job.id))
    }

    /// Cancels a queued job and refunds it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotCancellable`] when it is no longer queued; [`StoreError::JobNotFound`], also when it belongs to
    /// another account or has expired.
    pub async fn cancel(&self, account_id: Uuid, id: Uuid) -> Result<Job, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        let cancelled = sqlx::query(concat!(
            "UPDATE jobs SET status = 'cancelled', progress = NULL, credits_charged = 0, completed_at = $1 ",
            "WHERE id = $2 AND account_id = $3 AND status = 'queued' AND expires_at > $1 RETURNING ",
            job_columns!()
        ))
        .bind(now.timestamp_micros())
        .bind(id.to_string())
        .bind(account_id.to_string())
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = cancelled else {
            drop(transaction);
            self.job(account_id, id).await?;
            return Err(StoreError::NotCancellable);
        };
        schedule::leave_if_empty(&mut transaction, self.database.dialect, account_id).await?;
        ledger::refund(&mut transaction, self.new_id(now), id, now).await?;
        transaction.commit().await?;
        read_job(&row)
    }
}

/// Returns parameters as the database keeps and compares them: with sorted keys, so that equal values are equal texts.
fn canonical(parameters: &Value) -> String {
    let mut sorted = parameters.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}

/// Returns a list of pages as the database keeps it: numbers separated by commas.
fn pages_text(pages: &[u32]) -> String {
    let numbers: Vec<String> = pages.iter().map(u32::to_string).collect();
    numbers.join(",")
}

/// Reads a list of pages from the database: the inverse of [`pages_text`].
pub(crate) fn parse_pages(text: String) -> Result<Vec<u32>, StoreError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let parsed: Result<Vec<u32>, _> = text.split(',').map(u32::from_str).collect();
    parsed.map_err(|_| StoreError::Corrupt { what: "list of pages", value: text })
}

/// Reads a job from a row with `job_columns!()`. Reads the columns in their order, which is the fastest.
pub(crate) fn read_job(row: &impl Columns) -> Result<Job, StoreError> {
    Ok(Job {
        id: row.id("id")?,
        account_id: row.id("account_id")?,
        key_id: row.id("key_id")?,
        tier: row.word("tier", "tier")?,
        document_id: row.id("document_id")?,
        document_sha256: row.text("document_sha256")?,
        model: row.text("model")?,
        model_version: row.text("model_version")?,
        parameters: parse_parameters(row.text("parameters")?)?,
        pages: row.optional_text("pages")?.map(parse_pages).transpose()?,
        reuse: row.flag("reuse")?,
        status: row.word("status", "job status")?,
        progress: row.optional_text("progress")?,
        error_code: row.optional_text("error_code")?,
        error_message: row.optional_text("error_message")?,
        credits_charged: row.count("credits_charged")? as u32,
        cached_from: row.optional_id("cached_from")?,
        webhook_url: row.optional_text("webhook_url")?,
        queued_at: row.time("queued_at")?,
        processing_started_at: row.optional_time("processing_started_at")?,
        completed_at: row.optional_time("completed_at")?,
        processing_time_ms: row.optional_count("processing_time_ms")?,
        expires_at: row.time("expires_at")?,
        attempt: row.count("attempt")? as u32,
        webhook_delivered_at: row.optional_time("webhook_delivered_at")?,
        warnings: row.optional_text("warnings")?.map(parse_warnings).transpose()?.unwrap_or_default(),
        result: row.optional_text("result")?,
    })
}

fn parse_warnings(text: String) -> Result<Vec<Warning>, StoreError> {
    serde_json::from_str(&text).map_err(|_| StoreError::Corrupt { what: "list of warnings", value: text })
}

fn parse_parameters(text: String) -> Result<Value, StoreError> {
    serde_json::from_str(&text).map_err(|_| StoreError::Corrupt { what: "JSON value", value: text })
}
