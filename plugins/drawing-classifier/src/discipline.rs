//! The discipline of a sheet: by the title's own word for it, otherwise by the letters of the
//! number, otherwise by what is drawn.
//!
//! The letters are those of the National CAD Standard (UDS module 1) and others in common use. A
//! title that names a discipline decides. Words that sheets of any discipline may use ("LIGHTING",
//! "FRAMING") count only if the letters say nothing.

use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words as vocabularies;

use crate::result::{Discipline, DrawingType};
use crate::words::words;

/// Returns the vocabularies of the disciplines' own names, in the order in which they decide.
fn named() -> [(Discipline, &'static Vocabulary); 6] {
    [
        (Discipline::Landscape, &vocabularies::LANDSCAPE),
        (Discipline::Plumbing, &vocabularies::PLUMBING),
        (Discipline::Electrical, &vocabularies::ELECTRICAL),
        (Discipline::Mechanical, &vocabularies::MECHANICAL),
        (Discipline::Structural, &vocabularies::STRUCTURAL),
        (Discipline::Civil, &vocabularies::CIVIL),
    ]
}

/// Returns the vocabularies of words that hint at a discipline and leave some doubt, in the order in which they decide.
fn hinted() -> [(Discipline, &'static Vocabulary); 4] {
    [
        (Discipline::Electrical, &vocabularies::ELECTRICAL_HINTS),
        (Discipline::Plumbing, &vocabularies::PLUMBING_HINTS),
        (Discipline::Mechanical, &vocabularies::MECHANICAL_HINTS),
        (Discipline::Interiors, &vocabularies::INTERIORS_HINTS),
    ]
}

/// The meaning of a number's letters: a code of the National CAD Standard (UDS module 1), and others in common use. Longer
/// ones precede the letter that they begin with.
#[rustfmt::skip]
const PREFIXES: &[(&str, Discipline)] = &[
    ("FA", Discipline::Fire), ("FP", Discipline::Fire), ("FS", Discipline::Fire), ("FX", Discipline::Fire),
    ("ID", Discipline::Interiors), ("EL", Discipline::Electrical), ("LS", Discipline::Architectural), ("TA", Discipline::Electrical),
    ("A", Discipline::Architectural), ("B", Discipline::Civil), ("C", Discipline::Civil),
    ("E", Discipline::Electrical), ("F", Discipline::Fire), ("G", Discipline::Architectural), ("H", Discipline::Other),
    ("I", Discipline::Interiors), ("L", Discipline::Landscape), ("M", Discipline::Mechanical), ("P", Discipline::Plumbing),
    ("Q", Discipline::Other), ("S", Discipline::Structural), ("T", Discipline::Electrical), ("V", Discipline::Civil),
];

/// Beginnings of three or more letters that stand for a discipline rather than a phase ("PRO-03",
/// "APD-101").
#[rustfmt::skip]
const WORDS: &[(&str, Discipline)] = &[
    ("ARC", Discipline::Architectural), ("ARQ", Discipline::Architectural), ("ARK", Discipline::Architectural), ("STR", Discipline::Structural),
    ("EST", Discipline::Structural), ("ELE", Discipline::Electrical), ("ELC", Discipline::Electrical), ("MEC", Discipline::Mechanical),
    ("HVA", Discipline::Mechanical), ("CVC", Discipline::Mechanical), ("HLS", Discipline::Mechanical), ("PLU", Discipline::Plumbing),
    ("PLB", Discipline::Plumbing), ("CIV", Discipline::Civil), ("LAN", Discipline::Landscape), ("PAY", Discipline::Landscape),
    ("INT", Discipline::Interiors), ("FPR", Discipline::Fire),
];

/// Returns the discipline of a sheet from its title, the letters of its number and its type.
pub(crate) fn from_title(title: &str, prefix: &str, kind: DrawingType) -> Discipline {
    let words = words(title);
    if vocabularies::FIRE.matches(&words) {
        return Discipline::Fire;
    }
    if let Some((discipline, _)) = named().into_iter().find(|(_, names)| names.matches_any(&words)) {
        return discipline;
    }
    // "T-001" is a title sheet far more often than the first sheet of telecommunications.
    let first_of_set = matches!(kind, DrawingType::Cover | DrawingType::Index | DrawingType::GeneralNotes);
    if let Some(discipline) = by_prefix(prefix).filter(|_| !(prefix == "T" && first_of_set)) {
        return discipline;
    }
    match kind {
        DrawingType::StructuralPlan | DrawingType::FoundationPlan | DrawingType::FramingPlan => Discipline::Structural,
        _ => hinted()
            .into_iter()
            .find(|(_, hints)| hints.matches_any(&words))
            .map_or(Discipline::Architectural, |(discipline, _)| discipline),
    }
}

fn by_prefix(prefix: &str) -> Option<Discipline> {
    // "DO" and "DD" are phases, and "D" is demolition as often as process. "SK" is a sketch of any discipline.
    if prefix == "SK" {
        return None;
    }
    let known = if prefix.len() <= 2 { PREFIXES } else { WORDS };
    known.iter().find(|(letters, _)| prefix.starts_with(letters)).map(|(_, discipline)| *discipline)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_outranks_the_letters_of_the_number() {
        for (title, prefix, kind, expected) in [
            ("FLOOR PLAN", "A", DrawingType::FloorPlan, Discipline::Architectural),
            ("PLUMBING PLAN", "A", DrawingType::FloorPlan, Discipline::Plumbing),
            ("CEILING AND LIGHTING PLAN", "A", DrawingType::ReflectedCeilingPlan, Discipline::Architectural),
            ("LIGHTING PLAN", "", DrawingType::FloorPlan, Discipline::Electrical),
            ("DETAILS", "MP", DrawingType::Details, Discipline::Mechanical),
            ("DETAILS", "FP", DrawingType::Details, Discipline::Fire),
            ("FIRE ALARM PLAN", "E", DrawingType::FloorPlan, Discipline::Fire),
            ("FOUNDATION PLAN", "", DrawingType::FoundationPlan, Discipline::Structural),
            ("PLAN DE TOITURE", "PRO", DrawingType::RoofPlan, Discipline::Architectural),
            ("DETAILS", "STR", DrawingType::Details, Discipline::Structural),
            ("Gevelaanzichten", "DO", DrawingType::ExteriorElevations, Discipline::Architectural),
            ("Detail at Canopy", "SK", DrawingType::Details, Discipline::Architectural),
            ("GENERAL NOTES", "T", DrawingType::GeneralNotes, Discipline::Architectural),
        ] {
            assert_eq!(from_title(title, prefix, kind), expected, "{title}");
        }
    }
}
