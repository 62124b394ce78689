//! Which sections of a specification a client asks for: codes as people write them, looked up in its table of contents.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Digits of a section's code since MasterFormat 2004.
const SECTION_DIGITS: usize = 6;

/// Why codes lead to no sections.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum SectionsError {
    /// A text is no section's code.
    #[error("{0:?} is not the code of a section")]
    InvalidCode(String),
    /// No section was named, and no division that the table of contents has.
    #[error("the codes lead to no section")]
    NoneResolved,
}

/// A table of contents as toc-parser stores it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Contents {
    divisions: Vec<Division>,
}

#[derive(Clone, Debug, Deserialize)]
struct Division {
    #[serde(rename = "division_code")]
    code: String,
    sections: Vec<Entry>,
}

#[derive(Clone, Debug, Deserialize)]
struct Entry {
    #[serde(rename = "section_code")]
    code: String,
    #[serde(rename = "section_title")]
    title: String,
}

/// A section whose content is wanted, as content-extractor takes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(crate) struct Section {
    /// Six digits.
    #[serde(rename = "section_code")]
    code: String,
    /// As the table of contents prints it; empty where that doesn't list the section.
    #[serde(rename = "section_title")]
    title: String,
    /// Two digits.
    #[serde(rename = "division_code")]
    division: String,
}

/// What a client asks for, its codes read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    sections: Vec<String>,
    divisions: Vec<String>,
}

impl Asked {
    /// Reads the codes. A division's code that holds no digit names no division.
    pub(crate) fn read(section_codes: &[String], division_codes: &[String]) -> Result<Self, SectionsError> {
        let sections = section_codes
            .iter()
            .map(|text| section_code(text).ok_or_else(|| SectionsError::InvalidCode(text.clone())))
            .collect::<Result<_, _>>()?;
        let divisions = division_codes.iter().filter_map(|text| division_code(text)).collect();
        Ok(Self { sections, divisions })
    }

    /// The sections: those that were named, then those of the divisions in the order of the contents, each once.
    ///
    /// A section that was named is among them whether the contents list it or not, since the body may have it all the
    /// same. Where the contents list several under one code (level-4 numbers keep their first six digits), all of them
    /// are, and their titles tell them apart.
    pub(crate) fn resolve(&self, contents: &Contents) -> Result<Vec<Section>, SectionsError> {
        let named = self.sections.iter().flat_map(|code| contents.sections(code));
        let of_divisions = self.divisions.iter().flat_map(|code| contents.sections_of(code));
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
    /// Every section, in the order of the contents, each once.
    pub(crate) fn all(&self) -> Result<Vec<Section>, SectionsError> {
        let mut known = HashSet::new();
        let sections: Vec<Section> = self.entries().filter(|section| known.insert(section.clone())).collect();
        if sections.is_empty() { Err(SectionsError::NoneResolved) } else { Ok(sections) }
    }

    fn sections(&self, code: &str) -> Vec<Section> {
        let listed: Vec<Section> = self.entries().filter(|section| section.code == code).collect();
        if listed.is_empty() {
            let division = code.chars().take(2).collect();
            return vec![Section { code: code.to_owned(), title: String::new(), division }];
        }
        listed
    }

    fn sections_of(&self, division: &str) -> impl Iterator<Item = Section> {
        self.entries().filter(move |section| section.division == division)
    }

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

/// The six digits of a section's code in any spelling: `08 11 13`, `08.11.13`, `081113`, and `08 11 13.13` of level 4
/// by its first six. Five digits are a number of MasterFormat 1995, `08110`, which has a 0 at its end in toc-parser's
/// results as well.
fn section_code(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(SECTION_DIGITS).collect();
    match digits.len() {
        SECTION_DIGITS => Some(digits),
        5 => Some(digits + "0"),
        _ => None,
    }
}

/// The two digits of a division's code in any spelling: `8`, `08`, `Division 8`.
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

    fn asked(section_codes: &[&str], division_codes: &[&str]) -> Result<Asked, SectionsError> {
        let owned = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
        Asked::read(&owned(section_codes), &owned(division_codes))
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

    /// `code title` of each section.
    fn resolved(section_codes: &[&str], division_codes: &[&str]) -> Result<Vec<String>, SectionsError> {
        let sections = asked(section_codes, division_codes)?.resolve(&contents())?;
        Ok(sections.iter().map(|section| format!("{} {}", section.code, section.title)).collect())
    }

    #[test]
    fn a_section_is_known_by_its_first_six_digits_however_they_are_written() {
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
    fn a_division_is_known_by_its_last_two_digits() {
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
    fn sections_come_in_the_order_they_were_asked_for_and_each_once() {
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
    fn all_sections_are_those_of_the_contents_each_once() {
        let codes: Vec<String> = contents().all().unwrap().into_iter().map(|section| section.code).collect();
        assert_eq!(codes, ["081113", "087100", "081113", "081100", "013300"]);
        assert_eq!(Contents::default().all(), Err(SectionsError::NoneResolved));
    }

    #[test]
    fn a_section_that_the_contents_lack_is_asked_for_all_the_same() {
        let sections = asked(&["09 91 23"], &[]).unwrap().resolve(&contents()).unwrap();
        let expected = json!([{ "section_code": "099123", "section_title": "", "division_code": "09" }]);
        assert_eq!(serde_json::to_value(sections).unwrap(), expected);
    }

    #[test]
    fn what_is_no_code_is_refused_and_what_leads_nowhere_too() {
        assert_eq!(resolved(&["087100", "door"], &["8"]), Err(SectionsError::InvalidCode("door".to_owned())));
        let nowhere: [(&[&str], &[&str]); 4] = [(&[], &[]), (&[], &["9"]), (&[], &["5"]), (&[], &["openings"])];
        for (sections, divisions) in nowhere {
            assert_eq!(resolved(sections, divisions), Err(SectionsError::NoneResolved), "{divisions:?}");
        }
    }
}
