//! Where the titles of a column are located.

use fanlight_geometry::median;
use fanlight_text::folding::has_letters;

use super::super::cells::Cell;
use super::super::columns::Side;
use super::super::titles;
use super::continuation::Place;
use super::layout::SAME_EDGE;
use super::row::Row;

/// Further lines of a title hang at most this far, in em.
const MAX_HANG: f32 = 6.0;

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

impl TitleZone {
    /// Returns the place of a line below a title of `size` that begins at `x`.
    pub(super) fn place(&self, x: f32, size: f32) -> Place {
        let is_at_titles = x >= self.left - 0.6 * size && x <= self.left + MAX_HANG * size;
        match () {
            () if is_at_titles && x > self.left + 0.5 * size => Place::Hanging,
            () if is_at_titles => Place::AtTitles,
            () if x < self.numbers - 0.6 * size || x >= self.left => Place::Elsewhere,
            () if x < self.numbers + 2.0 * size => Place::UnderNumber,
            () => Place::BeforeTitles,
        }
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
pub(super) fn title_zone(rows: &[Row<'_>], side: Side) -> TitleZone {
    let mut lefts = Vec::new();
    let mut rights = Vec::new();
    let mut numbers = f32::MAX;
    let (mut numbered, mut inline) = (0, 0);
    let column = wordiest_column(rows, side);
    for (index, row) in rows.iter().enumerate() {
        let Some((at, anchor)) = row.anchor else { continue };
        numbers = numbers.min(row.cells[at].x1);
        numbered += 1;
        inline += usize::from(has_letters(&anchor.rest, 2));
        if let Some(title) = title_line(rows, index, side, column) {
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
fn title_line(rows: &[Row<'_>], index: usize, side: Side, column: Option<f32>) -> Option<TitleLine> {
    let row = &rows[index];
    let (at, anchor) = row.anchor?;
    let cell = row.cells[at];
    let mut titles = titles_beside(row, at, side);
    let in_column = titles.clone().find(|cell| is_in_column(cell, column));
    match side {
        Side::Left if has_letters(&anchor.rest, 2) => {
            Some(TitleLine { x1: cell.x_of_tail(&anchor.rest), x2: cell.x2, words: anchor.rest.split(' ').count() })
        }
        Side::Left => {
            in_column.or(titles.next()).map(TitleLine::from_cell).or_else(|| title_on_next_line(rows, index, cell.size))
        }
        Side::Right if has_letters(&anchor.rest, 2) => Some(TitleLine::from_cell(cell)),
        Side::Right => in_column.or(titles.next_back()).map(TitleLine::from_cell),
    }
}

/// Returns the cells of a row on the titles' side of the number in its cell `at` that can be titles.
fn titles_beside<'a>(row: &Row<'a>, at: usize, side: Side) -> impl DoubleEndedIterator<Item = &'a Cell> + Clone {
    let beside = match side {
        Side::Left => &row.cells[at + 1..],
        Side::Right => &row.cells[..at],
    };
    beside.iter().copied().filter(|cell| titles::can_be_title(&cell.text))
}

/// Returns whether a cell begins at the left edge of a column.
fn is_in_column(cell: &Cell, left: Option<f32>) -> bool {
    left.is_some_and(|left| (cell.x1 - left).abs() < SAME_EDGE)
}

/// Returns the left edge of the column with the most letters on the titles' side of the numbers. Columns of changes, disciplines
/// or agencies may be between number and title, or beyond the title.
fn wordiest_column(rows: &[Row<'_>], side: Side) -> Option<f32> {
    let mut cells: Vec<(f32, usize)> = Vec::new();
    for row in rows {
        let Some((at, _)) = row.anchor else { continue };
        let titles = titles_beside(row, at, side);
        cells.extend(titles.map(|cell| (cell.x1, cell.text.chars().filter(|c| c.is_alphabetic()).count())));
    }
    cells.sort_by(|a, b| a.0.total_cmp(&b.0));
    let columns = cells.chunk_by(|a, b| b.0 - a.0 < SAME_EDGE);
    let wordiest = columns.max_by_key(|column| column.iter().map(|(_, letters)| letters).sum::<usize>())?;
    Some(wordiest[wordiest.len() / 2].0)
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

#[cfg(test)]
mod tests {
    use super::super::row;
    use super::super::typed::TypedPage;
    use super::*;

    #[test]
    fn the_column_with_the_most_letters_is_that_of_the_titles() {
        let page = TypedPage::new(
            "01 11 00   ARC DIV    SUMMARY OF WORK       USACE\n\
             01 14 00   ARC DIV    WORK RESTRICTIONS     AFCEC\n\
             01 33 00   ARC DIV    SUBMITTAL PROCEDURES  USACE",
            Side::Left,
        );
        let rows = row::rows(&page.cells, &page.arrangement.columns[0]);
        let title = rows[0].cells.iter().find(|cell| cell.text == "SUMMARY OF WORK").unwrap();
        assert_eq!(title_zone(&rows, Side::Left).left, title.x1);
    }

    /// Numbers at 50, titles from 100 to 300.
    const ZONE: TitleZone = TitleZone { left: 100.0, right: 300.0, numbers: 50.0, inline: false };

    #[test]
    fn the_place_of_a_line_is_read_from_its_left_edge() {
        for (x, place) in [
            (100.0, Place::AtTitles),
            (112.0, Place::Hanging),
            (170.0, Place::Elsewhere),
            (52.0, Place::UnderNumber),
            (80.0, Place::BeforeTitles),
            (30.0, Place::Elsewhere),
        ] {
            assert_eq!(ZONE.place(x, 10.0), place, "{x}");
        }
    }

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
