//! Uploads that have no document yet. Each has a row until its document has one, so that what a killed host left of an
//! upload is found and deleted, in a folder as in a bucket.

use std::time::Duration;

use sqlx::any::AnyRow;

use crate::Store;
use crate::blob::{BlobKey, Blobs, BlobsKind, PendingBlob, Upload};
use crate::database::Columns;
use crate::error::StoreError;
use crate::failpoint::{self, Failpoint};

/// The name of the lease for sweeping abandoned uploads.
const SWEEP: &str = "uploads";

/// An upload that began too long ago to be still running.
struct Abandoned {
    blob: BlobKey,
    multipart_id: Option<String>,
    /// Microseconds since the epoch.
    started_at: i64,
}

impl Abandoned {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let started_at = row.time("started_at")?.timestamp_micros();
        Ok(Self {
            blob: BlobKey::from_stored(row.text("blob_key")?),
            multipart_id: row.optional_text("multipart_id")?,
            started_at,
        })
    }
}

impl Store {
    /// Starts an upload of at most `limit` bytes. If this process is killed, [`Self::sweep_uploads`] deletes what is left
    /// of it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`], [`StoreError::Folder`] or [`StoreError::Database`].
    pub async fn begin_upload(&self, blobs: &Blobs, limit: u64) -> Result<Upload, StoreError> {
        let key = BlobKey::for_document();
        let upload = match blobs.kind() {
            // The row comes first: nobody would find bytes without one.
            BlobsKind::Folder => {
                self.record_upload(&key, None).await?;
                match blobs.upload(&key, limit).await {
                    Ok(upload) => upload,
                    Err(error) => {
                        self.forget_upload(&key).await?;
                        return Err(error);
                    }
                }
            }
            // A bucket names the upload, so the row can only come second.
            BlobsKind::Bucket => {
                let upload = blobs.upload(&key, limit).await?;
                if let Err(error) = self.record_upload(&key, upload.multipart_id()).await {
                    upload.abort().await?;
                    return Err(error);
                }
                upload
            }
        };
        failpoint::reach(Failpoint::UploadBegun);
        Ok(upload)
    }

    async fn record_upload(&self, key: &BlobKey, multipart_id: Option<&str>) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO uploads (blob_key, multipart_id, started_at) VALUES ($1, $2, $3)")
            .bind(key.as_str())
            .bind(multipart_id.map(str::to_owned))
            .bind(self.clock.now().timestamp_micros())
            .execute(self.database.writer())
            .await?;
        Ok(())
    }

    /// Deletes all that was written of an upload.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`] or [`StoreError::Database`]; a sweep deletes the rest then.
    pub async fn abandon_upload(&self, upload: Upload) -> Result<(), StoreError> {
        let key = upload.key().clone();
        upload.abort().await?;
        self.forget_upload(&key).await
    }

    /// Deletes a finished upload that does not become a document.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`] or [`StoreError::Database`]; a sweep deletes the rest then.
    pub async fn discard_upload(&self, blob: PendingBlob) -> Result<(), StoreError> {
        let key = blob.key().clone();
        blob.discard().await?;
        self.forget_upload(&key).await
    }

    /// Deletes what is left of uploads that began at least `longest` ago and did not become documents. `longest` must be
    /// longer than any upload takes. Returns how many were deleted. A failure is logged, and the next sweep tries again.
    ///
    /// Returns `None` if another host is sweeping uploads. `sweeper` is a name that only this host has.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn sweep_uploads(
        &self,
        blobs: &Blobs,
        sweeper: &str,
        longest: Duration,
    ) -> Result<Option<u64>, StoreError> {
        let before = (self.clock.now() - longest).timestamp_micros();
        let mut seen = (i64::MIN, String::new());
        let mut swept = 0;
        while self.acquire_sweep_lease(SWEEP, sweeper).await? {
            let Some(abandoned) = self.next_abandoned(before, &seen).await? else {
                self.release_sweep_lease(SWEEP, sweeper).await?;
                return Ok(Some(swept));
            };
            match self.remove_abandoned(blobs, &abandoned).await {
                Ok(()) => swept += 1,
                Err(error) => tracing::warn!(%error, "could not delete an abandoned upload"),
            }
            seen = (abandoned.started_at, abandoned.blob.as_str().to_owned());
        }
        Ok(None)
    }

    /// Returns the first upload after `seen`, in the order of start and name, that began by `before`. Times are in
    /// microseconds.
    async fn next_abandoned(&self, before: i64, seen: &(i64, String)) -> Result<Option<Abandoned>, StoreError> {
        let row = sqlx::query(
            "SELECT blob_key, multipart_id, started_at FROM uploads
             WHERE started_at <= $1 AND (started_at, blob_key) > ($2, $3) ORDER BY started_at, blob_key LIMIT 1",
        )
        .bind(before)
        .bind(seen.0)
        .bind(seen.1.clone())
        .fetch_optional(&self.database.reader)
        .await?;
        row.as_ref().map(Abandoned::from_row).transpose()
    }

    /// Deletes an upload's bytes, then its row. If this process dies in between, the row is found again.
    async fn remove_abandoned(&self, blobs: &Blobs, abandoned: &Abandoned) -> Result<(), StoreError> {
        blobs.remove_upload(&abandoned.blob, abandoned.multipart_id.as_deref()).await?;
        failpoint::reach(Failpoint::UploadBlobDeleted);
        self.forget_upload(&abandoned.blob).await?;
        failpoint::reach(Failpoint::UploadForgotten);
        Ok(())
    }

    async fn forget_upload(&self, key: &BlobKey) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM uploads WHERE blob_key = $1")
            .bind(key.as_str())
            .execute(self.database.writer())
            .await?;
        Ok(())
    }
}
