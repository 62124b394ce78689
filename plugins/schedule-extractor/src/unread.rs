//! Tables whose text cannot be read, because there is no text layer and no OCR. Their rules still
//! show rows and columns.
//!
//! Only the words would say what a table lists. Without them, a grid is a schedule only if it is
//! plainly a list: it has many rows with content in most of their columns, and most are not much
//! higher than lettering.

use fanlight_geometry::median;
use fanlight_tables::{Grid, Table};

/// Minimum number of columns. A grid with fewer is a legend or a title block. The limits of this file were chosen by eye.
const MIN_COLUMNS: usize = 3;
/// Minimum number of rows. A grid with fewer is a title block, or a set of drawings in a ruled grid.
const MIN_ROWS: usize = 5;
/// Maximum median height of rows, in points: some lines of lettering.
const MAX_ROW_HEIGHT: f32 = 54.0;
/// Minimum share of a grid's positions that are in a closed cell.
const MIN_CLOSED: f32 = 0.9;
/// Minimum share of cells that span one column.
const MIN_SINGLE: f32 = 0.7;

/// Returns a grid's table with empty cells, if it is a list. `filled_cells` are the cells with content.
pub(crate) fn table(grid: &Grid, filled_cells: &[usize]) -> Option<Table> {
    let (width, height) = (grid.width(), grid.height());
    if width < MIN_COLUMNS || height < MIN_ROWS {
        return None;
    }
    let closed = grid.cover().iter().flatten().count() as f32 / (width * height) as f32;
    let single = grid.cells.iter().filter(|cell| cell.columns == 1).count() as f32;
    if closed < MIN_CLOSED || single < MIN_SINGLE * grid.cells.len() as f32 {
        return None;
    }
    let filled = filled_by_row(grid, filled_cells);
    let full = grid.rows.array_windows().zip(&filled).filter(|(_, filled)| 2 * **filled >= width);
    let heights: Vec<f32> = full.map(|([top, bottom], _)| bottom - top).collect();
    if heights.len() < MIN_ROWS || median(heights).is_none_or(|usual| usual > MAX_ROW_HEIGHT) {
        return None;
    }
    // The first row is the header. Some of the others may have little content.
    let rows = filled.iter().filter(|count| **count > 0).count() - 1;
    Some(Table {
        bbox: grid.frame.to_user_space(grid.bbox),
        title: String::new(),
        headers: vec![String::new(); width],
        rows: vec![vec![String::new(); width]; rows],
        groups: Vec::new(),
        ruling: grid.ruling,
        closed,
        filled: 0.0,
    })
}

/// Returns how many of the filled cells of each row span one column.
fn filled_by_row(grid: &Grid, filled_cells: &[usize]) -> Vec<usize> {
    let mut filled = vec![0; grid.height()];
    for cell in filled_cells.iter().filter_map(|&index| grid.cells.get(index)).filter(|cell| cell.columns == 1) {
        if let Some(count) = filled.get_mut(cell.row) {
            *count += 1;
        }
    }
    filled
}
