//! Blobs: the bytes of uploaded files, in a folder.
//!
//! Writing goes through `object_store`, so that a remote store is another constructor of [`Blobs`]; what it would
//! have to add is a local copy for [`Blobs::local_file`] and a spawned deletion in [`PendingBlob`]'s `Drop`.

use std::fmt;
use std::fs::DirBuilder;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, WriteMultipart};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::StoreError;

/// Bytes that are gathered before they are written. A remote store asks for parts of at least 5 MiB.
const PART_BYTES: usize = 5 * 1024 * 1024;

/// Parts on their way to the disk while the next one is gathered.
const PARTS_IN_FLIGHT: usize = 1;

/// The folder of documents' blobs.
const DOCUMENTS: &str = "documents";

/// Stands in the name of each file that `object_store` has not finished yet, and in no blob's.
const UNFINISHED: char = '#';

/// The name of a blob. Never shown to clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlobKey(String);

impl BlobKey {
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

/// The folder that holds the blobs. Clones share it.
#[derive(Clone)]
pub struct Blobs {
    files: Arc<LocalFileSystem>,
}

impl fmt::Debug for Blobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Blobs").field(&self.files.to_string()).finish()
    }
}

impl Blobs {
    /// The blobs in `folder`, which is made for this user alone when it is missing.
    pub fn in_folder(folder: &Path) -> Result<Self, StoreError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        let files = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
        Ok(Self { files: Arc::new(files) })
    }

    /// Deletes what uploads left whose process was killed: their files that were last written before `time`. Says how
    /// many. Reads the folder of all documents, so it blocks.
    pub fn remove_unfinished(&self, time: SystemTime) -> Result<usize, StoreError> {
        let folder = self.files.path_to_filesystem(&ObjectPath::from(DOCUMENTS))?;
        let mut removed = 0;
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let is_upload = entry.file_name().to_string_lossy().contains(UNFINISHED);
            let is_old = entry.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|written| written < time);
            if is_upload && is_old {
                std::fs::remove_file(entry.path())?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Starts an upload of at most `limit` bytes. Nothing can be seen of it until it is finished; dropped or aborted
    /// before, it leaves nothing behind.
    pub async fn upload(&self, limit: u64) -> Result<Upload, StoreError> {
        let key = BlobKey(format!("{DOCUMENTS}/{}", Uuid::now_v7()));
        let upload = self.files.put_multipart(&key.path()).await?;
        Ok(Upload {
            blobs: self.clone(),
            key,
            writer: WriteMultipart::new_with_chunk_size(upload, PART_BYTES),
            digest: Sha256::new(),
            size_bytes: 0,
            limit,
        })
    }

    /// A file on this machine with the blob's bytes, to be read only.
    pub fn local_file(&self, key: &BlobKey) -> Result<PathBuf, StoreError> {
        Ok(self.files.path_to_filesystem(&key.path())?)
    }

    /// The bytes of a blob from one position up to another, at least one, as they come.
    pub async fn read(
        &self,
        key: &BlobKey,
        range: Range<u64>,
    ) -> Result<impl Stream<Item = Result<Bytes, StoreError>> + Send + use<>, StoreError> {
        let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
        let found = self.files.get_opts(&key.path(), options).await?;
        Ok(found.into_stream().map_err(StoreError::from))
    }

    /// Deletes a blob. One that is gone already is no error.
    pub async fn delete(&self, key: &BlobKey) -> Result<(), StoreError> {
        match self.files.delete(&key.path()).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            other => Ok(other?),
        }
    }
}

/// A blob on its way in.
pub struct Upload {
    blobs: Blobs,
    key: BlobKey,
    writer: WriteMultipart,
    digest: Sha256,
    size_bytes: u64,
    limit: u64,
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload").field("key", &self.key).field("size_bytes", &self.size_bytes).finish_non_exhaustive()
    }
}

impl Upload {
    /// Appends bytes; waits while the disk is behind, so that memory stays bounded.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooLarge`] once more than the limit has come in; the upload can then only be aborted or dropped.
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
    pub async fn abort(self) -> Result<(), StoreError> {
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
    pub fn local_file(&self) -> Result<PathBuf, StoreError> {
        self.blobs.local_file(&self.key)
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
        let deleted = self.local_file().map(std::fs::remove_file);
        if !matches!(deleted, Ok(Ok(()))) {
            tracing::warn!("could not delete an abandoned blob");
        }
    }
}
