//! The extent of a part that has a heading: the connected components below it, or above it, up to wider white space.

use fanlight_contract::Rect;
use fanlight_geometry::{Component, ForegroundMask, Frame, RectExt as _, Segment};

use crate::parts::PartKind;
use crate::parts::headings;
use crate::parts::phrases::{Phrase, Phrases};

/// Maximum number of headings of a sheet.
const MAX_HEADINGS: usize = 200;
/// Minimum size of a heading, as a share of the median size of the sheet's text.
const MIN_SIZE: f32 = 0.95;
/// Segments longer than this share of the sheet's longer side are borders, grid lines and rules between columns.
const MAX_SEGMENT: f32 = 0.2;
/// Foreground that is at most this many points apart belongs to one connected component.
const REACH: f32 = 9.0;
/// Maximum share of the sheet that a part takes.
const MAX_SHARE: f32 = 0.12;
/// Maximum white space between the rows of a part, in ems of its heading.
const BETWEEN_ROWS: f32 = 4.5;
/// Maximum white space between a heading and what is drawn below it, in ems.
const UNDER_HEADING: f32 = 9.0;
/// Maximum white space between the columns of a part, in ems of its heading.
const BETWEEN_COLUMNS: f32 = 3.0;
/// Minimum share of a component's width that lies below the part which it is added to.
const MIN_BELOW: f32 = 0.6;
/// Minimum size of any other heading, as a multiple of the median size of the sheet's text.
const PROMINENT: f32 = 1.15;
/// Maximum number of words of any other heading.
const MAX_WORDS: usize = 6;
/// Maximum number of rounds in which a part grows: a row that widens it may bring further components within reach.
const MAX_ROUNDS: usize = 4;

/// The heading of a part.
struct Heading<'a> {
    kind: PartKind,
    phrase: &'a Phrase,
}

/// Finds the extents of parts.
struct HeadedBlocks<'a> {
    phrases: &'a Phrases,
    components: Vec<Component>,
    /// The sheet's area in square points.
    sheet: f32,
    /// The sheet's longer side in points.
    long: f32,
    /// Side of a cell of the components, in points.
    cell: f32,
}

/// Returns the parts of a sheet that have headings, in the frame.
pub(crate) fn parts(segments: &[Segment], phrases: &Phrases, frame: &Frame) -> Vec<(PartKind, Rect)> {
    let headings: Vec<Heading> = phrases
        .all
        .iter()
        .filter(|phrase| phrase.upright && phrase.size >= MIN_SIZE * phrases.common_size)
        .filter_map(|phrase| Some(Heading { kind: headings::kind_of(phrase)?, phrase }))
        .take(MAX_HEADINGS)
        .collect();
    if headings.is_empty() {
        return Vec::new();
    }
    let long = frame.width.max(frame.height);
    let mut mask = ForegroundMask::new(frame);
    mask.draw(segments.iter().filter(|segment| segment.length() <= MAX_SEGMENT * long));
    for phrase in &phrases.all {
        mask.fill(phrase.bbox);
    }
    let mut components = mask.components((REACH / mask.cell).round().max(1.0) as usize);
    components.sort_by(|a, b| a.bbox.y1.total_cmp(&b.bbox.y1));
    let blocks = HeadedBlocks { phrases, components, sheet: frame.width * frame.height, long, cell: mask.cell };
    headings.iter().filter_map(|heading| Some((heading.kind, blocks.extent(heading)?))).collect()
}

impl HeadedBlocks<'_> {
    /// Returns the extent of a heading's part; `None` if it may include a plan, or if it is hardly more than the heading.
    fn extent(&self, heading: &Heading<'_>) -> Option<Rect> {
        let own = heading.phrase.bbox;
        let around = self
            .components
            .iter()
            .find(|component| component.bbox.touches(&own) && self.has_foreground_in(component, &own))?;
        if around.bbox.area() > MAX_SHARE * self.sheet {
            return None;
        }
        let start = around.bbox.union(&own);
        let below = self.grown(heading, start);
        let extent = if heading.kind == PartKind::KeyPlan && is_bare(&below, heading) {
            self.above(heading, start)?
        } else {
            below
        };
        let bounded = extent.area() <= MAX_SHARE * self.sheet;
        (bounded && !is_bare(&extent, heading)).then_some(extent)
    }

    /// Returns whether a component has foreground in an area, give or take a cell.
    fn has_foreground_in(&self, component: &Component, area: &Rect) -> bool {
        let cell = self.cell;
        component.cells.iter().any(|&(column, row)| {
            let (x, y) = ((column as f32 + 0.5) * cell, (row as f32 + 0.5) * cell);
            area.x1 - cell <= x && x <= area.x2 + cell && area.y1 - cell <= y && y <= area.y2 + cell
        })
    }

    /// Returns the part that begins with a heading and continues below it.
    fn grown(&self, heading: &Heading<'_>, start: Rect) -> Rect {
        let em = heading.phrase.size;
        let end = self.next_heading(heading, &start);
        let mut extent = start;
        for _ in 0..MAX_ROUNDS {
            let before = extent;
            for component in &self.components {
                let bbox = component.bbox;
                let reach = if start.contains(&extent) { UNDER_HEADING } else { BETWEEN_ROWS };
                if bbox.y1 > extent.y2 + reach * em {
                    break;
                }
                if bbox.y1 < start.y1 - em || bbox.y1 >= end || extent.contains(&bbox) {
                    continue;
                }
                let side = BETWEEN_COLUMNS * em;
                let across = bbox.x2.min(extent.x2 + side) - bbox.x1.max(extent.x1 - side);
                if across >= MIN_BELOW * (bbox.x2 - bbox.x1) && self.may_hold(heading.kind, &bbox) {
                    extent = extent.union(&bbox);
                }
            }
            if before.contains(&extent) {
                break;
            }
        }
        extent
    }

    /// Returns the part that lies above its heading.
    fn above(&self, heading: &Heading<'_>, start: Rect) -> Option<Rect> {
        let em = heading.phrase.size;
        let over = self.components.iter().filter(|component| is_drawn_over(&component.bbox, &start, em));
        let nearest = over.max_by(|a, b| a.bbox.y2.total_cmp(&b.bbox.y2))?;
        self.may_hold(heading.kind, &nearest.bbox).then(|| start.union(&nearest.bbox))
    }

    /// Returns whether a part may include a component with this box: rows of a legend are low, key plans and types are small,
    /// and only a key plan has a scale of its own below it.
    fn may_hold(&self, kind: PartKind, bbox: &Rect) -> bool {
        let (wide, high) = (bbox.x2 - bbox.x1, bbox.y2 - bbox.y1);
        let small = match kind {
            PartKind::KeyPlan => wide.max(high) <= 0.26 * self.long,
            PartKind::Legend => high <= 10.0 * self.phrases.common_size.max(4.0),
            _ => high <= 0.12 * self.long && wide <= 0.3 * self.long,
        };
        small && (kind == PartKind::KeyPlan || !self.is_scaled(bbox))
    }

    /// Returns whether a scale note lies in a box or just below it.
    fn is_scaled(&self, bbox: &Rect) -> bool {
        self.phrases.all.iter().any(|phrase| {
            let scaled = phrase.note.as_ref().is_some_and(|note| note.scale.is_some());
            let reach = Rect { y2: bbox.y2 + 5.0 * phrase.size, ..*bbox };
            scaled && phrase.bbox.touches(&reach)
        })
    }

    /// Returns the top of the next heading below in the same column.
    fn next_heading(&self, heading: &Heading<'_>, start: &Rect) -> f32 {
        let own = heading.phrase;
        let below = self.phrases.all.iter().filter(|phrase| {
            phrase.bbox.y1 > own.bbox.y2 + 0.5 * own.size && phrase.bbox.x1 < start.x2 && phrase.bbox.x2 > start.x1
        });
        let headings = below.filter(|phrase| self.may_be_heading(phrase));
        headings.map(|phrase| phrase.bbox.y1 - 0.5 * phrase.size).fold(f32::MAX, f32::min)
    }

    /// Returns whether a phrase is set like a heading: a few words, upright and large.
    fn may_be_heading(&self, phrase: &Phrase) -> bool {
        phrase.upright
            && phrase.size >= PROMINENT * self.phrases.common_size
            && phrase.text.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && phrase.text.split_whitespace().count() <= MAX_WORDS
    }
}

/// Returns whether something is drawn in a box that ends just above the start of a part. `em` is the size of its heading.
fn is_drawn_over(bbox: &Rect, start: &Rect, em: f32) -> bool {
    let gap = start.y1 - bbox.y2;
    let across = bbox.x2.min(start.x2) - bbox.x1.max(start.x1);
    (-0.5 * em..=BETWEEN_ROWS * em).contains(&gap) && across > 0.0 && bbox.y2 - bbox.y1 > 4.0 * em
}

/// Returns whether a part is hardly more than its heading.
fn is_bare(extent: &Rect, heading: &Heading<'_>) -> bool {
    let em = heading.phrase.size;
    extent.y2 - extent.y1 < (heading.phrase.bbox.y2 - heading.phrase.bbox.y1) + 2.0 * em
}
