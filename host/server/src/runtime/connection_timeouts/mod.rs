//! Timeouts of connections, and the limit on how many are open at once.
//!
//! The HTTP server's own idle timeout waits for a request that has begun. It never ends half a request head or half a
//! TLS handshake, so these timeouts do:
//!
//! - **First byte**: a new connection must send its first byte in time. The bytes of a TLS handshake do not count, so a
//!   handshake that never ends is cut off too.
//! - **Idle**: bytes of a request or a response must keep moving in either direction.
//! - **Head**: the head of a request must be complete in time, measured from its first byte. Sending one byte now and
//!   then does not extend it.
//!
//! Only hyper knows where a head ends. The endpoint therefore reports each request that it starts to handle
//! ([`Connections::begin_request`]). Bytes that arrive while a request runs, or after a response has begun to go out,
//! do not belong to a head.

mod acceptor;
mod connections;
mod stream;
mod timers;

use std::time::Duration;

pub(crate) use acceptor::TimeoutAcceptor;
pub(crate) use connections::Connections;

/// The timeouts of one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionTimeouts {
    /// From the start of the connection to its first byte.
    pub(crate) first_byte: Duration,
    /// Between bytes in either direction, after the first. Longer than the server needs for any response.
    pub(crate) idle: Duration,
    /// From the first byte of a request to the end of its head.
    pub(crate) head: Duration,
}
