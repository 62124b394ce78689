//! The reading directions of a page: which way up it is, and which text is set at another angle.

use std::collections::BTreeMap;

use fanlight_contract::{Geometry, PageText, TextRun};
use fanlight_geometry::weighted_median;

/// Text of one reading direction.
pub(crate) struct Direction {
    /// Degrees counterclockwise in user space.
    pub(crate) angle: f32,
    /// Indices of its runs.
    pub(crate) runs: Vec<usize>,
}

/// Maximum skew of a page in degrees. Text further off the quarter turns, such as a watermark, has a direction of its own.
const MAX_SKEW: f32 = 6.0;
/// Minimum share of the page's glyphs for the direction that a viewer shows to be the page's, even if another has more: a
/// drawing may hold more turned text than upright.
const MIN_SHOWN_SHARE: f32 = 0.35;

/// Returns the reading directions of a page, its own first. Runs of white space belong to the directions of others.
pub(crate) fn directions(text: &PageText, geometry: &Geometry) -> Vec<Direction> {
    let mut found: BTreeMap<i32, (f32, Vec<usize>)> = BTreeMap::new();
    for (index, run) in text.runs.iter().enumerate() {
        let weight = run.text.chars().filter(|c| !c.is_whitespace()).count();
        if run.angle.is_finite() && run.size.is_finite() && run.x.is_finite() && run.y.is_finite() {
            let entry = found.entry(direction_of(run)).or_default();
            entry.0 += weight as f32;
            entry.1.push(index);
        }
    }
    let all: f32 = found.values().map(|(weight, _)| weight).sum();
    let shown = i32::try_from(geometry.rotation % 360).unwrap_or_default();
    let mut ranked: Vec<_> = found.into_iter().filter(|(_, (weight, _))| *weight > 0.0).collect();
    let rank =
        |direction: i32, weight: f32| if direction == shown && weight >= MIN_SHOWN_SHARE * all { all } else { weight };
    ranked.sort_by(|(a, (wa, _)), (b, (wb, _))| rank(*b, *wb).total_cmp(&rank(*a, *wa)));
    ranked
        .into_iter()
        .map(|(direction, (_, runs))| Direction { angle: direction as f32 + skew(text, &runs, direction), runs })
        .collect()
}

/// Returns the quarter turn that a run is near to, or else its angle, in whole degrees.
fn direction_of(run: &TextRun) -> i32 {
    let quarter = (run.angle / 90.0).round() * 90.0;
    let direction = if (run.angle - quarter).abs() <= MAX_SKEW { quarter } else { run.angle.round() };
    (direction as i32).rem_euclid(360)
}

/// Returns the skew of a direction in degrees: how far the median glyph is off it.
fn skew(text: &PageText, runs: &[usize], direction: i32) -> f32 {
    let slants = runs.iter().filter_map(|&index| text.runs.get(index)).map(|run| {
        let off = (run.angle - direction as f32).rem_euclid(360.0);
        (if off > 180.0 { off - 360.0 } else { off }, run.text.len() as f32)
    });
    weighted_median(slants.collect()).filter(|slant| slant.abs() >= 0.02).unwrap_or(0.0)
}
