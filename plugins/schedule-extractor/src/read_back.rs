//! Whether a text layer says what is drawn: where it looks wrong, a sample of a table's cells is rendered and read.
//!
//! Fonts whose characters are shifted or dropped draw sound glyphs over wrong text. To read every table back would take
//! longer than to extract it, so only tables are that look wrong: glyphs without a character, characters that are strange
//! for a schedule, heads that miss a letter.

use fanlight_contract::PageText;
use fanlight_tables::{Grid, corrected_header_word, is_column_header, words_of};

use crate::SURE;
use crate::pixels::{self, View};
use crate::sheet::Sheet;

/// Tables that are read back on a page at most.
pub(crate) const MOST_LOOKS: usize = 2;
/// Cells of a sample.
const SAMPLE: usize = 14;
/// Fewer say nothing.
const FEWEST: usize = 5;
/// Shorter texts say little, in characters.
const SHORTEST: usize = 3;
/// The share of glyphs without a character from which a page's text is doubtful.
const MUTE: f32 = 0.02;
/// The share of strange characters from which a text is doubtful, and from which it is where heads are unknown.
const STRANGE: f32 = 0.08;
const ODD: f32 = 0.01;
/// Heads that miss a letter, from which all text is doubtful.
const MISSPELT: usize = 2;
/// Rows that may hold heads, and the words of a head.
const HEAD_ROWS: usize = 4;
const HEAD_WORDS: usize = 4;
/// A table of so many columns and rows and this share of filled cells has heads, whatever it lists.
const TABLE: (usize, usize, f32) = (4, 5, 0.5);
/// Of the texts in the first rows of a table one in so many is a head that schedules have; single letters are by chance.
const KNOWN: usize = 8;
/// Two texts with this share of their characters in common, in order, are the same but for OCR's mistakes.
const ALIKE: f32 = 0.9;
/// The text layer is wrong where fewer of the sample than this share are as they were read.
const BORNE_OUT: f32 = 0.5;
/// What schedules are written with beside letters and digits.
const PLAIN: &str = " -–—'’\"”“./,&#()+:%°*=×½¼¾⅛⅜⅝⅞±≥≤●○•\u{a0}\u{fffd}";

/// Whether fonts of a page give no character for some of the glyphs that they draw.
pub(crate) fn drops_glyphs(text: &PageText) -> bool {
    let glyphs = text.runs.iter().map(|run| run.lengths.len()).sum::<usize>();
    let mute = text.runs.iter().flat_map(|run| &run.lengths).filter(|&&length| length == 0).count();
    mute > 0 && mute as f32 >= MUTE * glyphs as f32
}

/// Whether a grid's text looks as if its font said something else than it draws.
pub(crate) fn is_doubtful(grid: &Grid) -> bool {
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

/// Whether a sample of a grid's cells reads as the text layer has it. None where OCR is not to be had; where it is not
/// sure itself, the text is believed.
pub(crate) fn is_borne_out(sheet: &Sheet<'_>, view: &View, grid: &Grid) -> Option<bool> {
    let long = |index: &usize| folded(&grid.cells[*index].text()).chars().count() >= SHORTEST;
    let all: Vec<usize> = (0..grid.cells.len()).filter(long).collect();
    let step = all.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<usize> = all.into_iter().step_by(step).collect();
    if sample.len() < FEWEST {
        return Some(true);
    }
    let mut drawn = grid.clone();
    let reading = pixels::read(sheet, view, &mut drawn, &sample)?;
    if reading.confidence < SURE * reading.words as f32 || reading.words < FEWEST {
        return Some(true);
    }
    let agree = sample.iter().filter(|&&index| {
        let texts = (grid.cells.get(index), drawn.cells.get(index));
        matches!(texts, (Some(told), Some(drawn)) if are_alike(&folded(&told.text()), &folded(&drawn.text())))
    });
    Some(agree.count() as f32 >= BORNE_OUT * sample.len() as f32)
}

fn folded(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect()
}

/// Whether two texts have most of their characters in common, in the same order.
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
    fn texts_are_alike_but_for_a_letter_or_two() {
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
