//! Which candidates are doors: those that are likelier doors than not, and whose size is like the other doors' of the page.
//!
//! It runs whenever a result is read, so that a better rule reaches what was found before it.

use fanlight_plugin::BoundingBox;

use crate::result::{Candidate, Door};

/// A door is rather one than not.
const LEAST_CONFIDENCE: f32 = 0.5;
/// The thinnest door for its width: a sliding panel of 1½ in in an opening of 16 ft.
const LONGEST: f64 = 130.0;
/// A door's area against the median door's of its page: a cupboard's leaf is a quarter as wide as most doors, a garage's
/// eight times.
const LEAST_OF_MEDIAN: f64 = 1.0 / 16.0;
const MOST_OF_MEDIAN: f64 = 64.0;
/// Fewer doors than this have no telling median.
const FEW: usize = 3;

/// The doors among candidates, which come page by page.
pub fn doors(candidates: &[Candidate]) -> Vec<Door> {
    let likely: Vec<&Candidate> = candidates
        .iter()
        .filter(|candidate| candidate.confidence > LEAST_CONFIDENCE && is_door_shaped(&candidate.bbox))
        .collect();
    likely
        .chunk_by(|a, b| a.page == b.page)
        .flat_map(|page| {
            let median = median_area(page);
            page.iter().filter(move |candidate| {
                let share = area(&candidate.bbox) / median.unwrap_or_else(|| area(&candidate.bbox));
                (LEAST_OF_MEDIAN..=MOST_OF_MEDIAN).contains(&share)
            })
        })
        .map(|candidate| Door { id: candidate.id.clone(), page: candidate.page, bbox: candidate.bbox })
        .collect()
}

fn is_door_shaped(bbox: &BoundingBox) -> bool {
    let (width, height) = (bbox.x2 - bbox.x1, bbox.y2 - bbox.y1);
    let (short, long) = (width.min(height), width.max(height));
    width.is_finite() && height.is_finite() && short > 0.0 && long <= LONGEST * short
}

/// The area that a leaf as wide as the box's longer side swings over: so that a panel in a wall, whose own box is thin,
/// is measured by its width as well.
fn area(bbox: &BoundingBox) -> f64 {
    (bbox.x2 - bbox.x1).max(bbox.y2 - bbox.y1).powi(2)
}

fn median_area(page: &[&Candidate]) -> Option<f64> {
    if page.len() < FEW {
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
    fn what_is_unlikely_misshapen_or_out_of_scale_is_no_door() {
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
    fn each_page_has_a_median_of_its_own() {
        let mut all: Vec<Candidate> = (0..4).map(|n| candidate(1, 40.0 + f64::from(n), 40.0, 0.9)).collect();
        all.extend((0..4).map(|n| candidate(2, 400.0 + f64::from(n), 400.0, 0.9)));
        assert_eq!(doors(&all).len(), 8);
    }
}
