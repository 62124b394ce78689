//! The directions that a plan is drawn in.

use fanlight_geometry::{Frame, Segment};

use crate::walls::Axis;

/// A segment along at least this share of the sheet's width or height is part of the sheet's border. Set by hand.
const MIN_BORDER: f32 = 0.8;
/// Most directions besides the sheet's own, a bound on time.
const MAX_DIRECTIONS: usize = 3;
/// Least share of the drawn length that makes a direction. Set by hand.
const MIN_SHARE: f32 = 0.04;
/// Two directions differ by at least this, in radians: 1.7 degrees, three bins of half a degree.
const MIN_APART: f32 = 0.03;
/// Bins of the histogram of angles over a right angle: half a degree each.
const BINS: usize = 180;

/// What is drawn along one direction and across it, turned so that both are axes.
pub(super) struct Directed {
    /// In radians, from 0 to a right angle.
    angle: f32,
    /// Horizontal segments run along the direction, vertical ones across it.
    pub(super) segments: Vec<Segment>,
}

impl Directed {
    pub(super) fn along(&self) -> Axis {
        Axis::at_angle(self.angle)
    }

    pub(super) fn across(&self) -> Axis {
        Axis::across_angle(self.angle)
    }
}

/// Returns the solid straight segments of a sheet by direction, without the sheet's border.
///
/// Segments of at least `long` points make a direction.
pub(super) fn by_direction(segments: &[Segment], long: f32, frame: &Frame) -> Vec<Directed> {
    let solid: Vec<Segment> = segments
        .iter()
        .filter(|segment| !segment.dashed && !segment.curved && !is_border(segment, frame))
        .copied()
        .collect();
    directions(&solid, long)
        .into_iter()
        .map(|angle| {
            let segments = if angle == 0.0 {
                solid.clone()
            } else {
                solid.iter().filter_map(|segment| turned(segment, angle)).collect()
            };
            Directed { angle, segments }
        })
        .collect()
}

/// Whether a segment is part of the sheet's border.
fn is_border(segment: &Segment, frame: &Frame) -> bool {
    let (dx, dy) = ((segment.to.0 - segment.from.0).abs(), (segment.to.1 - segment.from.1).abs());
    dx >= MIN_BORDER * frame.width || dy >= MIN_BORDER * frame.height
}

/// What is drawn at the angles of one bin.
#[derive(Clone, Copy, Default)]
struct Bin {
    length: f32,
    /// Sum of the angles, each weighted by its segment's length.
    weighted: f32,
}

/// Returns the directions of a plan, from 0 to a right angle: the sheet's own, and others that much is drawn in.
///
/// They are the peaks of a histogram of the angles of segments, weighted by length. Hatches lie at 45 degrees in short lines,
/// so only segments of at least `long` points count.
fn directions(segments: &[Segment], long: f32) -> Vec<f32> {
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut bins = vec![Bin::default(); BINS];
    let mut all = 0.0;
    for segment in segments.iter().filter(|segment| segment.length() >= long) {
        let length = segment.length();
        let angle = (segment.to.1 - segment.from.1).atan2(segment.to.0 - segment.from.0).rem_euclid(quarter);
        all += length;
        if let Some(bin) = bins.get_mut(((angle / quarter * BINS as f32) as usize).min(BINS - 1)) {
            bin.length += length;
            bin.weighted += length * angle;
        }
    }
    let mut found = vec![0.0];
    // The first and the last two bins are the sheet's own direction.
    let mut order: Vec<usize> = (2..BINS - 2).collect();
    order.sort_by(|&a, &b| bins[b].length.total_cmp(&bins[a].length));
    for bin in order.into_iter().take(MAX_DIRECTIONS).map(|at| bins[at]) {
        let angle = bin.weighted / bin.length;
        let is_new = found.iter().all(|other: &f32| (angle - other).abs() > MIN_APART);
        if bin.length > MIN_SHARE * all && is_new {
            found.push(angle);
        }
    }
    found
}

/// Turns a segment back by an angle; `None` unless it then lies along an axis.
fn turned(segment: &Segment, angle: f32) -> Option<Segment> {
    let (sin, cos) = angle.sin_cos();
    let back = |(x, y): (f32, f32)| (x * cos + y * sin, y * cos - x * sin);
    let turned = Segment { from: back(segment.from), to: back(segment.to), ..*segment };
    (turned.is_horizontal() || turned.is_vertical()).then_some(turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(angle: f32, length: f32) -> Segment {
        let (sin, cos) = angle.sin_cos();
        let to = (100.0 + length * cos, 100.0 + length * sin);
        Segment { from: (100.0, 100.0), to, width: 0.5, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn long_lines_at_an_angle_make_a_direction() {
        let square = vec![segment(0.0, 500.0); 4];
        let wing = [square.clone(), vec![segment(0.5, 200.0), segment(0.5 + std::f32::consts::FRAC_PI_2, 200.0)]];
        let found = directions(&wing.concat(), 24.0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!((found[1] - 0.5).abs() < 1e-3, "{found:?}");
    }

    #[test]
    fn short_lines_of_a_hatch_make_no_direction() {
        let hatch = vec![segment(0.78, 10.0); 400];
        assert_eq!(directions(&[vec![segment(0.0, 500.0)], hatch].concat(), 24.0), [0.0]);
    }

    #[test]
    fn segments_are_turned_along_their_axis_or_left_out() {
        let found = turned(&segment(0.5, 100.0), 0.5).unwrap();
        assert!(found.is_horizontal() && (found.length() - 100.0).abs() < 1e-3);
        assert!(turned(&segment(0.2, 100.0), 0.5).is_none());
    }
}
