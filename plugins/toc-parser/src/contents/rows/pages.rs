//! The column of page numbers, dates or the like at the ends of rows.

use fanlight_geometry::median;

use super::super::cells::Cell;
use super::super::titles;
use super::row::Row;

/// The left and right edge of a column of page numbers, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageEdges {
    pub(super) left: f32,
    pub(super) right: f32,
}

/// Returns the median edges of the page numbers, dates or the like at the ends of rows, if at least half as many rows
/// end with one as have a number.
pub(super) fn page_edges(rows: &[Row<'_>]) -> Option<PageEdges> {
    let numbered = rows.iter().filter(|row| row.anchor.is_some()).count();
    let ends: Vec<&Cell> = rows.iter().filter_map(page_at_end).collect();
    if ends.len() * 2 < numbered {
        return None;
    }
    Some(PageEdges {
        left: median(ends.iter().map(|cell| cell.x1).collect())?,
        right: median(ends.iter().map(|cell| cell.x2).collect())?,
    })
}

/// Returns the last cell of a row if it is set apart and is no word.
fn page_at_end<'a>(row: &Row<'a>) -> Option<&'a Cell> {
    let last = row.cells.last()?;
    let is_set_apart = last.after_leader || (row.cells.len() > 1 && last.gap >= 0.9 * last.size);
    (is_set_apart && titles::is_beside_title(&last.text, None)).then_some(*last)
}

#[cfg(test)]
mod tests {
    use super::super::super::columns::Side;
    use super::super::row;
    use super::super::typed::TypedPage;
    use super::*;

    fn has_pages(text: &str) -> bool {
        let page = TypedPage::new(text, Side::Left);
        page_edges(&row::rows(&page.cells, &page.arrangement.columns[0])).is_some()
    }

    #[test]
    fn figures_at_the_ends_of_most_rows_are_pages() {
        assert!(has_pages("08 11 13   Hollow Metal Doors .... 4\n08 71 00   Door Hardware ......... 9"));
    }

    #[test]
    fn figures_at_the_ends_of_few_rows_are_no_pages() {
        assert!(!has_pages(
            "08 11 13   Hollow Metal Doors     4\n08 71 00   Door Hardware\n08 80 00   Glazing of All Sorts"
        ));
    }
}
