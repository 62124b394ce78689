//! Reviews: what people say of a job's result. A review is stored beside the result and never changes it.

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::Store;
use crate::account::Caller;
use crate::database::Columns;
use crate::error::StoreError;

/// The review of a job as it was last written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// The reviewed job.
    pub job_id: Uuid,
    /// How many times the review has been written. Whoever replaces a review names the version that they have read.
    pub version: u64,
    /// The key that wrote it.
    pub key_id: Uuid,
    /// The name of that key at that time.
    pub reviewer: String,
    /// When it was written.
    pub reviewed_at: DateTime<Utc>,
    /// What it says, JSON text.
    pub changes: String,
}

/// The columns of [`read_review`].
macro_rules! review_columns {
    () => {
        "job_id, version, key_id, reviewer, reviewed_at, changes"
    };
}

impl Store {
    /// Returns the review of a job of the account. `None` if nobody has reviewed it.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], also when the job belongs to another account or has expired.
    pub async fn review(&self, account_id: Uuid, job_id: Uuid) -> Result<Option<Review>, StoreError> {
        self.job(account_id, job_id).await?;
        let row =
            sqlx::query(concat!("SELECT ", review_columns!(), " FROM reviews WHERE job_id = $1 AND account_id = $2"))
                .bind(job_id.to_string())
                .bind(account_id.to_string())
                .fetch_optional(&self.database.reader)
                .await?;
        row.as_ref().map(read_review).transpose()
    }

    /// Returns the jobs of an account that somebody has reviewed, the latest review last. For operators.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn reviewed_jobs(&self, account_id: Uuid) -> Result<Vec<Uuid>, StoreError> {
        let rows = sqlx::query(
            "SELECT reviews.job_id FROM reviews JOIN jobs ON jobs.id = reviews.job_id \
             WHERE reviews.account_id = $1 AND jobs.expires_at > $2 ORDER BY reviews.reviewed_at, reviews.job_id",
        )
        .bind(account_id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .fetch_all(&self.database.reader)
        .await?;
        rows.iter().map(|row| row.id("job_id")).collect()
    }

    /// Writes the review of a complete job of the caller's account. `expected` is the version that it replaces, or `None`
    /// for the job's first review.
    ///
    /// # Errors
    ///
    /// [`StoreError::ReviewChanged`] if the stored review has another version than expected;
    /// [`StoreError::JobNotComplete`] and [`StoreError::JobNotFound`] for a job that cannot be reviewed.
    pub async fn put_review(
        &self,
        caller: &Caller,
        job_id: Uuid,
        expected: Option<u64>,
        changes: &str,
    ) -> Result<Review, StoreError> {
        let now = self.clock.now().timestamp_micros();
        let statement = match expected {
            None => concat!(
                "INSERT INTO reviews (job_id, account_id, version, key_id, reviewer, reviewed_at, changes) ",
                "SELECT jobs.id, jobs.account_id, 1, api_keys.id, api_keys.name, $4, $5 FROM jobs, api_keys ",
                "WHERE jobs.id = $1 AND jobs.account_id = $2 AND api_keys.id = $3 AND jobs.status = 'complete' ",
                "AND jobs.expires_at > $4 ON CONFLICT (job_id) DO NOTHING RETURNING ",
                review_columns!()
            ),
            Some(_) => concat!(
                "UPDATE reviews SET version = version + 1, key_id = $3, ",
                "reviewer = (SELECT name FROM api_keys WHERE id = $3), reviewed_at = $4, changes = $5 ",
                "WHERE job_id = $1 AND account_id = $2 AND version = $6 ",
                "AND EXISTS (SELECT 1 FROM jobs WHERE id = $1 AND expires_at > $4) RETURNING ",
                review_columns!()
            ),
        };
        let mut query = sqlx::query(statement)
            .bind(job_id.to_string())
            .bind(caller.account_id.to_string())
            .bind(caller.key_id.to_string())
            .bind(now)
            .bind(changes);
        if let Some(version) = expected {
            query = query.bind(i64::try_from(version).unwrap_or(i64::MAX));
        }
        let mut transaction = self.database.write().await?;
        let written = query.fetch_optional(&mut *transaction).await?;
        transaction.commit().await?;
        match written {
            Some(row) => read_review(&row),
            None => Err(self.why_not_reviewed(caller.account_id, job_id).await?),
        }
    }

    /// Returns why a review of this job was not written.
    async fn why_not_reviewed(&self, account_id: Uuid, job_id: Uuid) -> Result<StoreError, StoreError> {
        let job = self.job(account_id, job_id).await?;
        let complete = job.status == crate::JobStatus::Complete;
        Ok(if complete { StoreError::ReviewChanged } else { StoreError::JobNotComplete })
    }
}

fn read_review(row: &AnyRow) -> Result<Review, StoreError> {
    Ok(Review {
        job_id: row.id("job_id")?,
        version: row.count("version")?,
        key_id: row.id("key_id")?,
        reviewer: row.text("reviewer")?,
        reviewed_at: row.time("reviewed_at")?,
        changes: row.text("changes")?,
    })
}
