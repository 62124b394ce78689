//! Boxes that are found on drafted sheets against those that are there: [`matched`] pairs them off, a [`Tally`] counts.

use std::iter::Sum;
use std::ops::AddAssign;

use fanlight_contract::Rect;

/// Boxes with this much in common, over what either covers, are of the same symbol.
pub const SAME: f32 = 0.5;
/// Around what is thinner than this, in points, boxes are compared this much wider.
const THIN: f32 = 12.0;
const WIDER: f32 = 4.0;

/// The box of a truth's corners: left, bottom, right, top.
pub fn rect([x1, y1, x2, y2]: [f32; 4]) -> Rect {
    Rect { x1, y1, x2, y2 }
}

/// What two boxes have in common, over what either covers. Around a thin truth both are 4 points wider: a point's difference
/// would decide.
pub fn overlap(found: Rect, truth: Rect) -> f32 {
    let is_thin = (truth.x2 - truth.x1).min(truth.y2 - truth.y1) < THIN;
    let by = if is_thin { WIDER } else { 0.0 };
    let (a, b) = (grown(found, by), grown(truth, by));
    let both = Rect { x1: a.x1.max(b.x1), y1: a.y1.max(b.y1), x2: a.x2.min(b.x2), y2: a.y2.min(b.y2) };
    area(both) / (area(a) + area(b) - area(both)).max(0.01)
}

fn grown(r: Rect, by: f32) -> Rect {
    Rect { x1: r.x1 - by, y1: r.y1 - by, x2: r.x2 + by, y2: r.y2 + by }
}

fn area(r: Rect) -> f32 {
    (r.x2 - r.x1).max(0.0) * (r.y2 - r.y1).max(0.0)
}

/// What is found where it should be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Symbols that are found.
    pub hit: usize,
    /// Symbols that are not.
    pub missed: usize,
    /// Finds that are none.
    pub wrong: usize,
}

impl Tally {
    /// Of what is found, the share that is right.
    pub fn precision(self) -> f64 {
        self.hit as f64 / (self.hit + self.wrong).max(1) as f64
    }

    /// Of what is there, the share that is found.
    pub fn recall(self) -> f64 {
        self.hit as f64 / (self.hit + self.missed).max(1) as f64
    }

    /// The harmonic mean of both.
    pub fn f1(self) -> f64 {
        2.0 * self.hit as f64 / (2 * self.hit + self.missed + self.wrong).max(1) as f64
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.hit += other.hit;
        self.missed += other.missed;
        self.wrong += other.wrong;
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, own| {
            sum += own;
            sum
        })
    }
}

/// What became of each find and of each symbol.
#[derive(Clone, Debug)]
pub struct Matched {
    /// For each find whether it is right; none where it counts neither way.
    pub finds: Vec<Option<bool>>,
    /// For each symbol whether it is found.
    pub met: Vec<bool>,
}

impl Matched {
    /// Counts them.
    pub fn tally(&self) -> Tally {
        let hit = self.met.iter().filter(|met| **met).count();
        let wrong = self.finds.iter().filter(|right| **right == Some(false)).count();
        Tally { hit, missed: self.met.len() - hit, wrong }
    }
}

/// Pairs finds off with the symbols that are wanted, those that overlap most first. A find without a symbol that overlaps
/// something unclear counts neither way.
pub fn matched(finds: &[Rect], wanted: &[Rect], unclear: &[Rect]) -> Matched {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for (index, find) in finds.iter().enumerate() {
        pairs.extend(wanted.iter().enumerate().map(|(place, truth)| (overlap(*find, *truth), index, place)));
    }
    pairs.retain(|(common, ..)| *common >= SAME);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut right, mut met) = (vec![false; finds.len()], vec![false; wanted.len()]);
    for (_, index, place) in pairs {
        if !right[index] && !met[place] {
            (right[index], met[place]) = (true, true);
        }
    }
    let is_unclear = |find: &Rect| unclear.iter().any(|thing| overlap(*find, *thing) >= SAME);
    let judged = finds.iter().zip(right).map(|(find, right)| (right || !is_unclear(find)).then_some(right));
    Matched { finds: judged.collect(), met }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32, side: f32) -> Rect {
        rect([x, 0.0, x + side, side])
    }

    #[test]
    fn each_symbol_takes_the_find_that_fits_it_best_and_what_is_unclear_counts_neither_way() {
        let finds = [square(2.0, 40.0), square(1.0, 40.0), square(100.0, 40.0), square(200.0, 40.0)];
        let wanted = [square(0.0, 40.0), square(300.0, 40.0)];
        let matched = matched(&finds, &wanted, &[square(102.0, 40.0)]);
        assert_eq!(matched.finds, [Some(false), Some(true), None, Some(false)]);
        assert_eq!(matched.met, [true, false]);
        let Tally { hit, missed, wrong } = matched.tally();
        assert_eq!((hit, missed, wrong), (1, 1, 2));
    }

    #[test]
    fn a_point_does_not_decide_about_what_is_thin() {
        let thin = rect([0.0, 0.0, 60.0, 2.0]);
        assert!(overlap(rect([0.0, 1.5, 60.0, 3.5]), thin) >= SAME);
        assert!(overlap(rect([0.0, 9.0, 60.0, 11.0]), thin) < SAME);
    }
}
