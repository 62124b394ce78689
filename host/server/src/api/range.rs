//! Ranges of bytes, as a client asks for them (RFC 9110, section 14).

use std::ops::Range;

/// The unit of ranges.
const UNIT: &str = "bytes=";

/// What of a file is to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All of it: no range was asked for, several were, or none that can be understood.
    Whole,
    /// These bytes, at least one.
    Part(Range<u64>),
    /// Bytes that the file doesn't have.
    Unsatisfiable,
}

impl Wanted {
    /// Of a file of so many bytes. A range that ends beyond the file ends with it.
    pub(crate) fn of(header: Option<&str>, size: u64) -> Self {
        let Some(set) = header.and_then(|header| strip_unit(header.trim())) else {
            return Self::Whole;
        };
        let Some((first, last)) = set.split_once('-') else {
            return Self::Whole;
        };
        let range = match (position(first), position(last)) {
            (Some(Position::Absent), Some(Position::At(length))) => size.saturating_sub(length)..size,
            (Some(Position::At(first)), Some(Position::Absent)) => first..size,
            (Some(Position::At(first)), Some(Position::At(last))) if first <= last => {
                first..last.saturating_add(1).min(size)
            }
            _ => return Self::Whole,
        };
        if range.start >= range.end { Self::Unsatisfiable } else { Self::Part(range) }
    }
}

/// A number in a range, or none.
enum Position {
    Absent,
    At(u64),
}

/// None where it is no number. One that is larger than any file is the largest.
fn position(text: &str) -> Option<Position> {
    let text = text.trim_matches([' ', '\t']);
    if text.is_empty() {
        return Some(Position::Absent);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| Position::At(text.parse().unwrap_or(u64::MAX)))
}

fn strip_unit(header: &str) -> Option<&str> {
    let (unit, set) = header.split_at_checked(UNIT.len())?;
    unit.eq_ignore_ascii_case(UNIT).then_some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_to_the_file_and_what_is_no_range_is_ignored() {
        let part = |range| Wanted::Part(range);
        let cases = [
            ("bytes=0-0", part(0..1)),
            ("bytes=0-99", part(0..100)),
            ("bytes=99-99", part(99..100)),
            ("bytes=99-", part(99..100)),
            ("bytes=10-19", part(10..20)),
            ("BYTES= 10 - 19 ", part(10..20)),
            ("bytes=90-1000", part(90..100)),
            ("bytes=0-99999999999999999999999", part(0..100)),
            ("bytes=-1", part(99..100)),
            ("bytes=-100", part(0..100)),
            ("bytes=-101", part(0..100)),
            ("bytes=100-", Wanted::Unsatisfiable),
            ("bytes=100-200", Wanted::Unsatisfiable),
            ("bytes=99999999999999999999999-", Wanted::Unsatisfiable),
            ("bytes=-0", Wanted::Unsatisfiable),
            ("bytes=0-0,5-9", Wanted::Whole),
            ("bytes=20-10", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("bytes=1", Wanted::Whole),
            ("bytes 0-1", Wanted::Whole),
            ("lines=0-1", Wanted::Whole),
            ("", Wanted::Whole),
            ("é", Wanted::Whole),
        ];
        for (header, expected) in cases {
            assert_eq!(Wanted::of(Some(header), 100), expected, "{header}");
        }
        assert_eq!(Wanted::of(None, 100), Wanted::Whole);
    }
}
