//! Finds the strings of an answer in the text that the model was given.

use std::collections::BTreeMap;
use std::ops::Range;

use fanlight_plugin::language::LanguageError;

use crate::Section;
use crate::requirements::{Category, Place, Requirement, Requirements};

/// The requirements of a model's answers that the text contains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grounded {
    /// Each as the text has it.
    pub requirements: Requirements,
    /// Number of strings that were dropped because the text does not contain them.
    pub dropped: usize,
}

impl Grounded {
    /// Appends what was found in a later chunk.
    pub(crate) fn append(&mut self, mut later: Self) {
        for category in Category::ALL {
            self.requirements.list_mut(category).append(later.requirements.list_mut(category));
        }
        self.dropped += later.dropped;
    }
}

/// Finds each string of an answer in a chunk of a section.
///
/// White space compares as one space, and typographic quotes and dashes compare as the plain ones that models write instead.
/// A match begins and ends at the edges of words: "ASTM A366" does not contain "ASTM A36". A string that is given twice must
/// occur twice.
///
/// # Errors
///
/// [`LanguageError::InvalidAnswer`] if the answer is not a JSON object with a list of strings for each category.
pub(crate) fn ground(section: &Section, chunk: Range<usize>, answer: &str) -> Result<Grounded, LanguageError> {
    let answer: BTreeMap<Category, Vec<String>> = serde_json::from_str(answer)
        .map_err(|_| LanguageError::InvalidAnswer("the answer is not a list for each category".to_owned()))?;
    let normalized = Normalized::new(section.text.get(chunk.clone()).unwrap_or_default());
    let mut grounded = Grounded::default();
    for (category, strings) in answer {
        let mut places = Vec::new();
        let mut searched: BTreeMap<String, usize> = BTreeMap::new();
        for string in &strings {
            let wanted = Normalized::new(string.trim()).text;
            let from = searched.get(&wanted).copied().unwrap_or(0);
            let Some(found) = normalized.find(&wanted, from) else {
                grounded.dropped += 1;
                continue;
            };
            places.push(normalized.in_the_original(&found));
            searched.insert(wanted, found.end);
        }
        places.sort_by_key(|place| (place.start, place.end));
        let parts = places.iter().map(|place| chunk.start + place.start..chunk.start + place.end);
        *grounded.requirements.list_mut(category) = parts.map(|part| requirement(section, part)).collect();
    }
    Ok(grounded)
}

/// Returns a part of a section's text as a requirement, with its article and its places.
fn requirement(section: &Section, part: Range<usize>) -> Requirement {
    let places = places_within(&section.lines, part.clone());
    let article = section.articles.iter().rfind(|(start, _)| *start <= part.start);
    Requirement {
        article: article.map_or("", |(_, article)| article).to_owned(),
        text: section.text.get(part).unwrap_or_default().to_owned(),
        page: places.first().map(|place| place.page).unwrap_or_default(),
        places,
    }
}

/// Returns the places of the lines that a part of a text stands in. `lines` are their beginnings in the text, ascending.
pub fn places_within(lines: &[(usize, Place)], part: Range<usize>) -> Vec<Place> {
    let first = lines.partition_point(|(start, _)| *start <= part.start).saturating_sub(1);
    let within = lines.iter().skip(first).take_while(|(start, _)| *start < part.end.max(part.start + 1));
    within.map(|(_, place)| *place).collect()
}

/// A text as it is compared, and the position of each of its bytes in the original.
struct Normalized {
    text: String,
    /// For each byte of `text`, where its character begins and ends in the original.
    places: Vec<(usize, usize)>,
}

impl Normalized {
    fn new(original: &str) -> Self {
        let mut normalized = Self { text: String::with_capacity(original.len()), places: Vec::new() };
        for (at, c) in original.char_indices() {
            let end = at + c.len_utf8();
            match plain(c) {
                Some(' ') if normalized.text.ends_with(' ') => {
                    if let Some(place) = normalized.places.last_mut() {
                        place.1 = end;
                    }
                }
                Some(plain) => {
                    normalized.text.push(plain);
                    normalized.places.resize(normalized.text.len(), (at, end));
                }
                None => {}
            }
        }
        normalized
    }

    /// Returns the first occurrence of `wanted` at or after `from`; `None` if it has no letter or digit.
    fn find(&self, wanted: &str, from: usize) -> Option<Range<usize>> {
        if !wanted.contains(char::is_alphanumeric) {
            return None;
        }
        let rest = self.text.get(from..)?;
        rest.match_indices(wanted)
            .map(|(at, found)| from + at..from + at + found.len())
            .find(|place| self.ends_words(place.start) && self.ends_words(place.end))
    }

    /// Returns whether no word continues across a position.
    fn ends_words(&self, at: usize) -> bool {
        let before = self.text.get(..at).and_then(|text| text.chars().next_back());
        let after = self.text.get(at..).and_then(|text| text.chars().next());
        !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric))
    }

    /// Returns the range of the original that a range of the normalized text stands for.
    fn in_the_original(&self, place: &Range<usize>) -> Range<usize> {
        let start = self.places.get(place.start).map_or(0, |(start, _)| *start);
        let end = place.end.checked_sub(1).and_then(|last| self.places.get(last)).map_or(start, |(_, end)| *end);
        start..end
    }
}

/// Returns a character as it is compared; `None` for an invisible one.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{ad}' | '\u{200b}' => return None,
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        c if c.is_whitespace() => ' ',
        c => c,
    })
}

#[cfg(test)]
mod tests {
    use fanlight_plugin::BoundingBox;
    use serde_json::json;

    use super::*;

    const TEXT: &str = "1.2 REFERENCES\nA. ASTM A366 – Steel,\n   Cold-Rolled\nB. ASTM A36\n1.3 WARRANTY\n\
                        A. 10\u{2011}year “No Dollar Limit” warranty, by the\nroofing manufacturer.\nB. ASTM A36";

    fn place(page: u32, y1: f64) -> Place {
        Place { page, bbox: BoundingBox { x1: 72.0, y1, x2: 540.0, y2: y1 + 12.0 } }
    }

    fn section() -> Section<'static> {
        Section {
            text: TEXT,
            articles: vec![(0, "1.2 REFERENCES"), (TEXT.find("1.3").unwrap(), "1.3 WARRANTY")],
            lines: vec![
                (0, place(4, 300.0)),
                (TEXT.find("A. 10").unwrap(), place(4, 80.0)),
                (TEXT.find("roofing").unwrap(), place(5, 700.0)),
            ],
        }
    }

    #[test]
    fn a_part_of_a_text_stands_in_every_line_that_it_touches() {
        let lines = [(0, place(1, 90.0)), (10, place(1, 76.0)), (20, place(2, 700.0))];
        let cases = [
            (0..10, &lines[..1]),
            (3..11, &lines[..2]),
            (12..30, &lines[1..]),
            (20..25, &lines[2..]),
            (5..5, &lines[..1]),
        ];
        for (part, expected) in cases {
            let expected: Vec<Place> = expected.iter().map(|(_, place)| *place).collect();
            assert_eq!(places_within(&lines, part.clone()), expected, "{part:?}");
        }
    }

    fn references(strings: &[&str]) -> (Vec<Requirement>, usize) {
        let answer = json!({ "references": strings }).to_string();
        let grounded = ground(&section(), 0..TEXT.len(), &answer).unwrap();
        (grounded.requirements.references, grounded.dropped)
    }

    #[test]
    fn a_requirement_is_quoted_as_the_text_has_it() {
        let cases = [
            ("ASTM A366 - Steel, Cold-Rolled", Some("ASTM A366 – Steel,\n   Cold-Rolled")),
            ("  ASTM A36 ", Some("ASTM A36")),
            ("10-year \"No Dollar Limit\" warranty", Some("10\u{2011}year “No Dollar Limit” warranty")),
            ("warranty, by the roofing manufacturer.", Some("warranty, by the\nroofing manufacturer.")),
            ("ASTM A3", None),
            ("STM A36", None),
            ("ASTM A992", None),
            ("astm a36", None),
            ("warranty by the roofing manufacturer", None),
            (".", None),
            ("", None),
        ];
        for (string, expected) in cases {
            let (found, dropped) = references(&[string]);
            assert_eq!(found.first().map(|found| found.text.as_str()), expected, "{string:?}");
            assert_eq!(dropped, usize::from(expected.is_none()), "{string:?}");
        }
    }

    #[test]
    fn article_and_page_follow_from_the_place() {
        let cases = [
            ("Cold-Rolled", "1.2 REFERENCES", 4),
            ("1.3 WARRANTY", "1.3 WARRANTY", 4),
            ("by the roofing manufacturer.", "1.3 WARRANTY", 4),
            ("manufacturer.", "1.3 WARRANTY", 5),
        ];
        for (string, article, page) in cases {
            let (found, _) = references(&[string]);
            assert_eq!((found[0].article.as_str(), found[0].page), (article, page), "{string:?}");
        }
    }

    #[test]
    fn a_string_given_twice_must_stand_there_twice() {
        let (found, dropped) = references(&["ASTM A36", "ASTM A36", "ASTM A36"]);
        let articles: Vec<&str> = found.iter().map(|found| found.article.as_str()).collect();
        assert_eq!((articles.as_slice(), dropped), (["1.2 REFERENCES", "1.3 WARRANTY"].as_slice(), 1));
    }

    #[test]
    fn what_is_found_stands_in_the_order_of_the_text() {
        let (found, _) = references(&["roofing", "Steel"]);
        assert_eq!(found.iter().map(|found| found.text.as_str()).collect::<Vec<_>>(), ["Steel", "roofing"]);
    }

    #[test]
    fn only_the_given_chunk_is_searched() {
        let chunk = TEXT.find("1.3").unwrap()..TEXT.len();
        let answer = json!({ "references": ["ASTM A36", "ASTM A366"] }).to_string();
        let grounded = ground(&section(), chunk, &answer).unwrap();
        assert_eq!((grounded.requirements.references[0].page, grounded.dropped), (5, 1));
    }

    #[test]
    fn an_answer_of_another_form_is_none() {
        for answer in ["", "[]", r#"{"references": "ASTM A36"}"#, r#"{"roofs": []}"#] {
            let failed = ground(&section(), 0..TEXT.len(), answer);
            assert!(matches!(failed, Err(LanguageError::InvalidAnswer(_))), "{answer}");
        }
    }
}
