//! Tells of each page of a drawing set what it is: the sheet's number and title as printed, its type, discipline,
//! storey, scope and division; of a page that is no drawing, what kind of document it belongs to.
//!
//! A page is read for itself ([`Sheet::read`]) and kept as a few hundred texts with their places; the set is judged
//! whole ([`classify`]), since what recurs from sheet to sheet tells a title block from a drawing.
//!
//! - `sheet`: what is kept of a page; `paper`: whether it is running text.
//! - `number` and `labels`: what sheet numbers and the small print of title blocks look like.
//! - `title_block`: which texts are a sheet's number and title; `set`: what recurs on the other sheets.
//! - `drawing_type`, `discipline`, `extent`, `division`: what the title says.
//! - `reading`: text of pages that have none, by OCR; `plugin`: the model that the host runs.
//!
//! The number is a prior, the title decides: a sheet numbered A-201 whose title is ROOF PLAN is a roof plan.

mod discipline;
mod division;
mod drawing_type;
mod extent;
mod labels;
mod number;
mod paper;
mod plugin;
mod reading;
mod result;
mod set;
mod sheet;
mod title_block;
mod words;

pub use plugin::DrawingClassifier;
pub use reading::sheet;
pub use result::{Classification, Discipline, Division, DocumentType, DrawingType, Page};
pub use sheet::{Origin, Sheet};

use std::fmt::Write as _;

use paper::Paper;
use title_block::Entries;

/// Titles of drawings on a sheet that stand in for the title of its title block, at most.
const MOST_VIEWS_IN_TITLE: usize = 6;
/// A page with fewer characters says nothing.
const FEW_CHARACTERS: u32 = 3;

/// Judges the pages of a document together; they come in page order.
pub fn classify(sheets: &[Sheet]) -> Classification {
    let entries = title_block::read(sheets);
    let mut classification = Classification { page_count: sheets.len() as u32, ..Classification::default() };
    for (sheet, entries) in sheets.iter().zip(entries) {
        let page = page(sheet, entries);
        *classification.by_drawing_type.entry(page.drawing_type).or_default() += 1;
        classification.pages.push(page);
    }
    classification
}

fn page(sheet: &Sheet, entries: Entries) -> Page {
    if let Some(document_type) = other_document(sheet, &entries) {
        return no_drawing(sheet, document_type);
    }
    let title = entries.title.or_else(|| title_of_views(sheet));
    let printed = title.as_deref().unwrap_or_default();
    let number = entries.number;
    let drawing_type = drawing_type(sheet, printed, number.as_ref());
    let prefix = number.as_ref().map_or("", |number| number.prefix.as_str());
    let discipline = discipline::of(printed, prefix, drawing_type);
    let drawing_type = outdoors(drawing_type, discipline, printed);
    let floor = extent::floor(printed).or_else(|| sheet.views.iter().find_map(|view| extent::floor(&view.text)));
    let mut page = Page {
        page_number: sheet.number,
        drawing_number: number.map(|number| number.printed),
        document_type: DocumentType::Drawing,
        drawing_type,
        discipline,
        division: division::of(printed, discipline, drawing_type),
        scope: extent::scope(printed),
        floor,
        description: String::new(),
        title,
    };
    page.description = describe(&page, sheet);
    page
}

/// What civil engineers and landscape architects call a plan shows the site, unless it names a storey.
fn outdoors(kind: DrawingType, discipline: Discipline, title: &str) -> DrawingType {
    let outside = matches!(discipline, Discipline::Civil | Discipline::Landscape) && extent::floor(title).is_none();
    if outside && kind == DrawingType::FloorPlan { DrawingType::SitePlan } else { kind }
}

/// What kind of document a page belongs to, where it is no drawing.
fn other_document(sheet: &Sheet, entries: &Entries) -> Option<DocumentType> {
    if sheet.characters < FEW_CHARACTERS {
        return Some(if sheet.origin == Origin::Picture { DocumentType::Picture } else { DocumentType::Blank });
    }
    // A small sheet full of notes is a sheet still, where a title block says so.
    let titled = entries.sure && entries.title.is_some();
    match sheet.paper? {
        Paper::Specification => Some(DocumentType::Specification),
        Paper::Letter => Some(DocumentType::Letter),
        Paper::Text => (!titled).then_some(DocumentType::Text),
    }
}

fn no_drawing(sheet: &Sheet, document_type: DocumentType) -> Page {
    let description = match document_type {
        DocumentType::Specification => "Page of a specification",
        DocumentType::Letter => "Letter",
        DocumentType::Picture => "Picture without text",
        DocumentType::Blank => "Blank page",
        DocumentType::Text | DocumentType::Drawing => "Page of text",
    };
    Page {
        page_number: sheet.number,
        drawing_number: None,
        title: None,
        document_type,
        drawing_type: DrawingType::Other,
        discipline: Discipline::Other,
        division: None,
        scope: Vec::new(),
        floor: None,
        description: description.to_owned(),
    }
}

/// The titles of the drawings on a sheet whose title block has no title, or which has no title block.
fn title_of_views(sheet: &Sheet) -> Option<String> {
    let telling: Vec<&str> = sheet
        .views
        .iter()
        .map(|view| view.text.as_str())
        .filter(|view| drawing_type::is_telling(view))
        .take(MOST_VIEWS_IN_TITLE)
        .collect();
    (!telling.is_empty()).then(|| telling.join(" / "))
}

/// What a sheet shows: by its title, else by most of the drawings on it, its headings, its number's digit.
fn drawing_type(sheet: &Sheet, title: &str, number: Option<&number::Number>) -> DrawingType {
    let views = most(sheet.views.iter().filter_map(|view| drawing_type::of_title(&view.text).into_iter().next()));
    match drawing_type::of_title(title).first() {
        // "ELEVATIONS" says neither outside nor inside; the drawings' own titles do.
        Some(DrawingType::ExteriorElevations) if views == Some(DrawingType::InteriorElevations) => {
            DrawingType::InteriorElevations
        }
        Some(kind) => *kind,
        None => views
            .or_else(|| {
                most(sheet.headings.iter().filter_map(|heading| drawing_type::of_title(heading).into_iter().next()))
            })
            .or_else(|| number.and_then(by_number))
            .unwrap_or(DrawingType::Other),
    }
}

/// The commonest, the first of equals.
fn most(kinds: impl Iterator<Item = DrawingType>) -> Option<DrawingType> {
    let mut counts: Vec<(DrawingType, usize)> = Vec::new();
    for kind in kinds {
        match counts.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((kind, 1)),
        }
    }
    let largest = counts.iter().map(|(_, count)| *count).max()?;
    counts.into_iter().find(|(_, count)| *count == largest).map(|(kind, _)| kind)
}

/// The kind of sheet that a number's first digit stands for in the National CAD Standard.
fn by_number(number: &number::Number) -> Option<DrawingType> {
    let digits: String =
        number.printed.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    if digits.len() != 3 || number.prefix.is_empty() {
        return None;
    }
    match digits.chars().next()? {
        '0' => Some(DrawingType::GeneralNotes),
        '1' => Some(DrawingType::FloorPlan),
        '2' => Some(DrawingType::ExteriorElevations),
        '3' => Some(DrawingType::BuildingSections),
        '4' => Some(DrawingType::EnlargedPlan),
        '5' => Some(DrawingType::Details),
        '6' => Some(DrawingType::Schedules),
        _ => None,
    }
}

/// One line about a sheet.
fn describe(page: &Page, sheet: &Sheet) -> String {
    let mut line = format!("{} ({})", page.drawing_type.words(), page.discipline.word());
    if let Some(floor) = &page.floor {
        line.push_str(", ");
        line.push_str(floor);
    }
    for scope in &page.scope {
        line.push_str(", ");
        line.push_str(scope);
    }
    match sheet.views.len() {
        0 => {}
        1 => line.push_str("; 1 view"),
        count => {
            let _ = write!(line, "; {count} views");
        }
    }
    if let Some(scale) = &sheet.scale {
        line.push_str(", ");
        line.push_str(scale);
    }
    line
}
