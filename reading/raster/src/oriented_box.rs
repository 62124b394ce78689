//! Rectangles at any angle, and what an image holds in them.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt as _, bounding_box};

use crate::GreyImage;

/// A rectangle at any angle, in pixels of an image, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrientedBox {
    /// x and y of the center.
    pub center: (f32, f32),
    /// The extent along the direction of `angle`.
    pub length: f32,
    /// The extent across it.
    pub thickness: f32,
    /// The direction of `length` in radians, clockwise as the image is seen: 0 to the right, a quarter turn downwards.
    pub angle: f32,
}

/// A quarter turn, in radians.
const QUARTER: f32 = std::f32::consts::FRAC_PI_2;

impl OrientedBox {
    /// Returns the upright box with these edges.
    pub fn upright(bounds: Rect) -> Self {
        Self { center: bounds.center(), length: bounds.width(), thickness: bounds.height(), angle: 0.0 }
    }

    /// Returns the rectangle of the smallest area around some points, by rotating calipers: it has a side along an edge of
    /// their convex hull. Its angle is at most an eighth of a turn either way. `None` for no points.
    pub fn around(points: &[(f32, f32)]) -> Option<Self> {
        let hull = convex_hull(points);
        let edges = hull.iter().zip(hull.iter().cycle().skip(1));
        let angles = edges.map(|(from, to)| (to.1 - from.1).atan2(to.0 - from.0));
        let boxes = angles.map(|angle| Self::along(&hull, nearest_to_zero(angle)));
        boxes.min_by(|a, b| a.area().total_cmp(&b.area()))
    }

    /// Returns the smallest rectangle around some points with `length` in a given direction.
    fn along(points: &[(f32, f32)], angle: f32) -> Self {
        let (sin, cos) = angle.sin_cos();
        let turned = bounding_box(points.iter().map(|(x, y)| (x * cos + y * sin, y * cos - x * sin)));
        let (along, across) = turned.center();
        let center = (along * cos - across * sin, along * sin + across * cos);
        Self { center, length: turned.width(), thickness: turned.height(), angle }
    }

    /// Returns the area in pixels.
    pub fn area(&self) -> f32 {
        self.length * self.thickness
    }

    /// Returns the box with each side moved outwards by `by` pixels.
    #[must_use]
    pub fn expanded(self, by: f32) -> Self {
        Self { length: self.length + 2.0 * by, thickness: self.thickness + 2.0 * by, ..self }
    }

    /// Returns the box in an image that is `factor` times as large.
    #[must_use]
    pub fn scaled(self, factor: f32) -> Self {
        Self {
            center: (self.center.0 * factor, self.center.1 * factor),
            length: self.length * factor,
            thickness: self.thickness * factor,
            angle: self.angle,
        }
    }

    /// Returns the same rectangle with its direction turned by quarter turns clockwise.
    #[must_use]
    pub fn turned(self, quarters: u8) -> Self {
        let (length, thickness) =
            if quarters.is_multiple_of(2) { (self.length, self.thickness) } else { (self.thickness, self.length) };
        Self { center: self.center, length, thickness, angle: self.angle + f32::from(quarters) * QUARTER }
    }

    /// Returns the part of the box between two positions along its direction, in pixels from its start.
    #[must_use]
    pub fn part(self, from: f32, to: f32) -> Self {
        let middle = from.midpoint(to) - self.length / 2.0;
        Self { center: self.place(middle, 0.0), length: to - from, ..self }
    }

    /// Returns the part of the box between two positions across its direction, in pixels from its first edge.
    #[must_use]
    pub fn band(self, from: f32, to: f32) -> Self {
        let middle = from.midpoint(to) - self.thickness / 2.0;
        Self { center: self.place(0.0, middle), thickness: to - from, ..self }
    }

    /// Returns a position in the image, by its distances from the center along the box's direction and across it.
    pub fn place(&self, along: f32, across: f32) -> (f32, f32) {
        let (sin, cos) = self.angle.sin_cos();
        (self.center.0 + along * cos - across * sin, self.center.1 + along * sin + across * cos)
    }

    /// Returns the corners in order.
    pub fn corners(&self) -> [(f32, f32); 4] {
        let (along, across) = (self.length / 2.0, self.thickness / 2.0);
        [(-along, -across), (along, -across), (along, across), (-along, across)].map(|(x, y)| self.place(x, y))
    }

    /// Returns the upright box around it.
    pub fn bounds(&self) -> Rect {
        bounding_box(self.corners())
    }

    /// Returns whether a point of the image is in the box.
    pub fn contains(&self, (x, y): (f32, f32)) -> bool {
        let (sin, cos) = self.angle.sin_cos();
        let (dx, dy) = (x - self.center.0, y - self.center.1);
        let (along, across) = (dx * cos + dy * sin, dy * cos - dx * sin);
        along.abs() <= self.length / 2.0 && across.abs() <= self.thickness / 2.0
    }
}

/// Returns the same direction but for quarter turns, within an eighth of a turn of zero.
fn nearest_to_zero(angle: f32) -> f32 {
    angle - (angle / QUARTER).round() * QUARTER
}

/// Returns the convex hull of some points, by Andrew's monotone chain.
fn convex_hull(points: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull = half_hull(sorted.iter().copied());
    hull.pop();
    let mut back = half_hull(sorted.iter().rev().copied());
    back.pop();
    hull.extend(back);
    hull
}

/// Returns the points of a sorted sequence that make left turns only.
fn half_hull(sorted: impl Iterator<Item = (f32, f32)>) -> Vec<(f32, f32)> {
    let mut hull: Vec<(f32, f32)> = Vec::new();
    for point in sorted {
        while let [.., a, b] = hull[..] {
            let turn = (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0);
            if turn > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

/// Most samples along each side of a target pixel. A crop that is reduced more than this is sampled sparsely.
const MOST_SAMPLES: f32 = 8.0;

impl GreyImage {
    /// Returns what lies in a box, turned so that the box's direction runs to the right, `height` pixels high and as wide as
    /// the box's shape asks. Outside the image is white. Reduces by averaging and enlarges by bilinear interpolation.
    #[must_use]
    pub fn crop(&self, area: &OrientedBox, height: usize) -> Self {
        let scale = (area.thickness / height as f32).max(f32::MIN_POSITIVE);
        let width = ((area.length / scale).round() as usize).max(1);
        let samples = scale.ceil().clamp(1.0, MOST_SAMPLES) as usize;
        let step = scale / samples as f32;
        let mut grey = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let left = column as f32 * scale - area.length / 2.0 + step / 2.0;
                let top = row as f32 * scale - area.thickness / 2.0 + step / 2.0;
                let mut sum = 0.0;
                for sample in 0..samples * samples {
                    let along = left + (sample % samples) as f32 * step;
                    let across = top + (sample / samples) as f32 * step;
                    sum += self.interpolated(area.place(along, across));
                }
                grey.push((sum / (samples * samples) as f32).round() as u8);
            }
        }
        Self { width, height, grey }
    }

    /// Returns the brightness at a place between pixels, whose centers lie at halves.
    fn interpolated(&self, (x, y): (f32, f32)) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right_share, lower_share) = (x - left, y - top);
        let [upper, lower] = [top, top + 1.0]
            .map(|y| self.brightness(left, y) * (1.0 - right_share) + self.brightness(left + 1.0, y) * right_share);
        upper * (1.0 - lower_share) + lower * lower_share
    }

    /// Returns the brightness of a pixel at whole coordinates of any sign; white outside the image.
    fn brightness(&self, x: f32, y: f32) -> f32 {
        if x < 0.0 || y < 0.0 { 255.0 } else { f32::from(self.at(x as usize, y as usize)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }

    #[test]
    fn the_smallest_rectangle_is_found_at_any_angle() {
        for degrees in [0.0_f32, 10.0, 30.0, -40.0, 44.0] {
            let drawn =
                OrientedBox { center: (50.0, 80.0), length: 60.0, thickness: 12.0, angle: degrees.to_radians() };
            let mut points = drawn.corners().to_vec();
            points.push(drawn.center);
            let found = OrientedBox::around(&points).unwrap();
            assert_close(found.length, 60.0);
            assert_close(found.thickness, 12.0);
            assert_close(found.angle, drawn.angle);
            assert_close(found.center.0, 50.0);
        }
    }

    #[test]
    fn few_points_have_a_box_without_area() {
        assert_eq!(OrientedBox::around(&[]), None);
        assert_close(OrientedBox::around(&[(3.0, 4.0)]).unwrap().area(), 0.0);
        let line = OrientedBox::around(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0)]).unwrap();
        assert_close(line.length.max(line.thickness), 4.0);
        assert_close(line.area(), 0.0);
    }

    #[test]
    fn a_part_lies_along_the_direction() {
        let whole = OrientedBox { center: (0.0, 0.0), length: 10.0, thickness: 2.0, angle: QUARTER };
        let part = whole.part(0.0, 4.0);
        assert_close(part.center.1, -3.0);
        assert_close(part.length, 4.0);
        assert!(part.contains((0.5, -4.0)) && !part.contains((0.5, 0.0)));
        let band = whole.band(0.0, 1.0);
        assert!(
            band.contains((0.5, 0.0)) && !band.contains((-0.5, 0.0)),
            "a quarter turn clockwise, its first edge is right"
        );
    }

    #[test]
    fn a_crop_is_turned_upright() {
        // A column of three pixels, black at its top.
        let image = GreyImage { width: 1, height: 3, grey: vec![0, 100, 200] };
        let column = OrientedBox::upright(Rect { x1: 0.0, y1: 0.0, x2: 1.0, y2: 3.0 });
        assert_eq!(image.crop(&column.turned(1), 1).grey, [0, 100, 200], "downwards");
        assert_eq!(image.crop(&column.turned(3), 1).grey, [200, 100, 0], "upwards");
        assert_eq!(image.crop(&column, 3).grey, [0, 100, 200]);
    }

    #[test]
    fn a_reduced_crop_is_the_mean() {
        let image = GreyImage { width: 4, height: 4, grey: [0, 0, 100, 100].repeat(4) };
        let whole = OrientedBox::upright(Rect { x1: 0.0, y1: 0.0, x2: 4.0, y2: 4.0 });
        let halves = image.crop(&whole, 2).grey;
        assert!(halves[0] < 20 && halves[1] > 80, "{halves:?}");
    }
}
