//! What lines that are neither sections nor divisions say about the lines below them.

use super::titles;
use fanlight_masterformat::numbers;
use fanlight_text::folding::{fold, squeeze};

/// What a line announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The contents itself: "Table of Contents", "Table des matières".
    Contents,
    /// A volume, of which each may have its own contents.
    Volume,
    /// Lists that a manual's contents goes on with, whose lines are no sections: drawings, appendices, reports.
    Foreign,
    /// The body of a section.
    Body,
    /// "PART 1 - GENERAL": a section's body, or a contents that lists the parts of each section.
    Part,
    /// Nothing that is known.
    Plain,
}

/// Headings of a contents, as letters without spaces.
const CONTENTS: [&str; 12] = [
    "TABLEOFCONTENTS",
    "TABLEOFCONTENT",
    "CONTENTS",
    "LISTOFCONTENTS",
    "TOC",
    "INDEX",
    "SOMMAIRE",
    "INDICE",
    "INDICEGENERAL",
    "CONTENIDO",
    "SUMARIO",
    "INHALTSVERZEICHNIS",
];

/// A contents by any other name: a list ("Index", "Liste"), and of what ("Specifications", "Devis").
const LISTS: [&str; 8] = ["INDEX", "INDICE", "LIST", "SCHEDULE", "CONTENTS", "CONTENIDO", "TABLE", "TABLA"];
const LISTED: [&str; 8] =
    ["SPECIFICATION", "SECTION", "PROJECTMANUAL", "DEVIS", "CAHIER", "ESPECIFICACION", "SECCION", "MANUAL"];
/// Names of a contents that stand within longer headings.
const WITHIN: [&str; 3] = ["TABLEOFCONTENTS", "TABLEDESMATIERES", "TABLADECONTENIDO"];

/// Beginnings of headings, folded, whose lists hold no sections.
const FOREIGN: [&str; 54] = [
    "LIST OF DRAWING",
    "LIST OF SHEET",
    "LIST OF CONTRACT DRAWING",
    "LIST OF APPENDI",
    "LIST OF ATTACHMENT",
    "LIST OF EXHIBIT",
    "LIST OF FIGURE",
    "LIST OF TABLES",
    "LIST OF DETAILS",
    "LIST OF STANDARD",
    "LIST OF PLANS",
    "DRAWING LIST",
    "DRAWING INDEX",
    "DRAWINGS INDEX",
    "DRAWINGS LIST",
    "DRAWINGS",
    "CONTRACT DRAWINGS",
    "SHEET INDEX",
    "SHEET LIST",
    "INDEX OF DRAWING",
    "INDEX OF SHEET",
    "INDEX TO DRAWING",
    "SCHEDULE OF DRAWING",
    "STANDARD DRAWING",
    "STANDARD DETAIL",
    "APPENDI",
    "EXHIBIT",
    "ATTACHMENT",
    "ANNEX",
    "REPORTS",
    "REFERENCE DOCUMENT",
    "REFERENCE MATERIAL",
    "INFORMATION AVAILABLE",
    "INFORMATIONAL DOCUMENT",
    "AVAILABLE INFORMATION",
    "AVAILABLE PROJECT INFORMATION",
    "SUPPLEMENTAL INFORMATION",
    "SUPPLEMENTARY DOCUMENT",
    "SUPPLEMENTAL DOCUMENT",
    "LISTE DES DESSIN",
    "LISTE DES PLAN",
    "LISTE DES ANNEX",
    "INDEX DES DESSIN",
    "INDEX DES PLAN",
    "DESSINS",
    "LISTA DE PLANOS",
    "LISTA DE DIBUJOS",
    "INDICE DE PLANOS",
    "ANEXO",
    "PIECE JOINTE",
    "PIECES JOINTES",
    "ADJUNTO",
    "LISTA DE LAMINAS",
    "APENDICE",
];

/// Beginnings of lines, folded, that only a section's body has.
const BODY: [&str; 3] = ["END OF SECTION", "FIN DE LA SECTION", "FIN DE SECCION"];

/// Words, folded, for a part of a section.
const PART: [&str; 3] = ["PART ", "PARTIE ", "PARTE "];

/// What a line announces.
pub(crate) fn kind(line: &str) -> Kind {
    let folded = fold(line);
    let folded = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    if BODY.iter().any(|mark| folded.starts_with(mark)) || is_article(folded) {
        return Kind::Body;
    }
    if is_part(folded) {
        return Kind::Part;
    }
    if folded.chars().count() > 90 {
        return Kind::Plain;
    }
    if is_contents(line) {
        return Kind::Contents;
    }
    if FOREIGN.iter().any(|beginning| folded.starts_with(beginning)) || is_other_list(folded) {
        return Kind::Foreign;
    }
    if ["VOLUME ", "VOL. ", "VOL ", "BOOK ", "TOME ", "TOMO "].iter().any(|word| folded.starts_with(word)) {
        return Kind::Volume;
    }
    Kind::Plain
}

/// Lists of what sections ask for: "SUBMITTAL REGISTER", "LIST OF SUBMITTALS", "WARRANTY SCHEDULE"; and "SHOP STANDARD
/// DETAILS". No more words than a heading has.
fn is_other_list(folded: &str) -> bool {
    let lists = ["REGISTER", "SCHEDULE", "LOG", "LIST", "INDEX", "CHECKLIST"];
    let listed =
        ["SUBMITTAL", "SUBMITTALS", "WARRANTY", "WARRANTIES", "CLOSEOUT", "INSPECTIONS", "MOCKUPS", "SAMPLES", "TESTS"];
    let words: Vec<&str> = folded.split(' ').collect();
    let is_list = words.len() <= 5
        && words.iter().any(|word| listed.contains(word))
        && (words.last().is_some_and(|last| lists.contains(last)) || folded.starts_with("LIST OF "));
    let inspections = folded.starts_with("SCHEDULE OF ") && words.iter().any(|word| listed.contains(word));
    let details = words.len() <= 4 && (folded.ends_with("STANDARD DETAILS") || folded.ends_with("STANDARD DRAWINGS"));
    is_list || inspections || details
}

/// Whether a text is a contents' heading or title.
pub(crate) fn is_contents(text: &str) -> bool {
    let text = numbers::leading(text).map_or(text, |(_, rest)| rest);
    let letters = squeeze(titles::without_continued(text));
    let letters = letters.trim_end_matches(|c: char| c.is_ascii_digit());
    let has = |words: &[&str]| words.iter().any(|word| letters.contains(word));
    let names_a_list = LISTS.iter().any(|list| letters.starts_with(list) || letters.ends_with(list));
    CONTENTS.contains(&letters)
        || (letters.len() <= 60 && has(&WITHIN))
        || (letters.len() <= 40 && names_a_list && has(&LISTED))
}

/// "PART 1 - GENERAL", "PART II", "PARTIE 3 EXÉCUTION".
fn is_part(folded: &str) -> bool {
    let Some(rest) = PART.iter().find_map(|word| folded.strip_prefix(word)) else { return false };
    let number = rest.split([' ', '-', ':', '.']).next().unwrap_or_default();
    matches!(number, "1" | "2" | "3" | "I" | "II" | "III" | "ONE" | "TWO" | "THREE")
}

/// "1.1 SUMMARY", "1.01 Section includes".
fn is_article(folded: &str) -> bool {
    let Some((part, rest)) = folded.split_once('.') else { return false };
    let figures = rest.bytes().take_while(u8::is_ascii_digit).count();
    matches!(part, "1" | "2" | "3") && (1..=2).contains(&figures) && rest[figures..].starts_with([' ', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_known_by_what_they_announce() {
        let cases = [
            ("TABLE OF CONTENTS", Kind::Contents),
            ("T A B L E  O F  C O N T E N T S", Kind::Contents),
            ("SECTION 00 01 10 - TABLE OF CONTENTS", Kind::Contents),
            ("TABLE DES MATIÈRES", Kind::Contents),
            ("INDEX OF SPECIFICATIONS", Kind::Contents),
            ("SPECIFICATIONS INDEX", Kind::Contents),
            ("LIST OF SECTIONS", Kind::Contents),
            ("INDEX DU DEVIS", Kind::Contents),
            ("ÍNDICE DE ESPECIFICACIONES", Kind::Contents),
            ("SECTION 08 71 00 - DOOR HARDWARE", Kind::Plain),
            ("PROJECT MANUAL TABLE OF CONTENTS (CONT.)", Kind::Contents),
            ("LIST OF DRAWINGS (in a roll of their own, issued 06 02 21)", Kind::Foreign),
            ("LISTE DES DESSINS", Kind::Foreign),
            ("ANNEXES", Kind::Foreign),
            ("SUBMITTAL REGISTER", Kind::Foreign),
            ("Schedule of Special Inspections", Kind::Foreign),
            ("SHOP STANDARD DETAILS", Kind::Foreign),
            ("SCHEDULE OF SECTIONS", Kind::Contents),
            ("APPENDIX A - GEOTECHNICAL REPORT", Kind::Foreign),
            ("VOLUME 2", Kind::Volume),
            ("PART 1 - GENERAL", Kind::Part),
            ("1.01 SECTION INCLUDES", Kind::Body),
            ("Facility Services Subgroup", Kind::Plain),
        ];
        for (line, wanted) in cases {
            assert_eq!(kind(line), wanted, "{line}");
        }
    }
}
