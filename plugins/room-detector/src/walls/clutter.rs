//! Strips that are no walls: boxes around text, furniture along walls, leaves of doors, stubs.

use fanlight_contract::Rect;

use crate::walls::strips::SAME_FACE;
use crate::walls::{Axis, MAX_IN_LINE, ROUNDING, Strip};

/// A box around text is at most this many times as long as high. Set by hand: a room's name in a box.
const MAX_BOX: f32 = 8.0;
/// A wall is at least this many times as long as an object along its face. Set by hand.
const MIN_LONGER: f32 = 1.04;
/// A wall is at most this share as thick as an object along its face. Set by hand.
const MAX_THINNER: f32 = 0.8;
/// A rail is at most this thick, with its distance from the wall, in inches: grab bars have 1 1/2 in clear of the wall and are
/// up to 2 in thick (ADA Standards 609.2, 609.3).
const MAX_RAIL: f32 = 4.0;
/// A piece of wall shorter than this, in inches, needs a continuation: a pier between two openings. Set by hand.
const MAX_STUB: f32 = 14.0;
/// The wall continues within this distance of a pier, in inches: the widest opening with a door. Set by hand.
const MAX_TO_CONTINUATION: f32 = 110.0;
/// Centre lines of a wall and its continuation differ by at most this share of the thickness. Set by hand.
const OFF_LINE: f32 = 0.15;
/// Thicknesses of a wall and its continuation differ by at most this share. Set by hand.
const MAX_DIFFERENCE: f32 = 2.0 * OFF_LINE;

/// A point in the coordinates of an axis.
#[derive(Clone, Copy)]
struct Place {
    along: f32,
    across: f32,
}

/// Removes short strips with the centre of a text in them.
pub(super) fn remove_text_boxes(strips: &mut Vec<Strip>, axis: Axis, texts: &[(f32, f32)]) {
    let mut texts: Vec<Place> =
        texts.iter().map(|text| Place { along: axis.along(*text), across: axis.across(*text) }).collect();
    texts.sort_by(|a, b| a.across.total_cmp(&b.across));
    strips.retain(|strip| strip.length() > MAX_BOX * strip.thickness() || !holds_text(strip, &texts));
}

/// Whether a text is located in a strip. `texts` are sorted by their position across.
fn holds_text(strip: &Strip, texts: &[Place]) -> bool {
    let from = texts.partition_point(|text| text.across <= strip.low);
    let mut inside = texts.get(from..).unwrap_or_default().iter().take_while(|text| text.across < strip.high);
    inside.any(|text| strip.from < text.along && text.along < strip.to)
}

/// Removes objects along one of a wall's faces: what is shorter than the wall and thicker, or as thin as a rail.
pub(super) fn remove_furniture(strips: &mut Vec<Strip>, points_per_inch: f32) {
    let walls = Walls::new(strips);
    let rail = MAX_RAIL * points_per_inch;
    strips.retain(|strip| !walls.have_object(strip, rail));
}

/// A face of a strip across its axis.
#[derive(Clone, Copy)]
enum Face {
    Low,
    High,
}

impl Face {
    fn position(self, strip: &Strip) -> f32 {
        match self {
            Self::Low => strip.low,
            Self::High => strip.high,
        }
    }
}

/// Strips sorted by each of their faces.
struct Walls {
    by_low: Vec<Strip>,
    by_high: Vec<Strip>,
}

impl Walls {
    fn new(strips: &[Strip]) -> Self {
        let (mut by_low, mut by_high) = (strips.to_vec(), strips.to_vec());
        by_low.sort_by(|a, b| a.low.total_cmp(&b.low));
        by_high.sort_by(|a, b| a.high.total_cmp(&b.high));
        Self { by_low, by_high }
    }

    /// Whether a strip is an object along a face of a wall: beside the wall, or over the wall and the object together.
    fn have_object(&self, strip: &Strip, rail: f32) -> bool {
        self.back(strip, rail, Face::Low, strip.high)
            || self.back(strip, rail, Face::High, strip.low)
            || self.back(strip, rail, Face::Low, strip.low)
            || self.back(strip, rail, Face::High, strip.high)
    }

    /// Whether a wall with a face at a position across is behind a strip.
    fn back(&self, strip: &Strip, rail: f32, face: Face, at: f32) -> bool {
        let sorted = match face {
            Face::Low => &self.by_low,
            Face::High => &self.by_high,
        };
        let from = sorted.partition_point(|wall| face.position(wall) < at - SAME_FACE);
        let here = sorted.get(from..).unwrap_or_default().iter();
        let mut here = here.take_while(|wall| face.position(wall) <= at + SAME_FACE).take(MAX_IN_LINE);
        here.any(|wall| is_behind(wall, strip, rail))
    }
}

/// Whether a wall runs along all of an object, and is longer and thinner, or the object is a rail.
fn is_behind(wall: &Strip, object: &Strip, rail: f32) -> bool {
    (wall.thickness() <= MAX_THINNER * object.thickness() || object.thickness() <= rail)
        && wall.from <= object.from + ROUNDING
        && wall.to >= object.to - ROUNDING
        && wall.length() >= MIN_LONGER * object.length()
}

/// Removes strips that lie within a door, grown by `slack` points: its leaves, and frames beside it.
pub(super) fn remove_leaves(strips: &mut Vec<Strip>, axis: Axis, doors: &[Rect], slack: f32) {
    strips.retain(|strip| {
        let from = axis.place(strip.from, strip.middle());
        let to = axis.place(strip.to, strip.middle());
        !doors.iter().any(|door| is_within(door, from, slack) && is_within(door, to, slack))
    });
}

/// Whether a point lies in a box grown by `slack`.
fn is_within(bbox: &Rect, (x, y): (f32, f32), slack: f32) -> bool {
    (bbox.x1 - slack..=bbox.x2 + slack).contains(&x) && (bbox.y1 - slack..=bbox.y2 + slack).contains(&y)
}

/// Removes short strips that no wall of their thickness continues.
pub(super) fn remove_stubs(strips: &mut Vec<Strip>, points_per_inch: f32) {
    let (stub, reach) = (MAX_STUB * points_per_inch, MAX_TO_CONTINUATION * points_per_inch);
    let mut walls = strips.clone();
    walls.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    strips.retain(|strip| strip.length() >= stub || is_continued(strip, &walls, reach));
}

/// Whether a wall continues a strip within `reach` points. `walls` are sorted by their centre lines.
fn is_continued(strip: &Strip, walls: &[Strip], reach: f32) -> bool {
    let slack = OFF_LINE * strip.thickness();
    let from = walls.partition_point(|wall| wall.middle() < strip.middle() - slack);
    let line = walls.get(from..).unwrap_or_default().iter();
    let mut line = line.take_while(|wall| wall.middle() <= strip.middle() + slack).take(MAX_IN_LINE);
    line.any(|wall| {
        let apart = (wall.from - strip.to).max(strip.from - wall.to);
        let is_alike = (wall.thickness() - strip.thickness()).abs() <= MAX_DIFFERENCE * strip.thickness();
        is_alike && apart > 0.0 && apart <= reach
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HORIZONTAL: Axis = Axis { x: 1.0, y: 0.0 };

    fn strip(from: f32, to: f32, low: f32, high: f32) -> Strip {
        Strip { from, to, low, high }
    }

    /// Returns what remains of two strips.
    fn remaining(strips: &[Strip], remove: impl Fn(&mut Vec<Strip>)) -> Vec<Strip> {
        let mut strips = strips.to_vec();
        remove(&mut strips);
        strips
    }

    #[test]
    fn a_box_around_a_text_is_no_wall() {
        let (tag, wall) = (strip(0.0, 30.0, 10.0, 20.0), strip(0.0, 300.0, 10.0, 20.0));
        let texts = [(15.0, 15.0)];
        assert_eq!(remaining(&[tag, wall], |strips| remove_text_boxes(strips, HORIZONTAL, &texts)), [wall]);
    }

    #[test]
    fn a_shelf_along_a_face_is_no_wall() {
        let (wall, shelf) = (strip(0.0, 200.0, 10.0, 15.0), strip(20.0, 120.0, 15.0, 27.0));
        assert_eq!(remaining(&[wall, shelf], |strips| remove_furniture(strips, 1.0)), [wall]);
    }

    #[test]
    fn a_wall_as_long_as_another_is_kept() {
        let (wall, beside) = (strip(0.0, 200.0, 10.0, 15.0), strip(0.0, 200.0, 15.0, 27.0));
        assert_eq!(remaining(&[wall, beside], |strips| remove_furniture(strips, 1.0)).len(), 2);
    }

    #[test]
    fn a_grab_bar_is_no_wall() {
        let (wall, bar) = (strip(0.0, 200.0, 10.0, 15.0), strip(20.0, 60.0, 15.0, 18.5));
        assert_eq!(remaining(&[wall, bar], |strips| remove_furniture(strips, 1.0)), [wall]);
    }

    #[test]
    fn a_leaf_within_its_door_is_no_wall() {
        let (leaf, wall) = (strip(0.0, 36.0, 10.0, 13.0), strip(0.0, 90.0, 10.0, 15.0));
        let door = Rect { x1: 0.0, y1: 0.0, x2: 36.0, y2: 36.0 };
        assert_eq!(remaining(&[leaf, wall], |strips| remove_leaves(strips, HORIZONTAL, &[door], 2.0)), [wall]);
    }

    #[test]
    fn a_pier_between_openings_is_kept_and_a_stub_is_not() {
        let (wall, pier) = (strip(0.0, 200.0, 10.0, 15.0), strip(236.0, 246.0, 10.0, 15.0));
        let stub = strip(100.0, 110.0, 60.0, 65.0);
        assert_eq!(remaining(&[wall, pier, stub], |strips| remove_stubs(strips, 1.0)), [wall, pier]);
    }
}
