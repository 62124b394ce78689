//! Where the numbers, titles and page numbers of a column are located.

use fanlight_geometry::median;
use fanlight_text::folding::has_letters;

use super::super::cells::Cell;
use super::super::columns::{Anchor, Column, Side};
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

/// The horizontal extent of a column's titles and numbers, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct TitleZone {
    /// The median of the titles' left edges.
    pub(super) left: f32,
    /// The right edge of the longest title line.
    pub(super) right: f32,
    /// The left edge of the leftmost number.
    pub(super) numbers: f32,
    /// Whether most numbers and titles are one running text.
    pub(super) inline: bool,
}

/// The left and right edge of a column of page numbers, in points.
#[derive(Clone, Copy, Debug)]
struct PageEdges {
    left: f32,
    right: f32,
}

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
const SAME_EDGE: f32 = 3.0;
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
        Self {
            side,
            zone: title_zone(rows, side),
            beside: left_edges_beside_titles(rows, side),
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
        cell.x1 >= self.zone.left - cell.size
            && !(cell.x1 > self.zone.right && titles::is_beside_title(&cell.text, None))
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

/// The extent of one title line, and its word count.
struct TitleLine {
    x1: f32,
    x2: f32,
    words: usize,
}

impl TitleLine {
    fn from_cell(cell: &Cell) -> Self {
        Self { x1: cell.x1, x2: cell.x2, words: cell.words.len() }
    }
}

/// Measures where the titles of a column are located.
fn title_zone(rows: &[Row<'_>], side: Side) -> TitleZone {
    let mut lefts = Vec::new();
    let mut rights = Vec::new();
    let mut numbers = f32::MAX;
    let (mut numbered, mut inline) = (0, 0);
    for (index, row) in rows.iter().enumerate() {
        let Some((at, anchor)) = row.anchor else { continue };
        numbers = numbers.min(row.cells[at].x1);
        numbered += 1;
        inline += usize::from(has_letters(&anchor.rest, 2));
        if let Some(title) = title_line(rows, index, side) {
            lefts.push(title.x1);
            // One long word may be wider than the column.
            if title.words > 1 {
                rights.push(title.x2);
            }
        }
    }
    let left = median(lefts).unwrap_or(numbers);
    TitleZone { left, right: title_right(rights, left), numbers, inline: inline * 2 > numbered }
}

/// Returns the title on the line of the number in `rows[index]`, if there is one.
fn title_line(rows: &[Row<'_>], index: usize, side: Side) -> Option<TitleLine> {
    let row = &rows[index];
    let (at, anchor) = row.anchor?;
    let cell = row.cells[at];
    let is_title = |cell: &&&Cell| has_letters(&cell.text, 2) && !titles::is_beside_title(&cell.text, None);
    match side {
        Side::Left if has_letters(&anchor.rest, 2) => {
            Some(TitleLine { x1: cell.x_of_tail(&anchor.rest), x2: cell.x2, words: anchor.rest.split(' ').count() })
        }
        Side::Left => row.cells[at + 1..]
            .iter()
            .find(is_title)
            .map(|cell| TitleLine::from_cell(cell))
            .or_else(|| title_on_next_line(rows, index, cell.size)),
        Side::Right if has_letters(&anchor.rest, 2) => Some(TitleLine::from_cell(cell)),
        Side::Right => row.cells[..at].iter().rev().find(is_title).map(|cell| TitleLine::from_cell(cell)),
    }
}

/// Returns the title that begins on the line above the number in `rows[index]`, as in a table whose numbers are
/// centred vertically, or on the line below it.
fn title_on_next_line(rows: &[Row<'_>], index: usize, size: f32) -> Option<TitleLine> {
    let row = &rows[index];
    let unnumbered = |at: usize| rows.get(at).filter(|row| row.anchor.is_none());
    let above = index.checked_sub(1).and_then(unnumbered).filter(|above| row.y - above.y < 0.95 * size);
    let below = unnumbered(index + 1).filter(|below| below.y - row.y < 2.2 * size);
    above.or(below).and_then(|line| line.cells.first()).map(|cell| TitleLine::from_cell(cell))
}

/// Returns the right edge of the longest title. A single line that extends far beyond all others is not a title.
fn title_right(mut rights: Vec<f32>, left: f32) -> f32 {
    rights.sort_by(|a, b| b.total_cmp(a));
    match rights[..] {
        [first, second, ..] if first - second > 0.3 * (second - left) && rights.len() > 4 => second,
        [first, ..] => first,
        [] => f32::MIN,
    }
}

/// Returns the median edges of the page numbers, dates or the like at the ends of rows, if at least half as many rows
/// end with one as have a number.
fn page_edges(rows: &[Row<'_>]) -> Option<PageEdges> {
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

/// Returns the left edges of texts to the right of a title, for columns with the numbers on the left.
fn left_edges_beside_titles(rows: &[Row<'_>], side: Side) -> Vec<f32> {
    if side == Side::Right {
        return Vec::new();
    }
    let mut edges = Vec::new();
    for row in rows {
        let Some((at, anchor)) = row.anchor else { continue };
        let first = if has_letters(&anchor.rest, 2) { at + 1 } else { at + 2 };
        edges.extend(row.cells.iter().skip(first).filter(|cell| !cell.after_leader).map(|cell| cell.x1));
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_far_beyond_the_others_is_no_title() {
        assert_eq!(title_right(vec![300.0, 200.0, 195.0, 190.0, 180.0], 100.0), 200.0);
        assert_eq!(title_right(vec![300.0, 290.0, 195.0, 190.0, 180.0], 100.0), 300.0);
    }

    #[test]
    fn few_lines_may_have_any_length() {
        assert_eq!(title_right(vec![300.0, 200.0], 100.0), 300.0);
        assert_eq!(title_right(vec![], 100.0), f32::MIN);
    }
}
