//! The clip: the part of the page in which a content stream draws.
//!
//! A program that places a part of a drawing leaves the rest in the file, outside a clip that is often no upright box. What lies
//! there is not seen and must not be reported. A clip is the intersection of outlines; a path counts as visible if it reaches
//! into each of them, which is exact for one outline and generous for several.

use std::rc::Rc;

use hayro::kurbo::{BezPath, Line, ParamCurveNearest, PathSeg, Point, Rect, Shape as _, flatten};

use crate::path::{Path, Subpath};

/// How far a curve of an outline may be from the lines that stand for it, in points.
const FLATNESS: f64 = 0.1;
/// What is this near to an outline, in points, is visible: programs clip at the line that they draw as the border.
const NEAR: f64 = 0.5;
/// Lines of an outline at most. Of one with more, such as a clip made of letters, only the box counts.
const MAX_LINES: usize = 1000;
/// Outlines of a clip at most, which bounds the memory of saved states. Of further ones only the box counts.
const MAX_OUTLINES: usize = 8;

/// Comparisons of a path's points with the lines of outlines that are made for a page; they take half a second. What is drawn
/// after them counts as visible.
pub(super) const MAX_COMPARISONS: u64 = 20_000_000;

/// Which places inside an outline that crosses itself belong to the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FillRule {
    /// Those that it winds around.
    NonZero,
    /// Those from which a ray crosses it an odd number of times.
    EvenOdd,
}

/// The clip of a graphics state, in user space of the page.
#[derive(Clone)]
pub(super) struct Clip {
    bounds: Rect,
    /// The outlines that are no upright boxes.
    outlines: Vec<Rc<Outline>>,
}

/// What a clip leaves of a path.
pub(super) enum Visible {
    All,
    /// Some of its subpaths.
    Part(Path),
    Nothing,
}

impl Clip {
    pub(super) fn of_box(bounds: Rect) -> Self {
        Self { bounds, outlines: Vec::new() }
    }

    pub(super) fn narrow_to_box(&mut self, bounds: Rect) {
        self.bounds = self.bounds.intersect(bounds);
    }

    /// Narrows the clip to the inside of a path. An empty path, and one with coordinates that are not finite, is ignored.
    pub(super) fn narrow_to(&mut self, path: &Path, rule: FillRule) {
        let Some(bounds) = path.bounds() else { return };
        self.narrow_to_box(bounds);
        if self.outlines.len() < MAX_OUTLINES
            && let Some(outline) = Outline::of_path(path, bounds, rule)
        {
            self.outlines.push(Rc::new(outline));
        }
    }

    /// Returns what of a path can be seen if it is drawn with lines that reach so far, in points, to either side. Counts down the
    /// comparisons that are left.
    pub(super) fn visible(&self, path: &Path, reach: f64, comparisons_left: &mut u64) -> Visible {
        let Some(bounds) = path.bounds() else { return Visible::Nothing };
        if self.outlines.is_empty() && contains(self.bounds.inflate(reach, reach), bounds) {
            return Visible::All;
        }
        let mut kept = Path::default();
        let mut is_whole = true;
        for subpath in path.subpaths() {
            if self.shows(&subpath, reach, comparisons_left) {
                kept.push_subpath(&subpath);
            } else {
                is_whole = false;
            }
        }
        match (is_whole, kept.ops.is_empty()) {
            (true, _) => Visible::All,
            (false, true) => Visible::Nothing,
            (false, false) => Visible::Part(kept),
        }
    }

    fn shows(&self, subpath: &Subpath<'_>, reach: f64, comparisons_left: &mut u64) -> bool {
        let bounds = subpath.bounds();
        meets(self.bounds.inflate(reach, reach), bounds)
            && self.outlines.iter().all(|outline| outline.shows(subpath, bounds, reach, comparisons_left))
    }
}

/// A closed path that bounds the clip.
struct Outline {
    /// Its lines; curves are flattened.
    path: BezPath,
    lines: Vec<Line>,
    bounds: Rect,
    rule: FillRule,
}

impl Outline {
    /// Creates an outline; `None` if the path is an upright box, which its bounds describe, or has too many lines.
    fn of_path(path: &Path, bounds: Rect, rule: FillRule) -> Option<Self> {
        if path.is_upright_box() {
            return None;
        }
        let mut flat = BezPath::new();
        flatten(path.closed_elements(), FLATNESS, |element| flat.push(element));
        let lines: Vec<Line> = flat.segments().filter_map(line_of).take(MAX_LINES + 1).collect();
        (lines.len() <= MAX_LINES).then_some(Self { path: flat, lines, bounds, rule })
    }

    /// Returns whether a subpath reaches inside, or is too much to compare.
    fn shows(&self, subpath: &Subpath<'_>, bounds: Rect, reach: f64, comparisons_left: &mut u64) -> bool {
        let near = reach + NEAR;
        if !meets(self.bounds.inflate(near, near), bounds) {
            return false;
        }
        // A filled path may surround the outline.
        if contains(bounds, self.bounds) {
            return true;
        }
        let points = || subpath.points();
        let comparisons = (points().count() * self.lines.len()) as u64;
        let Some(left) = comparisons_left.checked_sub(comparisons) else { return true };
        *comparisons_left = left;
        points().any(|point| self.contains(point))
            || points().zip(points().skip(1)).any(|(from, to)| self.is_crossed_by(Line::new(from, to)))
            || points().any(|point| self.is_near(point, near))
    }

    fn contains(&self, point: Point) -> bool {
        let winding = self.path.winding(point);
        match self.rule {
            FillRule::NonZero => winding != 0,
            FillRule::EvenOdd => winding % 2 != 0,
        }
    }

    fn is_crossed_by(&self, line: Line) -> bool {
        self.lines.iter().any(|own| !PathSeg::Line(*own).intersect_line(line).is_empty())
    }

    fn is_near(&self, point: Point, distance: f64) -> bool {
        self.lines.iter().any(|line| line.nearest(point, FLATNESS).distance_sq <= distance * distance)
    }
}

fn line_of(segment: PathSeg) -> Option<Line> {
    match segment {
        PathSeg::Line(line) => Some(line),
        PathSeg::Quad(_) | PathSeg::Cubic(_) => None,
    }
}

fn meets(a: Rect, b: Rect) -> bool {
    a.x0 <= b.x1 && a.x1 >= b.x0 && a.y0 <= b.y1 && a.y1 >= b.y0
}

fn contains(outer: Rect, inner: Rect) -> bool {
    outer.x0 <= inner.x0 && outer.y0 <= inner.y0 && outer.x1 >= inner.x1 && outer.y1 >= inner.y1
}

#[cfg(test)]
mod tests {
    use hayro::kurbo::Affine;

    use super::*;

    fn path(subpaths: &[&[(f64, f64)]]) -> Path {
        let mut path = Path::default();
        for subpath in subpaths {
            for (index, &(x, y)) in subpath.iter().enumerate() {
                let point = Point::new(x, y);
                if index == 0 {
                    path.move_to(point, Affine::IDENTITY);
                } else {
                    path.line_to(point, Affine::IDENTITY);
                }
            }
        }
        path
    }

    /// Returns what of lines is seen through a triangle with the corners (0, 0), (100, 0) and (0, 100): the number of subpaths.
    fn seen(lines: &[&[(f64, f64)]]) -> usize {
        let mut clip = Clip::of_box(Rect::new(-500.0, -500.0, 500.0, 500.0));
        clip.narrow_to(&path(&[&[(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)]]), FillRule::NonZero);
        match clip.visible(&path(lines), 0.0, &mut { MAX_COMPARISONS }) {
            Visible::All => lines.len(),
            Visible::Part(path) => path.subpaths().count(),
            Visible::Nothing => 0,
        }
    }

    #[test]
    fn only_what_reaches_into_the_outline_is_seen() {
        for (what, line, expected) in [
            ("inside", [(10.0, 10.0), (20.0, 10.0)], 1),
            ("in the box, not in the triangle", [(80.0, 80.0), (90.0, 90.0)], 0),
            ("with its ends outside", [(-10.0, 50.0), (90.0, 50.0)], 1),
            ("along the border", [(0.2, 102.0), (102.0, 0.2)], 0),
            ("on the border", [(0.0, 100.0), (100.0, 0.0)], 1),
            ("outside the box", [(200.0, 10.0), (210.0, 10.0)], 0),
        ] {
            assert_eq!(seen(&[&line]), expected, "{what}");
        }
    }

    #[test]
    fn subpaths_outside_are_left_out() {
        assert_eq!(seen(&[&[(10.0, 10.0), (20.0, 10.0)], &[(80.0, 80.0), (90.0, 90.0)]]), 1);
    }

    #[test]
    fn an_area_around_the_outline_is_seen() {
        assert_eq!(seen(&[&[(-9.0, -9.0), (300.0, -9.0), (300.0, 300.0), (-9.0, 300.0)]]), 1);
    }

    #[test]
    fn a_hole_by_the_even_odd_rule_shows_nothing() {
        let outer: &[(f64, f64)] = &[(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)];
        let hole: &[(f64, f64)] = &[(20.0, 20.0), (80.0, 20.0), (80.0, 80.0), (20.0, 80.0)];
        for (rule, expected) in [(FillRule::EvenOdd, true), (FillRule::NonZero, false)] {
            let mut clip = Clip::of_box(Rect::new(0.0, 0.0, 100.0, 100.0));
            clip.narrow_to(&path(&[outer, hole]), rule);
            let inner = path(&[&[(40.0, 40.0), (60.0, 60.0)]]);
            let is_hidden = matches!(clip.visible(&inner, 0.0, &mut { MAX_COMPARISONS }), Visible::Nothing);
            assert_eq!(is_hidden, expected, "{rule:?}");
        }
    }

    #[test]
    fn without_comparisons_left_all_is_seen() {
        let mut clip = Clip::of_box(Rect::new(0.0, 0.0, 100.0, 100.0));
        clip.narrow_to(&path(&[&[(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)]]), FillRule::NonZero);
        let hidden = path(&[&[(80.0, 80.0), (90.0, 90.0)]]);
        assert!(matches!(clip.visible(&hidden, 0.0, &mut 0), Visible::All));
    }
}
