//! Classifies the pages of a drawing set: the sheet's number and title as printed, its type,
//! discipline, storey, scope and division. For a page that is not a drawing, the kind of document
//! that it belongs to.
//!
//! Each page is read alone ([`Sheet::read`]) and reduced to a few hundred texts with their
//! positions. The pages of a set are classified together ([`classify`]), since what recurs from
//! sheet to sheet distinguishes a title block from a drawing.
//!
//! - `sheet`: what is kept of a page; `paper`: whether it is running text.
//! - `number` and `labels`: the forms of sheet numbers, and the small print of title blocks.
//! - `title_block`: which texts are a sheet's number and title; `set`: what recurs on the other
//!   sheets.
//! - `drawing_type`, `discipline`, `extent`, `division`: what the title says.
//! - `reading`: OCR of pages without text; `shown`: what the drawings on a sheet say where no word does.
//! - `plugin`: the model that the host runs.
//!
//! The sheet number only suggests a type, the title decides: a sheet numbered A-201 with the title
//! ROOF PLAN is a roof plan.

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
mod shown;
mod title_block;
mod words;

pub use plugin::DrawingClassifier;
pub use reading::sheet;
pub use result::{Classification, Discipline, Division, DocumentType, DrawingType, Page};
pub use sheet::{Origin, Sheet};
pub use title_block::{COEFFICIENTS, Candidate, Candidates, Coefficients, NUMBER_FEATURES, TITLE_FEATURES, candidates};

use std::fmt::Write as _;

use fanlight_sheet::scale::Note;

use paper::Paper;
use title_block::Entries;

/// The most titles of drawings that are joined for a sheet without a title.
const MAX_VIEWS_IN_TITLE: usize = 6;

/// Classifies the pages of a document together. `sheets` are in page order.
pub fn classify(sheets: &[Sheet]) -> Classification {
    classify_with(sheets, &COEFFICIENTS)
}

/// Classifies the pages of a document by other coefficients of numbers and titles.
pub fn classify_with(sheets: &[Sheet], coefficients: &Coefficients) -> Classification {
    let entries = title_block::read_with(sheets, coefficients);
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
        return other_page(sheet, document_type);
    }
    let Entries { number, title, .. } = entries;
    let printed = title.as_deref().unwrap_or_default();
    let drawing_type = drawing_type(sheet, printed, number.as_ref());
    let prefix = number.as_ref().map_or("", |number| number.prefix.as_str());
    let discipline = discipline::from_title(printed, prefix, drawing_type);
    let drawing_type = outdoors(drawing_type, discipline, printed);
    let floor = extent::floor(printed).or_else(|| sheet.views.iter().find_map(|view| extent::floor(&view.text)));
    let mut page = Page {
        page_number: sheet.number,
        drawing_number: number.map(|number| number.printed),
        document_type: DocumentType::Drawing,
        drawing_type,
        discipline,
        division: division::from_title(printed, discipline, drawing_type),
        scope: extent::scope(printed),
        floor,
        description: String::new(),
        title,
    };
    page.description = describe(&page, sheet);
    page
}

/// Turns a floor plan of civil engineers or landscape architects into a site plan, unless it names
/// a storey.
fn outdoors(kind: DrawingType, discipline: Discipline, title: &str) -> DrawingType {
    let outside = matches!(discipline, Discipline::Civil | Discipline::Landscape) && extent::floor(title).is_none();
    if outside && kind == DrawingType::FloorPlan { DrawingType::SitePlan } else { kind }
}

/// Returns the kind of document that a page belongs to if it is not a drawing.
fn other_document(sheet: &Sheet, entries: &Entries) -> Option<DocumentType> {
    if sheet.is_empty() {
        return Some(if sheet.origin == Origin::Picture { DocumentType::Picture } else { DocumentType::Blank });
    }
    // A small sheet full of notes is a drawing if it has a title block.
    let titled = entries.sure && entries.title.is_some() && !entries.of_views;
    match sheet.paper? {
        Paper::Specification => Some(DocumentType::Specification),
        Paper::Letter => Some(DocumentType::Letter),
        Paper::Text => (!titled).then_some(DocumentType::Text),
    }
}

fn other_page(sheet: &Sheet, document_type: DocumentType) -> Page {
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

/// Returns the titles of the drawings on a sheet, without their scales: those above or beside a scale if one of them names content,
/// otherwise the largest texts that name content.
fn view_titles(sheet: &Sheet) -> Vec<String> {
    let views = || sheet.views.iter().map(|view| view.text.as_str());
    let captions = sheet.captions.iter().map(String::as_str);
    let titles: Vec<&str> = if views().any(drawing_type::names_content) {
        views().take(MAX_VIEWS_IN_TITLE).collect()
    } else {
        captions.collect()
    };
    titles.into_iter().map(|title| labels::without_scale(title).to_owned()).collect()
}

/// Returns whether nothing printed on a sheet says what type of drawing it is.
fn is_untyped(sheet: &Sheet) -> bool {
    title_block::read_with(std::slice::from_ref(sheet), &COEFFICIENTS).into_iter().all(|entries| {
        let title = entries.title.as_deref().unwrap_or_default();
        other_document(sheet, &entries).is_none() && printed_type(sheet, title, entries.number.as_ref()).is_none()
    })
}

/// Returns what a sheet shows: by what is printed on it, otherwise by its drawings. A sheet without either shows a floor more
/// often than anything else: of 39 labelled ones without a word or a room's name 17 do.
fn drawing_type(sheet: &Sheet, title: &str, number: Option<&number::Number>) -> DrawingType {
    printed_type(sheet, title, number).or(sheet.shown).unwrap_or(DrawingType::FloorPlan)
}

/// Returns what a sheet shows by its title, otherwise by most of the titles of its drawings, its headings, the digit of its
/// number, or the scale.
fn printed_type(sheet: &Sheet, title: &str, number: Option<&number::Number>) -> Option<DrawingType> {
    let first = |text: &str| drawing_type::types_named(text).into_iter().next();
    let views = most_frequent(sheet.views.iter().filter_map(|view| first(&view.text)));
    let named = first(title);
    // A storey among the headings is no more than the level of a section.
    let headings = sheet.headings.iter().filter(|heading| drawing_type::names_drawing(&heading.text));
    match named {
        // "ELEVATIONS" does not distinguish outside from inside. The titles of the drawings do.
        Some(DrawingType::ExteriorElevations) if views == Some(DrawingType::InteriorElevations) => {
            Some(DrawingType::InteriorElevations)
        }
        // "LEVEL 2" may be the title of any drawing.
        Some(kind) if drawing_type::names_drawing(title) => Some(kind),
        _ => views
            .or(named)
            .or_else(|| most_frequent(headings.filter_map(|heading| first(&heading.text))))
            .or_else(|| number.and_then(by_number))
            .or_else(|| by_scale(sheet)),
    }
}

/// Returns the most frequent type, and the first of several.
fn most_frequent(kinds: impl Iterator<Item = DrawingType>) -> Option<DrawingType> {
    let kinds: Vec<DrawingType> = kinds.collect();
    // From the end, because the last of several largest counts is returned.
    kinds.iter().copied().rev().max_by_key(|kind| kinds.iter().filter(|other| *other == kind).count())
}

/// Returns the type that the first digit of a number stands for in the National CAD Standard.
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

/// The largest ratio of details: 1:20. With it and the next, of 324 labelled sheets two become right and none wrong
/// (`labelled_sheets`).
const MAX_DETAIL_RATIO: f32 = 20.0;
/// The least ratio of site plans: 1:500.
const MIN_SITE_RATIO: f32 = 500.0;

/// Returns the type that a sheet's largest scale stands for, if it is no scale of plans.
fn by_scale(sheet: &Sheet) -> Option<DrawingType> {
    let printed = sheet.texts.iter().map(|text| text.text.as_str()).filter(|text| labels::is_scale(text));
    let ratios = printed.chain(sheet.scale.as_deref()).filter_map(|text| Note::find(text)?.scale);
    let ratio = ratios.map(|scale| scale.ratio).min_by(f32::total_cmp)?;
    if ratio <= MAX_DETAIL_RATIO {
        Some(DrawingType::Details)
    } else if ratio >= MIN_SITE_RATIO {
        Some(DrawingType::SitePlan)
    } else {
        None
    }
}

/// Returns the one-line summary of a sheet.
fn describe(page: &Page, sheet: &Sheet) -> String {
    let mut line = format!("{} ({})", page.drawing_type.words(), page.discipline.word());
    for place in page.floor.iter().chain(&page.scope) {
        line.push_str(", ");
        line.push_str(place);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> sheet::Text {
        sheet::Text { text: text.to_owned(), bbox: [0.0, 0.0, 100.0, 10.0], size: 10.0, turn: 0, read: false }
    }

    #[test]
    fn a_storey_among_the_headings_is_no_type() {
        let headings = vec![text("FIRST FLOOR"), text("SECOND FLOOR")];
        let scale = Some("1:10".to_owned());
        let sheet = Sheet { headings, scale, ..Sheet::default() };
        assert_eq!(drawing_type(&sheet, "", None), DrawingType::Details);
    }

    #[test]
    fn all_drawings_with_titles_are_listed_if_one_names_content() {
        let sheet = |views: &[&str]| Sheet { views: views.iter().copied().map(text).collect(), ..Sheet::default() };
        assert_eq!(view_titles(&sheet(&["AB 50", "SECTION 1"])), ["AB 50", "SECTION 1"]);
        assert!(view_titles(&sheet(&["AB 50", "KITCHEN"])).is_empty());
    }

    #[test]
    fn a_page_of_lines_without_letters_is_a_drawing() {
        let lines = Sheet { number: 1, is_drawn: true, ..Sheet::default() };
        let pages = classify(&[lines, Sheet { number: 2, ..Sheet::default() }]).pages;
        assert_eq!(pages[0].document_type, DocumentType::Drawing);
        assert_eq!(pages[1].document_type, DocumentType::Blank);
    }

    #[test]
    fn large_scales_are_those_of_details() {
        for (scale, expected) in
            [("1 : 10", Some(DrawingType::Details)), ("1:100", None), ("1:1000", Some(DrawingType::SitePlan))]
        {
            let sheet = Sheet { scale: Some(scale.to_owned()), ..Sheet::default() };
            assert_eq!(by_scale(&sheet), expected, "{scale}");
        }
    }
}
