//! The body of a table without rules: the lines below its header that belong to it.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::aligned::MAX_ROW_GAP;
use crate::structure::names_a_table;
use crate::unruled::View;
use crate::unruled::columns::Columns;
use crate::unruled::header::Header;
use crate::unruled::rows::MAX_LEADING;
use crate::words::{Phrase, by_line};

/// Maximum distance of a text to the left or right of all headers, in em.
const MAX_OVERHANG: f32 = 4.0;
/// Maximum size of text of a table, as a share of the header's: larger text is the title of something else.
const MAX_SIZE: f32 = 1.35;
/// Maximum number of phrases of a table. Bounds the work.
const MAX_PHRASES: usize = 40_000;
/// Minimum width of a shaded band behind a row, as a share of the table's.
const MIN_BAND_WIDTH: f32 = 0.8;
/// Minimum number of shaded bands of a table with shaded rows.
const MIN_BANDS: usize = 2;

/// A line of text of a table.
pub(super) struct TextLine<'a> {
    pub(super) y: f32,
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// From the left.
    pub(super) phrases: Vec<&'a Phrase>,
}

/// The lines below a header.
pub(super) struct Body<'a> {
    pub(super) lines: Vec<TextLine<'a>>,
    /// The upper and lower edges of the bands behind its rows, from the top; none if its rows are not shaded.
    pub(super) band_edges: Vec<f32>,
}

impl<'a> Body<'a> {
    /// Reads the lines below a header as long as they follow each other, up to the next title.
    pub(super) fn below(header: &Header<'_>, view: &'a View<'_>) -> Option<Self> {
        let overhang = MAX_OVERHANG * header.size;
        let mut extent = Extent { left: header.left, right: header.right };
        let (mut own, mut last): (Vec<&Phrase>, f32) = (Vec::new(), header.bottom);
        for phrase in view.upright(header.bottom, f32::MAX) {
            let (x, _) = phrase.bbox.center();
            if phrase.bbox.y1 - last > MAX_ROW_GAP * header.size || own.len() == MAX_PHRASES {
                break;
            }
            let is_near = phrase.bbox.x1 < extent.right.max(header.right + overhang)
                && phrase.bbox.x2 > extent.left.min(header.left - overhang);
            if !is_near || x < header.limits.left || x > header.limits.right {
                continue;
            }
            if phrase.size > MAX_SIZE * header.size {
                break;
            }
            extent.left = extent.left.min(phrase.bbox.x1);
            extent.right = extent.right.max(phrase.bbox.x2);
            last = last.max(phrase.bbox.y2);
            own.push(phrase);
        }
        let lines = by_line(&own).into_iter().filter_map(TextLine::from_phrases);
        let lines: Vec<TextLine<'_>> = lines.take_while(|line| !line.is_title()).collect();
        (!lines.is_empty()).then(|| Self { band_edges: band_edges(&lines, extent, view.bands), lines })
    }

    /// Drops the lines below the last row: notes, which extend over the columns. `size` is one em, in points.
    pub(super) fn drop_notes(&mut self, columns: &Columns<'_>, size: f32) {
        let Some(last) = self.lines.iter().rposition(|line| line.is_row(columns)) else { return };
        let continued =
            self.lines[last..].windows(2).take_while(|pair| pair[1].continues_cells(&pair[0], columns, size)).count();
        self.lines.truncate(last + 1 + continued);
    }
}

impl<'a> TextLine<'a> {
    /// Returns the line of some phrases; `None` if there are none.
    pub(super) fn from_phrases(mut phrases: Vec<&'a Phrase>) -> Option<Self> {
        phrases.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
        let top = phrases.iter().map(|phrase| phrase.bbox.y1).reduce(f32::min)?;
        let bottom = phrases.iter().map(|phrase| phrase.bbox.y2).reduce(f32::max)?;
        let y = phrases.iter().map(|phrase| phrase.bbox.center().1).sum::<f32>() / phrases.len() as f32;
        Some(Self { y, top, bottom, phrases })
    }

    /// Returns whether it is the title of another table.
    fn is_title(&self) -> bool {
        matches!(self.phrases.as_slice(), [only] if names_a_table(&only.text()))
    }

    /// Returns whether it has several texts, of which fewer than half extend over columns.
    fn is_row(&self, columns: &Columns<'_>) -> bool {
        let crossing = self.phrases.iter().filter(|text| columns.crosses(text)).count();
        self.phrases.len() >= 2 && 2 * crossing < self.phrases.len()
    }

    /// Returns whether it continues cells of the line before, and none of the first column.
    fn continues_cells(&self, before: &Self, columns: &Columns<'_>, size: f32) -> bool {
        let are_in_columns = self.phrases.iter().all(|text| !columns.crosses(text) && columns.at(text.bbox.x1) > 0);
        are_in_columns && self.y - before.y <= MAX_LEADING * size
    }
}

/// How far a table extends from left to right, in points.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) left: f32,
    pub(super) right: f32,
}

/// Returns the edges of the bands behind some lines, from the top; none if the rows are not shaded.
fn band_edges(lines: &[TextLine<'_>], extent: Extent, bands: &[Rect]) -> Vec<f32> {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return Vec::new() };
    let start = bands.partition_point(|band| band.y1 < first.top - 2.0 * (first.bottom - first.top));
    let behind: Vec<&Rect> = bands[start..]
        .iter()
        .take_while(|band| band.y1 < last.bottom)
        .filter(|band| {
            let shared = band.x2.min(extent.right) - band.x1.max(extent.left);
            shared >= MIN_BAND_WIDTH * (extent.right - extent.left) && band.y2 <= last.bottom + (band.y2 - band.y1)
        })
        .collect();
    if behind.len() < MIN_BANDS {
        return Vec::new();
    }
    let mut edges: Vec<f32> = behind.iter().flat_map(|band| [band.y1, band.y2]).collect();
    edges.sort_by(f32::total_cmp);
    edges
}
