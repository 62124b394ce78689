//! From faces and thick strokes to strips of wall.

use fanlight_geometry::{Line, Segment};

use crate::walls::{MAX_IN_LINE, ROUNDING, Strip, Thickness};

/// Faces nearer than this are one, in points. Set by hand: the rounding of a CAD program, as in `fanlight_geometry::Lines`.
pub(super) const SAME_FACE: f32 = 0.6;
/// A strip is at least this share of its thickness long. Set by hand.
const MIN_LENGTH: f32 = 0.6;
/// Least width of a stroke that is a wall by itself, in points: a pen of 0.5 mm, as outlines are drawn with (ISO 128-2), is
/// 1.42 points wide.
const MIN_PEN: f32 = 1.5;
/// A stroke that is a wall is at least this many times as long as wide. Set by hand.
const MIN_STROKE: f32 = 3.0;
/// A stroke is the outline of a wall if a face runs along at least this share of it. Set by hand.
const MIN_OUTLINE: f32 = 0.5;
/// Most pens that are distinguished on a sheet, a bound on time; further ones count as the last.
const MAX_PENS: usize = 24;
/// Classes of pens' widths for each factor of e: two pens of one class differ by at most an eighth.
const PEN_CLASSES: f32 = 8.0;
/// Narrower pens than this, in points, count as this wide: hairlines.
const HAIRLINE: f32 = 0.01;

/// The segments of one pen.
struct Pen {
    class: i32,
    segments: Vec<Segment>,
}

/// Returns segments by the width of their pen.
///
/// A row of tiles or treads is drawn with one pen, the wall beside it often with another.
pub(super) fn by_pen(segments: &[Segment]) -> Vec<Vec<Segment>> {
    let mut pens: Vec<Pen> = Vec::new();
    for segment in segments {
        let class = pen_class(segment.width);
        let known = pens.iter().position(|pen| pen.class == class);
        let is_full = pens.len() >= MAX_PENS;
        match known.or_else(|| is_full.then_some(pens.len() - 1)).and_then(|at| pens.get_mut(at)) {
            Some(pen) => pen.segments.push(*segment),
            None => pens.push(Pen { class, segments: vec![*segment] }),
        }
    }
    pens.into_iter().map(|pen| pen.segments).collect()
}

/// Returns the class of a pen's width: its logarithm, rounded. The edges of filled areas, without a pen, are one class.
fn pen_class(width: f32) -> i32 {
    if width > 0.0 { (PEN_CLASSES * width.max(HAIRLINE).ln()).round() as i32 } else { i32::MIN }
}

/// Returns vertical lines in the coordinates of their axis, across which is against x.
pub(super) fn mirrored(mut lines: Vec<Line>) -> Vec<Line> {
    lines.reverse();
    for line in &mut lines {
        line.at = -line.at;
    }
    lines
}

/// Returns the horizontal strokes as thick as walls.
pub(super) fn thick_strokes(segments: &[Segment], thickness: Thickness) -> Vec<Strip> {
    let strokes = segments.iter().filter(|segment| segment.is_horizontal() && is_thick(segment, thickness));
    strokes
        .map(|segment| {
            let (a, b) = (segment.from, segment.to);
            stroke(f32::midpoint(a.1, b.1), a.0.min(b.0), a.0.max(b.0), segment.width)
        })
        .collect()
}

/// Returns the vertical strokes as thick as walls, in the coordinates of their axis.
pub(super) fn thick_strokes_across(segments: &[Segment], thickness: Thickness) -> Vec<Strip> {
    let strokes = segments.iter().filter(|segment| segment.is_vertical() && is_thick(segment, thickness));
    strokes
        .map(|segment| {
            let (a, b) = (segment.from, segment.to);
            stroke(-f32::midpoint(a.0, b.0), a.1.min(b.1), a.1.max(b.1), segment.width)
        })
        .collect()
}

/// Whether a stroke is as thick as a wall, and long enough for one.
fn is_thick(segment: &Segment, thickness: Thickness) -> bool {
    (thickness.least.max(MIN_PEN)..=thickness.most).contains(&segment.width)
        && segment.length() >= MIN_STROKE * segment.width
}

/// Returns the strip that a stroke covers.
fn stroke(at: f32, from: f32, to: f32, width: f32) -> Strip {
    Strip { from, to, low: at - width / 2.0, high: at + width / 2.0 }
}

/// Returns the thick strokes that are no face of a wall: some offices draw the outlines of walls with a pen as thick as a
/// wall.
pub(super) fn without_outlines(strokes: Vec<Strip>, walls: &[Strip]) -> Vec<Strip> {
    let mut faces: Vec<Line> = walls
        .iter()
        .flat_map(|wall| [wall.low, wall.high].map(|at| Line { at, from: wall.from, to: wall.to }))
        .collect();
    faces.sort_by(|a, b| a.at.total_cmp(&b.at));
    strokes.into_iter().filter(|stroke| !is_outline(stroke, &faces)).collect()
}

/// Whether a face runs along the centre line of a stroke. `faces` are sorted by `at`.
fn is_outline(stroke: &Strip, faces: &[Line]) -> bool {
    let from = faces.partition_point(|face| face.at < stroke.middle() - SAME_FACE);
    let here = faces.get(from..).unwrap_or_default().iter();
    let mut here = here.take_while(|face| face.at <= stroke.middle() + SAME_FACE).take(MAX_IN_LINE);
    here.any(|face| face.within(stroke.from, stroke.to) >= MIN_OUTLINE * stroke.length())
}

/// Returns the strips between lines that run beside each other over at least `shortest` points, a wall's thickness apart.
pub(super) fn between_faces(
    mut faces: Vec<Line>,
    thickness: Thickness,
    shortest: f32,
    effort: &mut usize,
) -> Vec<Strip> {
    faces.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut strips = Vec::new();
    for (index, line) in faces.iter().enumerate() {
        for other in faces.get(index + 1..).unwrap_or_default() {
            let apart = other.at - line.at;
            if apart > thickness.most || *effort == 0 {
                break;
            }
            *effort -= 1;
            let (from, to) = (line.from.max(other.from), line.to.min(other.to));
            if apart >= thickness.least && to - from >= shortest.max(MIN_LENGTH * apart) {
                strips.push(Strip { from, to, low: line.at, high: other.at });
            }
        }
    }
    strips
}

/// The faces of a strip, to half a point: strips with equal faces are in one wall.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Faces {
    low: i64,
    high: i64,
}

impl Faces {
    fn of_strip(strip: &Strip) -> Self {
        let half_points = |value: f32| (2.0 * value).round() as i64;
        Self { low: half_points(strip.low), high: half_points(strip.high) }
    }
}

/// Joins strips of one wall that follow or overlap each other.
pub(super) fn joined(mut strips: Vec<Strip>) -> Vec<Strip> {
    strips.sort_by(|a, b| Faces::of_strip(a).cmp(&Faces::of_strip(b)).then(a.from.total_cmp(&b.from)));
    let mut whole: Vec<Strip> = Vec::with_capacity(strips.len());
    for strip in strips {
        match whole.last_mut() {
            Some(last) if Faces::of_strip(last) == Faces::of_strip(&strip) && strip.from - last.to <= ROUNDING => {
                last.to = last.to.max(strip.to);
            }
            _ => whole.push(strip),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const THICKNESS: Thickness = Thickness { least: 2.6, most: 15.0 };

    fn line(at: f32, from: f32, to: f32) -> Line {
        Line { at, from, to }
    }

    fn between(faces: Vec<Line>) -> Vec<Strip> {
        between_faces(faces, THICKNESS, 4.0, &mut 1_000)
    }

    fn drawn(from: (f32, f32), to: (f32, f32), width: f32) -> Segment {
        Segment { from, to, width, filled: false, dashed: false, curved: false, path: 0 }
    }

    #[test]
    fn two_faces_make_a_wall_where_both_run() {
        let walls = between(vec![line(10.0, 0.0, 100.0), line(15.0, 20.0, 90.0)]);
        assert_eq!(walls, [Strip { from: 20.0, to: 90.0, low: 10.0, high: 15.0 }]);
    }

    #[test]
    fn faces_too_far_apart_make_no_wall() {
        assert!(between(vec![line(10.0, 0.0, 100.0), line(40.0, 0.0, 100.0)]).is_empty());
    }

    #[test]
    fn strips_of_one_wall_are_joined_across_rounding_gaps() {
        let strip = |from: f32, to: f32, low: f32| Strip { from, to, low, high: 15.0 };
        let walls = joined(vec![strip(50.5, 90.0, 10.1), strip(0.0, 50.0, 10.0), strip(120.0, 150.0, 10.0)]);
        assert_eq!(walls, [strip(0.0, 90.0, 10.0), strip(120.0, 150.0, 10.0)]);
    }

    #[test]
    fn a_thick_stroke_is_a_wall() {
        let strokes = [drawn((0.0, 20.0), (100.0, 20.0), 6.0), drawn((50.0, 0.0), (50.0, 90.0), 6.0)];
        assert_eq!(thick_strokes(&strokes, THICKNESS), [Strip { from: 0.0, to: 100.0, low: 17.0, high: 23.0 }]);
        let across = thick_strokes_across(&strokes, THICKNESS);
        assert_eq!(across, [Strip { from: 0.0, to: 90.0, low: -53.0, high: -47.0 }]);
        assert!(thick_strokes(&[drawn((0.0, 20.0), (100.0, 20.0), 1.0)], THICKNESS).is_empty());
    }

    #[test]
    fn a_thick_outline_of_a_wall_is_no_wall() {
        let wall = Strip { from: 0.0, to: 100.0, low: 10.0, high: 18.0 };
        let outline = Strip { from: 0.0, to: 100.0, low: 8.5, high: 11.5 };
        let inside = Strip { from: 0.0, to: 100.0, low: 12.5, high: 15.5 };
        assert_eq!(without_outlines(vec![outline, inside], &[wall]), [inside]);
    }
}
