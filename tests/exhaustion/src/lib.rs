//! How guests of tests use up time and memory. Neither function returns: the host ends the guest.

use std::hint::black_box;

/// Bytes that are taken at a time: a megabyte.
const PIECE: usize = 1024 * 1024;

/// Counts for longer than any host waits.
pub fn spin() {
    let mut turns = 0_u64;
    while black_box(turns) < u64::MAX {
        turns += 1;
    }
}

/// Takes memory until there is none.
pub fn eat_memory() {
    let mut eaten: Vec<Vec<u8>> = Vec::new();
    loop {
        eaten.push(vec![1; PIECE]);
        black_box(&eaten);
    }
}
