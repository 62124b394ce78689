//! The order in which queued jobs are claimed, and how many jobs are ahead of another one.
//!
//! Accounts share the workers: the account that was served longest ago is served next, with its oldest queued job. That
//! is round robin over the accounts that have queued jobs: the fair queueing of RFC 970, with jobs as packets. An account
//! that is new, or has had no jobs for a while, was served longest ago, so it is next. Its claim sends it behind all
//! others, so being new gains one claim and no more. Of several accounts that were never served, the one that has waited
//! longest is first.
//!
//! `queue_accounts` has one row for each account that has queued a job:
//!
//! - `last_served` is the number of the account's last claim, counted over all accounts, so that hosts' clocks don't
//!   matter.
//! - `waiting_since` marks the accounts that have queued jobs, so that a claim looks at no others. Every transaction that
//!   queues, claims or cancels jobs updates the mark. Hosts of an earlier version don't, so the sweep repairs marks.
//!
//! On PostgreSQL, transactions lock rows in this order: batch, document, job, account of the queue, credits. No
//! transaction locks them in another order, so no two deadlock. A transaction that queues a job and one that removes the
//! mark both lock the account's row first and look at the queue afterwards.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe};
use uuid::Uuid;

use crate::Store;
use crate::database::{Columns, Dialect};
use crate::error::StoreError;
use crate::job::{Job, JobStatus};
use crate::queue::Claimable;

/// Maximum accounts whose queues are counted for the number of jobs ahead: that takes about 5 ms on PostgreSQL 15. Each
/// account beyond these counts as one job.
const COUNTED_ACCOUNTS: i64 = 1_000;

/// The number of [`Claimable`]'s first parameter in [`next_account`].
const FIRST_CLAIMABLE: usize = 4;

/// An account's place in the order of service. Accounts of greater rank are served later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rank {
    last_served: i64,
    waiting_since: i64,
    account_id: String,
}

impl Rank {
    /// Returns the rank before all accounts.
    pub(crate) fn before_all() -> Self {
        Self { last_served: -1, waiting_since: 0, account_id: String::new() }
    }

    /// Returns the account's id.
    pub(crate) fn account_id(&self) -> &str {
        &self.account_id
    }

    /// Reads an account's rank. An account that isn't marked has the rank that it would have if it queued a job now.
    fn read(row: &AnyRow, account_id: String, now: DateTime<Utc>) -> Result<Self, StoreError> {
        let last_served = row.optional_count("last_served")?.unwrap_or(0).cast_signed();
        let waiting_since = row.optional_time("waiting_since")?.unwrap_or(now).timestamp_micros();
        Ok(Self { last_served, waiting_since, account_id })
    }
}

/// Marks an account that queues jobs. Called within the transaction that queues the jobs, before it charges for them.
///
/// On PostgreSQL the account's row stays locked until the transaction ends, even if it is marked already.
pub(crate) async fn enter(
    transaction: &mut AnyConnection,
    account_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO queue_accounts (account_id, last_served, waiting_since) VALUES ($1, 0, $2)
         ON CONFLICT (account_id) DO UPDATE SET waiting_since = excluded.waiting_since
         WHERE queue_accounts.waiting_since IS NULL",
    )
    .bind(account_id.to_string())
    .bind(now.timestamp_micros())
    .execute(transaction)
    .await?;
    Ok(())
}

/// Sends an account behind all others, and removes its mark if no queued job is left. Called within the transaction that
/// claims its job.
pub(crate) async fn serve(transaction: &mut AnyConnection, account_id: Uuid) -> Result<(), StoreError> {
    // An update that waits for another claim's lock on the row reads the other rows as they were before the wait, but this
    // row as it is after it. So the row's own number is among those that the new one exceeds: it never goes back.
    //
    // The update locks the row, so the next statement sees every job that was queued under the lock before.
    sqlx::query(
        "UPDATE queue_accounts SET last_served = 1 + (
             SELECT MAX(number) FROM (
                 SELECT MAX(last_served) AS number FROM queue_accounts AS of_all
                 UNION ALL SELECT queue_accounts.last_served
             ) AS numbers
         ) WHERE account_id = $1",
    )
    .bind(account_id.to_string())
    .execute(&mut *transaction)
    .await?;
    unmark_if_empty(transaction, account_id).await
}

/// Removes an account's mark if it has no queued job left. Called within the transaction that cancelled or failed jobs,
/// before it refunds them.
pub(crate) async fn leave_if_empty(
    transaction: &mut AnyConnection,
    dialect: Dialect,
    account_id: Uuid,
) -> Result<(), StoreError> {
    if let Some(lock) = dialect.lock_statement("SELECT account_id FROM queue_accounts WHERE account_id = $1 FOR UPDATE")
    {
        sqlx::query(lock).bind(account_id.to_string()).fetch_optional(&mut *transaction).await?;
    }
    unmark_if_empty(transaction, account_id).await
}

/// Removes an account's mark if it has no queued job left. An earlier statement must have locked the account's row.
///
/// The subquery is ordered so that PostgreSQL uses the index of the account's queue, and does not scan the table for a
/// job that may not exist.
async fn unmark_if_empty(transaction: &mut AnyConnection, account_id: Uuid) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE queue_accounts SET waiting_since = NULL WHERE account_id = $1
         AND (SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued' ORDER BY queued_at, id LIMIT 1) IS NULL",
    )
    .bind(account_id.to_string())
    .execute(transaction)
    .await?;
    Ok(())
}

/// Returns the first account after `after`, in the order of service, that has a claimable queued job. Takes no lock.
pub(crate) async fn next_account(
    connection: &mut AnyConnection,
    claimable: &Claimable<'_>,
    after: &Rank,
) -> Result<Option<Rank>, StoreError> {
    let statement = format!(
        "SELECT account_id, last_served, waiting_since FROM queue_accounts
         WHERE waiting_since IS NOT NULL AND (last_served, waiting_since, account_id) > ($1, $2, $3)
         AND (SELECT id FROM jobs WHERE jobs.account_id = queue_accounts.account_id AND status = 'queued'
              AND {} ORDER BY queued_at, id LIMIT 1) IS NOT NULL
         ORDER BY last_served, waiting_since, account_id LIMIT 1",
        claimable.condition(FIRST_CLAIMABLE)
    );
    let query = sqlx::query(AssertSqlSafe(statement))
        .bind(after.last_served)
        .bind(after.waiting_since)
        .bind(after.account_id.clone());
    let row = claimable.bind_to(query).fetch_optional(connection).await?;
    row.map(|row| Rank::read(&row, row.text("account_id")?, claimable.now())).transpose()
}

/// Other accounts with the same number of queued jobs, all served before a given account or all after it.
struct Others {
    /// Whether they are served before it.
    before: bool,
    /// Queued jobs of each of them, counted up to a limit.
    queued: u64,
    /// The number of these accounts.
    accounts: u64,
}

impl Others {
    /// Returns how many of their jobs are claimed before a job that has `place` jobs of its own account ahead. Each of
    /// them is served `place` times first, and once more if it is served earlier.
    fn ahead(&self, place: u64) -> u64 {
        let turns = place + u64::from(self.before);
        self.accounts * self.queued.min(turns)
    }
}

/// The queues of all accounts but one.
#[derive(Default)]
struct Queues {
    counted: Vec<Others>,
    /// Number of accounts that are served before it and whose queues were not counted.
    uncounted_before: u64,
    /// Number of accounts that are served after it and whose queues were not counted.
    uncounted_after: u64,
}

impl Queues {
    /// Returns how many jobs are claimed before a job that has `place` jobs of its own account ahead. Each account that
    /// was not counted is taken to have one job.
    fn ahead(&self, place: u64) -> u64 {
        let counted: u64 = self.counted.iter().map(|others| others.ahead(place)).sum();
        place + counted + self.uncounted_before + self.uncounted_after * place.min(1)
    }

    /// Returns how many counted accounts are served before the account, or after it.
    fn counted_accounts(&self, before: bool) -> u64 {
        self.counted.iter().filter(|others| others.before == before).map(|others| others.accounts).sum()
    }
}

impl Store {
    /// Returns how many queued jobs, of any account, will be claimed before this queued job, if nothing is queued or
    /// cancelled meanwhile.
    ///
    /// Jobs that other accounts queue later can still come before it. Where more than 1,000 other accounts have queued
    /// jobs, each account beyond these counts as one job.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn jobs_ahead(&self, job: &Job) -> Result<u64, StoreError> {
        let row = sqlx::query(
            "SELECT place, last_served, waiting_since FROM (
                 SELECT COUNT(*) AS place FROM jobs
                 WHERE account_id = $1 AND status = 'queued' AND (queued_at, id) < ($2, $3)
             ) AS own LEFT JOIN queue_accounts ON account_id = $1",
        )
        .bind(job.account_id.to_string())
        .bind(job.queued_at.timestamp_micros())
        .bind(job.id.to_string())
        .fetch_one(&self.database.reader)
        .await?;
        let place = row.count("place")?;
        let rank = Rank::read(&row, job.account_id.to_string(), self.clock.now())?;
        Ok(self.other_queues(rank, place).await?.ahead(place))
    }

    /// Like [`Store::jobs_ahead`], for every queued job among these jobs of an account. Returns the numbers by job id.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn jobs_ahead_of_each(&self, account_id: Uuid, jobs: &[Job]) -> Result<HashMap<Uuid, u64>, StoreError> {
        let queued: Vec<Uuid> = jobs.iter().filter(|job| job.status == JobStatus::Queued).map(|job| job.id).collect();
        let (Some(first), Some(last)) = (queued.iter().min(), queued.iter().max()) else {
            return Ok(HashMap::new());
        };
        let rows = sqlx::query(
            "SELECT id, place, last_served, waiting_since FROM (
                 SELECT id, ROW_NUMBER() OVER (ORDER BY queued_at, id) - 1 AS place FROM jobs
                 WHERE account_id = $1 AND status = 'queued'
             ) AS own LEFT JOIN queue_accounts ON account_id = $1 WHERE id >= $2 AND id <= $3 ORDER BY place DESC",
        )
        .bind(account_id.to_string())
        .bind(first.to_string())
        .bind(last.to_string())
        .fetch_all(&self.database.reader)
        .await?;
        let Some(row) = rows.first() else {
            return Ok(HashMap::new());
        };
        let rank = Rank::read(row, account_id.to_string(), self.clock.now())?;
        let others = self.other_queues(rank, row.count("place")?).await?;
        rows.iter().map(|row| Ok((row.id("id")?, others.ahead(row.count("place")?)))).collect()
    }

    /// Returns how many queued jobs would be claimed before a job that the account queued now, at most `most`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn jobs_ahead_of_next(&self, account_id: Uuid, most: u32) -> Result<u64, StoreError> {
        let row = sqlx::query(
            "SELECT place, last_served, waiting_since FROM (
                 SELECT COUNT(*) AS place FROM (
                     SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued' ORDER BY queued_at, id LIMIT $2
                 ) AS queued
             ) AS own LEFT JOIN queue_accounts ON account_id = $1",
        )
        .bind(account_id.to_string())
        .bind(i64::from(most))
        .fetch_one(&self.database.reader)
        .await?;
        let place = row.count("place")?;
        if place >= u64::from(most) {
            return Ok(u64::from(most));
        }
        let rank = Rank::read(&row, account_id.to_string(), self.clock.now())?;
        Ok(self.other_queues(rank, place).await?.ahead(place).min(u64::from(most)))
    }

    /// Counts the queues of all accounts but `own`, each only as far as it matters to a job that has `place` jobs of its
    /// own account ahead.
    async fn other_queues(&self, own: Rank, place: u64) -> Result<Queues, StoreError> {
        // The queue's own order makes PostgreSQL use its index: see `unmark_if_empty`.
        let rows = sqlx::query(
            "SELECT precedes, queued, COUNT(*) AS accounts FROM (
                 SELECT CASE WHEN (last_served, waiting_since, account_id) < ($1, $2, $3) THEN 1 ELSE 0 END AS precedes,
                        (SELECT COUNT(*) FROM (
                             SELECT id FROM jobs WHERE jobs.account_id = others.account_id AND status = 'queued'
                             ORDER BY queued_at, id LIMIT $4
                         ) AS counted) AS queued
                 FROM (SELECT account_id, last_served, waiting_since FROM queue_accounts
                       WHERE waiting_since IS NOT NULL AND account_id <> $3
                       ORDER BY last_served, waiting_since, account_id LIMIT $5) AS others
             ) AS queues GROUP BY precedes, queued",
        )
        .bind(own.last_served)
        .bind(own.waiting_since)
        .bind(own.account_id.clone())
        .bind(i64::try_from(place).unwrap_or(i64::MAX).saturating_add(1))
        .bind(COUNTED_ACCOUNTS)
        .fetch_all(&self.database.reader)
        .await?;
        let counted: Vec<Others> = rows
            .iter()
            .map(|row| {
                let (queued, accounts) = (row.count("queued")?, row.count("accounts")?);
                Ok(Others { before: row.flag("precedes")?, queued, accounts })
            })
            .collect::<Result<_, StoreError>>()?;
        let mut queues = Queues { counted, ..Queues::default() };
        let (before, after) = (queues.counted_accounts(true), queues.counted_accounts(false));
        if before + after >= COUNTED_ACCOUNTS.unsigned_abs() {
            let row = sqlx::query(
                "SELECT COUNT(*) AS accounts,
                        COUNT(CASE WHEN (last_served, waiting_since, account_id) < ($1, $2, $3) THEN 1 END) AS preceding
                 FROM queue_accounts WHERE waiting_since IS NOT NULL AND account_id <> $3",
            )
            .bind(own.last_served)
            .bind(own.waiting_since)
            .bind(own.account_id)
            .fetch_one(&self.database.reader)
            .await?;
            let all_before = row.count("preceding")?;
            queues.uncounted_before = all_before.saturating_sub(before);
            queues.uncounted_after = (row.count("accounts")? - all_before).saturating_sub(after);
        }
        Ok(queues)
    }

    /// Makes the marks agree with the queue, because hosts of an earlier version queue and claim jobs without them.
    pub(crate) async fn repair_queue_accounts(&self) -> Result<(), StoreError> {
        let unmarked = sqlx::query(
            "SELECT account_id, waiting_since FROM (
                 SELECT account_id, MIN(queued_at) AS waiting_since FROM jobs WHERE status = 'queued'
                 GROUP BY account_id
             ) AS queues
             WHERE account_id NOT IN (SELECT account_id FROM queue_accounts WHERE waiting_since IS NOT NULL)",
        )
        .fetch_all(&self.database.reader)
        .await?;
        for row in &unmarked {
            let (account_id, since) = (row.id("account_id")?, row.time("waiting_since")?);
            let mut transaction = self.database.write().await?;
            enter(&mut transaction, account_id, since).await?;
            // The job may have been claimed since the accounts were looked up.
            unmark_if_empty(&mut transaction, account_id).await?;
            transaction.commit().await?;
        }
        let empty = sqlx::query(
            "SELECT account_id FROM queue_accounts WHERE waiting_since IS NOT NULL
             AND (SELECT id FROM jobs WHERE jobs.account_id = queue_accounts.account_id AND status = 'queued'
                  ORDER BY queued_at, id LIMIT 1) IS NULL",
        )
        .fetch_all(&self.database.reader)
        .await?;
        for row in &empty {
            self.leave_queue_if_empty(row.id("account_id")?).await?;
        }
        if !unmarked.is_empty() || !empty.is_empty() {
            tracing::info!(
                unmarked = unmarked.len(),
                empty = empty.len(),
                "repaired the marks of accounts with queued jobs"
            );
        }
        Ok(())
    }

    /// Does what [`leave_if_empty`] does, in a transaction of its own.
    pub(crate) async fn leave_queue_if_empty(&self, account_id: Uuid) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        leave_if_empty(&mut transaction, self.database.dialect, account_id).await?;
        transaction.commit().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(before: bool, queued: u64) -> Others {
        Others { before, queued, accounts: 1 }
    }

    #[test]
    fn each_round_serves_every_account_that_has_jobs_left() {
        let queues = Queues { counted: vec![others(true, 1), others(true, 9), others(false, 2)], ..Queues::default() };
        let ahead: Vec<u64> = (0..5).map(|place| queues.ahead(place)).collect();
        // The accounts x, y and z take turns with the own one (*): x y * z, y * z, y *, y *, y *.
        assert_eq!(ahead, [2, 5, 8, 10, 12]);
    }

    #[test]
    fn uncounted_accounts_have_one_job_each() {
        let queues = Queues { counted: vec![others(true, 9)], uncounted_before: 7, uncounted_after: 5 };
        assert_eq!([0, 1, 2].map(|place| queues.ahead(place)), [1 + 7, 1 + 2 + 7 + 5, 2 + 3 + 7 + 5]);
    }
}
