//! Openings in walls, and which of them separate two rooms.
//!
//! An opening with a door or a window, or between nearby wall ends, separates rooms. Any other opening does if there are names
//! on both sides of it; otherwise both sides are one room.

use fanlight_contract::Rect;
use fanlight_geometry::UnionFind;

use crate::mask::{Components, Mask};
use crate::walls::{Axis, Gap, GapLimits, MAX_THICKNESS, ParallelWalls, Strip, gaps};

/// The kind of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A door, or an opening no wider than one.
    Door,
    /// Lines run along most of it, as those of glass and of panels that slide do.
    Window,
    /// Anything else between two walls in one line, or between a wall's end and a wall across.
    Wide,
}

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
/// Openings with lines along most of them are windows or sliding doors, no wider than this, in inches. Set by hand.
const MAX_WINDOW: f32 = 300.0;
/// Least share of a window's length along which lines run. Set by hand.
const MIN_LINED: f32 = 0.7;
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
/// Least share of the broader side's breadth that an opening takes where a corridor continues. Set by hand.
const MIN_OPENNESS: f32 = 0.6;
/// Least ratio of both sides' breadths where a corridor continues. Set by hand.
const MIN_ALIKE: f32 = 0.75;
/// On a plan without names, a gap in an outer wall up to this width, in inches, is a window that was not detected. Set by hand.
const MAX_UNDETECTED_WINDOW: f32 = 130.0;

/// Draws the openings into a mask of walls, and removes what is not a wall of the building.
pub(crate) fn draw(mask: &mut Mask, walls: &[ParallelWalls], doors: &[Rect], points_per_inch: f32) -> Openings {
    let mut openings = Openings {
        all: Vec::new(),
        thickest_wall: MAX_THICKNESS * points_per_inch,
        widest_window: MAX_UNDETECTED_WINDOW * points_per_inch,
    };
    for opening in doors_and_windows(mask, walls, doors, points_per_inch) {
        openings.add(mask, opening);
    }
    mask.remove_short_walls(MIN_WALLS * points_per_inch);
    let mut wide = wide_openings(mask, walls, points_per_inch);
    wide.sort_by(|a, b| a.strip.length().total_cmp(&b.strip.length()));
    for opening in wide.into_iter().take(MAX_WIDE_OPENINGS) {
        openings.add(mask, opening);
    }
    openings
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

    /// Whether the component that holds a strip's centre is long enough.
    fn have(&self, axis: Axis, strip: &Strip) -> bool {
        let cell = self.mask.at(strip.centre(axis));
        let component = cell.and_then(|cell| self.components.of_cell(cell));
        component.is_some_and(|component| component.longer_side() * self.mask.cell >= self.min_length)
    }
}

/// Returns the openings of doors and windows.
fn doors_and_windows(mask: &Mask, walls: &[ParallelWalls], doors: &[Rect], points_per_inch: f32) -> Vec<Opening> {
    let connected = ConnectedWalls::new(mask, MIN_BESIDE_DOOR * points_per_inch);
    let limits = GapLimits { in_line: MAX_WINDOW * points_per_inch, to_wall: MAX_CORNER_DOOR * points_per_inch };
    let mut found = Vec::new();
    for own in walls {
        for gap in gaps(own.strips.clone(), own.axis, mask, limits) {
            let kind = kind_of_gap(&gap, own, &connected, doors, points_per_inch);
            found.extend(kind.map(|kind| Opening { axis: own.axis, strip: gap.strip, kind }));
        }
    }
    found
}

/// Returns whether a gap is a door or a window, `None` if it is neither by itself.
fn kind_of_gap(
    gap: &Gap,
    walls: &ParallelWalls,
    connected: &ConnectedWalls<'_>,
    doors: &[Rect],
    points_per_inch: f32,
) -> Option<Kind> {
    let width = gap.strip.length();
    if width <= MAX_DRAWN_DOOR * points_per_inch
        && doors.iter().any(|door| has_door(&gap.strip, walls.axis, door, points_per_inch))
    {
        return Some(Kind::Door);
    }
    let Some(between) = gap.between else {
        return (width <= MAX_TO_MEET * points_per_inch).then_some(Kind::Door);
    };
    if walls.lined(&gap.strip, MAX_TO_MEET * points_per_inch) >= MIN_LINED {
        return Some(Kind::Window);
    }
    let is_door =
        width <= MAX_UNDRAWN_DOOR * points_per_inch && between.iter().all(|wall| connected.have(walls.axis, wall));
    is_door.then_some(Kind::Door)
}

/// Whether a door is drawn in an opening: the opening is located in the door's box, at an edge, and is about as wide.
fn has_door(opening: &Strip, axis: Axis, door: &Rect, points_per_inch: f32) -> bool {
    let (x, y) = opening.centre(axis);
    let slack = BESIDE_DOOR * points_per_inch;
    let is_inside = door.x1 - slack <= x && x <= door.x2 + slack && door.y1 - slack <= y && y <= door.y2 + slack;
    let long = (door.x2 - door.x1).max(door.y2 - door.y1);
    let least = MIN_DOOR_SHARE * long.min(MAX_CORNER_DOOR * points_per_inch);
    is_inside && opening.length() >= least && opening.length() <= MAX_DOOR_SHARE * long
}

/// Returns all other openings that may separate two rooms.
fn wide_openings(mask: &Mask, walls: &[ParallelWalls], points_per_inch: f32) -> Vec<Opening> {
    let connected = ConnectedWalls::new(mask, MIN_WALLS * points_per_inch);
    let limits = GapLimits { in_line: MAX_WIDE * points_per_inch, to_wall: MAX_WIDE_CORNER * points_per_inch };
    let mut found = Vec::new();
    for ParallelWalls { axis, strips, .. } in walls {
        let is_long = |strip: &&Strip| strip.length() >= MIN_STUB * points_per_inch && connected.have(*axis, strip);
        let long = strips.iter().filter(is_long).copied().collect();
        for Gap { strip, .. } in gaps(long, *axis, mask, limits) {
            if mask.is_free(strip.centre(*axis)) {
                found.push(Opening { axis: *axis, strip, kind: Kind::Wide });
            }
        }
    }
    found
}

/// The openings of a sheet, drawn into its mask by their indices.
pub(crate) struct Openings {
    all: Vec<Opening>,
    /// Walls are no thicker, in points.
    thickest_wall: f32,
    /// Windows that were not detected are no wider, in points.
    widest_window: f32,
}

/// An opening in a wall.
struct Opening {
    axis: Axis,
    strip: Strip,
    kind: Kind,
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

/// Spaces between walls and openings, and what is known of each.
pub(crate) struct Spaces<'a> {
    pub(crate) components: &'a Components,
    /// Number of names in each.
    pub(crate) names: Vec<usize>,
}

impl Openings {
    fn add(&mut self, mask: &mut Mask, opening: Opening) {
        mask.draw_opening(opening.axis, &opening.strip, self.all.len());
        self.all.push(opening);
    }

    /// Decides which openings are closed, and makes walls of them and space of the others.
    ///
    /// Returns the centres of the doors between two spaces.
    pub(crate) fn settle(self, mask: &mut Mask, spaces: Spaces<'_>) -> Vec<(f32, f32)> {
        let Spaces { components, names } = spaces;
        let breadths: Vec<f32> =
            mask.deepest(components).iter().map(|depth| 2.0 * mask.points(depth.distance)).collect();
        let links: Vec<Link> = (0..self.all.len()).flat_map(|at| self.links(at, mask, components)).collect();
        let mut joined = JoinedSpaces::new(components, names);
        self.join(&mut joined, &links, &breadths);

        let mut doors = Vec::new();
        for link in links {
            let [one, other] = link.sides.map(|side| joined.sets.find(side));
            let Opening { axis, strip, kind } = self.all[link.opening];
            let strip = Strip { from: link.from, to: link.to, ..strip };
            match kind {
                Kind::Door | Kind::Window if one == other => mask.open(axis, &strip, link.opening),
                Kind::Wide if one != other => mask.close(axis, &strip, link.opening),
                Kind::Door => doors.push(strip.centre(axis)),
                Kind::Window | Kind::Wide => {}
            }
        }
        mask.settle(|index| self.all.get(index).is_some_and(|opening| opening.kind != Kind::Wide));
        doors
    }

    /// Joins the spaces that are one room: over wide openings if no two names are joined, and over doors if a corridor
    /// continues. `breadths` are those of the spaces, in points.
    fn join(&self, joined: &mut JoinedSpaces, links: &[Link], breadths: &[f32]) {
        let mut passages: Vec<Passage> = links
            .iter()
            .map(|link| Passage::new(*link, self.all[link.opening].kind, breadths))
            .filter(|passage| passage.is_wide || passage.continues_corridor())
            .collect();
        // Corridors continue, across doors too, before they open into broader rooms.
        passages.sort_by(|a, b| {
            let corridors_first = b.continues_corridor().cmp(&a.continues_corridor());
            corridors_first.then(b.openness().total_cmp(&a.openness()))
        });
        for passage in passages {
            joined.join_over(&passage, self.widest_window);
        }
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
        let Opening { axis, strip, .. } = &self.all[opening];
        let steps = (self.thickest_wall / mask.cell) as usize + 2;
        (0..steps)
            .map(|step| axis.place(along, strip.middle() + sign * step as f32 * mask.cell))
            .take_while(|place| !mask.is_wall(*place))
            .find_map(|place| spaces.index_of_cell(mask.at(place)?))
    }
}

/// A link over which two spaces may be joined.
struct Passage {
    link: Link,
    is_wide: bool,
    /// Breadths of the spaces on both sides, in points.
    narrower: f32,
    broader: f32,
}

impl Passage {
    fn new(link: Link, kind: Kind, breadths: &[f32]) -> Self {
        let [one, other] = link.sides.map(|side| breadths[side].max(f32::MIN_POSITIVE));
        Self { link, is_wide: kind == Kind::Wide, narrower: one.min(other), broader: one.max(other) }
    }

    fn width(&self) -> f32 {
        self.link.to - self.link.from
    }

    /// Returns the width as a share of the broader side's breadth.
    fn openness(&self) -> f32 {
        self.width() / self.broader
    }

    /// Whether a corridor continues: both sides are about equally broad, and the opening takes most of that.
    fn continues_corridor(&self) -> bool {
        self.narrower >= MIN_ALIKE * self.broader && self.openness() >= MIN_OPENNESS
    }
}

/// Spaces that are joined over openings. What is known of a set is stored at its representative.
struct JoinedSpaces {
    sets: UnionFind,
    /// Number of names in each set; the outside counts as one.
    names: Vec<usize>,
    is_outside: Vec<bool>,
    /// Whether the sheet has any name.
    has_names: bool,
}

impl JoinedSpaces {
    fn new(spaces: &Components, names: Vec<usize>) -> Self {
        let is_outside: Vec<bool> = spaces.all.iter().map(|space| space.is_outside).collect();
        let has_names = names.iter().any(|count| *count > 0);
        let names = names.into_iter().zip(&is_outside).map(|(count, outside)| count + usize::from(*outside)).collect();
        Self { sets: UnionFind::new(spaces.all.len()), names, is_outside, has_names }
    }

    /// Joins the spaces on both sides of a passage if they are one room.
    fn join_over(&mut self, passage: &Passage, widest_window: f32) {
        let [one, other] = passage.link.sides.map(|side| self.sets.find(side));
        if one == other || !self.is_one_room(one, other, passage, widest_window) {
            return;
        }
        let names = self.names[one] + self.names[other];
        let is_outside = self.is_outside[one] || self.is_outside[other];
        let united = self.sets.unite(one, other);
        self.names[united] = names;
        self.is_outside[united] = is_outside;
    }

    /// Whether two sets are one room, given the passage between them.
    fn is_one_room(&self, one: usize, other: usize, passage: &Passage, widest_window: f32) -> bool {
        if !passage.is_wide {
            // A corridor that continues across a door.
            return self.names[one] + self.names[other] <= 1 && !self.is_outside[one] && !self.is_outside[other];
        }
        let is_in_outer_wall = self.is_outside[one] != self.is_outside[other];
        let is_window = is_in_outer_wall && !self.has_names && passage.width() <= widest_window;
        !is_window && (self.names[one] == 0 || self.names[other] == 0)
    }
}

#[cfg(test)]
mod tests {
    use fanlight_geometry::{Frame, Line};

    use super::*;

    const HORIZONTAL: Axis = Axis { x: 1.0, y: 0.0 };
    const VERTICAL: Axis = Axis { x: 0.0, y: 1.0 };

    /// Returns the kind of a gap of this width in a long horizontal wall on a plan with a point per inch.
    fn kind(width: f32, doors: &[Rect], lines: Vec<Line>) -> Option<Kind> {
        let strip = |from: f32, to: f32| Strip { from, to, low: 100.0, high: 106.0 };
        let between = [strip(20.0, 140.0), strip(140.0 + width, 300.0 + width)];
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 900.0, y2: 200.0 }, 0.0), 1.3);
        for wall in &between {
            mask.draw(HORIZONTAL, wall);
        }
        let walls = ParallelWalls { axis: HORIZONTAL, strips: between.to_vec(), lines };
        let gap = Gap { strip: strip(140.0, 140.0 + width), between: Some(between) };
        kind_of_gap(&gap, &walls, &ConnectedWalls::new(&mask, MIN_BESIDE_DOOR), doors, 1.0)
    }

    #[test]
    fn a_narrow_gap_between_long_walls_is_a_door() {
        assert_eq!(kind(36.0, &[], Vec::new()), Some(Kind::Door));
        assert_eq!(kind(90.0, &[], Vec::new()), None);
    }

    #[test]
    fn a_gap_as_wide_as_its_drawn_door_is_a_door() {
        let pair = Rect { x1: 140.0, y1: 100.0, x2: 236.0, y2: 154.0 };
        assert_eq!(kind(96.0, &[pair], Vec::new()), Some(Kind::Door));
        let elsewhere = Rect { x1: 400.0, x2: 496.0, ..pair };
        assert_eq!(kind(96.0, &[elsewhere], Vec::new()), None);
    }

    #[test]
    fn a_gap_with_lines_along_it_is_a_window() {
        let glass = [102.0, 104.0].map(|at| Line { at, from: 140.0, to: 230.0 });
        assert_eq!(kind(90.0, &[], glass.to_vec()), Some(Kind::Window));
    }

    /// Spaces of these breadths in points with these numbers of names, joined over passages; none is outside.
    fn joined(names: Vec<usize>, passages: &[Passage]) -> Vec<usize> {
        let is_outside = vec![false; names.len()];
        let mut joined = JoinedSpaces { sets: UnionFind::new(names.len()), names, is_outside, has_names: true };
        for passage in passages {
            joined.join_over(passage, 0.0);
        }
        (0..joined.names.len()).map(|space| joined.sets.find(space)).collect()
    }

    fn passage(sides: [usize; 2], width: f32, kind: Kind, breadths: &[f32]) -> Passage {
        Passage::new(Link { opening: 0, from: 0.0, to: width, sides }, kind, breadths)
    }

    #[test]
    fn wide_openings_join_spaces_unless_both_have_names() {
        let wide = [passage([0, 1], 90.0, Kind::Wide, &[100.0; 2])];
        assert_eq!(joined(vec![1, 0], &wide), [0, 0]);
        assert_eq!(joined(vec![1, 1], &wide), [0, 1]);
    }

    #[test]
    fn a_corridor_continues_across_a_door_of_its_breadth() {
        let door = |width: f32| passage([0, 1], width, Kind::Door, &[60.0; 2]);
        assert!(door(42.0).continues_corridor() && !door(30.0).continues_corridor());
        assert_eq!(joined(vec![1, 0], &[door(42.0)]), [0, 0]);
        assert_eq!(joined(vec![1, 1], &[door(42.0)]), [0, 1]);
        assert!(!passage([0, 1], 42.0, Kind::Door, &[60.0, 200.0]).continues_corridor(), "a lobby");
    }

    #[test]
    fn an_opening_between_two_rooms_is_a_link() {
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 160.0, y2: 100.0 }, 0.0), 1.0);
        for y in [20.0, 80.0] {
            mask.draw(HORIZONTAL, &Strip { from: 20.0, to: 123.0, low: y, high: y + 3.0 });
        }
        for (x, to) in [(20.0, 83.0), (70.0, 50.0), (120.0, 83.0)] {
            mask.draw(VERTICAL, &Strip { from: 20.0, to, low: -x - 3.0, high: -x });
        }
        let mut openings = Openings { all: Vec::new(), thickest_wall: 15.0, widest_window: 0.0 };
        let strip = Strip { from: 50.0, to: 80.0, low: -73.0, high: -70.0 };
        openings.add(&mut mask, Opening { axis: VERTICAL, strip, kind: Kind::Wide });
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
