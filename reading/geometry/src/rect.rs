//! Measures of boxes. A box ([`Rect`]) has its sides along the axes and `x1 <= x2`, `y1 <= y2`; whether y runs up or down
//! makes no difference here.

use fanlight_contract::Rect;

/// A box around nothing: its union with any box is that box.
pub const EMPTY_RECT: Rect = Rect { x1: f32::MAX, y1: f32::MAX, x2: f32::MIN, y2: f32::MIN };

/// Returns the smallest box around points; [`EMPTY_RECT`] for no points.
pub fn bounding_box(points: impl IntoIterator<Item = (f32, f32)>) -> Rect {
    points.into_iter().fold(EMPTY_RECT, |sum, (x, y)| Rect {
        // Comparisons, because `f32::min` and `f32::max` are function calls in WebAssembly.
        x1: if x < sum.x1 { x } else { sum.x1 },
        y1: if y < sum.y1 { y } else { sum.y1 },
        x2: if x > sum.x2 { x } else { sum.x2 },
        y2: if y > sum.y2 { y } else { sum.y2 },
    })
}

/// Measures and set operations of boxes.
pub trait RectExt {
    /// Returns the extent along x; negative for an inverted box.
    fn width(&self) -> f32;

    /// Returns the extent along y; negative for an inverted box.
    fn height(&self) -> f32;

    /// Returns the longer of both extents.
    fn long_side(&self) -> f32;

    /// Returns the area; 0 for an inverted box.
    fn area(&self) -> f32;

    /// Returns the product of width and height as they are: for callers that know that a box is not inverted, or that
    /// compare with a negative product on purpose.
    fn signed_area(&self) -> f32;

    /// Returns the center.
    fn center(&self) -> (f32, f32);

    /// Returns the smallest box around both boxes.
    #[must_use]
    fn union(&self, other: &Self) -> Self;

    /// Returns the box that both cover; inverted where they do not overlap.
    #[must_use]
    fn intersection(&self, other: &Self) -> Self;

    /// Returns the intersection if it has a width, a height and a finite area.
    fn overlap(&self, other: &Self) -> Option<Self>
    where
        Self: Sized;

    /// Returns the box moved into `bounds` coordinate by coordinate: what lies outside becomes a box without area on the
    /// edge of `bounds`.
    ///
    /// # Panics
    ///
    /// Panics if `bounds` is inverted or not a number.
    #[must_use]
    fn clamped_to(&self, bounds: &Self) -> Self;

    /// Returns the area that both boxes cover.
    fn intersection_area(&self, other: &Self) -> f32;

    /// Returns the intersection over union (Jaccard index) of both boxes: 0 where they do not overlap or have no area,
    /// 1 where they are the same.
    fn iou(&self, other: &Self) -> f32;

    /// Returns the box with `dx` more at its left and its right, and `dy` more at its top and its bottom.
    #[must_use]
    fn expanded(&self, dx: f32, dy: f32) -> Self;

    /// Returns whether a point lies in the box or on its edge.
    fn contains_point(&self, x: f32, y: f32) -> bool;

    /// Returns whether all of another box lies in this one; edges may touch.
    fn contains(&self, other: &Self) -> bool;

    /// Returns whether the boxes overlap or touch.
    fn touches(&self, other: &Self) -> bool;
}

impl RectExt for Rect {
    fn width(&self) -> f32 {
        self.x2 - self.x1
    }

    fn height(&self) -> f32 {
        self.y2 - self.y1
    }

    fn long_side(&self) -> f32 {
        self.width().max(self.height())
    }

    fn area(&self) -> f32 {
        self.width().max(0.0) * self.height().max(0.0)
    }

    fn signed_area(&self) -> f32 {
        self.width() * self.height()
    }

    fn center(&self) -> (f32, f32) {
        (f32::midpoint(self.x1, self.x2), f32::midpoint(self.y1, self.y2))
    }

    fn union(&self, other: &Self) -> Self {
        Self {
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
            x2: self.x2.max(other.x2),
            y2: self.y2.max(other.y2),
        }
    }

    fn intersection(&self, other: &Self) -> Self {
        Self {
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
            x2: self.x2.min(other.x2),
            y2: self.y2.min(other.y2),
        }
    }

    fn overlap(&self, other: &Self) -> Option<Self> {
        let both = self.intersection(other);
        (both.x2 > both.x1 && both.y2 > both.y1 && both.signed_area().is_finite()).then_some(both)
    }

    fn clamped_to(&self, bounds: &Self) -> Self {
        Self {
            x1: self.x1.clamp(bounds.x1, bounds.x2),
            y1: self.y1.clamp(bounds.y1, bounds.y2),
            x2: self.x2.clamp(bounds.x1, bounds.x2),
            y2: self.y2.clamp(bounds.y1, bounds.y2),
        }
    }

    fn intersection_area(&self, other: &Self) -> f32 {
        self.intersection(other).area()
    }

    fn iou(&self, other: &Self) -> f32 {
        let both = self.intersection_area(other);
        let either = self.area() + other.area() - both;
        if either > 0.0 { both / either } else { 0.0 }
    }

    fn expanded(&self, dx: f32, dy: f32) -> Self {
        Self { x1: self.x1 - dx, y1: self.y1 - dy, x2: self.x2 + dx, y2: self.y2 + dy }
    }

    fn contains_point(&self, x: f32, y: f32) -> bool {
        self.x1 <= x && x <= self.x2 && self.y1 <= y && y <= self.y2
    }

    fn contains(&self, other: &Self) -> bool {
        self.x1 <= other.x1 && other.x2 <= self.x2 && self.y1 <= other.y1 && other.y2 <= self.y2
    }

    fn touches(&self, other: &Self) -> bool {
        self.x1 <= other.x2 && other.x1 <= self.x2 && self.y1 <= other.y2 && other.y1 <= self.y2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x1: f32, y1: f32, x2: f32, y2: f32) -> Rect {
        Rect { x1, y1, x2, y2 }
    }

    fn corners(rect: Rect) -> [f32; 4] {
        [rect.x1, rect.y1, rect.x2, rect.y2]
    }

    #[test]
    fn boxes_that_overlap_by_half_have_an_iou_of_a_third() {
        let (a, b) = (rect(0.0, 0.0, 2.0, 1.0), rect(1.0, 0.0, 3.0, 1.0));
        assert_eq!(a.intersection_area(&b), 1.0);
        assert!((a.iou(&b) - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(a.iou(&a), 1.0);
        assert_eq!(a.iou(&rect(5.0, 5.0, 6.0, 6.0)), 0.0);
    }

    #[test]
    fn boxes_without_area_have_no_overlap() {
        let line = rect(0.0, 0.0, 4.0, 0.0);
        assert_eq!(line.iou(&line), 0.0);
        assert_eq!(EMPTY_RECT.area(), 0.0);
        let inverted = rect(2.0, 2.0, 1.0, 1.0);
        assert_eq!((inverted.area(), inverted.signed_area()), (0.0, 1.0));
    }

    #[test]
    fn the_union_is_around_both_and_the_intersection_inside_both() {
        let (a, b) = (rect(0.0, 1.0, 2.0, 3.0), rect(1.0, 0.0, 5.0, 2.0));
        assert_eq!(corners(a.union(&b)), [0.0, 0.0, 5.0, 3.0]);
        assert_eq!(corners(a.intersection(&b)), [1.0, 1.0, 2.0, 2.0]);
        assert_eq!(a.overlap(&b).map(corners), Some([1.0, 1.0, 2.0, 2.0]));
        assert!(a.overlap(&rect(2.0, 1.0, 4.0, 3.0)).is_none(), "a common edge is no overlap");
        assert_eq!(corners(EMPTY_RECT.union(&a)), corners(a));
        assert!(a.union(&b).contains(&a) && !a.contains(&b));
    }

    #[test]
    fn clamping_leaves_nothing_of_what_is_outside() {
        let bounds = rect(0.0, 0.0, 10.0, 10.0);
        assert_eq!(corners(rect(-9e9, 2.0, 4.0, 9e9).clamped_to(&bounds)), [0.0, 2.0, 4.0, 10.0]);
        assert_eq!(rect(20.0, 0.0, 30.0, 5.0).clamped_to(&bounds).area(), 0.0);
    }

    #[test]
    fn edges_and_corners_belong_to_a_box() {
        let a = rect(0.0, 0.0, 2.0, 2.0);
        assert!(a.contains_point(2.0, 0.0) && !a.contains_point(2.1, 0.0));
        assert!(a.touches(&rect(2.0, 2.0, 3.0, 3.0)) && !a.touches(&rect(2.1, 0.0, 3.0, 3.0)));
        assert_eq!(corners(a.expanded(1.0, 2.0)), [-1.0, -2.0, 3.0, 4.0]);
        assert_eq!((a.center(), a.width(), a.height(), a.long_side()), ((1.0, 1.0), 2.0, 2.0, 2.0));
    }

    #[test]
    fn a_bounding_box_is_around_all_points() {
        assert_eq!(corners(bounding_box([(3.0, 1.0), (-1.0, 5.0), (0.0, 0.0)])), [-1.0, 0.0, 3.0, 5.0]);
        assert_eq!(corners(bounding_box([])), corners(EMPTY_RECT));
    }
}
