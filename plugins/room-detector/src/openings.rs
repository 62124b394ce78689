//! Openings in walls, and which of them separate two rooms.
//!
//! An opening with a door or a window, or between nearby wall ends, separates rooms. Any other opening does if there are names
//! on both sides of it; otherwise both sides are one room.

use fanlight_contract::Rect;
use fanlight_geometry::UnionFind;

use crate::mask::{Mask, Part};
use crate::walls::{Bearing, Gap, Strip, THICKNESS, gaps};

/// The kind of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A door, or an opening no wider than one.
    Door,
    /// Lines run along most of it, as those of glass and of panels that slide do.
    Window,
    /// Anything between two walls in one line, or between a wall's end and a wall across.
    Wide,
}

/// Openings as wide as this are doors whether or not one is drawn, in inches.
const DOOR: f32 = 76.0;
/// What hangs together over less, in inches, is a wall's pier or furniture: a gap beside it is an opening where a door is
/// drawn in it.
const PIER: f32 = 40.0;
/// Openings with a door drawn in them, two leaves included, are no wider than this, in inches.
const DOORS: f32 = 110.0;
/// Openings with lines along most of them are windows or sliding doors, no wider than this, in inches.
const WINDOWS: f32 = 300.0;
const LINED: f32 = 0.7;
/// From a wall's end to a wall across it a door is no wider than this, in inches.
const CORNER: f32 = 50.0;
/// A wall's end is this near to a wall that it was meant to meet, in inches.
const MEETS: f32 = 14.0;
/// Walls hang together over at least this, in inches; columns and furniture don't.
const BUILDING: f32 = 120.0;
/// Openings between two names are no wider than this, in inches: in one line of walls, and from a wall's end to another.
const WIDEST: f32 = 420.0;
const WIDEST_CORNER: f32 = 200.0;
/// The walls beside them are at least so long, in inches.
const STUB: f32 = 18.0;
/// Most wide openings of a sheet.
const MOST_WIDE: usize = 4_000;
/// An opening that takes this share of a corridor's breadth goes on in the same corridor, where only one side has a name.
const BREADTH: f32 = 0.6;
/// Both sides of it are about as broad.
const ALIKE: f32 = 0.75;
/// Where no name says what is a room, a gap in an outer wall is a window that wasn't seen up to this width, in inches.
const UNSEEN: f32 = 130.0;

/// Draws the openings into a mask of walls, and removes what is not a wall of the building.
pub(crate) fn draw<'b>(mask: &mut Mask, bearings: &'b [Bearing], doors: &[Rect], scale: f32) -> Openings<'b> {
    let mut openings = Openings { all: Vec::new(), thickest: THICKNESS.1 * scale, unseen: UNSEEN * scale };
    for (bearing, gap, kind) in doorways(mask, bearings, doors, scale) {
        openings.add(mask, bearing, &gap, kind);
    }
    mask.keep_long(BUILDING * scale);
    let mut wide = wide(mask, bearings, scale);
    wide.sort_by(|a, b| a.1.strip.length().total_cmp(&b.1.strip.length()));
    for (bearing, gap) in wide.into_iter().take(MOST_WIDE) {
        openings.add(mask, bearing, &gap, Kind::Wide);
    }
    openings
}

/// Tells for a mask of walls whether a strip hangs together with enough to be one.
fn long_walls(mask: &Mask, least: f32) -> impl Fn(&Mask, &Bearing, &Strip) -> bool + use<> {
    let (owner, extents) = mask.walls();
    move |mask, bearing, strip| {
        let middle = bearing.place(f32::midpoint(strip.from, strip.to), strip.middle());
        let wall = mask.at(middle).and_then(|at| owner.get(at)).map_or(0, |owner| *owner as usize);
        wall > 0 && extents.get(wall - 1).is_some_and(|extent| *extent >= least)
    }
}

/// The openings of doors and windows.
fn doorways<'b>(mask: &Mask, bearings: &'b [Bearing], doors: &[Rect], scale: f32) -> Vec<(&'b Bearing, Gap, Kind)> {
    let is_long = long_walls(mask, PIER * scale);
    let mut found = Vec::new();
    for bearing in bearings {
        let is_wall = |along: f32, across: f32| mask.is_wall(bearing.place(along, across));
        for gap in gaps(bearing.strips.iter().copied(), WINDOWS * scale, CORNER * scale, is_wall) {
            let strip = gap.strip;
            let wide = strip.length();
            let sure = match gap.parted {
                Some([one, other]) => {
                    wide <= DOOR * scale && is_long(mask, bearing, &one) && is_long(mask, bearing, &other)
                }
                None => wide <= MEETS * scale,
            };
            let middle = bearing.place(f32::midpoint(strip.from, strip.to), strip.middle());
            let slack = 3.0 * scale;
            let hung = |door: &Rect| {
                let inside = door.x1 - slack <= middle.0
                    && middle.0 <= door.x2 + slack
                    && door.y1 - slack <= middle.1
                    && middle.1 <= door.y2 + slack;
                // The opening lies at an edge of the door's box and is as wide as it.
                let long = (door.x2 - door.x1).max(door.y2 - door.y1);
                inside && wide >= 0.5 * long.min(CORNER * scale) && wide <= 1.5 * long
            };
            // A window, or panels that slide.
            let glazed = gap.parted.is_some() && bearing.lined(&strip, MEETS * scale) >= LINED;
            if wide <= DOORS * scale && doors.iter().any(hung) {
                found.push((bearing, gap, Kind::Door));
            } else if glazed {
                found.push((bearing, gap, Kind::Window));
            } else if sure {
                found.push((bearing, gap, Kind::Door));
            }
        }
    }
    found
}

/// Returns all other openings that may separate two rooms.
fn wide<'b>(mask: &Mask, bearings: &'b [Bearing], scale: f32) -> Vec<(&'b Bearing, Gap)> {
    let is_long = long_walls(mask, BUILDING * scale);
    let mut found = Vec::new();
    for bearing in bearings {
        let is_wall = |along: f32, across: f32| mask.is_wall(bearing.place(along, across));
        let walls =
            bearing.strips.iter().filter(|strip| strip.length() >= STUB * scale && is_long(mask, bearing, strip));
        for gap in gaps(walls.copied(), WIDEST * scale, WIDEST_CORNER * scale, is_wall) {
            let middle = bearing.place(f32::midpoint(gap.strip.from, gap.strip.to), gap.strip.middle());
            if mask.is_free(middle) {
                found.push((bearing, gap));
            }
        }
    }
    found
}

/// The openings of a sheet, drawn into its mask by their indices.
pub(crate) struct Openings<'b> {
    all: Vec<Opening<'b>>,
    /// Walls are no thicker, in points.
    thickest: f32,
    /// Windows that weren't seen are no wider, in points.
    unseen: f32,
}

struct Opening<'b> {
    bearing: &'b Bearing,
    strip: Strip,
    kind: Kind,
}

/// A part of an opening with one space on either side.
struct Link {
    opening: usize,
    /// Along the opening.
    from: f32,
    to: f32,
    /// From 0.
    sides: [usize; 2],
}

impl<'b> Openings<'b> {
    fn add(&mut self, mask: &mut Mask, bearing: &'b Bearing, gap: &Gap, kind: Kind) {
        mask.draw_opening(bearing, &gap.strip, self.all.len());
        self.all.push(Opening { bearing, strip: gap.strip, kind });
    }

    /// Decides which openings are closed, makes walls of them and space of the others, and gives the middles of the doors
    /// that part two spaces. `spaces` and `parts` are the mask's spaces between walls and openings; `named` says how many
    /// names stand in each, from 0.
    pub(crate) fn settle(self, mask: &mut Mask, spaces: &[u32], parts: &[Part], named: Vec<usize>) -> Vec<(f32, f32)> {
        let links: Vec<Link> = (0..self.all.len()).flat_map(|at| self.links(at, mask, spaces)).collect();
        let outside: Vec<bool> = parts.iter().map(|part| part.outside).collect();
        let lettered = named.iter().any(|count| *count > 0);
        // The outside is a name as well.
        let named = named.into_iter().zip(&outside).map(|(count, outside)| count + usize::from(*outside)).collect();
        let mut joined = Joined { sets: UnionFind::new(parts.len()), named, outside, lettered };
        self.join(&mut joined, &links, &breadths(mask, spaces, parts.len()));

        let mut doors = Vec::new();
        for link in links {
            let [one, other] = link.sides.map(|side| joined.sets.find(side));
            let opening = &self.all[link.opening];
            let strip = Strip { from: link.from, to: link.to, ..opening.strip };
            match opening.kind {
                Kind::Door | Kind::Window if one == other => mask.open(opening.bearing, &strip, link.opening),
                Kind::Wide if one != other => mask.close(opening.bearing, &strip, link.opening),
                Kind::Door => {
                    doors.push(opening.bearing.place(f32::midpoint(link.from, link.to), opening.strip.middle()));
                }
                Kind::Window | Kind::Wide => {}
            }
        }
        mask.settle(|index| self.all.get(index).is_some_and(|opening| opening.kind != Kind::Wide));
        doors
    }

    /// Joins the spaces that are one room: over wide openings where no two names are joined, and over doors where a
    /// corridor goes on. `breadths` are those of the spaces, in points.
    fn join(&self, joined: &mut Joined, links: &[Link], breadths: &[f32]) {
        let beside = |link: &Link| {
            let [one, other] = link.sides.map(|side| breadths[side].max(f32::MIN_POSITIVE));
            (one.min(other), one.max(other))
        };
        // How much of the broader side's breadth an opening takes.
        let openness = |link: &Link| (link.to - link.from) / beside(link).1;
        // Corridors go on, over doors as well, before they open into rooms that are broader.
        let goes_on = |link: &Link| beside(link).0 >= ALIKE * beside(link).1 && openness(link) >= BREADTH;
        let mut order: Vec<&Link> = links.iter().filter(|link| self.is_wide(link) || goes_on(link)).collect();
        order.sort_by(|a, b| goes_on(b).cmp(&goes_on(a)).then(openness(b).total_cmp(&openness(a))));
        for link in order {
            let [one, other] = link.sides.map(|side| joined.sets.find(side));
            let names = joined.named[one] + joined.named[other];
            let one_room = if self.is_wide(link) {
                let outer = joined.outside[one] != joined.outside[other];
                let window = outer && !joined.lettered && link.to - link.from <= self.unseen;
                !window && (joined.named[one] == 0 || joined.named[other] == 0)
            } else {
                names <= 1 && !joined.outside[one] && !joined.outside[other]
            };
            if one != other && one_room {
                joined.join(one, other);
            }
        }
    }

    fn is_wide(&self, link: &Link) -> bool {
        self.all[link.opening].kind == Kind::Wide
    }

    /// The parts of an opening that have a space on both sides.
    fn links(&self, index: usize, mask: &Mask, spaces: &[u32]) -> Vec<Link> {
        let Opening { bearing, strip, .. } = &self.all[index];
        let beside = |along: f32, from: f32, sign: f32| {
            let steps = (self.thickest / mask.cell) as usize + 2;
            (0..steps)
                .map(|step| bearing.place(along, from + sign * step as f32 * mask.cell))
                .take_while(|place| !mask.is_wall(*place))
                .find_map(|place| mask.at(place).and_then(|cell| (spaces[cell] as usize).checked_sub(1)))
        };
        let middle = strip.middle();
        let steps = ((strip.length() / mask.cell) as usize).max(1);
        let each = strip.length() / steps as f32;
        let mut links: Vec<Link> = Vec::new();
        for step in 0..steps {
            let from = strip.from + step as f32 * each;
            let along = from + 0.5 * each;
            let (Some(one), Some(other)) = (beside(along, middle, -1.0), beside(along, middle, 1.0)) else { continue };
            match links.last_mut() {
                Some(link) if link.sides == [one, other] && from - link.to < 1.5 * each => link.to = from + each,
                _ => links.push(Link { opening: index, from, to: from + each, sides: [one, other] }),
            }
        }
        links
    }
}

/// Spaces that openings join; what is known of a set is stored at its representative.
struct Joined {
    sets: UnionFind,
    named: Vec<usize>,
    outside: Vec<bool>,
    /// Whether any name stands on the sheet.
    lettered: bool,
}

impl Joined {
    fn join(&mut self, one: usize, other: usize) {
        let (named, outside) = (self.named[one] + self.named[other], self.outside[one] || self.outside[other]);
        let united = self.sets.unite(one, other);
        self.named[united] = named;
        self.outside[united] = outside;
    }
}

/// How far the walls of each space are apart where it is broadest, in points.
fn breadths(mask: &Mask, spaces: &[u32], count: usize) -> Vec<f32> {
    let mut deepest = vec![0_u16; count];
    for (space, distance) in spaces.iter().zip(mask.distances()) {
        if let Some(deepest) = (*space as usize).checked_sub(1).and_then(|at| deepest.get_mut(at)) {
            *deepest = (*deepest).max(distance);
        }
    }
    deepest.into_iter().map(|thirds| 2.0 * f32::from(thirds) / 3.0 * mask.cell).collect()
}
