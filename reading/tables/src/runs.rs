//! Splits runs where they move from one cell to another.
//!
//! A producer may show a whole row of a table with one operator, with moves between its cells. Readers of running text distinguish
//! a move from a wide glyph by the page's other glyphs. Here a fixed limit is enough: no glyph is wider than an em.

use std::borrow::Cow;
use std::collections::HashMap;

use fanlight_contract::{PageText, Rect, TextRun};

/// No glyph of running text moves on by more than so many em.
const WIDEST_GLYPH: f32 = 1.15;
/// What a glyph before a leap is taken to be wide, in em, where the page doesn't show it without one.
const COMMON_WIDTH: f32 = 0.6;
/// What begins so near to another run's end goes on with it, in em.
const TOUCHING: f32 = 0.2;
/// Text that leans further from the quarter turns than this, in degrees, is left as it is.
const LEAN: f32 = 1.0;

/// The text with its runs parted, and the parts that are one dot each: dots in neighbouring cells are no leader.
pub(crate) fn parted(text: &PageText) -> (Cow<'_, PageText>, Vec<TextRun>) {
    let as_it_stands = |run: &TextRun| !leaps(run) && !is_dot(run);
    // A text written glyph by glyph has its dots in runs of their own, too.
    let in_text = |index: usize| {
        let before = index.checked_sub(1).and_then(|before| text.runs.get(before));
        before.is_some_and(|before| touch(before, &text.runs[index]))
            || text.runs.get(index + 1).is_some_and(|after| touch(&text.runs[index], after))
    };
    if text.runs.iter().all(as_it_stands) {
        return (Cow::Borrowed(text), Vec::new());
    }
    let widths = narrowest(text);
    let mut runs = Vec::with_capacity(text.runs.len());
    let mut dots = Vec::new();
    for (index, run) in text.runs.iter().enumerate() {
        let mut keep = |part: TextRun| if is_dot(&part) { dots.push(part) } else { runs.push(part) };
        if leaps(run) {
            parts(run, &widths).into_iter().for_each(&mut keep);
        } else if is_dot(run) && in_text(index) {
            runs.push(run.clone());
        } else {
            keep(run.clone());
        }
    }
    (Cow::Owned(PageText { fonts: text.fonts.clone(), runs }), dots)
}

/// Whether a level or upright run moves on between two glyphs by more than a glyph is wide.
fn leaps(run: &TextRun) -> bool {
    run.advances.iter().rev().skip(1).any(|advance| *advance > WIDEST_GLYPH * run.size)
        && (run.angle / 90.0 - (run.angle / 90.0).round()).abs() * 90.0 <= LEAN
}

/// What each font's codes move on by at the least, in em.
fn narrowest(text: &PageText) -> HashMap<(u32, u32), f32> {
    let mut narrowest: HashMap<(u32, u32), f32> = HashMap::new();
    for run in &text.runs {
        for (&code, &advance) in run.codes.iter().zip(&run.advances) {
            let width = narrowest.entry((run.font, code)).or_insert(f32::MAX);
            *width = width.min(advance / run.size.max(0.01));
        }
    }
    narrowest
}

fn is_dot(run: &TextRun) -> bool {
    matches!(run.text.trim(), "•" | "·" | "." | "●" | "○")
}

/// Whether one run goes on where the other ends.
fn touch(run: &TextRun, next: &TextRun) -> bool {
    let (sin, cos) = run.angle.to_radians().sin_cos();
    let moved: f32 = run.advances.iter().sum();
    let gap = (next.x - run.x - moved * cos).hypot(next.y - run.y - moved * sin);
    gap <= TOUCHING * run.size && (next.angle - run.angle).abs() <= LEAN
}

fn parts(run: &TextRun, narrowest: &HashMap<(u32, u32), f32>) -> Vec<TextRun> {
    let (sin, cos) = run.angle.to_radians().sin_cos();
    let mut parts = Vec::new();
    let (mut glyph, mut byte, mut along) = (0, 0, 0.0);
    while glyph < run.advances.len() {
        let leap = run.advances[glyph..].iter().position(|advance| *advance > WIDEST_GLYPH * run.size);
        let end = leap.map_or(run.advances.len(), |leap| glyph + leap + 1);
        let bytes: usize = run.lengths.get(glyph..end).unwrap_or_default().iter().map(|&n| usize::from(n)).sum();
        let mut advances = run.advances[glyph..end].to_vec();
        let moved: f32 = advances.iter().sum();
        if let (Some(last), Some(&code)) = (advances.last_mut(), run.codes.get(end - 1))
            && *last > WIDEST_GLYPH * run.size
        {
            let known = narrowest.get(&(run.font, code)).copied().unwrap_or(COMMON_WIDTH);
            *last = run.size * if known > WIDEST_GLYPH { COMMON_WIDTH } else { known };
        }
        let long: f32 = advances.iter().sum();
        let (from, to) = (along, along + long);
        let at = |far: f32| (run.x + far * cos, run.y + far * sin);
        let (a, b) = (at(from), at(to));
        let bbox = if cos.abs() > sin.abs() {
            Rect { x1: a.0.min(b.0), x2: a.0.max(b.0), ..run.bbox }
        } else {
            Rect { y1: a.1.min(b.1), y2: a.1.max(b.1), ..run.bbox }
        };
        parts.push(TextRun {
            text: run.text.get(byte..byte + bytes).unwrap_or_default().to_owned(),
            lengths: run.lengths.get(glyph..end).unwrap_or_default().to_vec(),
            advances,
            codes: run.codes.get(glyph..end).unwrap_or_default().to_vec(),
            x: a.0,
            y: a.1,
            bbox,
            ..run.clone()
        });
        along += moved;
        byte += bytes;
        glyph = end;
    }
    parts
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
    fn dots_of_text_that_is_written_glyph_by_glyph_stay_in_it() {
        let font = Font { name: String::new(), bold: false, italic: false };
        let runs = vec![glyph("O", 10.0, 7.0), glyph(".", 17.0, 3.0), glyph("C", 20.0, 7.0), glyph(".", 60.0, 3.0)];
        let text = PageText { fonts: vec![font], runs };
        let (text, dots) = parted(&text);
        assert_eq!(text.runs.iter().map(|run| run.text.as_str()).collect::<String>(), "O.C");
        assert_eq!(dots.iter().map(|dot| dot.x).collect::<Vec<_>>(), [60.0]);
    }

    #[test]
    fn a_run_over_several_cells_is_parted_and_its_dots_are_told_apart() {
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
        let (text, dots) = parted(&text);
        let placed: Vec<(&str, f32)> = text.runs.iter().map(|run| (run.text.as_str(), run.x)).collect();
        assert_eq!(placed, [("PAINT", 100.0), ("-", 151.0)]);
        assert_eq!(dots.iter().map(|dot| dot.x).collect::<Vec<_>>(), [191.0, 213.0]);
    }
}
