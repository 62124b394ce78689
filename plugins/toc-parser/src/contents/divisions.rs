//! Reads division headings: in figures, words or Roman numerals, in several languages, continued
//! from an earlier page or not.

use super::numbers::is_separator;
use super::titles;
use fanlight_masterformat::divisions::LAST_DIVISION;
use fanlight_text::folding::{fold, has_letters, tidy};
use fanlight_text::words::{DIVISIONS, NUMERALS, value_of};

/// A division's heading, on one line or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) division: u8,
    /// The title as printed, without page numbers and "continued". Empty if the line has none.
    pub(crate) title: String,
}

/// Returns the heading that a line is. A line about several divisions ("Divisions 34 - 49 not
/// used") is not a heading.
pub(crate) fn heading(line: &str) -> Option<Heading> {
    let line = tidy(line);
    let (word, rest) = letters(without_article(&line).trim_start_matches(|c: char| !c.is_alphanumeric()));
    if !DIVISIONS.matches(&fold(word)) {
        return None;
    }
    let rest = rest.trim_start_matches(is_separator);
    let rest = ["No.", "NO.", "N°", "Nº", "#"].iter().find_map(|no| rest.strip_prefix(no)).unwrap_or(rest).trim_start();
    let (division, rest) = number(rest)?;
    if (division > LAST_DIVISION && division != 99) || names_a_range(rest) {
        return None;
    }
    let title = titles::without_continued(rest);
    let title = title.trim_start_matches(is_separator);
    let title = titles::without_continued(title.trim_end_matches(|c: char| is_separator(c) && c != ')'));
    Some(Heading { division, title: title.trim_matches(['-', '–', '—', ' ', ':']).to_owned() })
}

/// Returns a line without the number of an article before it: `SpecLink` sets contents as a section, whose articles are the
/// divisions ("1.01 DIVISION 03 -- CONCRETE").
fn without_article(line: &str) -> &str {
    let (number, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_article = number
        .split_once('.')
        .is_some_and(|(part, article)| titles::is_figure(part, 2) && titles::is_figure(article, 2));
    if is_article { rest } else { line }
}

/// Returns the heading that a line is if it begins with the number: "08 OPENINGS", "08 - OPENINGS".
pub(crate) fn figures_first(text: &str) -> Option<Heading> {
    let figures = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(figures..)?;
    if !(1..=2).contains(&figures) || !rest.starts_with([' ', '-', '–', '—', ':', '.']) || text.len() > 80 {
        return None;
    }
    let found = heading(&format!("DIVISION {text}"))?;
    (has_letters(&found.title, 4) && !found.title.starts_with(|c: char| c.is_ascii_digit())).then_some(found)
}

/// Returns whether the text after a number names more divisions: "- 49", "thru 16", "to 49", "and
/// 17", ", 18".
fn names_a_range(rest: &str) -> bool {
    let rest = fold(rest);
    let after = rest.trim_start_matches([' ', '-', ',', '&']);
    let after = ["THROUGH ", "THRU ", "TO ", "AND ", "A ", "AU ", "ET ", "Y "]
        .iter()
        .find_map(|word| after.strip_prefix(word).filter(|left| left.starts_with(|c: char| c.is_ascii_digit())))
        .unwrap_or(after);
    let after = after.strip_prefix("DIVISION ").unwrap_or(after);
    let figures = after.bytes().take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&figures)
        && after[figures..].trim_start_matches([' ', '-', ':']).chars().next().is_none_or(|c| !c.is_alphabetic())
        || (1..=2).contains(&figures) && titles::is_unused(&after[figures..])
}

/// Returns the number of a division at the start of `text`, and the rest.
fn number(text: &str) -> Option<(u8, &str)> {
    let figures = text.bytes().take_while(u8::is_ascii_digit).count();
    if figures > 0 {
        return in_figures(text, figures);
    }
    in_words(text).or_else(|| in_roman(text))
}

fn in_figures(text: &str, figures: usize) -> Option<(u8, &str)> {
    let mut rest = &text[figures..];
    if rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let division = match figures {
        1 | 2 => text[..figures].parse().ok()?,
        // "DIVISION 08000" and "DIVISION 080000".
        5 | 6 if text[2..figures].bytes().all(|byte| byte == b'0') => text[..2].parse().ok()?,
        _ => return None,
    };
    if figures == 2 {
        for zeros in [" 00 00", " 0000", ".00.00", "-00-00"] {
            rest = rest.strip_prefix(zeros).unwrap_or(rest);
        }
    }
    Some((division, rest))
}

fn in_words(text: &str) -> Option<(u8, &str)> {
    let (first, rest) = letters(text);
    let first = fold(first);
    let value = numeral(&first)?;
    if value >= 20 && value % 10 == 0 {
        let joined = rest.trim_start_matches([' ', '-', '‐', '‑']);
        let spaced_dash = rest.trim_start_matches(' ').starts_with(['-', '–', '—']) && rest.starts_with(' ');
        let (second, after) = letters(joined);
        let second = fold(second);
        let (second, after) = match second.as_str() {
            "ET" | "Y" | "E" | "AND" => {
                let (third, after) = letters(after.trim_start_matches([' ', '-']));
                (fold(third), after)
            }
            _ => (second, after),
        };
        let unit = numeral(&second).filter(|unit| (1..20).contains(unit) && !spaced_dash);
        return Some(unit.map_or((value, rest), |unit| (value + unit, after)));
    }
    // French builds 17 to 19 from ten and a unit.
    if value == 10 {
        let (second, after) = letters(rest.trim_start_matches(['-', '‐', '‑']));
        let added = numeral(&fold(second)).filter(|unit| (7..10).contains(unit) && first == "DIX");
        return Some(added.map_or((10, rest), |unit| (10 + unit, after)));
    }
    Some((value, rest))
}

/// Returns the value of a number in one folded word.
fn numeral(word: &str) -> Option<u8> {
    value_of(&NUMERALS, word)?.parse().ok()
}

fn in_roman(text: &str) -> Option<(u8, &str)> {
    let (word, rest) = letters(text);
    if word.is_empty() || word.len() > 7 {
        return None;
    }
    let mut total = 0_i32;
    let mut before = 0_i32;
    for letter in word.chars().rev() {
        let value = match letter {
            'I' => 1,
            'V' => 5,
            'X' => 10,
            'L' => 50,
            _ => return None,
        };
        total += if value < before { -value } else { value };
        before = before.max(value);
    }
    Some((u8::try_from(total).ok().filter(|value| *value <= LAST_DIVISION)?, rest))
}

/// Splits `text` after the letters that it starts with.
fn letters(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_in_figures_words_and_numerals_are_read() {
        let cases = [
            ("DIVISION 08 - OPENINGS", 8, "OPENINGS"),
            ("Division 8 Doors and Windows", 8, "Doors and Windows"),
            ("DIVISION 08", 8, ""),
            ("DIV. 8: OPENINGS", 8, "OPENINGS"),
            ("DIVISION 08 00 00 – OPENINGS", 8, "OPENINGS"),
            ("DIVISION EIGHT - DOORWAYS", 8, "DOORWAYS"),
            ("DIVISION TWENTY-TWO - DRAINAGE", 22, "DRAINAGE"),
            ("Division Thirty Two Gardens and Paths", 32, "Gardens and Paths"),
            ("DIVISION TWENTY - RESERVED", 20, "RESERVED"),
            ("DIV. SEVEN (CONT.) - ROOFING", 7, "ROOFING"),
            ("DIVISION 09 - FINISHES (continued)", 9, "FINISHES"),
            ("DIVISION 12 – MEUBLES ET TENTURES (suite)", 12, "MEUBLES ET TENTURES"),
            ("DIVISION VINGT-TROIS – CHAUFFAGE", 23, "CHAUFFAGE"),
            ("DIVISION DIX-SEPT", 17, ""),
            ("DIVISIÓN VEINTIDÓS - PLOMERÍA", 22, "PLOMERÍA"),
            ("División 26 Electricidad", 26, "Electricidad"),
            ("DIVISÃO QUARENTA E UM - X", 41, "X"),
            ("DIVISION XVI - ELECTRICAL", 16, "ELECTRICAL"),
            ("DIVISION ZERO - TENDERING AND", 0, "TENDERING AND"),
            ("10.01  DIVISION 10 -- SPECIALTIES", 10, "SPECIALTIES"),
        ];
        for (line, division, title) in cases {
            assert_eq!(heading(line), Some(Heading { division, title: title.to_owned() }), "{line}");
        }
    }

    #[test]
    fn other_lines_are_not_headings() {
        for line in
            ["DIVISIONS 34 - 49 NOT USED", "DIVISION 17 THRU 20 - RESERVED", "1.02 DIVISION OF WORK", "Openings", ""]
        {
            assert_eq!(heading(line), None, "{line}");
        }
    }
}
