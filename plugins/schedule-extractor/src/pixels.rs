//! Reads cells from the page's pixels.
//!
//! The part of the page with a table is rendered once. Each cell is cut out of it, cleaned of rules and dirt
//! (`components`), and is empty, a sign (`signs`), or text. Text is prepared (`lettering`) and read by OCR, many cells
//! at a time (`ocr`).

mod components;
mod lettering;
mod ocr;
mod signs;

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::{RectExt as _, median};
use fanlight_raster::GreyImage;
use fanlight_tables::{Cell, Grid, TextFragment};

use crate::sheet::Sheet;
use components::{ComponentClassifier, STROKE};
use lettering::{enlarged, mixed_number, sheared, slant, turned};
use signs::{Shape, SignInput};

/// The rendered part of a page with a table, in the grid's frame.
pub(crate) struct TableImage {
    image: GreyImage,
    foreground: Vec<bool>,
    /// A pixel with at most this grey value is certainly foreground: pencil smudges and the paper's grain are lighter.
    certain: u8,
    /// The point of the frame at the image's upper left corner.
    x: f32,
    y: f32,
    /// Pixels per point.
    scale: f32,
    /// Whether the page is a scan, in which rules are not exactly where they were detected.
    scanned: bool,
}

/// How confident OCR is of some cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OcrConfidence {
    /// The number of words.
    pub(crate) words: usize,
    /// The sum of their confidences.
    pub(crate) confidence: f32,
}

/// The most pixels of a rendering. The engine needs several times as many bytes.
const MAX_PIXELS: f32 = 24_000_000.0;
/// The least resolution in dpi: below, letters run together.
const MIN_DPI: f32 = 150.0;
/// The greatest resolution in dpi: above, nothing is gained.
const MAX_DPI: f32 = 400.0;
/// The wanted height of a row of one line, in pixels. Capitals are about 0.4 of it, and OCR reads them best at 30 pixels.
const ROW_PIXELS: f32 = 75.0;
/// How far rules extend into a cell, in points.
const INSET: f32 = 1.0;
/// Pieces of a cell's rules are within this distance from its edges on paper, in points.
const PAPER_EDGE: f32 = 3.5;
/// The same where rules are drawn exactly and letters may be beside them, in points.
const DRAWN_EDGE: f32 = 1.6;
/// The most cells that are read on a page.
pub(crate) const MAX_CELLS: usize = 6000;

impl OcrConfidence {
    /// Adds the words of more cells.
    pub(crate) fn add(&mut self, more: Self) {
        self.words += more.words;
        self.confidence += more.confidence;
    }
}

impl TableImage {
    /// Renders the part of the page under a grid, and `around` points above and below it. `scan` is the skew (pixels per pixel) and
    /// the resolution (dpi) of a scanned page.
    pub(crate) fn render(sheet: &Sheet<'_>, grid: &Grid, around: f32, scan: Option<(f32, f32)>) -> Option<Self> {
        let (skew, finest) = scan.unwrap_or((0.0, MAX_DPI));
        let geometry = sheet.page.geometry();
        let heights = grid.rows.windows(2).map(|pair| pair[1] - pair[0]);
        let row = heights.filter(|height| *height > 6.0).fold(40.0, f32::min);
        let drift = skew.abs() * (grid.bbox.x2 - grid.bbox.x1 + grid.bbox.y2 - grid.bbox.y1) + 4.0;
        let region = Rect {
            x1: (grid.bbox.x1 - drift).max(0.0),
            y1: (grid.bbox.y1 - around - drift).max(0.0),
            x2: (grid.bbox.x2 + drift).min(grid.frame.width),
            y2: (grid.bbox.y2 + around + drift).min(grid.frame.height),
        };
        let area = region.signed_area();
        let most = (MAX_PIXELS / area.max(1.0)).sqrt() * 72.0;
        let dpi = (72.0 * ROW_PIXELS / row).clamp(MIN_DPI, MAX_DPI).min(finest).min(most);
        let mut image = sheet.render(Some(grid.frame.to_user_space(region)), dpi)?;
        let scale = dpi / 72.0;
        for _ in 0..turns(grid, &geometry) {
            image = turned(&image);
        }
        let (mut x, mut y) = (region.x1, region.y1);
        if skew != 0.0 {
            image = image.deskewed(skew);
            // The page was deskewed about its center, this part about its own.
            let dx = f32::midpoint(region.x1, region.x2) - grid.frame.width / 2.0;
            let dy = f32::midpoint(region.y1, region.y2) - grid.frame.height / 2.0;
            x += skew * dy;
            y -= skew * dx;
        }
        let foreground = image.binarized();
        let certain = certain_grey(&image, &foreground);
        Some(Self { image, foreground, certain, x, y, scale, scanned: scan.is_some() })
    }

    /// Returns the indices of the grid's cells that are not empty. `left` is the number of cells that may still be
    /// examined.
    pub(crate) fn filled_cells(&self, grid: &Grid, left: &mut usize) -> Vec<usize> {
        let examined = grid.cells.len().min(*left);
        *left -= examined;
        (0..examined).filter(|&index| self.cut(grid.cells[index].bbox, INSET).is_some()).collect()
    }

    /// Cuts a box of the frame out, without pieces of rules and specks. `None` if nothing is in it.
    fn cut(&self, bbox: Rect, inset: f32) -> Option<CellImage> {
        let pixel = |value: f32, origin: f32| ((value - origin) * self.scale).round().max(0.0) as usize;
        let (x1, x2) = (pixel(bbox.x1 + inset, self.x), pixel(bbox.x2 - inset, self.x).min(self.image.width));
        let (y1, y2) = (pixel(bbox.y1 + inset, self.y), pixel(bbox.y2 - inset, self.y).min(self.image.height));
        if x2 <= x1 + 3 || y2 <= y1 + 3 {
            return None;
        }
        let (width, height) = (x2 - x1, y2 - y1);
        let mut foreground = Vec::with_capacity(width * height);
        for y in y1..y2 {
            foreground.extend_from_slice(self.foreground.get(y * self.image.width + x1..y * self.image.width + x2)?);
        }
        let reach = if self.scanned { PAPER_EDGE } else { DRAWN_EDGE };
        let edge = ((reach * self.scale) as usize).min(width / 4).min(height / 4);
        clear_rules(&mut foreground, width, height, edge);
        let darkness = |index: usize| 255 - self.image.at(x1 + index % width, y1 + index / width);
        let classifier = ComponentClassifier::new(width, height, edge, self.scale, 255 - self.certain, self.scanned);
        let strokes = components::strokes(&mut foreground, &darkness, &classifier);
        let (left, right) =
            (strokes.iter().map(|stroke| stroke.x1).min()?, strokes.iter().map(|stroke| stroke.x2).max()?);
        let (top, bottom) =
            (strokes.iter().map(|stroke| stroke.y1).min()?, strokes.iter().map(|stroke| stroke.y2).max()?);
        let mut crop = GreyImage {
            width: right - left + 1,
            height: bottom - top + 1,
            grey: Vec::with_capacity((right - left + 1) * (bottom - top + 1)),
        };
        for y in top..=bottom {
            for x in left..=right {
                let is_near_stroke = (y.saturating_sub(1)..=(y + 1).min(height - 1))
                    .any(|ny| (x.saturating_sub(1)..=(x + 1).min(width - 1)).any(|nx| foreground[ny * width + nx]));
                crop.grey.push(if is_near_stroke { self.image.at(x1 + x, y1 + y) } else { 255 });
            }
        }
        // A component that is faint beside a sign is no stroke of it.
        let darkest = strokes.iter().map(|stroke| stroke.darkness).max()?;
        let shapes: Vec<Shape> = strokes
            .iter()
            .filter(|stroke| 5 * stroke.darkness >= darkest)
            .map(|stroke| Shape {
                bbox: Rect {
                    x1: stroke.x1 as f32 / self.scale,
                    y1: stroke.y1 as f32 / self.scale,
                    x2: (stroke.x2 + 1) as f32 / self.scale,
                    y2: (stroke.y2 + 1) as f32 / self.scale,
                },
                filled: stroke.count as f32 / ((stroke.x2 - stroke.x1 + 1) * (stroke.y2 - stroke.y1 + 1)) as f32,
            })
            .collect();
        Some(CellImage { crop, shapes, height: height as f32 / self.scale, scale: self.scale, scanned: self.scanned })
    }
}

/// Returns the grey value up to which a pixel is certainly foreground: 62 percent as dark as the darkest twentieth of the
/// foreground.
fn certain_grey(image: &GreyImage, foreground: &[bool]) -> u8 {
    let mut counts = [0_usize; 256];
    for (pixel, _) in image.grey.iter().zip(foreground).filter(|(_, is_foreground)| **is_foreground) {
        counts[usize::from(*pixel)] += 1;
    }
    let all: usize = counts.iter().sum();
    let mut darker = 0;
    let mut dark = 0;
    for (value, count) in counts.iter().enumerate() {
        darker += count;
        if 20 * darker >= all {
            dark = value;
            break;
        }
    }
    (255 - (255 - dark) * 62 / 100) as u8
}

/// The image of a cell, cut to its foreground.
struct CellImage {
    crop: GreyImage,
    /// The strokes of letters and signs.
    shapes: Vec<Shape>,
    /// The height of the cell in points.
    height: f32,
    /// Pixels per point.
    scale: f32,
    /// Whether it was drawn on paper.
    scanned: bool,
}

/// Heights of capitals in pixels: OCR reads them best at the first, and smaller than the second they are enlarged.
const BEST_LETTER_PIXELS: f32 = 26.0;
const MIN_LETTER_PIXELS: f32 = 14.0;
const MAX_ENLARGEMENT: f32 = 2.5;

impl CellImage {
    /// Returns the factor of enlargement at which OCR reads its letters well.
    fn enlargement(&self) -> f32 {
        let mut heights: Vec<f32> = self.shapes.iter().map(Shape::height).filter(|height| *height > STROKE).collect();
        heights.sort_by(f32::total_cmp);
        let capitals = heights.get(heights.len() * 3 / 4);
        let height = capitals.map_or(f32::MAX, |height| height * self.scale);
        if height < MIN_LETTER_PIXELS { (BEST_LETTER_PIXELS / height).min(MAX_ENLARGEMENT) } else { 1.0 }
    }

    /// Returns the sign in the cell, if it is one that OCR would not read. `letter_height` is the usual height of the
    /// table's letters in points.
    fn sign(&self, letter_height: f32) -> Option<String> {
        SignInput { shapes: &self.shapes, cell_height: self.height, letter_height, scanned: self.scanned }.sign()
    }
}

/// Returns the number of quarter turns, counterclockwise, from the displayed page to the grid's reading direction.
fn turns(grid: &Grid, geometry: &Geometry) -> usize {
    let off = (grid.frame.angle - geometry.rotation as f32).rem_euclid(360.0);
    (off / 90.0).round() as usize % 4
}

/// Clears rows and columns near the edges that are mostly foreground: what is left of a rule.
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

/// Replaces the text of some cells of a grid by what their pixels show. `None` if OCR is not available.
pub(crate) fn read(sheet: &Sheet<'_>, image: &TableImage, grid: &mut Grid, wanted: &[usize]) -> Option<OcrConfidence> {
    let mut confidence = OcrConfidence::default();
    let mut cuts: Vec<(usize, CellImage)> = Vec::new();
    for &index in wanted.iter().take(MAX_CELLS) {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        cell.fragments.clear();
        cuts.extend(image.cut(cell.bbox, INSET).map(|cut| (index, cut)));
    }
    let letter_height = letter_height(cuts.iter().map(|(_, cut)| cut));
    let mut pending: Vec<Pending> = Vec::new();
    for (index, cut) in cuts {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        if let Some(sign) = cut.sign(letter_height) {
            cell.fragments.push(fragment(sign, cell.bbox, 0));
            continue;
        }
        let turned_up = reads_upwards(cell, &cut);
        let larger = cut.enlargement();
        let crop = if turned_up { turned(&cut.crop) } else { cut.crop };
        pending.push(Pending {
            cell: index,
            crop: enlarged(&crop, larger),
            turned: turned_up,
            scale: image.scale * larger,
        });
    }
    // OCR is trained on printed type, so slanted lettering is sheared.
    let slant = slant(pending.iter().map(|own| &own.crop));
    if slant > 0.0 {
        for own in &mut pending {
            own.crop = sheared(&own.crop, slant);
        }
    }
    // Cells of similar width are read together.
    pending.sort_by_key(|own| (own.crop.width / 200, own.cell));
    let crops: Vec<&GreyImage> = pending.iter().map(|own| &own.crop).collect();
    let mut read = ocr::read_batches(sheet, &crops)?;
    if image.scanned {
        ocr::read_again(sheet, &crops, &mut read)?;
    }
    for (own, words) in pending.iter().zip(read) {
        let Some(cell) = grid.cells.get_mut(own.cell) else { continue };
        for word in words {
            confidence.words += 1;
            confidence.confidence += word.confidence;
            let bbox = if own.turned {
                // Only the order along the line matters, not the position across it.
                let (near, far) = (word.bbox.x1 / own.scale, word.bbox.y1 / own.scale);
                Rect { x1: far, y1: -near, x2: far, y2: -near }
            } else {
                let place = |x: f32, y: f32| (cell.bbox.x1 + x / own.scale, cell.bbox.y1 + y / own.scale);
                let ((x1, y1), (x2, y2)) = (place(word.bbox.x1, word.bbox.y1), place(word.bbox.x2, word.bbox.y2));
                Rect { x1, y1, x2, y2 }
            };
            let text = mixed_number(word.text);
            cell.fragments.push(TextFragment { turns: u8::from(own.turned), ..fragment(text, bbox, word.line) });
        }
    }
    Some(confidence)
}

/// Returns the lines of text in a box of the frame. `None` if OCR is not available.
pub(crate) fn lines(sheet: &Sheet<'_>, image: &TableImage, bbox: Rect) -> Option<Vec<TextFragment>> {
    let Some(cut) = image.cut(bbox, 0.0) else { return Some(Vec::new()) };
    let words = ocr::read_batch(sheet, &[&cut.crop])?.into_iter().next().unwrap_or_default();
    let mut lines: Vec<(u32, String)> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some((line, text)) if *line == word.line => {
                text.push(' ');
                text.push_str(&word.text);
            }
            _ => lines.push((word.line, word.text)),
        }
    }
    Some(lines.into_iter().rev().map(|(line, text)| fragment(text, bbox, line)).collect())
}

fn fragment(text: String, bbox: Rect, line: u32) -> TextFragment {
    TextFragment { text, bbox, turns: 0, line, size: 0.0, bold: false }
}

/// Returns the median height of letters in points; if there are none, a height that no sign has.
fn letter_height<'a>(cells: impl Iterator<Item = &'a CellImage>) -> f32 {
    let shapes = cells.flat_map(|cell| &cell.shapes);
    let heights = shapes.map(Shape::height).filter(|height| (3.0..24.0).contains(height));
    median(heights.collect()).unwrap_or(f32::MAX)
}

/// Returns whether a cell's text runs upwards: the cell and its foreground are much higher than wide, and the foreground
/// is higher than two lines.
fn reads_upwards(cell: &Cell, image: &CellImage) -> bool {
    let (width, height) = (cell.bbox.x2 - cell.bbox.x1, cell.bbox.y2 - cell.bbox.y1);
    let (crop_width, crop_height) = (image.crop.width as f32, image.crop.height as f32);
    height > 1.3 * width && crop_height > 1.8 * crop_width && crop_height / image.scale > 16.0
}
