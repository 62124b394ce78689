//! The row of a section: number, title, leader, page number, additional columns.

use super::super::book::{Section, Standing};
use super::super::style::{
    Arrangement, DivisionZero, Leader, LeaderRun, Marks, PageNumber, Prefix, Rules, Style, Suffix, TitleCase, Wrapping,
};
use super::super::wording::{roman, wording};
use super::{Ink, Setter};
use crate::pdf::{Mark, Page};

/// One cell of a row.
struct Cell {
    /// The left edge of its first line.
    x: f32,
    lines: Vec<String>,
    ink: Ink,
    /// The offset of the other lines.
    hang: f32,
    /// What follows the last line in the same string: a leader, perhaps with the page number.
    tail: String,
}

impl Cell {
    /// Returns the index, left and right edge of each line, without the tail.
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

/// Returns what precedes the section numbers of a division.
pub(super) fn prefix(style: &Style, division: &str) -> String {
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
        Prefix::Package => "BP3-".to_owned(),
        Prefix::Letter => "S".to_owned(),
    }
}

/// Returns what follows the section numbers.
pub(super) fn suffix(style: &Style) -> &'static str {
    match style.suffix {
        Suffix::None => "",
        Suffix::Letter => "-A",
        Suffix::Agency => ".00 20",
    }
}

impl Setter<'_> {
    pub(super) fn section(&mut self, division: usize, at: usize, section: &Section) {
        // Everything is measured first: the row moves to the next column as a whole.
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
            let beside = row.extras.iter().map(|(x, _, _)| *x).filter(|x| *x > end).fold(page_left, f32::min);
            let to = if number_at_right { row.number } else { beside };
            let led = number_at_right || !page_text.is_empty();
            let leader = if led { self.leader(end, to, y, ink) } else { None };
            let page_y = if centred { first_baseline - lowered(1) } else { y };
            match (self.style.leader_run, leader) {
                (_, None) => {}
                (LeaderRun::Separate, Some((x, dots))) => ink.draw(self.page(), x, y, &dots),
                (LeaderRun::WholeLine, Some((_, dots))) if to == page_left => {
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
        self.below(division, at, section);
    }

    /// Sets lines that belong to a section and are none themselves: its parts, an attachment.
    fn below(&mut self, division: usize, at: usize, section: &Section) {
        let (ink, leading) = (self.ink(false), self.leading());
        let mut lines = Vec::new();
        if section.lists_parts {
            for (index, part) in self.words.parts.iter().enumerate() {
                lines.push((format!("{} {} - {part}", self.words.part, index + 1), index));
                if self.style.listed_articles > 0 {
                    let articles = ["SUMMARY", "RELATED REQUIREMENTS", "MATERIALS", "INSTALLATION", "PROTECTION"];
                    let own = articles.iter().skip(index).take(3).enumerate();
                    lines.extend(own.map(|(at, title)| (format!("  {}.{:02} {title}", index + 1, at + 1), index)));
                }
            }
        }
        lines.extend(section.attachment.iter().map(|attachment| (attachment.clone(), 0)));
        for (text, part) in lines {
            self.make_room(leading);
            self.close_table();
            self.y -= leading;
            let row = self.layout();
            let (x, y) = (row.title + 14.0, self.y + leading * 0.2);
            ink.draw(self.page(), x, y, &text);
            if section.lists_parts && self.style.page_number == PageNumber::Absolute {
                let page = (self.page_of)(division, at) + part * section.pages as usize / 3;
                let to = row.page_right - ink.width(&page.to_string());
                if let Some((x, dots)) = self.leader(x + ink.width(&text), to, y, ink) {
                    ink.draw(self.page(), x, y, &dots);
                }
                ink.draw(self.page(), to, y, &page.to_string());
            }
        }
    }

    /// Returns the cells of a section's row in the current column, and the index of the title.
    fn cells(&self, division: usize, section: &Section) -> (Vec<Cell>, usize) {
        let row = self.layout();
        let ink = self.ink(false);
        let small_capitals = self.style.title_case == TitleCase::SmallCapitals && section.standing != Standing::Unused;
        let title_ink = Ink { small_capitals, ..ink };
        let title = if small_capitals { section.title.clone() } else { self.style.title_case.print(&section.title) };
        let number = self.number(division, section);
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

    /// Returns a section's number as the line shows it.
    fn number(&self, division: usize, section: &Section) -> String {
        let prefix = prefix(self.style, &self.book.divisions[division].code);
        let suffix = suffix(self.style);
        if self.style.no_break > 0 {
            return format!("{prefix}{}{suffix}", section.printed_code.replace(' ', "\u{a0}"));
        }
        format!("{prefix}{}{suffix}", section.printed_code)
    }

    /// Strikes a deleted line out, and marks others in the style's way.
    fn mark(&mut self, section: &Section, drawn: &[(f32, f32, f32)], leading: f32) {
        let size = f32::from(self.style.size);
        for &(from, to, y) in drawn {
            if section.standing == Standing::Struck {
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
        if let (Marks::Asterisks, Some((x, _, y))) = (self.style.marks, drawn.iter().min_by(|a, b| a.0.total_cmp(&b.0)))
            && !section.revision.is_empty()
        {
            let ink = self.ink(false);
            ink.draw(self.page(), x - ink.width("* "), *y, "*");
        }
    }

    fn page_text(&self, division: usize, at: usize, section: &Section) -> String {
        if section.standing == Standing::Unused {
            return String::new();
        }
        match self.style.page_number {
            PageNumber::None => String::new(),
            PageNumber::Roman if self.book.divisions[division].code == "00" => roman(at * 2 + 3),
            PageNumber::Absolute | PageNumber::Roman => (self.page_of)(division, at).to_string(),
            PageNumber::PerSection => format!("{}-1", section.printed_code),
            PageNumber::SectionSpan => {
                format!("{0}-1 {1} {0}-{2}", section.printed_code, self.words.to, section.pages)
            }
            PageNumber::Count => section.pages.to_string(),
            PageNumber::CountWords if section.pages == 1 => format!("1 {}", self.words.page.to_lowercase()),
            PageNumber::CountWords => format!("{} {}", section.pages, self.words.pages.to_lowercase()),
            PageNumber::Span if section.pages == 1 => "1".to_owned(),
            PageNumber::Span => format!("1 thru {}", section.pages),
        }
    }

    /// Draws a leader that is a stroke. Returns a leader of text with its position.
    pub(super) fn leader(&mut self, from: f32, to: f32, y: f32, ink: Ink) -> Option<(f32, String)> {
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
}
