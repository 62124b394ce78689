//! Curved walls: chords that are parallel at a wall's thickness.

use std::collections::HashMap;

use fanlight_geometry::{Segment, UnionFind};

use crate::walls::{Bearing, Strip, THICKNESS};

/// Chords are so long, in inches: a wall's arc has longer ones than a basin's.
const CHORD: (f32, f32) = (1.5, 60.0);
/// A wall has so many at least.
const FEW_CHORDS: usize = 5;
/// Sine of how far two chords' directions differ at most.
const PARALLEL: f32 = 0.22;
/// A chord with more partners is one of a hatch's lines.
const PARTNERS: usize = 4;
/// A wall runs on over so many inches at least; basins and furniture are smaller.
const LEAST: f32 = 70.0;
/// Chords of one wall end this near to each other, in inches.
const JOINT: f32 = 3.0;
/// Chords looked at of a sheet at most, and partners looked at of all of them.
const MOST_CHORDS: usize = 200_000;
const MOST_PAIRS: usize = 4_000_000;

/// Detects the curved walls of a sheet, as short straight segments.
pub(crate) fn detect(segments: &[Segment], points_per_inch: f32) -> Vec<(Bearing, Strip)> {
    let (shortest, longest) = (CHORD.0 * points_per_inch, CHORD.1 * points_per_inch);
    let chords: Vec<&Segment> = segments
        .iter()
        .filter(|segment| !segment.dashed && (shortest..longest).contains(&segment.length()))
        .filter(|segment| segment.curved || !(segment.is_horizontal() || segment.is_vertical()))
        .take(MOST_CHORDS)
        .collect();
    let reach = THICKNESS.1 * points_per_inch;
    let near = Near::new(&chords, reach);
    let mut effort = MOST_PAIRS;
    let walls: Vec<Wall> =
        chords.iter().filter_map(|chord| partner(chord, &chords, &near, points_per_inch, &mut effort)).collect();
    long_chains(&walls, points_per_inch).into_iter().map(|wall| wall.strip()).collect()
}

/// A chord and how far its partner is off, to its left where that is more than 0.
#[derive(Clone, Copy)]
struct Wall {
    from: (f32, f32),
    to: (f32, f32),
    off: f32,
}

impl Wall {
    fn along(&self) -> (f32, f32) {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = dx.hypot(dy).max(f32::MIN_POSITIVE);
        (dx / length, dy / length)
    }

    fn strip(&self) -> (Bearing, Strip) {
        let (x, y) = self.along();
        let along = |point: (f32, f32)| point.0 * x + point.1 * y;
        let face = self.from.1 * x - self.from.0 * y;
        let (low, high) = (face.min(face + self.off), face.max(face + self.off));
        let strip = Strip { from: along(self.from), to: along(self.to), low, high };
        (Bearing { along: (x, y), strips: Vec::new(), lines: Vec::new() }, strip)
    }
}

/// A grid index of chords by their midpoints.
struct Near {
    side: f32,
    cells: HashMap<(i32, i32), Vec<usize>>,
}

impl Near {
    fn new(chords: &[&Segment], side: f32) -> Self {
        let mut near = Self { side: side.max(f32::MIN_POSITIVE), cells: HashMap::new() };
        for (index, chord) in chords.iter().enumerate() {
            let cell = near.cell(chord.midpoint());
            near.cells.entry(cell).or_default().push(index);
        }
        near
    }

    fn cell(&self, (x, y): (f32, f32)) -> (i32, i32) {
        ((x / self.side) as i32, (y / self.side) as i32)
    }

    fn around(&self, place: (f32, f32)) -> impl Iterator<Item = usize> {
        let (column, row) = self.cell(place);
        (-1..=1)
            .flat_map(move |i| (-1..=1).map(move |j| (column + i, row + j)))
            .filter_map(|cell| self.cells.get(&cell))
            .flatten()
            .copied()
    }
}

/// The wall between a chord and the nearest one that runs beside it, if few do.
fn partner(
    chord: &Segment,
    chords: &[&Segment],
    near: &Near,
    points_per_inch: f32,
    effort: &mut usize,
) -> Option<Wall> {
    let (thin, thick) = (THICKNESS.0 * points_per_inch, THICKNESS.1 * points_per_inch);
    let wall = Wall { from: chord.from, to: chord.to, off: 0.0 };
    let (x, y) = wall.along();
    let own = chord.midpoint();
    let (mut best, mut count) = (None, 0);
    for other in near.around(own).filter_map(|at| chords.get(at)) {
        if *effort == 0 {
            return None;
        }
        *effort -= 1;
        let length = other.length();
        let (dx, dy) = (other.to.0 - other.from.0, other.to.1 - other.from.1);
        let at = other.midpoint();
        let off = (at.1 - own.1) * x - (at.0 - own.0) * y;
        let along = (at.0 - own.0) * x + (at.1 - own.1) * y;
        let parallel = (dx * y - dy * x).abs() <= PARALLEL * length;
        let beside = along.abs() <= 0.6 * chord.length().max(length);
        if parallel && beside && (thin..=thick).contains(&off.abs()) {
            count += 1;
            best = match best {
                Some(nearest) if off.abs() >= f32::abs(nearest) => Some(nearest),
                _ => Some(off),
            };
        }
    }
    best.filter(|_| count <= PARTNERS).map(|off| Wall { off, ..wall })
}

/// Returns the walls that are connected with others end to end over at least a wall's length.
fn long_chains(walls: &[Wall], points_per_inch: f32) -> Vec<Wall> {
    let joint = JOINT * points_per_inch;
    let cell = |(x, y): (f32, f32)| ((x / joint).round() as i32, (y / joint).round() as i32);
    let mut ends: HashMap<(i32, i32), usize> = HashMap::new();
    let mut chains = UnionFind::new(walls.len());
    for (index, wall) in walls.iter().enumerate() {
        for end in [wall.from, wall.to] {
            let (column, row) = cell(end);
            for next in (-1..=1).flat_map(|i| (-1..=1).map(move |j| (column + i, row + j))) {
                if let Some(&other) = ends.get(&next) {
                    chains.unite(index, other);
                }
            }
            ends.entry((column, row)).or_insert(index);
        }
    }
    let mut lengths = vec![(0.0_f32, 0); walls.len()];
    for (index, wall) in walls.iter().enumerate() {
        let (length, count) = &mut lengths[chains.find(index)];
        *length += (wall.to.0 - wall.from.0).hypot(wall.to.1 - wall.from.1);
        *count += 1;
    }
    let least = LEAST * points_per_inch;
    walls
        .iter()
        .enumerate()
        .filter(|(index, _)| {
            let (length, count) = lengths[chains.find(*index)];
            length >= least && count >= FEW_CHORDS
        })
        .map(|(_, wall)| *wall)
        .collect()
}
