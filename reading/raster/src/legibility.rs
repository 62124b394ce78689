//! Whether the text of a page is words, or the codes of a font whose characters the file does not name.

use fanlight_text::Page;

/// A shorter word, in letters and figures, says little: it may be a mark, a unit or an abbreviation.
const MIN_WORD: usize = 4;
/// Fewer words say little about a page.
const MIN_WORDS: usize = 12;
/// No word of a language in Latin script has more consonants in a row: German "Angstschweiß" has eight.
const MAX_CONSONANTS: usize = 7;

/// Returns the share of a page's longer words that can be words of a language; `None` if there are too few.
pub fn legibility(page: &Page) -> Option<f32> {
    let words = || page.lines.iter().flat_map(|line| &line.words).filter(|word| !word.leader);
    let judged: Vec<bool> = words().filter_map(|word| is_legible(&word.text)).collect();
    if judged.len() < MIN_WORDS {
        return None;
    }
    Some(judged.iter().filter(|legible| **legible).count() as f32 / judged.len() as f32)
}

/// Returns whether a text can be a word of a language; `None` if it is a number, a mark or too short.
fn is_legible(text: &str) -> Option<bool> {
    let text = text.trim_matches(|c: char| c.is_ascii_punctuation() || "“”‘’«»•…–—".contains(c));
    if text.chars().any(is_replacement) {
        return Some(false);
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let length = text.chars().count();
    if length < MIN_WORD || letters == 0 || is_code(text) {
        return None;
    }
    // Other scripts have other rules.
    if text.chars().any(|c| c.is_alphabetic() && !is_latin(c)) {
        return Some(true);
    }
    let mut parts = text.split(|c: char| "-/'’.,&()‐–—:@_".contains(c)).filter(|part| part.chars().count() >= MIN_WORD);
    Some(parts.all(is_word))
}

/// Returns whether a text is the number of something: mostly figures.
fn is_code(text: &str) -> bool {
    let figures = text.chars().filter(char::is_ascii_digit).count();
    figures * 2 >= text.chars().filter(|c| c.is_alphanumeric()).count()
}

/// Returns whether a part of a word between signs is letters with vowels among them, in one case.
fn is_word(part: &str) -> bool {
    let has_signs = part.chars().any(|c| !c.is_alphanumeric());
    let has_vowel = part.chars().any(is_vowel);
    let longest = part.split(is_vowel).map(|consonants| consonants.chars().count()).max().unwrap_or_default();
    !has_signs && has_vowel && longest <= MAX_CONSONANTS
}

fn is_vowel(character: char) -> bool {
    let base = fanlight_text::folding::fold(&character.to_string());
    base.starts_with(['A', 'E', 'I', 'O', 'U', 'Y', 'Æ', 'Œ', 'Ø'])
}

fn is_latin(character: char) -> bool {
    character < '\u{250}'
}

/// Returns whether a character stands for one that the file does not name.
fn is_replacement(character: char) -> bool {
    character == '\u{FFFD}' || ('\u{E000}'..='\u{F8FF}').contains(&character) || character.is_control()
}
