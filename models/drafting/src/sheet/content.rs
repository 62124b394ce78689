//! The content of a sheet beside its title block: views with titles and scales, notes, schedules,
//! pages of text.

use super::style::Style;
use super::wording::{ENGLISH_NOTES, Language};
use crate::chance::Chance;
use crate::pdf::{Face, Page, wrap};

/// The rectangle for the drawing: x, y, width, height.
pub(super) type Field = (f32, f32, f32, f32);

/// Returns a scale as it is printed below a view.
fn scale(language: Language, chance: &mut Chance) -> String {
    match language {
        Language::English => {
            (*chance.pick(&["1/8\" = 1'-0\"", "SCALE: 1/4\" = 1'-0\"", "1 : 100", "SCALE: 3/4\" = 1'-0\"", "N.T.S."]))
                .to_owned()
        }
        other => format!("{} 1 : {}", other.labels(0).scale, chance.pick(&[20, 50, 100, 200])),
    }
}

/// Draws content for a drawing type.
pub(super) fn draw(page: &mut Page, style: &Style, kind: &str, title: &str, field: Field, chance: &mut Chance) {
    let unit = (page.height / 190.0).max(5.0);
    let (x, y, wide, high) = field;
    match kind {
        "cover" => cover(page, style, field, unit),
        "general_notes" | "index" => {
            for column in 0..3 {
                notes(page, style, (x + column as f32 * wide / 3.0, y, wide / 3.0, high), unit, 3);
            }
        }
        "schedules" => table(page, style, title, field, unit, chance),
        "details" | "wall_sections" | "interior_elevations" | "diagrams" => {
            for cell in 0..6_u32 {
                let at =
                    (x + (cell % 3) as f32 * wide / 3.0, y + (cell / 3) as f32 * high / 2.0, wide / 3.0, high / 2.0);
                let name = format!("{} {}", view_word(style.language, kind), cell + 1);
                view(page, style, &name, at, unit, chance);
            }
        }
        "exterior_elevations" | "building_sections" => {
            for row in 0..2 {
                let at = (x, y + row as f32 * high / 2.0, wide, high / 2.0);
                let name = format!("{} {}", view_word(style.language, kind), if row == 0 { "A" } else { "B" });
                view(page, style, &name, at, unit, chance);
            }
        }
        _ => {
            view(page, style, title, (x, y, 0.75 * wide, high), unit, chance);
            rooms(page, style, (x + 0.1 * wide, y + 0.25 * high, 0.55 * wide, 0.6 * high), unit, chance);
            notes(page, style, (x + 0.77 * wide, y + 0.3 * high, 0.22 * wide, 0.7 * high), unit, 1);
        }
    }
}

/// Returns the word for a view of a drawing type.
fn view_word(language: Language, kind: &str) -> &'static str {
    let words = match language {
        Language::English => ["DETAIL", "WALL SECTION", "INTERIOR ELEVATION", "RISER", "ELEVATION", "SECTION"],
        Language::Spanish => ["DETALLE", "SECCIÓN", "ALZADO INTERIOR", "ESQUEMA", "ALZADO", "SECCIÓN"],
        Language::French => ["DÉTAIL", "COUPE", "ÉLÉVATION INTÉRIEURE", "SCHÉMA", "ÉLÉVATION", "COUPE"],
        Language::German => ["Detail", "Fassadenschnitt", "Wandabwicklung", "Schema", "Ansicht", "Schnitt"],
        Language::Portuguese => ["PORMENOR", "CORTE", "ALÇADO INTERIOR", "ESQUEMA", "ALÇADO", "CORTE"],
        Language::Turkish => ["DETAY", "KESİT", "İÇ GÖRÜNÜŞ", "ŞEMA", "GÖRÜNÜŞ", "KESİT"],
        Language::Italian => ["PARTICOLARE", "SEZIONE", "PROSPETTO INTERNO", "SCHEMA", "PROSPETTO", "SEZIONE"],
        Language::Swedish => ["Detalj", "Sektion", "Invändig vy", "Schema", "Fasad", "Sektion"],
        Language::Dutch => ["Detail", "Doorsnede", "Wandaanzicht", "Schema", "Gevel", "Doorsnede"],
    };
    let at =
        ["details", "wall_sections", "interior_elevations", "diagrams", "exterior_elevations", "building_sections"];
    at.iter().position(|other| *other == kind).and_then(|at| words.get(at)).copied().unwrap_or_default()
}

/// Draws a view with its mark, title, scale and dimensions.
fn view(page: &mut Page, style: &Style, name: &str, (x, y, wide, high): Field, unit: f32, chance: &mut Chance) {
    let (bold, plain) = (Face::new(style.family, true), Face::new(style.family, false));
    let left = x + 4.0 * unit;
    let foot = y + 5.0 * unit;
    let size = 1.6 * unit;
    let fitting = (size * 0.85 * wide / bold.width(name, size).max(1.0)).min(size);
    page.text(left, foot, bold, 2.0 * unit, &chance.between(1, 9).to_string());
    page.text(left + 4.0 * unit, foot, bold, fitting, name);
    page.stroke((left, foot - 0.6 * unit), (left + 0.6 * wide, foot - 0.6 * unit), 1.2);
    page.text(left + 4.0 * unit, foot - 1.8 * unit, plain, 0.9 * unit, &scale(style.language, chance));
    let (low, top, right) = (foot + 4.0 * unit, y + high - 5.0 * unit, x + wide - 4.0 * unit);
    for at in 0..chance.between(6, 16) {
        let level = low + (top - low) * at as f32 / 16.0;
        page.stroke((left, level), (right, level), 0.5);
    }
    for at in 0..chance.between(5, 12) {
        let column = left + (right - left) * at as f32 / 12.0;
        page.stroke((column, low), (column, top), 0.5);
        let length = if style.language == Language::English {
            format!("{}'-{}\"", chance.between(2, 30), chance.between(0, 11))
        } else {
            chance.between(90, 9000).to_string()
        };
        page.text(column + 0.4 * unit, top + 0.6 * unit, plain, 0.8 * unit, &length);
        if at % 3 == 0 {
            // A mark that refers to a view on another sheet. It looks like this sheet's number.
            page.text(
                column,
                low - 1.6 * unit,
                plain,
                0.8 * unit,
                &format!("{}/A-50{}", chance.between(1, 9), chance.between(1, 9)),
            );
            page.text_upward(column - 0.3 * unit, low + 2.0 * unit, plain, 0.8 * unit, &length);
        }
    }
}

/// Draws names and numbers of rooms all over a plan.
fn rooms(page: &mut Page, style: &Style, (x, y, wide, high): Field, unit: f32, chance: &mut Chance) {
    let plain = Face::new(style.family, false);
    for index in 0..14_u32 {
        let left = x + (index % 4) as f32 * wide / 4.0 + chance.between(0, 40) as f32;
        let foot = y + (index / 4) as f32 * high / 4.0 + chance.between(0, 30) as f32;
        let name: &str = chance.pick::<&str>(style.language.rooms());
        page.text(left, foot, plain, unit, name);
        page.text(left, foot - 1.3 * unit, plain, unit, &(101 + index).to_string());
    }
}

/// Draws numbered notes below a heading.
fn notes(page: &mut Page, style: &Style, (x, y, wide, high): Field, unit: f32, times: usize) {
    let (bold, plain) = (Face::new(style.family, true), Face::new(style.family, false));
    let (heading, sentences) = style.language.notes();
    let mut baseline = y + high - 5.0 * unit;
    for _ in 0..times {
        page.text(x + 2.0 * unit, baseline, bold, 1.4 * unit, heading);
        for (index, sentence) in sentences.iter().enumerate() {
            for line in wrap(&format!("{}. {sentence}", index + 1), plain, unit, wide - 5.0 * unit, wide - 5.0 * unit) {
                baseline -= 1.5 * unit;
                if baseline > y + 2.0 * unit {
                    page.text(x + 2.0 * unit, baseline, plain, unit, &line);
                }
            }
        }
        baseline -= 4.0 * unit;
    }
}

/// Draws a ruled table below a title.
fn table(page: &mut Page, style: &Style, title: &str, (x, y, wide, high): Field, unit: f32, chance: &mut Chance) {
    let (bold, plain) = (Face::new(style.family, true), Face::new(style.family, false));
    let columns = 8;
    let each = 0.9 * wide / columns as f32;
    let mut baseline = y + high - 8.0 * unit;
    page.text(x + 4.0 * unit, baseline + 3.0 * unit, bold, 1.5 * unit, title);
    for row in 0..24 {
        for column in 0..columns {
            let cell = if row == 0 {
                ["NO.", "TYPE", "W", "H", "MAT.", "FIN.", "LABEL", "REM."][column].to_owned()
            } else {
                chance.between(1, 900).to_string()
            };
            page.text(x + 4.0 * unit + column as f32 * each, baseline, plain, unit, &cell);
        }
        page.stroke((x + 3.0 * unit, baseline - 0.5 * unit), (x + 0.93 * wide, baseline - 0.5 * unit), 0.4);
        baseline -= 2.0 * unit;
        if baseline < y + 4.0 * unit {
            break;
        }
    }
}

/// Draws the large lettering of a cover. The caller takes its text from the project.
fn cover(page: &mut Page, style: &Style, (x, y, wide, high): Field, unit: f32) {
    let bold = Face::new(style.family, true);
    page.text_centred(x + wide / 2.0, y + 0.7 * high, bold, 5.0 * unit, "CONSTRUCTION DOCUMENTS");
    page.text_centred(x + wide / 2.0, y + 0.6 * high, bold, 2.5 * unit, "ISSUED FOR BID");
}

/// Draws the list of a set's sheets.
pub(super) fn index(page: &mut Page, style: &Style, sheets: &[(String, String)], (x, y, wide, high): Field) {
    let unit = (page.height / 190.0).max(5.0);
    let (bold, plain) = (Face::new(style.family, true), Face::new(style.family, false));
    page.text(x + 0.5 * wide, y + 0.55 * high, bold, 1.5 * unit, "DRAWING LIST");
    for (index, (number, title)) in sheets.iter().enumerate() {
        let baseline = y + 0.55 * high - (index as f32 + 1.5) * 1.5 * unit;
        if baseline < y + 2.0 * unit {
            break;
        }
        page.text(x + 0.5 * wide, baseline, plain, unit, number);
        page.text(x + 0.5 * wide + 12.0 * unit, baseline, plain, unit, title);
    }
}

/// Makes a page of a specification on Letter paper.
pub(super) fn specification(style: &Style, at: u32) -> Page {
    let mut page = Page { width: 612.0, height: 792.0, rotate: 0, marks: Vec::new() };
    let (bold, plain) = (Face::new(style.family, true), Face::new(style.family, false));
    page.text_centred(306.0, 720.0, bold, 11.0, "SECTION 08 11 13");
    page.text_centred(306.0, 704.0, bold, 11.0, "HOLLOW METAL DOORS AND FRAMES");
    let mut baseline = 676.0;
    for (part, title) in ["GENERAL", "PRODUCTS", "EXECUTION"].iter().enumerate() {
        page.text(72.0, baseline, bold, 10.0, &format!("PART {} - {title}", part + 1));
        baseline -= 18.0;
        for (index, sentence) in ENGLISH_NOTES.iter().enumerate() {
            page.text(90.0, baseline, plain, 10.0, &format!("{}. {sentence}", char::from(b'A' + index as u8)));
            baseline -= 14.0;
        }
        baseline -= 12.0;
    }
    page.text_centred(306.0, 40.0, plain, 9.0, &format!("08 11 13 - {at}"));
    page
}

/// Makes a letter on Letter paper.
pub(super) fn letter(style: &Style) -> Page {
    let mut page = Page { width: 612.0, height: 792.0, rotate: 0, marks: Vec::new() };
    let plain = Face::new(style.family, false);
    let text = [
        "March 14, 2025",
        "",
        "City of Arden, Building Department",
        "210 Market Street",
        "",
        "RE: Permit application for the library addition",
        "",
        "Dear Ms. Harlan,",
        "",
        "Enclosed please find the drawings and the specification for the project named above.",
        "We have answered the comments of your review of February 3 on the sheets that they",
        "were made on, and marked each change with a cloud.",
        "",
        "Please call us with any questions.",
        "",
        "Sincerely,",
        "",
        "Ilse Varga, Architect",
    ];
    let mut baseline = 700.0;
    for line in text {
        page.text(72.0, baseline, plain, 11.0, line);
        baseline -= 16.0;
    }
    page
}
