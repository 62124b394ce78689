//! Vocabularies: lists of words in data files, and how words are looked up in them.
//!
//! A file in `reading/text/words/` holds one entry a line, sorted by Unicode code points, each once; where order decides,
//! its comment says so. A line that begins with `# ` is a comment. An asterisk at an end of an entry stands for any letters
//! there. Entries are folded as [`room_names::words`](crate::room_names::words) folds words, but for those whose comment says
//! that they are in lower case or regular expressions.

use std::cmp::Ordering;

/// Returns the entries of a file, in its order.
pub fn entries(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// A set of words and of patterns that stand for several words.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Entries without an asterisk, sorted.
    words: Vec<&'static str>,
    /// Entries with an asterisk.
    patterns: Vec<&'static str>,
}

impl Vocabulary {
    /// Reads a vocabulary from the text of its file.
    pub fn parse(file: &'static str) -> Self {
        let (patterns, mut words): (Vec<&str>, Vec<&str>) = entries(file).partition(|entry| entry.contains('*'));
        words.sort_unstable();
        Self { words, patterns }
    }

    /// Returns whether a folded word is an entry or fits a pattern.
    pub fn matches(&self, word: &str) -> bool {
        self.words.binary_search(&word).is_ok() || self.patterns.iter().any(|pattern| fits(word, pattern))
    }

    /// Returns whether any of several folded words [`matches`](Self::matches).
    pub fn matches_any<W: AsRef<str>>(&self, words: &[W]) -> bool {
        words.iter().any(|word| self.matches(word.as_ref()))
    }

    /// Returns whether an entry compares as equal; `compare` says where an entry stands relative to what is looked for, by
    /// the order of code points. Patterns are left out.
    pub fn contains_by(&self, compare: impl FnMut(&&'static str) -> Ordering) -> bool {
        self.words.binary_search_by(compare).is_ok()
    }

    /// Returns the entries without an asterisk, sorted.
    pub fn words(&self) -> &[&'static str] {
        &self.words
    }
}

/// A list of phrases: words and patterns that follow one another.
#[derive(Clone, Debug, Default)]
pub struct Phrasebook {
    phrases: Vec<Vec<&'static str>>,
}

impl Phrasebook {
    /// Reads a list of phrases from the text of its file: one phrase a line, words separated by spaces.
    pub fn parse(file: &'static str) -> Self {
        Self { phrases: entries(file).map(|entry| entry.split(' ').collect()).collect() }
    }

    /// Returns whether a phrase stands among folded words.
    pub fn matches<W: AsRef<str>>(&self, words: &[W]) -> bool {
        self.phrases.iter().any(|phrase| words.windows(phrase.len()).any(|own| is_phrase(own, phrase)))
    }

    /// Returns whether folded words begin with a phrase.
    pub fn begins<W: AsRef<str>>(&self, words: &[W]) -> bool {
        self.phrases.iter().any(|phrase| words.get(..phrase.len()).is_some_and(|own| is_phrase(own, phrase)))
    }
}

/// Returns whether words are those of a phrase of as many words.
fn is_phrase<W: AsRef<str>>(words: &[W], phrase: &[&str]) -> bool {
    words.iter().zip(phrase).all(|(word, part)| fits(word.as_ref(), part))
}

/// Returns whether a word is one that a pattern stands for: `*` at an end stands for any letters there.
pub fn fits(word: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => word.contains(pattern.trim_matches('*')),
        (Some(end), None) => word.ends_with(end),
        (None, Some(start)) => word.starts_with(start),
        (None, None) => word == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# A comment.\n#\n*ZIMMER\nBED\nKITCHEN*\n";

    #[test]
    fn an_asterisk_stands_for_any_letters() {
        for (word, pattern, expected) in [
            ("SCHLAFZIMMER", "*ZIMMER", true),
            ("KITCHENETTE", "KITCHEN*", true),
            ("WANDABWICKLUNG", "*ABWICKLUNG*", true),
            ("BEDS", "BED", false),
            ("FLOOR", "*PLAN", false),
        ] {
            assert_eq!(fits(word, pattern), expected, "{word} {pattern}");
        }
    }

    #[test]
    fn a_file_is_read_without_its_comments() {
        assert_eq!(entries(FILE).collect::<Vec<_>>(), ["#", "*ZIMMER", "BED", "KITCHEN*"]);
        let vocabulary = Vocabulary::parse(FILE);
        assert!(vocabulary.matches_any(&["ONE", "BADEZIMMER"]) && vocabulary.matches("#"));
        assert!(!vocabulary.matches("BEDS") && !vocabulary.matches("A"));
        assert!(vocabulary.contains_by(|own| own.cmp(&"BED")));
    }

    #[test]
    fn the_words_of_a_phrase_must_follow_one_another() {
        let phrases = Phrasebook::parse("KEY PLAN*\nLAGEPLAN\n");
        assert!(phrases.matches(&["THE", "KEY", "PLANS"]) && phrases.matches(&["LAGEPLAN"]));
        assert!(!phrases.matches(&["KEY", "TO", "PLAN"]) && !phrases.matches(&["KEY"]));
        assert!(phrases.begins(&["KEY", "PLANS", "OF"]) && !phrases.begins(&["THE", "KEY", "PLAN"]));
        assert!(!phrases.begins(&["KEY"]));
    }
}
