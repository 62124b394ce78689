//! Long strokes along the axes, by run lengths.

use crate::rules::{Rule, joined_strokes};

/// Maximum length of a break in a stroke, in points.
const MAX_BREAK: f32 = 2.4;
/// Minimum share of a stroke's length at which its row of pixels or a neighboring one is foreground.
const MIN_DENSITY: f32 = 0.8;
/// The same for its own row of pixels alone.
const MIN_OWN_DENSITY: f32 = 0.4;

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    Horizontal,
    Vertical,
}

/// The foreground mask of a deskewed image.
pub(super) struct Foreground {
    /// Row by row from the top.
    pub(super) mask: Vec<bool>,
    /// In pixels.
    pub(super) width: usize,
    /// In pixels.
    pub(super) height: usize,
    pub(super) points_per_pixel: f32,
}

impl Foreground {
    /// Returns whether the pixel at `along` of a lane is foreground: of a row, or of a column for a vertical axis.
    pub(super) fn at(&self, axis: Axis, lane: usize, along: usize) -> bool {
        let index = match axis {
            Axis::Horizontal => lane * self.width + along,
            Axis::Vertical => along * self.width + lane,
        };
        self.mask.get(index).copied().unwrap_or(false)
    }

    /// Returns a length in pixels.
    pub(super) fn pixels(&self, points: f32) -> f32 {
        points / self.points_per_pixel
    }
}

/// A run of pixels along a lane, with short breaks.
struct Run {
    start: usize,
    /// The last foreground pixel.
    last: usize,
    /// The number of places where the lane or a neighboring one is foreground.
    near: usize,
    /// The number of foreground pixels of the lane itself.
    own: usize,
}

impl Run {
    fn is_stroke(&self, min_length: f32) -> bool {
        let length = (self.last - self.start + 1) as f32;
        length >= min_length && self.near as f32 >= MIN_DENSITY * length && self.own as f32 >= MIN_OWN_DENSITY * length
    }
}

/// Returns the strokes along an axis that are at least `min_length` points long, as rules in points.
pub(super) fn strokes(foreground: &Foreground, axis: Axis, min_length: f32) -> Vec<Rule> {
    let scale = foreground.points_per_pixel;
    let min_pixels = foreground.pixels(min_length);
    let lanes = match axis {
        Axis::Horizontal => foreground.height,
        Axis::Vertical => foreground.width,
    };
    let mut strokes = Vec::new();
    for lane in 0..lanes {
        for run in runs(foreground, axis, lane).into_iter().filter(|run| run.is_stroke(min_pixels)) {
            strokes.push(Rule {
                at: (lane as f32 + 0.5) * scale,
                from: run.start as f32 * scale,
                to: (run.last + 1) as f32 * scale,
            });
        }
    }
    joined_strokes(strokes, min_pixels * scale)
}

/// Returns the runs along a lane. A thin line moves by a pixel from lane to lane, so the neighboring lanes count as well.
fn runs(foreground: &Foreground, axis: Axis, lane: usize) -> Vec<Run> {
    let length = match axis {
        Axis::Horizontal => foreground.width,
        Axis::Vertical => foreground.height,
    };
    let max_break = foreground.pixels(MAX_BREAK).round() as usize;
    let mut runs: Vec<Run> = Vec::new();
    for along in 0..length {
        let is_own = foreground.at(axis, lane, along);
        let is_near =
            is_own || (lane > 0 && foreground.at(axis, lane - 1, along)) || foreground.at(axis, lane + 1, along);
        if !is_near {
            continue;
        }
        match runs.last_mut() {
            Some(run) if along - run.last <= max_break + 1 => {
                run.last = along;
                run.near += 1;
                run.own += usize::from(is_own);
            }
            _ => runs.push(Run { start: along, last: along, near: 1, own: usize::from(is_own) }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mask drawn with "#" for foreground pixels, at one pixel per point.
    fn foreground(rows: &[&str]) -> Foreground {
        let mask = rows.iter().flat_map(|row| row.bytes()).map(|byte| byte == b'#').collect();
        Foreground { mask, width: rows[0].len(), height: rows.len(), points_per_pixel: 1.0 }
    }

    #[test]
    fn short_break_does_not_end_a_run() {
        let foreground = foreground(&["####..####.....####"]);
        let runs: Vec<(usize, usize)> =
            runs(&foreground, Axis::Horizontal, 0).iter().map(|run| (run.start, run.last)).collect();
        assert_eq!(runs, [(0, 9), (15, 18)]);
    }

    #[test]
    fn line_that_moves_by_a_pixel_is_one_stroke() {
        let found = strokes(&foreground(&["######......", "......######"]), Axis::Horizontal, 10.0);
        assert_eq!(found.iter().map(|rule| (rule.from, rule.to)).collect::<Vec<_>>(), [(0.0, 12.0)]);
    }

    #[test]
    fn letters_in_a_row_are_no_stroke() {
        let foreground = foreground(&["#..#..#..#..#..#"]);
        assert!(strokes(&foreground, Axis::Horizontal, 10.0).is_empty());
    }

    #[test]
    fn vertical_strokes_are_found_along_columns() {
        let found = strokes(&foreground(&["#..", "#..", "#.."]), Axis::Vertical, 3.0);
        assert_eq!(found, [Rule { at: 0.5, from: 0.0, to: 3.0 }]);
    }
}
