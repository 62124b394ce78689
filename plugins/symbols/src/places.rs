//! Tables by place: what lies in the cells of a grid, and maps with a hash that is cheap and the same at each run.
//!
//! The keys are a page's own coordinates. A page made so that many cells share a hash only slows itself down, within the
//! plugin's time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::plane::{Extent, Point};

/// What lies where, by cells of a square grid that are made as they are needed.
#[derive(Debug)]
pub(crate) struct Grid<T> {
    side: f32,
    most: usize,
    cells: Places<(i32, i32), Vec<T>>,
}

impl<T> Grid<T> {
    /// A grid whose cells have sides of so many points and keep `most` of what lies in them, the first that are added.
    pub(crate) fn new(side: f32, most: usize) -> Self {
        Self { side, most, cells: Places::default() }
    }

    /// Adds what lies at a point. False where its cell is full.
    pub(crate) fn add(&mut self, at: Point, item: T) -> bool {
        let own = self.cells.entry((self.line(at.x), self.line(at.y))).or_default();
        let has_room = own.len() < self.most;
        if has_room {
            own.push(item);
        }
        has_room
    }

    /// What lies in the cells that a box lies on: all that lies in the box, and more.
    pub(crate) fn near(&self, area: Extent) -> impl Iterator<Item = &T> {
        let (columns, rows) = (self.line(area.x1)..=self.line(area.x2), self.line(area.y1)..=self.line(area.y2));
        let cells = rows.flat_map(move |row| columns.clone().map(move |column| (column, row)));
        cells.filter_map(|cell| self.cells.get(&cell)).flatten()
    }

    /// Of columns or of rows, the one that a coordinate lies in.
    fn line(&self, coordinate: f32) -> i32 {
        (coordinate / self.side).floor() as i32
    }
}

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
