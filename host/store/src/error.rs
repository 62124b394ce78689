//! The errors of the store.

use std::error::Error;

use crate::batch::Batch;
use crate::tier::Tier;

/// An error of the store.
///
/// The first group is caused by clients, and each of its errors has an answer of its own in the API. The last group
/// concerns operators, and its texts never reach a client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No such key, or it is revoked or expired.
    #[error("the API key is not valid")]
    InvalidKey,
    /// No such sign-in link, or it was used or has expired.
    #[error("the sign-in link is not valid")]
    InvalidSignInLink,
    /// No such session, or it has ended or expired.
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
    /// A key was requested with a tier above its account's plan.
    #[error("the tier {tier} is above the account's plan {plan}")]
    TierAbovePlan {
        /// The requested tier.
        tier: Tier,
        /// The account's plan.
        plan: Tier,
    },
    /// A key was requested with a name that is empty, too long or unprintable.
    #[error("the key's name is empty, too long or unprintable")]
    InvalidKeyName,
    /// A key was requested with an expiry that is not in the future.
    #[error("the key's expiry has passed already")]
    ExpiryPassed,
    /// The account has its maximum number of keys that are neither revoked nor expired.
    #[error("the account has {limit} keys already")]
    TooManyKeys {
        /// The maximum number of keys.
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
    #[error("a batch has from 1 to {} jobs", Batch::MAX_JOBS)]
    BatchSize,
    /// A list was requested with a limit out of range, or with a cursor that is not one of this list.
    #[error("the list can't be read so: {0}")]
    InvalidListRequest(&'static str),
    /// The job has no webhook, or the caller's tier has none.
    #[error("the job has no webhook")]
    NoWebhook,
    /// The job is neither complete nor failed.
    #[error("the job is neither complete nor failed")]
    NotFinished,
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    IdempotencyKeyReused,
    /// The request of the idempotency key is still being processed.
    #[error("a request with this idempotency key is being carried out")]
    IdempotencyKeyInUse,
    /// The job is no longer queued.
    #[error("the job is not queued any more")]
    NotCancellable,
    /// Only a complete job can be reviewed.
    #[error("the job is not complete")]
    JobNotComplete,
    /// The stored review is not the one that the caller has read.
    #[error("the review has changed since it was read")]
    ReviewChanged,
    /// The job has no such link.
    #[error("the job has no such link")]
    ShareNotFound,
    /// The token is no link's to a job, or the link has expired or was revoked.
    #[error("the link to a job is not valid")]
    InvalidShare,
    /// The upload is larger than allowed; nothing of it was kept.
    #[error("the upload is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },

    /// Another worker holds the lease, or the job is final: this worker must discard its result.
    #[error("the lease on the job is lost")]
    LeaseLost,

    /// A webhook secret could not be sealed, so it was not stored.
    #[error("the webhook secret could not be sealed")]
    NotSealed,
    /// A stored value can't be read. Another program or a newer version of this one has changed the database.
    #[error("the database holds {value:?}, which is not a {what}")]
    Corrupt {
        /// The kind of value that should be there.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// The schema could not be brought up to date.
    #[error("the database could not be migrated")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// A blob is missing, because something other than this program deleted it.
    #[error("there is no such blob")]
    BlobNotFound,
    /// The blob store failed. The text names neither a blob nor a bucket.
    #[error("the blob store failed: {0}")]
    Blob(String),
    /// A file or folder could not be created or read.
    #[error("the data folder failed")]
    Folder(#[from] std::io::Error),
}

impl From<object_store::Error> for StoreError {
    /// Keeps the kind of error, S3's code and the root cause. The messages in between name the blob, so they are dropped.
    fn from(error: object_store::Error) -> Self {
        tracing::debug!(%error, "the blob store failed");
        let code = s3_code(&error);
        let kind = match &error {
            // `NotFound` also stands for a missing bucket, which is not a missing blob.
            object_store::Error::NotFound { .. } if matches!(code.as_deref(), None | Some("NoSuchKey")) => {
                return Self::BlobNotFound;
            }
            object_store::Error::PermissionDenied { .. } => "permission denied",
            object_store::Error::Unauthenticated { .. } => "not authenticated",
            _ => "",
        };
        Self::Blob(match (kind, code) {
            ("", Some(code)) => code,
            ("", None) => root_cause(&error),
            (kind, Some(code)) => format!("{kind} ({code})"),
            (kind, None) => kind.to_owned(),
        })
    }
}

/// Returns the error code in the answer of an S3 server. The rest of the answer may name a bucket or a key.
fn s3_code(error: &dyn Error) -> Option<String> {
    let chain = std::iter::successors(Some(error), |error| (*error).source());
    let code = chain.filter_map(|error| element_text(&error.to_string(), "Code")).last()?;
    code.chars().all(|c| c.is_ascii_alphanumeric() || c == '.').then_some(code)
}

/// Returns the text of the first element of this name in an XML text.
fn element_text(xml: &str, name: &str) -> Option<String> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    Some(text.to_owned())
}

/// Returns the message of the error's root cause. For an answer without a code it returns only the HTTP status, because
/// the answer's text may name anything.
fn root_cause(error: &dyn Error) -> String {
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
