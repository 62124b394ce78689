//! Walls: strips between two parallel faces, whatever their fill, in each direction of the plan.

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, Line, Lines, Segment};

use crate::mask::Mask;

/// A straight strip of wall, in the directions of its [`Bearing`]: along it from `from` to `to`, across it from `low` to
/// `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    pub(crate) from: f32,
    pub(crate) to: f32,
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl Strip {
    pub(crate) fn length(&self) -> f32 {
        self.to - self.from
    }

    pub(crate) fn thickness(&self) -> f32 {
        self.high - self.low
    }

    pub(crate) fn middle(&self) -> f32 {
        f32::midpoint(self.low, self.high)
    }
}

/// The walls along one direction.
#[derive(Clone, Debug)]
pub(crate) struct Bearing {
    /// Unit vector along the walls.
    pub(crate) along: (f32, f32),
    pub(crate) strips: Vec<Strip>,
    /// All long lines along this direction, by where they lie across it.
    pub(crate) lines: Vec<Line>,
}

impl Bearing {
    /// The share of an opening's length that lines run along that are its own: they end with it, within `beyond` points.
    pub(crate) fn lined(&self, strip: &Strip, beyond: f32) -> f32 {
        let slack = 0.25 * strip.thickness();
        let from = self.lines.partition_point(|line| line.at < strip.low - slack);
        let within = self.lines.get(from..).unwrap_or_default();
        let mut spans: Vec<(f32, f32)> = within
            .iter()
            .take_while(|line| line.at <= strip.high + slack)
            .filter(|line| line.from >= strip.from - beyond && line.to <= strip.to + beyond)
            .filter(|line| line.length() >= WHOLE * strip.length())
            .map(|line| (line.from.max(strip.from), line.to.min(strip.to)))
            .filter(|(from, to)| to > from)
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut covered, mut reached) = (0.0, strip.from);
        for (from, to) in spans {
            covered += (to - from.max(reached)).max(0.0);
            reached = reached.max(to);
        }
        covered / strip.length().max(f32::EPSILON)
    }

    /// Removes short strips with text in them.
    fn leave_out_boxes(&mut self, texts: &[(f32, f32)]) {
        let (x, y) = self.along;
        // Across and along.
        let mut texts: Vec<(f32, f32)> = texts.iter().map(|&(u, v)| (v * x - u * y, u * x + v * y)).collect();
        texts.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.strips.retain(|strip| {
            let from = texts.partition_point(|text| text.0 <= strip.low);
            let inside = texts.get(from..).unwrap_or_default().iter().take_while(|text| text.0 < strip.high);
            let mut inside = inside.filter(|text| strip.from < text.1 && text.1 < strip.to);
            strip.length() > BOX * strip.thickness() || inside.next().is_none()
        });
    }

    /// Leaves out what stands at a wall along one of its faces, is shorter and thicker, or thinner than `thin` points:
    /// shelves, tanks, grab bars.
    fn leave_out_furniture(&mut self, thin: f32) {
        let walls = self.strips.clone();
        let mut by_low: Vec<usize> = (0..walls.len()).collect();
        by_low.sort_by(|&a, &b| walls[a].low.total_cmp(&walls[b].low));
        let mut by_high: Vec<usize> = (0..walls.len()).collect();
        by_high.sort_by(|&a, &b| walls[a].high.total_cmp(&walls[b].high));
        self.strips.retain(|strip| {
            let backs = |wall: &Strip| {
                (wall.thickness() <= THINNER * strip.thickness() || strip.thickness() <= thin)
                    && wall.from <= strip.from + BREAK
                    && wall.to >= strip.to - BREAK
                    && wall.length() >= LONGER * strip.length()
            };
            let near = |order: &[usize], at: f32, face: fn(&Strip) -> f32| {
                let from = order.partition_point(|&wall| face(&walls[wall]) < at - SAME_FACE);
                let here = order.get(from..).unwrap_or_default().iter();
                let mut here = here.take_while(|&&wall| face(&walls[wall]) <= at + SAME_FACE).take(MOST_IN_LINE);
                here.any(|&wall| backs(&walls[wall]))
            };
            let low: fn(&Strip) -> f32 = |wall| wall.low;
            let high: fn(&Strip) -> f32 = |wall| wall.high;
            // Beside a wall, or a wall and what stands at it.
            !near(&by_low, strip.high, low)
                && !near(&by_high, strip.low, high)
                && !near(&by_low, strip.low, low)
                && !near(&by_high, strip.high, high)
        });
    }

    /// Leaves out what lies within a door, grown by `slack` points: its leaves, and frames beside it.
    pub(crate) fn leave_out_leaves(&mut self, doors: &[Rect], slack: f32) {
        let (x, y) = self.along;
        let place = |along: f32, across: f32| (along * x - across * y, along * y + across * x);
        let within = |door: &Rect, (x, y): (f32, f32)| {
            (door.x1 - slack..=door.x2 + slack).contains(&x) && (door.y1 - slack..=door.y2 + slack).contains(&y)
        };
        self.strips.retain(|strip| {
            let (from, to) = (place(strip.from, strip.middle()), place(strip.to, strip.middle()));
            !doors.iter().any(|door| within(door, from) && within(door, to))
        });
    }

    /// Leaves out what is shorter than `stub` points and goes on in no wall of its thickness within `row` points.
    fn leave_out_stubs(&mut self, stub: f32, row: f32) {
        let mut walls = self.strips.clone();
        walls.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
        self.strips.retain(|strip| {
            let slack = 0.15 * strip.thickness();
            let from = walls.partition_point(|wall| wall.middle() < strip.middle() - slack);
            let line = walls.get(from..).unwrap_or_default().iter();
            let mut line = line.take_while(|wall| wall.middle() <= strip.middle() + slack).take(MOST_IN_LINE);
            strip.length() >= stub
                || line.any(|wall| {
                    let apart = (wall.from - strip.to).max(strip.from - wall.to);
                    let alike = (wall.thickness() - strip.thickness()).abs() <= 2.0 * slack;
                    alike && apart > 0.0 && apart <= row
                })
        });
    }

    /// A place in the sheet's frame.
    pub(crate) fn place(&self, along: f32, across: f32) -> (f32, f32) {
        let (x, y) = self.along;
        (along * x - across * y, along * y + across * x)
    }
}

/// A line along so much of the sheet is its frame's.
const BORDER: f32 = 0.8;
/// A box around text is no longer than so many times its height.
const BOX: f32 = 8.0;
/// What runs along an opening is at least this share of it: dashes are shorter.
const WHOLE: f32 = 0.3;
/// Walls are so thick, in inches of the building: a stud partition without its boards, and a masonry wall.
pub(crate) const THICKNESS: (f32, f32) = (2.6, 15.0);
/// A wall that is one line is at least so long, in inches, and taken to be so thick.
const LONG_LINE: f32 = 24.0;
const THIN: f32 = 1.5;
/// Faces run beside each other for so many inches at least.
const SHORTEST: f32 = 4.0;
/// A wall is so many times as long as what stands at it.
const LONGER: f32 = 1.04;
/// And so much thinner; or what stands at it is a rail, no further off than this, in inches.
const THINNER: f32 = 0.8;
const RAIL: f32 = 4.0;
/// Faces this near are one, in points.
const SAME_FACE: f32 = 0.6;
/// A pier between two openings may be shorter than this, in inches, if the wall goes on within so many inches.
const STUB: f32 = 14.0;
const ROW: f32 = 110.0;
/// The share of a strip that lies in walls of other directions, if it is part of their hatch.
const FILLED: f32 = 0.6;
/// Gaps in a face that are no openings, in points: a CAD program's rounding.
const BREAK: f32 = 1.0;
/// Directions besides the sheet's own at most.
const MOST_DIRECTIONS: usize = 3;
/// A direction's segments make so large a share of what is drawn.
const SHARE: f32 = 0.04;
/// A stroke that is a wall by itself is at least so wide, in points: no pen for outlines is.
const THICK_PEN: f32 = 1.5;
/// Pens that are told apart on a sheet.
const MOST_PENS: usize = 24;
/// Pairs of lines that are looked at, at most. A dense sheet has some ten million.
const MOST_PAIRS: usize = 60_000_000;
/// A repeated distance is the same within so much of it.
const PERIOD: f32 = 0.05;

/// Detects the walls of a sheet. `texts` are the centres of its texts: a box around a number is not a wall.
pub(crate) fn detect(segments: &[Segment], texts: &[(f32, f32)], points_per_inch: f32, frame: &Frame) -> Vec<Bearing> {
    let shortest = SHORTEST * points_per_inch;
    let mut effort = MOST_PAIRS;
    let mut bearings = Vec::new();
    for turned in by_direction(segments, points_per_inch, frame) {
        let lines = Lines::from_segments(&turned.segments, BREAK, shortest);
        let mut faces = Lines::default();
        for pen in by_pen(&turned.segments) {
            let drawn = Lines::from_segments(&pen, BREAK, shortest);
            faces.horizontal.extend(without_patterns(&drawn.horizontal, points_per_inch, &mut effort));
            faces.vertical.extend(without_patterns(&drawn.vertical, points_per_inch, &mut effort));
        }
        for (along, lines, faces, thick) in [
            (
                turned.level(),
                lines.horizontal,
                faces.horizontal,
                thick_strokes(&turned.segments, points_per_inch, true),
            ),
            (
                turned.plumb(),
                mirrored(lines.vertical),
                mirrored(faces.vertical),
                thick_strokes(&turned.segments, points_per_inch, false),
            ),
        ] {
            let mut strips = pairs(faces, points_per_inch, &mut effort);
            strips.extend(without_outlines(thick, &strips));
            let mut bearing = Bearing { along, strips: joined(strips), lines };
            bearing.leave_out_boxes(texts);
            bearing.leave_out_furniture(RAIL * points_per_inch);
            bearing.leave_out_stubs(STUB * points_per_inch, ROW * points_per_inch);
            bearings.push(bearing);
        }
    }
    bearings
}

/// Detects the walls of a sheet that draws each as one thin line: all long lines that belong to no pattern.
pub(crate) fn detect_thin(segments: &[Segment], points_per_inch: f32, frame: &Frame) -> Vec<Bearing> {
    let mut effort = MOST_PAIRS;
    let mut bearings = Vec::new();
    for turned in by_direction(segments, points_per_inch, frame) {
        let lines = Lines::from_segments(&turned.segments, BREAK, LONG_LINE * points_per_inch);
        for (along, lines) in [(turned.level(), lines.horizontal), (turned.plumb(), mirrored(lines.vertical))] {
            let half = THIN / 2.0 * points_per_inch;
            let walls = without_patterns(&lines, points_per_inch, &mut effort);
            let strips = walls
                .into_iter()
                .map(|line| Strip { from: line.from, to: line.to, low: line.at - half, high: line.at + half })
                .collect();
            bearings.push(Bearing { along, strips, lines });
        }
    }
    bearings
}

/// Draws walls direction by direction, without the hatches of walls in other directions.
pub(crate) fn draw(mask: &mut Mask, bearings: &mut [Bearing]) {
    for pair in bearings.chunks_mut(2) {
        for bearing in &mut *pair {
            let own = std::mem::take(&mut bearing.strips);
            bearing.strips = own.into_iter().filter(|strip| mask.walled(bearing, strip) < FILLED).collect();
        }
        for bearing in pair {
            for strip in &bearing.strips {
                mask.draw(bearing, strip);
            }
        }
    }
}

/// What is drawn along one direction and across it, turned so that both are axes.
struct Turned {
    angle: f32,
    segments: Vec<Segment>,
}

impl Turned {
    fn level(&self) -> (f32, f32) {
        let (sin, cos) = self.angle.sin_cos();
        (cos, sin)
    }

    /// Across a plumb line is against x: y runs down.
    fn plumb(&self) -> (f32, f32) {
        let (sin, cos) = self.angle.sin_cos();
        (-sin, cos)
    }
}

/// The solid straight segments of a sheet, but for its frame, by the directions that it is drawn in.
fn by_direction(segments: &[Segment], points_per_inch: f32, frame: &Frame) -> Vec<Turned> {
    let border = |segment: &Segment| {
        let (dx, dy) = ((segment.to.0 - segment.from.0).abs(), (segment.to.1 - segment.from.1).abs());
        dx >= BORDER * frame.width || dy >= BORDER * frame.height
    };
    let solid: Vec<Segment> =
        segments.iter().filter(|segment| !segment.dashed && !segment.curved && !border(segment)).copied().collect();
    directions(&solid, LONG_LINE * points_per_inch)
        .into_iter()
        .map(|angle| {
            let segments = if angle == 0.0 {
                solid.clone()
            } else {
                solid.iter().filter_map(|segment| turn(segment, angle)).collect()
            };
            Turned { angle, segments }
        })
        .collect()
}

/// Segments by the width of their pen, some tenth of it off: a row of tiles or treads is drawn with one pen, the wall beside
/// it often with another.
fn by_pen(segments: &[Segment]) -> Vec<Vec<Segment>> {
    let mut pens: Vec<(i32, Vec<Segment>)> = Vec::new();
    for segment in segments {
        let width = if segment.width > 0.0 { (8.0 * segment.width.max(0.01).ln()).round() as i32 } else { i32::MIN };
        let known = pens.iter().position(|(pen, _)| *pen == width);
        let full = pens.len() >= MOST_PENS;
        match known.or_else(|| full.then_some(pens.len() - 1)).and_then(|at| pens.get_mut(at)) {
            Some((_, own)) => own.push(*segment),
            None => pens.push((width, vec![*segment])),
        }
    }
    pens.into_iter().map(|(_, own)| own).collect()
}

/// Lines seen from the other side.
fn mirrored(mut lines: Vec<Line>) -> Vec<Line> {
    lines.reverse();
    for line in &mut lines {
        line.at = -line.at;
    }
    lines
}

/// The directions of a plan, from 0 to a right angle: the sheet's own, and others that much is drawn in by lines of so
/// many points at least.
fn directions(segments: &[Segment], least: f32) -> Vec<f32> {
    const BINS: usize = 180;
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut bins = vec![(0.0_f32, 0.0_f32); BINS];
    let mut all = 0.0;
    // Hatches lie at 45 degrees, in short lines.
    for segment in segments.iter().filter(|segment| segment.length() >= least) {
        let length = segment.length();
        let angle = (segment.to.1 - segment.from.1).atan2(segment.to.0 - segment.from.0).rem_euclid(quarter);
        all += length;
        if let Some(bin) = bins.get_mut(((angle / quarter * BINS as f32) as usize).min(BINS - 1)) {
            bin.0 += length;
            bin.1 += length * angle;
        }
    }
    let mut found = vec![0.0];
    let mut order: Vec<usize> = (2..BINS - 2).collect();
    order.sort_by(|&a, &b| bins[b].0.total_cmp(&bins[a].0));
    for at in order.into_iter().take(MOST_DIRECTIONS) {
        let (length, sum) = bins[at];
        let angle = sum / length;
        if length > SHARE * all && found.iter().all(|other: &f32| (angle - other).abs() > 0.03) {
            found.push(angle);
        }
    }
    found
}

/// A segment along a direction or across it, turned so that it lies along an axis.
fn turn(segment: &Segment, angle: f32) -> Option<Segment> {
    let (sin, cos) = angle.sin_cos();
    let back = |(x, y): (f32, f32)| (x * cos + y * sin, y * cos - x * sin);
    let turned = Segment { from: back(segment.from), to: back(segment.to), ..*segment };
    (turned.is_horizontal() || turned.is_vertical()).then_some(turned)
}

/// Walls drawn as one thick stroke.
fn thick_strokes(segments: &[Segment], points_per_inch: f32, level: bool) -> Vec<Strip> {
    let (thin, thick) = (THICKNESS.0 * points_per_inch, THICKNESS.1 * points_per_inch);
    segments
        .iter()
        .filter(|segment| segment.width >= thin.max(THICK_PEN) && segment.width <= thick)
        .filter(|segment| if level { segment.is_horizontal() } else { segment.is_vertical() })
        .filter(|segment| segment.length() >= 3.0 * segment.width)
        .map(|segment| {
            let (a, b) = (segment.from, segment.to);
            let (at, from, to) = if level {
                (f32::midpoint(a.1, b.1), a.0.min(b.0), a.0.max(b.0))
            } else {
                (-f32::midpoint(a.0, b.0), a.1.min(b.1), a.1.max(b.1))
            };
            Strip { from, to, low: at - segment.width / 2.0, high: at + segment.width / 2.0 }
        })
        .collect()
}

/// Thick strokes that are no face of a wall: some offices draw walls' outlines with a pen as thick as a wall.
fn without_outlines(strokes: Vec<Strip>, walls: &[Strip]) -> Vec<Strip> {
    let mut faces: Vec<Line> = walls
        .iter()
        .flat_map(|wall| [wall.low, wall.high].map(|at| Line { at, from: wall.from, to: wall.to }))
        .collect();
    faces.sort_by(|a, b| a.at.total_cmp(&b.at));
    let is_outline = |stroke: &Strip| {
        let from = faces.partition_point(|face| face.at < stroke.middle() - SAME_FACE);
        let here = faces.get(from..).unwrap_or_default().iter();
        let mut here = here.take_while(|face| face.at <= stroke.middle() + SAME_FACE).take(MOST_IN_LINE);
        here.any(|face| face.within(stroke.from, stroke.to) >= 0.5 * stroke.length())
    };
    strokes.into_iter().filter(|stroke| !is_outline(stroke)).collect()
}

/// The lines that are no part of a pattern.
fn without_patterns(lines: &[Line], points_per_inch: f32, effort: &mut usize) -> Vec<Line> {
    let (thin, thick) = (THICKNESS.0 * points_per_inch, THICKNESS.1 * points_per_inch);
    lines.iter().filter(|line| !is_pattern(lines, line, (thin, thick), effort)).copied().collect()
}

/// Strips between lines that run beside each other as far apart as a wall's faces.
fn pairs(mut faces: Vec<Line>, points_per_inch: f32, effort: &mut usize) -> Vec<Strip> {
    let (thin, thick) = (THICKNESS.0 * points_per_inch, THICKNESS.1 * points_per_inch);
    let shortest = SHORTEST * points_per_inch;
    faces.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut strips = Vec::new();
    for (index, line) in faces.iter().enumerate() {
        for other in faces.get(index + 1..).unwrap_or_default() {
            let apart = other.at - line.at;
            if apart > thick || *effort == 0 {
                break;
            }
            *effort -= 1;
            let (from, to) = (line.from.max(other.from), line.to.min(other.to));
            if apart >= thin && to - from >= shortest.max(0.6 * apart) {
                strips.push(Strip { from, to, low: line.at, high: other.at });
            }
        }
    }
    strips
}

/// Whether a line is one of many that are equally far apart, as treads, tiles and boards are: three others stand where
/// its distance to the nearest is repeated.
fn is_pattern(lines: &[Line], line: &Line, (thin, thick): (f32, f32), effort: &mut usize) -> bool {
    let mut beside = |at: f32, slack: f32| {
        let from = lines.partition_point(|other| other.at < at - slack);
        lines.get(from..).unwrap_or_default().iter().take_while(|other| other.at <= at + slack).any(|other| {
            *effort = effort.saturating_sub(1);
            other.within(line.from, line.to) >= 0.5 * line.length()
        })
    };
    let near = |side: &[Line]| -> Vec<f32> {
        let apart = side.iter().map(|other| (other.at - line.at).abs());
        let mut apart: Vec<f32> = apart.filter(|apart| (thin..=1.1 * thick).contains(apart)).collect();
        apart.sort_by(f32::total_cmp);
        apart.truncate(NEIGHBOURS);
        apart
    };
    let at = lines.partition_point(|other| other.at < line.at);
    let (low, high) = (line.at - 1.1 * thick, line.at + 1.1 * thick);
    let from = lines.partition_point(|other| other.at < low);
    let to = lines.partition_point(|other| other.at <= high);
    let (before, after) = (lines.get(from..at).unwrap_or_default(), lines.get(at..to).unwrap_or_default());
    let overlaps = |side: &[Line]| -> Vec<Line> {
        side.iter().filter(|other| other.within(line.from, line.to) >= 0.5 * line.length()).copied().collect()
    };
    let distances = near(&overlaps(before)).into_iter().chain(near(&overlaps(after)));
    for apart in distances {
        let slack = PERIOD * apart;
        let mut stands = |k: f32| beside(line.at + k * apart, slack);
        let (before, after) = (stands(-1.0), stands(1.0));
        let row = (before && after && (stands(2.0) || stands(-2.0)))
            || (after && stands(2.0) && stands(3.0))
            || (before && stands(-2.0) && stands(-3.0));
        if row {
            return true;
        }
    }
    false
}

/// Distances that are tried to each side for a pattern.
const NEIGHBOURS: usize = 2;

/// Joins strips that are the same wall, one behind the other or over each other: faces count to half a point.
fn joined(mut strips: Vec<Strip>) -> Vec<Strip> {
    let half = |value: f32| (2.0 * value).round() as i64;
    strips
        .sort_by(|a, b| (half(a.low), half(a.high)).cmp(&(half(b.low), half(b.high))).then(a.from.total_cmp(&b.from)));
    let mut whole: Vec<Strip> = Vec::with_capacity(strips.len());
    for strip in strips {
        match whole.last_mut() {
            Some(last)
                if (half(last.low), half(last.high)) == (half(strip.low), half(strip.high))
                    && strip.from - last.to <= BREAK =>
            {
                last.to = last.to.max(strip.to);
            }
            _ => whole.push(strip),
        }
    }
    whole
}

/// An opening's closing: a strip from wall to wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub(crate) strip: Strip,
    /// The walls in one line that it parts; none where it lies between a wall's end and what stands across.
    pub(crate) parted: Option<[Strip; 2]>,
}

/// Where walls are cut: between two strips in one line, and from a strip's end to what stands across it, no further than
/// `widest` points. `is_wall` tells whether a place of their bearing (along, across) is in a wall.
pub(crate) fn gaps(
    strips: impl Iterator<Item = Strip>,
    widest: f32,
    corner: f32,
    is_wall: impl Fn(f32, f32) -> bool,
) -> Vec<Gap> {
    let mut strips: Vec<Strip> = strips.collect();
    strips.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    let mut found = Vec::new();
    for (index, strip) in strips.iter().enumerate() {
        let slack = 0.3 * strip.thickness();
        let near =
            strips.iter().enumerate().skip(strips.partition_point(|other| other.middle() < strip.middle() - slack));
        let near = near.take_while(|(_, other)| other.middle() <= strip.middle() + slack);
        // The next strip in the line.
        let next = near
            .take(MOST_IN_LINE)
            .filter(|(at, other)| *at != index && other.from >= strip.to - BREAK)
            .filter(|(_, other)| (other.thickness() - strip.thickness()).abs() <= 0.4 * strip.thickness())
            .min_by(|a, b| a.1.from.total_cmp(&b.1.from));
        if let Some((_, other)) = next
            && other.from > strip.to
            && other.from - strip.to <= widest
        {
            let closing = Strip { from: strip.to, to: other.from, low: strip.low, high: strip.high };
            found.push(Gap { strip: closing, parted: Some([*strip, *other]) });
        }
        // From both ends on to a wall across.
        let middle = strip.middle();
        let step = 0.35 * strip.thickness();
        for (end, sign) in [(strip.to, 1.0), (strip.from, -1.0)] {
            if is_wall(end + sign * 2.0 * step, middle) || strip.length() < 2.0 * strip.thickness() {
                continue;
            }
            let count = (corner / step) as usize;
            let hit = (3..count).map(|at| at as f32 * step).find(|&off| is_wall(end + sign * off, middle));
            if let Some(off) = hit {
                let (from, to) = if sign > 0.0 { (end, end + off) } else { (end - off, end) };
                let closing = Strip { from, to, low: strip.low, high: strip.high };
                found.push(Gap { strip: closing, parted: None });
            }
        }
    }
    found
}

/// Strips of one line, or along one face, that are looked at, at most.
const MOST_IN_LINE: usize = 500;

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: f32, from: f32, to: f32) -> Line {
        Line { at, from, to }
    }

    #[test]
    fn two_faces_make_a_wall_and_treads_do_not() {
        let mut effort = 1_000;
        let walls = pairs(vec![line(10.0, 0.0, 100.0), line(15.0, 20.0, 90.0)], 1.0, &mut effort);
        assert_eq!(walls, [Strip { from: 20.0, to: 90.0, low: 10.0, high: 15.0 }]);
        let treads: Vec<Line> = (0..12).map(|at| line(11.0 * at as f32, 0.0, 44.0)).collect();
        assert!(without_patterns(&treads, 1.0, &mut effort).is_empty());
        let far = pairs(vec![line(10.0, 0.0, 100.0), line(40.0, 0.0, 100.0)], 1.0, &mut effort);
        assert!(far.is_empty());
    }

    #[test]
    fn a_door_is_a_gap_between_two_pieces_of_one_wall() {
        let wall = |from: f32, to: f32| Strip { from, to, low: 10.0, high: 15.0 };
        let bearing = Bearing {
            along: (1.0, 0.0),
            strips: vec![wall(0.0, 50.0), wall(86.0, 200.0), wall(400.0, 500.0)],
            lines: vec![line(12.0, 200.0, 330.0)],
        };
        assert!((bearing.lined(&wall(200.0, 400.0), 1.0) - 0.65).abs() < 1e-3);
        let found = gaps(bearing.strips.into_iter(), 50.0, 0.0, |_, _| false);
        let closed: Vec<(f32, f32)> = found.iter().map(|gap| (gap.strip.from, gap.strip.to)).collect();
        assert_eq!(closed, [(50.0, 86.0)]);
    }
}
