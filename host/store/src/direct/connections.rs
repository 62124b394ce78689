//! The connections of one process to one SQLite file.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

/// Read-only connections to one file. There are at most as many as threads that read at the same time. Clones share
/// them.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    path: PathBuf,
    /// Connections that no thread uses at the moment; `None` once they are closed.
    idle: Arc<Mutex<Option<Vec<Connection>>>>,
}

impl Connections {
    /// Creates an empty set. Opens nothing.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), idle: Arc::new(Mutex::new(Some(Vec::new()))) }
    }

    /// Returns an idle connection, or opens one. Returns `None` where the file can't be opened or the set is closed.
    pub(super) fn take(&self) -> Option<Connection> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.pop();
        if idle.is_some() {
            return idle;
        }
        let opened = self.open();
        opened.inspect_err(|error| tracing::debug!(%error, "could not open the database for direct reading")).ok()
    }

    /// Makes a connection available to the next reader. A connection that failed must be dropped instead.
    pub(super) fn give_back(&self, connection: Connection) {
        if let Some(idle) = self.idle.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            idle.push(connection);
        }
    }

    /// Closes the idle connections. Those in use close when they are given back.
    pub(super) fn close(&self) {
        *self.idle.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        // Two threads never use one connection at once, so SQLite needs no lock for each connection.
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direct::fixture::SheetFile;

    fn idle(connections: &Connections) -> Option<usize> {
        connections.idle.lock().unwrap().as_ref().map(Vec::len)
    }

    #[test]
    fn returned_connection_is_used_again() {
        let file = SheetFile::new();
        let connections = Connections::new(&file.path());
        let (first, second) = (connections.take().unwrap(), connections.take().unwrap());
        connections.give_back(first);
        connections.give_back(second);
        assert_eq!(idle(&connections), Some(2));
        let _third = connections.take().unwrap();
        assert_eq!(idle(&connections), Some(1));
    }

    #[test]
    fn missing_file_is_not_created() {
        let file = SheetFile::new();
        let elsewhere = file.path().with_file_name("elsewhere.sqlite");
        assert!(Connections::new(&elsewhere).take().is_none());
        assert!(!elsewhere.exists());
    }

    #[test]
    fn connection_returned_after_the_close_is_closed() {
        let file = SheetFile::new();
        let connections = Connections::new(&file.path());
        let in_use = connections.take().unwrap();
        connections.close();
        connections.give_back(in_use);
        assert_eq!(idle(&connections), None);
        assert!(connections.take().is_none());
    }
}
