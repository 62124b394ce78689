//! The timers of one connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::time::{Instant, Sleep, sleep};

use super::ConnectionTimeouts;

/// The timers of one connection: one for idle time, and one for the head of the request that is arriving.
pub(super) struct Timers {
    timeouts: ConnectionTimeouts,
    idle: Pin<Box<Sleep>>,
    /// Runs while the head of a request arrives.
    head: Option<Pin<Box<Sleep>>>,
}

impl Timers {
    /// Starts the timer for the first byte.
    pub(super) fn new(timeouts: ConnectionTimeouts) -> Self {
        Self { timeouts, idle: Box::pin(sleep(timeouts.first_byte)), head: None }
    }

    /// Starts the head timer if the first bytes of a head have arrived. Further bytes do not restart it.
    pub(super) fn start_head(&mut self) {
        if self.head.is_none() {
            self.head = Some(Box::pin(sleep(self.timeouts.head)));
        }
    }

    /// Stops the head timer: the head is complete, or its response has begun.
    pub(super) fn stop_head(&mut self) {
        self.head = None;
    }

    /// Returns the result of a read or write, or [`io::ErrorKind::TimedOut`] if a timer has run out.
    ///
    /// A completed read or write restarts the idle timer, but not the head timer.
    pub(super) fn poll_transfer<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Some(head) = &mut self.head
            && head.as_mut().poll(context).is_ready()
        {
            return timed_out();
        }
        if result.is_ready() {
            self.idle.as_mut().reset(Instant::now() + self.timeouts.idle);
            return result;
        }
        self.poll_idle(context, result)
    }

    /// Returns the result of a flush or shutdown, or [`io::ErrorKind::TimedOut`] if the connection was idle for too
    /// long. These move no bytes of a request or response, so they do not restart the idle timer.
    pub(super) fn poll_idle<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_pending() && self.idle.as_mut().poll(context).is_ready() {
            return timed_out();
        }
        result
    }
}

fn timed_out<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::time::Duration;

    const SHORT: Duration = Duration::from_millis(10);
    const LONG: Duration = Duration::from_mins(1);

    /// Returns whether a read that completes now is accepted.
    async fn accepts_a_byte(timers: &mut Timers) -> bool {
        poll_fn(|context| timers.poll_transfer(context, Poll::Ready(Ok(())))).await.is_ok()
    }

    #[tokio::test]
    async fn further_bytes_of_a_head_do_not_restart_its_timer() {
        let mut timers = Timers::new(ConnectionTimeouts { first_byte: LONG, idle: LONG, head: SHORT });
        timers.start_head();
        assert!(accepts_a_byte(&mut timers).await);
        sleep(SHORT * 2).await;
        timers.start_head();
        assert!(!accepts_a_byte(&mut timers).await);
    }

    #[tokio::test]
    async fn a_complete_head_has_no_timer() {
        let mut timers = Timers::new(ConnectionTimeouts { first_byte: LONG, idle: LONG, head: SHORT });
        timers.start_head();
        timers.stop_head();
        sleep(SHORT * 2).await;
        assert!(accepts_a_byte(&mut timers).await);
    }

    #[tokio::test]
    async fn a_transferred_byte_replaces_the_first_byte_timeout() {
        let mut timers = Timers::new(ConnectionTimeouts { first_byte: LONG, idle: SHORT, head: LONG });
        assert!(accepts_a_byte(&mut timers).await);
        let waited: io::Result<()> = poll_fn(|context| timers.poll_transfer(context, Poll::Pending)).await;
        assert_eq!(waited.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
