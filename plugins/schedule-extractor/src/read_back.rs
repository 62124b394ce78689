//! Checks a suspicious text layer: a sample of a table's cells is rendered and read by OCR.
//!
//! Fonts with shifted or missing character codes draw correct glyphs over wrong text. Reading every
//! table back would take longer than extracting it. Only suspicious tables are checked: with glyphs
//! without a character, characters that are unusual in schedules, or headers with a missing letter.
//! The thresholds of this file were chosen by hand.

use fanlight_contract::PageText;
use fanlight_tables::{Grid, corrected_header_word, is_column_header, words_of};

use crate::MIN_CONFIDENCE;
use crate::pixels::{self, TableImage};
use crate::sheet::Sheet;

/// Maximum number of tables of a page that are read back. Bounds the time.
pub(crate) const MAX_TABLES: usize = 2;
/// Maximum number of cells in a sample. Bounds the time.
const MAX_SAMPLE: usize = 14;
/// Minimum number of cells in a sample, and of words that OCR reads in it.
const MIN_SAMPLE: usize = 5;
/// Minimum length of a text in the sample, in characters.
const MIN_LENGTH: usize = 3;
/// Minimum share of glyphs without a character in the suspicious text of a page.
const MIN_UNMAPPED: f32 = 0.02;
/// A text with a greater share of unusual characters is suspicious.
const MAX_UNUSUAL: f32 = 0.08;
/// The same for a table with unknown headers.
const MAX_UNUSUAL_WITHOUT_HEADERS: f32 = 0.01;
/// Minimum number of headers with a missing letter in suspicious text.
const MIN_MISSPELT: usize = 2;
/// The first rows, which may hold headers.
const HEADER_ROWS: usize = 4;
/// Maximum number of words of a header.
const MAX_HEADER_WORDS: usize = 4;
/// Minimum number of columns of a table that has headers, whatever it lists.
const MIN_COLUMNS: usize = 4;
/// Minimum number of rows of such a table.
const MIN_ROWS: usize = 5;
/// Minimum share of filled cells of such a table.
const MIN_FILLED: f32 = 0.5;
/// At least one in this many texts of a table's first rows is a known header; single letters match by chance.
const TEXTS_PER_KNOWN_HEADER: usize = 8;
/// Minimum share of their characters, in order, that two texts have in common if they are equal apart from mistakes of OCR.
const MIN_COMMON: f32 = 0.9;
/// Characters of a text that are compared at most. Bounds the time.
const MAX_COMPARED: usize = 60;
/// Minimum share of the sample that agrees with OCR if the text layer is right.
const MIN_CONFIRMED: f32 = 0.5;
/// The usual signs of schedules beside letters and digits.
const PLAIN: &str = " -–—'’\"”“./,&#()+:%°*=×½¼¾⅛⅜⅝⅞±≥≤●○•\u{a0}\u{fffd}";

/// Returns whether fonts of a page give no character for some of their glyphs.
pub(crate) fn drops_glyphs(text: &PageText) -> bool {
    let glyphs = text.runs.iter().map(|run| run.lengths.len()).sum::<usize>();
    let unmapped = text.runs.iter().flat_map(|run| &run.lengths).filter(|&&length| length == 0).count();
    unmapped > 0 && unmapped as f32 >= MIN_UNMAPPED * glyphs as f32
}

/// Returns whether a grid's text looks as if its font drew something else: it has unusual characters, or its headers lack letters
/// or are unknown.
pub(crate) fn is_suspicious(grid: &Grid) -> bool {
    let filled = grid.cells.iter().filter(|cell| !cell.is_blank());
    let texts: Vec<RowText> = filled.map(|cell| RowText { row: cell.row, text: cell.text() }).collect();
    let unusual = unusual_share(&texts);
    if unusual > MAX_UNUSUAL {
        return true;
    }
    let is_filled = texts.len() as f32 >= MIN_FILLED * grid.cells.len() as f32;
    let has_headers = grid.width() >= MIN_COLUMNS && grid.height() >= MIN_ROWS && is_filled;
    has_headers && has_wrong_headers(&texts, unusual > MAX_UNUSUAL_WITHOUT_HEADERS)
}

/// The text of a cell.
struct RowText {
    row: usize,
    text: String,
}

/// Returns the share of characters that are unusual in schedules.
fn unusual_share(texts: &[RowText]) -> f32 {
    let characters = || texts.iter().flat_map(|own| own.text.chars());
    let unusual = characters().filter(|c| !c.is_alphanumeric() && !PLAIN.contains(*c)).count();
    unusual as f32 / characters().count().max(1) as f32
}

/// Returns whether headers lack letters, or are hardly known in a table that also `is_unusual`.
fn has_wrong_headers(texts: &[RowText], is_unusual: bool) -> bool {
    let headers = texts.iter().filter(|own| own.row < HEADER_ROWS).map(|own| words_of(&own.text));
    let headers: Vec<Vec<String>> = headers.filter(|words| words.len() <= MAX_HEADER_WORDS).collect();
    let misspelt = headers.iter().flatten().filter(|word| corrected_header_word(word).is_some()).count();
    let known = headers.iter().filter(|words| is_column_header(&words.join(" "))).count();
    (misspelt >= MIN_MISSPELT && misspelt > known) || (is_unusual && TEXTS_PER_KNOWN_HEADER * known < headers.len())
}

/// Returns whether a sample of a grid's cells agrees with OCR. `None` if OCR is not available. If OCR is uncertain itself, the
/// text counts as confirmed.
pub(crate) fn is_confirmed(sheet: &Sheet<'_>, image: &TableImage, grid: &Grid) -> Option<bool> {
    let sample = sample(grid);
    if sample.len() < MIN_SAMPLE {
        return Some(true);
    }
    let mut read = grid.clone();
    let ocr = pixels::read(sheet, image, &mut read, &sample)?;
    if ocr.confidence < MIN_CONFIDENCE * ocr.words as f32 || ocr.words < MIN_SAMPLE {
        return Some(true);
    }
    let pairs = sample.iter().map(|&index| (&grid.cells[index], &read.cells[index]));
    let confirmed = pairs.filter(|(own, read)| are_alike(&folded(&own.text()), &folded(&read.text()))).count();
    Some(confirmed as f32 >= MIN_CONFIRMED * sample.len() as f32)
}

/// Returns the indices of some cells with text, from all parts of a grid.
fn sample(grid: &Grid) -> Vec<usize> {
    let is_long = |index: &usize| folded(&grid.cells[*index].text()).chars().count() >= MIN_LENGTH;
    let long: Vec<usize> = (0..grid.cells.len()).filter(is_long).collect();
    let step = long.len().div_ceil(MAX_SAMPLE).max(1);
    long.into_iter().step_by(step).collect()
}

/// Returns a text in upper case without spaces.
fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect()
}

/// Returns whether two texts have most of their characters in common, in the same order (longest
/// common subsequence).
fn are_alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.chars().take(MAX_COMPARED).collect(), b.chars().take(MAX_COMPARED).collect());
    let mut common = vec![0_usize; b.len() + 1];
    for &left in &a {
        let mut before = 0;
        for (index, &right) in b.iter().enumerate() {
            let here = common[index + 1];
            common[index + 1] = if left == right { before + 1 } else { here.max(common[index]) };
            before = here;
        }
    }
    2.0 * common[b.len()] as f32 >= MIN_COMMON * (a.len() + b.len()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_few_different_letters_are_alike() {
        let cases = [
            ("READINGROOM", "READINGRO0M", true),
            ("HM", "HM", true),
            ("REMARKS", "SFNBSLT", false),
            ("DOORNO.", "DRN", false),
            ("", "LOBBY", false),
        ];
        for (a, b, expected) in cases {
            assert_eq!(are_alike(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn shifted_characters_are_unusual() {
        let share = |text: &str| unusual_share(&[RowText { row: 0, text: text.to_owned() }]);
        assert_eq!(share("3'-0\" × 7'-0\""), 0.0);
        assert_eq!(share("<;>?"), 1.0);
    }

    #[test]
    fn headers_without_a_letter_are_wrong() {
        let texts = |words: &[&str]| -> Vec<RowText> {
            words.iter().map(|word| RowText { row: 0, text: (*word).to_owned() }).collect()
        };
        assert!(has_wrong_headers(&texts(&["FINSH", "REMRKS", "WDTH"]), false));
        assert!(!has_wrong_headers(&texts(&["FINISH", "REMARKS", "WIDTH"]), false));
        assert!(has_wrong_headers(&texts(&["ZQX", "KJV"]), true), "none is known");
    }
}
