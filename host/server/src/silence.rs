//! Ends connections on which nothing has moved for too long.
//!
//! The server's own idle timeout lets what has begun come to its end, and half of a request's head never does, nor does
//! half of a TLS handshake. What counts is what a request is made of, so the bytes of a handshake don't.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use poem::http::uri::Scheme;
use poem::listener::Acceptor;
use poem::web::{LocalAddr, RemoteAddr};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// Accepts connections that end after so long a silence.
pub(crate) struct Attentive<A> {
    acceptor: A,
    patience: Patience,
}

/// How long a connection may be silent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// From its beginning to its first byte.
    pub(crate) at_first: Duration,
    /// From then on: longer than the server is ever silent while it works on an answer.
    pub(crate) afterwards: Duration,
}

impl<A: Acceptor> Attentive<A> {
    /// Over the connections of `acceptor`, which may speak TLS.
    pub(crate) fn new(acceptor: A, patience: Patience) -> Self {
        Self { acceptor, patience }
    }
}

impl<A: Acceptor> Acceptor for Attentive<A> {
    type Io = Heard<A::Io>;

    fn local_addr(&self) -> Vec<LocalAddr> {
        self.acceptor.local_addr()
    }

    async fn accept(&mut self) -> io::Result<(Self::Io, LocalAddr, RemoteAddr, Scheme)> {
        let (stream, local, remote, scheme) = self.acceptor.accept().await?;
        Ok((Heard::new(stream, self.patience), local, remote, scheme))
    }
}

/// A connection that fails once no byte has gone either way for too long.
pub(crate) struct Heard<S> {
    stream: S,
    patience: Patience,
    silence: Pin<Box<Sleep>>,
}

impl<S> Heard<S> {
    fn new(stream: S, patience: Patience) -> Self {
        Self { stream, patience, silence: Box::pin(sleep(patience.at_first)) }
    }

    /// What came of asking the stream; a failure, where it came to nothing and has for too long.
    fn hear<T>(&mut self, context: &mut Context<'_>, answer: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
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
}

impl<S: AsyncRead + Unpin> AsyncRead for Heard<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_read(cx, buffer);
        this.hear(cx, answer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Heard<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.hear(cx, answer)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let answer = Pin::new(&mut this.stream).poll_write_vectored(cx, bytes);
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
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    const SHORT: Duration = Duration::from_millis(10);
    const LONG: Duration = Duration::from_hours(1);

    #[tokio::test]
    async fn a_silent_peer_ends_the_connection_in_either_direction() {
        let patience = Patience { at_first: LONG, afterwards: SHORT };
        let (mut peer, stream) = duplex(4);
        let mut heard = Heard::new(stream, patience);
        let mut buffer = [0; 4];
        peer.write_all(b"GET").await.unwrap();
        assert_eq!(heard.read(&mut buffer).await.unwrap(), 3);
        assert_eq!(heard.read(&mut buffer).await.unwrap_err().kind(), io::ErrorKind::TimedOut);

        let (_peer, stream) = duplex(4);
        let mut heard = Heard::new(stream, patience);
        assert_eq!(heard.write_all(b"an answer").await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_peer_that_never_begins_is_waited_for_a_shorter_while() {
        let (_peer, stream) = duplex(4);
        let mut heard = Heard::new(stream, Patience { at_first: SHORT, afterwards: LONG });
        assert_eq!(heard.read(&mut [0; 4]).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
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
        let heard = || Heard::new(Handshaking, Patience { at_first: SHORT, afterwards: LONG });
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
