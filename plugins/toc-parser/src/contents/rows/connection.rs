//! Whether two lines of text belong together, by their words alone.

use fanlight_text::folding::fold;
use fanlight_text::words::CONNECTORS;

/// Returns whether a title cannot end after the line `before`, or cannot begin with the line `after`.
pub(crate) fn is_connected(before: &str, after: &str) -> bool {
    cannot_end(&fold(before)) || cannot_begin(after)
}

/// Returns whether a line, folded, ends with a connector or a joining sign, or inside brackets.
fn cannot_end(line: &str) -> bool {
    let last_word = line.rsplit(' ').next().unwrap_or_default();
    let has_open_bracket = line.rfind('(').is_some_and(|open| !line[open..].contains(')'));
    has_open_bracket || CONNECTORS.matches(last_word) || line.ends_with([',', '-', '/', '&', '+'])
}

/// Returns whether a line begins with a small letter, a joining sign or a connector of more than one letter ("A" labels
/// things).
fn cannot_begin(line: &str) -> bool {
    let first = line.chars().find(|c| !c.is_whitespace());
    let first_word = line.split(' ').next().map(fold).unwrap_or_default();
    first.is_some_and(|c| c.is_lowercase() || "&/,)-–—".contains(c))
        || (CONNECTORS.matches(&first_word) && first_word.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_ends_with_a_connector_is_continued() {
        assert!(is_connected("SHEET METAL FLASHING AND", "TRIM"));
        assert!(is_connected("Portes et cadres de", "Métal"));
        assert!(is_connected("Wood, Plastics,", "Composites"));
    }

    #[test]
    fn a_line_that_ends_inside_brackets_is_continued() {
        assert!(is_connected("Door Hardware (Electrified", "Locks)"));
        assert!(!is_connected("Door Hardware (Electrified)", "Locks"));
    }

    #[test]
    fn a_line_that_begins_with_a_connector_or_small_letter_continues() {
        assert!(is_connected("Entrances", "with Automatic Operators"));
        assert!(is_connected("ENTRANCES", "AND STOREFRONTS"));
        assert!(!is_connected("Entrances", "A Wing"));
    }

    #[test]
    fn two_complete_lines_are_not_connected() {
        assert!(!is_connected("Door Hardware", "Glazing"));
    }
}
