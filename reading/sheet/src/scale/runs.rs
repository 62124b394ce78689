//! The scales that single text runs state, such as `1 : 50` or `1/4" = 1'-0"`.
//!
//! This reader is older than [`Note`](super::Note) and differs from it: it sees one run without its neighbors and without white
//! space, and takes any ratio of 1, whether or not a word announces it. The detection of symbols by their lines is fitted to
//! what it reads.

use fanlight_contract::PageText;

/// Points per inch of paper.
const POINTS_OF_INCH: f32 = 72.0;
/// Scales of plans, in points of paper per inch of the building: 1:500 to 1:10.
const PLANS: std::ops::RangeInclusive<f32> = 0.14..=7.3;
/// Most characters of a line that may be a scale note.
const LONGEST_NOTE: usize = 80;

/// Returns the scales of plans that the runs of a page state, in points of paper per inch of the building, the most frequent first.
pub fn scales_in_runs(text: &PageText) -> Vec<f32> {
    let mut scales: Vec<(f32, usize)> = Vec::new();
    for run in text.runs.iter().filter(|run| run.text.len() <= LONGEST_NOTE) {
        let Some(scale) = scale_in_note(&run.text).filter(|scale| PLANS.contains(scale)) else { continue };
        match scales.iter_mut().find(|(other, _)| (scale / *other - 1.0).abs() < 0.01) {
            Some((_, count)) => *count += 1,
            None => scales.push((scale, 1)),
        }
    }
    scales.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    scales.into_iter().map(|(scale, _)| scale).collect()
}

/// Returns the scale that a line of text states.
fn scale_in_note(note: &str) -> Option<f32> {
    let note: String = note
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '“' | '”' | '″' | '‟' => '"',
            '‘' | '’' | '′' => '\'',
            other => other,
        })
        .collect();
    metric(&note).or_else(|| imperial(&note))
}

/// Returns the ratio of `1:50`, not `11:50` and not `1:5%`.
fn metric(note: &str) -> Option<f32> {
    let at = note.find("1:")?;
    let before = note[..at].chars().next_back();
    if before.is_some_and(|c| c.is_ascii_digit() || c == '.' || c == '/' || c == ':') {
        return None;
    }
    let rest = &note[at + 2..];
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let after = rest[digits.len()..].chars().next();
    if after.is_some_and(|c| c == ':' || c == '.' || c == '%' || c == '"' || c == '\'') {
        return None;
    }
    let ratio: f32 = digits.parse().ok().filter(|ratio| *ratio >= 1.0)?;
    Some(POINTS_OF_INCH / ratio)
}

/// Reads a scale such as `1/4" = 1'-0"`, `1 1/2"=1'`, `1"=20'`; an inch sign is needed, or 1 inch = 1 foot would be anything.
fn imperial(note: &str) -> Option<f32> {
    let equals = note.find('=')?;
    let (paper, building) = (note[..equals].strip_suffix('"')?, &note[equals + 1..]);
    let tail: Vec<char> = paper.chars().rev().take_while(|c| c.is_ascii_digit() || "/-.½¼¾⅛⅜⅝⅞".contains(*c)).collect();
    let paper: String = tail.into_iter().rev().collect();
    let inches = inches(&paper)?;
    let feet: String = building.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    if !building[feet.len()..].starts_with('\'') {
        return None;
    }
    let feet: f32 = feet.parse().ok().filter(|feet: &f32| *feet > 0.0)?;
    Some(POINTS_OF_INCH * inches / (12.0 * feet))
}

/// Reads inches such as `1/4`, `1-1/2`, `11/2` (one and a half without its space), `3`, `¼`.
fn inches(text: &str) -> Option<f32> {
    if let Some(fraction) = text.chars().next_back().and_then(fraction) {
        let whole: String = text.chars().filter(char::is_ascii_digit).collect();
        return Some(fraction + if whole.is_empty() { 0.0 } else { whole.parse::<f32>().ok()? });
    }
    let Some((top, bottom)) = text.split_once('/') else { return text.parse().ok().filter(|inches| *inches > 0.0) };
    let bottom: f32 = bottom.parse().ok().filter(|bottom| *bottom > 0.0)?;
    let (whole, top) = match top.rsplit_once('-') {
        Some((whole, top)) => (whole.parse().unwrap_or(0.0), top.parse::<f32>().ok()?),
        // "11/2" is one and a half: a fraction's top is less than its bottom.
        None => match top.parse::<f32>().ok()? {
            top if top > bottom && top >= 10.0 => (1.0, top % 10.0),
            top => (0.0, top),
        },
    };
    let inches = whole + top / bottom;
    (inches > 0.0).then_some(inches)
}

/// Returns the value of a fraction that is one character.
fn fraction(character: char) -> Option<f32> {
    match character {
        '½' => Some(0.5),
        '¼' => Some(0.25),
        '¾' => Some(0.75),
        '⅛' => Some(0.125),
        '⅜' => Some(0.375),
        '⅝' => Some(0.625),
        '⅞' => Some(0.875),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_notes_are_parsed_and_other_text_is_not() {
        let told = [
            ("1 : 50", 1.44),
            ("SCALE 1:100", 0.72),
            ("SKALA 1 : 75", 0.96),
            ("1/4\" = 1'-0\"", 1.5),
            ("Scale: 1/8”=1’-0”", 0.75),
            ("SCALE: 1 1/2\" = 1'-0\"", 9.0),
            ("1-1/2\"=1'-0\"", 9.0),
            ("¼\" = 1'-0\"", 1.5),
            ("3/32\" = 1'-0\"", 0.5625),
            ("1\" = 20'", 0.3),
        ];
        for (note, points) in told {
            let scale = scale_in_note(note).unwrap_or_default();
            assert!((scale - points).abs() < 1e-3, "{note}: {scale}");
        }
        for note in ["N.T.S.", "11:50", "1:12.5%", "A=1", "12:30", "RATIO 1:", "x=3'", "1/0\"=1'-0\"", "1:0"] {
            assert_eq!(scale_in_note(note), None, "{note}");
        }
    }
}
