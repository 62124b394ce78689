//! Documents: uploaded files and their metadata.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::Store;
use crate::account::Caller;
use crate::blob::{BlobKey, PendingBlob};
use crate::database::Columns;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};
use crate::job::Job;
use crate::ledger;
use crate::listing::{ListPage, ListRequest, Listed};
use crate::schedule;
use crate::tier::Tier;

/// An uploaded file and its metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The document's id.
    pub id: Uuid,
    /// The account it belongs to.
    pub account_id: Uuid,
    /// The tier of the key that uploaded it.
    pub tier: Tier,
    /// The uploaded file's name.
    pub filename: String,
    /// The file's size in bytes.
    pub size_bytes: u64,
    /// The SHA-256 of the file in lower-case hex.
    pub sha256: String,
    /// Number of pages.
    pub page_count: u32,
    /// Whether the file is encrypted (with an empty user password).
    pub encrypted: bool,
    /// The name of the blob that holds its bytes.
    pub blob: BlobKey,
    /// When it was uploaded.
    pub uploaded_at: DateTime<Utc>,
    /// From then on the document is not found.
    pub expires_at: DateTime<Utc>,
}

/// The metadata of a new document.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// The uploaded file's name.
    pub filename: String,
    /// Number of pages.
    pub page_count: u32,
    /// Whether the file is encrypted (with an empty user password).
    pub encrypted: bool,
}

/// The columns of [`read_document`].
macro_rules! document_columns {
    () => {
        "id, account_id, tier, filename, size_bytes, sha256, page_count, encrypted, blob_key, uploaded_at, expires_at"
    };
}

impl Store {
    /// Adds a document whose bytes are `blob`. If this fails, the blob is deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError::BlobNotFound`] when the upload took so long that a sweep has removed it; [`StoreError::Database`].
    pub async fn add_document(
        &self,
        caller: &Caller,
        new: NewDocument,
        mut blob: PendingBlob,
    ) -> Result<Document, StoreError> {
        let now = self.clock.now();
        let limits = self.tiers.limits(caller.tier);
        let document = Document {
            id: self.new_id(now),
            account_id: caller.account_id,
            tier: caller.tier,
            filename: new.filename,
            size_bytes: blob.size_bytes(),
            sha256: blob.sha256().to_owned(),
            page_count: new.page_count,
            encrypted: new.encrypted,
            blob: blob.key().clone(),
            uploaded_at: now,
            expires_at: days_after(now, limits.document_retention_days),
        };
        let mut transaction = self.database.write().await?;
        sqlx::query(concat!(
            "INSERT INTO documents (",
            document_columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        ))
        .bind(document.id.to_string())
        .bind(document.account_id.to_string())
        .bind(document.tier.as_str())
        .bind(&*document.filename)
        .bind(document.size_bytes.cast_signed())
        .bind(&*document.sha256)
        .bind(i64::from(document.page_count))
        .bind(i64::from(document.encrypted))
        .bind(document.blob.as_str())
        .bind(document.uploaded_at.timestamp_micros())
        .bind(document.expires_at.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
        let upload = sqlx::query("DELETE FROM uploads WHERE blob_key = $1")
            .bind(document.blob.as_str())
            .execute(&mut *transaction)
            .await?;
        if upload.rows_affected() == 0 {
            return Err(StoreError::BlobNotFound);
        }
        // The blob is kept before the commit: if the caller goes away meanwhile, a blob may remain that a sweep removes
        // later, but never a document without its blob.
        failpoint::reach(Failpoint::DocumentAdded);
        blob.keep();
        if let Err(error) = transaction.commit().await {
            blob.release();
            return Err(error);
        }
        failpoint::reach(Failpoint::DocumentCommitted);
        Ok(document)
    }

    /// Returns a document of the account.
    ///
    /// # Errors
    ///
    /// [`StoreError::DocumentNotFound`], also when it belongs to another account or has expired.
    pub async fn document(&self, account_id: Uuid, id: Uuid) -> Result<Document, StoreError> {
        let row = sqlx::query(concat!(
            "SELECT ",
            document_columns!(),
            " FROM documents WHERE id = $1 AND account_id = $2 AND expires_at > $3"
        ))
        .bind(id.to_string())
        .bind(account_id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?
        .ok_or(StoreError::DocumentNotFound)?;
        read_document(&row)
    }

    /// Returns a page of the account's documents, newest first.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidListRequest`].
    pub async fn documents(&self, account_id: Uuid, request: &ListRequest) -> Result<Listed<Document>, StoreError> {
        let page = ListPage::new(request, "documents", account_id, &[])?;
        let rows = sqlx::query(concat!(
            "SELECT ",
            document_columns!(),
            " FROM documents WHERE account_id = $1 AND expires_at > $2 AND id < $3 ORDER BY id DESC LIMIT $4"
        ))
        .bind(account_id.to_string())
        .bind(self.clock.now().timestamp_micros())
        .bind(page.before())
        .bind(page.rows())
        .fetch_all(&self.database.reader)
        .await?;
        let documents: Vec<Document> = rows.iter().map(read_document).collect::<Result<_, _>>()?;
        Ok(page.into_listed(documents, |document| document.id))
    }

    /// Deletes a document: it expires now. Its queued jobs are cancelled and refunded. Running jobs may end, and results
    /// stay until they expire themselves. The first sweep after the last job's end deletes the file.
    ///
    /// # Errors
    ///
    /// [`StoreError::DocumentNotFound`], also when it belongs to another account or has expired.
    pub async fn delete_document(&self, account_id: Uuid, id: Uuid) -> Result<(), StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        // A submission locks the document's row while it queues its job. So every job is either seen below, or its
        // submission is refused.
        let expired =
            sqlx::query("UPDATE documents SET expires_at = $1 WHERE id = $2 AND account_id = $3 AND expires_at > $1")
                .bind(now.timestamp_micros())
                .bind(id.to_string())
                .bind(account_id.to_string())
                .execute(&mut *transaction)
                .await?;
        if expired.rows_affected() == 0 {
            return Err(StoreError::DocumentNotFound);
        }
        // The condition on the status is repeated for SQLite, which else does not use the index of open jobs.
        let cancelled = sqlx::query(
            "UPDATE jobs SET status = 'cancelled', progress = NULL, credits_charged = 0, completed_at = $1
             WHERE status IN ('queued', 'processing') AND status = 'queued' AND document_id = $2 AND account_id = $3
             RETURNING id",
        )
        .bind(now.timestamp_micros())
        .bind(id.to_string())
        .bind(account_id.to_string())
        .fetch_all(&mut *transaction)
        .await?;
        if !cancelled.is_empty() {
            schedule::leave_if_empty(&mut transaction, self.database.dialect, account_id).await?;
        }
        for row in &cancelled {
            ledger::refund(&mut transaction, self.new_id(now), row.id("id")?, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Returns the document of a job. It may have expired since the job was submitted.
    ///
    /// # Errors
    ///
    /// [`StoreError::DocumentNotFound`] when it is deleted.
    pub async fn document_of(&self, job: &Job) -> Result<Document, StoreError> {
        let row =
            sqlx::query(concat!("SELECT ", document_columns!(), " FROM documents WHERE id = $1 AND account_id = $2"))
                .bind(job.document_id.to_string())
                .bind(job.account_id.to_string())
                .fetch_optional(&self.database.reader)
                .await?
                .ok_or(StoreError::DocumentNotFound)?;
        read_document(&row)
    }
}

/// Returns the end of a retention of `days` days. A retention that ends after the last representable time ends then.
pub(crate) fn days_after(now: DateTime<Utc>, days: u32) -> DateTime<Utc> {
    let retention = TimeDelta::try_days(i64::from(days));
    retention.and_then(|retention| now.checked_add_signed(retention)).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// Reads a document from a row with `document_columns!()`.
fn read_document(row: &AnyRow) -> Result<Document, StoreError> {
    Ok(Document {
        id: row.id("id")?,
        account_id: row.id("account_id")?,
        tier: row.word("tier", "tier")?,
        filename: row.text("filename")?,
        size_bytes: row.count("size_bytes")?,
        sha256: row.text("sha256")?,
        page_count: row.count("page_count")? as u32,
        encrypted: row.flag("encrypted")?,
        blob: BlobKey::from_stored(row.text("blob_key")?),
        uploaded_at: row.time("uploaded_at")?,
        expires_at: row.time("expires_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_retention_ends_with_the_calendar() {
        let now = DateTime::from_timestamp(1_795_262_400, 0).unwrap();
        assert_eq!(days_after(now, 30) - now, TimeDelta::days(30));
        assert_eq!(days_after(now, u32::MAX), DateTime::<Utc>::MAX_UTC);
    }
}
