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
use crate::listing::{ListRequest, Listed, Part};
use crate::schedule;
use crate::tier::Tier;

/// Where a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobStatus {
    /// Waits for a worker; can be cancelled.
    Queued,
    /// A worker holds its lease, or held it and died.
    Processing,
    /// Final: it has a result.
    Complete,
    /// Final: it has an error code.
    Failed,
    /// Final: cancelled while queued.
    Cancelled,
}

impl JobStatus {
    /// Every status.
    pub const ALL: [Self; 5] = [Self::Queued, Self::Processing, Self::Complete, Self::Failed, Self::Cancelled];

    /// The name used in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Processing => "processing",
            Self::Complete => "complete",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether it can change no more.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Complete | Self::Failed | Self::Cancelled)
    }
}

impl fmt::Display for JobStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The word names no status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a job status")]
pub struct UnknownStatus(String);

impl FromStr for JobStatus {
    type Err = UnknownStatus;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|status| status.as_str() == word).ok_or_else(|| UnknownStatus(word.to_owned()))
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its id; later jobs have greater ones.
    pub id: Uuid,
    /// The account it belongs to.
    pub account_id: Uuid,
    /// The key that submitted it.
    pub key_id: Uuid,
    /// The tier that key acted with.
    pub tier: Tier,
    /// The document it works on.
    pub document_id: Uuid,
    /// The SHA-256 of that document in lower-case hex.
    pub document_sha256: String,
    /// The model.
    pub model: String,
    /// The model's version, `<model>-v<major>.<minor>.<patch>`.
    pub model_version: String,
    /// The model's parameters: a JSON object, its keys sorted.
    pub parameters: Value,
    /// The pages asked for, 1-based as submitted; all, when absent.
    pub pages: Option<Vec<u32>>,
    /// Whether a stored result of the same submission may be its result.
    pub reuse: bool,
    /// Where it stands.
    pub status: JobStatus,
    /// What it is doing, for people; only while it is being processed.
    pub progress: Option<String>,
    /// The model's result as stored, JSON text; only when complete.
    pub result: Option<String>,
    /// The error code of a failed job.
    pub error_code: Option<String>,
    /// A short, generic sentence for the error code.
    pub error_message: Option<String>,
    /// What it costs; 0 once refunded.
    pub credits_charged: u32,
    /// Why the result may be weaker than it could be; only when complete.
    pub warnings: Vec<Warning>,
    /// The job whose stored result it reuses.
    pub cached_from: Option<Uuid>,
    /// Where to post it when it is complete or failed.
    pub webhook_url: Option<String>,
    /// When a receiver first took it there.
    pub webhook_delivered_at: Option<DateTime<Utc>>,
    /// When it was submitted.
    pub queued_at: DateTime<Utc>,
    /// When a worker first took it up.
    pub processing_started_at: Option<DateTime<Utc>>,
    /// When it became final.
    pub completed_at: Option<DateTime<Utc>>,
    /// How long its last attempt took.
    pub processing_time_ms: Option<u64>,
    /// From when on it is not found.
    pub expires_at: DateTime<Utc>,
    /// How often a worker took it up.
    pub attempt: u32,
}

/// Why a result may be weaker than it could be: something that its model asked for was missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What it is, for programs.
    pub code: String,
    /// What it is, for people.
    pub message: String,
}

/// What a client submits, after validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// The model.
    pub model: String,
    /// The model's version, `<model>-v<major>.<minor>.<patch>`.
    pub model_version: String,
    /// The model's parameters, a JSON object.
    pub parameters: Value,
    /// The pages asked for, 1-based; all, when absent.
    pub pages: Option<Vec<u32>>,
    /// The document to work on.
    pub document_id: Uuid,
    /// What it costs.
    pub credits: u32,
    /// Where to post the finished job. Dropped on tiers without webhooks.
    pub webhook_url: Option<String>,
    /// Whether a stored result of the same submission may be its result.
    pub reuse: bool,
}

/// Which jobs of an account are listed: those that have all that is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// Where they stand.
    pub status: Option<JobStatus>,
    /// Their model.
    pub model: Option<String>,
    /// The document they work on.
    pub document_id: Option<Uuid>,
}

/// The columns of [`read_job`]. The result comes last, so that it does not slow down reads of what stands before it.
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

/// Queues a job on a document. The document's row gives the digest and is the check of its owner at once: without it
/// nothing is inserted. Where writers run beside each other the row is held, so that a document that is deleted
/// meanwhile has its jobs cancelled, this one too.
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
    /// Charges the caller and queues the job: both or neither.
    ///
    /// # Errors
    ///
    /// [`StoreError::DocumentNotFound`] when the document is missing, someone else's or expired; then
    /// [`StoreError::FreeTierLimit`] or [`StoreError::QuotaExceeded`] when the credits do not cover it.
    pub async fn submit(&self, caller: &Caller, submission: &Submission) -> Result<Job, StoreError> {
        self.submit_answered(caller, submission, |_| None).await
    }

    /// As [`Self::submit`], for a request that has reserved an idempotency key: `answer` gives the reservation and what
    /// the client is answered, which is kept with the charge and the job, or not at all.
    ///
    /// # Errors
    ///
    /// Also [`StoreError::IdempotencyKeyInUse`] when the reservation is another request's by now.
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

    /// Queues a job that is still to be charged, within a transaction.
    ///
    /// Where there are several, all are queued before the account enters the queue and before any is charged: documents
    /// are locked before credits, as whoever deletes a document does, so that the two don't wait for each other.
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

    /// A job of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], also when it is someone else's or has expired.
    pub async fn job(&self, account_id: Uuid, id: Uuid) -> Result<Job, StoreError> {
        let version = self.database.version();
        let job = match self.finished_jobs.recall(version, &(account_id, id)) {
            Some(job) => job,
            None => self.look_up_job(account_id, id, version).await?,
        };
        if job.expires_at <= self.clock.now() {
            return Err(StoreError::JobNotFound);
        }
        Ok(Arc::unwrap_or_clone(job))
    }

    /// A job of the account from the database, expired or not. A final one is remembered.
    async fn look_up_job(&self, account_id: Uuid, id: Uuid, version: Option<Version>) -> Result<Arc<Job>, StoreError> {
        let statement = concat!("SELECT ", job_columns!(), " FROM jobs WHERE id = $1 AND account_id = $2");
        let (id_text, account_text) = (id.to_string(), account_id.to_string());
        let mut found = self.database.find(statement, &[&id_text, &account_text], |row| read_job(row)).await?;
        let job = Arc::new(found.pop().ok_or(StoreError::JobNotFound)?);
        if job.status.is_final() {
            let bytes = size_of::<Job>() + job.result.as_ref().map_or(0, String::len);
            self.finished_jobs.keep(version, (account_id, id), job.clone(), bytes);
        }
        Ok(job)
    }

    /// The account's jobs, newest first and without their results.
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
        let part = Part::of(request, "jobs", account_id, &filters)?;

        // Only the conditions that there are, so that each can be answered from its index.
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
            .bind(part.before())
            .bind(part.rows());
        for (_, value) in given {
            query = query.bind(value.to_owned());
        }
        let rows = query.fetch_all(&self.database.reader).await?;
        let jobs: Vec<Job> = rows.iter().map(read_job).collect::<Result<_, _>>()?;
        Ok(part.listed(jobs, |job| job.id))
    }

    /// Cancels a queued job and refunds it.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotCancellable`] when it is no longer queued; [`StoreError::JobNotFound`].
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

/// Parameters as the database keeps and compares them: keys sorted, so that equal ones are equal texts.
fn canonical(parameters: &Value) -> String {
    let mut sorted = parameters.clone();
    sorted.sort_all_objects();
    sorted.to_string()
}

fn pages_text(pages: &[u32]) -> String {
    let numbers: Vec<String> = pages.iter().map(u32::to_string).collect();
    numbers.join(",")
}

pub(crate) fn parse_pages(text: String) -> Result<Vec<u32>, StoreError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let parsed: Result<Vec<u32>, _> = text.split(',').map(u32::from_str).collect();
    parsed.map_err(|_| StoreError::Corrupt { what: "list of pages", value: text })
}

/// Reads a row of `job_columns!()`, in the order of the columns.
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
