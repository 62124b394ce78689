//! Reorders letters and words from visual order, left to right on paper, to logical order, as they are read.
//!
//! A PDF shows Hebrew and Arabic in visual order: the last letter of a word comes first. This module undoes the reordering of the
//! Unicode Bidirectional Algorithm (UAX #9, rule L2): text that runs to the left is reversed, and text that runs to the right
//! within it is reversed once more. A page does not say which way a line runs; it is taken to run as most of its letters do.

use unicode_bidi::{BidiClass, bidi_class};
use unicode_normalization::UnicodeNormalization as _;

/// The direction of a character or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Left,
    Right,
    /// That of its neighbors: spaces, punctuation, brackets.
    Either,
}

/// Returns the characters of a word in logical order. Presentation forms of Arabic letters become the letters (NFKC).
pub(crate) fn word(shown: &str) -> String {
    if !shown.chars().any(|character| letter_way(character) == Way::Left) {
        return shown.to_owned();
    }
    let characters: Vec<char> = shown.chars().collect();
    let ways: Vec<Way> = characters.iter().map(|character| way(*character)).collect();
    let read = order(&ways, Way::Left);
    let turned = read.iter().map(|&at| if ways[at] == Way::Right { characters[at] } else { mirrored(characters[at]) });
    turned.nfkc().collect()
}

/// Returns words in logical order. They are given in visual order, each with its own characters in logical order.
pub(crate) fn words<'w>(shown: &[&'w str]) -> Vec<&'w str> {
    let letters = || shown.iter().flat_map(|word| word.chars());
    let to_left = letters().filter(|letter| letter_way(*letter) == Way::Left).count();
    if to_left == 0 {
        return shown.to_vec();
    }
    let to_right = letters().filter(|letter| letter_way(*letter) == Way::Right).count();
    let way_of = |word: &&str| word.chars().map(letter_way).find(|way| *way != Way::Either).unwrap_or(Way::Either);
    let ways: Vec<Way> = shown.iter().map(way_of).collect();
    let line = if to_left > to_right { Way::Left } else { Way::Right };
    order(&ways, line).into_iter().map(|at| shown[at]).collect()
}

/// Returns the logical order of items in visual order, in a line that runs in direction `line`: runs of items of the other
/// direction, with everything between them, are reversed.
fn order(ways: &[Way], line: Way) -> Vec<usize> {
    let mut read: Vec<usize> = (0..ways.len()).collect();
    if line == Way::Left {
        read.reverse();
    }
    let against = |at: &usize| ways[*at] != Way::Either && ways[*at] != line;
    for run in read.split_mut(|at| ways[*at] == line) {
        if let (Some(first), Some(last)) = (run.iter().position(against), run.iter().rposition(against)) {
            run[first..=last].reverse();
        }
    }
    read
}

/// Returns the direction of a character. Digits run to the right in any line.
fn way(character: char) -> Way {
    match bidi_class(character) {
        BidiClass::EN | BidiClass::AN => Way::Right,
        _ => letter_way(character),
    }
}

/// Returns the direction of a letter. A digit has none, because a word of digits keeps its place in the line.
fn letter_way(character: char) -> Way {
    match bidi_class(character) {
        BidiClass::R | BidiClass::AL => Way::Left,
        BidiClass::L => Way::Right,
        _ => Way::Either,
    }
}

/// Brackets and their mirror images.
const BRACKETS: [(char, char); 5] = [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»')];

/// Returns the mirror image of a bracket, so that it opens where it is read, and any other character as it is.
fn mirrored(character: char) -> char {
    match BRACKETS.iter().find(|(open, close)| [*open, *close].contains(&character)) {
        Some((open, close)) if character == *open => *close,
        Some((open, _)) => *open,
        None => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_a_word_come_in_logical_order() {
        for (shown, read) in [
            ("KITCHEN", "KITCHEN"),
            ("1:50", "1:50"),
            ("חבטמ", "מטבח"),
            ("(חבטמ)", "(מטבח)"),
            ("101-רדח", "חדר-101"),
            ("A-3/תינכת", "תכנית/A-3"),
            ("ﺦﺒﻄﻣ", "مطبخ"),
            ("ﺔﻟﺎﺻ", "صالة"),
            // A ligature is one letter on the page.
            ("ﻲﺿرﻷا", "الأرضي"),
        ] {
            assert_eq!(word(shown), read);
        }
    }

    #[test]
    fn words_are_read_in_the_direction_of_most_letters() {
        for (shown, read) in [
            ("FLOOR PLAN 1:50", "FLOOR PLAN 1:50"),
            ("עקרק תמוק תינכת", "תכנית קומת קרקע"),
            ("(חבטמ) 101 עקרק תמוק", "קומת קרקע 101 (מטבח)"),
            ("STEEL DOOR הדלפ יוסיצב תלד", "דלת בציסוי פלדה STEEL DOOR"),
            ("FIRST FLOOR PLAN תינכת המוק 2", "FIRST FLOOR PLAN קומה תכנית 2"),
        ] {
            let each: Vec<String> = shown.split(' ').map(word).collect();
            let each: Vec<&str> = each.iter().map(String::as_str).collect();
            assert_eq!(words(&each).join(" "), read);
        }
    }
}
