//! Sizes and times as people read them.

use std::time::Duration;

/// Returns bytes in KB or MB of powers of 1,000, with three digits.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{} KB", three_digits(count as f64 / 1e3)),
        _ => format!("{} MB", three_digits(count as f64 / 1e6)),
    }
}

/// Returns a time in milliseconds or seconds, with three digits.
pub(super) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 {
        return format!("{} ms", three_digits(seconds * 1e3));
    }
    format!("{} s", three_digits(seconds))
}

fn three_digits(number: f64) -> String {
    if number < 10.0 {
        return format!("{number:.2}");
    }
    if number < 100.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_shown() {
        assert_eq!([bytes(999), bytes(12_345), bytes(1_500_000)], ["999 B", "12.3 KB", "1.50 MB"]);
        let times = [0.0123, 2.0].map(|time| seconds(Duration::from_secs_f64(time)));
        assert_eq!(times, ["12.3 ms", "2.00 s"]);
    }
}
