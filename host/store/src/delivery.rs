//! Finished jobs on their way to the webhooks that their submissions named.
//!
//! A delivery is made in the transaction that ends its job, so that a crash loses none, and its attempts are made
//! under a lease, as jobs are: a claim counts up the delivery's `attempt`, which is the fence. Each attempt is a row of
//! the log. When the next one is due, and when the last has been, is decided here.
//!
//! A delivery is signed with the secret of the key that submitted the job, or that asked for the replay. A key that is
//! revoked or expired signs nothing any more: whoever had it may be whoever the address belongs to. What waits under it
//! fails, and is replayed with another key of the account.

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
use crate::listing::{ListRequest, Listed, Part};
use crate::sealing::{self, SecretSealing, Stored};

/// The waits before each further attempt, as Standard Webhooks proposes them. After the last there is none.
pub const WEBHOOK_RETRIES: [Duration; 7] = [
    Duration::from_secs(5),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
];

/// By at most this part is a wait lengthened, by chance, so that what failed together does not come back together.
const JITTER: f64 = 0.2;

/// The error of an attempt whose worker died, or was stopped, before it knew how the attempt ended.
pub const INTERRUPTED: &str = "interrupted";

/// The error of a delivery that nothing can sign: its key is revoked or expired, or has no webhook secret.
pub const KEY_NOT_VALID: &str = "key_not_valid";

/// The error of an attempt whose worker cannot open the key's webhook secret: it was sealed with another key. A later
/// attempt may be made by a host that can.
pub const SECRET_UNREADABLE: &str = "secret_unreadable";

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStatus {
    /// An attempt is due, or under way.
    Pending,
    /// Final: the receiver took it.
    Delivered,
    /// Final: no attempt succeeded, and there will be no other.
    Failed,
}

impl DeliveryStatus {
    /// Every status.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];

    /// The name used in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }
}

/// The word names no status.
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
    /// Its id; later deliveries have greater ones.
    pub id: Uuid,
    /// The job.
    pub job_id: Uuid,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When the next attempt is due; none when it is final.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
}

/// An attempt at a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Which one of its delivery, from 1.
    pub number: u32,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// How long it took; none while it is under way, and when it was interrupted.
    pub duration_ms: Option<u64>,
    /// The status that the receiver answered with.
    pub status_code: Option<u16>,
    /// Why there was no answer, in a word.
    pub error: Option<String>,
}

/// A worker's right to an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryLease {
    /// The delivery.
    pub delivery_id: Uuid,
    /// Which attempt at it this is, from 1.
    pub attempt: u32,
}

/// An attempt to be made.
#[derive(Debug, Clone)]
pub struct DeliveryClaim {
    /// The right to it.
    pub lease: DeliveryLease,
    /// The account that the job belongs to.
    pub account_id: Uuid,
    /// The job.
    pub job_id: Uuid,
    /// What to sign with.
    pub secret: WebhookSecret,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptEnd {
    /// The status that the receiver answered with.
    pub status_code: Option<u16>,
    /// Why there was no answer, in a word.
    pub error: Option<String>,
    /// What follows from it.
    pub then: Then,
}

/// What follows from an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing: the receiver took it.
    Delivered,
    /// Another attempt, if one is left: when it is due, and not before the receiver's wish.
    Retry {
        /// How long the receiver asked to be left alone.
        at_least: Duration,
    },
    /// Nothing: there is no point in another attempt.
    GiveUp,
}

/// The oldest delivery of which an attempt is due at time `$1`, that nobody holds a lease of, and whose account is none
/// of the busy ones.
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

/// Deliveries with their attempts, newest first and the attempts in order: by one statement, so that the two agree.
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
    /// Begins the oldest attempt that is due, of an account that is none of the busy ones, for `longest` at most: after
    /// that another worker may begin the next. On the way, deliveries whose last attempt was interrupted, and those
    /// that nothing can sign, are failed; those that this host cannot sign wait for their next attempt.
    pub async fn claim_delivery(
        &self,
        longest: Duration,
        busy_accounts: &[Uuid],
    ) -> Result<Option<DeliveryClaim>, StoreError> {
        let now = self.clock.now();
        // Looked for without a lock, so that idle workers do not disturb those who write.
        while self.oldest_due(&self.database.reader, busy_accounts, "", now).await?.is_some() {
            let mut transaction = self.database.write().await?;
            let lock = self.database.dialect.row_lock("", " FOR UPDATE SKIP LOCKED");
            let Some(due) = self.oldest_due(&mut *transaction, busy_accounts, lock, now).await? else {
                return Ok(None);
            };
            let delivery_id = due.id("id")?;
            note_interrupted(&mut transaction, delivery_id).await?;
            let lease = DeliveryLease { delivery_id, attempt: due.count("attempt")? as u32 + 1 };
            if !self.attempts_left(lease.attempt - 1) {
                give_up(&mut transaction, delivery_id).await?;
                transaction.commit().await?;
                continue;
            }
            let secret = match signing_secret(&mut transaction, &*self.sealing, due.id("key_id")?, now).await? {
                SigningSecret::Open(secret) => secret,
                SigningSecret::None => {
                    log_unsigned(&mut transaction, &lease, now, KEY_NOT_VALID).await?;
                    give_up(&mut transaction, delivery_id).await?;
                    transaction.commit().await?;
                    continue;
                }
                SigningSecret::Unreadable => {
                    tracing::error!(
                        key = due.text("key_id")?,
                        "a webhook's message can't be signed: \
                        the key's secret was sealed with another `link_secret`"
                    );
                    log_unsigned(&mut transaction, &lease, now, SECRET_UNREADABLE).await?;
                    match self.next_attempt(lease.attempt, Duration::ZERO, now) {
                        Some(next) => put_off(&mut transaction, &lease, next).await?,
                        None => give_up(&mut transaction, delivery_id).await?,
                    }
                    transaction.commit().await?;
                    continue;
                }
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

    /// Logs how an attempt ended, and says when the next is due or that there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`] when it took longer than it might; nothing was written.
    pub async fn end_attempt(
        &self,
        lease: &DeliveryLease,
        end: &AttemptEnd,
        took: Duration,
    ) -> Result<DeliveryStatus, StoreError> {
        let now = self.clock.now();
        let next = match end.then {
            Then::Retry { at_least } => self.next_attempt(lease.attempt, at_least, now),
            Then::Delivered | Then::GiveUp => None,
        };
        let status = match (end.then, next) {
            (Then::Delivered, _) => DeliveryStatus::Delivered,
            (_, Some(_)) => DeliveryStatus::Pending,
            (_, None) => DeliveryStatus::Failed,
        };

        let mut transaction = self.database.write().await?;
        if status == DeliveryStatus::Delivered {
            // The job's row is locked before the delivery's, as by whoever deletes a job.
            sqlx::query(
                "UPDATE jobs SET webhook_delivered_at = COALESCE(webhook_delivered_at, $1)
                 WHERE id = (SELECT job_id FROM webhook_deliveries WHERE id = $2)",
            )
            .bind(now.timestamp_micros())
            .bind(lease.delivery_id.to_string())
            .execute(&mut *transaction)
            .await?;
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
        failpoint::reach(Failpoint::DeliveryLogged);
        transaction.commit().await?;
        failpoint::reach(Failpoint::DeliveryEnded);
        Ok(status)
    }

    /// Lets the attempt's lease end now, so that the next worker need not wait for it.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`]: there is nothing to give back.
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

    /// Sends a finished job to its webhook again, now, signed with the caller's secret. Where an attempt is due anyway,
    /// it is that one; so a replay makes one attempt at a time, however often it is asked for.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`]; [`StoreError::NoWebhook`] when its submission named none, or the caller's tier has
    /// no webhooks; [`StoreError::NotFinished`] when it is neither complete nor failed.
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

    /// The deliveries of a job of the account, newest first.
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
        let part = Part::of(request, "deliveries", account_id, &[Some(&job)])?;
        sqlx::query("SELECT id FROM jobs WHERE id = $1 AND account_id = $2 AND expires_at > $3")
            .bind(&*job)
            .bind(account_id.to_string())
            .bind(self.clock.now().timestamp_micros())
            .fetch_optional(&self.database.reader)
            .await?
            .ok_or(StoreError::JobNotFound)?;
        let rows = sqlx::query(delivery_rows!("WHERE job_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"))
            .bind(&*job)
            .bind(part.before())
            .bind(part.rows())
            .fetch_all(&self.database.reader)
            .await?;
        Ok(part.listed(read_deliveries(&rows)?, |delivery| delivery.id))
    }

    /// Whether another attempt may follow after so many.
    fn attempts_left(&self, made: u32) -> bool {
        made as usize <= self.webhook_retries.len()
    }

    /// When the attempt after this one is due, if there is one.
    fn next_attempt(&self, attempt: u32, at_least: Duration, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let wait = self.webhook_retries.get(attempt.checked_sub(1)? as usize)?;
        let wait = wait.mul_f64(1.0 + rand::rng().random_range(0.0..JITTER));
        Some(now + wait.max(at_least))
    }
}

/// Whether a job that ended so is delivered: one that was cancelled is not, as its owner ended it.
fn is_delivered(status: JobStatus) -> bool {
    matches!(status, JobStatus::Complete | JobStatus::Failed)
}

/// Makes the first delivery of a job with a webhook that has just ended, in the transaction that ends it.
pub(crate) async fn make(
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

/// The attempts that were under way are no longer.
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

/// An attempt that was none, for the log.
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

/// Ends an attempt that was none; the next one is due at `next`.
async fn put_off(
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

async fn give_up(transaction: &mut AnyConnection, delivery_id: Uuid) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, lease_until = NULL WHERE id = $1",
    )
    .bind(delivery_id.to_string())
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// What a delivery can be signed with.
enum SigningSecret {
    /// The secret of its key.
    Open(WebhookSecret),
    /// Nothing: the key is revoked or expired, or has no secret.
    None,
    /// Nothing on this host: the secret was sealed with another key.
    Unreadable,
}

/// Reads the secret of a key that is neither revoked nor expired. One that is stored in clear is sealed on the way.
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

/// Reads the rows of `delivery_rows!()`.
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
