//! Panels that slide into the wall.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use fanlight_geometry::Line;

use crate::symbols::closing::surroundings::{Stretch, Surroundings};
use crate::symbols::sliding::ScoredExtent;
use crate::symbols::swings::saturated;

/// Thicknesses of panels, in inches: 3/4 in cabinet doors to 3 in insulated ones, with an allowance.
const PANEL_THICKNESS: RangeInclusive<f32> = 0.5..=3.2;
/// Widths of openings that a pocket door closes, in inches.
pub(super) const POCKET_WIDTHS: RangeInclusive<f32> = 22.0..=62.0;
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

/// A thin rectangle along an opening, in the opening's frame.
#[derive(Clone, Copy, Debug)]
struct Panel {
    stretch: Stretch,
    /// Where its middle line is across the opening.
    off: f32,
    thick: f32,
}

impl Surroundings {
    /// Returns the panels: pairs of lines of one length, at least half of the opening's, that are capped.
    fn panels(&self) -> Vec<Panel> {
        let mut lines: Vec<&Line> =
            self.parallels.iter().filter(|line| line.length() >= MIN_PANEL * self.width).collect();
        lines.sort_by(|a, b| a.at.total_cmp(&b.at));
        let panels = lines.iter().enumerate().filter_map(|(index, line)| {
            let others = lines.iter().skip(index + 1);
            let mut others = others.take_while(|other| other.at - line.at <= PANEL_THICKNESS.end() * self.scale);
            others.find_map(|other| self.panel_between(line, other))
        });
        panels.collect()
    }

    /// Returns the panel between two lines if they are even and capped.
    fn panel_between(&self, line: &Line, other: &Line) -> Option<Panel> {
        let thick = other.at - line.at;
        let level = LEVEL * self.width + LEVEL_ROUNDING;
        let is_even = (line.from - other.from).abs().max((line.to - other.to).abs()) <= level;
        let stretch = Stretch { from: line.from, to: line.to };
        let panel = Panel { stretch, off: line.at + thick / 2.0, thick };
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
                        && (f32::midpoint(line.from, line.to) - panel.off).abs() <= near
                        && (line.length() - panel.thick).abs() <= 2.0 * near
                })
        })
    }

    /// Detects a panel in the wall's middle that stands partly in the wall, or wholly and up to the opening.
    pub(super) fn pocket(&self) -> Option<ScoredExtent> {
        if !self.is_wide(&POCKET_WIDTHS) {
            return None;
        }
        self.panels()
            .iter()
            .filter_map(|panel| self.pocketed(panel))
            .max_by(f32::total_cmp)
            .map(|best| self.in_wall(best))
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
        let is_long = POCKET_LENGTHS.contains(&(panel.stretch.length() / width));
        if !stands || !is_inside || !is_long || self.walled(in_wall) < POCKET_WALLED {
            return None;
        }
        Some(POCKET + POCKET_REACHES * saturated(reach, 0.0, POCKET_SURE_REACH * width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbols::closing::surroundings::tests::empty_opening;

    fn line(from: f32, to: f32, off: f32) -> Line {
        Line { at: off, from, to }
    }

    /// Adds a rectangle from `from` to `to` along the opening, 4 points thick around `off`.
    fn add_panel(own: &mut Surroundings, from: f32, to: f32, off: f32) {
        own.parallels.extend([line(from, to, off - 2.0), line(from, to, off + 2.0)]);
        own.crossing.extend([from, to].map(|at| Line { at, from: off - 2.0, to: off + 2.0 }));
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
        own.crossing.extend([20.0, 90.0].map(|at| Line { at, from: 10.0, to: 14.0 }));
        assert_eq!(own.panels().len(), 1);
    }

    #[test]
    fn a_panel_partly_in_the_wall_is_a_pocket_door() {
        let mut own = empty_opening();
        own.half = 6.0;
        add_walls(&mut own);
        add_panel(&mut own, -70.0, 30.0, 0.0);
        assert!(own.pocket().unwrap().confidence > 0.7);
    }
}
