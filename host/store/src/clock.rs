//! The time the store works by: the system's, or one a test sets.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};

/// Where the store takes the time from. Clones of a stopped clock share its time.
///
/// Times have microsecond resolution, as the database keeps them. Hosts that share a database must agree on the time
/// to within a few seconds, since leases are compared across hosts.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone, Default)]
enum Source {
    #[default]
    System,
    Stopped(Arc<AtomicI64>),
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `time` until it is moved.
    pub fn stopped_at(time: DateTime<Utc>) -> Self {
        Self(Source::Stopped(Arc::new(AtomicI64::new(time.timestamp_micros()))))
    }

    /// Moves a stopped clock, and all clones of it, forward. The system's clock is left as it is.
    pub fn advance(&self, by: Duration) {
        if let Source::Stopped(micros) = &self.0 {
            micros.fetch_add(i64::try_from(by.as_micros()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Sets a stopped clock, and all clones of it, to `time`. The system's clock is left as it is.
    pub fn set(&self, time: DateTime<Utc>) {
        if let Source::Stopped(micros) = &self.0 {
            micros.store(time.timestamp_micros(), Ordering::SeqCst);
        }
    }

    /// The time now, in whole microseconds.
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.0 {
            Source::System => Utc::now().timestamp_micros(),
            Source::Stopped(micros) => micros.load(Ordering::SeqCst),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }
}
