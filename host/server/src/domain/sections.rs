//! Selects the sections of a specification: codes as clients write them are looked up in its table of contents.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Digits of a section code since MasterFormat 2004.
const SECTION_DIGITS: usize = 6;

/// Why codes select no sections.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum SectionsError {
    /// A text is not a section code.
    #[error("{0:?} is not a section code")]
    InvalidCode(String),
    /// No section is named, and the table of contents has none of the named divisions.
    #[error("the codes select no section")]
    NoneResolved,
}

/// A table of contents as toc-parser stores it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Contents {
    divisions: Vec<Division>,
}

/// A division of a table of contents.
#[derive(Clone, Debug, Deserialize)]
struct Division {
    #[serde(rename = "division_code")]
    code: String,
    sections: Vec<Entry>,
}

/// A section that a table of contents lists.
#[derive(Clone, Debug, Deserialize)]
struct Entry {
    #[serde(rename = "section_code")]
    code: String,
    #[serde(rename = "section_title")]
    title: String,
}

/// A selected section, as content-extractor's parameters hold it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Section {
    /// The section code, six digits.
    #[serde(rename = "section_code")]
    code: String,
    /// The title in the table of contents; empty if that does not list the section.
    #[serde(rename = "section_title")]
    title: String,
    /// The division code, two digits.
    #[serde(rename = "division_code")]
    division: String,
}

/// The codes by which a client selects sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    sections: Vec<String>,
    divisions: Vec<String>,
}

impl Selection {
    /// Parses the codes. A division code without a digit is ignored.
    ///
    /// # Errors
    ///
    /// [`SectionsError::InvalidCode`] for the first text that is not a section code.
    pub(crate) fn parse(section_codes: &[String], division_codes: &[String]) -> Result<Self, SectionsError> {
        let sections = section_codes
            .iter()
            .map(|text| section_code(text).ok_or_else(|| SectionsError::InvalidCode(text.clone())))
            .collect::<Result<_, _>>()?;
        let divisions = division_codes.iter().filter_map(|text| division_code(text)).collect();
        Ok(Self { sections, divisions })
    }

    /// Returns the selected sections, each once: the named sections, then those of the named divisions in the order of
    /// the table of contents.
    ///
    /// A named section is selected even if the table of contents does not list it, since the body may still contain it.
    /// If several sections are listed under one code (level-4 numbers keep their first six digits), all are selected;
    /// their titles differ.
    ///
    /// # Errors
    ///
    /// [`SectionsError::NoneResolved`] if nothing is selected.
    pub(crate) fn resolve(&self, contents: &Contents) -> Result<Vec<Section>, SectionsError> {
        let named = self.sections.iter().flat_map(|code| contents.sections(code));
        let of_divisions = self.divisions.iter().flat_map(|code| contents.sections_in(code));
        let mut known = HashSet::new();
        let sections: Vec<Section> =
            named.chain(of_divisions).filter(|section| known.insert(section.clone())).collect();
        if sections.is_empty() {
            return Err(SectionsError::NoneResolved);
        }
        Ok(sections)
    }
}

impl Contents {
    /// Returns every section once, in the order of the table of contents.
    ///
    /// # Errors
    ///
    /// [`SectionsError::NoneResolved`] if there are none.
    pub(crate) fn all(&self) -> Result<Vec<Section>, SectionsError> {
        let mut known = HashSet::new();
        let sections: Vec<Section> = self.entries().filter(|section| known.insert(section.clone())).collect();
        if sections.is_empty() { Err(SectionsError::NoneResolved) } else { Ok(sections) }
    }

    /// Returns the sections listed under a code, or the code without a title if none is listed.
    fn sections(&self, code: &str) -> Vec<Section> {
        let listed: Vec<Section> = self.entries().filter(|section| section.code == code).collect();
        if listed.is_empty() {
            let division = code.chars().take(2).collect();
            return vec![Section { code: code.to_owned(), title: String::new(), division }];
        }
        listed
    }

    /// Returns the sections of a division.
    fn sections_in(&self, division: &str) -> impl Iterator<Item = Section> {
        self.entries().filter(move |section| section.division == division)
    }

    /// Returns all listed sections.
    fn entries(&self) -> impl Iterator<Item = Section> {
        self.divisions.iter().flat_map(|division| {
            division.sections.iter().map(|entry| Section {
                code: entry.code.clone(),
                title: entry.title.clone(),
                division: division.code.clone(),
            })
        })
    }
}

/// Returns the six digits of a section code in any spelling: `08 11 13`, `08.11.13`, `081113`.
///
/// A level-4 number such as `08 11 13.13` is reduced to its first six digits. Five digits are a number of MasterFormat
/// 1995, such as `08110`; a 0 is appended, as toc-parser does. None for anything else.
fn section_code(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(SECTION_DIGITS).collect();
    match digits.len() {
        SECTION_DIGITS => Some(digits),
        5 => Some(digits + "0"),
        _ => None,
    }
}

/// Returns the last two digits of a division code in any spelling: `8`, `08`, `Division 8`. None without a digit.
fn division_code(text: &str) -> Option<String> {
    let digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
    match digits.as_slice() {
        [] => None,
        [digit] => Some(format!("0{digit}")),
        [.., tens, ones] => Some(format!("{tens}{ones}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn selection(section_codes: &[&str], division_codes: &[&str]) -> Result<Selection, SectionsError> {
        let owned = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        Selection::parse(&owned(section_codes), &owned(division_codes))
    }

    fn contents() -> Contents {
        let section = |code: &str, title: &str| json!({ "section_code": code, "section_title": title });
        let contents = json!({ "pages_analyzed": 40, "divisions": [
            { "division_code": "08", "division_title": "OPENINGS", "sections": [
                section("081113", "HOLLOW METAL DOORS"), section("087100", "DOOR HARDWARE"),
                section("081113", "CUSTOM DOORS"), section("081100", "METAL DOORS"), section("087100", "DOOR HARDWARE"),
            ] },
            { "division_code": "01", "division_title": "GENERAL", "sections": [section("013300", "SUBMITTALS")] },
            { "division_code": "05", "division_title": "METALS", "sections": [] },
        ] });
        serde_json::from_value(contents).unwrap()
    }

    /// Returns `code title` of each selected section.
    fn resolved(section_codes: &[&str], division_codes: &[&str]) -> Result<Vec<String>, SectionsError> {
        let sections = selection(section_codes, division_codes)?.resolve(&contents())?;
        Ok(sections.iter().map(|section| format!("{} {}", section.code, section.title)).collect())
    }

    #[test]
    fn a_section_code_is_its_first_six_digits_in_any_spelling() {
        let cases = [
            ("081113", Some("081113")),
            ("08 11 13", Some("081113")),
            ("08.11.13", Some("081113")),
            ("08-11-13", Some("081113")),
            ("08 11 13.13", Some("081113")),
            ("08 11 13.13.01", Some("081113")),
            ("Section 08 11 13 - Doors", Some("081113")),
            ("08110", Some("081100")),
            ("08 110", Some("081100")),
            ("0811130000", Some("081113")),
            ("0811", None),
            ("8 11 3", None),
            ("", None),
            ("doors", None),
            ("\u{660}\u{668}\u{661}\u{661}\u{661}\u{663}", None),
        ];
        for (text, expected) in cases {
            assert_eq!(section_code(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_division_code_is_its_last_two_digits() {
        let cases = [
            ("8", Some("08")),
            ("08", Some("08")),
            ("Division 8", Some("08")),
            ("DIVISION 08 - OPENINGS", Some("08")),
            ("1", Some("01")),
            ("23", Some("23")),
            ("008", Some("08")),
            ("openings", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(division_code(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn sections_are_selected_once_in_the_requested_order() {
        let [doors, hardware, custom, metal, submittals] = [
            "081113 HOLLOW METAL DOORS",
            "087100 DOOR HARDWARE",
            "081113 CUSTOM DOORS",
            "081100 METAL DOORS",
            "013300 SUBMITTALS",
        ];
        let cases: [(&[&str], &[&str], &[&str]); 7] = [
            (&["087100", "08 11 13"], &[], &[hardware, doors, custom]),
            (&["08 71 00", "087100", "08.71.00"], &[], &[hardware]),
            (&["08110"], &[], &[metal]),
            (&[], &["8"], &[doors, hardware, custom, metal]),
            (&[], &["8", "08", "Division 8"], &[doors, hardware, custom, metal]),
            (&["01 33 00"], &["8", "1"], &[submittals, doors, hardware, custom, metal]),
            (&["087100"], &["1", "99", "8"], &[hardware, submittals, doors, custom, metal]),
        ];
        for (sections, divisions, expected) in cases {
            assert_eq!(resolved(sections, divisions).unwrap(), expected, "{sections:?} and {divisions:?}");
        }
    }

    #[test]
    fn all_sections_of_the_contents_are_selected_once() {
        let codes: Vec<String> = contents().all().unwrap().into_iter().map(|section| section.code).collect();
        assert_eq!(codes, ["081113", "087100", "081113", "081100", "013300"]);
        assert_eq!(Contents::default().all(), Err(SectionsError::NoneResolved));
    }

    #[test]
    fn a_named_section_need_not_be_listed() {
        let sections = selection(&["09 91 23"], &[]).unwrap().resolve(&contents()).unwrap();
        let expected = json!([{ "section_code": "099123", "section_title": "", "division_code": "09" }]);
        assert_eq!(serde_json::to_value(sections).unwrap(), expected);
    }

    #[test]
    fn invalid_codes_and_empty_selections_are_refused() {
        assert_eq!(resolved(&["087100", "door"], &["8"]), Err(SectionsError::InvalidCode("door".to_owned())));
        let nowhere: [(&[&str], &[&str]); 4] = [(&[], &[]), (&[], &["9"]), (&[], &["5"]), (&[], &["openings"])];
        for (sections, divisions) in nowhere {
            assert_eq!(resolved(sections, divisions), Err(SectionsError::NoneResolved), "{divisions:?}");
        }
    }
}
