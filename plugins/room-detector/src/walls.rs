//! Walls: strips between two parallel faces, whatever fills them, in every direction that a plan is drawn in.

use fanlight_layout::Frame;
use fanlight_linework::{Line, Lines, Piece};

/// A straight piece of wall, in the directions of its [`Bearing`]: along it from `from` to `to`, across it from `low` to
/// `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strip {
    pub(crate) from: f32,
    pub(crate) to: f32,
    pub(crate) low: f32,
    pub(crate) high: f32,
}

impl Strip {
    fn length(&self) -> f32 {
        self.to - self.from
    }

    fn thickness(&self) -> f32 {
        self.high - self.low
    }

    fn middle(&self) -> f32 {
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

    /// Leaves out short strips with text in them.
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
const THICKNESS: (f32, f32) = (2.6, 15.0);
/// Faces run beside each other for so many inches at least.
const SHORTEST: f32 = 4.0;
/// Gaps in a face that are no openings, in points: a CAD program's rounding.
const BREAK: f32 = 1.0;
/// Directions besides the sheet's own at most.
const MOST_DIRECTIONS: usize = 3;
/// A direction's pieces make so large a share of what is drawn.
const SHARE: f32 = 0.04;
/// Pairs of lines that are looked at, at most. A dense sheet has some ten million.
const MOST_PAIRS: usize = 60_000_000;
/// A repeated distance is the same within so much of it.
const PERIOD: f32 = 0.05;

/// The walls of a sheet at so many points an inch of the building. `texts` are the middles of what is written: a box
/// around a number is no wall.
pub(crate) fn find(pieces: &[Piece], texts: &[(f32, f32)], points_per_inch: f32, frame: &Frame) -> Vec<Bearing> {
    let border = |piece: &Piece| {
        let (dx, dy) = ((piece.to.0 - piece.from.0).abs(), (piece.to.1 - piece.from.1).abs());
        dx >= BORDER * frame.width || dy >= BORDER * frame.height
    };
    let solid: Vec<Piece> =
        pieces.iter().filter(|piece| !piece.dashed && !piece.curved && !border(piece)).copied().collect();
    let mut bearings = Vec::new();
    let mut effort = MOST_PAIRS;
    for angle in directions(&solid) {
        let turned: Vec<Piece> =
            if angle == 0.0 { solid.clone() } else { solid.iter().filter_map(|piece| turn(piece, angle)).collect() };
        let lines = Lines::of(&turned, BREAK, SHORTEST * points_per_inch);
        let (sin, cos) = angle.sin_cos();
        for (along, lines, thick) in [
            ((cos, sin), &lines.level, thick_strokes(&turned, points_per_inch, true)),
            ((-sin, cos), &lines.plumb, thick_strokes(&turned, points_per_inch, false)),
        ] {
            let mut lines = lines.clone();
            if along.0 != cos || along.1 != sin {
                // Across a plumb line is against x: y runs down.
                lines.reverse();
                for line in &mut lines {
                    line.at = -line.at;
                }
            }
            let mut strips = pairs(&lines, points_per_inch, &mut effort);
            strips.extend(thick);
            let mut bearing = Bearing { along, strips: joined(strips), lines };
            bearing.leave_out_boxes(texts);
            bearings.push(bearing);
        }
    }
    bearings
}

/// The directions of a plan, from 0 to a right angle: the sheet's own, and others that much is drawn in.
fn directions(pieces: &[Piece]) -> Vec<f32> {
    const BINS: usize = 180;
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut bins = vec![(0.0_f32, 0.0_f32); BINS];
    let mut all = 0.0;
    for piece in pieces {
        let length = piece.length();
        let angle = (piece.to.1 - piece.from.1).atan2(piece.to.0 - piece.from.0).rem_euclid(quarter);
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
        // Hatches lie at 45 degrees; their lines make no walls, but cost time.
        if length > SHARE * all && found.iter().all(|other: &f32| (angle - other).abs() > 0.03) {
            found.push(angle);
        }
    }
    found
}

/// A piece along a direction or across it, turned so that it lies along an axis.
fn turn(piece: &Piece, angle: f32) -> Option<Piece> {
    let (sin, cos) = angle.sin_cos();
    let back = |(x, y): (f32, f32)| (x * cos + y * sin, y * cos - x * sin);
    let turned = Piece { from: back(piece.from), to: back(piece.to), ..*piece };
    (turned.is_level() || turned.is_plumb()).then_some(turned)
}

/// Walls drawn as one thick stroke.
fn thick_strokes(pieces: &[Piece], points_per_inch: f32, level: bool) -> Vec<Strip> {
    let (thin, thick) = (THICKNESS.0 * points_per_inch, THICKNESS.1 * points_per_inch);
    pieces
        .iter()
        .filter(|piece| piece.width >= thin.max(2.0) && piece.width <= thick)
        .filter(|piece| if level { piece.is_level() } else { piece.is_plumb() })
        .filter(|piece| piece.length() >= 3.0 * piece.width)
        .map(|piece| {
            let (a, b) = (piece.from, piece.to);
            let (at, from, to) = if level {
                (f32::midpoint(a.1, b.1), a.0.min(b.0), a.0.max(b.0))
            } else {
                (-f32::midpoint(a.0, b.0), a.1.min(b.1), a.1.max(b.1))
            };
            Strip { from, to, low: at - piece.width / 2.0, high: at + piece.width / 2.0 }
        })
        .collect()
}

/// Strips between lines that run beside each other as far apart as a wall's faces.
fn pairs(lines: &[Line], points_per_inch: f32, effort: &mut usize) -> Vec<Strip> {
    let (thin, thick) = (THICKNESS.0 * points_per_inch, THICKNESS.1 * points_per_inch);
    let shortest = SHORTEST * points_per_inch;
    let faces: Vec<Line> =
        lines.iter().filter(|line| !is_pattern(lines, line, (thin, thick), effort)).copied().collect();
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
/// `widest` points. `is_wall` tells whether a place of the bearing (along, across) is in a wall.
pub(crate) fn gaps(bearing: &Bearing, widest: f32, corner: f32, is_wall: impl Fn(f32, f32) -> bool) -> Vec<Gap> {
    let mut strips = bearing.strips.clone();
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
                found.push(Gap { strip: Strip { from, to, low: strip.low, high: strip.high }, parted: None });
            }
        }
    }
    found
}

/// Strips of one line that are looked at, at most.
const MOST_IN_LINE: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: f32, from: f32, to: f32) -> Line {
        Line { at, from, to }
    }

    #[test]
    fn two_faces_make_a_wall_and_treads_do_not() {
        let mut effort = 1_000;
        let walls = pairs(&[line(10.0, 0.0, 100.0), line(15.0, 20.0, 90.0)], 1.0, &mut effort);
        assert_eq!(walls, [Strip { from: 20.0, to: 90.0, low: 10.0, high: 15.0 }]);
        let treads: Vec<Line> = (0..12).map(|at| line(11.0 * at as f32, 0.0, 44.0)).collect();
        assert!(pairs(&treads, 1.0, &mut effort).is_empty());
        let far = pairs(&[line(10.0, 0.0, 100.0), line(40.0, 0.0, 100.0)], 1.0, &mut effort);
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
        let found = gaps(&bearing, 50.0, 0.0, |_, _| false);
        let closed: Vec<(f32, f32)> = found.iter().map(|gap| (gap.strip.from, gap.strip.to)).collect();
        assert_eq!(closed, [(50.0, 86.0)]);
    }
}
