//! Delivery of finished jobs to the webhooks that their submissions named.
//!
//! A delivery is created in the transaction that ends its job, so that a crash loses none. Its attempts are made under a
//! lease, as jobs are: a claim increments the delivery's `attempt`, which is the fencing token. Each attempt is a row of
//! the log. This module decides when the next attempt is due and which one is the last.
//!
//! A delivery is signed with the secret of the key that submitted the job, or that asked for the replay. A key that is
//! revoked or expired signs nothing: whoever had it may also own the webhook's address. Its pending deliveries fail, and
//! can be replayed with another key of the account.

use std::fmt::Write;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::RngExt;
use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Executor};
use uuid::Uuid;

use crate::Store;
use crate::account::{Caller, WebhookSecret};
use crate::database::Columns;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};
use crate::job::JobStatus;
use crate::listing::{ListPage, ListRequest, Listed};
use crate::sealing::{self, SecretSealing, Stored};

/// The wait before each further attempt, as Standard Webhooks proposes. No attempt follows after the last one.
pub const WEBHOOK_RETRIES: [Duration; 7] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
];

/// The maximum random extension of a wait, as a fraction of it, so that deliveries that failed together are not retried
/// together.
const JITTER: f64 = 0.2;

/// The error of an attempt whose worker died or stopped before the attempt ended.
pub const INTERRUPTED: &str = "interrupted";

/// The error of a delivery that can't be signed: its key is revoked or expired, or has no webhook secret.
pub const KEY_NOT_VALID: &str = "key_not_valid";

/// The error of an attempt on a host that can't open the key's webhook secret, because it was sealed with another key. A
/// host that can may make a later attempt.
pub const SECRET_UNREADABLE: &str = "secret_unreadable";

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// An attempt is running, or another one is due later.
    Pending,
    /// Final: the receiver accepted it.
    Delivered,
    /// Final: no attempt succeeded, and none will follow.
    Failed,
}

impl DeliveryStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// Returns the status's name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// The word is not the status of a delivery.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the status of a delivery")]
pub struct UnknownDeliveryStatus(String);

impl FromStr for DeliveryStatus {
    type Err = UnknownDeliveryStatus;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == word);
        found.ok_or_else(|| UnknownDeliveryStatus(word.to_owned()))
    }
}

/// A delivery with its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The delivery's id; later deliveries have greater ones.
    pub id: Uuid,
    /// The job that is delivered.
    pub job_id: Uuid,
    /// The delivery's status.
    pub status: DeliveryStatus,
    /// When the delivery was created.
    pub created_at: DateTime<Utc>,
    /// When the next attempt is due; absent when the status is final.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
}

/// An attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The attempt's number within its delivery, from 1.
    pub number: u32,
    /// When the attempt began.
    pub started_at: DateTime<Utc>,
    /// Duration in milliseconds; absent while the attempt runs, and when it was interrupted.
    pub duration_ms: Option<u64>,
    /// The HTTP status of the receiver's answer.
    pub status_code: Option<u16>,
    /// The reason why there was no answer, as one word.
    pub error: Option<String>,
}

/// A worker's right to make an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryLease {
    /// The delivery.
    pub delivery_id: Uuid,
    /// The attempt's number, from 1.
    pub attempt: u32,
}

/// An attempt that a worker has claimed.
#[derive(Debug, Clone)]
pub struct DeliveryClaim {
    /// The right to make it.
    pub lease: DeliveryLease,
    /// The account that the job belongs to.
    pub account_id: Uuid,
    /// The job to deliver.
    pub job_id: Uuid,
    /// The secret to sign with.
    pub secret: WebhookSecret,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEnd {
    /// The HTTP status of the receiver's answer.
    pub status_code: Option<u16>,
    /// The reason why there was no answer, as one word.
    pub error: Option<String>,
    /// What happens to the delivery now.
    pub next: NextStep,
}

/// What happens to a delivery after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// It is delivered: the receiver accepted it.
    Delivered,
    /// It is tried again, if an attempt is left.
    Retry {
        /// The minimum wait, as the receiver asked for it. A longer wait of the schedule holds.
        at_least: Duration,
    },
    /// It fails without another attempt.
    GiveUp,
}

/// Returns the query of the oldest delivery that has an attempt due at time `$1`, that nobody holds a lease on, and whose
/// account is not busy. The busy accounts are its parameters from [`FIRST_ACCOUNT`] on.
fn oldest_due(busy_accounts: usize, lock: &str) -> AssertSqlSafe<String> {
    let mut idle = String::new();
    for index in 0..busy_accounts {
        let _ = write!(idle, " AND account_id <> ${}", FIRST_ACCOUNT + index);
    }
    AssertSqlSafe(format!(
        "SELECT id, job_id, account_id, key_id, attempt FROM webhook_deliveries
         WHERE status = 'pending' AND next_attempt_at <= $1 AND (lease_until IS NULL OR lease_until <= $1){idle}
         ORDER BY next_attempt_at, id LIMIT 1{lock}"
    ))
}

/// The number of the first account's parameter in [`oldest_due`].
const FIRST_ACCOUNT: usize = 2;

/// The query of deliveries, newest first, with their attempts in order. One statement reads both, so that they agree.
macro_rules! delivery_rows {
    ($which:literal) => {
        concat!(
            "SELECT d.id, d.job_id, d.status, d.created_at, d.next_attempt_at, a.number, a.started_at, a.duration_ms, \
             a.status_code, a.error FROM (SELECT id, job_id, status, created_at, next_attempt_at \
             FROM webhook_deliveries ",
            $which,
            ") d LEFT JOIN webhook_attempts a ON a.delivery_id = d.id ORDER BY d.id DESC, a.number"
        )
    };
}

impl Store {
    /// Claims the oldest attempt that is due, among the accounts that are not busy. The lease lasts `longest`; after that
    /// another worker may begin the next attempt.
    ///
    /// On the way it fails deliveries whose last attempt was interrupted and those that can't be signed. Those that only
    /// this host can't sign wait for their next attempt.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`] or [`StoreError::Corrupt`].
    pub async fn claim_delivery(
        &self,
        longest: Duration,
        busy_accounts: &[Uuid],
    ) -> Result<Option<DeliveryClaim>, StoreError> {
        let now = self.clock.now();
        // This first look takes no lock, so that idle workers do not disturb writers.
        while self.oldest_due(&self.database.reader, busy_accounts, "", now).await?.is_some() {
            let mut transaction = self.database.write().await?;
            let lock = self.database.dialect.row_lock("", " FOR UPDATE SKIP LOCKED");
            let Some(due) = self.oldest_due(&mut *transaction, busy_accounts, lock, now).await? else {
                return Ok(None);
            };
            let delivery_id = due.id("id")?;
            note_interrupted(&mut transaction, delivery_id).await?;
            let lease = DeliveryLease { delivery_id, attempt: due.count("attempt")? as u32 + 1 };
            let Some(secret) = self.secret_or_end(&mut transaction, &lease, due.id("key_id")?, now).await? else {
                transaction.commit().await?;
                continue;
            };
            begin(&mut transaction, &lease, now, now + longest).await?;
            failpoint::reach(Failpoint::DeliveryTaken);
            transaction.commit().await?;
            failpoint::reach(Failpoint::DeliveryClaimed);
            let (account_id, job_id) = (due.id("account_id")?, due.id("job_id")?);
            return Ok(Some(DeliveryClaim { lease, account_id, job_id, secret }));
        }
        Ok(None)
    }

    /// Returns the secret to sign an attempt with. Where there is none, or no attempt is left, ends the attempt in the
    /// log, fails or postpones the delivery, and returns `None`.
    async fn secret_or_end(
        &self,
        transaction: &mut AnyConnection,
        lease: &DeliveryLease,
        key_id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Option<WebhookSecret>, StoreError> {
        if !self.attempts_left(lease.attempt - 1) {
            fail(transaction, lease.delivery_id).await?;
            return Ok(None);
        }
        match signing_secret(transaction, &*self.sealing, key_id, now).await? {
            SigningSecret::Open(secret) => return Ok(Some(secret)),
            SigningSecret::None => {
                log_unsigned(transaction, lease, now, KEY_NOT_VALID).await?;
                fail(transaction, lease.delivery_id).await?;
            }
            SigningSecret::Unreadable => {
                tracing::error!(
                    key = %key_id,
                    "can't sign a webhook's message: the key's secret was sealed with another `link_secret`"
                );
                log_unsigned(transaction, lease, now, SECRET_UNREADABLE).await?;
                match self.next_attempt(lease.attempt, Duration::ZERO, now) {
                    Some(next) => postpone(transaction, lease, next).await?,
                    None => fail(transaction, lease.delivery_id).await?,
                }
            }
        }
        Ok(None)
    }

    async fn oldest_due(
        &self,
        executor: impl Executor<'_, Database = Any>,
        busy_accounts: &[Uuid],
        lock: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<AnyRow>, StoreError> {
        let mut query = sqlx::query(oldest_due(busy_accounts.len(), lock)).bind(now.timestamp_micros());
        for account in busy_accounts {
            query = query.bind(account.to_string());
        }
        Ok(query.fetch_optional(executor).await?)
    }

    /// Ends an attempt: writes the log, and either schedules the next attempt or ends the delivery. Returns the
    /// delivery's status. `took` is the attempt's duration.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when another worker has the delivery by now; nothing was written.
    pub async fn end_attempt(
        &self,
        lease: &DeliveryLease,
        end: &AttemptEnd,
        took: Duration,
    ) -> Result<DeliveryStatus, StoreError> {
        let now = self.clock.now();
        let next = match end.next {
            NextStep::Retry { at_least } => self.next_attempt(lease.attempt, at_least, now),
            NextStep::Delivered | NextStep::GiveUp => None,
        };
        let status = match (end.next, next) {
            (NextStep::Delivered, _) => DeliveryStatus::Delivered,
            (_, Some(_)) => DeliveryStatus::Pending,
            (_, None) => DeliveryStatus::Failed,
        };

        let mut transaction = self.database.write().await?;
        if status == DeliveryStatus::Delivered {
            // The job's row is locked before the delivery's, in the same order as when a job is deleted.
            note_first_delivery(&mut transaction, lease.delivery_id, now).await?;
        }
        let held = sqlx::query(
            "UPDATE webhook_deliveries SET status = $3, next_attempt_at = $4, lease_until = NULL
             WHERE id = $1 AND attempt = $2 AND status = 'pending' AND lease_until IS NOT NULL",
        )
        .bind(lease.delivery_id.to_string())
        .bind(i64::from(lease.attempt))
        .bind(status.as_str())
        .bind(next.map(|time| time.timestamp_micros()))
        .execute(&mut *transaction)
        .await?;
        if held.rows_affected() == 0 {
            return Err(StoreError::LeaseLost);
        }
        log_end(&mut transaction, lease, end, took).await?;
        failpoint::reach(Failpoint::DeliveryLogged);
        transaction.commit().await?;
        failpoint::reach(Failpoint::DeliveryEnded);
        Ok(status)
    }

    /// Releases the attempt's lease, so that the next worker need not wait until it ends.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when the lease was released before or another worker has the delivery.
    pub async fn release_delivery(&self, lease: &DeliveryLease) -> Result<(), StoreError> {
        let released = sqlx::query(
            "UPDATE webhook_deliveries SET lease_until = NULL
             WHERE id = $1 AND attempt = $2 AND status = 'pending' AND lease_until IS NOT NULL",
        )
        .bind(lease.delivery_id.to_string())
        .bind(i64::from(lease.attempt))
        .execute(self.database.writer())
        .await?;
        if released.rows_affected() == 0 {
            return Err(StoreError::LeaseLost);
        }
        Ok(())
    }

    /// Schedules another delivery of a finished job, due now and signed with the caller's secret. A delivery that is still
    /// pending is brought forward instead, so that a job has one pending delivery at most.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`]; [`StoreError::NoWebhook`] when the submission named none or the caller's tier has
    /// none; [`StoreError::NotFinished`] when the job is neither complete nor failed.
    pub async fn replay(&self, caller: &Caller, job_id: Uuid) -> Result<Delivery, StoreError> {
        let job = self.job(caller.account_id, job_id).await?;
        if job.webhook_url.is_none() || !self.limits(caller.tier).webhooks {
            return Err(StoreError::NoWebhook);
        }
        if !is_delivered(job.status) {
            return Err(StoreError::NotFinished);
        }
        let now = self.clock.now();
        let pending = sqlx::query(
            "INSERT INTO webhook_deliveries (id, job_id, account_id, key_id, status, created_at, attempt, next_attempt_at)
             VALUES ($1, $2, $3, $4, 'pending', $5, 0, $5)
             ON CONFLICT (job_id) WHERE status = 'pending'
             DO UPDATE SET next_attempt_at = excluded.next_attempt_at, key_id = excluded.key_id RETURNING id",
        )
        .bind(self.new_id(now).to_string())
        .bind(job_id.to_string())
        .bind(caller.account_id.to_string())
        .bind(caller.key_id.to_string())
        .bind(now.timestamp_micros())
        .fetch_one(self.database.writer())
        .await?;
        let rows = sqlx::query(delivery_rows!("WHERE id = $1"))
            .bind(pending.text("id")?)
            .fetch_all(&self.database.reader)
            .await?;
        read_deliveries(&rows)?.pop().ok_or(StoreError::JobNotFound)
    }

    /// Returns a page of the deliveries of a job of the account, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], [`StoreError::InvalidListRequest`].
    pub async fn deliveries(
        &self,
        account_id: Uuid,
        job_id: Uuid,
        request: &ListRequest,
    ) -> Result<Listed<Delivery>, StoreError> {
        let job = job_id.to_string();
        let page = ListPage::new(request, "deliveries", account_id, &[Some(&job)])?;
        sqlx::query("SELECT id FROM jobs WHERE id = $1 AND account_id = $2 AND expires_at > $3")
            .bind(&*job)
            .bind(account_id.to_string())
            .bind(self.clock.now().timestamp_micros())
            .fetch_optional(&self.database.reader)
            .await?
            .ok_or(StoreError::JobNotFound)?;
        let rows = sqlx::query(delivery_rows!("WHERE job_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"))
            .bind(&*job)
            .bind(page.before())
            .bind(page.rows())
            .fetch_all(&self.database.reader)
            .await?;
        Ok(page.into_listed(read_deliveries(&rows)?, |delivery| delivery.id))
    }

    /// Returns whether another attempt may follow after `made` attempts.
    fn attempts_left(&self, made: u32) -> bool {
        made as usize <= self.webhook_retries.len()
    }

    /// Returns when the attempt after the attempt number `attempt` is due, or `None` if it is the last.
    fn next_attempt(&self, attempt: u32, at_least: Duration, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let wait = self.webhook_retries.get(attempt.checked_sub(1)? as usize)?;
        let wait = wait.mul_f64(1.0 + rand::rng().random_range(0.0..JITTER));
        Some(now + wait.max(at_least))
    }
}

/// Returns whether a job with this final status is delivered. A cancelled one is not, because its owner ended it.
fn is_delivered(status: JobStatus) -> bool {
    matches!(status, JobStatus::Complete | JobStatus::Failed)
}

/// Creates the first delivery of a job with a webhook, in the transaction that ends the job.
pub(crate) async fn create(
    transaction: &mut AnyConnection,
    delivery_id: Uuid,
    job_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO webhook_deliveries (id, job_id, account_id, key_id, status, created_at, attempt, next_attempt_at)
         SELECT $1, id, account_id, key_id, 'pending', $2, 0, $2 FROM jobs WHERE id = $3",
    )
    .bind(delivery_id.to_string())
    .bind(now.timestamp_micros())
    .bind(job_id.to_string())
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// Ends the attempts of a delivery that have no end in the log: their workers died or gave them back.
async fn note_interrupted(transaction: &mut AnyConnection, delivery_id: Uuid) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE webhook_attempts SET error = $2 WHERE delivery_id = $1 AND duration_ms IS NULL AND error IS NULL",
    )
    .bind(delivery_id.to_string())
    .bind(INTERRUPTED)
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// Begins an attempt: writes the lease and the row of the log.
async fn begin(
    transaction: &mut AnyConnection,
    lease: &DeliveryLease,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE webhook_deliveries SET attempt = $2, lease_until = $3 WHERE id = $1")
        .bind(lease.delivery_id.to_string())
        .bind(i64::from(lease.attempt))
        .bind(until.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
    sqlx::query("INSERT INTO webhook_attempts (delivery_id, number, started_at) VALUES ($1, $2, $3)")
        .bind(lease.delivery_id.to_string())
        .bind(i64::from(lease.attempt))
        .bind(now.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
    Ok(())
}

/// Writes the time of a job's first successful delivery into the job.
async fn note_first_delivery(
    transaction: &mut AnyConnection,
    delivery_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE jobs SET webhook_delivered_at = COALESCE(webhook_delivered_at, $1)
         WHERE id = (SELECT job_id FROM webhook_deliveries WHERE id = $2)",
    )
    .bind(now.timestamp_micros())
    .bind(delivery_id.to_string())
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// Writes how an attempt ended into its row of the log.
async fn log_end(
    transaction: &mut AnyConnection,
    lease: &DeliveryLease,
    end: &AttemptEnd,
    took: Duration,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE webhook_attempts SET duration_ms = $3, status_code = $4, error = $5
         WHERE delivery_id = $1 AND number = $2",
    )
    .bind(lease.delivery_id.to_string())
    .bind(i64::from(lease.attempt))
    .bind(i64::try_from(took.as_millis()).unwrap_or(i64::MAX))
    .bind(end.status_code.map(i64::from))
    .bind(end.error.as_deref())
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// Writes an attempt into the log that could not be signed, so that nothing was sent.
async fn log_unsigned(
    transaction: &mut AnyConnection,
    lease: &DeliveryLease,
    now: DateTime<Utc>,
    error: &'static str,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, error) VALUES ($1, $2, $3, 0, $4)",
    )
    .bind(lease.delivery_id.to_string())
    .bind(i64::from(lease.attempt))
    .bind(now.timestamp_micros())
    .bind(error)
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// Counts an attempt that could not be signed, and schedules the next one at `next`.
async fn postpone(
    transaction: &mut AnyConnection,
    lease: &DeliveryLease,
    next: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE webhook_deliveries SET attempt = $2, next_attempt_at = $3, lease_until = NULL WHERE id = $1")
        .bind(lease.delivery_id.to_string())
        .bind(i64::from(lease.attempt))
        .bind(next.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
    Ok(())
}

/// Fails a delivery: no attempt follows.
async fn fail(transaction: &mut AnyConnection, delivery_id: Uuid) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, lease_until = NULL WHERE id = $1",
    )
    .bind(delivery_id.to_string())
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// The secret of a delivery's key.
enum SigningSecret {
    /// The secret, opened.
    Open(WebhookSecret),
    /// There is none: the key is revoked or expired, or has no secret.
    None,
    /// This host can't open it: it was sealed with another key.
    Unreadable,
}

/// Reads the secret of a key that is neither revoked nor expired. If it is stored in clear, it is sealed.
async fn signing_secret(
    transaction: &mut AnyConnection,
    sealing: &dyn SecretSealing,
    key_id: Uuid,
    now: DateTime<Utc>,
) -> Result<SigningSecret, StoreError> {
    let row = sqlx::query(
        "SELECT webhook_secret FROM api_keys
         WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
    )
    .bind(key_id.to_string())
    .bind(now.timestamp_micros())
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(stored) = row.map(|row| row.optional_text("webhook_secret")).transpose()?.flatten() else {
        return Ok(SigningSecret::None);
    };
    Ok(match sealing::read(sealing, key_id, stored) {
        Stored::Sealed(secret) => SigningSecret::Open(secret),
        Stored::Unreadable => SigningSecret::Unreadable,
        Stored::Clear(secret) => {
            sealing::replace_clear(transaction, sealing, key_id, &secret).await?;
            SigningSecret::Open(secret)
        }
    })
}

/// Reads deliveries from the rows of `delivery_rows!()`.
fn read_deliveries(rows: &[AnyRow]) -> Result<Vec<Delivery>, StoreError> {
    let mut deliveries: Vec<Delivery> = Vec::new();
    for row in rows {
        let id = row.id("id")?;
        if deliveries.last().is_none_or(|last| last.id != id) {
            deliveries.push(Delivery {
                id,
                job_id: row.id("job_id")?,
                status: row.word("status", "status of a delivery")?,
                created_at: row.time("created_at")?,
                next_attempt_at: row.optional_time("next_attempt_at")?,
                attempts: Vec::new(),
            });
        }
        if let (Some(delivery), Some(number)) = (deliveries.last_mut(), row.optional_count("number")?) {
            delivery.attempts.push(read_attempt(row, number as u32)?);
        }
    }
    Ok(deliveries)
}

fn read_attempt(row: &AnyRow, number: u32) -> Result<Attempt, StoreError> {
    Ok(Attempt {
        number,
        started_at: row.time("started_at")?,
        duration_ms: row.optional_count("duration_ms")?,
        status_code: row.optional_count("status_code")?.map(|status| status as u16),
        error: row.optional_text("error")?,
    })
}
