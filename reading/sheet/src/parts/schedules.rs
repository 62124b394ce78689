//! Schedules, as distinct from plans whose rooms are in a row: the rows of a table are as high as their text, and where rules
//! are missing a title says that it is one.

use fanlight_contract::{Geometry, PagePaths, PageText};
use fanlight_geometry::median;
use fanlight_tables::{Cell, Grid, Ruling, is_column_header, names_a_table};

use crate::parts::{Part, PartKind};

/// Minimum number of cells with text of a schedule.
const MIN_CELLS: usize = 6;
/// Minimum number of column headers of a schedule. Where lines of a plan and the texts between them look like cells, there is
/// none.
const MIN_HEADERS: usize = 2;
/// Minimum share of a schedule's cells that hold text.
const MIN_FILLED: f32 = 0.35;
/// Maximum median height of a schedule's rows, in ems of its text.
const MAX_ROW_HEIGHT: f32 = 6.0;

/// Returns the schedules of a page.
pub(crate) fn find(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Vec<Part> {
    let grids = fanlight_tables::find(paths, text, geometry);
    let schedules = grids.iter().filter(|grid| is_schedule(grid));
    schedules.map(|grid| Part { kind: PartKind::Schedule, bbox: grid.frame.to_user_space(grid.bbox) }).collect()
}

/// Returns whether a grid is a schedule.
fn is_schedule(grid: &Grid) -> bool {
    let lettered: Vec<&Cell> = grid.cells.iter().filter(|cell| !cell.is_blank()).collect();
    let sizes: Vec<f32> = lettered.iter().flat_map(|cell| &cell.fragments).map(|fragment| fragment.size).collect();
    let rows: Vec<f32> = grid.rows.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (Some(size), Some(row)) = (median(sizes), median(rows)) else { return false };
    let titled = || grid.table().is_some_and(|table| names_a_table(&table.title));
    (grid.ruling == Ruling::Ruled || titled())
        && grid.columns.len() > 2
        && lettered.len() >= MIN_CELLS
        && lettered.iter().filter(|cell| is_column_header(&cell.text())).count() >= MIN_HEADERS
        && lettered.len() as f32 >= MIN_FILLED * grid.cells.len() as f32
        && row <= MAX_ROW_HEIGHT * size
}
