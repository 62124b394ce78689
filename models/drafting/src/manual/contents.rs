//! The contents pages.

mod heading;
mod places;
mod row;

use std::ops::Range;

pub(crate) use heading::division_heading;

use super::book::Book;
use super::masterformat::SUBGROUPS;
use super::sheet::{Frame, Ink, Sheet, frame};
use super::style::{
    ContentsTitle, DivisionBreak, DivisionHeading, Extras, Language, Numbering, PageNumber, Rules, Separator, Style,
    UnusedDivision, VolumeContents,
};
use super::wording::{Wording, wording};
use crate::pdf::{Face, Page};

/// The contents as set, without headers and footers.
pub(crate) struct Contents {
    pub(crate) pages: Vec<Page>,
    /// The division, section and page of each line of a section, the page counted from 0.
    pub(crate) lines: Vec<(usize, usize, usize)>,
}

/// Sets the contents of some divisions.
///
/// `page_of` returns the page of the manual on which a section begins.
pub(crate) fn set(
    book: &Book,
    style: &Style,
    divisions: Range<usize>,
    page_of: &dyn Fn(usize, usize) -> usize,
) -> Contents {
    let mut setter = Setter::new(book, style, page_of);
    setter.title();
    for index in divisions.clone() {
        setter.breaks_before(index);
        setter.division(index);
    }
    if divisions.end == book.divisions.len() {
        setter.trailers();
    }
    setter.close_table();
    setter.closing();
    Contents { pages: setter.pages, lines: setter.lines }
}

/// Returns the number of the contents themselves in MasterFormat.
pub(crate) fn own_number(style: &Style) -> String {
    style.numbering.print(if style.numbering == Numbering::FiveDigits { "00010" } else { "000110" })
}

impl Separator {
    /// Returns the characters between a number and a title.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Separator::Space => " ",
            Separator::Gap => "    ",
            Separator::Hyphen => " - ",
            Separator::EnDash => " – ",
            Separator::EmDash => " — ",
            Separator::Colon => ": ",
        }
    }
}

struct Setter<'a> {
    book: &'a Book,
    style: &'a Style,
    words: &'static Wording,
    page_of: &'a dyn Fn(usize, usize) -> usize,
    frame: Frame,
    pages: Vec<Page>,
    /// The width of the widest section number with its prefix.
    widest_number: f32,
    /// The newspaper column, from 0.
    column: usize,
    /// The top of the columns on this page.
    top: f32,
    /// The top of the next line.
    y: f32,
    /// The top of the rows of a ruled table on this page and column.
    table_top: Option<f32>,
    lines: Vec<(usize, usize, usize)>,
    /// The division whose lines are being set.
    open: Option<usize>,
}

/// Gap between newspaper columns.
const GUTTER: f32 = 26.0;

impl<'a> Setter<'a> {
    fn new(book: &'a Book, style: &'a Style, page_of: &'a dyn Fn(usize, usize) -> usize) -> Self {
        let frame = frame(style);
        let first = Sheet::blank(style);
        let face = Face::new(style.family, false);
        let widest_number = book
            .divisions
            .iter()
            .flat_map(|division| {
                let (prefix, suffix) = (row::prefix(style, &division.code), row::suffix(style));
                division.sections.iter().map(move |section| format!("{prefix}{}{suffix}", section.printed_code))
            })
            .map(|number| face.width(&number, f32::from(style.size)))
            .fold(0.0, f32::max);
        Self {
            book,
            style,
            words: wording(style.language),
            page_of,
            frame,
            pages: vec![first],
            widest_number,
            column: 0,
            top: frame.top,
            y: frame.top,
            table_top: None,
            lines: Vec::new(),
            open: None,
        }
    }

    fn ink(&self, bold: bool) -> Ink {
        Ink { face: Face::new(self.style.family, bold), size: f32::from(self.style.size), small_capitals: false }
    }

    fn leading(&self) -> f32 {
        f32::from(self.style.size) * f32::from(self.style.leading) / 100.0
    }

    fn page(&mut self) -> &mut Page {
        if self.pages.is_empty() {
            self.pages.push(Sheet::blank(self.style));
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    fn column_span(&self) -> (f32, f32) {
        let columns = f32::from(self.style.columns.max(1));
        let width = (self.frame.right - self.frame.left - GUTTER * (columns - 1.0)) / columns;
        let left = self.frame.left + self.column as f32 * (width + GUTTER);
        (left, left + width)
    }

    fn title(&mut self) {
        let size = f32::from(self.style.size) + 4.0;
        let bold = Face::new(self.style.family, true);
        let middle = f32::midpoint(self.frame.left, self.frame.right);
        let contents = self.words.contents;
        let (left, name) = (self.frame.left, self.book.project.name.clone());
        let number = own_number(self.style);
        let heads: Vec<String> = match self.style.contents {
            ContentsTitle::NoContents | ContentsTitle::Untitled => Vec::new(),
            ContentsTitle::Specifications => vec!["TECHNICAL SPECIFICATIONS".to_owned()],
            ContentsTitle::Plain => vec![contents.to_uppercase()],
            ContentsTitle::WithProject => {
                vec![name, format!("{} {}", self.words.manual, contents).to_uppercase()]
            }
            ContentsTitle::Index => vec![self.words.index.to_uppercase()],
            ContentsTitle::NumberedSection => {
                vec![format!("{} {number}", self.words.section).to_uppercase(), contents.to_uppercase()]
            }
            ContentsTitle::Small => vec![contents.to_owned()],
        };
        let small = self.style.contents == ContentsTitle::Small;
        for head in heads {
            self.y -= size * 1.3;
            let y = self.y;
            if small {
                self.page().text(left, y, bold, size - 3.0, &head);
            } else {
                self.page().text_centred(middle, y, bold, size, &head);
            }
        }
        if self.style.notes > 0 {
            self.note();
        }
        self.y -= size;
        self.top = self.y;
        self.column_heads();
    }

    /// Sets a paragraph above the list that mentions sections.
    fn note(&mut self) {
        let mut text = self.words.note.to_owned();
        for digits in ["011000", "013300"] {
            let digits = if self.style.numbering == Numbering::FiveDigits { &digits[..5] } else { digits };
            text = text.replacen("{}", &self.style.numbering.print(digits), 1);
        }
        let (ink, leading) = (self.ink(false), self.leading());
        let width = self.frame.right - self.frame.left;
        self.y -= leading * 0.6;
        for line in ink.wrap(&text, width, width) {
            self.y -= leading;
            let (x, y) = (self.frame.left, self.y);
            ink.draw(self.page(), x, y, &line);
        }
    }

    /// Sets column headers if the contents are a table.
    fn column_heads(&mut self) {
        if self.style.rules == Rules::None && self.style.extras == Extras::None {
            return;
        }
        let row = self.layout();
        let words = self.words;
        let ink = self.ink(true);
        let mut cells = vec![(row.number, words.number), (row.title, words.title)];
        if self.style.page_number != PageNumber::None {
            cells.push((row.page_right - ink.width(words.pages), words.pages));
        }
        cells.extend(row.extras.iter().map(|(x, _, kind)| (*x, kind.head(words))));
        if row.number == row.title {
            cells.retain(|(_, head)| *head != words.number);
        }
        let height = self.leading() + self.padding() * 2.0;
        self.open_table();
        let baseline = self.y - self.padding() - ink.size;
        for (x, head) in cells {
            ink.draw(self.page(), x, baseline, head);
        }
        self.y -= height;
        self.rule();
    }

    fn padding(&self) -> f32 {
        match self.style.rules {
            Rules::None => 0.0,
            Rules::Rows => 2.0,
            Rules::Grid => 3.5,
        }
    }

    fn open_table(&mut self) {
        if self.style.rules == Rules::Grid && self.table_top.is_none() {
            self.table_top = Some(self.y);
            self.rule();
        }
    }

    fn rule(&mut self) {
        if self.style.rules != Rules::None {
            let (left, right) = self.column_span();
            let y = self.y;
            self.page().stroke((left, y), (right, y), 0.5);
        }
    }

    /// Draws the vertical rules of a grid from its top to here.
    fn close_table(&mut self) {
        let Some(top) = self.table_top.take() else { return };
        let (left, right) = self.column_span();
        let row = self.layout();
        let bottom = self.y;
        let mut uprights = vec![left, right];
        uprights.extend(row.borders);
        for x in uprights {
            self.page().stroke((x, top), (x, bottom), 0.5);
        }
    }

    fn room(&self) -> f32 {
        self.y - self.frame.bottom
    }

    /// Moves to the next column or page.
    fn advance(&mut self) {
        self.close_table();
        if self.column + 1 < usize::from(self.style.columns) {
            self.column += 1;
        } else {
            self.column = 0;
            let page = Sheet::blank(self.style);
            self.pages.push(page);
            self.top = self.frame.top;
        }
        self.y = self.top;
        if self.column == 0 {
            self.column_heads();
        }
        if let Some(index) = self.open {
            self.continued_heading(index);
        }
    }

    fn make_room(&mut self, height: f32) {
        if self.room() < height {
            self.advance();
        }
    }

    /// Sets headings of volumes and subgroups before a division.
    fn breaks_before(&mut self, index: usize) {
        self.open = None;
        if self.style.division_break == DivisionBreak::NewPage && !self.lines.is_empty() {
            self.close_table();
            self.column = usize::from(self.style.columns);
            self.advance();
        }
        let code = &self.book.divisions[index].code;
        let volumes = self.book.volume_starts.len();
        let together = self.style.volume_contents == VolumeContents::Together;
        if let Some(volume) = self.book.volume_starts.iter().position(|start| *start == index)
            && volumes > 1
            && together
        {
            let head = format!("{} {} {} {volumes}", self.words.volume, volume + 1, self.words.of).to_uppercase();
            self.banner(&head);
        }
        if self.style.unused_division == UnusedDivision::Ranges {
            self.reserved_before(index);
        }
        let covered = |number: &str| SUBGROUPS.iter().rposition(|(first, _)| *first <= number);
        let before = index.checked_sub(1).and_then(|before| covered(&self.book.divisions[before].code));
        let group = covered(code);
        if self.style.subgroups > 0
            && group != before
            && self.style.language == Language::English
            && let Some((_, title)) = group.and_then(|at| SUBGROUPS.get(at))
        {
            self.banner(&title.to_uppercase());
        }
    }

    /// Sets a line for the division numbers that are passed over.
    fn reserved_before(&mut self, index: usize) {
        let number = |index: usize| self.book.divisions[index].code.parse::<usize>().unwrap_or_default();
        let Some(before) = index.checked_sub(1).map(number) else { return };
        let (first, last) = (before + 1, number(index).saturating_sub(1));
        if last <= first {
            return;
        }
        let (ink, leading, words) = (self.ink(true), self.leading(), self.words);
        self.make_room(leading * 1.8);
        self.close_table();
        self.y -= leading * 1.6;
        let (x, y) = (self.column_span().0, self.y + leading * 0.2);
        let not_used = self.style.division_case.print(words.not_used);
        let range =
            self.style.division_case.print(&format!("{}s {first:02} {} {last:02}", words.division, words.through));
        ink.draw(self.page(), x, y, &format!("{range} ({not_used})"));
    }

    fn banner(&mut self, text: &str) {
        let ink = self.ink(true);
        let leading = self.leading();
        self.make_room(leading * 6.0);
        self.close_table();
        let (left, right) = self.column_span();
        let lines = ink.wrap(text, right - left, right - left);
        self.y -= leading * 0.6;
        for line in lines {
            self.y -= leading;
            let y = self.y;
            ink.draw_centred(self.page(), f32::midpoint(left, right), y, &line);
        }
        self.y -= leading * 0.5;
    }

    fn division(&mut self, index: usize) {
        let division = &self.book.divisions[index];
        self.heading(index, "");
        self.open = Some(index);
        let headed = self.style.division_heading != DivisionHeading::Absent;
        if headed && division.unused && self.style.unused_division == UnusedDivision::LineBelow {
            let text = self.words.not_used;
            let (ink, leading) = (self.ink(false), self.leading());
            self.make_room(leading);
            let x = self.column_span().0 + f32::from(self.style.indent);
            self.close_table();
            self.y -= leading;
            let y = self.y;
            ink.draw(self.page(), x, y, text);
        }
        for (at, section) in division.sections.iter().enumerate() {
            self.section(index, at, section);
        }
        self.open = None;
    }

    /// Lists drawings and appendices after the sections.
    fn trailers(&mut self) {
        self.open = None;
        let words = self.words;
        let separator = self.style.division_separator.text();
        let case = self.style.title_case;
        if !self.book.drawings.is_empty() {
            self.banner(&words.drawings.to_uppercase());
            for (number, title) in &self.book.drawings {
                self.other_line(number, &case.print(title));
            }
        }
        if !self.book.appendices.is_empty() {
            self.banner(&words.appendices.to_uppercase());
            for (letter, title) in &self.book.appendices {
                let word = if self.style.appendices.is_multiple_of(2) { words.appendix } else { words.exhibit };
                let name = case.print(&format!("{word} {letter}"));
                self.other_line("", &format!("{name}{separator}{}", case.print(title)));
            }
        }
    }

    /// Sets a line below the last section, in some styles.
    fn closing(&mut self) {
        if matches!(self.style.contents, ContentsTitle::NumberedSection | ContentsTitle::Index) {
            self.open = None;
            self.banner(self.words.end_of_contents);
        }
    }

    fn other_line(&mut self, number: &str, title: &str) {
        let (ink, leading, row) = (self.ink(false), self.leading(), self.layout());
        let (left, right) = self.column_span();
        let left = left + f32::from(self.style.indent);
        let title_at = if number.is_empty() { left } else { left + (row.title - row.number).clamp(50.0, 90.0) };
        let lines = ink.wrap(title, right - title_at, right - title_at);
        self.make_room(leading * lines.len() as f32);
        for (at, line) in lines.iter().enumerate() {
            self.y -= leading;
            let y = self.y + leading * 0.2;
            if at == 0 {
                ink.draw(self.page(), left, y, number);
            }
            ink.draw(self.page(), title_at, y, line);
        }
    }
}
