//! A bucket that holds blobs, on S3 or a server that speaks its protocol.

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

/// The name of an object that every host writes when it starts, and reads to check that the bucket is there.
const MARKER: &str = "fanlight";

/// The content of the marker, for people who find it.
const MARKER_TEXT: &str = "Fanlight keeps uploaded files under this prefix.\n";

/// Maximum repetitions of a request that fails for a reason that may pass.
const RETRIES: usize = 4;
/// The time after which a failing request is not repeated any more.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);

/// The wait before the first repetition. Each further wait is twice as long, up to [`MAX_WAIT`].
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// The maximum wait before a repetition.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// The timeout of a whole request. It is long because a client that reads slowly makes a download last.
const REQUEST_TIMEOUT: &str = "1h";

/// The timeout for the next bytes of an answer.
const READ_TIMEOUT: &str = "1m";

/// A bucket and how to reach it: the table `[s3]` of the configuration.
///
/// Without an access key here, missing settings are read from the environment variables of Amazon's own programs
/// (`AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, those of web identities). If these
/// hold no credentials, the machine's or the container's role is used.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S3Settings {
    /// The bucket's name. It must exist.
    pub bucket: String,
    /// The folder of all objects in the bucket: object names begin with it and a slash.
    #[serde(default)]
    pub prefix: String,
    /// The bucket's region.
    pub region: Option<String>,
    /// The server's address, if it isn't Amazon's for the region. The bucket is the first part of the URL's path then.
    pub endpoint: Option<String>,
    /// Whether the endpoint may be an `http` address.
    #[serde(default)]
    pub allow_http: bool,
    /// The access key's id.
    pub access_key_id: Option<String>,
    /// The secret that signs requests.
    pub secret_access_key: Option<SecretAccessKey>,
}

/// The secret part of an access key, which signs requests. `Debug` does not show it.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct SecretAccessKey(String);

impl SecretAccessKey {
    /// Wraps a secret as the provider issued it.
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
    /// Creates a client. Sends nothing.
    fn connect(&self) -> Result<AmazonS3, StoreError> {
        let mut builder = match (&self.access_key_id, &self.secret_access_key) {
            // A session token in the environment would not belong to this key, so the environment is not read.
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
        let backoff = BackoffConfig { init_backoff: FIRST_WAIT, max_backoff: MAX_WAIT, ..BackoffConfig::default() };
        Ok(builder
            .with_bucket_name(&self.bucket)
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::Timeout), REQUEST_TIMEOUT)
            .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::ReadTimeout), READ_TIMEOUT)
            .with_retry(RetryConfig { backoff, max_retries: RETRIES, retry_timeout: RETRY_TIMEOUT })
            // Every server can delete a single object; not every one can delete several by one request.
            .with_disable_bulk_delete(true)
            .build()?)
    }
}

/// A bucket that was reachable when the process started.
pub(crate) struct Bucket {
    pub(crate) objects: Arc<AmazonS3>,
    prefix: ObjectPath,
    /// The folder for copies of blobs while they are read.
    spool: PathBuf,
    /// Deletions in the background.
    cleanups: TaskTracker,
}

impl Bucket {
    /// Connects to a bucket, and writes the marker to check that the bucket can be written to.
    pub(crate) async fn open(settings: &S3Settings, spool: &Path) -> Result<Self, StoreError> {
        let prefix = ObjectPath::from(settings.prefix.as_str());
        let objects = Arc::new(settings.connect()?);
        let bucket = Self { objects, prefix, spool: spool.to_owned(), cleanups: TaskTracker::new() };
        bucket.objects.put(&bucket.path(MARKER), PutPayload::from_static(MARKER_TEXT.as_bytes())).await?;
        Ok(bucket)
    }

    /// Checks that the bucket can be read.
    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        self.objects.head(&self.path(MARKER)).await?;
        Ok(())
    }

    /// Returns the path of the object with this name, under the prefix.
    pub(crate) fn path(&self, name: &str) -> ObjectPath {
        self.prefix.parts().chain(ObjectPath::from(name).parts()).collect()
    }

    /// Starts a multipart upload.
    pub(crate) async fn upload(&self, path: ObjectPath) -> Result<BucketUpload, StoreError> {
        let id = self.objects.create_multipart(&path).await?;
        Ok(BucketUpload {
            objects: self.objects.clone(),
            cleanups: self.cleanups.clone(),
            path,
            id,
            next: 0,
            stored: Arc::default(),
            open: true,
        })
    }

    /// Aborts a multipart upload, of any process, if it exists.
    pub(crate) async fn abort(&self, path: &ObjectPath, id: &str) -> Result<(), StoreError> {
        Ok(allow_missing(self.objects.abort_multipart(path, &id.to_owned()).await)?)
    }

    /// Copies an object of `size_bytes` bytes into a file without a name. The system deletes the file when its last
    /// handle closes, even if this process is killed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Blob`] when the object has another size.
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

    /// Deletes an object in the background.
    pub(crate) fn delete_later(&self, path: ObjectPath) {
        let objects = self.objects.clone();
        clean_up_later(&self.cleanups, async move { allow_missing(objects.delete(&path).await) });
    }

    /// Waits until the deletions in the background have ended. No further ones may be started.
    pub(crate) async fn settle(&self) {
        self.cleanups.close();
        self.cleanups.wait().await;
    }
}

/// A multipart upload. Dropped before it is complete, it is aborted in the background.
pub(crate) struct BucketUpload {
    objects: Arc<AmazonS3>,
    cleanups: TaskTracker,
    path: ObjectPath,
    /// The bucket's id of the upload.
    pub(crate) id: MultipartId,
    /// The number of the next part, from 0.
    next: usize,
    /// The numbers of the parts that the bucket has, and its ids of them.
    stored: Arc<Mutex<Vec<(usize, PartId)>>>,
    /// Whether it is neither complete nor aborted.
    open: bool,
}

impl fmt::Debug for BucketUpload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketUpload").field("next", &self.next).field("open", &self.open).finish_non_exhaustive()
    }
}

#[async_trait]
impl MultipartUpload for BucketUpload {
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
        allow_missing(self.objects.abort_multipart(&self.path, &self.id).await)?;
        self.open = false;
        Ok(())
    }
}

impl Drop for BucketUpload {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        let (objects, path, id) = (self.objects.clone(), self.path.clone(), self.id.clone());
        clean_up_later(&self.cleanups, async move { allow_missing(objects.abort_multipart(&path, &id).await) });
    }
}

/// Makes a deletion succeed whose object does not exist.
pub(crate) fn allow_missing(deleted: object_store::Result<()>) -> object_store::Result<()> {
    match deleted {
        Err(object_store::Error::NotFound { .. }) => Ok(()),
        other => other,
    }
}

/// Runs a deletion on the current runtime. Without a runtime it is left to the next sweep.
fn clean_up_later(cleanups: &TaskTracker, work: impl Future<Output = object_store::Result<()>> + Send + 'static) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let work = async move {
        if let Err(error) = work.await {
            tracing::warn!(error = %StoreError::from(error), "could not delete an abandoned blob");
        }
    };
    cleanups.spawn_on(work, &runtime);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_does_not_show_the_secret() {
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
