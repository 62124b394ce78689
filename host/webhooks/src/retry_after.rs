//! The header `Retry-After` (RFC 9110, section 10.2.3): a number of seconds, or a date.

use std::time::{Duration, SystemTime};

/// The maximum wait that a receiver can ask for. A longer one is shortened to this.
pub const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// Returns how long to wait from `now`, or `None` if the header is malformed.
pub(crate) fn wait(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that is too large to parse is longer than the maximum.
        let seconds = header.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(MAX_RETRY_AFTER));
    }
    let date = httpdate::parse_http_date(header).ok()?;
    Some(date.duration_since(now).unwrap_or_default().min(MAX_RETRY_AFTER))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    #[test]
    fn wait_is_seconds_or_a_date_and_at_most_a_day() {
        let now: SystemTime = "2026-11-21T12:00:00Z".parse::<DateTime<Utc>>().unwrap().into();
        let cases = [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("86401", Some(86_400)),
            ("99999999999999999999999999", Some(86_400)),
            ("Sat, 21 Nov 2026 12:01:00 GMT", Some(60)),
            ("Saturday, 21-Nov-26 12:01:00 GMT", Some(60)),
            ("Sat Nov 21 12:01:00 2026", Some(60)),
            ("Sat, 21 Nov 2026 11:00:00 GMT", Some(0)),
            ("Tue, 21 Nov 2028 12:00:00 GMT", Some(86_400)),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
            ("", None),
        ];
        for (header, expected) in cases {
            assert_eq!(wait(header, now), expected.map(Duration::from_secs), "{header:?}");
        }
    }
}
