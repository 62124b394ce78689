//! Ends connections on which nothing has moved for too long.
//!
//! The server's own idle timeout lets what has begun come to its end, and half of a request's head never does.

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
    patience: Duration,
}

impl<A: Acceptor> Attentive<A> {
    /// `patience` is longer than the server is ever silent while it works on an answer.
    pub(crate) fn new(acceptor: A, patience: Duration) -> Self {
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
    patience: Duration,
    silence: Pin<Box<Sleep>>,
}

impl<S> Heard<S> {
    fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, silence: Box::pin(sleep(patience)) }
    }

    /// What came of asking the stream; a failure, where it came to nothing and has for too long.
    fn hear<T>(&mut self, context: &mut Context<'_>, answer: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if answer.is_ready() {
            self.silence.as_mut().reset(Instant::now() + self.patience);
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

    // A socket's flush is done at once and moves nothing, so it doesn't count.
    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    #[tokio::test]
    async fn a_silent_peer_ends_the_connection_in_either_direction() {
        let (mut peer, stream) = duplex(4);
        let mut heard = Heard::new(stream, Duration::from_millis(10));
        let mut buffer = [0; 4];
        peer.write_all(b"GET").await.unwrap();
        assert_eq!(heard.read(&mut buffer).await.unwrap(), 3);
        assert_eq!(heard.read(&mut buffer).await.unwrap_err().kind(), io::ErrorKind::TimedOut);

        let (_peer, stream) = duplex(4);
        let mut heard = Heard::new(stream, Duration::from_millis(10));
        assert_eq!(heard.write_all(b"an answer").await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
