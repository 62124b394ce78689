//! Rules: the straight lines that a table can be ruled with, whatever they are drawn as.

use std::ops::RangeInclusive;

use fanlight_contract::{PagePaths, Rect};
use fanlight_geometry::{EMPTY_RECT, Frame, PathStep, RectExt as _, walk};

/// A straight line along one axis of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    /// Its position across its direction: y of a horizontal rule, x of a vertical one.
    pub(crate) at: f32,
    /// Where it starts along its direction.
    pub(crate) from: f32,
    /// Where it ends; more than `from`.
    pub(crate) to: f32,
}

impl Rule {
    /// Returns the horizontal rule in the middle of a box, as long as the box.
    pub(crate) fn along_row(bbox: &Rect) -> Self {
        Self { at: bbox.center().1, from: bbox.x1, to: bbox.x2 }
    }

    /// Returns the vertical rule in the middle of a box, as long as the box.
    fn along_column(bbox: &Rect) -> Self {
        Self { at: bbox.center().0, from: bbox.y1, to: bbox.y2 }
    }

    /// Returns the box of a horizontal rule, without height.
    pub(crate) fn as_row(&self) -> Rect {
        Rect { x1: self.from, y1: self.at, x2: self.to, y2: self.at }
    }

    /// Returns the box of a vertical rule, without width.
    pub(crate) fn as_column(&self) -> Rect {
        Rect { x1: self.at, y1: self.from, x2: self.at, y2: self.to }
    }
}

/// Returns rules sorted by their position across their direction.
pub(crate) fn sorted<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Vec<Rule> {
    let mut sorted: Vec<Rule> = rules.into_iter().copied().collect();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at));
    sorted
}

/// Returns the rules, which are [`sorted`], between two positions.
pub(crate) fn between(rules: &[Rule], from: f32, to: f32) -> &[Rule] {
    let first = rules.partition_point(|rule| rule.at < from);
    let end = rules.partition_point(|rule| rule.at <= to);
    rules.get(first..end).unwrap_or_default()
}

/// The rules of a page in one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Borders of rows: `at` is y, from the top.
    pub(crate) horizontal: Vec<Rule>,
    /// Borders of columns: `at` is x, from the left.
    pub(crate) vertical: Vec<Rule>,
    /// Slanted and curved segments no larger than a letter's, in no order.
    pub(crate) drawn: Vec<Drawn>,
    /// Small round marks, as schedules have them for "yes", from the top.
    pub(crate) marks: Vec<Mark>,
    /// The upper and lower edges of filled boxes as high as a row. Boxes side by side have one edge.
    pub(crate) shade_edges: Vec<Rule>,
}

/// A slanted or curved segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawn {
    /// The middle of its box in the frame.
    pub(crate) middle: (f32, f32),
    /// Half the extent of its box.
    pub(crate) half: (f32, f32),
}

impl Drawn {
    /// Returns its box in the frame.
    pub(crate) fn bbox(&self) -> Rect {
        let ((x, y), (half_width, half_height)) = (self.middle, self.half);
        Rect { x1: x - half_width, y1: y - half_height, x2: x + half_width, y2: y + half_height }
    }
}

/// A small drawn mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Its middle in the frame.
    pub(crate) middle: (f32, f32),
    /// The text that it is read as.
    pub(crate) sign: &'static str,
}

/// Maximum slope of a segment that is straight along an axis, in points per point.
const MAX_SLOPE: f32 = 0.01;
/// A segment longer than [`MIN_ROUNDED_LENGTH`] that deviates less than this from an axis is straight, in points:
/// rounded coordinates give short segments a slope.
const MAX_ROUNDING: f32 = 0.3;
/// Minimum length of a segment that may deviate so, in points.
const MIN_ROUNDED_LENGTH: f32 = 2.0;
/// Segments that are shorter than this along both axes are dots, in points.
const MAX_DOT: f32 = 0.05;
/// Maximum thickness of a filled strip that is a rule, in points.
const MAX_STRIP: f32 = 3.0;
/// Minimum length of a strip, as a multiple of its thickness.
const MIN_STRIP_ASPECT: f32 = 4.0;
/// Parts of rules at most this far apart across their direction are one line, in points: a CAD program's rounding.
const SAME_LINE: f32 = 0.6;
/// Maximum gap between two parts of one line, in points. Browsers leave 1.5 points between the cells of a table.
const MAX_BREAK: f32 = 2.0;
/// Maximum side of a filled square that is a dot of a dotted line, in points.
const MAX_DOT_SIDE: f32 = 1.6;
/// Maximum gap between two strokes of one line in an image, in points.
const MAX_STROKE_BREAK: f32 = 8.0;
/// Parallel lines at most this far apart are one double rule, in points: no text fits between them.
const MAX_DOUBLE: f32 = 3.2;
/// Minimum share of the longer line's length beside which both lines of a double rule are.
const MIN_DOUBLE_OVERLAP: f32 = 0.7;
/// Minimum length of a rule, in points: the height of the lowest row.
const MIN_LENGTH: f32 = 5.0;
/// Maximum extent of a letter's segment along each axis, in points: longer ones are a hatch or a drawing.
const MAX_LETTER: f32 = 40.0;
/// Minimum and maximum extent of a round mark along each axis, in points.
const MARK_EXTENT: RangeInclusive<f32> = 1.5..=12.0;
/// Maximum ratio of a round mark's extents.
const MAX_MARK_ASPECT: f32 = 1.25;
/// Minimum and maximum height of a shaded row, in points.
const SHADE_HEIGHT: RangeInclusive<f32> = 5.0..=90.0;
/// The ends of a closed path are at most this far apart along an axis, in points.
const SAME_END: f32 = 0.5;
/// The ends of a box's side are at most this far apart across it, in points.
const SAME_SIDE: f32 = 0.1;
/// Maximum coordinate of a page, in points. PDF limits a page to 14,400 units, and a unit is at most some points.
const MAX_COORDINATE: f32 = 200_000.0;
/// Colors whose channels are all at least this light, of 255, are not visible on paper.
const MIN_INVISIBLE: u32 = 246;
/// Paths that are more transparent are not visible.
const MIN_OPACITY: f32 = 0.05;

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
        let mut found = Self { drawn: Vec::with_capacity(paths.ops.len()), ..Self::default() };
        let mut part = Part::default();
        for path in paths.each() {
            let paint =
                Paint { stroked: path.style.stroke.is_some_and(seen), filled: path.style.fill.is_some_and(seen) };
            if path.style.opacity >= MIN_OPACITY && (paint.stroked || paint.filled) {
                found.add(walk(&path, |x, y| frame.place(x, y)), paint, &mut part);
            }
        }
        found.marks.sort_by(|a, b| a.middle.1.total_cmp(&b.middle.1));
        Self {
            horizontal: joined(found.horizontal),
            vertical: joined(found.vertical),
            shade_edges: joined(found.shade_edges),
            ..found
        }
    }

    /// Adds what one path draws: parts of rules, marks, edges of shades and the rest.
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
        for (index, &[a, b]) in part.points.array_windows().enumerate() {
            if curved.next_if_eq(&(index + 1)).is_some() {
                self.draw(&box_of_segment(a, b));
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
        let bbox = part.bbox();
        let (wide, tall) = (bbox.width(), bbox.height());
        let is_round = MARK_EXTENT.contains(&wide)
            && MARK_EXTENT.contains(&tall)
            && wide.max(tall) <= MAX_MARK_ASPECT * wide.min(tall)
            && part.returns();
        if is_round {
            self.marks.push(Mark { middle: bbox.center(), sign: if filled { "●" } else { "○" } });
        } else {
            self.draw(&bbox);
        }
    }

    /// Adds a filled subpath without an outline: a strip, a dot, a shade, or a part of a letter.
    fn fill(&mut self, part: &Part) {
        let bbox = part.bbox();
        if !part.curved.is_empty() || !part.is_box() {
            self.draw(&bbox);
            return;
        }
        let (wide, tall) = (bbox.width(), bbox.height());
        if is_strip(wide, tall) {
            self.horizontal.push(Rule::along_row(&bbox));
        } else if is_strip(tall, wide) {
            self.vertical.push(Rule::along_column(&bbox));
        } else if wide.max(tall) <= MAX_DOT_SIDE {
            self.horizontal.push(Rule::along_row(&bbox));
            self.vertical.push(Rule::along_column(&bbox));
        } else if SHADE_HEIGHT.contains(&tall) && wide >= MIN_LENGTH {
            self.shade_edges.extend([bbox.y1, bbox.y2].map(|at| Rule { at, from: bbox.x1, to: bbox.x2 }));
        }
    }

    /// Adds a straight segment: a part of a rule, or of a letter.
    fn segment(&mut self, a: (f32, f32), b: (f32, f32)) {
        let bbox = box_of_segment(a, b);
        let (wide, tall) = (bbox.width(), bbox.height());
        if wide < MAX_DOT && tall < MAX_DOT {
            return;
        }
        if is_straight(wide, tall) {
            self.horizontal.push(Rule::along_row(&bbox));
        } else if is_straight(tall, wide) {
            self.vertical.push(Rule::along_column(&bbox));
        } else {
            self.draw(&bbox);
        }
    }

    /// Keeps what may be a part of a letter.
    fn draw(&mut self, bbox: &Rect) {
        let (wide, tall) = (bbox.width(), bbox.height());
        if wide <= MAX_LETTER && tall <= MAX_LETTER {
            self.drawn.push(Drawn { middle: bbox.center(), half: (wide / 2.0, tall / 2.0) });
        }
    }
}

/// How a path is visibly painted.
#[derive(Clone, Copy)]
struct Paint {
    stroked: bool,
    filled: bool,
}

/// Returns whether a filled box is a rule of this length and thickness.
fn is_strip(length: f32, thickness: f32) -> bool {
    thickness <= MAX_STRIP && length >= MIN_STRIP_ASPECT * thickness && length >= MIN_LENGTH / 2.0
}

/// Returns whether a segment of this length, which deviates so far from an axis, is straight along it.
fn is_straight(length: f32, deviation: f32) -> bool {
    deviation <= MAX_SLOPE * length || (deviation < MAX_ROUNDING && length > MIN_ROUNDED_LENGTH)
}

/// Returns the box of the segment between two points.
fn box_of_segment(a: (f32, f32), b: (f32, f32)) -> Rect {
    let ((x1, x2), (y1, y2)) = (lower_first(a.0, b.0), lower_first(a.1, b.1));
    Rect { x1, y1, x2, y2 }
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

    fn bbox(&self) -> Rect {
        self.points.iter().fold(EMPTY_RECT, |sum, &(x, y)| Rect {
            x1: lower_first(sum.x1, x).0,
            y1: lower_first(sum.y1, y).0,
            x2: lower_first(sum.x2, x).1,
            y2: lower_first(sum.y2, y).1,
        })
    }

    /// Returns whether it ends where it began.
    fn returns(&self) -> bool {
        let meet = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).abs() < SAME_END && (a.1 - b.1).abs() < SAME_END;
        self.closed || matches!(self.points.as_slice(), [first, .., last] if meet(*first, *last))
    }

    /// Returns whether it is a rectangle along the axes, or a line without thickness.
    fn is_box(&self) -> bool {
        let along = |a: (f32, f32), b: (f32, f32)| (a.0 - b.0).abs() < SAME_SIDE || (a.1 - b.1).abs() < SAME_SIDE;
        let corners = self.points.len();
        (2..=6).contains(&corners)
            && self.points.array_windows().all(|&[a, b]| along(a, b))
            && matches!(self.points.as_slice(), [first, .., last] if along(*first, *last))
    }
}

/// Returns whether a color (0xRRGGBB) is visible on paper.
fn seen(color: u32) -> bool {
    let channel = |shift: u32| (color >> shift) & 0xff;
    channel(16).min(channel(8)).min(channel(0)) < MIN_INVISIBLE
}

/// Joins parts of rules to rules and double rules to one, and drops those that are too short.
pub(crate) fn joined(parts: Vec<Rule>) -> Vec<Rule> {
    let lines = merged(parts, SAME_LINE, MAX_BREAK, |_, _| true);
    let long: Vec<Rule> = lines.into_iter().filter(|rule| rule.to - rule.from >= MIN_LENGTH).collect();
    merged(long, MAX_DOUBLE, 0.0, are_double)
}

/// Returns whether two parallel lines are beside each other over most of their length.
fn are_double(a: &Rule, b: &Rule) -> bool {
    let shared = a.to.min(b.to) - a.from.max(b.from);
    shared >= MIN_DOUBLE_OVERLAP * (a.to - a.from).max(b.to - b.from)
}

/// Joins strokes of an image to rules that are at least `min_length` points long: a thick line has several strokes, and a
/// line drawn by hand wavers and is broken.
pub(crate) fn joined_strokes(strokes: Vec<Rule>, min_length: f32) -> Vec<Rule> {
    let lines = merged(strokes, MAX_DOUBLE, MAX_STROKE_BREAK, |_, _| true);
    lines.into_iter().filter(|rule| rule.to - rule.from >= min_length).collect()
}

/// Joins rules at most `apart` from each other across their direction and at most `gap` along it, if they are `alike`. A joined
/// rule is at most `apart` thick, so a hatch of many lines does not become one rule.
fn merged(mut rules: Vec<Rule>, apart: f32, gap: f32, alike: impl Fn(&Rule, &Rule) -> bool) -> Vec<Rule> {
    rules.retain(|rule| [rule.at, rule.from, rule.to].iter().all(|place| place.abs() <= MAX_COORDINATE));
    rules.sort_unstable_by(|a, b| {
        a.from.total_cmp(&b.from).then_with(|| a.at.total_cmp(&b.at)).then_with(|| a.to.total_cmp(&b.to))
    });
    let first = rules.iter().fold(f32::MAX, |first, rule| lower_first(first, rule.at).0);
    let last = rules.iter().fold(f32::MIN, |last, rule| lower_first(last, rule.at).1);
    // The rules in each strip of the page that later ones may join. A strip is as high as `apart`, so near rules are in the
    // same strip or a neighboring one.
    let strip_of = |at: f32| ((at - first) / apart) as usize + 1;
    let mut strips: Vec<Vec<JoinedRule>> = vec![Vec::new(); strip_of(last) + 2];
    // In the order in which they begin.
    let mut lines: Vec<Rule> = Vec::with_capacity(rules.len());
    for rule in rules {
        let strip = strip_of(rule.at);
        let mut joins = false;
        for beside in [strip, strip - 1, strip + 1] {
            let there = &mut strips[beside];
            // A rule that ended before this one begins is too far from all later ones as well.
            there.retain(|set| set.line.to + gap >= rule.from);
            if let Some(set) = there.iter_mut().find(|set| set.takes(&rule, apart) && alike(&set.line, &rule)) {
                set.add(&rule);
                lines[set.number as usize] = set.line;
                joins = true;
                break;
            }
        }
        if !joins {
            strips[strip].push(JoinedRule { line: rule, low: rule.at, high: rule.at, number: lines.len() as u32 });
            lines.push(rule);
        }
    }
    lines
}

/// Rules that are joined to one line.
#[derive(Clone, Copy)]
struct JoinedRule {
    line: Rule,
    /// The outermost positions of the rules across their direction.
    low: f32,
    high: f32,
    /// The index of the line.
    number: u32,
}

impl JoinedRule {
    /// Returns whether it is at most `apart` thick with one more rule.
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
    fn parts_of_one_line_are_one_rule() {
        let parts = vec![rule(100.0, 0.0, 20.0), rule(100.1, 20.0, 40.0), rule(99.9, 40.5, 60.0)];
        let lines = joined(parts);
        assert_eq!(lines.len(), 1);
        assert_eq!((lines[0].from, lines[0].to), (0.0, 60.0));
    }

    #[test]
    fn straight_segments_deviate_little_from_an_axis() {
        let cases = [("long", 100.0, 0.9, true), ("slanted", 100.0, 1.1, false), ("rounded", 3.0, 0.2, true)];
        for (what, length, deviation, expected) in cases {
            assert_eq!(is_straight(length, deviation), expected, "{what}");
        }
    }

    #[test]
    fn thin_long_boxes_are_strips() {
        let cases = [("strip", 40.0, 2.0, true), ("box", 40.0, 4.0, false), ("short", 6.0, 2.0, false)];
        for (what, length, thickness, expected) in cases {
            assert_eq!(is_strip(length, thickness), expected, "{what}");
        }
    }

    #[test]
    fn dots_are_a_rule_where_they_are_close() {
        let dots = |pitch: f32| (0..20).map(|n| rule(100.0, pitch * n as f32, pitch * n as f32 + 0.75)).collect();
        assert_eq!(joined(dots(1.5)).len(), 1);
        assert_eq!(joined(dots(6.0)).len(), 0);
    }

    #[test]
    fn double_line_is_one_rule_and_a_row_is_not() {
        let double = joined(vec![rule(100.0, 0.0, 60.0), rule(102.0, 0.0, 60.0)]);
        assert_eq!(double, [rule(101.0, 0.0, 60.0)]);
        let row = joined(vec![rule(100.0, 0.0, 60.0), rule(108.0, 0.0, 60.0)]);
        assert_eq!(row.len(), 2);
    }

    #[test]
    fn parts_of_a_line_that_are_far_apart_are_two_rules() {
        assert_eq!(joined(vec![rule(100.0, 0.0, 60.0), rule(100.0, 90.0, 160.0)]).len(), 2);
    }
}
