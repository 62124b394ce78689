//! Joins pieces that continue one another, end to end.

use std::cell::OnceCell;
use std::f32::consts::FRAC_PI_2;

use crate::symbols::arcs::{Ends, MAX_DASH, MAX_NEIGHBOURS, MAX_TURN, MIN_LENGTH, Piece, ROUNDING, Step, turn};
use crate::symbols::places::Grid;
use crate::symbols::plane::{Extent, Point, ordered};

/// Ends nearer than this touch, in points: two roundings.
const TOUCHING: f32 = 0.25;
/// The widest gap between dashes, in points: a fifth of an inch on paper.
const MAX_GAP: f32 = 14.0;
/// A gap of this many points is joined however short the dashes: a dash is often drawn in two, of which one may be tiny.
const MIN_REACH: f32 = 5.0;
/// A dash reaches this many times its length, and [`REACH_ROUNDING`] more.
const REACH: f32 = 3.0;
/// What rounding adds to a dash's reach, in points.
const REACH_ROUNDING: f32 = 1.0;
/// A piece is joined if its length is at most this many times that of a dash, or of two gaps.
const MAX_LENGTHS: f32 = 4.0;
/// Most angle that a dash turns by, in radians: 45 degrees.
const MAX_TURN_OF_DASH: f32 = 0.8;
/// Most angle of an arc from one dash to the next, in radians.
const MAX_TURN_OVER_GAP: f32 = 0.45;
/// Most ratio of the lengths of two pieces that touch.
const MAX_RATIO_TOUCHING: f32 = 20.0;
/// Most ratio of the lengths of two pieces across a gap.
const MAX_RATIO_OVER_GAP: f32 = 30.0;
/// Shorter pieces count as this long in those ratios, in points.
const MIN_RATIO_LENGTH: f32 = 0.3;
/// Most uncertainty of a short stroke's direction, in radians.
const MAX_NOISE: f32 = 0.5;
/// Least points of a piece that is an arc by itself.
const MIN_ARC_POINTS: usize = 5;
/// Least angle that such a piece turns by, in radians.
const MIN_ARC_TURN: f32 = 0.3;
/// Pieces of fewer points are straight.
const MIN_CURVED_POINTS: usize = 4;
/// Across a gap both turns differ by at most this, in radians.
const UNEVEN: f32 = 0.12;
/// Across a gap both turns differ by at most this share of the larger one.
const UNEVEN_SHARE: f32 = 0.5;
/// Turns up to this, in radians, may go either way across a gap.
const EITHER_WAY: f32 = 0.05;
/// How much the whole turn across a gap counts in the cost of a link.
const TURN_COST: f32 = 0.5;

/// Returns pieces in a row, each row with a free end or a ring.
pub(super) fn sequences(pieces: &[Piece]) -> Vec<Vec<Step>> {
    let mut links = Links::new(pieces);
    links.join();
    links.sequences()
}

/// Which pieces continue one another. End `2 * piece` is a piece's first point, `2 * piece + 1` its last.
struct Links<'a> {
    pieces: &'a [Piece],
    ends: Vec<End>,
    next: Vec<Option<u32>>,
    /// The run of each piece.
    runs: Vec<Run>,
}

/// A piece with all that touch it in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// In points.
    length: f32,
    /// By how much it turns, in radians, at least 0.
    turned: f32,
}

/// A piece's end, and the direction in which it leaves the piece there.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    at: Point,
    leaves: Point,
    /// The piece's.
    style: u32,
}

impl End {
    /// Returns both ends of a piece.
    fn both(piece: &Piece) -> [Self; 2] {
        let points = piece.points.as_slice();
        let ([first, second, ..], [.., before, last]) = (points, points) else { return Default::default() };
        [(*first, *second), (*last, *before)].map(|(at, inner)| Self {
            at,
            leaves: (at - inner).unit(),
            style: piece.style,
        })
    }
}

impl<'a> Links<'a> {
    fn new(pieces: &'a [Piece]) -> Self {
        let ends = pieces.iter().flat_map(End::both).collect();
        let runs = pieces.iter().map(|piece| Run { length: piece.length, turned: piece.turned.abs() }).collect();
        Self { pieces, ends, next: vec![None; pieces.len() * 2], runs }
    }

    /// Joins ends that touch, and then ends across gaps: a dash that is drawn in several strokes reaches as far as all of them.
    fn join(&mut self) {
        let (grid, free) = self.free_ends();
        self.join_by(&free, |links, end| links.best(end, TOUCHING, &grid, Joint::cost_touching));
        self.measure_runs();
        self.join_by(&free, |links, end| links.best(end, links.reach(end), &grid, Joint::cost_over_gap));
    }

    /// Joins free ends that are each other's best.
    fn join_by(&mut self, free: &[u32], best: impl Fn(&Self, u32) -> Option<u32>) {
        let choices = vec![OnceCell::new(); self.ends.len()];
        let choice = |end: u32| *choices[end as usize].get_or_init(|| best(self, end));
        let open = free.iter().copied().filter(|&end| self.is_free(end));
        let chosen = open.filter_map(|end| Some((end, choice(end)?)));
        let pairs: Vec<(u32, u32)> = chosen.filter(|&(a, b)| a < b && choice(b) == Some(a)).collect();
        for (a, b) in pairs {
            self.next[a as usize] = Some(b);
            self.next[b as usize] = Some(a);
        }
    }

    fn is_free(&self, end: u32) -> bool {
        self.next.get(end as usize).is_some_and(Option::is_none)
    }

    /// Measures the runs that the joined pieces make.
    fn measure_runs(&mut self) {
        for run in self.sequences() {
            let length = run.iter().map(|step| self.pieces[step.piece].length).sum();
            let turned = self.turned(&run).abs();
            for step in run {
                self.runs[step.piece] = Run { length, turned };
            }
        }
    }

    /// Returns by how much a row turns, in radians, up to a half turn.
    fn turned(&self, run: &[Step]) -> f32 {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return 0.0 };
        let starts = self.ends[2 * first.piece + usize::from(first.is_backwards)].leaves * -1.0;
        turn(starts, self.ends[2 * last.piece + usize::from(!last.is_backwards)].leaves)
    }

    /// Returns how far from an end its run may go on, in points.
    fn reach(&self, end: u32) -> f32 {
        let run = self.runs.get(end as usize / 2).copied().unwrap_or_default();
        (REACH * run.length + REACH_ROUNDING).clamp(MIN_REACH, MAX_GAP)
    }

    /// Returns the free ends that may be joined, by place and in order.
    fn free_ends(&self) -> (Grid<u32>, Vec<u32>) {
        let mut grid = Grid::new(MAX_GAP, MAX_NEIGHBOURS);
        let mut free = Vec::new();
        let longest = MAX_DASH.max(MAX_GAP * 2.0) * MAX_LENGTHS;
        for (number, piece) in self.pieces.iter().enumerate().filter(|(_, piece)| piece.length <= longest) {
            for side in 0..2 {
                let end = 2 * number + side;
                if piece.open[side] && grid.add(self.ends[end].at, end as u32) {
                    free.push(end as u32);
                }
            }
        }
        (grid, free)
    }

    /// Returns the free end at which one continues with the least cost, within so many points.
    fn best(&self, end: u32, within: f32, grid: &Grid<u32>, cost: impl Fn(&Joint<'a>) -> Option<f32>) -> Option<u32> {
        let own = self.ends[end as usize];
        let area = Extent::bounding([own.at]).grown(within);
        let others = grid.near(area).copied().filter(|&other| {
            let End { at, style, .. } = self.ends[other as usize];
            let is_near = area.holds(at) && own.at.to(at) <= within;
            is_near && style == own.style && other / 2 != end / 2 && self.is_free(other)
        });
        let costs = others.filter_map(|other| Some((cost(&self.joint(end, other)?)?, other)));
        costs.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, other)| other)
    }

    /// Returns two ends with what is known of them.
    fn joint(&self, end: u32, other: u32) -> Option<Joint<'a>> {
        let (own, beyond) = (end as usize / 2, other as usize / 2);
        Some(Joint {
            own: self.pieces.get(own)?,
            other: self.pieces.get(beyond)?,
            runs: [*self.runs.get(own)?, *self.runs.get(beyond)?],
            from: self.ends[end as usize],
            to: self.ends[other as usize],
            is_at_start: end.is_multiple_of(2),
        })
    }

    /// Returns pieces in a row: rows with an end first, then rings.
    fn sequences(&self) -> Vec<Vec<Step>> {
        let count = self.next.len() / 2;
        let mut is_seen = vec![false; count];
        let has_free_end = |piece: &usize| self.next[2 * piece].is_none() || self.next[2 * piece + 1].is_none();
        let mut sequences = Vec::new();
        for piece in (0..count).filter(has_free_end).chain(0..count) {
            if !is_seen[piece] {
                sequences.push(self.walk(piece, &mut is_seen));
            }
        }
        sequences
    }

    /// Returns the row that a piece begins.
    fn walk(&self, start: usize, is_seen: &mut [bool]) -> Vec<Step> {
        let mut sequence = Vec::new();
        let mut step = Step { piece: start, is_backwards: self.next[2 * start].is_some() };
        while !is_seen[step.piece] {
            is_seen[step.piece] = true;
            sequence.push(step);
            let exit = 2 * step.piece + usize::from(!step.is_backwards);
            let Some(entry) = self.next[exit] else { break };
            step = Step { piece: entry as usize / 2, is_backwards: entry % 2 == 1 };
        }
        sequence
    }
}

/// Two ends that may continue one another.
struct Joint<'a> {
    own: &'a Piece,
    other: &'a Piece,
    /// The runs of both pieces.
    runs: Ends<Run>,
    from: End,
    to: End,
    /// Whether `from` is its piece's first point.
    is_at_start: bool,
}

impl Joint<'_> {
    /// Returns the way from one end to the other.
    fn way(&self) -> Point {
        self.to.at - self.from.at
    }

    /// Returns the direction in which the other piece begins.
    fn enters(&self) -> Point {
        self.to.leaves * -1.0
    }

    /// Returns how many times as long one run is as the other.
    fn ratio(&self) -> f32 {
        let (short, long) = ordered(self.runs[0].length, self.runs[1].length);
        long / short.max(MIN_RATIO_LENGTH)
    }

    /// Returns the cost where both ends touch: the angle between the pieces, in radians.
    fn cost_touching(&self) -> Option<f32> {
        // An arc that is drawn in one go ends where it ends: a straight line that continues it is a jamb.
        let is_jamb =
            (is_whole_arc(self.own) && is_straight(self.other)) || (is_whole_arc(self.other) && is_straight(self.own));
        if is_jamb || self.ratio() >= MAX_RATIO_TOUCHING {
            return None;
        }
        let most = MAX_TURN + noise(self.own) + noise(self.other);
        // To compute an angle takes long, and of lines that meet most do so at a right angle.
        if most < FRAC_PI_2 && self.from.leaves.dot(self.enters()) <= 0.0 {
            return None;
        }
        let angle = turn(self.from.leaves, self.enters()).abs();
        (angle < most).then_some(angle)
    }

    /// Returns the cost across a gap: its width in points, more for uneven turns.
    ///
    /// An arc turns about equally into the gap and out of it, the same way as its dashes do.
    fn cost_over_gap(&self) -> Option<f32> {
        let (way, enters) = (self.way(), self.enters());
        let End { leaves, .. } = self.from;
        // Nothing turns by a right angle across a gap; this alone rejects most ends that are near.
        let is_turned = leaves.dot(way) <= 0.0 || way.dot(enters) <= 0.0;
        let is_dash = self.runs.iter().all(|run| run.turned <= MAX_TURN_OF_DASH);
        if is_turned || !is_dash || way.length() <= TOUCHING || self.ratio() > MAX_RATIO_OVER_GAP {
            return None;
        }
        let over_gap = ROUNDING / way.length();
        let (out, into) = (turn(leaves, way), turn(way, enters));
        let (own_noise, other_noise) = (noise(self.own), noise(self.other));
        let noise = own_noise + other_noise + 2.0 * over_gap;
        let is_even = (out - into).abs() <= UNEVEN + noise + UNEVEN_SHARE * out.abs().max(into.abs());
        let most = MAX_TURN_OVER_GAP + over_gap;
        if out.abs() > most + own_noise || into.abs() > most + other_noise || !is_even {
            return None;
        }
        let whole = turn(leaves, enters);
        let side = if self.is_at_start { -self.own.turned } else { self.own.turned };
        if side != 0.0 && whole.abs() > EITHER_WAY + noise && whole * side < 0.0 {
            return None;
        }
        Some(way.length() * (1.0 + (out - into).abs() + TURN_COST * whole.abs()))
    }
}

/// Returns the uncertainty of a piece's direction in radians: the shorter a stroke, the less is known of it.
fn noise(piece: &Piece) -> f32 {
    (ROUNDING / piece.length.max(MIN_LENGTH)).min(MAX_NOISE)
}

/// Returns whether a piece is an arc by itself.
fn is_whole_arc(piece: &Piece) -> bool {
    piece.points.len() >= MIN_ARC_POINTS && piece.turned.abs() >= MIN_ARC_TURN
}

fn is_straight(piece: &Piece) -> bool {
    piece.points.len() < MIN_CURVED_POINTS
}

#[cfg(test)]
mod tests {
    use smallvec::SmallVec;

    use super::*;

    /// A stroke between two points.
    fn stroke(a: Point, b: Point) -> Piece {
        Piece {
            points: SmallVec::from_slice(&[a, b]),
            style: 0,
            goes_on: [false; 2],
            open: [true; 2],
            length: a.to(b),
            turned: 0.0,
        }
    }

    fn on_circle(degrees: f32) -> Point {
        Point::at(degrees.to_radians()) * 50.0
    }

    #[test]
    fn dashes_of_an_arc_are_one_sequence() {
        let dashes: Vec<Piece> =
            (0..8).map(|at| 11.0 * at as f32).map(|at| stroke(on_circle(at), on_circle(at + 6.0))).collect();
        let sequences = sequences(&dashes);
        assert_eq!(sequences.iter().map(Vec::len).collect::<Vec<_>>(), [8]);
    }

    #[test]
    fn a_dash_of_two_strokes_reaches_as_far_as_both() {
        let dash =
            |at: f32| [stroke(on_circle(at), on_circle(at + 9.0)), stroke(on_circle(at + 9.0), on_circle(at + 10.0))];
        // The gaps are 10.5 points wide, and the last strokes 0.9 points long.
        let dashes: Vec<Piece> = [0.0, 22.0, 44.0].into_iter().flat_map(dash).collect();
        assert_eq!(sequences(&dashes).iter().map(Vec::len).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn a_dash_against_the_direction_is_followed_backwards() {
        let dashes = [stroke(on_circle(0.0), on_circle(6.0)), stroke(on_circle(17.0), on_circle(11.0))];
        let backwards: Vec<bool> = sequences(&dashes)[0].iter().map(|step| step.is_backwards).collect();
        assert_eq!(backwards, [false, true]);
    }

    #[test]
    fn strokes_that_meet_at_a_right_angle_are_not_joined() {
        let corner = Point::new(9.0, 0.0);
        let strokes = [stroke(Point::new(0.0, 0.0), corner), stroke(corner, Point::new(9.0, 9.0))];
        assert_eq!(sequences(&strokes).len(), 2);
    }

    #[test]
    fn dashes_of_another_style_are_not_joined() {
        let other = Piece { style: 1, ..stroke(on_circle(11.0), on_circle(17.0)) };
        assert_eq!(sequences(&[stroke(on_circle(0.0), on_circle(6.0)), other]).len(), 2);
    }
}
