//! Openings in walls, and which of them separate two rooms.
//!
//! An opening with a door, or one as narrow as a door, separates rooms. A wide one does if there are names on both sides of
//! it; otherwise both sides are one room.

use fanlight_contract::Rect;
use fanlight_geometry::UnionFind;

use crate::mask::{Components, Mask};
use crate::walls::{Axis, Gap, GapLimits, MAX_THICKNESS, ParallelWalls, Strip, gaps};

/// Openings up to this width are doors whether or not one is drawn, in inches: a pair of 36 in leaves in its frame.
const MAX_UNDRAWN_DOOR: f32 = 76.0;
/// Walls beside such an opening are connected components at least this long, in inches: less is a pier or furniture. Set by
/// hand.
const MIN_BESIDE_DOOR: f32 = 40.0;
/// Openings with a door drawn in them are no wider than this, in inches, two leaves included. Set by hand.
const MAX_DRAWN_DOOR: f32 = 110.0;
/// Least width of an opening with a door drawn in it, as a share of the door's longer side. Set by hand.
const MIN_DOOR_SHARE: f32 = 0.5;
/// Most width of an opening with a door drawn in it, as a share of the door's longer side. Set by hand.
const MAX_DOOR_SHARE: f32 = 1.5;
/// The middle of an opening lies in the box of its door, grown by this, in inches. Set by hand.
const BESIDE_DOOR: f32 = 3.0;
/// A door between a wall's end and a wall across is no wider than this, in inches. Set by hand: a 42 in leaf with its frame.
const MAX_CORNER_DOOR: f32 = 50.0;
/// A wall's end within this distance of a wall is meant to meet it, in inches. Set by hand.
const MAX_TO_MEET: f32 = 14.0;
/// Walls of a building are connected components at least this long, in inches; columns and furniture are not. Set by hand.
const MIN_WALLS: f32 = 120.0;
/// Openings between two names, in one line of walls, are no wider than this, in inches. Set by hand.
const MAX_WIDE: f32 = 420.0;
/// Openings between two names, from a wall's end to a wall across, are no wider than this, in inches. Set by hand.
const MAX_WIDE_CORNER: f32 = 200.0;
/// The walls beside a wide opening are at least this long, in inches. Set by hand.
const MIN_STUB: f32 = 18.0;
/// Most wide openings of a sheet, a bound on time; the narrowest are kept.
const MAX_WIDE_OPENINGS: usize = 4_000;

/// Makes walls of the openings that separate two rooms.
///
/// `is_named` returns for each space whether a name is in it.
pub(crate) fn close(
    mask: &mut Mask,
    walls: &[ParallelWalls],
    doors: &[Rect],
    points_per_inch: f32,
    is_named: impl FnOnce(&Mask, &Components) -> Vec<bool>,
) {
    for Opening { axis, strip } in narrow(mask, walls, doors, points_per_inch) {
        mask.draw(axis, &strip);
    }
    let mut wide = wide(mask, walls, points_per_inch);
    wide.sort_by(|a, b| a.strip.length().total_cmp(&b.strip.length()));
    wide.truncate(MAX_WIDE_OPENINGS);
    let wide = WideOpenings { all: wide, thickest_wall: MAX_THICKNESS * points_per_inch };
    wide.draw(mask);
    let spaces = mask.spaces();
    let is_named = is_named(mask, &spaces);
    wide.settle(mask, &spaces, is_named);
}

/// An opening in a wall.
#[derive(Clone, Copy)]
struct Opening {
    axis: Axis,
    strip: Strip,
}

/// The connected components of the walls in a mask, to tell walls of the building from other objects.
struct ConnectedWalls<'a> {
    mask: &'a Mask,
    components: Components,
    /// In points.
    min_length: f32,
}

impl<'a> ConnectedWalls<'a> {
    fn new(mask: &'a Mask, min_length: f32) -> Self {
        Self { mask, components: mask.walls(), min_length }
    }

    /// Returns whether the component that holds a strip's centre is long enough.
    fn have(&self, axis: Axis, strip: &Strip) -> bool {
        let cell = self.mask.at(strip.centre(axis));
        let component = cell.and_then(|cell| self.components.of_cell(cell));
        component.is_some_and(|component| component.longer_side() * self.mask.cell >= self.min_length)
    }
}

/// Returns the openings with a door, and those as narrow as one.
fn narrow(mask: &Mask, walls: &[ParallelWalls], doors: &[Rect], points_per_inch: f32) -> Vec<Opening> {
    let connected = ConnectedWalls::new(mask, MIN_BESIDE_DOOR * points_per_inch);
    let limits = GapLimits { in_line: MAX_DRAWN_DOOR * points_per_inch, to_wall: MAX_CORNER_DOOR * points_per_inch };
    let mut found = Vec::new();
    for ParallelWalls { axis, strips } in walls {
        for gap in gaps(strips.clone(), *axis, mask, limits) {
            if is_narrow(&gap, *axis, &connected, doors, points_per_inch) {
                found.push(Opening { axis: *axis, strip: gap.strip });
            }
        }
    }
    found
}

/// Returns whether a gap has a door, or is as narrow as one between two walls of the building.
fn is_narrow(gap: &Gap, axis: Axis, connected: &ConnectedWalls<'_>, doors: &[Rect], points_per_inch: f32) -> bool {
    if doors.iter().any(|door| has_door(&gap.strip, axis, door, points_per_inch)) {
        return true;
    }
    let inches = gap.strip.length() / points_per_inch;
    match gap.between {
        Some(between) => inches <= MAX_UNDRAWN_DOOR && between.iter().all(|wall| connected.have(axis, wall)),
        None => inches <= MAX_TO_MEET,
    }
}

/// Returns whether a door is drawn in an opening: the opening is located in the door's box, at an edge, and is about as wide.
fn has_door(opening: &Strip, axis: Axis, door: &Rect, points_per_inch: f32) -> bool {
    let (x, y) = opening.centre(axis);
    let slack = BESIDE_DOOR * points_per_inch;
    let is_inside = door.x1 - slack <= x && x <= door.x2 + slack && door.y1 - slack <= y && y <= door.y2 + slack;
    let long = (door.x2 - door.x1).max(door.y2 - door.y1);
    let least = MIN_DOOR_SHARE * long.min(MAX_CORNER_DOOR * points_per_inch);
    is_inside && opening.length() >= least && opening.length() <= MAX_DOOR_SHARE * long
}

/// Returns the other openings that may separate two rooms.
fn wide(mask: &Mask, walls: &[ParallelWalls], points_per_inch: f32) -> Vec<Opening> {
    let connected = ConnectedWalls::new(mask, MIN_WALLS * points_per_inch);
    let limits = GapLimits { in_line: MAX_WIDE * points_per_inch, to_wall: MAX_WIDE_CORNER * points_per_inch };
    let mut found = Vec::new();
    for ParallelWalls { axis, strips } in walls {
        let is_long = |strip: &&Strip| strip.length() >= MIN_STUB * points_per_inch && connected.have(*axis, strip);
        let long = strips.iter().filter(is_long).copied().collect();
        for Gap { strip, .. } in gaps(long, *axis, mask, limits) {
            if mask.is_free(strip.centre(*axis)) {
                found.push(Opening { axis: *axis, strip });
            }
        }
    }
    found
}

/// The wide openings of a sheet, drawn into its mask by their indices.
struct WideOpenings {
    all: Vec<Opening>,
    /// Walls are no thicker, in points.
    thickest_wall: f32,
}

/// A part of an opening with one space on either side.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Index of the opening.
    opening: usize,
    /// From where to where it is along the opening's axis.
    from: f32,
    to: f32,
    /// Indices of the spaces.
    sides: [usize; 2],
}

impl Link {
    fn width(&self) -> f32 {
        self.to - self.from
    }
}

impl WideOpenings {
    fn draw(&self, mask: &mut Mask) {
        for (index, Opening { axis, strip }) in self.all.iter().enumerate() {
            mask.draw_opening(*axis, strip, index);
        }
    }

    /// Decides which openings are closed, and makes walls of them and space of the others. `is_named` says of each space
    /// whether a name is in it.
    fn settle(&self, mask: &mut Mask, spaces: &Components, is_named: Vec<bool>) {
        let mut links: Vec<Link> = (0..self.all.len()).flat_map(|at| self.links(at, mask, spaces)).collect();
        // Spaces join over the widest openings first.
        links.sort_by(|a, b| b.width().total_cmp(&a.width()));
        let mut joined = JoinedSpaces::new(spaces, is_named);
        for link in &links {
            joined.join_over(link);
        }
        for link in links {
            if !joined.are_one(link.sides) {
                let Opening { axis, strip } = self.all[link.opening];
                mask.close(axis, &Strip { from: link.from, to: link.to, ..strip }, link.opening);
            }
        }
        mask.free_openings();
    }

    /// Returns the parts of an opening that have a space on both sides.
    fn links(&self, opening: usize, mask: &Mask, spaces: &Components) -> Vec<Link> {
        let Opening { strip, .. } = &self.all[opening];
        let steps = ((strip.length() / mask.cell) as usize).max(1);
        let each = strip.length() / steps as f32;
        let mut links: Vec<Link> = Vec::new();
        for step in 0..steps {
            let from = strip.from + step as f32 * each;
            let along = from + 0.5 * each;
            let beside = |sign: f32| self.space_beside(opening, along, sign, mask, spaces);
            let (Some(one), Some(other)) = (beside(-1.0), beside(1.0)) else { continue };
            match links.last_mut() {
                Some(link) if link.sides == [one, other] && from - link.to < 1.5 * each => link.to = from + each,
                _ => links.push(Link { opening, from, to: from + each, sides: [one, other] }),
            }
        }
        links
    }

    /// Returns the space to one side of an opening at a position along it, within a wall's thickness.
    fn space_beside(&self, opening: usize, along: f32, sign: f32, mask: &Mask, spaces: &Components) -> Option<usize> {
        let Opening { axis, strip } = &self.all[opening];
        let steps = (self.thickest_wall / mask.cell) as usize + 2;
        (0..steps)
            .map(|step| axis.place(along, strip.middle() + sign * step as f32 * mask.cell))
            .take_while(|place| !mask.is_wall(*place))
            .find_map(|place| spaces.index_of_cell(mask.at(place)?))
    }
}

/// Spaces that are joined over openings.
struct JoinedSpaces {
    sets: UnionFind,
    /// Whether a name is in each set, stored at its representative; the outside counts as named.
    is_named: Vec<bool>,
}

impl JoinedSpaces {
    fn new(spaces: &Components, is_named: Vec<bool>) -> Self {
        let is_named = is_named.into_iter().zip(&spaces.all).map(|(is_named, space)| is_named || space.is_outside);
        Self { sets: UnionFind::new(spaces.all.len()), is_named: is_named.collect() }
    }

    /// Returns whether two spaces are one room.
    fn are_one(&mut self, [one, other]: [usize; 2]) -> bool {
        self.sets.find(one) == self.sets.find(other)
    }

    /// Joins the spaces on both sides of an opening, unless both have names.
    fn join_over(&mut self, link: &Link) {
        let [one, other] = link.sides.map(|side| self.sets.find(side));
        if one == other || (self.is_named[one] && self.is_named[other]) {
            return;
        }
        let is_named = self.is_named[one] || self.is_named[other];
        let united = self.sets.unite(one, other);
        self.is_named[united] = is_named;
    }
}

#[cfg(test)]
mod tests {
    use fanlight_geometry::Frame;

    use super::*;

    /// Whether a gap of this width in a long horizontal wall is a door, on a plan with a point per inch.
    fn is_door(width: f32, doors: &[Rect]) -> bool {
        let strip = |from: f32, to: f32| Strip { from, to, low: 100.0, high: 106.0 };
        let between = [strip(20.0, 140.0), strip(140.0 + width, 300.0 + width)];
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 900.0, y2: 200.0 }, 0.0), 1.3);
        for wall in &between {
            mask.draw(Axis::Horizontal, wall);
        }
        let gap = Gap { strip: strip(140.0, 140.0 + width), between: Some(between) };
        is_narrow(&gap, Axis::Horizontal, &ConnectedWalls::new(&mask, MIN_BESIDE_DOOR), doors, 1.0)
    }

    #[test]
    fn a_narrow_gap_between_long_walls_is_a_door() {
        assert!(is_door(36.0, &[]));
        assert!(!is_door(90.0, &[]));
    }

    #[test]
    fn a_gap_as_wide_as_its_drawn_door_is_a_door() {
        let pair = Rect { x1: 140.0, y1: 100.0, x2: 236.0, y2: 154.0 };
        assert!(is_door(96.0, &[pair]));
        let elsewhere = Rect { x1: 400.0, x2: 496.0, ..pair };
        assert!(!is_door(96.0, &[elsewhere]));
    }

    #[test]
    fn wide_openings_join_spaces_unless_both_have_names() {
        let are_one = |is_named: [bool; 2]| {
            let mut joined = JoinedSpaces { sets: UnionFind::new(2), is_named: is_named.to_vec() };
            joined.join_over(&Link { opening: 0, from: 0.0, to: 90.0, sides: [0, 1] });
            joined.are_one([0, 1])
        };
        assert!(are_one([true, false]) && are_one([false, false]));
        assert!(!are_one([true, true]));
    }

    #[test]
    fn an_opening_between_two_rooms_is_a_link() {
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 160.0, y2: 100.0 }, 0.0), 1.0);
        for y in [20.0, 80.0] {
            mask.draw(Axis::Horizontal, &Strip { from: 20.0, to: 123.0, low: y, high: y + 3.0 });
        }
        for (x, to) in [(20.0, 83.0), (70.0, 50.0), (120.0, 83.0)] {
            mask.draw(Axis::Vertical, &Strip { from: 20.0, to, low: x, high: x + 3.0 });
        }
        let strip = Strip { from: 50.0, to: 80.0, low: 70.0, high: 73.0 };
        let openings = WideOpenings { all: vec![Opening { axis: Axis::Vertical, strip }], thickest_wall: 15.0 };
        openings.draw(&mut mask);
        let spaces = mask.spaces();
        let links = openings.links(0, &mask, &spaces);
        assert_eq!(links.len(), 1, "{links:?}");
        let room_at = |place| spaces.index_of_cell(mask.at(place).unwrap()).unwrap();
        let mut sides = links[0].sides;
        sides.sort_unstable();
        let mut rooms = [room_at((40.0, 50.0)), room_at((100.0, 50.0))];
        rooms.sort_unstable();
        assert_eq!(sides, rooms);
    }
}
