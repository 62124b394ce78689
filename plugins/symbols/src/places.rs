//! Tables by place: maps from cells of a grid to what lies there, with a hash that is cheap and the same at each run.
//!
//! The keys are a page's own coordinates. A page made so that many cells share a hash only slows itself down, within the
//! plugin's time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are small numbers: cells of a grid, for the most part.
pub(crate) type Places<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Mixes words by multiplying and turning, as `FxHash` does.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

/// An odd number whose bits are spread evenly: 2^64 over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_i32(&mut self, value: i32) {
        self.write_u64(u64::from(value.cast_unsigned()));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(SPREAD);
    }

    fn finish(&self) -> u64 {
        // The table takes its place from the low bits, which a product mixes least.
        self.0 ^ (self.0 >> 32)
    }
}
