//! Parsing of the header `Range` (RFC 9110, section 14).

use std::ops::Range;

/// The prefix of a range of bytes. Its case does not matter.
const UNIT: &str = "bytes=";

/// The part of a file that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestedRange {
    /// The whole file: the header is absent, not valid, or has several ranges.
    Whole,
    /// These bytes, at least one.
    Part(Range<u64>),
    /// Only bytes beyond the end of the file.
    Unsatisfiable,
}

impl RequestedRange {
    /// Parses the header of a request for a file of `size` bytes. A range is cut at the file's end.
    pub(crate) fn parse(header: Option<&str>, size: u64) -> Self {
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

/// One end of a range.
enum Position {
    Absent,
    At(u64),
}

/// Parses one end of a range. Returns `None` if it is not a number. A number that does not fit is the maximum.
fn position(text: &str) -> Option<Position> {
    let text = text.trim_matches([' ', '\t']);
    if text.is_empty() {
        return Some(Position::Absent);
    }
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| Position::At(text.parse().unwrap_or(u64::MAX)))
}

/// Returns the ranges of a header that counts in bytes.
fn strip_unit(header: &str) -> Option<&str> {
    let (unit, set) = header.split_at_checked(UNIT.len())?;
    unit.eq_ignore_ascii_case(UNIT).then_some(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_cut_and_an_invalid_header_ignored() {
        let part = RequestedRange::Part;
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
            ("bytes=100-", RequestedRange::Unsatisfiable),
            ("bytes=100-200", RequestedRange::Unsatisfiable),
            ("bytes=99999999999999999999999-", RequestedRange::Unsatisfiable),
            ("bytes=-0", RequestedRange::Unsatisfiable),
            ("bytes=0-0,5-9", RequestedRange::Whole),
            ("bytes=20-10", RequestedRange::Whole),
            ("bytes=-", RequestedRange::Whole),
            ("bytes=", RequestedRange::Whole),
            ("bytes=a-b", RequestedRange::Whole),
            ("bytes=+1-2", RequestedRange::Whole),
            ("bytes=1", RequestedRange::Whole),
            ("bytes 0-1", RequestedRange::Whole),
            ("lines=0-1", RequestedRange::Whole),
            ("", RequestedRange::Whole),
            ("é", RequestedRange::Whole),
        ];
        for (header, expected) in cases {
            assert_eq!(RequestedRange::parse(Some(header), 100), expected, "{header}");
        }
        assert_eq!(RequestedRange::parse(None, 100), RequestedRange::Whole);
    }
}
