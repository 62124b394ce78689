//! Section numbers in the forms in which project manuals print them.

use crate::divisions::{Edition, LAST_DIVISION};
use fanlight_text::folding::fold;
use fanlight_text::words::SECTION_ANNOUNCEMENTS;

/// The number of a section.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number {
    /// Six digits. A number of 1995 has its five digits and a 0.
    pub six: String,
    /// What follows the six digits: ".13", ".A1", "A"; mostly nothing.
    pub suffix: String,
    /// The edition whose form it has.
    pub edition: Edition,
    /// Whether a word ("Section", "Document", "UFGS") announced it.
    pub worded: bool,
}

impl Number {
    /// Returns the number of its division, from 0 to 99.
    pub fn division(&self) -> u8 {
        self.six.get(..2).and_then(|pair| pair.parse().ok()).unwrap_or_default()
    }

    /// Returns the key by which manuals sort sections.
    pub fn rank(&self) -> (&str, &str) {
        (&self.six, &self.suffix)
    }
}

/// Reads a number at the start of `text`; returns it and what follows, without separators.
pub fn leading(text: &str) -> Option<(Number, &str)> {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || "*•▪■□☐✓+>#[(".contains(c));
    if text.len() - start.len() > 8 {
        return None;
    }
    let (number, rest) = match announcement(start) {
        Some(announced) => digits(announced, true).or_else(|| digits(without_code(announced)?, true))?,
        None => digits(start, false)?,
    };
    Some((number, without_old_number(rest).trim_start_matches(is_separator)))
}

/// Reads a number at the start of `text`, or behind the code of a bid package or of an office's own edition that is joined to
/// it: "S074113.16"; returns it and what follows.
pub fn leading_after_code(text: &str) -> Option<(Number, &str)> {
    leading(text).or_else(|| leading(without_code(text)?))
}

/// The most characters of a code before a number, such as that of a bid package: "BP-3", "PKG02".
const MAX_CODE: usize = 6;

/// Returns what follows a code that is joined to the digits of a number, as in "BP3-08 11 13"; `None` if there is no code. A
/// code has a capital letter.
pub fn without_code(text: &str) -> Option<&str> {
    let token = &text[..text.find(char::is_whitespace).unwrap_or(text.len())];
    let starts = token
        .char_indices()
        .skip(1)
        .filter(|&(at, c)| c.is_ascii_digit() && !token[..at].ends_with(|c: char| c.is_ascii_digit()));
    let mut parts = starts.map(|(at, _)| text.split_at(at));
    parts.find(|(code, number)| is_code(code) && digits(number, false).is_some()).map(|(_, number)| number)
}

/// Returns whether a part of a word is a code, but for a separator at its end.
fn is_code(part: &str) -> bool {
    let code = part.trim_end_matches(['-', '–', '.', '_', '/', ':']);
    (1..=MAX_CODE).contains(&code.len())
        && code.starts_with(|c: char| c.is_ascii_uppercase())
        && code.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-')
}

/// Returns `rest` without a number of the old edition in brackets, as in "(03300)", at its start.
fn without_old_number(rest: &str) -> &str {
    let Some(inside) = rest.trim_start().strip_prefix(['(', '[']) else { return rest };
    let Some((old, after)) = inside.split_once([')', ']']) else { return rest };
    match digits(old.trim(), false) {
        Some((_, "")) => after,
        _ => rest,
    }
}

/// Reads a number at the end of `text`; returns it and what precedes it, without separators.
pub fn trailing(text: &str) -> Option<(&str, Number)> {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || ")].".contains(c));
    let starts = text.char_indices().filter(|&(at, _)| at == 0 || text[..at].ends_with([' ', '\u{A0}', '(', '[']));
    let tail_from = text.char_indices().rev().nth(40).map_or(0, |(at, _)| at);
    for (at, _) in starts.filter(|&(at, _)| at >= tail_from) {
        if let Some((number, "")) = leading(&text[at..]) {
            return Some((text[..at].trim_end_matches(|c: char| is_separator(c) || "([".contains(c)), number));
        }
    }
    None
}

/// Returns whether `text` is nothing but a word that announces a number.
pub fn is_announcement(text: &str) -> bool {
    announcement(text).is_some_and(|rest| rest.trim().is_empty())
}

/// Returns whether a character may separate a number from its title.
pub fn is_separator(character: char) -> bool {
    character.is_whitespace() || "-‐‑–—−:.,;|)]_=•·".contains(character)
}

/// Words that announce a number have fewer characters.
const MAX_ANNOUNCEMENT: usize = 40;

/// Returns what follows a word that announces a number at the start of `text`; `None` if there is no such word.
fn announcement(text: &str) -> Option<&str> {
    let word_end = |length: usize| text.char_indices().nth(length).map_or(text.len(), |(at, _)| at);
    let head = fold(&text[..word_end(MAX_ANNOUNCEMENT)]);
    let word = SECTION_ANNOUNCEMENTS.iter().find(|word| head.starts_with(**word))?;
    let rest = &text[word_end(word.chars().count())..];
    if rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let rest = rest.trim_start_matches(is_separator);
    let rest = ["No.", "NO.", "N°", "Nº", "No", "NO", "#"].iter().find_map(|no| rest.strip_prefix(no)).unwrap_or(rest);
    Some(rest.trim_start_matches(is_separator))
}

/// Parses the digits of a number and its suffix. A `worded` number may belong to any division.
fn digits(text: &str, worded: bool) -> Option<(Number, &str)> {
    let groups = groups(text);
    let length = |index: usize| groups.get(index).map_or(0, |group| group.end - group.start);
    let separator = |index: usize| groups.get(index).map_or("", |group| group.separator);
    let (taken, edition) = match (length(0), length(1), length(2)) {
        (6, ..) => (1, Edition::Since2004),
        (5, ..) => (1, Edition::Of1995),
        // "01-010", "03 300", but not a telephone number.
        (2, 3, third) if matches!(separator(1), " " | "-") && (third < 3 || separator(2) != separator(1)) => {
            (2, Edition::Of1995)
        }
        (2, 4, _) if matches!(separator(1), " " | "-") => (2, Edition::Since2004),
        (4, 2, _) if separator(1) == " " => (2, Edition::Since2004),
        (2, 2, 2) if separator(1) == separator(2) => (3, Edition::Since2004),
        _ => return None,
    };
    let plain: String = groups.iter().take(taken).map(|group| &text[group.start..group.end]).collect();
    let division: u8 = plain.get(..2)?.parse().ok()?;
    let last = if edition == Edition::Of1995 { 17 } else { LAST_DIVISION };
    if division > last && !worded {
        return None;
    }
    let rest = &text[groups.get(taken - 1)?.end..];
    let (suffix, rest) = rest.split_at(suffix_length(rest)?);
    let six = if edition == Edition::Of1995 { format!("{plain}0") } else { plain };
    Some((Number { six, suffix: suffix.to_owned(), edition, worded }, rest))
}

/// A group of digits.
struct Group<'a> {
    start: usize,
    end: usize,
    /// What separates it from the group before it; any white space is one space.
    separator: &'a str,
}

/// Returns up to three groups of digits that single separators join.
fn groups(text: &str) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::with_capacity(3);
    let mut at = 0;
    while groups.len() < 3 {
        let rest = &text[at..];
        let after =
            rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || "\u{A0}\u{2009}\u{202F}\u{2007}".contains(c));
        let separator = match (after.len() < rest.len(), after.chars().next()) {
            _ if groups.is_empty() => "",
            (true, _) if rest.len() - after.len() <= 6 => " ",
            (false, Some('.')) => ".",
            (false, Some('-' | '‐' | '‑' | '–' | '−')) => "-",
            _ => break,
        };
        let digits_at = match separator {
            "" => text.len() - rest.len(),
            " " => text.len() - after.len(),
            _ => text.len() - after.trim_start_matches(|c: char| ".-‐‑–−".contains(c)).len(),
        };
        let length = text[digits_at..].bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 {
            break;
        }
        at = digits_at + length;
        groups.push(Group { start: digits_at, end: at, separator });
    }
    groups
}

/// Returns where the agency of a number of the Unified Facilities Guide Specifications ends, if `rest` begins with a level-4
/// number of theirs and an agency: "26 05 19.00 10", "01 57 19.01 20".
fn agency(rest: &str) -> Option<usize> {
    let (level, after) = (rest.get(..4)?, rest.get(4..6)?);
    let is_level = level.starts_with(".0") && level.as_bytes()[2].is_ascii_digit() && level.ends_with(' ');
    let continues = rest[6..].starts_with(char::is_alphanumeric);
    (is_level && ["10", "20", "30", "40"].contains(&after) && !continues).then_some(6)
}

/// Returns the length, in bytes, of the level-4 number or the revision letter that `rest` begins with, 0 without one; `None` if
/// the digits continue into something else.
fn suffix_length(rest: &str) -> Option<usize> {
    if let Some(end) = agency(rest) {
        return Some(end);
    }
    let mut end = 0;
    for _ in 0..2 {
        let Some(tail) = rest[end..].strip_prefix('.') else { break };
        let length = tail.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let digit_in = tail.bytes().take(length).any(|byte| byte.is_ascii_digit());
        let continues = tail[length..].starts_with(char::is_alphabetic);
        if length == 0 || length > 3 || continues || !(digit_in || length == 1) {
            break;
        }
        end += 1 + length;
    }
    // A revision or building, joined by a hyphen: "08 11 13-A", "08 11 13-B2".
    if let Some(tail) = rest[end..].strip_prefix('-') {
        let letters = tail.bytes().take_while(u8::is_ascii_uppercase).count();
        let figures = tail[letters..].bytes().take_while(u8::is_ascii_digit).count();
        let length = letters + figures;
        if (1..=2).contains(&letters)
            && figures <= 2
            && !tail[length..].starts_with(|c: char| c.is_alphanumeric() || c == '-')
        {
            return Some(end + 1 + length);
        }
    }
    let mut tail = rest[end..].chars();
    match (tail.next(), tail.next()) {
        (Some(letter), after) if letter.is_ascii_uppercase() && !after.is_some_and(char::is_alphanumeric) => {
            Some(end + 1)
        }
        // A title without space before it.
        (Some(letter), Some(after)) if letter.is_uppercase() && after.is_alphabetic() => Some(end),
        (Some(next), _) if next.is_alphanumeric() => None,
        _ => Some(end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_printed_form() {
        let cases = [
            ("08 11 13 Hollow Metal Doors", "081113", "", "Hollow Metal Doors"),
            ("081113 - HOLLOW METAL", "081113", "", "HOLLOW METAL"),
            ("08 1113", "081113", "", ""),
            ("08-11-13: Doors", "081113", "", "Doors"),
            ("08.11.13 Doors", "081113", "", "Doors"),
            ("08 34 53.13 Security Doors", "083453", ".13", "Security Doors"),
            ("083453.13", "083453", ".13", ""),
            ("08 3453.13 Doors", "083453", ".13", "Doors"),
            ("09 65 19.B2 Carrelage souple", "096519", ".B2", "Carrelage souple"),
            ("08 11 13A Doors", "081113", "A", "Doors"),
            ("08 11 13-A Doors", "081113", "-A", "Doors"),
            ("SECTION BP3-08 11 13 - Doors", "081113", "", "Doors"),
            ("Section C-081113 Doors", "081113", "", "Doors"),
            ("08110 Steel Doors", "081100", "", "Steel Doors"),
            ("SECTION 08110 - STEEL DOORS", "081100", "", "STEEL DOORS"),
            ("Section 08\u{A0}11\u{A0}13 – Portes", "081113", "", "Portes"),
            ("DOCUMENT 00 41 13 BID FORM", "004113", "", "BID FORM"),
            ("UFGS-08 34 63 DETENTION DOORS", "083463", "", "DETENTION DOORS"),
            ("Sección 08 11 13 Puertas", "081113", "", "Puertas"),
            ("Section No. 081113 Doors", "081113", "", "Doors"),
            ("* 08 11 13 Doors", "081113", "", "Doors"),
            ("03 30 00 5500 PSI Concrete", "033000", "", "5500 PSI Concrete"),
            ("01-010 SUMMARY OF WORK", "010100", "", "SUMMARY OF WORK"),
            ("02-200.1 EARTHWORK", "022000", ".1", "EARTHWORK"),
            ("03 300  Cast-in-Place Concrete", "033000", "", "Cast-in-Place Concrete"),
            ("03 30 00 (03300)   Concrete", "033000", "", "Concrete"),
            ("26 05 19.00 10 LOW-VOLTAGE CABLES", "260519", ".00 10", "LOW-VOLTAGE CABLES"),
            ("01 57 19.01 20 ENVIRONMENTAL CONTROLS", "015719", ".01 20", "ENVIRONMENTAL CONTROLS"),
            ("081113HOLLOW METAL", "081113", "", "HOLLOW METAL"),
            ("SECTION 99 10 00 OWNER'S FORMS", "991000", "", "OWNER'S FORMS"),
        ];
        for (text, six, suffix, rest) in cases {
            let (number, left) = leading(text).expect(text);
            assert_eq!((number.six.as_str(), number.suffix.as_str(), left), (six, suffix, rest), "{text}");
        }
    }

    #[test]
    fn other_numbers_are_no_section_numbers() {
        for text in [
            "206 555 0142",
            "12 345 678",
            "98134-2201",
            "1234567",
            "2024-03-15",
            "A-101",
            "Sectional doors",
            "12",
            "1.01",
            "08 11",
            "98 10 12",
        ] {
            assert_eq!(leading(text), None, "{text}");
        }
    }

    #[test]
    fn a_code_joined_to_a_number_is_passed_over() {
        for (text, rest) in [("BP3-08 11 13 Doors", "08 11 13 Doors"), ("S081113", "081113"), ("A-08110", "08110")] {
            assert_eq!(without_code(text), Some(rest), "{text}");
        }
        for text in ["08 11 13", "A-101", "Doors", "W912DR-20-R-2413", "SECTION 08 11 13"] {
            assert_eq!(without_code(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_after_its_title_is_found_from_the_end() {
        let cases = [
            ("Hollow Metal Doors (08 11 13)", "Hollow Metal Doors", "081113"),
            ("Hollow Metal Doors - Section 08 11 13", "Hollow Metal Doors", "081113"),
            ("Summary of Work 01010", "Summary of Work", "010100"),
        ];
        for (text, title, six) in cases {
            let (before, number) = trailing(text).expect(text);
            assert_eq!((before, number.six.as_str()), (title, six), "{text}");
        }
    }
}
