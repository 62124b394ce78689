//! What the other views of a sheet say of a view: a sheet shows few kinds of drawings, each several times.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::views::fusion::probabilities;
use crate::views::network_input::CLASSES;

/// A box that may hold a view.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// In the sheet's frame.
    pub(crate) bbox: Rect,
    /// Log-odds of [`CLASSES`], up to a constant.
    pub(crate) scores: [f32; CLASSES.len()],
}

/// Least probability that a box holds one view.
const MIN_IS_VIEW: f32 = 0.5;
/// A box that has this share of its area in common with a likelier one, or of that one's area, is no view beside it.
const MAX_COMMON: f32 = 0.5;
/// How many views of each class a sheet is taken to have before any is known: Jeffreys' prior of a multinomial.
const PRIOR_VIEWS: f32 = 0.5;

impl Candidate {
    /// Returns the probabilities of [`CLASSES`].
    pub(crate) fn probabilities(&self) -> [f32; CLASSES.len()] {
        probabilities(&self.scores)
    }

    /// Returns the probability that the box holds one view of any class.
    pub(crate) fn is_view(&self) -> f32 {
        1.0 - self.probabilities()[0]
    }

    /// Returns the candidate with what the views that it does not overlap say of its classes. Each has its probabilities.
    fn beside(&self, views: &[(Self, [f32; CLASSES.len()])]) -> Self {
        let mut counts = [PRIOR_VIEWS; CLASSES.len()];
        for (_, probabilities) in views.iter().filter(|(view, _)| !view.overlaps(self)) {
            for (count, probability) in counts.iter_mut().zip(probabilities) {
                *count += probability;
            }
        }
        let mean = counts.iter().skip(1).sum::<f32>() / (CLASSES.len() - 1) as f32;
        let mut scores = self.scores;
        for (score, count) in scores.iter_mut().zip(counts).skip(1) {
            *score += (count / mean).ln();
        }
        Self { scores, ..*self }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let common = self.bbox.intersection(&other.bbox).area();
        common >= MAX_COMMON * self.bbox.area().min(other.bbox.area())
    }
}

/// Keeps the likeliest views that do not overlap, the likeliest first (greedy non-maximum suppression).
pub(crate) fn likely_views(candidates: &[Candidate]) -> Vec<Candidate> {
    let mut likely: Vec<(f32, Candidate)> = candidates.iter().map(|own| (own.is_view(), *own)).collect();
    likely.retain(|(is_view, _)| *is_view >= MIN_IS_VIEW);
    likely.sort_by(|a, b| b.0.total_cmp(&a.0));
    fanlight_geometry::non_maximum_suppression(likely.into_iter().map(|(_, candidate)| candidate), Candidate::overlaps)
}

/// Adds to the scores of each candidate how likely its classes are on a sheet with the other likely views.
///
/// The shares of the classes have a Dirichlet prior, so their expectations are the counted views, each by its probabilities,
/// and [`PRIOR_VIEWS`] more.
pub(crate) fn with_context(candidates: &[Candidate]) -> Vec<Candidate> {
    let views: Vec<(Candidate, [f32; CLASSES.len()])> =
        likely_views(candidates).into_iter().map(|view| (view, view.probabilities())).collect();
    candidates.iter().map(|candidate| candidate.beside(&views)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::network_input::ViewClass;

    /// A box of 100 points at `x1` with these log-odds of a class.
    fn candidate(x1: f32, class: ViewClass, score: f32) -> Candidate {
        let scores = CLASSES.map(|own| if own == class { score } else { 0.0 });
        Candidate { bbox: Rect { x1, y1: 0.0, x2: x1 + 100.0, y2: 100.0 }, scores }
    }

    #[test]
    fn the_likeliest_of_boxes_that_overlap_is_kept() {
        let candidates = [
            candidate(0.0, ViewClass::Plan, 3.0),
            candidate(20.0, ViewClass::Plan, 5.0),
            candidate(119.0, ViewClass::Plan, 2.0),
        ];
        let left: Vec<f32> = likely_views(&candidates).iter().map(|view| view.bbox.x1).collect();
        assert_eq!(left, [20.0, 119.0]);
    }

    #[test]
    fn a_class_that_the_sheet_shows_elsewhere_is_likelier() {
        let doubtful = candidate(0.0, ViewClass::InteriorElevation, 1.0);
        let alone = with_context(&[doubtful]);
        let sure = [200.0, 400.0].map(|x1| candidate(x1, ViewClass::InteriorElevation, 9.0));
        let beside = with_context(&[doubtful, sure[0], sure[1]]);
        assert!((alone[0].is_view() - doubtful.is_view()).abs() < 1e-6, "no other view says anything");
        assert!(beside[0].is_view() > doubtful.is_view());
    }

    #[test]
    fn a_view_says_nothing_of_a_box_on_it() {
        let (own, on_it) = (candidate(0.0, ViewClass::Plan, 9.0), candidate(10.0, ViewClass::Plan, 1.0));
        let scores = with_context(&[own, on_it]).iter().map(|candidate| candidate.scores[1]).collect::<Vec<_>>();
        assert!((scores[1] - 1.0).abs() < 1e-6);
    }
}
