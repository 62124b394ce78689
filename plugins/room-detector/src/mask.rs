//! The plan as a grid of walls and spaces, with connected components and a distance transform.

use fanlight_geometry::{Frame, UnionFind};

use crate::walls::{Axis, Strip};

/// Most cells of the grid, a bound on time and memory: a sheet of 48 by 36 inches has cells of 1.22 points.
const MAX_CELLS: f32 = 6_000_000.0;
/// Least side of a cell, in points, a bound on time: a line's rounding.
const MIN_CELL: f32 = 0.5;
/// Most steps in which strips are drawn, a bound on time.
const MAX_STEPS: usize = 120_000_000;
/// Distance of two samples of a strip that is drawn, in cells: less than half of a cell's diagonal, so that no cell is missed.
const STEP: f32 = 0.7;
/// Units of the distance transform for each cell.
const THIRDS: f32 = 3.0;

/// A grid of cells over a sheet's frame.
pub(crate) struct Mask {
    /// Side of a cell in points.
    pub(crate) cell: f32,
    pub(crate) wide: usize,
    pub(crate) high: usize,
    /// Whether each cell is wall.
    cells: Vec<bool>,
    steps: usize,
}

impl Mask {
    /// Creates a grid with cells of about `side` points, or larger ones to limit their number.
    pub(crate) fn new(frame: &Frame, side: f32) -> Self {
        let cell = (frame.width * frame.height / MAX_CELLS).sqrt().max(side).max(MIN_CELL);
        let wide = (frame.width / cell).ceil() as usize + 2;
        let high = (frame.height / cell).ceil() as usize + 2;
        Self { cell, wide, high, cells: vec![false; wide * high], steps: 0 }
    }

    /// Returns the cell of a place, or `None` outside the sheet.
    pub(crate) fn at(&self, (x, y): (f32, f32)) -> Option<usize> {
        let (column, row) = (x / self.cell, y / self.cell);
        let inside = column >= 0.0 && row >= 0.0 && column < self.wide as f32 && row < self.high as f32;
        inside.then(|| row as usize * self.wide + column as usize)
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.cells.len()
    }

    /// Returns the centre of a cell.
    pub(crate) fn place(&self, at: usize) -> (f32, f32) {
        let (column, row) = ((at % self.wide) as f32, (at / self.wide) as f32);
        ((column + 0.5) * self.cell, (row + 0.5) * self.cell)
    }

    pub(crate) fn is_wall(&self, place: (f32, f32)) -> bool {
        self.at(place).is_some_and(|at| self.cells[at])
    }

    pub(crate) fn is_wall_cell(&self, at: usize) -> bool {
        self.cells.get(at) == Some(&true)
    }

    /// Turns cells into walls.
    pub(crate) fn wall_where(&mut self, is_wall: impl Fn(usize) -> bool) {
        self.set_where(true, is_wall);
    }

    /// Turns cells into space.
    pub(crate) fn free_where(&mut self, is_free: impl Fn(usize) -> bool) {
        self.set_where(false, is_free);
    }

    fn set_where(&mut self, value: bool, is_one: impl Fn(usize) -> bool) {
        for (at, cell) in self.cells.iter_mut().enumerate() {
            if is_one(at) {
                *cell = value;
            }
        }
    }

    /// Returns the mean of a value over the cells of each component.
    pub(crate) fn means(&self, components: &Components, value: impl Fn(usize) -> f32) -> Vec<f32> {
        let mut sums = vec![(0.0_f32, 0_u32); components.all.len()];
        for at in 0..self.cells.len() {
            if let Some((sum, count)) = components.index_of_cell(at).and_then(|component| sums.get_mut(component)) {
                *sum += value(at);
                *count += 1;
            }
        }
        sums.into_iter().map(|(sum, count)| sum / count.max(1) as f32).collect()
    }

    /// Draws a wall, slightly enlarged, so that touching walls leave no gap.
    pub(crate) fn draw(&mut self, axis: Axis, strip: &Strip) {
        let step = STEP * self.cell;
        let slack = STEP / 2.0 * self.cell;
        let across = ((strip.high - strip.low + 2.0 * slack) / step).ceil() as usize;
        let along = ((strip.to - strip.from + 2.0 * slack) / step).ceil() as usize;
        self.steps += (across + 1) * (along + 1);
        if self.steps > MAX_STEPS {
            return;
        }
        for i in 0..=along {
            let a = (strip.from - slack + i as f32 * step).min(strip.to + slack);
            for j in 0..=across {
                let b = (strip.low - slack + j as f32 * step).min(strip.high + slack);
                if let Some(at) = self.at(axis.place(a, b)) {
                    self.cells[at] = true;
                }
            }
        }
    }

    /// Returns the connected components of walls. Walls that meet at a corner are one.
    pub(crate) fn walls(&self) -> Components {
        self.components(true)
    }

    /// Returns the connected components between walls. Spaces that meet at a corner are two.
    pub(crate) fn spaces(&self) -> Components {
        self.components(false)
    }

    /// Labels the connected components of walls or of spaces by runs.
    fn components(&self, is_wall: bool) -> Components {
        let runs = self.runs(is_wall);
        let mut sets = connected(&runs, is_wall);
        let mut found = Components { numbers: vec![0; self.cells.len()], all: Vec::new() };
        let mut numbers = vec![0_u32; runs.len()];
        for (at, run) in runs.iter().enumerate() {
            let own = sets.find(at);
            if numbers[own] == 0 {
                found.all.push(Component::at(run.from, run.row));
                numbers[own] = found.all.len() as u32;
            }
            let number = numbers[own];
            found.numbers[run.row * self.wide + run.from..run.row * self.wide + run.to].fill(number);
            found.all[number as usize - 1].add(run, self.wide, self.high);
        }
        found
    }

    /// Returns the runs of walls or of spaces, row by row.
    fn runs(&self, is_wall: bool) -> Vec<Run> {
        let mut runs = Vec::new();
        for (row, cells) in self.cells.chunks_exact(self.wide).enumerate() {
            let mut column = 0;
            while let Some(off) = cells[column..].iter().position(|cell| *cell == is_wall) {
                let from = column + off;
                let to = cells[from..].iter().position(|cell| *cell != is_wall).map_or(self.wide, |off| from + off);
                runs.push(Run { row, from, to });
                column = to;
            }
        }
        runs
    }

    /// Returns where each component is farthest from walls.
    pub(crate) fn deepest(&self, spaces: &Components) -> Vec<Depth> {
        let mut deepest = vec![Depth::default(); spaces.all.len()];
        for (cell, distance) in self.distances().into_iter().enumerate() {
            if let Some(deepest) = spaces.index_of_cell(cell).and_then(|space| deepest.get_mut(space)) {
                *deepest = (*deepest).max(Depth { distance, cell });
            }
        }
        deepest
    }

    /// Converts a distance of [`Self::distances`] to points.
    pub(crate) fn points(&self, thirds: u16) -> f32 {
        f32::from(thirds) / THIRDS * self.cell
    }

    /// Returns the cells at the sheet's edge.
    pub(crate) fn edge(&self) -> impl Iterator<Item = usize> + use<> {
        let (wide, high) = (self.wide, self.high);
        let columns = (0..wide).flat_map(move |column| [column, (high - 1) * wide + column]);
        columns.chain((0..high).flat_map(move |row| [row * wide, row * wide + wide - 1]))
    }

    /// Returns the neighbours of a cell, none for a cell at the sheet's edge.
    pub(crate) fn around(&self, at: usize) -> [usize; 4] {
        let (column, row) = (at % self.wide, at / self.wide);
        let inside = column > 0 && row > 0 && column + 1 < self.wide && row + 1 < self.high;
        if inside { [at - 1, at + 1, at - self.wide, at + self.wide] } else { [at; 4] }
    }

    /// Returns the 3-4 chamfer distance transform: each cell's distance to the nearest wall, in thirds of a cell
    /// (Borgefors 1986).
    pub(crate) fn distances(&self) -> Vec<u16> {
        const FAR: u16 = 60_000;
        let (wide, high) = (self.wide, self.high);
        let mut distance: Vec<u16> = self.cells.iter().map(|is_wall| if *is_wall { 0 } else { FAR }).collect();
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

/// Connected components of cells.
pub(crate) struct Components {
    /// For each cell one more than the index of its component, or 0.
    numbers: Vec<u32>,
    pub(crate) all: Vec<Component>,
}

impl Components {
    /// Returns the index of the component of a cell.
    pub(crate) fn index_of_cell(&self, cell: usize) -> Option<usize> {
        self.numbers.get(cell)?.checked_sub(1).map(|index| index as usize)
    }

    /// Returns the component of a cell.
    pub(crate) fn of_cell(&self, cell: usize) -> Option<&Component> {
        self.all.get(self.index_of_cell(cell)?)
    }
}

/// A connected component of cells.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) cells: usize,
    /// Whether it reaches the sheet's edge.
    pub(crate) is_outside: bool,
    /// The first and the last column.
    columns: [usize; 2],
    /// The first and the last row.
    rows: [usize; 2],
}

impl Component {
    fn at(column: usize, row: usize) -> Self {
        Self { cells: 0, is_outside: false, columns: [column; 2], rows: [row; 2] }
    }

    fn add(&mut self, run: &Run, wide: usize, high: usize) {
        self.cells += run.to - run.from;
        self.is_outside |= run.from == 0 || run.row == 0 || run.to == wide || run.row + 1 == high;
        self.columns = [self.columns[0].min(run.from), self.columns[1].max(run.to - 1)];
        self.rows = [self.rows[0].min(run.row), self.rows[1].max(run.row)];
    }

    /// Returns the longer side of the bounding box, in cells.
    pub(crate) fn longer_side(&self) -> f32 {
        let side = |[first, last]: [usize; 2]| last - first;
        side(self.columns).max(side(self.rows)) as f32 + 1.0
    }
}

/// The cell of a component that is farthest from walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Depth {
    /// In thirds of a cell.
    pub(crate) distance: u16,
    pub(crate) cell: usize,
}

/// Cells of one kind that follow each other in a row, from column `from` to before column `to`.
#[derive(Clone, Copy, Debug)]
struct Run {
    row: usize,
    from: usize,
    to: usize,
}

/// Unites the runs that touch each other, diagonally too if `corners`. Runs come row by row.
fn connected(runs: &[Run], corners: bool) -> UnionFind {
    let reach = usize::from(corners);
    let mut sets = UnionFind::new(runs.len());
    // The first run of the row above that may touch the current one or one after it.
    let mut above = 0;
    for (number, run) in runs.iter().enumerate() {
        let ends_before =
            |above: &Run| above.row + 1 < run.row || (above.row + 1 == run.row && above.to + reach <= run.from);
        while ends_before(&runs[above]) {
            above += 1;
        }
        let touching = runs[above..].iter().take_while(|other| other.row + 1 == run.row && other.from < run.to + reach);
        for (off, _) in touching.enumerate() {
            sets.unite(above + off, number);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;

    use super::*;

    /// A room of 60 by 43 points whose lower wall is `lower` points long.
    fn room(lower: f32) -> Mask {
        let frame = Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 100.0, y2: 80.0 }, 0.0);
        let mut mask = Mask::new(&frame, 1.0);
        let wall = |from: f32, to: f32, low: f32| Strip { from, to, low, high: low + 3.0 };
        mask.draw(Axis::Horizontal, &wall(20.0, 80.0, 20.0));
        mask.draw(Axis::Horizontal, &wall(20.0, 20.0 + lower, 60.0));
        mask.draw(Axis::Vertical, &wall(20.0, 63.0, 20.0));
        mask.draw(Axis::Vertical, &wall(20.0, 63.0, 77.0));
        mask
    }

    #[test]
    fn a_closed_room_is_separate_from_the_outside() {
        let mask = room(60.0);
        let spaces = mask.spaces();
        assert_eq!(spaces.all.len(), 2);
        assert!(spaces.all[0].is_outside);
        assert!(!spaces.of_cell(mask.at((50.0, 40.0)).unwrap()).unwrap().is_outside);
        assert_eq!(mask.walls().all.len(), 1);
    }

    #[test]
    fn a_room_with_a_gap_is_one_with_the_outside() {
        assert_eq!(room(30.0).spaces().all.len(), 1);
    }

    #[test]
    fn the_deepest_cell_is_half_the_breadth_from_the_walls() {
        let mask = room(60.0);
        let deepest = mask.deepest(&mask.spaces())[1];
        // 37 points high, three thirds a cell.
        assert!((50..=66).contains(&deepest.distance), "{deepest:?}");
    }

    #[test]
    fn walls_are_added_and_removed_cell_by_cell() {
        let mut mask = room(60.0);
        let across: Vec<bool> = (0..mask.cell_count()).map(|cell| (49.0..52.0).contains(&mask.place(cell).0)).collect();
        mask.wall_where(|cell| across[cell]);
        assert_eq!(mask.spaces().all.len(), 4, "the outside and the room are split");
        mask.free_where(|cell| across[cell]);
        assert_eq!(mask.spaces().all.len(), 1, "the room's own walls are open there");
    }

    #[test]
    fn a_mean_is_taken_over_the_cells_of_each_component() {
        let mask = room(60.0);
        let spaces = mask.spaces();
        let means = mask.means(&spaces, |cell| if mask.place(cell).0 < 51.5 { 1.0 } else { 0.0 });
        assert!((0.45..0.55).contains(&means[1]), "{means:?}");
    }

    #[test]
    fn diagonal_runs_touch_only_with_corners() {
        let runs = [Run { row: 3, from: 2, to: 5 }, Run { row: 4, from: 5, to: 9 }];
        assert_eq!(connected(&runs, false).find(1), 1);
        assert_eq!(connected(&runs, true).find(1), 0);
    }
}
