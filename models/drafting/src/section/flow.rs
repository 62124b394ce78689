//! Sets sections on pages: lines, columns, running lines and whatever else is on a page.

use super::style::{Break, Carried, Ending, Foot, Head, Heading, LabelSetting, PartForm, Scheme, Style};
use crate::chance::Chance;
use crate::manual::project::Project;
use crate::pdf::{self, Face, Page};

const WIDTH: f32 = 612.0;
const HEIGHT: f32 = 792.0;
const TOP: f32 = HEIGHT - 96.0;
const BOTTOM: f32 = 84.0;
const LEFT: f32 = 72.0;
const RIGHT: f32 = WIDTH - 64.0;
const GUTTER: f32 = 24.0;

/// What the footer of contents prints before the page.
const CONTENTS: &str = "TOC";

/// What a page belongs to.
#[derive(Clone, Debug)]
struct Subject {
    number: String,
    title: String,
    /// The page within the section, from 1.
    page: usize,
}

/// The pages in progress.
pub(crate) struct Flow<'a> {
    style: &'a Style,
    project: Project,
    pages: Vec<Page>,
    subjects: Vec<Option<Subject>>,
    /// Labels that are written after the texts of the page.
    late: Vec<(usize, f32, f32, String)>,
    /// The section being set.
    subject: Option<Subject>,
    /// Whether a section has begun on the current page.
    has_begun: bool,
    column: usize,
    y: f32,
}

impl<'a> Flow<'a> {
    pub(crate) fn new(style: &'a Style, chance: &mut Chance) -> Self {
        let project = Project::invent(chance);
        Self {
            style,
            project,
            pages: Vec::new(),
            subjects: Vec::new(),
            late: Vec::new(),
            subject: None,
            has_begun: false,
            column: 0,
            y: 0.0,
        }
    }

    /// Returns the number of the current page, from 1.
    pub(crate) fn page(&self) -> usize {
        self.pages.len()
    }

    fn size(&self) -> f32 {
        f32::from(self.style.size)
    }

    fn leading(&self) -> f32 {
        self.size() * 1.18
    }

    fn face(&self, bold: bool) -> Face {
        Face::new(self.style.family, bold)
    }

    fn turn(&mut self) {
        if let Some(subject) = &mut self.subject {
            subject.page += 1;
        }
        self.pages.push(Page { width: WIDTH, height: HEIGHT, rotate: 0, marks: Vec::new() });
        self.subjects.push(self.subject.clone());
        self.has_begun = false;
        self.column = 0;
        self.y = TOP;
    }

    /// Returns the left edge and width of the current column.
    fn measure(&self) -> (f32, f32) {
        if self.style.columns < 2 {
            return (LEFT, RIGHT - LEFT);
        }
        let width = (RIGHT - LEFT - GUTTER) / 2.0;
        (LEFT + self.column as f32 * (width + GUTTER), width)
    }

    /// Moves to the baseline of the next line, in the next column or on the next page if necessary.
    fn next_line(&mut self) {
        self.y -= self.leading();
        if self.y >= BOTTOM {
            return;
        }
        if self.style.columns > 1 && self.column == 0 {
            self.column = 1;
            self.y = TOP;
        } else {
            self.turn();
        }
        self.y -= self.leading();
    }

    /// Keeps a number of lines together.
    fn keep(&mut self, lines: f32) {
        if self.y - lines * self.leading() < BOTTOM {
            self.y = BOTTOM;
        }
    }

    fn skip(&mut self, lines: f32) {
        if self.y < TOP {
            self.y -= lines * self.leading();
        }
    }

    fn write(&mut self, x: f32, text: &str, bold: bool) {
        let (face, size, y) = (self.face(bold), self.size(), self.y);
        if let Some(page) = self.pages.last_mut() {
            page.text(x, y, face, size, text);
        }
    }

    fn centred(&mut self, text: &str, bold: bool) {
        self.next_line();
        let (left, width) = self.measure();
        let x = left + (width - self.face(bold).width(text, self.size())) / 2.0;
        self.write(x.max(left), text, bold);
    }

    fn at_left(&mut self, text: &str, bold: bool) {
        let (_, width) = self.measure();
        for line in pdf::wrap(text, self.face(bold), self.size(), width, width) {
            self.next_line();
            let (left, _) = self.measure();
            self.write(left, &line, bold);
        }
    }

    /// Adds the contents pages before the sections.
    pub(crate) fn contents(&mut self, listed: &[(String, String)]) {
        self.subject = Some(Subject { number: CONTENTS.to_owned(), title: "TABLE OF CONTENTS".to_owned(), page: 0 });
        self.turn();
        let columns = self.style.columns;
        self.centred("TABLE OF CONTENTS", true);
        self.skip(1.0);
        for (index, (number, title)) in listed.iter().enumerate() {
            self.next_line();
            self.write(LEFT, number, false);
            self.write(LEFT + 90.0, title, false);
            if columns < 2 {
                self.write(RIGHT - 20.0, &(index + 2).to_string(), false);
            }
        }
        self.subject = None;
    }

    /// Adds a page with only a division's number.
    pub(crate) fn cover(&mut self, division: &str) {
        self.subject = None;
        self.turn();
        self.y = HEIGHT / 2.0;
        self.write(WIDTH / 2.0 - 60.0, &format!("DIVISION {division}"), true);
    }

    pub(crate) fn begin_section(&mut self, number: &str, title: &str) {
        self.subject = Some(Subject { number: number.to_owned(), title: title.to_uppercase(), page: 0 });
        // No section begins on a page of contents or a cover.
        let on_text =
            self.subjects.last().is_some_and(|subject| matches!(subject, Some(before) if before.number != CONTENTS));
        let running = self.style.section_break == Break::Running && on_text;
        if running && self.y < TOP && self.y > BOTTOM + 14.0 * self.leading() {
            self.skip(3.0);
            if let Some(subject) = &mut self.subject {
                subject.page = 1;
            }
            self.carry();
        } else {
            if self.style.section_break == Break::Odd && self.pages.len() % 2 == 1 {
                self.blank();
            }
            self.turn();
        }
        self.has_begun = true;
        let capitals = title.to_uppercase();
        match self.style.heading {
            Heading::Centred => {
                self.centred(&format!("SECTION {number}"), true);
                self.skip(0.4);
                self.centred(&capitals, true);
            }
            Heading::Left => {
                self.at_left(&format!("SECTION {number}"), true);
                self.at_left(&capitals, true);
            }
            Heading::OneLine => self.at_left(&format!("SECTION {number} - {capitals}"), true),
            Heading::Mixed => {
                self.at_left(&format!("Section {number}"), true);
                self.at_left(title, true);
            }
            Heading::NumberTitle => self.at_left(&format!("{number} - {capitals}"), true),
            Heading::TitleNumber => self.at_left(&format!("{capitals} - SECTION {number}"), true),
            Heading::HeaderOnly => {}
            Heading::TitleAbove => {
                self.centred(&capitals, true);
                self.skip(0.4);
                self.centred(&format!("SECTION {number}"), true);
            }
            Heading::Apart => {
                self.at_left(&capitals, true);
                let (left, width) = self.measure();
                let text = format!("SECTION {number}");
                self.write(left + width - self.face(true).width(&text, self.size()), &text, true);
            }
            Heading::NumberAlone => {
                self.centred(number, true);
                self.skip(0.4);
                self.centred(&capitals, true);
            }
            Heading::UnderDivision => {
                self.at_left(&format!("DIVISION {}", number.get(..2).unwrap_or_default()), true);
                self.skip(0.4);
                self.at_left(&format!("SECTION {number} - {capitals}"), true);
            }
            Heading::LongWord => {
                self.centred(&format!("SPECIFICATION SECTION NO. {number}"), true);
                self.centred(&capitals, true);
            }
        }
        self.skip(0.8);
    }

    /// Names the section that begins within the page in the page's header and footer, if the style does.
    fn carry(&mut self) {
        let is_named = match self.style.carried {
            Carried::Top => false,
            Carried::First => !self.has_begun,
            Carried::Last => true,
        };
        if let (true, Some(subject)) = (is_named, self.subjects.last_mut()) {
            subject.clone_from(&self.subject);
        }
    }

    /// Adds a page that says that it is blank on purpose.
    fn blank(&mut self) {
        let subject = self.subject.take();
        self.turn();
        self.y = HEIGHT / 2.0;
        self.write(WIDTH / 2.0 - 90.0, "This page intentionally left blank", false);
        self.subject = subject;
    }

    pub(crate) fn part(&mut self, number: usize, title: &str) {
        const ROMAN: [&str; 3] = ["I", "II", "III"];
        const WORDS: [&str; 3] = ["ONE", "TWO", "THREE"];
        let text = match self.style.part {
            PartForm::Hyphen => format!("PART {number} - {title}"),
            PartForm::Dash => format!("PART {number} – {title}"),
            PartForm::Space => format!("PART {number} {title}"),
            PartForm::Roman => format!("PART {} - {title}", ROMAN[(number - 1) % 3]),
            PartForm::Title => format!("Part {number} {}{}", &title[..1], title[1..].to_lowercase()),
            PartForm::Decimal => format!("{number}.0 {title}"),
            PartForm::Figure => format!("{number}. {title}"),
            PartForm::Words => format!("PART {} - {title}", WORDS[(number - 1) % 3]),
        };
        self.keep(4.0);
        self.skip(0.8);
        self.at_left(&text, true);
    }

    pub(crate) fn article(&mut self, label: &str, title: &str) {
        self.keep(3.0);
        self.skip(0.7);
        self.next_line();
        let (left, _) = self.measure();
        let tight = self.style.labels == LabelSetting::Flush;
        if tight {
            self.write(left, &format!("{label} {title}"), false);
        } else {
            self.write(left, label, false);
            self.write(left + 36.0, title, false);
        }
    }

    /// Returns the indent of a level's label.
    fn indent(&self, level: usize) -> f32 {
        let step = if self.style.columns > 1 { 14.0 } else { 24.0 };
        let first = match self.style.scheme {
            Scheme::Military => 0.0,
            _ if self.style.columns > 1 => 6.0,
            _ => 20.0,
        };
        first + step * level as f32
    }

    /// Sets a paragraph. Returns the byte offsets of its text at which pages begin, with the pages.
    pub(crate) fn paragraph(&mut self, level: usize, label: &str, text: &str) -> Vec<(usize, usize)> {
        if self.style.airy > 0 || label.is_empty() {
            self.skip(0.75);
        }
        let (_, width) = self.measure();
        let flush = self.style.labels == LabelSetting::Flush;
        let label_at = self.indent(level);
        let hang = if label.is_empty() {
            0.0
        } else if self.style.columns > 1 {
            14.0
        } else {
            24.0
        };
        let text_at = if flush { label_at } else { label_at + hang };
        let (shown, lead) = if flush && !label.is_empty() {
            (format!("{label} {text}"), label.len() + 1)
        } else {
            (text.to_owned(), 0)
        };
        let room = width - text_at;
        let lines = self.lines(&shown, room);
        let count = lines.len();
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (at, line) in lines.into_iter().enumerate() {
            self.next_line();
            let page = self.page();
            if places.last().is_none_or(|(_, last)| *last != page) {
                places.push((line.start.saturating_sub(lead), page));
            }
            let (left, _) = self.measure();
            if at == 0 && !flush && !label.is_empty() {
                let x = left + label_at;
                if self.style.labels == LabelSetting::Apart {
                    self.late.push((page, x, self.y, label.to_owned()));
                } else {
                    self.write(x, label, false);
                }
            }
            let justify = self.style.justified > 0 && at + 1 < count;
            self.set_line(left + text_at, room, &line.text, justify);
        }
        places
    }

    fn set_line(&mut self, x: f32, room: f32, text: &str, justify: bool) {
        let face = self.face(false);
        let words: Vec<&str> = text.split(' ').collect();
        let slack = room - face.width(text, self.size());
        if !justify || words.len() < 4 || slack < 0.0 {
            self.write(x, text, false);
            return;
        }
        let extra = slack / (words.len() - 1) as f32;
        let space = face.width(" ", self.size());
        let mut at = x;
        for word in words {
            self.write(at, word, false);
            at += face.width(word, self.size()) + space + extra;
        }
    }

    /// Breaks a text into lines, hyphenated as the style requires.
    fn lines(&self, text: &str, room: f32) -> Vec<Line> {
        let (face, size) = (self.face(false), self.size());
        let mut lines = Vec::new();
        let mut line = Line { start: 0, text: String::new() };
        let mut at = 0;
        for word in text.split(' ') {
            let start = at;
            at += word.len() + 1;
            let mut word = word.to_owned();
            let mut start_of_rest = start;
            let fits = |line: &Line, word: &str| face.width(&line.with(word), size) <= room;
            if !fits(&line, &word) && !line.text.is_empty() {
                if let Some(cut) = self.cut(&word).filter(|cut| fits(&line, &format!("{}-", &word[..*cut]))) {
                    line.text = line.with(&format!("{}-", &word[..cut]));
                    start_of_rest = start + cut;
                    word = word[cut..].to_owned();
                }
                lines.push(std::mem::replace(&mut line, Line { start: start_of_rest, text: String::new() }));
            }
            line.text = line.with(&word);
        }
        lines.push(line);
        lines
    }

    /// Returns where a long word may be hyphenated.
    fn cut(&self, word: &str) -> Option<usize> {
        let plain = word.len() >= 8 && word.bytes().all(|byte| byte.is_ascii_lowercase());
        (self.style.hyphenation > 0 && plain).then_some(word.len() / 2)
    }

    pub(crate) fn table(&mut self, rows: &[Vec<String>]) {
        self.keep(rows.len() as f32 + 2.0);
        self.skip(0.8);
        for row in rows {
            self.next_line();
            let (left, width) = self.measure();
            let step = (width - 40.0) / row.len().max(1) as f32;
            for (at, cell) in row.iter().enumerate() {
                self.write(left + 40.0 + step * at as f32, cell, false);
            }
        }
        self.skip(0.5);
    }

    pub(crate) fn end_section(&mut self, number: &str) {
        self.skip(1.2);
        match self.style.ending {
            Ending::Plain => self.centred("END OF SECTION", false),
            Ending::Numbered => self.centred(&format!("END OF SECTION {number}"), false),
            Ending::None => {}
        }
    }

    /// Returns all pages with their running lines.
    pub(crate) fn finish(mut self) -> Vec<Page> {
        let face = self.face(false);
        for (page, x, y, label) in std::mem::take(&mut self.late) {
            let size = self.size();
            if let Some(page) = self.pages.get_mut(page - 1) {
                page.text(x, y, face, size, &label);
            }
        }
        let mut counts: Vec<usize> = vec![0; self.pages.len()];
        for (index, subject) in self.subjects.iter().enumerate() {
            let same = |other: &&Option<Subject>| matches!((other, subject), (Some(other), Some(subject)) if other.number == subject.number);
            counts[index] = self.subjects.iter().filter(same).count();
        }
        for (index, page) in self.pages.iter_mut().enumerate() {
            let subject = self.subjects[index].clone();
            running(page, self.style, &self.project, subject.as_ref(), counts[index]);
            if self.style.line_numbers > 0 && subject.is_some() {
                number_lines(page, face);
            }
        }
        self.pages
    }
}

/// A line, and the offset of its beginning in the text.
struct Line {
    start: usize,
    text: String,
}

impl Line {
    /// Returns the text with a word added.
    fn with(&self, word: &str) -> String {
        if self.text.is_empty() { word.to_owned() } else { format!("{} {word}", self.text) }
    }
}

/// Numbers the lines in the margin, on a grid of their own.
fn number_lines(page: &mut Page, face: Face) {
    let step = 24.0;
    let count = ((TOP - BOTTOM) / step) as usize;
    for line in 0..count {
        page.text_right(LEFT - 22.0, TOP - step * (line + 1) as f32, face, 8.0, &(line + 1).to_string());
    }
}

fn running(page: &mut Page, style: &Style, project: &Project, subject: Option<&Subject>, count: usize) {
    let face = Face::new(style.family, false);
    let size = 8.0;
    let middle = f32::midpoint(LEFT, RIGHT);
    let (top, bottom) = (HEIGHT - 44.0, 46.0);
    match style.head {
        Head::None => {}
        Head::Project => {
            page.text(LEFT, top, face, size, &project.name);
            page.text_right(RIGHT, top, face, size, &project.number);
        }
        Head::Section => {
            if let Some(subject) = subject {
                page.text(LEFT, top, face, size, &format!("SECTION {}", subject.number));
                page.text_right(RIGHT, top, face, size, &subject.title);
            }
        }
        Head::Stacked => {
            page.text(LEFT, top, face, size, &project.name);
            page.text(LEFT, top - 11.0, face, size, &project.date);
        }
        Head::Canadian => {
            page.text(LEFT, top, face, size, &project.name);
            page.text(LEFT, top - 11.0, face, size, &format!("Project No. {}", project.number));
            page.text(LEFT, top - 22.0, face, size, &project.owner);
            if let Some(subject) = subject {
                page.text_centred(middle, top, face, size, &subject.title);
                page.text_right(RIGHT, top, face, size, &format!("Section {}", subject.number));
                page.text_right(RIGHT, top - 11.0, face, size, &format!("Page {} of {count}", subject.page));
            }
            page.text_right(RIGHT, top - 22.0, face, size, &project.date);
        }
    }
    let Some(subject) = subject else { return };
    let number_page = format!("{} - {}", subject.number, subject.page);
    match style.foot {
        Foot::None => {}
        Foot::TitleAndPage => {
            page.text(LEFT, bottom, face, size, &subject.title);
            page.text_right(RIGHT, bottom, face, size, &number_page);
        }
        Foot::NumberPage => page.text_centred(middle, bottom, face, size, &number_page.replace(" - ", "-")),
        Foot::PageOf => {
            page.text(LEFT, bottom, face, size, &subject.number);
            page.text_right(RIGHT, bottom, face, size, &format!("Page {} of {count}", subject.page));
        }
        Foot::Stacked => {
            page.text(LEFT, bottom + 11.0, face, size, &project.owner);
            page.text(LEFT, bottom, face, size, &project.name);
            page.text(LEFT, bottom - 11.0, face, size, &project.date);
        }
    }
}
