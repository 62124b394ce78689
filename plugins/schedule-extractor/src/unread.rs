//! Tables whose text can't be read: there is no text layer, and no OCR. Their rules tell rows and columns all the same.
//!
//! What a table lists, its words would say. Without them only grids are taken for schedules that are plainly lists: many
//! rows with something in most of their columns, none much higher than lettering.

use fanlight_geometry::median;
use fanlight_tables::{Grid, Table};

/// Fewer columns with lettering are a legend or a title block.
const FEWEST_COLUMNS: usize = 3;
/// Fewer rows are a title block, or drawings in a ruled grid.
const FEWEST_ROWS: usize = 5;
/// Half of the rows are no higher than this, in points: some lines of lettering.
const USUAL_HEIGHT: f32 = 54.0;
/// The share of a grid's places that lie in a cell, and of those that span one column.
const CLOSED: f32 = 0.9;
const PLAIN: f32 = 0.7;

/// The table that a grid is, all of its cells empty, if it is a list of any kind. `inked` are the cells with something
/// drawn in them.
pub(crate) fn table(grid: &Grid, inked: &[usize]) -> Option<Table> {
    let (width, height) = (grid.width(), grid.height());
    if width < FEWEST_COLUMNS || height < FEWEST_ROWS {
        return None;
    }
    let closed = grid.cover().iter().flatten().count() as f32 / (width * height) as f32;
    let plain = grid.cells.iter().filter(|cell| cell.columns == 1).count() as f32;
    if closed < CLOSED || plain < PLAIN * grid.cells.len() as f32 {
        return None;
    }
    let mut filled = vec![0_usize; height];
    for cell in inked.iter().filter_map(|&index| grid.cells.get(index)).filter(|cell| cell.columns == 1) {
        if let Some(count) = filled.get_mut(cell.row) {
            *count += 1;
        }
    }
    let is_row = |row: &usize| 2 * filled.get(*row).copied().unwrap_or(0) >= width;
    let heights: Vec<f32> =
        grid.rows.windows(2).enumerate().filter(|(row, _)| is_row(row)).map(|(_, y)| y[1] - y[0]).collect();
    if heights.len() < FEWEST_ROWS || median(heights).is_none_or(|usual| usual > USUAL_HEIGHT) {
        return None;
    }
    // The first of them heads the columns; some of the others may have little in them.
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
