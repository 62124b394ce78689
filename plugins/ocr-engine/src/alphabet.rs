//! The characters that the three heads of the network `text-recognizer` know.

use std::sync::LazyLock;

/// Latin and Greek letters, digits and signs: the characters of the head that is of `PaddleOCR`.
pub static LATIN: LazyLock<Alphabet> =
    LazyLock::new(|| Alphabet::new(include_str!("../../../models/text-recognizer/alphabet.txt")));

/// Cyrillic and Latin letters, digits and signs: the characters of the head that `models/train/cyrillic_head.py` trains.
pub static CYRILLIC: LazyLock<Alphabet> =
    LazyLock::new(|| Alphabet::new(include_str!("../../../models/text-recognizer/cyrillic.txt")));

/// The characters of [`LATIN`] and after them the commonest Chinese and Japanese ones: those of the head that tells only which is
/// the likeliest.
pub static HAN: LazyLock<Alphabet> = LazyLock::new(|| {
    let han = include_str!("../../../models/text-recognizer/han.txt");
    Alphabet { characters: LATIN.characters.iter().copied().chain(listed(han)).collect(), space: LATIN.space }
});

/// The class of the blank in each head.
pub(crate) const BLANK: usize = 0;

/// The characters of a head's classes from 1 up; class 0 is the blank.
#[derive(Debug)]
pub struct Alphabet {
    characters: Vec<char>,
    /// The class of the space.
    space: usize,
}

impl Alphabet {
    /// Returns the alphabet of a file that lies beside the network.
    fn new(file: &str) -> Self {
        let characters: Vec<char> = listed(file).collect();
        let space = characters.iter().position(|character| *character == ' ').map_or(BLANK, |place| place + 1);
        Self { characters, space }
    }

    /// Returns the number of classes, the blank included.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.characters.len() + 1
    }

    /// Returns the class of the space.
    pub(crate) fn space(&self) -> usize {
        self.space
    }

    /// Returns which classes may be read: the blank, the space, and all characters or the expected ones.
    pub(crate) fn expected_classes(&self, characters: &str) -> Vec<bool> {
        let is_expected =
            |character: &char| characters.is_empty() || *character == ' ' || characters.contains(*character);
        std::iter::once(true).chain(self.characters.iter().map(is_expected)).collect()
    }

    /// Returns the character of a class, `None` for the blank.
    pub(crate) fn character(&self, class: usize) -> Option<char> {
        self.characters.get(class.checked_sub(1)?).copied()
    }

    /// Returns the class of a character, the blank for an unknown one.
    #[cfg(test)]
    pub(crate) fn class(&self, character: char) -> usize {
        self.characters.iter().position(|known| *known == character).map_or(BLANK, |place| place + 1)
    }
}

/// Returns the characters of a file that lies beside the network.
fn listed(file: &str) -> impl Iterator<Item = char> {
    file.trim_end_matches('\n').chars()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_has_one_class() {
        let cases = [
            (&*LATIN, "AZaz09 é°½ßŁñ'\"#-/."),
            (&*CYRILLIC, "АЯаяёїљњ09 №«»×-/.AZaz"),
            (&*HAN, "一階平面図房间ょーカ、（AZ09"),
        ];
        for (alphabet, some) in cases {
            let mut sorted = alphabet.characters.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), alphabet.characters.len());
            for character in some.chars() {
                assert!(alphabet.characters.contains(&character), "{character}");
            }
        }
    }

    #[test]
    fn only_expected_characters_are_read() {
        let expected = LATIN.expected_classes("0123");
        assert_eq!(expected.iter().filter(|class| **class).count(), 6, "four digits, the space and the blank");
        assert!(LATIN.expected_classes("").iter().all(|class| *class));
        assert_eq!(LATIN.character(0), None);
    }
}
