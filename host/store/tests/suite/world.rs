//! What the tests start from: an empty database, a folder or bucket for blobs, and a stopped clock.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use deadline::PATIENCE;
use fanlight_store::{
    Blobs, Caller, Clock, Document, Job, Location, NewDocument, NewKey, Outcome, PendingBlob, S3Settings,
    SecretAccessKey, SecretSealing, Store, StoreError, StoreOptions, Submission, Tier, Tiers,
};
use serde_json::json;
use sqlx::Connection;
use tempfile::TempDir;
use throwaway_postgres::Cluster;
use throwaway_s3::{Bucket, S3};
use uuid::Uuid;

/// Runs each of the named tests once on SQLite and once on PostgreSQL.
macro_rules! on_both_databases {
    ($($behaviour:ident),+ $(,)?) => {$(
        mod $behaviour {
            use crate::world::{DatabaseKind, World, within_deadline};

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let test = async { super::$behaviour(World::on(DatabaseKind::Sqlite).await).await };
                within_deadline(stringify!($behaviour), test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let test = async { super::$behaviour(World::on(DatabaseKind::Postgres).await).await };
                within_deadline(stringify!($behaviour), test).await;
            }
        }
    )+};
}
pub(crate) use on_both_databases;

#[derive(Clone, Copy)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// Where blobs are.
#[derive(Clone, Copy)]
pub(crate) enum BlobPlace {
    Folder,
    Bucket,
}

/// Runs each of the named tests once with blobs in a folder and once with blobs in an S3 bucket.
macro_rules! in_both_places {
    ($($behaviour:ident),+ $(,)?) => {$(
        mod $behaviour {
            use crate::world::{BlobPlace, DatabaseKind, World, within_deadline};

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn folder() {
                let test = async { super::$behaviour(World::with(DatabaseKind::Sqlite, BlobPlace::Folder).await).await };
                within_deadline(stringify!($behaviour), test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn bucket() {
                let test = async { super::$behaviour(World::with(DatabaseKind::Sqlite, BlobPlace::Bucket).await).await };
                within_deadline(stringify!($behaviour), test).await;
            }
        }
    )+};
}
pub(crate) use in_both_places;

/// Runs a test, and fails it if it does not end in time: many loop until nothing is left.
pub(crate) async fn within_deadline(behaviour: &str, test: impl Future<Output = ()>) {
    deadline::within(PATIENCE, &format!("the end of {behaviour}"), test).await;
}

/// The prefix of all objects in the tests' buckets.
const PREFIX: &str = "an/office";

pub(crate) struct World {
    kind: DatabaseKind,
    location: Location,
    folder: TempDir,
    pub(crate) clock: Clock,
    pub(crate) store: Store,
    pub(crate) blobs: Blobs,
    bucket: Option<Bucket>,
}

/// Credits of the free tier in tests: enough for seven jobs of two credits, and one credit more.
pub(crate) const FREE_CREDITS: u32 = 15;

/// Maximum keys of an account in tests.
pub(crate) const KEYS_PER_ACCOUNT: u32 = 5;

/// Credits of the tier `developer` in tests.
pub(crate) const MONTHLY_CREDITS: u32 = 10;

impl World {
    pub(crate) async fn on(kind: DatabaseKind) -> Self {
        Self::with(kind, BlobPlace::Folder).await
    }

    pub(crate) async fn with(kind: DatabaseKind, place: BlobPlace) -> Self {
        let folder = TempDir::new().unwrap();
        let location = empty_database(kind, folder.path(), "fanlight 100%.db");
        let clock = Clock::stopped_at(time("2026-11-21T12:00:00Z"));
        let store = Store::open(options(&location, &clock)).await.unwrap();
        let (blobs, bucket) = match place {
            BlobPlace::Folder => (Blobs::in_folder(&folder.path().join("blobs")).unwrap(), None),
            BlobPlace::Bucket => {
                let bucket = S3::shared().create_bucket();
                let spool = folder.path().join("spool");
                (Blobs::in_bucket(&settings_of(&bucket), &spool).await.unwrap(), Some(bucket))
            }
        };
        Self { kind, location, folder, clock, store, blobs, bucket }
    }

    /// Opens a second store over the same database, with connections of its own.
    pub(crate) async fn another_host(&self) -> Store {
        Store::open(options(&self.location, &self.clock)).await.unwrap()
    }

    /// Opens a second store over the same database, which seals secrets with another key.
    pub(crate) async fn host_with_another_seal(&self) -> Store {
        let sealing = Arc::new(ReversingSeal("another"));
        Store::open(StoreOptions { sealing, ..options(&self.location, &self.clock) }).await.unwrap()
    }

    /// Returns all that SQLite has on the disk; nothing for PostgreSQL.
    pub(crate) fn bytes_on_disk(&self) -> Vec<u8> {
        let Location::Sqlite(path) = &self.location else {
            return Vec::new();
        };
        let files = ["", "-wal"].map(|suffix| format!("{}{suffix}", path.display()));
        files.iter().filter_map(|file| std::fs::read(file).ok()).flatten().collect()
    }

    /// Returns the options for another, empty database of the same kind.
    pub(crate) fn empty_database(&self) -> StoreOptions {
        options(&empty_database(self.kind, self.folder.path(), "another.db"), &self.clock)
    }

    /// Creates a key of this tier in the account of this name, whose plan is the tier.
    pub(crate) async fn caller(&self, account: &str, tier: Tier) -> Caller {
        let account = self.store.account_named(account, tier).await.unwrap();
        let new = NewKey { name: "test".to_owned(), tier, expires_at: None };
        let created = self.store.create_key(account.id, new).await.unwrap();
        self.store.authenticate(created.secret.reveal()).await.unwrap()
    }

    /// Adds a document of the caller with these bytes.
    pub(crate) async fn document(&self, caller: &Caller, content: &str) -> Document {
        let blob = self.blob(content.as_bytes()).await;
        let new = NewDocument { filename: "manual.pdf".to_owned(), page_count: 75, encrypted: false };
        self.store.add_document(caller, new, blob).await.unwrap()
    }

    /// Uploads these bytes in pieces.
    pub(crate) async fn blob(&self, content: &[u8]) -> PendingBlob {
        let mut upload = self.store.begin_upload(&self.blobs, content.len() as u64).await.unwrap();
        for piece in content.chunks(70_000) {
            upload.write(piece).await.unwrap();
        }
        upload.finish().await.unwrap()
    }

    /// Submits a job of two credits.
    pub(crate) async fn submit(&self, caller: &Caller, document: &Document) -> Result<Job, StoreError> {
        self.store.submit(caller, &submission(document)).await
    }

    /// Has an office's job complete with this result.
    pub(crate) async fn complete_job(&self, result: &str) -> (Caller, Job) {
        let caller = self.caller("office", Tier::Free).await;
        let document = self.document(&caller, "%PDF").await;
        let job = self.submit(&caller, &document).await.unwrap();
        let claim = self.claim().await.unwrap();
        self.store.finish(&claim.lease, &complete_with(result), Duration::ZERO).await.unwrap();
        (caller, job)
    }

    /// Changes the database as another program would.
    pub(crate) async fn change(&self, statement: &str) {
        let mut connection = self.connect().await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    }

    /// Reads one text from the database as another program would.
    pub(crate) async fn only_value(&self, query: &'static str) -> String {
        sqlx::query_scalar(query).fetch_one(&mut self.connect().await).await.unwrap()
    }

    async fn connect(&self) -> sqlx::AnyConnection {
        sqlx::any::install_default_drivers();
        let url = match &self.location {
            Location::Sqlite(path) => format!("sqlite://{}", path.display().to_string().replace('%', "%25")),
            Location::Postgres(url) => url.clone(),
        };
        sqlx::AnyConnection::connect(&url).await.unwrap()
    }

    /// Returns the one number that a query selects.
    pub(crate) async fn number(&self, query: &str) -> i64 {
        let mut connection = self.connect().await;
        sqlx::query_scalar(sqlx::AssertSqlSafe(query)).fetch_one(&mut connection).await.unwrap()
    }

    /// Returns the names of all blobs and of all unfinished uploads.
    pub(crate) fn blob_names(&self) -> Vec<String> {
        if let Some(bucket) = &self.bucket {
            let own = format!("{PREFIX}/documents/");
            let mut names: Vec<String> = bucket.objects().into_iter().chain(bucket.unfinished()).collect();
            names.retain(|name| *name != format!("{PREFIX}/fanlight"));
            assert!(names.iter().all(|name| name.starts_with(&own)), "{names:?}");
            return names;
        }
        let folder = self.folder.path().join("blobs/documents");
        let files = std::fs::read_dir(folder).into_iter().flatten();
        files.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    /// Whether blobs are files in a folder, which are read without a copy.
    pub(crate) fn is_in_folder(&self) -> bool {
        self.bucket.is_none()
    }

    /// Deletes every blob as another program would.
    pub(crate) fn lose_blobs(&self) {
        for name in self.blob_names() {
            match &self.bucket {
                Some(bucket) => bucket.delete(&name),
                None => std::fs::remove_file(self.folder.path().join("blobs/documents").join(name)).unwrap(),
            }
        }
    }
}

/// Returns the settings for a bucket of the tests' server.
pub(crate) fn settings_of(bucket: &Bucket) -> S3Settings {
    S3Settings {
        bucket: bucket.name.clone(),
        prefix: PREFIX.to_owned(),
        region: None,
        endpoint: Some(bucket.endpoint.clone()),
        allow_http: true,
        access_key_id: Some("an-id".to_owned()),
        secret_access_key: Some(SecretAccessKey::new("a-secret")),
    }
}

fn empty_database(kind: DatabaseKind, folder: &Path, file: &str) -> Location {
    match kind {
        DatabaseKind::Sqlite => Location::Sqlite(folder.join(file)),
        DatabaseKind::Postgres => Location::Postgres(Cluster::shared().unwrap().create_database().unwrap()),
    }
}

fn options(location: &Location, clock: &Clock) -> StoreOptions {
    let mut tiers = Tiers::default();
    tiers.free.credits = FREE_CREDITS;
    tiers.developer.credits = MONTHLY_CREDITS;
    StoreOptions {
        tiers,
        clock: clock.clone(),
        keys_per_account: KEYS_PER_ACCOUNT,
        ..StoreOptions::new(location.clone(), Arc::new(ReversingSeal("shared")))
    }
}

/// Seals by reversing a secret, and puts the seal's name and the key's id before it.
#[derive(Debug)]
struct ReversingSeal(&'static str);

impl ReversingSeal {
    fn head(&self, key_id: Uuid) -> String {
        format!("{} {key_id} ", self.0)
    }
}

impl SecretSealing for ReversingSeal {
    fn seal(&self, key_id: Uuid, secret: &str) -> Option<String> {
        Some(self.head(key_id) + &secret.chars().rev().collect::<String>())
    }

    fn open(&self, key_id: Uuid, sealed: &str) -> Option<String> {
        Some(sealed.strip_prefix(&self.head(key_id))?.chars().rev().collect())
    }
}

/// The outcome of a complete job with an empty result.
pub(crate) fn complete() -> Outcome {
    complete_with("{}")
}

/// The outcome of a complete job with this result.
pub(crate) fn complete_with(result: &str) -> Outcome {
    Outcome::Complete { result: result.to_owned(), presented: None, warnings: Vec::new(), cached_from: None }
}

/// A submission of two credits for all pages.
pub(crate) fn submission(document: &Document) -> Submission {
    Submission {
        model: "toc-parser".to_owned(),
        model_version: "toc-parser-v1.0.0".to_owned(),
        parameters: json!({}),
        pages: None,
        document_id: document.id,
        credits: 2,
        webhook_url: None,
        reuse: true,
    }
}

pub(crate) fn time(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The model versions that the tests' workers have installed.
pub(crate) fn versions() -> [String; 2] {
    ["toc-parser-v1.0.0", "toc-parser-v1.0.1"].map(str::to_owned)
}
