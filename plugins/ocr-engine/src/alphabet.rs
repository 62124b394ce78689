//! The characters that the network `text-recognizer` knows.

use std::sync::LazyLock;

/// The characters of the network's classes from 1 up; class 0 is the blank. `models/train/text_networks.py` writes the file
/// beside the network.
pub static ALPHABET: LazyLock<Vec<char>> = LazyLock::new(|| {
    include_str!("../../../models/text-recognizer/alphabet.txt").trim_end_matches('\n').chars().collect()
});

/// The class of the blank.
pub(crate) const BLANK: usize = 0;

/// The class of the space.
pub(crate) static SPACE: LazyLock<usize> =
    LazyLock::new(|| ALPHABET.iter().position(|character| *character == ' ').map_or(BLANK, |place| place + 1));

/// Returns which classes may be read: the blank, the space, and all characters or the expected ones.
pub(crate) fn expected_classes(characters: &str) -> Vec<bool> {
    let is_expected = |character: &char| characters.is_empty() || *character == ' ' || characters.contains(*character);
    std::iter::once(true).chain(ALPHABET.iter().map(is_expected)).collect()
}

/// Returns the character of a class, `None` for the blank.
pub(crate) fn character(class: usize) -> Option<char> {
    ALPHABET.get(class.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_has_one_class() {
        let mut sorted = ALPHABET.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), ALPHABET.len());
        for character in "AZaz09 é°½ßŁñ'\"#-/.".chars() {
            assert!(ALPHABET.contains(&character), "{character}");
        }
    }

    #[test]
    fn only_expected_characters_are_read() {
        let expected = expected_classes("0123");
        assert_eq!(expected.iter().filter(|class| **class).count(), 6, "four digits, the space and the blank");
        assert!(expected_classes("").iter().all(|class| *class));
        assert_eq!(character(0), None);
    }
}
