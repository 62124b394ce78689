//! Rows without a section number: more lines of the title above, division headings, and headings of other lists.

use fanlight_text::folding::has_letters;

use super::super::cells::Cell;
use super::super::columns::Side;
use super::super::divisions;
use super::super::headings::{self, LineKind};
use super::super::titles;
use super::connection::is_connected;
use super::continuation::{BelowDivision, BelowEntry, HALF_LINE};
use super::layout::LOOSEST_LEADING;
use super::numbered::{TITLE_GAP, is_remark_unused};
use super::open_title::OpenTitle;
use super::row::Row;
use super::{EntryStatus, Item, Reader};

impl Reader<'_> {
    pub(super) fn read_unnumbered(&mut self, row: &Row<'_>, below: Option<&Row<'_>>, open: &mut OpenTitle) {
        let text = row.text();
        if text.is_empty() || self.is_beside_title_lines(row, open) {
            return;
        }
        let Some(&first) = row.cells.first() else { return };
        if let Some(heading) = divisions::heading(&text) {
            *open = OpenTitle::division(row, first);
            self.page.explained += 1;
            self.page.items.push(Item::Division(heading));
            return;
        }
        if self.is_title_of_number_above(row, open) {
            self.page.explained += 1;
            return self.extend_entry(row, open);
        }
        let mut kind = headings::kind(&text);
        if kind == LineKind::Foreign && self.is_indented_under_section(first) {
            kind = LineKind::Plain;
        } else if kind == LineKind::Plain {
            if self.continues_entry(row, open, below) {
                self.page.explained += 1;
                return self.extend_entry(row, open);
            }
            if self.continues_division(row, &text, open) {
                self.page.explained += 1;
                return;
            }
            if let Some(heading) = divisions::figures_first(&text) {
                *open = OpenTitle::division(row, first);
                self.page.items.push(Item::MaybeDivision(heading));
                return;
            }
        }
        // A sentence below a title says what the section is about.
        let describes_section = is_sentence(&text) && matches!(open, OpenTitle::Entry { .. });
        self.page.explained += usize::from(describes_section);
        self.page.sentences += usize::from(is_sentence(&text) && !describes_section);
        *open = OpenTitle::None;
        self.page.explained += usize::from(matches!(
            kind,
            LineKind::Contents | LineKind::ContentsEnd | LineKind::Volume | LineKind::Foreign
        ));
        self.page.items.push(Item::Line(kind));
    }

    /// Returns whether a row, set between the lines of the title above, is beside the titles and numbers.
    fn is_beside_title_lines(&self, row: &Row<'_>, open: &OpenTitle) -> bool {
        let zone = &self.layout.zone;
        let leftmost = zone.left.min(zone.numbers);
        matches!(open, OpenTitle::Entry { y, size, .. } if row.y - *y < HALF_LINE * *size)
            && row.cells.iter().all(|cell| cell.x1 > zone.right || cell.x2 < leftmost)
    }

    /// Returns whether a heading such as "Attachment 1" is indented below its section, so that no list begins with it.
    fn is_indented_under_section(&self, first: &Cell) -> bool {
        let zone = &self.layout.zone;
        let is_indented = first.x1 > zone.numbers + first.size && first.x1 >= zone.left - 0.6 * first.size;
        self.layout.side == Side::Left && is_indented && !first.bold
    }

    /// Returns whether the number above has no title yet and this row is close enough to be it.
    fn is_title_of_number_above(&self, row: &Row<'_>, open: &OpenTitle) -> bool {
        let OpenTitle::Entry { y, size, .. } = *open else { return false };
        let Some(Item::Entry(entry)) = self.page.items.last() else { return false };
        let has_words = self.layout.title_cell(row, size).is_some_and(|cell| has_letters(&cell.text, 2));
        entry.title.is_empty()
            && entry.status != EntryStatus::Struck
            && has_words
            && row.y - y <= LOOSEST_LEADING * size
    }

    /// Returns whether a row continues the title above it.
    fn continues_entry(&self, row: &Row<'_>, open: &OpenTitle, below: Option<&Row<'_>>) -> bool {
        let OpenTitle::Entry { y, x2, size, bold } = *open else { return false };
        let Some(Item::Entry(entry)) = self.page.items.last() else { return false };
        let Some(cell) = self.layout.title_cell(row, size) else { return false };
        let step = row.y - y;
        let is_paged = self.layout.is_paged(row);
        let line_above = entry.title.last().map_or("", String::as_str);
        // The title's page is on its last line, or two lines are centred vertically on the number.
        let completes = (!entry.paged && is_paged) || step < HALF_LINE * size;
        let below = BelowEntry {
            is_near: step <= self.layout.farthest_line(size) && is_same_size(cell, size) && has_text(&cell.text),
            has_second_page: entry.paged && is_paged,
            is_connected: completes || is_connected(line_above, &cell.text),
            is_full: self.layout.is_full(x2, row, size),
            has_weight_of_line: cell.bold == bold,
            has_case_of_line: is_in_capitals(&cell.text) == is_in_capitals(line_above),
            has_weight_of_entry: cell.bold == entry.bold,
            is_sentence: is_sentence(&cell.text),
            is_closer_above: is_closer_above_than_below(row, step, below),
            is_inline: self.layout.zone.inline,
            place: self.layout.zone.place(cell.x1, size),
        };
        below.continues()
    }

    /// Adds a row to the title of the last entry.
    fn extend_entry(&mut self, row: &Row<'_>, open: &mut OpenTitle) {
        let OpenTitle::Entry { size, bold, .. } = *open else { return };
        let title_left = self.layout.title_cell(row, size).map_or(f32::MIN, |cell| cell.x1);
        let is_paged = self.layout.is_paged(row);
        let Some(Item::Entry(entry)) = self.page.items.last_mut() else { return };
        let mut parts: Vec<&str> = Vec::new();
        let mut end = f32::MIN;
        for cell in &row.cells {
            let is_set_apart = cell.after_leader || (!parts.is_empty() && cell.gap >= cell.size);
            let is_in_other_column = titles::is_beside_title(&cell.text, Some(&entry.number))
                || cell.after_leader
                || cell.gap >= TITLE_GAP * cell.size
                || self.layout.is_in_column_beside(cell);
            if is_set_apart && is_in_other_column {
                entry.paged |= is_paged;
                if entry.status == EntryStatus::Listed && is_remark_unused(cell) {
                    entry.status = EntryStatus::NotUsed;
                }
                break;
            }
            // Columns to the left of the titles are no part of them.
            if cell.struck || cell.x2 <= title_left {
                continue;
            }
            parts.push(&cell.text);
            end = cell.x2;
        }
        if !parts.is_empty() {
            entry.title.push(parts.join(" "));
        }
        *open = OpenTitle::Entry { y: row.y, x2: end, size, bold };
    }

    /// Adds a row to the division heading above it if it continues that heading. Returns whether it does.
    fn continues_division(&mut self, row: &Row<'_>, text: &str, open: &mut OpenTitle) -> bool {
        let OpenTitle::Division { y, x1, x2, size, bold } = *open else { return false };
        let Some(first) = row.cells.first() else { return false };
        let Some(Item::Division(heading)) = self.page.items.last_mut() else { return false };
        let step = row.y - y;
        if !has_letters(text, 2) {
            return false;
        }
        if titles::is_unused(text) && step <= LOOSEST_LEADING * size {
            *open = OpenTitle::None;
            return true;
        }
        let is_hanging = first.x1 > x1 + 0.5 * size;
        let below = BelowDivision {
            step: step / size,
            has_title: !heading.title.is_empty(),
            is_same_style: first.bold == bold
                && (first.size - size).abs() < 0.1 * size
                && is_in_capitals(text) == is_in_capitals(&heading.title),
            is_connected: is_connected(&heading.title, text),
            is_centred: is_hanging && ((first.x1 + row.right()) - (x1 + x2)).abs() < 2.0 * size,
            hangs_below_full: is_hanging && self.layout.is_heading_full(x2, first),
        };
        if !below.continues() {
            return false;
        }
        let title = titles::without_continued(text);
        heading.title =
            titles::join_lines(&[heading.title.clone(), title.trim_matches(['-', '–', '—', ' ', ':']).to_owned()]);
        *open = OpenTitle::Division { y: row.y, x1, x2: row.right(), size, bold };
        true
    }
}

/// Returns whether a cell's letters are as large as a title's. Small capitals make a line without a large letter
/// smaller.
fn is_same_size(cell: &Cell, size: f32) -> bool {
    cell.size > 0.75 * size && cell.size < 1.15 * size
}

/// Returns whether the numbered row below is further from a row than the `step` to the title above it, in points.
fn is_closer_above_than_below(row: &Row<'_>, step: f32, below: Option<&Row<'_>>) -> bool {
    below.is_some_and(|below| below.anchor.is_some() && below.y - row.y > step + 1.2)
}

/// A line that ends with a full stop is a sentence if it has so many words, set by hand.
const SENTENCE_WORDS: usize = 5;

/// Returns whether a line, but for a label before it, is the whole of a sentence.
fn is_sentence(text: &str) -> bool {
    let begins = |word: &str| word.starts_with(char::is_uppercase);
    text.split(' ').take(2).any(begins) && text.ends_with('.') && text.split(' ').count() >= SENTENCE_WORDS
}

fn is_in_capitals(text: &str) -> bool {
    !text.chars().any(char::is_lowercase)
}

/// Returns whether a text holds letters or figures: the last line of a title may be a lone "2" or "V".
fn has_text(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
