//! The part of the works that a sheet is limited to: its storey and its scope, both as printed.

use std::sync::LazyLock;

use regex::Regex;

use crate::words::fold;

/// Regular expressions of storeys in the languages of drawing types, for folded text.
#[rustfmt::skip]
const STOREYS: &[&str] = &[
    r"(?:GROUND|LOWER|UPPER|MAIN|FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|SEVENTH|EIGHTH|NINTH|TENTH|ELEVATED|TYPICAL|MEZZANINE|BASEMENT|\d{1,2}(?:ST|ND|RD|TH)) (?:FLOOR|LEVEL|STOREY|STORY)",
    r"(?:FLOORS?|LEVELS?|STOREYS?) (?:[BPLMR]?\d{1,2}|ONE|TWO|THREE|FOUR|FIVE)(?:[A-Z]\b)?(?: ?(?:-|&|TO|AND|THRU|THROUGH) ?\d{1,2}\b)?",
    r"BASEMENT(?: LEVEL)?(?: \d)?|MEZZANINE|PENTHOUSE|CRAWL ?SPACE",
    r"PLANTA (?:BAJA|ALTA|PRIMERA|SEGUNDA|TERCERA|CUARTA|TIPO|SOTANO)|(?:PRIMER|SEGUNDO|TERCER) (?:PISO|NIVEL)|(?:PISO|NIVEL|NIVEAU) -?\d{1,2}|SOTANO(?: \d)?|SEMISOTANO",
    r"REZ[- ]DE[- ]CHAUSSEE|RDC|SOUS[- ]SOL(?: \d)?|(?:PREMIER|DEUXIEME|TROISIEME|\d{1,2}(?:E|ER|EME)) ETAGE|ETAGE \d{1,2}",
    r"(?:\d{1,2}\. ?)?(?:ERD|OBER|KELLER|UNTER|DACH|ZWISCHEN|STAFFEL|TIEF)GESCHOSS|\b\d{1,2}\. ?(?:OG|UG)\b|\b(?:UG|EG|DG|KG)\b|^OG\b|\bOG$",
    r"RES[- ]DO[- ]CHAO|PISO -?\d|PAVIMENTO TERREO|TERREO|\d{1,2}[º°O]? PAVIMENTO|SUBSOLO|CAVE\b",
    r"(?:ZEMIN|BODRUM|ASMA|NORMAL|\d{1,2}\.(?: NORMAL)?) KAT",
    r"PIANO (?:TERRA|PRIMO|SECONDO|TERZO|INTERRATO|SEMINTERRATO|TIPO|COPERTURA)|SEMINTERRATO",
    r"BEGANE GROND|(?:EERSTE|TWEEDE|DERDE|VIERDE|\d{1,2}E) VERDIEPING|KELDER",
    r"(?:BOTTEN|ENTRE|\d{1,2}:?A )VANING(?:EN)?|^PLAN \d{1,2}$|STUEETAGE|STUEPLAN|\d{1,2}\. ?(?:SAL|ETASJE|KERROS)|(?:KALLAR|KALDER|KJELLER)\w*",
    r"PARTER\w*|(?:PIERWSZE|DRUGIE|TRZECIE)GO PIETRA|\d{1,2}\. ?PIETR[AO]|PIWNIC\w*",
    r"(?:TINGKAT|ARAS|LANTAI) (?:BAWAH|SATU|DUA|TIGA|\d{1,2})",
];

/// Regular expressions of parts of the works, for folded text.
#[rustfmt::skip]
const SCOPES: &[&str] = &[
    r"\b(?:AREA|SECTOR|WING|ZONE|PHASE|UNIT|BUILDING|BLOCK|TOWER|APT\.?|APARTMENT|SUITE|PART|STAIR|QUADRANT|ALTERNATE|BID PACKAGE|SEGMENT|ZONA|FASE|BLOQUE|BLOC|BLOK|HAUS|BAUTEIL|SEKTOR|EDIFICIO|BATIMENT) (?:NO\.? ?)?(?:[A-Z]|\d{1,4}[A-Z]?)\b",
    r"\b(?:NORTH|SOUTH|EAST|WEST|CLASSROOM|OFFICE|GYM) WING\b",
    r"\b(?:OVERALL|PARTIAL|TYPICAL|EXISTING|PROPOSED|DEMO)\b",
];

static STOREY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&alternatives(STOREYS)).ok());
static SCOPE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&alternatives(SCOPES)).ok());

/// Joins patterns to one.
fn alternatives(patterns: &[&str]) -> String {
    let each: Vec<String> = patterns.iter().map(|pattern| format!("(?:{pattern})")).collect();
    each.join("|")
}

/// Returns the storey that a text names, as printed.
pub(crate) fn floor(text: &str) -> Option<String> {
    found(&STOREY, text).into_iter().next()
}

/// Returns the parts of the works that a text names, as printed, in order, each once.
pub(crate) fn scope(text: &str) -> Vec<String> {
    let mut scopes = Vec::new();
    for scope in found(&SCOPE, text) {
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

/// Returns what a pattern matches in the folded text, in the text's original spelling.
fn found(pattern: &LazyLock<Option<Regex>>, text: &str) -> Vec<String> {
    let Some(regex) = LazyLock::force(pattern) else { return Vec::new() };
    // Each letter is folded by itself, so that positions in both texts correspond.
    let printed: Vec<char> = text.chars().collect();
    let folded: String = printed.iter().map(|c| fold(&c.to_string()).chars().next().unwrap_or(' ')).collect();
    let starts: Vec<usize> = folded.char_indices().map(|(at, _)| at).collect();
    let place = |byte: usize| starts.partition_point(|start| *start < byte);
    regex
        .find_iter(&folded)
        .map(|hit| printed[place(hit.start())..place(hit.end())].iter().collect::<String>().trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storeys_are_found_as_printed() {
        for (title, expected) in [
            ("3RD FLOOR - APT. 308 SECTIONS", "3RD FLOOR"),
            ("Level 3 Floor Plan", "Level 3"),
            ("RCP GROUND FLOOR", "GROUND FLOOR"),
            ("PLANTA BAJA", "PLANTA BAJA"),
            ("PLAN DU REZ-DE-CHAUSSÉE", "REZ-DE-CHAUSSÉE"),
            ("Grundriss 1. Obergeschoss", "1. Obergeschoss"),
            ("ZEMİN KAT PLANI", "ZEMİN KAT"),
            ("Plattegrond begane grond", "begane grond"),
            ("LEVEL P1 PLAN", "LEVEL P1"),
            ("FLOOR PLAN LEVELS 5-18", "LEVELS 5-18"),
            ("BOTTENVÅNING", "BOTTENVÅNING"),
        ] {
            assert_eq!(floor(title).as_deref(), Some(expected), "{title}");
        }
        for title in ["ROOF PLAN", "Facader mod nord og øst"] {
            assert_eq!(floor(title), None, "{title}");
        }
    }

    #[test]
    fn scopes_are_found_as_printed() {
        assert_eq!(scope("OVERALL FLOOR PLAN - AREA B, PHASE 2"), ["OVERALL", "AREA B", "PHASE 2"]);
        assert!(scope("ROOF PLAN").is_empty());
    }
}
