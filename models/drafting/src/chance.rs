//! Seeded random choices: the same seed gives the same document on every machine.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// A source of random choices.
pub(crate) struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns a number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        self.0.random_range(low..=high.max(low))
    }

    /// Returns true in `percent` percent of cases.
    pub(crate) fn percent(&mut self, percent: u8) -> bool {
        self.between(1, 100) <= u32::from(percent)
    }

    /// Returns one of the choices, all equally likely. The slice must not be empty.
    pub(crate) fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.between(0, choices.len() as u32 - 1) as usize]
    }

    /// Returns one of the choices by weight. The slice must not be empty.
    pub(crate) fn weighted<T: Copy>(&mut self, choices: &[(u32, T)]) -> T {
        let total: u32 = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.between(1, total);
        for (weight, choice) in choices {
            if left <= *weight {
                return *choice;
            }
            left -= weight;
        }
        choices[choices.len() - 1].1
    }

    /// Returns `count` of the items in their order.
    pub(crate) fn sample<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let mut left = count.min(items.len());
        let mut taken = Vec::with_capacity(left);
        for (index, item) in items.iter().enumerate() {
            let remaining = (items.len() - index) as u32;
            if left > 0 && self.between(1, remaining) <= left as u32 {
                taken.push(item.clone());
                left -= 1;
            }
        }
        taken
    }
}
