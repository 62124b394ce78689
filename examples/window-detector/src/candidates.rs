//! Places where a window may be: parallel lines that end together, and what lies between two jambs.

use fanlight_geometry::{Frame, Line, Lines, RectExt, segments};
use fanlight_plugin::vocabulary::{Geometry, PagePaths, Rect};

/// What may be a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Its box in user space, in points.
    pub(crate) bbox: Rect,
    /// The direction of its glass.
    pub(crate) direction: Direction,
}

/// The direction of a wall on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Along x.
    Horizontal,
    /// Along y.
    Vertical,
}

/// Shortest window in points: 0.5 m at 1:250 has 5.7.
const MIN_LENGTH: f32 = 5.0;
/// Longest window as a share of the longer side of the page.
const MAX_LENGTH_SHARE: f32 = 0.25;
/// Thinnest window as a share of its length.
const MIN_THICKNESS_SHARE: f32 = 0.02;
/// Thickest window as a share of its length. `train/train.py` has it too.
pub(crate) const MAX_THICKNESS_SHARE: f32 = 0.8;
/// Thinnest window in points. Lines that are closer are one line, drawn twice.
const MIN_THICKNESS: f32 = 0.4;
/// How far the ends of lines that end together may differ, as a share of their length.
const SAME_END: f32 = 0.04;
/// How far they may always differ, in points.
const MIN_SAME_END: f32 = 0.4;
/// How far they may differ at most, in points.
const MAX_SAME_END: f32 = 2.4;
/// Widest mullion between two panes, in points: 0.1 m at 1:50 has 5.7.
const MULLION: f32 = 5.0;
/// How much of the distance between two jambs the glass may leave open.
const OPEN_SHARE: f32 = 0.15;
/// How many lines that end together with a line are tried with it: the faces of a wall and four panes between them.
const PARTNERS: usize = 5;
/// How many lines are looked at for them. It bounds the time on a page of hatches.
const LOOKED_AT: usize = 64;
/// Two candidates with more intersection over union are one.
const SAME_BOX: f32 = 0.9;
/// Maximum number of candidates of a page. Dense sheets have some 3,000.
const MAX_CANDIDATES: usize = 6_000;

/// Returns the candidates of a page.
///
/// Lines along x and y are looked at, not those of slanted walls. A candidate is the box of two to six parallel lines that
/// end together, or of two jambs, which are short lines across a wall, with a line from one to the other.
pub(crate) fn candidates(paths: &PagePaths, geometry: &Geometry) -> Vec<Candidate> {
    let frame = Frame::new(geometry.crop_box, 0.0);
    let max_length = MAX_LENGTH_SHARE * frame.width.max(frame.height);
    let mut drawn = segments(paths, &frame);
    drawn.retain(|segment| !segment.dashed);
    // The lines as they are drawn, and those joined across the mullions between panes.
    let Lines { mut horizontal, mut vertical } = Lines::from_segments(&drawn, MULLION, MIN_LENGTH);
    for segment in drawn.iter().filter(|segment| !segment.curved) {
        let (a, b) = (segment.from, segment.to);
        if segment.is_horizontal() {
            horizontal.push(Line { at: f32::midpoint(a.1, b.1), from: a.0.min(b.0), to: a.0.max(b.0) });
        } else if segment.is_vertical() {
            vertical.push(Line { at: f32::midpoint(a.0, b.0), from: a.1.min(b.1), to: a.1.max(b.1) });
        }
    }
    let mut found = Vec::new();
    for (direction, along, across) in
        [(Direction::Horizontal, &horizontal, &vertical), (Direction::Vertical, &vertical, &horizontal)]
    {
        let boxes = in_direction(along, across, max_length);
        found.extend(boxes.into_iter().map(|place| Candidate {
            bbox: frame.to_user_space(match direction {
                Direction::Horizontal => place,
                Direction::Vertical => Rect { x1: place.y1, y1: place.x1, x2: place.y2, y2: place.x2 },
            }),
            direction,
        }));
    }
    found.truncate(MAX_CANDIDATES);
    found
}

/// Returns boxes of candidates whose glass runs along x, given the lines along x and along y.
fn in_direction(along: &[Line], across: &[Line], max_length: f32) -> Vec<Rect> {
    let glass: Vec<Line> =
        along.iter().filter(|line| (MIN_LENGTH..=max_length).contains(&line.length())).copied().collect();
    let jambs: Vec<Line> = across
        .iter()
        .filter(|line| (MIN_THICKNESS..=MAX_THICKNESS_SHARE * max_length).contains(&line.length()))
        .copied()
        .collect();
    let (glass, jambs, all) = (LineIndex::new(&glass), LineIndex::new(&jambs), Through::new(along));
    let mut boxes = Vec::new();
    for line in &glass.lines {
        let reach = (line.at, line.at + MAX_THICKNESS_SHARE * line.length());
        boxes.extend(glass.ending_with(line, reach).take(PARTNERS).map(|other| Rect {
            x1: line.from.min(other.from),
            y1: line.at,
            x2: line.to.max(other.to),
            y2: other.at,
        }));
    }
    for jamb in &jambs.lines {
        let reach = (jamb.at + jamb.length() / MAX_THICKNESS_SHARE, jamb.at + max_length);
        let places = jambs.ending_with(jamb, reach).take(PARTNERS).map(|other| Rect {
            x1: jamb.at,
            y1: jamb.from.min(other.from),
            x2: other.at,
            y2: jamb.to.max(other.to),
        });
        boxes.extend(places.filter(|place| all.pass(place)));
    }
    boxes.retain(|place| {
        let (length, thickness) = (place.width(), place.height());
        length >= MIN_LENGTH && thickness >= MIN_THICKNESS.max(MIN_THICKNESS_SHARE * length)
    });
    distinct(boxes)
}

/// Returns the boxes without those that are nearly the same as another one.
fn distinct(mut boxes: Vec<Rect>) -> Vec<Rect> {
    boxes.sort_by(|a, b| a.x1.total_cmp(&b.x1).then(a.y1.total_cmp(&b.y1)));
    let mut kept: Vec<Rect> = Vec::new();
    for place in boxes {
        // Boxes that are nearly the same begin nearly at the same x.
        let near = kept.iter().rev().take_while(|other| place.x1 - other.x1 < 0.1 * place.width());
        if !near.take(LOOKED_AT).any(|other| other.iou(&place) > SAME_BOX) {
            kept.push(place);
        }
    }
    kept
}

/// Side of the buckets by which lines are found, in points: at least the largest difference of ends that end together.
const BUCKET: f32 = 2.5;

/// Lines by where they begin and where they are.
struct LineIndex {
    /// Sorted by bucket, then by `at`.
    lines: Vec<Line>,
}

impl LineIndex {
    fn new(lines: &[Line]) -> Self {
        let mut lines = lines.to_vec();
        lines.sort_by(|a, b| bucket(a.from).cmp(&bucket(b.from)).then(a.at.total_cmp(&b.at)));
        Self { lines }
    }

    /// Returns the lines between two values of `at` that end together with `line`, in each of three buckets by distance.
    fn ending_with<'a>(&'a self, line: &'a Line, reach: (f32, f32)) -> impl Iterator<Item = &'a Line> + 'a {
        let tolerance = (SAME_END * line.length()).clamp(MIN_SAME_END, MAX_SAME_END);
        let middle = bucket(line.from);
        let least = (reach.0).max(line.at + MIN_THICKNESS);
        (middle - 1..=middle + 1).flat_map(move |own| {
            let start = self.lines.partition_point(|other| (bucket(other.from), other.at) < (own, least));
            let rest = self.lines.get(start..).unwrap_or_default();
            let near = rest.iter().take_while(move |other| bucket(other.from) == own && other.at <= reach.1);
            near.take(LOOKED_AT).filter(move |other| {
                (other.from - line.from).abs() <= tolerance && (other.to - line.to).abs() <= tolerance
            })
        })
    }
}

fn bucket(from: f32) -> i32 {
    (from / BUCKET).floor() as i32
}

/// Lines by where they are, to look for one that passes through a place.
struct Through {
    /// Sorted by `at`.
    lines: Vec<Line>,
}

impl Through {
    fn new(lines: &[Line]) -> Self {
        let mut lines = lines.to_vec();
        lines.sort_by(|a, b| a.at.total_cmp(&b.at));
        Self { lines }
    }

    /// Returns whether a line passes through a place from its left to its right.
    fn pass(&self, place: &Rect) -> bool {
        let start = self.lines.partition_point(|line| line.at < place.y1 - MIN_THICKNESS);
        let near = self.lines.get(start..).unwrap_or_default().iter();
        near.take_while(|line| line.at <= place.y2 + MIN_THICKNESS)
            .any(|line| line.within(place.x1, place.x2) >= (1.0 - OPEN_SHARE) * place.width())
    }
}

#[cfg(test)]
mod tests {
    use fanlight_plugin::vocabulary::PathStyle;

    use super::*;

    const PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 400.0 };
    const GEOMETRY: Geometry = Geometry { media_box: PAGE, crop_box: PAGE, rotation: 0, user_unit: 1.0 };

    /// A page of black lines, each from a point to a point in user space.
    fn page(lines: &[[f32; 4]]) -> PagePaths {
        let style = PathStyle { stroke: Some(0), fill: None, opacity: 1.0, width: 0.5, dash: Vec::new(), layer: None };
        PagePaths {
            ops: lines.iter().flat_map(|_| [0, 1]).collect(),
            coordinates: lines.concat(),
            lengths: vec![2; lines.len()],
            style_of: vec![0; lines.len()],
            styles: vec![style],
            layers: Vec::new(),
        }
    }

    /// Returns whether one of the candidates of these lines is this box, up to a rounding.
    fn is_proposed(lines: &[[f32; 4]], [x1, y1, x2, y2]: [f32; 4], direction: Direction) -> bool {
        let wanted = Rect { x1, y1, x2, y2 };
        let found = candidates(&page(lines), &GEOMETRY);
        found.iter().any(|candidate| candidate.direction == direction && candidate.bbox.iou(&wanted) > 0.99)
    }

    #[test]
    fn lines_that_end_together_are_proposed() {
        let lines = [[100.0, 100.0, 150.0, 100.0], [100.0, 104.0, 150.0, 104.0], [100.0, 110.0, 150.0, 110.0]];
        assert!(is_proposed(&lines, [100.0, 100.0, 150.0, 110.0], Direction::Horizontal));
        let turned = lines.map(|[x1, y1, x2, y2]| [y1, x1, y2, x2]);
        assert!(is_proposed(&turned, [100.0, 100.0, 110.0, 150.0], Direction::Vertical));
    }

    #[test]
    fn glass_between_two_jambs_is_proposed() {
        let jambs = [[100.0, 100.0, 100.0, 110.0], [150.0, 100.0, 150.0, 110.0]];
        let glass = [100.0, 105.0, 150.0, 105.0];
        let place = [100.0, 100.0, 150.0, 110.0];
        assert!(is_proposed(&[jambs[0], jambs[1], glass], place, Direction::Horizontal));
        assert!(!is_proposed(&jambs, place, Direction::Horizontal), "an opening without glass is no window");
    }

    #[test]
    fn panes_between_mullions_are_proposed_together() {
        let lines = [100.0, 143.0, 186.0].map(|x| [100.0, 106.0].map(|y| [x, y, x + 40.0, y])).concat();
        assert!(is_proposed(&lines, [100.0, 100.0, 226.0, 106.0], Direction::Horizontal));
    }

    #[test]
    fn a_page_of_equal_lines_has_a_bounded_number_of_candidates() {
        let lines: Vec<[f32; 4]> = (0..40_000_u16)
            .map(|n| {
                let (x, y) = (f32::from(n % 200) * 3.0, f32::from(n / 200) * 2.0);
                [x, y, x + 8.0, y]
            })
            .collect();
        assert!(candidates(&page(&lines), &GEOMETRY).len() <= MAX_CANDIDATES);
        assert!(candidates(&page(&[]), &GEOMETRY).is_empty());
    }
}
