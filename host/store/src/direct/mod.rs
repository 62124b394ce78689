//! Reads of an SQLite file on the calling thread, through rusqlite.
//!
//! Each connection of sqlx runs on a thread of its own, so a statement costs two thread switches, several times what
//! finding a row by its key costs. The rows that nearly every request looks up are read here instead, through
//! connections that only read. With SQLite's write-ahead log a reader does not wait for writers. Where it would have to
//! wait, or fails for any other reason, it gives up at once, and the caller asks sqlx. See
//! `docs/decisions/0006-fast-reads-of-sqlite.md`.
//!
//! | module | holds |
//! |---|---|
//! | `connections` | the connections that are free, reused by whichever thread reads next |
//! | `change_detector` | the database's [`Version`], which changes with every commit |
//! | `row` | one statement's rows, and their columns |

mod change_detector;
mod connections;
mod row;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::StoreError;

use change_detector::ChangeDetector;
pub(crate) use change_detector::Version;
use connections::Connections;
pub(crate) use row::DirectRow;

/// Reads one SQLite file. Clones share the connections.
#[derive(Debug, Clone)]
pub(crate) struct DirectReader {
    connections: Connections,
    changes: Arc<Mutex<ChangeDetector>>,
}

impl DirectReader {
    /// Creates a reader of a file that other connections of this process keep open. Connects when it first reads.
    pub(crate) fn new(path: &Path) -> Self {
        Self { connections: Connections::new(path), changes: Arc::default() }
    }

    /// Returns the rows that `statement` selects with `keys` as its parameters `$1`, `$2` and so on, each converted by
    /// `read`.
    ///
    /// Returns `None` where the database can't be read this way now: ask it through sqlx then.
    pub(crate) fn look_up<T>(
        &self,
        statement: &str,
        keys: &[&str],
        read: impl Fn(DirectRow<'_>) -> Result<T, StoreError>,
    ) -> Option<Result<Vec<T>, StoreError>> {
        let connection = self.connections.take()?;
        match row::select(&connection, statement, keys, read) {
            Ok(rows) => {
                self.connections.give_back(connection);
                Some(rows)
            }
            Err(error) => {
                tracing::debug!(%error, "could not read the database directly");
                None
            }
        }
    }

    /// Returns the database's version now.
    ///
    /// Returns `None` where it can't be read at once. Another thread's reading of it is not waited for: a waiting thread
    /// wakes up later than a row is found.
    pub(crate) fn version(&self) -> Option<Version> {
        self.changes.try_lock().ok()?.version(&self.connections)
    }

    /// Closes the connections. From then on this reader reads nothing.
    pub(crate) fn close(&self) {
        self.connections.close();
        self.changes.lock().unwrap_or_else(PoisonError::into_inner).disconnect();
    }
}

/// What the tests of this module's parts start from.
#[cfg(test)]
mod fixture {
    use std::path::PathBuf;

    use rusqlite::Connection;
    use tempfile::TempDir;

    /// A file with one table of sheets and a connection that writes to it.
    pub(super) struct SheetFile {
        folder: TempDir,
        pub(super) writer: Connection,
    }

    impl SheetFile {
        pub(super) fn new() -> Self {
            let folder = TempDir::new().unwrap();
            let writer = Connection::open(folder.path().join("test.sqlite")).unwrap();
            let file = Self { folder, writer };
            file.write("PRAGMA journal_mode = WAL; CREATE TABLE sheets (number TEXT, name TEXT, size BIGINT)");
            file
        }

        pub(super) fn path(&self) -> PathBuf {
            self.folder.path().join("test.sqlite")
        }

        pub(super) fn write(&self, statements: &str) {
            self.writer.execute_batch(statements).unwrap();
        }

        /// Closes the connection that writes, and with it its locks. The file lives as long as the folder.
        pub(super) fn unlock(self) -> TempDir {
            self.folder
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::SheetFile;
    use super::*;
    use crate::database::Columns;

    /// The names of all sheets; `None` where the reader can't read.
    fn names(reader: &DirectReader) -> Option<Vec<String>> {
        let rows = reader.look_up("SELECT name FROM sheets ORDER BY name", &[], |row| row.text("name"))?;
        Some(rows.unwrap())
    }

    #[test]
    fn commits_of_other_connections_are_seen_at_once() {
        let file = SheetFile::new();
        let reader = DirectReader::new(&file.path());
        assert_eq!(names(&reader), Some(vec![]));
        file.write("INSERT INTO sheets VALUES ('A-101', 'Roof', 100)");
        assert_eq!(names(&reader), Some(vec!["Roof".to_owned()]));
    }

    #[test]
    fn uncommitted_changes_are_not_seen() {
        let file = SheetFile::new();
        let reader = DirectReader::new(&file.path());
        file.write("INSERT INTO sheets VALUES ('A-101', 'Roof', 100); BEGIN IMMEDIATE; DELETE FROM sheets");
        assert_eq!(names(&reader), Some(vec!["Roof".to_owned()]));
        file.write("COMMIT");
        assert_eq!(names(&reader), Some(vec![]));
    }

    #[test]
    fn reader_gives_up_while_the_file_is_locked() {
        let file = SheetFile::new();
        let reader = DirectReader::new(&file.path());
        // An exclusive lock, as SQLite takes while it recovers the write-ahead log.
        file.write("PRAGMA locking_mode = EXCLUSIVE; INSERT INTO sheets VALUES ('A-101', 'Attic', 1)");
        assert_eq!(names(&reader), None);
        let _folder = file.unlock();
        assert_eq!(names(&reader), Some(vec!["Attic".to_owned()]));
    }

    #[test]
    fn failing_statement_is_left_to_sqlx() {
        let file = SheetFile::new();
        let reader = DirectReader::new(&file.path());
        assert!(reader.look_up("SELECT nothing FROM sheets", &[], |_| Ok(())).is_none());
        assert!(names(&reader).is_some(), "the next statement is read as before");
    }

    #[test]
    fn closed_reader_reads_nothing() {
        let file = SheetFile::new();
        let reader = DirectReader::new(&file.path());
        assert!(names(&reader).is_some() && reader.version().is_some());
        reader.close();
        assert_eq!((names(&reader), reader.version()), (None, None));
    }
}
