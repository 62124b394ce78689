//! Detects whether anybody has committed to the database, by SQLite's `PRAGMA data_version`.

use rusqlite::Connection;

use super::connections::Connections;

/// A version of the database. Between two readings of equal versions nobody has committed, through any connection of
/// any process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Version {
    /// Which connection read it: see [`ChangeDetector`].
    detector: u64,
    /// SQLite's `data_version` of that connection.
    data_version: i64,
}

#[cfg(test)]
impl Version {
    /// A version of which only the number of commits matters.
    pub(crate) fn after_commits(commits: i64) -> Self {
        Self { detector: 1, data_version: commits }
    }
}

/// Reads versions, always through the same connection: values of `data_version` are comparable only within one
/// connection (<https://www.sqlite.org/pragma.html#pragma_data_version>).
#[derive(Debug, Default)]
pub(super) struct ChangeDetector {
    /// Counts the connections that have been used, so that versions of two connections are never equal.
    number: u64,
    connection: Option<Connection>,
}

impl ChangeDetector {
    /// Returns the version now. Takes a new connection where there is none.
    ///
    /// Returns `None` where it can't be read; the connection is then dropped.
    pub(super) fn version(&mut self, connections: &Connections) -> Option<Version> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect(connections)?,
        };
        match data_version(&connection) {
            Ok(data_version) => {
                self.connection = Some(connection);
                Some(Version { detector: self.number, data_version })
            }
            Err(error) => {
                tracing::debug!(%error, "could not read the database's version");
                None
            }
        }
    }

    /// Closes the connection. A later version is read through another one.
    pub(super) fn disconnect(&mut self) {
        self.connection = None;
    }

    fn connect(&mut self, connections: &Connections) -> Option<Connection> {
        self.number += 1;
        connections.take()
    }
}

fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direct::fixture::SheetFile;

    const INSERT: &str = "INSERT INTO sheets VALUES ('A-101', 'Roof', 1)";

    fn detector(file: &SheetFile) -> (ChangeDetector, Connections) {
        (ChangeDetector::default(), Connections::new(&file.path()))
    }

    #[test]
    fn version_is_the_same_while_nobody_commits() {
        let file = SheetFile::new();
        let (mut detector, connections) = detector(&file);
        let first = detector.version(&connections).unwrap();
        assert_eq!(detector.version(&connections), Some(first));
        file.write("BEGIN");
        file.write(INSERT);
        assert_eq!(detector.version(&connections), Some(first), "a transaction that is open changes nothing");
    }

    #[test]
    fn version_changes_with_every_commit_of_any_connection() {
        let file = SheetFile::new();
        let (mut detector, connections) = detector(&file);
        let mut seen = vec![detector.version(&connections).unwrap()];
        file.write(INSERT);
        seen.push(detector.version(&connections).unwrap());
        Connection::open(file.path()).unwrap().execute_batch("DELETE FROM sheets").unwrap();
        seen.push(detector.version(&connections).unwrap());
        assert!(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2], "{seen:?}");
    }

    #[test]
    fn versions_of_two_connections_are_never_equal() {
        let file = SheetFile::new();
        let (mut detector, connections) = detector(&file);
        let first = detector.version(&connections).unwrap();
        detector.disconnect();
        let second = detector.version(&connections).unwrap();
        assert_eq!(second.data_version, first.data_version);
        assert_ne!(second, first);
    }
}
