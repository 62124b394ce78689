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

/// The most tables of a page that are read back.
pub(crate) const MAX_TABLES: usize = 2;
/// The number of cells in a sample.
const SAMPLE: usize = 14;
/// A smaller sample says nothing.
const MIN_SAMPLE: usize = 5;
/// Shorter texts, in characters, say little.
const MIN_LENGTH: usize = 3;
/// The share of glyphs without a character from which a page's text is suspicious.
const MUTE: f32 = 0.02;
/// The share of unusual characters from which a text is suspicious.
const STRANGE: f32 = 0.08;
/// The same for a table with unknown headers.
const ODD: f32 = 0.01;
/// The number of headers with a missing letter from which all text is suspicious.
const MISSPELT: usize = 2;
/// The rows that may hold headers, and the most words of a header.
const HEAD_ROWS: usize = 4;
const HEAD_WORDS: usize = 4;
/// A table with this many columns, rows and share of filled cells has headers, whatever it lists.
const TABLE: (usize, usize, f32) = (4, 5, 0.5);
/// One in this many texts of a table's first rows is a known header; single letters match by
/// chance.
const KNOWN: usize = 8;
/// Two texts with this share of their characters in common, in order, are equal apart from mistakes
/// of OCR.
const ALIKE: f32 = 0.9;
/// The text layer is wrong if a smaller share of the sample agrees with OCR.
const MIN_CONFIRMED: f32 = 0.5;
/// The usual signs of schedules beside letters and digits.
const PLAIN: &str = " -–—'’\"”“./,&#()+:%°*=×½¼¾⅛⅜⅝⅞±≥≤●○•\u{a0}\u{fffd}";

/// Returns whether fonts of a page give no character for some of their glyphs.
pub(crate) fn drops_glyphs(text: &PageText) -> bool {
    let glyphs = text.runs.iter().map(|run| run.lengths.len()).sum::<usize>();
    let mute = text.runs.iter().flat_map(|run| &run.lengths).filter(|&&length| length == 0).count();
    mute > 0 && mute as f32 >= MUTE * glyphs as f32
}

/// Returns whether a grid's text looks as if its font drew something else.
pub(crate) fn is_suspicious(grid: &Grid) -> bool {
    let texts: Vec<(usize, String)> =
        grid.cells.iter().filter(|cell| !cell.is_blank()).map(|cell| (cell.row, cell.text())).collect();
    let characters = texts.iter().map(|(_, text)| text.chars().count()).sum::<usize>().max(1);
    let is_strange = |c: &char| !c.is_alphanumeric() && !PLAIN.contains(*c);
    let strange = texts.iter().map(|(_, text)| text.chars().filter(is_strange).count()).sum::<usize>();
    let is_table =
        grid.width() >= TABLE.0 && grid.height() >= TABLE.1 && texts.len() as f32 >= TABLE.2 * grid.cells.len() as f32;
    let share = strange as f32 / characters as f32;
    if !is_table || share > STRANGE {
        return share > STRANGE;
    }
    let heads = texts.iter().filter(|(row, _)| *row < HEAD_ROWS).map(|(_, text)| words_of(text));
    let heads: Vec<Vec<String>> = heads.filter(|words| words.len() <= HEAD_WORDS).collect();
    let misspelt = heads.iter().flatten().filter(|word| corrected_header_word(word).is_some()).count();
    let known = heads.iter().filter(|words| is_column_header(&words.join(" "))).count();
    (misspelt >= MISSPELT && misspelt > known) || (share > ODD && KNOWN * known < heads.len())
}

/// Returns whether a sample of a grid's cells agrees with OCR. `None` if OCR is not available. If
/// OCR is uncertain itself, the text counts as confirmed.
pub(crate) fn is_confirmed(sheet: &Sheet<'_>, image: &TableImage, grid: &Grid) -> Option<bool> {
    let long = |index: &usize| folded(&grid.cells[*index].text()).chars().count() >= MIN_LENGTH;
    let all: Vec<usize> = (0..grid.cells.len()).filter(long).collect();
    let step = all.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<usize> = all.into_iter().step_by(step).collect();
    if sample.len() < MIN_SAMPLE {
        return Some(true);
    }
    let mut drawn = grid.clone();
    let reading = pixels::read(sheet, image, &mut drawn, &sample)?;
    if reading.confidence < MIN_CONFIDENCE * reading.words as f32 || reading.words < MIN_SAMPLE {
        return Some(true);
    }
    let agree = sample.iter().filter(|&&index| {
        let texts = (grid.cells.get(index), drawn.cells.get(index));
        matches!(texts, (Some(written), Some(drawn)) if are_alike(&folded(&written.text()), &folded(&drawn.text())))
    });
    Some(agree.count() as f32 >= MIN_CONFIRMED * sample.len() as f32)
}

fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect()
}

/// Returns whether two texts have most of their characters in common, in the same order (longest
/// common subsequence).
fn are_alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(60).collect(), b.chars().take(60).collect());
    let mut common = vec![0_usize; b.len() + 1];
    for &left in &a {
        let mut before = 0;
        for (index, &right) in b.iter().enumerate() {
            let here = common[index + 1];
            common[index + 1] = if left == right { before + 1 } else { here.max(common[index]) };
            before = here;
        }
    }
    2.0 * common[b.len()] as f32 >= ALIKE * (a.len() + b.len()) as f32
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
}
