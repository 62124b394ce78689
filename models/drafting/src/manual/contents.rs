//! The contents pages.

use std::ops::Range;

use super::book::{Book, Section};
use super::masterformat::SUBGROUPS;
use super::sheet::{Frame, Ink, Sheet, frame};
use super::style::{
    Arrangement, ContentsTitle, Continuation, DivisionBreak, DivisionHeading, DivisionZero, Extras, HeadingSetting,
    Language, Leader, LeaderRun, Marks, Numbering, PageNumber, Prefix, Rules, Separator, Style, TitleCase,
    UnusedDivision, VolumeContents, Wrapping,
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

/// The number that the contents themselves have in MasterFormat.
pub(crate) fn own_number(style: &Style) -> String {
    style.numbering.print(if style.numbering == Numbering::FiveDigits { "00010" } else { "000110" })
}

/// What stands before the section numbers of a division.
fn prefix(style: &Style, division: &str) -> String {
    let words = wording(style.language);
    if style.division_zero == DivisionZero::Documents && division == "00" {
        let word = format!("{} ", words.document);
        return if style.prefix == Prefix::SectionCapitals { word.to_uppercase() } else { word };
    }
    match style.prefix {
        Prefix::None => String::new(),
        Prefix::Section => format!("{} ", words.section),
        Prefix::SectionCapitals => format!("{} ", words.section.to_uppercase()),
        Prefix::Ufgs => "UFGS ".to_owned(),
        Prefix::UfgsHyphen => "UFGS-".to_owned(),
        Prefix::Abbreviated => "Sec. ".to_owned(),
    }
}

/// The text of a division's heading: what names its number, and its title.
pub(crate) fn division_heading(style: &Style, code: &str, title: &str) -> (String, String) {
    let words = wording(style.language);
    let number: usize = code.parse().unwrap_or_default();
    let name = match style.division_heading {
        DivisionHeading::Absent => String::new(),
        DivisionHeading::Figures => format!("{} {code}", words.division),
        DivisionHeading::Words if style.language == Language::English => {
            format!("{} {}", words.division, in_words(number))
        }
        DivisionHeading::Words | DivisionHeading::BareFigure => format!("{} {number}", words.division),
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
    /// What follows the last line in the same run: a leader, perhaps with the page number.
    tail: String,
}

impl Cell {
    /// For each line its index, left and right end, tail not counted.
    fn spans(&self) -> impl Iterator<Item = (usize, f32, f32)> {
        self.lines.iter().enumerate().map(|(at, line)| {
            let x = self.x + if at == 0 { 0.0 } else { self.hang };
            (at, x, x + self.ink.width(line))
        })
    }

    /// Draws the lines, the first on the baseline `y`.
    fn draw(&self, page: &mut Page, y: f32, leading: f32) {
        for ((at, x, _), line) in self.spans().zip(&self.lines) {
            let tail = if at + 1 == self.lines.len() { self.tail.as_str() } else { "" };
            self.ink.draw(page, x, y - leading * at as f32, &format!("{line}{tail}"));
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
    /// Width of the widest section number with what stands before it.
    widest_number: f32,
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
        let face = Face::new(style.family, false);
        let widest_number = book
            .divisions
            .iter()
            .flat_map(|division| {
                let prefix = prefix(style, &division.code);
                division.sections.iter().map(move |section| format!("{prefix}{}", section.printed_code))
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

    /// A line for the division numbers that were passed over.
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
        let leading = self.leading() * 1.1;
        let setting = self.style.heading_setting;
        let ink = Ink {
            small_capitals: self.style.division_case == TitleCase::SmallCapitals,
            ..self.ink(setting != HeadingSetting::Plain)
        };
        let lines = self.heading_lines(index, suffix, ink);
        let gap = leading * 0.6;
        // A heading stays with the first line below it, and at a break it is not repeated above itself.
        let open = self.open.take();
        if self.room() < gap + leading * (lines.len() as f32 + 2.5) {
            self.advance();
        }
        self.open = open;
        self.close_table();
        if self.y < self.top - 0.1 {
            self.y -= gap;
        }
        let (left, right) = self.column_span();
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
        self.y -= leading * 0.2;
    }

    /// The lines of a division's heading, each with its indent.
    fn heading_lines(&self, index: usize, suffix: &str, ink: Ink) -> Vec<(f32, String)> {
        let division = &self.book.divisions[index];
        let (name, title) = division_heading(self.style, &division.code, &division.title);
        let unused = division.unused && self.style.unused_division == UnusedDivision::InHeading;
        let note = if unused { format!(" ({})", self.words.not_used.to_uppercase()) } else { String::new() };
        let title = if ink.small_capitals { title } else { self.style.division_case.print(&title) };
        let (left, right) = self.column_span();
        let width = right - left;
        if self.style.heading_setting == HeadingSetting::TwoLines {
            let mut lines = vec![(0.0, format!("{name}{suffix}"))];
            lines.extend(ink.wrap(&format!("{title}{note}"), width, width).into_iter().map(|line| (0.0, line)));
            return lines;
        }
        let opening = format!("{name}{}", self.style.division_separator.text());
        let hang = Some(ink.width(&opening)).filter(|hang| *hang < width / 2.0).unwrap_or(12.0);
        let hang = if self.style.heading_setting == HeadingSetting::Centred { 0.0 } else { hang };
        ink.wrap(&format!("{opening}{title}{note}{suffix}"), width - 4.0, width - hang)
            .into_iter()
            .enumerate()
            .map(|(at, line)| (if at == 0 { 0.0 } else { hang }, line))
            .collect()
    }

    fn section(&mut self, division: usize, at: usize, section: &Section) {
        // Everything is measured first: the row goes to the next column as a whole.
        let leading = self.leading();
        let count = self.cells(division, section).0.iter().map(|cell| cell.lines.len()).max().unwrap_or(1);
        let height = leading * count as f32 + self.padding() * 2.0;
        self.make_room(height);
        self.open_table();
        let (mut cells, title_cell) = self.cells(division, section);
        let row = self.layout();
        let ink = self.ink(false);
        let first_baseline = self.y - self.padding() - ink.size * 0.95;
        let centred = self.style.rules == Rules::Grid;
        let lowered = |lines: usize| if centred { leading * (count - lines) as f32 / 2.0 } else { 0.0 };
        let drawn: Vec<(f32, f32, f32)> = cells[..=title_cell]
            .iter()
            .flat_map(|cell| {
                let y = first_baseline - lowered(cell.lines.len());
                cell.spans().map(move |(at, from, to)| (from, to, y - leading * at as f32))
            })
            .collect();
        let mut page_text = self.page_text(division, at, section);
        let page_left = row.page_right - ink.width(&page_text);
        let title = &mut cells[title_cell];
        if let Some((last, _, end)) = title.spans().last() {
            let y = first_baseline - lowered(title.lines.len()) - leading * last as f32;
            let number_at_right = self.style.arrangement == Arrangement::TitleNumber;
            let to = if number_at_right { row.number } else { page_left };
            let led = number_at_right || !page_text.is_empty();
            let leader = if led { self.leader(end, to, y, ink) } else { None };
            let page_y = if centred { first_baseline - lowered(1) } else { y };
            match (self.style.leader_run, leader) {
                (_, None) => {}
                (LeaderRun::Separate, Some((x, dots))) => ink.draw(self.page(), x, y, &dots),
                (LeaderRun::WholeLine, Some((_, dots))) if !number_at_right => {
                    title.tail = format!(" {dots} {page_text}");
                    page_text.clear();
                }
                (LeaderRun::WithTitle | LeaderRun::WholeLine, Some((_, dots))) => title.tail = format!(" {dots}"),
            }
            ink.draw(self.page(), page_left, page_y, &page_text);
        }
        for cell in &cells {
            let y = first_baseline - lowered(cell.lines.len());
            cell.draw(self.page(), y, leading);
        }
        self.mark(section, &drawn, leading);
        self.y -= height;
        self.rule();
        self.lines.push((division, at, self.pages.len() - 1));
        if let Some(attachment) = &section.attachment {
            self.make_room(leading);
            self.close_table();
            self.y -= leading;
            let (x, y) = (self.layout().title + 14.0, self.y + leading * 0.2);
            ink.draw(self.page(), x, y, attachment);
        }
    }

    /// The cells of a section's row in the present column, and which of them is the title.
    fn cells(&self, division: usize, section: &Section) -> (Vec<Cell>, usize) {
        let row = self.layout();
        let ink = self.ink(false);
        let small_capitals = self.style.title_case == TitleCase::SmallCapitals && !section.unused;
        let title_ink = Ink { small_capitals, ..ink };
        let title = if small_capitals { section.title.clone() } else { self.style.title_case.print(&section.title) };
        let number = format!("{}{}", prefix(self.style, &self.book.divisions[division].code), section.printed_code);
        let mut cells = Vec::new();
        match self.style.arrangement {
            Arrangement::Inline => {
                let opening = format!("{number}{}", self.style.separator.text());
                let hang = match self.style.wrapping {
                    Wrapping::Hanging => title_ink.width(&opening),
                    Wrapping::Indented => 18.0,
                    Wrapping::Flush => 0.0,
                };
                let lines = title_ink.wrap(&format!("{opening}{title}"), row.title_width, row.title_width - hang);
                cells.push(Cell { x: row.number, lines, ink: title_ink, hang, tail: String::new() });
            }
            Arrangement::Stacked => {
                let mut lines = vec![number];
                lines.extend(title_ink.wrap(&title, row.title_width - 14.0, row.title_width - 14.0));
                cells.push(Cell { x: row.number, lines, ink: title_ink, hang: 14.0, tail: String::new() });
            }
            Arrangement::NumberTitle | Arrangement::TitleNumber => {
                let beside = self.style.arrangement == Arrangement::NumberTitle && self.style.rules != Rules::Grid;
                let hang = match self.style.wrapping {
                    Wrapping::Hanging => 0.0,
                    Wrapping::Flush if beside => row.number - row.title,
                    Wrapping::Flush | Wrapping::Indented => 12.0,
                };
                let lines = title_ink.wrap(&title, row.title_width, row.title_width - hang.max(0.0));
                cells.push(Cell { x: row.number, lines: vec![number], ink, hang: 0.0, tail: String::new() });
                cells.push(Cell { x: row.title, lines, ink: title_ink, hang, tail: String::new() });
            }
        }
        let title_cell = cells.len() - 1;
        for (x, width, kind) in &row.extras {
            let lines = ink.wrap(kind.text(section), *width, *width);
            cells.push(Cell { x: *x, lines, ink, hang: 0.0, tail: String::new() });
        }
        (cells, title_cell)
    }

    /// Strikes a deleted line out, and marks others as the office does.
    fn mark(&mut self, section: &Section, drawn: &[(f32, f32, f32)], leading: f32) {
        let size = f32::from(self.style.size);
        for &(from, to, y) in drawn {
            if section.struck {
                self.page().stroke((from - 1.0, y + size * 0.3), (to + 1.0, y + size * 0.3), 0.7);
            }
            if self.style.marks == Marks::Underlined {
                self.page().stroke((from, y - 1.5), (to, y - 1.5), 0.5);
            }
        }
        if self.style.marks == Marks::ChangeBars && !section.revision.is_empty() {
            let (x, y) = (self.column_span().1 + 6.0, self.y);
            self.page().stroke((x, y), (x, y - leading), 1.2);
        }
    }

    fn page_text(&self, division: usize, at: usize, section: &Section) -> String {
        if section.unused {
            return String::new();
        }
        match self.style.page_number {
            PageNumber::None => String::new(),
            PageNumber::Roman if self.book.divisions[division].code == "00" => roman(at * 2 + 3),
            PageNumber::Absolute | PageNumber::Roman => (self.page_of)(division, at).to_string(),
            PageNumber::PerSection => format!("{}-1", section.printed_code),
            PageNumber::Count => section.pages.to_string(),
            PageNumber::CountWords if section.pages == 1 => format!("1 {}", self.words.page.to_lowercase()),
            PageNumber::CountWords => format!("{} {}", section.pages, self.words.pages.to_lowercase()),
            PageNumber::Span if section.pages == 1 => "1".to_owned(),
            PageNumber::Span => format!("1 thru {}", section.pages),
        }
    }

    /// Draws a leader that is a stroke; gives one that is text with the place where it starts.
    fn leader(&mut self, from: f32, to: f32, y: f32, ink: Ink) -> Option<(f32, String)> {
        let (from, to) = (from + 4.0, to - 4.0);
        if to - from < 6.0 {
            return None;
        }
        let piece = match self.style.leader {
            Leader::None => return None,
            Leader::DashedStroke | Leader::SolidStroke => {
                let dash = (self.style.leader == Leader::DashedStroke).then_some((1.0, 2.0));
                self.page().marks.push(Mark::Stroke { from: (from, y), to: (to, y), width: 0.4, dash });
                return None;
            }
            Leader::Dots => ".",
            Leader::SpacedDots => " .",
            Leader::MiddleDots => "·",
            Leader::Underscores => "_",
        };
        let count = ((to - from) / ink.width(piece)) as usize;
        let text = piece.repeat(count).trim_start().to_owned();
        (!text.is_empty()).then(|| (to - ink.width(&text), text))
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
            let width = kind.width(ink, self.ink(true), self.words);
            extras.push((x, width, *kind));
            x += width + pad;
            borders.push(x - pad);
        }
        for kind in self.style.extras.right() {
            let width = kind.width(ink, self.ink(true), self.words);
            end -= width + pad;
            extras.push((end + pad, width, *kind));
            borders.push(end);
        }
        let head = if self.style.rules == Rules::None { 0.0 } else { self.ink(true).width(self.words.number) };
        let widest = self.widest_number.max(head);
        let (number, title, title_end) = match self.style.arrangement {
            Arrangement::Inline | Arrangement::Stacked => (x, x, end),
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

    /// Room for its widest entry and its heading, with a gap behind.
    fn width(self, ink: Ink, bold: Ink, words: &Wording) -> f32 {
        let widest = match self {
            Extra::Date => "00/00/00",
            Extra::Consultant => "MEP",
            Extra::Revision => "ADD 1",
        };
        ink.width(widest).max(bold.width(self.head(words))) + 10.0
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
