//! Decodes the output of the network `text-recognizer`: connectionist temporal classification, Graves et al. 2006.

use crate::alphabet::{BLANK, SPACE, character};

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
/// `steps` holds the likelihoods of all classes for each step. Only classes that `expected` allows are read.
pub(crate) fn decode(steps: &[f32], expected: &[bool]) -> Vec<ReadCharacter> {
    let count = steps.len() / expected.len();
    let mut read: Vec<ReadCharacter> = Vec::new();
    let mut run = Run::default();
    for (step, likelihoods) in steps.chunks_exact(expected.len()).enumerate() {
        let (class, likelihood) = likeliest(likelihoods, expected);
        if class != run.class {
            read.extend(run.character(count));
            run = Run { class, first: step, last: step, confidence: likelihood };
        }
        run.last = step;
        run.confidence = run.confidence.max(likelihood);
    }
    read.extend(run.character(count));
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
    fn character(&self, count: usize) -> Option<ReadCharacter> {
        let place = ((self.first + self.last) as f32 / 2.0 + 0.5) / count as f32;
        Some(ReadCharacter { character: character(self.class)?, confidence: self.confidence, place })
    }
}

/// Returns the likeliest of the expected classes with its likelihood; the blank if none is likely, and a space in its place if
/// that is likely enough.
fn likeliest(likelihoods: &[f32], expected: &[bool]) -> (usize, f32) {
    let allowed = likelihoods.iter().copied().enumerate().zip(expected).filter(|(_, expected)| **expected);
    let best = allowed.fold((BLANK, 0.0), |best, (class, _)| if class.1 > best.1 { class } else { best });
    let space = likelihoods[*SPACE];
    if best.0 == BLANK && space >= MIN_SPACE { (*SPACE, space) } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alphabet::{ALPHABET, expected_classes};

    /// Steps that show these characters; `_` is the blank.
    fn steps(text: &str) -> Vec<f32> {
        let classes = ALPHABET.len() + 1;
        text.chars()
            .flat_map(|shown| {
                let class = ALPHABET.iter().position(|character| *character == shown).map_or(0, |place| place + 1);
                let mut step = vec![0.0; classes];
                step[if shown == '_' { 0 } else { class }] = 0.9;
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
            assert_eq!(text(&decode(&steps(shown), &expected_classes(""))), expected, "{shown}");
        }
        assert!(decode(&[], &expected_classes("")).is_empty());
    }

    #[test]
    fn a_space_needs_less_than_a_blank() {
        for (likely, expected) in [(0.3, "A B"), (0.1, "AB")] {
            let mut steps = steps("A_B");
            steps[ALPHABET.len() + 1 + *SPACE] = likely;
            assert_eq!(text(&decode(&steps, &expected_classes(""))), expected, "{likely}");
        }
    }

    #[test]
    fn a_character_lies_in_the_middle_of_its_steps() {
        let read = decode(&steps("_AA_"), &expected_classes(""));
        assert_eq!((read[0].place, read[0].confidence), (0.5, 0.9));
    }

    #[test]
    fn unexpected_characters_are_not_read() {
        assert_eq!(text(&decode(&steps("A1B2"), &expected_classes("0123456789"))), "12");
    }
}
