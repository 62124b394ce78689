//! Tokens that may be used: a job's, and an hour's.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Spent};

/// Tokens in store, which may come back with time.
#[derive(Debug)]
pub(crate) struct Bucket {
    capacity: f64,
    /// Tokens that come back in a second.
    refill: f64,
    level: Mutex<Level>,
}

#[derive(Debug)]
struct Level {
    /// Below 0 once an answer took more than was reserved for it.
    tokens: f64,
    at: Instant,
}

impl Bucket {
    /// So many, and no more.
    pub(crate) fn once(tokens: u64) -> Self {
        Self::new(tokens, 0.0)
    }

    /// So many an hour: full at first, and full again an hour after the last one is taken.
    pub(crate) fn hourly(tokens: u64) -> Self {
        Self::new(tokens, tokens as f64 / Duration::from_hours(1).as_secs_f64())
    }

    fn new(tokens: u64, refill: f64) -> Self {
        let level = Mutex::new(Level { tokens: tokens as f64, at: Instant::now() });
        Self { capacity: tokens as f64, refill, level }
    }

    /// Takes so many, if there are so many at that time.
    fn take(&self, tokens: u64, now: Instant) -> bool {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = now.saturating_duration_since(level.at);
        level.tokens = (level.tokens + passed.as_secs_f64() * self.refill).min(self.capacity);
        level.at = level.at.max(now);
        if level.tokens < tokens as f64 {
            return false;
        }
        level.tokens -= tokens as f64;
        true
    }

    fn add(&self, tokens: f64) {
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        level.tokens = (level.tokens + tokens).min(self.capacity);
    }
}

/// Tokens set aside for one request. They count as used unless it is settled otherwise: a request that nobody waits
/// for any more is paid for all the same.
#[derive(Debug)]
#[must_use]
pub(crate) struct Reservation<'a> {
    job: &'a Bucket,
    hour: &'a Bucket,
    tokens: u64,
}

impl<'a> Reservation<'a> {
    /// Of the job's tokens and the hour's, or of neither.
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

    /// The request took so many.
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
    fn what_was_not_used_comes_back_and_what_was_used_beyond_is_missing() {
        let (job, hour) = (Bucket::once(1000), Bucket::once(10_000));
        reserve(&job, &hour, 900).unwrap().settle(100);
        reserve(&job, &hour, 900).unwrap().settle(950);
        assert_eq!(reserve(&job, &hour, 1).unwrap_err(), Error::BudgetUsedUp(Spent::Job));
    }

    #[test]
    fn a_request_that_nobody_waits_for_is_paid_for() {
        let (job, hour) = (Bucket::once(1000), Bucket::once(10_000));
        drop(reserve(&job, &hour, 1000).unwrap());
        assert_eq!(reserve(&job, &hour, 1).unwrap_err(), Error::BudgetUsedUp(Spent::Job));
    }

    #[test]
    fn a_job_loses_nothing_to_an_hour_that_is_used_up() {
        let (job, hour) = (Bucket::once(1000), Bucket::once(500));
        assert_eq!(reserve(&job, &hour, 600).unwrap_err(), Error::BudgetUsedUp(Spent::Hour));
        assert!(reserve(&job, &Bucket::once(1000), 1000).is_ok());
    }

    #[test]
    fn an_hour_s_tokens_come_back_within_the_hour() {
        let hour = Bucket::hourly(3600);
        let start = Instant::now();
        assert!(hour.take(3600, start));
        assert!(!hour.take(61, start + Duration::from_mins(1)));
        assert!(hour.take(59, start + Duration::from_mins(1)));
        assert!(hour.take(3600, start + Duration::from_hours(3)), "and no more than the hour's");
        assert!(!hour.take(1, start + Duration::from_hours(3)));
    }
}
