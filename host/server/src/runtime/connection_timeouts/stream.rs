//! A connection with timeouts.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;

use super::ConnectionTimeouts;
use super::connections::ConnectionEntry;
use super::timers::Timers;

/// A connection whose reads and writes fail with [`io::ErrorKind::TimedOut`] once one of its timers has run out.
pub(crate) struct TimeoutStream<S> {
    stream: S,
    timers: Timers,
    /// None for a peer without a socket address, whose heads are not timed.
    entry: Option<ConnectionEntry>,
    /// Released when the connection is dropped.
    _permit: Option<OwnedSemaphorePermit>,
}

impl<S> TimeoutStream<S> {
    /// Wraps a connection that has just been opened.
    pub(super) fn new(
        stream: S,
        timeouts: ConnectionTimeouts,
        entry: Option<ConnectionEntry>,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Self {
        Self { stream, timers: Timers::new(timeouts), entry, _permit: permit }
    }

    /// Returns whether a request of this connection is being handled.
    fn has_running_request(&self) -> bool {
        self.entry.as_ref().is_some_and(ConnectionEntry::has_running_request)
    }

    /// Applies the timers to the result of a read or write.
    fn poll_transfer<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if self.has_running_request() {
            self.timers.stop_head();
        }
        self.timers.poll_transfer(context, result)
    }

    /// Starts the head timer after bytes have arrived, unless they belong to a request that already runs.
    fn bytes_received(&mut self) {
        if self.entry.is_some() && !self.has_running_request() {
            self.timers.start_head();
        }
    }

    /// Stops the head timer after bytes have been sent: they answer everything that arrived before.
    fn bytes_sent<T>(&mut self, result: &Poll<io::Result<T>>) {
        if matches!(result, Poll::Ready(Ok(_))) {
            self.timers.stop_head();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let filled = buffer.filled().len();
        let result = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if buffer.filled().len() > filled {
            this.bytes_received();
        }
        this.poll_transfer(cx, result)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.bytes_sent(&result);
        this.poll_transfer(cx, result)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_write_vectored(cx, bytes);
        this.bytes_sent(&result);
        this.poll_transfer(cx, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    // A plain socket flushes at once. TLS writes records, which a peer that reads nothing can delay forever.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_flush(cx);
        this.timers.poll_idle(cx, result)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let result = Pin::new(&mut this.stream).poll_shutdown(cx);
        this.timers.poll_idle(cx, result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::SocketAddr;
    use std::time::Duration;

    use deadline::within;
    use poem::Addr;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::timeout;

    use crate::runtime::connection_timeouts::Connections;

    const SHORT: Duration = Duration::from_millis(10);
    const LONG: Duration = Duration::from_mins(1);
    /// Timeouts that no test reaches.
    const NONE: ConnectionTimeouts = ConnectionTimeouts { first_byte: LONG, idle: LONG, head: LONG };

    /// A connection, its peer's end, and where its requests are counted.
    struct TestConnection {
        peer: DuplexStream,
        stream: TimeoutStream<DuplexStream>,
        connections: Connections,
    }

    fn open(timeouts: ConnectionTimeouts) -> TestConnection {
        let connections = Connections::default();
        let entry = ConnectionEntry::new(&connections, peer_address());
        let (peer, stream) = duplex(4);
        TestConnection { peer, stream: TimeoutStream::new(stream, timeouts, Some(entry), None), connections }
    }

    async fn read(stream: &mut TimeoutStream<DuplexStream>, buffer: &mut [u8]) -> io::Result<usize> {
        within(LONG, "bytes, or the end of a connection", stream.read(buffer)).await
    }

    fn peer_address() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 7))
    }

    fn assert_timed_out<T: std::fmt::Debug>(result: io::Result<T>) {
        assert_eq!(result.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_stops_sending_is_cut_off() {
        let TestConnection { mut peer, mut stream, .. } = open(ConnectionTimeouts { idle: SHORT, ..NONE });
        let mut buffer = [0; 4];
        peer.write_all(b"GET").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 3);
        assert_timed_out(read(&mut stream, &mut buffer).await);
    }

    #[tokio::test]
    async fn a_peer_that_stops_reading_is_cut_off() {
        let TestConnection { peer: _peer, mut stream, .. } =
            open(ConnectionTimeouts { first_byte: SHORT, idle: SHORT, ..NONE });
        assert_timed_out(within(LONG, "a write to a peer that stops reading", stream.write_all(b"response")).await);
    }

    #[tokio::test]
    async fn a_peer_that_sends_nothing_is_cut_off_earlier() {
        let (_peer, stream) = duplex(4);
        let mut stream = TimeoutStream::new(stream, ConnectionTimeouts { first_byte: SHORT, ..NONE }, None, None);
        assert_timed_out(read(&mut stream, &mut [0; 4]).await);
    }

    #[tokio::test]
    async fn a_head_sent_byte_by_byte_is_cut_off() {
        let TestConnection { mut peer, mut stream, .. } = open(ConnectionTimeouts { head: SHORT, ..NONE });
        let sending = tokio::spawn(async move { while peer.write_all(b"G").await.is_ok() {} });
        let mut buffer = [0; 1];
        let cut_off = timeout(LONG, async {
            loop {
                if let Err(error) = stream.read(&mut buffer).await {
                    return error.kind();
                }
            }
        });
        assert_eq!(cut_off.await.unwrap(), io::ErrorKind::TimedOut);
        drop(stream);
        within(LONG, "the end of sending", sending).await.unwrap();
    }

    #[tokio::test]
    async fn a_body_may_take_longer_than_a_head() {
        let TestConnection { mut peer, mut stream, connections } = open(ConnectionTimeouts { head: SHORT, ..NONE });
        let mut buffer = [0; 4];
        peer.write_all(b"head").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);
        let _request = connections.begin_request(&Addr::SocketAddr(peer_address())).unwrap();
        assert!(timeout(SHORT * 3, stream.read(&mut buffer)).await.is_err(), "the body may still arrive");
        peer.write_all(b"body").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn the_head_timer_starts_again_with_the_next_request() {
        let TestConnection { mut peer, mut stream, .. } = open(ConnectionTimeouts { head: SHORT, ..NONE });
        let mut buffer = [0; 4];
        peer.write_all(b"head").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);
        stream.write_all(b"ok").await.unwrap();
        assert!(timeout(SHORT * 3, stream.read(&mut buffer)).await.is_err(), "no head arrives between requests");
        peer.write_all(b"next").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);
        assert_timed_out(read(&mut stream, &mut buffer).await);
    }

    /// A connection whose TLS handshake never ends: [`poem::listener::HandshakeStream`] stays pending meanwhile.
    struct Handshaking;

    impl AsyncRead for Handshaking {
        fn poll_read(self: Pin<&mut Self>, _: &mut Context<'_>, _: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }
    }

    impl AsyncWrite for Handshaking {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }
    }

    fn handshaking() -> TimeoutStream<Handshaking> {
        TimeoutStream::new(Handshaking, ConnectionTimeouts { first_byte: SHORT, ..NONE }, None, None)
    }

    #[tokio::test]
    async fn an_endless_handshake_times_out_for_every_operation() {
        assert_timed_out(handshaking().read(&mut [0; 4]).await);
        assert_timed_out(handshaking().write(b"response").await);
        assert_timed_out(handshaking().flush().await);
        assert_timed_out(handshaking().shutdown().await);
    }
}
