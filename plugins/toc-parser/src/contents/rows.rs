//! Reads an arranged page row by row: sections with their whole titles, division headings, and the lines between.
//!
//! - `entry`: what rows say;
//! - `row`, `zone`, `pages`, `layout`: the rows of a column, and where its titles, page numbers and other columns are located;
//! - `numbered`: a row with a section number;
//! - `first_lines`: which rows above a number begin its title;
//! - `unnumbered`: a row without a number;
//! - `open_title`, `continuation`, `connection`: whether such a row continues the title above it.

mod connection;
mod continuation;
mod entry;
mod first_lines;
mod layout;
mod numbered;
mod open_title;
mod pages;
mod row;
#[cfg(test)]
mod typed;
mod unnumbered;
mod zone;

use super::cells::Cell;
use super::columns::Arrangement;
use super::{divisions, headings, numbers};
use first_lines::{FirstLines, numbers_are_on_last_lines};
use layout::ColumnLayout;
use numbered::NumberedRow;
use open_title::OpenTitle;
use row::Row;

pub(crate) use entry::{Entry, EntryStatus, Item, PageRows};

/// Reads the columns one after the other.
pub(crate) fn read(cells: &[Cell], arrangement: &Arrangement) -> PageRows {
    let mut page = PageRows::default();
    for column in &arrangement.columns {
        let rows = row::rows(cells, column);
        let layout = ColumnLayout::new(&rows, arrangement.side);
        Reader { layout: &layout, page: &mut page }.read(&rows);
    }
    page
}

/// Reads one column.
struct Reader<'a> {
    layout: &'a ColumnLayout,
    /// What the rows read so far say, those of earlier columns included.
    page: &'a mut PageRows,
}

impl Reader<'_> {
    fn read(&mut self, rows: &[Row<'_>]) {
        let numbers_are_last = numbers_are_on_last_lines(rows, self.layout);
        let first_lines = FirstLines { layout: self.layout, numbers_are_last };
        let mut open = OpenTitle::None;
        // A group is a row with a number, and the rows without one above it.
        for group in rows.chunk_by(|above, _| above.anchor.is_none()) {
            let run = group.iter().take_while(|row| row.anchor.is_none()).count();
            let kept = first_lines.count(&group[..run], group.get(run), &open);
            for (at, row) in group[..run - kept].iter().enumerate() {
                self.read_unnumbered(row, group.get(at + 1), &mut open);
            }
            if let Some(row) = group.get(run) {
                self.read_numbered(row, &group[run - kept..run], &mut open);
            }
        }
        self.page.rows += rows.len();
    }

    /// Reads a row with a number. `first_lines` are the rows above it that belong to its title.
    fn read_numbered(&mut self, row: &Row<'_>, first_lines: &[Row<'_>], open: &mut OpenTitle) {
        let Some((at, anchor)) = row.anchor else { return };
        let read = NumberedRow::read(row, at, anchor, self.layout);
        let mut title: Vec<String> = first_lines.iter().map(Row::text).collect();
        title.extend(read.title_text());
        let right_above = first_lines.last().and_then(|row| row.cells.first()).map_or(f32::MIN, |cell| cell.x2);
        let x2 = read.title_right().unwrap_or(right_above);
        *open = OpenTitle::Entry { y: row.y, x2, size: read.size, bold: read.bold };
        self.page.explained += 1 + first_lines.len();
        self.page.items.push(Item::Entry(Entry {
            number: anchor.number.clone(),
            title,
            status: read.status,
            paged: read.paged,
            bold: read.bold,
            aligned: anchor.aligned,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::Side;
    use super::typed::TypedPage;
    use super::*;

    /// Reads a page typed as plain text: one line for each entry ("081113 Title / second line"), with "paged",
    /// "not used" or "struck" after it, and one for each division heading.
    fn read_page(text: &str) -> Vec<String> {
        let page = TypedPage::new(text, Side::Left);
        read(&page.cells, &page.arrangement).items.iter().filter_map(printed).collect()
    }

    fn printed(item: &Item) -> Option<String> {
        match item {
            Item::Entry(entry) => {
                let paged = if entry.paged { " (paged)" } else { "" };
                let status = if entry.status == EntryStatus::NotUsed { " (not used)" } else { "" };
                Some(format!("{} {}{paged}{status}", entry.number.six, entry.title.join(" / ")))
            }
            Item::Division(heading) => Some(format!("division {} {}", heading.division, heading.title)),
            Item::MaybeDivision(_) | Item::Line(_) => None,
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
