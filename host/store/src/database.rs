//! One set of queries for two databases. Everything in which SQLite and PostgreSQL differ is in this file.
//!
//! sqlx's `Any` driver runs the queries: both dialects take `$1` parameters, `ON CONFLICT`, `RETURNING` and partial
//! indexes. The schema uses `TEXT` (ids, hex digests, JSON) and `BIGINT` (times in microseconds UTC, counts, 0 or 1)
//! only, which `Any` passes without loss both ways, NULL included.

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

/// Maximum connections to PostgreSQL of one process.
const POSTGRES_CONNECTIONS: u32 = 10;

/// Maximum connections of sqlx that read from SQLite at the same time. Each runs on a thread of its own.
const SQLITE_READERS: u32 = 4;

/// Settings of each connection to SQLite. `busy_timeout` is in milliseconds: a second process may hold the write lock
/// for a while.
///
/// Each commit is synced, so that what a client was told survives a power cut as well as a crash. A sync takes about
/// 4 ms, which allows 250 commits a second. Writers that come together therefore share a commit
/// ([`crate::group_commit`]), as PostgreSQL does by itself.
const SQLITE_SETTINGS: &str = "PRAGMA busy_timeout = 15000; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;";

/// Turns the write-ahead log on. The file keeps this setting, so it is set once, before other connections open.
const SQLITE_JOURNAL: &str = "PRAGMA journal_mode = WAL;";

/// Overwrites replaced values with zeros, instead of leaving them in the page's free space.
const SQLITE_OVERWRITE: &str = "PRAGMA secure_delete = ON;";

/// Empties the write-ahead log, unless another process is reading from it.
const SQLITE_EMPTY_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE);";

/// Where the database is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// An SQLite file, which is created if it is missing.
    Sqlite(PathBuf),
    /// A PostgreSQL connection URL, `postgres://user:password@host/database`. The database must exist.
    Postgres(String),
}

impl FromStr for Location {
    type Err = Infallible;

    /// Reads a text that begins with `postgres://` or `postgresql://` as a URL, and any other as the path of an SQLite
    /// file.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Ok(Self::Sqlite(PathBuf::from(text)))
    }
}

/// Which of the two databases it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

impl Dialect {
    /// Returns `locking` on PostgreSQL, a statement whose SELECT locks the rows that it finds, and `plain` on SQLite,
    /// the same without locks: SQLite has one writer at a time anyway.
    pub(crate) fn row_lock(self, plain: &'static str, locking: &'static str) -> &'static str {
        match self {
            Self::Sqlite => plain,
            Self::Postgres => locking,
        }
    }

    /// Returns a statement that only locks rows, on PostgreSQL, whose writers run beside each other.
    pub(crate) fn lock_statement(self, locking: &'static str) -> Option<&'static str> {
        (self == Self::Postgres).then_some(locking)
    }
}

/// The connections of one process.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    /// The SQLite file; `None` on PostgreSQL.
    path: Option<PathBuf>,
    pub(crate) dialect: Dialect,
    /// For single statements that read.
    pub(crate) reader: AnyPool,
    /// For statements that write. On SQLite it has one connection, so that writers of this process queue fairly and do
    /// not poll for the lock.
    writer: AnyPool,
    /// Reads the rows that nearly every request looks up; `None` on PostgreSQL.
    direct: Option<DirectReader>,
    /// Lets writers that come together share a commit; `None` on PostgreSQL.
    groups: Option<GroupCommit>,
}

/// A transaction that writes. Dropped without a commit, it is rolled back.
#[derive(Debug)]
pub(crate) enum Transaction {
    /// A transaction that shares its commit with others.
    Member(Member),
    /// A transaction of its own.
    Own(sqlx::Transaction<'static, Any>),
}

impl Transaction {
    /// Commits, and waits until the changes are on the disk.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]: nothing was kept.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Member(member) => Ok(member.commit().await?),
            Self::Own(transaction) => Ok(transaction.commit().await?),
        }
    }

    /// Commits without waiting for the disk, on SQLite, for changes that may be lost if the machine dies.
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
    /// Connects, brings the schema up to date and seals the webhook secrets that are stored in clear.
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
        let _lock = lock_opening(path).await?;
        let mut connection = AnyConnection::connect_with(&options).await?;
        sqlx::raw_sql(SQLITE_SETTINGS).execute(&mut connection).await?;
        sqlx::raw_sql(SQLITE_JOURNAL).execute(&mut connection).await?;
        sqlx::raw_sql(SQLITE_OVERWRITE).execute(&mut connection).await?;
        // On SQLite the migrator takes no lock. The transaction keeps a second host out until the schema is complete.
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        MIGRATIONS.run_direct(None, &mut *transaction, false).await?;
        let sealed = sealing::seal_all(&mut transaction, sealing).await?;
        transaction.commit().await?;
        if sealed > 0 {
            sqlx::raw_sql(SQLITE_EMPTY_LOG).execute(&mut connection).await?;
        }
        connection.close().await?;

        let reader = sqlite_pool(&options, SQLITE_READERS).await?;
        let writer = sqlite_pool(&options, 1).await?;
        let groups = Some(GroupCommit::new(writer.clone()));
        let direct = Some(DirectReader::new(path));
        Ok(Self { path: Some(path.to_owned()), dialect: Dialect::Sqlite, reader, writer, direct, groups })
    }

    async fn open_postgres(url: &str, sealing: &dyn SecretSealing) -> Result<Self, StoreError> {
        let options = AnyConnectOptions::from_str(url)?.disable_statement_logging();
        // The migrator takes an advisory lock, which ends with this connection at the latest.
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

    /// Starts a transaction that writes. On SQLite, other writers of this process wait until it ends.
    pub(crate) async fn write(&self) -> Result<Transaction, StoreError> {
        match &self.groups {
            Some(groups) => Ok(Transaction::Member(groups.join().await?)),
            None => Ok(Transaction::Own(self.writer.begin().await?)),
        }
    }

    /// Returns the version of the database now, under which rows that are read later may be cached. Returns `None` on
    /// PostgreSQL, and where the version can't be read at once.
    pub(crate) fn version(&self) -> Option<Version> {
        self.direct.as_ref()?.version()
    }

    /// Returns the few rows that `statement` selects with the texts `keys` as its parameters `$1`, `$2` and so on, each
    /// converted by `read`. For rows that are looked up so often that a thread switch matters: on SQLite they are read
    /// on this thread where possible.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`], or the first error of `read`.
    pub(crate) async fn look_up<T>(
        &self,
        statement: &'static str,
        keys: &[&str],
        read: impl Fn(&LookedUpRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        if let Some(direct) = &self.direct
            && let Some(rows) = direct.look_up(statement, keys, |row| read(&LookedUpRow::Direct(row)))
        {
            return rows;
        }
        let mut query = sqlx::query(statement);
        for key in keys {
            query = query.bind(*key);
        }
        let rows = query.fetch_all(&self.reader).await?;
        rows.iter().map(|row| read(&LookedUpRow::Pooled(row))).collect()
    }

    /// Returns the pool for single statements that write.
    pub(crate) fn writer(&self) -> &AnyPool {
        &self.writer
    }

    /// Closes every connection when its running statement has ended.
    pub(crate) async fn close(&self) {
        let _lock = match &self.path {
            Some(path) => lock_opening(path).await.ok(),
            None => None,
        };
        if let Some(direct) = &self.direct {
            direct.close();
        }
        self.reader.close().await;
        self.writer.close().await;
    }
}

/// Locks out other hosts that open or close this SQLite file, until the returned file is dropped.
///
/// The first connection to a file sets up its journal and the last one removes it. SQLite refuses a connection that
/// comes during either at once, whatever the busy timeout.
async fn lock_opening(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-opening");
    let path = PathBuf::from(name);
    let locking = tokio::task::spawn_blocking(move || lock_exclusively(&path));
    locking.await.map_err(std::io::Error::other)?
}

/// Locks a file, which is created if it is missing. Blocks the thread until no other process holds the lock.
fn lock_exclusively(path: &Path) -> Result<File, StoreError> {
    create_private(path)?;
    let lock = OpenOptions::new().write(true).open(path)?;
    lock.lock()?;
    Ok(lock)
}

/// Opens a pool of at most this many connections to an SQLite file, which it never closes by itself.
async fn sqlite_pool(options: &AnyConnectOptions, connections: u32) -> Result<AnyPool, sqlx::Error> {
    AnyPoolOptions::new()
        .max_connections(connections)
        .test_before_acquire(false)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| {
            Box::pin(async move { sqlx::raw_sql(SQLITE_SETTINGS).execute(connection).await.map(|_| ()) })
        })
        .connect_with(options.clone())
        .await
}

/// Creates the file if it is missing, readable by this user alone. SQLite gives the files beside it the same rights.
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
    // The options are passed as a URL, in which sqlx escapes every character but the escape character itself.
    let escaped = path.to_string_lossy().replace('%', "%25");
    let url = SqliteConnectOptions::new().filename(escaped).create_if_missing(true).to_url_lossy();
    Ok(AnyConnectOptions::from_url(&url)?.disable_statement_logging())
}

/// Reads Rust values from a row's columns, of the types that both databases have.
///
/// Every method fails with [`StoreError::Corrupt`] where the column holds something else.
pub(crate) trait Columns {
    /// Reads a text column that may be NULL.
    fn optional_text(&self, column: &'static str) -> Result<Option<String>, StoreError>;
    /// Reads an integer column that may be NULL.
    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>, StoreError>;

    /// Reads a text column.
    fn text(&self, column: &'static str) -> Result<String, StoreError> {
        present(column, self.optional_text(column)?)
    }

    /// Reads a count, which is never negative.
    fn count(&self, column: &'static str) -> Result<u64, StoreError> {
        present(column, self.optional_count(column)?)
    }

    /// Reads a count that may be NULL.
    fn optional_count(&self, column: &'static str) -> Result<Option<u64>, StoreError> {
        self.optional_integer(column)?.map(|value| parse_count(column, value)).transpose()
    }

    /// Reads a flag, stored as 0 or 1.
    fn flag(&self, column: &'static str) -> Result<bool, StoreError> {
        Ok(present(column, self.optional_integer(column)?)? != 0)
    }

    /// Reads an id.
    fn id(&self, column: &'static str) -> Result<Uuid, StoreError> {
        parse_id(self.text(column)?)
    }

    /// Reads an id that may be NULL.
    fn optional_id(&self, column: &'static str) -> Result<Option<Uuid>, StoreError> {
        self.optional_text(column)?.map(parse_id).transpose()
    }

    /// Reads a time, stored in microseconds since the epoch.
    fn time(&self, column: &'static str) -> Result<DateTime<Utc>, StoreError> {
        present(column, self.optional_time(column)?)
    }

    /// Reads a time that may be NULL.
    fn optional_time(&self, column: &'static str) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.optional_integer(column)?.map(parse_time).transpose()
    }

    /// Reads a word of a closed set, such as a status, by its `FromStr`. `what` names the set in the error.
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

/// A row that [`Database::look_up`] found.
pub(crate) enum LookedUpRow<'a> {
    /// It was read by a connection of the pool.
    Pooled(&'a AnyRow),
    /// It was read by the direct reader.
    Direct(DirectRow<'a>),
}

impl Columns for LookedUpRow<'_> {
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
