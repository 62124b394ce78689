//! What the rows of a column have in common: where its titles, page numbers and other columns are located.

use fanlight_text::folding::has_letters;

use super::super::cells::Cell;
use super::super::columns::Side;
use super::super::titles;
use super::pages::{PageEdges, page_edges};
use super::row::Row;
use super::zone::{TitleZone, title_zone};

/// What the rows of a column have in common.
pub(super) struct ColumnLayout {
    /// The side of the titles that the numbers are on.
    pub(super) side: Side,
    pub(super) zone: TitleZone,
    /// The left edges of texts to the right of titles, which tell a column from a gap within a title.
    beside: Vec<f32>,
    /// `None` if fewer than half of the entries end with a page number, a date or the like.
    pages: Option<PageEdges>,
    /// The usual distance between successive rows, in points.
    pitch: f32,
}

/// Two edges this close, in points, belong to one column.
pub(super) const SAME_EDGE: f32 = 3.0;
/// At least this many texts with the same left edge are a column.
const MIN_COLUMN_ROWS: usize = 3;
/// Lines of a title are at most this far apart, in em.
pub(super) const TITLE_LEADING: f32 = 1.75;
/// Lines further apart than this, in em, are never one title, however loosely a page is set.
pub(super) const LOOSEST_LEADING: f32 = 2.6;

impl ColumnLayout {
    pub(super) fn new(rows: &[Row<'_>], side: Side) -> Self {
        let mut steps: Vec<f32> = rows.windows(2).map(|pair| pair[1].y - pair[0].y).collect();
        steps.sort_by(f32::total_cmp);
        let zone = title_zone(rows, side);
        Self {
            side,
            zone,
            beside: left_edges_beside_titles(rows, side, &zone),
            pages: page_edges(rows),
            // The lower third rather than the median: gaps between divisions may outnumber close rows.
            pitch: steps.get(steps.len() / 3).copied().unwrap_or_default(),
        }
    }

    /// Returns whether a line that ends at `x2` has no room for the first title word of `next`.
    pub(super) fn is_full(&self, x2: f32, next: &Row<'_>, size: f32) -> bool {
        let first_word = next
            .cells
            .iter()
            .find(|cell| cell.x1 >= self.zone.left - 0.6 * cell.size)
            .or(next.cells.first())
            .and_then(|cell| cell.words.first())
            .map_or(0.0, |word| word.bbox.x2 - word.bbox.x1);
        x2 + 0.25 * size + first_word > self.zone.right - 0.3 * size
    }

    /// Returns whether a division heading that ends at `x2` has no room for the first word of `first`.
    pub(super) fn is_heading_full(&self, x2: f32, first: &Cell) -> bool {
        let first_word = first.words.first().map_or(0.0, |word| word.bbox.x2 - word.bbox.x1);
        x2 + first_word + 0.25 * first.size > self.zone.right - 2.0 * first.size
    }

    /// Returns whether all cells of a row begin within the titles' extent.
    pub(super) fn is_among_title_lines(&self, row: &Row<'_>) -> bool {
        row.cells.iter().all(|cell| cell.x1 >= self.zone.left - 0.6 * cell.size && cell.x1 <= self.zone.right)
    }

    /// Returns whether a cell to the left of a number is among the titles rather than in a column before or after them.
    pub(super) fn is_among_titles(&self, cell: &Cell) -> bool {
        cell.x1 >= self.zone.left - cell.size && (cell.x1 <= self.zone.right || titles::is_unused(&cell.text))
    }

    /// Returns whether a cell is in a column between the numbers and the titles: it ends before the titles begin, and it is a
    /// date or the like, or one of the cells `after` it begins where the titles do.
    pub(super) fn is_before_titles(&self, cell: &Cell, after: &[&Cell]) -> bool {
        let has_title = || after.iter().any(|later| (later.x1 - self.zone.left).abs() < SAME_EDGE);
        let is_beside = || titles::is_beside_title(&cell.text, None) && !titles::is_unused(&cell.text);
        cell.x2 < self.zone.left && (is_beside() || has_title())
    }

    /// Returns whether other rows have a text beside their titles with the same left edge.
    pub(super) fn is_in_column_beside(&self, cell: &Cell) -> bool {
        self.beside.iter().filter(|x| (**x - cell.x1).abs() < SAME_EDGE).count() >= MIN_COLUMN_ROWS
    }

    /// Returns whether a cell is a page number, a date or the like in the column of most entries' pages.
    pub(super) fn is_page(&self, cell: &Cell) -> bool {
        let is_aligned =
            |pages: PageEdges| (cell.x1 - pages.left).abs() < SAME_EDGE || (cell.x2 - pages.right).abs() < SAME_EDGE;
        titles::is_beside_title(&cell.text, None) && self.pages.is_some_and(is_aligned)
    }

    /// Returns whether a row ends with a page number in the column of most entries' pages.
    pub(super) fn is_paged(&self, row: &Row<'_>) -> bool {
        row.cells.last().is_some_and(|last| self.is_page(last))
    }

    /// Returns whether the cells after a title hold its page. Without a column of pages, any text that is not a word
    /// counts.
    pub(super) fn ends_paged(&self, after: &[&Cell]) -> bool {
        match self.pages {
            Some(_) => after.iter().any(|cell| self.is_page(cell)),
            None => after.iter().any(|cell| titles::is_beside_title(&cell.text, None)),
        }
    }

    /// Returns the greatest distance in points from a title's line of `size` to its next line.
    pub(super) fn farthest_line(&self, size: f32) -> f32 {
        (1.1 * self.pitch).clamp(TITLE_LEADING * size, LOOSEST_LEADING * size)
    }

    /// Returns the cell of a row without a number that can be part of a title of `size`: the first that begins within
    /// the titles' extent, or else the row's first.
    pub(super) fn title_cell<'a>(&self, row: &Row<'a>, size: f32) -> Option<&'a Cell> {
        let in_zone = |cell: &&&Cell| cell.x1 >= self.zone.left - 0.6 * size && cell.x1 <= self.zone.right;
        row.cells.iter().find(in_zone).or(row.cells.first()).copied()
    }
}

/// Returns the left edges of texts to the right of a title, for columns with the numbers on the left.
fn left_edges_beside_titles(rows: &[Row<'_>], side: Side, zone: &TitleZone) -> Vec<f32> {
    if side == Side::Right {
        return Vec::new();
    }
    let mut edges = Vec::new();
    for row in rows {
        let Some((at, anchor)) = row.anchor else { continue };
        let first = if has_letters(&anchor.rest, 2) { at + 1 } else { at + 2 };
        let beside = row.cells.iter().skip(first).filter(|cell| !cell.after_leader);
        edges.extend(beside.map(|cell| cell.x1).filter(|x| (x - zone.left).abs() >= SAME_EDGE));
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::super::row;
    use super::super::typed::TypedPage;
    use super::*;

    const PAGED: &str = "\
08 11 13   Hollow Metal Doors and Frames      4
08 71 00   Door Hardware                      9
08 80 00   Glazing                           12";

    fn with_layout(text: &str, check: impl Fn(&ColumnLayout, &[Row<'_>])) {
        let page = TypedPage::new(text, Side::Left);
        let rows = row::rows(&page.cells, &page.arrangement.columns[0]);
        check(&ColumnLayout::new(&rows, Side::Left), &rows);
    }

    #[test]
    fn a_figure_in_the_column_of_pages_is_a_page() {
        with_layout(PAGED, |layout, rows| {
            assert!(rows.iter().all(|row| layout.is_paged(row)));
            assert!(!layout.is_page(rows[0].cells[0]));
        });
    }

    #[test]
    fn the_longest_title_is_full_and_a_short_one_is_not() {
        with_layout(PAGED, |layout, rows| {
            let right = |row: &Row<'_>| row.cells[1].x2;
            assert!(layout.is_full(right(&rows[0]), &rows[1], rows[0].cells[1].size));
            assert!(!layout.is_full(right(&rows[2]), &rows[1], rows[2].cells[1].size));
        });
    }

    #[test]
    fn lines_of_a_title_are_as_far_apart_as_rows_within_bounds() {
        with_layout(PAGED, |layout, _| {
            let farthest = layout.farthest_line(10.0);
            assert!((TITLE_LEADING * 10.0..=LOOSEST_LEADING * 10.0).contains(&farthest), "{farthest}");
        });
    }
}
