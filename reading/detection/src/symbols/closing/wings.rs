//! Revolving doors: wings from the opening's middle, in a drum.
//!
//! Constants without a source are set by hand.

use std::f32::consts::TAU;
use std::ops::RangeInclusive;

use crate::symbols::closing::surroundings::{Crossing, Stroke, Surroundings};
use crate::symbols::panels::ScoredExtent;
use crate::symbols::plane::{Extent, Point};
use crate::symbols::swings::saturated;

/// Widths of openings that a revolving door closes, in inches.
const WIDTHS: RangeInclusive<f32> = 60.0..=150.0;
/// A wing begins within this share of the radius from the middle.
const MAX_HUB: f32 = 0.15;
/// A wing ends at these shares of the radius.
const WING_ENDS: RangeInclusive<f32> = 0.75..=1.06;
/// A wing's line passes the middle within this share of the radius.
const OFF_MIDDLE: f32 = 0.08;
/// Both ends of a drum's chord are at these shares of the radius.
const DRUM: RangeInclusive<f32> = 0.85..=1.12;
/// Cosine of the angle between a drum's chord and the radius at its middle, at most.
const MAX_COSINE: f32 = 0.2;
/// A drum's chord is at most this share of the radius.
const MAX_CHORD: f32 = 0.6;
/// Sectors of 15 degrees that a drum is divided into.
const SECTORS: usize = 24;
/// Least share of the sectors with a chord: two glass walls of 54 degrees.
const MIN_DRUM: f32 = 0.3;
/// The drum is sure from this share on.
const SURE_DRUM: f32 = 0.45;
/// Confidence of the least drum, and what a sure one adds.
const CONFIDENCE: f32 = 0.7;
const DRUM_ADDS: f32 = 0.27;
/// Angles that differ by less than this are one, and turns are equal within it, in radians: 14 degrees.
const SAME_ANGLE: f32 = 0.25;
/// Numbers of wings.
const WINGS: RangeInclusive<usize> = 3..=4;

/// The circle that a revolving door turns in.
#[derive(Clone, Copy, Debug)]
struct Drum {
    middle: Point,
    radius: f32,
}

impl Drum {
    /// Returns the angles of the lines' ends that are wings, in radians.
    fn wings(self, lines: &[Stroke]) -> Vec<f32> {
        let ways = lines.iter().flat_map(|line| line.both_ways());
        ways.filter(|way| self.is_wing(way)).map(|way| (way.b - self.middle).angle()).collect()
    }

    /// Whether a line is a wing from its first point out.
    fn is_wing(self, line: &Stroke) -> bool {
        let (from, to) = (line.a.to(self.middle), line.b.to(self.middle));
        let way = line.b - self.middle;
        let is_radial = (line.a - self.middle).cross(way.unit()).abs() <= OFF_MIDDLE * self.radius;
        from <= MAX_HUB * self.radius && WING_ENDS.contains(&(to / self.radius)) && is_radial
    }

    /// Returns the share of the drum's sectors in which a line is a chord of it.
    fn drawn(self, lines: &[Stroke]) -> f32 {
        let mut drawn = [false; SECTORS];
        for line in lines.iter().filter(|line| self.is_chord(line)) {
            let angle = ((line.a + line.b) * 0.5 - self.middle).angle().rem_euclid(TAU);
            let sector = (angle / TAU * SECTORS as f32) as usize % SECTORS;
            if let Some(drawn) = drawn.get_mut(sector) {
                *drawn = true;
            }
        }
        drawn.iter().filter(|drawn| **drawn).count() as f32 / SECTORS as f32
    }

    /// Whether a line is a chord of the drum.
    fn is_chord(self, line: &Stroke) -> bool {
        let (from, to) = (line.a.to(self.middle) / self.radius, line.b.to(self.middle) / self.radius);
        let out = ((line.a + line.b) * 0.5 - self.middle).unit();
        let is_round = out.dot((line.b - line.a).unit()).abs() <= MAX_COSINE;
        DRUM.contains(&from) && DRUM.contains(&to) && is_round && line.length() <= MAX_CHORD * self.radius
    }
}

impl Surroundings {
    /// Three or four wings from the opening's middle, in a drum.
    pub(super) fn revolving(&self) -> Option<ScoredExtent> {
        if !self.is_wide(&WIDTHS) {
            return None;
        }
        let radius = self.width / 2.0;
        let drum = Drum { middle: Point::new(radius, 0.0), radius };
        let straight = self
            .parallels
            .iter()
            .map(|line| Stroke { a: Point::new(line.from, line.off), b: Point::new(line.to, line.off) });
        let across = self.crossing.iter().map(Crossing::stroke);
        let lines: Vec<Stroke> = self.slanted.iter().copied().chain(straight).chain(across).collect();
        let share = drum.drawn(&lines);
        if share < MIN_DRUM || !are_even(drum.wings(&lines)) {
            return None;
        }
        let circle = Extent::bounding([self.on_page(drum.middle)]).grown(radius);
        let extent = self.opening.extent().joined(circle);
        Some(ScoredExtent { extent, confidence: CONFIDENCE + DRUM_ADDS * saturated(share, MIN_DRUM, SURE_DRUM) })
    }
}

/// Whether angles are three or four, with the same turn between each and the next.
fn are_even(mut angles: Vec<f32>) -> bool {
    angles.sort_by(f32::total_cmp);
    angles.dedup_by(|a, b| (*a - *b).abs() < SAME_ANGLE);
    let (Some(first), Some(last)) = (angles.first(), angles.last()) else { return false };
    if last - first > TAU - SAME_ANGLE {
        angles.pop();
    }
    let turn = TAU / angles.len().max(1) as f32;
    let is_even = angles.windows(2).all(|pair| (pair[1] - pair[0] - turn).abs() <= SAME_ANGLE);
    WINGS.contains(&angles.len()) && is_even
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::closing::surroundings::tests::empty_opening;

    /// An opening of 100 points at a point per inch, with wings at these angles in degrees and a drum or none.
    fn confidence(wings: &[f32], has_drum: bool) -> Option<f32> {
        let mut own = empty_opening();
        own.scale = 1.0;
        let point = |degrees: f32, radius: f32| Point::new(50.0, 0.0) + Point::at(degrees.to_radians()) * radius;
        own.slanted = wings.iter().map(|angle| Stroke { a: point(0.0, 0.0), b: point(*angle, 48.0) }).collect();
        if has_drum {
            let angles = (0..24).map(|at| 15.0 * at as f32);
            own.slanted.extend(angles.map(|angle| Stroke { a: point(angle, 50.0), b: point(angle + 15.0, 50.0) }));
        }
        own.revolving().map(|door| door.confidence)
    }

    #[test]
    fn four_even_wings_in_a_drum_are_a_revolving_door() {
        assert!(confidence(&[45.0, 135.0, 225.0, 315.0], true).unwrap() > 0.9);
    }

    #[test]
    fn three_even_wings_in_a_drum_are_a_revolving_door() {
        assert!(confidence(&[30.0, 150.0, 270.0], true).is_some());
    }

    #[test]
    fn uneven_wings_or_two_are_no_revolving_door() {
        assert_eq!(confidence(&[0.0, 40.0, 90.0, 200.0], true), None);
        assert_eq!(confidence(&[0.0, 180.0], true), None);
    }

    #[test]
    fn wings_without_a_drum_are_no_revolving_door() {
        assert_eq!(confidence(&[45.0, 135.0, 225.0, 315.0], false), None);
    }
}
