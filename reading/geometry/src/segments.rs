//! What a page draws, as straight line segments.

use crate::{Frame, PathStep, walk};
use fanlight_contract::{PagePaths, PathStyle};

/// A straight line segment of what a page draws, in a frame: points, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// One end.
    pub from: (f32, f32),
    /// The other end.
    pub to: (f32, f32),
    /// Width of the stroke in points; 0 for the edge of a filled area and for a hairline.
    pub width: f32,
    /// Whether it is the edge of an area that is filled with something darker than paper and not stroked.
    pub filled: bool,
    /// Whether its stroke has a dash pattern.
    pub dashed: bool,
    /// Whether it is a chord of a curve.
    pub curved: bool,
    /// Index of its path in drawing order.
    pub path: u32,
}

impl Segment {
    /// Returns the length in points.
    pub fn length(&self) -> f32 {
        (self.to.0 - self.from.0).hypot(self.to.1 - self.from.1)
    }

    /// Returns the point halfway between both ends.
    pub fn midpoint(&self) -> (f32, f32) {
        (f32::midpoint(self.from.0, self.to.0), f32::midpoint(self.from.1, self.to.1))
    }

    /// Returns whether it runs along the x axis, with a slope of at most 1 in 100.
    pub fn is_horizontal(&self) -> bool {
        let (dx, dy) = self.extent();
        dy <= (MAX_SLOPE * dx).max(ROUNDING) && dx > dy
    }

    /// Returns whether it runs along the y axis, with a slope of at most 1 in 100.
    pub fn is_vertical(&self) -> bool {
        let (dx, dy) = self.extent();
        dx <= (MAX_SLOPE * dy).max(ROUNDING) && dy > dx
    }

    fn extent(&self) -> (f32, f32) {
        ((self.to.0 - self.from.0).abs(), (self.to.1 - self.from.1).abs())
    }
}

/// Chords that stand for a Bézier curve. With 6, a quarter of a circle is off by a hundredth of its radius.
pub const CHORDS_PER_CURVE: usize = 6;
/// Maximum number of segments of a page. The densest sheets seen have some 300,000.
pub const MAX_SEGMENTS: usize = 4_000_000;

/// Maximum slope of a segment that counts as horizontal or vertical, as rise over run.
const MAX_SLOPE: f32 = 0.01;
/// How far ends may be off because coordinates are rounded, in points.
const ROUNDING: f32 = 0.12;
/// Colors with this luma or more, of 255, are not visible on paper.
const INVISIBLE_LUMA: u32 = 246;
/// Paths with less opacity are not visible.
const MIN_OPACITY: f32 = 0.05;

/// Returns the visible segments of a page, clipped to the frame, in drawing order; at most about [`MAX_SEGMENTS`], since
/// the path that passes the limit is still completed.
pub fn segments(paths: &PagePaths, frame: &Frame) -> Vec<Segment> {
    let mut found = Vec::with_capacity(paths.ops.len().min(MAX_SEGMENTS));
    for path in paths.each() {
        let Some(appearance) = Appearance::new(path.style, path.number) else { continue };
        trace(walk(&path, |x, y| frame.place(x, y)), frame, appearance, &mut found);
        if found.len() >= MAX_SEGMENTS {
            break;
        }
    }
    found
}

/// How a visible path is painted.
#[derive(Clone, Copy)]
struct Appearance {
    width: f32,
    filled: bool,
    dashed: bool,
    path: u32,
}

impl Appearance {
    /// Returns how a path is painted; `None` for a path that is not visible on paper.
    fn new(style: &PathStyle, path: u32) -> Option<Self> {
        let stroked = style.stroke.is_some_and(is_visible);
        let filled = style.fill.is_some_and(is_visible);
        ((stroked || filled) && style.opacity >= MIN_OPACITY).then(|| Self {
            width: if stroked && style.width.is_finite() { style.width } else { 0.0 },
            filled: filled && !stroked,
            dashed: stroked && !style.dash.is_empty(),
            path,
        })
    }

    /// Adds the part of a segment inside the frame.
    fn add(self, from: (f32, f32), to: (f32, f32), curved: bool, frame: &Frame, found: &mut Vec<Segment>) {
        if let Some((from, to)) = clip(from, to, frame) {
            let Self { width, filled, dashed, path } = self;
            found.push(Segment { from, to, width, filled, dashed, curved, path });
        }
    }
}

/// Returns whether a color (0xRRGGBB) is dark enough to be seen on paper, by its luma (ITU-R BT.601).
fn is_visible(color: u32) -> bool {
    let [_, red, green, blue] = color.to_be_bytes().map(u32::from);
    (299 * red + 587 * green + 114 * blue) / 1000 < INVISIBLE_LUMA
}

/// Adds the segments of one path.
fn trace(steps: impl Iterator<Item = PathStep>, frame: &Frame, appearance: Appearance, found: &mut Vec<Segment>) {
    let (mut start, mut last) = ((0.0, 0.0), (0.0, 0.0));
    for step in steps {
        match step {
            PathStep::MoveTo(to) => (start, last) = (to, to),
            PathStep::LineTo(to) => {
                appearance.add(last, to, false, frame, found);
                last = to;
            }
            PathStep::CurveTo([a, b], to) => {
                let mut before = last;
                for chord in 1..=CHORDS_PER_CURVE {
                    let next = point_on_curve([last, a, b, to], chord as f32 / CHORDS_PER_CURVE as f32);
                    appearance.add(before, next, true, frame, found);
                    before = next;
                }
                last = to;
            }
            PathStep::Close => {
                appearance.add(last, start, false, frame, found);
                last = start;
            }
        }
    }
}

/// Returns the point of a cubic Bézier curve at parameter `t`, by its Bernstein polynomials.
fn point_on_curve(points: [(f32, f32); 4], t: f32) -> (f32, f32) {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    points
        .iter()
        .zip(weights)
        .fold((0.0, 0.0), |sum, (point, weight)| (sum.0 + weight * point.0, sum.1 + weight * point.1))
}

/// Returns the part of a segment inside the frame (Liang-Barsky clipping); `None` where it has no length there or an end
/// that is not a finite number.
fn clip(from: (f32, f32), to: (f32, f32), frame: &Frame) -> Option<((f32, f32), (f32, f32))> {
    if ![from.0, from.1, to.0, to.1].iter().all(|value| value.is_finite()) {
        return None;
    }
    // Double precision, because an end may lie a million pages away.
    let (x, y) = (f64::from(from.0), f64::from(from.1));
    let (dx, dy) = (f64::from(to.0) - x, f64::from(to.1) - y);
    let (width, height) = (f64::from(frame.width), f64::from(frame.height));
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (step, room) in [(-dx, x), (dx, width - x), (-dy, y), (dy, height - y)] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            enter = enter.max(room / step);
        } else {
            leave = leave.min(room / step);
        }
    }
    let inside = enter < leave && (dx != 0.0 || dy != 0.0);
    let at = |t: f64| ((x + t * dx).clamp(0.0, width) as f32, (y + t * dy).clamp(0.0, height) as f32);
    inside.then(|| (if enter > 0.0 { at(enter) } else { from }, if leave < 1.0 { at(leave) } else { to }))
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;

    use super::*;

    fn page(ops: Vec<u8>, coordinates: Vec<f32>, stroke: u32) -> PagePaths {
        let style =
            PathStyle { stroke: Some(stroke), fill: None, opacity: 1.0, width: 0.5, dash: Vec::new(), layer: None };
        let lengths = vec![ops.len() as u32];
        PagePaths { ops, coordinates, lengths, style_of: vec![0], styles: vec![style], layers: Vec::new() }
    }

    fn frame() -> Frame {
        Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 100.0, y2: 50.0 }, 0.0)
    }

    #[test]
    fn a_closed_box_has_four_sides_and_y_runs_down() {
        let found =
            segments(&page(vec![0, 1, 1, 1, 3], vec![10.0, 10.0, 20.0, 10.0, 20.0, 30.0, 10.0, 30.0], 0), &frame());
        assert_eq!(found.len(), 4);
        assert_eq!((found[0].from, found[0].to), ((10.0, 40.0), (20.0, 40.0)));
        assert!(found[0].is_horizontal() && found[1].is_vertical() && found[3].is_vertical());
    }

    #[test]
    fn segments_are_clipped_to_the_page_and_must_be_finite() {
        let found = segments(&page(vec![0, 1], vec![-1e9, 25.0, 1e9, 25.0], 0), &frame());
        assert_eq!(found.len(), 1);
        assert!(found[0].from.0.abs() < 1.0 && (found[0].to.0 - 100.0).abs() < 1.0, "{found:?}");
        assert!(segments(&page(vec![0, 1], vec![f32::NAN, 25.0, 50.0, 25.0], 0), &frame()).is_empty());
        assert!(segments(&page(vec![0, 1], vec![200.0, 25.0, 300.0, 25.0], 0), &frame()).is_empty());
    }

    #[test]
    fn white_paths_and_incomplete_paths_are_left_out() {
        assert!(segments(&page(vec![0, 1], vec![0.0, 0.0, 50.0, 25.0], 0x00FF_FFFF), &frame()).is_empty());
        assert!(segments(&page(vec![0, 1], vec![0.0, 0.0, 50.0], 0), &frame()).is_empty());
    }

    #[test]
    fn a_curve_becomes_chords() {
        let found = segments(&page(vec![0, 2], vec![0.0, 0.0, 0.0, 5.5, 4.5, 10.0, 10.0, 10.0], 0), &frame());
        assert_eq!(found.len(), CHORDS_PER_CURVE);
        assert!(found.iter().all(|segment| segment.curved));
    }
}
