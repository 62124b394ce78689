//! Tables, told from plans whose rooms lie in a row: a table's rows are as high as their text, and where rules are missing,
//! a title says that it is one.

use fanlight_contract::{Geometry, PagePaths, PageText};
use fanlight_geometry::median;
use fanlight_tables::{Cell, Grid, Ruling, heads_a_column, names_a_table};

use crate::parts::{Part, PartKind};

/// A table has so many cells with text at least.
const FEWEST_CELLS: usize = 6;
/// So many of them head columns: where lines of a plan and what is written between them look like cells, none does.
const FEWEST_HEADS: usize = 2;
/// Of its cells this share holds text.
const FILLED: f32 = 0.35;
/// The median row is so many ems of its text high at most.
const HIGHEST_ROW: f32 = 6.0;

/// The schedules of a page.
pub(crate) fn find(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Vec<Part> {
    let grids = fanlight_tables::find(paths, text, geometry);
    let schedules = grids.iter().filter(|grid| is_schedule(grid));
    schedules.map(|grid| Part { kind: PartKind::Schedule, bbox: grid.frame.to_user_space(grid.bbox) }).collect()
}

fn is_schedule(grid: &Grid) -> bool {
    let lettered: Vec<&Cell> = grid.cells.iter().filter(|cell| !cell.is_blank()).collect();
    let sizes: Vec<f32> = lettered.iter().flat_map(|cell| &cell.pieces).map(|piece| piece.size).collect();
    let rows: Vec<f32> = grid.rows.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (Some(size), Some(row)) = (median(sizes), median(rows)) else { return false };
    let titled = || grid.table().is_some_and(|table| names_a_table(&table.title));
    (grid.ruling == Ruling::Ruled || titled())
        && grid.columns.len() > 2
        && lettered.len() >= FEWEST_CELLS
        && lettered.iter().filter(|cell| heads_a_column(&cell.text())).count() >= FEWEST_HEADS
        && lettered.len() as f32 >= FILLED * grid.cells.len() as f32
        && row <= HIGHEST_ROW * size
}
