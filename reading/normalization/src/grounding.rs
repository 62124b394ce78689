//! An answer's strings, found in the text that the model was given.

use std::collections::BTreeMap;
use std::ops::Range;

use fanlight_plugin::language::LanguageError;

use crate::Section;
use crate::requirements::{Category, Requirement, Requirements};

/// What is left of a model's answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounded {
    /// Each as it stands in the text.
    pub requirements: Requirements,
    /// How many strings were dropped, since they don't stand there.
    pub dropped: usize,
}

impl Grounded {
    /// Puts what was found in a later piece behind this.
    pub(crate) fn append(&mut self, mut later: Self) {
        for category in Category::ALL {
            self.requirements.of(category).append(later.requirements.of(category));
        }
        self.dropped += later.dropped;
    }
}

/// Finds each string of an answer in a piece of a section.
///
/// Whitespace counts as one space, and typographic quotes and dashes as the plain ones that models write in their
/// place. A string is found only where it begins and ends with a word: "ASTM A36" doesn't stand in "ASTM A366". One
/// that is given twice must stand there twice.
pub(crate) fn ground(section: &Section, piece: Range<usize>, answer: &str) -> Result<Grounded, LanguageError> {
    let answer: BTreeMap<Category, Vec<String>> = serde_json::from_str(answer)
        .map_err(|_| LanguageError::InvalidAnswer("the answer is not a list for each category".to_owned()))?;
    let text = section.text.get(piece.clone()).unwrap_or_default();
    let folded = Folded::new(text);
    let mut grounded = Grounded::default();
    for (category, strings) in answer {
        let mut places = Vec::new();
        let mut searched: BTreeMap<String, usize> = BTreeMap::new();
        for string in &strings {
            let wanted = Folded::new(string.trim()).text;
            let from = searched.get(&wanted).copied().unwrap_or(0);
            let Some(found) = folded.find(&wanted, from) else {
                grounded.dropped += 1;
                continue;
            };
            places.push(folded.in_the_original(&found));
            searched.insert(wanted, found.end);
        }
        places.sort_by_key(|place| (place.start, place.end));
        let requirement = |place: Range<usize>| {
            let at = piece.start + place.start;
            Requirement {
                text: text.get(place).unwrap_or_default().to_owned(),
                article: last_before(&section.articles, at).copied().unwrap_or_default().to_owned(),
                page: last_before(&section.pages, at).copied().unwrap_or_default(),
            }
        };
        *grounded.requirements.of(category) = places.into_iter().map(requirement).collect();
    }
    Ok(grounded)
}

/// What begins last at or before a place.
fn last_before<T>(marks: &[(usize, T)], at: usize) -> Option<&T> {
    let after = marks.partition_point(|(start, _)| *start <= at);
    marks.get(after.checked_sub(1)?).map(|(_, mark)| mark)
}

/// A text as it is compared, and where each of its bytes stands in the original.
struct Folded {
    text: String,
    /// For each byte of `text` where its character begins in the original, and where it ends.
    places: Vec<(usize, usize)>,
}

impl Folded {
    fn new(original: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(original.len()), places: Vec::new() };
        for (at, c) in original.char_indices() {
            let end = at + c.len_utf8();
            match plain(c) {
                Some(' ') if folded.text.ends_with(' ') => {
                    if let Some(place) = folded.places.last_mut() {
                        place.1 = end;
                    }
                }
                Some(plain) => {
                    folded.text.push(plain);
                    folded.places.resize(folded.text.len(), (at, end));
                }
                None => {}
            }
        }
        folded
    }

    /// The first place from `from` on where these words stand. Words without a letter or digit stand nowhere.
    fn find(&self, wanted: &str, from: usize) -> Option<Range<usize>> {
        if !wanted.contains(char::is_alphanumeric) {
            return None;
        }
        let rest = self.text.get(from..)?;
        rest.match_indices(wanted)
            .map(|(at, found)| from + at..from + at + found.len())
            .find(|place| self.ends_words(place.start) && self.ends_words(place.end))
    }

    /// Whether no word goes on across this place.
    fn ends_words(&self, at: usize) -> bool {
        let before = self.text.get(..at).and_then(|text| text.chars().next_back());
        let after = self.text.get(at..).and_then(|text| text.chars().next());
        !(before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric))
    }

    fn in_the_original(&self, place: &Range<usize>) -> Range<usize> {
        let start = self.places.get(place.start).map_or(0, |(start, _)| *start);
        let end = place.end.checked_sub(1).and_then(|last| self.places.get(last)).map_or(start, |(_, end)| *end);
        start..end
    }
}

/// A character as it is compared; none for one that can't be seen.
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
    use super::*;
    use serde_json::json;

    const TEXT: &str = "1.2 REFERENCES\nA. ASTM A366 – Steel,\n   Cold-Rolled\nB. ASTM A36\n1.3 WARRANTY\n\
                        A. 10\u{2011}year “No Dollar Limit” warranty, by the\nroofing manufacturer.\nB. ASTM A36";

    fn section() -> Section<'static> {
        Section {
            text: TEXT,
            articles: vec![(0, "1.2 REFERENCES"), (TEXT.find("1.3").unwrap(), "1.3 WARRANTY")],
            pages: vec![(0, 4), (TEXT.find("roofing").unwrap(), 5)],
        }
    }

    fn references(strings: &[&str]) -> (Vec<Requirement>, usize) {
        let answer = json!({ "references": strings }).to_string();
        let grounded = ground(&section(), 0..TEXT.len(), &answer).unwrap();
        (grounded.requirements.references, grounded.dropped)
    }

    #[test]
    fn what_is_returned_is_the_text_s_own() {
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
    fn only_the_piece_that_was_given_counts() {
        let piece = TEXT.find("1.3").unwrap()..TEXT.len();
        let answer = json!({ "references": ["ASTM A36", "ASTM A366"] }).to_string();
        let grounded = ground(&section(), piece, &answer).unwrap();
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
