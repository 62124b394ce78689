//! A path under construction, in user space of the page and in the columns of the contract.

use hayro::kurbo::{Affine, Point, Rect};

/// The contract's operator that begins a subpath.
pub(crate) const MOVE: u8 = 0;
/// The contract's operator for a straight line.
const LINE: u8 = 1;
/// The contract's operator for a cubic Bézier curve.
const CURVE: u8 = 2;
/// The contract's operator that closes a subpath.
const CLOSE: u8 = 3;

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
        let points = self.coordinates.as_chunks::<2>().0;
        let (&[x, y], rest) = points.split_first()?;
        let mut bounds = [x, y, x, y];
        let mut finite = x.is_finite() && y.is_finite();
        for &[x, y] in rest {
            finite &= x.is_finite() && y.is_finite();
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
        }
        let [x1, y1, x2, y2] = bounds.map(f64::from);
        finite.then_some(Rect::new(x1, y1, x2, y2))
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
