//! The columns of rows of text: the gaps that the rows have in common.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::gaps::{Coverage, Gap};
use crate::words::Phrase;

/// Minimum width of a gap between columns, in em.
const MIN_GAP: f32 = 0.5;
/// Minimum width of a gap between two headers, in em.
const MIN_HEADER_GAP: f32 = 0.1;
/// A header begins at most this far to the right of its column's gap, in em.
const MAX_HEADER_INDENT: f32 = 3.0;
/// Maximum share of rows with text in a gap between columns: a long text extends into the next column.
const MAX_CROSSING: f32 = 0.12;
/// Minimum number of rows with several texts.
const MIN_ROWS: usize = 3;
/// Minimum number of columns of a table.
const MIN_COLUMNS: usize = 3;

/// Returns the borders of the columns of some rows, from the left edge of `bbox` to its right edge. The texts of `header`,
/// which is one of the rows, are never in one column where a gap separates them. `None` if the rows or columns are too few.
pub(super) fn borders(rows: &[Vec<&Phrase>], header: &[&Phrase], bbox: &Rect) -> Option<Vec<f32>> {
    let several: Vec<&Vec<&Phrase>> = rows.iter().filter(|row| row.len() >= 2).collect();
    if several.len() < MIN_ROWS {
        return None;
    }
    let texts = || several.iter().flat_map(|row| row.iter().copied());
    let size = texts().map(|phrase| phrase.size).fold(f32::MAX, f32::min);
    let max_crossing = (MAX_CROSSING * several.len() as f32).floor() as i32;
    let (mut phrases, mut words) = (Coverage::default(), Coverage::default());
    for phrase in texts() {
        phrases.add(phrase.bbox.x1, phrase.bbox.x2, 1);
        for part in phrase.parted_at(MIN_GAP * size) {
            words.add(part.x1, part.x2, 1);
        }
    }
    for phrase in header {
        phrases.add(phrase.bbox.x1, phrase.bbox.x2, max_crossing + 1);
        words.add(phrase.bbox.x1, phrase.bbox.x2, max_crossing + 1);
    }
    let wide: Vec<Gap> = phrases.gaps(max_crossing).into_iter().filter(|gap| gap.width() >= MIN_GAP * size).collect();
    let mut borders = vec![bbox.x1];
    for gap in words.gaps(max_crossing) {
        let left = borders.last().copied().unwrap_or(bbox.x1);
        let is_between_phrases = wide.iter().any(|wide| wide.from < gap.to && gap.from < wide.to);
        let is_between_headers = gap.width() >= MIN_HEADER_GAP * size && separates_headers(gap, left, header, size);
        if is_between_phrases || is_between_headers {
            borders.push(gap.middle());
        }
    }
    borders.push(bbox.x2);
    join_header_with_texts(&mut borders, texts(), header);
    (borders.len() > MIN_COLUMNS).then_some(borders)
}

/// Returns whether one header ends before a gap, at the right of the border `left`, and another one begins right after it.
fn separates_headers(gap: Gap, left: f32, header: &[&Phrase], size: f32) -> bool {
    let ends = header.iter().any(|own| own.bbox.x1 >= left && own.bbox.x2 <= gap.from + MIN_HEADER_GAP * size);
    let start = gap.to - MIN_HEADER_GAP * size..gap.to + MAX_HEADER_INDENT * size;
    ends && header.iter().any(|own| start.contains(&own.bbox.x1))
}

/// What a column holds.
#[derive(Clone, Copy, Default)]
struct Content {
    has_header: bool,
    has_text: bool,
}

impl Content {
    /// Returns whether one column has only a header and the other only texts.
    fn complements(self, other: Self) -> bool {
        self.has_header != self.has_text && other.has_header == self.has_text && other.has_text == self.has_header
    }
}

/// Removes the borders that separate a header from the texts below it: the header is centred, and short texts are at the
/// column's edge.
fn join_header_with_texts<'a>(borders: &mut Vec<f32>, texts: impl Iterator<Item = &'a Phrase>, header: &[&Phrase]) {
    let mut columns = vec![Content::default(); borders.len() + 1];
    for phrase in texts {
        let column = borders.partition_point(|&border| border <= phrase.bbox.center().0);
        if header.iter().any(|own| std::ptr::eq(*own, phrase)) {
            columns[column].has_header = true;
        } else {
            columns[column].has_text = true;
        }
    }
    let mut index = 1;
    while index + 1 < borders.len() {
        if columns[index].complements(columns[index + 1]) {
            borders.remove(index);
            columns.remove(index);
            columns[index] = Content { has_header: true, has_text: true };
        } else {
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aligned::fixture::{line, phrase};

    const BBOX: Rect = Rect { x1: 0.0, y1: 0.0, x2: 300.0, y2: 100.0 };

    /// The borders of a header and rows, each a list of texts and the places where they begin.
    fn borders_of(header: &[(f32, &str)], rows: &[&[(f32, &str)]]) -> Option<Vec<f32>> {
        let header = line(0.0, header);
        let rows: Vec<Vec<Phrase>> = rows.iter().map(|row| line(20.0, row)).collect();
        let mut all: Vec<Vec<&Phrase>> = rows.iter().map(|row| row.iter().collect()).collect();
        all.push(header.iter().collect());
        borders(&all, &header.iter().collect::<Vec<_>>(), &BBOX)
    }

    #[test]
    fn borders_are_in_the_middle_of_common_gaps() {
        let row: &[(f32, &str)] = &[(0.0, "A1"), (50.0, "900"), (100.0, "2100")];
        let found = borders_of(&[(0.0, "NO."), (50.0, "WIDTH"), (100.0, "HEIGHT")], &[row, row]);
        assert_eq!(found, Some(vec![0.0, 32.5, 87.5, 300.0]));
    }

    #[test]
    fn two_columns_are_no_table() {
        let row: &[(f32, &str)] = &[(0.0, "A1"), (50.0, "900")];
        assert_eq!(borders_of(&[(0.0, "NO."), (50.0, "WIDTH")], &[row, row]), None);
    }

    #[test]
    fn texts_that_nearly_touch_are_in_two_columns_if_their_headers_are() {
        let (first, mut second) = (phrase("FACTORY", 50.0, 20.0), phrase("F1", 91.0, 20.0));
        let mut joined = first.clone();
        joined.words.append(&mut second.words);
        joined.bbox = first.bbox.union(&second.bbox);
        let header = line(0.0, &[(0.0, "NO."), (50.0, "FINISH"), (95.0, "TYPE")]);
        let row = [phrase("101", 0.0, 20.0), joined];
        let all: Vec<Vec<&Phrase>> = vec![row.iter().collect(), row.iter().collect(), header.iter().collect()];
        let found = borders(&all, &header.iter().collect::<Vec<_>>(), &BBOX);
        assert_eq!(found.map(|borders| borders.len()), Some(4));
    }

    #[test]
    fn narrow_gap_between_two_headers_separates_columns() {
        let row: &[(f32, &str)] = &[(0.0, "A1"), (17.0, "900"), (100.0, "2100")];
        let found = borders_of(&[(0.0, "NO."), (17.0, "WIDTH"), (100.0, "HEIGHT")], &[row, row]);
        assert_eq!(found.map(|borders| borders.len()), Some(4));
    }

    #[test]
    fn centred_header_is_in_the_column_of_its_texts() {
        let row: &[(f32, &str)] = &[(0.0, "A1"), (50.0, "9"), (100.0, "2100")];
        let found = borders_of(&[(0.0, "NO."), (65.0, "WIDTH"), (100.0, "HEIGHT")], &[row, row]);
        assert_eq!(found.map(|borders| borders.len()), Some(4));
    }
}
