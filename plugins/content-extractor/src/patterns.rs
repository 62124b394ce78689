//! Regular expressions, compiled when first used.

use regex::Regex;

/// Compiles a pattern of this crate.
#[expect(clippy::expect_used, reason = "patterns are constants of this crate, and its tests use every one")]
pub(crate) fn compiled(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of this crate is a regular expression")
}

/// Declares a pattern as a static.
macro_rules! pattern {
    ($(#[$meta:meta])* $name:ident = $pattern:expr) => {
        $(#[$meta])*
        pub(crate) static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::patterns::compiled($pattern));
    };
}

pub(crate) use pattern;
