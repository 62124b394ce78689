//! Request bodies under limits: of size, of the time between two pieces, and of how long an unread rest is listened to.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use poem::Body;
use thiserror::Error;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// Bytes of a JSON body.
pub(crate) const JSON_BYTES: u64 = 1_000_000;
/// How long a client that was answered before its body's end is listened to, so that it finds the answer and not a
/// closed connection.
const LINGER: Duration = Duration::from_secs(10);

/// Why a body can't be read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum BodyError {
    /// It is larger than the route takes.
    #[error("the body is too large")]
    TooLarge,
    /// The client paused for too long.
    #[error("the body stood still for too long")]
    TooSlow,
}

impl BodyError {
    /// The limit that an error of reading stands for, if it is one. Each layer that passes it on wraps it once more.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        let inner = error.get_ref()?;
        let own = inner.downcast_ref::<Self>().copied();
        own.or_else(|| inner.downcast_ref::<io::Error>().and_then(Self::of))
    }
}

impl From<BodyError> for io::Error {
    fn from(error: BodyError) -> Self {
        io::Error::other(error)
    }
}

/// What a body may have, and take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimits {
    /// Bytes.
    pub(crate) bytes: u64,
    /// From one piece to the next.
    pub(crate) pause: Duration,
    /// From its first piece to its end.
    pub(crate) whole: Duration,
}

/// Puts a body under limits.
pub(crate) fn guarded(body: Body, limits: BodyLimits) -> Body {
    Body::from_bytes_stream(Guarded {
        bytes: Some(body.into_bytes_stream().boxed()),
        left: limits.bytes,
        longest_pause: limits.pause,
        pause: Box::pin(sleep(limits.pause)),
        whole: Box::pin(sleep(limits.whole)),
    })
}

struct Guarded {
    /// None once the body has ended or failed.
    bytes: Option<Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>>,
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
    /// Reads on, for a while and into nothing.
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
            Err(ReadBodyError::Io(error)) => BodyError::of(&error),
            _ => None,
        }
    }

    const IN_TIME: BodyLimits = BodyLimits { bytes: 10, pause: Duration::from_mins(1), whole: Duration::from_mins(1) };

    #[tokio::test]
    async fn a_body_may_have_as_many_bytes_as_the_limit() {
        let read = |bytes| guarded(Body::from_vec(vec![0; 10]), BodyLimits { bytes, ..IN_TIME }).into_vec();
        assert_eq!(read(10).await.unwrap().len(), 10);
        assert_eq!(failure(read(9).await), Some(BodyError::TooLarge));
    }

    #[tokio::test]
    async fn a_body_that_stands_still_is_given_up() {
        let body = Body::from_bytes_stream(stream::pending::<io::Result<Bytes>>());
        let limits = BodyLimits { pause: Duration::ZERO, ..IN_TIME };
        assert_eq!(failure(guarded(body, limits).into_vec().await), Some(BodyError::TooSlow));
    }

    #[tokio::test]
    async fn a_body_that_goes_on_and_on_is_given_up() {
        let dripping = stream::repeat_with(|| Ok::<_, io::Error>(Bytes::new())).then(async |empty| {
            tokio::task::yield_now().await;
            empty
        });
        let limits = BodyLimits { whole: Duration::from_millis(10), ..IN_TIME };
        let body = guarded(Body::from_bytes_stream(dripping), limits);
        assert_eq!(failure(body.into_vec().await), Some(BodyError::TooSlow));
    }
}
