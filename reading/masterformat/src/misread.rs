//! Mends section numbers that OCR has misread: a figure as a letter ("01 7B 00", "O8 11 13"), a space as a sign ("33 40.00",
//! "26- 20 00").

use fanlight_text::{Line, Word};

use crate::numbers;

/// A number has at most so many figures that were read as letters, set by hand: a word of letters that look like figures is a word.
const MAX_LETTERS: usize = 2;
/// The words of a number: "08", "11", "13.23".
const WORDS: usize = 3;
/// The figures of a number of MasterFormat 1995.
const FIGURES_OF_1995: usize = 5;

/// Mends the numbers with which the texts of a page's lines begin. Meant for pages that OCR has read.
pub fn mend(lines: &mut [Line]) {
    for line in lines {
        for at in 0..line.words.len() {
            let (before, words) = line.words.split_at_mut(at);
            if !begins_text(before, &words[0]) {
                continue;
            }
            let count = words.len().min(WORDS);
            let texts: Vec<&str> = words[..count].iter().map(|word| word.text.as_str()).collect();
            let Some(mended) = mended(&texts) else { continue };
            for (word, text) in words.iter_mut().zip(mended) {
                word.text = text;
            }
        }
    }
}

/// Returns whether a word begins a line, follows a gap, or follows a word that announces a number.
fn begins_text(before: &[Word], word: &Word) -> bool {
    before.last().is_none_or(|last| word.gap >= word.size || numbers::is_announcement(&last.text))
}

/// Returns the first of some words as they were printed, if they are a number that was misread; `None` otherwise.
fn mended(words: &[&str]) -> Option<Vec<String>> {
    if numbers::leading(&words.join(" ")).is_some() {
        return None;
    }
    let printed = pairs(words).or_else(|| of_1995(words.first()?))?;
    let read: String = words[..printed.len()].concat();
    let letters = read.chars().filter(|c| c.is_alphabetic()).count();
    (letters <= MAX_LETTERS && numbers::leading(&printed.join(" ")).is_some()).then_some(printed)
}

/// Returns words that are three pairs of figures, and perhaps a number of level 4.
fn pairs(words: &[&str]) -> Option<Vec<String>> {
    let mut printed: Vec<String> = Vec::new();
    let mut found = 0;
    for word in words {
        let mut rest = word.trim_end_matches(['-', '.']);
        let mut text = String::new();
        while found < WORDS && !rest.is_empty() {
            let pair = rest.get(..2)?;
            text.extend(pair.chars().map(figure).collect::<Option<Vec<char>>>()?);
            found += 1;
            rest = &rest[2..];
            if let Some(after) = rest.strip_prefix(['.', '-']).filter(|_| found < WORDS) {
                text.push(' ');
                rest = after;
            }
        }
        printed.push(text + rest);
        if found == WORDS {
            return Some(printed);
        }
    }
    None
}

/// Returns a word that is a number of 1995.
fn of_1995(word: &str) -> Option<Vec<String>> {
    let figures: String = word.chars().map(figure).collect::<Option<String>>()?;
    (figures.len() == FIGURES_OF_1995).then(|| vec![figures])
}

/// Returns the figure that looks like a character, itself for a figure.
fn figure(character: char) -> Option<char> {
    match character {
        '0'..='9' => Some(character),
        'O' | 'o' | 'Q' | 'D' => Some('0'),
        'I' | 'l' | '|' | 'i' | '!' => Some('1'),
        'Z' | 'z' => Some('2'),
        'S' | 's' => Some('5'),
        'G' | 'b' => Some('6'),
        'B' => Some('8'),
        'g' | 'q' => Some('9'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_signs_in_a_number_are_figures_and_spaces() {
        for (read, printed) in [
            (&["01", "7B", "00"][..], "01 78 00"),
            (&["O8", "11", "l3"], "08 11 13"),
            (&["33", "40.00", "STORM"], "33 40 00"),
            (&["26-", "20", "00"], "26 20 00"),
            (&["O81113", "HOLLOW"], "081113"),
            (&["O3300"], "03300"),
            (&["O1", "11", "00.13"], "01 11 00.13"),
        ] {
            assert_eq!(mended(read).map(|words| words.join(" ")).as_deref(), Some(printed), "{read:?}");
        }
    }

    #[test]
    fn numbers_words_and_dates_stay_as_they_are() {
        for words in [
            &["08", "11", "13"][..],
            &["SOIL"],
            &["BOLLS"],
            &["10", "IN.", "OF"],
            &["DIVISION", "O1"],
            &["12", "x", "24"],
        ] {
            assert_eq!(mended(words), None, "{words:?}");
        }
    }
}
