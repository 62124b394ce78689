//! The bucket that blobs may be kept in: one of S3, or of what speaks its protocol.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{FutureExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path as ObjectPath;
use object_store::{
    BackoffConfig, ClientConfigKey, MultipartId, MultipartUpload, ObjectStoreExt, PutPayload, PutResult, RetryConfig,
    UploadPart,
};
use serde::Deserialize;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};
use tokio_util::task::TaskTracker;

use crate::error::StoreError;

/// An object that every host writes when it starts, and reads to see that the bucket is there.
const MARKER: &str = "fanlight";

/// What the marker says to people who find it.
const MARKER_TEXT: &str = "Fanlight keeps uploaded files under this prefix.\n";

/// A request that fails in a way that may pass is made again so often, within so long.
const RETRIES: usize = 4;
const RETRIED_FOR: Duration = Duration::from_secs(20);

/// The wait before the first repetition; each further one is twice as long, up to the other.
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// What the whole of a request may take: longer than anybody reads from one, since a client that reads slowly makes it
/// last.
const WHOLE_REQUEST: &str = "1h";

/// What may pass without a byte of the answer.
const STALL: &str = "1m";

/// A bucket and how it is reached: the table `[s3]` of the configuration.
///
/// Without keys of its own, what it doesn't say is taken from the environment, by the names that Amazon's own programs
/// have for it (`AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, those of web
/// identities), and credentials at last from the machine's or the container's role.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S3Settings {
    /// The bucket's name. It must exist.
    pub bucket: String,
    /// What stands before the names of all objects, with a slash between them.
    #[serde(default)]
    pub prefix: String,
    /// The bucket's region.
    pub region: Option<String>,
    /// The server's address, where it isn't Amazon's for the region. The bucket is the first part of the path there.
    pub endpoint: Option<String>,
    /// Whether the endpoint may be an `http` one.
    #[serde(default)]
    pub allow_http: bool,
    /// The access key's id.
    pub access_key_id: Option<String>,
    /// What requests are signed with.
    pub secret_access_key: Option<SecretAccessKey>,
}

/// What requests are signed with. Its `Debug` doesn't show it.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct SecretAccessKey(String);

impl SecretAccessKey {
    /// A key as it was given out.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }
}

impl fmt::Debug for SecretAccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretAccessKey(…)")
    }
}

impl S3Settings {
    fn connect(&self) -> Result<AmazonS3, StoreError> {
        let mut builder = match (&self.access_key_id, &self.secret_access_key) {
            // With keys of its own, a token of the environment would be another's.
            (Some(id), Some(secret)) => AmazonS3Builder::new().with_access_key_id(id).with_secret_access_key(&secret.0),
            (None, None) => AmazonS3Builder::from_env(),
            _ => return Err(StoreError::Blob("an access key needs both its id and its secret".to_owned())),
        };
        if self.endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http://")) && !self.allow_http {
            let reason = "the endpoint is an http one, which `allow_http` doesn't allow";
            return Err(StoreError::Blob(reason.to_owned()));
        }
        if let Some(region) = &self.region {
            builder = builder.with_region(region);
        }
        if let Some(endpoint) = &self.endpoint {
            builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
        }
        if self.allow_http {
            builder = builder.with_allow_http(true);
        }
        let backoff = BackoffConfig { init_backoff: FIRST_WAIT, max_backoff: LONGEST_WAIT, ..BackoffConfig::default() };
        Ok(builder
            .with_bucket_name(&self.bucket)
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), WHOLE_REQUEST)
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ReadTimeout), STALL)
            .with_retry(RetryConfig { backoff, max_retries: RETRIES, retry_timeout: RETRIED_FOR })
            // The request for one object alone is the one that every server knows.
            .with_disable_bulk_delete(true)
            .build()?)
    }
}

/// A bucket that could be reached when the process started.
pub(crate) struct Bucket {
    pub(crate) objects: Arc<AmazonS3>,
    prefix: ObjectPath,
    /// Where copies of blobs lie while they are read.
    spool: PathBuf,
    /// Deletions that nobody waits for.
    cleanups: TaskTracker,
}

impl Bucket {
    /// Writes the marker, which shows that the bucket can be written to.
    pub(crate) async fn open(settings: &S3Settings, spool: &Path) -> Result<Self, StoreError> {
        let prefix = ObjectPath::from(settings.prefix.as_str());
        let objects = Arc::new(settings.connect()?);
        let bucket = Self { objects, prefix, spool: spool.to_owned(), cleanups: TaskTracker::new() };
        bucket.objects.put(&bucket.path(MARKER), PutPayload::from_static(MARKER_TEXT.as_bytes())).await?;
        Ok(bucket)
    }

    /// Whether the bucket answers.
    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        self.objects.head(&self.path(MARKER)).await?;
        Ok(())
    }

    /// Where an object of that name lies.
    pub(crate) fn path(&self, name: &str) -> ObjectPath {
        self.prefix.parts().chain(ObjectPath::from(name).parts()).collect()
    }

    /// Starts an upload in parts.
    pub(crate) async fn upload(&self, path: ObjectPath) -> Result<Parts, StoreError> {
        let id = self.objects.create_multipart(&path).await?;
        Ok(Parts {
            objects: self.objects.clone(),
            cleanups: self.cleanups.clone(),
            path,
            id,
            next: 0,
            stored: Arc::default(),
            open: true,
        })
    }

    /// Gives an upload up that some process began. One that is gone already is no error.
    pub(crate) async fn abort(&self, path: &ObjectPath, id: &str) -> Result<(), StoreError> {
        Ok(gone(self.objects.abort_multipart(path, &id.to_owned()).await)?)
    }

    /// Copies an object of so many bytes into a file that has no name, so that it goes with its last handle, whatever
    /// becomes of this process.
    pub(crate) async fn copy(&self, path: &ObjectPath, size_bytes: u64) -> Result<File, StoreError> {
        let mut file = tokio::fs::File::from_std(tempfile::tempfile_in(&self.spool)?);
        let mut bytes = self.objects.get(path).await?.into_stream();
        let mut copied = 0;
        while let Some(chunk) = bytes.try_next().await? {
            copied += chunk.len() as u64;
            if copied > size_bytes {
                break;
            }
            file.write_all(&chunk).await?;
        }
        file.flush().await?;
        file.rewind().await?;
        if copied != size_bytes {
            return Err(StoreError::Blob("a blob has another size than was uploaded".to_owned()));
        }
        Ok(file.into_std().await)
    }

    /// Deletes an object while nobody waits for it.
    pub(crate) fn delete_later(&self, path: ObjectPath) {
        let objects = self.objects.clone();
        later(&self.cleanups, async move { gone(objects.delete(&path).await) });
    }

    /// Waits for the deletions that nobody waits for.
    pub(crate) async fn settle(&self) {
        self.cleanups.close();
        self.cleanups.wait().await;
    }
}

/// An upload in parts. Dropped before it is complete, it is aborted in the background.
pub(crate) struct Parts {
    objects: Arc<AmazonS3>,
    cleanups: TaskTracker,
    path: ObjectPath,
    /// What the bucket knows the upload by.
    pub(crate) id: MultipartId,
    /// The number of the next part, from 0 on.
    next: usize,
    /// What the bucket calls the parts that it has, by their numbers.
    stored: Arc<Mutex<Vec<(usize, PartId)>>>,
    /// Whether it is neither complete nor aborted.
    open: bool,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("next", &self.next).field("open", &self.open).finish_non_exhaustive()
    }
}

#[async_trait]
impl MultipartUpload for Parts {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let (objects, path, id) = (self.objects.clone(), self.path.clone(), self.id.clone());
        let (number, stored) = (self.next, self.stored.clone());
        self.next += 1;
        async move {
            let part = objects.put_part(&path, &id, number, data).await?;
            stored.lock().unwrap_or_else(PoisonError::into_inner).push((number, part));
            Ok(())
        }
        .boxed()
    }

    async fn complete(&mut self) -> object_store::Result<PutResult> {
        let mut parts = std::mem::take(&mut *self.stored.lock().unwrap_or_else(PoisonError::into_inner));
        parts.sort_by_key(|(number, _)| *number);
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        let completed = self.objects.complete_multipart(&self.path, &self.id, parts).await?;
        self.open = false;
        Ok(completed)
    }

    async fn abort(&mut self) -> object_store::Result<()> {
        gone(self.objects.abort_multipart(&self.path, &self.id).await)?;
        self.open = false;
        Ok(())
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        let (objects, path, id) = (self.objects.clone(), self.path.clone(), self.id.clone());
        later(&self.cleanups, async move { gone(objects.abort_multipart(&path, &id).await) });
    }
}

/// What was to be deleted and isn't there is deleted.
pub(crate) fn gone(deleted: object_store::Result<()>) -> object_store::Result<()> {
    match deleted {
        Err(object_store::Error::NotFound { .. }) => Ok(()),
        other => other,
    }
}

/// Does something on the runtime that this is called on. Without one it is left to the next sweep.
fn later(cleanups: &TaskTracker, work: impl Future<Output = object_store::Result<()>> + Send + 'static) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let work = async move {
        if let Err(error) = work.await {
            tracing::warn!(error = %StoreError::from(error), "could not delete an abandoned blob yet");
        }
    };
    cleanups.spawn_on(work, &runtime);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_do_not_show_their_secret() {
        let settings = S3Settings {
            bucket: "documents".to_owned(),
            prefix: String::new(),
            region: None,
            endpoint: None,
            allow_http: false,
            access_key_id: Some("AKIA".to_owned()),
            secret_access_key: Some(SecretAccessKey::new("hush")),
        };
        assert!(!format!("{settings:?}").contains("hush"));
    }
}
