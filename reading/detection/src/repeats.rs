//! Finds the places of a page that are drawn like a given box: copies of one symbol, also turned, also mirrored.
//!
//! An office draws a symbol once and inserts it many times, so its copies consist of equal lines. The search takes the lines
//! of the symbol whose lengths are rarest on the page. Each line of such a length proposes motions that bring the symbol
//! there (geometric hashing with one line as the basis). A motion leads to a copy if most of the symbol's lines lie there,
//! and most of what is drawn there belongs to the symbol.

mod motion;

use std::cell::Cell;

use fanlight_contract::{Geometry, PagePaths, Rect};
use fanlight_geometry::non_maximum_suppression;

use crate::repeats::motion::Motion;
use crate::symbols::Plan;
use crate::symbols::drawing::{Drawing, Segment};
use crate::symbols::places::Grid;
use crate::symbols::plan::{extent, rect};
use crate::symbols::plane::{Extent, Point};

/// A place that is drawn like a given box.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// The given box, moved there: in user space of the unrotated page, in points.
    pub bbox: Rect,
    /// By how many degrees the symbol is turned counterclockwise, after it is mirrored: from 0 to 360.
    pub turn: f32,
    /// Whether the symbol is mirrored left to right, before it is turned.
    pub mirrored: bool,
    /// The share, from 0 to 1, of the length of both drawings that agrees: the lower one of the symbol's and the place's.
    pub score: f32,
}

/// Ends of equal lines are at most this far apart, in points. Plotters round coordinates to a 300th of an inch, which moves
/// each of two ends by up to 0.17 points.
const TOLERANCE: f32 = 0.4;
/// Lines shorter than this, in points, are not compared: within the tolerance they equal any other.
const MIN_LENGTH: f32 = TOLERANCE;
/// Fewest lines of a symbol. Fewer are a rectangle, or a corner of walls, which equal too much.
const MIN_LINES: usize = 5;
/// Most lines of a symbol: what has more is a part of a drawing.
const MAX_LINES: usize = 3_000;
/// Places whose drawing agrees less than this are not copies.
const MIN_SCORE: f32 = 0.7;
/// Two places are the same if their boxes overlap by this share of one of them.
const SAME_SHARE: f32 = 0.5;
/// Most lines of a symbol whose equals on the page propose motions.
const MAX_BASES: usize = 6;
/// Most motions that all of these lines may propose: a symbol of lines as of a hatch has no place of its own.
const MAX_PROPOSALS: usize = 6_000;
/// Lines that are compared on one page before the search ends: about a second.
const MAX_COMPARED: usize = 30_000_000;
/// Side of the cells that lines are looked up by, in points.
const CELL: f32 = 2.0;
/// Most lines of one cell that are kept.
const MAX_IN_CELL: u32 = 96;

/// The lines of a page, prepared for the search.
pub struct DrawnLines {
    lines: Vec<Segment>,
    /// The lines by their length: length, and place in `lines`.
    by_length: Vec<(f32, u32)>,
    /// The lines by their middle.
    by_middle: Grid<u32>,
    compared: Cell<usize>,
}

impl DrawnLines {
    /// Reads the lines of a page, in time proportional to its drawing.
    pub fn read(paths: &PagePaths, geometry: &Geometry) -> Self {
        Self::new(&Drawing::new(paths, geometry).segments())
    }

    /// Takes the lines of a plan.
    pub fn of_plan(plan: &Plan) -> Self {
        Self::new(&plan.segments)
    }

    fn new(segments: &[Segment]) -> Self {
        let is_compared = |line: &&Segment| line.inked && length(line) >= MIN_LENGTH;
        let lines: Vec<Segment> = segments.iter().filter(is_compared).copied().collect();
        let mut by_middle = Grid::new(CELL, MAX_IN_CELL);
        let mut by_length = Vec::with_capacity(lines.len());
        for (number, line) in lines.iter().enumerate() {
            by_middle.add(middle(line.a, line.b), number as u32);
            by_length.push((length(line), number as u32));
        }
        by_length.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { lines, by_length, by_middle, compared: Cell::new(0) }
    }

    /// Returns what is drawn in a box. Lines that run on beyond the box, as walls do, are left out.
    ///
    /// # Errors
    ///
    /// Why the box holds no symbol.
    pub fn symbol(&self, bbox: Rect) -> Result<Symbol, NoSymbol> {
        let area = extent(&bbox);
        let is_finite = [area.x1, area.y1, area.x2, area.y2].iter().all(|value| value.is_finite());
        if !is_finite || area.area() <= 0.0 {
            return Err(NoSymbol::NoArea);
        }
        let inside = self.inside(area).ok_or(NoSymbol::TooManyLines)?;
        if inside.len() < MIN_LINES {
            return Err(NoSymbol::TooFewLines);
        }
        let mut lines: Vec<Segment> =
            inside.into_iter().filter_map(|number| self.lines.get(number as usize)).copied().collect();
        lines.sort_by(|a, b| length(b).total_cmp(&length(a)));
        let total = lines.iter().map(length).sum();
        Ok(Symbol { area, lines, length: total })
    }

    /// Returns the places that are drawn like a symbol, the most alike first and without overlaps. On the symbol's own page the
    /// symbol is among them.
    pub fn copies(&self, symbol: &Symbol) -> Vec<Repeat> {
        let mut found: Vec<Repeat> = Vec::new();
        for base in self.bases(symbol) {
            for &(_, number) in self.of_length(length(base)) {
                if self.compared.get() > MAX_COMPARED {
                    break;
                }
                let Some(line) = self.lines.get(number as usize) else { continue };
                for motion in Motion::between((base.a, base.b), (line.a, line.b)) {
                    found.extend(self.copy_at(symbol, &motion));
                }
            }
        }
        found.sort_by(|a, b| steps(b).total_cmp(&steps(a)).then(simplicity(a).total_cmp(&simplicity(b))));
        non_maximum_suppression(found, |kept, copy| {
            let (kept, own) = (extent(&kept.bbox), extent(&copy.bbox));
            kept.common(&own) > SAME_SHARE * kept.area().min(own.area())
        })
    }

    /// Returns the boxes of the places that are drawn like a box, itself among them; none if the box holds no symbol.
    pub fn places_like(&self, bbox: Rect) -> Vec<Rect> {
        let found = self.symbol(bbox).map(|symbol| self.copies(&symbol)).unwrap_or_default();
        found.iter().map(|repeat| repeat.bbox).collect()
    }

    /// Returns the lines of a symbol whose lengths are rarest on the page, each of another length.
    fn bases<'a>(&self, symbol: &'a Symbol) -> Vec<&'a Segment> {
        // Of lengths within the tolerance one is enough, and the symbol's lines are sorted by length.
        let mut lengths: Vec<(usize, &Segment)> = Vec::new();
        for line in &symbol.lines {
            if lengths.last().is_none_or(|(_, last)| length(last) - length(line) > TOLERANCE) {
                lengths.push((self.of_length(length(line)).len(), line));
            }
        }
        lengths.retain(|(count, _)| *count > 0);
        lengths.sort_by_key(|(count, _)| *count);
        let mut proposals = 0;
        let within = lengths.into_iter().take(MAX_BASES).take_while(|(count, _)| {
            proposals += count;
            proposals <= MAX_PROPOSALS
        });
        within.map(|(_, line)| line).collect()
    }

    /// Returns the lines that lie in an area, or `None` if they are more than those of a symbol.
    fn inside(&self, area: Extent) -> Option<Vec<u32>> {
        let area = area.grown(TOLERANCE);
        let mut inside: Vec<u32> = Vec::new();
        for &number in self.by_middle.near(area) {
            let Some(line) = self.lines.get(number as usize) else { continue };
            if area.holds(line.a) && area.holds(line.b) {
                inside.push(number);
            }
            if inside.len() > MAX_LINES {
                return None;
            }
        }
        self.compared.set(self.compared.get() + inside.len());
        Some(inside)
    }

    /// Returns the lines of a length.
    fn of_length(&self, length: f32) -> &[(f32, u32)] {
        let from = self.by_length.partition_point(|(own, _)| *own < length - TOLERANCE);
        let to = self.by_length.partition_point(|(own, _)| *own <= length + TOLERANCE);
        self.by_length.get(from..to).unwrap_or_default()
    }

    /// Returns the copy of a symbol where a motion brings it, if there is one.
    fn copy_at(&self, symbol: &Symbol, motion: &Motion) -> Option<Repeat> {
        let mut equal: Vec<u32> = Vec::new();
        let mut there = 0.0;
        let mut left = symbol.length;
        for line in &symbol.lines {
            let own = length(line);
            there += if self.equal_lines(line, motion, &mut equal) { own } else { 0.0 };
            left -= own;
            if there + left < MIN_SCORE * symbol.length {
                return None;
            }
        }
        let area = motion.place_extent(&symbol.area);
        equal.sort_unstable();
        equal.dedup();
        let length_of = |number: &u32| self.lines.get(*number as usize).map_or(0.0, length);
        let drawn: f32 = self.inside(area)?.iter().map(length_of).sum();
        let explained: f32 = equal.iter().map(length_of).sum();
        let score = (there / symbol.length).min((explained / drawn.max(MIN_LENGTH)).min(1.0));
        let Motion { degrees: turn, is_mirrored: mirrored, .. } = *motion;
        (score >= MIN_SCORE).then(|| Repeat { bbox: rect(area), turn, mirrored, score })
    }

    /// Adds the lines that equal a line after a motion. Returns whether there is one.
    fn equal_lines(&self, line: &Segment, motion: &Motion, equal: &mut Vec<u32>) -> bool {
        let (a, b) = (motion.place(line.a), motion.place(line.b));
        let near = self.by_middle.near(Extent::bounding([middle(a, b)]).grown(TOLERANCE));
        let before = equal.len();
        let mut compared = 0;
        for &number in near {
            compared += 1;
            let Some(own) = self.lines.get(number as usize) else { continue };
            let is_same = own.a.to(a) <= TOLERANCE && own.b.to(b) <= TOLERANCE;
            if is_same || (own.a.to(b) <= TOLERANCE && own.b.to(a) <= TOLERANCE) {
                equal.push(number);
            }
        }
        self.compared.set(self.compared.get() + compared);
        equal.len() > before
    }
}

/// Why a box holds no symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSymbol {
    /// The box has no area, or a corner that is no number.
    NoArea,
    /// Fewer lines than a symbol has lie in it.
    TooFewLines,
    /// More lines lie in it: a part of a drawing.
    TooManyLines,
}

/// What is drawn in a box.
#[derive(Debug)]
pub struct Symbol {
    /// The box.
    area: Extent,
    /// Its lines, the longest first.
    lines: Vec<Segment>,
    /// The length of all its lines, in points.
    length: f32,
}

fn length(line: &Segment) -> f32 {
    line.a.to(line.b)
}

fn middle(a: Point, b: Point) -> Point {
    Point::new(f32::midpoint(a.x, b.x), f32::midpoint(a.y, b.y))
}

/// Returns the score in steps of a hundredth: rounding must not decide between the motions of a symmetrical symbol.
fn steps(repeat: &Repeat) -> f32 {
    (repeat.score * 100.0).round()
}

/// Returns a number that is lower for simpler motions: of a symmetrical symbol's motions the simplest is told.
fn simplicity(copy: &Repeat) -> f32 {
    copy.turn + if copy.mirrored { 360.0 } else { 0.0 }
}

#[cfg(test)]
mod tests;
