//! The parts of a section as `SectionFormat` names them, its first article, and its end.

use fanlight_text::folding::{fold, squeeze, tidy};
use fanlight_text::words::{PART_TITLES, PARTS, SECTION_CONTENTS, SECTION_ENDS};

use crate::numbers;

/// Numerals of the parts: in figures, Roman and words.
const NUMERALS: [(&str, u8); 9] =
    [("1", 1), ("2", 2), ("3", 3), ("III", 3), ("II", 2), ("I", 1), ("ONE", 1), ("TWO", 2), ("THREE", 3)];

/// Returns the number of the part that a line begins: "PART 1 - GENERAL", "PARTIE II", "1.0 GENERAL".
pub fn part(line: &str) -> Option<u8> {
    worded_part(line).or_else(|| bare_part(line))
}

/// Returns whether a line begins the first part of a section, or its first article: "1.1 SUMMARY", "1.01 Section includes".
pub fn is_first(line: &str) -> bool {
    part(line) == Some(1) || is_first_article(line)
}

/// A longer line, in bytes, is a sentence.
const MAX_END_LENGTH: usize = 90;

/// Returns whether a line ends a section: "END OF SECTION", alone or with its number and title, "END 08 11 13" or "end of
/// S074113". The end of a section's own contents ("End of Section Table of Contents", in federal guide specifications) is none.
pub fn is_section_end(line: &str) -> bool {
    if line.len() > MAX_END_LENGTH {
        return false;
    }
    let folded = fold(line);
    let after_end = ["END OF ", "END "].iter().find_map(|word| folded.strip_prefix(word));
    let number = after_end.and_then(numbers::leading_after_code);
    // A sentence can go on with "end of" and a number.
    if number.is_some_and(|(_, rest)| rest.is_empty() || line.starts_with("END")) {
        return true;
    }
    // "End of Demolition (02 41 00)".
    if folded.starts_with("END OF ") && line.ends_with(')') && numbers::trailing(line).is_some() {
        return true;
    }
    end_phrase(line).is_some_and(|letters| !SECTION_CONTENTS.matches(&letters))
}

/// What federal guide specifications (UFGS) print over the contents of a single section, as letters without spaces.
const OWN_CONTENTS: &str = "SECTIONTABLEOFCONTENTS";

/// Returns whether a line is the heading of the contents of a single section, which are no contents of the manual.
pub fn is_section_contents(line: &str) -> bool {
    line.len() <= MAX_END_LENGTH && squeeze(line) == OWN_CONTENTS
}

/// Returns whether a line ends the contents of a single section: "-- End of Section Table of Contents --".
pub fn is_section_contents_end(line: &str) -> bool {
    end_phrase(line).is_some_and(|letters| SECTION_CONTENTS.matches(&letters))
}

/// Returns the letters of a line that says that a section, or something of it, ends.
fn end_phrase(line: &str) -> Option<String> {
    // Manuals have many thousand lines, most of them long.
    let letters = (line.len() <= MAX_END_LENGTH).then(|| squeeze(line))?;
    SECTION_ENDS.matches(&letters).then_some(letters)
}

/// Reads "PART 1 - GENERAL" and the like. A word may be joined to a figure, but not to other numerals: "PARTITIONS".
fn worded_part(line: &str) -> Option<u8> {
    let folded = fold(line);
    let rest = PARTS
        .words()
        .iter()
        .filter_map(|word| folded.strip_prefix(word))
        .find(|rest| rest.starts_with(|c: char| c == ' ' || c.is_ascii_digit()))?;
    let (numeral, number) = NUMERALS
        .iter()
        .find(|(numeral, _)| rest.trim_start().strip_prefix(numeral).is_some_and(|after| !continues(numeral, after)))?;
    let after = rest.trim_start()[numeral.len()..].trim_start();
    let is_title = after.is_empty() || after.starts_with(|c: char| c.is_ascii_uppercase() || "-.:)(".contains(c));
    is_title.then_some(*number)
}

/// Returns whether a numeral goes on with `after`: a figure with figures, other numerals with letters.
fn continues(numeral: &str, after: &str) -> bool {
    let is_figure = numeral.starts_with(|c: char| c.is_ascii_digit());
    after.starts_with(|c: char| c.is_ascii_digit() || (!is_figure && c.is_alphabetic()))
}

/// Reads a part that a figure numbers without a word: "1.0 GENERAL", "1. GENERAL", "1 General". The line holds nothing else. After
/// a stop its title is in capitals, as that of a list's item ("1. Materials") is not.
fn bare_part(line: &str) -> Option<u8> {
    let line = tidy(line);
    let number = line.bytes().next().filter(|byte| (b'1'..=b'3').contains(byte))? - b'0';
    let rest = line[1..].strip_prefix(".0").unwrap_or(&line[1..]);
    let after_stop = rest.strip_prefix(['.', ')']);
    let rest = after_stop.unwrap_or(rest);
    let title = rest.trim_start();
    let is_apart = title.len() < rest.len();
    let may_be_item = after_stop.is_some() && title.chars().any(char::is_lowercase);
    (is_apart && !may_be_item && PART_TITLES.matches(&fold(title))).then_some(number)
}

/// Reads "1.1 SUMMARY", "1.01 Section includes", "1-1 Summary".
fn is_first_article(line: &str) -> bool {
    let line = tidy(line);
    let label = ["1.01", "1-01", "1.1", "1-1"].iter().find_map(|label| line.strip_prefix(label));
    let Some(rest) = label.map(|rest| rest.strip_prefix('.').unwrap_or(rest)) else { return false };
    // OCR may lose the space before the title: "1-01Scope".
    !rest.starts_with('(') && rest.trim_start().starts_with(|c: char| c.is_ascii_uppercase() || c == '(')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_in_figures_numerals_and_words() {
        for (line, number) in [
            ("PART 1 - GENERAL", 1),
            ("PART 2", 2),
            ("Part 3 Execution", 3),
            ("PART1 GENERAL", 1),
            ("PART II – PRODUCTS", 2),
            ("PART THREE: EXECUTION", 3),
            ("PARTIE 1 GÉNÉRALITÉS", 1),
            ("PARTE 2 - PRODUCTOS", 2),
            ("1.0 GENERAL", 1),
            ("2. PRODUCTS", 2),
            ("3 EXECUTION", 3),
            ("1 General", 1),
        ] {
            assert_eq!(part(line), Some(number), "{line}");
        }
    }

    #[test]
    fn words_that_begin_like_a_part_are_none() {
        for line in
            ["PARTITIONS", "Particleboard: ANSI A208.1.", "PART IN", "PART 10", "1. Materials", "1.1 GENERAL", "PARTS"]
        {
            assert_eq!(part(line), None, "{line}");
        }
    }

    #[test]
    fn a_section_ends_with_a_phrase_or_its_number() {
        for line in [
            "END OF SECTION",
            "-- E N D   O F   S E C T I O N --",
            "END OF SECTION 08 11 13 - HOLLOW METAL DOORS",
            "End of Document",
            "END 08 11 13",
            "END OF 08 11 13",
            "End 013300",
            "end of S074113.16",
            "End of Demolition (02 41 00)",
            "FIN DE LA SECTION",
        ] {
            assert!(is_section_end(line), "{line}");
        }
        let sentence =
            "End of section properties are those of the manufacturer's published tables of sections and shapes.";
        let contents = "-- End of Section Table of Contents --";
        assert!(is_section_contents("SECTION TABLE OF CONTENTS") && is_section_contents_end(contents));
        for line in ["END CAPS", "end of 081113 work by others", "SECTION 08 11 13", contents, sentence] {
            assert!(!is_section_end(line), "{line}");
        }
    }

    #[test]
    fn the_first_article_begins_a_section() {
        for line in ["1.1 SUMMARY", "1.01  Section includes", "1-1 Summary", "PART 1 GENERAL"] {
            assert!(is_first(line), "{line}");
        }
        for line in ["1.10 CLEANING", "1.1 mm thick", "2.1 MATERIALS", "11.1 A"] {
            assert!(!is_first(line), "{line}");
        }
    }
}
