//! Text normalization, so that words can be compared.

use std::ops::RangeInclusive;

use unicode_normalization::char::{decompose_canonical, decompose_compatible};

/// Combining diacritical marks: the accents of Latin, Greek and Cyrillic letters. Those of other scripts are letters or vowels.
const ACCENTS: RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// Returns a text with one space for every run of white space and none at its ends, ligatures as letters, and without soft
/// hyphens and other invisible characters.
pub fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{AD}' | '\u{200B}' | '\u{FEFF}' => {}
            'ﬀ'..='ﬄ' => decompose_compatible(character, |letter| tidied.push(letter)),
            _ if character.is_whitespace() => {
                if !tidied.is_empty() && !tidied.ends_with(' ') {
                    tidied.push(' ');
                }
            }
            _ => tidied.push(character),
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied
}

/// Returns a [`tidy`] text in upper case without accents, with hyphens for dashes, straight quotes, and ASCII for its wide forms.
pub fn fold(text: &str) -> String {
    tidy(text).chars().flat_map(char::to_uppercase).filter(|c| !ACCENTS.contains(c)).map(plain).collect()
}

/// Returns only the letters and digits of the [`fold`]ed text: "T A B L E  O F  C O N T E N T S" is "TABLEOFCONTENTS".
pub fn squeeze(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the words of a text: its runs of letters and digits.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns whether a text has at least `count` letters.
pub fn has_letters(text: &str, count: usize) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).nth(count.saturating_sub(1)).is_some()
}

/// Returns a capital without its accent, plain punctuation for typographic, and ASCII for its wide forms.
fn plain(character: char) -> char {
    match character {
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => '-',
        '‘' | '’' | '′' | '`' | '´' => '\'',
        '“' | '”' | '″' => '"',
        // The wide forms of Chinese and Japanese typesetting stand in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        _ => without_accent(character),
    }
}

/// Returns a letter without its accents, by its canonical decomposition (Unicode Standard Annex 15).
pub fn without_accent(character: char) -> char {
    if character.is_ascii() {
        return character;
    }
    let (mut base, mut letters) = (character, 0);
    decompose_canonical(character, |part| {
        if !ACCENTS.contains(&part) {
            (base, letters) = (part, letters + 1);
        }
    });
    // A Korean syllable is several letters.
    if letters == 1 { base } else { character }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_texts_are_plain_capitals() {
        for (text, folded) in [
            ("Élévation “A” — 1er", "ELEVATION \"A\" - 1ER"),
            ("１階平面図（Ａ：Ａ）", "1階平面図(A:A)"),
            ("Řez  A–A", "REZ A-A"),
            ("ガラス", "ガラス"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }
}
