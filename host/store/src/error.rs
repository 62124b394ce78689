//! What can go wrong, as callers tell it apart.

use crate::batch::Batch;
use std::error::Error;

use crate::tier::Tier;

/// A failure of the store. The first group is the client's doing and has an answer of its own in the API; the last
/// group is the operator's and its text never reaches a client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No such key, or it is revoked or expired.
    #[error("the API key is not valid")]
    InvalidKey,
    /// No such link to sign in by, or it was used or has expired.
    #[error("the sign-in link is not valid")]
    InvalidSignInLink,
    /// No such session, or it was ended or has expired.
    #[error("the session is not valid")]
    InvalidSession,
    /// No such account.
    #[error("no such account")]
    AccountNotFound,
    /// No such key in this account.
    #[error("no such key")]
    KeyNotFound,
    /// No such document in this account, or it has expired.
    #[error("no such document")]
    DocumentNotFound,
    /// No such job in this account, or it has expired.
    #[error("no such job")]
    JobNotFound,
    /// A key was asked for with a tier above its account's plan.
    #[error("the tier {tier} is above the account's plan {plan}")]
    TierAbovePlan {
        /// The tier asked for.
        tier: Tier,
        /// The account's plan.
        plan: Tier,
    },
    /// A key was asked for under a name that is empty, too long or unprintable.
    #[error("the key's name is empty, too long or unprintable")]
    InvalidKeyName,
    /// A key was asked for that would expire before it is made.
    #[error("the key's expiry has passed already")]
    ExpiryPassed,
    /// The account has as many keys as it may that are neither revoked nor expired.
    #[error("the account has {limit} keys already")]
    TooManyKeys {
        /// How many it may have.
        limit: u32,
    },
    /// The account's lifetime credits do not cover the charge.
    #[error("the free tier's credits are used up")]
    FreeTierLimit,
    /// The account's credits of this month do not cover the charge.
    #[error("the credits of this month are used up")]
    QuotaExceeded,
    /// No such batch in this account, or it has expired.
    #[error("no such batch")]
    BatchNotFound,
    /// A batch has no job, or too many.
    #[error("a batch has from 1 to {} jobs", Batch::MOST)]
    BatchSize,
    /// What is asked of a list cannot be given: its limit is out of range, or its cursor is not one of this list.
    #[error("the list can't be read so: {0}")]
    InvalidListRequest(&'static str),
    /// The job has no webhook, or the caller's tier has none.
    #[error("the job has no webhook")]
    NoWebhook,
    /// The job is neither complete nor failed.
    #[error("the job is neither complete nor failed")]
    NotFinished,
    /// The idempotency key stands for another request.
    #[error("the idempotency key was used for another request")]
    IdempotencyKeyReused,
    /// The request of the idempotency key is being carried out.
    #[error("a request with this idempotency key is being carried out")]
    IdempotencyKeyInUse,
    /// The job is no longer queued.
    #[error("the job is not queued any more")]
    NotCancellable,
    /// The upload is larger than allowed; nothing of it was kept.
    #[error("the upload is larger than {limit} bytes")]
    TooLarge {
        /// The cap that was passed, in bytes.
        limit: u64,
    },

    /// The lease has gone to another worker, or the job is final: whatever this worker holds of it is void.
    #[error("the lease on the job is lost")]
    LeaseLost,

    /// A webhook secret could not be sealed, so it was not stored.
    #[error("the webhook secret could not be sealed")]
    NotSealed,
    /// A stored value cannot be read back: the database was changed by other hands or by a newer version.
    #[error("the database holds {value:?}, which is not a {what}")]
    Corrupt {
        /// What should have been there.
        what: &'static str,
        /// What is there.
        value: String,
    },
    /// The schema could not be brought up to date.
    #[error("the database could not be migrated")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// A blob is not where it was put: other hands deleted it.
    #[error("there is no such blob")]
    BlobNotFound,
    /// The blob store failed. Nothing here names a blob or a bucket.
    #[error("the blob store failed: {0}")]
    Blob(String),
    /// A file or folder could not be made or read.
    #[error("the data folder failed")]
    Folder(#[from] std::io::Error),
}

impl From<object_store::Error> for StoreError {
    /// Keeps what went wrong and drops where: the messages in between name the blob.
    fn from(error: object_store::Error) -> Self {
        tracing::debug!(%error, "the blob store failed");
        let code = s3_code(&error);
        let kind = match &error {
            // A missing bucket is as "not found" as a missing object.
            object_store::Error::NotFound { .. } if matches!(code.as_deref(), None | Some("NoSuchKey")) => {
                return Self::BlobNotFound;
            }
            object_store::Error::PermissionDenied { .. } => "permission denied",
            object_store::Error::Unauthenticated { .. } => "not authenticated",
            _ => "",
        };
        Self::Blob(match (kind, code) {
            ("", Some(code)) => code,
            ("", None) => reason(&error),
            (kind, Some(code)) => format!("{kind} ({code})"),
            (kind, None) => kind.to_owned(),
        })
    }
}

/// The code in the answer of an S3 server, which is all of it that names neither a bucket nor a key.
fn s3_code(error: &dyn Error) -> Option<String> {
    let mut cause = Some(error);
    let mut code = None;
    while let Some(current) = cause {
        let text = current.to_string();
        let told = text.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
        code = told.map(|(code, _)| code.to_owned()).or(code);
        cause = current.source();
    }
    code.filter(|code| code.chars().all(|c| c.is_ascii_alphanumeric() || c == '.'))
}

/// The message of the first cause of all. Of an answer that has no code, the status: its text may name anything.
fn reason(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text = cause.to_string();
    match text.strip_prefix("Server returned non-2xx status code: ").and_then(|rest| rest.split(':').next()) {
        Some(status) => format!("the server answered {status}"),
        None => text,
    }
}
