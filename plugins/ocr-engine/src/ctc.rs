//! Decodes the output of the network `text-recognizer`: connectionist temporal classification, Graves et al. 2006.

use crate::alphabet::{Alphabet, BLANK};

/// How likely a space must be where no character is. The network gives spaces less than they are worth; the card of
/// `text-recognizer` says how this was chosen.
const MIN_SPACE: f32 = 0.2;

/// A character of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReadCharacter {
    /// The character.
    pub(crate) character: char,
    /// How likely it is, from 0 to 1.
    pub(crate) confidence: f32,
    /// The middle of the steps that show it, as a share of the line's steps from 0 to 1.
    pub(crate) place: f32,
}

/// Returns the likeliest characters of a line by best-path decoding: the likeliest class of each step, repetitions joined,
/// blanks removed. Spaces need only be likelier than [`MIN_SPACE`].
///
/// `steps` holds the likelihoods of all classes of `alphabet` for each step. Only classes that `expected` allows are read.
pub(crate) fn decode(steps: &[f32], alphabet: &Alphabet, expected: &[bool]) -> Vec<ReadCharacter> {
    let steps = steps.chunks_exact(expected.len()).map(|likelihoods| likeliest(likelihoods, alphabet, expected));
    joined(steps, alphabet)
}

/// Returns the characters of a line by the likeliest class of each step and its likelihood, which stand in pairs in `steps`.
pub(crate) fn decode_likeliest(steps: &[f32], alphabet: &Alphabet) -> Vec<ReadCharacter> {
    joined(steps.chunks_exact(2).map(|pair| (pair[0] as usize, pair[1])), alphabet)
}

/// Joins repetitions of a class in successive steps, each with its likelihood, and removes blanks.
fn joined(steps: impl ExactSizeIterator<Item = (usize, f32)>, alphabet: &Alphabet) -> Vec<ReadCharacter> {
    let count = steps.len();
    let mut read: Vec<ReadCharacter> = Vec::new();
    let mut run = Run::default();
    for (step, (class, likelihood)) in steps.enumerate() {
        if class != run.class {
            read.extend(run.character(alphabet, count));
            run = Run { class, first: step, last: step, confidence: likelihood };
        }
        run.last = step;
        run.confidence = run.confidence.max(likelihood);
    }
    read.extend(run.character(alphabet, count));
    read
}

/// Successive steps that show the same class.
#[derive(Default)]
struct Run {
    class: usize,
    first: usize,
    last: usize,
    confidence: f32,
}

impl Run {
    /// Returns the character of the run, `None` for blanks. `count` is the number of the line's steps.
    fn character(&self, alphabet: &Alphabet, count: usize) -> Option<ReadCharacter> {
        let place = ((self.first + self.last) as f32 / 2.0 + 0.5) / count as f32;
        Some(ReadCharacter { character: alphabet.character(self.class)?, confidence: self.confidence, place })
    }
}

/// Returns the likeliest of the expected classes with its likelihood; the blank if none is likely, and a space in its place if
/// that is likely enough.
fn likeliest(likelihoods: &[f32], alphabet: &Alphabet, expected: &[bool]) -> (usize, f32) {
    let allowed = likelihoods.iter().copied().enumerate().zip(expected).filter(|(_, expected)| **expected);
    let best = allowed.fold((BLANK, 0.0), |best, (class, _)| if class.1 > best.1 { class } else { best });
    let space = likelihoods[alphabet.space()];
    if best.0 == BLANK && space >= MIN_SPACE { (alphabet.space(), space) } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::{HAN, LATIN};

    /// Steps that show these characters; `_` is the blank.
    fn steps(text: &str) -> Vec<f32> {
        let classes = LATIN.classes();
        text.chars()
            .flat_map(|shown| {
                let mut step = vec![0.0; classes];
                step[if shown == '_' { BLANK } else { LATIN.class(shown) }] = 0.9;
                step
            })
            .collect()
    }

    fn text(read: &[ReadCharacter]) -> String {
        read.iter().map(|read| read.character).collect()
    }

    #[test]
    fn repetitions_are_joined_and_blanks_removed() {
        for (shown, expected) in [("_AA__BB", "AB"), ("A_A", "AA"), ("____", ""), ("DOO_R", "DOR"), ("A  B", "A B")] {
            assert_eq!(text(&decode(&steps(shown), &LATIN, &LATIN.expected_classes(""))), expected, "{shown}");
        }
        assert!(decode(&[], &LATIN, &LATIN.expected_classes("")).is_empty());
    }

    #[test]
    fn likeliest_classes_are_joined_alike() {
        let class = |character| HAN.class(character) as f32;
        let steps = [class('平'), 0.8, class('平'), 0.9, BLANK as f32, 1.0, class('面'), 0.7, 1e9, 0.5];
        let read = decode_likeliest(&steps, &HAN);
        assert_eq!((text(&read).as_str(), read[0].confidence), ("平面", 0.9));
    }

    #[test]
    fn a_space_needs_less_than_a_blank() {
        for (likely, expected) in [(0.3, "A B"), (0.1, "AB")] {
            let mut steps = steps("A_B");
            steps[LATIN.classes() + LATIN.space()] = likely;
            assert_eq!(text(&decode(&steps, &LATIN, &LATIN.expected_classes(""))), expected, "{likely}");
        }
    }

    #[test]
    fn a_character_lies_in_the_middle_of_its_steps() {
        let read = decode(&steps("_AA_"), &LATIN, &LATIN.expected_classes(""));
        assert_eq!((read[0].place, read[0].confidence), (0.5, 0.9));
    }

    #[test]
    fn unexpected_characters_are_not_read() {
        assert_eq!(text(&decode(&steps("A1B2"), &LATIN, &LATIN.expected_classes("0123456789"))), "12");
    }
}
