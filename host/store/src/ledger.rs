//! The credit ledger: one row for each charge or refund, and a running sum for each account and period.
//!
//! A charge changes the sum by one conditional statement, which locks the sum's row in both databases. So of charges that
//! come at the same time exactly as many pass as the credits cover.

use chrono::{DateTime, Datelike, Months, NaiveTime, Utc};
use sqlx::AnyConnection;
use uuid::Uuid;

use crate::Store;
use crate::account::Caller;
use crate::database::Columns;
use crate::error::StoreError;
use crate::job::Job;
use crate::tier::{CreditPeriod, TierLimits};

/// The name of the period of a tier whose credits are for a lifetime.
const LIFETIME: &str = "lifetime";

/// A charge for a job.
pub(crate) struct Charge<'a> {
    /// The id of the new row.
    pub(crate) entry_id: Uuid,
    pub(crate) job: &'a Job,
    /// The limits of the caller's tier.
    pub(crate) limits: &'a TierLimits,
    pub(crate) now: DateTime<Utc>,
}

/// Charges a job within a transaction. All monthly tiers of an account share one sum, so that a second key does not open
/// a second pool.
///
/// # Errors
///
/// [`StoreError::FreeTierLimit`] or [`StoreError::QuotaExceeded`] when the account's credits do not cover the job.
pub(crate) async fn charge(transaction: &mut AnyConnection, charge: &Charge<'_>) -> Result<(), StoreError> {
    let Charge { entry_id, job, limits, now } = charge;
    let period = period(limits.credit_period, *now);
    let credits = i64::from(job.credits_charged);
    let ceiling = match limits.credit_period {
        CreditPeriod::Unlimited => i64::MAX,
        CreditPeriod::Lifetime | CreditPeriod::Month => i64::from(limits.credits),
    };
    let covered = sqlx::query(
        "INSERT INTO credits_used (account_id, period, credits) SELECT $1, $2, $3 WHERE $3 <= $4
         ON CONFLICT (account_id, period) DO UPDATE SET credits = credits_used.credits + excluded.credits
         WHERE credits_used.credits + excluded.credits <= $4",
    )
    .bind(job.account_id.to_string())
    .bind(&*period)
    .bind(credits)
    .bind(ceiling)
    .execute(&mut *transaction)
    .await?;
    if covered.rows_affected() == 0 {
        return Err(match limits.credit_period {
            CreditPeriod::Lifetime => StoreError::FreeTierLimit,
            CreditPeriod::Month | CreditPeriod::Unlimited => StoreError::QuotaExceeded,
        });
    }
    sqlx::query(
        "INSERT INTO credit_ledger (id, account_id, key_id, job_id, model, kind, credits, period, created_at)
         VALUES ($1, $2, $3, $4, $5, 'charge', $6, $7, $8)",
    )
    .bind(entry_id.to_string())
    .bind(job.account_id.to_string())
    .bind(job.key_id.to_string())
    .bind(job.id.to_string())
    .bind(&*job.model)
    .bind(credits)
    .bind(&*period)
    .bind(now.timestamp_micros())
    .execute(&mut *transaction)
    .await?;
    Ok(())
}

/// Refunds a job within a transaction, to the period in which it was charged. A second refund of a job does nothing.
pub(crate) async fn refund(
    transaction: &mut AnyConnection,
    entry_id: Uuid,
    job_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let refunded = sqlx::query(
        "INSERT INTO credit_ledger (id, account_id, key_id, job_id, model, kind, credits, period, created_at)
         SELECT $1, account_id, key_id, job_id, model, 'refund', -credits, period, $2 FROM credit_ledger
         WHERE job_id = $3 AND kind = 'charge'
         ON CONFLICT (job_id, kind) DO NOTHING RETURNING account_id, period, -credits AS credits",
    )
    .bind(entry_id.to_string())
    .bind(now.timestamp_micros())
    .bind(job_id.to_string())
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(row) = refunded else {
        return Ok(());
    };
    sqlx::query("UPDATE credits_used SET credits = credits - $1 WHERE account_id = $2 AND period = $3")
        .bind(row.count("credits")?.cast_signed())
        .bind(row.text("account_id")?)
        .bind(row.text("period")?)
        .execute(&mut *transaction)
        .await?;
    Ok(())
}

impl Store {
    /// Returns the credits that the caller's account has used in the current period of the caller's tier.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn credits_used(&self, caller: &Caller) -> Result<u64, StoreError> {
        let period = period(self.limits(caller.tier).credit_period, self.clock.now());
        let row = sqlx::query("SELECT credits FROM credits_used WHERE account_id = $1 AND period = $2")
            .bind(caller.account_id.to_string())
            .bind(period)
            .fetch_optional(&self.database.reader)
            .await?;
        row.map_or(Ok(0), |row| row.count("credits"))
    }
}

/// The usage of an account in its current period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// The beginning of the period. A lifetime begins when the account is created.
    pub starts_at: DateTime<Utc>,
    /// The beginning of the next period; absent for a lifetime.
    pub ends_at: Option<DateTime<Utc>>,
    /// Credits used: charges minus refunds.
    pub used: u64,
    /// Credits of the period; absent where they are not checked.
    pub limit: Option<u32>,
    /// The usage of each model, sorted by name. Together they make up `used`.
    pub models: Vec<ModelUsage>,
}

impl Usage {
    /// Returns the credits that are left, or `None` where they are not checked.
    pub fn remaining(&self) -> Option<u64> {
        self.limit.map(|limit| u64::from(limit).saturating_sub(self.used))
    }
}

/// The usage of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelUsage {
    /// The model's name.
    pub model: String,
    /// Number of jobs that were charged, including those that were refunded later.
    pub jobs: u64,
    /// Credits that were charged.
    pub charged: u64,
    /// Credits that were refunded.
    pub refunded: u64,
}

impl Store {
    /// Returns the usage of the caller's account in the current period of the caller's tier.
    ///
    /// # Errors
    ///
    /// [`StoreError::AccountNotFound`] or [`StoreError::Database`].
    pub async fn usage(&self, caller: &Caller) -> Result<Usage, StoreError> {
        let now = self.clock.now();
        let limits = self.limits(caller.tier);
        let rows = sqlx::query(
            "SELECT model, CAST(SUM(CASE WHEN kind = 'charge' THEN 1 ELSE 0 END) AS BIGINT) AS jobs,
                 CAST(SUM(CASE WHEN kind = 'charge' THEN credits ELSE 0 END) AS BIGINT) AS charged,
                 CAST(SUM(CASE WHEN kind = 'refund' THEN -credits ELSE 0 END) AS BIGINT) AS refunded
             FROM credit_ledger WHERE account_id = $1 AND period = $2 GROUP BY model ORDER BY model",
        )
        .bind(caller.account_id.to_string())
        .bind(period(limits.credit_period, now))
        .fetch_all(&self.database.reader)
        .await?;
        let mut models = Vec::with_capacity(rows.len());
        for row in rows {
            models.push(ModelUsage {
                model: row.text("model")?,
                jobs: row.count("jobs")?,
                charged: row.count("charged")?,
                refunded: row.count("refunded")?,
            });
        }
        let used = models.iter().map(|model| model.charged.saturating_sub(model.refunded)).sum();
        let (starts_at, ends_at) = match limits.credit_period {
            CreditPeriod::Lifetime => (self.account_created_at(caller).await?, None),
            CreditPeriod::Month | CreditPeriod::Unlimited => {
                let (month, next) = month_around(now);
                (month, Some(next))
            }
        };
        let limit = (limits.credit_period != CreditPeriod::Unlimited).then_some(limits.credits);
        Ok(Usage { starts_at, ends_at, used, limit, models })
    }

    async fn account_created_at(&self, caller: &Caller) -> Result<DateTime<Utc>, StoreError> {
        let row = sqlx::query("SELECT created_at FROM accounts WHERE id = $1")
            .bind(caller.account_id.to_string())
            .fetch_optional(&self.database.reader)
            .await?
            .ok_or(StoreError::AccountNotFound)?;
        row.time("created_at")
    }
}

/// Returns the beginning of the calendar month around `time`, in UTC, and the beginning of the next month.
fn month_around(time: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
    let first = time.date_naive().with_day(1).unwrap_or_default();
    let next = first.checked_add_months(Months::new(1)).unwrap_or_default();
    (first.and_time(NaiveTime::MIN).and_utc(), next.and_time(NaiveTime::MIN).and_utc())
}

/// Returns the name of the period to which credits used at `now` are counted: `lifetime`, or a month such as `2026-11`.
fn period(period: CreditPeriod, now: DateTime<Utc>) -> String {
    match period {
        CreditPeriod::Lifetime => LIFETIME.to_owned(),
        CreditPeriod::Month | CreditPeriod::Unlimited => format!("{:04}-{:02}", now.year(), now.month()),
    }
}
