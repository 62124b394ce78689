//! Tables with some of their rules missing: the alignment of the text shows the others.
//!
//! - [`with_columns`]: ruled rows without rules between columns;
//! - `columns`: the columns of rows of text;
//! - `under_header`: a rule or the edge of a shade below the header, and no other rules or only those between rows;
//! - `occupied`: where grids were found already.

mod columns;
mod occupied;
mod under_header;

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::between;
use crate::grid::{Grid, Ruling};
use crate::regions::row_of_cells;
use crate::words::Phrase;

pub(crate) use under_header::{MAX_ROW_GAP, under_headers, under_shades};

/// Maximum number of rows of a header that are searched for the columns' own headers.
const MAX_HEADER_ROWS: usize = 3;

/// Returns the grid of a table whose rows are ruled and whose columns are not. `rows` has one column.
pub(crate) fn with_columns(rows: &Grid, phrases: &[Phrase]) -> Option<Grid> {
    let bbox = rows.bbox;
    let by_row = by_row(rows, phrases);
    // Headers of groups are above the columns' own.
    let several = by_row.iter().filter(|row| row.len() >= 2).take(MAX_HEADER_ROWS);
    let header = several.max_by_key(|row| row.len())?;
    let borders = columns::borders(&by_row, header, &bbox)?;
    let mut faces = Vec::new();
    for (row, pair) in by_row.iter().zip(rows.rows.windows(2)) {
        let [y1, y2] = *pair else { continue };
        if row.len() == 1 {
            faces.push(Rect { y1, y2, ..bbox });
        } else {
            faces.extend(row_of_cells(&borders, y1, y2));
        }
    }
    let mut grid = Grid::of_faces(&faces, rows.frame)?;
    grid.ruling = Ruling::Partly;
    Some(grid)
}

/// Returns the upright phrases in each row of a grid.
fn by_row<'a>(grid: &Grid, phrases: &'a [Phrase]) -> Vec<Vec<&'a Phrase>> {
    let mut by_row: Vec<Vec<&Phrase>> = vec![Vec::new(); grid.height()];
    for phrase in between(phrases, grid.bbox.y1, grid.bbox.y2) {
        let (x, y) = phrase.bbox.center();
        if phrase.turns != 0 || x <= grid.bbox.x1 || x >= grid.bbox.x2 {
            continue;
        }
        let row = grid.rows.partition_point(|&border| border <= y);
        if let Some(own) = row.checked_sub(1).and_then(|row| by_row.get_mut(row)) {
            own.push(phrase);
        }
    }
    by_row
}

/// What the tests of this module's parts start from.
#[cfg(test)]
mod fixture {
    use fanlight_contract::Rect;

    use crate::words::Phrase;

    /// Returns an upright phrase of 10 points whose letters are 5 points wide, with its upper left corner at (x, y).
    pub(super) fn phrase(text: &str, x: f32, y: f32) -> Phrase {
        let bbox = Rect { x1: x, y1: y, x2: x + 5.0 * text.len() as f32, y2: y + 10.0 };
        Phrase::of_word(text, bbox, 10.0, 0, y as u32)
    }

    /// Returns a line of phrases that begin at the given places.
    pub(super) fn line(y: f32, texts: &[(f32, &str)]) -> Vec<Phrase> {
        texts.iter().map(|&(x, text)| phrase(text, x, y)).collect()
    }
}

#[cfg(test)]
mod tests {
    use fanlight_geometry::Frame;

    use super::fixture::line;
    use super::*;

    /// A grid of ruled rows of 20 points, 300 points wide.
    fn ruled_rows(count: usize) -> Grid {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 400.0 };
        let row = |index: usize| Rect { x1: 0.0, y1: 20.0 * index as f32, x2: 300.0, y2: 20.0 * (index + 1) as f32 };
        let faces: Vec<Rect> = (0..count).map(row).collect();
        Grid::of_faces(&faces, Frame::new(sheet, 0.0)).expect("a grid")
    }

    #[test]
    fn ruled_rows_get_columns_where_their_texts_leave_gaps() {
        let mut phrases = line(5.0, &[(10.0, "NO."), (100.0, "WIDTH"), (200.0, "HEIGHT")]);
        for (row, y) in [25.0, 45.0, 65.0].into_iter().enumerate() {
            phrases.extend(line(y, &[(10.0, &format!("{row}")), (100.0, "900"), (200.0, "2100")]));
        }
        let grid = with_columns(&ruled_rows(4), &phrases).expect("a grid");
        assert_eq!((grid.width(), grid.height(), grid.ruling), (3, 4, Ruling::Partly));
    }

    #[test]
    fn row_with_one_text_keeps_one_cell() {
        let mut phrases = line(5.0, &[(10.0, "NO."), (100.0, "WIDTH"), (200.0, "HEIGHT")]);
        phrases.extend(line(25.0, &[(10.0, "GROUND FLOOR")]));
        for y in [45.0, 65.0] {
            phrases.extend(line(y, &[(10.0, "1"), (100.0, "900"), (200.0, "2100")]));
        }
        let grid = with_columns(&ruled_rows(4), &phrases).expect("a grid");
        let group: Vec<usize> = grid.cells.iter().filter(|cell| cell.row == 1).map(|cell| cell.columns).collect();
        assert_eq!(group, [3]);
    }
}
