//! Reading an SQLite file on the thread of whoever asks.
//!
//! Each connection of sqlx has a thread of its own, so a statement costs two changes of thread, several times what
//! finding a row by its key does. What nearly every request looks up is read here instead, by connections that only
//! read. In the write-ahead log a reader waits for no writer; in the few moments in which it would have to wait, and
//! wherever else it fails, it gives up at once, and the pool's connections are asked.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::types::FromSql;
use rusqlite::{Connection, OpenFlags, Row};

use crate::database::Columns;
use crate::error::StoreError;

/// The connections of one process to one file. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct DirectReader {
    path: PathBuf,
    /// Those that nobody reads by at the moment, at most one a thread; none at all once they are closed.
    idle: Arc<Mutex<Option<Vec<Connection>>>>,
    witness: Arc<Mutex<Witness>>,
}

/// Two versions that are equal have no commit between them, by any connection of any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    witness: u64,
    commits: i64,
}

#[cfg(test)]
impl Version {
    /// After so many commits.
    pub(crate) fn of(commits: i64) -> Self {
        Self { witness: 1, commits }
    }
}

/// The connection that versions are told by: SQLite's `data_version` compares within one connection alone.
#[derive(Debug, Default)]
struct Witness {
    /// Counted up when another connection takes over.
    number: u64,
    connection: Option<Connection>,
}

impl DirectReader {
    /// Of a file that other connections of this process have open.
    pub(crate) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), idle: Arc::new(Mutex::new(Some(Vec::new()))), witness: Arc::default() }
    }

    /// The rows that a statement finds, in one look at the database. None where it can't be read so.
    pub(crate) fn find<T>(
        &self,
        statement: &str,
        keys: &[&str],
        read: impl Fn(DirectRow<'_>) -> Result<T, StoreError>,
    ) -> Option<Result<Vec<T>, StoreError>> {
        let connection = self.take()?;
        match rows(&connection, statement, keys, read) {
            Ok(rows) => {
                self.give_back(connection);
                Some(rows)
            }
            Err(error) => {
                tracing::debug!(%error, "could not read the database directly");
                None
            }
        }
    }

    /// The version of the database now. None where it can't be told at once: a row is found sooner than a thread that
    /// waits for another one goes on.
    pub(crate) fn version(&self) -> Option<Version> {
        let mut witness = self.witness.try_lock().ok()?;
        let connection = if let Some(connection) = witness.connection.take() {
            connection
        } else {
            witness.number += 1;
            self.take()?
        };
        match commits_seen(&connection) {
            Ok(commits) => {
                witness.connection = Some(connection);
                Some(Version { witness: witness.number, commits })
            }
            Err(error) => {
                tracing::debug!(%error, "could not tell the database's version");
                None
            }
        }
    }

    /// Closes the connections; from here on nothing is read by them.
    pub(crate) fn close(&self) {
        *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.witness.lock().unwrap_or_else(PoisonError::into_inner).connection = None;
    }

    fn take(&self) -> Option<Connection> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.pop();
        if waiting.is_some() {
            return waiting;
        }
        let opened = self.open();
        opened.inspect_err(|error| tracing::debug!(%error, "could not open the database for direct reading")).ok()
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // A connection is never used by two threads at once, so it needs no lock of its own.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }

    fn give_back(&self, connection: Connection) {
        if let Some(idle) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            idle.push(connection);
        }
    }
}

fn commits_seen(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

fn rows<T>(
    connection: &Connection,
    statement: &str,
    keys: &[&str],
    read: impl Fn(DirectRow<'_>) -> Result<T, StoreError>,
) -> rusqlite::Result<Result<Vec<T>, StoreError>> {
    let mut statement = connection.prepare_cached(statement)?;
    for (number, key) in (1..).zip(keys) {
        let name = format!("${number}");
        let index = statement.parameter_index(&name)?.ok_or(rusqlite::Error::InvalidParameterName(name))?;
        statement.raw_bind_parameter(index, key)?;
    }
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        match read(DirectRow::of(row)) {
            Ok(value) => found.push(value),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(found))
}

/// A row, of which columns are mostly asked for in their order.
pub(crate) struct DirectRow<'a> {
    row: &'a Row<'a>,
    /// The column that comes after the one asked for last.
    next: Cell<usize>,
}

impl<'a> DirectRow<'a> {
    fn of(row: &'a Row<'a>) -> Self {
        Self { row, next: Cell::new(0) }
    }

    fn get<T: FromSql>(&self, column: &'static str) -> Result<T, StoreError> {
        let statement = self.row.as_ref();
        let next = self.next.get();
        let is_next = statement.column_name(next).is_ok_and(|name| name == column);
        let index = if is_next { Ok(next) } else { statement.column_index(column) };
        let value = index.and_then(|index| {
            self.next.set(index + 1);
            self.row.get(index)
        });
        value.map_err(|error| StoreError::Corrupt { what: column, value: error.to_string() })
    }
}

impl Columns for DirectRow<'_> {
    fn optional_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        self.get(column)
    }

    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        self.get(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const BY_NUMBER: &str = "SELECT name, size FROM sheets WHERE number = $2 AND name <> $1";

    /// A file with a writer of its own.
    fn world() -> (TempDir, Connection, DirectReader) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("test.sqlite");
        let writer = Connection::open(&path).unwrap();
        let schema = "PRAGMA journal_mode = WAL; CREATE TABLE sheets (number TEXT, name TEXT, size BIGINT);";
        writer.execute_batch(schema).unwrap();
        (folder, writer, DirectReader::of(&path))
    }

    fn found(reader: &DirectReader) -> Option<Vec<(Option<i64>, String)>> {
        let keys = ["Roof", "A-101"];
        let rows = reader.find(BY_NUMBER, &keys, |row| Ok((row.optional_integer("size")?, row.text("name")?)));
        Some(rows?.unwrap())
    }

    #[test]
    fn what_others_have_committed_is_found_at_once_and_nothing_else() {
        let (_folder, writer, reader) = world();
        assert_eq!(found(&reader), Some(Vec::new()));
        writer.execute_batch("INSERT INTO sheets VALUES ('A-101', 'Ground floor', 7), ('A-101', 'Roof', 100)").unwrap();
        assert_eq!(found(&reader), Some(vec![(Some(7), "Ground floor".to_owned())]));
        writer.execute_batch("BEGIN IMMEDIATE; DELETE FROM sheets").unwrap();
        assert_eq!(found(&reader), Some(vec![(Some(7), "Ground floor".to_owned())]));
        writer.execute_batch("COMMIT").unwrap();
        assert_eq!(found(&reader), Some(Vec::new()));
    }

    #[test]
    fn the_version_is_another_one_after_each_commit_of_anybody() {
        let (_folder, writer, reader) = world();
        let first = reader.version().unwrap();
        assert_eq!(reader.version(), Some(first));
        writer.execute_batch("BEGIN; INSERT INTO sheets VALUES ('A-101', 'Roof', 1)").unwrap();
        assert_eq!(reader.version(), Some(first));
        writer.execute_batch("COMMIT").unwrap();
        let second = reader.version().unwrap();
        assert_ne!(second, first);
        Connection::open(&reader.path).unwrap().execute_batch("DELETE FROM sheets").unwrap();
        assert_ne!(reader.version(), Some(second));
        assert_ne!(reader.version(), Some(first));
    }

    #[test]
    fn a_version_of_another_witness_is_another_one() {
        let (_folder, _writer, reader) = world();
        let first = reader.version().unwrap();
        reader.witness.lock().unwrap().connection = None;
        let second = reader.version().unwrap();
        assert_eq!(second.commits, first.commits);
        assert_ne!(second, first);
    }

    #[test]
    fn a_value_of_another_kind_is_corrupt() {
        let (_folder, writer, reader) = world();
        writer.execute_batch("INSERT INTO sheets VALUES ('A-101', x'00', 7)").unwrap();
        let keys = ["Roof", "A-101"];
        for column in ["name", "size"] {
            let rows = reader.find(BY_NUMBER, &keys, |row| row.text(column)).unwrap();
            assert!(matches!(rows, Err(StoreError::Corrupt { what, .. }) if what == column), "{column}");
        }
    }

    #[test]
    fn where_it_cannot_read_others_are_to_be_asked() {
        let (folder, writer, reader) = world();
        assert!(DirectReader::of(&folder.path().join("elsewhere.sqlite")).take().is_none());
        assert!(reader.find("SELECT nothing FROM sheets", &[], |_| Ok(())).is_none());
        // A writer that lets nobody in, as one that recovers the log does.
        let exclusive = "PRAGMA locking_mode = EXCLUSIVE; INSERT INTO sheets VALUES ('A-101', 'Attic', 1)";
        writer.execute_batch(exclusive).unwrap();
        assert_eq!(found(&reader), None);
        drop(writer);
        assert_eq!(found(&reader), Some(vec![(Some(1), "Attic".to_owned())]));
        reader.close();
        assert_eq!((found(&reader), reader.version()), (None, None));
    }
}
