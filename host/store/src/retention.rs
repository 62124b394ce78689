//! Retention: what is past its time is deleted, by one host at a time and in small steps, so that nobody who writes
//! waits for long.
//!
//! Whatever has expired is not found from that moment on; [`Store::sweep`] only takes away what nobody can see. Blobs
//! go before the rows that name them: a sweep that dies in between is finished by the next one, and no blob is ever
//! left without a row. The ledger stays.
//!
//! A table whose rows have a time after which nobody needs them gets its line in `EXPIRED_ROWS`.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;

use crate::Store;
use crate::blob::{BlobKey, Blobs};
use crate::database::Columns;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};

/// Rows that are deleted by their own time alone, a statement each: of those past the time `$1`, at most `$2`.
const EXPIRED_ROWS: &[ExpiredRows] = &[
    ExpiredRows {
        // With their results and deliveries. One that is still open is swept after its end.
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
    /// For the log.
    what: &'static str,
    statement: &'static str,
}

/// Most rows that one statement deletes. A job's row holds its result, which may be megabytes.
const STEP: i64 = 50;

/// How long a sweeper may take over one step before another host takes its place.
const WATCH: Duration = Duration::from_mins(5);

/// The row that says who sweeps.
const SWEEP: &str = "sweep";

/// What a sweep deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// Documents, each with its blob unless another document shares it.
    pub documents: u64,
    /// Rows of other tables: jobs with their results and the like.
    pub rows: u64,
    /// Documents that could not be deleted; the next sweep tries again.
    pub failed: u64,
}

/// A document that has expired, as far as sweeping goes.
struct Expired {
    id: String,
    blob: BlobKey,
    expires_at: i64,
}

impl Expired {
    fn of(row: &AnyRow) -> Result<Self, StoreError> {
        let expires_at = row.time("expires_at")?.timestamp_micros();
        Ok(Self { id: row.text("id")?, blob: BlobKey::stored(row.text("blob_key")?), expires_at })
    }
}

impl Store {
    /// Deletes what expired at least `grace` ago: what began to be read before may still be read to its end, and
    /// hosts' clocks may differ by that much. A document with open jobs stays until they have ended.
    ///
    /// Gives none where another host is sweeping. `sweeper` names this one, and no other.
    pub async fn sweep(&self, blobs: &Blobs, sweeper: &str, grace: Duration) -> Result<Option<Swept>, StoreError> {
        if !self.watch(SWEEP, sweeper).await? {
            return Ok(None);
        }
        failpoint::reach(Failpoint::SweepBegun);
        self.mend_queue_accounts().await?;
        let mut swept = Swept::default();
        let finished = self.sweep_documents(blobs, sweeper, grace, &mut swept).await?
            && self.sweep_rows(sweeper, grace, &mut swept).await?;
        if finished {
            self.end_watch(SWEEP, sweeper).await?;
        }
        Ok(Some(swept))
    }

    /// Whether it came to its end; else another host has taken over.
    async fn sweep_documents(
        &self,
        blobs: &Blobs,
        sweeper: &str,
        grace: Duration,
        swept: &mut Swept,
    ) -> Result<bool, StoreError> {
        let before = (self.clock.now() - grace).timestamp_micros();
        // What can't be deleted is passed over, and doesn't keep what comes after it.
        let mut seen = (i64::MIN, String::new());
        while let Some(expired) = self.next_expired(before, &seen).await? {
            if !self.watch(SWEEP, sweeper).await? {
                return Ok(false);
            }
            match self.delete_expired(blobs, &expired).await {
                Ok(()) => swept.documents += 1,
                Err(error) => {
                    swept.failed += 1;
                    tracing::warn!(document = expired.id, error = %error, "can't delete an expired document yet");
                }
            }
            seen = (expired.expires_at, expired.id);
        }
        Ok(true)
    }

    /// The first expired document after one, by expiry and id, that no open job needs.
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
        row.as_ref().map(Expired::of).transpose()
    }

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

    /// Whether it came to its end; else another host has taken over.
    async fn sweep_rows(&self, sweeper: &str, grace: Duration, swept: &mut Swept) -> Result<bool, StoreError> {
        let before = (self.clock.now() - grace).timestamp_micros();
        for rows in EXPIRED_ROWS {
            loop {
                if !self.watch(SWEEP, sweeper).await? {
                    return Ok(false);
                }
                let deleted =
                    sqlx::query(rows.statement).bind(before).bind(STEP).execute(self.database.writer()).await?;
                failpoint::reach(Failpoint::RowsDeleted);
                swept.rows += deleted.rows_affected();
                tracing::debug!(what = rows.what, rows = deleted.rows_affected(), "swept");
                if deleted.rows_affected() < STEP.unsigned_abs() {
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Takes a watch, or keeps it. Not where another has it and its time is not over.
    pub(crate) async fn watch(&self, name: &str, owner: &str) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let until: DateTime<Utc> = now + WATCH;
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

    /// Lets others take a watch at once.
    pub(crate) async fn end_watch(&self, name: &str, owner: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM watches WHERE name = $1 AND owner = $2")
            .bind(name)
            .bind(owner)
            .execute(self.database.writer())
            .await?;
        Ok(())
    }
}
