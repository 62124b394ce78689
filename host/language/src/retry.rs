//! Which failures are retried, and after how long.

use std::time::{Duration, SystemTime};

use crate::error::Error;

/// Maximum wait of the exponential backoff.
const LONGEST_BACKOFF: Duration = Duration::from_secs(30);
/// Maximum wait that a provider may request. A request that would have to wait longer is not retried.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// Returns whether a failure is transient, so that the same request may succeed later.
pub(crate) fn is_transient(error: &Error) -> bool {
    match error {
        Error::InvalidJson
        | Error::SchemaViolation(_)
        | Error::RateLimited
        | Error::TimedOut
        | Error::Truncated
        | Error::NotACompletion
        | Error::Unreachable => true,
        Error::Rejected(status) => *status >= 500 || matches!(status, 408 | 409),
        Error::BadRequest(_)
        | Error::BudgetUsedUp(_)
        | Error::Refused
        | Error::CutOff
        | Error::AccountUsedUp
        | Error::TooLarge(_) => false,
    }
}

/// Returns the time to wait after attempt `attempt` (from 1), or `None` if it is too long.
///
/// `retry_after` is the provider's request. Without it the wait is an exponential backoff with `jitter` (0 to 1), which
/// spreads requests that failed at the same time.
pub(crate) fn wait(attempt: u32, backoff: Duration, retry_after: Option<Duration>, jitter: f64) -> Option<Duration> {
    if let Some(requested) = retry_after {
        return (requested <= LONGEST_WAIT).then_some(requested);
    }
    let doubled = backoff.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1))).min(LONGEST_BACKOFF);
    Some(doubled.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0))
}

/// Parses the header `Retry-After`: seconds or a date (RFC 9110, section 10.2.3).
pub(crate) fn retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(header).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backoff_doubles_up_to_half_a_minute() {
        let second = Duration::from_secs(1);
        let waits: Vec<u64> =
            (1..=7).filter_map(|attempt| wait(attempt, second, None, 1.0)).map(|w| w.as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(wait(1, second, None, 0.0), Some(second / 2));
    }

    #[test]
    fn retry_after_replaces_the_backoff_up_to_a_minute() {
        let cases = [(0, Some(0)), (7, Some(7)), (60, Some(60)), (61, None)];
        for (requested, expected) in cases {
            let waited = wait(5, Duration::from_secs(1), Some(Duration::from_secs(requested)), 0.5);
            assert_eq!(waited, expected.map(Duration::from_secs));
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let cases = [
            ("12", Some(12)),
            (" 0 ", Some(0)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sun, 06 Nov 1994 08:49:07 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
        ];
        for (header, expected) in cases {
            assert_eq!(retry_after(header, now), expected.map(Duration::from_secs), "{header:?}");
        }
    }
}
