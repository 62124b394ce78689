//! Circle fit.

use crate::symbols::plane::Point;

/// A circle, and how far the points that it was fitted to are off it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Circle {
    pub(crate) center: Point,
    pub(crate) radius: f32,
    /// The largest distance of a point from the circle, in points.
    pub(crate) off: f32,
}

/// Fits a circle by least squares of squared distances (Kåsa's fit).
///
/// The result is close for arcs of 20° and more whose points lie on the circle to within a hundredth of its radius. Returns
/// `None` for collinear points.
pub(crate) fn fit(points: impl Iterator<Item = Point> + Clone) -> Option<Circle> {
    let count = points.clone().count();
    if count < 3 {
        return None;
    }
    let n = count as f64;
    let (mut x, mut y) = (0.0, 0.0);
    for point in points.clone() {
        x += f64::from(point.x);
        y += f64::from(point.y);
    }
    let (mx, my) = (x / n, y / n);
    let (mut suu, mut svv, mut suv, mut su, mut sv) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for point in points.clone() {
        let (u, v) = (f64::from(point.x) - mx, f64::from(point.y) - my);
        let square = u * u + v * v;
        suu += u * u;
        svv += v * v;
        suv += u * v;
        su += u * square;
        sv += v * square;
    }
    let det = suu * svv - suv * suv;
    if det <= 1e-9 * (suu + svv) * (suu + svv) {
        return None;
    }
    let (cu, cv) = ((su * svv - sv * suv) / (2.0 * det), (sv * suu - su * suv) / (2.0 * det));
    let radius = (cu * cu + cv * cv + (suu + svv) / n).sqrt() as f32;
    let center = Point::new((cu + mx) as f32, (cv + my) as f32);
    if !center.is_finite() || !radius.is_finite() {
        return None;
    }
    let off = points.map(|point| (point.to(center) - radius).abs()).fold(0.0, f32::max);
    Some(Circle { center, radius, off })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_has_its_circle_and_a_line_has_none() {
        for (sweep, steps) in [(20.0_f32, 4), (90.0, 6), (180.0, 40)] {
            let arc = (0..=steps).map(|step| {
                Point::new(500.0, 900.0) + Point::at((30.0 + sweep * step as f32 / steps as f32).to_radians()) * 54.0
            });
            let circle = fit(arc).unwrap();
            assert!((circle.radius - 54.0).abs() < 0.1, "{sweep}: {circle:?}");
            assert!(circle.center.to(Point::new(500.0, 900.0)) < 0.1, "{sweep}: {circle:?}");
            assert!(circle.off < 0.01, "{sweep}: {circle:?}");
        }
        assert!(fit((0..9).map(|step| Point::new(step as f32, 2.0 * step as f32))).is_none());
        assert!(fit((0..9).map(|_| Point::new(f32::NAN, 2.0))).is_none());
    }
}
