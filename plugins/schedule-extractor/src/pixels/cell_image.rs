//! The image of one cell, cut out of the image of its table: the part that holds strokes.

use std::ops::Range;

use fanlight_contract::Rect;
use fanlight_raster::{GreyImage, PixelComponent};
use fanlight_tables::Cell;

use super::TableImage;
use super::components::StrokeFilter;
use super::signs::{Shape, SignInput};

/// Maximum distance of pieces of a cell's rules from its edges on paper, in points.
const PAPER_EDGE: f32 = 3.5;
/// The same where rules are drawn exactly and letters may be beside them, in points.
const DRAWN_EDGE: f32 = 1.6;
/// The strip along an edge in which pieces of rules are removed is at most one part in this many of the cell.
const PARTS_PER_EDGE: usize = 4;
/// Minimum width and height of a cell that is examined, in pixels.
const MIN_PIXELS: usize = 4;
/// A component with less than this share of the largest one's pixels is no stroke of a sign, as a divisor.
const MIN_PIXELS_DIVISOR: usize = 5;

/// Minimum ratio of height and width of a cell whose text runs upwards.
const MIN_UPRIGHT_CELL: f32 = 1.3;
/// The same ratio of its foreground.
const MIN_UPRIGHT_TEXT: f32 = 1.8;
/// Minimum height of the foreground of a cell whose text runs upwards, in points: more than two lines.
const MIN_UPRIGHT_HEIGHT: f32 = 16.0;

/// A box in the pixels of a table's image.
struct PixelArea {
    columns: Range<usize>,
    rows: Range<usize>,
}

/// The image of a cell, cut to its foreground.
pub(super) struct CellImage {
    pub(super) crop: GreyImage,
    /// The strokes of letters and signs.
    pub(super) shapes: Vec<Shape>,
    /// The height of the cell in points.
    height: f32,
    /// Pixels per point.
    scale: f32,
    /// Whether it was drawn on paper.
    is_scanned: bool,
}

impl CellImage {
    /// Cuts a box of the frame, without `inset` points along its edges, out of a table's image. `None` if nothing is in it.
    pub(super) fn cut(table: &TableImage, bbox: Rect, inset: f32) -> Option<Self> {
        let area = area(table, bbox, inset)?;
        let (width, height) = (area.columns.len(), area.rows.len());
        let mut foreground = mask(table, &area)?;
        let reach = if table.is_scanned { PAPER_EDGE } else { DRAWN_EDGE };
        let edge = ((reach * table.scale) as usize).min(width / PARTS_PER_EDGE).min(height / PARTS_PER_EDGE);
        clear_rules(&mut foreground, width, height, edge);
        let strokes = StrokeFilter::new(width, height, edge, table.scale, table.is_scanned).strokes(&foreground);
        Some(Self {
            crop: crop(table, &area, &strokes)?,
            shapes: shapes(&strokes, table.scale),
            height: height as f32 / table.scale,
            scale: table.scale,
            is_scanned: table.is_scanned,
        })
    }

    /// Returns the sign in the cell, if it is one that OCR would not read. `letter_height` is the usual height of the table's
    /// letters in points.
    pub(super) fn sign(&self, letter_height: f32) -> Option<String> {
        SignInput { shapes: &self.shapes, cell_height: self.height, letter_height, scanned: self.is_scanned }.sign()
    }

    /// Returns whether the cell's text runs upwards: the cell and its foreground are much higher than wide, and the foreground is
    /// higher than two lines.
    pub(super) fn reads_upwards(&self, cell: &Cell) -> bool {
        let (width, height) = (cell.bbox.x2 - cell.bbox.x1, cell.bbox.y2 - cell.bbox.y1);
        let (crop_width, crop_height) = (self.crop.width as f32, self.crop.height as f32);
        height > MIN_UPRIGHT_CELL * width
            && crop_height > MIN_UPRIGHT_TEXT * crop_width
            && crop_height / self.scale > MIN_UPRIGHT_HEIGHT
    }
}

/// Returns the pixels of a box of the frame; `None` if they are too few for text.
fn area(table: &TableImage, bbox: Rect, inset: f32) -> Option<PixelArea> {
    let pixel = |value: f32, origin: f32| ((value - origin) * table.scale).round().max(0.0) as usize;
    let columns = pixel(bbox.x1 + inset, table.x)..pixel(bbox.x2 - inset, table.x).min(table.image.width);
    let rows = pixel(bbox.y1 + inset, table.y)..pixel(bbox.y2 - inset, table.y).min(table.image.height);
    (columns.len() >= MIN_PIXELS && rows.len() >= MIN_PIXELS).then_some(PixelArea { columns, rows })
}

/// Returns the foreground mask of an area.
fn mask(table: &TableImage, area: &PixelArea) -> Option<Vec<bool>> {
    let mut mask = Vec::with_capacity(area.columns.len() * area.rows.len());
    for y in area.rows.clone() {
        let row = y * table.image.width;
        mask.extend_from_slice(table.foreground.get(row + area.columns.start..row + area.columns.end)?);
    }
    Some(mask)
}

/// Clears rows and columns near the edges that are mostly foreground: pieces of a rule.
fn clear_rules(foreground: &mut [bool], width: usize, height: usize, edge: usize) {
    for off in 0..edge {
        for y in [off, height - 1 - off] {
            let row = &mut foreground[y * width..(y + 1) * width];
            if 2 * row.iter().filter(|is_foreground| **is_foreground).count() > width {
                row.fill(false);
            }
        }
        for x in [off, width - 1 - off] {
            let count = (0..height).filter(|y| foreground[y * width + x]).count();
            if 2 * count > height {
                (0..height).for_each(|y| foreground[y * width + x] = false);
            }
        }
    }
}

/// Returns the image of an area, cut to its strokes. `None` without strokes.
fn crop(table: &TableImage, area: &PixelArea, strokes: &[PixelComponent]) -> Option<GreyImage> {
    let bbox = strokes.iter().map(|stroke| stroke.bbox).reduce(|a, b| a.union(&b))?;
    let mut grey = Vec::with_capacity(bbox.width() * bbox.height());
    for y in bbox.top..=bbox.bottom {
        grey.extend((bbox.left..=bbox.right).map(|x| table.image.at(area.columns.start + x, area.rows.start + y)));
    }
    Some(GreyImage { width: bbox.width(), height: bbox.height(), grey })
}

/// Returns the strokes in points. What is far smaller than the largest one is no stroke of a sign and is left out.
fn shapes(strokes: &[PixelComponent], scale: f32) -> Vec<Shape> {
    let largest = strokes.iter().map(|stroke| stroke.pixels).max().unwrap_or(0);
    let own = strokes.iter().filter(|stroke| MIN_PIXELS_DIVISOR * stroke.pixels >= largest);
    own.map(|stroke| shape(stroke, scale)).collect()
}

/// Returns a stroke in points.
fn shape(stroke: &PixelComponent, scale: f32) -> Shape {
    let bbox = stroke.bbox;
    Shape {
        bbox: Rect {
            x1: bbox.left as f32 / scale,
            y1: bbox.top as f32 / scale,
            x2: (bbox.right + 1) as f32 / scale,
            y2: (bbox.bottom + 1) as f32 / scale,
        },
        filled: stroke.pixels as f32 / (bbox.width() * bbox.height()) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table's image drawn with "#" for dark and "." for white pixels, at one pixel per point.
    fn table(rows: &[&str]) -> TableImage {
        let grey: Vec<u8> =
            rows.iter().flat_map(|row| row.bytes()).map(|byte| if byte == b'#' { 0 } else { 255 }).collect();
        let foreground = grey.iter().map(|pixel| *pixel == 0).collect();
        let image = GreyImage { width: rows[0].len(), height: rows.len(), grey };
        TableImage { image, foreground, x: 0.0, y: 0.0, scale: 1.0, is_scanned: false }
    }

    fn whole(table: &TableImage) -> Rect {
        Rect { x1: 0.0, y1: 0.0, x2: table.image.width as f32, y2: table.image.height as f32 }
    }

    #[test]
    fn cell_is_cut_to_its_letters() {
        let table =
            table(&["........", "........", "...###..", "...#.#..", "...###..", "........", "........", "........"]);
        let cut = CellImage::cut(&table, whole(&table), 0.0).expect("a letter");
        assert_eq!((cut.crop.width, cut.crop.height, cut.shapes.len()), (3, 3, 1));
    }

    #[test]
    fn cell_with_nothing_but_its_rules_is_empty() {
        let table =
            table(&["########", "#.......", "#.......", "#.......", "#.......", "#.......", "#.......", "#......."]);
        assert!(CellImage::cut(&table, whole(&table), 0.0).is_none());
    }

    #[test]
    fn cell_of_few_pixels_is_empty() {
        let table = table(&["###", "###", "###"]);
        assert!(CellImage::cut(&table, whole(&table), 0.0).is_none());
    }
}
