//! The open connections, and how many requests run on each.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use poem::Addr;

/// The number of running requests of each open connection, by the peer's address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections(Arc<Mutex<HashMap<SocketAddr, Arc<AtomicUsize>>>>);

impl Connections {
    /// Counts a request of this peer as running until the returned value is dropped.
    ///
    /// Returns `None` if the peer has no open connection here.
    pub(crate) fn begin_request(&self, peer: &Addr) -> Option<RunningRequest> {
        let running = match peer {
            Addr::SocketAddr(peer) => self.lock().get(peer).cloned(),
            _ => None,
        }?;
        running.fetch_add(1, Ordering::Relaxed);
        Some(RunningRequest(running))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SocketAddr, Arc<AtomicUsize>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is being handled.
#[derive(Debug)]
pub(crate) struct RunningRequest(Arc<AtomicUsize>);

impl Drop for RunningRequest {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The entry of one open connection in [`Connections`], removed when it is dropped.
pub(super) struct ConnectionEntry {
    connections: Connections,
    peer: SocketAddr,
    running: Arc<AtomicUsize>,
}

impl ConnectionEntry {
    /// Registers a connection on which no request runs yet.
    pub(super) fn new(connections: &Connections, peer: SocketAddr) -> Self {
        let running = Arc::new(AtomicUsize::new(0));
        connections.lock().insert(peer, running.clone());
        Self { connections: connections.clone(), peer, running }
    }

    /// Returns whether a request of this connection is being handled.
    pub(super) fn has_running_request(&self) -> bool {
        self.running.load(Ordering::Relaxed) > 0
    }
}

impl Drop for ConnectionEntry {
    fn drop(&mut self) {
        let mut connections = self.connections.lock();
        // The peer may have opened another connection from the same address since.
        if connections.get(&self.peer).is_some_and(|running| Arc::ptr_eq(running, &self.running)) {
            connections.remove(&self.peer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 7))
    }

    #[test]
    fn a_request_runs_until_its_guard_is_dropped() {
        let connections = Connections::default();
        let entry = ConnectionEntry::new(&connections, peer());
        let request = connections.begin_request(&Addr::SocketAddr(peer())).unwrap();
        assert!(entry.has_running_request());
        drop(request);
        assert!(!entry.has_running_request());
    }

    #[test]
    fn a_closed_connection_is_forgotten() {
        let connections = Connections::default();
        drop(ConnectionEntry::new(&connections, peer()));
        assert!(connections.begin_request(&Addr::SocketAddr(peer())).is_none());
    }

    #[test]
    fn a_reused_address_outlives_the_older_connection() {
        let connections = Connections::default();
        let older = ConnectionEntry::new(&connections, peer());
        let newer = ConnectionEntry::new(&connections, peer());
        drop(older);
        let _request = connections.begin_request(&Addr::SocketAddr(peer())).unwrap();
        assert!(newer.has_running_request());
    }
}
