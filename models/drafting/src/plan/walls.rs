//! Walls as the plan shows them: rectangles joined, openings cut out, and what fills them.

use super::building::Building;
use super::office::{Layer, Poche};
use super::pen::{Frame, P, Pen};

/// Which cells of a grid with uneven lines are solid.
struct Solid {
    xs: Vec<f32>,
    ys: Vec<f32>,
    filled: Vec<bool>,
}

impl Solid {
    fn of(walls: &[[f32; 4]], gaps: &[[f32; 4]]) -> Self {
        let lines = |from: usize, to: usize| {
            let mut lines: Vec<f32> = walls.iter().chain(gaps).flat_map(|wall| [wall[from], wall[to]]).collect();
            lines.sort_by(f32::total_cmp);
            lines.dedup();
            lines
        };
        let (xs, ys) = (lines(0, 2), lines(1, 3));
        let mut filled = vec![false; xs.len() * ys.len()];
        for (rectangles, value) in [(walls, true), (gaps, false)] {
            for [x1, y1, x2, y2] in rectangles {
                let index = |lines: &[f32], value: f32| lines.partition_point(|line| *line < value);
                for row in index(&ys, *y1)..index(&ys, *y2) {
                    for column in index(&xs, *x1)..index(&xs, *x2) {
                        filled[row * xs.len() + column] = value;
                    }
                }
            }
        }
        Self { xs, ys, filled }
    }

    fn at(&self, column: usize, row: usize) -> bool {
        column < self.xs.len() && row < self.ys.len() && self.filled[row * self.xs.len() + column]
    }

    /// Edges between solid and open, as long as they run straight.
    fn edges(&self) -> Vec<(P, P)> {
        let mut edges = Vec::new();
        for row in 0..self.ys.len() {
            let is_edge = |column: usize| self.at(column, row) != (row > 0 && self.at(column, row - 1));
            for (from, to) in runs(self.xs.len(), is_edge) {
                edges.push(((self.xs[from], self.ys[row]), (self.xs[to], self.ys[row])));
            }
        }
        for column in 0..self.xs.len() {
            let is_edge = |row: usize| self.at(column, row) != (column > 0 && self.at(column - 1, row));
            for (from, to) in runs(self.ys.len(), is_edge) {
                edges.push(((self.xs[column], self.ys[from]), (self.xs[column], self.ys[to])));
            }
        }
        edges
    }

    /// Rectangles that together are all that is solid, none over another.
    fn rectangles(&self) -> Vec<[f32; 4]> {
        let mut taken = vec![false; self.filled.len()];
        let mut rectangles = Vec::new();
        for row in 0..self.ys.len() {
            for column in 0..self.xs.len() {
                let free = |taken: &[bool], c: usize, r: usize| self.at(c, r) && !taken[r * self.xs.len() + c];
                if !free(&taken, column, row) {
                    continue;
                }
                let mut right = column;
                while free(&taken, right, row) {
                    right += 1;
                }
                let mut top = row;
                while (column..right).all(|c| free(&taken, c, top)) {
                    for c in column..right {
                        taken[top * self.xs.len() + c] = true;
                    }
                    top += 1;
                }
                rectangles.push([self.xs[column], self.ys[row], self.xs[right], self.ys[top]]);
            }
        }
        rectangles
    }
}

/// Maximal runs for which a condition holds, as first and one past the last.
fn runs(count: usize, holds: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs = Vec::new();
    let mut start = None;
    for at in 0..count {
        match (start, holds(at)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                runs.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    runs
}

/// Draws a building's walls and windows.
pub(super) fn draw(pen: &mut Pen<'_>, view: &Frame, building: &Building) {
    let solid = Solid::of(&building.walls, &building.gaps);
    let ink = pen.ink(Layer::Wall);
    let hatch = pen.ink(Layer::Hatch);
    let colour = ink.stroke.map_or([0.0; 3], |stroke| stroke.colour);
    let poche = pen.office.poche;
    for rectangle in solid.rectangles() {
        let unstroked = super::pen::Ink { stroke: None, fill: None };
        match poche {
            Poche::Outlined => {}
            Poche::Black => pen.rectangle(view, rectangle, unstroked.filled(colour)),
            Poche::Grey => pen.rectangle(view, rectangle, unstroked.filled([0.72; 3])),
            Poche::Pale => pen.rectangle(view, rectangle, unstroked.filled([0.85; 3])),
            Poche::Hatched | Poche::Crossed => {
                // As far apart as a plotter's pens allow, whatever the scale.
                let spacing = (3.0 / view.scale()).max(2.0);
                for (from, to) in diagonals(rectangle, spacing, 1.0) {
                    pen.line(view, from, to, hatch);
                }
                if poche == Poche::Crossed {
                    for (from, to) in diagonals(rectangle, spacing, -1.0) {
                        pen.line(view, from, to, hatch);
                    }
                }
            }
            Poche::Cored => {
                let [x1, y1, x2, y2] = rectangle;
                let (x, y) = (f32::midpoint(x1, x2), f32::midpoint(y1, y2));
                if x2 - x1 > y2 - y1 {
                    pen.line(view, (x1, y), (x2, y), hatch);
                } else {
                    pen.line(view, (x, y1), (x, y2), hatch);
                }
            }
        }
    }
    if poche != Poche::Pale {
        for (from, to) in solid.edges() {
            pen.line(view, from, to, ink);
        }
    }
    for window in &building.windows {
        let frame = view.holding(&window.frame);
        let (w, half) = (window.width, window.thickness / 2.0);
        let ink = pen.ink(Layer::Window);
        pen.rectangle(&frame, [0.0, -half, w, half], ink);
        pen.line(&frame, (0.0, -0.6), (w, -0.6), ink);
        pen.line(&frame, (0.0, 0.6), (w, 0.6), ink);
        for share in 1..(w / 40.0) as u32 {
            let x = w * share as f32 / (w / 40.0).floor();
            pen.rectangle(&frame, [x - 1.0, -1.5, x + 1.0, 1.5], ink);
        }
    }
}

/// Lines at 45 degrees, clipped to a rectangle; `slope` is 1 or -1.
pub(super) fn diagonals([x1, y1, x2, y2]: [f32; 4], spacing: f32, slope: f32) -> Vec<(P, P)> {
    // On each line y - slope * x is constant; all rectangles share the same lines.
    let ends = [y1 - slope * x1, y1 - slope * x2, y2 - slope * x1, y2 - slope * x2];
    let least = ends.iter().copied().fold(f32::MAX, f32::min);
    let most = ends.iter().copied().fold(f32::MIN, f32::max);
    let (first, last) = ((least / spacing).ceil() as i64, (most / spacing).floor() as i64);
    let mut lines = Vec::new();
    for step in first..=last {
        let constant = step as f32 * spacing;
        // Where the line meets the rectangle's left and right sides, and where it leaves through its top and bottom.
        let at = |x: f32| slope * x + constant;
        let back = |y: f32| (y - constant) / slope;
        let (a, b) = (back(y1), back(y2));
        let from = x1.max(a.min(b));
        let to = x2.min(a.max(b));
        if to > from {
            lines.push(((from, at(from)), (to, at(to))));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_join_and_openings_cut_them() {
        let solid = Solid::of(&[[0.0, 0.0, 10.0, 1.0], [0.0, 0.0, 1.0, 10.0]], &[[4.0, -0.1, 6.0, 1.1]]);
        let area: f32 = solid.rectangles().iter().map(|[x1, y1, x2, y2]| (x2 - x1) * (y2 - y1)).sum();
        assert_eq!(area, 10.0 + 10.0 - 1.0 - 2.0);
        let length: f32 = solid.edges().iter().map(|(a, b)| (b.0 - a.0).hypot(b.1 - a.1)).sum();
        // The L's outline less two pieces of two inches, and the ends that the cut leaves.
        assert_eq!(length, 40.0 - 4.0 + 2.0);
    }

    #[test]
    fn hatches_stay_inside() {
        for slope in [1.0, -1.0] {
            let lines = diagonals([3.0, 4.0, 9.0, 5.0], 0.5, slope);
            assert!(lines.len() > 10);
            for (x, y) in lines.into_iter().flat_map(|(a, b)| [a, b]) {
                assert!((2.999..=9.001).contains(&x) && (3.999..=5.001).contains(&y), "{x} {y}");
            }
        }
    }
}
