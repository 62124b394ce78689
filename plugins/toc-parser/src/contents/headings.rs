//! Classifies lines that are neither sections nor divisions by what they announce.

use super::titles;
use fanlight_masterformat::{numbers, parts};
use fanlight_text::folding::{fold, squeeze};
use fanlight_text::words;

/// What a line announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    /// The table of contents itself: "Table of Contents", "Table des matières".
    Contents,
    /// The end of the table of contents: "End of Table of Contents".
    ContentsEnd,
    /// A volume. Each volume may have its own table of contents.
    Volume,
    /// A list whose lines are no sections, after the sections in a manual's contents: drawings,
    /// appendices, reports.
    Foreign,
    /// The body of a section.
    Body,
    /// "PART 1 - GENERAL": a section's body, or contents that list the parts of each section.
    Part,
    /// "1.01 SUMMARY": a section's body, or contents that list the articles of each part.
    Article,
    /// Nothing known.
    Plain,
}

/// Returns what a line announces.
pub(crate) fn kind(line: &str) -> LineKind {
    let folded = fold(line);
    let folded = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    match () {
        () if parts::is_section_end(folded) => LineKind::Body,
        () if parts::part(line).is_some() => LineKind::Part,
        () if is_article(folded) => LineKind::Article,
        () if folded.chars().count() > 90 => LineKind::Plain,
        () if words::CONTENTS_ENDS.matches(&squeeze(folded)) => LineKind::ContentsEnd,
        () if is_contents(line) => LineKind::Contents,
        () if words::FOREIGN_LISTS.matches(folded) => LineKind::Foreign,
        () if words::VOLUMES.matches(folded) => LineKind::Volume,
        () => LineKind::Plain,
    }
}

/// Returns whether a text is the heading or title of a table of contents.
pub(crate) fn is_contents(text: &str) -> bool {
    let text = numbers::leading(text).map_or(text, |(_, rest)| rest);
    let letters = squeeze(titles::without_continued(text));
    let letters = letters.trim_end_matches(|c: char| c.is_ascii_digit());
    let lists = words::CONTENTS_LISTS.words();
    let names_a_list = lists.iter().any(|list| letters.starts_with(list) || letters.ends_with(list));
    words::CONTENTS_HEADINGS.matches(letters)
        || (letters.len() <= 60 && words::CONTENTS_WITHIN_HEADINGS.matches(letters))
        || (letters.len() <= 40 && names_a_list && words::CONTENTS_LISTED.matches(letters))
}

/// Returns whether a folded line begins an article: "1.1 SUMMARY", "1.01 Section includes".
fn is_article(folded: &str) -> bool {
    let Some((part, rest)) = folded.split_once('.') else { return false };
    let figures = rest.bytes().take_while(u8::is_ascii_digit).count();
    matches!(part, "1" | "2" | "3") && (1..=2).contains(&figures) && rest[figures..].starts_with([' ', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_classified_by_what_they_announce() {
        let cases = [
            ("TABLE OF CONTENTS", LineKind::Contents),
            ("T A B L E  O F  C O N T E N T S", LineKind::Contents),
            ("SECTION 00 01 10 - TABLE OF CONTENTS", LineKind::Contents),
            ("-- End of Project Table of Contents --", LineKind::ContentsEnd),
            ("TABLE DES MATIÈRES", LineKind::Contents),
            ("INDEX OF SPECIFICATIONS", LineKind::Contents),
            ("SPECIFICATIONS INDEX", LineKind::Contents),
            ("LIST OF SECTIONS", LineKind::Contents),
            ("INDEX DU DEVIS", LineKind::Contents),
            ("ÍNDICE DE ESPECIFICACIONES", LineKind::Contents),
            ("SECTION 08 71 00 - DOOR HARDWARE", LineKind::Plain),
            ("PROJECT MANUAL TABLE OF CONTENTS (CONT.)", LineKind::Contents),
            ("LIST OF DRAWINGS (in a roll of their own, issued 06 02 21)", LineKind::Foreign),
            ("LISTE DES DESSINS", LineKind::Foreign),
            ("ANNEXES", LineKind::Foreign),
            ("SCHEDULE OF SECTIONS", LineKind::Contents),
            ("APPENDIX A - GEOTECHNICAL REPORT", LineKind::Foreign),
            ("VOLUME 2", LineKind::Volume),
            ("PART 1 - GENERAL", LineKind::Part),
            ("1.01 SECTION INCLUDES", LineKind::Article),
            ("END OF SECTION 08 11 13", LineKind::Body),
            ("Facility Services Subgroup", LineKind::Plain),
        ];
        for (line, wanted) in cases {
            assert_eq!(kind(line), wanted, "{line}");
        }
    }
}
