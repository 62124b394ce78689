//! Regular expressions of JSON Schema (ECMA-262), run by the crate `regex`, whose time is linear in the text.

use regex::{Regex, RegexBuilder};

/// Maximum size of a compiled pattern in bytes. Its states take at most a microsecond per character.
const PROGRAM_BYTES: usize = 64 * 1024;
/// Maximum size of the lazily built automaton (DFA) in bytes.
const CACHE_BYTES: usize = 256 * 1024;

/// Compiles a pattern. Returns `None` if it is no regular expression, has look-around or back-references, or is too
/// large.
pub(crate) fn compile(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(&translated(pattern)).size_limit(PROGRAM_BYTES).dfa_size_limit(CACHE_BYTES).build().ok()
}

/// Translates a pattern from ECMA-262 to the syntax of `regex`. In ECMA-262, `\d` and `\w` match ASCII only, and a
/// character class has neither set operators nor nested classes.
fn translated(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len() + 8);
    let mut in_class = false;
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some('d') => written.push_str("[0-9]"),
                Some('D') => written.push_str("[^0-9]"),
                Some('w') => written.push_str("[0-9A-Za-z_]"),
                Some('W') => written.push_str("[^0-9A-Za-z_]"),
                Some(escaped) => written.extend(['\\', escaped]),
                None => written.push('\\'),
            },
            '[' if in_class => written.push_str("\\["),
            '&' | '~' if in_class => written.extend(['\\', char]),
            '[' | ']' => {
                in_class = char == '[';
                written.push(char);
            }
            other => written.push(other),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_as_in_ecma_262() {
        let cases = [
            (r"^door_[0-9a-f]{12}$", "door_0123456789ab", true),
            (r"^door_[0-9a-f]{12}$", "door_0123456789ab\n", false),
            (r"^\d+$", "12", true),
            (r"^\d+$", "١٢", false),
            (r"^[\d.]+$", "1.2", true),
            (r"^[^\d]+$", "ab", true),
            (r"^[^\d]+$", "a1", false),
            (r"^\w+\/\S+$", "a_1/b", true),
            (r"^[[a&&b]+$", "[a&b", true),
            ("b", "abc", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(compile(pattern).unwrap().is_match(text), expected, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn an_invalid_or_expensive_pattern_is_not_compiled() {
        for pattern in ["(?=a)b", r"(a)\1", "(", &format!("({}){{1000}}", "ab?".repeat(100))] {
            assert!(compile(pattern).is_none(), "{pattern}");
        }
    }
}
