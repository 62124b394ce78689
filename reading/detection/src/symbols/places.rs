//! Spatial hashing: a grid of cells in a hash map.
//!
//! The map's hash is cheap and the same at each run. The keys are coordinates of the page: a page made so that many cells share
//! a hash only slows itself down, within the plugin's time.

use rustc_hash::FxHashMap;

use crate::symbols::plane::{Extent, Point};

/// A square grid whose cells are created on demand.
#[derive(Debug)]
pub(crate) struct Grid<T> {
    side: f32,
    most: u32,
    cells: FxHashMap<(i32, i32), InCell>,
    items: Vec<Item<T>>,
}

/// The first and the last item of a cell, and how many there are. All cells' items lie in one list, in which those of a cell
/// lead from one to the next: a list for each cell would be as many lists as a page has places.
#[derive(Clone, Copy, Debug)]
struct InCell {
    first: u32,
    last: u32,
    count: u32,
}

#[derive(Debug)]
struct Item<T> {
    item: T,
    /// The next one of its cell.
    next: Option<u32>,
}

impl<T> Grid<T> {
    /// Creates a grid with cells of `side` points, each of which keeps the first `most` items.
    pub(crate) fn new(side: f32, most: u32) -> Self {
        Self { side, most, cells: FxHashMap::default(), items: Vec::new() }
    }

    /// Adds an item at a point. Returns false if the cell is full.
    pub(crate) fn add(&mut self, at: Point, item: T) -> bool {
        let number = self.items.len() as u32;
        let place = (self.line(at.x), self.line(at.y));
        let own = self.cells.entry(place).or_insert(InCell { first: number, last: number, count: 0 });
        if own.count >= self.most {
            return false;
        }
        if own.count > 0
            && let Some(last) = self.items.get_mut(own.last as usize)
        {
            last.next = Some(number);
        }
        (own.last, own.count) = (number, own.count + 1);
        self.items.push(Item { item, next: None });
        true
    }

    /// Returns the items of all cells that a box touches: those in the box, and more.
    pub(crate) fn near(&self, area: Extent) -> impl Iterator<Item = &T> {
        let (columns, rows) = (self.line(area.x1)..=self.line(area.x2), self.line(area.y1)..=self.line(area.y2));
        let cells = rows.flat_map(move |row| columns.clone().map(move |column| (column, row)));
        let firsts = cells.filter_map(|cell| self.cells.get(&cell));
        firsts.flat_map(|own| {
            let item = |number: u32| self.items.get(number as usize);
            std::iter::successors(item(own.first), move |last| item(last.next?)).map(|own| &own.item)
        })
    }

    /// Returns the column or the row that a coordinate lies in.
    fn line(&self, coordinate: f32) -> i32 {
        (coordinate / self.side).floor() as i32
    }
}
