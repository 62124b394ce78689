//! Circular arcs, rebuilt from Bézier curves, polylines of few or many chords, and dashes in separate paths.
//!
//! - `pieces`: chains are cut into smooth runs and short strokes;
//! - `links`: those that continue one another are joined end to end, first where they touch and then across gaps;
//! - `fitting`: sequences that a circle fits become arcs;
//! - `union`: arcs of one circle become one.
//!
//! Constants without a source are set by hand.

mod fitting;
mod links;
mod pieces;
mod union;

use smallvec::SmallVec;

use crate::symbols::drawing::Drawing;
use crate::symbols::plane::{Extent, Point};

/// Most angle between neighbouring chords of an arc, in radians: a quarter drawn with three chords turns by 30 degrees, 0.52.
const MAX_TURN: f32 = 0.62;
/// Coordinates may be off by this much, in points: plot drivers round to dots of a 600th of an inch, 0.12 points.
const ROUNDING: f32 = 0.12;
/// Least radius of an arc, in points: less is a letter's.
const MIN_RADIUS: f32 = 2.0;
/// Most radius of an arc, in points: a leaf of 48 in at 1:10 is 346.
const MAX_RADIUS: f32 = 400.0;
/// A point of an arc may be off its circle by this share of the radius, or by the rounding.
const OFF_CIRCLE: f32 = 0.018;
/// The longest dash, in points: a quarter of an inch on paper.
const MAX_DASH: f32 = 18.0;
/// Most pieces that one arc is made of, a bound on time.
const MAX_PIECES: usize = 96;
/// Most ends or arcs that are looked at around one: a place with more is a hatch.
const MAX_NEIGHBOURS: u32 = 48;
/// Least length that is divided by, in points.
const MIN_LENGTH: f32 = 0.01;

/// Two facts or places, of the start and of the end.
type Ends<T> = [T; 2];

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
    /// Whether its own line continues smoothly beyond each end: a fillet's does, a door's does not.
    pub(crate) goes_on: Ends<bool>,
    /// Where its line starts and ends, which may be slightly off the circle.
    pub(crate) ends: Ends<Point>,
}

/// Most share of an arc in dashes that is drawn.
const MAX_DRAWN_OF_DASHES: f32 = 0.9;
/// Points of an arc whose bounding box is taken for the arc's.
const EXTENT_STEPS: usize = 16;

impl Arc {
    /// Returns the point at a share of the sweep.
    pub(crate) fn point(&self, share: f32) -> Point {
        self.center + Point::at(self.start + share * self.sweep) * self.radius
    }

    /// Returns whether it is drawn in dashes.
    pub(crate) fn is_dashed(&self) -> bool {
        self.drawn <= MAX_DRAWN_OF_DASHES
    }

    pub(crate) fn extent(&self) -> Extent {
        Extent::bounding((0..=EXTENT_STEPS).map(|step| self.point(step as f32 / EXTENT_STEPS as f32)))
    }
}

/// A smooth piece of line that may be a part of an arc.
#[derive(Clone, Debug)]
struct Piece {
    /// Most pieces of a page are strokes of two points.
    points: SmallVec<[Point; 3]>,
    style: u32,
    /// Whether its chain continues smoothly beyond each end.
    goes_on: Ends<bool>,
    /// Whether each end is its chain's.
    open: Ends<bool>,
    length: f32,
    /// By how much it turns, in radians counterclockwise.
    turned: f32,
}

/// A piece in a sequence, which may run against its own direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    piece: usize,
    is_backwards: bool,
}

/// Rebuilds a drawing's arcs, in nearly linear time in its points.
pub(crate) fn detect(drawing: &Drawing) -> Vec<Arc> {
    let mut pieces = Vec::new();
    for chain in &drawing.chains {
        pieces::add_pieces(drawing.points(chain), chain, &mut pieces);
    }
    let mut arcs = Vec::new();
    for sequence in links::sequences(&pieces) {
        fitting::add_arcs(&pieces, &sequence, &mut arcs);
    }
    union::united(arcs)
}

/// Returns the length of a polyline.
fn length(points: &[Point]) -> f32 {
    points.windows(2).map(|pair| pair[0].to(pair[1])).sum()
}

/// Returns the angle from one direction to another, in radians counterclockwise, from -π to π.
fn turn(from: Point, to: Point) -> f32 {
    from.cross(to).atan2(from.dot(to))
}
