//! Removes codes that are joined to the section numbers of a manual: "BP3-08 11 13", "S081113". They name a bid package, a
//! building or an office's own edition, and no number begins with them.

use std::collections::{HashMap, HashSet};

use fanlight_masterformat::numbers;
use fanlight_text::Line;

/// Codes of one form before fewer different numbers of the manual may be a project number's.
const MIN_NUMBERS: usize = 3;
/// The digits of a number are at most this many words: "08", "11", "13.23", "10".
const MAX_WORDS: usize = 4;

/// A code before a number.
struct Code {
    line: usize,
    word: usize,
    /// Its form, which has as many bytes.
    form: String,
    /// The six digits of the number.
    six: String,
}

/// The forms of the codes of the pages read so far, with the numbers that such codes precede.
#[derive(Clone, Debug, Default)]
pub(crate) struct Codes {
    numbers: HashMap<String, HashSet<String>>,
}

impl Codes {
    /// Returns the lines of the next page without the codes before their numbers.
    pub(crate) fn without(&mut self, lines: &[Line]) -> Vec<Line> {
        let codes = codes(lines);
        for code in &codes {
            self.numbers.entry(code.form.clone()).or_default().insert(code.six.clone());
        }
        let mut lines = lines.to_vec();
        for code in codes.iter().filter(|code| self.numbers[&code.form].len() >= MIN_NUMBERS) {
            let word = &mut lines[code.line].words[code.word];
            let share = code.form.len() as f32 / word.text.len().max(1) as f32;
            word.bbox.x1 += share * (word.bbox.x2 - word.bbox.x1);
            word.text.drain(..code.form.len());
        }
        lines
    }
}

/// Returns the form of a code: "A0-" for "B3-", because disciplines and bid packages have codes of one form.
fn form(code: &str) -> String {
    let letter_or_digit = |c: char| match c {
        'A'..='Z' => 'A',
        '0'..='9' => '0',
        other => other,
    };
    code.chars().map(letter_or_digit).collect()
}

fn codes(lines: &[Line]) -> Vec<Code> {
    let mut codes = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for (index, word) in line.words.iter().enumerate() {
            if !word.text.starts_with(|c: char| c.is_ascii_uppercase()) {
                continue;
            }
            let words: Vec<&str> = line.words[index..].iter().take(MAX_WORDS).map(|word| word.text.as_str()).collect();
            let text = words.join(" ");
            // A word that announces a number may be joined to it as well: "UFGS-08 11 13".
            let Some(rest) = numbers::without_code(&text).filter(|_| numbers::leading(&text).is_none()) else {
                continue;
            };
            let Some((number, _)) = numbers::leading(rest) else { continue };
            let form = form(&text[..text.len() - rest.len()]);
            codes.push(Code { line: at, word: index, form, six: number.six });
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(page: &str) -> Vec<String> {
        let page = fanlight_text::Page::read(&text_fixture::text(page), &text_fixture::geometry());
        let lines = Codes::default().without(&page.lines);
        lines
            .iter()
            .map(|line| line.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn a_code_before_the_numbers_of_a_page_is_removed() {
        let lines = texts("BP3-08 11 13  Doors\nBP3-08 71 00  Hardware\nBP3-09 91 23  Painting");
        assert_eq!(lines, ["08 11 13 Doors", "08 71 00 Hardware", "09 91 23 Painting"]);
    }

    #[test]
    fn codes_of_one_form_are_removed() {
        let lines = texts("A-08 11 13  Doors\nM-22 05 00  Plumbing\nE-26 51 00  Lighting");
        assert_eq!(lines, ["08 11 13 Doors", "22 05 00 Plumbing", "26 51 00 Lighting"]);
    }

    #[test]
    fn a_code_before_one_number_stays() {
        let lines = texts("HP-20 24 13  Laboratory\n08 71 00  Hardware\n09 91 23  Painting");
        assert_eq!(lines[0], "HP-20 24 13 Laboratory");
    }
}
