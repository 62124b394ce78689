//! The scale of a plan by its dimensions: a printed length in the middle of a line that is as long.

mod values;

use std::collections::HashSet;

use fanlight_geometry::{Line, Lines, RectExt as _, Segment};
use fanlight_text::Page;

/// White space that separates two dimensions of a chain, in ems. Set by hand.
const GAP: f32 = 0.9;
/// Most dimensions of a page that are read, a bound on time.
const MAX_DIMENSIONS: usize = 600;
/// A dimension line is at most this far from the centre of its text, in ems. Set by hand: a text above its line, or a leading away.
const MAX_FROM_TEXT: f32 = 2.0;
/// A line that ends a dimension is at least this long, in points: a tick.
const MIN_TICK: f32 = 1.5;
/// A tick may end this far before its dimension line, in points: the rounding of a CAD program.
const TO_LINE: f32 = 1.0;
/// Dimension lines longer than this, in points, are not looked for, a bound on time: half of a large sheet.
const MAX_HALF: f32 = 900.0;
/// Most ends to each side of a text that are tried: grid lines and walls cross dimension lines.
const MAX_ENDS: usize = 5;
/// The middle of a dimension line is this near to that of its text, in points. Set by hand.
const OFF_MIDDLE: f32 = 0.8;
/// The same as a share of the line's length. Set by hand.
const OFF_MIDDLE_SHARE: f32 = 0.03;
/// Scales that differ by less than this, as a natural logarithm, are the same: dimensions are rounded.
const SAME: f32 = 0.025;
/// Least number of dimensions that agree. Set by hand.
const MIN_AGREEING: usize = 5;
/// Least number of different lengths among them. Set by hand.
const MIN_LENGTHS: usize = 3;
/// Least share of the dimensions with a line that agree. Set by hand: other lines pass by the middle of a text as well.
const MIN_SHARE: f32 = 0.3;
/// A scale is as likely as the likeliest if this share of its dimensions agree: 250 is in millimetres or in centimetres.
const AS_LIKELY: f32 = 0.85;
/// Plans in points of paper per inch of the building: 1:500 to 1:10.
const PLANS: std::ops::RangeInclusive<f32> = 0.144..=7.2;
/// The scale that is preferred if units leave several, in points per inch: 1:90, between the usual ones.
const USUAL: f32 = 0.8;

/// A printed length on the sheet, turned so that it reads along x.
struct Dimension {
    /// Its centre along and across its direction.
    along: f32,
    across: f32,
    /// Size of its letters, in points.
    size: f32,
    /// What it may mean, in inches.
    inches: Vec<f32>,
}

/// A scale that one dimension agrees with.
struct Vote {
    logarithm: f32,
    dimension: usize,
    /// Length of its line in points.
    length: f32,
}

/// A scale and the number of dimensions that agree with it.
#[derive(Clone, Copy)]
struct Peak {
    logarithm: f32,
    count: usize,
}

/// Returns the scale that most dimensions of a page agree with, in points of paper per inch of the building; `by_doors` is the
/// scale by its doors and decides between units.
pub(crate) fn points_per_inch(page: &Page, segments: &[Segment], by_doors: Option<f32>) -> Option<f32> {
    let lines = Lines::from_segments(segments, TO_LINE, MIN_TICK);
    let mut votes = Vec::new();
    let mut count = 0;
    let (level, upright) = dimensions(page);
    for (all, along, across) in
        [(level, &lines.horizontal, &lines.vertical), (upright, &lines.vertical, &lines.horizontal)]
    {
        for dimension in all {
            let own = lengths(&dimension, along, across);
            for length in &own {
                let scales = dimension.inches.iter().map(|inches| length / inches);
                votes.extend(scales.filter(|scale| PLANS.contains(scale)).map(|scale| Vote {
                    logarithm: scale.ln(),
                    dimension: count,
                    length: *length,
                }));
            }
            count += usize::from(!own.is_empty());
        }
    }
    let peaks = peaks(votes, ((MIN_SHARE * count as f32) as usize).max(MIN_AGREEING));
    let most = peaks.iter().map(|peak| peak.count).max()?;
    let wanted = by_doors.unwrap_or(USUAL).ln();
    let likely = peaks.iter().filter(|peak| peak.count as f32 >= AS_LIKELY * most as f32);
    let off = |peak: &&Peak| (peak.logarithm - wanted).abs();
    likely.min_by(|a, b| off(a).total_cmp(&off(b))).map(|peak| peak.logarithm.exp())
}

/// Returns the scales that at least `least` dimensions agree with, each window of [`SAME`] with its middle.
fn peaks(mut votes: Vec<Vote>, least: usize) -> Vec<Peak> {
    votes.sort_by(|a, b| a.logarithm.total_cmp(&b.logarithm));
    let mut found = Vec::new();
    for from in 0..votes.len() {
        let to = votes.partition_point(|vote| vote.logarithm <= votes[from].logarithm + SAME);
        if to - from < least {
            continue;
        }
        let window = &votes[from..to];
        let agreeing: HashSet<usize> = window.iter().map(|vote| vote.dimension).collect();
        // Lengths that differ by an eighth at least.
        let lengths: HashSet<i32> = window.iter().map(|vote| (8.0 * vote.length.ln()).round() as i32).collect();
        if agreeing.len() >= least && lengths.len() >= MIN_LENGTHS {
            found.push(Peak { logarithm: window[window.len() / 2].logarithm, count: agreeing.len() });
        }
    }
    found
}

/// Returns the dimensions of a page that read along x, and those that read along y, turned.
fn dimensions(page: &Page) -> (Vec<Dimension>, Vec<Dimension>) {
    let (mut level, mut upright) = (Vec::new(), Vec::new());
    let own = page.lines.iter().map(|line| (line, &page.frame));
    let turned = page.turned.iter().flat_map(|turned| turned.lines.iter().map(move |line| (line, &turned.frame)));
    for (line, frame) in own.chain(turned) {
        for phrase in line.phrases(GAP) {
            let inches = values::inches(&phrase.text());
            let size = phrase.size();
            let bbox = page.frame.place_from(frame, phrase.bbox);
            let is_finite = [bbox.x1, bbox.y1, bbox.x2, bbox.y2, size].iter().all(|value| value.is_finite());
            if inches.is_empty() || !is_finite || level.len() + upright.len() >= MAX_DIMENSIONS {
                continue;
            }
            let (x, y) = bbox.center();
            if *frame == page.frame {
                level.push(Dimension { along: x, across: y, size, inches });
            } else {
                upright.push(Dimension { along: y, across: x, size, inches });
            }
        }
    }
    (level, upright)
}

/// Returns the lengths of lines along a dimension, with its text in their middle.
fn lengths(dimension: &Dimension, along: &[Line], across: &[Line]) -> Vec<f32> {
    let reach = MAX_FROM_TEXT * dimension.size;
    let near = between(along, dimension.across - reach, dimension.across + reach);
    let at_text = near.iter().filter(|line| line.from <= dimension.along + reach && line.to >= dimension.along - reach);
    let mut levels: Vec<f32> = at_text.map(|line| line.at).collect();
    levels.dedup_by(|level, last| *level - *last <= TO_LINE);
    let mut found: Vec<f32> = Vec::new();
    for level in levels {
        let (before, after) = ends(dimension, level, near, across);
        for from in &before {
            for to in &after {
                let (length, middle) = (to - from, f32::midpoint(*from, *to));
                let is_middle = (middle - dimension.along).abs() <= OFF_MIDDLE.max(OFF_MIDDLE_SHARE * length);
                if is_middle && found.iter().all(|other| (other - length).abs() > OFF_MIDDLE) {
                    found.push(length);
                }
            }
        }
    }
    found
}

/// Returns where a dimension line may end before and after the centre of its text, the nearest first.
fn ends(dimension: &Dimension, level: f32, parallel: &[Line], across: &[Line]) -> (Vec<f32>, Vec<f32>) {
    let crossing = between(across, dimension.along - MAX_HALF, dimension.along + MAX_HALF)
        .iter()
        .filter(|line| line.from - TO_LINE <= level && level <= line.to + TO_LINE)
        .map(|line| line.at);
    let own = between(parallel, level - TO_LINE, level + TO_LINE).iter().flat_map(|line| [line.from, line.to]);
    let mut all: Vec<f32> = crossing.chain(own).collect();
    all.sort_by(f32::total_cmp);
    all.dedup_by(|a, b| (*a - *b).abs() < 0.5);
    let middle = all.partition_point(|end| *end < dimension.along);
    let before = all[..middle].iter().rev().take(MAX_ENDS).copied().collect();
    let after = all[middle..].iter().take(MAX_ENDS).copied().collect();
    (before, after)
}

/// Returns the lines, sorted by `at`, between two positions.
fn between(lines: &[Line], low: f32, high: f32) -> &[Line] {
    let from = lines.partition_point(|line| line.at < low);
    let to = lines.partition_point(|line| line.at <= high);
    lines.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: f32, from: f32, to: f32) -> Line {
        Line { at, from, to }
    }

    fn vote(scale: f32, dimension: usize, length: f32) -> Vote {
        Vote { logarithm: scale.ln(), dimension, length }
    }

    #[test]
    fn a_dimension_line_ends_at_the_ticks_around_its_text() {
        let dimension = Dimension { along: 150.0, across: 100.0, size: 8.0, inches: vec![100.0] };
        let chain = [line(106.0, 0.0, 500.0)];
        let ticks = [0.0, 110.0, 190.0, 460.0].map(|at| line(at, 103.0, 109.0));
        assert_eq!(lengths(&dimension, &chain, &ticks), [80.0]);
        let elsewhere = [0.0, 110.0, 190.0].map(|at| line(at, 300.0, 309.0));
        assert!(lengths(&dimension, &chain, &elsewhere).is_empty());
    }

    #[test]
    fn dimensions_of_several_lengths_agree_on_a_scale() {
        let agreeing = |lengths: [f32; 5]| {
            let votes = lengths.into_iter().enumerate().map(|(at, length)| vote(0.72, at, length));
            peaks(votes.chain([vote(1.5, 5, 90.0), vote(0.2, 6, 40.0)]).collect(), 5)
        };
        let found = agreeing([20.0, 40.0, 80.0, 100.0, 150.0]);
        assert_eq!(found.first().map(|peak| peak.count), Some(5));
        assert!(agreeing([20.0; 5]).is_empty(), "one length repeats by chance");
    }

    #[test]
    fn one_dimension_counts_once() {
        let votes = (0..5).map(|at| vote(0.72, 0, 20.0 * (at + 1) as f32)).collect();
        assert!(peaks(votes, 2).is_empty());
    }
}
