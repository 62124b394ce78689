//! Openings in walls that separate two rooms: those with a door, and those as narrow as one.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::mask::{Components, Mask};
use crate::walls::{Axis, Gap, GapLimits, ParallelWalls, Strip, gaps};

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

/// Makes walls of the openings that separate two rooms.
pub(crate) fn close(mask: &mut Mask, walls: &[ParallelWalls], doors: &[Rect], points_per_inch: f32) {
    let connected = ConnectedWalls::new(mask, MIN_BESIDE_DOOR * points_per_inch);
    let limits = GapLimits { in_line: MAX_DRAWN_DOOR * points_per_inch, to_wall: MAX_CORNER_DOOR * points_per_inch };
    let mut found = Vec::new();
    for ParallelWalls { axis, strips } in walls {
        for gap in gaps(strips.clone(), *axis, mask, limits) {
            if separates_rooms(&gap, *axis, &connected, doors, points_per_inch) {
                found.push((*axis, gap.strip));
            }
        }
    }
    for (axis, opening) in found {
        mask.draw(axis, &opening);
    }
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

/// Returns whether a gap has a door, or is as narrow as one between two walls of the building.
fn separates_rooms(
    gap: &Gap,
    axis: Axis,
    connected: &ConnectedWalls<'_>,
    doors: &[Rect],
    points_per_inch: f32,
) -> bool {
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
    let is_inside = door.expanded(slack, slack).contains_point(x, y);
    let long = door.long_side();
    let least = MIN_DOOR_SHARE * long.min(MAX_CORNER_DOOR * points_per_inch);
    is_inside && opening.length() >= least && opening.length() <= MAX_DOOR_SHARE * long
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
        separates_rooms(&gap, Axis::Horizontal, &ConnectedWalls::new(&mask, MIN_BESIDE_DOOR), doors, 1.0)
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
}
