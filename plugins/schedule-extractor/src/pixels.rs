//! Reads cells from the page's pixels.
//!
//! The part of the page with a table is rendered once. Each cell is cut out of it (`cell_image`), cleaned of rules and dirt
//! (`components`), and is empty, a sign (`signs`), or text. Slanted lettering is set upright (`slant`), and OCR reads many cells
//! at a time (`ocr`).

mod cell_image;
mod components;
mod ocr;
mod signs;
mod slant;

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::{RectExt as _, median};
use fanlight_raster::{GreyImage, ReadWord};
use fanlight_tables::{Cell, Grid, TextFragment};

use crate::sheet::Sheet;
use cell_image::CellImage;
use signs::Shape;
use slant::{sheared, slant};

/// Maximum number of pixels of a rendering. The engine needs several times as many bytes.
const MAX_PIXELS: f32 = 24_000_000.0;
/// Minimum resolution in dpi: below, letters run together.
const MIN_DPI: f32 = 150.0;
/// Maximum resolution in dpi: above, OCR reads no better.
const MAX_DPI: f32 = 400.0;
/// The wanted height of a row of one line, in pixels. Capitals are about 0.4 of it, and OCR reads them best at 30 pixels.
const ROW_PIXELS: f32 = 75.0;
/// Minimum height of a row of one line, in points.
const MIN_ROW_HEIGHT: f32 = 6.0;
/// Maximum height of a row of one line, in points.
const MAX_ROW_HEIGHT: f32 = 40.0;
/// White space around a rendering, in points.
const MARGIN: f32 = 4.0;
/// How far rules extend into a cell, in points.
const INSET: f32 = 1.0;
/// Minimum and maximum height of letters, in points.
const LETTER_HEIGHT: std::ops::Range<f32> = 3.0..24.0;
/// Images whose widths differ by less than this are read together, in pixels.
const WIDTH_STEP: usize = 200;
/// Maximum number of cells that are read on a page. Bounds the time.
pub(crate) const MAX_CELLS: usize = 6000;

/// A scanned page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    /// In pixels per pixel.
    pub(crate) skew: f32,
    /// Its resolution.
    pub(crate) dpi: f32,
}

/// The rendered part of a page with a table, in the grid's frame.
pub(crate) struct TableImage {
    image: GreyImage,
    foreground: Vec<bool>,
    /// The point of the frame at the image's upper left corner.
    x: f32,
    y: f32,
    /// Pixels per point.
    scale: f32,
    /// Whether the page is a scan, in which rules are not exactly where they were detected.
    is_scanned: bool,
}

/// How confident OCR is of some cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OcrConfidence {
    /// The number of words.
    pub(crate) words: usize,
    /// The sum of their confidences.
    pub(crate) confidence: f32,
}

impl OcrConfidence {
    /// Adds the words of more cells.
    pub(crate) fn add(&mut self, more: Self) {
        self.words += more.words;
        self.confidence += more.confidence;
    }
}

impl TableImage {
    /// Renders the part of the page under a grid, and `around` points above and below it. `scan` is `None` for a page that is not
    /// scanned.
    pub(crate) fn render(sheet: &Sheet<'_>, grid: &Grid, around: f32, scan: Option<Scan>) -> Option<Self> {
        let Scan { skew, dpi: max_dpi } = scan.unwrap_or(Scan { skew: 0.0, dpi: MAX_DPI });
        let geometry = sheet.page.geometry();
        let region = region(grid, around, skew);
        let dpi = resolution(grid, &region, max_dpi);
        let mut image = sheet.render(Some(grid.frame.to_user_space(region)), dpi)?;
        for _ in 0..turns(grid, &geometry) {
            image = image.clockwise();
        }
        let (mut x, mut y) = (region.x1, region.y1);
        if skew != 0.0 {
            image = image.deskewed(skew);
            // The page was deskewed about its center, this part about its own.
            let (center_x, center_y) = region.center();
            x += skew * (center_y - grid.frame.height / 2.0);
            y -= skew * (center_x - grid.frame.width / 2.0);
        }
        let foreground = image.binarized();
        Some(Self { image, foreground, x, y, scale: dpi / 72.0, is_scanned: scan.is_some() })
    }

    /// Returns the indices of the grid's cells that are not empty. `budget` is the number of cells that may still be
    /// examined.
    pub(crate) fn filled_cells(&self, grid: &Grid, budget: &mut usize) -> Vec<usize> {
        let examined = grid.cells.len().min(*budget);
        *budget -= examined;
        (0..examined).filter(|&index| CellImage::cut(self, grid.cells[index].bbox, INSET).is_some()).collect()
    }
}

/// Returns the part of the frame that is rendered for a grid: with `around` points above and below, and as much as deskewing
/// moves.
fn region(grid: &Grid, around: f32, skew: f32) -> Rect {
    let bbox = grid.bbox;
    let margin = skew.abs() * (bbox.x2 - bbox.x1 + bbox.y2 - bbox.y1) + MARGIN;
    Rect {
        x1: (bbox.x1 - margin).max(0.0),
        y1: (bbox.y1 - around - margin).max(0.0),
        x2: (bbox.x2 + margin).min(grid.frame.width),
        y2: (bbox.y2 + around + margin).min(grid.frame.height),
    }
}

/// Returns the resolution in dpi at which the lowest row of a grid has the wanted height, within the limits of OCR, of the scan
/// and of memory.
fn resolution(grid: &Grid, region: &Rect, max_dpi: f32) -> f32 {
    let heights = grid.rows.array_windows().map(|[top, bottom]| bottom - top);
    let row = heights.filter(|height| *height > MIN_ROW_HEIGHT).fold(MAX_ROW_HEIGHT, f32::min);
    let affordable = (MAX_PIXELS / region.signed_area().max(1.0)).sqrt() * 72.0;
    (72.0 * ROW_PIXELS / row).clamp(MIN_DPI, MAX_DPI).min(max_dpi).min(affordable)
}

/// Returns the number of quarter turns, counterclockwise, from the displayed page to the grid's reading direction.
fn turns(grid: &Grid, geometry: &Geometry) -> usize {
    let angle = (grid.frame.angle - geometry.rotation as f32).rem_euclid(360.0);
    (angle / 90.0).round() as usize % 4
}

/// The image of a cell that waits for OCR.
struct Pending {
    /// The index of the cell.
    cell: usize,
    crop: GreyImage,
    /// Whether it was turned because its text runs upwards.
    turned: bool,
    /// Pixels per point.
    scale: f32,
}

impl Pending {
    /// Returns the image of a cell, turned so that its text is upright. `scale` is in pixels per point.
    fn new(index: usize, cell: &Cell, cut: CellImage, scale: f32) -> Self {
        let turned = cut.reads_upwards(cell);
        let crop = if turned { cut.crop.clockwise() } else { cut.crop };
        Self { cell: index, crop, turned, scale }
    }

    /// Returns a word that OCR read in the image as text of its cell, which is at `cell` in the frame.
    fn fragment(&self, word: ReadWord, cell: &Rect) -> TextFragment {
        let read = Rect {
            x1: word.bbox.x1 / self.scale,
            y1: word.bbox.y1 / self.scale,
            x2: word.bbox.x2 / self.scale,
            y2: word.bbox.y2 / self.scale,
        };
        let bbox = if self.turned {
            // Only the order of words along the line matters, not their position across it.
            Rect { x1: read.y1, y1: -read.x1, x2: read.y1, y2: -read.x1 }
        } else {
            Rect { x1: cell.x1 + read.x1, y1: cell.y1 + read.y1, x2: cell.x1 + read.x2, y2: cell.y1 + read.y2 }
        };
        TextFragment { turns: u8::from(self.turned), ..fragment(word.text, bbox, word.line) }
    }
}

/// Replaces the text of some cells of a grid by what their pixels show. `None` if OCR is not available.
pub(crate) fn read(sheet: &Sheet<'_>, image: &TableImage, grid: &mut Grid, wanted: &[usize]) -> Option<OcrConfidence> {
    let mut pending = read_signs(image, grid, wanted);
    // OCR is trained on printed type, so slanted lettering is sheared.
    let slant = slant(pending.iter().map(|own| &own.crop));
    if slant > 0.0 {
        for own in &mut pending {
            own.crop = sheared(&own.crop, slant);
        }
    }
    pending.sort_by_key(|own| (own.crop.width / WIDTH_STEP, own.cell));
    let crops: Vec<&GreyImage> = pending.iter().map(|own| &own.crop).collect();
    let read = ocr::read_batches(sheet, &crops)?;
    let mut confidence = OcrConfidence::default();
    for (own, words) in pending.iter().zip(read) {
        let Some(cell) = grid.cells.get_mut(own.cell) else { continue };
        for word in words {
            confidence.add(OcrConfidence { words: 1, confidence: word.confidence });
            cell.fragments.push(own.fragment(word, &cell.bbox));
        }
    }
    Some(confidence)
}

/// Replaces the text of some cells by the signs in them, and returns the images of those that hold text.
fn read_signs(image: &TableImage, grid: &mut Grid, wanted: &[usize]) -> Vec<Pending> {
    let mut cuts: Vec<(usize, CellImage)> = Vec::new();
    for &index in wanted.iter().take(MAX_CELLS) {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        cell.fragments.clear();
        cuts.extend(CellImage::cut(image, cell.bbox, INSET).map(|cut| (index, cut)));
    }
    let letter_height = letter_height(cuts.iter().map(|(_, cut)| cut));
    let mut pending = Vec::new();
    for (index, cut) in cuts {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        match cut.sign(letter_height) {
            Some(sign) => cell.fragments.push(fragment(sign, cell.bbox, 0)),
            None => pending.push(Pending::new(index, cell, cut, image.scale)),
        }
    }
    pending
}

/// Returns the lines of text in a box of the frame, the lowest first. `None` if OCR is not available.
pub(crate) fn lines(sheet: &Sheet<'_>, image: &TableImage, bbox: Rect) -> Option<Vec<TextFragment>> {
    let Some(cut) = CellImage::cut(image, bbox, 0.0) else { return Some(Vec::new()) };
    let words = ocr::read_batch(sheet, &[&cut.crop])?.into_iter().next().unwrap_or_default();
    let mut lines = Vec::new();
    for line in words.chunk_by(|a, b| a.line == b.line).rev() {
        let texts: Vec<&str> = line.iter().map(|word| word.text.as_str()).collect();
        lines.push(fragment(texts.join(" "), bbox, line[0].line));
    }
    Some(lines)
}

fn fragment(text: String, bbox: Rect, line: u32) -> TextFragment {
    TextFragment { text, bbox, turns: 0, line, size: 0.0, bold: false }
}

/// Returns the median height of letters in points; if there are none, a height that no sign has.
fn letter_height<'a>(cells: impl Iterator<Item = &'a CellImage>) -> f32 {
    let shapes = cells.flat_map(|cell| &cell.shapes);
    let heights = shapes.map(Shape::height).filter(|height| LETTER_HEIGHT.contains(height));
    median(heights.collect()).unwrap_or(f32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_turned_text_follow_each_other_upwards() {
        let crop = GreyImage { width: 1, height: 1, grey: vec![0] };
        let turned = Pending { cell: 0, crop, turned: true, scale: 2.0 };
        let word = |x: f32| ReadWord {
            text: "MARK".to_owned(),
            bbox: Rect { x1: x, y1: 4.0, x2: x + 20.0, y2: 10.0 },
            confidence: 1.0,
            line: 0,
            angle: 0.0,
        };
        let cell = Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 100.0 };
        let [first, second] = [word(0.0), word(40.0)].map(|word| turned.fragment(word, &cell));
        assert!(first.bbox.y1 > second.bbox.y1 && first.turns == 1);
    }
}
