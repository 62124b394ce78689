//! A spatial index: a uniform grid over the page, queried in time that does not grow with the page.

use std::cell::Cell;
use std::ops::RangeInclusive;

use crate::symbols::plane::{Extent, Point};

/// Most cells of an index.
const MOST_CELLS: f32 = 1.0e6;
/// Most entries of an index.
const MOST_ENTRIES: f32 = 6.0e6;

/// The pieces in each cell of a square grid over the page.
#[derive(Debug)]
pub(crate) struct Index {
    page: Extent,
    cell: f32,
    columns: usize,
    rows: usize,
    /// Where each cell's entries start, and where the last one's end.
    starts: Vec<u32>,
    entries: Vec<u32>,
    /// In which search each piece was found last, and how many there were: a piece that lies in many cells is told once.
    found_in: Vec<Cell<u32>>,
    searches: Cell<u32>,
}

impl Index {
    /// Creates an index of straight pieces, each given by its ends; the number of a piece is its place in the list.
    /// `least_cell` is the side of its cells, in points, where that doesn't make too many of them.
    pub(crate) fn new(page: Extent, least_cell: f32, pieces: &[(Point, Point)]) -> Self {
        let reach = page.width() + page.height();
        let drawn: f64 = pieces.iter().map(|(a, b)| f64::from(a.to(*b).min(reach))).sum();
        let by_length = drawn as f32 / MOST_ENTRIES * 2.0;
        let by_area = (page.area() / MOST_CELLS).sqrt();
        let cell = least_cell.max(by_length).max(by_area);
        let columns = ((page.width() / cell).ceil() as usize).max(1);
        let rows = ((page.height() / cell).ceil() as usize).max(1);
        let mut index = Self {
            page,
            cell,
            columns,
            rows,
            starts: Vec::new(),
            entries: Vec::new(),
            found_in: vec![Cell::new(0); pieces.len()],
            searches: Cell::new(0),
        };
        let mut starts: Vec<u32> = vec![0; columns * rows + 1];
        for &(a, b) in pieces {
            index.cells_along(a, b, |cell| starts[cell + 1] += 1);
        }
        for cell in 0..columns * rows {
            starts[cell + 1] += starts[cell];
        }
        let mut entries = vec![0; *starts.last().unwrap_or(&0) as usize];
        let mut next = starts.clone();
        for (number, &(a, b)) in pieces.iter().enumerate() {
            index.cells_along(a, b, |cell| {
                entries[next[cell] as usize] = number as u32;
                next[cell] += 1;
            });
        }
        index.starts = starts;
        index.entries = entries;
        index
    }

    /// Visits each cell that a straight piece passes through, row by row; those off the page are left out.
    fn cells_along(&self, a: Point, b: Point, mut visit: impl FnMut(usize)) {
        let place = |value: f32, origin: f32| (value - origin) / self.cell;
        let (ax, ay) = (place(a.x, self.page.x1), place(a.y, self.page.y1));
        let (bx, by) = (place(b.x, self.page.x1), place(b.y, self.page.y1));
        let (low, high) = if ay <= by { ((ax, ay), (bx, by)) } else { ((bx, by), (ax, ay)) };
        let last_row = self.rows as f32 - 1.0;
        if high.1 < 0.0 || low.1.floor() > last_row {
            return;
        }
        let first = low.1.floor().clamp(0.0, last_row) as usize;
        let last = high.1.floor().clamp(0.0, last_row) as usize;
        let slope = if high.1 > low.1 { (high.0 - low.0) / (high.1 - low.1) } else { 0.0 };
        for row in first..=last {
            // The part of the piece within this row.
            let (from, to) = if first == last && high.1.floor() == low.1.floor() {
                (low.0, high.0)
            } else {
                let bottom = (row as f32).max(low.1);
                let top = (row as f32 + 1.0).min(high.1);
                (low.0 + slope * (bottom - low.1), low.0 + slope * (top - low.1))
            };
            let (left, right) = (from.min(to).floor(), from.max(to).floor());
            let last_column = self.columns as f32 - 1.0;
            if right < 0.0 || left > last_column {
                continue;
            }
            for column in left.clamp(0.0, last_column) as usize..=right.clamp(0.0, last_column) as usize {
                visit(row * self.columns + column);
            }
        }
    }

    /// Fills `found` with the pieces that may touch a box, each once.
    pub(crate) fn near(&self, area: Extent, found: &mut Vec<u32>) {
        found.clear();
        if !area.touches(&self.page) {
            return;
        }
        let column = |x: f32| (((x - self.page.x1) / self.cell).max(0.0) as usize).min(self.columns - 1);
        let row = |y: f32| (((y - self.page.y1) / self.cell).max(0.0) as usize).min(self.rows - 1);
        let (rows, columns) = (row(area.y1)..=row(area.y2), column(area.x1)..=column(area.x2));
        if rows.start() == rows.end() && columns.start() == columns.end() {
            found.extend_from_slice(self.entries_in(*rows.start(), &columns));
            return;
        }
        let search = self.next_search();
        for row in rows {
            let own = self.entries_in(row, &columns);
            found.reserve(own.len());
            found.extend(own.iter().filter(|piece| self.found_in[**piece as usize].replace(search) != search));
        }
    }

    /// Returns the entries of neighbouring cells of a row.
    fn entries_in(&self, row: usize, columns: &RangeInclusive<usize>) -> &[u32] {
        let from = self.starts[row * self.columns + columns.start()] as usize;
        let to = self.starts[row * self.columns + columns.end() + 1] as usize;
        &self.entries[from..to]
    }

    /// Returns the number of a search, one that no piece has yet.
    fn next_search(&self) -> u32 {
        let search = self.searches.get().checked_add(1).unwrap_or_else(|| {
            self.found_in.iter().for_each(|last| last.set(0));
            1
        });
        self.searches.set(search);
        search
    }
}
