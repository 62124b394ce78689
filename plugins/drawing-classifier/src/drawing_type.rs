//! The type of a sheet from its title, in the languages of the vocabularies `drawings/`: English, Spanish, French, German, Portuguese,
//! Turkish, Italian, Dutch, Swedish, Danish, Norwegian, Finnish, Polish, Malay, Indonesian, Hebrew, Arabic and, with fewer words,
//! others.
//!
//! A title names one or several things: "FLOOR PLANS, BUILDING SECTIONS AND DETAILS". It is split
//! into the parts of that list. Each part has a noun that says what is drawn (plan, elevation,
//! section, detail, schedule), and the words beside it say of what. A part without a noun takes
//! that of the next part: "CEILING AND LIGHTING PLAN". The first thing named is the sheet's type. A
//! storey alone ("LEVEL 2") counts only if nothing else is named.

use std::collections::HashSet;

use fanlight_text::vocabulary::{Phrasebook, Vocabulary};
use fanlight_text::words as vocabularies;

use crate::result::DrawingType;
use crate::words::words;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noun {
    Plan,
    Elevation,
    Section,
    Detail,
    Schedule,
    Diagram,
    Notes,
    Cover,
    Index,
    Ceiling,
    Picture,
}

/// A part of a title.
struct Part {
    words: Vec<String>,
    noun: Option<Noun>,
}

impl Part {
    /// Returns whether it says what is drawn, rather than only of what.
    fn tells(&self) -> bool {
        self.noun.is_some() || names_storey(&self.words) || by_phrase(&self.words).is_some()
    }
}

/// Returns the types that a title names, the most specific first; empty if it names none.
pub(crate) fn types_named(title: &str) -> Vec<DrawingType> {
    let parts = parts(title);
    let (mut told, mut vague) = (Vec::new(), Vec::new());
    // The position in the list of a plan without a word for what it shows.
    let mut bare: Option<usize> = None;
    for (index, part) in parts.iter().enumerate() {
        let next = parts[index + 1..].iter().find_map(|part| part.noun);
        let before = parts[..index].iter().rev().find_map(|part| part.noun);
        let noun = part.noun.or(next).or(before);
        let own = part.noun.is_some();
        match (noun, own, specific(&part.words, noun)) {
            // A noun further on applies to this part only if the part says what is shown.
            (Some(noun), false, Some(kind)) if noun != Noun::Plan && kind == unqualified(noun) => vague.push(kind),
            // A sheet with a picture of the building and a drawing is the drawing's.
            (_, _, Some(DrawingType::Other)) => vague.push(DrawingType::Other),
            (_, _, Some(kind)) => told.push(kind),
            (Some(Noun::Plan), true, None) => {
                if !vocabularies::OF_STOREY.matches_any(&part.words) {
                    bare.get_or_insert(told.len());
                }
                told.push(DrawingType::FloorPlan);
            }
            (Some(Noun::Plan) | None, false, None) if names_storey(&part.words) => {
                vague.push(DrawingType::FloorPlan);
            }
            _ => {}
        }
    }
    // "PLANS 1 & 2 (CEILING)": the words after the noun say what the plans show.
    if let Some(at) = bare
        && let Some(later) = told[at..].iter().position(|kind| kind.is_plan() && *kind != DrawingType::FloorPlan)
    {
        told[at..=at + later].rotate_right(1);
    }
    told.extend(vague);
    let mut known = HashSet::new();
    told.retain(|kind| known.insert(*kind));
    told
}

/// Returns whether a text names the content of a sheet: a drawing or a storey, not only what one might show.
pub(crate) fn names_content(text: &str) -> bool {
    (parts(text).iter().any(Part::tells) || words(text) == ["DEMOLITION"]) && !types_named(text).is_empty()
}

/// Returns whether a text has a noun for a drawing, not only a storey: "LEVEL 2 PLAN", but not "LEVEL 2".
pub(crate) fn names_drawing(text: &str) -> bool {
    names_content(text) && parts(text).iter().any(|part| part.noun.is_some())
}

/// Returns whether words name a storey, not a height in a section: "GROUND LEVEL", but not "NATURAL GROUND LEVEL".
fn names_storey(words: &[String]) -> bool {
    vocabularies::OF_STOREY.matches_any(words) && !vocabularies::DATUMS.matches_any(words)
}

fn parts(title: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let commas = title.split([',', ';', '&', '+', '/', '|', ':', '(', ')']).flat_map(|piece| piece.split(" - "));
    for piece in commas.flat_map(|piece| piece.split(" – ")).flat_map(sentences) {
        let words = words(piece);
        for listed in words.split(|word| vocabularies::CONJUNCTIONS.matches(word)) {
            if !listed.is_empty() {
                parts.push(Part { noun: noun(listed), words: listed.to_vec() });
            }
        }
    }
    parts
}

/// The fewest letters of a word whose full stop ends a sentence. Shorter ones are abbreviated more often: "FL. PLAN".
const MIN_LETTERS_BEFORE_STOP: usize = 5;

/// Splits a text at full stops: "Фасад 1-9. Ведомость отделки".
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let stop = text.match_indices(". ").map(|(at, _)| at).find(|at| ends_sentence(&text[..*at]));
        let Some(stop) = stop else { return Some(text) };
        rest = Some(&text[stop + 1..]);
        Some(&text[..stop])
    })
}

/// Returns whether a full stop after a text ends a sentence rather than an abbreviation.
fn ends_sentence(text: &str) -> bool {
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let letters = last.chars().filter(|c| c.is_alphabetic()).count();
    letters >= MIN_LETTERS_BEFORE_STOP || last.contains('-') && last.ends_with(|c: char| c.is_alphanumeric())
}

/// Returns the noun that a word is; the first of several.
fn noun_of_word(word: &str) -> Option<Noun> {
    if vocabularies::STAGES.matches(word) {
        return None;
    }
    let nouns: [(Noun, &Vocabulary); 11] = [
        (Noun::Ceiling, &vocabularies::DRAWING_CEILING),
        (Noun::Cover, &vocabularies::DRAWING_COVER),
        (Noun::Index, &vocabularies::DRAWING_INDEX),
        (Noun::Detail, &vocabularies::DRAWING_DETAIL),
        (Noun::Schedule, &vocabularies::DRAWING_SCHEDULE),
        (Noun::Diagram, &vocabularies::DRAWING_DIAGRAM),
        (Noun::Section, &vocabularies::DRAWING_SECTION),
        (Noun::Elevation, &vocabularies::DRAWING_ELEVATION),
        (Noun::Notes, &vocabularies::DRAWING_NOTES),
        (Noun::Picture, &vocabularies::DRAWING_PICTURE),
        (Noun::Plan, &vocabularies::DRAWING_PLAN),
    ];
    nouns.into_iter().find(|(_, vocabulary)| vocabulary.matches(word)).map(|(noun, _)| noun)
}

/// Returns the noun that a word is before the next one: "ŘEZ A-A" is a section in Czech and Slovak, "REZ-DE-CHAUSSÉE" a storey
/// in French.
fn noun_before(word: &str, next: Option<&String>) -> Option<Noun> {
    let is_czech_section = word == "REZ" && next.is_none_or(|next| next != "DE");
    noun_of_word(word).or(is_czech_section.then_some(Noun::Section))
}

/// Returns what a part says is drawn: a drawing other than a plan before a plan, otherwise the last word for one, or the
/// first if the language puts it first.
fn noun(words: &[String]) -> Option<Noun> {
    let nexts = words.iter().skip(1).map(Some).chain([None]);
    let found: Vec<Noun> = words.iter().zip(nexts).filter_map(|(word, next)| noun_before(word, next)).collect();
    let drawn: Vec<Noun> = found.iter().copied().filter(|noun| *noun != Noun::Plan).collect();
    // A detail of an elevation or a section is a detail, in any order of the words.
    if drawn.contains(&Noun::Detail)
        && drawn.iter().all(|noun| matches!(noun, Noun::Detail | Noun::Elevation | Noun::Section))
    {
        return Some(Noun::Detail);
    }
    let first = vocabularies::PREPOSITIONS.matches_any(words);
    let of = if drawn.is_empty() { &found } else { &drawn };
    if first { of.first().copied() } else { of.last().copied() }
}

/// Returns the type that a phrase among words names, whatever their nouns.
fn by_phrase(words: &[String]) -> Option<DrawingType> {
    let phrases: [(&Phrasebook, DrawingType); 6] = [
        (&vocabularies::LIFE_SAFETY_PHRASES, DrawingType::LifeSafetyPlan),
        (&vocabularies::COVER_PHRASES, DrawingType::Cover),
        (&vocabularies::INDEX_PHRASES, DrawingType::Index),
        (&vocabularies::NOTES_PHRASES, DrawingType::GeneralNotes),
        (&vocabularies::DIAGRAM_PHRASES, DrawingType::Diagrams),
        (&vocabularies::PICTURE_PHRASES, DrawingType::Other),
    ];
    phrases.into_iter().find(|(phrases, _)| phrases.matches(words)).map(|(_, kind)| kind)
}

/// Returns the type that the words of a part name, apart from storeys.
fn specific(words: &[String], noun: Option<Noun>) -> Option<DrawingType> {
    let has = |vocabulary: &Vocabulary| vocabulary.matches_any(words);
    if let Some(kind) = by_phrase(words) {
        return Some(kind);
    }
    match noun {
        Some(Noun::Section) if has(&vocabularies::OF_WALL) => Some(DrawingType::WallSections),
        Some(Noun::Elevation) if has(&vocabularies::OF_ROOF) => Some(DrawingType::RoofPlan),
        Some(Noun::Elevation) if has(&vocabularies::OF_INTERIOR) => Some(DrawingType::InteriorElevations),
        Some(Noun::Plan) | None => plan(words),
        Some(noun) => Some(unqualified(noun)),
    }
}

/// Returns the type of a noun alone.
fn unqualified(noun: Noun) -> DrawingType {
    match noun {
        Noun::Plan => DrawingType::FloorPlan,
        Noun::Elevation => DrawingType::ExteriorElevations,
        Noun::Section => DrawingType::BuildingSections,
        Noun::Detail => DrawingType::Details,
        Noun::Schedule => DrawingType::Schedules,
        Noun::Diagram => DrawingType::Diagrams,
        Noun::Notes => DrawingType::GeneralNotes,
        Noun::Cover => DrawingType::Cover,
        Noun::Index => DrawingType::Index,
        Noun::Ceiling => DrawingType::ReflectedCeilingPlan,
        Noun::Picture => DrawingType::Other,
    }
}

/// Returns the type of a plan by what it shows. The order matters: a roof framing plan is a framing
/// plan.
fn plan(words: &[String]) -> Option<DrawingType> {
    let kinds: [(&Vocabulary, DrawingType); 10] = [
        (&vocabularies::OF_DEMOLITION, DrawingType::DemolitionPlan),
        (&vocabularies::OF_CEILING, DrawingType::ReflectedCeilingPlan),
        (&vocabularies::OF_FOUNDATION, DrawingType::FoundationPlan),
        (&vocabularies::OF_FRAMING, DrawingType::FramingPlan),
        (&vocabularies::OF_SAFETY, DrawingType::LifeSafetyPlan),
        (&vocabularies::OF_ENLARGED, DrawingType::EnlargedPlan),
        (&vocabularies::OF_ROOF, DrawingType::RoofPlan),
        (&vocabularies::OF_FINISH, DrawingType::FinishPlan),
        (&vocabularies::OF_STRUCTURAL, DrawingType::StructuralPlan),
        (&vocabularies::OF_SITE, DrawingType::SitePlan),
    ];
    kinds.into_iter().find(|(patterns, _)| patterns.matches_any(words)).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::DrawingType::*;

    #[test]
    fn a_title_says_what_is_drawn() {
        for (title, expected) in [
            ("SECOND FLOOR PLAN - E", FloorPlan),
            ("PODIUM FLOOR PLAN", FloorPlan),
            ("LEVEL 2", FloorPlan),
            ("CEILING, LIGHTING & SPEAKER PLAN", ReflectedCeilingPlan),
            ("RCP FOURTH FLOOR", ReflectedCeilingPlan),
            ("3RD FLOOR - WING C DEMOLITION / EXISTING PLANS", DemolitionPlan),
            ("FOUNDATION AND CELLAR FRAMING PLAN", FoundationPlan),
            ("ROOF FRAMING PLAN", FramingPlan),
            ("ROOF DETAILS", Details),
            ("NORTH AND EAST ELEVATIONS", ExteriorElevations),
            ("ENLARGED PANTRY PLANS WITH INTERIOR ELEVATIONS", EnlargedPlan),
            ("INTERIOR ELEVATIONS", InteriorElevations),
            ("WALL SECTIONS", WallSections),
            ("SECTION A-A & SECTION B-B", BuildingSections),
            ("WINDOW & ROOM COLOUR SCHEDULE", Schedules),
            ("ONE-LINE DIAGRAM", Diagrams),
            ("GRADING AND DRAINAGE PLAN", SitePlan),
            ("PLUMBING PLAN - LEVEL 4", FloorPlan),
            ("LIFE SAFETY PLAN", LifeSafetyPlan),
            ("TITLE SHEET", Cover),
            ("TITLE PAGE", Cover),
            ("COVER SHEET", Cover),
            ("DRAWING REGISTER", Index),
            ("PLANTA DE CUBIERTAS", RoofPlan),
            ("DETALLES DE SECCIÓN", Details),
            ("PLAN DE MASSE", SitePlan),
            ("COUPES LONGITUDINALES", BuildingSections),
            ("Grundriss 1. Obergeschoss", FloorPlan),
            ("Ansicht Nord", ExteriorElevations),
            ("Türliste", Schedules),
            ("ÇATI PLANI", RoofPlan),
            ("ARDEN ELEMENTARY SCHOOL - WALL SECTIONS", WallSections),
            ("Details gevel", Details),
            ("PLANS 1 & 2 (FLOOR FINISHES)", FinishPlan),
            ("PLANS WITH DETAILS", FloorPlan),
            ("Voorgevel en achtergevel", ExteriorElevations),
            ("PROSPETTI NORD E SUD", ExteriorElevations),
            ("CABINET ELEVATIONS", InteriorElevations),
            ("ACCESSIBILITY STANDARDS", GeneralNotes),
            ("SITUATIONSPLAN", SitePlan),
            ("FASADER MOT NORR OCH VÄSTER", ExteriorElevations),
            ("TVÆRSNIT A-A", BuildingSections),
            ("Undertaksplan", ReflectedCeilingPlan),
            ("TAKPLAN", RoofPlan),
            ("Julkisivut pohjoiseen", ExteriorElevations),
            ("Dörrförteckning", Schedules),
            ("RZUT PARTERU", FloorPlan),
            ("MEMORIA DE CARPINTERÍA", Schedules),
            ("3D Views", Other),
            ("ŘEZ A-A", BuildingSections),
            ("Plan du rez-de-chaussée", FloorPlan),
            ("STAIR 2 - PLANS AND SECTIONS", EnlargedPlan),
            ("PERSPECTIVE, SITE DEVELOPMENT PLAN", SitePlan),
            ("Фасад 1-9. Ведомость отделки", ExteriorElevations),
            ("ELECT. PLAN", FloorPlan),
            ("Общие данные", GeneralNotes),
            ("PLANTA DE FORRO", ReflectedCeilingPlan),
            ("Decke über Erdgeschoss", StructuralPlan),
        ] {
            assert_eq!(types_named(title).first(), Some(&expected), "{title}: {:?}", types_named(title));
        }
        assert!(names_content("GROUND LEVEL") && !names_content("NATURAL GROUND LEVEL"));
        for nothing in ["MUNICIPALITY OF ARDEN", "03/14/2025", "", "VARGA STOLL ARCHITECTS", "EINREICHPLAN"] {
            assert!(types_named(nothing).is_empty(), "{nothing}");
        }
    }
}
