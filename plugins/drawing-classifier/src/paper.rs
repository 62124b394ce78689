//! Pages that are not drawings: specifications, letters and other running text.

use fanlight_text::words::LETTER_LINES;
use fanlight_text::{Line, Page};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words;

/// The kind of a page of running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Paper {
    /// A page of a specification.
    Specification,
    /// A letter.
    Letter,
    /// Another text.
    Text,
}

/// Pages with a longer side, in points, are sheets: the 14 in of Legal paper, and a little more.
pub(crate) const LONGEST: f32 = 1020.0;
/// A line with this many words belongs to a sentence.
const SENTENCE_WORDS: usize = 5;
/// Running text has at least this many such lines.
const MIN_SENTENCE_LINES: usize = 6;
/// The share of a page's words in such lines, at least.
const RUNNING: f32 = 0.55;

/// Returns the kind of a page that is not a drawing: a small one, with most of its words in
/// sentences.
pub(crate) fn read(page: &Page, width: f32, height: f32) -> Option<Paper> {
    if width.max(height) > LONGEST {
        return None;
    }
    let words_of = |line: &Line| line.words.iter().filter(|word| !word.leader).count();
    let all: usize = page.lines.iter().chain(page.turned.iter().flat_map(|turned| &turned.lines)).map(words_of).sum();
    let texts: Vec<String> = page
        .lines
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
            words::fold(&words.join(" "))
        })
        .collect();
    let sentences: Vec<&Line> = page.lines.iter().filter(|line| is_sentence(line)).collect();
    let running: usize = sentences.iter().map(|line| words_of(line)).sum();
    let heads = |text: &String| fanlight_masterformat::numbers::leading(text).is_some_and(|(number, _)| number.worded);
    let parts = texts.iter().filter(|text| text.starts_with("PART ") && text.len() < 40).count();
    let specified = texts.iter().any(heads) || parts > 0 || texts.iter().any(|text| text.starts_with("END OF SECTION"));
    if specified && sentences.len() * 2 >= MIN_SENTENCE_LINES {
        return Some(Paper::Specification);
    }
    if LETTER_LINES.matches_any(&texts) {
        return Some(Paper::Letter);
    }
    let enough = sentences.len() >= MIN_SENTENCE_LINES && running as f32 >= RUNNING * all as f32;
    enough.then_some(Paper::Text)
}

/// Returns whether a line has several words close to each other, with small letters among them.
fn is_sentence(line: &Line) -> bool {
    let close = line.words.iter().skip(1).filter(|word| word.gap < 0.8 * word.size && !word.leader).count() + 1;
    close >= SENTENCE_WORDS
        && close + 1 >= line.words.len()
        && line.words.iter().any(|word| word.text.chars().any(char::is_lowercase))
}
