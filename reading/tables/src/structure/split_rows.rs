//! Splits rows into the rows that their lines of text form: rules below the header, or after every few rows, and none between the
//! others.

use fanlight_contract::Rect;

use crate::grid::{Cell, Grid, Ruling, TextFragment};
use crate::regions::{nearest, snapped};

/// Minimum number of lines of another cell beside the first, less one of the first cell, in a row that shows that rows are not
/// ruled.
const MIN_LINES: usize = 3;
/// Minimum number of lines of the first cell of a row that is split.
const MIN_MARKS: usize = 2;
/// Lines at most this far apart are beside each other, in points.
const MAX_OFFSET: f32 = 3.0;
/// Minimum share of the other cells' lines that are beside a line of the first cell, in tenths.
const MIN_BESIDE_TENTHS: usize = 7;
/// Minimum number of columns of a table with such rows.
const MIN_COLUMNS: usize = 3;
/// Minimum share of the other cells that have a line beside a line of the first cell, on average over its lines, in tenths: where
/// most have none, the lines are those of one text.
const MIN_FILLED_TENTHS: usize = 5;
/// A table with more than this many texts for each column and row of several lines has rows of its own.
const MAX_OTHER_TEXTS: usize = 2;

/// Returns the grid with its rows of several lines split between the lines of their first cells, or `None` if its rows are ruled.
/// Each row of the table begins with a mark, so the lines of the other cells are beside those of the first.
pub(super) fn split_tall_rows(grid: &Grid) -> Option<Grid> {
    if grid.width() < MIN_COLUMNS {
        return None;
    }
    let rows = grid.cells_by_row();
    let tall = rows.iter().enumerate().skip(1).filter_map(|(row, cells)| TallRow::read(row, cells));
    let tall: Vec<TallRow> = tall.collect();
    let tall_rows: Vec<usize> = tall.iter().map(|tall| tall.row).collect();
    let others = grid.cells.iter().filter(|cell| cell.row > 0 && !tall_rows.contains(&cell.row) && !cell.is_blank());
    let others = others.count();
    if !tall.iter().any(TallRow::has_many_lines) || others > MAX_OTHER_TEXTS * grid.width() * tall.len() {
        return None;
    }
    // From the bottom, so that the rows above keep their numbers.
    Some(tall.iter().rev().fold(grid.clone(), |grid, tall| split(&grid, tall.row, &tall.borders())))
}

/// A row of several lines, each beside one of the first cell.
struct TallRow {
    row: usize,
    /// The middles of the first cell's lines, from the top.
    marks: Vec<f32>,
    /// The number of lines of the other cell with the most.
    most_lines: usize,
}

impl TallRow {
    /// Reads a row from the cells that begin in it, from the left.
    fn read(row: usize, cells: &[&Cell]) -> Option<Self> {
        let (first, others) = cells.split_first()?;
        let marks = line_middles(first);
        let lines: Vec<f32> = others.iter().flat_map(|cell| line_middles(cell)).collect();
        let beside = lines.iter().filter(|&&y| is_beside(y, &marks)).count();
        let most_lines = others.iter().map(|cell| cell.fragments.len()).max().unwrap_or(0);
        let filled = others.iter().filter(|cell| !cell.is_blank()).count();
        let are_rows = marks.len() >= MIN_MARKS
            && 10 * beside >= MIN_BESIDE_TENTHS * lines.len()
            && 10 * beside >= MIN_FILLED_TENTHS * filled * marks.len();
        are_rows.then_some(Self { row, marks, most_lines })
    }

    fn has_many_lines(&self) -> bool {
        self.marks.len() > MIN_LINES && self.most_lines >= MIN_LINES
    }

    /// Returns the heights at which it is split.
    fn borders(&self) -> Vec<f32> {
        self.marks.windows(2).map(|pair| f32::midpoint(pair[0], pair[1])).collect()
    }
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
        let split = split_tall_rows(&one_tall_row(&[marks, marks, &[20.0, 60.0]])).expect("rows");
        assert_eq!(split.rows, [0.0, 10.0, 30.0, 50.0, 70.0, 100.0]);
        let third: Vec<String> = split.cells.iter().filter(|cell| cell.row == 3).map(Cell::text).collect();
        assert_eq!(third, ["2", "2", "1"]);
    }

    #[test]
    fn lines_between_the_marks_are_one_cells_text() {
        let marks: &[f32] = &[20.0, 40.0, 60.0, 80.0];
        let between: &[f32] = &[30.0, 50.0, 70.0];
        assert!(split_tall_rows(&one_tall_row(&[marks, between, between])).is_none());
    }

    #[test]
    fn rows_are_split_after_every_few_of_them() {
        let marks: &[f32] = &[20.0, 40.0, 60.0, 80.0];
        let mut grid = one_tall_row(&[marks, marks, marks]);
        let moved = |own: &Cell| {
            let bbox = Rect { y1: own.bbox.y1 + 100.0, y2: own.bbox.y2 + 100.0, ..own.bbox };
            let lines = own.fragments.iter().take(2);
            let lines = lines.map(|line| {
                let bbox = Rect { y1: line.bbox.y1 + 100.0, y2: line.bbox.y2 + 100.0, ..line.bbox };
                TextFragment { bbox, ..line.clone() }
            });
            Cell { row: 2, bbox, fragments: lines.collect(), ..*own }
        };
        let below: Vec<Cell> = grid.cells.iter().filter(|cell| cell.row == 1).map(moved).collect();
        grid.cells.extend(below);
        grid.rows.push(200.0);
        assert_eq!(split_tall_rows(&grid).expect("rows").height(), 1 + 4 + 2);
    }

    #[test]
    fn row_with_few_marks_is_not_split() {
        let marks: &[f32] = &[20.0, 40.0, 60.0];
        assert!(split_tall_rows(&one_tall_row(&[marks, marks, marks])).is_none());
    }
}
