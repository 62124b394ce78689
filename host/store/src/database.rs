//! The two databases behind one set of queries. Everything in which SQLite and PostgreSQL differ is in this file.
//!
//! sqlx's `Any` driver runs the queries: both dialects take `$1` parameters, `ON CONFLICT`, `RETURNING` and partial
//! indexes. The schema keeps to `TEXT` (ids, hex digests, JSON) and `BIGINT` (times in microseconds UTC, counts, 0 or
//! 1), which `Any` carries losslessly both ways, NULL included.

use std::convert::Infallible;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use chrono::{DateTime, Utc};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyRow, install_default_drivers};
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, Connection, Row};
use uuid::Uuid;

use crate::direct::{DirectReader, DirectRow, Version};
use crate::error::StoreError;
use crate::group_commit::{GroupCommit, Member};
use crate::sealing::{self, SecretSealing};

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Most connections to PostgreSQL that one process opens.
const POSTGRES_CONNECTIONS: u32 = 10;

/// Most connections that read from SQLite at the same time; each is a thread.
const SQLITE_READERS: u32 = 4;

/// For each connection to SQLite. A second process may hold the write lock for a while.
///
/// Each commit is synced, so that what a client was told outlasts a power cut as it outlasts a crash. At some 4 ms a
/// sync that makes 250 commits a second, so writers that come together share one ([`crate::group_commit`]), as
/// PostgreSQL does by itself.
const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 15000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";

/// Kept by the file, so it is set once, before other connections open.
const SQLITE_JOURNAL: &str = "PRAGMA journal_mode = WAL;";

/// Overwrites with zeros what a statement replaces, instead of leaving it in the page's free space.
const SQLITE_OVERWRITE: &str = "PRAGMA secure_delete = ON;";

/// Empties the write-ahead log, as far as no other process is reading.
const SQLITE_EMPTY_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE);";

/// Where the database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// An SQLite file, made when it is missing.
    Sqlite(PathBuf),
    /// A PostgreSQL connection URL, `postgres://user:password@host/database`. The database must exist.
    Postgres(String),
}

impl FromStr for Location {
    type Err = Infallible;

    /// A PostgreSQL URL by its scheme; anything else is the path of an SQLite file.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Ok(Self::Sqlite(PathBuf::from(text)))
    }
}

/// Which of the two databases answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// Of two spellings of a statement, the one for this database: `locking` ends its inner SELECT with a lock on the
    /// rows it finds, `plain` does without, as SQLite has one writer at a time anyway.
    pub(crate) fn row_lock(self, plain: &'static str, locking: &'static str) -> &'static str {
        match self {
            Self::Sqlite => plain,
            Self::Postgres => locking,
        }
    }

    /// Returns a statement that does nothing but lock rows, on the database whose writers run beside each other.
    pub(crate) fn lock_statement(self, locking: &'static str) -> Option<&'static str> {
        (self == Self::Postgres).then_some(locking)
    }
}

/// The connections of one process.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    /// The SQLite file, where it is one.
    path: Option<PathBuf>,
    pub(crate) dialect: Dialect,
    /// For single statements that read.
    pub(crate) reader: AnyPool,
    /// On SQLite one connection, so that writers of this process queue fairly here rather than poll for the lock.
    writer: AnyPool,
    /// For the rows that nearly every request looks up: on SQLite.
    direct: Option<DirectReader>,
    /// Where writers that come together share a commit: on SQLite.
    groups: Option<GroupCommit>,
}

/// A transaction that writes. Dropped without a commit, it is rolled back.
#[derive(Debug)]
pub(crate) enum Transaction {
    /// One that shares its commit with others.
    Member(Member),
    /// One by itself.
    Own(sqlx::Transaction<'static, Any>),
}

impl Transaction {
    /// Makes what was written durable, or undoes it.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Member(member) => Ok(member.commit().await?),
            Self::Own(transaction) => Ok(transaction.commit().await?),
        }
    }

    /// As [`Self::commit`], for what may be lost where the machine dies at once: nobody waits for a sync.
    pub(crate) async fn commit_later(self) -> Result<(), StoreError> {
        match self {
            Self::Member(member) => member.commit_later(),
            Self::Own(transaction) => transaction.commit().await?,
        }
        Ok(())
    }
}

impl Deref for Transaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match self {
            Self::Member(member) => member,
            Self::Own(transaction) => transaction,
        }
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match self {
            Self::Member(member) => member,
            Self::Own(transaction) => transaction,
        }
    }
}

impl Database {
    /// Connects, brings the schema up to date, and seals the secrets that are stored in clear.
    pub(crate) async fn open(location: &Location, sealing: &dyn SecretSealing) -> Result<Self, StoreError> {
        install_default_drivers();
        match location {
            Location::Sqlite(path) => Self::open_sqlite(path, sealing).await,
            Location::Postgres(url) => Self::open_postgres(url, sealing).await,
        }
    }

    async fn open_sqlite(path: &Path, sealing: &dyn SecretSealing) -> Result<Self, StoreError> {
        let options = sqlite_options(path)?;
        create_private(path)?;
        let _alone = alone(path).await?;
        let mut connection = AnyConnection::connect_with(&options).await?;
        sqlx::raw_sql(SQLITE_SETTINGS).execute(&mut connection).await?;
        sqlx::raw_sql(SQLITE_JOURNAL).execute(&mut connection).await?;
        sqlx::raw_sql(SQLITE_OVERWRITE).execute(&mut connection).await?;
        // The migrator locks nothing on SQLite: the transaction keeps a second host out until the schema is whole.
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        MIGRATIONS.run_direct(None, &mut *transaction, false).await?;
        let sealed = sealing::seal_all(&mut transaction, sealing).await?;
        transaction.commit().await?;
        if sealed > 0 {
            sqlx::raw_sql(SQLITE_EMPTY_LOG).execute(&mut connection).await?;
        }
        connection.close().await?;

        let pool = |connections: u32| {
            AnyPoolOptions::new()
                .max_connections(connections)
                .test_before_acquire(false)
                .idle_timeout(None)
                .max_lifetime(None)
                .after_connect(|connection, _| {
                    Box::pin(async move { sqlx::raw_sql(SQLITE_SETTINGS).execute(connection).await.map(|_| ()) })
                })
                .connect_with(options.clone())
        };
        let (reader, writer) = (pool(SQLITE_READERS).await?, pool(1).await?);
        let groups = Some(GroupCommit::new(writer.clone()));
        let direct = Some(DirectReader::of(path));
        Ok(Self { path: Some(path.to_owned()), dialect: Dialect::Sqlite, reader, writer, direct, groups })
    }

    async fn open_postgres(url: &str, sealing: &dyn SecretSealing) -> Result<Self, StoreError> {
        let options = AnyConnectOptions::from_str(url)?.disable_statement_logging();
        // The migrator holds an advisory lock of this connection, which ends with it at the latest.
        let mut connection = AnyConnection::connect_with(&options).await?;
        MIGRATIONS.run_direct(None, &mut connection, false).await?;
        let mut transaction = connection.begin().await?;
        sealing::seal_all(&mut transaction, sealing).await?;
        transaction.commit().await?;
        connection.close().await?;

        let pool = AnyPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).connect_with(options).await?;
        let reader = pool.clone();
        Ok(Self { path: None, dialect: Dialect::Postgres, reader, writer: pool, direct: None, groups: None })
    }

    /// Starts a transaction that writes. Others of this process wait meanwhile.
    pub(crate) async fn write(&self) -> Result<Transaction, StoreError> {
        match &self.groups {
            Some(groups) => Ok(Transaction::Member(groups.join().await?)),
            None => Ok(Transaction::Own(self.writer.begin().await?)),
        }
    }

    /// The version of the database now, for remembering what is read from here on. None on PostgreSQL.
    pub(crate) fn version(&self) -> Option<Version> {
        self.direct.as_ref()?.version()
    }

    /// The few rows that a statement finds by texts, its parameters `$1`, `$2` and so on: for what is looked up
    /// so often that a change of thread matters.
    pub(crate) async fn find<T>(
        &self,
        statement: &'static str,
        keys: &[&str],
        read: impl Fn(&Found<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let directly =
            self.direct.as_ref().and_then(|direct| direct.find(statement, keys, |row| read(&Found::Direct(row))));
        if let Some(found) = directly {
            return found;
        }
        let mut query = sqlx::query(statement);
        for key in keys {
            query = query.bind(*key);
        }
        let rows = query.fetch_all(&self.reader).await?;
        rows.iter().map(|row| read(&Found::Pooled(row))).collect()
    }

    /// For a single statement that writes.
    pub(crate) fn writer(&self) -> &AnyPool {
        &self.writer
    }

    /// Closes every connection, after the statements that are running.
    pub(crate) async fn close(&self) {
        let _alone = match &self.path {
            Some(path) => alone(path).await.ok(),
            None => None,
        };
        if let Some(direct) = &self.direct {
            direct.close();
        }
        self.reader.close().await;
        self.writer.close().await;
    }
}

/// Waits until no other host is opening or closing this file, and keeps them out until the lock is dropped. The first
/// connection to a file sets its journal and the last one removes it; SQLite refuses whoever comes in between at once,
/// whatever the busy timeout.
async fn alone(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-opening");
    let path = PathBuf::from(name);
    let locking = tokio::task::spawn_blocking(move || {
        create_private(&path)?;
        let lock = OpenOptions::new().write(true).open(&path)?;
        lock.lock()?;
        Ok::<File, StoreError>(lock)
    });
    locking.await.map_err(std::io::Error::other)?
}

/// Makes the file, where it is missing, for this user alone. SQLite gives the files beside it the same rights.
fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

fn sqlite_options(path: &Path) -> Result<AnyConnectOptions, StoreError> {
    let path = std::path::absolute(path)?;
    // The options travel as a URL, in which sqlx escapes all but the escape character itself.
    let escaped = path.to_string_lossy().replace('%', "%25");
    let url = SqliteConnectOptions::new().filename(escaped).create_if_missing(true).to_url_lossy();
    Ok(AnyConnectOptions::from_url(&url)?.disable_statement_logging())
}

/// How Rust values are kept in the columns that both databases have.
pub(crate) trait Columns {
    /// A text column that may be NULL.
    fn optional_text(&self, column: &'static str) -> Result<Option<String>, StoreError>;
    /// A column of times or counts that may be NULL.
    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>, StoreError>;

    /// A text column.
    fn text(&self, column: &'static str) -> Result<String, StoreError> {
        present(column, self.optional_text(column)?)
    }

    /// A count, which is never negative.
    fn count(&self, column: &'static str) -> Result<u64, StoreError> {
        present(column, self.optional_count(column)?)
    }

    /// A count that may be NULL.
    fn optional_count(&self, column: &'static str) -> Result<Option<u64>, StoreError> {
        self.optional_integer(column)?.map(|value| parse_count(column, value)).transpose()
    }

    /// 0 or 1.
    fn flag(&self, column: &'static str) -> Result<bool, StoreError> {
        Ok(present(column, self.optional_integer(column)?)? != 0)
    }

    /// An id.
    fn id(&self, column: &'static str) -> Result<Uuid, StoreError> {
        parse_id(self.text(column)?)
    }

    /// An id that may be NULL.
    fn optional_id(&self, column: &'static str) -> Result<Option<Uuid>, StoreError> {
        self.optional_text(column)?.map(parse_id).transpose()
    }

    /// A time.
    fn time(&self, column: &'static str) -> Result<DateTime<Utc>, StoreError> {
        present(column, self.optional_time(column)?)
    }

    /// A time that may be NULL.
    fn optional_time(&self, column: &'static str) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.optional_integer(column)?.map(parse_time).transpose()
    }

    /// A word of a closed set, by its `FromStr`.
    fn word<T: FromStr>(&self, column: &'static str, what: &'static str) -> Result<T, StoreError> {
        let value = self.text(column)?;
        value.parse().map_err(|_| StoreError::Corrupt { what, value })
    }
}

impl Columns for AnyRow {
    fn optional_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        Ok(self.try_get(column)?)
    }

    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        Ok(self.try_get(column)?)
    }
}

/// A row of either kind of connection.
pub(crate) enum Found<'a> {
    /// Of a pool's.
    Pooled(&'a AnyRow),
    /// Of a direct reader's.
    Direct(DirectRow<'a>),
}

impl Columns for Found<'_> {
    fn optional_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        match self {
            Self::Pooled(row) => row.optional_text(column),
            Self::Direct(row) => row.optional_text(column),
        }
    }

    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        match self {
            Self::Pooled(row) => row.optional_integer(column),
            Self::Direct(row) => row.optional_integer(column),
        }
    }
}

fn present<T>(column: &'static str, value: Option<T>) -> Result<T, StoreError> {
    value.ok_or_else(|| StoreError::Corrupt { what: column, value: "NULL".to_owned() })
}

fn parse_count(column: &'static str, value: i64) -> Result<u64, StoreError> {
    u64::try_from(value).map_err(|_| StoreError::Corrupt { what: column, value: value.to_string() })
}

fn parse_id(value: String) -> Result<Uuid, StoreError> {
    Uuid::from_str(&value).map_err(|_| StoreError::Corrupt { what: "UUID", value })
}

fn parse_time(micros: i64) -> Result<DateTime<Utc>, StoreError> {
    DateTime::from_timestamp_micros(micros)
        .ok_or_else(|| StoreError::Corrupt { what: "time", value: micros.to_string() })
}
