//! Tables whose header is below their rows and whose title is below the header, as on sheets lettered by hand, which are filled
//! upwards.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::grid::{Cell, Grid};
use crate::headings::is_column_header;
use crate::structure::Table;

/// The rows from the top in which a header above the rows would be.
const FIRST_ROWS: usize = 5;
/// Maximum number of rows of a header.
const MAX_HEADER_ROWS: usize = 4;

/// Returns the grid with its last rows first, if they are its header. `None` if the header is above the rows.
pub(crate) fn with_header_first(grid: &Grid) -> Option<Grid> {
    let rows = Rows::from_grid(grid);
    // Below the header there may be the title, and blank rows.
    let last = (1..grid.height()).rev().find(|&row| rows.filled(row).count() >= 2)?;
    let headers = rows.header_count(last);
    let above = (0..FIRST_ROWS.min(last)).map(|row| rows.header_count(row)).max().unwrap_or(0);
    if headers < 2 || 2 * headers <= rows.filled(last).count() || 2 * above >= headers {
        return None;
    }
    let first = rows.header_start(last);
    if first == 0 || rows.covering(first).any(|cell| cell.row < first) {
        return None;
    }
    Some(reordered(grid, first, last + 1))
}

/// Returns the table of the grid `header_first` with its place on the page. `grid` is the grid before its rows were reordered.
pub(crate) fn placed(table: Table, header_first: &Grid, grid: &Grid) -> Table {
    let title = grid.below.iter().chain(&grid.above).find(|line| line.text == table.title);
    let is_inside = header_first.cells.iter().any(|cell| cell.text() == table.title);
    let bbox = match title {
        Some(line) if !is_inside => grid.bbox.union(&line.bbox),
        _ => grid.bbox,
    };
    Table { bbox: grid.frame.to_user_space(bbox), ..table }
}

/// The cells of a grid.
struct Rows<'a> {
    /// By the row in which they begin.
    begin: Vec<Vec<&'a Cell>>,
    cells: &'a [Cell],
}

impl<'a> Rows<'a> {
    fn from_grid(grid: &'a Grid) -> Self {
        Self { begin: grid.cells_by_row(), cells: &grid.cells }
    }

    /// Returns the cells with text that begin in a row.
    fn filled(&self, row: usize) -> impl Iterator<Item = &'a Cell> {
        self.begin.get(row).into_iter().flatten().copied().filter(|cell| !cell.is_blank())
    }

    /// Returns how many of them hold a column header.
    fn header_count(&self, row: usize) -> usize {
        self.filled(row).filter(|cell| is_column_header(&cell.text())).count()
    }

    /// Returns the cells that cover positions of a row.
    fn covering(&self, row: usize) -> impl Iterator<Item = &'a Cell> {
        self.cells.iter().filter(move |cell| cell.row <= row && cell.row + cell.rows > row)
    }

    /// Returns the first row of the header whose last row is `last`: it includes the cells that extend into it, and headers
    /// of groups.
    fn header_start(&self, last: usize) -> usize {
        let mut first = last;
        while first + MAX_HEADER_ROWS > last + 1 {
            let begins = self.covering(first).map(|cell| cell.row).min().unwrap_or(first);
            if begins < first {
                first = begins;
            } else if first > 1 && self.has_group_headers(first - 1) {
                first -= 1;
            } else {
                break;
            }
        }
        first
    }

    /// Returns whether all texts of a row span several columns, or most are column headers.
    fn has_group_headers(&self, row: usize) -> bool {
        let all = self.filled(row).count();
        let groups = self.filled(row).filter(|cell| cell.columns > 1).count();
        all >= 2 && (groups == all || 2 * self.header_count(row) > all)
    }
}

/// Returns the grid with the rows from `end` on, which are the title, first, and the header's rows, `first..end`, second.
fn reordered(grid: &Grid, first: usize, end: usize) -> Grid {
    let height = grid.height();
    let order = (end..height).chain(first..end).chain(0..first);
    let mut new_row = vec![0; height];
    let mut rows = vec![grid.bbox.y1];
    for (to, from) in order.enumerate() {
        new_row[from] = to;
        let height = grid.rows[from + 1] - grid.rows[from];
        rows.push(rows[to] + height);
    }
    let cells = grid.cells.iter().map(|cell| {
        let row = new_row.get(cell.row).copied().unwrap_or(cell.row);
        let y1 = rows.get(row).copied().unwrap_or(cell.bbox.y1);
        let y2 = y1 + (cell.bbox.y2 - cell.bbox.y1);
        Cell { row, bbox: Rect { y1, y2, ..cell.bbox }, ..cell.clone() }
    });
    Grid {
        cells: cells.collect(),
        rows: rows.clone(),
        above: grid.below.clone(),
        below: grid.above.clone(),
        columns: grid.columns.clone(),
        ..*grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::fixture::grid;

    const HEADER: &[&str] = &["NO.", "WIDTH", "HEIGHT", "REMARKS"];
    const FIRST: &[&str] = &["1", "3-0", "7-0", ""];
    const SECOND: &[&str] = &["2", "2-8", "6-8", "LOUVER"];

    #[test]
    fn header_is_found_at_either_end() {
        for (what, texts) in [("above", [HEADER, FIRST, SECOND]), ("below", [FIRST, SECOND, HEADER])] {
            let table = grid(&texts).table().expect(what);
            assert_eq!(table.headers, HEADER, "{what}");
            assert_eq!(table.rows, [FIRST, SECOND], "{what}");
        }
    }

    #[test]
    fn group_headers_above_the_last_row_belong_to_the_header() {
        let groups: &[&str] = &["OPENING", "<", "OTHER", "<"];
        let grid = grid(&[FIRST, SECOND, groups, HEADER]);
        assert_eq!(Rows::from_grid(&grid).header_start(3), 2);
    }

    #[test]
    fn rows_with_header_words_are_no_header() {
        let texts: [&[&str]; 3] = [&["NO.", "ITEM", "MATERIAL"], &["1", "DOOR", "PAINT"], &["2", "FRAME", "GLASS"]];
        assert!(with_header_first(&grid(&texts)).is_none());
    }
}
