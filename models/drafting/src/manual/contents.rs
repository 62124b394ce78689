//! The contents pages.

use std::ops::Range;

use super::book::{Book, Section};
use super::masterformat::SUBGROUPS;
use super::sheet::{Frame, Ink, Sheet, frame};
use super::style::{
    Arrangement, ContentsTitle, Continuation, DivisionHeading, DivisionZero, Extras, HeadingSetting, Language, Leader,
    PageNumber, Prefix, Rules, Separator, Style, UnusedDivision, VolumeContents, Wrapping,
};
use super::wording::{Wording, in_words, roman, wording};
use crate::pdf::{Face, Mark, Page};

/// Contents as set, before headers and footers.
pub(crate) struct Contents {
    pub(crate) pages: Vec<Page>,
    /// For each line of a section: division, section, page counted from 0.
    pub(crate) lines: Vec<(usize, usize, usize)>,
}

/// Sets the contents of some divisions.
///
/// `page_of` gives the page of the manual on which a section starts.
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
    Contents { pages: setter.pages, lines: setter.lines }
}

/// The text of a division's heading: what names its number, and its title.
pub(crate) fn division_heading(style: &Style, code: &str, title: &str) -> (String, String) {
    let words = wording(style.language);
    let number: usize = code.parse().unwrap_or_default();
    let name = match style.division_heading {
        DivisionHeading::Absent => String::new(),
        DivisionHeading::Figures => format!("{} {code}", words.division),
        DivisionHeading::BareFigure => format!("{} {number}", words.division),
        DivisionHeading::Words if style.language == Language::English => {
            format!("{} {}", words.division, in_words(number))
        }
        DivisionHeading::Words => format!("{} {number}", words.division),
        DivisionHeading::NumberOnly => code.to_owned(),
        DivisionHeading::FullNumber => style.numbering.print(&format!("{code}0000")),
    };
    (style.division_case.print(&name), title.to_owned())
}

impl Separator {
    /// The characters between a number and a title.
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

/// One cell of a row.
struct Cell {
    /// Left end of its first line.
    x: f32,
    lines: Vec<String>,
    ink: Ink,
    /// Offset of the second and further lines.
    hang: f32,
}

struct Setter<'a> {
    book: &'a Book,
    style: &'a Style,
    words: &'static Wording,
    page_of: &'a dyn Fn(usize, usize) -> usize,
    frame: Frame,
    pages: Vec<Page>,
    /// Newspaper column, from 0.
    column: usize,
    /// Where the columns of this page start.
    top: f32,
    /// Top of the next line.
    y: f32,
    /// Where the rows of a ruled table started on this page and column.
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
        Self {
            book,
            style,
            words: wording(style.language),
            page_of,
            frame,
            pages: vec![first],
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
        let number = self.style.numbering.print(if self.style.numbering == super::style::Numbering::FiveDigits {
            "00010"
        } else {
            "000110"
        });
        let heads: Vec<String> = match self.style.contents {
            ContentsTitle::NoContents => Vec::new(),
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
        self.y -= size;
        self.top = self.y;
        self.column_heads();
    }

    /// Column headings, where the contents are a table.
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
        if self.style.arrangement == Arrangement::Inline {
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

    /// Draws the upright rules of a grid from where it started down to here.
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

    /// Goes to the next column or page.
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

    /// Volume and subgroup headings that stand before a division.
    fn breaks_before(&mut self, index: usize) {
        self.open = None;
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
        if division.unused && self.style.unused_division == UnusedDivision::LineBelow {
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

    fn continued_heading(&mut self, index: usize) {
        let suffix = match self.style.continuation {
            Continuation::None => return,
            Continuation::Repeated => String::new(),
            Continuation::Continued => format!(" {}", self.style.division_case.print(self.words.continued)),
            Continuation::Contd => format!(" - {}", self.style.division_case.print(self.words.contd)),
        };
        self.heading(index, &suffix);
    }

    fn heading(&mut self, index: usize, suffix: &str) {
        if self.style.division_heading == DivisionHeading::Absent {
            self.y -= self.leading() * 0.5;
            return;
        }
        let division = &self.book.divisions[index];
        let (name, title) = division_heading(self.style, &division.code, &division.title);
        let mut tail = suffix.to_owned();
        if division.unused && self.style.unused_division == UnusedDivision::InHeading {
            tail.push_str(&format!(" ({})", self.words.not_used.to_uppercase()));
        }
        let setting = self.style.heading_setting;
        let mut ink = self.ink(setting != HeadingSetting::Plain);
        ink.small_capitals = self.style.division_case == super::style::TitleCase::SmallCapitals;
        let separator = self.style.division_separator.text();
        let printed_title = if ink.small_capitals { title } else { self.style.division_case.print(&title) };
        let (left, right) = self.column_span();
        let leading = self.leading() * 1.1;
        let mut lines: Vec<(f32, String)> = Vec::new();
        if setting == HeadingSetting::TwoLines {
            lines.push((0.0, format!("{name}{suffix}")));
            let shown = if suffix.is_empty() { format!("{printed_title}{tail}") } else { printed_title };
            lines.extend(ink.wrap(&shown, right - left, right - left).into_iter().map(|line| (0.0, line)));
        } else {
            let text = format!("{name}{separator}{printed_title}{tail}");
            let hang = ink.width(&format!("{name}{separator}"));
            let hang = if hang > (right - left) / 2.0 { 12.0 } else { hang };
            for (at, line) in ink.wrap(&text, right - left - 4.0, right - left - hang).into_iter().enumerate() {
                lines.push((if at == 0 { 0.0 } else { hang }, line));
            }
        }
        let gap = leading * 0.6;
        let mut height = gap + leading * lines.len() as f32;
        // A heading stays with the first line below it.
        let open = self.open.take();
        if self.room() < height + leading * 2.2 {
            self.advance();
        }
        self.open = open;
        self.close_table();
        if (self.y - self.top).abs() < 0.1 {
            height -= gap;
        } else {
            self.y -= gap;
        }
        if setting == HeadingSetting::Bar {
            let bar = leading * lines.len() as f32;
            let y = self.y - bar - 1.0;
            self.page().marks.push(Mark::Fill { x: left, y, width: right - left, height: bar, grey: 0.85 });
        }
        let last = lines.len().saturating_sub(1);
        for (at, (hang, line)) in lines.into_iter().enumerate() {
            self.y -= leading;
            let y = self.y + leading * 0.2;
            if setting == HeadingSetting::Centred {
                ink.draw_centred(self.page(), f32::midpoint(left, right), y, &line);
            } else {
                ink.draw(self.page(), left + hang, y, &line);
            }
            if setting == HeadingSetting::Underlined && at == last {
                self.page().stroke((left, y - 2.0), (right, y - 2.0), 0.8);
            }
        }
        debug_assert!(height > 0.0);
        self.y -= leading * 0.2;
    }

    fn section(&mut self, division: usize, at: usize, section: &Section) {
        let row = self.layout();
        let ink = self.ink(false);
        let title_ink = Ink {
            small_capitals: self.style.title_case == super::style::TitleCase::SmallCapitals && !section.unused,
            ..ink
        };
        let title =
            if title_ink.small_capitals { section.title.clone() } else { self.style.title_case.print(&section.title) };
        let number = format!("{}{}", self.prefix(division), section.printed_code);
        let mut cells = Vec::new();
        match self.style.arrangement {
            Arrangement::Inline => {
                let opening = format!("{number}{}", self.style.separator.text());
                let hang = match self.style.wrapping {
                    Wrapping::Hanging => title_ink.width(&opening),
                    Wrapping::Indented => 18.0,
                    Wrapping::Flush => 0.0,
                };
                let text = format!("{opening}{title}");
                let lines = title_ink.wrap(&text, row.title_width, row.title_width - hang);
                cells.push(Cell { x: row.number, lines, ink: title_ink, hang });
            }
            Arrangement::NumberTitle | Arrangement::TitleNumber => {
                let hang = match (self.style.wrapping, self.style.arrangement) {
                    (Wrapping::Hanging, _) => 0.0,
                    (Wrapping::Flush, Arrangement::NumberTitle) if self.style.rules != Rules::Grid => {
                        row.number - row.title
                    }
                    _ => 12.0,
                };
                let lines = title_ink.wrap(&title, row.title_width, row.title_width - hang.max(0.0));
                cells.push(Cell { x: row.number, lines: vec![number], ink, hang: 0.0 });
                cells.push(Cell { x: row.title, lines, ink: title_ink, hang });
            }
        }
        for (x, width, kind) in &row.extras {
            let text = kind.text(section);
            cells.push(Cell { x: *x, lines: ink.wrap(text, *width, *width), ink, hang: 0.0 });
        }
        let page_text = self.page_text(division, at, section);
        let leading = self.leading();
        let count = cells.iter().map(|cell| cell.lines.len()).max().unwrap_or(1);
        let height = leading * count as f32 + self.padding() * 2.0;
        self.make_room(height);
        self.open_table();
        let first_baseline = self.y - self.padding() - ink.size * 0.95;
        let mut struck = Vec::new();
        // The leader and the page stand on the last line of the title.
        let title_cell = usize::from(self.style.arrangement != Arrangement::Inline);
        let mut leader_from = None;
        for (index, cell) in cells.iter().enumerate() {
            let lower =
                if self.style.rules == Rules::Grid { leading * (count - cell.lines.len()) as f32 / 2.0 } else { 0.0 };
            for (line_at, line) in cell.lines.iter().enumerate() {
                let x = cell.x + if line_at == 0 { 0.0 } else { cell.hang };
                let y = first_baseline - lower - leading * line_at as f32;
                cell.ink.draw(self.page(), x, y, line);
                let end = x + cell.ink.width(line);
                if index <= title_cell {
                    struck.push((x, end, y + ink.size * 0.3));
                }
                if index == title_cell {
                    leader_from = Some((end, y));
                }
            }
        }
        if let Some((from, y)) = leader_from {
            let number_at_right = self.style.arrangement == Arrangement::TitleNumber;
            let page_left = row.page_right - ink.width(&page_text);
            let to = if number_at_right { row.number } else { page_left };
            if number_at_right || !page_text.is_empty() {
                self.leader(from, to, y, ink);
            }
            if !page_text.is_empty() {
                ink.draw(self.page(), page_left, y, &page_text);
            }
        }
        if section.struck {
            for (from, to, y) in struck {
                self.page().stroke((from - 1.0, y), (to + 1.0, y), 0.7);
            }
        }
        self.y -= height;
        self.rule();
        self.lines.push((division, at, self.pages.len() - 1));
        if let Some(attachment) = &section.attachment {
            self.make_room(leading);
            self.close_table();
            self.y -= leading;
            let y = self.y + leading * 0.2;
            ink.draw(self.page(), row.title + 14.0, y, attachment);
        }
    }

    fn prefix(&self, division: usize) -> String {
        let documents =
            self.style.division_zero == DivisionZero::Documents && self.book.divisions[division].code == "00";
        if documents {
            let word = format!("{} ", self.words.document);
            return if self.style.prefix == Prefix::SectionCapitals { word.to_uppercase() } else { word };
        }
        match self.style.prefix {
            Prefix::None => String::new(),
            Prefix::Section => format!("{} ", self.words.section),
            Prefix::SectionCapitals => format!("{} ", self.words.section.to_uppercase()),
            Prefix::Ufgs => "UFGS ".to_owned(),
            Prefix::UfgsHyphen => "UFGS-".to_owned(),
            Prefix::Abbreviated => "Sec. ".to_owned(),
        }
    }

    fn page_text(&self, division: usize, at: usize, section: &Section) -> String {
        if section.unused {
            return String::new();
        }
        match self.style.page_number {
            PageNumber::None => String::new(),
            PageNumber::Absolute => (self.page_of)(division, at).to_string(),
            PageNumber::PerSection => format!("{}-1", section.printed_code),
            PageNumber::Count => section.pages.to_string(),
            PageNumber::CountWords if section.pages == 1 => format!("1 {}", self.words.page.to_lowercase()),
            PageNumber::CountWords => format!("{} {}", section.pages, self.words.pages.to_lowercase()),
            PageNumber::Span if section.pages == 1 => "1".to_owned(),
            PageNumber::Span => format!("1 thru {}", section.pages),
            PageNumber::Roman => roman((self.page_of)(division, at)),
        }
    }

    fn leader(&mut self, from: f32, to: f32, y: f32, ink: Ink) {
        let (from, to) = (from + 4.0, to - 4.0);
        if to - from < 6.0 {
            return;
        }
        let piece = match self.style.leader {
            Leader::None => return,
            Leader::DashedStroke | Leader::SolidStroke => {
                let dash = (self.style.leader == Leader::DashedStroke).then_some((1.0, 2.0));
                self.page().marks.push(Mark::Stroke { from: (from, y), to: (to, y), width: 0.4, dash });
                return;
            }
            Leader::Dots => ".",
            Leader::SpacedDots => " .",
            Leader::MiddleDots => "·",
            Leader::Underscores => "_",
        };
        let count = ((to - from) / ink.width(piece)) as usize;
        let text = piece.repeat(count);
        let text = text.trim_start();
        ink.draw(self.page(), to - ink.width(text), y, text);
    }

    /// Drawings and appendices behind the sections.
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
                let name = case.print(&format!("{} {letter}", words.appendix));
                self.other_line("", &format!("{name}{separator}{}", case.print(title)));
            }
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

    /// Where the cells of a row stand in the present column.
    fn layout(&self) -> Row {
        let ink = self.ink(false);
        let (left, right) = self.column_span();
        let grid = self.style.rules == Rules::Grid;
        let pad = if grid { 5.0 } else { 0.0 };
        let mut x = left + if grid { pad } else { f32::from(self.style.indent) };
        let mut end = right - pad;
        let mut extras = Vec::new();
        let mut borders = Vec::new();
        let page_width = self.page_width(ink);
        let page_right = end;
        if page_width > 0.0 {
            end -= page_width + 10.0 + pad;
            borders.push(end + 5.0);
        }
        for kind in self.style.extras.left() {
            let width = ink.width(kind.widest()) + 8.0;
            extras.push((x, width, *kind));
            x += width + pad;
            borders.push(x - pad);
        }
        for kind in self.style.extras.right() {
            let width = ink.width(kind.widest()) + 8.0;
            end -= width + pad;
            extras.push((end + pad, width, *kind));
            borders.push(end);
        }
        let widest = (0..self.book.divisions.len())
            .flat_map(|index| {
                let prefix = self.prefix(index);
                self.book.divisions[index]
                    .sections
                    .iter()
                    .map(move |section| format!("{prefix}{}", section.printed_code))
            })
            .map(|text| ink.width(&text))
            .fold(0.0, f32::max)
            .max(if self.style.rules == Rules::None { 0.0 } else { self.ink(true).width(self.words.number) });
        let (number, title, title_end) = match self.style.arrangement {
            Arrangement::Inline => (x, x, end),
            Arrangement::NumberTitle => {
                let title = x + widest + 14.0 + pad;
                borders.push(title - pad);
                (x, title, end)
            }
            Arrangement::TitleNumber => {
                let number = end - widest;
                borders.push(number - pad - 4.0);
                (number, x, number - 14.0)
            }
        };
        let share = f32::from(self.style.title_width.clamp(30, 100)) / 100.0;
        Row { number, title, title_width: (title_end - title) * share, page_right, extras, borders }
    }

    fn page_width(&self, ink: Ink) -> f32 {
        let sample = match self.style.page_number {
            PageNumber::None => return 0.0,
            PageNumber::Absolute => "1000",
            PageNumber::PerSection => "00 00 00.00-1",
            PageNumber::Count => "00",
            PageNumber::CountWords => "00 pages",
            PageNumber::Span => "1 thru 00",
            PageNumber::Roman => "xxviii",
        };
        let head =
            if self.style.rules == Rules::None && self.style.extras == Extras::None { "" } else { self.words.pages };
        ink.width(sample).max(self.ink(true).width(head))
    }
}

/// The places of a row's cells.
struct Row {
    number: f32,
    title: f32,
    title_width: f32,
    page_right: f32,
    /// Left end, width, kind.
    extras: Vec<(f32, f32, Extra)>,
    /// Upright rules of a grid between its outer ones.
    borders: Vec<f32>,
}

/// A further column.
#[derive(Clone, Copy)]
enum Extra {
    Date,
    Consultant,
    Revision,
}

impl Extra {
    fn head(self, words: &Wording) -> &'static str {
        match self {
            Extra::Date => words.date,
            Extra::Consultant => words.discipline,
            Extra::Revision => words.revision,
        }
    }

    fn text(self, section: &Section) -> &str {
        match self {
            Extra::Date => &section.date,
            Extra::Consultant => section.consultant,
            Extra::Revision => &section.revision,
        }
    }

    fn widest(self) -> &'static str {
        match self {
            Extra::Date => "00/00/00",
            Extra::Consultant => "MEP.",
            Extra::Revision => "ADD 1",
        }
    }
}

impl Extras {
    fn left(self) -> &'static [Extra] {
        match self {
            Extras::DateLeft => &[Extra::Date],
            Extras::ConsultantLeft => &[Extra::Consultant],
            Extras::None | Extras::DateRight | Extras::ConsultantAndRevision => &[],
        }
    }

    fn right(self) -> &'static [Extra] {
        match self {
            Extras::DateRight => &[Extra::Date],
            Extras::ConsultantAndRevision => &[Extra::Revision, Extra::Consultant],
            Extras::None | Extras::DateLeft | Extras::ConsultantLeft => &[],
        }
    }
}
