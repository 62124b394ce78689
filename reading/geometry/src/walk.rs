//! The steps of a path.

use fanlight_contract::DrawnPath;

/// One step of a path, its points already placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathStep {
    /// Begins a subpath at a point.
    MoveTo((f32, f32)),
    /// Draws a straight line to a point.
    LineTo((f32, f32)),
    /// Draws a cubic Bézier curve by way of two control points.
    CurveTo([(f32, f32); 2], (f32, f32)),
    /// Draws a straight line back to where the subpath began.
    Close,
}

/// Walks the steps of a path in drawing order; `place` maps a point of user space to where the caller wants it.
///
/// Ends early if the path has fewer points than its operations need.
pub fn walk<'a>(
    path: &DrawnPath<'a>,
    place: impl Fn(f32, f32) -> (f32, f32) + 'a,
) -> impl Iterator<Item = PathStep> + 'a {
    let mut points = path.coordinates.as_chunks::<2>().0.iter().map(move |&[x, y]| place(x, y));
    path.ops.iter().map_while(move |op| {
        Some(match op {
            0 => PathStep::MoveTo(points.next()?),
            1 => PathStep::LineTo(points.next()?),
            2 => PathStep::CurveTo([points.next()?, points.next()?], points.next()?),
            _ => PathStep::Close,
        })
    })
}

#[cfg(test)]
mod tests {
    use fanlight_contract::PathStyle;

    use super::*;

    #[test]
    fn steps_take_their_points_in_order_and_end_with_them() {
        let style = PathStyle { stroke: None, fill: None, opacity: 1.0, width: 1.0, dash: Vec::new(), layer: None };
        let coordinates: Vec<f32> = (0..11).map(|n: u8| f32::from(n)).collect();
        let path = DrawnPath { number: 0, ops: &[0, 2, 3, 1, 1], coordinates: &coordinates, style: &style };
        let steps: Vec<PathStep> = walk(&path, |x, y| (x, -y)).collect();
        let expected = [
            PathStep::MoveTo((0.0, -1.0)),
            PathStep::CurveTo([(2.0, -3.0), (4.0, -5.0)], (6.0, -7.0)),
            PathStep::Close,
            PathStep::LineTo((8.0, -9.0)),
        ];
        assert_eq!(steps, expected);
    }
}
