//! The plumbing fixtures of a page, as the detectors of fixtures and of toilets list them.
//!
//! `fanlight_detection::symbols` proposes outlines, `fanlight_sheet::parts` tells where they don't count, and the network that judges
//! symbols says what their pictures show; `judgement` weighs it.

mod judgement;

use crate::classifier::Judge;
use crate::detector::{Find, Finder};
use crate::symbols::{Fixture, Plan};
use fanlight_plugin::pdf;
use fanlight_plugin::vocabulary::Rect;
use fanlight_sheet::parts::Parts;

use judgement::kind_of;
pub use judgement::{WEIGHTS, judged};

/// Candidates from this confidence on are listed. From here to 0.5 they may need manual review: so the API's
/// specification has it.
pub const LEAST_LISTED: f32 = 0.12;

/// The listed candidates of a page, the likeliest first, none of them on a likelier one. Without the judge's network their
/// lines alone say how likely they are; without the finder's there are none on a page that is a picture.
pub fn of_page(page: &pdf::Page, judge: &Judge, finder: &Finder) -> Vec<Fixture> {
    let (paths, text, geometry) = (page.paths(), page.text(), page.geometry());
    if let Some(finds) = finder.finds(page, paths.ops.len(), judge) {
        return in_picture(&finds);
    }
    let mut candidates = Plan::read(&paths, &text, &geometry).fixture_candidates();
    if candidates.is_empty() {
        return candidates;
    }
    let parts = Parts::find(&paths, &text, &geometry);
    candidates.retain(|candidate| parts.holding(candidate.bbox).is_none());
    let boxes: Vec<Rect> = candidates.iter().map(|candidate| candidate.bbox).collect();
    let mut found = judged(candidates, &judge.answers(page, &boxes), WEIGHTS);
    found.retain(is_listed);
    found
}

/// The listed candidates of a page that is a picture.
fn in_picture(finds: &[Find]) -> Vec<Fixture> {
    let fixture =
        |find: &Find| Some(Fixture { kind: kind_of(find.class)?, bbox: find.bbox, confidence: find.confidence });
    finds.iter().filter_map(fixture).filter(is_listed).collect()
}

fn is_listed(candidate: &Fixture) -> bool {
    candidate.confidence >= LEAST_LISTED
}

/// A candidate's confidence as clients read it: to a thousandth, above 0.5 where it is rather a fixture
/// than not, and below where it may need manual review.
pub fn rounded(candidate: &Fixture) -> f64 {
    let thousandths = (f64::from(candidate.confidence) * 1000.0).round();
    let thousandths = if candidate.is_likely() { thousandths.max(501.0) } else { thousandths.min(499.0) };
    thousandths / 1000.0
}

#[cfg(test)]
mod tests {
    use crate::classifier_input::Class;

    use super::*;

    fn find(class: Class, confidence: f32) -> Find {
        Find { class, bbox: Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 20.0 }, confidence }
    }

    #[test]
    fn what_may_need_manual_review_is_listed_and_less_is_not() {
        let finds = [(Class::Urinal, 0.9), (Class::Sink, 0.12), (Class::Sink, 0.11), (Class::SwingingDoor, 0.9)];
        let listed = in_picture(&finds.map(|(class, confidence)| find(class, confidence)));
        assert_eq!(listed.iter().map(|own| own.confidence).collect::<Vec<_>>(), [0.9, 0.12]);
    }

    #[test]
    fn rounding_moves_no_candidate_over_the_middle() {
        let cases = [(0.9, 0.9), (0.500_3, 0.501), (0.5, 0.499), (0.499_7, 0.499), (0.120_4, 0.12)];
        for (confidence, expected) in cases {
            let candidate = in_picture(&[find(Class::Sink, confidence)]);
            assert_eq!(candidate.first().map(rounded), Some(expected), "{confidence}");
        }
    }
}
