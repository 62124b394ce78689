//! From candidates and their confidences to detections.

use fanlight_geometry::{RectExt, non_maximum_suppression};
use fanlight_plugin::vocabulary::Rect;

use crate::candidates::{Candidate, Direction, MAX_THICKNESS_SHARE};

/// A window that is listed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detection {
    /// Its box in user space, in points.
    pub(crate) bbox: Rect,
    /// How likely it is a window, from 0 to 1.
    pub(crate) confidence: f32,
}

/// A candidate that shares more than this of the smaller box with a likelier one is the same window. This value and the
/// next ones are those of `train/train.py`.
const COVERED: f32 = 0.3;
/// Lines end together if they share this much of the length that they have together.
const SAME_ENDS: f32 = 0.85;

/// Returns the candidates with at least `min_confidence`, the likeliest first, none of them on a likelier one.
/// `confidences` are those of the candidates, in their order.
///
/// The network often prefers the glass to the whole opening. So the box of a detection is extended across the wall by the
/// candidates that end together with it and touch it, such as the sills and the faces of the wall.
pub(crate) fn detections(candidates: &[Candidate], confidences: &[f32], min_confidence: f32) -> Vec<Detection> {
    let pairs = candidates.iter().zip(confidences).filter(|&(_, &confidence)| confidence >= min_confidence);
    let mut likely: Vec<Detection> =
        pairs.map(|(own, &confidence)| Detection { bbox: across_the_wall(own, candidates), confidence }).collect();
    likely.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    non_maximum_suppression(likely, |kept, other| {
        kept.bbox.intersection_area(&other.bbox) > COVERED * kept.bbox.area().min(other.bbox.area())
    })
}

/// Returns the box of a candidate with those of the candidates that end together with it and touch it. Returns its own box
/// if theirs is too thick for a window.
fn across_the_wall(own: &Candidate, candidates: &[Candidate]) -> Rect {
    let own_span = Span::new(own.bbox, own.direction);
    let spans = candidates.iter().map(|other| Span::new(other.bbox, own.direction));
    let beside = spans.filter(|other| own_span.ends_with(other) && own_span.touches(other));
    let (low, high) = beside.fold(own_span.across, |sum, other| (sum.0.min(other.across.0), sum.1.max(other.across.1)));
    if high - low > MAX_THICKNESS_SHARE * (own_span.along.1 - own_span.along.0) {
        return own.bbox;
    }
    match own.direction {
        Direction::Horizontal => Rect { y1: low, y2: high, ..own.bbox },
        Direction::Vertical => Rect { x1: low, x2: high, ..own.bbox },
    }
}

/// A box seen along a direction: from where to where it extends along it, and across it.
#[derive(Clone, Copy, Debug)]
struct Span {
    along: (f32, f32),
    across: (f32, f32),
}

impl Span {
    fn new(Rect { x1, y1, x2, y2 }: Rect, direction: Direction) -> Self {
        match direction {
            Direction::Horizontal => Self { along: (x1, x2), across: (y1, y2) },
            Direction::Vertical => Self { along: (y1, y2), across: (x1, x2) },
        }
    }

    fn ends_with(&self, other: &Self) -> bool {
        let common = self.along.1.min(other.along.1) - self.along.0.max(other.along.0);
        let together = self.along.1.max(other.along.1) - self.along.0.min(other.along.0);
        common >= SAME_ENDS * together
    }

    fn touches(&self, other: &Self) -> bool {
        self.across.1.min(other.across.1) >= self.across.0.max(other.across.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(x1: f32, x2: f32, y1: f32, y2: f32) -> Candidate {
        Candidate { bbox: Rect { x1, y1, x2, y2 }, direction: Direction::Horizontal }
    }

    #[test]
    fn of_boxes_on_one_another_the_likeliest_is_kept() {
        let candidates = [
            candidate(0.0, 50.0, 0.0, 10.0),
            candidate(0.0, 40.0, 0.0, 10.0),
            candidate(60.0, 90.0, 0.0, 10.0),
            candidate(100.0, 130.0, 0.0, 10.0),
        ];
        let found = detections(&candidates, &[0.7, 0.9, 0.8, 0.3], 0.5);
        let kept: Vec<(f32, f32)> = found.iter().map(|one| (one.bbox.x1, one.confidence)).collect();
        assert_eq!(kept, [(0.0, 0.9), (60.0, 0.8)]);
        assert_eq!(found[0].bbox.x2, 40.0);
    }

    #[test]
    fn a_detection_extends_through_the_wall() {
        let glass = candidate(0.0, 50.0, 4.0, 6.0);
        let (sill, far) = (candidate(0.0, 51.0, 0.0, 4.0), candidate(0.0, 50.0, 20.0, 30.0));
        let found = detections(&[glass, sill, far], &[0.9, 0.8, 0.1], 0.5);
        let Rect { y1, y2, .. } = found[0].bbox;
        assert_eq!((found.len(), y1, y2), (1, 0.0, 6.0), "glass and sill are one window");
        let room = candidate(0.0, 50.0, 0.0, 45.0);
        assert_eq!(detections(&[glass, room], &[0.9, 0.1], 0.5)[0].bbox.y2, 6.0, "a room is too thick for a window");
    }
}
