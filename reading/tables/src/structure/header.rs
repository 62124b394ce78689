//! Which rows of a table are its header, and the header of each column.

use std::ops::Range;

use super::TableReader;
use crate::grid::Cell;
use crate::headings::is_column_header;

/// Maximum number of rows of a header.
const MAX_HEADER_ROWS: usize = 5;

impl TableReader<'_> {
    /// Returns the first row after the header that begins in row `first`. A header has as many rows as its highest cell, and
    /// the rows below that are like headers.
    pub(super) fn header_end(&self, first: usize) -> usize {
        let height = self.grid.height();
        let limit = first + MAX_HEADER_ROWS;
        let mut end = first + 1;
        let mut row = first;
        while row < end && row < height && end < limit {
            let cells = self.filled(row);
            let ends = cells.iter().filter(|cell| cell.rows <= MAX_HEADER_ROWS).map(|cell| cell.row + cell.rows);
            end = end.max(ends.filter(|&end| end < height).max().unwrap_or(0)).min(limit);
            if row + 1 == end && self.continues_header(first, end, &cells) {
                end += 1;
            }
            row += 1;
        }
        end.min(height)
    }

    /// Returns whether `row` belongs to the header that begins in row `first` and so far ends with the cells `last`. Its
    /// texts run upwards, are below headers of groups, or are header words.
    fn continues_header(&self, first: usize, row: usize, last: &[&Cell]) -> bool {
        let cells = self.filled(row);
        if cells.is_empty() || row + 1 >= self.grid.height() {
            return false;
        }
        let texts = RowTexts::count(&cells);
        if texts.run_upwards() {
            return true;
        }
        let groups: Vec<&Cell> = last.iter().copied().filter(|cell| cell.columns > 1).collect();
        if groups.iter().any(|group| cells.iter().filter(|cell| is_below(cell, group)).count() >= 2) {
            let are_all_below = cells.iter().all(|cell| groups.iter().any(|group| begins_below(cell, group)));
            return are_all_below || texts.are_headers() || texts.with_figure == 0;
        }
        let above = RowTexts::count(&self.filled(first));
        texts.headers >= 2
            && texts.are_headers()
            && texts.with_figure == 0
            && (2 * above.headers >= above.all || above.all < texts.all)
    }

    /// Returns the header of a column: the texts in the header's `rows`, from the top.
    pub(super) fn header_of(&self, rows: Range<usize>, column: usize) -> String {
        let mut cells: Vec<Option<usize>> = rows.map(|row| self.covering(row).get(column).copied().flatten()).collect();
        cells.dedup();
        let texts = cells.into_iter().flatten().filter_map(|index| self.grid.cells.get(index)).map(Cell::text);
        texts.filter(|text| !text.is_empty()).collect::<Vec<String>>().join(" ")
    }
}

/// Returns whether a cell spans only columns that `group` spans.
fn is_below(cell: &Cell, group: &Cell) -> bool {
    cell.column >= group.column && cell.column + cell.columns <= group.column + group.columns
}

/// Returns whether a cell begins in a column that `group` spans.
fn begins_below(cell: &Cell, group: &Cell) -> bool {
    cell.column >= group.column && cell.column < group.column + group.columns
}

/// What the texts of a row are, counted.
struct RowTexts {
    all: usize,
    /// Texts that are column headers.
    headers: usize,
    /// Texts that run upwards or downwards.
    turned: usize,
    with_figure: usize,
}

impl RowTexts {
    fn count(cells: &[&Cell]) -> Self {
        Self {
            all: cells.len(),
            headers: cells.iter().filter(|cell| is_column_header(&cell.text())).count(),
            turned: cells.iter().filter(|cell| cell.turns() % 2 == 1).count(),
            with_figure: cells.iter().filter(|cell| cell.text().chars().any(|c| c.is_ascii_digit())).count(),
        }
    }

    /// Returns whether most of them are column headers.
    fn are_headers(&self) -> bool {
        2 * self.headers > self.all
    }

    /// Returns whether there are several, and most of them run upwards or downwards.
    fn run_upwards(&self) -> bool {
        self.all >= 2 && 2 * self.turned > self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::fixture::grid;

    /// The number of header rows of a table, and the headers of its columns.
    fn header(texts: &[&[&str]]) -> (usize, Vec<String>) {
        let grid = grid(texts);
        let reader = TableReader::new(&grid);
        let end = reader.header_end(0);
        (end, (0..grid.width()).map(|column| reader.header_of(0..end, column)).collect())
    }

    #[test]
    fn columns_below_a_group_have_both_headers() {
        let (rows, headers) =
            header(&[&["NO.", "FRAME", "<"], &["^", "TYPE", "FINISH"], &["1", "A", "PAINT"], &["2", "B", "PAINT"]]);
        assert_eq!((rows, headers), (2, vec!["NO.".to_owned(), "FRAME TYPE".to_owned(), "FRAME FINISH".to_owned()]));
    }

    #[test]
    fn figures_below_a_group_are_rows() {
        let texts: [&[&str]; 3] = [&["NO.", "SIZE", "<"], &["D1", "900", "2100"], &["D2", "800", "2100"]];
        assert_eq!(header(&texts).0, 1);
    }

    #[test]
    fn two_rows_of_header_words_are_one_header() {
        let texts: [&[&str]; 3] = [&["DOOR", "FRAME", "HEAD"], &["TYPE", "FINISH", "DETAIL"], &["A", "PAINT", "5"]];
        assert_eq!(header(&texts).0, 2);
    }

    #[test]
    fn last_row_is_never_the_header() {
        let texts: [&[&str]; 2] = [&["NO.", "TYPE", "FINISH"], &["MARK", "WIDTH", "HEIGHT"]];
        assert_eq!(header(&texts).0, 1);
    }
}
