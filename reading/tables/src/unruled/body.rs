//! The body of a table without rules: the lines below its header that belong to it.

use fanlight_geometry::RectExt as _;

use crate::aligned::{ROW_GAP, lines};
use crate::structure::names_a_table;
use crate::unruled::View;
use crate::unruled::columns::Columns;
use crate::unruled::header::Head;
use crate::unruled::rows::LEADING;
use crate::words::Phrase;

/// How far beyond its head a column's texts may stand, in em, if nothing else is there.
const BEYOND: f32 = 4.0;
/// Type this much larger than the head's is another thing's title.
const LARGER: f32 = 1.35;
/// Lines of a table at most.
const MOST_LINES: usize = 40_000;

/// A line of text of a table.
pub(super) struct TextLine<'a> {
    pub(super) y: f32,
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// From the left.
    pub(super) phrases: Vec<&'a Phrase>,
}

/// The lines below a head.
pub(super) struct Body<'a> {
    pub(super) lines: Vec<TextLine<'a>>,
    /// Edges of the shades behind its rows, from the top; none where nothing is shaded.
    pub(super) shades: Vec<f32>,
}

/// A shade lies behind a row if it is as wide as this share of the table.
const SHADE_WIDTH: f32 = 0.8;
/// Shades that are fewer say nothing.
const FEWEST_SHADES: usize = 2;

impl<'a> Body<'a> {
    /// The lines that follow a head, as long as they follow each other.
    pub(super) fn below(head: &Head<'_>, view: &'a View<'_>) -> Option<Self> {
        let beyond = BEYOND * head.size;
        let (mut left, mut right) = (head.left, head.right);
        let (mut own, mut last): (Vec<&Phrase>, f32) = (Vec::new(), head.bottom);
        for phrase in view.upright(head.bottom, f32::MAX) {
            let (x, _) = phrase.bbox.center();
            if phrase.bbox.y1 - last > ROW_GAP * head.size || own.len() == MOST_LINES {
                break;
            }
            let near = phrase.bbox.x1 < right.max(head.right + beyond) && phrase.bbox.x2 > left.min(head.left - beyond);
            if !near || x < head.limits.0 || x > head.limits.1 {
                continue;
            }
            if phrase.size > LARGER * head.size {
                break;
            }
            left = left.min(phrase.bbox.x1);
            right = right.max(phrase.bbox.x2);
            last = last.max(phrase.bbox.y2);
            own.push(phrase);
        }
        let mut found: Vec<TextLine<'_>> = lines(&own).into_iter().filter_map(TextLine::from_phrases).collect();
        // The title of what follows.
        if let Some(next) = found.iter().position(TextLine::names_another) {
            found.truncate(next);
        }
        (!found.is_empty()).then(|| Self { shades: shades(&found, (left, right), view), lines: found })
    }

    /// Takes off what stands below the last row: notes, which run over the columns.
    pub(super) fn end(&mut self, columns: &Columns<'_>, size: f32) {
        let is_row = |line: &TextLine<'_>| {
            let over = line.phrases.iter().filter(|text| columns.crosses(text)).count();
            line.phrases.len() >= 2 && 2 * over < line.phrases.len()
        };
        let Some(last) = self.lines.iter().rposition(is_row) else { return };
        // What goes on in a column stays.
        let goes_on = |pair: &&[TextLine<'_>]| {
            let [before, line] = pair else { return false };
            let in_columns = line.phrases.iter().all(|text| !columns.crosses(text) && columns.at(text.bbox.x1) > 0);
            in_columns && line.y - before.y <= LEADING * size
        };
        let goes_on = self.lines[last..].windows(2).take_while(goes_on).count();
        self.lines.truncate(last + 1 + goes_on);
    }
}

impl<'a> TextLine<'a> {
    fn from_phrases(mut phrases: Vec<&'a Phrase>) -> Option<Self> {
        phrases.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
        let top = phrases.iter().map(|phrase| phrase.bbox.y1).reduce(f32::min)?;
        let bottom = phrases.iter().map(|phrase| phrase.bbox.y2).reduce(f32::max)?;
        let y = phrases.iter().map(|phrase| phrase.bbox.center().1).sum::<f32>() / phrases.len() as f32;
        Some(Self { y, top, bottom, phrases })
    }

    fn names_another(&self) -> bool {
        matches!(self.phrases.as_slice(), [only] if names_a_table(&only.text()))
    }
}

/// The edges of the shades behind some lines.
fn shades(lines: &[TextLine<'_>], (left, right): (f32, f32), view: &View<'_>) -> Vec<f32> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Vec::new() };
    let start = view.bands.partition_point(|band| band.y1 < first.top - 2.0 * (first.bottom - first.top));
    let behind = view.bands[start..].iter().take_while(|band| band.y1 < last.bottom);
    let mut edges = Vec::new();
    let mut count = 0;
    for band in behind {
        let shared = band.x2.min(right) - band.x1.max(left);
        if shared >= SHADE_WIDTH * (right - left) && band.y2 <= last.bottom + (band.y2 - band.y1) {
            edges.extend([band.y1, band.y2]);
            count += 1;
        }
    }
    if count < FEWEST_SHADES {
        return Vec::new();
    }
    edges.sort_by(f32::total_cmp);
    edges
}
