//! Blobs: the bytes of uploaded files, in a folder or in a bucket of S3.
//!
//! Both are written and read through `object_store`. What differs is here: a bucket's unfinished upload goes by an id of
//! its own, a blob of it is copied to this machine where a file is needed, and deletions that can't be waited for are
//! made in the background.

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
use crate::s3::{Bucket, S3Settings, gone};

/// Bytes that are gathered before they are written. S3 asks for parts of at least 5 MiB.
const PART_BYTES: usize = 5 * 1024 * 1024;

/// Parts on their way to the disk or the bucket while the next one is gathered.
const PARTS_IN_FLIGHT: usize = 1;

/// The folder of documents' blobs, and what their objects' names begin with.
const DOCUMENTS: &str = "documents";

/// Stands in the name of each file that `object_store` has not finished yet, and in no blob's.
const UNFINISHED: char = '#';

/// The name of a blob. Never shown to clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobKey(String);

impl BlobKey {
    /// Returns a new key for the blob of a document.
    pub(crate) fn for_document() -> Self {
        Self(format!("{DOCUMENTS}/{}", Uuid::now_v7()))
    }

    /// As the database keeps it.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// From what the database keeps.
    pub(crate) fn stored(text: String) -> Self {
        Self(text)
    }

    fn path(&self) -> ObjectPath {
        ObjectPath::from(self.0.as_str())
    }
}

/// What holds the blobs. Clones share it.
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
    /// A bucket of S3.
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
    /// The blobs in `folder`, which is made for this user alone when it is missing.
    pub fn in_folder(folder: &Path) -> Result<Self, StoreError> {
        make_private(folder)?;
        let files = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self { place: Arc::new(Place::Folder { folder: folder.to_owned(), files }) })
    }

    /// The blobs in a bucket. Copies of those that are read as files lie in `spool`, which is made for this user alone
    /// when it is missing.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`] when the bucket can't be written to.
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

    /// Whether the folder or the bucket is there.
    pub async fn ping(&self) -> Result<(), StoreError> {
        match &*self.place {
            Place::Folder { folder, .. } => Ok(tokio::fs::metadata(folder).await.map(|_| ())?),
            Place::Bucket(bucket) => bucket.ping().await,
        }
    }

    /// Waits for deletions in the background to end.
    pub async fn settle(&self) {
        if let Place::Bucket(bucket) = &*self.place {
            bucket.settle().await;
        }
    }

    /// Starts an upload of at most `limit` bytes. Nothing can be seen of it until it is finished; dropped or aborted
    /// before, it leaves nothing behind. [`Store::begin_upload`](crate::Store::begin_upload) makes sure of that even
    /// where this process is killed.
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

    /// Deletes what a killed process may have left of an upload: its parts, and the blob that was made of them.
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

    /// A blob of so many bytes as a file on this machine, to be read only. One of a bucket is copied first, whole: what
    /// reads it reads all of it, often many times.
    ///
    /// # Errors
    ///
    /// [`StoreError::BlobNotFound`] when there is no such blob.
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

    /// The bytes of a blob from one position up to another, at least one, as they come.
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

    /// Deletes a blob. One that is gone already is no error.
    pub async fn delete(&self, key: &BlobKey) -> Result<(), StoreError> {
        let deleted = match &*self.place {
            Place::Folder { files, .. } => files.delete(&key.path()).await,
            Place::Bucket(bucket) => bucket.objects.delete(&bucket.path(key.as_str())).await,
        };
        Ok(gone(deleted)?)
    }

    /// Deletes a blob where nobody can wait for it.
    fn delete_later(&self, key: &BlobKey) {
        match &*self.place {
            Place::Folder { files, .. } => {
                let deleted = files.path_to_filesystem(&key.path()).map(std::fs::remove_file);
                if !matches!(deleted, Ok(Ok(()))) {
                    tracing::warn!("could not delete an abandoned blob yet");
                }
            }
            Place::Bucket(bucket) => bucket.delete_later(bucket.path(key.as_str())),
        }
    }
}

/// A folder that nobody else looks into, unless it is there already.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Deletes what `object_store` has written of a file that it has not finished. Reads the folder, so it blocks.
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

/// A blob on its way in.
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

    /// What the bucket knows it by until it is finished; none in a folder.
    pub(crate) fn multipart_id(&self) -> Option<&str> {
        self.multipart_id.as_deref()
    }

    /// Appends bytes; waits while the disk or the bucket is behind, so that memory stays bounded.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`] once more than the limit has come in; the upload can then only be given up.
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

    /// Gives the upload up and waits until nothing of it is left.
    pub(crate) async fn abort(mut self) -> Result<(), StoreError> {
        // A part that is on its way may come in after the end: S3 then keeps it.
        let _ = self.writer.wait_for_capacity(0).await;
        Ok(self.writer.abort().await?)
    }

    /// Makes the blob durable under its key.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`] when more than the limit was written; nothing is kept then.
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

/// A blob that no row refers to yet. Dropped, it is deleted; [`Store::add_document`](crate::Store::add_document) keeps
/// it.
#[derive(Debug)]
pub struct PendingBlob {
    blobs: Blobs,
    key: BlobKey,
    size_bytes: u64,
    sha256: String,
    kept: bool,
}

impl PendingBlob {
    /// Its size.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// The SHA-256 of its bytes in lower-case hex.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// A file on this machine with its bytes, to be read only.
    pub async fn open(&self) -> Result<File, StoreError> {
        self.blobs.open(&self.key, self.size_bytes).await
    }

    /// Deletes it, and waits until it is gone.
    pub(crate) async fn discard(mut self) -> Result<(), StoreError> {
        // Cut off in between, it is deleted as if it had been dropped.
        self.blobs.delete(&self.key).await?;
        self.kept = true;
        Ok(())
    }

    pub(crate) fn key(&self) -> &BlobKey {
        &self.key
    }

    /// Lets the blob outlive this value: a row refers to it.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }

    /// Takes [`Self::keep`] back.
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
