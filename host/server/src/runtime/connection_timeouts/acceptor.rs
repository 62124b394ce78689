//! Accepts connections with timeouts, up to a maximum number at once.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use poem::http::uri::Scheme;
use poem::listener::Acceptor;
use poem::web::{LocalAddr, RemoteAddr};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};

use super::ConnectionTimeouts;
use super::connections::{ConnectionEntry, Connections};
use super::stream::TimeoutStream;

/// Pause after a connection could not be accepted, for example because too many files are open.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);
/// Minimum time between two log lines about refused connections.
const REFUSAL_LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Accepts connections that are closed by [`ConnectionTimeouts`], up to a maximum number at once.
pub(crate) struct TimeoutAcceptor<A> {
    acceptor: A,
    timeouts: ConnectionTimeouts,
    connections: Connections,
    /// One permit for each further connection that may be opened.
    permits: Arc<Semaphore>,
    refusals: RefusalLog,
}

impl<A: Acceptor> TimeoutAcceptor<A> {
    /// Wraps an acceptor. Each connection is registered in `connections`; those beyond `max_connections` are closed at
    /// once.
    pub(crate) fn new(
        acceptor: A,
        timeouts: ConnectionTimeouts,
        connections: Connections,
        max_connections: u32,
    ) -> Self {
        let permits = usize::try_from(max_connections).unwrap_or(Semaphore::MAX_PERMITS).min(Semaphore::MAX_PERMITS);
        let permits = Arc::new(Semaphore::new(permits));
        Self { acceptor, timeouts, connections, permits, refusals: RefusalLog::default() }
    }
}

impl<A: Acceptor> Acceptor for TimeoutAcceptor<A> {
    type Io = TimeoutStream<A::Io>;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.acceptor.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        loop {
            let (stream, local, remote, scheme) = match self.acceptor.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Without a pause, a process that is out of file descriptors would spin in this loop.
                    tracing::debug!(%error, "a connection could not be accepted");
                    sleep(ACCEPT_RETRY_DELAY).await;
                    return Err(error);
                }
            };
            let Ok(permit) = self.permits.clone().try_acquire_owned() else {
                // Dropping the stream closes the connection.
                self.refusals.record();
                continue;
            };
            let entry = remote.as_socket_addr().map(|peer| ConnectionEntry::new(&self.connections, *peer));
            let stream = TimeoutStream::new(stream, self.timeouts, entry, Some(permit));
            return Ok((stream, local, remote, scheme));
        }
    }
}

/// Logs refused connections at most once in [`REFUSAL_LOG_INTERVAL`].
#[derive(Debug, Default)]
struct RefusalLog {
    /// Connections refused since the last line.
    refused: u64,
    /// Time of the last line.
    logged: Option<Instant>,
}

impl RefusalLog {
    /// Counts a refused connection and logs the count if a line is due. Returns whether it has logged.
    fn record(&mut self) -> bool {
        self.refused += 1;
        if self.logged.is_some_and(|logged| logged.elapsed() < REFUSAL_LOG_INTERVAL) {
            return false;
        }
        tracing::warn!(refused = self.refused, "refused connections beyond the limit `connections`");
        *self = Self { refused: 0, logged: Some(Instant::now()) };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_counted_between_log_lines() {
        let mut log = RefusalLog::default();
        assert!(log.record());
        assert!(!log.record() && !log.record());
        assert_eq!(log.refused, 2);
    }
}
