//! Token budgets: one per job and one per hour.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Spent};

/// A token bucket, which may refill with time.
#[derive(Debug)]
pub(crate) struct Bucket {
    capacity: f64,
    /// Tokens per second that are added.
    refill: f64,
    level: Mutex<Level>,
}

/// The tokens of a bucket at a time.
#[derive(Debug)]
struct Level {
    /// Negative after an answer that took more tokens than were reserved for it.
    tokens: f64,
    at: Instant,
}

impl Bucket {
    /// Creates a full bucket that never refills.
    pub(crate) fn once(tokens: u64) -> Self {
        Self::new(tokens, 0.0)
    }

    /// Creates a full bucket that an empty one would take an hour to refill to.
    pub(crate) fn hourly(tokens: u64) -> Self {
        Self::new(tokens, tokens as f64 / Duration::from_hours(1).as_secs_f64())
    }

    fn new(tokens: u64, refill: f64) -> Self {
        let level = Mutex::new(Level { tokens: tokens as f64, at: Instant::now() });
        Self { capacity: tokens as f64, refill, level }
    }

    /// Takes `n` tokens if that many are available at `now`. Returns whether it did.
    fn take(&self, n: u64, now: Instant) -> bool {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(level.at);
        level.tokens = (level.tokens + passed.as_secs_f64() * self.refill).min(self.capacity);
        level.at = level.at.max(now);
        if level.tokens < n as f64 {
            return false;
        }
        level.tokens -= n as f64;
        true
    }

    /// Adds tokens up to the capacity. A negative number takes tokens away.
    fn add(&self, tokens: f64) {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        level.tokens = (level.tokens + tokens).min(self.capacity);
    }
}

/// Tokens reserved for one request. They count as used unless [`Reservation::settle`] corrects the number: the provider
/// also charges for a request whose caller stopped waiting.
#[derive(Debug)]
#[must_use]
pub(crate) struct Reservation<'a> {
    job: &'a Bucket,
    hour: &'a Bucket,
    tokens: u64,
}

impl<'a> Reservation<'a> {
    /// Reserves tokens from both buckets, or from neither.
    ///
    /// # Errors
    ///
    /// [`Error::BudgetUsedUp`] if one of them has too few.
    pub(crate) fn new(job: &'a Bucket, hour: &'a Bucket, tokens: u64, now: Instant) -> Result<Self, Error> {
        if !job.take(tokens, now) {
            return Err(Error::BudgetUsedUp(Spent::Job));
        }
        if !hour.take(tokens, now) {
            job.add(tokens as f64);
            return Err(Error::BudgetUsedUp(Spent::Hour));
        }
        Ok(Self { job, hour, tokens })
    }

    /// Corrects the reservation to the number of tokens that the request used.
    pub(crate) fn settle(self, used: u64) {
        let left = self.tokens as f64 - used as f64;
        self.job.add(left);
        self.hour.add(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reserve<'a>(job: &'a Bucket, hour: &'a Bucket, tokens: u64) -> Result<Reservation<'a>, Error> {
        Reservation::new(job, hour, tokens, Instant::now())
    }

    #[test]
    fn settling_returns_unused_tokens_and_takes_the_excess() {
        let (job, hour) = (Bucket::once(1000), Bucket::once(10_000));
        reserve(&job, &hour, 900).unwrap().settle(100);
        reserve(&job, &hour, 900).unwrap().settle(950);
        assert_eq!(reserve(&job, &hour, 1).unwrap_err(), Error::BudgetUsedUp(Spent::Job));
    }

    #[test]
    fn a_dropped_reservation_counts_as_used() {
        let (job, hour) = (Bucket::once(1000), Bucket::once(10_000));
        drop(reserve(&job, &hour, 1000).unwrap());
        assert_eq!(reserve(&job, &hour, 1).unwrap_err(), Error::BudgetUsedUp(Spent::Job));
    }

    #[test]
    fn an_exhausted_hour_costs_a_job_no_tokens() {
        let (job, hour) = (Bucket::once(1000), Bucket::once(500));
        assert_eq!(reserve(&job, &hour, 600).unwrap_err(), Error::BudgetUsedUp(Spent::Hour));
        assert!(reserve(&job, &Bucket::once(1000), 1000).is_ok());
    }

    #[test]
    fn an_hourly_bucket_refills_within_the_hour() {
        let hour = Bucket::hourly(3600);
        let start = Instant::now();
        assert!(hour.take(3600, start));
        assert!(!hour.take(61, start + Duration::from_mins(1)));
        assert!(hour.take(59, start + Duration::from_mins(1)));
        assert!(hour.take(3600, start + Duration::from_hours(3)), "a bucket holds at most its capacity");
        assert!(!hour.take(1, start + Duration::from_hours(3)));
    }
}
