//! Links that show one job, read-only, to people without a key.
//!
//! A link's token is shown once. The database keeps only its SHA-256, so that whoever reads the database can't follow it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::Store;
use crate::account::digest;
use crate::database::Columns;
use crate::error::StoreError;
use crate::job::Job;
use crate::session::Token;

/// A link to a job that is valid now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// By which it is revoked.
    pub id: Uuid,
    /// The job that it shows.
    pub job_id: Uuid,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it ends by itself.
    pub expires_at: DateTime<Utc>,
}

/// A link that has just been made, with its token, which is not shown again.
#[derive(Debug, Clone)]
pub struct NewShare {
    /// The link.
    pub share: Share,
    /// Its token.
    pub token: Token,
}

/// The columns of [`read_share`].
macro_rules! share_columns {
    () => {
        "shares.id, shares.job_id, shares.created_at, shares.expires_at"
    };
}

impl Store {
    /// Makes a link to a complete job of the account, valid for `lifetime` and no longer than the job is kept.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotComplete`] and [`StoreError::JobNotFound`] for a job that cannot be shared.
    pub async fn create_share(
        &self,
        account_id: Uuid,
        job_id: Uuid,
        lifetime: Duration,
    ) -> Result<NewShare, StoreError> {
        let job = self.job(account_id, job_id).await?;
        if job.status != crate::JobStatus::Complete {
            return Err(StoreError::JobNotComplete);
        }
        let now = self.clock.now();
        let share =
            Share { id: Uuid::now_v7(), job_id, created_at: now, expires_at: (now + lifetime).min(job.expires_at) };
        let token = Token::random();
        let mut transaction = self.database.write().await?;
        sqlx::query("DELETE FROM shares WHERE expires_at <= $1")
            .bind(now.timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        sqlx::query(concat!(
            "INSERT INTO shares (id, token_sha256, account_id, job_id, created_at, expires_at) ",
            "VALUES ($1, $2, $3, $4, $5, $6)"
        ))
        .bind(share.id.to_string())
        .bind(digest(token.reveal()))
        .bind(account_id.to_string())
        .bind(job_id.to_string())
        .bind(share.created_at.timestamp_micros())
        .bind(share.expires_at.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(NewShare { share, token })
    }

    /// Returns the links to a job of the account that are valid now, the newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::JobNotFound`], also when the job belongs to another account or has expired.
    pub async fn shares(&self, account_id: Uuid, job_id: Uuid) -> Result<Vec<Share>, StoreError> {
        self.job(account_id, job_id).await?;
        let rows = sqlx::query(concat!(
            "SELECT ",
            share_columns!(),
            " FROM shares WHERE job_id = $1 AND account_id = $2 AND expires_at > $3 ORDER BY created_at DESC, id DESC"
        ))
        .bind(job_id.to_string())
        .bind(account_id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .fetch_all(&self.database.reader)
        .await?;
        rows.iter().map(read_share).collect()
    }

    /// Revokes a link to a job of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::ShareNotFound`] if the job has no such link, and [`StoreError::JobNotFound`] as for [`Self::shares`].
    pub async fn revoke_share(&self, account_id: Uuid, job_id: Uuid, share_id: Uuid) -> Result<(), StoreError> {
        self.job(account_id, job_id).await?;
        let mut transaction = self.database.write().await?;
        let revoked = sqlx::query("DELETE FROM shares WHERE id = $1 AND job_id = $2 AND account_id = $3 RETURNING id")
            .bind(share_id.to_string())
            .bind(job_id.to_string())
            .bind(account_id.to_string())
            .fetch_optional(&mut *transaction)
            .await?;
        transaction.commit().await?;
        revoked.map(|_| ()).ok_or(StoreError::ShareNotFound)
    }

    /// Returns the job that a token shows, and when the link ends.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidShare`] if the token is unknown, has expired or was revoked.
    pub async fn shared_job(&self, token: &str) -> Result<(Job, DateTime<Utc>), StoreError> {
        let row = sqlx::query(
            "SELECT account_id, job_id, expires_at FROM shares WHERE token_sha256 = $1 AND expires_at > $2",
        )
        .bind(digest(token))
        .bind(self.clock.now().timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?
        .ok_or(StoreError::InvalidShare)?;
        let job = self.job(row.id("account_id")?, row.id("job_id")?).await;
        let job = job.map_err(|error| match error {
            StoreError::JobNotFound => StoreError::InvalidShare,
            other => other,
        })?;
        Ok((job, row.time("expires_at")?))
    }
}

fn read_share(row: &AnyRow) -> Result<Share, StoreError> {
    Ok(Share {
        id: row.id("id")?,
        job_id: row.id("job_id")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
