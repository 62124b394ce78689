//! Retention: deletion of what has expired, by one host at a time and in small steps, so that no writer waits long.
//!
//! Expired documents and jobs are not found from their expiry on; [`Store::sweep`] only deletes what nobody can see. A
//! blob is deleted before its row. If a sweep dies in between, the next one finishes it, and no blob is ever left without
//! a row. The ledger stays.
//!
//! A table whose rows expire by themselves has an entry in `EXPIRED_ROWS`.
//!
//! The lease that lets one host sweep at a time is a row of the table `watches`, which has kept its first name.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;

use crate::Store;
use crate::blob::{BlobKey, Blobs};
use crate::database::Columns;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};

/// The tables whose rows are deleted by their expiry alone. Each statement deletes at most `$2` rows that expired by `$1`.
const EXPIRED_ROWS: &[ExpiredRows] = &[
    ExpiredRows {
        // Their results and deliveries go with them. A job that is still open is swept after its end.
        what: "jobs",
        statement: "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE expires_at <= $1
                    AND status IN ('complete', 'failed', 'cancelled') ORDER BY expires_at LIMIT $2)",
    },
    ExpiredRows {
        what: "batches",
        statement: "DELETE FROM batches WHERE id IN (SELECT id FROM batches WHERE expires_at <= $1
                    ORDER BY expires_at LIMIT $2)",
    },
    ExpiredRows {
        what: "idempotent requests",
        statement: "DELETE FROM idempotent_requests WHERE (account_id, operation, idempotency_key) IN
                    (SELECT account_id, operation, idempotency_key FROM idempotent_requests WHERE expires_at <= $1
                    ORDER BY expires_at LIMIT $2) AND expires_at <= $1",
    },
];

struct ExpiredRows {
    /// What the rows are, for the log.
    what: &'static str,
    statement: &'static str,
}

/// Maximum rows that one statement deletes. A job's row holds its result, which may be megabytes.
const STEP: i64 = 50;

/// Duration of a sweep lease. If a sweeper takes longer for one step, another host takes over.
const SWEEP_LEASE: Duration = Duration::from_mins(5);

/// The name of the lease for sweeping.
const SWEEP: &str = "sweep";

/// The counts of a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Documents that were deleted, each with its blob unless another document shares it.
    pub documents: u64,
    /// Rows of other tables that were deleted, such as jobs with their results.
    pub rows: u64,
    /// Documents that could not be deleted; the next sweep tries again.
    pub failed: u64,
}

/// The columns of an expired document that a sweep needs.
struct Expired {
    id: String,
    blob: BlobKey,
    /// Microseconds since the epoch.
    expires_at: i64,
}

impl Expired {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let expires_at = row.time("expires_at")?.timestamp_micros();
        Ok(Self { id: row.text("id")?, blob: BlobKey::from_stored(row.text("blob_key")?), expires_at })
    }
}

impl Store {
    /// Deletes what expired at least `grace` ago, so that readers who began earlier can finish and hosts' clocks may
    /// differ by that much. A document with open jobs stays until they have ended.
    ///
    /// Returns `None` if another host is sweeping. `sweeper` is a name that only this host has.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]. A document that can't be deleted is no error: it is counted in [`Swept::failed`].
    pub async fn sweep(&self, blobs: &Blobs, sweeper: &str, grace: Duration) -> Result<Option<Swept>, StoreError> {
        if !self.acquire_sweep_lease(SWEEP, sweeper).await? {
            return Ok(None);
        }
        failpoint::reach(Failpoint::SweepBegun);
        self.repair_queue_accounts().await?;
        let mut swept = Swept::default();
        let finished = self.sweep_documents(blobs, sweeper, grace, &mut swept).await?
            && self.sweep_rows(sweeper, grace, &mut swept).await?;
        if finished {
            self.release_sweep_lease(SWEEP, sweeper).await?;
        }
        Ok(Some(swept))
    }

    /// Deletes expired documents, and returns whether it finished; if not, another host has taken over.
    async fn sweep_documents(
        &self,
        blobs: &Blobs,
        sweeper: &str,
        grace: Duration,
        swept: &mut Swept,
    ) -> Result<bool, StoreError> {
        let before = (self.clock.now() - grace).timestamp_micros();
        // A document that can't be deleted is skipped, so that it does not hold up those after it.
        let mut seen = (i64::MIN, String::new());
        while let Some(expired) = self.next_expired(before, &seen).await? {
            if !self.acquire_sweep_lease(SWEEP, sweeper).await? {
                return Ok(false);
            }
            match self.delete_expired(blobs, &expired).await {
                Ok(()) => swept.documents += 1,
                Err(error) => {
                    swept.failed += 1;
                    tracing::warn!(document = expired.id, error = %error, "could not delete an expired document");
                }
            }
            seen = (expired.expires_at, expired.id);
        }
        Ok(true)
    }

    /// Returns the first document after `seen`, in the order of expiry and id, that expired by `before` and has no open
    /// job. Times are in microseconds.
    async fn next_expired(&self, before: i64, seen: &(i64, String)) -> Result<Option<Expired>, StoreError> {
        let row = sqlx::query(
            "SELECT id, blob_key, expires_at FROM documents WHERE expires_at <= $1 AND (expires_at, id) > ($2, $3)
             AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.document_id = documents.id
                             AND jobs.status IN ('queued', 'processing'))
             ORDER BY expires_at, id LIMIT 1",
        )
        .bind(before)
        .bind(seen.0)
        .bind(seen.1.clone())
        .fetch_optional(&self.database.reader)
        .await?;
        row.as_ref().map(Expired::from_row).transpose()
    }

    /// Deletes a document: first its blob, unless another document shares it, then its row.
    async fn delete_expired(&self, blobs: &Blobs, expired: &Expired) -> Result<(), StoreError> {
        let shared = sqlx::query("SELECT 1 AS found FROM documents WHERE blob_key = $1 AND id <> $2 LIMIT 1")
            .bind(expired.blob.as_str())
            .bind(expired.id.clone())
            .fetch_optional(&self.database.reader)
            .await?;
        if shared.is_none() {
            blobs.delete(&expired.blob).await?;
        }
        failpoint::reach(Failpoint::DocumentBlobDeleted);
        sqlx::query("DELETE FROM documents WHERE id = $1")
            .bind(expired.id.clone())
            .execute(self.database.writer())
            .await?;
        failpoint::reach(Failpoint::DocumentDeleted);
        Ok(())
    }

    /// Deletes the rows of `EXPIRED_ROWS`, and returns whether it finished; if not, another host has taken over.
    async fn sweep_rows(&self, sweeper: &str, grace: Duration, swept: &mut Swept) -> Result<bool, StoreError> {
        let before = (self.clock.now() - grace).timestamp_micros();
        for rows in EXPIRED_ROWS {
            loop {
                if !self.acquire_sweep_lease(SWEEP, sweeper).await? {
                    return Ok(false);
                }
                let deleted =
                    sqlx::query(rows.statement).bind(before).bind(STEP).execute(self.database.writer()).await?;
                failpoint::reach(Failpoint::RowsDeleted);
                swept.rows += deleted.rows_affected();
                tracing::debug!(what = rows.what, rows = deleted.rows_affected(), "deleted expired rows");
                if deleted.rows_affected() < STEP.unsigned_abs() {
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Acquires or extends the lease `name` for `owner`. Returns `false` if another owner holds it.
    pub(crate) async fn acquire_sweep_lease(&self, name: &str, owner: &str) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let until: DateTime<Utc> = now + SWEEP_LEASE;
        let taken = sqlx::query(
            "INSERT INTO watches (name, owner, until) VALUES ($1, $2, $3)
             ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
             WHERE watches.owner = excluded.owner OR watches.until <= $4",
        )
        .bind(name)
        .bind(owner)
        .bind(until.timestamp_micros())
        .bind(now.timestamp_micros())
        .execute(self.database.writer())
        .await?;
        Ok(taken.rows_affected() > 0)
    }

    /// Releases the lease `name`, so that another owner can acquire it at once.
    pub(crate) async fn release_sweep_lease(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM watches WHERE name = $1 AND owner = $2")
            .bind(name)
            .bind(owner)
            .execute(self.database.writer())
            .await?;
        Ok(())
    }
}
