//! A page's drawing with a spatial index of its lines.

use std::cell::Cell;

use fanlight_contract::{Geometry, PagePaths, PageText, Rect};
use fanlight_sheet::scale::{Scale, plan_ratios};

use crate::symbols::arcs::{self, Arc};
use crate::symbols::drawing::{Drawing, Segment};
use crate::symbols::index::Index;
use crate::symbols::plane::{Extent, Point, ordered};

/// Lines that are looked at around places before a page is given up: a dense sheet of 200,000 segments takes a twentieth of it.
/// What is found by then stays.
const MOST_LOOKED_AT: usize = 40_000_000;

/// The side of the cells that lines are found by, in points: about the radius of a door on a plan at 1:100.
const CELL: f32 = 12.0;
/// The side of the squares, in points, that lines are sorted by.
const SQUARE: f32 = 36.0;

/// A page's lines and arcs with their spatial index.
pub struct Plan {
    pub(crate) drawing: Drawing,
    pub(crate) segments: Vec<Segment>,
    pub(crate) index: Index,
    pub(crate) arcs: Vec<Arc>,
    /// What may still be looked at: see [`MOST_LOOKED_AT`].
    effort: Cell<usize>,
    /// Points on paper for an inch in the building that the sheet's notes tell, the commonest first.
    pub(crate) noted: Vec<f32>,
}

/// Which lines count as lining a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lining {
    /// How far to the left and to the right of the way, in points, both positive outwards.
    pub(crate) left: f32,
    pub(crate) right: f32,
    /// How far a line may go on beyond the way's ends, in points.
    pub(crate) beyond: f32,
}

impl Plan {
    /// Reads a page, in time proportional to its drawing.
    pub fn read(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Self {
        let drawing = Drawing::new(paths, geometry);
        let mut segments = drawing.segments();
        // What lies in one place is looked at together, and is quicker to look at where it lies together in memory as well.
        segments.sort_by_cached_key(|segment| by_place(segment.a));
        let ends: Vec<(Point, Point)> = segments.iter().map(|segment| (segment.a, segment.b)).collect();
        let index = Index::new(drawing.page, CELL, &ends);
        drop(ends);
        let arcs = arcs::detect(&drawing);
        let ratios = plan_ratios(text, geometry).into_iter();
        let noted = ratios.map(|ratio| Scale { ratio }.points_per_inch()).collect();
        Self { drawing, segments, index, arcs, effort: Cell::new(MOST_LOOKED_AT), noted }
    }

    /// Returns the straight pieces that may touch a box.
    pub(crate) fn near<'a>(
        &'a self,
        area: Extent,
        found: &'a mut Vec<u32>,
    ) -> impl Iterator<Item = (u32, &'a Segment)> + 'a {
        found.clear();
        if self.effort.get() > 0 {
            self.index.near(area, found);
            self.effort.set(self.effort.get().saturating_sub(found.len()));
        }
        found.iter().filter_map(|&number| Some((number, self.segments.get(number as usize)?)))
    }

    /// Returns the share of the way from `a` to `b` that parallel lines cover.
    pub(crate) fn along(&self, a: Point, b: Point, lining: Lining) -> f32 {
        self.along_by(a, b, lining, |_| true)
    }

    /// Returns the share of the way from `a` to `b` that parallel lines in ink cover.
    pub(crate) fn inked_along(&self, a: Point, b: Point, lining: Lining) -> f32 {
        self.along_by(a, b, lining, |segment| segment.inked)
    }

    fn along_by(&self, a: Point, b: Point, lining: Lining, counts: impl Fn(&Segment) -> bool) -> f32 {
        let (direction, long) = ((b - a).unit(), a.to(b));
        let mut found = Vec::new();
        let mut covers: Vec<(f32, f32)> = Vec::new();
        let area = Extent::bounding([a, b]).grown(lining.left.max(lining.right));
        for (_, segment) in self.near(area, &mut found).filter(|(_, segment)| counts(segment)) {
            let (from, to) = (segment.a - a, segment.b - a);
            let (off, end_off) = (direction.cross(from), direction.cross(to));
            let (start, end) = ordered(direction.dot(from), direction.dot(to));
            let (rightmost, leftmost) = ordered(off, end_off);
            let parallel = (off - end_off).abs() <= 0.07 * (end - start) + 0.1;
            let beside = leftmost <= lining.left && rightmost >= -lining.right;
            let within = start >= -lining.beyond && end <= long + lining.beyond;
            if !parallel || !beside || !within || end <= 0.0 || start >= long || end - start < 0.02 * long {
                continue;
            }
            covers.push((start.max(0.0), end.min(long)));
        }
        (covered(&mut covers) / long.max(0.01)).min(1.0)
    }
}

/// Returns which square of a page that is divided into squares a point lies in: they count up by rows. All of what lies to the
/// left of the page or below it comes first.
fn by_place(point: Point) -> u32 {
    let line = |coordinate: f32| u32::from((coordinate / SQUARE) as u16);
    line(point.y) << 16 | line(point.x)
}

/// Returns the length that intervals cover together.
pub(crate) fn covered(intervals: &mut [(f32, f32)]) -> f32 {
    intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut total = 0.0;
    let mut reached = f32::MIN;
    for &mut (start, end) in intervals {
        let from = start.max(reached);
        if end > from {
            total += end - from;
            reached = end;
        }
    }
    total
}

pub(crate) fn extent(rect: &Rect) -> Extent {
    Extent { x1: rect.x1, y1: rect.y1, x2: rect.x2, y2: rect.y2 }
}

pub(crate) fn rect(extent: Extent) -> Rect {
    Rect { x1: extent.x1, y1: extent.y1, x2: extent.x2, y2: extent.y2 }
}
