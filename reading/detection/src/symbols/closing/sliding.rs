//! Panels that slide into the wall or along its face, and doors that go up.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use crate::symbols::closing::surroundings::{AT_END, Crossing, Parallel, Part, Stretch, Surroundings};
use crate::symbols::panels::ScoredExtent;
use crate::symbols::plan::{Plan, covered};
use crate::symbols::swings::saturated;

/// Thicknesses of panels, in inches: 3/4 in cabinet doors to 3 in insulated ones, with an allowance.
const PANEL_THICKNESS: RangeInclusive<f32> = 0.5..=3.2;
/// A panel on the wall's face is at most this far from it, in inches.
const OFF_FACE: f32 = 4.0;
/// Widths of openings that a pocket door closes, in inches.
const POCKET_WIDTHS: RangeInclusive<f32> = 22.0..=62.0;
/// Widths of openings that a panel on the wall's face closes, in inches.
pub(super) const SURFACE_WIDTHS: RangeInclusive<f32> = 24.0..=100.0;
/// Widths of openings that an overhead door closes, in inches.
const OVERHEAD_WIDTHS: RangeInclusive<f32> = 58.0..=250.0;
/// Depths that a raised overhead door reaches into the building, in inches: about its height.
pub(super) const RAISED_DEPTHS: RangeInclusive<f32> = 60.0..=150.0;
/// Least strokes in a row that make a dashed line.
const MIN_DASHES: usize = 6;
/// Shares of a dashed line that its strokes cover.
const DASHED_SHARES: RangeInclusive<f32> = 0.3..=0.85;
/// Strokes of one dashed line differ in their position across by at most this, in points: rounding.
const SAME_ROW: f32 = 0.15;
/// A dash is at most this share of its line.
const MAX_DASH: f32 = 0.2;
/// The inner part of an opening, as shares of its width: the frame is left out.
const INNER: RangeInclusive<f32> = 0.1..=0.9;
/// An opening is open where both faces run along this share of its inner part, and a wall where along the other.
const OPEN_TO_WALLED: [f32; 2] = [0.6, 0.95];
/// Least length of a panel, as a share of the opening's width.
const MIN_PANEL: f32 = 0.5;
/// Both lines of a panel end within this share of the opening's width, plus some points of rounding.
const LEVEL: f32 = 0.02;
const LEVEL_ROUNDING: f32 = 0.2;
/// A panel's cap is located within this share of the panel's thickness, plus some points of rounding.
const CAP: f32 = 0.3;
const CAP_ROUNDING: f32 = 0.25;

/// Lengths of a pocket door's panel, as shares of the opening's width.
const POCKET_LENGTHS: RangeInclusive<f32> = 0.8..=1.25;
/// Lengths of it in the wall, as shares of the opening's width.
const POCKET_IN_WALL: RangeInclusive<f32> = 0.2..=1.2;
/// How far it reaches from the wall's end into the opening, as shares of the opening's width.
const POCKET_REACH: RangeInclusive<f32> = -0.03..=0.8;
/// Share of the wall's thickness that it stays within.
const POCKET_INSIDE: f32 = 0.85;
/// Least share of the wall beside it, and of the wall with room for all of it, that has both faces.
const POCKET_WALLED: f32 = 0.85;
const POCKET_ROOM_WALLED: f32 = 0.75;
/// The part of the opening that it leaves free, without this share of the width at both ends, and this share of the wall's
/// thickness.
const FREE_MARGIN: f32 = 0.08;
const FREE_DEPTH: f32 = 0.8;
/// A free part is free where lines run along this share of it, and taken where along the other.
const FREE_TO_TAKEN: [f32; 2] = [0.4, 0.8];
/// Confidence of a pocket door that stands in the wall, what a part in the opening of [`POCKET_SURE_REACH`] of the width adds,
/// and what a taken opening and one that is a wall subtract.
const POCKET: f32 = 0.55;
const POCKET_REACHES: f32 = 0.25;
const POCKET_SURE_REACH: f32 = 0.1;
const POCKET_TAKEN: f32 = 0.4;
const POCKET_IS_WALL: f32 = 0.4;

/// Lengths of a panel on the wall's face, as shares of the opening's width.
const SURFACE_LENGTHS: RangeInclusive<f32> = 0.95..=1.45;
/// A panel on the wall's face overlaps the face by at most this, in inches, plus some points of rounding.
const IN_FACE: f32 = 0.3;
const IN_FACE_ROUNDING: f32 = 0.2;
/// A half open panel ends beyond one of these shares of the opening's width, and not beyond the other.
const HALF_OPEN: RangeInclusive<f32> = -0.05..=1.05;
/// Least share of the opening that a half open panel covers.
const MIN_COVERED: f32 = 0.2;
/// Confidence of a panel on the wall's face, and what an opening that is a wall subtracts.
const SURFACE: f32 = 0.65;
const SURFACE_IS_WALL: f32 = 0.2;

/// A closed overhead door, and the far edge of a raised one, end within these shares of the opening's width.
const CLOSED_WITHIN: RangeInclusive<f32> = 0.04..=0.96;
const RAISED_WITHIN: RangeInclusive<f32> = 0.05..=0.95;
/// Most length of both, as a share of the opening's width.
const MAX_SPAN: f32 = 1.15;
/// The sides of a raised door begin within the first share of its least depth, and reach the second.
const RAISED_SIDE: RangeInclusive<f32> = 0.3..=0.8;
/// The sides of a raised door are no longer than this many times the most depth.
const MAX_RAISED_SIDE: f32 = 1.05;
/// Confidence of an overhead door by what is drawn: panel, dashed line and raised outline, the outline with one of them, or
/// both without it. A dashed line alone is a beam.
const OVERHEAD_WITH_ALL: f32 = 0.9;
const OVERHEAD_RAISED: f32 = 0.7;
const OVERHEAD_CLOSED: f32 = 0.5;
/// What an opening that is a wall subtracts, and one that posts divide.
const OVERHEAD_IS_WALL: f32 = 0.25;
const OVERHEAD_DIVIDED: f32 = 0.3;
/// Posts stay within this many times the wall's thickness, and are apart by this share of the opening's width.
const POST_DEPTH: f32 = 1.1;
const BETWEEN_POSTS: f32 = 0.03;
/// Least posts that divide an opening.
const MIN_POSTS: usize = 2;

/// A thin rectangle along an opening, in the opening's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    stretch: Stretch,
    /// Where its middle line is across the opening.
    off: f32,
    thick: f32,
}

impl Panel {
    fn length(&self) -> f32 {
        self.stretch.length()
    }

    /// Returns the length of it that lies in an opening of this width.
    fn within(&self, width: f32) -> f32 {
        (self.stretch.to.min(width) - self.stretch.from.max(0.0)).max(0.0)
    }
}

impl Surroundings {
    /// Returns the panels: pairs of lines of one length, at least half of the opening's, that are capped.
    pub(super) fn panels(&self) -> Vec<Panel> {
        let mut lines: Vec<&Parallel> =
            self.parallels.iter().filter(|line| line.length() >= MIN_PANEL * self.width).collect();
        lines.sort_by(|a, b| a.off.total_cmp(&b.off));
        let nearest = |index: usize, line: &&Parallel| {
            let others = lines.iter().skip(index + 1);
            let mut others = others.take_while(|other| other.off - line.off <= PANEL_THICKNESS.end() * self.scale);
            others.find_map(|other| self.panel_between(line, other))
        };
        lines.iter().enumerate().filter_map(|(index, line)| nearest(index, line)).collect()
    }

    /// Returns the panel between two lines if they are even and capped.
    fn panel_between(&self, line: &Parallel, other: &Parallel) -> Option<Panel> {
        let thick = other.off - line.off;
        let level = LEVEL * self.width + LEVEL_ROUNDING;
        let is_even = (line.from - other.from).abs().max((line.to - other.to).abs()) <= level;
        let stretch = Stretch { from: line.from, to: line.to };
        let panel = Panel { stretch, off: line.off + thick / 2.0, thick };
        (is_even && thick >= PANEL_THICKNESS.start() * self.scale && self.is_capped(&panel)).then_some(panel)
    }

    /// Whether a panel is closed at its ends, or ends at the opening's, and is not two lines that end together.
    fn is_capped(&self, panel: &Panel) -> bool {
        let near = CAP * panel.thick + CAP_ROUNDING;
        [panel.stretch.from, panel.stretch.to].into_iter().all(|end| {
            let is_at_end = end.abs().min((end - self.width).abs()) <= near && panel.off.abs() <= self.half;
            is_at_end
                || self.crossing.iter().any(|line| {
                    (line.at - end).abs() <= near
                        && (f32::midpoint(line.low, line.high) - panel.off).abs() <= near
                        && (line.high - line.low - panel.thick).abs() <= 2.0 * near
                })
        })
    }

    /// Returns how much the opening looks like a wall, from 0 to 1.
    fn is_wall(&self) -> f32 {
        let inner = self.of_width(&INNER);
        let inner = Stretch { from: *inner.start(), to: *inner.end() };
        let [open, walled] = OPEN_TO_WALLED;
        saturated(self.walled(inner), open, walled)
    }

    /// A panel in the wall's middle that stands partly in the wall, or wholly and up to the opening; what it leaves of the
    /// opening is free.
    pub(super) fn pocket(&self, panels: &[Panel]) -> Option<ScoredExtent> {
        if !self.is_wide(&POCKET_WIDTHS) {
            return None;
        }
        let best = panels.iter().filter_map(|panel| self.pocketed(panel)).max_by(f32::total_cmp)?;
        Some(self.in_wall(best - POCKET_IS_WALL * self.is_wall()))
    }

    /// Returns the confidence that a panel slides into the wall, but for the opening's faces.
    fn pocketed(&self, panel: &Panel) -> Option<f32> {
        let width = self.width;
        let Stretch { from, to } = panel.stretch;
        let is_before = from < 0.0;
        // What of it stands in the wall, how far it reaches from the wall's end into the opening, and where the wall has room
        // for all of it.
        let (in_wall, reach, room) = if is_before {
            (Stretch { from, to: 0.0 }, to, Stretch { from: -width, to: 0.0 })
        } else {
            (Stretch { from: width, to }, width - from, Stretch { from: width, to: 2.0 * width })
        };
        let stands =
            self.of_width(&POCKET_IN_WALL).contains(&in_wall.length()) && self.of_width(&POCKET_REACH).contains(&reach);
        let is_inside = panel.off.abs() + panel.thick / 2.0 <= POCKET_INSIDE * self.half;
        if !stands || !is_inside || !POCKET_LENGTHS.contains(&(panel.length() / width)) {
            return None;
        }
        if self.walled(in_wall) < POCKET_WALLED || self.walled(room) < POCKET_ROOM_WALLED {
            return None;
        }
        let free = if is_before {
            Stretch { from: reach.max(0.0), to: width }
        } else {
            Stretch { from: 0.0, to: width - reach.max(0.0) }
        };
        let inner = FREE_DEPTH * self.half;
        let taken = self.lined(free.shrunk(FREE_MARGIN * width), -inner..=inner);
        let [is_free, is_taken] = FREE_TO_TAKEN;
        let reaches = POCKET_REACHES * saturated(reach, 0.0, POCKET_SURE_REACH * width);
        Some(POCKET + reaches - POCKET_TAKEN * saturated(taken, is_free, is_taken))
    }

    /// A panel that stands on the wall's face, partly before the opening and partly beside it.
    pub(super) fn surface(&self, panels: &[Panel]) -> Option<ScoredExtent> {
        let has_panel = self.is_wide(&SURFACE_WIDTHS) && panels.iter().any(|panel| self.is_half_open(panel));
        has_panel.then(|| self.in_wall(SURFACE - SURFACE_IS_WALL * self.is_wall()))
    }

    /// Whether a panel stands half open on the wall's face: a closed one may as well be a threshold, a curb or a counter's
    /// edge.
    fn is_half_open(&self, panel: &Panel) -> bool {
        let width = self.width;
        let gap = panel.off.abs() - panel.thick / 2.0 - self.half;
        let is_on_face = (-IN_FACE * self.scale - IN_FACE_ROUNDING..=OFF_FACE * self.scale).contains(&gap);
        let inner = self.of_width(&HALF_OPEN);
        let is_beside = (panel.stretch.from < *inner.start()) != (panel.stretch.to > *inner.end());
        let is_long = SURFACE_LENGTHS.contains(&(panel.length() / width));
        is_on_face && is_beside && is_long && panel.within(width) / width >= MIN_COVERED
    }

    /// A panel or a dashed line from end to end of a wide opening, and its dashed outline inside where it is up.
    pub(super) fn overhead(&self, plan: &Plan, panels: &[Panel]) -> Option<ScoredExtent> {
        if !self.is_wide(&OVERHEAD_WIDTHS) {
            return None;
        }
        let near = self.half + OFF_FACE * self.scale;
        let has_panel =
            panels.iter().any(|panel| self.is_spanned(panel.stretch, &CLOSED_WITHIN) && panel.off.abs() <= near);
        let is_dashed = has_dashed(&self.parallels, 0.0..=near, |line| self.is_spanned(line, &CLOSED_WITHIN));
        if !has_panel && !is_dashed {
            return None;
        }
        let before = Self::read(plan, &self.opening, self.scale, Part::Before);
        let is_raised = before.is_some_and(|before| before.is_raised());
        let confidence = match (has_panel, is_dashed, is_raised) {
            (true, true, true) => OVERHEAD_WITH_ALL,
            (true, false, true) | (false, true, true) => OVERHEAD_RAISED,
            (true, true, false) => OVERHEAD_CLOSED,
            _ => return None,
        };
        let divided = if self.is_divided() { OVERHEAD_DIVIDED } else { 0.0 };
        Some(self.in_wall(confidence - OVERHEAD_IS_WALL * self.is_wall() - divided))
    }

    /// Whether a stretch spans the opening from end to end: it begins before the first of these shares of the width, and ends
    /// after the second.
    fn is_spanned(&self, stretch: Stretch, within: &RangeInclusive<f32>) -> bool {
        let within = self.of_width(within);
        stretch.from <= *within.start() && stretch.to >= *within.end() && stretch.length() <= MAX_SPAN * self.width
    }

    /// Whether a raised door is drawn inside: a dashed line as long as the opening, and one from each end of the opening
    /// towards it.
    fn is_raised(&self) -> bool {
        let [least, most] = [RAISED_DEPTHS.start(), RAISED_DEPTHS.end()].map(|depth| self.half + depth * self.scale);
        has_dashed(&self.parallels, least..=most, |line| self.is_spanned(line, &RAISED_WITHIN))
            && self.has_dashed_side(0.0, least, most)
            && self.has_dashed_side(self.width, least, most)
    }

    /// Whether a dashed line runs from an end of the opening to one side; one that runs to both is a grid line.
    fn has_dashed_side(&self, end: f32, least: f32, most: f32) -> bool {
        let reaches = |line: Stretch| {
            line.from <= self.half + RAISED_SIDE.start() * least && line.to >= RAISED_SIDE.end() * least
        };
        let [left, right] = [1.0, -1.0]
            .map(|sign| has_dashed(&self.lines_from_end(end, sign, MAX_RAISED_SIDE * most), 0.0..=0.0, reaches));
        left != right
    }

    /// Returns the lines across at an end of the opening, on one side of the wall, that reach at most `most`.
    fn lines_from_end(&self, end: f32, sign: f32, most: f32) -> Vec<Parallel> {
        let at_end = self.sides.iter().filter(|line| (line.off - end).abs() <= AT_END * self.width);
        at_end
            .map(|line| {
                let (a, b) = (sign * line.from, sign * line.to);
                Parallel { from: a.min(b), to: a.max(b), off: 0.0, dashed: line.dashed }
            })
            .filter(|line| line.to >= 0.0 && line.to <= most)
            .collect()
    }

    /// Whether posts divide the opening, as a window's do.
    fn is_divided(&self) -> bool {
        let inner = self.of_width(&INNER);
        let depth = POST_DEPTH * self.half;
        let is_post = |line: &&Crossing| inner.contains(&line.at) && line.low >= -depth && line.high <= depth;
        let mut posts: Vec<f32> = self.crossing.iter().filter(is_post).map(|line| line.at).collect();
        posts.sort_by(f32::total_cmp);
        posts.dedup_by(|a, b| *a - *b <= BETWEEN_POSTS * self.width);
        posts.len() >= MIN_POSTS
    }
}

/// Whether a line is dashed that is located this far aside and spans what it should: drawn with dashes, or as many strokes in
/// a row.
fn has_dashed(lines: &[Parallel], offs: RangeInclusive<f32>, spans: impl Fn(Stretch) -> bool) -> bool {
    let mut strokes: Vec<&Parallel> = lines.iter().filter(|line| offs.contains(&line.off.abs())).collect();
    if strokes.iter().any(|line| line.dashed && spans(Stretch { from: line.from, to: line.to })) {
        return true;
    }
    strokes.sort_by(|a, b| a.off.total_cmp(&b.off));
    strokes.chunk_by(|a, b| b.off - a.off <= SAME_ROW).any(|row| dashed_row(row).is_some_and(&spans))
}

/// Returns from where to where strokes in a row reach, if they make a dashed line.
fn dashed_row(row: &[&Parallel]) -> Option<Stretch> {
    let from = row.iter().map(|line| line.from).fold(f32::MAX, f32::min);
    let to = row.iter().map(|line| line.to).fold(f32::MIN, f32::max);
    let mut covers: Vec<(f32, f32)> = row.iter().map(|line| (line.from, line.to)).collect();
    let share = covered(&mut covers) / (to - from).max(0.01);
    let longest = row.iter().map(|line| line.length()).fold(0.0, f32::max);
    let is_dashed = row.len() >= MIN_DASHES && longest <= MAX_DASH * (to - from) && DASHED_SHARES.contains(&share);
    is_dashed.then_some(Stretch { from, to })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::closing::surroundings::tests::empty_opening;

    fn line(from: f32, to: f32, off: f32) -> Parallel {
        Parallel { from, to, off, dashed: false }
    }

    /// Adds a rectangle from `from` to `to` along the opening, 4 points thick around `off`.
    fn add_panel(own: &mut Surroundings, from: f32, to: f32, off: f32) {
        own.parallels.extend([line(from, to, off - 2.0), line(from, to, off + 2.0)]);
        own.crossing.extend([from, to].map(|at| Crossing { at, low: off - 2.0, high: off + 2.0 }));
    }

    fn add_walls(own: &mut Surroundings) {
        for off in [-own.half, own.half] {
            own.parallels.extend([line(-120.0, 0.0, off), line(100.0, 220.0, off)]);
        }
    }

    #[test]
    fn two_even_lines_with_caps_are_a_panel() {
        let mut own = empty_opening();
        own.parallels.extend([line(20.0, 90.0, 10.0), line(20.0, 90.0, 14.0)]);
        assert!(own.panels().is_empty(), "without caps");
        own.crossing.extend([20.0, 90.0].map(|at| Crossing { at, low: 10.0, high: 14.0 }));
        assert_eq!(own.panels().len(), 1);
    }

    #[test]
    fn a_panel_partly_in_the_wall_is_a_pocket_door() {
        let mut own = empty_opening();
        own.half = 6.0;
        add_walls(&mut own);
        add_panel(&mut own, -70.0, 30.0, 0.0);
        assert!(own.pocket(&own.panels()).unwrap().confidence > 0.7);
        // A beam's line runs through what it should leave free.
        own.parallels.push(line(0.0, 100.0, 0.0));
        assert!(own.pocket(&own.panels()).unwrap().confidence < 0.5);
    }

    #[test]
    fn a_panel_beside_the_opening_slides_on_the_face() {
        let mut own = empty_opening();
        add_walls(&mut own);
        let beyond_wall = own.half + 3.0;
        add_panel(&mut own, 40.0, 145.0, beyond_wall);
        assert!(own.surface(&own.panels()).unwrap().confidence > 0.6);
    }

    #[test]
    fn a_closed_panel_on_the_face_may_be_a_threshold() {
        let mut own = empty_opening();
        add_walls(&mut own);
        let beyond_wall = own.half + 3.0;
        add_panel(&mut own, 0.0, 100.0, beyond_wall);
        assert!(own.surface(&own.panels()).is_none());
    }

    #[test]
    fn strokes_in_a_row_are_a_dashed_line() {
        let dashes: Vec<Parallel> = (0..10).map(|at| line(10.0 * at as f32, 10.0 * at as f32 + 6.0, 0.0)).collect();
        let spans = |stretch: Stretch| stretch.from <= 4.0 && stretch.to >= 96.0;
        assert!(has_dashed(&dashes, 0.0..=1.0, spans));
        assert!(!has_dashed(&dashes, 2.0..=3.0, spans), "elsewhere");
        assert!(!has_dashed(&dashes[..5], 0.0..=1.0, |_| true), "too few");
        assert!(!has_dashed(&[line(0.0, 100.0, 0.0)], 0.0..=1.0, spans), "solid");
    }

    #[test]
    fn posts_divide_a_window() {
        let mut own = empty_opening();
        own.crossing.push(Crossing { at: 33.0, low: -4.0, high: 4.0 });
        assert!(!own.is_divided());
        own.crossing.push(Crossing { at: 66.0, low: -4.0, high: 4.0 });
        assert!(own.is_divided());
    }
}
