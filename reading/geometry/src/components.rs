//! Connected components of what a page draws, on a coarse grid.

use crate::{Frame, Segment};
use fanlight_contract::Rect;

/// Cells along the page's longer side. On a sheet of 36 inches a cell is 3.2 points wide.
const CELLS: f32 = 800.0;
/// Maximum number of cells that segments are drawn into. Beyond it only their ends are drawn. A dense sheet needs some two
/// million.
const MAX_STEPS: usize = 60_000_000;
/// Distance between two samples of a segment, as a share of a cell: less than 1, so that no cell on the way is missed by
/// more than a corner.
const SAMPLE_DISTANCE: f32 = 0.7;

/// A coarse foreground mask of a page: which cells of a grid anything is drawn in.
pub struct ForegroundMask {
    /// Side of a cell in points.
    pub cell: f32,
    columns: usize,
    rows: usize,
    foreground: Vec<bool>,
}

/// A connected component of a [`ForegroundMask`].
#[derive(Clone, Debug)]
pub struct Component {
    /// Its bounding box in points.
    pub bbox: Rect,
    /// Its foreground cells as column and row.
    pub cells: Vec<(u32, u32)>,
}

impl ForegroundMask {
    /// Creates a mask without foreground for a page.
    pub fn new(frame: &Frame) -> Self {
        let cell = (frame.width.max(frame.height) / CELLS).max(f32::MIN_POSITIVE);
        let columns = (frame.width / cell).ceil() as usize + 1;
        let rows = (frame.height / cell).ceil() as usize + 1;
        Self { cell, columns, rows, foreground: vec![false; columns * rows] }
    }

    fn column(&self, x: f32) -> usize {
        ((x / self.cell) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f32) -> usize {
        ((y / self.cell) as usize).min(self.rows - 1)
    }

    fn mark(&mut self, column: usize, row: usize) {
        if let Some(cell) = self.foreground.get_mut(row * self.columns + column) {
            *cell = true;
        }
    }

    /// Marks the cells that segments run through.
    pub fn draw<'a>(&mut self, segments: impl Iterator<Item = &'a Segment>) {
        let mut steps = 0;
        for segment in segments {
            let (from, to) = (segment.from, segment.to);
            let long = (to.0 - from.0).abs().max((to.1 - from.1).abs());
            let count =
                if steps > MAX_STEPS { 1 } else { (long / (SAMPLE_DISTANCE * self.cell)).ceil().max(1.0) as usize };
            steps += count;
            for step in 0..=count {
                let t = step as f32 / count as f32;
                let (column, row) = (self.column(from.0 + t * (to.0 - from.0)), self.row(from.1 + t * (to.1 - from.1)));
                self.mark(column, row);
            }
        }
    }

    /// Marks the cells that a box covers.
    pub fn fill(&mut self, bbox: Rect) {
        for row in self.row(bbox.y1)..=self.row(bbox.y2) {
            for column in self.column(bbox.x1)..=self.column(bbox.x2) {
                self.mark(column, row);
            }
        }
    }

    /// Returns the connected components: foreground cells that are linked by steps of at most `reach` cells along either
    /// axis.
    ///
    /// Dilates the mask by half of `reach` and labels its 8-connected components by flood fill.
    pub fn components(&self, reach: usize) -> Vec<Component> {
        // Cells whose dilations by half of the reach touch are within it.
        let dilated = self.dilated(reach.div_ceil(2));
        let mut owner = vec![0_u32; dilated.len()];
        let mut components: Vec<Component> = Vec::new();
        let mut open = Vec::new();
        for start in 0..dilated.len() {
            if !dilated[start] || owner[start] != 0 {
                continue;
            }
            let number = components.len() as u32 + 1;
            let mut cells = Vec::new();
            owner[start] = number;
            open.push(start);
            while let Some(at) = open.pop() {
                let (column, row) = (at % self.columns, at / self.columns);
                if self.foreground[at] {
                    cells.push((column as u32, row as u32));
                }
                for next_row in row.saturating_sub(1)..=(row + 1).min(self.rows - 1) {
                    for next_column in column.saturating_sub(1)..=(column + 1).min(self.columns - 1) {
                        let next = next_row * self.columns + next_column;
                        if dilated[next] && owner[next] == 0 {
                            owner[next] = number;
                            open.push(next);
                        }
                    }
                }
            }
            components.extend(self.component(cells));
        }
        components
    }

    /// Returns cells as a component; `None` for no cells.
    fn component(&self, cells: Vec<(u32, u32)>) -> Option<Component> {
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
        Some(Component { bbox, cells })
    }

    /// Returns the mask dilated by a square that reaches `by` cells to each side: rows first, then columns, each in one
    /// pass.
    fn dilated(&self, by: usize) -> Vec<bool> {
        let mut along_rows = vec![false; self.foreground.len()];
        for row in 0..self.rows {
            let start = row * self.columns;
            let mut left = 0;
            for column in 0..self.columns {
                if self.foreground[start + column] {
                    let from = column.saturating_sub(by).max(left);
                    let to = (column + by).min(self.columns - 1);
                    for at in from..=to {
                        along_rows[start + at] = true;
                    }
                    left = to;
                }
            }
        }
        let mut all = vec![false; self.foreground.len()];
        for column in 0..self.columns {
            let mut top = 0;
            for row in 0..self.rows {
                if along_rows[row * self.columns + column] {
                    let from = row.saturating_sub(by).max(top);
                    let to = (row + by).min(self.rows - 1);
                    for at in from..=to {
                        all[at * self.columns + column] = true;
                    }
                    top = to;
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 800.0, y2: 400.0 }, 0.0)
    }

    fn segment(from: (f32, f32), to: (f32, f32)) -> Segment {
        Segment { from, to, width: 0.5, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn white_space_separates_components() {
        let mut mask = ForegroundMask::new(&frame());
        let drawn = [
            segment((10.0, 10.0), (60.0, 10.0)),
            segment((63.0, 12.0), (63.0, 60.0)),
            segment((100.0, 10.0), (140.0, 60.0)),
        ];
        mask.draw(drawn.iter());
        let components = mask.components(4);
        assert_eq!(components.len(), 2);
        let bbox = components[0].bbox;
        assert_eq!((bbox.x1, bbox.y1, bbox.x2, bbox.y2), (10.0, 10.0, 64.0, 61.0));
    }
}
