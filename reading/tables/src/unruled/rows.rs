//! The rows of a table without rules: which lines form one row.

use fanlight_geometry::median;

use crate::unruled::MIN_ROWS;
use crate::unruled::body::{Body, TextLine};
use crate::unruled::columns::Columns;
use crate::unruled::header::Header;

/// Minimum distance of the first lines of two rows, as a share of the pitch.
const MIN_PITCH: f32 = 0.8;
/// Maximum distance of two lines of one text, in em.
pub(super) const MAX_LEADING: f32 = 1.45;
/// Maximum deviation of a distance of rows from a multiple of the pitch, as a share of the pitch.
const MAX_DEVIATION: f32 = 0.15;
/// Minimum share of rows at a multiple of the pitch.
const MIN_REGULAR: f32 = 0.6;
/// Minimum share of rows with text in the first column.
const MIN_MARKED: f32 = 0.6;
/// Minimum share of columns with text, on average over the rows.
const MIN_FILLED: f32 = 0.3;
/// Minimum number of texts of a row, on average over the rows.
const MIN_TEXTS: f32 = 1.5;
/// A line continues a row if it has text in at most one of this many columns.
const COLUMNS_PER_CONTINUED: usize = 3;
/// White space below the last row, in em.
const MARGIN: f32 = 0.2;

/// The rows below a header.
pub(super) struct Rows<'a> {
    /// Where the header ends.
    pub(super) top: f32,
    rows: Vec<Row<'a>>,
}

/// The lines of a row, and its borders.
pub(super) struct Row<'a> {
    pub(super) lines: &'a [TextLine<'a>],
    pub(super) top: f32,
    pub(super) bottom: f32,
}

impl<'a> Rows<'a> {
    /// Returns the rows from the top.
    pub(super) fn all(&self) -> &[Row<'a>] {
        &self.rows
    }

    /// Returns the rows of a table's lines. `None` if the lines have no regular pitch, have hardly any text, or are too few.
    pub(super) fn detect(header: &Header<'_>, body: &'a Body<'a>, columns: &Columns<'_>) -> Option<Self> {
        let lines = &body.lines;
        let marked: Vec<bool> = lines.iter().map(|line| columns.at(line.phrases[0].bbox.x1) == 0).collect();
        let pitch = pitch(lines, &marked)?;
        let starts = row_starts(header, body, columns, &marked, pitch);
        if starts.len() < MIN_ROWS || !is_regular(lines, &starts, pitch) {
            return None;
        }
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let rows: Vec<&[TextLine<'_>]> = starts.iter().zip(ends).map(|(&start, end)| &lines[start..end]).collect();
        if !are_filled(&rows, columns) {
            return None;
        }
        let first = *starts.first()?;
        let header_end = first.checked_sub(1).map_or(header.bottom, |last| lines[last].bottom);
        let top = f32::midpoint(header_end, lines[first].top.max(header_end));
        Some(Self { top, rows: with_borders(&rows, top, MARGIN * header.size)? })
    }
}

/// Returns the indices of the lines with which rows begin. `marked` says which lines have text in the first column.
fn row_starts(header: &Header<'_>, body: &Body<'_>, columns: &Columns<'_>, marked: &[bool], pitch: f32) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    let mut has_mark = false;
    for (index, line) in body.lines.iter().enumerate() {
        let begins = match index.checked_sub(1).map(|before| &body.lines[before]) {
            None => marked[0] || !continues_header(line, header, columns),
            Some(_) if starts.is_empty() => true,
            Some(before) if !body.band_edges.is_empty() => {
                has_edge_between(&body.band_edges, before.y, line.y) || (marked[index] && has_mark)
            }
            Some(before) if line.y - before.y < MIN_PITCH * pitch => marked[index] && has_mark,
            Some(before) => marked[index] || !continues_row(line, before, header.size, columns),
        };
        if begins {
            starts.push(index);
            has_mark = false;
        }
        has_mark |= marked[index];
    }
    starts
}

/// Returns whether the rows have enough texts, and enough of them one in the first column.
fn are_filled(rows: &[&[TextLine<'_>]], columns: &Columns<'_>) -> bool {
    let filled: Vec<Vec<usize>> = rows.iter().map(|row| filled_columns(row, columns)).collect();
    let texts: usize = filled.iter().map(Vec::len).sum();
    let marked = filled.iter().filter(|own| own.first() == Some(&0)).count();
    let count = rows.len() as f32;
    texts as f32 >= (MIN_FILLED * columns.count() as f32).max(MIN_TEXTS) * count && marked as f32 >= MIN_MARKED * count
}

/// Returns the columns in which texts of a row begin, from the left.
fn filled_columns(row: &[TextLine<'_>], columns: &Columns<'_>) -> Vec<usize> {
    let mut own: Vec<usize> =
        row.iter().flat_map(|line| &line.phrases).map(|phrase| columns.at(phrase.bbox.x1)).collect();
    own.sort_unstable();
    own.dedup();
    own
}

/// Returns rows with the borders between them, in the middle of the white space. The first one begins at `top`, the last one ends
/// `margin` points below its text.
fn with_borders<'a>(rows: &[&'a [TextLine<'a>]], top: f32, margin: f32) -> Option<Vec<Row<'a>>> {
    let mut bordered: Vec<Row<'_>> = Vec::with_capacity(rows.len());
    for (index, lines) in rows.iter().enumerate() {
        let below = lines.last()?.bottom;
        let next = rows.get(index + 1).and_then(|next| next.first());
        let bottom = next.map_or(below + margin, |next| f32::midpoint(below, next.top.max(below)));
        let top = bordered.last().map_or(top, |before| before.bottom);
        bordered.push(Row { lines, top, bottom });
    }
    Some(bordered)
}

/// Returns the distance of rows: the median over lines with text in the first column that follow each other without a line
/// between; if there are none, over all such lines.
fn pitch(lines: &[TextLine<'_>], marked: &[bool]) -> Option<f32> {
    let adjacent = lines.windows(2).zip(marked.windows(2)).filter(|(_, marks)| marks[0] && marks[1]);
    let mut distances: Vec<f32> = adjacent.map(|(pair, _)| pair[1].y - pair[0].y).collect();
    if distances.is_empty() {
        let starts: Vec<f32> =
            lines.iter().zip(marked).filter(|(_, marked)| **marked).map(|(line, _)| line.y).collect();
        distances = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    }
    median(distances).filter(|pitch| *pitch > 0.0)
}

/// Returns whether rows of one line are at multiples of the pitch from the next row.
fn is_regular(lines: &[TextLine<'_>], starts: &[usize], pitch: f32) -> bool {
    let single = starts.windows(2).filter(|pair| pair[1] == pair[0] + 1);
    let pitches: Vec<f32> = single.map(|pair| (lines[pair[1]].y - lines[pair[0]].y) / pitch).collect();
    let is_multiple = |own: &&f32| own.round() >= 1.0 && (*own - own.round()).abs() <= MAX_DEVIATION;
    let regular = pitches.iter().filter(is_multiple).count();
    regular as f32 >= MIN_REGULAR * pitches.len() as f32
}

/// Returns whether one of some sorted edges is between two heights.
fn has_edge_between(edges: &[f32], from: f32, to: f32) -> bool {
    let next = edges.partition_point(|&edge| edge <= from);
    edges.get(next).is_some_and(|&edge| edge < to)
}

/// Returns whether the first line below a header continues it.
fn continues_header(line: &TextLine<'_>, header: &Header<'_>, columns: &Columns<'_>) -> bool {
    let mut words = line.phrases.iter().flat_map(|phrase| &phrase.words);
    let has_figure = words.any(|word| word.text.contains(|c: char| c.is_ascii_digit()));
    line.top - header.bottom < (MAX_LEADING - 1.0) * header.size
        && !has_figure
        && 2 * line.phrases.len() <= columns.count()
}

/// Returns whether a line without text in the first column continues the row of the line before, although it is as far below it
/// as a row: it has few texts, each below another one.
fn continues_row(line: &TextLine<'_>, before: &TextLine<'_>, size: f32, columns: &Columns<'_>) -> bool {
    let has_text = |column: usize| before.phrases.iter().any(|phrase| columns.at(phrase.bbox.x1) == column);
    line.y - before.y <= MAX_LEADING * size
        && line.phrases.len() <= (columns.count() / COLUMNS_PER_CONTINUED).max(1)
        && line.phrases.iter().all(|phrase| has_text(columns.at(phrase.bbox.x1)))
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;

    use super::*;
    use crate::words::Phrase;

    /// Lines of one text each at the given heights.
    fn lines(phrases: &[Phrase]) -> Vec<TextLine<'_>> {
        phrases.iter().filter_map(|phrase| TextLine::from_phrases(vec![phrase])).collect()
    }

    fn phrases(heights: &[f32]) -> Vec<Phrase> {
        let bbox = |y: f32| Rect { x1: 0.0, y1: y - 5.0, x2: 20.0, y2: y + 5.0 };
        heights.iter().map(|&y| Phrase::of_word("A1", bbox(y), 10.0, 0, y as u32)).collect()
    }

    #[test]
    fn pitch_is_the_median_of_rows_that_follow_each_other() {
        let phrases = phrases(&[0.0, 15.0, 30.0, 40.0, 80.0]);
        assert_eq!(pitch(&lines(&phrases), &[true, true, true, false, true]), Some(15.0));
    }

    #[test]
    fn rows_at_multiples_of_the_pitch_are_regular() {
        for (heights, expected) in [([0.0, 15.0, 45.0, 60.0], true), ([0.0, 22.0, 44.0, 51.0], false)] {
            assert_eq!(is_regular(&lines(&phrases(&heights)), &[0, 1, 2, 3], 15.0), expected, "{heights:?}");
        }
    }

    #[test]
    fn borders_are_in_the_middle_between_rows() {
        let phrases = phrases(&[5.0, 25.0]);
        let lines = lines(&phrases);
        let rows = with_borders(&[&lines[..1], &lines[1..]], 0.0, 2.0).expect("rows");
        assert_eq!(rows.iter().map(|row| (row.top, row.bottom)).collect::<Vec<_>>(), [(0.0, 15.0), (15.0, 32.0)]);
    }

    #[test]
    fn edges_at_the_heights_themselves_are_not_between_them() {
        for (edge, expected) in [(10.0, false), (15.0, true), (20.0, false)] {
            assert_eq!(has_edge_between(&[edge], 10.0, 20.0), expected, "{edge}");
        }
    }
}
