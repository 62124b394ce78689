//! The coordinates of a view: inches of the building, x to the right and y up from the left end of
//! its floor.

use crate::pdf::{self, Face, Mark, Page, Segment};
use crate::schedule::circle;

/// The pen of a sheet: lines and text in points of the displayed page.
pub(super) struct Pen<'a> {
    pub(super) page: &'a mut Page,
    pub(super) face: Face,
    pub(super) bold: Face,
    pub(super) outlined: bool,
}

impl Pen<'_> {
    pub(super) fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        self.page.stroke(from, to, width);
    }

    pub(super) fn rect(&mut self, [x1, y1, x2, y2]: [f32; 4], width: f32) {
        let outline = vec![
            Segment::Move(x1, y1),
            Segment::Line(x2, y1),
            Segment::Line(x2, y2),
            Segment::Line(x1, y2),
            Segment::Close,
        ];
        self.page.marks.push(Mark::Shape { outline, width: Some(width) });
    }

    pub(super) fn circle(&mut self, x: f32, y: f32, radius: f32, width: f32) {
        self.page.marks.push(Mark::Shape { outline: circle(x, y, radius), width: Some(width) });
    }

    pub(super) fn text(&mut self, x: f32, y: f32, face: Face, size: f32, words: &str) {
        if self.outlined {
            self.page.marks.extend(pdf::outlined((x, y), false, face, size, words));
        } else {
            self.page.text(x, y, face, size, words);
        }
    }

    pub(super) fn centred(&mut self, x: f32, y: f32, face: Face, size: f32, words: &str) {
        self.text(x - face.width(words, size) / 2.0, y, face, size, words);
    }

    pub(super) fn upward(&mut self, x: f32, y: f32, face: Face, size: f32, words: &str) {
        if self.outlined {
            self.page.marks.extend(pdf::outlined((x, y), true, face, size, words));
        } else {
            self.page.text_upward(x, y, face, size, words);
        }
    }
}

/// The size of notes, in points.
const NOTE: f32 = 6.5;
/// The distance of a note's lines, in points.
const NOTE_LEADING: f32 = 7.5;
/// The width of a note's lines, in points.
const NOTE_WIDTH: f32 = 58.0;

/// A view on the sheet.
pub(super) struct Canvas<'p, 'a> {
    pub(super) pen: &'p mut Pen<'a>,
    /// The position of its floor's left end on the page.
    pub(super) origin: (f32, f32),
    /// Points per inch.
    pub(super) scale: f32,
    /// The extent of what is drawn, in points of the page: left, bottom, right, top.
    pub(super) hull: [f32; 4],
    /// The extents of the notes beside it, without their leaders.
    pub(super) notes: Vec<[f32; 4]>,
}

impl<'p, 'a> Canvas<'p, 'a> {
    pub(super) fn new(pen: &'p mut Pen<'a>, origin: (f32, f32), scale: f32) -> Self {
        Self { pen, origin, scale, hull: [f32::MAX, f32::MAX, f32::MIN, f32::MIN], notes: Vec::new() }
    }

    /// Converts a point of the view to the page.
    pub(super) fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.origin.0 + x * self.scale, self.origin.1 + y * self.scale)
    }

    pub(super) fn seen(&mut self, (x, y): (f32, f32)) {
        let [x1, y1, x2, y2] = self.hull;
        self.hull = [x1.min(x), y1.min(y), x2.max(x), y2.max(y)];
    }

    pub(super) fn line(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, width: f32) {
        let (from, to) = (self.at(x1, y1), self.at(x2, y2));
        self.seen(from);
        self.seen(to);
        self.pen.line(from, to, width);
    }

    pub(super) fn dashed(&mut self, x1: f32, y1: f32, x2: f32, y2: f32) {
        let (from, to) = (self.at(x1, y1), self.at(x2, y2));
        self.seen(from);
        self.seen(to);
        self.pen.page.marks.push(Mark::Stroke { from, to, width: 0.3, dash: Some((4.0, 2.5)) });
    }

    pub(super) fn rect(&mut self, x: f32, y: f32, wide: f32, high: f32, width: f32) {
        let (a, b) = (self.at(x, y), self.at(x + wide, y + high));
        self.seen(a);
        self.seen(b);
        self.pen.rect([a.0, a.1, b.0, b.1], width);
    }

    pub(super) fn fill(&mut self, x: f32, y: f32, wide: f32, high: f32, grey: f32) {
        let (a, b) = (self.at(x, y), self.at(x + wide, y + high));
        self.seen(a);
        self.seen(b);
        self.pen.page.marks.push(Mark::Fill { x: a.0, y: a.1, width: b.0 - a.0, height: b.1 - a.1, grey });
    }

    pub(super) fn circle(&mut self, x: f32, y: f32, radius: f32, width: f32) {
        let (middle, r) = (self.at(x, y), radius * self.scale);
        self.seen((middle.0 - r, middle.1 - r));
        self.seen((middle.0 + r, middle.1 + r));
        self.pen.circle(middle.0, middle.1, r, width);
    }

    /// Draws a quarter of a circle around (x, y). `quadrant` counts quarter turns from the x axis.
    pub(super) fn quarter(&mut self, x: f32, y: f32, radius: f32, quadrant: u32, width: f32) {
        let (sx, sy) = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)][(quadrant % 4) as usize];
        let k = 0.5523 * radius;
        let from = self.at(x + sx * radius, y);
        let controls =
            [self.at(x + sx * radius, y + sy * k), self.at(x + sx * k, y + sy * radius), self.at(x, y + sy * radius)];
        self.seen(from);
        self.seen(controls[2]);
        let outline = vec![Segment::Move(from.0, from.1), Segment::Curve(controls)];
        self.pen.page.marks.push(Mark::Shape { outline, width: Some(width) });
    }

    /// Draws text centred on a point of the view. It belongs to the extent.
    pub(super) fn label(&mut self, x: f32, y: f32, size: f32, words: &str) {
        let (px, py) = self.at(x, y);
        let face = self.pen.face;
        let half = face.width(words, size) / 2.0;
        self.seen((px - half, py - 0.2 * size));
        self.seen((px + half, py + 0.8 * size));
        self.pen.centred(px, py, face, size, words);
    }

    /// Draws a dimension along x, `off` points above the view's `y` (below if negative).
    pub(super) fn dimension_x(&mut self, x1: f32, x2: f32, y: f32, off: f32, words: &str) {
        let (a, b) = (self.at(x1, y), self.at(x2, y));
        let level = a.1 + off;
        for (x, foot) in [(a.0, a.1), (b.0, b.1)] {
            self.pen.line((x, foot + 0.25 * off), (x, level + 3.0 * off.signum()), 0.25);
            self.pen.line((x - 3.0, level - 3.0), (x + 3.0, level + 3.0), 0.6);
        }
        self.pen.line((a.0 - 4.0, level), (b.0 + 4.0, level), 0.25);
        let face = self.pen.face;
        self.pen.centred(f32::midpoint(a.0, b.0), level + 2.0, face, 7.0, words);
        self.seen((a.0 - 4.0, level - 3.0));
        self.seen((b.0 + 4.0, level + 8.0));
    }

    /// Draws a dimension along y, `off` points to the right of the view's `x` (to the left if
    /// negative).
    pub(super) fn dimension_y(&mut self, y1: f32, y2: f32, x: f32, off: f32, words: &str) {
        let (a, b) = (self.at(x, y1), self.at(x, y2));
        let along = a.0 + off;
        for (y, side) in [(a.1, a.0), (b.1, b.0)] {
            self.pen.line((side + 0.25 * off, y), (along + 3.0 * off.signum(), y), 0.25);
            self.pen.line((along - 3.0, y - 3.0), (along + 3.0, y + 3.0), 0.6);
        }
        self.pen.line((along, a.1 - 4.0), (along, b.1 + 4.0), 0.25);
        let face = self.pen.face;
        let middle = f32::midpoint(a.1, b.1) - face.width(words, 7.0) / 2.0;
        self.pen.upward(along - 2.0, middle, face, 7.0, words);
        self.seen((along - 8.0, a.1 - 4.0));
        self.seen((along + 3.0, b.1 + 4.0));
    }

    /// Draws a note `off` points to the right of a point of the view, with a leader. It does not
    /// belong to the extent.
    pub(super) fn note(&mut self, x: f32, y: f32, right: f32, words: &str) {
        let (px, py) = self.at(x, y);
        let elbow = self.origin.0 + right;
        self.pen.line((px, py), (elbow, py + 8.0), 0.3);
        self.pen.line((elbow, py + 8.0), (elbow + 6.0, py + 8.0), 0.3);
        self.noted(elbow + 8.0, py + 6.0, words);
    }

    /// Like [`Self::note`], to the left: its text ends `left` points to the left of the view's left
    /// end.
    pub(super) fn note_left(&mut self, x: f32, y: f32, left: f32, words: &str) {
        let (px, py) = self.at(x, y);
        let elbow = self.origin.0 - left + 14.0;
        self.pen.line((px, py), (elbow, py + 8.0), 0.3);
        self.pen.line((elbow, py + 8.0), (elbow - 6.0, py + 8.0), 0.3);
        let face = self.pen.face;
        let lines = crate::pdf::wrap(words, face, NOTE, NOTE_WIDTH, NOTE_WIDTH);
        let wide = lines.iter().map(|line| face.width(line, NOTE)).fold(0.0, f32::max);
        self.noted(elbow - 8.0 - wide, py + 6.0, words);
    }

    /// Draws the lines of a note. The baseline of the first begins at a point of the page.
    fn noted(&mut self, x: f32, y: f32, words: &str) {
        let face = self.pen.face;
        let lines = crate::pdf::wrap(words, face, NOTE, NOTE_WIDTH, NOTE_WIDTH);
        for (index, line) in lines.iter().enumerate() {
            self.pen.text(x, y - NOTE_LEADING * index as f32, face, NOTE, line);
        }
        let wide = lines.iter().map(|line| face.width(line, NOTE)).fold(0.0, f32::max);
        let low = y - NOTE_LEADING * lines.len().saturating_sub(1) as f32 - 0.25 * NOTE;
        self.notes.push([x, low, x + wide, y + 0.8 * NOTE]);
    }
}
