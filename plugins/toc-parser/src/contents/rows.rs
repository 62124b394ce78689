//! Reads an arranged page row by row: sections with their whole titles, division headings, and the lines between.

use super::cells::Cell;
use super::columns::{Anchor, Arrangement, Column, Side};
use super::divisions;
use super::headings::{self, Kind};
use super::numbers::Number;
use super::titles;
use fanlight_geometry::median;
use fanlight_text::folding::{fold, has_letters};

/// A section as its line says it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) number: Number,
    /// Lines of the title, as printed but for what stood in columns beside it.
    pub(crate) title: Vec<String>,
    pub(crate) standing: Standing,
    /// Whether a page, a date or the like stood beside the title.
    pub(crate) paged: bool,
    pub(crate) bold: bool,
    /// Whether its number stands in a column of numbers.
    pub(crate) aligned: bool,
}

/// Whether a section stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Listed,
    /// Marked as not used beside its title; its title may say so too.
    Unused,
    /// Crossed out.
    Struck,
}

/// What a page's rows say, in reading order.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Entry(Entry),
    Division(divisions::Heading),
    /// A line that starts with two figures and could be a division's heading.
    MaybeDivision(divisions::Heading),
    /// A line before the first number of a column, that may go on with the last title of the column before.
    Tail(String),
    Line(Kind),
}

/// A page read.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageRows {
    pub(crate) items: Vec<Item>,
    /// All rows, and those of them that sections, divisions and headings of contents account for.
    pub(crate) rows: usize,
    pub(crate) explained: usize,
}

/// Lines of a title are no further apart than this, in em.
const TITLE_LEADING: f32 = 1.75;
/// White space within a title, in em, where no column explains it.
const TITLE_GAP: f32 = 3.0;

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

/// Cells of a column on one line.
struct Row<'a> {
    cells: Vec<&'a Cell>,
    y: f32,
    anchor: Option<(usize, &'a Anchor)>,
}

/// How a column's titles are set.
struct TitleZone {
    /// Where most titles begin.
    left: f32,
    /// Where the longest title line ends.
    right: f32,
    /// Where the numbers begin.
    numbers: f32,
    /// Whether numbers and titles are one running text.
    inline: bool,
}

struct Reader<'a> {
    rows: Vec<Row<'a>>,
    side: Side,
    zone: TitleZone,
    /// Left edges of texts right of the titles, for telling a column from a gap.
    beside: Vec<f32>,
    /// Where pages, dates or the like that end most entries have their left and right edges.
    pages: Option<(f32, f32)>,
    /// The usual distance of rows that follow each other.
    pitch: f32,
    items: Vec<Item>,
    rows_read: usize,
    explained: usize,
}

/// The title that may go on in the next row.
enum Open {
    None,
    Entry { y: f32, x2: f32, size: f32, bold: bool },
    Division { y: f32, x1: f32, x2: f32, size: f32, bold: bool },
}

/// The parts of a row with a number.
struct Parts<'a> {
    title: Vec<(&'a str, f32, f32)>,
    standing: Standing,
    paged: bool,
    size: f32,
    bold: bool,
}

impl<'a> Reader<'a> {
    fn new(cells: &'a [Cell], column: &'a Column, side: Side) -> Self {
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
        let beside = beside(&rows, side);
        let zone = zone(&rows, side);
        let pages = page_edges(&rows);
        let mut steps: Vec<f32> = rows.windows(2).map(|pair| pair[1].y - pair[0].y).collect();
        steps.sort_by(f32::total_cmp);
        let pitch = steps.get(steps.len() / 3).copied().unwrap_or_default();
        Self { rows, side, zone, beside, pages, pitch, items: Vec::new(), rows_read: 0, explained: 0 }
    }

    fn read(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let late = self.numbers_stand_last(&rows);
        let mut open = Open::None;
        let mut index = 0;
        while index < rows.len() {
            // Rows without a number, up to the next one with it.
            let run = rows[index..].iter().take_while(|row| row.anchor.is_none()).count();
            let next = rows.get(index + run);
            let kept = self.rows_before_number(&rows[index..index + run], next, &open, late);
            for (offset, row) in rows[index..index + run - kept].iter().enumerate() {
                let below = rows.get(index + offset + 1);
                self.read_unnumbered(row, below, &mut open);
            }
            let prefix = &rows[index + run - kept..index + run];
            if let Some(row) = next {
                self.read_numbered(row, prefix, &mut open);
            }
            index += run + 1;
        }
        self.rows_read = rows.len();
    }

    /// How many of the rows before a number are its title's first lines: in tables whose numbers stand at the middle
    /// or the end of a cell. They stand nearer to the number than to what is above them.
    fn rows_before_number(&self, run: &[Row<'a>], next: Option<&Row<'a>>, open: &Open, late: bool) -> usize {
        let Some(next) = next else { return 0 };
        let above = match open {
            Open::Entry { y, .. } | Open::Division { y, .. } => Some(*y),
            Open::None => None,
        };
        let mut y = next.y;
        let mut best = 0;
        let mut widest: f32 = 0.0;
        for (back, row) in run.iter().rev().enumerate() {
            let Some(cell) = row.cells.first() else { break };
            let text = row_text(row);
            let in_zone =
                row.cells.iter().all(|cell| cell.x1 >= self.zone.left - 0.6 * cell.size && cell.x1 <= self.zone.right);
            let known = divisions::heading(&text).is_some()
                || divisions::figures_first(&text).is_some()
                || headings::kind(&text) != Kind::Plain;
            if !in_zone || known || (y - row.y) > 1.45 * cell.size || titles::is_unused(&text) {
                break;
            }
            let kept = back + 1;
            widest = widest.max(y - row.y);
            let y_above = run.len().checked_sub(back + 2).and_then(|at| run.get(at)).map(|row| row.y).or(above);
            let gap_above = y_above.map_or(f32::MAX, |above| row.y - above);
            if gap_above > widest + 1.2 || (late && gap_above >= widest - 0.5) {
                best = kept;
            }
            y = row.y;
        }
        if best == 0 {
            return 0;
        }
        // Where the number's own row has a title from the zone's left on, and the row above isn't full, that row is no
        // part of it.
        let own_title = next
            .cells
            .iter()
            .any(|cell| (cell.x1 - self.zone.left).abs() < 0.6 * cell.size && has_letters(&cell.text, 2))
            || next.anchor.is_some_and(|(_, anchor)| has_letters(&anchor.rest, 2));
        let full = |row: &Row<'a>| row.cells.first().is_some_and(|cell| self.is_full(cell.x2, next, cell.size));
        if own_title && !late && !run[run.len() - best..].iter().all(full) { 0 } else { best }
    }

    /// Whether a line that ends at `x2` had no room for the first word of `next`.
    fn is_full(&self, x2: f32, next: &Row<'_>, size: f32) -> bool {
        let first_word = next
            .cells
            .iter()
            .find(|cell| cell.x1 >= self.zone.left - 0.6 * cell.size)
            .or(next.cells.first())
            .and_then(|cell| cell.words.first())
            .map_or(0.0, |word| word.bbox.x2 - word.bbox.x1);
        x2 + 0.25 * size + first_word > self.zone.right - 0.3 * size
    }

    /// For numbers right of the titles: whether they stand in a title's last line, by a vote of the rows without one.
    /// A line set in goes on with the one above it; a full line goes on in the next.
    fn numbers_stand_last(&self, rows: &[Row<'a>]) -> bool {
        if self.side == Side::Left {
            return false;
        }
        let set_in = |row: &Row<'a>| row.cells.first().is_some_and(|cell| cell.x1 > self.zone.left + 0.5 * cell.size);
        let full = |row: &Row<'a>, next: &Row<'a>| {
            row.cells.first().is_some_and(|cell| self.is_full(cell.x2, next, cell.size))
        };
        let votes: i32 = rows
            .windows(3)
            .filter(|three| three[0].anchor.is_some() && three[1].anchor.is_none() && three[2].anchor.is_some())
            .map(|three| match (set_in(&three[1]), set_in(&three[2])) {
                (true, false) => -2,
                (false, true) => 2,
                _ => i32::from(full(&three[1], &three[2])) - i32::from(full(&three[0], &three[1])),
            })
            .sum();
        votes > 0
    }

    fn read_numbered(&mut self, row: &Row<'a>, prefix: &[Row<'a>], open: &mut Open) {
        let Some((at, anchor)) = row.anchor else { return };
        let parts = self.parts(row, at, anchor);
        let mut title: Vec<String> = prefix.iter().map(row_text).collect();
        title.extend(
            (!parts.title.is_empty()).then(|| parts.title.iter().map(|part| part.0).collect::<Vec<_>>().join(" ")),
        );
        let above = prefix.last().and_then(|row| row.cells.first()).map_or(f32::MIN, |cell| cell.x2);
        let x2 = parts.title.iter().map(|part| part.2).reduce(f32::max).unwrap_or(above);
        *open = Open::Entry { y: row.y, x2, size: parts.size, bold: parts.bold };
        self.explained += 1 + prefix.len();
        self.items.push(Item::Entry(Entry {
            number: anchor.number.clone(),
            title,
            standing: parts.standing,
            paged: parts.paged,
            bold: parts.bold,
            aligned: anchor.aligned,
        }));
    }

    /// What of a numbered row is title, and what the rest says.
    fn parts(&self, row: &Row<'a>, at: usize, anchor: &'a Anchor) -> Parts<'a> {
        let cell = row.cells[at];
        let standing = if cell.struck { Standing::Struck } else { Standing::Listed };
        let mut parts = Parts { title: Vec::new(), standing, paged: false, size: cell.size, bold: cell.bold };
        let mut struck_title = false;
        if has_letters(&anchor.rest, 1)
            || (self.side == Side::Left && !anchor.rest.is_empty() && row.cells.len() == at + 1)
        {
            let x1 = if self.side == Side::Left { cell.x_of_tail(&anchor.rest) } else { cell.x1 };
            parts.title.push((&anchor.rest, x1, cell.x2));
        }
        let others: Vec<&'a Cell> = match self.side {
            Side::Left => row.cells[at + 1..].to_vec(),
            Side::Right => row.cells[..at].iter().copied().filter(|cell| self.is_among_titles(cell)).collect(),
        };
        for (index, other) in others.iter().enumerate() {
            if other.struck {
                struck_title = true;
                continue;
            }
            let wordy_later = others[index + 1..].iter().any(|later| has_letters(&later.text, 2));
            let beside = titles::is_beside_title(&other.text, Some(&anchor.number));
            let set_apart = other.after_leader || other.gap >= other.size;
            if parts.title.is_empty() {
                let is_column = beside && wordy_later && !titles::is_unused(&other.text);
                let far = (other.x1 - self.zone.left).abs() > 2.0 * other.size;
                let is_elsewhere =
                    self.side == Side::Left && far && (self.is_in_column_beside(other) || other.x1 > self.zone.right);
                if is_elsewhere {
                    parts.paged = self.ends_paged(&others[index..]);
                    break;
                }
                let is_page = self.side == Side::Left
                    && beside
                    && (other.after_leader || self.is_page(other) || !has_letters(&other.text, 1));
                if is_column || is_page {
                    parts.paged |= !is_column;
                    continue;
                }
                parts.title.push((&other.text, other.x1, other.x2));
                parts.size = other.size;
                parts.bold = other.bold;
                continue;
            }
            if self.side == Side::Right {
                if other.after_leader {
                    parts.title.clear();
                }
                parts.title.push((&other.text, other.x1, other.x2));
                continue;
            }
            let blank = matches!(fold(&other.text).as_str(), "N/A" | "NA" | "NONE");
            if titles::is_unused(&other.text) && !blank {
                parts.standing = Standing::Unused;
            }
            let is_title = !other.after_leader
                && (!set_apart || (!beside && other.gap < TITLE_GAP * other.size && !self.is_in_column_beside(other)));
            if !is_title {
                parts.paged = self.ends_paged(&others[index..]);
                break;
            }
            parts.title.push((&other.text, other.x1, other.x2));
        }
        if struck_title && parts.title.is_empty() {
            parts.standing = Standing::Struck;
        }
        parts
    }

    /// Whether the cells after a title hold its page; where the column has no pages, anything counts that isn't a word.
    fn ends_paged(&self, after: &[&Cell]) -> bool {
        match self.pages {
            Some(_) => after.iter().any(|cell| self.is_page(cell)),
            None => after.iter().any(|cell| titles::is_beside_title(&cell.text, None)),
        }
    }

    /// Whether other rows have a text beside their titles that starts at the same x.
    fn is_in_column_beside(&self, cell: &Cell) -> bool {
        self.beside.iter().filter(|x| (**x - cell.x1).abs() < 3.0).count() >= 3
    }

    fn read_unnumbered(&mut self, row: &Row<'a>, below: Option<&Row<'a>>, open: &mut Open) {
        let text = row_text(row);
        let leftmost = self.zone.left.min(self.zone.numbers);
        let beside_titles = |cell: &&Cell| cell.x1 > self.zone.right || cell.x2 < leftmost;
        let between_lines = matches!(open, Open::Entry { y, size, .. } if row.y - *y < 0.95 * *size);
        if text.is_empty() || (between_lines && row.cells.iter().all(beside_titles)) {
            return;
        }
        let Some(first) = row.cells.first() else { return };
        if let Some(heading) = divisions::heading(&text) {
            let x2 = row.cells.iter().map(|cell| cell.x2).fold(f32::MIN, f32::max);
            *open = Open::Division { y: row.y, x1: first.x1, x2, size: first.size, bold: first.bold };
            self.explained += 1;
            self.items.push(Item::Division(heading));
            return;
        }
        if self.is_title_of_number_above(row, open) {
            self.explained += 1;
            return self.extend_entry(row, open);
        }
        let mut kind = headings::kind(&text);
        // "Attachment 1" set in under its section.
        let set_in = first.x1 > self.zone.numbers + first.size && first.x1 >= self.zone.left - 0.6 * first.size;
        let under_section = kind == Kind::Foreign && self.side == Side::Left && set_in && !first.bold;
        if under_section {
            kind = Kind::Plain;
        } else if kind == Kind::Plain {
            if self.continues_entry(row, open, below) {
                self.explained += 1;
                return self.extend_entry(row, open);
            }
            if self.continues_division(row, &text, open) {
                self.explained += 1;
                return;
            }
            if let Some(heading) = divisions::figures_first(&text) {
                let x2 = row.cells.iter().map(|cell| cell.x2).fold(f32::MIN, f32::max);
                *open = Open::Division { y: row.y, x1: first.x1, x2, size: first.size, bold: first.bold };
                self.items.push(Item::MaybeDivision(heading));
                return;
            }
        }
        *open = Open::None;
        let before_all = self.items.iter().all(|item| matches!(item, Item::Tail(_)));
        if kind == Kind::Plain && before_all && first.x1 >= self.zone.left - 0.6 * first.size && has_text(&text) {
            self.items.push(Item::Tail(text));
            return;
        }
        self.explained += usize::from(matches!(kind, Kind::Contents | Kind::Volume | Kind::Foreign));
        self.items.push(Item::Line(kind));
    }

    /// Whether the number above has no title yet and this row is near enough to be it.
    fn is_title_of_number_above(&self, row: &Row<'a>, open: &Open) -> bool {
        let Open::Entry { y, size, .. } = *open else { return false };
        let Some(Item::Entry(entry)) = self.items.last() else { return false };
        let wordy = self.title_cell(row, size).is_some_and(|cell| has_letters(&cell.text, 2));
        entry.title.is_empty() && entry.standing != Standing::Struck && wordy && row.y - y <= 2.6 * size
    }

    /// Whether a row without a number goes on with the title above it.
    fn continues_entry(&self, row: &Row<'a>, open: &Open, below: Option<&Row<'a>>) -> bool {
        let Open::Entry { y, x2, size, bold } = *open else { return false };
        let Some(Item::Entry(entry)) = self.items.last() else { return false };
        let Some(cell) = self.title_cell(row, size) else { return false };
        let step = row.y - y;
        // Small capitals make a line without a large letter smaller.
        let same_size = cell.size > 0.75 * size && cell.size < 1.15 * size;
        if step > self.farthest_line(size) || !same_size || !has_text(&cell.text) {
            return false;
        }
        let before = entry.title.last().map_or("", String::as_str);
        // A row of which the title's page comes last, or one of two about a number that stands between them.
        let completes = !entry.paged && self.is_paged(row);
        let connected = is_connected(before, &cell.text) || completes || step < 0.95 * size;
        if entry.paged && self.is_paged(row) {
            return false;
        }
        let full = self.is_full(x2, row, size);
        let in_zone = cell.x1 >= self.zone.left - 0.6 * size && cell.x1 <= self.zone.left + 6.0 * size;
        let hanging = cell.x1 > self.zone.left + 0.5 * size && in_zone;
        let before_titles = cell.x1 >= self.zone.numbers - 0.6 * size && cell.x1 < self.zone.left;
        let under_number = before_titles && cell.x1 < self.zone.numbers + 2.0 * size;
        let same_weight = cell.bold == bold;
        let tight = below.is_some_and(|below| below.anchor.is_some() && below.y - row.y > step + 1.2);
        let numbers_are_bold_only = !same_weight && entry.bold != cell.bold;
        if numbers_are_bold_only && !connected {
            return false;
        }
        match () {
            () if in_zone => connected || full || hanging || tight,
            () if before_titles && self.zone.inline && !under_number => connected || full || same_weight,
            () if before_titles => connected || (under_number && full && same_weight),
            () => false,
        }
    }

    /// How far below a title's line its next one can be, for text of a size.
    fn farthest_line(&self, size: f32) -> f32 {
        (1.1 * self.pitch).clamp(TITLE_LEADING * size, 2.6 * size)
    }

    /// Whether a row ends where most entries' pages stand.
    fn is_paged(&self, row: &Row<'_>) -> bool {
        row.cells.last().is_some_and(|last| self.is_page(last))
    }

    fn is_page(&self, cell: &Cell) -> bool {
        let aligned = |(x1, x2): (f32, f32)| (cell.x1 - x1).abs() < 3.0 || (cell.x2 - x2).abs() < 3.0;
        titles::is_beside_title(&cell.text, None) && self.pages.is_some_and(aligned)
    }

    /// Whether a cell left of a number stands among the titles, and not in a column before them or between.
    fn is_among_titles(&self, cell: &Cell) -> bool {
        cell.x1 >= self.zone.left - cell.size
            && !(cell.x1 > self.zone.right && titles::is_beside_title(&cell.text, None))
    }

    /// The cell of a row without a number that can be part of a title: the first that begins among the titles, or else
    /// the first.
    fn title_cell(&self, row: &Row<'a>, size: f32) -> Option<&'a Cell> {
        let in_zone = |cell: &&&Cell| cell.x1 >= self.zone.left - 0.6 * size && cell.x1 <= self.zone.right;
        row.cells.iter().find(in_zone).or(row.cells.first()).copied()
    }

    fn extend_entry(&mut self, row: &Row<'a>, open: &mut Open) {
        let Open::Entry { size, bold, .. } = *open else { return };
        let first = self.title_cell(row, size);
        let paged = self.is_paged(row);
        let Some(Item::Entry(entry)) = self.items.last_mut() else { return };
        let mut parts: Vec<&str> = Vec::new();
        let mut end = f32::MIN;
        let first_x1 = first.map_or(f32::MIN, |cell| cell.x1);
        for cell in &row.cells {
            let beside = titles::is_beside_title(&cell.text, Some(&entry.number));
            let set_apart = cell.after_leader || (!parts.is_empty() && cell.gap >= cell.size);
            if set_apart
                && (beside
                    || cell.after_leader
                    || cell.gap >= TITLE_GAP * cell.size
                    || self.beside.iter().filter(|x| (**x - cell.x1).abs() < 3.0).count() >= 3)
            {
                entry.paged |= paged;
                break;
            }
            if cell.struck {
                continue;
            }
            // What stands in the columns left of the title.
            if cell.x2 <= first_x1 {
                continue;
            }
            parts.push(&cell.text);
            end = cell.x2;
        }
        if !parts.is_empty() {
            entry.title.push(parts.join(" "));
        }
        *open = Open::Entry { y: row.y, x2: end, size, bold };
    }

    /// Whether a row goes on with the division heading above it; if so it is taken up.
    fn continues_division(&mut self, row: &Row<'a>, text: &str, open: &mut Open) -> bool {
        let Open::Division { y, x1, x2, size, bold } = *open else { return false };
        let Some(first) = row.cells.first() else { return false };
        let full = self.is_heading_full(x2, first);
        let Some(Item::Division(heading)) = self.items.last_mut() else { return false };
        let step = row.y - y;
        if !has_letters(text, 2) {
            return false;
        }
        if titles::is_unused(text) && step <= 2.6 * size {
            *open = Open::None;
            return true;
        }
        let goes_on = if heading.title.is_empty() {
            step <= 2.6 * size
        } else {
            let capitals = |text: &str| !text.chars().any(char::is_lowercase);
            let same_style = first.bold == bold
                && (first.size - size).abs() < 0.1 * size
                && capitals(text) == capitals(&heading.title);
            let connected = is_connected(&heading.title, text);
            let hanging = first.x1 > x1 + 0.5 * size;
            let last_x2 = row.cells.last().map_or(first.x2, |cell| cell.x2);
            let centred = ((first.x1 + last_x2) - (x1 + x2)).abs() < 2.0 * size && hanging;
            step <= TITLE_LEADING * size && same_style && (connected || centred || (hanging && full))
        };
        if !goes_on {
            return false;
        }
        let title = titles::without_continued(text);
        heading.title =
            titles::join_lines(&[heading.title.clone(), title.trim_matches(['-', '–', '—', ' ', ':']).to_owned()]);
        let x2 = row.cells.iter().map(|cell| cell.x2).fold(f32::MIN, f32::max);
        *open = Open::Division { y: row.y, x1, x2, size, bold };
        true
    }

    fn is_heading_full(&self, x2: f32, first: &Cell) -> bool {
        let first_word = first.words.first().map_or(0.0, |word| word.bbox.x2 - word.bbox.x1);
        x2 + first_word + 0.25 * first.size > self.zone.right - 2.0 * first.size
    }
}

/// A row's text without what leaders lead to and pages set apart.
fn row_text(row: &Row<'_>) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for cell in row.cells.iter().filter(|cell| !cell.struck) {
        let page = cell.gap >= cell.size && titles::is_beside_title(&cell.text, None);
        if !parts.is_empty() && (cell.after_leader || page) {
            break;
        }
        parts.push(&cell.text);
    }
    parts.join(" ")
}

/// Letters, or a title's odd end ("2", "V").
fn has_text(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Words, folded, that no title ends with.
const CONNECTORS: [&str; 36] = [
    "AND", "&", "OF", "FOR", "THE", "TO", "WITH", "IN", "OR", "ON", "BY", "FROM", "A", "AN", "AT", "DE", "DES", "DU",
    "ET", "LA", "LE", "LES", "EN", "POUR", "AVEC", "SUR", "PAR", "Y", "E", "DEL", "LOS", "LAS", "PARA", "CON", "OU",
    "AUX",
];

/// Whether a title's line can't end where it does, or the next can't begin so.
pub(crate) fn is_connected(before: &str, after: &str) -> bool {
    let before = fold(before);
    let last = before.rsplit(' ').next().unwrap_or_default();
    let open_bracket = before.rfind('(').is_some_and(|open| !before[open..].contains(')'));
    let first = after.chars().find(|c| !c.is_whitespace());
    let first_word = after.split(' ').next().map(fold).unwrap_or_default();
    open_bracket
        || CONNECTORS.contains(&last)
        || before.ends_with([',', '-', '/', '&', '+'])
        || first.is_some_and(|c| c.is_lowercase() || "&/,)-–—".contains(c))
        || (CONNECTORS.contains(&first_word.as_str()) && first_word.len() > 1)
}

/// Where the titles of a column stand.
fn zone(rows: &[Row<'_>], side: Side) -> TitleZone {
    let mut lefts = Vec::new();
    let mut rights = Vec::new();
    let mut numbers = f32::MAX;
    for (index, row) in rows.iter().enumerate() {
        let Some((at, anchor)) = row.anchor else { continue };
        let cell = row.cells[at];
        // Where the number stands in the middle of a table's row the title begins on the line above, and where it
        // stands over its title on the line below.
        let line_beside = || {
            let unnumbered = |at: usize| rows.get(at).filter(|row| row.anchor.is_none());
            let above = index.checked_sub(1).and_then(unnumbered).filter(|above| row.y - above.y < 0.95 * cell.size);
            let below = unnumbered(index + 1).filter(|below| below.y - row.y < 2.2 * cell.size);
            let title = above.or(below).and_then(|line| line.cells.first());
            title.map(|cell| (cell.x1, cell.x2, cell.words.len()))
        };
        numbers = numbers.min(cell.x1);
        let title = match side {
            Side::Left if has_letters(&anchor.rest, 2) => {
                Some((cell.x_of_tail(&anchor.rest), cell.x2, anchor.rest.split(' ').count()))
            }
            Side::Left => row.cells[at + 1..]
                .iter()
                .find(|cell| has_letters(&cell.text, 2) && !titles::is_beside_title(&cell.text, None))
                .map(|cell| (cell.x1, cell.x2, cell.words.len()))
                .or_else(line_beside),
            Side::Right if has_letters(&anchor.rest, 2) => Some((cell.x1, cell.x2, cell.words.len())),
            Side::Right => {
                let wordy = |cell: &&&Cell| has_letters(&cell.text, 2) && !titles::is_beside_title(&cell.text, None);
                row.cells[..at].iter().rev().find(wordy).map(|cell| (cell.x1, cell.x2, cell.words.len()))
            }
        };
        if let Some((x1, x2, words)) = title {
            lefts.push(x1);
            // One long word may be wider than the column.
            if words > 1 {
                rights.push(x2);
            }
        }
    }
    let left = median(lefts).unwrap_or(numbers);
    rights.sort_by(|a, b| b.total_cmp(a));
    let right = match rights[..] {
        // One line alone so far out is no title.
        [first, second, ..] if first - second > 0.3 * (second - left) && rights.len() > 4 => second,
        [first, ..] => first,
        [] => f32::MIN,
    };
    let anchors = rows.iter().filter_map(|row| row.anchor);
    let (count, inline) = anchors
        .fold((0, 0), |(count, inline), (_, anchor)| (count + 1, inline + usize::from(has_letters(&anchor.rest, 2))));
    TitleZone { left, right, numbers, inline: inline * 2 > count }
}

/// The median edges of the pages, dates or the like at the ends of rows, where at least half as many rows end so as
/// have a number.
fn page_edges(rows: &[Row<'_>]) -> Option<(f32, f32)> {
    let numbered = rows.iter().filter(|row| row.anchor.is_some()).count();
    let ends: Vec<&Cell> = rows
        .iter()
        .filter_map(|row| {
            let last = row.cells.last()?;
            let set_apart = last.after_leader || (row.cells.len() > 1 && last.gap >= 0.9 * last.size);
            (set_apart && titles::is_beside_title(&last.text, None)).then_some(*last)
        })
        .collect();
    if ends.len() * 2 < numbered {
        return None;
    }
    Some((median(ends.iter().map(|cell| cell.x1).collect())?, median(ends.iter().map(|cell| cell.x2).collect())?))
}

/// Left edges of wordy texts that stand right of another text of their row.
fn beside(rows: &[Row<'_>], side: Side) -> Vec<f32> {
    if side == Side::Right {
        return Vec::new();
    }
    rows.iter()
        .filter_map(|row| Some((row, row.anchor?.0, row.anchor?.1)))
        .flat_map(|(row, at, anchor)| {
            let first = if has_letters(&anchor.rest, 2) { at + 1 } else { at + 2 };
            row.cells.iter().skip(first).filter(|cell| !cell.after_leader).map(|cell| cell.x1).collect::<Vec<_>>()
        })
        .collect()
}
