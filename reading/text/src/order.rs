//! From the order that letters stand in on the paper, left to right, to the order that they are read in.
//!
//! A PDF shows Hebrew and Arabic as what a viewer sees: the last letter of a word stands, and is shown, first. Undone is
//! what the Unicode Bidirectional Algorithm (UAX #9, rule L2) did when the page was set: what runs to the left is
//! reversed, and in it what runs to the right once more. Which of two ways the whole line runs isn't told by a page; it is
//! that of most letters.

use unicode_bidi::{BidiClass, bidi_class};
use unicode_normalization::UnicodeNormalization as _;

/// Which way a character or a word runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Left,
    Right,
    /// As what stands about it: spaces, signs, brackets.
    Either,
}

/// A word's characters in reading order. The forms that Arabic letters have beside each other become the letters.
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

/// Words in reading order, given as they stand from left to right, each in reading order by itself.
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

/// The reading order of what stands from left to right in a line that runs one way: what runs the other way, with all that
/// stands within, is turned.
fn order(ways: &[Way], line: Way) -> Vec<usize> {
    let mut read: Vec<usize> = (0..ways.len()).collect();
    if line == Way::Left {
        read.reverse();
    }
    let against = |at: &usize| ways[*at] != Way::Either && ways[*at] != line;
    let mut from = 0;
    while from < read.len() {
        let run = read[from..].iter().take_while(|at| ways[**at] != line).count();
        let own = &mut read[from..from + run];
        if let (Some(first), Some(last)) = (own.iter().position(against), own.iter().rposition(against)) {
            own[first..=last].reverse();
        }
        from += run.max(1);
    }
    read
}

/// Digits run to the right in any line.
fn way(character: char) -> Way {
    match bidi_class(character) {
        BidiClass::EN | BidiClass::AN => Way::Right,
        _ => letter_way(character),
    }
}

/// A word of digits alone stands where the line has it.
fn letter_way(character: char) -> Way {
    match bidi_class(character) {
        BidiClass::R | BidiClass::AL => Way::Left,
        BidiClass::L => Way::Right,
        _ => Way::Either,
    }
}

/// Brackets open where they are read.
fn mirrored(character: char) -> char {
    match character {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_from_the_side_that_it_begins_at() {
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
    fn words_are_read_the_way_that_most_letters_run() {
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
