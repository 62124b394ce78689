//! Scores boxes and other detections on synthetic sheets against the truth.
//!
//! [`match_boxes`] and [`match_pairs`] pair detections with truths one to one; a [`Tally`] counts the outcome. Every
//! evaluation of the project matches and counts here.

use std::iter::Sum;
use std::ops::AddAssign;

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

/// Boxes with at least this intersection over union match, as in Pascal VOC.
pub const MATCH_IOU: f32 = 0.5;
/// Boxes around a truth thinner than this, in points, are padded before they are compared.
const THIN: f32 = 12.0;
/// Padding on each side of boxes around a thin truth, in points.
const THIN_PADDING: f32 = 4.0;

/// Returns the box of a truth's corners: left, bottom, right, top.
pub fn rect([x1, y1, x2, y2]: [f32; 4]) -> Rect {
    Rect { x1, y1, x2, y2 }
}

/// Returns the intersection over union of two boxes, from 0 to 1.
pub fn iou(a: Rect, b: Rect) -> f32 {
    a.iou(&b)
}

/// Returns the intersection over union of a detection and a truth.
///
/// Around a thin truth both are padded by 4 points on each side, because an error of one point would decide otherwise.
pub fn padded_iou(detection: Rect, truth: Rect) -> f32 {
    let is_thin = (truth.x2 - truth.x1).min(truth.y2 - truth.y1) < THIN;
    let padding = if is_thin { THIN_PADDING } else { 0.0 };
    iou(detection.expanded(padding, padding), truth.expanded(padding, padding))
}

/// Counts of right, missed and wrong detections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// True positives: truths that are detected.
    pub hit: usize,
    /// False negatives: truths that are not detected.
    pub missed: usize,
    /// False positives: detections without a truth.
    pub wrong: usize,
}

impl Tally {
    /// Returns the share of detections that are right.
    pub fn precision(self) -> f64 {
        self.hit as f64 / (self.hit + self.wrong).max(1) as f64
    }

    /// Returns the share of truths that are detected.
    pub fn recall(self) -> f64 {
        self.hit as f64 / (self.hit + self.missed).max(1) as f64
    }

    /// Returns the harmonic mean of precision and recall; 1 if there is nothing to detect and nothing is detected.
    pub fn f1(self) -> f64 {
        let all = 2 * self.hit + self.missed + self.wrong;
        if all == 0 { 1.0 } else { 2.0 * self.hit as f64 / all as f64 }
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

/// The outcome of matching boxes.
#[derive(Clone, Debug)]
pub struct Matches {
    /// For each detection whether it is right, or `None` if it counts neither way.
    pub detections: Vec<Option<bool>>,
    /// For each truth whether it is detected.
    pub truths: Vec<bool>,
}

impl Matches {
    /// Counts the outcome.
    pub fn tally(&self) -> Tally {
        let hit = self.truths.iter().filter(|is_detected| **is_detected).count();
        let wrong = self.detections.iter().filter(|is_right| **is_right == Some(false)).count();
        Tally { hit, missed: self.truths.len() - hit, wrong }
    }
}

/// Matches boxes at [`MATCH_IOU`], one to one, the best overlap first.
///
/// A detection that has no truth but overlaps something uncertain counts neither way.
pub fn match_boxes(detections: &[Rect], truths: &[Rect], uncertain: &[Rect]) -> Matches {
    let pairs = match_pairs(detections.len(), truths.len(), |detection, truth| {
        let overlap = padded_iou(detections[detection], truths[truth]);
        (overlap >= MATCH_IOU).then_some(overlap)
    });
    let (mut right, mut detected) = (vec![false; detections.len()], vec![false; truths.len()]);
    for (detection, truth) in pairs {
        (right[detection], detected[truth]) = (true, true);
    }
    let is_uncertain = |detection: &Rect| uncertain.iter().any(|thing| padded_iou(*detection, *thing) >= MATCH_IOU);
    let outcomes = detections.iter().zip(right).map(|(own, right)| (right || !is_uncertain(own)).then_some(right));
    Matches { detections: outcomes.collect(), truths: detected }
}

/// Matches detections with truths greedily, one to one, the highest similarity first.
///
/// `similarity` takes the index of a detection and of a truth, and returns `None` if the two do not match. Returns pairs of
/// such indices.
pub fn match_pairs(
    detections: usize,
    truths: usize,
    similarity: impl Fn(usize, usize) -> Option<f32>,
) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
    for detection in 0..detections {
        pairs.extend((0..truths).filter_map(|truth| Some((similarity(detection, truth)?, detection, truth))));
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut is_taken, mut is_detected) = (vec![false; detections], vec![false; truths]);
    let mut matched = Vec::new();
    for (_, detection, truth) in pairs {
        if !is_taken[detection] && !is_detected[truth] {
            (is_taken[detection], is_detected[truth]) = (true, true);
            matched.push((detection, truth));
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32, side: f32) -> Rect {
        rect([x, 0.0, x + side, side])
    }

    #[test]
    fn truths_take_the_best_detection_and_uncertain_ones_are_ignored() {
        let detections = [square(2.0, 40.0), square(1.0, 40.0), square(100.0, 40.0), square(200.0, 40.0)];
        let truths = [square(0.0, 40.0), square(300.0, 40.0)];
        let matches = match_boxes(&detections, &truths, &[square(102.0, 40.0)]);
        assert_eq!(matches.detections, [Some(false), Some(true), None, Some(false)]);
        assert_eq!(matches.truths, [true, false]);
        let Tally { hit, missed, wrong } = matches.tally();
        assert_eq!((hit, missed, wrong), (1, 1, 2));
    }

    #[test]
    fn an_error_of_a_point_is_tolerated_on_thin_boxes() {
        let thin = rect([0.0, 0.0, 60.0, 2.0]);
        assert!(padded_iou(rect([0.0, 1.5, 60.0, 3.5]), thin) >= MATCH_IOU);
        assert!(padded_iou(rect([0.0, 9.0, 60.0, 11.0]), thin) < MATCH_IOU);
    }

    #[test]
    fn nothing_detected_of_nothing_is_perfect() {
        assert_eq!(match_boxes(&[], &[], &[]).tally().f1(), 1.0);
        assert_eq!(match_boxes(&[square(0.0, 9.0)], &[], &[]).tally().f1(), 0.0);
    }
}
