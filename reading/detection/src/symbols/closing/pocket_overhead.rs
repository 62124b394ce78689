//! Panels that slide into the wall, and doors that go up.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use crate::symbols::closing::surroundings::{AT_END, Parallel, Part, Stretch, Surroundings};
use crate::symbols::plan::{Plan, covered};
use crate::symbols::sliding::ScoredExtent;
use crate::symbols::swings::saturated;

/// Thicknesses of panels, in inches: 3/4 in cabinet doors to 3 in insulated ones, with an allowance.
const PANEL_THICKNESS: RangeInclusive<f32> = 0.5..=3.2;
/// A closed overhead door is at most this far from the wall's face, in inches.
const OFF_FACE: f32 = 4.0;
/// Widths of openings that a pocket door closes, in inches.
pub(super) const POCKET_WIDTHS: RangeInclusive<f32> = 22.0..=62.0;
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
/// Least length of a panel, as a share of the opening's width.
const MIN_PANEL: f32 = 0.5;
/// Both lines of a panel end within this share of the opening's width, plus [`LEVEL_ROUNDING`].
const LEVEL: f32 = 0.02;
/// What rounding adds to that, in points.
const LEVEL_ROUNDING: f32 = 0.2;
/// A panel's cap is located within this share of the panel's thickness, plus [`CAP_ROUNDING`].
const CAP: f32 = 0.3;
/// What rounding adds to that, in points.
const CAP_ROUNDING: f32 = 0.25;

/// Lengths of a pocket door's panel, as shares of the opening's width.
const POCKET_LENGTHS: RangeInclusive<f32> = 0.8..=1.25;
/// Lengths of it in the wall, as shares of the opening's width.
const POCKET_IN_WALL: RangeInclusive<f32> = 0.2..=1.2;
/// How far it reaches from the wall's end into the opening, as shares of the opening's width.
const POCKET_REACH: RangeInclusive<f32> = -0.03..=0.8;
/// Share of the wall's thickness that it stays within.
const POCKET_INSIDE: f32 = 0.85;
/// Least share of the wall beside it that has both faces.
const POCKET_WALLED: f32 = 0.85;
/// Confidence of a pocket door that stands in the wall.
const POCKET: f32 = 0.55;
/// What a part in the opening of [`POCKET_SURE_REACH`] of the width adds to it.
const POCKET_REACHES: f32 = 0.25;
/// The share of the opening's width that such a part takes.
const POCKET_SURE_REACH: f32 = 0.1;

/// A closed overhead door ends within these shares of the opening's width.
const CLOSED_WITHIN: RangeInclusive<f32> = 0.04..=0.96;
/// The far edge of a raised overhead door ends within these shares of the opening's width.
const RAISED_WITHIN: RangeInclusive<f32> = 0.05..=0.95;
/// Most length of both, as a share of the opening's width.
const MAX_SPAN: f32 = 1.15;
/// The sides of a raised door begin within the first share of its least depth, and reach the second.
const RAISED_SIDE: RangeInclusive<f32> = 0.3..=0.8;
/// The sides of a raised door are no longer than this many times the most depth.
const MAX_RAISED_SIDE: f32 = 1.05;
/// Confidence of an overhead door whose raised outline is drawn with panel and dashed line.
const OVERHEAD_WITH_ALL: f32 = 0.9;
/// Confidence of one whose raised outline is drawn with one of them.
const OVERHEAD_RAISED: f32 = 0.7;

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
}

impl Surroundings {
    /// Returns the panels: pairs of lines of one length, at least half of the opening's, that are capped.
    pub(super) fn panels(&self) -> Vec<Panel> {
        let mut lines: Vec<&Parallel> =
            self.parallels.iter().filter(|line| line.length() >= MIN_PANEL * self.width).collect();
        lines.sort_by(|a, b| a.off.total_cmp(&b.off));
        let panels = lines.iter().enumerate().filter_map(|(index, line)| {
            let others = lines.iter().skip(index + 1);
            let mut others = others.take_while(|other| other.off - line.off <= PANEL_THICKNESS.end() * self.scale);
            others.find_map(|other| self.panel_between(line, other))
        });
        panels.collect()
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

    /// Returns whether a panel is closed at its ends, or ends at the opening's, and is not two lines that end together.
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

    /// Detects a panel in the wall's middle that stands partly in the wall, or wholly and up to the opening.
    pub(super) fn pocket(&self, panels: &[Panel]) -> Option<ScoredExtent> {
        if !self.is_wide(&POCKET_WIDTHS) {
            return None;
        }
        panels.iter().filter_map(|panel| self.pocketed(panel)).max_by(f32::total_cmp).map(|best| self.in_wall(best))
    }

    /// Returns the confidence that a panel slides into the wall.
    fn pocketed(&self, panel: &Panel) -> Option<f32> {
        let width = self.width;
        let Stretch { from, to } = panel.stretch;
        // What of it stands in the wall, and how far it reaches from the wall's end into the opening.
        let (in_wall, reach) =
            if from < 0.0 { (Stretch { from, to: 0.0 }, to) } else { (Stretch { from: width, to }, width - from) };
        let stands =
            self.of_width(&POCKET_IN_WALL).contains(&in_wall.length()) && self.of_width(&POCKET_REACH).contains(&reach);
        let is_inside = panel.off.abs() + panel.thick / 2.0 <= POCKET_INSIDE * self.half;
        let is_long = POCKET_LENGTHS.contains(&(panel.length() / width));
        if !stands || !is_inside || !is_long || self.walled(in_wall) < POCKET_WALLED {
            return None;
        }
        Some(POCKET + POCKET_REACHES * saturated(reach, 0.0, POCKET_SURE_REACH * width))
    }

    /// Detects a panel or a dashed line from end to end of a wide opening, and its dashed outline inside where it is up.
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
        let before = Self::read(plan, &self.opening, self.scale, Part::Before)?;
        let confidence = if has_panel && is_dashed { OVERHEAD_WITH_ALL } else { OVERHEAD_RAISED };
        before.is_raised().then(|| self.in_wall(confidence))
    }

    /// Returns whether a stretch spans the opening from end to end: it begins before the first of these shares of the width,
    /// and ends after the second.
    fn is_spanned(&self, stretch: Stretch, within: &RangeInclusive<f32>) -> bool {
        let within = self.of_width(within);
        stretch.from <= *within.start() && stretch.to >= *within.end() && stretch.length() <= MAX_SPAN * self.width
    }

    /// Returns whether a raised door is drawn inside: a dashed line as long as the opening, and one from each end of the
    /// opening towards it.
    fn is_raised(&self) -> bool {
        let [least, most] = [RAISED_DEPTHS.start(), RAISED_DEPTHS.end()].map(|depth| self.half + depth * self.scale);
        has_dashed(&self.parallels, least..=most, |line| self.is_spanned(line, &RAISED_WITHIN))
            && self.has_dashed_side(0.0, least, most)
            && self.has_dashed_side(self.width, least, most)
    }

    /// Returns whether a dashed line runs from an end of the opening to one side; one that runs to both is a grid line.
    fn has_dashed_side(&self, end: f32, least: f32, most: f32) -> bool {
        let (begin, reach) = (self.half + RAISED_SIDE.start() * least, RAISED_SIDE.end() * least);
        let [left, right] = [1.0, -1.0].map(|sign| {
            let lines = self.lines_from_end(end, sign, MAX_RAISED_SIDE * most);
            has_dashed(&lines, 0.0..=0.0, |line| line.from <= begin && line.to >= reach)
        });
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
}

/// Returns whether a line is dashed that is located this far aside and spans what it should: drawn with dashes, or as many
/// strokes in a row.
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
    use crate::symbols::closing::surroundings::Crossing;
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
}
