//! What a row with a section number says: its title, and whether a page or a remark is beside it.

use fanlight_text::folding::{fold, has_letters};

use super::super::cells::Cell;
use super::super::columns::{Anchor, Side};
use super::super::titles;
use super::EntryStatus;
use super::layout::ColumnLayout;
use super::row::Row;

/// White space within a title is narrower than this, in em, unless it separates columns.
pub(super) const TITLE_GAP: f32 = 3.0;

/// A piece of a title.
struct TitlePart<'a> {
    text: &'a str,
    /// Its right edge.
    x2: f32,
}

/// The contents of a row with a number.
pub(super) struct NumberedRow<'a> {
    title: Vec<TitlePart<'a>>,
    pub(super) status: EntryStatus,
    /// Whether a page number, a date or the like is beside the title.
    pub(super) paged: bool,
    /// The size of the title's letters, in points.
    pub(super) size: f32,
    pub(super) bold: bool,
}

impl<'a> NumberedRow<'a> {
    /// Reads `row`, whose number `anchor` is in its cell `at`.
    pub(super) fn read(row: &Row<'a>, at: usize, anchor: &'a Anchor, layout: &ColumnLayout) -> Self {
        let cell = row.cells[at];
        let mut read = Self {
            title: Vec::new(),
            status: if cell.struck { EntryStatus::Struck } else { EntryStatus::Listed },
            paged: false,
            size: cell.size,
            bold: cell.bold,
        };
        let is_row_end = layout.side == Side::Left && !anchor.rest.is_empty() && row.cells.len() == at + 1;
        if has_letters(&anchor.rest, 1) || is_row_end {
            read.title.push(TitlePart { text: &anchor.rest, x2: cell.x2 });
        }
        let is_title_struck = match layout.side {
            Side::Left => read.read_right_of_number(&row.cells[at + 1..], anchor, layout),
            Side::Right => {
                let before: Vec<_> =
                    row.cells[..at].iter().copied().filter(|cell| layout.is_among_titles(cell)).collect();
                read.read_left_of_number(&before, anchor)
            }
        };
        if is_title_struck && read.title.is_empty() {
            read.status = EntryStatus::Struck;
        } else if read.status == EntryStatus::Listed && row.cells[at + 1..].iter().any(|cell| is_remark_unused(cell)) {
            read.status = EntryStatus::NotUsed;
        }
        read
    }

    /// Returns the title's text on this row; `None` if the row has no title.
    pub(super) fn title_text(&self) -> Option<String> {
        let texts: Vec<&str> = self.title.iter().map(|part| part.text).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    }

    /// Returns the right edge of the title.
    pub(super) fn title_right(&self) -> Option<f32> {
        self.title.iter().map(|part| part.x2).reduce(f32::max)
    }

    /// Reads the cells to the right of the number. Returns whether some of them are struck out.
    fn read_right_of_number(&mut self, cells: &[&'a Cell], anchor: &Anchor, layout: &ColumnLayout) -> bool {
        let mut is_struck = false;
        for (index, &cell) in cells.iter().enumerate() {
            if cell.struck {
                is_struck = true;
                continue;
            }
            let is_beside = titles::is_beside_title(&cell.text, Some(&anchor.number));
            if self.title.is_empty() {
                if is_right_of_titles(cell, layout) {
                    self.paged = layout.ends_paged(&cells[index..]);
                    break;
                }
                let after = &cells[index + 1..];
                if is_column_before_title(cell, after, is_beside) || layout.is_before_titles(cell, after) {
                    continue;
                }
                if is_beside && (cell.after_leader || layout.is_page(cell) || !has_letters(&cell.text, 1)) {
                    self.paged = true;
                    continue;
                }
                self.begin_title(cell);
                continue;
            }
            if !continues_title(cell, is_beside, layout) {
                self.paged = layout.ends_paged(&cells[index..]);
                break;
            }
            self.title.push(TitlePart { text: &cell.text, x2: cell.x2 });
        }
        is_struck
    }

    /// Reads the cells to the left of the number: all that is among the titles, except what a leader leads away from.
    /// Returns whether some of them are struck out.
    fn read_left_of_number(&mut self, cells: &[&'a Cell], anchor: &Anchor) -> bool {
        let mut is_struck = false;
        for (index, &cell) in cells.iter().enumerate() {
            if cell.struck {
                is_struck = true;
                continue;
            }
            if self.title.is_empty() {
                let is_beside = titles::is_beside_title(&cell.text, Some(&anchor.number));
                if !is_column_before_title(cell, &cells[index + 1..], is_beside) {
                    self.begin_title(cell);
                }
                continue;
            }
            if cell.after_leader {
                self.title.clear();
            }
            self.title.push(TitlePart { text: &cell.text, x2: cell.x2 });
        }
        is_struck
    }

    /// Takes a cell as the beginning of the title.
    fn begin_title(&mut self, cell: &'a Cell) {
        self.title.push(TitlePart { text: &cell.text, x2: cell.x2 });
        self.size = cell.size;
        self.bold = cell.bold;
    }
}

/// Returns whether a cell, the first after a number, belongs to a column to the right of the titles.
fn is_right_of_titles(cell: &Cell, layout: &ColumnLayout) -> bool {
    let is_far = (cell.x1 - layout.zone.left).abs() > 2.0 * cell.size;
    is_far && (layout.is_in_column_beside(cell) || cell.x1 > layout.zone.right)
}

/// Returns whether a cell belongs to a column of dates or the like between the number and its title.
fn is_column_before_title(cell: &Cell, after: &[&Cell], is_beside: bool) -> bool {
    is_beside && after.iter().any(|later| has_letters(&later.text, 2)) && !titles::is_unused(&cell.text)
}

/// Returns whether a cell continues the title to its left: no leader precedes it, and either it is not set apart, or it
/// is a word within the widest gap of a title and in no column.
fn continues_title(cell: &Cell, is_beside: bool, layout: &ColumnLayout) -> bool {
    let is_set_apart = cell.after_leader || cell.gap >= cell.size;
    let is_loose_word = !is_beside && cell.gap < TITLE_GAP * cell.size && !layout.is_in_column_beside(cell);
    !cell.after_leader && (!is_set_apart || is_loose_word)
}

/// Returns whether a cell of a row says that its section is not used. "N/A" marks an empty field, which says nothing about it.
pub(super) fn is_remark_unused(cell: &Cell) -> bool {
    let is_blank = matches!(fold(&cell.text).as_str(), "N/A" | "NA" | "NONE");
    titles::says_unused(&fold(&cell.text)) && !is_blank && !cell.struck
}
