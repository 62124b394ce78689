//! Documents, jobs, API keys and the credit ledger in SQL (SQLite or PostgreSQL), and the uploaded files as blobs.
//!
//! The rules that must hold under concurrency live here and nowhere else: a charge and its job are one transaction
//! ([`Store::submit`]), a job runs under a lease with the attempt number as a fence ([`Store::claim`],
//! [`Store::finish`]), refunds happen exactly once, and every read of a client's takes its account, so that someone
//! else's is simply not found. No HTTP and no sandbox is known here.
//!
//! | module | holds |
//! |---|---|
//! | [`account`] | accounts, API keys, [`Store::authenticate`] |
//! | [`tier`] | what each tier allows, as configuration |
//! | [`document`] | documents over blobs |
//! | [`blob`], [`s3`] | the bytes of uploads, streamed in under a cap: in a folder or a bucket |
//! | [`upload`] | uploads that have no document yet |
//! | [`bucket`] | the limit of requests a minute |
//! | [`idempotency`] | requests that are carried out once |
//! | [`job`] | submitting, reading and cancelling jobs |
//! | [`batch`] | jobs that are submitted together |
//! | [`listing`] | lists, a page at a time, under cursors |
//! | [`queue`] | what workers do: claim, heartbeat, finish |
//! | `schedule` | whose job is claimed next, and how many are claimed before another |
//! | [`history`] | how long jobs took lately |
//! | [`delivery`] | finished jobs on their way to webhooks |
//! | [`retention`] | deleting what has expired |
//! | [`session`] | signing in by a link, and the sessions that come of it |
//! | [`sealing`] | webhook secrets, sealed before they are stored |
//! | [`failpoint`] | where tests end the process between two steps |
//! | `direct`, `memory` | reading what is asked for most without a change of thread, or not at all |
//! | [`clock`] | the time, which tests set |

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
mod memory;
pub mod queue;
pub mod retention;
pub mod s3;
mod schedule;
pub mod sealing;
pub mod session;
pub mod tier;
pub mod upload;

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
    Attempt, AttemptEnd, Delivery, DeliveryClaim, DeliveryLease, DeliveryStatus, Then, WEBHOOK_RETRIES,
};
pub use document::{Document, NewDocument};
pub use error::StoreError;
pub use failpoint::Failpoint;
pub use history::{LATELY, Ran};
pub use idempotency::{IdempotentRequest, Reservation, Reserved};
pub use job::{Job, JobFilter, JobStatus, Submission, Warning};
pub use ledger::{ModelUsage, Usage};
pub use listing::{ListRequest, Listed};
use memory::Memory;
pub use queue::{
    Claim, INTERNAL_ERROR, Lease, MAX_ATTEMPTS, OpenJobs, Outcome, PresentedResult, StoredResult, UNWANTED_AFTER,
};
pub use retention::Swept;
pub use s3::{S3Settings, SecretAccessKey};
pub use sealing::SecretSealing;
pub use session::{NewSession, Session, Token};
pub use tier::{CreditPeriod, Tier, TierLimits, Tiers};

/// How a store is opened.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Where the database is.
    pub location: Location,
    /// What each tier allows.
    pub tiers: Tiers,
    /// Where the time comes from.
    pub clock: Clock,
    /// How long a worker may be silent before its job goes to another. Workers beat at a third of it.
    pub lease: Duration,
    /// The waits before each further attempt at a webhook.
    pub webhook_retries: Vec<Duration>,
    /// Most keys of an account that are neither revoked nor expired.
    pub keys_per_account: u32,
    /// Seals webhook secrets.
    pub sealing: Arc<dyn SecretSealing>,
}

impl StoreOptions {
    /// The defaults over a database: default tiers, the system's clock, leases of 60 s, webhooks retried as
    /// [`WEBHOOK_RETRIES`] has it, and 100 keys an account.
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

/// The database and its rules. Clones share the connections.
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
    /// By the account's id and the job's.
    finished_jobs: Memory<(Uuid, Uuid), Arc<Job>>,
    /// Keys by their visible prefix.
    candidates: Memory<String, Arc<[Candidate]>>,
}

/// Bytes of finished jobs that are remembered, their results included.
const REMEMBERED_JOBS: usize = 32 * 1024 * 1024;
/// Bytes of keys that are remembered: some thousands.
const REMEMBERED_KEYS: usize = 1024 * 1024;

impl Store {
    /// Connects, brings the schema up to date and seals the secrets that are stored in clear; several hosts may do so at
    /// the same time. Secrets that cannot be opened are a warning in the log.
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
            finished_jobs: Memory::of(REMEMBERED_JOBS),
            candidates: Memory::of(REMEMBERED_KEYS),
        };
        let unreadable = store.unreadable_webhook_secrets().await?;
        if unreadable > 0 {
            tracing::warn!(
                keys = unreadable,
                "webhook secrets can't be opened: they were sealed with another `link_secret`"
            );
        }
        Ok(store)
    }

    /// What a tier allows.
    pub fn limits(&self, tier: Tier) -> &TierLimits {
        self.tiers.limits(tier)
    }

    /// How long a lease lasts.
    pub fn lease(&self) -> Duration {
        self.lease
    }

    /// The time as the store sees it.
    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.database.reader).await?;
        Ok(())
    }

    /// Closes the connections, after the statements that are running.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// A UUID v7 of that time. Those of one process sort in the order in which they were made.
    fn new_id(&self, now: DateTime<Utc>) -> Uuid {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = u64::try_from(now.timestamp()).unwrap_or(0);
        Uuid::new_v7(Timestamp::from_unix(&*ids, seconds, now.timestamp_subsec_nanos()))
    }
}
