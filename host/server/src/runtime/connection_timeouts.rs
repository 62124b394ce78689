//! Ends connections on which nothing has moved for too long, and those whose next request takes too long to begin; and
//! closes at once what comes beyond the most connections at a time. A TLS handshake is a connection from its first byte.
//!
//! The server's own idle timeout lets what has begun come to its end, and half of a request's head never does, nor does
//! half of a TLS handshake. What counts is what a request is made of, so the bytes of a handshake don't. How long a head
//! takes is measured from its first byte to the moment when its request is taken up, whatever comes in between:
//! a byte now and then gains nothing. Where a request's head ends is hyper's to know, so whoever takes requests up says
//! so ([`Connections::taken_up`]); bytes that come in while one is at work, or after an answer has begun to go out, are
//! no head.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use poem::Addr;
use poem::http::uri::Scheme;
use poem::listener::Acceptor;
use poem::web::{LocalAddr, RemoteAddr};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// After a failure to accept a connection, such as too many open files, the next attempt is made this much later.
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// That connections are refused is logged this often at most.
const LOGGED_EVERY: Duration = Duration::from_secs(10);

/// How long a connection is listened to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// From a connection's beginning to its first byte.
    pub(crate) at_first: Duration,
    /// From then on without a byte either way: longer than the server is ever silent while it works on an answer.
    pub(crate) afterwards: Duration,
    /// From the first byte of a request to the end of its head.
    pub(crate) head: Duration,
}

/// The requests at work on each connection, by the peer's address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Connections(Arc<Mutex<HashMap<SocketAddr, Arc<AtomicUsize>>>>);

impl Connections {
    /// Says that a peer's request has been taken up, until the value is dropped.
    pub(crate) fn taken_up(&self, peer: &Addr) -> Option<AtWork> {
        let at_work = match peer {
            Addr::SocketAddr(peer) => self.lock().get(peer).cloned(),
            _ => None,
        }?;
        at_work.fetch_add(1, Ordering::Relaxed);
        Some(AtWork(at_work))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<SocketAddr, Arc<AtomicUsize>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that is at work.
#[derive(Debug)]
pub(crate) struct AtWork(Arc<AtomicUsize>);

impl Drop for AtWork {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Accepts connections that end when patience does, up to a number at a time.
pub(crate) struct Attentive<A> {
    acceptor: A,
    patience: Patience,
    connections: Connections,
    /// One permit for each connection that may still be opened.
    places: Arc<Semaphore>,
    refused: RefusalLog,
}

impl<A: Acceptor> Attentive<A> {
    /// Tells `connections` of each, and closes at once those beyond `most` at a time.
    pub(crate) fn new(acceptor: A, patience: Patience, connections: Connections, most: u32) -> Self {
        let most = usize::try_from(most).unwrap_or(Semaphore::MAX_PERMITS).min(Semaphore::MAX_PERMITS);
        let places = Arc::new(Semaphore::new(most));
        Self { acceptor, patience, connections, places, refused: RefusalLog::default() }
    }
}

/// Logs that connections are refused, now and then.
#[derive(Debug, Default)]
struct RefusalLog {
    /// Refused since the last line.
    refused: u64,
    /// When the last line was written.
    logged: Option<Instant>,
}

impl RefusalLog {
    fn note(&mut self) {
        self.refused += 1;
        if self.logged.is_some_and(|logged| logged.elapsed() < LOGGED_EVERY) {
            return;
        }
        tracing::warn!(
            refused = self.refused,
            "connections are closed at once: there are as many as `connections` allows"
        );
        *self = Self { refused: 0, logged: Some(Instant::now()) };
    }
}

impl<A: Acceptor> Acceptor for Attentive<A> {
    type Io = Heard<A::Io>;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.acceptor.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        loop {
            let (stream, local, remote, scheme) = match self.acceptor.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Asked again at once, a process without file descriptors would do nothing else.
                    tracing::debug!(%error, "a connection could not be accepted");
                    sleep(AFTER_FAILURE).await;
                    return Err(error);
                }
            };
            let Ok(place) = self.places.clone().try_acquire_owned() else {
                // Dropping the stream closes the connection.
                self.refused.note();
                continue;
            };
            let entry = remote.as_socket_addr().map(|peer| Entry::of(&self.connections, *peer));
            return Ok((Heard::new(stream, self.patience, entry, Some(place)), local, remote, scheme));
        }
    }
}

/// A connection's place among all.
struct Entry {
    connections: Connections,
    peer: SocketAddr,
    at_work: Arc<AtomicUsize>,
}

impl Entry {
    fn of(connections: &Connections, peer: SocketAddr) -> Self {
        let at_work = Arc::new(AtomicUsize::new(0));
        connections.lock().insert(peer, at_work.clone());
        Self { connections: connections.clone(), peer, at_work }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut connections = self.connections.lock();
        // The address may be another connection's by now.
        if connections.get(&self.peer).is_some_and(|at_work| Arc::ptr_eq(at_work, &self.at_work)) {
            connections.remove(&self.peer);
        }
    }
}

/// A connection that fails once no byte has gone either way for too long, or a head has taken too long.
pub(crate) struct Heard<S> {
    stream: S,
    patience: Patience,
    silence: Pin<Box<Sleep>>,
    /// Runs while a request's head comes in.
    head: Option<Pin<Box<Sleep>>>,
    entry: Option<Entry>,
    /// Given back when the connection is dropped.
    _place: Option<OwnedSemaphorePermit>,
}

impl<S> Heard<S> {
    fn new(stream: S, patience: Patience, entry: Option<Entry>, place: Option<OwnedSemaphorePermit>) -> Self {
        let silence = Box::pin(sleep(patience.at_first));
        Self { stream, patience, silence, head: None, entry, _place: place }
    }

    /// Whether a request is at work.
    fn at_work(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| entry.at_work.load(Ordering::Relaxed) > 0)
    }

    /// What came of asking the stream; a failure, where it came to nothing and has for too long.
    fn hear<T>(&mut self, context: &mut Context<'_>, answer: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if self.at_work() {
            self.head = None;
        }
        if let Some(head) = &mut self.head
            && head.as_mut().poll(context).is_ready()
        {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if answer.is_ready() {
            self.silence.as_mut().reset(Instant::now() + self.patience.afterwards);
            return answer;
        }
        self.wait(context, answer)
    }

    /// As [`Self::hear`], of what moves no byte of a request or an answer when it comes to something.
    fn wait<T>(&mut self, context: &mut Context<'_>, answer: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if answer.is_ready() {
            return answer;
        }
        self.silence.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// After bytes have come in: they begin a head, unless one is coming in or a request is at work.
    fn has_read(&mut self) {
        if self.entry.is_some() && self.head.is_none() && !self.at_work() {
            self.head = Some(Box::pin(sleep(self.patience.head)));
        }
    }

    /// After bytes have gone out: whatever came in before has its answer.
    fn has_written<T>(&mut self, answer: &Poll<io::Result<T>>) {
        if matches!(answer, Poll::Ready(Ok(_))) {
            self.head = None;
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Heard<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let filled = buffer.filled().len();
        let answer = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if buffer.filled().len() > filled {
            this.has_read();
        }
        this.hear(cx, answer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Heard<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.has_written(&answer);
        this.hear(cx, answer)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_write_vectored(cx, bytes);
        this.has_written(&answer);
        this.hear(cx, answer)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    // A socket's flush is done at once. TLS has records to write, which a peer that reads nothing holds up.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_flush(cx);
        this.wait(cx, answer)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_shutdown(cx);
        this.wait(cx, answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deadline::within;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::timeout;

    const SHORT: Duration = Duration::from_millis(10);
    const LONG: Duration = Duration::from_mins(1);

    fn heard(patience: Patience) -> (DuplexStream, Heard<DuplexStream>, Connections) {
        let connections = Connections::default();
        let entry = Entry::of(&connections, peer());
        let (peer, stream) = duplex(4);
        (peer, Heard::new(stream, patience, Some(entry), None), connections)
    }

    async fn read(stream: &mut Heard<DuplexStream>, buffer: &mut [u8]) -> io::Result<usize> {
        within(LONG, "bytes, or the end of a connection", stream.read(buffer)).await
    }

    fn peer() -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], 7))
    }

    #[tokio::test]
    async fn a_silent_peer_ends_the_connection_in_either_direction() {
        let patience = Patience { at_first: LONG, afterwards: SHORT, head: LONG };
        let (mut peer, mut stream, _) = heard(patience);
        let mut buffer = [0; 4];
        peer.write_all(b"GET").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 3);
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap_err().kind(), io::ErrorKind::TimedOut);

        let (_peer, mut stream, _) = heard(Patience { at_first: SHORT, ..patience });
        assert_eq!(
            within(LONG, "a write to a silent peer", stream.write_all(b"an answer")).await.unwrap_err().kind(),
            io::ErrorKind::TimedOut
        );
    }

    #[tokio::test]
    async fn a_head_that_comes_byte_by_byte_gains_no_time() {
        let (mut peer, mut stream, _) = heard(Patience { at_first: LONG, afterwards: LONG, head: SHORT });
        let dripping = tokio::spawn(async move { while peer.write_all(b"G").await.is_ok() {} });
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
        within(LONG, "the end of the dripping", dripping).await.unwrap();
    }

    #[tokio::test]
    async fn a_body_may_take_longer_than_a_head() {
        let (mut peer, mut stream, connections) = heard(Patience { at_first: LONG, afterwards: LONG, head: SHORT });
        let mut buffer = [0; 4];
        peer.write_all(b"head").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);
        let at_work = connections.taken_up(&Addr::SocketAddr(SocketAddr::from(([127, 0, 0, 1], 7)))).unwrap();
        assert!(timeout(SHORT * 3, stream.read(&mut buffer)).await.is_err(), "it waits for more");
        peer.write_all(b"body").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);

        drop(at_work);
        stream.write_all(b"ok").await.unwrap();
        assert!(timeout(SHORT * 3, stream.read(&mut buffer)).await.is_err(), "between requests there is no head");
        peer.write_all(b"next").await.unwrap();
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap(), 4);
        assert_eq!(read(&mut stream, &mut buffer).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_connection_that_has_ended_is_forgotten() {
        let (_peer, stream, connections) = heard(Patience { at_first: LONG, afterwards: LONG, head: LONG });
        drop(stream);
        assert!(connections.taken_up(&Addr::SocketAddr(peer())).is_none());
    }

    #[tokio::test]
    async fn a_peer_that_never_begins_is_waited_for_a_shorter_while() {
        let (_peer, stream) = duplex(4);
        let mut heard = Heard::new(stream, Patience { at_first: SHORT, afterwards: LONG, head: LONG }, None, None);
        assert_eq!(read(&mut heard, &mut [0; 4]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    /// A connection whose handshake never ends, as [`poem::listener::HandshakeStream`] answers meanwhile.
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

    #[tokio::test]
    async fn a_handshake_that_never_ends_is_given_up_whatever_waits_for_it() {
        let heard = || Heard::new(Handshaking, Patience { at_first: SHORT, afterwards: LONG, head: LONG }, None, None);
        let given_up = [
            heard().read(&mut [0; 4]).await.map(drop),
            heard().write(b"an answer").await.map(drop),
            heard().flush().await,
            heard().shutdown().await,
        ];
        for result in given_up {
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::TimedOut);
        }
    }
}
