//! What is drawn about an opening, in the opening's own frame: x runs from the opening's beginning along the wall, y to the
//! left of the wall's middle line.
//!
//! Constants without a source are set by hand.

use std::ops::RangeInclusive;

use fanlight_geometry::Line;

use crate::symbols::closing::pocket::POCKET_WIDTHS;
use crate::symbols::openings::Opening;
use crate::symbols::plan::{Plan, covered};
use crate::symbols::plane::{Extent, Point, ordered};
use crate::symbols::sliding::ScoredExtent;

/// How far beside a wall a door's leaves are drawn, in inches, but for wings.
const BESIDE: f32 = 8.0;
/// How far beside a wall lines are read, as a share of the opening's width: a leaf that folds reaches half of it.
const ASIDE: f32 = 0.6;
/// How far to each side of the opening's middle lines are read, in widths of the opening, where a panel may stand beside it.
const REACH_WITH_PANEL: f32 = 1.3;
/// How far to each side of the opening's middle lines are read otherwise, in widths of the opening.
const REACH: f32 = 0.65;
/// From where to where lines are read along the opening, in widths of the opening.
const READ: RangeInclusive<f32> = -1.4..=2.4;
/// A line runs along an axis if it rises by at most this share of its length, plus [`ROUNDING`]: 1.7 degrees.
const MAX_RISE: f32 = 0.03;
/// Rounding of a line's ends, in points: half a dot of a plot driver at 600 dpi.
const ROUNDING: f32 = 0.05;
/// A line is located before the opening if it stays within these shares of the width.
const BEFORE: RangeInclusive<f32> = -0.1..=1.1;
/// Most lines of each kind around an opening: more are a hatch.
const MAX_LINES: usize = 800;
/// A wall's faces are located where its thickness says within this, in inches, plus [`FACE_ROUNDING`].
const OFF_FACE: f32 = 1.2;
/// What rounding adds to that, in points.
const FACE_ROUNDING: f32 = 0.3;

/// A line between two points of the opening's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) a: Point,
    pub(super) b: Point,
}

impl Stroke {
    /// Returns both readings, from either end.
    pub(super) fn both_ways(self) -> [Self; 2] {
        [self, Self { a: self.b, b: self.a }]
    }
}

/// A part of the opening's axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) from: f32,
    pub(super) to: f32,
}

impl Stretch {
    pub(super) fn length(self) -> f32 {
        self.to - self.from
    }
}

/// What is drawn about an opening, in its frame.
pub(super) struct Surroundings {
    pub(super) opening: Opening,
    /// Direction of the opening on the page.
    along: Point,
    /// Points of paper per inch of the building.
    pub(super) scale: f32,
    /// Of the opening, in points.
    pub(super) width: f32,
    /// Half of the wall's thickness, in points.
    pub(super) half: f32,
    /// Lines along the opening.
    pub(super) parallels: Vec<Line>,
    /// Lines neither along nor across, near the opening.
    pub(super) slanted: Vec<Stroke>,
    /// Lines across, near the wall.
    pub(super) crossing: Vec<Line>,
}

impl Surroundings {
    /// Reads the lines about an opening. Returns `None` if there are so many that they say nothing.
    pub(super) fn read(plan: &Plan, opening: &Opening, scale: f32) -> Option<Self> {
        let (width, half) = (opening.a.to(opening.b), opening.thick / 2.0);
        let mut own = Self {
            opening: *opening,
            along: (opening.b - opening.a).unit(),
            scale,
            width,
            half,
            parallels: Vec::new(),
            slanted: Vec::new(),
            crossing: Vec::new(),
        };
        let aside = ASIDE * width;
        let mut found = Vec::new();
        for (_, segment) in plan.near(own.area(aside), &mut found).filter(|(_, segment)| segment.inked) {
            let stroke = Stroke { a: own.in_frame(segment.a), b: own.in_frame(segment.b) };
            own.add(stroke, aside);
        }
        let counts = [own.parallels.len(), own.crossing.len(), own.slanted.len()];
        counts.iter().all(|count| *count <= MAX_LINES).then_some(own)
    }

    /// Returns the box on the page around all that is read.
    fn area(&self, aside: f32) -> Extent {
        let along = self.along;
        // Beside wider openings no panel stands.
        let has_panel = self.width <= POCKET_WIDTHS.end() * self.scale;
        let reach = if has_panel { REACH_WITH_PANEL * self.width } else { REACH * self.width };
        let (before, beyond) = (along * -reach, along * reach);
        let across = along.left() * (self.half + aside);
        let corners = [before + across, before - across, beyond + across, beyond - across];
        let middle = (self.opening.a + self.opening.b) * 0.5;
        Extent::bounding(corners.map(|corner| middle + corner))
    }

    /// Adds a line by how it runs. Lines farther than `aside` from the wall are left out.
    fn add(&mut self, stroke: Stroke, aside: f32) {
        let Self { width, half, scale, .. } = *self;
        let (from, to) = ordered(stroke.a.x, stroke.b.x);
        let (low, high) = ordered(stroke.a.y, stroke.b.y);
        let is_far = low > half + aside || high < -half - aside;
        if to < READ.start() * width || from > READ.end() * width || is_far {
            return;
        }
        let is_beside = low <= half + BESIDE * scale && high >= -half - BESIDE * scale;
        let is_before = from >= BEFORE.start() * width && to <= BEFORE.end() * width;
        let is_along = high - low <= MAX_RISE * (to - from) + ROUNDING;
        let is_across = to - from <= MAX_RISE * (high - low) + ROUNDING;
        if is_along {
            if is_beside || is_before {
                self.parallels.push(Line { at: f32::midpoint(low, high), from, to });
            }
        } else if is_across {
            if is_beside {
                self.crossing.push(Line { at: f32::midpoint(from, to), from: low, to: high });
            }
        } else if is_before && low >= -ASIDE * width && high <= ASIDE * width {
            self.slanted.push(stroke);
        }
    }

    /// Returns a point of the page in the opening's frame.
    fn in_frame(&self, point: Point) -> Point {
        let way = point - self.opening.a;
        Point::new(self.along.dot(way), self.along.cross(way))
    }

    /// Returns a point of the opening's frame on the page.
    pub(super) fn on_page(&self, place: Point) -> Point {
        self.opening.a + self.along * place.x + self.along.left() * place.y
    }

    /// Returns a range of shares of the opening's width in points.
    pub(super) fn of_width(&self, shares: &RangeInclusive<f32>) -> RangeInclusive<f32> {
        shares.start() * self.width..=shares.end() * self.width
    }

    /// Returns whether the opening's width is in a range in inches.
    pub(super) fn is_wide(&self, widths: &RangeInclusive<f32>) -> bool {
        widths.contains(&(self.width / self.scale))
    }

    /// Returns the share of a stretch that lines cover whose position across is in a range.
    pub(super) fn lined(&self, stretch: Stretch, offs: RangeInclusive<f32>) -> f32 {
        let lining = self.parallels.iter().filter(|line| offs.contains(&line.at));
        let mut covers: Vec<(f32, f32)> = lining
            .map(|line| (line.from.max(stretch.from), line.to.min(stretch.to)))
            .filter(|(from, to)| to > from)
            .collect();
        covered(&mut covers) / stretch.length().max(0.01)
    }

    /// Returns the share of a stretch that both of the wall's faces run along.
    pub(super) fn walled(&self, stretch: Stretch) -> f32 {
        let by = OFF_FACE * self.scale + FACE_ROUNDING;
        let [low, high] = [-self.half, self.half].map(|face| self.lined(stretch, face - by..=face + by));
        low.min(high)
    }

    /// Returns a door that is the opening alone, through the wall's thickness.
    pub(super) fn in_wall(&self, confidence: f32) -> ScoredExtent {
        ScoredExtent { extent: self.opening.extent(), confidence }
    }

    /// Returns a door around the opening and places in its frame.
    pub(super) fn holding(&self, places: impl IntoIterator<Item = Point>, confidence: f32) -> ScoredExtent {
        let extent = places.into_iter().map(|place| self.on_page(place)).fold(self.opening.extent(), Extent::with);
        ScoredExtent { extent, confidence }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An opening of 100 points in a wall of 8 points, 2 points per inch, with nothing drawn about it.
    pub(in crate::symbols::closing) fn empty_opening() -> Surroundings {
        let opening = Opening { a: Point::new(100.0, 50.0), b: Point::new(200.0, 50.0), thick: 8.0 };
        Surroundings {
            opening,
            along: Point::new(1.0, 0.0),
            scale: 2.0,
            width: 100.0,
            half: 4.0,
            parallels: Vec::new(),
            slanted: Vec::new(),
            crossing: Vec::new(),
        }
    }

    fn with(lines: &[[f32; 4]]) -> Surroundings {
        let mut own = empty_opening();
        for [x1, y1, x2, y2] in lines {
            own.add(Stroke { a: Point::new(*x1, *y1), b: Point::new(*x2, *y2) }, ASIDE * 100.0);
        }
        own
    }

    fn counts(own: &Surroundings) -> [usize; 3] {
        [own.parallels.len(), own.crossing.len(), own.slanted.len()]
    }

    #[test]
    fn lines_are_sorted_by_how_they_run() {
        assert_eq!(counts(&with(&[[-40.0, 4.0, 0.0, 4.0]])), [1, 0, 0], "a face");
        assert_eq!(counts(&with(&[[0.0, -4.0, 0.0, 4.0]])), [0, 1, 0], "an end");
        assert_eq!(counts(&with(&[[50.0, -4.0, 50.0, 4.0]])), [0, 1, 0], "a post");
        assert_eq!(counts(&with(&[[0.0, 0.0, 30.0, 40.0]])), [0, 0, 1], "a leaf");
        assert_eq!(counts(&with(&[[300.0, 0.0, 330.0, 40.0]])), [0; 3], "beyond");
    }

    #[test]
    fn places_in_the_frame_return_to_the_page() {
        let mut own = empty_opening();
        own.along = Point::new(0.0, 1.0);
        assert_eq!(own.in_frame(Point::new(90.0, 80.0)), Point::new(30.0, 10.0));
        assert_eq!(own.on_page(Point::new(30.0, 10.0)), Point::new(90.0, 80.0));
    }

    #[test]
    fn a_stretch_is_walled_if_both_faces_run_along() {
        let stretch = Stretch { from: -40.0, to: 0.0 };
        assert_eq!(with(&[[-40.0, 4.0, 0.0, 4.0]]).walled(stretch), 0.0);
        let both = with(&[[-40.0, 4.0, 0.0, 4.0], [-40.0, -4.0, -20.0, -4.0]]);
        assert!((both.walled(stretch) - 0.5).abs() < 1e-4);
    }
}
