//! Splits runs where they jump from one cell to another.
//!
//! A producer may show a whole row of a table with one operator, with jumps between its cells. Readers of running text distinguish
//! a jump from a wide glyph by the page's other glyphs. Here a fixed limit is enough: no glyph is wider than an em.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use fanlight_contract::{PageText, Rect, TextRun};
use fanlight_geometry::median;

/// Maximum advance of a glyph in running text, in em. No glyph is wider than an em; the rest is letter spacing.
const MAX_ADVANCE: f32 = 1.15;
/// The width of a glyph before a jump, in em, if no other run shows it.
const USUAL_WIDTH: f32 = 0.6;
/// Maximum distance of a run from the end of the run that it continues, in em.
const MAX_GAP: f32 = 0.2;
/// Maximum angle to the quarter turns of a run that is split, and between a run and its continuation, in degrees.
const MAX_LEAN: f32 = 1.0;

/// Splits the runs of a page where they jump to another cell. Returns the text and, apart from it, the runs of one dot each:
/// dots in neighboring cells are no leader.
pub(crate) fn split(text: &PageText) -> (Cow<'_, PageText>, Vec<TextRun>) {
    if !text.runs.iter().any(|run| jumps(run) || is_dot(run)) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let widths = glyph_widths(text);
    let mut runs = Vec::with_capacity(text.runs.len());
    let mut dots = Vec::new();
    for (index, run) in text.runs.iter().enumerate() {
        if jumps(run) {
            let (own_dots, own_runs): (Vec<TextRun>, Vec<TextRun>) = parts(run, &widths).into_iter().partition(is_dot);
            dots.extend(own_dots);
            runs.extend(own_runs);
        } else if is_dot(run) && !touches_neighbor(&text.runs, index) {
            dots.push(run.clone());
        } else {
            runs.push(run.clone());
        }
    }
    (Cow::Owned(PageText { fonts: text.fonts.clone(), runs }), dots)
}

/// Returns whether a run continues the one before, or the next one continues it: a text written glyph by glyph has its dots in
/// runs of their own.
fn touches_neighbor(runs: &[TextRun], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| runs.get(before));
    before.is_some_and(|before| continues(&runs[index], before))
        || runs.get(index + 1).is_some_and(|after| continues(after, &runs[index]))
}

/// Returns whether a horizontal or vertical run advances by more than a glyph is wide between two glyphs.
fn jumps(run: &TextRun) -> bool {
    run.advances.iter().rev().skip(1).any(|advance| *advance > MAX_ADVANCE * run.size)
        && (run.angle / 90.0 - (run.angle / 90.0).round()).abs() * 90.0 <= MAX_LEAN
}

/// A code of a font.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct GlyphCode {
    font: u32,
    code: u32,
}

/// Returns the median advance of each glyph of a page, in em, without those that include a jump. The least one may be that of
/// condensed text elsewhere on the page.
fn glyph_widths(text: &PageText) -> HashMap<GlyphCode, f32> {
    let mut advances: HashMap<GlyphCode, Vec<f32>> = HashMap::new();
    for run in &text.runs {
        for (&code, &advance) in run.codes.iter().zip(&run.advances) {
            let width = advance / run.size.max(0.01);
            if width <= MAX_ADVANCE {
                advances.entry(GlyphCode { font: run.font, code }).or_default().push(width);
            }
        }
    }
    advances.into_iter().filter_map(|(glyph, widths)| Some((glyph, median(widths)?))).collect()
}

fn is_dot(run: &TextRun) -> bool {
    matches!(run.text.trim(), "•" | "·" | "." | "●" | "○")
}

/// Returns whether a run continues another one where it ends, in the same direction.
fn continues(next: &TextRun, run: &TextRun) -> bool {
    let (sin, cos) = run.angle.to_radians().sin_cos();
    let length: f32 = run.advances.iter().sum();
    let gap = (next.x - run.x - length * cos).hypot(next.y - run.y - length * sin);
    gap <= MAX_GAP * run.size && (next.angle - run.angle).abs() <= MAX_LEAN
}

/// Returns the parts of a run between its jumps.
fn parts(run: &TextRun, widths: &HashMap<GlyphCode, f32>) -> Vec<TextRun> {
    let mut parts = Vec::new();
    let (mut glyph, mut byte, mut along) = (0, 0, 0.0);
    while glyph < run.advances.len() {
        let jump = run.advances[glyph..].iter().position(|advance| *advance > MAX_ADVANCE * run.size);
        let end = jump.map_or(run.advances.len(), |jump| glyph + jump + 1);
        let bytes: usize = run.lengths.get(glyph..end).unwrap_or_default().iter().map(|&n| usize::from(n)).sum();
        let text = run.text.get(byte..byte + bytes).unwrap_or_default();
        parts.push(part(run, glyph..end, text, along, widths));
        along += run.advances[glyph..end].iter().sum::<f32>();
        byte += bytes;
        glyph = end;
    }
    parts
}

/// Returns the part of a run with the given glyphs and text, which begins at `along` points from the run's origin.
fn part(run: &TextRun, glyphs: Range<usize>, text: &str, along: f32, widths: &HashMap<GlyphCode, f32>) -> TextRun {
    let mut advances = run.advances[glyphs.clone()].to_vec();
    if let (Some(last), Some(&code)) = (advances.last_mut(), run.codes.get(glyphs.end - 1))
        && *last > MAX_ADVANCE * run.size
    {
        let width = widths.get(&GlyphCode { font: run.font, code }).copied();
        *last = run.size * width.unwrap_or(USUAL_WIDTH);
    }
    let length: f32 = advances.iter().sum();
    let (sin, cos) = run.angle.to_radians().sin_cos();
    let at = |along: f32| (run.x + along * cos, run.y + along * sin);
    let (start, end) = (at(along), at(along + length));
    let bbox = if cos.abs() > sin.abs() {
        Rect { x1: start.0.min(end.0), x2: start.0.max(end.0), ..run.bbox }
    } else {
        Rect { y1: start.1.min(end.1), y2: start.1.max(end.1), ..run.bbox }
    };
    TextRun {
        text: text.to_owned(),
        lengths: run.lengths.get(glyphs.clone()).unwrap_or_default().to_vec(),
        advances,
        codes: run.codes.get(glyphs).unwrap_or_default().to_vec(),
        x: start.0,
        y: start.1,
        bbox,
        ..run.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::Font;

    fn glyph(text: &str, x: f32, advance: f32) -> TextRun {
        TextRun {
            text: text.to_owned(),
            lengths: vec![text.len() as u8],
            advances: vec![advance],
            codes: vec![1],
            x,
            y: 50.0,
            size: 10.0,
            angle: 0.0,
            bbox: Rect { x1: x, y1: 48.0, x2: x + advance, y2: 58.0 },
            font: 0,
            color: 0,
            visible: true,
        }
    }

    #[test]
    fn dots_of_text_written_glyph_by_glyph_stay_in_it() {
        let font = Font { name: String::new(), bold: false, italic: false };
        let runs = vec![glyph("O", 10.0, 7.0), glyph(".", 17.0, 3.0), glyph("C", 20.0, 7.0), glyph(".", 60.0, 3.0)];
        let text = PageText { fonts: vec![font], runs };
        let (text, dots) = split(&text);
        assert_eq!(text.runs.iter().map(|run| run.text.as_str()).collect::<String>(), "O.C");
        assert_eq!(dots.iter().map(|dot| dot.x).collect::<Vec<_>>(), [60.0]);
    }

    #[test]
    fn run_over_several_cells_is_split_and_loses_its_dots() {
        let run = TextRun {
            text: "PAINT-●●".to_owned(),
            lengths: vec![1, 1, 1, 1, 1, 1, 3, 3],
            advances: vec![6.0, 6.0, 3.0, 6.0, 30.0, 40.0, 22.0, 6.0],
            codes: vec![80, 65, 73, 78, 84, 45, 200, 200],
            x: 100.0,
            y: 50.0,
            size: 10.0,
            angle: 0.0,
            bbox: Rect { x1: 100.0, y1: 48.0, x2: 219.0, y2: 58.0 },
            font: 0,
            color: 0,
            visible: true,
        };
        let font = Font { name: String::new(), bold: false, italic: false };
        let text = PageText { fonts: vec![font], runs: vec![run] };
        let (text, dots) = split(&text);
        let placed: Vec<(&str, f32)> = text.runs.iter().map(|run| (run.text.as_str(), run.x)).collect();
        assert_eq!(placed, [("PAINT", 100.0), ("-", 151.0)]);
        assert_eq!(dots.iter().map(|dot| dot.x).collect::<Vec<_>>(), [191.0, 213.0]);
    }
}
