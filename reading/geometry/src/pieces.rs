//! Paths as straight pieces.

use crate::Frame;
use fanlight_contract::{PagePaths, PathStyle};

/// A straight piece of what is drawn, in a frame: points, y down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// One end.
    pub from: (f32, f32),
    /// The other end.
    pub to: (f32, f32),
    /// Width of the stroke in points; 0 for the edge of a filled area and for the thinnest line.
    pub width: f32,
    /// Whether it is the edge of an area filled with something darker than paper.
    pub filled: bool,
    /// Whether its stroke is dashed by its style.
    pub dashed: bool,
    /// Whether it is a chord of a curve.
    pub curved: bool,
    /// Index of the path in the page's order.
    pub path: u32,
}

impl Piece {
    /// Its length in points.
    pub fn length(&self) -> f32 {
        (self.to.0 - self.from.0).hypot(self.to.1 - self.from.1)
    }

    /// Whether it runs along the x axis: it rises by less than a hundredth of its length.
    pub fn is_level(&self) -> bool {
        let (dx, dy) = self.extent();
        dy <= (SLANT * dx).max(ROUNDING) && dx > dy
    }

    /// Whether it runs along the y axis.
    pub fn is_plumb(&self) -> bool {
        let (dx, dy) = self.extent();
        dx <= (SLANT * dy).max(ROUNDING) && dy > dx
    }

    fn extent(&self) -> (f32, f32) {
        ((self.to.0 - self.from.0).abs(), (self.to.1 - self.from.1).abs())
    }
}

/// Chords that stand for a Bézier curve: a quarter of a circle is off by a hundredth of its radius.
pub const CHORDS: usize = 6;
/// Pieces taken of a page at most; the densest sheets have some 300,000 segments.
pub const MOST_PIECES: usize = 4_000_000;

/// A piece that rises by less than this for each point of its length is straight along an axis.
const SLANT: f32 = 0.01;
/// Ends are off by so much from rounding, in points.
const ROUNDING: f32 = 0.12;
/// Lighter than this, of 255, isn't seen on paper.
const INVISIBLE: u32 = 246;

/// The visible pieces of a page within the frame's extent, in drawing order; at most [`MOST_PIECES`].
pub fn pieces(paths: &PagePaths, frame: &Frame) -> Vec<Piece> {
    let mut found = Vec::with_capacity(paths.ops.len().min(MOST_PIECES));
    for path in paths.each() {
        let Some(drawn) = Drawn::of(path.style, path.number) else { continue };
        trace(path.ops, path.coordinates, frame, drawn, &mut found);
        if found.len() >= MOST_PIECES {
            break;
        }
    }
    found
}

/// How a path is seen.
#[derive(Clone, Copy)]
struct Drawn {
    width: f32,
    filled: bool,
    dashed: bool,
    path: u32,
}

impl Drawn {
    fn of(style: &PathStyle, path: u32) -> Option<Self> {
        let stroked = style.stroke.is_some_and(seen);
        let filled = style.fill.is_some_and(seen);
        ((stroked || filled) && style.opacity >= 0.05).then(|| Self {
            width: if stroked && style.width.is_finite() { style.width } else { 0.0 },
            filled: filled && !stroked,
            dashed: stroked && !style.dash.is_empty(),
            path,
        })
    }
}

fn seen(color: u32) -> bool {
    let [_, red, green, blue] = color.to_be_bytes().map(u32::from);
    (299 * red + 587 * green + 114 * blue) / 1000 < INVISIBLE
}

fn trace(ops: &[u8], coordinates: &[f32], frame: &Frame, drawn: Drawn, found: &mut Vec<Piece>) {
    let mut at = coordinates.chunks_exact(2).map(|pair| match pair {
        [x, y] => frame.place(*x, *y),
        _ => (0.0, 0.0),
    });
    let (mut start, mut last) = ((0.0, 0.0), (0.0, 0.0));
    let mut add = |from: (f32, f32), to: (f32, f32), curved: bool| {
        if let Some((from, to)) = clipped(from, to, frame) {
            let Drawn { width, filled, dashed, path } = drawn;
            found.push(Piece { from, to, width, filled, dashed, curved, path });
        }
    };
    for &op in ops {
        match op {
            0 => {
                start = at.next().unwrap_or(start);
                last = start;
            }
            1 => {
                let to = at.next().unwrap_or(last);
                add(last, to, false);
                last = to;
            }
            2 => {
                let (Some(a), Some(b), Some(to)) = (at.next(), at.next(), at.next()) else { break };
                let mut before = last;
                for step in 1..=CHORDS {
                    let next = along([last, a, b, to], step as f32 / CHORDS as f32);
                    add(before, next, true);
                    before = next;
                }
                last = to;
            }
            _ => {
                add(last, start, false);
                last = start;
            }
        }
    }
}

/// A point of a cubic Bézier curve.
fn along(points: [(f32, f32); 4], t: f32) -> (f32, f32) {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    points
        .iter()
        .zip(weights)
        .fold((0.0, 0.0), |sum, (point, weight)| (sum.0 + weight * point.0, sum.1 + weight * point.1))
}

/// The part of a piece inside the frame's extent; none where it has no length there, or no finite end.
fn clipped(from: (f32, f32), to: (f32, f32), frame: &Frame) -> Option<((f32, f32), (f32, f32))> {
    if ![from.0, from.1, to.0, to.1].iter().all(|value| value.is_finite()) {
        return None;
    }
    // In double precision: an end may lie a million pages away.
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
            pieces(&page(vec![0, 1, 1, 1, 3], vec![10.0, 10.0, 20.0, 10.0, 20.0, 30.0, 10.0, 30.0], 0), &frame());
        assert_eq!(found.len(), 4);
        assert_eq!((found[0].from, found[0].to), ((10.0, 40.0), (20.0, 40.0)));
        assert!(found[0].is_level() && found[1].is_plumb() && found[3].is_plumb());
    }

    #[test]
    fn what_lies_outside_is_cut_off_and_what_is_no_number_is_left_out() {
        let found = pieces(&page(vec![0, 1], vec![-1e9, 25.0, 1e9, 25.0], 0), &frame());
        assert_eq!(found.len(), 1);
        assert!(found[0].from.0.abs() < 1.0 && (found[0].to.0 - 100.0).abs() < 1.0, "{found:?}");
        assert!(pieces(&page(vec![0, 1], vec![f32::NAN, 25.0, 50.0, 25.0], 0), &frame()).is_empty());
        assert!(pieces(&page(vec![0, 1], vec![200.0, 25.0, 300.0, 25.0], 0), &frame()).is_empty());
    }

    #[test]
    fn white_is_not_seen_and_lists_that_are_too_short_end_early() {
        assert!(pieces(&page(vec![0, 1], vec![0.0, 0.0, 50.0, 25.0], 0x00FF_FFFF), &frame()).is_empty());
        assert!(pieces(&page(vec![0, 1], vec![0.0, 0.0, 50.0], 0), &frame()).is_empty());
    }

    #[test]
    fn a_curve_becomes_chords() {
        let found = pieces(&page(vec![0, 2], vec![0.0, 0.0, 0.0, 5.5, 4.5, 10.0, 10.0, 10.0], 0), &frame());
        assert_eq!(found.len(), CHORDS);
        assert!(found.iter().all(|piece| piece.curved));
    }
}
