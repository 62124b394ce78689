//! Recognizes the headers of columns, whatever the table lists.

use fanlight_text::folding::without_accent;
use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words::{NOT_TABLE_HEADINGS, TABLE_HEADINGS, TABLE_TITLES};

/// Returns a word in upper case without accents, and without punctuation at its ends.
pub fn folded(word: &str) -> String {
    letters(word).collect()
}

/// Returns the letters of a word as [`folded`] has them.
pub(crate) fn letters(word: &str) -> impl DoubleEndedIterator<Item = char> {
    let plain = word.trim_matches(['.', ',', ':', ';', '(', ')', '*']);
    plain.chars().flat_map(char::to_uppercase).map(|c| if c == '’' { '\'' } else { without_accent(c) })
}

/// Returns whether a word, folded, is in a vocabulary without patterns. Compares letter by letter, without a copy.
pub(crate) fn is_in(word: &str, known: &Vocabulary) -> bool {
    known.contains_by(|own| own.chars().cmp(letters(word)))
}

/// Returns the parts of a text between spaces, slashes, brackets and hyphens.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let parts_words = |c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | '[' | ']' | '&' | ',' | '-');
    text.split(parts_words).filter(|part| !part.is_empty())
}

/// Returns the [`folded`] words of a text, split at spaces, slashes, brackets and hyphens.
pub fn words(text: &str) -> Vec<String> {
    parts(text).map(folded).filter(|word| !word.is_empty()).collect()
}

/// Maximum number of words of a column header; longer texts are remarks.
const MAX_HEADER_WORDS: usize = 8;
/// Minimum length of a word that is corrected: shorter words are near to several.
const MIN_CORRECTED: usize = 4;

/// Returns whether a text is the header of a column: at least half of its words are such words, and it is not long.
pub fn is_column_header(text: &str) -> bool {
    let words = words(text);
    let known = words.iter().filter(|word| TABLE_HEADINGS.matches(word)).count();
    !words.is_empty() && words.len() <= MAX_HEADER_WORDS && 2 * known >= words.len()
}

/// Returns whether texts are headers of columns: half of them or more are by their words, and a quarter or less have figures.
pub(crate) fn are_headers(texts: &[String]) -> bool {
    let known = texts.iter().filter(|text| is_column_header(text)).count();
    let with_figure = texts.iter().filter(|text| text.contains(|c: char| c.is_ascii_digit())).count();
    known > 0 && 2 * known >= texts.len() && 4 * with_figure <= texts.len()
}

/// Returns the only word of headers or titles at edit distance 1 from a word that OCR read. `None` if the word is itself known,
/// is short, or is near to several.
pub fn corrected_header_word(word: &str) -> Option<&'static str> {
    let own: Vec<char> = folded(word).chars().collect();
    if own.len() < MIN_CORRECTED || own.iter().any(char::is_ascii_digit) {
        return None;
    }
    let folded: String = own.iter().collect();
    if [&TABLE_HEADINGS, &TABLE_TITLES, &NOT_TABLE_HEADINGS].iter().any(|known| known.matches(&folded)) {
        return None;
    }
    let known = TABLE_HEADINGS.words().iter().chain(TABLE_TITLES.words()).copied();
    let mut near = known.filter(|known| is_one_edit_away(&own, known));
    let first = near.next()?;
    near.all(|other| other == first).then_some(first)
}

/// Returns whether the edit distance of two words is at most 1.
fn is_one_edit_away(word: &[char], known: &str) -> bool {
    let known: Vec<char> = known.chars().collect();
    if word.len().abs_diff(known.len()) > 1 {
        return false;
    }
    let start = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let end = word.iter().rev().zip(known.iter().rev()).take_while(|(a, b)| a == b).count();
    start + end + 1 >= word.len().max(known.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_header_words_without_figures_are_headers() {
        let cases: [(&[&str], bool); 5] = [
            (&["NO.", "WIDTH", "HEIGHT"], true),
            (&["NO.", "WIDTH", "FOO", "BAR"], true),
            (&["FOO", "BAR", "WIDTH"], false),
            (&["NO.", "WIDTH", "900"], false),
            (&["1A", "1", "MECHANICAL ROOM", "No", "H"], false),
        ];
        for (texts, expected) in cases {
            let owned: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(are_headers(&owned), expected, "{texts:?}");
        }
    }

    #[test]
    fn misread_letter_is_corrected() {
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
            assert_eq!(corrected_header_word(word), expected, "{word}");
        }
    }

    #[test]
    fn headers_are_distinguished_from_cells() {
        for header in ["DOOR NO.", "Mark", "FRAME TYPE", "MAT'L", "Höhe", "REMARKS / CODE", "FIN. OPNG HGT (MM)"] {
            assert!(is_column_header(header), "{header}");
        }
        for cell in ["101A", "3'-0\" x 7'-0\"", "HOLLOW METAL", "PAINT", "", "-", "LOBBY 101"] {
            assert!(!is_column_header(cell), "{cell}");
        }
    }
}
