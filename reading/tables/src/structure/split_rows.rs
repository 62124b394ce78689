//! Splits a row into the rows that its lines of text form: a ruled header above one row of tall cells.

use fanlight_contract::Rect;

use crate::grid::{Cell, Grid, Ruling, TextFragment};
use crate::regions::{nearest, snapped};

/// Minimum number of lines of another cell beside the first, less one of the first cell, in a row that is split.
const MIN_LINES: usize = 3;
/// Lines at most this far apart are beside each other, in points.
const MAX_OFFSET: f32 = 3.0;
/// Minimum share of the other cells' lines that are beside a line of the first cell, in tenths.
const MIN_BESIDE_TENTHS: usize = 7;
/// A table with more than this many texts for each column above the row has rows of its own.
const MAX_TEXTS_ABOVE: usize = 2;

/// Returns the grid with its last row of text split between the lines of its first cell, or `None` if it is one row. Each row
/// of the table begins with a mark, so the lines of the other cells are beside those of the first.
pub(super) fn split_last_row(grid: &Grid) -> Option<Grid> {
    let row =
        (1..grid.height()).rev().find(|&row| grid.cells.iter().any(|cell| cell.row == row && !cell.is_blank()))?;
    let mut cells: Vec<&Cell> = grid.cells.iter().filter(|cell| cell.row == row).collect();
    cells.sort_by_key(|cell| cell.column);
    let (first, others) = cells.split_first()?;
    let marks = line_middles(first);
    let texts_above = grid.cells.iter().filter(|cell| cell.row > 0 && cell.row < row && !cell.is_blank()).count();
    let have_lines = others.iter().any(|cell| cell.fragments.len() >= MIN_LINES);
    if marks.len() <= MIN_LINES || !have_lines || texts_above > MAX_TEXTS_ABOVE * grid.width() {
        return None;
    }
    let lines: Vec<f32> = others.iter().flat_map(|cell| line_middles(cell)).collect();
    let beside = lines.iter().filter(|&&y| is_beside(y, &marks)).count();
    if 10 * beside < MIN_BESIDE_TENTHS * lines.len() {
        return None;
    }
    let borders: Vec<f32> = marks.windows(2).map(|pair| f32::midpoint(pair[0], pair[1])).collect();
    Some(split(grid, row, &borders))
}

/// Returns the middles of a cell's upright lines, from the top.
fn line_middles(cell: &Cell) -> Vec<f32> {
    snapped(cell.fragments.iter().filter(|fragment| fragment.turns == 0).map(middle))
}

fn middle(fragment: &TextFragment) -> f32 {
    f32::midpoint(fragment.bbox.y1, fragment.bbox.y2)
}

/// Returns whether a line is at the height of one of some marks, which are sorted.
fn is_beside(y: f32, marks: &[f32]) -> bool {
    marks.get(nearest(marks, y)).is_some_and(|mark| (mark - y).abs() <= MAX_OFFSET)
}

/// Returns a grid with one row split at the given heights.
fn split(grid: &Grid, row: usize, borders: &[f32]) -> Grid {
    let mut split = grid.clone();
    split.ruling = Ruling::Partly;
    let below = split.rows.split_off(row + 1);
    split.rows.extend(borders.iter().copied().chain(below));
    let (own, mut cells): (Vec<Cell>, Vec<Cell>) =
        split.cells.into_iter().partition(|cell| cell.row == row && cell.rows == 1);
    for cell in cells.iter_mut().filter(|cell| cell.row > row) {
        cell.row += borders.len();
    }
    cells.extend(own.iter().flat_map(|cell| parts(cell, borders)));
    split.cells = cells;
    split
}

/// Returns the parts of a cell between the given heights, from the top, each with its lines.
fn parts(cell: &Cell, borders: &[f32]) -> Vec<Cell> {
    let tops = std::iter::once(cell.bbox.y1).chain(borders.iter().copied());
    let bottoms = borders.iter().copied().chain([cell.bbox.y2]);
    let parts = tops.zip(bottoms).enumerate().map(|(index, (y1, y2))| Cell {
        row: cell.row + index,
        bbox: Rect { y1, y2, ..cell.bbox },
        fragments: cell.fragments.iter().filter(|own| (y1..y2).contains(&middle(own))).cloned().collect(),
        drawn: 0,
        ..*cell
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::fixture::grid;

    /// A grid of a header and one row with the given lines in each of its cells, at the given heights.
    fn one_tall_row(columns: &[&[f32]]) -> Grid {
        let header = vec!["NO."; columns.len()];
        let mut grid = grid(&[&header, &vec![""; columns.len()]]);
        grid.rows[2] = 100.0;
        for cell in grid.cells.iter_mut().filter(|cell| cell.row == 1) {
            cell.bbox.y2 = 100.0;
            let template = cell.fragments.remove(0);
            cell.fragments.extend(columns[cell.column].iter().enumerate().map(|(line, &y)| TextFragment {
                text: format!("{line}"),
                bbox: Rect { y1: y - 4.0, y2: y + 4.0, ..cell.bbox },
                line: line as u32,
                ..template.clone()
            }));
        }
        grid
    }

    #[test]
    fn lines_beside_the_marks_are_rows() {
        let marks: &[f32] = &[20.0, 40.0, 60.0, 80.0];
        let split = split_last_row(&one_tall_row(&[marks, marks, &[20.0, 60.0]])).expect("rows");
        assert_eq!(split.rows, [0.0, 10.0, 30.0, 50.0, 70.0, 100.0]);
        let third: Vec<String> = split.cells.iter().filter(|cell| cell.row == 3).map(Cell::text).collect();
        assert_eq!(third, ["2", "2", "1"]);
    }

    #[test]
    fn lines_between_the_marks_are_one_cells_text() {
        let marks: &[f32] = &[20.0, 40.0, 60.0, 80.0];
        assert!(split_last_row(&one_tall_row(&[marks, &[30.0, 50.0, 70.0]])).is_none());
    }

    #[test]
    fn row_with_few_marks_is_not_split() {
        let marks: &[f32] = &[20.0, 40.0, 60.0];
        assert!(split_last_row(&one_tall_row(&[marks, marks])).is_none());
    }
}
