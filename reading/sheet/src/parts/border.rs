//! The sheet's frame and its title block.

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, Line, Lines, Segment};
use fanlight_text::words::TITLE_BLOCK_ENTRIES;

use crate::parts::phrases::Phrases;

/// What of a sheet is no drawing.
#[derive(Clone, Debug)]
pub struct Border {
    /// The area that drawings stand in, in the frame.
    pub field: Rect,
    /// Strips along the sheet's edge, in the frame, that are title blocks for certain: narrow, with labels all along them.
    pub title_blocks: Vec<Rect>,
    /// Lines of the frame along x.
    level: Vec<Line>,
    /// Lines of the frame along y.
    plumb: Vec<Line>,
}

/// A level line of this share of the sheet's width is the frame's or parts the title block from the field.
const LEVEL: f32 = 0.8;
/// Likewise a plumb line, of the height.
const PLUMB: f32 = 0.7;
/// Share of the sheet from its right or bottom edge that a title block takes at most.
const STRIP: f32 = 0.35;
/// A strip that takes no more than this share, and over this share of whose length labels stand, is a title block for certain.
const NARROW: f32 = 0.2;
/// See [`NARROW`].
const ALL_ALONG: f32 = 0.3;
/// Share of the sheet that its margin takes at most.
const MARGIN: f32 = 0.045;
/// Labels that a strip must have to be a title block, where the sheet has text.
const FEW_LABELS: usize = 3;

impl Border {
    /// Of a sheet's long lines and texts.
    pub fn of(lines: &Lines, phrases: &Phrases, frame: &Frame) -> Self {
        let (w, h) = (frame.width, frame.height);
        let level: Vec<Line> = lines.horizontal.iter().copied().filter(|line| line.length() >= LEVEL * w).collect();
        let plumb: Vec<Line> = lines.vertical.iter().copied().filter(|line| line.length() >= PLUMB * h).collect();
        let near = |at: f32, edge: f32, extent: f32| (at - edge).abs() <= MARGIN * extent;
        let inner = |lines: &[Line], edge: f32, extent: f32, low: bool| {
            let frames = lines.iter().filter(|line| near(line.at, edge, extent)).map(|line| line.at);
            if low { frames.fold(edge, f32::max) } else { frames.fold(edge, f32::min) }
        };
        let mut field = Rect {
            x1: inner(&plumb, 0.0, w, true),
            y1: inner(&level, 0.0, h, true),
            x2: inner(&plumb, w, w, false),
            y2: inner(&level, h, h, false),
        };
        let labels = labels(phrases);
        let labelled = |strip: Rect, needed: bool| {
            let count =
                labels.iter().filter(|(x, y)| strip.x1 <= *x && *x <= strip.x2 && strip.y1 <= *y && *y <= strip.y2);
            (!needed && phrases.all.is_empty()) || count.count() >= FEW_LABELS
        };
        // The strip that is nearest to the edge, if several lines may part one.
        let right = plumb.iter().rev().map(|line| line.at).find(|at| {
            *at >= (1.0 - STRIP) * w
                && *at < field.x2 - MARGIN * w
                && labelled(Rect { x1: *at, y1: 0.0, x2: w, y2: h }, false)
        });
        if let Some(at) = right {
            field.x2 = at;
        }
        let bottom = level.iter().rev().map(|line| line.at).find(|at| {
            *at >= (1.0 - STRIP) * h
                && *at < field.y2 - MARGIN * h
                && labelled(Rect { x1: 0.0, y1: *at, x2: w, y2: h }, true)
        });
        if let Some(at) = bottom {
            field.y2 = at;
        }
        let strips = [
            right.map(|at| (Rect { x1: at, y1: 0.0, x2: w, y2: h }, (w - at) / w)),
            bottom.map(|at| (Rect { x1: 0.0, y1: at, x2: w, y2: h }, (h - at) / h)),
        ];
        let is_block = |(strip, share): &(Rect, f32)| *share <= NARROW && spread(&labels, strip) >= ALL_ALONG;
        let title_blocks = strips.into_iter().flatten().filter(is_block).map(|(strip, _)| strip).collect();
        Self { field, title_blocks, level, plumb }
    }

    /// Whether a place lies in the field.
    pub fn holds(&self, x: f32, y: f32) -> bool {
        let field = self.field;
        field.x1 <= x && x <= field.x2 && field.y1 <= y && y <= field.y2
    }

    /// Takes out the frame's lines and what lies outside the field.
    pub fn take_away(&self, segments: &mut Vec<Segment>) {
        segments.retain(|segment| {
            let middle = segment.midpoint();
            let frame = (segment.is_horizontal() && on(&self.level, middle.1))
                || (segment.is_vertical() && on(&self.plumb, middle.0));
            !frame && self.holds(middle.0, middle.1)
        });
    }
}

/// Whether a place across lies on one of the lines, which are in order.
fn on(lines: &[Line], at: f32) -> bool {
    let next = lines.partition_point(|line| line.at < at - 0.6);
    lines.get(next).is_some_and(|line| line.at <= at + 0.6)
}

/// Over which share of a strip's length labels stand.
fn spread(labels: &[(f32, f32)], strip: &Rect) -> f32 {
    let inside = |&&(x, y): &&(f32, f32)| strip.x1 <= x && x <= strip.x2 && strip.y1 <= y && y <= strip.y2;
    let tall = strip.y2 - strip.y1 >= strip.x2 - strip.x1;
    let along = |&(x, y): &(f32, f32)| if tall { y } else { x };
    let own = || labels.iter().filter(inside).map(along);
    let (low, high) = (own().fold(f32::MAX, f32::min), own().fold(f32::MIN, f32::max));
    let length = if tall { strip.y2 - strip.y1 } else { strip.x2 - strip.x1 };
    ((high - low) / length.max(f32::MIN_POSITIVE)).max(0.0)
}

/// Middles of the texts that may label a title block's entries.
fn labels(phrases: &Phrases) -> Vec<(f32, f32)> {
    let short = phrases.all.iter().filter(|phrase| phrase.text.chars().count() <= 24);
    short
        .filter(|phrase| {
            let text = fanlight_text::folding::fold(&phrase.text);
            TITLE_BLOCK_ENTRIES.words().iter().any(|label| text.starts_with(label))
        })
        .map(|phrase| {
            let bbox = phrase.bbox;
            (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2))
        })
        .collect()
}
