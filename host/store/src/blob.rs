//! Blobs: the bytes of uploaded files, in a folder or in an S3 bucket.
//!
//! Both are written and read through `object_store`. Three things differ in a bucket: an unfinished upload has an id of
//! its own, a blob is copied to this machine where a file is needed, and deletions that nobody can wait for run in the
//! background.

use std::fmt;
use std::fs::{DirBuilder, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, MultipartUpload, ObjectStore, ObjectStoreExt, WriteMultipart};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::StoreError;
use crate::s3::{Bucket, S3Settings, allow_missing};

/// Bytes that are buffered before they are written as one part: the minimum of S3's multipart uploads.
const PART_BYTES: usize = 5 * 1024 * 1024;

/// Parts that are being written while the next one is buffered.
const PARTS_IN_FLIGHT: usize = 1;

/// The folder of documents' blobs, and the beginning of their objects' names.
const DOCUMENTS: &str = "documents";

/// Separates a blob's name from a suffix in the names of files that `object_store` has not finished. No blob's name
/// contains it.
const UNFINISHED: char = '#';

/// The name of a blob. Never shown to clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobKey(String);

impl BlobKey {
    /// Returns a new key for the blob of a document.
    pub(crate) fn for_document() -> Self {
        Self(format!("{DOCUMENTS}/{}", Uuid::now_v7()))
    }

    /// Returns the name as the database keeps it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Wraps a name that the database holds.
    pub(crate) fn from_stored(text: String) -> Self {
        Self(text)
    }

    fn path(&self) -> ObjectPath {
        ObjectPath::from(self.0.as_str())
    }
}

/// The folder or bucket that holds the blobs. Clones share it.
#[derive(Clone)]
pub struct Blobs {
    place: Arc<Place>,
}

/// Whether blobs are in a folder or in a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlobsKind {
    /// A folder of this machine, or one that several hosts share.
    Folder,
    /// A bucket of S3.
    Bucket,
}

/// Where blobs are.
enum Place {
    /// A folder of this machine, or one that several hosts share.
    Folder { folder: PathBuf, files: LocalFileSystem },
    /// An S3 bucket.
    Bucket(Bucket),
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match &*self.place {
            Place::Folder { .. } => "in a folder",
            Place::Bucket(_) => "in a bucket",
        };
        f.debug_tuple("Blobs").field(&place).finish()
    }
}

impl Blobs {
    /// Opens the blobs in `folder`. If it is missing, it is created, readable by this user alone.
    ///
    /// # Errors
    ///
    /// [`StoreError::Folder`] or [`StoreError::Blob`] when the folder can't be created or used.
    pub fn in_folder(folder: &Path) -> Result<Self, StoreError> {
        make_private(folder)?;
        let files = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self { place: Arc::new(Place::Folder { folder: folder.to_owned(), files }) })
    }

    /// Opens the blobs in a bucket. Blobs that are read as files are copied into the folder `spool`. If it is missing, it
    /// is created, readable by this user alone.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`] when the bucket can't be written to, [`StoreError::Folder`] when `spool` can't be created.
    pub async fn in_bucket(settings: &S3Settings, spool: &Path) -> Result<Self, StoreError> {
        make_private(spool)?;
        Ok(Self { place: Arc::new(Place::Bucket(Bucket::open(settings, spool).await?)) })
    }

    /// Returns whether these blobs are in a folder or in a bucket.
    pub(crate) fn kind(&self) -> BlobsKind {
        match &*self.place {
            Place::Folder { .. } => BlobsKind::Folder,
            Place::Bucket(_) => BlobsKind::Bucket,
        }
    }

    /// Checks that the folder or the bucket is there.
    ///
    /// # Errors
    ///
    /// [`StoreError::Folder`] or [`StoreError::Blob`] when it is not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match &*self.place {
            Place::Folder { folder, .. } => Ok(tokio::fs::metadata(folder).await.map(|_| ())?),
            Place::Bucket(bucket) => bucket.ping().await,
        }
    }

    /// Waits until the deletions in the background have ended.
    pub async fn settle(&self) {
        if let Place::Bucket(bucket) = &*self.place {
            bucket.settle().await;
        }
    }

    /// Starts an upload of at most `limit` bytes. The blob does not exist until the upload is finished. An upload that is
    /// dropped or aborted before leaves nothing behind. [`Store::begin_upload`](crate::Store::begin_upload) makes sure of
    /// that even if this process is killed.
    pub(crate) async fn upload(&self, key: &BlobKey, limit: u64) -> Result<Upload, StoreError> {
        let (multipart_id, parts): (_, Box<dyn MultipartUpload>) = match &*self.place {
            Place::Folder { files, .. } => (None, files.put_multipart(&key.path()).await?),
            Place::Bucket(bucket) => {
                let parts = bucket.upload(bucket.path(key.as_str())).await?;
                (Some(parts.id.clone()), Box::new(parts))
            }
        };
        Ok(Upload {
            blobs: self.clone(),
            key: key.clone(),
            multipart_id,
            writer: WriteMultipart::new_with_chunk_size(parts, PART_BYTES),
            digest: Sha256::new(),
            size_bytes: 0,
            limit,
        })
    }

    /// Deletes what a killed process may have left of an upload: its parts and its finished blob.
    pub(crate) async fn remove_upload(&self, key: &BlobKey, multipart_id: Option<&str>) -> Result<(), StoreError> {
        match &*self.place {
            Place::Folder { files, .. } => {
                let file = files.path_to_filesystem(&key.path())?;
                tokio::task::spawn_blocking(move || remove_unfinished(&file)).await.map_err(io::Error::other)??;
            }
            Place::Bucket(bucket) => {
                if let Some(id) = multipart_id {
                    bucket.abort(&bucket.path(key.as_str()), id).await?;
                }
            }
        }
        self.delete(key).await
    }

    /// Opens a blob of `size_bytes` bytes as a file on this machine, for reading only. A blob in a bucket is copied
    /// first, as a whole: its readers read all of it, often many times.
    ///
    /// # Errors
    ///
    /// [`StoreError::BlobNotFound`]; [`StoreError::Blob`] when a blob in a bucket has another size.
    pub async fn open(&self, key: &BlobKey, size_bytes: u64) -> Result<File, StoreError> {
        match &*self.place {
            Place::Folder { files, .. } => match tokio::fs::File::open(files.path_to_filesystem(&key.path())?).await {
                Ok(file) => Ok(file.into_std().await),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreError::BlobNotFound),
                Err(error) => Err(error.into()),
            },
            Place::Bucket(bucket) => bucket.copy(&bucket.path(key.as_str()), size_bytes).await,
        }
    }

    /// Streams the bytes of a blob in a range that is not empty.
    ///
    /// # Errors
    ///
    /// [`StoreError::BlobNotFound`]; [`StoreError::Blob`], also in the stream.
    pub async fn read(
        &self,
        key: &BlobKey,
        range: Range<u64>,
    ) -> Result<impl Stream<Item = Result<Bytes, StoreError>> + Send + use<>, StoreError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let found = match &*self.place {
            Place::Folder { files, .. } => files.get_opts(&key.path(), options).await?,
            Place::Bucket(bucket) => bucket.objects.get_opts(&bucket.path(key.as_str()), options).await?,
        };
        Ok(found.into_stream().map_err(StoreError::from))
    }

    /// Deletes a blob if it exists.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`]
    pub async fn delete(&self, key: &BlobKey) -> Result<(), StoreError> {
        let deleted = match &*self.place {
            Place::Folder { files, .. } => files.delete(&key.path()).await,
            Place::Bucket(bucket) => bucket.objects.delete(&bucket.path(key.as_str())).await,
        };
        Ok(allow_missing(deleted)?)
    }

    /// Deletes a blob without waiting, for `Drop`. A failure is only logged.
    fn delete_later(&self, key: &BlobKey) {
        match &*self.place {
            Place::Folder { files, .. } => {
                let deleted = files.path_to_filesystem(&key.path()).map(std::fs::remove_file);
                if !matches!(deleted, Ok(Ok(()))) {
                    tracing::warn!("could not delete an abandoned blob");
                }
            }
            Place::Bucket(bucket) => bucket.delete_later(bucket.path(key.as_str())),
        }
    }
}

/// Creates a folder that only this user can read, unless it exists.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Deletes the files in which `object_store` has begun to write `file`. Reads the folder, so it blocks the thread.
fn remove_unfinished(file: &Path) -> io::Result<()> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Ok(());
    };
    let unfinished = format!("{}{UNFINISHED}", name.to_string_lossy());
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&unfinished) {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A blob that is being written. See [`Store::begin_upload`](crate::Store::begin_upload).
pub struct Upload {
    blobs: Blobs,
    key: BlobKey,
    multipart_id: Option<String>,
    writer: WriteMultipart,
    digest: Sha256,
    size_bytes: u64,
    limit: u64,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload").field("size_bytes", &self.size_bytes).finish_non_exhaustive()
    }
}

impl Upload {
    pub(crate) fn key(&self) -> &BlobKey {
        &self.key
    }

    /// Returns the bucket's id of the unfinished upload; `None` in a folder.
    pub(crate) fn multipart_id(&self) -> Option<&str> {
        self.multipart_id.as_deref()
    }

    /// Appends bytes. Waits while too many parts are unwritten, so that memory stays bounded.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`] when the upload exceeds its limit. It can then only be abandoned.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.size_bytes += bytes.len() as u64;
        if self.size_bytes > self.limit {
            return Err(StoreError::TooLarge { limit: self.limit });
        }
        self.digest.update(bytes);
        self.writer.wait_for_capacity(PARTS_IN_FLIGHT).await?;
        self.writer.write(bytes);
        Ok(())
    }

    /// Aborts the upload, and waits until nothing of it is left.
    pub(crate) async fn abort(mut self) -> Result<(), StoreError> {
        // S3 keeps a part that arrives after the abort.
        let _ = self.writer.wait_for_capacity(0).await;
        Ok(self.writer.abort().await?)
    }

    /// Finishes the upload: its blob is durable from then on.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`] when the upload exceeds its limit; nothing of it is kept.
    pub async fn finish(self) -> Result<PendingBlob, StoreError> {
        if self.size_bytes > self.limit {
            let limit = self.limit;
            self.abort().await?;
            return Err(StoreError::TooLarge { limit });
        }
        self.writer.finish().await?;
        Ok(PendingBlob {
            blobs: self.blobs,
            key: self.key,
            size_bytes: self.size_bytes,
            sha256: hex::encode(self.digest.finalize()),
            kept: false,
        })
    }
}

/// A blob that no row refers to yet. Dropped, it is deleted, unless [`Store::add_document`](crate::Store::add_document)
/// has kept it.
#[derive(Debug)]
pub struct PendingBlob {
    blobs: Blobs,
    key: BlobKey,
    size_bytes: u64,
    sha256: String,
    kept: bool,
}

impl PendingBlob {
    /// Returns its size in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Returns the SHA-256 of its bytes in lower-case hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Opens it as a file on this machine, for reading only.
    ///
    /// # Errors
    ///
    /// Those of [`Blobs::open`].
    pub async fn open(&self) -> Result<File, StoreError> {
        self.blobs.open(&self.key, self.size_bytes).await
    }

    /// Deletes it, and waits until it is gone.
    pub(crate) async fn discard(mut self) -> Result<(), StoreError> {
        // Should the caller go away meanwhile, `drop` deletes the blob.
        self.blobs.delete(&self.key).await?;
        self.kept = true;
        Ok(())
    }

    pub(crate) fn key(&self) -> &BlobKey {
        &self.key
    }

    /// Lets the blob outlive this value, because a row refers to it.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }

    /// Undoes [`Self::keep`].
    pub(crate) fn release(&mut self) {
        self.kept = false;
    }
}

impl Drop for PendingBlob {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        self.blobs.delete_later(&self.key);
    }
}
