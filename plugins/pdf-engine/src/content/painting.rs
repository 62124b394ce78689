//! Operators that set colours, build paths and paint them.

use std::rc::Rc;

use hayro::hayro_syntax::content::ops::TypedInstruction as Op;
use hayro::hayro_syntax::object::{Array, Name, Number};
use hayro::hayro_syntax::page::Resources;
use hayro::kurbo::{Affine, Point};

use super::clip::{FillRule, Visible};
use super::{Collector, Paint, Painted, Scope, State, Walk};
use crate::color::{Color, Space};

impl<'a> Paint<'a> {
    /// Sets the colour space and the colour in it.
    fn set(&mut self, space: Space<'a>, components: &[f32], resources: &Rc<Resources<'a>>) {
        self.space = space;
        self.color = Color::new(&self.space, components, None, resources);
    }

    /// Sets the colour in the current colour space.
    fn mix<'n>(
        &mut self,
        components: impl Iterator<Item = &'n Number>,
        pattern: Option<&Name<'_>>,
        resources: &Rc<Resources<'a>>,
    ) {
        // No space has more components (ISO 32000-2, annex C).
        let mut buffer = [0.0; 32];
        let mut count = 0;
        for (slot, component) in buffer.iter_mut().zip(components) {
            *slot = component.as_f32();
            count += 1;
        }
        self.color = Color::new(&self.space, &buffer[..count], pattern.map(AsRef::as_ref), resources);
    }
}

impl<'a, C: Collector<'a>> Walk<'_, 'a, C> {
    /// Executes an operator that sets a colour. Returns whether it is one.
    pub(super) fn color_operator(&mut self, operator: &Op<'_, '_>, scope: &Scope<'a>) -> bool {
        let State { fill, stroke, .. } = &mut self.state;
        let resources = &scope.resources;
        match operator {
            Op::NonStrokeColorDeviceGray(c) => fill.set(Space::Grey, &numbers([c.0]), resources),
            Op::StrokeColorDeviceGray(c) => stroke.set(Space::Grey, &numbers([c.0]), resources),
            Op::NonStrokeColorDeviceRgb(c) => fill.set(Space::Rgb, &numbers([c.0, c.1, c.2]), resources),
            Op::StrokeColorDeviceRgb(c) => stroke.set(Space::Rgb, &numbers([c.0, c.1, c.2]), resources),
            Op::NonStrokeColorCmyk(c) => fill.set(Space::Cmyk, &numbers([c.0, c.1, c.2, c.3]), resources),
            Op::StrokeColorCmyk(c) => stroke.set(Space::Cmyk, &numbers([c.0, c.1, c.2, c.3]), resources),
            Op::ColorSpaceNonStroke(c) => fill.set(Space::named(c.0, resources), &[], resources),
            Op::ColorSpaceStroke(c) => stroke.set(Space::named(c.0, resources), &[], resources),
            Op::NonStrokeColor(c) => fill.mix(c.0.iter(), None, resources),
            Op::StrokeColor(c) => stroke.mix(c.0.iter(), None, resources),
            Op::NonStrokeColorNamed(c) => fill.mix(c.0.iter(), c.1, resources),
            Op::StrokeColorNamed(c) => stroke.mix(c.0.iter(), c.1, resources),
            _ => return false,
        }
        true
    }

    /// Executes an operator that builds or paints a path. Returns whether it is one.
    pub(super) fn path_operator(&mut self, operator: &Op<'_, '_>) -> bool {
        let to_page = self.state.to_page;
        match operator {
            Op::MoveTo(p) => self.path.move_to(point(p.0, p.1), to_page),
            Op::LineTo(p) => self.path.line_to(point(p.0, p.1), to_page),
            Op::CubicTo(c) => {
                self.path.curve_to(Some(point(c.0, c.1)), point(c.2, c.3), point(c.4, c.5), to_page);
            }
            Op::CubicStartTo(c) => self.path.curve_to(None, point(c.0, c.1), point(c.2, c.3), to_page),
            Op::CubicEndTo(c) => {
                let end = point(c.2, c.3);
                self.path.curve_to(Some(point(c.0, c.1)), end, end, to_page);
            }
            Op::RectPath(r) => self.path.rect([r.0, r.1, r.2, r.3].map(|number| number.as_f64()), to_page),
            Op::ClosePath(_) => self.path.close(),

            Op::StrokePath(_) => self.paint(false, true),
            Op::CloseAndStrokePath(_) => {
                self.path.close();
                self.paint(false, true);
            }
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.paint(true, false);
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => self.paint(true, true),
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                self.path.close();
                self.paint(true, true);
            }
            Op::EndPath(_) => self.paint(false, false),
            Op::ClipNonZero(_) => self.pending_clip = Some(FillRule::NonZero),
            Op::ClipEvenOdd(_) => self.pending_clip = Some(FillRule::EvenOdd),

            Op::LineWidth(width) => self.state.line_width = width.0.as_f64(),
            Op::DashPattern(dash) => self.set_dash(dash.0),
            _ => return false,
        }
        true
    }

    pub(super) fn set_dash(&mut self, dash: &Array<'_>) {
        self.state.dash = Rc::from(dash_lengths(dash.iter::<f64>().collect()));
    }

    /// Paints the path, adds it to the clip if an operator asked for that, and clears it.
    fn paint(&mut self, fills: bool, strokes: bool) {
        if C::PATHS && (fills || strokes) && self.marks.is_visible() {
            self.report_path(fills, strokes);
        }
        if let Some(rule) = self.pending_clip.take() {
            self.state.clip.narrow_to(&self.path, rule);
        }
        self.path.clear();
    }

    /// Reports the path unless it is invisible: outside the clip, or without a colour.
    fn report_path(&mut self, fills: bool, strokes: bool) {
        // A final move draws nothing.
        self.path.drop_lone_move();
        let scale = length_scale(self.state.to_page);
        let points = |length: f64| rounded(length * scale);
        let width = if strokes { points(self.state.line_width.abs()) } else { 0.0 };
        let dash: Vec<f32> =
            if strokes { self.state.dash.iter().map(|length| points(*length)).collect() } else { vec![] };
        if !width.is_finite() || dash.iter().any(|length| !length.is_finite()) {
            return;
        }
        let visible = self.state.clip.visible(&self.path, f64::from(width) / 2.0, &mut self.comparisons_left);
        let path = match &visible {
            Visible::All => &self.path,
            Visible::Part(part) => part,
            Visible::Nothing => return,
        };

        let fill = fills.then(|| self.state.fill.color.rgb(&mut self.colors)).flatten();
        let stroke = strokes.then(|| self.state.stroke.color.rgb(&mut self.colors)).flatten();
        if fill.is_none() && stroke.is_none() {
            return;
        }
        let opacities = [fill.map(|_| self.state.fill.opacity), stroke.map(|_| self.state.stroke.opacity)];
        let opacity = opacities.into_iter().flatten().fold(0.0, f32::max);
        let opacity = (opacity * self.state.group_opacity).clamp(0.0, 1.0);
        let layer = self.marks.layer();
        self.collector.paint(&Painted { path, stroke, fill, opacity, width, dash: &dash, layer });
    }
}

fn point(x: Number, y: Number) -> Point {
    Point::new(x.as_f64(), y.as_f64())
}

fn numbers<const COUNT: usize>(operands: [Number; COUNT]) -> [f32; COUNT] {
    operands.map(|operand| operand.as_f32())
}

/// Returns the lengths of a dash pattern; none if it is not a pattern: negative or infinite lengths, or only zeros.
fn dash_lengths(lengths: Vec<f64>) -> Vec<f64> {
    let is_pattern =
        lengths.iter().all(|length| length.is_finite() && *length >= 0.0) && lengths.iter().any(|length| *length > 0.0);
    if is_pattern { lengths } else { vec![] }
}

/// Returns the factor by which a transformation scales line widths: the square root of its effect on areas, or its
/// effect on lengths if it flattens areas to a line.
fn length_scale(to_page: Affine) -> f64 {
    let [a, b, c, d, _, _] = to_page.as_coeffs();
    let area = (a * d - b * c).abs();
    if area > 0.0 { area.sqrt() } else { a.hypot(b).max(c.hypot(d)) }
}

/// Rounds a length to a ten-thousandth of a point, so that rounding in the file does not multiply styles.
fn rounded(points: f64) -> f32 {
    (points * 1e4).round() as f32 / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_widths_scale_with_the_root_of_the_area() {
        assert!((length_scale(Affine::new([2.0, 0.0, 0.0, 8.0, 5.0, 5.0])) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_flattening_transformation_scales_line_widths_like_lengths() {
        assert!((length_scale(Affine::new([3.0, 0.0, 0.0, 0.0, 0.0, 0.0])) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn dashes_without_a_positive_length_are_no_pattern() {
        assert_eq!(dash_lengths(vec![3.0, 0.0]), [3.0, 0.0]);
        assert!(dash_lengths(vec![0.0, 0.0]).is_empty());
        assert!(dash_lengths(vec![3.0, -1.0]).is_empty());
        assert!(dash_lengths(vec![f64::INFINITY]).is_empty());
    }

    #[test]
    fn widths_that_differ_by_rounding_are_equal() {
        assert_eq!(rounded(0.500_004), rounded(0.499_996));
    }
}
