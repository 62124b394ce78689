//! Which rows above a number are the first lines of its title, as in tables whose numbers are at the middle or the bottom of
//! a cell.

use fanlight_text::folding::has_letters;

use super::super::cells::Cell;
use super::super::columns::Side;
use super::super::divisions;
use super::super::headings::{self, LineKind};
use super::super::titles;
use super::layout::ColumnLayout;
use super::open_title::OpenTitle;
use super::row::Row;

/// Lines of a title above its number are at most this far apart, in em.
const FARTHEST_LINE: f32 = 1.45;
/// A gap is wider than another by this much, in points, where white space separates two entries.
const WIDER_GAP: f32 = 1.2;
/// Two gaps this close, in points, are equal.
const SAME_GAP: f32 = 0.5;

/// Finds the first lines of titles in a column.
pub(super) struct FirstLines<'l> {
    pub(super) layout: &'l ColumnLayout,
    /// Whether numbers are on the last lines of their titles: [`numbers_are_on_last_lines`].
    pub(super) numbers_are_last: bool,
}

impl FirstLines<'_> {
    /// Returns how many of the last rows of `run`, which have no number, are the first lines of the title of `next`. Such
    /// rows are closer to the number than to the row above them. `open` is the title above the run.
    pub(super) fn count(&self, run: &[Row<'_>], next: Option<&Row<'_>>, open: &OpenTitle) -> usize {
        let Some(next) = next else { return 0 };
        let count = self.closer_below_than_above(run, next, open);
        let is_own_line = has_title(next, self.layout)
            && !self.numbers_are_last
            && !run[run.len() - count..].iter().all(|row| is_full(row, next, self.layout));
        if is_own_line { 0 } else { count }
    }

    fn closer_below_than_above(&self, run: &[Row<'_>], next: &Row<'_>, open: &OpenTitle) -> usize {
        let mut y = next.y;
        let mut count = 0;
        let mut widest: f32 = 0.0;
        for (back, row) in run.iter().rev().enumerate() {
            let Some(cell) = row.cells.first() else { break };
            let is_far = (y - row.y) > FARTHEST_LINE * cell.size;
            if is_far || !self.layout.is_among_title_lines(row) || is_heading_or_remark(&row.text()) {
                break;
            }
            widest = widest.max(y - row.y);
            let row_above = run.len().checked_sub(back + 2).and_then(|at| run.get(at));
            let y_above = row_above.map(|row| row.y).or(open.baseline());
            let gap_above = y_above.map_or(f32::MAX, |above| row.y - above);
            if gap_above > widest + WIDER_GAP || (self.numbers_are_last && gap_above >= widest - SAME_GAP) {
                count = back + 1;
            }
            y = row.y;
        }
        count
    }
}

/// Returns whether a numbered row has a title that begins where most titles do. A row above it that is not full is then no
/// part of that title.
fn has_title(row: &Row<'_>, layout: &ColumnLayout) -> bool {
    let begins_title =
        |cell: &&Cell| (cell.x1 - layout.zone.left).abs() < 0.6 * cell.size && has_letters(&cell.text, 2);
    row.cells.iter().any(begins_title) || row.anchor.is_some_and(|(_, anchor)| has_letters(&anchor.rest, 2))
}

/// Returns whether numbers on the right are on the last line of a title, by a vote of the single rows between two numbers.
pub(super) fn numbers_are_on_last_lines(rows: &[Row<'_>], layout: &ColumnLayout) -> bool {
    if layout.side == Side::Left {
        return false;
    }
    let is_between_numbers =
        |three: &&[Row<'_>]| three[0].anchor.is_some() && three[1].anchor.is_none() && three[2].anchor.is_some();
    rows.windows(3).filter(is_between_numbers).map(|three| vote(three, layout)).sum::<i32>() > 0
}

/// Returns the vote of the middle one of three rows. It is positive if the row belongs to the number below: an indented
/// line continues the one above it, and a full line is continued by the next.
fn vote(three: &[Row<'_>], layout: &ColumnLayout) -> i32 {
    match (is_indented(&three[1], layout), is_indented(&three[2], layout)) {
        (true, false) => -2,
        (false, true) => 2,
        _ => i32::from(is_full(&three[1], &three[2], layout)) - i32::from(is_full(&three[0], &three[1], layout)),
    }
}

fn is_indented(row: &Row<'_>, layout: &ColumnLayout) -> bool {
    row.cells.first().is_some_and(|cell| cell.x1 > layout.zone.left + 0.5 * cell.size)
}

/// Returns whether the first title word of `next` does not fit on a row.
fn is_full(row: &Row<'_>, next: &Row<'_>, layout: &ColumnLayout) -> bool {
    row.cells.first().is_some_and(|cell| layout.is_full(cell.x2, next, cell.size))
}

/// Returns whether a line says something of its own, so that it is no part of a title.
fn is_heading_or_remark(text: &str) -> bool {
    divisions::heading(text).is_some()
        || divisions::figures_first(text).is_some()
        || headings::kind(text) != LineKind::Plain
        || titles::is_unused(text)
}

#[cfg(test)]
mod tests {
    use super::super::row;
    use super::super::typed::TypedPage;
    use super::*;

    /// Returns how many rows above the last number of a typed page are first lines of its title.
    fn first_lines(text: &str, side: Side) -> usize {
        let page = TypedPage::new(text, side);
        let rows = row::rows(&page.cells, &page.arrangement.columns[0]);
        let layout = ColumnLayout::new(&rows, page.arrangement.side);
        let (next, before) = rows.split_last().unwrap();
        let run = before.iter().rev().take_while(|row| row.anchor.is_none()).count();
        let numbers_are_last = numbers_are_on_last_lines(&rows, &layout);
        FirstLines { layout: &layout, numbers_are_last }.count(
            &before[before.len() - run..],
            Some(next),
            &OpenTitle::None,
        )
    }

    #[test]
    fn a_full_line_above_a_number_on_the_right_begins_its_title() {
        let page = "Hollow Metal Doors and Frames ................ 08 11 13\n\
                    Door Hardware ................................ 08 71 00\n\
                    Aluminum-Framed Entrances and Storefronts\n\
                    \x20  with Automatic Operators .................. 08 41 13";
        assert_eq!(first_lines(page, Side::Right), 1);
    }

    #[test]
    fn a_heading_above_a_number_is_no_line_of_its_title() {
        let page = "Hollow Metal Doors and Frames ................ 08 11 13\n\
                    Door Hardware ................................ 08 71 00\n\
                    DIVISION 09 - FINISHES\n\
                    Gypsum Board ................................. 09 29 00";
        assert_eq!(first_lines(page, Side::Right), 0);
    }

    #[test]
    fn a_short_line_above_a_title_is_a_line_of_its_own() {
        let page = "08 11 13   Hollow Metal Doors and Frames\n\
                    08 71 00   Door Hardware\n\
                    \x20          Subgroup\n\
                    09 29 00   Gypsum Board Assemblies";
        assert_eq!(first_lines(page, Side::Left), 0);
    }

    #[test]
    fn remarks_and_headings_are_no_titles() {
        for text in ["DIVISION 08 - OPENINGS", "08 OPENINGS", "TABLE OF CONTENTS", "NOT USED"] {
            assert!(is_heading_or_remark(text), "{text}");
        }
        assert!(!is_heading_or_remark("Door Hardware"));
    }
}
