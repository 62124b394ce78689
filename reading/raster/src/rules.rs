//! Removes the rules of tables, forms and borders from the image of a page. OCR reads them as letters and does not read what
//! is beside them.

use crate::components::PixelBox;
use crate::scan_image::ScanImage;

/// Minimum length of a run of foreground pixels that may belong to a rule, in pixels at 300 dpi. Strokes of letters are
/// shorter: the bar of a T of 24 pt type has some 60.
const MIN_RUN: usize = 70;
/// Minimum length of a rule, in pixels at 300 dpi. The runs of a skewed rule continue from row to row, so each of them may be
/// shorter.
const MIN_RULE: usize = 280;
/// Minimum ratio of a rule's length to its extent across, skew included.
const MIN_ASPECT: usize = 12;
/// Maximum gap of a rule, in pixels, where dust or the threshold ate into it.
const MAX_GAP: usize = 3;
/// Maximum mean thickness of a rule in pixels. What is thicker is a bar with text in it, or a photograph.
const MAX_THICKNESS: usize = 24;
/// Margin of grey that blur leaves beside a rule, in pixels.
const HALO: usize = 1;

/// Paints rules white.
pub(crate) fn remove(image: &mut ScanImage) {
    let (width, height) = (image.0.width, image.0.height);
    let horizontal = strips(height, width, |along, across| image.is_foreground(along, across));
    let vertical = strips(width, height, |along, across| image.is_foreground(across, along));
    for strip in horizontal {
        image.erase(PixelBox { left: strip.from, right: strip.to, top: strip.line, bottom: strip.line }.expanded(HALO));
    }
    for strip in vertical {
        image.erase(PixelBox { left: strip.line, right: strip.line, top: strip.from, bottom: strip.to }.expanded(HALO));
    }
}

/// A run of foreground along one row or column of pixels, ends included.
#[derive(Clone, Copy, Debug)]
struct Strip {
    line: usize,
    from: usize,
    to: usize,
}

/// A rule that is being assembled from runs of neighboring lines of pixels.
struct Rule {
    strips: Vec<Strip>,
    from: usize,
    to: usize,
    /// Index of the first strip of its last line of pixels.
    newest: usize,
}

impl Rule {
    /// Returns whether a strip of the next line of pixels continues it: both overlap or touch.
    fn continues_with(&self, strip: &Strip) -> bool {
        self.strips[self.newest..].iter().any(|last| last.from <= strip.to + 1 && strip.from <= last.to + 1)
    }

    /// Returns whether it is long, straight and thin enough.
    fn is_rule(&self) -> bool {
        let length = self.to - self.from + 1;
        let across = self.strips.last().map_or(0, |last| last.line - self.strips[0].line + 1);
        let pixels: usize = self.strips.iter().map(|strip| strip.to - strip.from + 1).sum();
        length >= MIN_RULE && length >= MIN_ASPECT * across && pixels / length < MAX_THICKNESS
    }
}

/// Returns the runs that make up rules, in an image of `lines` lines of `length` pixels each.
fn strips(lines: usize, length: usize, is_foreground: impl Fn(usize, usize) -> bool) -> Vec<Strip> {
    let mut open: Vec<Rule> = Vec::new();
    let mut found = Vec::new();
    for line in 0..lines {
        let ended = open.extract_if(.., |rule| rule.strips.last().is_none_or(|last| last.line + 1 < line));
        found.extend(ended.filter(Rule::is_rule).flat_map(|rule| rule.strips));
        for strip in runs(line, length, &is_foreground) {
            match open.iter_mut().find(|rule| rule.continues_with(&strip)) {
                Some(rule) => {
                    if rule.strips.last().is_some_and(|last| last.line < line) {
                        rule.newest = rule.strips.len();
                    }
                    rule.from = rule.from.min(strip.from);
                    rule.to = rule.to.max(strip.to);
                    rule.strips.push(strip);
                }
                None => open.push(Rule { strips: vec![strip], from: strip.from, to: strip.to, newest: 0 }),
            }
        }
    }
    found.extend(open.into_iter().filter(Rule::is_rule).flat_map(|rule| rule.strips));
    found
}

/// Returns the long runs of foreground along a line of pixels, small gaps bridged.
fn runs(line: usize, length: usize, is_foreground: impl Fn(usize, usize) -> bool) -> Vec<Strip> {
    let mut runs: Vec<Strip> = Vec::new();
    for at in (0..length).filter(|&at| is_foreground(at, line)) {
        match runs.last_mut() {
            Some(run) if at - run.to <= MAX_GAP + 1 => run.to = at,
            _ => runs.push(Strip { line, from: at, to: at }),
        }
    }
    runs.retain(|run| run.to - run.from + 1 >= MIN_RUN);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan_image::tests::{Mark, dark_pixels, drawn};

    fn left_of(marks: &[Mark]) -> usize {
        let mut image = ScanImage::from_raster(&drawn(marks)).unwrap();
        remove(&mut image);
        dark_pixels(&image.into_raster())
    }

    #[test]
    fn rules_are_removed_and_letters_stay() {
        let skewed: Vec<_> = (0..4).map(|step| (20 + step * 90, 30 + step, 90, 3)).collect();
        let broken: Vec<_> = (0..30).map(|piece| (20 + piece * 12, 30, 10, 2)).collect();
        let cases: [(&str, &[Mark], usize); 5] = [
            ("a rule", &[(20, 30, 350, 3)], 0),
            ("a skewed rule", &skewed, 0),
            ("a rule with gaps", &broken, 0),
            ("the bar of a large T", &[(20, 10, 60, 6)], 360),
            ("a black bar", &[(20, 10, 350, 30)], 350 * 30),
        ];
        for (what, marks, expected) in cases {
            assert_eq!(left_of(marks), expected, "{what}");
        }
    }
}
