//! Evens out the sizes of recognized text. A faint scan makes the same letters higher in one line than in the next, and a
//! typewriter's letters are lower than those of other faces of its size. The white space that parts the columns of a page is
//! measured in ems, so a wrong size joins columns or splits words from each other.
//!
//! Drawings keep the sizes as measured: there a title may be only a fifth larger than what is around it.

use fanlight_contract::{PageText, TextRun};
use fanlight_geometry::{median, weighted_median};

use crate::runs::CAPITAL_EMS;

/// Greatest difference of the sizes that letters of one size get, as a share. Letters of 7.3 pt in scans with blur and noise were
/// measured with 5.5 to 7.9 pt.
const MAX_SCATTER: f32 = 0.25;
/// Advance of each letter of a typewriter in ems: that of Courier, by which typewriters' faces are drawn.
const TYPEWRITER_ADVANCE: f32 = 0.6;
/// Heights of the capitals of a typewriter's face as shares of its em, as scans show them; Courier's are 0.57.
const TYPEWRITER_CAPITALS: std::ops::Range<f32> = 0.4..0.75;
/// Minimum number of words that tell whether a text is typewritten.
const MIN_TYPEWRITTEN: usize = 20;
/// Maximum number of words that are looked at for it. Their number is squared.
const MAX_TYPEWRITTEN: usize = 300;
/// Greatest median deviation of a typewritten word from its width, in advances. The words of proportional faces deviate by half an
/// advance and more, since an I is as narrow as a third of an M.
const MAX_DEVIATION: f32 = 0.2;

/// Returns recognized text with each size replaced by the usual one of those that are about as large, or by the typewriter's.
/// Each run is a word of one glyph, as [`page_text`](crate::page_text) returns them.
pub(crate) fn evened(mut text: PageText) -> PageText {
    let mut sizes: Vec<(f32, f32)> = text.runs.iter().map(|run| (run.size, width(run))).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let letters: Vec<(f32, f32)> = text.runs.iter().map(|run| (run.text.chars().count() as f32, width(run))).collect();
    let typewriter = typewriter_em(&letters);
    for run in &mut text.runs {
        let usual = usual_size(&sizes, run.size);
        let is_typewritten = |em: &f32| TYPEWRITER_CAPITALS.contains(&(usual * CAPITAL_EMS / em));
        run.size = typewriter.filter(is_typewritten).unwrap_or(usual);
    }
    text
}

/// Returns the width of a word in points.
fn width(run: &TextRun) -> f32 {
    run.advances.iter().sum()
}

/// Returns the median of the sizes about as large as this one, weighted by the widths of their words (one step of mean shift, with
/// the median for the mean). `sizes` ascend.
fn usual_size(sizes: &[(f32, f32)], size: f32) -> f32 {
    let first = sizes.partition_point(|(other, _)| *other < (1.0 - MAX_SCATTER) * size);
    let end = sizes.partition_point(|(other, _)| *other <= (1.0 + MAX_SCATTER) * size);
    weighted_median(sizes[first.min(end)..end].to_vec()).unwrap_or(size)
}

/// Returns the em of typewritten text in points: each letter is as wide as any other, so a word's width is a linear function of its
/// number of letters (Theil-Sen estimator). `None` for text of other faces or several sizes. `letters` are the numbers of
/// characters and the widths of words.
fn typewriter_em(letters: &[(f32, f32)]) -> Option<f32> {
    let every = letters.len().div_ceil(MAX_TYPEWRITTEN).max(1);
    let words: Vec<(f32, f32)> = letters.iter().copied().step_by(every).collect();
    if words.len() < MIN_TYPEWRITTEN {
        return None;
    }
    let mut advances = Vec::new();
    for (index, a) in words.iter().enumerate() {
        let others = words[index + 1..].iter().filter(|b| (b.0 - a.0).abs() >= 2.0);
        advances.extend(others.map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    let advance = median(advances).filter(|advance| *advance > 0.0)?;
    let bearings = median(words.iter().map(|(count, width)| width - advance * count).collect())?;
    let deviation = median(words.iter().map(|(count, width)| (width - advance * count - bearings).abs()).collect())?;
    (deviation <= MAX_DEVIATION * advance).then_some(advance / TYPEWRITER_ADVANCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_text;
    use fanlight_contract::{Geometry, ReadWord, Rect};

    const WORDS: [&str; 7] = ["SECTION", "AND", "FIRE", "DOORS", "INSTALLATION", "OF", "EQUIPMENT"];

    #[test]
    fn lines_of_about_the_same_height_have_one_size() {
        let words = [30.0, 27.0, 30.0, 33.0, 90.0].iter().zip(0_u32..).map(|(height, line)| {
            let y1 = 100.0 * line as f32;
            let bbox = Rect { x1: 0.0, y1, x2: 100.0, y2: y1 + height };
            ReadWord { text: "DOORS".to_owned(), bbox, confidence: 0.9, angle: 0.0, line }
        });
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        let text = evened(page_text(&words.collect::<Vec<_>>(), &geometry, 300.0));
        let sizes: Vec<f32> = text.runs.iter().map(|run| run.size.round()).collect();
        assert_eq!(sizes, [10.0, 10.0, 10.0, 10.0, 31.0]);
    }

    #[test]
    fn typewritten_text_has_the_em_of_its_advances() {
        let typed: Vec<(f32, f32)> =
            (0..28).map(|n| WORDS[n % 7].chars().count() as f32).map(|count| (count, 30.0 * count - 5.0)).collect();
        let em = typewriter_em(&typed).unwrap();
        assert!((em - 50.0).abs() < 0.1, "{em}");
        let printed: Vec<(f32, f32)> =
            typed.iter().enumerate().map(|(n, (count, width))| (*count, width * [0.8, 1.0, 1.25][n % 3])).collect();
        assert_eq!(typewriter_em(&printed), None);
        assert_eq!(typewriter_em(&[(3.0, 90.0); 19]), None, "too few words");
    }
}
