//! What is drawn, parted by white space: cells of a coarse grid that ink touches, joined where they are near.

use crate::Frame;
use crate::Piece;
use fanlight_contract::Rect;

/// Cells along the sheet's longer side. On a sheet of 36 inches a cell is 3.2 points wide.
const CELLS: f32 = 800.0;
/// Cells that pieces may be drawn into in all: beyond, only their ends are. A dense sheet has some two million.
const MOST_STEPS: usize = 60_000_000;

/// A sheet's ink, cell by cell.
pub struct Ink {
    /// Side of a cell in points.
    pub cell: f32,
    wide: usize,
    high: usize,
    inked: Vec<bool>,
}

/// Ink that hangs together.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Its extent in points.
    pub bbox: Rect,
    /// Its cells: column and row.
    pub cells: Vec<(u32, u32)>,
}

impl Ink {
    /// An empty sheet.
    pub fn new(frame: &Frame) -> Self {
        let cell = (frame.width.max(frame.height) / CELLS).max(f32::MIN_POSITIVE);
        let wide = (frame.width / cell).ceil() as usize + 1;
        let high = (frame.height / cell).ceil() as usize + 1;
        Self { cell, wide, high, inked: vec![false; wide * high] }
    }

    fn column(&self, x: f32) -> usize {
        ((x / self.cell) as usize).min(self.wide - 1)
    }

    fn row(&self, y: f32) -> usize {
        ((y / self.cell) as usize).min(self.high - 1)
    }

    fn mark(&mut self, column: usize, row: usize) {
        if let Some(cell) = self.inked.get_mut(row * self.wide + column) {
            *cell = true;
        }
    }

    /// Draws pieces into the grid.
    pub fn draw<'a>(&mut self, pieces: impl Iterator<Item = &'a Piece>) {
        let mut steps = 0;
        for piece in pieces {
            let (from, to) = (piece.from, piece.to);
            let long = (to.0 - from.0).abs().max((to.1 - from.1).abs());
            let count = if steps > MOST_STEPS { 1 } else { (long / (0.7 * self.cell)).ceil().max(1.0) as usize };
            steps += count;
            for step in 0..=count {
                let t = step as f32 / count as f32;
                let (column, row) = (self.column(from.0 + t * (to.0 - from.0)), self.row(from.1 + t * (to.1 - from.1)));
                self.mark(column, row);
            }
        }
    }

    /// Fills a box.
    pub fn fill(&mut self, bbox: Rect) {
        for row in self.row(bbox.y1)..=self.row(bbox.y2) {
            for column in self.column(bbox.x1)..=self.column(bbox.x2) {
                self.mark(column, row);
            }
        }
    }

    /// The clusters: cells that are joined by others no further than `reach` cells away along either axis.
    pub fn clusters(&self, reach: usize) -> Vec<Cluster> {
        // Each cell's ink is spread by half the reach, so that what touches then was within it.
        let spread = self.spread(reach.div_ceil(2));
        let mut owner = vec![0_u32; spread.len()];
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut open = Vec::new();
        for start in 0..spread.len() {
            if !spread[start] || owner[start] != 0 {
                continue;
            }
            let number = clusters.len() as u32 + 1;
            let mut cells = Vec::new();
            owner[start] = number;
            open.push(start);
            while let Some(at) = open.pop() {
                let (column, row) = (at % self.wide, at / self.wide);
                if self.inked[at] {
                    cells.push((column as u32, row as u32));
                }
                for next_row in row.saturating_sub(1)..=(row + 1).min(self.high - 1) {
                    for next_column in column.saturating_sub(1)..=(column + 1).min(self.wide - 1) {
                        let next = next_row * self.wide + next_column;
                        if spread[next] && owner[next] == 0 {
                            owner[next] = number;
                            open.push(next);
                        }
                    }
                }
            }
            clusters.extend(self.cluster(cells));
        }
        clusters
    }

    /// Cells as a cluster; none where there are none.
    pub fn cluster(&self, cells: Vec<(u32, u32)>) -> Option<Cluster> {
        let columns = cells.iter().map(|cell| cell.0);
        let rows = cells.iter().map(|cell| cell.1);
        let (left, right) = (columns.clone().min()?, columns.max()?);
        let (top, bottom) = (rows.clone().min()?, rows.max()?);
        let bbox = Rect {
            x1: left as f32 * self.cell,
            y1: top as f32 * self.cell,
            x2: (right + 1) as f32 * self.cell,
            y2: (bottom + 1) as f32 * self.cell,
        };
        Some(Cluster { bbox, cells })
    }

    /// Ink spread by so many cells in each direction: rows first, then columns, each in one pass.
    fn spread(&self, by: usize) -> Vec<bool> {
        let mut rows = vec![false; self.inked.len()];
        for row in 0..self.high {
            let start = row * self.wide;
            let mut left = 0;
            for column in 0..self.wide {
                if self.inked[start + column] {
                    let from = column.saturating_sub(by).max(left);
                    let to = (column + by).min(self.wide - 1);
                    for at in from..=to {
                        rows[start + at] = true;
                    }
                    left = to;
                }
            }
        }
        let mut all = vec![false; self.inked.len()];
        for column in 0..self.wide {
            let mut top = 0;
            for row in 0..self.high {
                if rows[row * self.wide + column] {
                    let from = row.saturating_sub(by).max(top);
                    let to = (row + by).min(self.high - 1);
                    for at in from..=to {
                        all[at * self.wide + column] = true;
                    }
                    top = to;
                }
            }
        }
        all
    }
}

impl Cluster {
    /// Parts it at a place along x: what lies left of it, and the rest.
    pub fn part_at_x(self, ink: &Ink, x: f32) -> [Option<Cluster>; 2] {
        let column = (x / ink.cell).round() as u32;
        let (left, right) = self.cells.into_iter().partition(|cell| cell.0 < column);
        [ink.cluster(left), ink.cluster(right)]
    }

    /// Parts it at a place along y.
    pub fn part_at_y(self, ink: &Ink, y: f32) -> [Option<Cluster>; 2] {
        let row = (y / ink.cell).round() as u32;
        let (above, below) = self.cells.into_iter().partition(|cell| cell.1 < row);
        [ink.cluster(above), ink.cluster(below)]
    }

    /// The place along x between two others where it has the least ink, the one nearest to `wanted` of several.
    pub fn thinnest(&self, ink: &Ink, from: f32, to: f32, wanted: f32) -> Option<f32> {
        let (first, last) = ((from / ink.cell).ceil() as u32, (to / ink.cell).floor() as u32);
        if last <= first {
            return None;
        }
        let mut counts = vec![0_usize; (last - first) as usize];
        for cell in &self.cells {
            if let Some(count) = cell.0.checked_sub(first).and_then(|at| counts.get_mut(at as usize)) {
                *count += 1;
            }
        }
        let least = *counts.iter().min()?;
        let place = |at: usize| (first as f32 + at as f32 + 0.5) * ink.cell;
        (0..counts.len())
            .filter(|&at| counts[at] == least)
            .map(place)
            .min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 800.0, y2: 400.0 }, 0.0)
    }

    fn piece(from: (f32, f32), to: (f32, f32)) -> Piece {
        Piece { from, to, width: 0.5, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn white_space_parts_what_is_drawn() {
        let mut ink = Ink::new(&frame());
        let drawn =
            [piece((10.0, 10.0), (60.0, 10.0)), piece((63.0, 12.0), (63.0, 60.0)), piece((100.0, 10.0), (140.0, 60.0))];
        ink.draw(drawn.iter());
        let clusters = ink.clusters(4);
        assert_eq!(clusters.len(), 2);
        let bbox = clusters[0].bbox;
        assert_eq!((bbox.x1, bbox.y1, bbox.x2, bbox.y2), (10.0, 10.0, 64.0, 61.0));
    }

    #[test]
    fn a_cluster_is_parted_where_it_is_thin() {
        let mut ink = Ink::new(&frame());
        let drawn = [
            piece((10.0, 60.0), (60.0, 30.0)),
            piece((60.0, 30.0), (100.0, 30.0)),
            piece((100.0, 10.0), (100.0, 60.0)),
            piece((90.0, 20.0), (90.0, 60.0)),
        ];
        ink.draw(drawn.iter());
        let cluster = ink.clusters(4).remove(0);
        let at = cluster.thinnest(&ink, 20.0, 99.0, 80.0).unwrap();
        assert!((at - 80.0).abs() < 1.0, "{at}");
        let [left, right] = cluster.part_at_x(&ink, at);
        assert!(left.unwrap().bbox.x2 <= 80.5 && right.unwrap().bbox.x1 >= 79.5);
    }
}
