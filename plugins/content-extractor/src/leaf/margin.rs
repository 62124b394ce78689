//! Removes line numbers and change bars from the margin.

use fanlight_geometry::median;
use fanlight_text::Word;

/// This many numbers are line numbers.
const MIN_NUMBERS: usize = 8;
/// The greatest difference of line numbers' left or right edges, in points.
const ALIGNED: f32 = 3.0;

/// Removes line numbers and change bars from the lines.
pub(super) fn strip(lines: &mut Vec<Vec<Word>>) {
    for line in lines.iter_mut() {
        line.retain(|word| !is_bar(&word.text));
    }
    if let Some(edge) = numbered_margin(lines) {
        for line in lines.iter_mut() {
            if line.first().is_some_and(|word| number(&word.text).is_some() && word.bbox.x2 <= edge) {
                line.remove(0);
            }
        }
    }
    lines.retain(|line| !line.is_empty());
}

fn is_bar(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| matches!(c, '|' | '¦' | '│' | '║' | '▌' | '┃'))
}

fn number(text: &str) -> Option<u32> {
    if text.len() > 3 { None } else { text.parse().ok() }
}

/// Returns the right edge of a margin with line numbers: numbers that increase by one step down the
/// page, to the left of all text.
fn numbered_margin(lines: &[Vec<Word>]) -> Option<f32> {
    let firsts: Vec<(&Word, u32)> =
        lines.iter().filter_map(|line| line.first()).filter_map(|word| Some((word, number(&word.text)?))).collect();
    // The leftmost numbers lead. Others begin a line of text.
    let leftmost = firsts.iter().map(|(word, _)| word.bbox.x2).fold(f32::MAX, f32::min);
    let numbers: Vec<(&Word, u32)> =
        firsts.into_iter().filter(|(word, _)| word.bbox.x2 - leftmost <= 2.0 * word.size).collect();
    if numbers.len() < MIN_NUMBERS || numbers.len() * 10 < lines.len() {
        return None;
    }
    let growing = numbers.windows(2).filter(|pair| pair[1].1 > pair[0].1).count();
    let steady = growing * 20 >= (numbers.len() - 1) * 19;
    let lefts: Vec<f32> = numbers.iter().map(|(word, _)| word.bbox.x1).collect();
    let rights: Vec<f32> = numbers.iter().map(|(word, _)| word.bbox.x2).collect();
    let edge = rights.iter().copied().fold(f32::MIN, f32::max);
    let texts: Vec<f32> = lines
        .iter()
        .filter_map(|line| {
            let numbered = line.first().is_some_and(|word| number(&word.text).is_some() && word.bbox.x2 <= edge);
            line.get(usize::from(numbered)).map(|word| word.bbox.x1)
        })
        .collect();
    let clear = texts.iter().filter(|left| **left > edge + 2.0).count();
    let aligned = are_aligned(&rights) || are_aligned(&lefts);
    (steady && aligned && clear * 20 >= texts.len() * 19).then_some(edge + 0.5)
}

/// Returns whether nearly all edges are aligned.
fn are_aligned(edges: &[f32]) -> bool {
    let Some(middle) = median(edges.to_vec()) else { return false };
    edges.iter().filter(|edge| (**edge - middle).abs() <= ALIGNED).count() * 10 >= edges.len() * 9
}
