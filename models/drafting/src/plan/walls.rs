//! Walls as the plan shows them: joined rectangles without the openings, and their filling.

use super::building::{Building, Window};
use super::pen::{Frame, P, Pen};
use super::style::{Glazing, Layer, Poche};

/// The solid cells of a grid with uneven lines.
struct Solid {
    xs: Vec<f32>,
    ys: Vec<f32>,
    filled: Vec<bool>,
}

impl Solid {
    fn new(walls: &[[f32; 4]], gaps: &[[f32; 4]]) -> Self {
        let [xs, ys] = [[0, 2], [1, 3]].map(|sides| {
            let mut lines: Vec<f32> = walls.iter().chain(gaps).flat_map(|wall| sides.map(|side| wall[side])).collect();
            lines.sort_by(f32::total_cmp);
            lines.dedup();
            lines
        });
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

    /// Returns the edges between solid and open cells, each as long as it is straight.
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

    /// Returns disjoint rectangles that cover all solid cells.
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

/// Returns the maximal runs for which a condition holds, as half-open ranges.
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
    if pen.style.poche == Poche::Line {
        let ink = pen.ink(Layer::Wall);
        for (from, to) in middles(building) {
            pen.line(view, from, to, ink);
        }
    } else {
        solid(pen, view, building);
    }
    for window in &building.windows {
        glazing(pen, view, window);
    }
}

/// Draws walls with two faces and their filling.
fn solid(pen: &mut Pen<'_>, view: &Frame, building: &Building) {
    let solid = Solid::new(&building.walls, &building.gaps);
    let ink = pen.ink(Layer::Wall);
    let hatch = pen.ink(Layer::Hatch);
    let colour = ink.stroke.map_or([0.0; 3], |stroke| stroke.colour);
    let poche = pen.style.poche;
    for rectangle in solid.rectangles() {
        let unstroked = super::pen::Ink { stroke: None, fill: None };
        let [x1, y1, x2, y2] = rectangle;
        let (x, y) = (f32::midpoint(x1, x2), f32::midpoint(y1, y2));
        let (middle, thickness) =
            if x2 - x1 > y2 - y1 { ([(x1, y), (x2, y)], y2 - y1) } else { ([(x, y1), (x, y2)], x2 - x1) };
        match poche {
            Poche::Outlined | Poche::Line => {}
            Poche::Black => pen.rectangle(view, rectangle, unstroked.filled(colour)),
            Poche::Grey => pen.rectangle(view, rectangle, unstroked.filled([0.72; 3])),
            Poche::Pale => pen.rectangle(view, rectangle, unstroked.filled([0.85; 3])),
            Poche::Hatched | Poche::Crossed => {
                // The spacing that a plotter's pens allow, whatever the scale.
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
            Poche::Cored => pen.line(view, middle[0], middle[1], hatch),
            Poche::Stroke => {
                let width = ink.stroke.map_or(1.0, |stroke| stroke.width);
                pen.line(view, middle[0], middle[1], ink.heavier(thickness * view.scale() / width));
            }
        }
    }
    if !matches!(poche, Poche::Pale | Poche::Stroke) {
        for (from, to) in solid.edges() {
            pen.line(view, from, to, ink);
        }
    }
}

/// A wall that ends at most this far from another one's face, in inches, joins it.
const JOINS: f32 = 3.0;

/// Returns the centre lines of walls, joined at their ends, without openings.
fn middles(building: &Building) -> Vec<(P, P)> {
    let is_level = |wall: &[f32; 4]| wall[2] - wall[0] > wall[3] - wall[1];
    let mut lines = Vec::new();
    for wall in &building.walls {
        let level = is_level(wall);
        // Along and across the wall.
        let turned = |[x1, y1, x2, y2]: [f32; 4]| if level { [x1, x2, y1, y2] } else { [y1, y2, x1, x2] };
        let [from, to, low, high] = turned(*wall);
        let middle = f32::midpoint(low, high);
        // An end that joins a crossing wall is on that one's centre line.
        let [mut at, end] = [from, to].map(|end| {
            let others = building.walls.iter().filter(|other| is_level(other) != level).map(|other| turned(*other));
            let mut near = others.filter(|[a, b, c, d]| {
                (a - JOINS..=b + JOINS).contains(&end) && (c - JOINS..=d + JOINS).contains(&middle)
            });
            near.next().map_or(end, |[a, b, ..]| f32::midpoint(a, b))
        });
        let mut cuts: Vec<(f32, f32)> = building
            .gaps
            .iter()
            .map(|gap| turned(*gap))
            .filter(|[.., low, high]| (*low..=*high).contains(&middle))
            .map(|[a, b, ..]| (a, b))
            .collect();
        cuts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let place = |along: f32| if level { (along, middle) } else { (middle, along) };
        for (cut, on) in cuts.into_iter().chain([(end, end)]) {
            if cut.min(end) > at {
                lines.push((place(at), place(cut.min(end))));
            }
            at = at.max(on);
        }
    }
    lines
}

fn glazing(pen: &mut Pen<'_>, view: &Frame, window: &Window) {
    let frame = view.holding(&window.frame);
    let (w, half) = (window.width, window.thickness / 2.0);
    let ink = pen.ink(Layer::Window);
    let manner = if pen.style.poche == Poche::Line { Glazing::Pane } else { pen.style.glazing };
    match manner {
        Glazing::Mullions => {
            pen.rectangle(&frame, [0.0, -half, w, half], ink);
            pen.line(&frame, (0.0, -0.6), (w, -0.6), ink);
            pen.line(&frame, (0.0, 0.6), (w, 0.6), ink);
            for share in 1..(w / 40.0) as u32 {
                let x = w * share as f32 / (w / 40.0).floor();
                pen.rectangle(&frame, [x - 1.0, -1.5, x + 1.0, 1.5], ink);
            }
        }
        Glazing::Line => pen.line(&frame, (0.0, 0.0), (w, 0.0), ink),
        Glazing::Pane => {
            pen.line(&frame, (0.0, -1.2), (w, -1.2), ink);
            pen.line(&frame, (0.0, 1.2), (w, 1.2), ink);
        }
        Glazing::Sills => pen.rectangle(&frame, [0.0, -half, w, half], ink),
        Glazing::Frame => {
            pen.rectangle(&frame, [0.0, 0.1 * half, w, 0.9 * half], ink);
            pen.line(&frame, (2.0, 0.5 * half), (w - 2.0, 0.5 * half), ink);
            for x in [0.0, w - 2.0] {
                pen.rectangle(&frame, [x, 0.1 * half, x + 2.0, 0.9 * half], ink);
            }
        }
    }
}

/// Returns lines at 45 degrees, clipped to a rectangle. `slope` is 1 or -1.
pub(super) fn diagonals([x1, y1, x2, y2]: [f32; 4], spacing: f32, slope: f32) -> Vec<(P, P)> {
    // On each line y - slope * x is constant, so that all rectangles share the same lines.
    let ends = [y1 - slope * x1, y1 - slope * x2, y2 - slope * x1, y2 - slope * x2];
    let least = ends.iter().copied().fold(f32::MAX, f32::min);
    let most = ends.iter().copied().fold(f32::MIN, f32::max);
    let (first, last) = ((least / spacing).ceil() as i64, (most / spacing).floor() as i64);
    let mut lines = Vec::new();
    for step in first..=last {
        let constant = step as f32 * spacing;
        // The intersections with the left and right sides, and with the top and bottom.
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
        let solid = Solid::new(&[[0.0, 0.0, 10.0, 1.0], [0.0, 0.0, 1.0, 10.0]], &[[4.0, -0.1, 6.0, 1.1]]);
        let area: f32 = solid.rectangles().iter().map(|[x1, y1, x2, y2]| (x2 - x1) * (y2 - y1)).sum();
        assert_eq!(area, 10.0 + 10.0 - 1.0 - 2.0);
        let length: f32 = solid.edges().iter().map(|(a, b)| (b.0 - a.0).hypot(b.1 - a.1)).sum();
        // The outline of the L without two pieces of two inches, and the ends at the cut.
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
