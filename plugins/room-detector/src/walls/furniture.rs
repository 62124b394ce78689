//! Furniture along walls, which is no wall.

use crate::walls::strips::SAME_FACE;
use crate::walls::{MAX_IN_LINE, ROUNDING, Strip};

/// A wall is at least this many times as long as an object along its face. Set by hand.
const MIN_LONGER: f32 = 1.04;
/// A wall is at most this share as thick as an object along its face. Set by hand.
const MAX_THINNER: f32 = 0.8;
/// A rail is at most this thick, with its distance from the wall, in inches: grab bars have 1 1/2 in clear of the wall and are
/// up to 2 in thick (ADA Standards 609.2, 609.3).
const MAX_RAIL: f32 = 4.0;

/// Removes objects along one of a wall's faces: what is shorter than the wall and thicker, or as thin as a rail.
pub(super) fn remove(strips: &mut Vec<Strip>, points_per_inch: f32) {
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

    /// Returns whether a strip is an object along a face of a wall: beside the wall, or over the wall and the object together.
    fn have_object(&self, strip: &Strip, rail: f32) -> bool {
        self.back(strip, rail, Face::Low, strip.high)
            || self.back(strip, rail, Face::High, strip.low)
            || self.back(strip, rail, Face::Low, strip.low)
            || self.back(strip, rail, Face::High, strip.high)
    }

    /// Returns whether a wall with a face at a position across is behind a strip.
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

/// Returns whether a wall runs along all of an object, and is longer and thinner, or the object is a rail.
fn is_behind(wall: &Strip, object: &Strip, rail: f32) -> bool {
    (wall.thickness() <= MAX_THINNER * object.thickness() || object.thickness() <= rail)
        && wall.from <= object.from + ROUNDING
        && wall.to >= object.to - ROUNDING
        && wall.length() >= MIN_LONGER * object.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(from: f32, to: f32, low: f32, high: f32) -> Strip {
        Strip { from, to, low, high }
    }

    /// Returns what remains of two strips.
    fn remaining(strips: &[Strip]) -> Vec<Strip> {
        let mut strips = strips.to_vec();
        remove(&mut strips, 1.0);
        strips
    }

    #[test]
    fn a_shelf_along_a_face_is_no_wall() {
        let (wall, shelf) = (strip(0.0, 200.0, 10.0, 15.0), strip(20.0, 120.0, 15.0, 27.0));
        assert_eq!(remaining(&[wall, shelf]), [wall]);
    }

    #[test]
    fn a_wall_as_long_as_another_is_kept() {
        let (wall, beside) = (strip(0.0, 200.0, 10.0, 15.0), strip(0.0, 200.0, 15.0, 27.0));
        assert_eq!(remaining(&[wall, beside]).len(), 2);
    }

    #[test]
    fn a_grab_bar_is_no_wall() {
        let (wall, bar) = (strip(0.0, 200.0, 10.0, 15.0), strip(20.0, 60.0, 15.0, 18.5));
        assert_eq!(remaining(&[wall, bar]), [wall]);
    }
}
