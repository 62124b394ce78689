//! The pages of a section: heading, parts, articles, and sentences that mention other sections.

use super::book::{Book, Section};
use super::sheet::{Frame, Ink, Sheet, frame};
use super::style::{Articles, BodyHeading, Style};
use super::wording::{Wording, wording};
use crate::chance::Chance;
use crate::pdf::{Face, Page};

/// Sets a section on exactly the number of pages that it has in the book.
pub(crate) fn set(book: &Book, section: &Section, style: &Style, chance: &mut Chance) -> Vec<Page> {
    let mut setter = Setter::new(book, section, style, chance);
    setter.heading();
    if section.code.starts_with("00") {
        setter.document();
        return setter.pages;
    }
    let pages = section.pages as f32;
    for (index, part) in PARTS.iter().enumerate() {
        // The third part ends in the middle of the last page. The others share the rest.
        let until = (pages - 0.5) * (index + 1) as f32 / PARTS.len() as f32;
        setter.part(index, part, until);
    }
    setter.end();
    setter.pages
}

struct Part {
    articles: &'static [&'static str],
}

const PARTS: &[Part] = &[
    Part {
        articles: &[
            "SUMMARY",
            "RELATED REQUIREMENTS",
            "REFERENCES",
            "ACTION SUBMITTALS",
            "INFORMATIONAL SUBMITTALS",
            "QUALITY ASSURANCE",
            "DELIVERY, STORAGE, AND HANDLING",
            "FIELD CONDITIONS",
            "WARRANTY",
        ],
    },
    Part {
        articles: &["MANUFACTURERS", "PERFORMANCE REQUIREMENTS", "MATERIALS", "ACCESSORIES", "FABRICATION", "FINISHES"],
    },
    Part {
        articles: &[
            "EXAMINATION",
            "PREPARATION",
            "INSTALLATION",
            "FIELD QUALITY CONTROL",
            "ADJUSTING",
            "CLEANING",
            "PROTECTION",
        ],
    },
];

/// Beginnings of sentences; `{}` is the product.
const SENTENCES: &[&str] = &[
    "Provide {} of the types and sizes indicated, complete with anchors and trim.",
    "Verify dimensions by field measurement before fabrication of {} and show them on shop drawings.",
    "Coordinate {} with adjoining work so that neither delays the other.",
    "Submit data sheets for {} with load tables and finish options marked for this Project.",
    "Install {} plumb, level and true to line, without distortion or rack.",
    "Store {} off the ground under cover and keep labels legible until installed.",
    "Remove and replace {} that cannot be repaired to the Architect's satisfaction.",
    "Do not install {} until the building is enclosed and wet work is dry.",
    "Limit variation of {} from the line shown to 1/8 inch in 10 feet.",
    "Test {} in the presence of the Owner's agent and record the results.",
    "Installer of {} shall have completed at least 5 projects of similar size within the last 3 years.",
    "Warranty for {} runs for 2 years from the date of Substantial Completion.",
];

struct Setter<'a> {
    book: &'a Book,
    section: &'a Section,
    style: &'a Style,
    words: &'static Wording,
    chance: &'a mut Chance,
    frame: Frame,
    pages: Vec<Page>,
    y: f32,
    product: String,
}

impl<'a> Setter<'a> {
    fn new(book: &'a Book, section: &'a Section, style: &'a Style, chance: &'a mut Chance) -> Self {
        let frame = frame(style);
        let product = match section.code.get(..2) {
            Some("00" | "01") => wording(style.language).work.to_owned(),
            _ => section.title.split([',', '(', '-']).next().unwrap_or_default().trim().to_lowercase(),
        };
        Self {
            book,
            section,
            style,
            words: wording(style.language),
            chance,
            frame,
            pages: vec![Sheet::blank(style)],
            y: frame.top,
            product,
        }
    }

    fn ink(&self, bold: bool) -> Ink {
        Ink { face: Face::new(self.style.family, bold), size: f32::from(self.style.size), small_capitals: false }
    }

    /// Returns how many pages of the section are set.
    fn done(&self) -> f32 {
        let height = self.frame.top - self.frame.bottom;
        self.pages.len() as f32 - 1.0 + (self.frame.top - self.y) / height
    }

    fn line(&mut self, x: f32, text: &str, bold: bool) {
        let ink = self.ink(bold);
        let step = ink.size * 1.25;
        if self.y - step < self.frame.bottom {
            // The last page takes the rest: a section never exceeds its pages.
            if self.pages.len() as u32 >= self.section.pages {
                return;
            }
            self.pages.push(Sheet::blank(self.style));
            self.y = self.frame.top;
        }
        self.y -= step;
        let y = self.y;
        if let Some(page) = self.pages.last_mut() {
            ink.draw(page, x, y, text);
        }
    }

    fn centred(&mut self, text: &str) {
        let x = f32::midpoint(self.frame.left, self.frame.right) - self.ink(true).width(text) / 2.0;
        self.line(x, text, true);
    }

    fn skip(&mut self, lines: f32) {
        self.y -= f32::from(self.style.size) * 1.25 * lines;
    }

    fn heading(&mut self) {
        let section = self.section;
        let document = section.code.starts_with("00");
        let word = if document { self.words.document } else { self.words.section }.to_uppercase();
        let title = section.title.to_uppercase();
        let left = self.frame.left;
        let width = self.frame.right - left;
        match self.style.body_heading {
            BodyHeading::TwoLines => {
                self.centred(&format!("{word} {}", section.printed_code));
                self.skip(0.4);
                for line in self.ink(true).wrap(&title, width, width) {
                    self.centred(&line);
                }
            }
            BodyHeading::TwoLinesLeft => {
                self.line(left, &format!("{word} {}", section.printed_code), true);
                for line in self.ink(true).wrap(&title, width, width) {
                    self.line(left, &line, true);
                }
            }
            BodyHeading::OneLine => {
                let text = format!("{word} {} - {title}", section.printed_code);
                for line in self.ink(true).wrap(&text, width, width) {
                    self.line(left, &line, true);
                }
            }
        }
        self.skip(1.0);
    }

    fn part(&mut self, index: usize, part: &Part, until: f32) {
        let number = index + 1;
        let left = self.frame.left;
        self.skip(0.6);
        self.line(left, &format!("{} {number} - {}", self.words.part, self.words.parts[index]), true);
        for (at, article) in part.articles.iter().enumerate() {
            if self.done() >= until {
                return;
            }
            let label = match self.style.articles {
                Articles::TwoDigits => format!("{number}.{:02}", at + 1),
                Articles::OneDigit => format!("{number}.{}", at + 1),
            };
            self.skip(0.5);
            self.line(left, &label, false);
            // The label and its title are on one line.
            self.y += f32::from(self.style.size) * 1.25;
            self.line(left + 36.0, article, false);
            // The rest is shared by the remaining articles, so that none extends to the end of the
            // part.
            let share = (until - self.done()) / (part.articles.len() - at) as f32;
            let stop = self.done() + share.max(0.04);
            self.article(article, stop.min(until));
        }
    }

    fn article(&mut self, article: &str, stop: f32) {
        let mut letter = 0;
        while letter == 0 || (self.done() < stop && letter < 26) {
            let label = format!("{}.", char::from(b'A' + letter));
            let text = if article == "RELATED REQUIREMENTS" { self.related() } else { self.sentences() };
            self.paragraph(36.0, 22.0, &label, &text);
            letter += 1;
            let points = self.chance.between(0, 3);
            for point in 1..=points {
                if self.done() >= stop {
                    break;
                }
                let text = self.sentence();
                self.paragraph(58.0, 22.0, &format!("{point}."), &text);
            }
        }
    }

    fn paragraph(&mut self, indent: f32, hang: f32, label: &str, text: &str) {
        let ink = self.ink(false);
        let x = self.frame.left + indent;
        let width = self.frame.right - x - hang;
        for (at, line) in ink.wrap(text, width, width).into_iter().enumerate() {
            self.line(x + hang, &line, false);
            if at == 0 {
                let y = self.y;
                if let Some(page) = self.pages.last_mut() {
                    ink.draw(page, x, y, label);
                }
            }
        }
        self.skip(0.3);
    }

    fn other(&mut self) -> Option<&'a Section> {
        let book: &'a Book = self.book;
        let division = self.chance.pick(&book.divisions);
        (!division.sections.is_empty()).then(|| self.chance.pick(&division.sections))
    }

    fn related(&mut self) -> String {
        match self.other() {
            Some(other) => format!(
                "{} {} \"{}\" for work that adjoins {}.",
                self.words.section, other.printed_code, other.title, self.product
            ),
            None => format!("Division 01 sections govern {}.", self.product),
        }
    }

    fn sentence(&mut self) -> String {
        let pattern = *self.chance.pick(SENTENCES);
        pattern.replace("{}", &self.product)
    }

    fn sentences(&mut self) -> String {
        let mut text = self.sentence();
        if self.chance.percent(15)
            && let Some(other) = self.other()
        {
            // Long enough that some lines begin with the number.
            let (word, number, title) = (self.words.section, &other.printed_code, &other.title);
            text = format!(
                "{text} Comply with requirements for substrates, tolerances and sequencing in {word} {number} {title} before work starts."
            );
        }
        if self.chance.percent(50) {
            let more = self.sentence();
            text.push(' ');
            text.push_str(&more);
        }
        text
    }

    /// Sets a bidding or contract document: numbered articles without parts.
    fn document(&mut self) {
        const ARTICLES: &[&str] =
            &["DEFINITIONS", "DOCUMENTS", "QUALIFICATIONS", "SITE ASSESSMENT", "OFFER", "AWARD", "ENCLOSURES"];
        let until = self.section.pages as f32 - 0.4;
        for (at, article) in ARTICLES.iter().enumerate() {
            let share = (until - self.done()) / (ARTICLES.len() - at) as f32;
            let stop = self.done() + share.max(0.04);
            self.skip(0.6);
            self.line(self.frame.left, &format!("{}. {article}", at + 1), true);
            let mut number = 1;
            while number == 1 || (self.done() < stop && number < 60) {
                let text = self.sentences();
                self.paragraph(18.0, 30.0, &format!("{}.{number}", at + 1), &text);
                number += 1;
            }
        }
        self.fill();
        self.skip(1.0);
        self.centred(self.words.end_of_document);
    }

    /// Adds the missing pages of the section.
    fn fill(&mut self) {
        while (self.pages.len() as u32) < self.section.pages {
            self.pages.push(Sheet::blank(self.style));
            self.y = self.frame.top;
            let text = self.sentences();
            self.paragraph(36.0, 22.0, "A.", &text);
        }
    }

    fn end(&mut self) {
        self.fill();
        self.skip(1.0);
        let text = format!("{} {}", self.words.end, self.section.printed_code);
        self.centred(&text);
    }
}
