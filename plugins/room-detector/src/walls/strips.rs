//! From faces to strips of wall.

use fanlight_geometry::Line;

use crate::walls::{ROUNDING, Strip, Thickness};

/// A strip is at least this share of its thickness long. Set by hand.
const MIN_LENGTH: f32 = 0.6;

/// Returns the strips between lines that run beside each other over at least `shortest` points, a wall's thickness apart.
pub(super) fn between_faces(
    mut faces: Vec<Line>,
    thickness: Thickness,
    shortest: f32,
    effort: &mut usize,
) -> Vec<Strip> {
    faces.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut strips = Vec::new();
    for (index, line) in faces.iter().enumerate() {
        for other in faces.get(index + 1..).unwrap_or_default() {
            let apart = other.at - line.at;
            if apart > thickness.most || *effort == 0 {
                break;
            }
            *effort -= 1;
            let (from, to) = (line.from.max(other.from), line.to.min(other.to));
            if apart >= thickness.least && to - from >= shortest.max(MIN_LENGTH * apart) {
                strips.push(Strip { from, to, low: line.at, high: other.at });
            }
        }
    }
    strips
}

/// Returns the positions of a strip's faces in half points: strips with equal faces are in one wall.
fn faces(strip: &Strip) -> [i64; 2] {
    [strip.low, strip.high].map(|face| (2.0 * face).round() as i64)
}

/// Joins strips of one wall that follow or overlap each other.
pub(super) fn joined(mut strips: Vec<Strip>) -> Vec<Strip> {
    strips.sort_by(|a, b| faces(a).cmp(&faces(b)).then(a.from.total_cmp(&b.from)));
    let mut whole: Vec<Strip> = Vec::with_capacity(strips.len());
    for strip in strips {
        match whole.last_mut() {
            Some(last) if faces(last) == faces(&strip) && strip.from - last.to <= ROUNDING => {
                last.to = last.to.max(strip.to);
            }
            _ => whole.push(strip),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    const THICKNESS: Thickness = Thickness { least: 2.6, most: 15.0 };

    fn line(at: f32, from: f32, to: f32) -> Line {
        Line { at, from, to }
    }

    fn between(faces: Vec<Line>) -> Vec<Strip> {
        between_faces(faces, THICKNESS, 4.0, &mut 1_000)
    }

    #[test]
    fn two_faces_make_a_wall_where_both_run() {
        let walls = between(vec![line(10.0, 0.0, 100.0), line(15.0, 20.0, 90.0)]);
        assert_eq!(walls, [Strip { from: 20.0, to: 90.0, low: 10.0, high: 15.0 }]);
    }

    #[test]
    fn faces_too_far_apart_make_no_wall() {
        assert!(between(vec![line(10.0, 0.0, 100.0), line(40.0, 0.0, 100.0)]).is_empty());
    }

    #[test]
    fn strips_of_one_wall_are_joined_across_rounding_gaps() {
        let strip = |from: f32, to: f32, low: f32| Strip { from, to, low, high: 15.0 };
        let walls = joined(vec![strip(50.5, 90.0, 10.1), strip(0.0, 50.0, 10.0), strip(120.0, 150.0, 10.0)]);
        assert_eq!(walls, [strip(0.0, 90.0, 10.0), strip(120.0, 150.0, 10.0)]);
    }
}
