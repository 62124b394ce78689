//! Features of a view's lines: floor and ceiling, swings of doors, poché, roofs.

use fanlight_contract::Rect;
use fanlight_geometry::{Line, Lines, Segment};

/// The lines of a sheet from which features of its views are computed.
pub(crate) struct Looks<'a> {
    lines: &'a Lines,
    /// Doors' swings: the middle of each arc.
    swings: Vec<(f32, f32)>,
    /// Edges of filled areas and long slanted lines: middle and length.
    filled: Vec<((f32, f32), f32)>,
    slanted: Vec<((f32, f32), f32)>,
}

/// Features of a view.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is seen in a view or isn't")]
pub(crate) struct Look {
    /// A line runs along most of its foot.
    pub(crate) floor: bool,
    /// A line runs along a good part of its top.
    pub(crate) ceiling: bool,
    /// Doors swing in it.
    pub(crate) swings: usize,
    /// Walls are filled: a plan or a section.
    pub(crate) poche: bool,
    /// A roof's slopes.
    pub(crate) roof: bool,
}

/// A line along the foot runs over so much of the view's width.
const FLOOR: f32 = 0.6;
/// Likewise along the top: soffits and stairs interrupt it.
const CEILING: f32 = 0.4;
/// The foot and the top take so much of the view's height.
const ENDS: f32 = 0.2;
/// Edges of filled areas as long as so much of the view's outline are poché.
const POCHE: f32 = 1.2;
/// Slanted lines as long as this share of the view's width each are a roof's, where two or more stand in its upper half.
const SLOPE: f32 = 0.28;

impl<'a> Looks<'a> {
    pub(crate) fn new(segments: &[Segment], lines: &'a Lines) -> Self {
        let filled = segments.iter().filter(|segment| segment.filled && !segment.curved && segment.length() >= 10.0);
        let slanted = segments.iter().filter(|segment| {
            let (dx, dy) = ((segment.to.0 - segment.from.0).abs(), (segment.to.1 - segment.from.1).abs());
            !segment.curved && !segment.dashed && dx >= 30.0 && dy >= 0.1 * dx && dy <= 1.8 * dx
        });
        Self {
            lines,
            swings: swings(segments),
            filled: filled.map(|segment| (segment.midpoint(), segment.length())).collect(),
            slanted: slanted.map(|segment| (segment.midpoint(), segment.length())).collect(),
        }
    }

    /// Computes the features of a view.
    pub(crate) fn at(&self, view: Rect) -> Look {
        let (wide, high) = (view.x2 - view.x1, view.y2 - view.y1);
        let inside = |(x, y): (f32, f32)| view.x1 <= x && x <= view.x2 && view.y1 <= y && y <= view.y2;
        let runs = |top: f32, bottom: f32, share: f32| {
            self.lines.horizontal_between(top, bottom).iter().any(|line| line.within(view.x1, view.x2) >= share * wide)
        };
        let edges: f32 = self.filled.iter().filter(|(at, _)| inside(*at)).map(|(_, length)| length).sum();
        let slopes = self
            .slanted
            .iter()
            .filter(|(at, length)| inside(*at) && at.1 < f32::midpoint(view.y1, view.y2) && *length >= SLOPE * wide);
        Look {
            floor: runs(view.y2 - ENDS * high, view.y2 + 1.0, FLOOR),
            ceiling: runs(view.y1 - 1.0, view.y1 + ENDS * high, CEILING),
            swings: self.swings.iter().filter(|at| inside(**at)).count(),
            poche: edges >= POCHE * 2.0 * (wide + high),
            roof: slopes.count() >= 2,
        }
    }
}

impl Looks<'_> {
    /// From a view's floor to its ceiling in points: the longest of its plumb lines that end at level lines along most
    /// of its foot and its top, as the corners of a room do. Dimensions run past theirs.
    pub(crate) fn height(&self, view: Rect) -> Option<f32> {
        let wide = view.x2 - view.x1;
        let runs = |at: f32, share: f32| {
            let near = self.lines.horizontal_between(at - END, at + END);
            near.iter().any(|line| line.within(view.x1, view.x2) >= share * wide)
        };
        let corners = self.lines.vertical_between(view.x1, view.x2).iter().filter(|line| {
            let inside = line.from >= view.y1 - END && line.to <= view.y2 + END;
            inside && line.length() >= 0.4 * (view.y2 - view.y1) && runs(line.from, CEILING) && runs(line.to, FLOOR)
        });
        corners.map(Line::length).max_by(f32::total_cmp)
    }
}

/// Lines that end so near to each other meet, in points.
const END: f32 = 1.2;

/// Arcs of a quarter turn, as doors swing: curves of a path that begin along one axis and end along the other, with a
/// straight leaf from their middle point to an end. Only Bézier curves are looked at.
fn swings(segments: &[Segment]) -> Vec<(f32, f32)> {
    let mut found = Vec::new();
    let mut run: Vec<&Segment> = Vec::new();
    let mut leaves = Vec::new();
    for segment in segments {
        if !segment.curved
            && (segment.is_horizontal() || segment.is_vertical())
            && (10.0..160.0).contains(&segment.length())
        {
            leaves.push(segment);
        }
    }
    leaves.sort_by(|a, b| a.from.0.min(a.to.0).total_cmp(&b.from.0.min(b.to.0)));
    let mut close = |run: &mut Vec<&Segment>| {
        if let (Some(first), Some(last)) = (run.first(), run.last())
            && let Some((middle, radius)) = quarter(first, last)
            && has_leaf(&leaves, middle, radius, [first.from, last.to])
        {
            found.push(middle);
        }
        run.clear();
    };
    for segment in segments {
        let follows = run.last().is_some_and(|last| segment.curved && near(last.to, segment.from, 0.2));
        if !follows {
            close(&mut run);
        }
        if segment.curved {
            run.push(segment);
        }
    }
    close(&mut run);
    found
}

fn near(a: (f32, f32), b: (f32, f32), by: f32) -> bool {
    (a.0 - b.0).abs() <= by && (a.1 - b.1).abs() <= by
}

/// The middle point and radius of a quarter turn about an upright corner.
fn quarter(first: &Segment, last: &Segment) -> Option<((f32, f32), f32)> {
    let (a, b) = (first.from, last.to);
    let (dx, dy) = ((b.0 - a.0).abs(), (b.1 - a.1).abs());
    if dx.min(dy) < 10.0 || dx.max(dy) > 160.0 || (dx - dy).abs() > 0.08 * dx.max(dy) {
        return None;
    }
    let level = (first.to.0 - a.0).abs() > (first.to.1 - a.1).abs();
    // Where the arc begins along x, its middle is above or below its beginning.
    let middle = if level { (a.0, b.1) } else { (b.0, a.1) };
    Some((middle, dx.max(dy)))
}

/// Whether a straight leaf lies between the middle of an arc and one of its ends.
fn has_leaf(leaves: &[&Segment], middle: (f32, f32), radius: f32, ends: [(f32, f32); 2]) -> bool {
    let slack = 0.1 * radius + 1.0;
    let from = leaves.partition_point(|leaf| leaf.from.0.min(leaf.to.0) < middle.0 - radius - slack);
    leaves
        .get(from..)
        .unwrap_or_default()
        .iter()
        .take_while(|leaf| leaf.from.0.min(leaf.to.0) <= middle.0 + slack)
        .take(4_000)
        .any(|leaf| {
            ends.iter().any(|end| {
                (near(leaf.from, middle, slack) && near(leaf.to, *end, slack))
                    || (near(leaf.to, middle, slack) && near(leaf.from, *end, slack))
            })
        })
}
