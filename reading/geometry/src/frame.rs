//! The upright coordinate frame of a page.

use fanlight_contract::Rect;

use crate::bounding_box;

/// The coordinate frame in which a page is read: x to the right along the lines of text, y down, in points, with the
/// origin at the top left corner of the crop box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Direction of the lines of text in user space, in degrees counterclockwise from its x axis.
    pub angle: f32,
    /// Extent of the crop box along the lines, in points.
    pub width: f32,
    /// Extent of the crop box across the lines, in points.
    pub height: f32,
    along: (f32, f32),
    origin: (f32, f32),
}

impl Frame {
    /// Creates the frame of a crop box (user space) whose lines of text run at `angle` degrees.
    pub fn new(crop_box: Rect, angle: f32) -> Self {
        let (sin, cos) = angle.to_radians().sin_cos();
        let mut frame = Self { angle, width: 0.0, height: 0.0, along: (cos, sin), origin: (0.0, 0.0) };
        let extent = bounding_box(corners(crop_box).map(|(x, y)| frame.place(x, y)));
        frame.origin = (extent.x1, extent.y1);
        frame.width = extent.x2 - extent.x1;
        frame.height = extent.y2 - extent.y1;
        frame
    }

    /// Returns a point of user space in the frame.
    pub fn place(&self, x: f32, y: f32) -> (f32, f32) {
        let (cos, sin) = self.along;
        (x * cos + y * sin - self.origin.0, x * sin - y * cos - self.origin.1)
    }

    /// Returns a box of user space in the frame. If the frame is not at a right angle to user space, this is the upright box
    /// around it.
    pub fn place_box(&self, user_space: Rect) -> Rect {
        bounding_box(corners(user_space).map(|(x, y)| self.place(x, y)))
    }

    /// Returns a box of another frame of the page in this one. If they are not at a right angle, this is the upright box around
    /// it.
    pub fn place_from(&self, other: &Self, bbox: Rect) -> Rect {
        if self == other { bbox } else { self.place_box(other.to_user_space(bbox)) }
    }

    /// Returns a box of the frame in user space. If the frame is not at a right angle to user space, this is the upright box
    /// around it.
    pub fn to_user_space(&self, framed: Rect) -> Rect {
        let (cos, sin) = self.along;
        bounding_box(corners(framed).map(|(x, y)| {
            let (across, down) = (x + self.origin.0, y + self.origin.1);
            (across * cos + down * sin, across * sin - down * cos)
        }))
    }
}

fn corners(r: Rect) -> [(f32, f32); 4] {
    [(r.x1, r.y1), (r.x2, r.y1), (r.x2, r.y2), (r.x1, r.y2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const CROP: Rect = Rect { x1: 10.0, y1: 20.0, x2: 622.0, y2: 812.0 };

    #[test]
    fn the_origin_is_the_top_left_corner_as_read() {
        let cases = [
            (0.0, (10.0, 812.0), (612.0, 792.0)),
            (90.0, (10.0, 20.0), (792.0, 612.0)),
            (180.0, (622.0, 20.0), (612.0, 792.0)),
            (270.0, (622.0, 812.0), (792.0, 612.0)),
        ];
        for (angle, corner, (width, height)) in cases {
            let frame = Frame::new(CROP, angle);
            let (x, y) = frame.place(corner.0, corner.1);
            assert!(x.abs() < 1e-3 && y.abs() < 1e-3, "{angle}: {x} {y}");
            assert!((frame.width - width).abs() < 1e-3 && (frame.height - height).abs() < 1e-3, "{angle}");
        }
    }

    #[test]
    fn a_box_returns_to_user_space_unchanged() {
        for angle in [0.0, 90.0, 180.0, 270.0] {
            let frame = Frame::new(CROP, angle);
            let word = Rect { x1: 100.0, y1: 300.0, x2: 150.0, y2: 312.0 };
            let back = frame.to_user_space(frame.place_box(word));
            for (a, b) in [(back.x1, word.x1), (back.y1, word.y1), (back.x2, word.x2), (back.y2, word.y2)] {
                assert!((a - b).abs() < 1e-2, "{angle}: {back:?}");
            }
        }
    }
}
