//! Where grids were found already, so that no rule of theirs is taken for the header rule of another table.

use std::collections::HashMap;

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, RectExt as _};

use crate::grid::Grid;
use crate::regions::SAME_BORDER;
use crate::rules::Rule;

/// Height of a strip of the index, in points. Affects only speed.
const STRIP: f32 = 32.0;

/// The boxes of grids, indexed by horizontal strips of the page.
pub(super) struct Occupied<'a> {
    frame: Frame,
    areas: Vec<Area<'a>>,
    /// The indices of the areas in each strip.
    strips: HashMap<i32, Vec<usize>>,
}

/// The place of a grid.
struct Area<'a> {
    /// In the frame of the page.
    bbox: Rect,
    /// The grid, if its cells may hold tables of their own: the sheet's frame and the drawing in it form such a grid.
    cells: Option<Cells<'a>>,
}

/// The cells of a grid, and for each position the cell that covers it.
struct Cells<'a> {
    grid: &'a Grid,
    cover: Vec<Option<usize>>,
}

impl<'a> Occupied<'a> {
    /// Creates an index in the given frame, without grids.
    pub(super) fn new(frame: Frame) -> Self {
        Self { frame, areas: Vec::new(), strips: HashMap::new() }
    }

    /// Adds a grid whose cells may hold tables.
    pub(super) fn add_ruled(&mut self, grid: &'a Grid) {
        self.add(grid, Some(Cells { grid, cover: grid.cover() }));
    }

    /// Adds a grid whose cells hold no tables.
    pub(super) fn add_aligned(&mut self, grid: &Grid) {
        self.add(grid, None);
    }

    fn add(&mut self, grid: &Grid, cells: Option<Cells<'a>>) {
        let bbox = self.frame.place_from(&grid.frame, grid.bbox);
        for number in strip(bbox.y1 - SAME_BORDER)..=strip(bbox.y2 + SAME_BORDER) {
            self.strips.entry(number).or_default().push(self.areas.len());
        }
        self.areas.push(Area { bbox, cells });
    }

    /// Returns whether a horizontal rule lies in a grid, and not inside one of its cells.
    pub(super) fn holds(&self, rule: &Rule) -> bool {
        let near = self.strips.get(&strip(rule.at));
        near.into_iter().flatten().filter_map(|&index| self.areas.get(index)).any(|area| area.holds(rule, &self.frame))
    }
}

/// Returns the number of the strip that holds a height.
fn strip(y: f32) -> i32 {
    (y / STRIP).floor() as i32
}

impl Area<'_> {
    fn holds(&self, rule: &Rule, frame: &Frame) -> bool {
        self.bbox.expanded(0.0, SAME_BORDER).touches(&rule.as_row())
            && self.cells.as_ref().is_none_or(|cells| cells.touch(rule, frame))
    }
}

impl Cells<'_> {
    /// Returns whether a rule is a border of a cell, or crosses one. It is not if it lies inside a cell, or where the grid has none:
    /// the zones along a sheet's border are a grid around the sheet.
    fn touch(&self, rule: &Rule, frame: &Frame) -> bool {
        if self.grid.frame != *frame {
            return true;
        }
        let middle = f32::midpoint(rule.from, rule.to);
        let near = [rule.at - SAME_BORDER, rule.at, rule.at + SAME_BORDER];
        let mut cells = near.into_iter().filter_map(|y| self.grid.cell_at((middle, y), &self.cover));
        cells.any(|index| self.grid.cells.get(index).is_some_and(|cell| !is_inside(rule, &cell.bbox)))
    }
}

/// Returns whether a horizontal rule lies inside a box, away from its borders.
fn is_inside(rule: &Rule, bbox: &Rect) -> bool {
    rule.from > bbox.x1 + SAME_BORDER
        && rule.to < bbox.x2 - SAME_BORDER
        && rule.at > bbox.y1 + SAME_BORDER
        && rule.at < bbox.y2 - SAME_BORDER
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows by two columns of 100 points each.
    fn grid(frame: Frame) -> Grid {
        let cell = |x1: f32, y1: f32| Rect { x1, y1, x2: x1 + 100.0, y2: y1 + 100.0 };
        let faces = [cell(0.0, 0.0), cell(100.0, 0.0), cell(0.0, 100.0), cell(100.0, 100.0)];
        Grid::of_faces(&faces, frame).expect("a grid")
    }

    #[test]
    fn rule_inside_a_cell_may_be_another_tables() {
        let frame = Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 400.0 }, 0.0);
        let grid = grid(frame);
        let mut ruled = Occupied::new(frame);
        ruled.add_ruled(&grid);
        let mut aligned = Occupied::new(frame);
        aligned.add_aligned(&grid);
        let cases = [
            ("inside a cell", Rule { at: 50.0, from: 10.0, to: 90.0 }, false, true),
            ("across a border", Rule { at: 50.0, from: 10.0, to: 190.0 }, true, true),
            ("along a border", Rule { at: 100.0, from: 10.0, to: 90.0 }, true, true),
            ("below the grid", Rule { at: 250.0, from: 10.0, to: 90.0 }, false, false),
            ("beside the grid", Rule { at: 50.0, from: 210.0, to: 290.0 }, false, false),
        ];
        for (what, rule, in_ruled, in_aligned) in cases {
            assert_eq!((ruled.holds(&rule), aligned.holds(&rule)), (in_ruled, in_aligned), "{what}");
        }
    }
}
