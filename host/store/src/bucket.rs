//! The limit of requests per minute: a token bucket for each key, in the database, so that hosts share it.
//!
//! A bucket holds as many tokens as the key's tier has requests per minute, and fills at that rate. It is stored as one
//! number, the time at which it will be full again (the generic cell rate algorithm, GCRA). Each request moves that time
//! forward by the time that one token takes to arrive. A request that would move it more than a whole bucket into the
//! future is refused.

use crate::Store;
use crate::account::Caller;
use crate::database::Columns;
use crate::error::StoreError;

/// The time in which an empty bucket fills: a minute, in microseconds.
const MINUTE: i64 = 60_000_000;

/// The state of a key's bucket after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Tokens of a full bucket: the tier's requests per minute.
    pub limit: u32,
    /// Whole tokens that are left after this request.
    pub remaining: u32,
    /// Seconds until the bucket is full, rounded up.
    pub full_in_seconds: u64,
    /// Seconds until there is a token, rounded up; only for a request that is refused.
    pub retry_after_seconds: Option<u64>,
}

impl Allowance {
    /// Describes a bucket that is full at `full_at`. Times are in microseconds. `taken` says whether the request got a
    /// token.
    fn new(limit: u32, full_at: i64, now: i64, taken: bool) -> Self {
        let missing = (full_at - now).clamp(0, capacity(limit));
        let there = capacity(limit) - missing;
        Self {
            limit,
            remaining: (there / token(limit)) as u32,
            full_in_seconds: seconds(missing),
            retry_after_seconds: (!taken).then(|| seconds(token(limit) - there)),
        }
    }
}

/// Returns the microseconds in which one token arrives.
fn token(limit: u32) -> i64 {
    (MINUTE / i64::from(limit.max(1))).max(1)
}

/// Returns the microseconds in which an empty bucket fills.
fn capacity(limit: u32) -> i64 {
    token(limit) * i64::from(limit)
}

/// Returns whole seconds, rounded up, so that the time is over after them.
fn seconds(micros: i64) -> u64 {
    (micros.max(0) as u64).div_ceil(1_000_000)
}

impl Store {
    /// Takes a token from the bucket of the caller's key, if there is one. Does not wait for the disk: it does no harm if
    /// a request is not counted after a power cut.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]. A bucket without a token is no error: see [`Allowance::retry_after_seconds`].
    pub async fn take_token(&self, caller: &Caller) -> Result<Allowance, StoreError> {
        let limit = self.tiers.limits(caller.tier).requests_per_minute;
        let mut transaction = self.database.write().await?;
        let now = self.clock.now().timestamp_micros();
        let taken = sqlx::query(
            "INSERT INTO request_buckets (key_id, full_at) SELECT $1, $2 + $3 WHERE $3 <= $4
             ON CONFLICT (key_id) DO UPDATE SET full_at =
                 CASE WHEN request_buckets.full_at > $2 THEN request_buckets.full_at ELSE $2 END + $3
             WHERE request_buckets.full_at + $3 <= $2 + $4 RETURNING full_at",
        )
        .bind(caller.key_id.to_string())
        .bind(now)
        .bind(token(limit))
        .bind(capacity(limit))
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some(row) = taken {
            let full_at = row.count("full_at")?.cast_signed();
            transaction.commit_later().await?;
            return Ok(Allowance::new(limit, full_at, now, true));
        }
        let row = sqlx::query("SELECT full_at FROM request_buckets WHERE key_id = $1")
            .bind(caller.key_id.to_string())
            .fetch_optional(&mut *transaction)
            .await?;
        let full_at = row.map_or(Ok(0), |row| row.count("full_at"))?.cast_signed();
        Ok(Allowance::new(limit, full_at, now, false))
    }
}
