//! Rules: the straight lines that a table can be ruled with, whatever they are drawn as.

use fanlight_contract::{PagePaths, Rect};
use fanlight_geometry::{Frame, PathStep, walk};

/// A straight line along one axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    /// Where it lies across its direction: y of a horizontal rule, x of a vertical one.
    pub(crate) at: f32,
    /// Where it starts along its direction.
    pub(crate) from: f32,
    /// Where it ends; more than `from`.
    pub(crate) to: f32,
}

/// The rules of a page in one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Rows' borders: `at` is y, from the top.
    pub(crate) horizontal: Vec<Rule>,
    /// Columns' borders: `at` is x, from the left.
    pub(crate) vertical: Vec<Rule>,
    /// Slanted and curved segments no larger than a letter's, in no order.
    pub(crate) drawn: Vec<Drawn>,
    /// Small round marks, as schedules have them for "yes", from the top.
    pub(crate) marks: Vec<Mark>,
    /// Filled boxes as high as a row and longer than wide, from the top.
    pub(crate) bands: Vec<Rect>,
}

/// A slanted or curved segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawn {
    /// The middle of its box in the frame.
    pub(crate) middle: (f32, f32),
    /// Half the extent of its box.
    pub(crate) half: (f32, f32),
}

/// A small drawn mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Its middle in the frame.
    pub(crate) middle: (f32, f32),
    /// What it stands for.
    pub(crate) sign: &'static str,
}

/// A segment that rises by less than this for each point of its length is straight along an axis.
const SLANT: f32 = 0.01;
/// A filled strip no thicker than this is a rule, in points.
const STRIP: f32 = 3.0;
/// A strip is at least so many times as long as thick.
const STRIP_RATIO: f32 = 4.0;
/// Rules this close that lie on one line are the same line: a CAD program's rounding.
const SAME_LINE: f32 = 0.6;
/// Pieces of a line with no more than this between them are one.
const BREAK: f32 = 1.2;
/// Two parallel lines this close are one double rule: no text fits between them.
const DOUBLE: f32 = 3.2;
/// Minimum length of a rule, in points: the height of the lowest row.
const SHORTEST: f32 = 5.0;
/// Letters' segments are no longer than this on either side, in points: what is longer is a hatch or a drawing.
const LETTER: f32 = 40.0;
/// Minimum and maximum side of a round mark, in points.
const MARK_SIDES: (f32, f32) = (1.5, 12.0);
/// Minimum and maximum height and minimum length of a shaded row, in points.
const BAND: (f32, f32, f32) = (5.0, 90.0, 120.0);
/// Maximum coordinate of a page, in points.
const FURTHEST: f32 = 200_000.0;
/// Colors whose channels are all at least this light, of 255, are not visible on paper.
const INVISIBLE: u32 = 246;

impl Rules {
    /// Returns the marks between two heights.
    pub(crate) fn marks_between(&self, top: f32, bottom: f32) -> &[Mark] {
        let from = self.marks.partition_point(|mark| mark.middle.1 < top);
        let to = self.marks.partition_point(|mark| mark.middle.1 < bottom);
        self.marks.get(from..to).unwrap_or_default()
    }

    /// Finds the rules of a page's paths. The cost is linear in segments except for two sorts.
    pub(crate) fn detect(paths: &PagePaths, frame: &Frame) -> Self {
        // Most of what is drawn is slanted; memory that is not written to costs nothing.
        let mut sorter = Sorter { drawn: Vec::with_capacity(paths.ops.len()), ..Sorter::default() };
        let mut part = Part::default();
        for path in paths.each() {
            let paint =
                Paint { stroked: path.style.stroke.is_some_and(seen), filled: path.style.fill.is_some_and(seen) };
            if path.style.opacity >= 0.05 && (paint.stroked || paint.filled) {
                sorter.add(walk(&path, |x, y| frame.place(x, y)), paint, &mut part);
            }
        }
        let Sorter { horizontal, vertical, drawn, mut marks, mut bands } = sorter;
        marks.sort_by(|a, b| a.middle.1.total_cmp(&b.middle.1));
        bands.sort_by(|a, b| a.y1.total_cmp(&b.y1));
        Self { horizontal: joined(horizontal), vertical: joined(vertical), drawn, marks, bands }
    }
}

/// How a path is visibly painted.
#[derive(Clone, Copy)]
struct Paint {
    stroked: bool,
    filled: bool,
}

/// Sorts what is drawn into rules, marks, bands and the rest.
#[derive(Default)]
struct Sorter {
    horizontal: Vec<Rule>,
    vertical: Vec<Rule>,
    drawn: Vec<Drawn>,
    marks: Vec<Mark>,
    bands: Vec<Rect>,
}

impl Sorter {
    /// Adds one path.
    fn add(&mut self, steps: impl Iterator<Item = PathStep>, paint: Paint, part: &mut Part) {
        part.clear();
        for step in steps {
            match step {
                PathStep::MoveTo(to) => {
                    self.close(part, paint);
                    part.clear();
                    part.points.push(to);
                }
                PathStep::LineTo(to) => part.points.push(to),
                PathStep::CurveTo(_, to) => {
                    part.curved.push(part.points.len());
                    part.points.push(to);
                }
                PathStep::Close => part.closed = true,
            }
        }
        self.close(part, paint);
    }

    /// Adds one subpath.
    fn close(&mut self, part: &Part, Paint { stroked, filled }: Paint) {
        let [first, .., last] = part.points.as_slice() else { return };
        if !part.points.iter().all(|(x, y)| x.is_finite() && y.is_finite()) {
            return;
        }
        if part.curved.len() >= 2 {
            self.curve(part, filled);
            return;
        }
        if filled && !stroked {
            self.fill(part);
            return;
        }
        let mut curved = part.curved.iter().copied().peekable();
        for (index, pair) in part.points.windows(2).enumerate() {
            let [a, b] = *pair else { continue };
            if curved.next_if_eq(&(index + 1)).is_some() {
                self.draw(Extent::between(a, b));
            } else {
                self.segment(a, b);
            }
        }
        if part.closed {
            self.segment(*last, *first);
        }
    }

    /// Adds a subpath of several curves: a round mark, or a part of a letter.
    fn curve(&mut self, part: &Part, filled: bool) {
        let extent = part.extent();
        let (wide, tall) = extent.size();
        let round = wide.min(tall) >= MARK_SIDES.0
            && wide.max(tall) <= MARK_SIDES.1
            && wide.max(tall) <= 1.25 * wide.min(tall)
            && part.returns();
        if round {
            self.marks.push(Mark { middle: extent.middle(), sign: if filled { "●" } else { "○" } });
        } else {
            self.draw(extent);
        }
    }

    /// Adds a filled subpath without an outline: a strip, a band, or a part of a letter.
    fn fill(&mut self, part: &Part) {
        let extent = part.extent();
        if !part.curved.is_empty() || !part.is_box() {
            self.draw(extent);
            return;
        }
        let ((wide, tall), middle) = (extent.size(), extent.middle());
        if tall <= STRIP && wide >= STRIP_RATIO * tall && wide >= SHORTEST / 2.0 {
            self.horizontal.push(Rule { at: middle.1, from: extent.low.0, to: extent.high.0 });
        } else if wide <= STRIP && tall >= STRIP_RATIO * wide && tall >= SHORTEST / 2.0 {
            self.vertical.push(Rule { at: middle.0, from: extent.low.1, to: extent.high.1 });
        } else if tall >= BAND.0 && tall <= BAND.1 && wide >= BAND.2 {
            self.bands.push(Rect { x1: extent.low.0, y1: extent.low.1, x2: extent.high.0, y2: extent.high.1 });
        }
    }

    /// Adds a straight segment: a part of a rule, or of a letter.
    fn segment(&mut self, a: (f32, f32), b: (f32, f32)) {
        let extent = Extent::between(a, b);
        let (wide, tall) = extent.size();
        if wide < 0.05 && tall < 0.05 {
            return;
        }
        let Extent { low, high } = extent;
        if tall <= SLANT * wide || (tall < 0.3 && wide > 2.0) {
            self.horizontal.push(Rule { at: f32::midpoint(low.1, high.1), from: low.0, to: high.0 });
        } else if wide <= SLANT * tall || (wide < 0.3 && tall > 2.0) {
            self.vertical.push(Rule { at: f32::midpoint(low.0, high.0), from: low.1, to: high.1 });
        } else {
            self.draw(extent);
        }
    }

    /// Keeps what may be a part of a letter.
    fn draw(&mut self, extent: Extent) {
        let (wide, tall) = extent.size();
        if wide <= LETTER && tall <= LETTER {
            self.drawn.push(Drawn { middle: extent.middle(), half: (wide / 2.0, tall / 2.0) });
        }
    }
}

/// The bounding box of a part of a path.
#[derive(Clone, Copy)]
struct Extent {
    low: (f32, f32),
    high: (f32, f32),
}

impl Extent {
    fn between((x1, y1): (f32, f32), (x2, y2): (f32, f32)) -> Self {
        let (left, right) = lower_first(x1, x2);
        let (top, bottom) = lower_first(y1, y2);
        Self { low: (left, top), high: (right, bottom) }
    }

    fn size(&self) -> (f32, f32) {
        (self.high.0 - self.low.0, self.high.1 - self.low.1)
    }

    fn middle(&self) -> (f32, f32) {
        (f32::midpoint(self.low.0, self.high.0), f32::midpoint(self.low.1, self.high.1))
    }
}

/// Returns two values in ascending order. Compares them, because `f32::min` and `f32::max` are function calls in WebAssembly and
/// this runs for every segment of a sheet.
fn lower_first(a: f32, b: f32) -> (f32, f32) {
    if a <= b { (a, b) } else { (b, a) }
}

/// A subpath: the ends of its segments.
#[derive(Default)]
struct Part {
    points: Vec<(f32, f32)>,
    /// Indices of the points that end a curve, ascending.
    curved: Vec<usize>,
    closed: bool,
}

impl Part {
    fn clear(&mut self) {
        self.points.clear();
        self.curved.clear();
        self.closed = false;
    }

    fn extent(&self) -> Extent {
        let mut low = (f32::MAX, f32::MAX);
        let mut high = (f32::MIN, f32::MIN);
        for &(x, y) in &self.points {
            low = (lower_first(low.0, x).0, lower_first(low.1, y).0);
            high = (lower_first(high.0, x).1, lower_first(high.1, y).1);
        }
        Extent { low, high }
    }

    /// Returns whether it ends where it began.
    fn returns(&self) -> bool {
        let meet = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).abs() < 0.5 && (a.1 - b.1).abs() < 0.5;
        self.closed || matches!(self.points.as_slice(), [first, .., last] if meet(*first, *last))
    }

    /// Returns whether it is a rectangle along the axes, or a line without thickness.
    fn is_box(&self) -> bool {
        let along = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).abs() < 0.1 || (a.1 - b.1).abs() < 0.1;
        let corners = self.points.len();
        (2..=6).contains(&corners)
            && self.points.windows(2).all(|pair| matches!(pair, [a, b] if along(*a, *b)))
            && matches!(self.points.as_slice(), [first, .., last] if along(*first, *last))
    }
}

/// Returns whether a color (0xRRGGBB) is visible on paper.
fn seen(color: u32) -> bool {
    let channel = |shift: u32| (color >> shift) & 0xff;
    channel(16).min(channel(8)).min(channel(0)) < INVISIBLE
}

/// Joins parts of rules to rules and double rules to one, and drops those that are too short.
pub(crate) fn joined(pieces: Vec<Rule>) -> Vec<Rule> {
    let lines = merged(pieces, SAME_LINE, BREAK, |_, _| true);
    let long: Vec<Rule> = lines.into_iter().filter(|rule| rule.to - rule.from >= SHORTEST).collect();
    merged(long, DOUBLE, 0.0, |a, b| {
        let shared = a.to.min(b.to) - a.from.max(b.from);
        shared >= 0.7 * (a.to - a.from).max(b.to - b.from)
    })
}

/// Strokes of a picture as rules: those of one line, thick or wavering, are one, however often it is broken.
pub(crate) fn gathered(strokes: Vec<Rule>, shortest: f32) -> Vec<Rule> {
    let lines = merged(strokes, DOUBLE, 8.0, |_, _| true);
    lines.into_iter().filter(|rule| rule.to - rule.from >= shortest).collect()
}

/// Rules no further than `apart` from each other, and along their direction no further than `gap`, made one where
/// `alike` says so. A band of many such lines side by side is a hatch, not one thick rule: it stays as it is.
fn merged(mut rules: Vec<Rule>, apart: f32, gap: f32, alike: impl Fn(&Rule, &Rule) -> bool) -> Vec<Rule> {
    rules.retain(|rule| [rule.at, rule.from, rule.to].iter().all(|place| place.abs() <= FURTHEST));
    rules.sort_unstable_by_key(|rule| (ordered(rule.from), ordered(rule.at), ordered(rule.to)));
    let mut first = f32::MAX;
    let mut last = f32::MIN;
    for rule in &rules {
        first = lower_first(first, rule.at).0;
        last = lower_first(last, rule.at).1;
    }
    // The sets that may grow in each strip of the page, newest last. Strips are as broad as the tolerance, so that what
    // is near lies in this strip or one beside it.
    let strip_of = |at: f32| ((at - first) / apart) as usize + 1;
    let mut strips: Vec<Vec<Growing>> = vec![Vec::new(); if rules.is_empty() { 0 } else { strip_of(last) + 2 }];
    // In the order in which they began.
    let mut lines: Vec<Rule> = Vec::with_capacity(rules.len());
    for rule in rules {
        let strip = strip_of(rule.at);
        let mut joins = false;
        for beside in [strip, strip - 1, strip + 1] {
            let there = &mut strips[beside];
            // What ended before this rule begins can't join any later one either.
            there.retain(|set| set.line.to + gap >= rule.from);
            if let Some(set) = there.iter_mut().find(|set| set.takes(&rule, apart) && alike(&set.line, &rule)) {
                set.add(&rule);
                lines[set.number as usize] = set.line;
                joins = true;
                break;
            }
        }
        if !joins {
            strips[strip].push(Growing { line: rule, low: rule.at, high: rule.at, number: lines.len() as u32 });
            lines.push(rule);
        }
    }
    lines
}

/// A place as a number in the same order.
fn ordered(place: f32) -> u32 {
    let bits = place.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// Rules that are becoming one.
#[derive(Clone, Copy)]
struct Growing {
    line: Rule,
    /// Where the outermost of them lie across their direction.
    low: f32,
    high: f32,
    /// How many began before it.
    number: u32,
}

impl Growing {
    /// Whether it is no broader than `apart` with one more rule.
    fn takes(&self, rule: &Rule, apart: f32) -> bool {
        rule.at - self.low <= apart && self.high - rule.at <= apart
    }

    fn add(&mut self, rule: &Rule) {
        self.low = lower_first(self.low, rule.at).0;
        self.high = lower_first(self.high, rule.at).1;
        self.line.to = lower_first(self.line.to, rule.to).1;
        self.line.at = f32::midpoint(self.low, self.high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(at: f32, from: f32, to: f32) -> Rule {
        Rule { at, from, to }
    }

    #[test]
    fn pieces_of_one_line_are_one_rule() {
        let pieces = vec![rule(100.0, 0.0, 20.0), rule(100.1, 20.0, 40.0), rule(99.9, 40.5, 60.0)];
        let lines = joined(pieces);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].from, lines[0].to), (0.0, 60.0));
    }

    #[test]
    fn a_double_line_is_one_rule_and_a_row_is_not() {
        let double = joined(vec![rule(100.0, 0.0, 60.0), rule(102.0, 0.0, 60.0)]);
        assert_eq!(double, [rule(101.0, 0.0, 60.0)]);
        let row = joined(vec![rule(100.0, 0.0, 60.0), rule(108.0, 0.0, 60.0)]);
        assert_eq!(row.len(), 2);
    }

    #[test]
    fn rules_that_only_lie_on_one_line_stay_apart() {
        assert_eq!(joined(vec![rule(100.0, 0.0, 60.0), rule(100.0, 90.0, 160.0)]).len(), 2);
    }
}
