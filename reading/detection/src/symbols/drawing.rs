//! A page's paths as chains of straight pieces: curves are cut into chords, what is no number or off the page is left out.

use fanlight_contract::{Geometry, PagePaths};
use fanlight_geometry::{PathStep, walk};

use crate::symbols::plan::extent;
use crate::symbols::plane::{Extent, Point};

/// Chords that a Bézier curve is cut into. A quarter circle's chords turn by 11° and bulge by 0.5 % of its radius at most.
const CHORDS: usize = 8;
/// Curves shorter than this, in points, are letters and dots: two chords tell all that is asked of them.
const SMALL_CURVE: f32 = 2.0;
/// Points of a page that are looked at; a sheet of a million segments has two million. What is drawn later is left out.
const MOST_POINTS: usize = 4_000_000;
/// As colours are told: 0xRRGGBB.
const WHITE: u32 = 0xff_ff_ff;
/// Nearer than this, in points, two points of a chain are one.
const SAME: f32 = 0.01;

/// What was drawn in one go: a subpath.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    first: u32,
    /// Points.
    pub(crate) count: u32,
    /// Whether its last point is its first. The first isn't repeated.
    pub(crate) closed: bool,
    /// Index of the path's style.
    pub(crate) style: u32,
}

#[cfg(test)]
impl Chain {
    /// A chain of this many points in the first style.
    pub(crate) fn new(count: u32, closed: bool) -> Self {
        Self { first: 0, count, closed, style: 0 }
    }
}

/// A straight piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) a: Point,
    pub(crate) b: Point,
    /// Whether it leaves ink: the edge of a white area that only covers what lies below does not.
    pub(crate) inked: bool,
}

/// How a path was painted, as far as it tells symbols from their surroundings.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of how a path is painted")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Painted with a pen; else only filled.
    pub(crate) stroked: bool,
    pub(crate) filled: bool,
    /// Painted with gaps.
    pub(crate) dashed: bool,
    /// Painted in white alone, without a pen: it covers what lies below.
    pub(crate) covers: bool,
}

/// All that is drawn on a page.
#[derive(Debug)]
pub(crate) struct Drawing {
    points: Vec<Point>,
    pub(crate) chains: Vec<Chain>,
    pub(crate) styles: Vec<Style>,
    /// The crop box.
    pub(crate) page: Extent,
}

impl Drawing {
    pub(crate) fn new(paths: &PagePaths, geometry: &Geometry) -> Self {
        let page = extent(&geometry.crop_box);
        let styles = paths.styles.iter().map(style).collect();
        let mut drawing = Self { points: Vec::new(), chains: Vec::new(), styles, page };
        let numbers = [page.x1, page.y1, page.x2, page.y2].iter().all(|value| value.is_finite());
        if !numbers || page.area() <= 0.0 {
            return drawing;
        }
        for path in paths.each() {
            let style = paths.style_of.get(path.number as usize).copied().unwrap_or(u32::MAX);
            drawing.read(walk(&path, |x, y| (x, y)), style);
            if drawing.points.len() >= MOST_POINTS {
                break;
            }
        }
        drawing
    }

    /// Adds the chains of one path.
    fn read(&mut self, steps: impl Iterator<Item = PathStep>, style: u32) {
        let point = |(x, y): (f32, f32)| Point::new(x, y);
        let mut chain: Vec<Point> = Vec::new();
        for step in steps {
            match step {
                PathStep::MoveTo(to) => {
                    self.end(&mut chain, false, style);
                    chain.push(point(to));
                }
                PathStep::LineTo(to) => chain.push(point(to)),
                PathStep::CurveTo([b, c], d) => {
                    if let Some(&a) = chain.last() {
                        curve(&mut chain, [a, point(b), point(c), point(d)]);
                    } else {
                        chain.push(point(d));
                    }
                }
                PathStep::Close => {
                    let start = chain.first().copied();
                    self.end(&mut chain, true, style);
                    // What follows a close without a move goes on from the start.
                    chain.extend(start);
                }
            }
        }
        self.end(&mut chain, false, style);
    }

    /// Keeps a chain that is on the page.
    fn end(&mut self, chain: &mut Vec<Point>, closed: bool, style: u32) {
        let mut points = std::mem::take(chain);
        if points.iter().any(|point| !point.is_finite()) {
            return;
        }
        if !Extent::bounding(points.iter().copied()).touches(&self.page) {
            return;
        }
        points.dedup_by(|next, last| last.to(*next) <= SAME);
        let returns = matches!(points[..], [start, _, .., end] if start.to(end) <= SAME);
        if returns {
            points.pop();
        }
        if points.len() < 2 {
            return;
        }
        // A filled path is closed where it isn't said to be; there and back again is open.
        let filled_only = self.styles.get(style as usize).is_some_and(|style| style.filled && !style.stroked);
        let closed = (closed || returns || filled_only) && points.len() > 2;
        self.chains.push(Chain { first: self.points.len() as u32, count: points.len() as u32, closed, style });
        self.points.append(&mut points);
    }

    /// The points of a chain; a closed chain's first is not repeated.
    pub(crate) fn points(&self, chain: &Chain) -> &[Point] {
        self.points.get(chain.first as usize..(chain.first + chain.count) as usize).unwrap_or_default()
    }

    /// Returns the box around a chain.
    pub(crate) fn extent(&self, chain: &Chain) -> Extent {
        Extent::bounding(self.points(chain).iter().copied())
    }

    /// How a chain was painted.
    pub(crate) fn style(&self, chain: &Chain) -> Option<&Style> {
        self.styles.get(chain.style as usize)
    }

    /// The straight pieces of a chain.
    pub(crate) fn pieces(&self, chain: &Chain) -> impl Iterator<Item = (Point, Point)> {
        let points = self.points(chain);
        let close = chain.closed.then(|| points.last().zip(points.first())).flatten();
        points.windows(2).map(|pair| (pair[0], pair[1])).chain(close.map(|(a, b)| (*a, *b)))
    }

    /// All straight pieces, in drawing order.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let mut segments = Vec::with_capacity(self.points.len());
        for chain in &self.chains {
            let inked = self.style(chain).is_none_or(|style| !style.covers);
            segments.extend(self.pieces(chain).map(|(a, b)| Segment { a, b, inked }));
        }
        segments
    }
}

fn style(style: &fanlight_contract::PathStyle) -> Style {
    Style {
        stroked: style.stroke.is_some(),
        filled: style.fill.is_some(),
        dashed: !style.dash.is_empty(),
        covers: style.stroke.is_none() && style.fill == Some(WHITE),
    }
}

/// Adds a Bézier curve's chords; `a` is in the chain already.
fn curve(chain: &mut Vec<Point>, [a, b, c, d]: [Point; 4]) {
    let along = a.to(b) + b.to(c) + c.to(d);
    let straight = a.to(d) > 0.999 * along;
    let chords = match along {
        _ if straight => 1,
        along if along < SMALL_CURVE => 2,
        _ => CHORDS,
    };
    for step in 1..=chords {
        let t = step as f32 / chords as f32;
        let u = 1.0 - t;
        chain.push(a * (u * u * u) + b * (3.0 * u * u * t) + c * (3.0 * u * t * t) + d * (t * t * t));
    }
}
