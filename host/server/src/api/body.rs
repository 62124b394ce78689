//! Request bodies with limits on their size and on the time they take to arrive.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use poem::Body;
use thiserror::Error;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Maximum size of a JSON body in bytes.
pub(crate) const JSON_BYTES: u64 = 1_000_000;
/// The rest of a body is read and discarded for this long after an early answer. The client would otherwise see a closed
/// connection instead of the answer.
const LINGER: Duration = Duration::from_secs(10);

/// Why a body cannot be read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum BodyError {
    /// The body exceeds the route's limit.
    #[error("the body is too large")]
    TooLarge,
    /// The body, or the pause between two chunks, took too long.
    #[error("the body took too long to arrive")]
    TooSlow,
}

impl BodyError {
    /// Returns the limit that caused a read error, if one did. Each layer that passes the error on wraps it once more.
    pub(crate) fn from_io(error: &io::Error) -> Option<Self> {
        let inner = error.get_ref()?;
        let own = inner.downcast_ref::<Self>().copied();
        own.or_else(|| inner.downcast_ref::<io::Error>().and_then(Self::from_io))
    }
}

impl From<BodyError> for io::Error {
    fn from(error: BodyError) -> Self {
        io::Error::other(error)
    }
}

/// Limits of a request body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    /// Maximum size in bytes.
    pub(crate) bytes: u64,
    /// Maximum time between two chunks.
    pub(crate) pause: Duration,
    /// Maximum time for the whole body.
    pub(crate) whole: Duration,
}

/// Applies limits to a body. Reading it fails with a [`BodyError`] as soon as one is exceeded.
pub(crate) fn guarded(body: Body, limits: BodyLimits) -> Body {
    Body::from_bytes_stream(Guarded {
        bytes: Some(body.into_bytes_stream().boxed()),
        left: limits.bytes,
        longest_pause: limits.pause,
        pause: Box::pin(sleep(limits.pause)),
        whole: Box::pin(sleep(limits.whole)),
    })
}

/// A body with its limits.
struct Guarded {
    /// `None` once the body has ended or failed.
    bytes: Option<Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>>,
    /// Bytes that may still arrive.
    left: u64,
    longest_pause: Duration,
    pause: Pin<Box<Sleep>>,
    whole: Pin<Box<Sleep>>,
}

impl Stream for Guarded {
    type Item = io::Result<Bytes>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let Some(bytes) = &mut this.bytes else {
            return Poll::Ready(None);
        };
        let item = bytes.poll_next_unpin(context);
        let too_slow = this.whole.as_mut().poll(context).is_ready()
            || (item.is_pending() && this.pause.as_mut().poll(context).is_ready());
        if too_slow {
            this.bytes = None;
            return Poll::Ready(Some(Err(BodyError::TooSlow.into())));
        }
        let Poll::Ready(item) = item else {
            return Poll::Pending;
        };
        this.pause.as_mut().reset(Instant::now() + this.longest_pause);
        match item {
            Some(Ok(chunk)) => match this.left.checked_sub(chunk.len() as u64) {
                Some(left) => {
                    this.left = left;
                    Poll::Ready(Some(Ok(chunk)))
                }
                None => Poll::Ready(Some(Err(BodyError::TooLarge.into()))),
            },
            other => {
                this.bytes = None;
                Poll::Ready(other)
            }
        }
    }
}

impl Drop for Guarded {
    /// Reads and discards the rest of the body for up to [`LINGER`].
    fn drop(&mut self) {
        let (Some(mut bytes), Ok(runtime)) = (self.bytes.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        runtime.spawn(timeout(LINGER, async move { while let Some(Ok(_)) = bytes.next().await {} }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;
    use poem::error::ReadBodyError;

    fn failure(result: Result<Vec<u8>, ReadBodyError>) -> Option<BodyError> {
        match result {
            Err(ReadBodyError::Io(error)) => BodyError::from_io(&error),
            _ => None,
        }
    }

    const IN_TIME: BodyLimits = BodyLimits { bytes: 10, pause: Duration::from_mins(1), whole: Duration::from_mins(1) };

    #[tokio::test]
    async fn a_body_may_be_as_large_as_the_limit() {
        for (bytes, expected) in [(10, None), (9, Some(BodyError::TooLarge))] {
            let body = guarded(Body::from_vec(vec![0; 10]), BodyLimits { bytes, ..IN_TIME });
            assert_eq!(failure(body.into_vec().await), expected, "{bytes}");
        }
    }

    #[tokio::test]
    async fn a_body_that_pauses_too_long_fails() {
        let body = Body::from_bytes_stream(stream::pending::<io::Result<Bytes>>());
        let limits = BodyLimits { pause: Duration::ZERO, ..IN_TIME };
        assert_eq!(failure(guarded(body, limits).into_vec().await), Some(BodyError::TooSlow));
    }

    #[tokio::test]
    async fn a_body_that_never_ends_fails() {
        let dripping = stream::repeat_with(|| Ok::<_, io::Error>(Bytes::new())).then(async |empty| {
            tokio::task::yield_now().await;
            empty
        });
        let limits = BodyLimits { whole: Duration::from_millis(10), ..IN_TIME };
        let body = guarded(Body::from_bytes_stream(dripping), limits);
        assert_eq!(failure(body.into_vec().await), Some(BodyError::TooSlow));
    }
}
