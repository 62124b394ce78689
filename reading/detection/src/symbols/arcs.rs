//! Circular arcs, rebuilt from Bézier curves, polylines of few or many chords, and dashes in separate paths.
//!
//! Chains are cut into smooth runs. Runs and short strokes that continue one another are joined end to end, first where they
//! touch and then over gaps. Sequences that a circle fits become arcs.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use smallvec::SmallVec;

use crate::symbols::circle::{self, Circle};
use crate::symbols::drawing::{Chain, Drawing};
use crate::symbols::places::Grid;
use crate::symbols::plane::{Extent, Point, ordered};

/// Neighbouring chords of an arc turn by no more than this: a quarter drawn with three chords turns by 30°.
const MOST_TURN: f32 = 0.62;
/// Coordinates may be off by this much, in points: plot drivers round to dots of a 600th of an inch.
const ROUNDING: f32 = 0.12;
/// A point of an arc may be off its circle by this share of the radius, or by the rounding.
const OFF_CIRCLE: f32 = 0.018;
/// Radii of arcs that are kept, in points.
pub(crate) const LEAST_RADIUS: f32 = 2.0;
const MOST_RADIUS: f32 = 400.0;
/// Ends nearer than this touch, in points.
const TOUCHING: f32 = 0.25;
/// The longest dash and the widest gap between dashes, in points: a quarter inch on paper.
const LONGEST_DASH: f32 = 18.0;
const WIDEST_GAP: f32 = 14.0;
/// A dash is often drawn in two, of which one may be tiny; a gap of this many points is looked over all the same.
const LEAST_REACH: f32 = 5.0;
/// From one dash to the next an arc turns by no more than this.
const MOST_TURN_OVER_GAP: f32 = 0.45;
/// An arc that is drawn to a lesser share than this is none.
const LEAST_DRAWN: f32 = 0.3;
/// Pieces that one arc is made of at most.
const MOST_DASHES: usize = 96;
/// An arc of the largest radius is off its chord by twice the rounding where the chord is so long, in points.
const STRAIGHT: f32 = 28.0;
/// Of a straight row so many pieces may begin the arc that follows it.
const TANGENT: usize = 2;
/// Ends that are looked at around one end: a place with more is a hatch.
const MOST_NEIGHBOURS: u32 = 48;

/// A part of a circle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    pub(crate) center: Point,
    pub(crate) radius: f32,
    /// Where it starts, in radians counterclockwise from the x axis.
    pub(crate) start: f32,
    /// How far it goes on counterclockwise, in radians, up to a full turn.
    pub(crate) sweep: f32,
    /// The share of it that is drawn: less than 1 for dashes.
    pub(crate) drawn: f32,
    /// Whether its own line goes on smoothly beyond its start and its end: a fillet's does, a door's doesn't.
    pub(crate) goes_on: [bool; 2],
    /// Where its line starts and ends, which may be a little off the circle.
    pub(crate) ends: [Point; 2],
}

impl Arc {
    pub(crate) fn point(&self, share: f32) -> Point {
        self.center + Point::at(self.start + share * self.sweep) * self.radius
    }

    pub(crate) fn extent(&self) -> Extent {
        let steps = 16;
        Extent::bounding((0..=steps).map(|step| self.point(step as f32 / steps as f32)))
    }
}

/// A smooth piece of line that may be a part of an arc.
#[derive(Clone, Debug)]
struct Piece {
    /// Most pieces of a page are strokes of two points.
    points: SmallVec<[Point; 3]>,
    style: u32,
    /// Whether its chain goes on smoothly before its first point and after its last.
    goes_on: [bool; 2],
    /// Whether its ends are its chain's.
    open: [bool; 2],
    length: f32,
    /// By how much it turns, in radians counterclockwise.
    turned: f32,
}

/// Rebuilds a drawing's arcs, in nearly linear time in its points.
pub(crate) fn detect(drawing: &Drawing) -> Vec<Arc> {
    let mut pieces = Vec::new();
    for chain in &drawing.chains {
        smooth_runs(drawing.points(chain), chain, &mut pieces);
    }
    let links = Links::new(&pieces);
    let mut arcs = Vec::new();
    for sequence in links.sequences() {
        arcs_of_sequence(&pieces, &sequence, &mut arcs);
    }
    joined(arcs)
}

/// Cuts a chain into runs that turn one way; a chain of one short stroke is a run of its own.
fn smooth_runs(points: &[Point], chain: &Chain, pieces: &mut Vec<Piece>) {
    let count = points.len();
    if !chain.closed && count <= 3 {
        if let Some(dash) = dash(points, chain) {
            pieces.push(dash);
        }
        if count == 2 {
            return;
        }
    }
    // A closed chain is gone around once, from its sharpest corner to the same corner.
    let (first, steps) = if chain.closed { (sharpest(points), count + 1) } else { (0, count) };
    let around: Vec<Point> = (0..steps).map(|step| points[(first + step) % count]).collect();
    let mut start = 0;
    while start + 3 < around.len() {
        let end = smooth_to(&around, start);
        if end - start >= 3 {
            circular(&around, start, end, chain, pieces);
        }
        start = end.max(start + 1);
    }
}

/// A short stroke that goes straight.
fn dash(points: &[Point], chain: &Chain) -> Option<Piece> {
    let length: f32 = points.windows(2).map(|pair| pair[0].to(pair[1])).sum();
    let straight = points.first()?.to(*points.last()?) >= 0.995 * length;
    let dash = || Piece {
        points: SmallVec::from_slice(points),
        style: chain.style,
        goes_on: [false; 2],
        open: [true; 2],
        length,
        turned: 0.0,
    };
    (straight && length <= LONGEST_DASH).then(dash)
}

/// By how much a line turns at its middle point, in radians counterclockwise, and how much of that rounding may be.
fn turn_at(a: Point, b: Point, c: Point) -> (f32, f32) {
    let (before, after) = (b - a, c - b);
    let noise = ROUNDING / before.length().max(0.01) + ROUNDING / after.length().max(0.01);
    (before.cross(after).atan2(before.dot(after)), noise)
}

/// The last point that a line goes on to smoothly from `start`, turning one way.
fn smooth_to(points: &[Point], start: usize) -> usize {
    let mut side = 0.0_f32;
    for middle in start + 1..points.len() - 1 {
        let (turn, noise) = turn_at(points[middle - 1], points[middle], points[middle + 1]);
        let back = side != 0.0 && turn * side < 0.0 && turn.abs() > noise;
        if turn.abs() > MOST_TURN + noise.min(0.3) || back {
            return middle;
        }
        if side == 0.0 && turn.abs() > noise.min(0.1) {
            side = turn.signum();
        }
    }
    points.len() - 1
}

/// Cuts a smooth line into the longest pieces that lie on circles, from its start on.
fn circular(points: &[Point], start: usize, end: usize, chain: &Chain, pieces: &mut Vec<Piece>) {
    let fits = |from: usize, to: usize| {
        circle::fit(points[from..=to].iter().copied()).filter(|circle| {
            circle.radius <= 4.0 * MOST_RADIUS && circle.off <= (OFF_CIRCLE * circle.radius).max(1.5 * ROUNDING)
        })
    };
    let mut from = start;
    while from + 3 <= end {
        if fits(from, from + 3).is_none() {
            from += 1;
            continue;
        }
        // The farthest point that still fits: by doubling, then by halves.
        let mut good = from + 3;
        let mut step = 2;
        while good < end && fits(from, (good + step).min(end)).is_some() {
            good = (good + step).min(end);
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            if good + step <= end && fits(from, good + step).is_some() {
                good += step;
            }
        }
        let run: SmallVec<[Point; 3]> = SmallVec::from_slice(&points[from..=good]);
        let length = run.windows(2).map(|pair| pair[0].to(pair[1])).sum();
        let turned: f32 = run.windows(3).map(|three| turn_at(three[0], three[1], three[2]).0).sum();
        let last = points.len() - 1;
        let ring = chain.closed;
        let goes_on = [
            from > start || (ring && from == 0 && smooth_seam(points)),
            good < end || (ring && good == last && smooth_seam(points)),
        ];
        pieces.push(Piece {
            points: run,
            style: chain.style,
            goes_on,
            open: [!ring && from == 0, !ring && good == last],
            length,
            turned,
        });
        from = good;
    }
}

/// Whether a closed line has no corner where it starts and ends.
fn smooth_seam(points: &[Point]) -> bool {
    match points {
        [first, second, .., before, _] => turn_at(*before, *first, *second).0.abs() < MOST_TURN,
        _ => false,
    }
}

/// The vertex at which a closed chain turns most.
fn sharpest(points: &[Point]) -> usize {
    let count = points.len();
    let turn = |vertex: usize| {
        let before = points[vertex] - points[(vertex + count - 1) % count];
        let after = points[(vertex + 1) % count] - points[vertex];
        before.cross(after).atan2(before.dot(after)).abs()
    };
    (0..count).max_by(|&a, &b| turn(a).total_cmp(&turn(b))).unwrap_or(0)
}

/// Which pieces go on from one another. End `2 * piece` is a piece's first point, `2 * piece + 1` its last.
struct Links<'a> {
    pieces: &'a [Piece],
    ends: Vec<End>,
    next: Vec<Option<u32>>,
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
    /// Both ends of a piece.
    fn both(piece: &Piece) -> [Self; 2] {
        match piece.points.as_slice() {
            [first, .., last] => {
                let points = piece.points.as_slice();
                let (second, before) = (points[1], points[points.len() - 2]);
                [
                    Self { at: *first, leaves: (*first - second).unit(), style: piece.style },
                    Self { at: *last, leaves: (*last - before).unit(), style: piece.style },
                ]
            }
            _ => Default::default(),
        }
    }
}

impl<'a> Links<'a> {
    fn new(pieces: &'a [Piece]) -> Self {
        let ends = pieces.iter().flat_map(End::both).collect();
        let mut links = Self { pieces, ends, next: vec![None; pieces.len() * 2] };
        links.join(|_| TOUCHING, TOUCHING);
        links.join(|piece| (3.0 * piece.length + 1.0).clamp(LEAST_REACH, WIDEST_GAP), WIDEST_GAP);
        links
    }

    /// Joins free ends that are each other's best, within each piece's reach.
    fn join(&mut self, reach: impl Fn(&Piece) -> f32, widest: f32) {
        let mut ends = Grid::new(widest.max(2.0), MOST_NEIGHBOURS);
        let mut all = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            for side in 0..2 {
                let end = 2 * number + side;
                let is_free = piece.open[side] && self.next[end].is_none();
                if is_free
                    && piece.length <= LONGEST_DASH.max(widest * 2.0) * 4.0
                    && ends.add(self.ends[end].at, end as u32)
                {
                    all.push(end as u32);
                }
            }
        }
        let best = |end: u32| -> Option<u32> {
            let own = self.ends[end as usize];
            let within = reach(self.piece(end)?);
            let area = Extent::bounding([own.at]).grown(within);
            let others = ends.near(area).copied().filter(|&other| {
                let End { at, style, .. } = self.ends[other as usize];
                area.holds(at) && style == own.style && other / 2 != end / 2 && own.at.to(at) <= within
            });
            let costs = others.filter_map(|other| Some((self.cost(end, other)?, other)));
            costs.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, other)| other)
        };
        let mut choices: Vec<Option<Option<u32>>> = vec![None; self.ends.len()];
        let mut chosen = |end: u32| *choices[end as usize].get_or_insert_with(|| best(end));
        let mut pairs = Vec::new();
        for end in all {
            if let Some(other) = chosen(end)
                && end < other
                && chosen(other) == Some(end)
            {
                pairs.push((end, other));
            }
        }
        for (a, b) in pairs {
            self.next[a as usize] = Some(b);
            self.next[b as usize] = Some(a);
        }
    }

    fn piece(&self, end: u32) -> Option<&'a Piece> {
        self.pieces.get(end as usize / 2)
    }

    /// How badly one end goes on at another; none where it doesn't.
    fn cost(&self, end: u32, other: u32) -> Option<f32> {
        let (own, piece) = (self.piece(end)?, self.piece(other)?);
        let (End { at: from, leaves, .. }, End { at: to, leaves: back, .. }) =
            (self.ends[end as usize], self.ends[other as usize]);
        let enters = back * -1.0;
        let way = to - from;
        let (short, long) = ordered(own.length, piece.length);
        // The shorter a stroke, the less is known of its direction.
        let noise = |piece: &Piece| (ROUNDING / piece.length.max(0.01)).min(0.5);
        let (own_noise, other_noise) = (noise(own), noise(piece));
        let turn = |a: Point, b: Point| a.cross(b).atan2(a.dot(b));
        if way.length() <= TOUCHING {
            // An arc that is drawn in one go ends where it ends: what goes on from it straight is a jamb.
            let whole_arc = |piece: &Piece| piece.points.len() >= 5 && piece.turned.abs() >= 0.3;
            let straight = |piece: &Piece| piece.points.len() < 4;
            let joint = (whole_arc(own) && straight(piece)) || (whole_arc(piece) && straight(own));
            if joint || long >= 20.0 * short.max(0.3) {
                return None;
            }
            let most = MOST_TURN + own_noise + other_noise;
            // To tell an angle takes long, and of lines that meet most do so at a right angle.
            if most < FRAC_PI_2 && leaves.dot(enters) <= 0.0 {
                return None;
            }
            let whole = turn(leaves, enters).abs();
            return (whole < most).then_some(whole);
        }
        // Nothing turns by a right angle over a gap; most ends that are near are seen to by this alone.
        if leaves.dot(way) <= 0.0 || way.dot(enters) <= 0.0 || long > 30.0 * short.max(0.3) {
            return None;
        }
        // Over a gap an arc turns twice about alike, the same way as its dashes do.
        let over_gap = ROUNDING / way.length();
        let (out, into) = (turn(leaves, way), turn(way, enters));
        let noise = own_noise + other_noise + 2.0 * over_gap;
        let even = (out - into).abs() <= 0.12 + noise + 0.5 * out.abs().max(into.abs());
        let most = MOST_TURN_OVER_GAP + over_gap;
        if out.abs() > most + own_noise || into.abs() > most + other_noise || !even {
            return None;
        }
        let whole = turn(leaves, enters);
        let side = if end.is_multiple_of(2) { -own.turned } else { own.turned };
        if side != 0.0 && whole.abs() > 0.05 + noise && whole * side < 0.0 {
            return None;
        }
        Some(way.length() * (1.0 + (out - into).abs() + 0.5 * whole.abs()))
    }

    /// Pieces in a row, each with whether it is gone through backwards.
    fn sequences(&self) -> Vec<Vec<(usize, bool)>> {
        let count = self.next.len() / 2;
        let mut seen = vec![false; count];
        let mut sequences = Vec::new();
        let walk = |start: usize, seen: &mut Vec<bool>| {
            let mut sequence = Vec::new();
            let (mut piece, mut backwards) = (start, self.next[2 * start].is_some());
            while !seen[piece] {
                seen[piece] = true;
                sequence.push((piece, backwards));
                let exit = 2 * piece + usize::from(!backwards);
                let Some(entry) = self.next[exit] else { break };
                piece = entry as usize / 2;
                backwards = entry % 2 == 1;
            }
            sequence
        };
        // Rows with an end first, then rings.
        for piece in 0..count {
            if !seen[piece] && (self.next[2 * piece].is_none() || self.next[2 * piece + 1].is_none()) {
                sequences.push(walk(piece, &mut seen));
            }
        }
        for piece in 0..count {
            if !seen[piece] {
                sequences.push(walk(piece, &mut seen));
            }
        }
        sequences
    }
}

/// The arc that a row of pieces makes, or those that its pieces make alone.
fn arcs_of_sequence(pieces: &[Piece], sequence: &[(usize, bool)], arcs: &mut Vec<Arc>) {
    let mut rest = sequence;
    // A row of dashes may run straight before or after it bends: grow from each piece as far as a circle goes.
    while let Some(piece) = rest.first().and_then(|(number, _)| pieces.get(*number)) {
        let passed = straight(pieces, rest).saturating_sub(TANGENT);
        if passed > 0 {
            rest = &rest[passed..];
            continue;
        }
        let taken = longest(pieces, rest);
        if taken > 1 {
            arcs.extend(arc_through(pieces, &rest[..taken]));
        } else {
            alone(piece, arcs);
        }
        rest = &rest[taken.max(1)..];
    }
}

fn alone(piece: &Piece, arcs: &mut Vec<Arc>) {
    if piece.points.len() < 4 {
        return;
    }
    let Some(circle) = circle::fit(piece.points.iter().copied()) else { return };
    arcs.extend(arc(circle, &piece.points, piece.length, piece.goes_on));
}

/// How many pieces from the first on lie in one line, where that is too long for an arc; else none.
fn straight(pieces: &[Piece], row: &[(usize, bool)]) -> usize {
    let ends = |&(number, backwards): &(usize, bool)| {
        let (first, last) = (*pieces.get(number)?.points.first()?, *pieces.get(number)?.points.last()?);
        Some(if backwards { (last, first) } else { (first, last) })
    };
    let Some((start, _)) = row.first().and_then(ends) else { return 0 };
    let far_end =
        row.iter().take(MOST_DASHES).filter_map(ends).map(|(_, end)| end).find(|end| end.to(start) >= STRAIGHT);
    let Some(far_end) = far_end else { return 0 };
    let along = (far_end - start).unit();
    let in_line = |(number, _): &&(usize, bool)| {
        let piece = pieces.get(*number);
        piece.is_some_and(|piece| piece.points.iter().all(|point| (*point - start).cross(along).abs() <= ROUNDING))
    };
    let count = row.iter().take_while(in_line).count();
    let reached = row.get(count.saturating_sub(1)).and_then(ends).map_or(0.0, |(_, end)| end.to(start));
    if reached >= STRAIGHT { count } else { 0 }
}

/// How many pieces from the first on lie on one circle: 1 where the first two don't.
fn longest(pieces: &[Piece], sequence: &[(usize, bool)]) -> usize {
    let sequence = sequence.get(..MOST_DASHES).unwrap_or(sequence);
    let fits = |count: usize| arc_through(pieces, &sequence[..count]).is_some();
    if sequence.len() < 2 {
        return 1;
    }
    if fits(sequence.len()) {
        return sequence.len();
    }
    // Three dashes are the fewest that tell a circle; a curved piece and another are enough.
    let mut best = 1;
    let mut count = 2;
    while count < sequence.len() {
        if fits(count) {
            best = count;
        } else if best > 1 || count > 6 {
            break;
        }
        count += 1;
    }
    best
}

fn arc_through(pieces: &[Piece], sequence: &[(usize, bool)]) -> Option<Arc> {
    let mut points: Vec<Point> = Vec::new();
    let mut length = 0.0;
    for &(number, backwards) in sequence {
        let piece = pieces.get(number)?;
        length += piece.length;
        if backwards {
            points.extend(piece.points.iter().rev());
        } else {
            points.extend(piece.points.iter());
        }
    }
    let (first, last) = (sequence.first()?, sequence.last()?);
    let (start, end) = (pieces.get(first.0)?, pieces.get(last.0)?);
    let goes_on = [start.goes_on[usize::from(first.1)], end.goes_on[usize::from(!last.1)]];
    // Straight dashes touch the circle with both ends or with the middle: half a sagitta is let through.
    let circle = circle::fit(points.iter().copied())?;
    if points.len() < 6 {
        return None;
    }
    arc(circle, &points, length, goes_on)
}

fn arc(circle: Circle, points: &[Point], length: f32, goes_on: [bool; 2]) -> Option<Arc> {
    let Circle { center, radius, off } = circle;
    if !(LEAST_RADIUS..=MOST_RADIUS).contains(&radius) || off > (OFF_CIRCLE * radius).max(2.0 * ROUNDING) {
        return None;
    }
    // The turn from point to point, always the same way.
    let mut sweep = 0.0_f32;
    for pair in points.windows(2) {
        let (a, b) = (pair[0] - center, pair[1] - center);
        let step = a.cross(b).atan2(a.dot(b));
        // What goes back more than a rounding's worth is no arc.
        if step * sweep < 0.0 && step.abs() * radius > 3.0 * ROUNDING {
            return None;
        }
        sweep += step;
    }
    let drawn = (length / (radius * sweep.abs()).max(0.01)).min(1.0);
    if sweep.abs() < 0.12 || drawn < LEAST_DRAWN {
        return None;
    }
    let (first, last) = (points.first()?, points.last()?);
    let (ends, goes_on) =
        if sweep > 0.0 { ([*first, *last], goes_on) } else { ([*last, *first], [goes_on[1], goes_on[0]]) };
    let start = (ends[0] - center).angle();
    Some(Arc { center, radius, start, sweep: sweep.abs().min(TAU), drawn, goes_on, ends })
}

/// Arcs of the same circle that overlap or nearly touch are one.
fn joined(mut arcs: Vec<Arc>) -> Vec<Arc> {
    arcs.sort_by(|a, b| b.sweep.total_cmp(&a.sweep));
    let mut kept: Vec<Arc> = Vec::with_capacity(arcs.len());
    let mut near: Grid<usize> = Grid::new(8.0, MOST_NEIGHBOURS);
    for arc in arcs {
        let around = Extent::bounding([arc.center]).grown(8.0);
        let joined = near.near(around).find_map(|&other| Some((other, union(kept.get(other)?, &arc)?)));
        if let Some((other, union)) = joined {
            kept[other] = union;
        } else {
            near.add(arc.center, kept.len());
            kept.push(arc);
        }
    }
    kept
}

fn union(a: &Arc, b: &Arc) -> Option<Arc> {
    let within = 0.03 * a.radius + 0.3;
    if a.center.to(b.center) > within || (a.radius - b.radius).abs() > within {
        return None;
    }
    let gap = 0.12_f32;
    // The other's start, counted from this one's.
    let offset = (b.start - a.start + PI).rem_euclid(TAU) - PI;
    let (low, high) = (offset.min(0.0), a.sweep.max(offset + b.sweep));
    let apart = if offset >= 0.0 { offset - a.sweep } else { -(offset + b.sweep) };
    let around = if offset < 0.0 && a.sweep + b.sweep > TAU * 0.9 { -1.0 } else { apart };
    if around > gap {
        // The other may lie beyond the seam of the circle.
        let beyond = (b.start - (a.start + a.sweep)).rem_euclid(TAU);
        if beyond > gap {
            return None;
        }
        let sweep = (a.sweep + beyond + b.sweep).min(TAU);
        return Some(Arc { sweep, goes_on: [a.goes_on[0], b.goes_on[1]], ends: [a.ends[0], b.ends[1]], ..*a });
    }
    let sweep = (high - low).min(TAU);
    let start = a.start + low;
    let first = if low < -0.02 { b } else { a };
    let last = if high > a.sweep + 0.02 { b } else { a };
    let (goes_on, ends) = ([first.goes_on[0], last.goes_on[1]], [first.ends[0], last.ends[1]]);
    Some(Arc { start, sweep, drawn: a.drawn.max(b.drawn), goes_on, ends, ..*a })
}
