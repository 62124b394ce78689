//! The labels in the small print of title blocks, in the languages that [`crate::drawing_type`]
//! reads and some more.

use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words::{
    LABEL_DATE, LABEL_NUMBER, LABEL_OTHER, LABEL_PROJECT, LABEL_SCALE, LABEL_TITLE, NO_SCALE_LABELS,
};

use crate::words::{fold, squeeze};

/// What a label announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    /// The sheet's number.
    Number,
    /// The sheet's title.
    Title,
    /// The project's name.
    Project,
    /// A date.
    Date,
    /// A scale.
    Scale,
    /// Something else: a person, or a number of another kind.
    Other,
}

/// Returns the label that a text is, apart from punctuation.
pub(crate) fn read(text: &str) -> Option<Label> {
    let letters = squeeze(text);
    let labels: [(Label, &Vocabulary); 6] = [
        (Label::Number, &LABEL_NUMBER),
        (Label::Title, &LABEL_TITLE),
        (Label::Project, &LABEL_PROJECT),
        (Label::Date, &LABEL_DATE),
        (Label::Scale, &LABEL_SCALE),
        (Label::Other, &LABEL_OTHER),
    ];
    labels.into_iter().find(|(_, words)| words.matches(&letters)).map(|(label, _)| label)
}

/// Returns a label and the value after its colon in one text: "SHEET TITLE: ROOF PLAN". What is before the label's last word
/// may be anything: "Created by: N.N. TITLE: ROOF PLAN".
pub(crate) fn with_value(text: &str) -> Option<(Label, &str)> {
    let (before, value) = text.split_once(':')?;
    let value = value.trim();
    if let Some(label) = read(before).filter(|_| !value.is_empty()) {
        return Some((label, value));
    }
    let (before, value) = text.rsplit_once(':')?;
    let value = value.trim();
    let label = before.split_whitespace().next_back().and_then(read).filter(|label| *label != Label::Other)?;
    Some((label, value)).filter(|_| !value.is_empty())
}

/// Returns whether a text is a scale: `1/4" = 1'-0"`, "1 : 100", "SCALE: AS NOTED".
pub(crate) fn is_scale(text: &str) -> bool {
    let (text, worded) = match with_value(text) {
        Some((Label::Scale, value)) => (value, true),
        _ => (text, false),
    };
    let folded = fold(text).replace(' ', "");
    let folded = folded.trim_start_matches(char::is_alphabetic).trim_start_matches([':', '(', '.']);
    if NO_SCALE_LABELS.matches(&squeeze(text)) {
        return true;
    }
    if let Some((inches, feet)) = folded.split_once('=') {
        return inches.contains('"') && feet.starts_with(|c: char| c.is_ascii_digit());
    }
    let Some((one, many)) = folded.split_once(':') else { return false };
    let digits: String = many.chars().take_while(char::is_ascii_digit).collect();
    one == "1" && (worded || !digits.is_empty()) && digits.len() <= 5 && many.len() <= digits.len() + 3
}

/// The most words of a scale: `1/4" = 1'-0"`, "1 : 100".
const SCALE_WORDS: usize = 3;

/// Returns a text without the scale at its end and the word for it: "Section A-A scala 1:50". A text that is only a scale is
/// returned as it is.
pub(crate) fn without_scale(text: &str) -> &str {
    let ends = text.char_indices().rev().filter(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8());
    let Some(cut) = ends.take(SCALE_WORDS).find(|start| is_ratio(&text[*start..])) else { return text };
    let before = text[..cut].trim_end_matches(is_joint);
    let space = before.char_indices().rev().find(|(_, c)| c.is_whitespace());
    let word = space.map_or(0, |(at, c)| at + c.len_utf8());
    let is_label = LABEL_SCALE.matches(&squeeze(&before[word..]));
    let title = if is_label { before[..word].trim_end_matches(is_joint) } else { before };
    if title.chars().any(char::is_alphabetic) { title } else { text }
}

/// Returns whether a text is a scale that begins with a figure.
fn is_ratio(text: &str) -> bool {
    let bare = text.trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    bare.starts_with(|c: char| c.is_ascii_digit()) && bare.contains([':', '=']) && is_scale(bare)
}

/// Returns whether a character may stand between a title and its scale.
fn is_joint(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '–' | ',' | ':' | ';' | '.' | '(' | '[' | '|')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_many_languages_are_known() {
        for (text, expected) in [
            ("SHEET NO.", Some(Label::Number)),
            ("N° DE PLAN", Some(Label::Number)),
            ("PLANO Nº", Some(Label::Number)),
            ("Drawing Title:", Some(Label::Title)),
            ("Planinhalt", Some(Label::Title)),
            ("ÖLÇEK", Some(Label::Scale)),
            ("Maßstab", Some(Label::Scale)),
            ("PROJECT NO.", Some(Label::Other)),
            ("ROOF PLAN", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(with_value("SHEET TITLE: ROOF PLAN"), Some((Label::Title, "ROOF PLAN")));
        assert_eq!(with_value("NOTE: SEE PLAN"), None);
    }

    #[test]
    fn the_scale_at_the_end_of_a_title_is_no_part_of_it() {
        for (text, title) in [
            ("PLAN ETAGE 02 1:200", "PLAN ETAGE 02"),
            ("Sezione A-A scala 1:50", "Sezione A-A"),
            ("Pianta - scala 1 : 5", "Pianta"),
            ("ROOF PLAN 1/8\" = 1'-0\"", "ROOF PLAN"),
            ("GROUND FLOOR PLAN (1:100)", "GROUND FLOOR PLAN"),
            ("ROOF PLAN\u{a0}SCALE 1:100", "ROOF PLAN"),
            ("1:100", "1:100"),
            ("ELEVATION SE", "ELEVATION SE"),
            ("DETAIL 5", "DETAIL 5"),
        ] {
            assert_eq!(without_scale(text), title);
        }
    }

    #[test]
    fn scales_differ_from_other_ratios() {
        for text in [
            "1/8\" = 1'-0\"",
            "SCALE: 1/4\"=1'-0\"",
            "1 : 100",
            "SCALE 1:50",
            "N.T.S.",
            "Scale: AS NOTED",
            "1:125 @ A3",
        ] {
            assert!(is_scale(text), "{text}");
        }
        for text in ["ROOF PLAN", "3:15 PM", "W = 12", "2 : 1 SLOPE", "NOTE: 5"] {
            assert!(!is_scale(text), "{text}");
        }
    }
}
