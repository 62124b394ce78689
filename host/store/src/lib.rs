//! Documents, jobs, API keys and the credit ledger in SQL (SQLite or PostgreSQL), and uploaded files as blobs.
//!
//! The rules that must hold under concurrency are enforced here and nowhere else:
//!
//! - A charge and its job are written in one transaction ([`Store::submit`]).
//! - A job runs under a lease, and its attempt number is the fencing token ([`Store::claim`], [`Store::finish`]).
//! - A job is refunded exactly once.
//! - Every read for a client takes its account, so that other accounts' entries are not found.
//!
//! This crate knows neither HTTP nor the sandbox.
//!
//! | module | holds |
//! |---|---|
//! | [`account`] | accounts, API keys, [`Store::authenticate`] |
//! | [`tier`] | what each tier allows, as configuration |
//! | [`document`] | documents, each with its file as a blob |
//! | [`blob`], [`s3`] | the bytes of uploads, in a folder or a bucket |
//! | [`upload`] | uploads that have no document yet |
//! | [`bucket`] | the limit of requests per minute |
//! | [`idempotency`] | idempotency keys and the answers kept for them |
//! | [`job`] | submitting, reading and cancelling jobs |
//! | `ledger` | charges, refunds and the credits used |
//! | [`batch`] | jobs that are submitted together |
//! | [`listing`] | lists, one page at a time, with cursors |
//! | [`queue`] | what workers do: claim, heartbeat, finish |
//! | `schedule` | whose job is claimed next, and how many jobs are ahead of another |
//! | [`history`] | how long recent jobs took |
//! | [`delivery`] | delivery of finished jobs to webhooks |
//! | [`retention`] | deletion of what has expired |
//! | [`review`] | what people say of a job's result |
//! | [`session`] | sign-in links and sessions |
//! | [`sealing`] | sealing of webhook secrets before they are stored |
//! | [`failpoint`] | points at which tests end the process |
//! | [`clock`] | the time, which tests can set |
//! | `database` | the connections, and all that differs between SQLite and PostgreSQL |
//! | `group_commit` | one synced commit for writers that come together, on SQLite |
//! | `direct` | reads of SQLite on the calling thread |
//! | `versioned_cache` | rows that are answered from memory until somebody writes |

pub mod account;
pub mod batch;
pub mod blob;
pub mod bucket;
pub mod clock;
mod database;
pub mod delivery;
mod direct;
pub mod document;
mod error;
pub mod failpoint;
mod group_commit;
pub mod history;
pub mod idempotency;
pub mod job;
mod ledger;
pub mod listing;
pub mod queue;
pub mod retention;
pub mod review;
pub mod s3;
mod schedule;
pub mod sealing;
pub mod session;
pub mod share;
pub mod tier;
pub mod upload;
mod versioned_cache;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::{ContextV7, Timestamp, Uuid};

use account::Candidate;
pub use account::{Account, ApiKey, Caller, CreatedKey, Identity, NewKey, Secret, WebhookSecret};
pub use batch::{Batch, BatchStatus};
pub use blob::{BlobKey, Blobs, PendingBlob, Upload};
pub use bucket::Allowance;
pub use clock::Clock;
use database::Database;
pub use database::Location;
pub use delivery::{
    Attempt, AttemptEnd, Delivery, DeliveryClaim, DeliveryLease, DeliveryStatus, NextStep, WEBHOOK_RETRIES,
};
pub use document::{Document, NewDocument};
pub use error::StoreError;
pub use failpoint::Failpoint;
pub use history::{CompletedRun, RECENT_JOBS};
pub use idempotency::{IdempotentRequest, Reservation, Reserved};
pub use job::{Job, JobFilter, JobStatus, Submission, Warning};
pub use ledger::{ModelUsage, Usage};
pub use listing::{ListRequest, Listed};
pub use queue::{
    Claim, INTERNAL_ERROR, Lease, MAX_ATTEMPTS, OpenJobs, Outcome, PresentedResult, StoredResult, UNWANTED_AFTER,
};
pub use retention::Swept;
pub use review::Review;
pub use s3::{S3Settings, SecretAccessKey};
pub use sealing::SecretSealing;
pub use session::{NewSession, Session, Token};
pub use share::{NewShare, Share};
pub use tier::{CreditPeriod, Tier, TierLimits, Tiers};
use versioned_cache::VersionedCache;

/// The settings of a store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Where the database is.
    pub location: Location,
    /// What each tier allows.
    pub tiers: Tiers,
    /// Where the time comes from.
    pub clock: Clock,
    /// How long a worker may send no heartbeat before another may claim its job. Workers send one every third of it.
    pub lease: Duration,
    /// The wait before each further attempt at a webhook.
    pub webhook_retries: Vec<Duration>,
    /// Maximum keys of an account that are neither revoked nor expired.
    pub keys_per_account: u32,
    /// Seals webhook secrets.
    pub sealing: Arc<dyn SecretSealing>,
}

impl StoreOptions {
    /// Creates the default settings for a database: default tiers, the system's clock, leases of 60 s, webhook retries
    /// after [`WEBHOOK_RETRIES`], and 100 keys for each account.
    pub fn new(location: Location, sealing: Arc<dyn SecretSealing>) -> Self {
        Self {
            location,
            tiers: Tiers::default(),
            clock: Clock::system(),
            lease: Duration::from_mins(1),
            webhook_retries: WEBHOOK_RETRIES.to_vec(),
            keys_per_account: 100,
            sealing,
        }
    }
}

/// The database and its rules. Clones share the connections and caches.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    tiers: Arc<Tiers>,
    clock: Clock,
    lease: Duration,
    webhook_retries: Arc<[Duration]>,
    keys_per_account: u32,
    sealing: Arc<dyn SecretSealing>,
    ids: Arc<Mutex<ContextV7>>,
    /// Final jobs, by account id and job id.
    finished_jobs: VersionedCache<(Uuid, Uuid), Arc<Job>>,
    /// Keys, by their visible prefix.
    candidates: VersionedCache<String, Arc<[Candidate]>>,
}

/// Maximum size of the cached jobs in bytes, including their results.
const CACHED_JOBS_BYTES: usize = 32 * 1024 * 1024;
/// Maximum size of the cached keys in bytes: enough for some thousands.
const CACHED_KEYS_BYTES: usize = 1024 * 1024;

impl Store {
    /// Connects, brings the schema up to date and seals the webhook secrets that are stored in clear. Several hosts may
    /// do so at the same time. Logs a warning if there are secrets that this host can't open.
    ///
    /// # Errors
    ///
    /// [`StoreError::Migration`], [`StoreError::Database`] or [`StoreError::Folder`] when the database can't be opened,
    /// and [`StoreError::NotSealed`].
    pub async fn open(options: StoreOptions) -> Result<Self, StoreError> {
        let store = Self {
            database: Database::open(&options.location, &*options.sealing).await?,
            tiers: Arc::new(options.tiers),
            clock: options.clock,
            lease: options.lease,
            webhook_retries: options.webhook_retries.into(),
            keys_per_account: options.keys_per_account,
            sealing: options.sealing,
            ids: Arc::new(Mutex::new(ContextV7::new())),
            finished_jobs: VersionedCache::new(CACHED_JOBS_BYTES),
            candidates: VersionedCache::new(CACHED_KEYS_BYTES),
        };
        let unreadable = store.unreadable_webhook_secrets().await?;
        if unreadable > 0 {
            tracing::warn!(keys = unreadable, "can't open webhook secrets that were sealed with another `link_secret`");
        }
        Ok(store)
    }

    /// Returns what a tier allows.
    pub fn limits(&self, tier: Tier) -> &TierLimits {
        self.tiers.limits(tier)
    }

    /// Returns how long a job's lease lasts.
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// Returns the store's time now.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.database.reader).await?;
        Ok(())
    }

    /// Closes the connections when their running statements have ended.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// Creates a UUID of version 7 for this time. The ids of one process sort in the order in which they are created.
    fn new_id(&self, now: DateTime<Utc>) -> Uuid {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = u64::try_from(now.timestamp()).unwrap_or(0);
        Uuid::new_v7(Timestamp::from_unix(&*ids, seconds, now.timestamp_subsec_nanos()))
    }
}
