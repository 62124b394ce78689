//! Tables whose headers are in the first column: each thing that they list has a column of its own, with its mark at the top
//! and often its drawing above.

use std::collections::HashSet;

use crate::grid::{Cell, Grid};
use crate::headings::is_column_header;
use crate::structure::{Content, Table};

/// Least number of columns: the headers, and two things. Two columns are a list of names and values, as in a title block.
const MIN_COLUMNS: usize = 3;
/// Least number of rows: the marks, and two properties.
const MIN_ROWS: usize = 3;
/// Most characters of a mark.
const MAX_MARK: usize = 8;

/// Reads a table with its headers in the first column, so that each further column becomes a row. `None` if the headers are
/// above the rows, or the grid has other cells over several columns than a title.
pub(crate) fn read(grid: &Grid) -> Option<Table> {
    let first = grid.cells.iter().filter(|cell| cell.columns == 1).map(|cell| cell.row).min()?;
    let (above, cells): (Vec<&Cell>, Vec<&Cell>) = grid.cells.iter().partition(|cell| cell.row < first);
    let rows = grid.height() - first;
    if grid.width() < MIN_COLUMNS || rows < MIN_ROWS || cells.iter().any(|cell| cell.columns > 1) {
        return None;
    }
    let mut columns = vec![vec![String::new(); rows]; grid.width()];
    for cell in &cells {
        if let Some(text) = columns.get_mut(cell.column).and_then(|column| column.get_mut(cell.row - first)) {
            *text = cell.text();
        }
    }
    let (headers, things) = columns.split_first()?;
    if !are_headers(headers) || !are_marks(things) {
        return None;
    }
    let texts: Vec<String> = above.iter().map(|cell| cell.text()).filter(|text| !text.is_empty()).collect();
    let content = Content { headers: headers.clone(), rows: things.to_vec() };
    Some(content.into_table(grid, grid.bbox, &texts, Vec::new()))
}

/// Returns whether at least half of the texts of the first column are headers by their words, and no two are equal.
fn are_headers(texts: &[String]) -> bool {
    let filled: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
    let known = filled.iter().filter(|text| is_column_header(text)).count();
    let distinct: HashSet<&&String> = filled.iter().collect();
    filled.len() == texts.len() && 2 * known >= filled.len() && distinct.len() == filled.len()
}

/// Returns whether the first text of each column is a mark, as "D1" is, and no two are equal.
fn are_marks(columns: &[Vec<String>]) -> bool {
    let marks: Vec<&String> = columns.iter().filter_map(|column| column.first()).collect();
    let distinct: HashSet<&&String> = marks.iter().collect();
    distinct.len() == columns.len() && marks.iter().all(|mark| is_mark(mark))
}

fn is_mark(text: &str) -> bool {
    let count = text.chars().count();
    (1..=MAX_MARK).contains(&count) && text.chars().any(|c| c.is_ascii_digit()) && !is_column_header(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::fixture::grid;

    #[test]
    fn columns_beside_headers_become_rows() {
        let doors = grid(&[
            &["DOOR SCHEDULE", "<", "<"],
            &["REFERENCE", "D1", "D2"],
            &["SIZE", "900 X 2100", "750 X 2100"],
            &["LOCATION", "HALL", "BATH"],
        ]);
        let table = read(&doors).unwrap();
        assert_eq!(table.title, "DOOR SCHEDULE");
        assert_eq!(table.headers, ["REFERENCE", "SIZE", "LOCATION"]);
        assert_eq!(table.rows, [["D1", "900 X 2100", "HALL"], ["D2", "750 X 2100", "BATH"]]);
    }

    #[test]
    fn other_grids_have_their_headers_above() {
        let cases: [(&str, &[&[&str]]); 4] = [
            ("headers above", &[&["MARK", "SIZE", "TYPE"], &["D1", "900", "A"], &["D2", "800", "B"]]),
            ("names and values", &[&["SIZE", "D1"], &["WIDTH", "900"], &["TYPE", "A"]]),
            ("equal marks", &[&["MARK", "D1", "D1"], &["SIZE", "900", "800"], &["TYPE", "A", "B"]]),
            ("a merged cell", &[&["MARK", "D1", "D2"], &["SIZE", "900", "<"], &["TYPE", "A", "B"]]),
        ];
        for (what, texts) in cases {
            assert!(read(&grid(texts)).is_none(), "{what}");
        }
    }
}
