//! Draws in inches of the building, in nested coordinate frames, and records the extent of what is
//! drawn.

use super::style::{ArcManner, Layer, Style};
use crate::chance::Chance;
use crate::pdf::{Colour, Mark, Page, Segment, Stroke};

/// A point.
pub(super) type P = (f32, f32);

/// A coordinate frame within another: its origin and axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    pub(super) origin: P,
    pub(super) x: P,
    pub(super) y: P,
}

impl Frame {
    pub(super) const IDENTITY: Self = Self { origin: (0.0, 0.0), x: (1.0, 0.0), y: (0.0, 1.0) };

    pub(super) fn at(&self, (x, y): P) -> P {
        (self.origin.0 + x * self.x.0 + y * self.y.0, self.origin.1 + x * self.x.1 + y * self.y.1)
    }

    fn direction(&self, (x, y): P) -> P {
        (x * self.x.0 + y * self.y.0, x * self.x.1 + y * self.y.1)
    }

    /// Returns the frame that `inner`, given in this frame, is in this frame's outer one.
    pub(super) fn holding(&self, inner: &Self) -> Self {
        Self { origin: self.at(inner.origin), x: self.direction(inner.x), y: self.direction(inner.y) }
    }

    /// Returns a frame within this one.
    pub(super) fn inner(&self, origin: P, x: P, y: P) -> Self {
        self.holding(&Self { origin, x, y })
    }

    /// Returns the frame with another origin.
    pub(super) fn moved(&self, x: f32, y: f32) -> Self {
        Self { origin: self.at((x, y)), ..*self }
    }

    /// Returns the points of paper for each inch.
    pub(super) fn scale(&self) -> f32 {
        self.x.0.hypot(self.x.1)
    }
}

/// The bounding box of points, if there are any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bounds(Option<[f32; 4]>);

impl Bounds {
    pub(super) fn add(&mut self, (x, y): P) {
        self.0 = Some(match self.0 {
            Some([x1, y1, x2, y2]) => [x1.min(x), y1.min(y), x2.max(x), y2.max(y)],
            None => [x, y, x, y],
        });
    }

    pub(super) fn get(self) -> Option<[f32; 4]> {
        self.0
    }
}

/// How lines and areas are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink {
    /// `None` for an area without an outline.
    pub(super) stroke: Option<Stroke>,
    pub(super) fill: Option<Colour>,
}

impl Ink {
    pub(super) fn dashed(mut self, on: f32, off: f32) -> Self {
        if let Some(stroke) = &mut self.stroke {
            stroke.dash = Some((on, off));
        }
        self
    }

    pub(super) fn filled(mut self, colour: Colour) -> Self {
        self.fill = Some(colour);
        self
    }

    /// Fills the area with the colour of its lines.
    pub(super) fn solid(self) -> Self {
        self.filled(self.stroke.map_or([0.0; 3], |stroke| stroke.colour))
    }

    pub(super) fn coloured(mut self, colour: Colour) -> Self {
        if let Some(stroke) = &mut self.stroke {
            stroke.colour = colour;
        }
        self
    }

    pub(super) fn heavier(mut self, times: f32) -> Self {
        if let Some(stroke) = &mut self.stroke {
            stroke.width *= times;
        }
        self
    }
}

/// Draws on a page in a style.
pub(super) struct Pen<'a> {
    pub(super) page: &'a mut Page,
    pub(super) style: &'a Style,
    /// If true, nothing is drawn, but extents are still recorded.
    pub(super) muted: bool,
    bounds: Bounds,
}

impl<'a> Pen<'a> {
    pub(super) fn new(page: &'a mut Page, style: &'a Style) -> Self {
        Self { page, style, muted: false, bounds: Bounds::default() }
    }

    /// Begins a new extent.
    pub(super) fn begin(&mut self) {
        self.bounds = Bounds::default();
    }

    /// Returns the extent since the last [`Pen::begin`], on paper.
    pub(super) fn covered(&self) -> Bounds {
        self.bounds
    }

    /// Adds a point to the extent without drawing.
    pub(super) fn cover(&mut self, frame: &Frame, point: P) {
        self.bounds.add(frame.at(point));
    }

    pub(super) fn ink(&self, layer: Layer) -> Ink {
        self.style.ink(layer)
    }

    pub(super) fn line(&mut self, frame: &Frame, from: P, to: P, ink: Ink) {
        self.path(frame, &[Segment::Move(from.0, from.1), Segment::Line(to.0, to.1)], ink);
    }

    pub(super) fn rectangle(&mut self, frame: &Frame, [x1, y1, x2, y2]: [f32; 4], ink: Ink) {
        self.polygon(frame, &[(x1, y1), (x2, y1), (x2, y2), (x1, y2)], ink);
    }

    pub(super) fn polygon(&mut self, frame: &Frame, points: &[P], ink: Ink) {
        let mut outline = polyline(points);
        outline.push(Segment::Close);
        self.path(frame, &outline, ink);
    }

    pub(super) fn polyline(&mut self, frame: &Frame, points: &[P], ink: Ink) {
        self.path(frame, &polyline(points), ink);
    }

    /// Draws a rectangle with rounded corners. Radii count from the lower left, counterclockwise.
    pub(super) fn rounded(&mut self, frame: &Frame, [x1, y1, x2, y2]: [f32; 4], radii: [f32; 4], ink: Ink) {
        let most = ((x2 - x1).abs().min((y2 - y1).abs())) / 2.0;
        let [a, b, c, d] = radii.map(|radius| radius.clamp(0.01, most));
        let corner = |x: f32, y: f32, radius: f32, from: f32| self.style.curves.arc((x, y), radius, from, from + 90.0);
        let mut outline = corner(x1 + a, y1 + a, a, 180.0);
        for next in [corner(x2 - b, y1 + b, b, 270.0), corner(x2 - c, y2 - c, c, 0.0), corner(x1 + d, y2 - d, d, 90.0)]
        {
            outline.extend(next.into_iter().map(joined));
        }
        outline.push(Segment::Close);
        self.path(frame, &outline, ink);
    }

    /// Draws an arc from one angle in degrees to another, counterclockwise if the second is larger.
    pub(super) fn arc(&mut self, frame: &Frame, centre: P, radius: f32, from: f32, to: f32, ink: Ink) {
        self.path(frame, &self.style.curves.arc(centre, radius, from, to), ink);
    }

    pub(super) fn circle(&mut self, frame: &Frame, centre: P, radius: f32, ink: Ink) {
        self.ellipse(frame, centre, (radius, radius), ink);
    }

    pub(super) fn ellipse(&mut self, frame: &Frame, centre: P, (rx, ry): P, ink: Ink) {
        let inner = frame.inner(centre, (rx, 0.0), (0.0, ry));
        let mut outline = self.style.curves.arc((0.0, 0.0), 1.0, 0.0, 360.0);
        outline.push(Segment::Close);
        self.path(&inner, &outline, ink);
    }

    /// Draws an outline that is given in a frame.
    pub(super) fn path(&mut self, frame: &Frame, outline: &[Segment], ink: Ink) {
        let on_paper: Vec<Segment> = outline.iter().map(|segment| placed(frame, *segment)).collect();
        let mut at = (0.0, 0.0);
        for segment in &on_paper {
            match *segment {
                Segment::Move(x, y) | Segment::Line(x, y) => {
                    self.bounds.add((x, y));
                    at = (x, y);
                }
                Segment::Curve([a, b, to]) => {
                    for step in 0..=16 {
                        self.bounds.add(on_curve(at, a, b, to, step as f32 / 16.0));
                    }
                    at = to;
                }
                Segment::Close => {}
            }
        }
        if self.muted {
            return;
        }
        if self.style.exploded && ink.fill.is_none() {
            for piece in pieces(&on_paper) {
                self.page.marks.push(Mark::Drawn { outline: piece, fill: None, stroke: ink.stroke });
            }
        } else {
            self.page.marks.push(Mark::Drawn { outline: on_paper, fill: ink.fill, stroke: ink.stroke });
        }
    }

    /// Draws text centred on a point, upright on paper. `size` is in points of paper.
    pub(super) fn text(&mut self, frame: &Frame, at: P, size: f32, words: &str) {
        let (x, y) = frame.at(at);
        self.paper_text(x - self.style.face().width(words, size) / 2.0, y - 0.35 * size, size, words);
    }

    /// Draws text from a point of the paper.
    pub(super) fn paper_text(&mut self, x: f32, y: f32, size: f32, words: &str) {
        if self.muted {
            return;
        }
        let face = self.style.face();
        if self.style.outlined_text {
            self.page.marks.extend(crate::pdf::outlined((x, y), false, face, size, words));
        } else {
            self.page.text(x, y, face, size, words);
        }
    }
}

fn polyline(points: &[P]) -> Vec<Segment> {
    let mut outline: Vec<Segment> = points.iter().map(|&(x, y)| Segment::Line(x, y)).collect();
    if let (Some(first), Some(&(x, y))) = (outline.first_mut(), points.first()) {
        *first = Segment::Move(x, y);
    }
    outline
}

/// Turns a move into a line, so that the outline continues.
pub(super) fn joined(segment: Segment) -> Segment {
    match segment {
        Segment::Move(x, y) => Segment::Line(x, y),
        other => other,
    }
}

/// Returns a segment of a frame as it is in the outer one.
pub(super) fn placed(frame: &Frame, segment: Segment) -> Segment {
    match segment {
        Segment::Move(x, y) => {
            let (x, y) = frame.at((x, y));
            Segment::Move(x, y)
        }
        Segment::Line(x, y) => {
            let (x, y) = frame.at((x, y));
            Segment::Line(x, y)
        }
        Segment::Curve(points) => Segment::Curve(points.map(|point| frame.at(point))),
        Segment::Close => Segment::Close,
    }
}

fn on_curve(from: P, a: P, b: P, to: P, t: f32) -> P {
    let s = 1.0 - t;
    let mix =
        |p: f32, q: f32, r: f32, u: f32| s * s * s * p + 3.0 * s * s * t * q + 3.0 * s * t * t * r + t * t * t * u;
    (mix(from.0, a.0, b.0, to.0), mix(from.1, a.1, b.1, to.1))
}

/// Splits an outline into its segments.
fn pieces(outline: &[Segment]) -> Vec<Vec<Segment>> {
    let (mut start, mut at) = ((0.0, 0.0), (0.0, 0.0));
    let mut pieces = Vec::new();
    for segment in outline {
        let begin = Segment::Move(at.0, at.1);
        match *segment {
            Segment::Move(x, y) => {
                start = (x, y);
                at = start;
            }
            Segment::Line(x, y) => {
                pieces.push(vec![begin, *segment]);
                at = (x, y);
            }
            Segment::Curve([_, _, to]) => {
                pieces.push(vec![begin, *segment]);
                at = to;
            }
            Segment::Close => {
                if start != at {
                    pieces.push(vec![begin, Segment::Line(start.0, start.1)]);
                }
                at = start;
            }
        }
    }
    pieces
}

/// Returns the point of a circle at an angle in degrees.
pub(super) fn on_circle((x, y): P, radius: f32, degrees: f32) -> P {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (x + radius * cos, y + radius * sin)
}

impl ArcManner {
    /// Returns an arc in this form; angles in degrees.
    pub(super) fn arc(self, centre: P, radius: f32, from: f32, to: f32) -> Vec<Segment> {
        let on = |degrees: f32| on_circle(centre, radius, degrees);
        let sweep = to - from;
        let steps = |each: f32| ((sweep.abs() / each) - 0.01).ceil().max(1.0) as u32;
        match self {
            Self::OneCurve | Self::SeveralCurves => {
                let count = steps(if self == Self::OneCurve { 90.0 } else { 24.0 });
                let each = sweep / count as f32;
                // The length of the control handle for which the curve's midpoint is on the circle.
                let handle = 4.0 / 3.0 * (each.to_radians() / 4.0).tan() * radius;
                let mut outline = vec![Segment::Move(on(from).0, on(from).1)];
                for step in 0..count {
                    let (a, b) = (from + each * step as f32, from + each * (step + 1) as f32);
                    let [q, s] = [a, b].map(|degrees| {
                        let (sin, cos) = degrees.to_radians().sin_cos();
                        (-sin * handle, cos * handle)
                    });
                    let (p, e) = (on(a), on(b));
                    outline.push(Segment::Curve([(p.0 + q.0, p.1 + q.1), (e.0 - s.0, e.1 - s.1), e]));
                }
                outline
            }
            Self::Chords(each) => {
                let count = steps(f32::from(each.max(1)));
                let points: Vec<P> = (0..=count).map(|step| on(from + sweep * step as f32 / count as f32)).collect();
                polyline(&points)
            }
            Self::Dashes => {
                let count = steps(9.0);
                let mut outline = Vec::new();
                for step in 0..count {
                    let each = sweep / count as f32;
                    let a = from + each * step as f32;
                    let (p, q) = (on(a), on(a + 0.6 * each));
                    outline.extend([Segment::Move(p.0, p.1), Segment::Line(q.0, q.1)]);
                }
                outline
            }
        }
    }
}

impl Chance {
    /// Returns a length from `low` to `high`.
    pub(super) fn length(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.between(0, 1000) as f32 / 1000.0
    }
}
