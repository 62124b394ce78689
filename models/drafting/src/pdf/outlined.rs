//! Text drawn as outlines, so that a page has no text layer.

use super::{Face, Mark, Segment};

/// Returns text as the filled outlines of its glyphs; nothing if the face is not an OpenType font.
pub(crate) fn outlined(at: (f32, f32), upward: bool, face: Face, size: f32, words: &str) -> Vec<Mark> {
    struct Pen {
        outline: Vec<Segment>,
        at: (f32, f32),
        scale: f32,
        upward: bool,
        last: (f32, f32),
    }
    impl Pen {
        fn to(&self, x: f32, y: f32) -> (f32, f32) {
            let (x, y) = (x * self.scale, y * self.scale);
            if self.upward { (self.at.0 - y, self.at.1 + x) } else { (self.at.0 + x, self.at.1 + y) }
        }
    }
    impl ttf_parser::OutlineBuilder for Pen {
        fn move_to(&mut self, x: f32, y: f32) {
            self.last = self.to(x, y);
            self.outline.push(Segment::Move(self.last.0, self.last.1));
        }

        fn line_to(&mut self, x: f32, y: f32) {
            self.last = self.to(x, y);
            self.outline.push(Segment::Line(self.last.0, self.last.1));
        }

        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            let (control, end, start) = (self.to(x1, y1), self.to(x, y), self.last);
            self.outline.push(Segment::Curve([two_thirds(start, control), two_thirds(end, control), end]));
            self.last = end;
        }

        fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
            self.last = self.to(x, y);
            self.outline.push(Segment::Curve([self.to(x1, y1), self.to(x2, y2), self.last]));
        }

        fn close(&mut self) {
            self.outline.push(Segment::Close);
        }
    }
    let mut marks = Vec::new();
    let Some(font) = face.open_type() else { return marks };
    let scale = size / f32::from(font.parsed.units_per_em());
    let mut along = 0.0;
    for character in words.chars() {
        let glyph = font.parsed.glyph_index(character).unwrap_or_default();
        let start = if upward { (at.0, at.1 + along) } else { (at.0 + along, at.1) };
        let mut pen = Pen { outline: Vec::new(), at: start, scale, upward, last: start };
        font.parsed.outline_glyph(glyph, &mut pen);
        if !pen.outline.is_empty() {
            marks.push(Mark::Shape { outline: pen.outline, width: None });
        }
        along += face.width(character.encode_utf8(&mut [0; 4]), size);
    }
    marks
}

/// Returns the point at two thirds of the way: where a cubic curve that equals a quadratic one has its control point.
fn two_thirds(from: (f32, f32), to: (f32, f32)) -> (f32, f32) {
    (from.0 + 2.0 / 3.0 * (to.0 - from.0), from.1 + 2.0 / 3.0 * (to.1 - from.1))
}
