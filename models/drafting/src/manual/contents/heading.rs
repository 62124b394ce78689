//! Division headings.

use super::super::style::{Continuation, DivisionHeading, HeadingSetting, Language, Style, TitleCase, UnusedDivision};
use super::super::wording::{in_words, wording};
use super::{Ink, Setter};
use crate::pdf::Mark;

/// Returns the text of a division's heading: the name of its number, and its title.
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

impl Setter<'_> {
    pub(super) fn continued_heading(&mut self, index: usize) {
        let suffix = match self.style.continuation {
            Continuation::None => return,
            Continuation::Repeated => String::new(),
            Continuation::Continued => format!(" {}", self.style.division_case.print(self.words.continued)),
            Continuation::Contd => format!(" - {}", self.style.division_case.print(self.words.contd)),
        };
        self.heading(index, &suffix);
    }

    pub(super) fn heading(&mut self, index: usize, suffix: &str) {
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
        // A heading is kept with the first line below it, and is not repeated above itself at a
        // break.
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
            if self.style.heading_pages > 0 && at == last && setting != HeadingSetting::Centred {
                self.heading_page(index, left + hang + ink.width(&line), right, y, ink);
            }
            if setting == HeadingSetting::Underlined && at == last {
                self.page().stroke((left, y - 2.0), (right, y - 2.0), 0.8);
            }
        }
        self.y -= leading * 0.2;
    }

    /// Draws leader and page after a division's heading.
    fn heading_page(&mut self, index: usize, from: f32, right: f32, y: f32, ink: Ink) {
        if self.book.divisions[index].sections.is_empty() {
            return;
        }
        let ink = Ink { small_capitals: false, ..ink };
        let page = (self.page_of)(index, 0).to_string();
        let to = right - ink.width(&page);
        if let Some((x, dots)) = self.leader(from, to, y, ink) {
            ink.draw(self.page(), x, y, &dots);
        }
        ink.draw(self.page(), to, y, &page);
    }

    /// Returns the lines of a division's heading, each with its indent.
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
}
