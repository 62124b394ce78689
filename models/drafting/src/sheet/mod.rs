//! Sets of drawing sheets with one title block, and the ground truth of each sheet.
//!
//! Styles vary the place of the title block and the direction of its text, sizes and rotations of
//! pages, languages, forms of numbers, the place of labels, and what else is in the set. The
//! drawings show only what reveals a sheet's type: views with titles and scales, rooms, notes,
//! tables, and marks that refer to other sheets.

mod block;
mod content;
mod style;
mod truth;
mod wording;

use block::{Entries, Project};
pub use style::{Block, Contents, Labelling, Numbering, Style, styles};
pub use truth::{DocumentType, PageTruth, Truth};
pub use wording::Language;
use wording::{DISCIPLINES, Entry};

use crate::chance::Chance;
use crate::pdf::{Document, Page, Producer};

/// A synthetic set.
#[derive(Clone, Debug)]
pub struct SheetSet {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Its ground truth.
    pub truth: Truth,
}

/// A sheet before it is drawn.
struct Planned {
    number: String,
    title: String,
    entry: Entry,
}

/// Generates a set. The same style and seed give the same bytes.
pub fn generate(style: &Style, seed: u64) -> SheetSet {
    let mut chance = Chance::new(seed);
    let project = project(&mut chance);
    let sheets = planned(style, &project, &mut chance);
    let labels = style.language.labels(style.labels);
    let listed: Vec<(String, String)> =
        sheets.iter().map(|sheet| (sheet.number.clone(), sheet.title.clone())).collect();
    let (mut pages, mut truths) = (Vec::new(), Vec::new());
    for (index, sheet) in sheets.iter().enumerate() {
        if style.contents == Contents::Papers && index == 0 {
            pages.push(content::letter(style));
            truths.push(paper(pages.len(), DocumentType::Letter));
        }
        if style.contents == Contents::Papers && index == sheets.len() / 2 {
            for at in 1..=2 {
                pages.push(content::specification(style, at));
                truths.push(paper(pages.len(), DocumentType::Specification));
            }
        }
        let (_, types, discipline, floor) = sheet.entry;
        let drawing_types: Vec<String> = types.split('|').map(str::to_owned).collect();
        let mut page = Page { width: style.width, height: style.height, rotate: style.rotate, marks: Vec::new() };
        let total = (style.numbering == Numbering::Plain).then(|| sheets.len().to_string());
        let revision = (style.numbering == Numbering::Role).then_some("P02");
        let entries = Entries { number: &sheet.number, title: &sheet.title, project: &project, total, revision };
        let field = block::draw(&mut page, style, &labels, &entries);
        let kind = drawing_types.first().map_or("", String::as_str);
        content::draw(&mut page, style, kind, sheet.entry.0, field, &mut chance);
        if kind == "cover" || kind == "index" {
            content::index(&mut page, style, &listed, field);
        }
        pages.push(page);
        truths.push(PageTruth {
            page_number: pages.len(),
            document_type: DocumentType::Drawing,
            drawing_number: Some(sheet.number.clone()),
            title: Some(sheet.title.clone()),
            drawing_types,
            discipline: discipline.to_owned(),
            floor: (!floor.is_empty()).then(|| floor.to_owned()),
        });
    }
    let producer = Producer {
        unit: style.text_unit,
        order: style.writing_order,
        embed_standard_fonts: true,
        unicode: true,
        origin: style.origin,
    };
    let document = Document { title: project.name.clone(), pages, outline: Vec::new() };
    SheetSet { pdf: document.to_pdf(&producer), truth: Truth { style: style.clone(), seed, pages: truths } }
}

/// Returns the truth of a page that is not a drawing.
fn paper(page_number: usize, document_type: DocumentType) -> PageTruth {
    PageTruth {
        page_number,
        document_type,
        drawing_number: None,
        title: None,
        drawing_types: vec!["other".to_owned()],
        discipline: "other".to_owned(),
        floor: None,
    }
}

/// Returns the sheets of the set in order, with numbers and titles as they will be printed.
fn planned(style: &Style, project: &Project, chance: &mut Chance) -> Vec<Planned> {
    let count = usize::from(style.sheets.max(1));
    let chosen: Vec<(&str, u8, Entry)> = if style.language == Language::English {
        let all: Vec<(&str, u8, Entry)> = DISCIPLINES
            .iter()
            .filter(|(prefix, _)| style.contents == Contents::Disciplines || *prefix == "A")
            .flat_map(|(prefix, entries)| entries.iter().map(move |(digit, entry)| (*prefix, *digit, *entry)))
            .collect();
        chance.sample(&all, count)
    } else {
        let all: Vec<(&str, u8, Entry)> =
            style.language.sheets().iter().map(|entry| (prefix(entry.2), 1, *entry)).collect();
        chance.sample(&all, count)
    };
    let mut sheets: Vec<Planned> = Vec::new();
    for (index, (prefix, digit, entry)) in chosen.iter().enumerate() {
        let before = chosen[..index].iter().filter(|(other, kind, _)| other == prefix && kind == digit).count() + 1;
        let number = match style.numbering {
            Numbering::Standard => format!("{prefix}-{digit}{before:02}"),
            Numbering::Joined => format!("{prefix}{digit}{before:02}"),
            Numbering::Dotted => format!("{prefix}{digit}.{before:02}"),
            Numbering::Decimals => format!("{prefix}-{digit}{before:02}.00"),
            Numbering::Counted => format!("{prefix}{}", index + 1),
            Numbering::Coded => format!("QW/{prefix}R/{digit:02}/{:02}", index + 1),
            Numbering::Plain => (index + 1).to_string(),
            Numbering::Parted => format!("{}.{:02}", 1 + index / 4, 1 + index % 4),
            Numbering::Role => format!("BLD-ORG-ZZ-{digit:02}-DR-{prefix}-{}", 1001 + index),
        };
        let title = if style.long_titles > 0 { format!("{} - {}", project.name, entry.0) } else { entry.0.to_owned() };
        sheets.push(Planned { number, title, entry: *entry });
    }
    sheets
}

fn prefix(discipline: &str) -> &'static str {
    match discipline {
        "structural" => "S",
        "electrical" => "E",
        _ => "A",
    }
}

/// Invents a project.
fn project(chance: &mut Chance) -> Project {
    let town = *chance.pick(&["ARDEN", "BELMORE", "KESWICK", "LINDAL", "OXTED"]);
    let what =
        *chance.pick(&["LIBRARY ADDITION", "TOWN HALL", "ELEMENTARY SCHOOL", "CLINIC", "COURT HOUSE RENOVATION"]);
    let firm = *chance.pick(&["VARGA STOLL ARCHITECTS", "NORTHFOLD STUDIO", "HALE + OKORO", "ATELIER QUINTO"]);
    Project {
        firm: firm.to_owned(),
        firm_address: format!("{} Canal Street, {town} T 555 0{}", chance.between(10, 990), chance.between(100, 199)),
        name: format!("{town} {what}"),
        address: format!("{} Mill Road, {town}", chance.between(1, 400)),
        client: format!("Municipality of {town}"),
        job: format!("{}{:02}", chance.between(19, 26), chance.between(1, 60)),
        date: format!("{:02}/{:02}/20{}", chance.between(1, 12), chance.between(1, 28), chance.between(19, 26)),
        drawn: "KB".to_owned(),
        checked: "IV".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_office_drafts_what_its_truth_says() {
        for (name, style) in styles() {
            let set = generate(&style, 1);
            assert_eq!(set.pdf, generate(&style, 1).pdf, "{name}: the same seed, the same bytes");
            let document = lopdf::Document::load_mem(&set.pdf).unwrap();
            assert_eq!(document.get_pages().len(), set.truth.pages.len(), "{name}");
            let numbers: std::collections::BTreeSet<_> =
                set.truth.pages.iter().filter_map(|page| page.drawing_number.clone()).collect();
            let drawings = set.truth.pages.iter().filter(|page| page.document_type == DocumentType::Drawing).count();
            assert_eq!(numbers.len(), drawings, "{name}: every sheet has a number of its own");
        }
    }
}
