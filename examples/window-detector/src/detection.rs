//! From candidates and their confidences to detections.

use fanlight_geometry::{RectExt, non_maximum_suppression};
use fanlight_plugin::vocabulary::Rect;

use crate::candidates::Candidate;

/// A window that is listed.
#[derive(Clone, Copy, Debug)]
pub struct Detection {
    /// Its box in user space, in points.
    pub bbox: Rect,
    /// How likely it is a window, from 0 to 1.
    pub confidence: f32,
}

/// A candidate that shares more than this of the smaller box with a likelier one is the same window. The same value is in
/// `train/train.py`.
const COVERED: f32 = 0.3;

/// Returns the candidates with at least `min_confidence`, the likeliest first, none of them on a likelier one.
/// `confidences` are those of the candidates, in their order.
pub fn detections(candidates: &[Candidate], confidences: &[f32], min_confidence: f32) -> Vec<Detection> {
    let pairs = candidates.iter().zip(confidences);
    let mut likely: Vec<Detection> = pairs
        .filter(|&(_, &confidence)| confidence >= min_confidence)
        .map(|(candidate, &confidence)| Detection { bbox: candidate.bbox, confidence })
        .collect();
    likely.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    non_maximum_suppression(likely, |kept, other| {
        kept.bbox.intersection_area(&other.bbox) > COVERED * kept.bbox.area().min(other.bbox.area())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::Direction;

    #[test]
    fn of_boxes_on_one_another_the_likeliest_is_kept() {
        let candidate =
            |x1: f32, x2: f32| Candidate { bbox: Rect { x1, y1: 0.0, x2, y2: 10.0 }, direction: Direction::Horizontal };
        let candidates = [candidate(0.0, 50.0), candidate(0.0, 40.0), candidate(60.0, 90.0), candidate(100.0, 130.0)];
        let found = detections(&candidates, &[0.7, 0.9, 0.8, 0.3], 0.5);
        let kept: Vec<(f32, f32)> = found.iter().map(|one| (one.bbox.x1, one.confidence)).collect();
        assert_eq!(kept, [(0.0, 0.9), (60.0, 0.8)]);
        assert_eq!(found[0].bbox.x2, 40.0);
    }
}
