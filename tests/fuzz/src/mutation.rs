//! Mutation of bytes, the way fuzzers do it: a few random edits of a valid input.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Most edits of one input. More of them rarely leave anything that a parser reads on.
const MOST_EDITS: usize = 8;
/// Longest piece that an edit copies, removes or fills, in bytes.
const LONGEST_PIECE: usize = 512;
/// Numbers at which parsers err: none, negative, at the ends of machine integers, not a number, and far too large.
const NUMBERS: [&str; 10] =
    ["0", "-1", "255", "65536", "2147483647", "-2147483648", "4294967296", "18446744073709551616", "1e999", "NaN"];

/// Returns mutated inputs, the same for the same seeds and number.
pub fn mutants(seeds: &[Vec<u8>], number: u64) -> impl Iterator<Item = Vec<u8>> {
    (0..number).filter_map(|at| mutant(seeds, at))
}

/// Returns the mutant of this number. `None` without a seed.
pub fn mutant(seeds: &[Vec<u8>], number: u64) -> Option<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
    let mut bytes = seeds.get(random.random_range(0..seeds.len().max(1)))?.clone();
    let other = &seeds[random.random_range(0..seeds.len())];
    for _ in 0..random.random_range(1..=MOST_EDITS) {
        edit(&mut bytes, other, &mut random);
    }
    Some(bytes)
}

/// Makes one random edit. `other` is a valid input that pieces are taken from.
fn edit(bytes: &mut Vec<u8>, other: &[u8], random: &mut Xoshiro256PlusPlus) {
    if bytes.is_empty() {
        return bytes.extend_from_slice(other);
    }
    let piece = piece_of(bytes, random);
    match random.random_range(0..7) {
        0 => bytes[piece.start] ^= 1 << random.random_range(0..8),
        1 => bytes[piece.start] = random.random(),
        2 => drop(bytes.drain(piece)),
        3 => {
            let copy = bytes[piece.clone()].to_vec();
            let at = random.random_range(0..=bytes.len());
            bytes.splice(at..at, copy);
        }
        4 if !other.is_empty() => {
            let foreign = other[piece_of(other, random)].to_vec();
            bytes.splice(piece, foreign);
        }
        5 => bytes.truncate(piece.end),
        _ => replace_number(bytes, random),
    }
}

/// Returns a random piece of bytes that are not empty.
fn piece_of(bytes: &[u8], random: &mut Xoshiro256PlusPlus) -> std::ops::Range<usize> {
    let start = random.random_range(0..bytes.len());
    let longest = (bytes.len() - start).min(LONGEST_PIECE);
    start..start + random.random_range(1..=longest)
}

/// Replaces the next number in digits after a random place by one of [`NUMBERS`].
fn replace_number(bytes: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    let from = random.random_range(0..bytes.len());
    let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit).map(|at| from + at) else { return };
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = NUMBERS[random.random_range(0..NUMBERS.len())];
    bytes.splice(start..start + length, number.bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_make_equal_mutants() {
        let seeds = [b"1 0 obj << /Length 12 >>".to_vec(), b"[1 2 3]".to_vec()];
        let all: Vec<Vec<u8>> = mutants(&seeds, 100).collect();
        assert_eq!(all, mutants(&seeds, 100).collect::<Vec<_>>());
        let changed = all.iter().filter(|mutant| !seeds.contains(mutant)).count();
        assert!(changed > 90, "{changed} of 100 differ from their seed");
    }

    #[test]
    fn there_is_no_mutant_without_a_seed() {
        assert_eq!(mutant(&[], 1), None);
        assert!(mutant(&[Vec::new()], 1).is_some());
    }
}
