//! Filters candidates: a door has a confidence above 0.5 and a size like the other doors' of its page.
//!
//! The filter runs whenever a result is read, so that a better rule applies to results that were stored before.

use fanlight_plugin::BoundingBox;

use crate::result::{Candidate, Door};

/// Candidates above this confidence are doors.
const MIN_CONFIDENCE: f32 = 0.5;
/// Largest ratio of a door's sides: a sliding panel of 1½ in in an opening of 16 ft.
const MAX_ASPECT: f64 = 130.0;
/// Least ratio of a door's area to the median of its page: a cupboard's leaf is a quarter as wide as most doors.
const MIN_OF_MEDIAN: f64 = 1.0 / 16.0;
/// Largest ratio of a door's area to the median of its page: a garage's door is eight times as wide as most doors.
const MAX_OF_MEDIAN: f64 = 64.0;
/// The median of fewer doors is not used.
const MIN_DOORS: usize = 3;

/// Returns the doors among candidates, which are in page order.
pub fn doors(candidates: &[Candidate]) -> Vec<Door> {
    let likely: Vec<&Candidate> = candidates
        .iter()
        .filter(|candidate| candidate.confidence > MIN_CONFIDENCE && is_door_shaped(&candidate.bbox))
        .collect();
    likely
        .chunk_by(|a, b| a.page == b.page)
        .flat_map(|page| {
            let median = median_area(page);
            page.iter().filter(move |candidate| {
                let share = area(&candidate.bbox) / median.unwrap_or_else(|| area(&candidate.bbox));
                (MIN_OF_MEDIAN..=MAX_OF_MEDIAN).contains(&share)
            })
        })
        .map(|candidate| Door { id: candidate.id.clone(), page: candidate.page, bbox: candidate.bbox })
        .collect()
}

/// Returns whether a box is finite, not empty, and no thinner than a door.
fn is_door_shaped(bbox: &BoundingBox) -> bool {
    let (width, height) = (bbox.x2 - bbox.x1, bbox.y2 - bbox.y1);
    let (short, long) = (width.min(height), width.max(height));
    width.is_finite() && height.is_finite() && short > 0.0 && long <= MAX_ASPECT * short
}

/// Returns the square of the box's longer side, so that a sliding panel, whose box is thin, counts by its width too.
fn area(bbox: &BoundingBox) -> f64 {
    (bbox.x2 - bbox.x1).max(bbox.y2 - bbox.y1).powi(2)
}

/// Returns the median area of a page's candidates, unless there are too few.
fn median_area(page: &[&Candidate]) -> Option<f64> {
    if page.len() < MIN_DOORS {
        return None;
    }
    let mut areas: Vec<f64> = page.iter().map(|candidate| area(&candidate.bbox)).collect();
    areas.sort_by(f64::total_cmp);
    areas.get(areas.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(page: u32, width: f64, height: f64, confidence: f32) -> Candidate {
        let bbox = BoundingBox { x1: 10.0, y1: 20.0, x2: 10.0 + width, y2: 20.0 + height };
        Candidate { id: format!("door_{page}_{width}_{height}"), page, bbox, confidence }
    }

    #[test]
    fn unlikely_misshapen_and_outsized_candidates_are_rejected() {
        let cases = [
            ("a door", candidate(1, 40.0, 40.0, 0.9), true),
            ("even odds", candidate(1, 40.0, 40.0, 0.5), false),
            ("a sliding door", candidate(1, 5.0, 90.0, 0.9), true),
            ("a garage door", candidate(1, 240.0, 6.0, 0.9), true),
            ("a line", candidate(1, 300.0, 1.0, 0.9), false),
            ("no box", candidate(1, 0.0, 40.0, 0.9), false),
            ("no numbers", candidate(1, f64::NAN, 40.0, 0.9), false),
            ("a letter's bow", candidate(1, 6.0, 6.0, 0.9), false),
            ("a road", candidate(1, 900.0, 900.0, 0.9), false),
        ];
        for (what, candidate_of_case, is_door) in cases {
            let mut all: Vec<Candidate> = (0..5).map(|n| candidate(1, 40.0 + f64::from(n), 41.0, 0.9)).collect();
            all.push(candidate_of_case.clone());
            let found = doors(&all).iter().any(|door| door.id == candidate_of_case.id);
            assert_eq!(found, is_door, "{what}");
        }
    }

    #[test]
    fn each_page_has_its_own_median() {
        let mut all: Vec<Candidate> = (0..4).map(|n| candidate(1, 40.0 + f64::from(n), 40.0, 0.9)).collect();
        all.extend((0..4).map(|n| candidate(2, 400.0 + f64::from(n), 400.0, 0.9)));
        assert_eq!(doors(&all).len(), 8);
    }
}
