//! Points of the page and what is measured between them, in points of PDF user space.

use std::ops::{Add, Mul, Sub};

use fanlight_geometry::RectExt as _;

use crate::symbols::plan::rect;

/// Returns the lesser of two numbers, and the greater. Where this runs as wasm, `f32::min` and `f32::max` are calls into a
/// library.
pub(crate) fn ordered(a: f32, b: f32) -> (f32, f32) {
    if b < a { (b, a) } else { (a, b) }
}

/// A place on the page, or a way from one to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f32,
    pub(crate) y: f32,
}

impl Point {
    pub(crate) const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// Returns the unit vector at an angle in radians, counterclockwise from the x axis.
    pub(crate) fn at(angle: f32) -> Self {
        let (y, x) = angle.sin_cos();
        Self { x, y }
    }

    pub(crate) fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the cross product, which is positive where `other` lies counterclockwise of this.
    pub(crate) fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    pub(crate) fn length(self) -> f32 {
        // Where this runs as wasm, `hypot` is a call into a library, and a root an instruction; no square of an f32 is beyond f64.
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        (x * x + y * y).sqrt() as f32
    }

    pub(crate) fn to(self, other: Self) -> f32 {
        (other - self).length()
    }

    /// Returns its direction; that of the x axis for a way of no length.
    pub(crate) fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { Self::new(1.0, 0.0) }
    }

    /// Returns it turned by a quarter counterclockwise.
    pub(crate) fn left(self) -> Self {
        Self { x: -self.y, y: self.x }
    }

    /// Returns the angle in radians, counterclockwise from the x axis.
    pub(crate) fn angle(self) -> f32 {
        self.y.atan2(self.x)
    }

    pub(crate) fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Add for Point {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Point {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl Mul<f32> for Point {
    type Output = Self;

    fn mul(self, factor: f32) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

/// An axis-aligned box that grows with what it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) x1: f32,
    pub(crate) y1: f32,
    pub(crate) x2: f32,
    pub(crate) y2: f32,
}

impl Extent {
    /// Around nothing: any point becomes the whole of it.
    pub(crate) const EMPTY: Self = Self { x1: f32::MAX, y1: f32::MAX, x2: f32::MIN, y2: f32::MIN };

    pub(crate) fn bounding(points: impl IntoIterator<Item = Point>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    pub(crate) fn with(self, point: Point) -> Self {
        self.joined(Self { x1: point.x, y1: point.y, x2: point.x, y2: point.y })
    }

    pub(crate) fn joined(self, other: Self) -> Self {
        let (x1, _) = ordered(self.x1, other.x1);
        let (y1, _) = ordered(self.y1, other.y1);
        let (_, x2) = ordered(self.x2, other.x2);
        let (_, y2) = ordered(self.y2, other.y2);
        Self { x1, y1, x2, y2 }
    }

    pub(crate) fn grown(self, by: f32) -> Self {
        Self { x1: self.x1 - by, y1: self.y1 - by, x2: self.x2 + by, y2: self.y2 + by }
    }

    /// Returns whether all of another box lies in it.
    pub(crate) fn holds_all(&self, other: &Self) -> bool {
        other.x1 >= self.x1 && other.y1 >= self.y1 && other.x2 <= self.x2 && other.y2 <= self.y2
    }

    pub(crate) fn width(&self) -> f32 {
        (self.x2 - self.x1).max(0.0)
    }

    pub(crate) fn height(&self) -> f32 {
        (self.y2 - self.y1).max(0.0)
    }

    pub(crate) fn long(&self) -> f32 {
        self.width().max(self.height())
    }

    pub(crate) fn middle(&self) -> Point {
        Point::new(f32::midpoint(self.x1, self.x2), f32::midpoint(self.y1, self.y2))
    }

    pub(crate) fn holds(&self, point: Point) -> bool {
        point.x >= self.x1 && point.x <= self.x2 && point.y >= self.y1 && point.y <= self.y2
    }

    pub(crate) fn area(&self) -> f32 {
        self.width() * self.height()
    }

    pub(crate) fn touches(&self, other: &Self) -> bool {
        self.x1 <= other.x2 && other.x1 <= self.x2 && self.y1 <= other.y2 && other.y1 <= self.y2
    }

    /// Returns the area that both cover.
    pub(crate) fn common(&self, other: &Self) -> f32 {
        rect(*self).intersection_area(&rect(*other))
    }

    /// Returns the area that both cover as a share of the area that either covers.
    pub(crate) fn overlap(&self, other: &Self) -> f32 {
        rect(*self).iou(&rect(*other))
    }
}
