//! A path under construction, in user space of the page and in the columns of the contract.

use hayro::kurbo::{Affine, PathEl, Point, Rect};

/// The contract's operator that begins a subpath.
pub(crate) const MOVE: u8 = 0;
/// The contract's operator for a straight line.
const LINE: u8 = 1;
/// The contract's operator for a cubic Bézier curve.
const CURVE: u8 = 2;
/// The contract's operator that closes a subpath.
const CLOSE: u8 = 3;

/// Sides that deviate less from an axis, in points, are along it.
const UPRIGHT: f32 = 0.01;

/// Operators and the transformed coordinates of their points.
#[derive(Default)]
pub(crate) struct Path {
    pub(crate) ops: Vec<u8>,
    pub(crate) coordinates: Vec<f32>,
    /// The current point and the first point of the subpath, before transformation.
    last: Point,
    start: Point,
}

impl Path {
    pub(crate) fn clear(&mut self) {
        self.ops.clear();
        self.coordinates.clear();
    }

    pub(crate) fn move_to(&mut self, point: Point, to_page: Affine) {
        self.drop_lone_move();
        self.ops.push(MOVE);
        self.push(point, to_page);
        self.start = point;
    }

    /// Appends a line. Without a current point lines and curves are ignored, as in hayro's
    /// renderer.
    pub(crate) fn line_to(&mut self, point: Point, to_page: Affine) {
        if self.ops.is_empty() {
            return;
        }
        self.ops.push(LINE);
        self.push(point, to_page);
    }

    /// Appends a cubic Bézier curve. If `a` is `None`, the current point is the first control
    /// point.
    pub(crate) fn curve_to(&mut self, a: Option<Point>, b: Point, end: Point, to_page: Affine) {
        if self.ops.is_empty() {
            return;
        }
        self.ops.push(CURVE);
        self.push(a.unwrap_or(self.last), to_page);
        self.push(b, to_page);
        self.push(end, to_page);
    }

    pub(crate) fn rect(&mut self, [x, y, width, height]: [f64; 4], to_page: Affine) {
        self.move_to(Point::new(x, y), to_page);
        self.line_to(Point::new(x + width, y), to_page);
        self.line_to(Point::new(x + width, y + height), to_page);
        self.line_to(Point::new(x, y + height), to_page);
        self.close();
    }

    pub(crate) fn close(&mut self) {
        if matches!(self.ops.last(), None | Some(&CLOSE)) {
            return;
        }
        self.ops.push(CLOSE);
        self.last = self.start;
    }

    /// Returns the bounding box of all points; `None` if the path is empty or a coordinate is not
    /// finite.
    pub(crate) fn bounds(&self) -> Option<Rect> {
        if self.coordinates.is_empty() || !self.coordinates.iter().all(|coordinate| coordinate.is_finite()) {
            return None;
        }
        Some(bounds(self.coordinates.as_chunks().0))
    }

    /// Returns the subpaths, each from its move on.
    pub(crate) fn subpaths(&self) -> impl Iterator<Item = Subpath<'_>> {
        let mut coordinates = self.coordinates.as_slice();
        self.ops.chunk_by(|_, next| *next != MOVE).map(move |ops| {
            let points = ops.iter().map(|&op| points_of(op)).sum::<usize>();
            let (own, rest) = coordinates.split_at(2 * points);
            coordinates = rest;
            Subpath { ops, coordinates: own }
        })
    }

    /// Appends a subpath of another path.
    pub(crate) fn push_subpath(&mut self, subpath: &Subpath<'_>) {
        self.ops.extend_from_slice(subpath.ops);
        self.coordinates.extend_from_slice(subpath.coordinates);
    }

    /// Returns whether the path is one box with sides along the axes.
    pub(crate) fn is_upright_box(&self) -> bool {
        let has_lines = matches!(self.ops.as_slice(), [MOVE, LINE, LINE, LINE] | [MOVE, LINE, LINE, LINE, CLOSE]);
        let returns =
            matches!(self.ops.as_slice(), [MOVE, LINE, LINE, LINE, LINE] | [MOVE, LINE, LINE, LINE, LINE, CLOSE])
                && self.coordinates.first_chunk::<2>() == self.coordinates.last_chunk::<2>();
        let points = self.coordinates.as_chunks::<2>().0;
        let sides = points.iter().zip(points.iter().cycle().skip(1));
        (has_lines || returns)
            && sides.into_iter().all(|([x1, y1], [x2, y2])| (x1 - x2).abs() < UPRIGHT || (y1 - y2).abs() < UPRIGHT)
    }

    /// Returns the path with each subpath closed.
    pub(crate) fn closed_elements(&self) -> impl Iterator<Item = PathEl> {
        self.subpaths().flat_map(|subpath| subpath.elements().chain([PathEl::ClosePath]).collect::<Vec<_>>())
    }

    fn push(&mut self, point: Point, to_page: Affine) {
        let on_page = to_page * point;
        self.coordinates.extend([on_page.x as f32, on_page.y as f32]);
        self.last = point;
    }

    /// Removes a move that nothing follows, since it draws nothing.
    pub(crate) fn drop_lone_move(&mut self) {
        if self.ops.last() == Some(&MOVE) {
            self.ops.pop();
            self.coordinates.truncate(self.coordinates.len() - 2);
        }
    }
}

/// A part of a path that is drawn without lifting the pen.
pub(crate) struct Subpath<'p> {
    ops: &'p [u8],
    coordinates: &'p [f32],
}

impl<'p> Subpath<'p> {
    /// Returns the bounding box of its points. They are at least one.
    pub(crate) fn bounds(&self) -> Rect {
        bounds(self.coordinates.as_chunks().0)
    }

    /// Returns its points, those that control curves included, and the first one again if it is closed.
    pub(crate) fn points(&self) -> impl Iterator<Item = Point> + use<'p> {
        let points = self.coordinates.as_chunks::<2>().0.iter();
        let is_closed = self.ops.last() == Some(&CLOSE);
        let end = points.clone().take(usize::from(is_closed));
        points.chain(end).map(|&[x, y]| Point::new(x.into(), y.into()))
    }

    /// Returns its moves, lines and curves.
    fn elements(&self) -> impl Iterator<Item = PathEl> + use<'p> {
        let mut points = self.points();
        self.ops.iter().filter_map(move |&op| {
            Some(match op {
                MOVE => PathEl::MoveTo(points.next()?),
                LINE => PathEl::LineTo(points.next()?),
                CURVE => PathEl::CurveTo(points.next()?, points.next()?, points.next()?),
                _ => return None,
            })
        })
    }
}

/// Returns how many points an operator has.
fn points_of(op: u8) -> usize {
    match op {
        MOVE | LINE => 1,
        CURVE => 3,
        _ => 0,
    }
}

/// Returns the bounding box of points.
fn bounds(points: &[[f32; 2]]) -> Rect {
    let start = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    let bounds = points.iter().fold(start, |[x1, y1, x2, y2], &[x, y]| [x1.min(x), y1.min(y), x2.max(x), y2.max(y)]);
    let [x1, y1, x2, y2] = bounds.map(f64::from);
    Rect::new(x1, y1, x2, y2)
}
