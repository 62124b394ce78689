//! Lines that repeat at one distance: treads, tiles and boards. They are no faces of walls.

use fanlight_geometry::Line;

use crate::walls::Thickness;

/// A repeated distance is the same within this share of it. Set by hand: plot drivers round, tiles are equal.
const PERIOD_SLACK: f32 = 0.05;
/// A line lies beside another if it runs beside at least this share of its length. Set by hand.
const MIN_BESIDE: f32 = 0.5;
/// Distances up to this share of the thickest wall are tried: a wall's faces are no farther apart. Set by hand.
const FARTHEST: f32 = 1.1;
/// Most distances that are tried to each side of a line: the nearest line of a pattern may lie inside its period.
const MAX_DISTANCES: usize = 2;

/// Returns the lines, sorted by `at`, that are part of no pattern with a period of a wall's thickness.
pub(super) fn without_patterns(lines: &[Line], thickness: Thickness, effort: &mut usize) -> Vec<Line> {
    lines.iter().filter(|line| !is_pattern(lines, line, thickness, effort)).copied().collect()
}

/// Returns whether a line is part of a pattern: its distance to a near line repeats, so that three other lines are located at
/// multiples of it.
fn is_pattern(lines: &[Line], line: &Line, thickness: Thickness, effort: &mut usize) -> bool {
    let at = lines.partition_point(|other| other.at < line.at);
    let farthest = FARTHEST * thickness.most;
    let (low, high) = (line.at - farthest, line.at + farthest);
    let from = lines.partition_point(|other| other.at < low);
    let to = lines.partition_point(|other| other.at <= high);
    let (before, after) = (lines.get(from..at).unwrap_or_default(), lines.get(at..to).unwrap_or_default());
    let distances = near_distances(before, line, thickness).into_iter().chain(near_distances(after, line, thickness));
    distances.map(|distance| Period { lines, line, distance }).any(|period| period.is_row(effort))
}

/// A distance that may repeat from a line on.
struct Period<'a> {
    /// Sorted by `at`.
    lines: &'a [Line],
    line: &'a Line,
    distance: f32,
}

impl Period<'_> {
    /// Returns whether three other lines of one row are located at multiples of the distance.
    fn is_row(&self, effort: &mut usize) -> bool {
        let (before, after) = (self.has_line(-1.0, effort), self.has_line(1.0, effort));
        (before && after && (self.has_line(2.0, effort) || self.has_line(-2.0, effort)))
            || (after && self.has_line(2.0, effort) && self.has_line(3.0, effort))
            || (before && self.has_line(-2.0, effort) && self.has_line(-3.0, effort))
    }

    /// Returns whether a line lies beside this one at a multiple of the distance.
    fn has_line(&self, times: f32, effort: &mut usize) -> bool {
        let (at, slack) = (self.line.at + times * self.distance, PERIOD_SLACK * self.distance);
        let from = self.lines.partition_point(|other| other.at < at - slack);
        self.lines.get(from..).unwrap_or_default().iter().take_while(|other| other.at <= at + slack).any(|other| {
            *effort = effort.saturating_sub(1);
            is_beside(other, self.line)
        })
    }
}

/// Returns the distances from a line to the nearest lines beside it, of those that walls' faces may have.
fn near_distances(side: &[Line], line: &Line, thickness: Thickness) -> Vec<f32> {
    let range = thickness.least..=FARTHEST * thickness.most;
    let mut distances: Vec<f32> = side
        .iter()
        .filter(|other| is_beside(other, line))
        .map(|other| (other.at - line.at).abs())
        .filter(|distance| range.contains(distance))
        .collect();
    distances.sort_by(f32::total_cmp);
    distances.truncate(MAX_DISTANCES);
    distances
}

/// Returns whether `other` runs beside enough of `line`.
fn is_beside(other: &Line, line: &Line) -> bool {
    other.within(line.from, line.to) >= MIN_BESIDE * line.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    const THICKNESS: Thickness = Thickness { least: 2.6, most: 15.0 };

    /// Lines at these positions, 44 points long.
    fn lines(at: impl IntoIterator<Item = f32>) -> Vec<Line> {
        at.into_iter().map(|at| Line { at, from: 0.0, to: 44.0 }).collect()
    }

    fn faces(lines: &[Line]) -> usize {
        without_patterns(lines, THICKNESS, &mut 1_000).len()
    }

    #[test]
    fn treads_are_a_pattern() {
        assert_eq!(faces(&lines((0..12).map(|at| 11.0 * at as f32))), 0);
    }

    #[test]
    fn three_lines_at_one_distance_are_no_pattern() {
        assert_eq!(faces(&lines([0.0, 5.0, 10.0])), 3);
    }

    #[test]
    fn faces_of_two_walls_are_no_pattern() {
        assert_eq!(faces(&lines([0.0, 5.0, 60.0, 65.0])), 4);
    }

    #[test]
    fn lines_farther_apart_than_faces_are_no_pattern() {
        assert_eq!(faces(&lines((0..6).map(|at| 17.0 * at as f32))), 6);
    }
}
