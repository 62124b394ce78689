//! Newspaper columns: on a page with several columns, the left one is read before the next one.

use fanlight_geometry::{EMPTY_RECT, RectExt as _};
use fanlight_text::Word;
use fanlight_text::reading_order::{self, Cuts, PHRASE_GAP, Place, Row};

/// A line of one column.
pub(super) struct ColumnLine {
    /// Its words, shifted to where they would be in the left column.
    pub(super) words: Vec<Word>,
    /// How far they are shifted to the left, in points: 0 outside a right column.
    pub(super) shift: f32,
}

/// Words of one line without a wide gap between them, of which there is at least one.
struct Part {
    line: usize,
    words: Vec<Word>,
}

/// Returns the lines of a page in reading order, each of one column.
pub(super) fn in_reading_order(lines: &[Vec<Word>]) -> Vec<ColumnLine> {
    let parts: Vec<Part> = lines.iter().enumerate().flat_map(|(number, line)| parts(number, line)).collect();
    let places: Vec<Place> = parts.iter().map(place).collect();
    let rows = reading_order::rows(&places, Cuts::Columns);
    // The cells of a line stay together, however far apart they are.
    let is_one_line = |row: &Row, next: &Row| row.shift == next.shift && line_of(row, &parts) == line_of(next, &parts);
    rows.chunk_by(is_one_line).map(|rows| column_line(rows, &parts)).collect()
}

/// Splits a line where white space is as wide as between columns.
fn parts(number: usize, line: &[Word]) -> impl Iterator<Item = Part> {
    let cells = line.chunk_by(|_, next| next.gap < PHRASE_GAP * next.size);
    cells.map(move |words| Part { line: number, words: words.to_vec() })
}

fn place(part: &Part) -> Place {
    let bbox = part.words.iter().fold(EMPTY_RECT, |sum, word| sum.union(&word.bbox));
    let size = part.words.iter().map(|word| word.size).fold(0.0, f32::max);
    Place::new(bbox, part.words[0].baseline, size, part.line)
}

/// Returns the number of the line that a row is of.
fn line_of(row: &Row, parts: &[Part]) -> Option<usize> {
    row.phrases.first().map(|&index| parts[index].line)
}

/// Returns the line of some rows of one column.
fn column_line(rows: &[Row], parts: &[Part]) -> ColumnLine {
    let shift = rows[0].shift;
    let mut words: Vec<Word> =
        rows.iter().flat_map(|row| &row.phrases).flat_map(|&index| parts[index].words.iter().cloned()).collect();
    for word in &mut words {
        word.bbox.x1 -= shift;
        word.bbox.x2 -= shift;
    }
    ColumnLine { words, shift }
}
