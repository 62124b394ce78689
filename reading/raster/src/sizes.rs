//! Evens out the sizes of recognized text. A faint scan makes the same letters higher in one line than in the next, and a
//! typewriter's letters are lower than those of other faces of its size. The white space that parts the columns of a page is
//! measured in ems, so a wrong size joins columns or splits words from each other.
//!
//! Drawings keep the sizes as measured: there a title may be only a fifth larger than what is around it.

use fanlight_contract::{PageText, ReadWord, TextRun};
use fanlight_geometry::weighted_median;

use crate::runs::text_of_runs;

/// Greatest difference of the sizes that letters of one size get, as a share. Letters of 7.3 pt in scans with blur and noise were
/// measured with 5.5 to 7.9 pt.
const MAX_SCATTER: f32 = 0.25;
/// Advance of each letter of a typewriter in ems: that of Courier, by which typewriters' faces are drawn. Letters of other faces
/// are narrower on average, but for capitals, which make a line of them some tenth too large.
const TYPEWRITER_ADVANCE: f32 = 0.6;
/// White space at both ends of a word that is no part of its width, in advances.
const BEARINGS: f32 = 0.25;
/// Least width of a line in advances that tells its size.
const MIN_ADVANCES: f32 = 3.5;

/// Returns the text of recognized words, with each size replaced by the usual one of those that are about as large. `words` are
/// those of [`word_runs`](crate::word_runs).
pub(crate) fn evened(mut words: Vec<(&ReadWord, TextRun)>) -> PageText {
    words.chunk_by_mut(|a, b| a.0.line == b.0.line).for_each(enlarge_to_typewriter);
    let mut runs: Vec<TextRun> = words.into_iter().map(|(_, run)| run).collect();
    let mut sizes: Vec<(f32, f32)> = runs.iter().map(|run| (run.size, width(run))).collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    for run in &mut runs {
        run.size = usual_size(&sizes, run.size);
    }
    text_of_runs(runs)
}

/// Makes the runs of a line no smaller than a typewriter's letters of their width.
fn enlarge_to_typewriter(line: &mut [(&ReadWord, TextRun)]) {
    let advances: f32 = line.iter().map(|(_, run)| run.text.chars().count() as f32 - BEARINGS).sum();
    if advances < MIN_ADVANCES {
        return;
    }
    let widths: f32 = line.iter().map(|(_, run)| width(run)).sum();
    let least = widths / advances / TYPEWRITER_ADVANCE;
    for (_, run) in line {
        run.size = run.size.max(least);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Capture, word_runs};
    use fanlight_contract::{Geometry, Rect};

    /// Returns the rounded sizes of lines of one word each: its text, and the width and height of its box in pixels at 300 dpi.
    fn sizes(words: &[(&str, f32, f32)]) -> Vec<f32> {
        let words = words.iter().zip(0_u32..).map(|((text, width, height), line)| {
            let y1 = 100.0 * line as f32;
            let bbox = Rect { x1: 0.0, y1, x2: *width, y2: y1 + height };
            ReadWord { text: (*text).to_owned(), bbox, confidence: 0.9, angle: 0.0, line }
        });
        let words: Vec<ReadWord> = words.collect();
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        let runs = word_runs(&words, &geometry, Capture { dpi: 300.0, skew: 0.0 });
        evened(runs).runs.iter().map(|run| run.size.round()).collect()
    }

    #[test]
    fn lines_of_about_the_same_height_have_one_size() {
        let words = [30.0, 27.0, 30.0, 33.0, 90.0].map(|height| ("DOORS", 100.0, height));
        assert_eq!(sizes(&words), [10.0, 10.0, 10.0, 10.0, 31.0]);
    }

    #[test]
    fn low_letters_of_a_typewriter_have_the_size_of_their_width() {
        // Courier of 12 pt: 30 pixels for each letter, capitals of 29. Words of few letters take the size of the others.
        let words = [("INSTALLATION", 355.0, 29.0), ("DOORS", 145.0, 29.0), ("OF", 55.0, 29.0), ("FIRE", 115.0, 20.0)];
        assert_eq!(sizes(&words), [12.0, 12.0, 12.0, 12.0]);
    }

    #[test]
    fn a_size_that_no_other_line_has_stays() {
        assert_eq!(sizes(&[("Doors", 100.0, 30.0), ("Doors", 100.0, 60.0)]), [10.0, 21.0]);
    }
}
