//! Openings: gaps between the end of a wall and another wall in line with it, whatever closes the gap.
//!
//! A wall's end is a short line across with the wall's two faces going off from its ends to one side, or two shorter ones
//! that leave a slot between them: a pocket's. Walls of one line, and those that are one thick stroke, have none.
//!
//! Constants without a source are set by hand.

use crate::symbols::index::Index;
use crate::symbols::places::Grid;
use crate::symbols::plan::Plan;
use crate::symbols::plane::{Extent, Point};

/// Walls are this thick, in inches.
const WALLS: std::ops::RangeInclusive<f32> = 2.5..=20.0;
/// Openings are this wide, in inches: from a cupboard's to a fire station's.
const WIDTHS: std::ops::RangeInclusive<f32> = 18.0..=250.0;
/// Of an end with a slot, what stands on either side of it is this thick, in inches.
const JAMBS: std::ops::RangeInclusive<f32> = 0.5..=4.0;
/// The slot's share of the wall's thickness.
const SLOTS: std::ops::RangeInclusive<f32> = 0.1..=0.75;
/// A wall's face goes on for this long at least, in inches.
const LEAST_FACE: f32 = 3.0;
/// Frames and plasters put a wall's end and its faces this far apart, in inches.
const APART: f32 = 1.2;
/// Rounding puts them this far apart, in points.
const MIN_APART: f32 = 0.35;
/// Cosine of the least angle between a wall's end and its faces: 87 degrees.
const SQUARE: f32 = 0.05;
/// Cosine of the most angle between two ends that lead the same way, or face each other: 8 degrees.
const SAME_WAY: f32 = 0.99;
/// Walls in line may be off by this much, in inches.
const OFF_LINE: f32 = 2.0;
/// Of walls in line, one may be thicker than the other by this factor.
const THICKER: f32 = 1.4;
/// The side of a cell in which wall ends are looked for, in inches.
const CELL: f32 = 42.0;
/// Most ends of walls of a page that are looked at.
const MOST_ENDS: usize = 20_000;
/// Most ends of walls of one place that are looked at.
const MOST_OF_PLACE: u32 = 24;
/// The side of a cell in which walls' faces are looked for at a corner, in points.
const CORNER: f32 = 6.0;
/// Beginnings of faces that are looked at on a page: a sheet of 300,000 segments takes a fiftieth of it.
const MOST_BEGINNINGS: usize = 40_000_000;

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
    /// Returns the box around the opening through the wall's thickness.
    pub(crate) fn extent(&self) -> Extent {
        let across = (self.b - self.a).unit().left() * (self.thick / 2.0);
        Extent::bounding([self.a + across, self.a - across, self.b + across, self.b - across])
    }

    /// Returns whether what is drawn within some box fills most of the opening and stays in the wall.
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

/// Detects a plan's openings; `scale` is in points of paper per inch of the building.
pub(crate) fn detect(plan: &Plan, scale: f32) -> Vec<Opening> {
    let ends = wall_ends(plan, scale);
    let mut places = Grid::new(CELL * scale, MOST_OF_PLACE);
    for (index, end) in ends.iter().enumerate() {
        places.add(end.middle, (index, *end));
    }
    let partners: Vec<Option<(usize, f32)>> = ends.iter().map(|end| partner(&places, end, scale)).collect();
    let mut openings = Vec::new();
    for (index, (end, partner)) in ends.iter().zip(&partners).enumerate() {
        let Some((other_index, apart)) = *partner else { continue };
        let mutual = partners.get(other_index).copied().flatten().is_some_and(|(back, _)| back == index);
        let Some(other) = ends.get(other_index).filter(|_| mutual && index < other_index) else { continue };
        if WIDTHS.contains(&(apart / scale)) {
            openings.push(Opening { a: end.middle, b: other.middle, thick: end.thick.max(other.thick) });
        }
    }
    openings
}

/// Returns the next wall's end that one faces, and how far apart they are.
fn partner(places: &Grid<(usize, WallEnd)>, end: &WallEnd, scale: f32) -> Option<(usize, f32)> {
    let step = end.into * (CELL * scale);
    let steps = (WIDTHS.end() / CELL).ceil() as u32;
    (0..steps).find_map(|index| {
        let from = end.middle + step * index as f32;
        let stretch = Extent::bounding([from, from + step]).grown(OFF_LINE * scale);
        let facing = places.near(stretch).filter_map(|(index, other)| Some((*index, facing(end, other, scale)?)));
        facing.min_by(|(_, a), (_, b)| a.total_cmp(b))
    })
}

/// Returns how far apart two walls end that face each other in one line.
fn facing(end: &WallEnd, other: &WallEnd, scale: f32) -> Option<f32> {
    let between = other.middle - end.middle;
    let apart = between.dot(end.into);
    let in_line = end.into.dot(other.into) <= -SAME_WAY && end.into.cross(between).abs() <= OFF_LINE * scale;
    let alike = end.thick.max(other.thick) <= THICKER * end.thick.min(other.thick);
    (in_line && alike && apart > APART * scale).then_some(apart)
}

/// The ends of walls, each once.
struct WallEnds {
    ends: Vec<WallEnd>,
    at: Grid<WallEnd>,
    /// Ends so close are the same one.
    near: f32,
}

impl WallEnds {
    fn new(scale: f32) -> Self {
        let near = APART * scale;
        Self { ends: Vec::new(), at: Grid::new(near, MOST_OF_PLACE), near }
    }

    fn add(&mut self, end: WallEnd) {
        if self.ends.len() >= MOST_ENDS {
            return;
        }
        let near = self.near;
        let known = self.at.near(Extent::bounding([end.middle]).grown(near)).any(|other| {
            other.into.dot(end.into) > SAME_WAY
                && other.middle.to(end.middle) <= near
                && (other.thick - end.thick).abs() <= near
        });
        if !known {
            self.at.add(end.middle, end);
            self.ends.push(end);
        }
    }
}

fn wall_ends(plan: &Plan, scale: f32) -> Vec<WallEnd> {
    let mut faces = Faces::new(plan, scale);
    let mut found = Vec::new();
    let mut ends = WallEnds::new(scale);
    let mut jambs: Vec<Jamb> = Vec::new();
    for segment in plan.segments.iter().filter(|segment| segment.inked) {
        let long = segment.a.to(segment.b);
        let (is_end, is_jamb) = (WALLS.contains(&(long / scale)), JAMBS.contains(&(long / scale)));
        if !is_end && !is_jamb {
            continue;
        }
        let across = (segment.b - segment.a).unit();
        let sides = [across.left() * -1.0, across.left()];
        let takes_jambs = is_jamb && jambs.len() < MOST_ENDS;
        let from = faces.at(segment.a, across, &mut found);
        if !takes_jambs && from == [false, false] {
            continue;
        }
        let to = faces.at(segment.b, across, &mut found);
        if takes_jambs {
            for (side, into) in sides.into_iter().enumerate() {
                jambs.extend(from[side].then_some(Jamb { face: segment.a, inner: segment.b, into }));
                jambs.extend(to[side].then_some(Jamb { face: segment.b, inner: segment.a, into }));
            }
        }
        // Lines that continue to both sides are those of tiles, or of a wall that crosses.
        let into = match [from[0] && to[0], from[1] && to[1]] {
            [true, false] => sides[0],
            [false, true] => sides[1],
            _ => continue,
        };
        if is_end {
            ends.add(WallEnd { middle: (segment.a + segment.b) * 0.5, thick: long, into });
        }
    }
    add_slotted(&mut ends, &jambs, scale);
    ends.ends
}

/// What stands beside a slot in a wall's end: a line from one of the wall's faces inwards.
#[derive(Clone, Copy, Debug)]
struct Jamb {
    /// Its end at the face.
    face: Point,
    /// Its end at the slot.
    inner: Point,
    /// Away from the wall.
    into: Point,
}

impl Jamb {
    /// Returns the wall's end that two jambs in line make, if their inner ends face each other.
    fn end_with(&self, other: &Self, scale: f32) -> Option<WallEnd> {
        let (across, thick) = ((other.face - self.face).unit(), self.face.to(other.face));
        let slot = (other.inner - self.inner).dot(across) / thick.max(0.01);
        let is_in_line = across.dot(self.into).abs() <= SQUARE && self.into.dot(other.into) > SAME_WAY;
        let is_inwards = (self.inner - self.face).dot(across) > 0.0 && (other.inner - other.face).dot(across) < 0.0;
        let is_end = is_in_line && is_inwards && SLOTS.contains(&slot) && WALLS.contains(&(thick / scale));
        is_end.then(|| WallEnd { middle: (self.face + other.face) * 0.5, thick, into: self.into })
    }
}

/// Adds the ends that have a slot: two jambs in line whose inner ends face each other.
fn add_slotted(ends: &mut WallEnds, jambs: &[Jamb], scale: f32) {
    let reach = WALLS.end() * scale;
    let mut at = Grid::new(reach, MOST_OF_PLACE);
    for (index, jamb) in jambs.iter().enumerate() {
        at.add(jamb.face, (index, *jamb));
    }
    for (index, jamb) in jambs.iter().enumerate() {
        let near = at.near(Extent::bounding([jamb.face]).grown(reach)).filter(|(other, _)| *other > index);
        for end in near.filter_map(|(_, other)| jamb.end_with(other, scale)) {
            ends.add(end);
        }
    }
}

/// An end of a line, from which the line begins.
#[derive(Clone, Copy, Debug)]
struct Beginning {
    at: Point,
    /// Unit vector of the line from there.
    direction: Point,
}

/// Where lines that may be walls' faces begin. A line begins at both its ends.
struct Faces {
    beginnings: Vec<Beginning>,
    index: Index,
    /// How far from a wall's end its faces may begin, in points.
    within: f32,
    /// Beginnings that may still be looked at.
    effort: usize,
}

impl Faces {
    fn new(plan: &Plan, scale: f32) -> Self {
        let mut beginnings = Vec::new();
        for segment in plan.segments.iter().filter(|segment| segment.inked) {
            let (way, long) = (segment.b - segment.a, segment.a.to(segment.b));
            if long >= LEAST_FACE * scale {
                let direction = way * (1.0 / long);
                beginnings.extend([
                    Beginning { at: segment.a, direction },
                    Beginning { at: segment.b, direction: direction * -1.0 },
                ]);
            }
        }
        let places: Vec<(Point, Point)> = beginnings.iter().map(|own| (own.at, own.at)).collect();
        let index = Index::new(plan.drawing.page, CORNER, &places);
        Self { beginnings, index, within: (APART * scale).max(MIN_APART), effort: MOST_BEGINNINGS }
    }

    /// Returns whether a face begins at a corner of a wall's end, going off to the left of the end's line and to the right.
    fn at(&mut self, corner: Point, across: Point, found: &mut Vec<u32>) -> [bool; 2] {
        let mut sides = [false; 2];
        if self.effort == 0 {
            return sides;
        }
        self.index.near(Extent::bounding([corner]).grown(self.within), found);
        self.effort = self.effort.saturating_sub(found.len());
        for Beginning { at, direction } in found.iter().filter_map(|number| self.beginnings.get(*number as usize)) {
            if direction.dot(across).abs() <= SQUARE && at.to(corner) <= self.within {
                sides[usize::from(direction.dot(across.left()) < 0.0)] = true;
            }
        }
        sides
    }
}
