//! How large the building is on paper, by the sheet's own notes.

use fanlight_scale::Note;
use fanlight_vocabulary::PageText;

/// Scales of plans, as points on paper for an inch in the building: 1:500 to 1:10.
const PLANS: std::ops::RangeInclusive<f32> = 0.14..=7.3;
/// Bytes of a line of text that may be a note of a scale.
const LONGEST_NOTE: usize = 80;

/// The scales that a page's text tells, as points on paper for an inch in the building, the commonest first.
pub(crate) fn noted(text: &PageText) -> Vec<f32> {
    let mut scales: Vec<(f32, usize)> = Vec::new();
    for run in text.runs.iter().filter(|run| (4..=LONGEST_NOTE).contains(&run.text.len())) {
        let told = Note::find(&run.text).and_then(|note| note.scale).map(fanlight_scale::Scale::points_per_inch);
        let Some(scale) = told.filter(|scale| PLANS.contains(scale)) else { continue };
        match scales.iter_mut().find(|(other, _)| (scale / *other - 1.0).abs() < 0.01) {
            Some((_, count)) => *count += 1,
            None => scales.push((scale, 1)),
        }
    }
    scales.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    scales.into_iter().map(|(scale, _)| scale).collect()
}
