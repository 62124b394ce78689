//! The store's clock: the system's, or one that a test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};

/// The source of the store's time. Clones of a stopped clock share its time.
///
/// Times are in whole microseconds, as the database keeps them. The clocks of hosts that share a database may differ by
/// a few seconds at most, because a lease written by one host is checked by another.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone, Default)]
enum Source {
    #[default]
    System,
    Stopped(Arc<AtomicI64>),
}

impl Clock {
    /// Returns the system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Creates a clock that stays at `time` until it is moved.
    pub fn stopped_at(time: DateTime<Utc>) -> Self {
        Self(Source::Stopped(Arc::new(AtomicI64::new(time.timestamp_micros()))))
    }

    /// Moves a stopped clock and its clones forward. Does nothing to the system's clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Stopped(micros) = &self.0 {
            micros.fetch_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Sets a stopped clock and its clones to `time`. Does nothing to the system's clock.
    pub fn set(&self, time: DateTime<Utc>) {
        if let Source::Stopped(micros) = &self.0 {
            micros.store(time.timestamp_micros(), Ordering::SeqCst);
        }
    }

    /// Returns the time now, in whole microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.0 {
            Source::System => Utc::now().timestamp_micros(),
            Source::Stopped(micros) => micros.load(Ordering::SeqCst),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}
