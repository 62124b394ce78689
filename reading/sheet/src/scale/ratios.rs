//! The ratios at which a sheet's notes say that its plans are drawn.

use fanlight_contract::{Geometry, PageText};
use fanlight_text::Page;

use super::stated;

/// Ratios that plans are drawn at; others are details and site plans.
const PLAN_RATIOS: std::ops::RangeInclusive<f32> = 10.0..=500.0;
/// Two ratios within this factor are the same.
const SAME_RATIO: f32 = 1.06;
/// Maximum number of ratios of a sheet: a sheet of details has many.
const MAX_NOTED: usize = 4;

/// Returns the ratios of plans that the notes of a page state, the most frequent first.
pub fn plan_ratios(text: &PageText, geometry: &Geometry) -> Vec<f32> {
    let page = Page::read(text, geometry);
    let lines = page.lines.iter().chain(page.turned.iter().flat_map(|turned| &turned.lines));
    let scales = lines.flat_map(|line| line.phrases(1.0)).filter_map(|phrase| stated(&phrase.text()));
    let mut ratios: Vec<(f32, usize)> = Vec::new();
    for ratio in scales.map(|scale| scale.ratio).filter(|ratio| PLAN_RATIOS.contains(ratio)) {
        match ratios.iter_mut().find(|(other, _)| is_same_ratio(*other, ratio)) {
            Some((_, count)) => *count += 1,
            None => ratios.push((ratio, 1)),
        }
    }
    ratios.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ratios.into_iter().map(|(ratio, _)| ratio).take(MAX_NOTED).collect()
}

/// Returns whether two ratios are the same, within `SAME_RATIO`.
pub fn is_same_ratio(a: f32, b: f32) -> bool {
    (a / b).max(b / a) <= SAME_RATIO
}
