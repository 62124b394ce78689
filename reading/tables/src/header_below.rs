//! Tables whose header is below their rows and whose title is below the header, as on sheets lettered by hand, which are filled
//! upwards.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::grid::{Cell, Grid};
use crate::headings::is_column_header;
use crate::structure::Table;

/// Rows from the top in which a head would stand.
const FIRST_ROWS: usize = 5;
/// Rows of a head at most.
const MOST_HEAD_ROWS: usize = 4;

/// The grid with its last rows first, where these are its head. None where the head stands above the rows.
pub(crate) fn head_first(grid: &Grid) -> Option<Grid> {
    let height = grid.height();
    let rows = Rows::from_grid(grid);
    // Below the head there may be the title, and blank rows.
    let last = (1..height).rev().find(|&row| rows.filled(row).count() >= 2)?;
    let known = rows.known(last);
    if known < 2 || 2 * known <= rows.filled(last).count() {
        return None;
    }
    let above = (0..FIRST_ROWS.min(last)).map(|row| rows.known(row)).max().unwrap_or(0);
    if above * 2 >= known {
        return None;
    }
    let mut first = last;
    while first + MOST_HEAD_ROWS > last + 1 {
        let from_above = rows.over(first).map(|cell| cell.row).min().unwrap_or(first);
        let more =
            if from_above < first { from_above } else { first - usize::from(first > 1 && rows.groups(first - 1)) };
        if more == first {
            break;
        }
        first = more;
    }
    if first == 0 || rows.over(first).any(|cell| cell.row < first) {
        return None;
    }
    Some(turned_over(grid, first, last + 1))
}

/// The table that a grid of [`head_first`] makes, where it stands on the page.
pub(crate) fn placed(table: Table, head_first: &Grid, grid: &Grid) -> Table {
    let titled = grid.below.iter().chain(&grid.above).find(|line| line.text == table.title);
    let is_inside = head_first.cells.iter().any(|cell| cell.text() == table.title);
    let bbox = match titled {
        Some(line) if !is_inside => grid.bbox.union(&line.bbox),
        _ => grid.bbox,
    };
    Table { bbox: grid.frame.to_user_space(bbox), ..table }
}

/// The cells of a grid by their rows.
struct Rows<'a> {
    begin: Vec<Vec<&'a Cell>>,
    cells: &'a [Cell],
}

impl<'a> Rows<'a> {
    fn from_grid(grid: &'a Grid) -> Self {
        let mut begin = vec![Vec::new(); grid.height()];
        for cell in &grid.cells {
            if let Some(row) = begin.get_mut(cell.row) {
                row.push(cell);
            }
        }
        Self { begin, cells: &grid.cells }
    }

    /// The cells with text that begin in a row.
    fn filled(&self, row: usize) -> impl Iterator<Item = &'a Cell> {
        self.begin.get(row).into_iter().flatten().copied().filter(|cell| !cell.is_blank())
    }

    /// How many of them hold a column's head.
    fn known(&self, row: usize) -> usize {
        self.filled(row).filter(|cell| is_column_header(&cell.text())).count()
    }

    /// The cells that lie in a row, wherever they begin.
    fn over(&self, row: usize) -> impl Iterator<Item = &'a Cell> {
        self.cells.iter().filter(move |cell| cell.row <= row && cell.row + cell.rows > row)
    }

    /// Whether a row holds heads of several columns each, or known ones.
    fn groups(&self, row: usize) -> bool {
        let all = self.filled(row).count();
        let over_several = self.filled(row).filter(|cell| cell.columns > 1).count();
        all >= 2 && (over_several == all || 2 * self.known(row) > all)
    }
}

/// The rows `first..end` are the head, and what is below them the title: both come first.
fn turned_over(grid: &Grid, first: usize, end: usize) -> Grid {
    let height = grid.height();
    let order: Vec<usize> = (end..height).chain(first..end).chain(0..first).collect();
    let mut place = vec![0; height];
    let mut rows = vec![grid.bbox.y1];
    for (to, &from) in order.iter().enumerate() {
        place[from] = to;
        let tall = grid.rows[from + 1] - grid.rows[from];
        rows.push(rows[to] + tall);
    }
    let cells = grid.cells.iter().map(|cell| {
        let row = place.get(cell.row).copied().unwrap_or(cell.row);
        let tall = cell.bbox.y2 - cell.bbox.y1;
        let top = rows.get(row).copied().unwrap_or(cell.bbox.y1);
        Cell { row, bbox: Rect { y1: top, y2: top + tall, ..cell.bbox }, ..cell.clone() }
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
    use crate::grid::TextFragment;
    use fanlight_geometry::Frame;

    /// A grid of cells of 50 by 10 points with these texts.
    fn grid(texts: &[&[&str]]) -> Grid {
        let crop = Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 400.0 };
        let at = |row: usize, column: usize| Rect {
            x1: column as f32 * 50.0,
            y1: row as f32 * 10.0,
            x2: (column + 1) as f32 * 50.0,
            y2: (row + 1) as f32 * 10.0,
        };
        let width = texts[0].len();
        let faces: Vec<Rect> = (0..texts.len() * width).map(|place| at(place / width, place % width)).collect();
        let mut grid = Grid::of_faces(&faces, Frame::new(crop, 0.0)).expect("a grid");
        for cell in &mut grid.cells {
            let text = texts[cell.row][cell.column].to_owned();
            let bbox = cell.bbox;
            cell.fragments.push(TextFragment { text, bbox, turns: 0, line: cell.row as u32, size: 8.0, bold: false });
        }
        grid
    }

    #[test]
    fn a_head_is_found_at_either_end() {
        let head: &[&str] = &["NO.", "WIDTH", "HEIGHT", "REMARKS"];
        let (first, second): (&[&str], &[&str]) = (&["1", "3-0", "7-0", ""], &["2", "2-8", "6-8", "LOUVER"]);
        for (what, texts) in [("above", [head, first, second]), ("below", [first, second, head])] {
            let table = grid(&texts).table().expect(what);
            assert_eq!(table.headers, head, "{what}");
            assert_eq!(table.rows, [first, second], "{what}");
        }
    }

    #[test]
    fn rows_that_say_what_heads_say_are_no_head() {
        let texts: [&[&str]; 3] = [&["NO.", "ITEM", "MATERIAL"], &["1", "DOOR", "PAINT"], &["2", "FRAME", "GLASS"]];
        assert!(head_first(&grid(&texts)).is_none());
    }
}
