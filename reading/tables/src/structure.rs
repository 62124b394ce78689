//! Turns a grid into the content of a table: title, column headers, rows.
//!
//! - `title`: which text is the title;
//! - `header`: which rows are the header, and the header of each column;
//! - `columns`: joins and drops columns that only rules separate;
//! - `split_rows`: splits tall rows whose lines are the rows of the table.

mod columns;
mod header;
mod split_rows;
mod title;

use fanlight_contract::Rect;
use fanlight_geometry::median;

use crate::grid::{Cell, Grid, Ruling};
use crate::{header_below, header_beside};

pub(crate) use columns::Content;
pub(crate) use title::is_title_word;
pub use title::{MAX_TITLE_WORDS, names_a_table};

/// The content of a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its box in user space of the unrotated page, title and rows included.
    pub bbox: Rect,
    /// The title as printed; empty if there is none.
    pub title: String,
    /// The headers of the columns from left to right; a header over several columns precedes the header below it, separated by a
    /// space. Some may be empty.
    pub headers: Vec<String>,
    /// The texts of the rows, one for each header; empty for a blank cell.
    pub rows: Vec<Vec<String>>,
    /// Headings of groups of rows.
    pub groups: Vec<RowGroup>,
    /// What separates its cells.
    pub ruling: Ruling,
    /// Share of the grid's positions that lie in a cell closed by rules.
    pub closed: f32,
    /// Share of body cells that hold text.
    pub filled: f32,
}

/// The heading of a group of rows ("GROUND FLOOR").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// The index of the row that follows.
    pub row: usize,
    /// The heading as printed.
    pub heading: String,
}

/// Minimum share of the table's width of a cell that is a title or the heading of a group.
const MIN_WIDE: f32 = 0.55;
/// The same for a cell whose row has no other text, and at most one more cell.
const MIN_WIDE_ALONE: f32 = 0.3;
/// Minimum number of columns that a row numbers, so that it is no row of quantities.
const MIN_NUMBERED: usize = 3;
/// Maximum number of columns of the cell with a group's heading whose text extends over the next cells.
const MAX_GROUP_COLUMNS: usize = 2;
/// A text extends over the border of its cell if it exceeds it by more than this, in points.
const MAX_ROUNDING: f32 = 1.0;
/// Minimum number of columns of a table in which a text alone in its row is the heading of a group.
const MIN_GROUPED_COLUMNS: usize = 4;
/// A blank row at the end with more than this many times the usual height is not part of the table.
const MAX_BLANK_HEIGHT: f32 = 3.0;

/// Reads the content of a grid.
struct TableReader<'a> {
    grid: &'a Grid,
    /// For each position of the grid the index of the cell that covers it.
    cover: Vec<Option<usize>>,
    /// The cells that begin in each row, from the left.
    rows: Vec<Vec<&'a Cell>>,
}

impl Grid {
    /// Reads the structure of a grid; `None` if it has fewer than two columns, or nothing but a header.
    pub fn table(&self) -> Option<Table> {
        if let Some(table) = header_beside::read(self) {
            return Some(table);
        }
        match header_below::with_header_first(self) {
            Some(header_first) => Some(header_below::placed(header_first.read()?, &header_first, self)),
            None => self.read(),
        }
    }

    fn read(&self) -> Option<Table> {
        let split = split_rows::split_tall_rows(self);
        TableReader::new(split.as_ref().unwrap_or(self)).read()
    }
}

impl<'a> TableReader<'a> {
    fn new(grid: &'a Grid) -> Self {
        Self { grid, cover: grid.cover(), rows: grid.cells_by_row() }
    }

    fn read(&self) -> Option<Table> {
        if self.grid.width() < 2 || self.grid.height() < 2 {
            return None;
        }
        let titles = self.title_rows();
        let first_texts = self.texts(&self.filled(titles.end));
        let header = titles.end + usize::from(numbers_columns(&first_texts));
        let body = self.header_end(header);
        if body >= self.grid.height() {
            return None;
        }
        let headers: Vec<String> = (0..self.grid.width()).map(|column| self.header_of(header..body, column)).collect();
        let (rows, groups) = self.body_rows(body, &headers);
        let mut content = Content { headers, rows };
        content.join_columns_below_one_header(self.covering(body - 1));
        if self.grid.ruling == Ruling::Aligned {
            content.join_columns_without_header();
        }
        content.join_repeated_blocks();
        content.drop_blank_columns();
        if content.headers.len() < 2 || content.rows.is_empty() {
            return None;
        }
        let bbox = Rect { y2: self.bottom(body), ..self.grid.bbox };
        Some(content.into_table(self.grid, bbox, &titles.texts, groups))
    }

    /// Returns the rows at the top that hold one text over most of the table each, or none.
    fn title_rows(&self) -> TitleRows {
        let mut texts = Vec::new();
        for row in 0..self.grid.height() {
            match self.filled(row).as_slice() {
                [] => {}
                [only] if self.is_wide(only) || self.is_alone(only, row) => texts.push(only.text()),
                _ => return TitleRows { texts, end: row },
            }
        }
        TitleRows { texts, end: self.grid.height() }
    }

    /// Returns the texts of the rows from `body` on, and the headings of groups among them. Blank rows, repeated headers and rows that
    /// number the columns are left out.
    fn body_rows(&self, body: usize, headers: &[String]) -> (Vec<Vec<String>>, Vec<RowGroup>) {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut groups: Vec<RowGroup> = Vec::new();
        for row in body..self.grid.height() {
            let filled = self.filled(row);
            match filled.as_slice() {
                [] => {}
                [only] if self.is_group_heading(only, row) => {
                    groups.push(RowGroup { row: rows.len(), heading: only.text() });
                }
                _ => {
                    let texts = self.texts(&filled);
                    if texts != headers && !numbers_columns(&texts) {
                        rows.push(texts);
                    }
                }
            }
        }
        groups.retain(|group| group.row < rows.len());
        (rows, groups)
    }

    /// Returns the texts of cells by their first column.
    fn texts(&self, cells: &[&Cell]) -> Vec<String> {
        let mut texts = vec![String::new(); self.grid.width()];
        for cell in cells {
            if let Some(text) = texts.get_mut(cell.column) {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&cell.text());
            }
        }
        texts
    }

    /// Returns where the table ends: with its last row, including blank rows for later entries, but not a blank box that
    /// fills the sheet below it.
    fn bottom(&self, body: usize) -> f32 {
        let is_blank = |row: usize| self.filled(row).is_empty();
        let mut end = self.grid.height();
        let filled = (body..end).filter(|&row| !is_blank(row));
        let usual = median(filled.map(|row| self.height_of(row)).collect()).unwrap_or(f32::MAX);
        while end > body + 1 && is_blank(end - 1) && self.height_of(end - 1) > MAX_BLANK_HEIGHT * usual {
            end -= 1;
        }
        self.grid.rows.get(end).copied().unwrap_or(self.grid.bbox.y2)
    }

    fn height_of(&self, row: usize) -> f32 {
        match self.grid.rows.get(row..row + 2) {
            Some(&[top, bottom]) => bottom - top,
            _ => 0.0,
        }
    }

    /// Returns the cells with text that begin in a row, from the left.
    fn filled(&self, row: usize) -> Vec<&'a Cell> {
        self.rows.get(row).into_iter().flatten().copied().filter(|cell| !cell.is_blank()).collect()
    }

    /// Returns the indices of the cells that cover a row's positions.
    fn covering(&self, row: usize) -> &[Option<usize>] {
        let width = self.grid.width();
        self.cover.get(row * width..(row + 1) * width).unwrap_or_default()
    }

    fn is_wide(&self, cell: &Cell) -> bool {
        cell.columns > 1 && self.share_of_width(cell) >= MIN_WIDE
    }

    /// Returns the width of a cell as a share of the table's.
    fn share_of_width(&self, cell: &Cell) -> f32 {
        let (own, all) = (cell.bbox.x2 - cell.bbox.x1, self.grid.bbox.x2 - self.grid.bbox.x1);
        if all > 0.0 { own / all } else { 0.0 }
    }

    /// Returns whether the only cell with text of a row spans several columns, beside at most one blank cell: a title with a
    /// blank box beside it.
    fn is_alone(&self, only: &Cell, row: usize) -> bool {
        let cells = self.rows.get(row).map_or(0, Vec::len);
        cells <= 2 && only.columns > 1 && self.share_of_width(only) > MIN_WIDE_ALONE
    }

    /// Returns whether the only cell with text of a row holds the heading of a group.
    fn is_group_heading(&self, only: &Cell, row: usize) -> bool {
        (self.is_wide(only) && self.is_first(only)) || is_text_over_columns(only) || self.is_no_entry(only, row)
    }

    /// Returns whether to the left of a cell there are only cells that began in rows above.
    fn is_first(&self, cell: &Cell) -> bool {
        let left = self.covering(cell.row).get(..cell.column).unwrap_or_default();
        let cells = left.iter().flatten().filter_map(|&index| self.grid.cells.get(index));
        cells.into_iter().all(|beside| beside.row < cell.row)
    }

    /// Returns whether a text alone in its row is no entry of the list: half of the other rows or more have a third of their
    /// cells filled, and the text is unlike a mark: without figures, or of several words.
    fn is_no_entry(&self, only: &Cell, row: usize) -> bool {
        let width = self.grid.width();
        let counts: Vec<usize> = (0..self.grid.height())
            .filter(|&other| other != row)
            .map(|other| self.filled(other).len())
            .filter(|&count| count > 1)
            .collect();
        let full = counts.iter().filter(|&&count| 3 * count >= width).count();
        let text = only.text();
        let is_mark = text.chars().any(|c| c.is_ascii_digit()) && !text.contains(' ');
        is_at_left(only) && width >= MIN_GROUPED_COLUMNS && counts.len() >= 2 && 2 * full >= counts.len() && !is_mark
    }
}

/// Returns whether a row's texts number the columns: 1, 2, 3 or A, B, C in Latin or Cyrillic letters, and so on.
fn numbers_columns(texts: &[String]) -> bool {
    let filled: Vec<&str> = texts.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    filled.len() >= MIN_NUMBERED
        && (filled.iter().zip(1..).all(|(text, figure)| *text == figure.to_string())
            || ['A', 'a', 'А', 'а'].into_iter().any(|first| are_letters_from(first, &filled)))
}

/// Returns whether texts are the letters of an alphabet in order.
fn are_letters_from(first: char, texts: &[&str]) -> bool {
    texts.iter().zip(first..).all(|(text, letter)| text.chars().eq([letter]))
}

/// The rows above the header.
struct TitleRows {
    texts: Vec<String>,
    /// The first row after them.
    end: usize,
}

/// Returns whether a cell is in the first column, and narrow.
fn is_at_left(cell: &Cell) -> bool {
    cell.column == 0 && cell.columns <= MAX_GROUP_COLUMNS
}

/// Returns whether the text of a cell in the first column extends over the cells beside it.
fn is_text_over_columns(only: &Cell) -> bool {
    let right = only.fragments.iter().map(|fragment| fragment.bbox.x2).fold(f32::MIN, f32::max);
    is_at_left(only) && right > only.bbox.x2 + MAX_ROUNDING
}

/// What the tests of this module's parts start from.
#[cfg(test)]
pub(crate) mod fixture {
    use fanlight_contract::Rect;
    use fanlight_geometry::Frame;

    use crate::grid::{Grid, TextFragment};

    /// Returns a grid of cells of 50 by 10 points with these texts, each on a line of its own. A "<" is part of the cell to
    /// its left, a "^" part of the cell above.
    pub(crate) fn grid(texts: &[&[&str]]) -> Grid {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 400.0 };
        let count_right =
            |row: usize, column: usize| 1 + texts[row][column + 1..].iter().take_while(|text| **text == "<").count();
        let count_down =
            |row: usize, column: usize| 1 + texts[row + 1..].iter().take_while(|texts| texts[column] == "^").count();
        let mut faces: Vec<Rect> = Vec::new();
        for (row, cells) in texts.iter().enumerate() {
            for (column, _) in cells.iter().enumerate().filter(|(_, text)| !["<", "^"].contains(text)) {
                let (right, bottom) = (column + count_right(row, column), row + count_down(row, column));
                let [x1, x2] = [column, right].map(|border| border as f32 * 50.0);
                let [y1, y2] = [row, bottom].map(|border| border as f32 * 10.0);
                faces.push(Rect { x1, y1, x2, y2 });
            }
        }
        let mut grid = Grid::of_faces(&faces, Frame::new(sheet, 0.0)).expect("a grid");
        for cell in &mut grid.cells {
            let text = texts[cell.row][cell.column].to_owned();
            let bbox = Rect { x2: cell.bbox.x2.min(cell.bbox.x1 + 4.0 * text.len() as f32), ..cell.bbox };
            cell.fragments.push(TextFragment { text, bbox, turns: 0, line: cell.row as u32, size: 8.0, bold: false });
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::fixture::grid;
    use super::*;

    const HEADER: &[&str] = &["NO.", "WIDTH", "HEIGHT", "REMARKS"];

    #[test]
    fn wide_row_above_the_header_is_the_title() {
        let table = grid(&[&["DOOR SCHEDULE", "<", "<", "<"], HEADER, &["1", "900", "2100", ""]]).table();
        let table = table.expect("a table");
        assert_eq!(table.title, "DOOR SCHEDULE");
        assert_eq!(table.headers, HEADER);
    }

    #[test]
    fn wide_row_among_the_rows_is_a_groups_heading() {
        let wide = &["NORTH 1", "<", "<", "<"];
        let table = grid(&[HEADER, &["1", "900", "2100", ""], wide, &["2", "800", "2100", ""]]).table();
        let groups = table.map(|table| table.groups);
        assert_eq!(groups, Some(vec![RowGroup { row: 1, heading: "NORTH 1".to_owned() }]));
    }

    #[test]
    fn words_alone_in_a_row_are_a_groups_heading_and_a_mark_is_not() {
        for (text, expected) in [("NORTH", 1), ("WING 2", 1), ("D2", 0)] {
            let alone = &[text, "", "", ""];
            let rows = [HEADER, &["1", "900", "2100", ""], alone, &["2", "800", "2100", ""]];
            assert_eq!(grid(&rows).table().map(|table| table.groups.len()), Some(expected), "{text}");
        }
    }

    #[test]
    fn blank_rows_and_repeated_headers_are_no_rows() {
        let table = grid(&[HEADER, &["1", "900", "2100", ""], &["", "", "", ""], HEADER, &["2", "800", "2100", ""]]);
        assert_eq!(table.table().map(|table| table.rows.len()), Some(2));
    }

    #[test]
    fn row_that_numbers_the_columns_is_neither_header_nor_row() {
        let (figures, letters): (&[&str], &[&str]) = (&["1", "2", "3", "4"], &["A", "B", "C", "D"]);
        let row = &["1", "900", "2100", "2"];
        for rows in [[HEADER, figures, row], [letters, HEADER, row]] {
            let table = grid(&rows).table().expect("a table");
            assert_eq!(table.headers, HEADER);
            assert_eq!(table.rows.len(), 1);
        }
        let quantities = &["1", "2", "2", "4"];
        assert_eq!(grid(&[HEADER, quantities, row]).table().map(|table| table.rows.len()), Some(2));
    }

    #[test]
    fn blank_box_below_the_rows_is_not_part_of_the_table() {
        let mut grid = grid(&[HEADER, &["1", "900", "2100", ""], &["2", "800", "2100", ""], &["", "", "", ""]]);
        let with_blank_row = TableReader::new(&grid).bottom(1);
        grid.rows[4] += 50.0;
        assert_eq!((with_blank_row, TableReader::new(&grid).bottom(1)), (40.0, 30.0));
    }
}
