//! The border of a sheet and its title block.

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, Line, Lines, RectExt as _};
use fanlight_text::words::TITLE_BLOCK_ENTRIES;

use crate::parts::phrases::Phrases;

/// The border of a sheet and its title blocks.
#[derive(Clone, Debug)]
pub struct Border {
    /// The area of the drawings, in the frame.
    pub field: Rect,
    /// Strips along the sheet's edge that are certainly title blocks, in the frame: narrow, with labels all along them.
    pub title_blocks: Vec<Rect>,
}

/// Minimum length of a horizontal line of the border or of the title block's edge, as a share of the sheet's width.
const MIN_HORIZONTAL: f32 = 0.8;
/// Minimum length of a vertical line of the border or of the title block's edge, as a share of the sheet's height.
const MIN_VERTICAL: f32 = 0.7;
/// Maximum share of the sheet, from its right or bottom edge, that a title block takes.
const MAX_STRIP: f32 = 0.35;
/// Maximum share of the sheet that a strip takes that is certainly a title block.
const MAX_NARROW_STRIP: f32 = 0.2;
/// Minimum share of its length over which labels are spread in a strip that is certainly a title block.
const MIN_LABEL_SPREAD: f32 = 0.3;
/// Maximum share of the sheet that its margin takes.
const MAX_MARGIN: f32 = 0.045;
/// Minimum number of labels of a title block, if the sheet has text.
const MIN_LABELS: usize = 3;

impl Border {
    /// Finds the border and the title blocks of a sheet by its long lines and its texts.
    pub fn find(lines: &Lines, phrases: &Phrases, frame: &Frame) -> Self {
        let (w, h) = (frame.width, frame.height);
        let horizontal: Vec<Line> =
            lines.horizontal.iter().copied().filter(|line| line.length() >= MIN_HORIZONTAL * w).collect();
        let vertical: Vec<Line> =
            lines.vertical.iter().copied().filter(|line| line.length() >= MIN_VERTICAL * h).collect();
        let mut field = Rect {
            x1: near_edge(&vertical, 0.0, w).fold(0.0, f32::max),
            y1: near_edge(&horizontal, 0.0, h).fold(0.0, f32::max),
            x2: near_edge(&vertical, w, w).fold(w, f32::min),
            y2: near_edge(&horizontal, h, h).fold(h, f32::min),
        };
        let labels = labels(phrases);
        let is_labelled =
            |strip: Rect| labels.iter().filter(|(x, y)| strip.contains_point(*x, *y)).count() >= MIN_LABELS;
        // The strip nearest to the edge, if several lines may separate one.
        let right = vertical.iter().rev().map(|line| line.at).find(|at| {
            *at >= (1.0 - MAX_STRIP) * w
                && *at < field.x2 - MAX_MARGIN * w
                && (phrases.all.is_empty() || is_labelled(Rect { x1: *at, y1: 0.0, x2: w, y2: h }))
        });
        if let Some(at) = right {
            field.x2 = at;
        }
        let bottom = horizontal.iter().rev().map(|line| line.at).find(|at| {
            *at >= (1.0 - MAX_STRIP) * h
                && *at < field.y2 - MAX_MARGIN * h
                && is_labelled(Rect { x1: 0.0, y1: *at, x2: w, y2: h })
        });
        if let Some(at) = bottom {
            field.y2 = at;
        }
        let strips = [
            right.map(|at| (Rect { x1: at, y1: 0.0, x2: w, y2: h }, (w - at) / w)),
            bottom.map(|at| (Rect { x1: 0.0, y1: at, x2: w, y2: h }, (h - at) / h)),
        ];
        let is_block =
            |(strip, share): &(Rect, f32)| *share <= MAX_NARROW_STRIP && spread(&labels, strip) >= MIN_LABEL_SPREAD;
        let title_blocks = strips.into_iter().flatten().filter(is_block).map(|(strip, _)| strip).collect();
        Self { field, title_blocks }
    }

    /// Returns whether a point lies in the area of the drawings.
    pub fn holds(&self, x: f32, y: f32) -> bool {
        self.field.contains_point(x, y)
    }
}

/// Returns the share of a strip's length over which labels are spread.
fn spread(labels: &[(f32, f32)], strip: &Rect) -> f32 {
    let inside = |&&(x, y): &&(f32, f32)| strip.contains_point(x, y);
    let tall = strip.y2 - strip.y1 >= strip.x2 - strip.x1;
    let along = |&(x, y): &(f32, f32)| if tall { y } else { x };
    let own = || labels.iter().filter(inside).map(along);
    let (low, high) = (own().fold(f32::MAX, f32::min), own().fold(f32::MIN, f32::max));
    let length = if tall { strip.y2 - strip.y1 } else { strip.x2 - strip.x1 };
    ((high - low) / length.max(f32::MIN_POSITIVE)).max(0.0)
}

/// Returns where the lines are that are in the margin at an edge of a sheet. `extent` is the sheet's, across the lines.
fn near_edge(lines: &[Line], edge: f32, extent: f32) -> impl Iterator<Item = f32> {
    lines.iter().map(|line| line.at).filter(move |at| (at - edge).abs() <= MAX_MARGIN * extent)
}

/// Returns the centers of the texts that may label entries of a title block.
fn labels(phrases: &Phrases) -> Vec<(f32, f32)> {
    let short = phrases.all.iter().filter(|phrase| phrase.text.chars().count() <= 24);
    short
        .filter(|phrase| {
            let text = fanlight_text::folding::fold(&phrase.text);
            TITLE_BLOCK_ENTRIES.words().iter().any(|label| text.starts_with(label))
        })
        .map(|phrase| phrase.bbox.center())
        .collect()
}
