//! What a plugin reads of its own `plugin.toml` at compile time.

/// The text before the version: the line before ends here.
const BEFORE: &[u8] = b"\nversion = \"";

/// Returns the version that a `plugin.toml` names in a line `version = "…"` after its first. Empty if it has none.
pub const fn version_of(manifest: &str) -> &str {
    let bytes = manifest.as_bytes();
    let mut start = 0;
    while start + BEFORE.len() <= bytes.len() {
        if stands_at(bytes, start) {
            let (_, rest) = manifest.split_at(start + BEFORE.len());
            return until_quote(rest);
        }
        start += 1;
    }
    ""
}

/// Returns whether the bytes from `start` on begin with [`BEFORE`].
const fn stands_at(bytes: &[u8], start: usize) -> bool {
    let mut at = 0;
    while at < BEFORE.len() {
        if bytes[start + at] != BEFORE[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns the text before the first quote, or nothing if there is no quote.
const fn until_quote(text: &str) -> &str {
    let mut end = 0;
    while end < text.len() {
        if text.as_bytes()[end] == b'"' {
            let (version, _) = text.split_at(end);
            return version;
        }
        end += 1;
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_its_own_line() {
        assert_eq!(version_of("name = \"a\"\nversion = \"1.2.3\"\ncontract = \"0.1\"\n"), "1.2.3");
        assert_eq!(version_of("name = \"a\"\n# version = \"1.2.3\"\n"), "");
        assert_eq!(version_of(""), "");
    }
}
