//! Bound sections: the body of a project manual, with the ground truth of every paragraph and of
//! the requirements in it.
//!
//! [`crate::manual`] varies how a manual lists its sections; this module varies how it sets them:
//! headings, running lines, numbering of parts, articles and lists, columns, tables, line numbers,
//! hyphenation, and where a section begins on the page. The text of a section is invented,
//! requirement by requirement, so that its requirements are known.

mod content;
mod flow;
mod style;
mod truth;

use content::{Material, Piece};
use flow::Flow;
pub use style::{Break, Carried, Ending, Foot, Head, Heading, LabelSetting, PartForm, Scheme, Style, styles};
pub use truth::{Kind, Paragraph, Requirement, Section, Truth};

use crate::chance::Chance;
use crate::manual::masterformat;
use crate::pdf::{Document, Producer};

/// A synthetic manual of bound sections.
#[derive(Clone, Debug)]
pub struct SyntheticManual {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Its ground truth.
    pub truth: Truth,
}

/// Generates bound sections. The same style and seed give the same bytes.
pub fn generate(style: &Style, seed: u64) -> SyntheticManual {
    let mut chance = Chance::new(seed);
    let chosen = chosen(style, &mut chance);
    let mut flow = Flow::new(style, &mut chance);
    let listed: Vec<(String, String)> =
        chosen.iter().map(|(code, title)| (style.numbering.print(code), (*title).to_owned())).collect();
    if style.contents > 0 {
        flow.contents(&listed);
    }
    let mut sections = Vec::new();
    let mut division = String::new();
    for (index, (code, title)) in chosen.iter().enumerate() {
        let own = code.get(..2).unwrap_or_default();
        if style.covers > 0 && own != division {
            flow.cover(own);
        }
        own.clone_into(&mut division);
        let others: Vec<(String, String)> =
            listed.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, other)| other.clone()).collect();
        let material = Material::invent(title, &others, style, &mut chance);
        sections.push(set(&mut flow, style, code, title, &material));
    }
    let pages = flow.finish();
    let truth = Truth { style: style.clone(), seed, pages: pages.len(), sections };
    let producer = Producer {
        unit: style.text_unit,
        order: style.writing_order,
        embed_standard_fonts: true,
        unicode: true,
        origin: (0.0, 0.0),
    };
    let document = Document { title: "Specifications".to_owned(), pages, outline: Vec::new() };
    SyntheticManual { pdf: document.to_pdf(&producer), truth }
}

/// Returns the code and title of the sections, in order, each code once.
fn chosen(style: &Style, chance: &mut Chance) -> Vec<(&'static str, &'static str)> {
    let five = style.numbering == crate::manual::Numbering::FiveDigits;
    let table = if five { masterformat::SECTIONS_1995 } else { masterformat::SECTIONS };
    let technical: Vec<_> =
        table.iter().copied().filter(|(code, _)| !code.starts_with("00") && !code.contains('.')).collect();
    chance.sample(&technical, usize::from(style.sections.max(1)))
}

/// Sets a section and records the pages of its parts.
fn set(flow: &mut Flow, style: &Style, code: &str, title: &str, material: &Material) -> Section {
    let printed = style.numbering.print(code);
    flow.begin_section(&printed, title);
    let start_page = flow.page();
    let mut notes = Notes::default();
    let mut part = 0;
    for piece in &material.pieces {
        match piece {
            Piece::Part { number, title } => {
                part = *number;
                flow.part(*number, title);
            }
            Piece::Article { number, title } => {
                let label = style.article_label(part, *number);
                flow.article(&label, title);
                notes.article = format!("{label} {title}");
            }
            Piece::Table { rows } => flow.table(rows),
            Piece::Text { level, ordinal, text, asks } => {
                let label = style.label(*level, *ordinal);
                notes.add(&flow.paragraph(*level, &label, text), &label, text, asks);
            }
            Piece::Bare { text, asks } => {
                notes.add(&flow.paragraph(0, "", text), "", text, &[(*asks, text.clone())]);
            }
        }
    }
    flow.end_section(&printed);
    let mut section_code = code.to_owned();
    while section_code.len() < 6 {
        section_code.push('0');
    }
    Section {
        section_code,
        section_title: title.to_owned(),
        start_page,
        end_page: flow.page(),
        paragraphs: notes.paragraphs,
        requirements: notes.requirements,
    }
}

/// What has been set of a section.
#[derive(Default)]
struct Notes {
    article: String,
    paragraphs: Vec<Paragraph>,
    requirements: Vec<Requirement>,
}

impl Notes {
    /// Records a paragraph. `places` are the byte offsets at which pages begin, with the pages.
    fn add(&mut self, places: &[(usize, usize)], label: &str, text: &str, asks: &[(Kind, String)]) {
        for (kind, words) in asks {
            let page = page_at(places, text.find(words.as_str()).unwrap_or_default());
            self.requirements.push(Requirement {
                kind: *kind,
                text: words.clone(),
                article: self.article.clone(),
                page,
            });
        }
        let whole = if label.is_empty() { text.to_owned() } else { format!("{label} {text}") };
        self.paragraphs.push(Paragraph { text: whole, article: self.article.clone(), page: page_at(places, 0) });
    }
}

/// Returns the page of a byte offset. `places` are the offsets at which pages begin, with the pages.
fn page_at(places: &[(usize, usize)], offset: usize) -> usize {
    let begun = places.iter().rev().find(|(from, _)| *from <= offset);
    begun.or(places.first()).map_or(1, |(_, page)| *page)
}
