//! Reads an arranged page row by row: sections with their whole titles, division headings, and the lines between.

mod connection;
mod layout;
mod numbered;
mod unnumbered;

use fanlight_text::folding::has_letters;

use super::cells::Cell;
use super::columns::{Arrangement, Column, Side};
use super::divisions;
use super::headings::{self, LineKind};
use super::numbers::Number;
use super::titles;
use layout::{ColumnLayout, Row};
use numbered::NumberedRow;

pub(crate) use connection::is_connected;

/// A section as its line says it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) number: Number,
    /// The lines of the title, as printed, without texts in columns beside it.
    pub(crate) title: Vec<String>,
    pub(crate) status: EntryStatus,
    /// Whether a page number, a date or the like is beside the title.
    pub(crate) paged: bool,
    pub(crate) bold: bool,
    /// Whether its number is in a column of numbers.
    pub(crate) aligned: bool,
}

/// Whether the manual contains a section that its contents print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryStatus {
    Listed,
    /// Marked as not used beside its title. The title itself may say so too.
    NotUsed,
    /// Struck out.
    Struck,
}

/// What one or more rows of a page say.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Entry(Entry),
    Division(divisions::Heading),
    /// A line that starts with two figures and could be a division's heading.
    MaybeDivision(divisions::Heading),
    /// A line above the first number of a column, which may continue the last title of the column before.
    Tail(String),
    Line(LineKind),
}

/// The contents of a page, in reading order.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageRows {
    pub(crate) items: Vec<Item>,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The number of rows that belong to sections, divisions and headings of contents.
    pub(crate) explained: usize,
}

/// Reads the columns one after the other.
pub(crate) fn read(cells: &[Cell], arrangement: &Arrangement) -> PageRows {
    let mut page = PageRows::default();
    for column in &arrangement.columns {
        let mut reader = Reader::new(cells, column, arrangement.side);
        reader.read();
        page.items.append(&mut reader.items);
        page.rows += reader.rows_read;
        page.explained += reader.explained;
    }
    page
}

/// Reads one column.
struct Reader<'a> {
    rows: Vec<Row<'a>>,
    layout: ColumnLayout,
    items: Vec<Item>,
    rows_read: usize,
    explained: usize,
}

/// The last line of the title that the next row may continue: its baseline, edges, size and weight.
enum OpenTitle {
    None,
    Entry { y: f32, x2: f32, size: f32, bold: bool },
    Division { y: f32, x1: f32, x2: f32, size: f32, bold: bool },
}

impl OpenTitle {
    /// Returns the heading of a division that is on `row`, whose first cell is `first`.
    fn division(row: &Row<'_>, first: &Cell) -> Self {
        Self::Division { y: row.y, x1: first.x1, x2: row.right(), size: first.size, bold: first.bold }
    }

    /// Returns the baseline of the title's last line.
    fn baseline(&self) -> Option<f32> {
        match self {
            Self::Entry { y, .. } | Self::Division { y, .. } => Some(*y),
            Self::None => None,
        }
    }
}

impl<'a> Reader<'a> {
    fn new(cells: &'a [Cell], column: &'a Column, side: Side) -> Self {
        let rows = layout::rows(cells, column);
        let layout = ColumnLayout::new(&rows, side);
        Self { rows, layout, items: Vec::new(), rows_read: 0, explained: 0 }
    }

    fn read(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let numbers_are_last = self.numbers_are_on_last_lines(&rows);
        let mut open = OpenTitle::None;
        let mut index = 0;
        while index < rows.len() {
            let run = rows[index..].iter().take_while(|row| row.anchor.is_none()).count();
            let next = rows.get(index + run);
            let kept = self.rows_before_number(&rows[index..index + run], next, &open, numbers_are_last);
            for (offset, row) in rows[index..index + run - kept].iter().enumerate() {
                let below = rows.get(index + offset + 1);
                self.read_unnumbered(row, below, &mut open);
            }
            let first_lines = &rows[index + run - kept..index + run];
            if let Some(row) = next {
                self.read_numbered(row, first_lines, &mut open);
            }
            index += run + 1;
        }
        self.rows_read = rows.len();
    }

    /// Returns how many of the rows before a number are the first lines of its title, as in tables whose numbers are at
    /// the middle or the bottom of a cell. Such rows are closer to the number than to the row above them.
    fn rows_before_number(
        &self,
        run: &[Row<'a>],
        next: Option<&Row<'a>>,
        open: &OpenTitle,
        numbers_are_last: bool,
    ) -> usize {
        let Some(next) = next else { return 0 };
        let mut y = next.y;
        let mut best = 0;
        let mut widest: f32 = 0.0;
        for (back, row) in run.iter().rev().enumerate() {
            let Some(cell) = row.cells.first() else { break };
            let is_far = (y - row.y) > 1.45 * cell.size;
            if is_far || !self.layout.is_among_title_lines(row) || is_heading_or_remark(&row.text()) {
                break;
            }
            widest = widest.max(y - row.y);
            let row_above = run.len().checked_sub(back + 2).and_then(|at| run.get(at));
            let y_above = row_above.map(|row| row.y).or(open.baseline());
            let gap_above = y_above.map_or(f32::MAX, |above| row.y - above);
            if gap_above > widest + 1.2 || (numbers_are_last && gap_above >= widest - 0.5) {
                best = back + 1;
            }
            y = row.y;
        }
        if best == 0 {
            return 0;
        }
        let is_full =
            |row: &Row<'a>| row.cells.first().is_some_and(|cell| self.layout.is_full(cell.x2, next, cell.size));
        let is_own_line = self.has_title(next) && !numbers_are_last && !run[run.len() - best..].iter().all(is_full);
        if is_own_line { 0 } else { best }
    }

    /// Returns whether a numbered row has a title that begins where most titles do. A row above it that is not full
    /// is then no part of that title.
    fn has_title(&self, row: &Row<'a>) -> bool {
        let begins_title =
            |cell: &&Cell| (cell.x1 - self.layout.zone.left).abs() < 0.6 * cell.size && has_letters(&cell.text, 2);
        row.cells.iter().any(begins_title) || row.anchor.is_some_and(|(_, anchor)| has_letters(&anchor.rest, 2))
    }

    /// Returns whether numbers on the right are on the last line of a title, by a vote of the single rows between two
    /// numbers: an indented line continues the one above it, and a full line is continued by the next.
    fn numbers_are_on_last_lines(&self, rows: &[Row<'a>]) -> bool {
        if self.layout.side == Side::Left {
            return false;
        }
        let is_between_numbers =
            |three: &&[Row<'a>]| three[0].anchor.is_some() && three[1].anchor.is_none() && three[2].anchor.is_some();
        let vote = |three: &[Row<'a>]| match (self.is_indented(&three[1]), self.is_indented(&three[2])) {
            (true, false) => -2,
            (false, true) => 2,
            _ => i32::from(self.is_filled(&three[1], &three[2])) - i32::from(self.is_filled(&three[0], &three[1])),
        };
        rows.windows(3).filter(is_between_numbers).map(vote).sum::<i32>() > 0
    }

    /// Returns whether a row begins to the right of most titles.
    fn is_indented(&self, row: &Row<'a>) -> bool {
        row.cells.first().is_some_and(|cell| cell.x1 > self.layout.zone.left + 0.5 * cell.size)
    }

    /// Returns whether the first cell of a row has no room for the first word of `next`.
    fn is_filled(&self, row: &Row<'a>, next: &Row<'a>) -> bool {
        row.cells.first().is_some_and(|cell| self.layout.is_full(cell.x2, next, cell.size))
    }

    /// Reads a row with a number. `first_lines` are the rows above it that belong to its title.
    fn read_numbered(&mut self, row: &Row<'a>, first_lines: &[Row<'a>], open: &mut OpenTitle) {
        let Some((at, anchor)) = row.anchor else { return };
        let read = NumberedRow::read(row, at, anchor, &self.layout);
        let mut title: Vec<String> = first_lines.iter().map(Row::text).collect();
        title.extend(read.title_text());
        let right_above = first_lines.last().and_then(|row| row.cells.first()).map_or(f32::MIN, |cell| cell.x2);
        let x2 = read.title_right().unwrap_or(right_above);
        *open = OpenTitle::Entry { y: row.y, x2, size: read.size, bold: read.bold };
        self.explained += 1 + first_lines.len();
        self.items.push(Item::Entry(Entry {
            number: anchor.number.clone(),
            title,
            status: read.status,
            paged: read.paged,
            bold: read.bold,
            aligned: anchor.aligned,
        }));
    }
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
    use super::super::cells;
    use super::super::columns::Sides;
    use super::*;

    /// Reads a page typed as plain text: one line for each entry ("081113 Title / second line"), with "paged",
    /// "not used" or "struck" after it, and one for each division heading.
    fn read_page(text: &str) -> Vec<String> {
        let page = fanlight_text::Page::read(&text_fixture::text(text), &text_fixture::geometry());
        let cells = cells::cells(&page.lines, &[]);
        let arrangement = Sides::new(&cells).arrange(&cells, Side::Left).unwrap();
        read(&cells, &arrangement).items.iter().filter_map(printed).collect()
    }

    fn printed(item: &Item) -> Option<String> {
        match item {
            Item::Entry(entry) => {
                let paged = if entry.paged { " (paged)" } else { "" };
                let status = if entry.status == EntryStatus::NotUsed { " (not used)" } else { "" };
                Some(format!("{} {}{paged}{status}", entry.number.six, entry.title.join(" / ")))
            }
            Item::Division(heading) => Some(format!("division {} {}", heading.division, heading.title)),
            Item::MaybeDivision(_) | Item::Tail(_) | Item::Line(_) => None,
        }
    }

    #[test]
    fn a_hanging_line_continues_the_title_above() {
        let rows = read_page(
            "08 11 13   Hollow Metal Doors\n\
             \x20            Frames\n\
             08 71 00   Door Hardware\n\
             08 80 00   Glazing of Any Sort",
        );
        assert_eq!(rows, ["081113 Hollow Metal Doors / Frames", "087100 Door Hardware", "088000 Glazing of Any Sort"]);
    }

    #[test]
    fn a_connected_line_continues_the_title_above() {
        let rows = read_page(
            "07 62 00   Sheet Metal Flashing and\n\
             \x20          Trim\n\
             07 92 00   Joint Sealants",
        );
        assert_eq!(rows, ["076200 Sheet Metal Flashing and / Trim", "079200 Joint Sealants"]);
    }

    #[test]
    fn pages_after_a_leader_are_no_part_of_a_title() {
        let rows = read_page(
            "08 11 13   Hollow Metal Doors .... 4\n\
             08 71 00   Door Hardware ......... 9",
        );
        assert_eq!(rows, ["081113 Hollow Metal Doors (paged)", "087100 Door Hardware (paged)"]);
    }

    #[test]
    fn dates_between_number_and_title_are_passed_over() {
        let rows = read_page(
            "01 11 00    08/15   SUMMARY OF WORK\n\
             01 14 00    11/22   WORK RESTRICTIONS",
        );
        assert_eq!(rows, ["011100 SUMMARY OF WORK", "011400 WORK RESTRICTIONS"]);
    }

    #[test]
    fn a_remark_beside_a_title_marks_the_section_as_not_used() {
        let rows = read_page(
            "08 71 00   Door Hardware ......... 9\n\
             08 80 00   Glazing  NOT USED\n\
             08 90 00   Louvers ............... 9",
        );
        assert_eq!(rows[1], "088000 Glazing / NOT USED (not used)".replace(" / ", " "));
    }

    #[test]
    fn a_title_below_its_number_belongs_to_it() {
        let rows = read_page(
            "Section 08 11 13\n\
             Hollow Metal Doors\n\
             Section 08 71 00\n\
             Door Hardware",
        );
        assert_eq!(rows, ["081113 Hollow Metal Doors", "087100 Door Hardware"]);
    }

    #[test]
    fn a_full_line_above_a_number_on_the_right_begins_its_title() {
        let rows = read_page(
            "Hollow Metal Doors and Frames ................ 08 11 13\n\
             Aluminum-Framed Entrances and Storefronts\n\
             \x20  with Automatic Operators .................. 08 41 13\n\
             Door Hardware ................................ 08 71 00",
        );
        assert_eq!(rows[1], "084113 Aluminum-Framed Entrances and Storefronts / with Automatic Operators");
    }

    #[test]
    fn a_line_below_an_empty_division_heading_is_its_title() {
        let rows = read_page(
            "DIVISION 08\n\
             OPENINGS\n\
             08 11 13   Hollow Metal Doors\n\
             08 71 00   Door Hardware",
        );
        assert_eq!(rows[0], "division 8 OPENINGS");
    }

    #[test]
    fn a_connected_line_continues_a_division_heading() {
        let rows = read_page(
            "DIVISION 07 - THERMAL AND\n\
             \x20 MOISTURE PROTECTION\n\
             07 21 00   Thermal Insulation\n\
             07 92 00   Joint Sealants",
        );
        assert_eq!(rows[0], "division 7 THERMAL AND MOISTURE PROTECTION");
    }
}
