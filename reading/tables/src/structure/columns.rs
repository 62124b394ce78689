//! The content of a table. Joins and drops columns that only rules separate.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use super::title::title;
use super::{RowGroup, Table};
use crate::grid::Grid;

/// Numbers of blocks side by side that are joined: a table is continued in at most this many.
const BLOCKS: [usize; 3] = [4, 3, 2];
/// Minimum number of columns of a block.
const MIN_BLOCK_COLUMNS: usize = 2;

/// The headers of a table and the texts below them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) headers: Vec<String>,
    /// Each row has a text for each header.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Content {
    /// Joins columns below one header if no row has text in two of them: the rule between them is a box drawn around a mark.
    /// `last_header_row` has for each column the cell above the first row.
    pub(super) fn join_columns_below_one_header(&mut self, last_header_row: &[Option<usize>]) {
        for column in (1..last_header_row.len()).rev() {
            let has_one_header =
                last_header_row[column].is_some() && last_header_row[column] == last_header_row[column - 1];
            if has_one_header && !self.rows.iter().any(|row| has_text(row, column - 1) && has_text(row, column)) {
                self.join_with_next(column - 1);
            }
        }
    }

    /// Joins each column without a header to the one on its left if no row has text in both: where no rules are, texts at the right
    /// of a column leave a gap below its centred header.
    pub(super) fn join_columns_without_header(&mut self) {
        for column in (1..self.headers.len()).rev() {
            let is_part = !has_text(&self.headers, column) && has_text(&self.headers, column - 1);
            if is_part && !self.rows.iter().any(|row| has_text(row, column - 1) && has_text(row, column)) {
                self.join_with_next(column - 1);
            }
        }
    }

    /// Moves the texts of the next column into a column, and removes the next one.
    fn join_with_next(&mut self, column: usize) {
        self.headers.remove(column + 1);
        for row in &mut self.rows {
            let text = row.remove(column + 1);
            if !text.is_empty() {
                row[column] = text;
            }
        }
    }

    /// Joins blocks side by side that repeat the whole header: they are one table, continued. The rows of each block follow
    /// those of the block to its left.
    pub(super) fn join_repeated_blocks(&mut self) {
        let Some(width) = BLOCKS.iter().find_map(|&count| self.block_width(count)) else { return };
        let blocks = self.headers.len() / width;
        let rows: Vec<Vec<String>> = (0..blocks)
            .flat_map(|block| self.rows.iter().map(move |row| row[block * width..(block + 1) * width].to_vec()))
            .filter(|row| row.iter().any(|text| !text.is_empty()))
            .collect();
        self.headers.truncate(width);
        self.rows = rows;
    }

    /// Returns the number of columns of a block if the headers are those of `count` equal blocks.
    fn block_width(&self, count: usize) -> Option<usize> {
        let all = self.headers.len();
        let width = all / count;
        let are_whole = width >= MIN_BLOCK_COLUMNS && all.is_multiple_of(count);
        if !are_whole || self.headers.iter().all(String::is_empty) {
            return None;
        }
        let first = &self.headers[..width];
        self.headers.chunks(width).all(|block| block == first).then_some(width)
    }

    /// Drops columns without a header and without text: the space between double lines.
    pub(super) fn drop_blank_columns(&mut self) {
        let is_kept: Vec<bool> = (0..self.headers.len())
            .map(|column| has_text(&self.headers, column) || self.rows.iter().any(|row| has_text(row, column)))
            .collect();
        retain_columns(&mut self.headers, &is_kept);
        for row in &mut self.rows {
            retain_columns(row, &is_kept);
        }
    }

    /// Returns the table of a grid with this content. `bbox` is its box in the grid's frame without a title above it, `titles` are
    /// the texts of its title rows.
    pub(crate) fn into_table(self, grid: &Grid, bbox: Rect, titles: &[String], groups: Vec<RowGroup>) -> Table {
        let title = title(grid, titles);
        let bbox = title.line.map_or(bbox, |line| bbox.union(&line.bbox));
        let cover = grid.cover();
        let filled = self.rows.iter().flatten().filter(|text| !text.is_empty()).count();
        Table {
            bbox: grid.frame.to_user_space(bbox),
            title: title.text,
            groups,
            ruling: grid.ruling,
            closed: cover.iter().flatten().count() as f32 / cover.len().max(1) as f32,
            filled: filled as f32 / (self.headers.len() * self.rows.len()).max(1) as f32,
            headers: self.headers,
            rows: self.rows,
        }
    }
}

fn has_text(row: &[String], column: usize) -> bool {
    row.get(column).is_some_and(|text| !text.is_empty())
}

fn retain_columns(row: &mut Vec<String>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    row.retain(|_| is_kept.next().copied().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(headers: &[&str], rows: &[&[&str]]) -> Content {
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        Content { headers: strings(headers), rows: rows.iter().map(|row| strings(row)).collect() }
    }

    #[test]
    fn columns_below_one_header_are_joined() {
        let mut joined = content(&["NO.", "TYPE", "TYPE"], &[&["1", "A", ""], &["2", "", "B"]]);
        joined.join_columns_below_one_header(&[Some(0), Some(1), Some(1)]);
        assert_eq!(joined, content(&["NO.", "TYPE"], &[&["1", "A"], &["2", "B"]]));
    }

    #[test]
    fn columns_with_text_in_one_row_stay_apart() {
        let whole = content(&["NO.", "TYPE", "TYPE"], &[&["1", "A", "B"]]);
        let mut joined = whole.clone();
        joined.join_columns_below_one_header(&[Some(0), Some(1), Some(1)]);
        assert_eq!(joined, whole);
    }

    #[test]
    fn column_without_header_is_the_one_on_its_left() {
        let mut joined = content(&["NO.", "WIDTH", ""], &[&["1", "", "900"], &["2", "TBD", ""]]);
        joined.join_columns_without_header();
        assert_eq!(joined, content(&["NO.", "WIDTH"], &[&["1", "900"], &["2", "TBD"]]));
        let whole = content(&["NO.", "WIDTH", ""], &[&["1", "900", "A"]]);
        let mut apart = whole.clone();
        apart.join_columns_without_header();
        assert_eq!(apart, whole);
    }

    #[test]
    fn blocks_with_the_same_headers_are_one_table() {
        let mut joined = content(&["NO.", "SIZE", "NO.", "SIZE"], &[&["1", "9", "3", "7"], &["2", "8", "", ""]]);
        joined.join_repeated_blocks();
        assert_eq!(joined, content(&["NO.", "SIZE"], &[&["1", "9"], &["2", "8"], &["3", "7"]]));
    }

    #[test]
    fn columns_without_header_and_text_are_dropped() {
        let mut dropped = content(&["NO.", "", "SIZE", ""], &[&["1", "", "9", "A"]]);
        dropped.drop_blank_columns();
        assert_eq!(dropped, content(&["NO.", "SIZE", ""], &[&["1", "9", "A"]]));
    }
}
