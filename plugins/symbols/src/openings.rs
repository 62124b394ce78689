//! Openings: where a wall ends and another one begins in line with it, whatever closes what lies between.
//!
//! A wall's end is a short line across with the wall's two faces going off from its ends to one side, or two shorter ones
//! that leave a slot between them: a pocket's. Walls of one line, and those that are one thick stroke, have none. An opening
//! may also end at the face of a wall that crosses.

use crate::places::Places;
use crate::plan::Plan;
use crate::plane::{Extent, Point};

/// Walls are this thick, in inches.
const WALLS: std::ops::RangeInclusive<f32> = 2.5..=20.0;
/// Openings are this wide, in inches: from a cupboard's to a fire station's.
const WIDTHS: std::ops::RangeInclusive<f32> = 18.0..=250.0;
/// Of an end with a slot, what stands on either side of it is this thick, in inches, and the slot a share of the wall.
const JAMBS: std::ops::RangeInclusive<f32> = 0.5..=4.0;
const SLOTS: std::ops::RangeInclusive<f32> = 0.1..=0.75;
/// An opening is no wider than this, in inches, where it ends at a wall that crosses.
const WIDEST_TO_FACE: f32 = 62.0;
/// A wall's face goes on for this long at least, in inches.
const LEAST_FACE: f32 = 3.0;
/// Frames and plasters put a wall's end and its faces this far apart, in inches.
const APART: f32 = 1.2;
/// Walls in line may be off by this much, in inches, and one be thicker than the other by this share.
const OFF_LINE: f32 = 2.0;
const THICKER: f32 = 1.4;
/// The side of a cell in which wall ends are looked for, in inches.
const CELL: f32 = 42.0;
/// Ends of walls of a page that are looked at, and those of one place.
const MOST_ENDS: usize = 20_000;
const MOST_OF_PLACE: usize = 24;

/// An opening between two ends of walls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    /// The middle of the wall at both ends.
    pub(crate) a: Point,
    pub(crate) b: Point,
    /// Of the wall.
    pub(crate) thick: f32,
}

impl Opening {
    /// Around the opening through the wall's thickness.
    pub(crate) fn extent(&self) -> Extent {
        let across = (self.b - self.a).unit().left() * (self.thick / 2.0);
        Extent::of([self.a + across, self.a - across, self.b + across, self.b - across])
    }

    /// Whether what is drawn within some box fills most of the opening and stays in the wall.
    pub(crate) fn is_filled_by(&self, drawn: &Extent) -> bool {
        let along = (self.b - self.a).unit();
        let own = self.extent().grown(0.04 * self.a.to(self.b));
        // Boxes of walls at other angles than the page's tell too little.
        let level = along.x.abs().max(along.y.abs()) >= 0.999;
        let long = if along.x.abs() > along.y.abs() { drawn.width() } else { drawn.height() };
        level && own.common(drawn) >= 0.97 * drawn.area() && long >= 0.55 * self.a.to(self.b)
    }
}

/// Where a wall ends.
#[derive(Clone, Copy, Debug)]
struct WallEnd {
    middle: Point,
    thick: f32,
    /// Away from the wall.
    into: Point,
}

/// Finds a plan's openings, at so many points on paper for an inch in the building.
pub(crate) fn find(plan: &Plan, scale: f32) -> Vec<Opening> {
    let ends = wall_ends(plan, scale);
    let cell = CELL * scale;
    let key = |point: Point| ((point.x / cell).floor() as i32, (point.y / cell).floor() as i32);
    let mut places: Places<(i32, i32), Vec<usize>> = Places::default();
    for (index, end) in ends.iter().enumerate() {
        let own = places.entry(key(end.middle)).or_default();
        if own.len() < MOST_OF_PLACE {
            own.push(index);
        }
    }
    let steps = (WIDTHS.end() / CELL).ceil() as u32;
    let nearest = |end: &WallEnd| -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for step in 0..=steps {
            let (column, row) = key(end.middle + end.into * (cell * step as f32));
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                for &index in places.get(&(column + dx, row + dy)).map(Vec::as_slice).unwrap_or_default() {
                    let apart = ends.get(index).and_then(|other| facing(end, other, scale));
                    if let Some(apart) = apart.filter(|apart| best.is_none_or(|(_, least)| *apart < least)) {
                        best = Some((index, apart));
                    }
                }
            }
            if best.is_some_and(|(_, apart)| apart < cell * step as f32) {
                break;
            }
        }
        best
    };
    let partners: Vec<Option<(usize, f32)>> = ends.iter().map(nearest).collect();
    let mut openings = Vec::new();
    for (index, (end, partner)) in ends.iter().zip(&partners).enumerate() {
        let Some((other_index, apart)) = *partner else {
            openings.extend(to_face(plan, end, scale));
            continue;
        };
        let mutual = partners.get(other_index).copied().flatten().is_some_and(|(back, _)| back == index);
        let Some(other) = ends.get(other_index).filter(|_| mutual && index < other_index) else { continue };
        if WIDTHS.contains(&(apart / scale)) {
            openings.push(Opening { a: end.middle, b: other.middle, thick: end.thick.max(other.thick) });
        }
    }
    openings
}

/// The opening from a wall's end to the next line that crosses it and is as long as the wall is thick.
fn to_face(plan: &Plan, end: &WallEnd, scale: f32) -> Option<Opening> {
    let reach = WIDEST_TO_FACE * scale;
    let (into, half) = (end.into, end.thick / 2.0);
    let mut found = Vec::new();
    let apart = plan
        .near(Extent::of([end.middle, end.middle + into * reach]).grown(half), &mut found)
        .filter_map(|(_, segment)| {
            let (a, b) = (segment.a - end.middle, segment.b - end.middle);
            let (low, high) = (into.cross(a).min(into.cross(b)), into.cross(a).max(into.cross(b)));
            let crosses = (into.dot(a) - into.dot(b)).abs() <= 0.02 * (high - low) && segment.inked && !segment.dashed;
            let apart = f32::midpoint(into.dot(a), into.dot(b));
            (crosses && low <= -0.9 * half && high >= 0.9 * half && apart > APART * scale).then_some(apart)
        })
        .min_by(f32::total_cmp)
        .filter(|apart| (*WIDTHS.start() * scale..=reach).contains(apart))?;
    Some(Opening { a: end.middle, b: end.middle + into * apart, thick: end.thick })
}

/// How far apart two walls end that face each other in one line.
fn facing(end: &WallEnd, other: &WallEnd, scale: f32) -> Option<f32> {
    let between = other.middle - end.middle;
    let apart = between.dot(end.into);
    let in_line = end.into.dot(other.into) <= -0.99 && end.into.cross(between).abs() <= OFF_LINE * scale;
    let alike = end.thick.max(other.thick) <= THICKER * end.thick.min(other.thick);
    (in_line && alike && apart > APART * scale).then_some(apart)
}

/// The ends of walls, each once.
#[derive(Default)]
struct WallEnds {
    ends: Vec<WallEnd>,
    at: Places<(i32, i32), Vec<usize>>,
}

impl WallEnds {
    /// Adds an end; `near` is how close an end is the same one.
    fn add(&mut self, end: WallEnd, near: f32) {
        let (column, row) = ((end.middle.x / near).floor() as i32, (end.middle.y / near).floor() as i32);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        let known = around.filter_map(|place| self.at.get(&place)).flatten().any(|&index| {
            self.ends.get(index).is_some_and(|other| {
                other.into.dot(end.into) > 0.99
                    && other.middle.to(end.middle) <= near
                    && (other.thick - end.thick).abs() <= near
            })
        });
        if !known && self.ends.len() < MOST_ENDS {
            self.at.entry((column, row)).or_default().push(self.ends.len());
            self.ends.push(end);
        }
    }
}

fn wall_ends(plan: &Plan, scale: f32) -> Vec<WallEnd> {
    let mut ends = WallEnds::default();
    let near = APART * scale;
    // What stands beside a slot: from a face inwards, and away from the wall.
    let mut jambs: Vec<(Point, Point, Point)> = Vec::new();
    for segment in plan.segments.iter().filter(|segment| segment.inked) {
        let long = segment.a.to(segment.b);
        let (is_end, is_jamb) = (WALLS.contains(&(long / scale)), JAMBS.contains(&(long / scale)));
        if !is_end && !is_jamb {
            continue;
        }
        let across = (segment.b - segment.a).unit();
        let sides = [(0, across.left() * -1.0), (1, across.left())];
        let from = faces(plan, segment.a, across, scale);
        if is_jamb && jambs.len() < MOST_ENDS {
            let to = faces(plan, segment.b, across, scale);
            for (side, into) in sides {
                jambs.extend(from[side].then_some((segment.a, segment.b, into)));
                jambs.extend(to[side].then_some((segment.b, segment.a, into)));
            }
        }
        if !is_end || from == [false, false] {
            continue;
        }
        let to = faces(plan, segment.b, across, scale);
        for (side, into) in sides {
            if from[side] && to[side] {
                ends.add(WallEnd { middle: (segment.a + segment.b) * 0.5, thick: long, into }, near);
            }
        }
    }
    add_slotted(&mut ends, &jambs, scale);
    ends.ends
}

/// Adds the ends that have a slot: two jambs in line whose inner ends face each other.
fn add_slotted(ends: &mut WallEnds, jambs: &[(Point, Point, Point)], scale: f32) {
    let cell = WALLS.end() * scale;
    let key = |point: Point| ((point.x / cell).floor() as i32, (point.y / cell).floor() as i32);
    let mut at: Places<(i32, i32), Vec<usize>> = Places::default();
    for (index, (face, ..)) in jambs.iter().enumerate() {
        let own = at.entry(key(*face)).or_default();
        if own.len() < MOST_OF_PLACE {
            own.push(index);
        }
    }
    for (index, &(face, inner, into)) in jambs.iter().enumerate() {
        let (column, row) = key(face);
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)));
        for &other in around.filter_map(|place| at.get(&place)).flatten().filter(|other| **other > index) {
            let Some(&(other_face, other_inner, other_into)) = jambs.get(other) else { continue };
            let (across, thick) = ((other_face - face).unit(), face.to(other_face));
            let slot = (other_inner - inner).dot(across) / thick.max(0.01);
            let in_line = across.dot(into).abs() <= 0.05 && into.dot(other_into) > 0.99;
            let inwards = (inner - face).dot(across) > 0.0 && (other_inner - other_face).dot(across) < 0.0;
            if in_line && inwards && SLOTS.contains(&slot) && WALLS.contains(&(thick / scale)) {
                ends.add(WallEnd { middle: (face + other_face) * 0.5, thick, into }, APART * scale);
            }
        }
    }
}

/// Whether a wall's face begins at a corner of its end, going off to the left of the end's line and to the right.
fn faces(plan: &Plan, corner: Point, across: Point, scale: f32) -> [bool; 2] {
    let within = (APART * scale).max(0.35);
    let mut found = Vec::new();
    let mut sides = [false; 2];
    for (_, segment) in plan.near(Extent::of([corner]).grown(within), &mut found).filter(|(_, line)| line.inked) {
        for (start, end) in [(segment.a, segment.b), (segment.b, segment.a)] {
            let way = end - start;
            let long = way.length();
            let begins = start.to(corner) <= within && long >= LEAST_FACE * scale;
            if begins && way.dot(across).abs() <= 0.05 * long {
                sides[usize::from(way.dot(across.left()) < 0.0)] = true;
            }
        }
    }
    sides
}
