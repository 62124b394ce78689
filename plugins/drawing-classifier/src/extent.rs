//! The part of the works that a sheet is limited to: its storey and its scope, both as printed.

use std::sync::LazyLock;

use fanlight_text::words::{SCOPES, STOREYS};
use regex::Regex;

use crate::words::fold;

static STOREY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&alternatives(&STOREYS)).ok());
static SCOPE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&alternatives(&SCOPES)).ok());

/// Joins patterns to one.
fn alternatives(patterns: &[&str]) -> String {
    let each: Vec<String> = patterns.iter().map(|pattern| format!("(?:{pattern})")).collect();
    each.join("|")
}

/// Returns the storey that a text names, as printed.
pub(crate) fn floor(text: &str) -> Option<String> {
    found(&STOREY, text).into_iter().next()
}

/// Returns the parts of the works that a text names, as printed, in order, each once.
pub(crate) fn scope(text: &str) -> Vec<String> {
    let mut scopes = Vec::new();
    for scope in found(&SCOPE, text) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

/// Returns what a pattern matches in the folded text, in the text's original spelling.
fn found(pattern: &LazyLock<Option<Regex>>, text: &str) -> Vec<String> {
    let Some(regex) = LazyLock::force(pattern) else { return Vec::new() };
    // Each letter is folded by itself, so that positions in both texts correspond.
    let printed: Vec<char> = text.chars().collect();
    let folded: String = printed.iter().map(|c| fold(&c.to_string()).chars().next().unwrap_or(' ')).collect();
    let starts: Vec<usize> = folded.char_indices().map(|(at, _)| at).collect();
    let place = |byte: usize| starts.partition_point(|start| *start < byte);
    regex
        .find_iter(&folded)
        .map(|hit| printed[place(hit.start())..place(hit.end())].iter().collect::<String>().trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storeys_are_found_as_printed() {
        for (title, expected) in [
            ("3RD FLOOR - APT. 308 SECTIONS", "3RD FLOOR"),
            ("Level 3 Floor Plan", "Level 3"),
            ("RCP GROUND FLOOR", "GROUND FLOOR"),
            ("PLANTA BAJA", "PLANTA BAJA"),
            ("PLAN DU REZ-DE-CHAUSSÉE", "REZ-DE-CHAUSSÉE"),
            ("Grundriss 1. Obergeschoss", "1. Obergeschoss"),
            ("ZEMİN KAT PLANI", "ZEMİN KAT"),
            ("Plattegrond begane grond", "begane grond"),
            ("LEVEL P1 PLAN", "LEVEL P1"),
            ("FLOOR PLAN LEVELS 5-18", "LEVELS 5-18"),
            ("BOTTENVÅNING", "BOTTENVÅNING"),
        ] {
            assert_eq!(floor(title).as_deref(), Some(expected), "{title}");
        }
        for title in ["ROOF PLAN", "Facader mod nord og øst"] {
            assert_eq!(floor(title), None, "{title}");
        }
    }

    #[test]
    fn scopes_are_found_as_printed() {
        assert_eq!(scope("OVERALL FLOOR PLAN - AREA B, PHASE 2"), ["OVERALL", "AREA B", "PHASE 2"]);
        assert!(scope("ROOF PLAN").is_empty());
    }
}
