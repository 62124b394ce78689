//! The rows of a column: its cells on one line.

use super::super::cells::Cell;
use super::super::columns::{Anchor, Column};
use super::super::titles;

/// The cells of a column on one line.
pub(super) struct Row<'a> {
    pub(super) cells: Vec<&'a Cell>,
    /// The baseline of the number, or of the first cell if the row has no number.
    pub(super) y: f32,
    /// The row's section number, with the index of its cell in `cells`.
    pub(super) anchor: Option<(usize, &'a Anchor)>,
}

impl Row<'_> {
    /// Returns the row's text up to the first page number, date or leader that is set apart from it.
    pub(super) fn text(&self) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for cell in self.cells.iter().filter(|cell| !cell.struck) {
            let is_page = cell.gap >= cell.size && titles::is_beside_title(&cell.text, None);
            if !parts.is_empty() && (cell.after_leader || is_page) {
                break;
            }
            parts.push(&cell.text);
        }
        parts.join(" ")
    }

    /// Returns the rightmost edge of the row's cells.
    pub(super) fn right(&self) -> f32 {
        self.cells.iter().map(|cell| cell.x2).fold(f32::MIN, f32::max)
    }
}

/// Groups the cells of a column into rows, from the top.
pub(super) fn rows<'a>(cells: &'a [Cell], column: &'a Column) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    let mut last_line = usize::MAX;
    for (index, cell) in cells.iter().enumerate() {
        if cell.x1 < column.left || cell.x1 >= column.right {
            continue;
        }
        if cell.line != last_line {
            rows.push(Row { cells: Vec::new(), y: cell.y, anchor: None });
            last_line = cell.line;
        }
        let Some(row) = rows.last_mut() else { continue };
        if let Ok(found) = column.anchors.binary_search_by_key(&index, |anchor| anchor.cell)
            && row.anchor.is_none()
        {
            row.anchor = Some((row.cells.len(), &column.anchors[found]));
            row.y = cell.y;
        }
        row.cells.push(cell);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::super::columns::Side;
    use super::super::typed::TypedPage;
    use super::*;

    #[test]
    fn a_row_is_the_cells_of_one_line() {
        let page =
            TypedPage::new("08 11 13   Hollow Metal Doors .... 4\n08 71 00   Door Hardware ......... 9", Side::Left);
        let rows = rows(&page.cells, &page.arrangement.columns[0]);
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row.anchor.is_some_and(|(at, _)| at == 0)));
    }

    #[test]
    fn the_text_of_a_row_ends_before_its_page() {
        let page =
            TypedPage::new("08 11 13   Hollow Metal Doors .... 4\n08 71 00   Door Hardware ......... 9", Side::Left);
        let rows = rows(&page.cells, &page.arrangement.columns[0]);
        assert_eq!(rows[0].text(), "08 11 13 Hollow Metal Doors");
    }
}
