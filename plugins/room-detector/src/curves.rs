//! Curved walls: chords that are parallel at a wall's thickness.

use std::collections::HashMap;

use fanlight_geometry::{Segment, UnionFind};

use crate::walls::{Axis, Strip, Thickness};

/// Length of a chord in inches: longer than those of a basin's arc, shorter than a straight wall. Set by hand.
const CHORD_LENGTHS: std::ops::Range<f32> = 1.5..60.0;
/// A curved wall has at least this many chords. Set by hand.
const MIN_CHORDS: usize = 5;
/// Sine of the largest angle between two parallel chords: 12.7 degrees. Set by hand.
const MAX_SINE: f32 = 0.22;
/// A chord with more partners is one of a hatch's lines. Set by hand.
const MAX_PARTNERS: usize = 4;
/// Midpoints of two chords beside each other differ along them by at most this share of the longer one. Set by hand.
const MAX_SHIFT: f32 = 0.6;
/// A curved wall is at least this long, in inches; basins and furniture are smaller. Set by hand.
const MIN_LENGTH: f32 = 70.0;
/// Chords of one wall end within this distance of each other, in inches. Set by hand.
const JOINT: f32 = 3.0;
/// Most chords of a sheet, a bound on time.
const MAX_CHORDS: usize = 200_000;
/// Most pairs of chords that are compared, a bound on time.
const MAX_PAIRS: usize = 4_000_000;

/// A short straight part of a curved wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CurvedPart {
    pub(crate) axis: Axis,
    pub(crate) strip: Strip,
}

/// Detects the curved walls of a sheet.
pub(crate) fn detect(segments: &[Segment], points_per_inch: f32) -> Vec<CurvedPart> {
    let lengths = CHORD_LENGTHS.start * points_per_inch..CHORD_LENGTHS.end * points_per_inch;
    let chords: Vec<&Segment> = segments
        .iter()
        .filter(|segment| !segment.dashed && lengths.contains(&segment.length()))
        .filter(|segment| segment.curved || !(segment.is_horizontal() || segment.is_vertical()))
        .take(MAX_CHORDS)
        .collect();
    let thickness = Thickness::at(points_per_inch);
    let near = ChordIndex::new(&chords, thickness.most);
    let mut effort = MAX_PAIRS;
    let walls: Vec<Wall> =
        chords.iter().filter_map(|chord| wall_beside(chord, &chords, &near, thickness, &mut effort)).collect();
    long_chains(&walls, points_per_inch).into_iter().map(|wall| wall.part()).collect()
}

/// A chord as one face of a wall.
#[derive(Clone, Copy)]
struct Wall {
    from: (f32, f32),
    to: (f32, f32),
    /// Distance of the other face, positive to the chord's left.
    off: f32,
}

impl Wall {
    fn axis(&self) -> Axis {
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = dx.hypot(dy).max(f32::MIN_POSITIVE);
        Axis { x: dx / length, y: dy / length }
    }

    fn length(&self) -> f32 {
        (self.to.0 - self.from.0).hypot(self.to.1 - self.from.1)
    }

    fn part(&self) -> CurvedPart {
        let axis = self.axis();
        let face = axis.across(self.from);
        let (low, high) = (face.min(face + self.off), face.max(face + self.off));
        CurvedPart { axis, strip: Strip { from: axis.along(self.from), to: axis.along(self.to), low, high } }
    }
}

/// A grid index of chords by their midpoints.
struct ChordIndex {
    side: f32,
    cells: HashMap<(i32, i32), Vec<usize>>,
}

impl ChordIndex {
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

/// Returns the wall between a chord and the nearest one beside it, unless so many are that it is a hatch.
fn wall_beside(
    chord: &Segment,
    chords: &[&Segment],
    near: &ChordIndex,
    thickness: Thickness,
    effort: &mut usize,
) -> Option<Wall> {
    let wall = Wall { from: chord.from, to: chord.to, off: 0.0 };
    let axis = wall.axis();
    let (mut nearest, mut count): (Option<f32>, usize) = (None, 0);
    for other in near.around(chord.midpoint()).filter_map(|at| chords.get(at)) {
        if *effort == 0 {
            return None;
        }
        *effort -= 1;
        let Some(off) = distance_beside(chord, axis, other, thickness) else { continue };
        count += 1;
        if nearest.is_none_or(|nearest| off.abs() < nearest.abs()) {
            nearest = Some(off);
        }
    }
    nearest.filter(|_| count <= MAX_PARTNERS).map(|off| Wall { off, ..wall })
}

/// Returns the distance from a chord, whose direction is `axis`, to another one, if the other is parallel and beside it at a
/// wall's thickness.
fn distance_beside(chord: &Segment, axis: Axis, other: &Segment, thickness: Thickness) -> Option<f32> {
    let length = other.length();
    let (dx, dy) = (other.to.0 - other.from.0, other.to.1 - other.from.1);
    let (own, at) = (chord.midpoint(), other.midpoint());
    let way = (at.0 - own.0, at.1 - own.1);
    let off = axis.across(way);
    let is_parallel = (dx * axis.y - dy * axis.x).abs() <= MAX_SINE * length;
    let is_beside = axis.along(way).abs() <= MAX_SHIFT * chord.length().max(length);
    let is_wall = (thickness.least..=thickness.most).contains(&off.abs());
    (is_parallel && is_beside && is_wall).then_some(off)
}

/// The chords of one wall.
#[derive(Clone, Copy, Default)]
struct Chain {
    length: f32,
    chords: usize,
}

/// Returns the walls that are connected with others end to end over at least a wall's length.
fn long_chains(walls: &[Wall], points_per_inch: f32) -> Vec<Wall> {
    let mut sets = joined_ends(walls, JOINT * points_per_inch);
    let mut chains = vec![Chain::default(); walls.len()];
    for (index, wall) in walls.iter().enumerate() {
        let chain = &mut chains[sets.find(index)];
        chain.length += wall.length();
        chain.chords += 1;
    }
    let is_long = |chain: Chain| chain.length >= MIN_LENGTH * points_per_inch && chain.chords >= MIN_CHORDS;
    let long = walls.iter().enumerate().filter(|(index, _)| is_long(chains[sets.find(*index)]));
    long.map(|(_, wall)| *wall).collect()
}

/// Returns the sets of walls that are joined end to end, with ends within about `joint` points.
fn joined_ends(walls: &[Wall], joint: f32) -> UnionFind {
    let cell = |(x, y): (f32, f32)| ((x / joint).round() as i32, (y / joint).round() as i32);
    let mut first_at: HashMap<(i32, i32), usize> = HashMap::new();
    let mut sets = UnionFind::new(walls.len());
    for (index, wall) in walls.iter().enumerate() {
        for end in [wall.from, wall.to] {
            let (column, row) = cell(end);
            for next in (-1..=1).flat_map(|i| (-1..=1).map(move |j| (column + i, row + j))) {
                if let Some(&other) = first_at.get(&next) {
                    sets.unite(index, other);
                }
            }
            first_at.entry((column, row)).or_insert(index);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chords of an arc around (200, 200).
    fn arc(radius: f32, degrees: std::ops::Range<i32>) -> Vec<Segment> {
        let point = |degree: i32| {
            let (sin, cos) = (degree as f32).to_radians().sin_cos();
            (200.0 + radius * cos, 200.0 + radius * sin)
        };
        let chord = |degree| Segment {
            from: point(degree),
            to: point(degree + 10),
            width: 0.5,
            filled: false,
            dashed: false,
            curved: true,
            path: 0,
        };
        degrees.step_by(10).map(chord).collect()
    }

    #[test]
    fn two_arcs_at_a_walls_thickness_are_a_curved_wall() {
        let parts = detect(&[arc(100.0, 0..90), arc(106.0, 0..90)].concat(), 1.0);
        assert_eq!(parts.len(), 18);
        assert!(parts.iter().all(|part| (part.strip.thickness() - 6.0).abs() < 0.5), "{parts:?}");
    }

    #[test]
    fn one_arc_is_no_wall() {
        assert!(detect(&arc(100.0, 0..90), 1.0).is_empty());
    }

    #[test]
    fn short_arcs_of_a_basin_are_no_wall() {
        assert!(detect(&[arc(12.0, 0..90), arc(15.0, 0..90)].concat(), 1.0).is_empty());
    }

    #[test]
    fn many_arcs_beside_each_other_are_a_hatch() {
        let arcs: Vec<Vec<Segment>> = (0..12).map(|at| arc(100.0 + 3.0 * at as f32, 0..90)).collect();
        let parts = detect(&arcs.concat(), 1.0);
        assert!(parts.len() < arcs.concat().len() / 2, "{}", parts.len());
    }
}
