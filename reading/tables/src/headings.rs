//! Words that head columns, whatever the table lists.

use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words::{NOT_TABLE_HEADINGS, TABLE_HEADINGS, TABLE_TITLES};

/// Upper case, without accents and without the points and colons at its ends.
pub fn folded(word: &str) -> String {
    letters(word).collect()
}

/// The letters of a word as [`folded`] has them.
pub(crate) fn letters(word: &str) -> impl DoubleEndedIterator<Item = char> {
    let plain = word.trim_matches(['.', ',', ':', ';', '(', ')', '*']);
    plain.chars().flat_map(char::to_uppercase).map(|c| match c {
        'À'..='Å' => 'A',
        'È'..='Ë' => 'E',
        'Ì'..='Ï' => 'I',
        'Ò'..='Ö' => 'O',
        'Ù'..='Ü' => 'U',
        'Ç' => 'C',
        'Ñ' => 'N',
        '’' => '\'',
        other => other,
    })
}

/// Returns whether a word, folded, is in a vocabulary without patterns. Compares letter by letter, without a copy.
pub(crate) fn is_in(word: &str, known: &Vocabulary) -> bool {
    known.contains_by(|own| own.chars().cmp(letters(word)))
}

/// The parts of a text between spaces, slashes and brackets.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts_words = |c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | '[' | ']' | '&' | ',' | '-');
    text.split(parts_words).filter(|part| !part.is_empty())
}

/// The words of a text, parted at spaces, slashes and brackets, folded.
pub fn words(text: &str) -> Vec<String> {
    parts(text).map(folded).filter(|word| !word.is_empty()).collect()
}

/// Whether a text reads as the head of a column: more than half of its words are such words, and it isn't long.
pub fn heads_a_column(text: &str) -> bool {
    let words = words(text);
    let known = words.iter().filter(|word| TABLE_HEADINGS.matches(word)).count();
    !words.is_empty() && words.len() <= 8 && 2 * known >= words.len()
}

/// A heading word or title word that a word is but for one letter: what OCR makes of lettering. None where it is none, is
/// one as it stands, is short, or could be several.
pub fn nearly_a_head(word: &str) -> Option<&'static str> {
    let own: Vec<char> = folded(word).chars().collect();
    if own.len() < SHORTEST_GUESS || own.iter().any(char::is_ascii_digit) {
        return None;
    }
    let as_it_stands: String = own.iter().collect();
    if [&TABLE_HEADINGS, &TABLE_TITLES, &NOT_TABLE_HEADINGS].iter().any(|known| known.matches(&as_it_stands)) {
        return None;
    }
    let known = TABLE_HEADINGS.words().iter().chain(TABLE_TITLES.words()).copied();
    let mut near = known.filter(|head| one_off(&own, head));
    let first = near.next()?;
    near.all(|other| other == first).then_some(first)
}

/// Shorter words are too many letters' guess.
const SHORTEST_GUESS: usize = 4;

/// Whether two words differ in one letter, or one of them has one more.
fn one_off(word: &[char], head: &str) -> bool {
    let head: Vec<char> = head.chars().collect();
    if word.len().abs_diff(head.len()) > 1 {
        return false;
    }
    let start = word.iter().zip(&head).take_while(|(a, b)| a == b).count();
    let end = word.iter().rev().zip(head.iter().rev()).take_while(|(a, b)| a == b).count();
    start + end + 1 >= word.len().max(head.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_was_misread_is_put_right() {
        let cases = [
            ("SCHEDLLE", Some("SCHEDULE")),
            ("FIN1SH", None),
            ("FINISA", Some("FINISH")),
            ("CEILNG", Some("CEILING")),
            ("FINISH", None),
            ("PAINT", None),
            ("BSE", None),
            ("DATE", None),
        ];
        for (word, expected) in cases {
            assert_eq!(nearly_a_head(word), expected, "{word}");
        }
    }

    #[test]
    fn heads_are_told_from_what_stands_below_them() {
        for head in ["DOOR NO.", "Mark", "FRAME TYPE", "MAT'L", "Höhe", "REMARKS / CODE", "FIN. OPNG HGT (MM)"] {
            assert!(heads_a_column(head), "{head}");
        }
        for cell in ["101A", "3'-0\" x 7'-0\"", "HOLLOW METAL", "PAINT", "", "-", "LOBBY 101"] {
            assert!(!heads_a_column(cell), "{cell}");
        }
    }
}
