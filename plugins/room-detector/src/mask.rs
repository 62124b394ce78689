//! The plan as a grid of walls and spaces, with connected components and a distance transform.

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, UnionFind};

use crate::walls::{Bearing, Strip};

/// Most cells of the grid: a sheet of 48 by 36 inches has cells of 1.2 points.
const MOST_CELLS: f32 = 6_000_000.0;
/// Least side of a cell, in points.
const SMALLEST: f32 = 0.5;
/// Most steps in which strips are drawn.
const MOST_STEPS: usize = 120_000_000;
/// Most samples along a strip.
const MOST_SAMPLES: usize = 400;

/// A grid of cells over a sheet's frame.
pub(crate) struct Mask {
    /// Side of a cell in points.
    pub(crate) cell: f32,
    pub(crate) wide: usize,
    pub(crate) high: usize,
    /// [`FREE`], [`WALL`], or the number of an opening, which is one more than its index.
    cells: Vec<u32>,
    steps: usize,
}

/// What lies between walls.
const FREE: u32 = 0;
/// What is wall.
const WALL: u32 = u32::MAX;

impl Mask {
    /// Creates a grid with cells of about `side` points, or larger ones to limit their number.
    pub(crate) fn new(frame: &Frame, side: f32) -> Self {
        let cell = (frame.width * frame.height / MOST_CELLS).sqrt().max(side).max(SMALLEST);
        let wide = (frame.width / cell).ceil() as usize + 2;
        let high = (frame.height / cell).ceil() as usize + 2;
        Self { cell, wide, high, cells: vec![FREE; wide * high], steps: 0 }
    }

    /// Returns the cell of a place, or `None` outside the sheet.
    pub(crate) fn at(&self, (x, y): (f32, f32)) -> Option<usize> {
        let (column, row) = (x / self.cell, y / self.cell);
        let inside = column >= 0.0 && row >= 0.0 && column < self.wide as f32 && row < self.high as f32;
        inside.then(|| row as usize * self.wide + column as usize)
    }

    /// Returns the bounding box of a connected component, in points.
    pub(crate) fn extent(&self, part: &Part) -> Rect {
        let at = |cell: usize| cell as f32 * self.cell;
        Rect { x1: at(part.low.0), y1: at(part.low.1), x2: at(part.high.0 + 1), y2: at(part.high.1 + 1) }
    }

    /// Returns the centre of a cell.
    pub(crate) fn place(&self, at: usize) -> (f32, f32) {
        let (column, row) = ((at % self.wide) as f32, (at / self.wide) as f32);
        ((column + 0.5) * self.cell, (row + 0.5) * self.cell)
    }

    pub(crate) fn is_wall(&self, place: (f32, f32)) -> bool {
        self.at(place).is_some_and(|at| self.cells[at] == WALL)
    }

    pub(crate) fn is_wall_cell(&self, at: usize) -> bool {
        self.cells.get(at) == Some(&WALL)
    }

    pub(crate) fn is_free(&self, place: (f32, f32)) -> bool {
        self.at(place).is_some_and(|at| self.cells[at] == FREE)
    }

    /// Returns the share of a strip's centre line that is wall.
    pub(crate) fn walled(&self, bearing: &Bearing, strip: &Strip) -> f32 {
        let steps = ((strip.length() / self.cell).ceil() as usize).clamp(1, MOST_SAMPLES);
        let each = strip.length() / steps as f32;
        let along = (0..steps).map(|step| strip.from + (step as f32 + 0.5) * each);
        let walled = along.filter(|along| self.is_wall(bearing.place(*along, strip.middle()))).count();
        walled as f32 / steps as f32
    }

    /// Draws a wall.
    pub(crate) fn draw(&mut self, bearing: &Bearing, strip: &Strip) {
        self.fill(bearing, strip, |cell| *cell = WALL);
    }

    /// Draws an opening where there is neither a wall nor another opening.
    pub(crate) fn draw_opening(&mut self, bearing: &Bearing, strip: &Strip, index: usize) {
        let own = index as u32 + 1;
        self.fill(bearing, strip, |cell| *cell = if *cell == FREE { own } else { *cell });
    }

    /// Turns a part of an opening into space.
    pub(crate) fn open(&mut self, bearing: &Bearing, strip: &Strip, index: usize) {
        let own = index as u32 + 1;
        self.fill(bearing, strip, |cell| *cell = if *cell == own { FREE } else { *cell });
    }

    /// Turns a part of an opening into wall.
    pub(crate) fn close(&mut self, bearing: &Bearing, strip: &Strip, index: usize) {
        let own = index as u32 + 1;
        self.fill(bearing, strip, |cell| *cell = if *cell == own { WALL } else { *cell });
    }

    /// Turns closed openings into walls and the others into space.
    pub(crate) fn settle(&mut self, closed: impl Fn(usize) -> bool) {
        for cell in self.cells.iter_mut().filter(|cell| !matches!(**cell, FREE | WALL)) {
            *cell = if closed(*cell as usize - 1) { WALL } else { FREE };
        }
    }

    /// Fills a strip, slightly enlarged, so that touching strips leave no gap.
    fn fill(&mut self, bearing: &Bearing, strip: &Strip, mut with: impl FnMut(&mut u32)) {
        let step = 0.7 * self.cell;
        let slack = 0.35 * self.cell;
        let across = ((strip.high - strip.low + 2.0 * slack) / step).ceil() as usize;
        let along = ((strip.to - strip.from + 2.0 * slack) / step).ceil() as usize;
        self.steps += (across + 1) * (along + 1);
        if self.steps > MOST_STEPS {
            return;
        }
        for i in 0..=along {
            let a = (strip.from - slack + i as f32 * step).min(strip.to + slack);
            for j in 0..=across {
                let b = (strip.low - slack + j as f32 * step).min(strip.high + slack);
                if let Some(at) = self.at(bearing.place(a, b)) {
                    with(&mut self.cells[at]);
                }
            }
        }
    }

    /// Labels the connected components of walls, openings included, from 1 (0 is neither), and returns each one's longer side
    /// in points.
    pub(crate) fn walls(&self) -> (Vec<u32>, Vec<f32>) {
        let (owner, parts) = self.parts(true, |cell| cell != FREE);
        let extents = parts.iter().map(|part| part.extent() * self.cell).collect();
        (owner, extents)
    }

    /// Removes connected components of walls that are smaller than an extent: columns, furniture.
    pub(crate) fn keep_long(&mut self, least: f32) {
        let (owner, extents) = self.walls();
        for (cell, owner) in self.cells.iter_mut().zip(owner) {
            if owner > 0 && extents[owner as usize - 1] < least {
                *cell = FREE;
            }
        }
    }

    /// Labels the connected components between walls and openings from 1 (0 is neither).
    pub(crate) fn spaces(&self) -> (Vec<u32>, Vec<Part>) {
        self.parts(false, |cell| cell == FREE)
    }

    /// Labels connected components by runs: each row's runs are joined with those above them, diagonally too if `corners`.
    fn parts(&self, corners: bool, of_kind: impl Fn(u32) -> bool) -> (Vec<u32>, Vec<Part>) {
        struct Run {
            row: usize,
            from: usize,
            to: usize,
        }
        let mut runs: Vec<Run> = Vec::new();
        let mut sets = UnionFind::default();
        let (mut above_from, mut above_to) = (0, 0);
        for (row, cells) in self.cells.chunks_exact(self.wide).enumerate() {
            let start = runs.len();
            let mut above = above_from;
            let mut column = 0;
            while column < self.wide {
                let Some(from) = cells[column..].iter().position(|cell| of_kind(*cell)).map(|off| column + off) else {
                    break;
                };
                let to = cells[from..].iter().position(|cell| !of_kind(*cell)).map_or(self.wide, |off| from + off);
                let number = sets.push();
                runs.push(Run { row, from, to });
                // Runs above that end before this one touch none that follow.
                let reach = usize::from(corners);
                while above < above_to && runs[above].to + reach <= from {
                    above += 1;
                }
                let mut touching = above;
                while touching < above_to && runs[touching].from < to + reach {
                    sets.unite(touching, number);
                    touching += 1;
                }
                column = to;
            }
            (above_from, above_to) = (start, runs.len());
        }
        let mut owner = vec![0_u32; self.cells.len()];
        let mut numbers = vec![0_u32; runs.len()];
        let mut parts: Vec<Part> = Vec::new();
        for (at, run) in runs.iter().enumerate() {
            let own = sets.find(at);
            if numbers[own] == 0 {
                parts.push(Part::at(run.from, run.row));
                numbers[own] = parts.len() as u32;
            }
            let number = numbers[own];
            owner[run.row * self.wide + run.from..run.row * self.wide + run.to].fill(number);
            parts[number as usize - 1].add(run.row, run.from, run.to, self.wide, self.high);
        }
        (owner, parts)
    }

    /// Returns the neighbours of a cell, none for a cell at the sheet's edge.
    pub(crate) fn around(&self, at: usize) -> [usize; 4] {
        let (column, row) = (at % self.wide, at / self.wide);
        let inside = column > 0 && row > 0 && column + 1 < self.wide && row + 1 < self.high;
        if inside { [at - 1, at + 1, at - self.wide, at + self.wide] } else { [at; 4] }
    }

    /// Returns the 3-4 chamfer distance transform: each cell's distance to the nearest wall or opening, in thirds of a cell
    /// (Borgefors 1986).
    pub(crate) fn distances(&self) -> Vec<u16> {
        const FAR: u16 = 60_000;
        let (wide, high) = (self.wide, self.high);
        let mut distance: Vec<u16> = self.cells.iter().map(|cell| if *cell == FREE { FAR } else { 0 }).collect();
        // The first and the last row and column are outside: nothing is nearer to a wall by way of them.
        for row in 1..high.saturating_sub(1) {
            for at in row * wide + 1..(row + 1) * wide - 1 {
                let beside = distance[at - 1].min(distance[at - wide]).saturating_add(3);
                let corner = distance[at - wide - 1].min(distance[at - wide + 1]).saturating_add(4);
                distance[at] = distance[at].min(beside).min(corner);
            }
        }
        for row in (1..high.saturating_sub(1)).rev() {
            for at in (row * wide + 1..(row + 1) * wide - 1).rev() {
                let beside = distance[at + 1].min(distance[at + wide]).saturating_add(3);
                let corner = distance[at + wide + 1].min(distance[at + wide - 1]).saturating_add(4);
                distance[at] = distance[at].min(beside).min(corner);
            }
        }
        distance
    }
}

/// A connected component of cells.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) cells: usize,
    /// Whether it reaches the sheet's edge.
    pub(crate) outside: bool,
    low: (usize, usize),
    high: (usize, usize),
}

impl Part {
    fn at(column: usize, row: usize) -> Self {
        Self { cells: 0, outside: false, low: (column, row), high: (column, row) }
    }

    fn add(&mut self, row: usize, from: usize, to: usize, wide: usize, high: usize) {
        self.cells += to - from;
        self.outside |= from == 0 || row == 0 || to == wide || row + 1 == high;
        self.low = (self.low.0.min(from), self.low.1.min(row));
        self.high = (self.high.0.max(to - 1), self.high.1.max(row));
    }

    fn extent(&self) -> f32 {
        (self.high.0 - self.low.0).max(self.high.1 - self.low.1) as f32 + 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_parted_from_the_outside_until_a_wall_is_cut() {
        let frame = Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 100.0, y2: 80.0 }, 0.0);
        let level = Bearing { along: (1.0, 0.0), strips: Vec::new(), lines: Vec::new() };
        let plumb = Bearing { along: (0.0, 1.0), strips: Vec::new(), lines: Vec::new() };
        let draw = |closed: bool| {
            let mut mask = Mask::new(&frame, 1.0);
            let wall = |from: f32, to: f32, low: f32| Strip { from, to, low, high: low + 3.0 };
            mask.draw(&level, &wall(20.0, 80.0, 20.0));
            mask.draw(&level, &wall(20.0, if closed { 80.0 } else { 50.0 }, 60.0));
            // Across a plumb line is against x.
            mask.draw(&plumb, &wall(20.0, 63.0, -23.0));
            mask.draw(&plumb, &wall(20.0, 63.0, -80.0));
            mask
        };
        let (spaces, parts) = draw(true).spaces();
        assert_eq!(parts.len(), 2);
        let mask = draw(true);
        let inside = spaces[mask.at((50.0, 40.0)).unwrap()];
        assert!(!parts[inside as usize - 1].outside && parts[0].outside);
        assert_eq!(draw(false).spaces().1.len(), 1);
        assert_eq!(mask.walls().1.len(), 1);
        // Fifty-four points across, thirty-seven high, three thirds a cell.
        let deepest = mask.distances()[mask.at((50.0, 42.0)).unwrap()];
        assert!((50..=66).contains(&deepest), "{deepest}");
    }
}
