//! Takes the rules of tables, forms and borders out of a picture: OCR reads them as letters, and what stands beside
//! them not at all.

use crate::picture::{Picture, Speck};

/// A stroke of a letter is shorter than this, in pixels at 300 dpi: the bar of a T of 24 pt type has some 60.
const SHORTEST_RUN: usize = 70;
/// Runs of a rule that was scanned askew go on in the next row; together they are at least so long.
const SHORTEST_RULE: usize = 280;
/// A rule is at least so many times as long as it is high, its slope included.
const SLENDER: usize = 12;
/// A rule has gaps of at most so many pixels, where dust or the threshold ate into it.
const GAP: usize = 3;
/// The thickest rule: what is thicker is a bar with text in it, or a picture.
const THICKEST: usize = 24;

/// Grey that blur leaves beside a rule, in pixels.
const HALO: usize = 1;

/// Paints rules white.
pub(crate) fn remove(picture: &mut Picture) {
    let (width, height) = (picture.width, picture.height);
    let lying = strips(height, width, |along, across| picture.is_ink(along, across));
    let standing = strips(width, height, |along, across| picture.is_ink(across, along));
    for strip in lying {
        picture.erase(Speck { left: strip.from, right: strip.to, top: strip.line, bottom: strip.line }.grown(HALO));
    }
    for strip in standing {
        picture.erase(Speck { left: strip.line, right: strip.line, top: strip.from, bottom: strip.to }.grown(HALO));
    }
}

/// A run of ink along one row or column of pixels, ends included.
#[derive(Clone, Copy, Debug)]
struct Strip {
    line: usize,
    from: usize,
    to: usize,
}

/// A rule that is being put together.
struct Rule {
    strips: Vec<Strip>,
    from: usize,
    to: usize,
    /// The strips of the last line that it has some in begin here.
    newest: usize,
}

impl Rule {
    fn goes_on_with(&self, strip: &Strip) -> bool {
        self.strips[self.newest..].iter().any(|last| last.from <= strip.to + 1 && strip.from <= last.to + 1)
    }

    fn is_rule(&self) -> bool {
        let length = self.to - self.from + 1;
        let across = self.strips.last().map_or(0, |last| last.line - self.strips[0].line + 1);
        let ink: usize = self.strips.iter().map(|strip| strip.to - strip.from + 1).sum();
        length >= SHORTEST_RULE && length >= SLENDER * across && ink / length < THICKEST
    }
}

/// The runs that make up rules, along lines of so many pixels.
fn strips(lines: usize, length: usize, is_ink: impl Fn(usize, usize) -> bool) -> Vec<Strip> {
    let mut open: Vec<Rule> = Vec::new();
    let mut found = Vec::new();
    for line in 0..lines {
        let runs = runs(line, length, &is_ink);
        let (going, ended): (Vec<Rule>, Vec<Rule>) =
            open.into_iter().partition(|rule| rule.strips.last().is_some_and(|last| last.line + 1 >= line));
        open = going;
        found.extend(ended.into_iter().filter(Rule::is_rule).flat_map(|rule| rule.strips));
        for strip in runs {
            match open.iter_mut().find(|rule| rule.goes_on_with(&strip)) {
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

/// Long runs of ink along a line, small gaps bridged.
fn runs(line: usize, length: usize, is_ink: impl Fn(usize, usize) -> bool) -> Vec<Strip> {
    let mut runs: Vec<Strip> = Vec::new();
    for at in (0..length).filter(|&at| is_ink(at, line)) {
        match runs.last_mut() {
            Some(run) if at - run.to <= GAP + 1 => run.to = at,
            _ => runs.push(Strip { line, from: at, to: at }),
        }
    }
    runs.retain(|run| run.to - run.from + 1 >= SHORTEST_RUN);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::{Mark, drawn, ink};

    fn left_of(marks: &[Mark]) -> usize {
        let mut picture = Picture::of(&drawn(marks)).unwrap();
        remove(&mut picture);
        ink(&picture.into_raster())
    }

    #[test]
    fn rules_go_and_letters_stay() {
        let askew: Vec<_> = (0..4).map(|step| (20 + step * 90, 30 + step, 90, 3)).collect();
        let broken: Vec<_> = (0..30).map(|piece| (20 + piece * 12, 30, 10, 2)).collect();
        let cases: [(&str, &[Mark], usize); 5] = [
            ("a rule", &[(20, 30, 350, 3)], 0),
            ("a rule that is askew", &askew, 0),
            ("a rule with gaps", &broken, 0),
            ("the bar of a large T", &[(20, 10, 60, 6)], 360),
            ("a black bar", &[(20, 10, 350, 30)], 350 * 30),
        ];
        for (what, marks, expected) in cases {
            assert_eq!(left_of(marks), expected, "{what}");
        }
    }
}
