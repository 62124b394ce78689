//! Reads cells from the page's pixels.
//!
//! A table's part of the page is rendered once, its cells are cut out of it, and what is in them is told apart: nothing,
//! a dash, a ditto mark, a dot, or text. Text goes to OCR, many cells in one picture below each other: a call for each
//! cell would take as long as the program needs to start, hundreds of times.

use fanlight_tables::{Cell, Grid, Picture, Piece};
use fanlight_vocabulary::{Geometry, Raster, Rect};

use crate::{ReadWord, Sheet};

/// Part of a page as pixels, in a grid's frame.
pub(crate) struct View {
    picture: Picture,
    ink: Vec<bool>,
    /// A pixel this dark is ink for certain: pencil smudges and paper's grain are lighter.
    certain: u8,
    /// The frame's point at the picture's upper left corner.
    x: f32,
    y: f32,
    /// Pixels a point.
    scale: f32,
}

/// What OCR made of some cells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Words that were read.
    pub(crate) words: usize,
    /// Sum of their confidences.
    pub(crate) confidence: f32,
}

/// Pixels of one rendering at most: the engine takes several times as many bytes.
const MOST_PIXELS: f32 = 24_000_000.0;
/// Resolutions that make sense: below, letters run together; above, nothing is gained.
const DPI: (f32, f32) = (150.0, 400.0);
/// Capitals are some 0.4 of the height of a row of one line, and read best at 30 pixels: so many pixels a row.
const ROW_PIXELS: f32 = 75.0;
/// White space around a cell's text and between the cells of a picture for OCR, in pixels.
const MARGIN: usize = 26;
/// Height and width of a picture for OCR at most, in pixels.
const BATCH: (usize, usize) = (3200, 5000);
/// Rules reach so far into a cell, in points.
const INSET: f32 = 1.0;
/// Within so many points from its edges a cell may still hold pieces of its rules.
const EDGE: f32 = 3.5;
/// Ink of less than the square of this many points is a speck.
const SPECK: f32 = 0.6;
/// Slants of lettering that are looked for, in pixels a pixel, and how much better one has to be than none.
const SLANTS: [f32; 5] = [0.0, 0.12, 0.22, 0.32, 0.42];
const SLANTED: f64 = 1.12;
/// How much further from white a smoothed stroke is made.
const DARKER: f32 = 1.6;
/// Words that OCR is less sure of than this are none.
const DOUBTFUL: f32 = 0.18;
/// Cells that are read on a page at most.
pub(crate) const MOST_CELLS: usize = 6000;

impl View {
    /// Renders what lies under a grid, and `above` points above it. Of a scan are told the slope that it is askew by and
    /// its own resolution.
    pub(crate) fn of(sheet: &impl Sheet, grid: &Grid, above: f32, scan: Option<(f32, f32)>) -> Option<Self> {
        let (slope, finest) = scan.unwrap_or((0.0, DPI.1));
        let geometry = sheet.geometry();
        let heights = grid.rows.windows(2).map(|pair| pair[1] - pair[0]);
        let row = heights.filter(|height| *height > 6.0).fold(40.0, f32::min);
        let drift = slope.abs() * (grid.bbox.x2 - grid.bbox.x1 + grid.bbox.y2 - grid.bbox.y1) + 4.0;
        let region = Rect {
            x1: (grid.bbox.x1 - drift).max(0.0),
            y1: (grid.bbox.y1 - above - drift).max(0.0),
            x2: (grid.bbox.x2 + drift).min(grid.frame.width),
            y2: (grid.bbox.y2 + drift).min(grid.frame.height),
        };
        let area = (region.x2 - region.x1) * (region.y2 - region.y1);
        let most = (MOST_PIXELS / area.max(1.0)).sqrt() * 72.0;
        let dpi = (72.0 * ROW_PIXELS / row).clamp(DPI.0, DPI.1).min(finest).min(most);
        let raster = sheet.render(Some(grid.frame.to_user_space(region)), dpi)?;
        let scale = dpi / 72.0;
        let mut picture = Picture::of(&raster);
        for _ in 0..turns(grid, &geometry) {
            picture = turned(&picture);
        }
        let (mut x, mut y) = (region.x1, region.y1);
        if slope != 0.0 {
            picture = picture.levelled(slope);
            // The page was levelled about its middle, this part about its own.
            let dx = f32::midpoint(region.x1, region.x2) - grid.frame.width / 2.0;
            let dy = f32::midpoint(region.y1, region.y2) - grid.frame.height / 2.0;
            x += slope * dy;
            y -= slope * dx;
        }
        let ink = picture.ink();
        let certain = certain(&picture, &ink);
        Some(Self { picture, ink, certain, x, y, scale })
    }

    /// A box of the frame cut out; black on white, pieces of rules and specks taken out. None where nothing is in it.
    fn cut(&self, bbox: Rect, inset: f32) -> Option<Cut> {
        let pixel = |value: f32, origin: f32| ((value - origin) * self.scale).round().max(0.0) as usize;
        let (x1, x2) = (pixel(bbox.x1 + inset, self.x), pixel(bbox.x2 - inset, self.x).min(self.picture.width));
        let (y1, y2) = (pixel(bbox.y1 + inset, self.y), pixel(bbox.y2 - inset, self.y).min(self.picture.height));
        if x2 <= x1 + 3 || y2 <= y1 + 3 {
            return None;
        }
        let (width, height) = (x2 - x1, y2 - y1);
        let mut ink = Vec::with_capacity(width * height);
        for y in y1..y2 {
            ink.extend_from_slice(self.ink.get(y * self.picture.width + x1..y * self.picture.width + x2)?);
        }
        let edge = ((EDGE * self.scale) as usize).min(width / 4).min(height / 4);
        clear_rules(&mut ink, width, height, edge);
        let sure = |index: usize| {
            let (x, y) = (x1 + index % width, y1 + index / width);
            self.picture.at(x, y) <= self.certain
        };
        let parts = parts(&mut ink, &sure, width, height, (self.scale * SPECK).powi(2).max(2.0) as usize, edge);
        let kept: Vec<&Part> = parts.iter().filter(|part| part.kept).collect();
        let (left, right) = (kept.iter().map(|part| part.x1).min()?, kept.iter().map(|part| part.x2).max()?);
        let (top, bottom) = (kept.iter().map(|part| part.y1).min()?, kept.iter().map(|part| part.y2).max()?);
        let mut crop = Picture {
            width: right - left + 1,
            height: bottom - top + 1,
            grey: Vec::with_capacity((right - left + 1) * (bottom - top + 1)),
        };
        for y in top..=bottom {
            for x in left..=right {
                let near_ink = (y.saturating_sub(1)..=(y + 1).min(height - 1))
                    .any(|ny| (x.saturating_sub(1)..=(x + 1).min(width - 1)).any(|nx| ink[ny * width + nx]));
                crop.grey.push(if near_ink { self.picture.at(x1 + x, y1 + y) } else { 255 });
            }
        }
        // A speck beside a sign is no stroke of it.
        let largest = kept.iter().map(|part| part.count).max()?;
        let shapes: Vec<Shape> = kept
            .iter()
            .filter(|part| 5 * part.count >= largest)
            .map(|part| Shape {
                wide: (part.x2 - part.x1 + 1) as f32 / self.scale,
                tall: (part.y2 - part.y1 + 1) as f32 / self.scale,
                filled: part.count as f32 / ((part.x2 - part.x1 + 1) * (part.y2 - part.y1 + 1)) as f32,
            })
            .collect();
        let strokes = kept.iter().filter(|part| 5 * part.count >= largest);
        let (low, high) = strokes.fold(((usize::MAX, usize::MAX), (0, 0)), |(low, high), part| {
            ((low.0.min(part.x1), low.1.min(part.y1)), (high.0.max(part.x2), high.1.max(part.y2)))
        });
        let strokes = ((high.0 + 1 - low.0) as f32 / self.scale, (high.1 + 1 - low.1) as f32 / self.scale);
        Some(Cut { crop, shapes, strokes, scale: self.scale })
    }
}

/// How dark ink is for certain: nearly as dark as the darker half of it.
fn certain(picture: &Picture, ink: &[bool]) -> u8 {
    let mut counts = [0_usize; 256];
    for (pixel, _) in picture.grey.iter().zip(ink).filter(|(_, ink)| **ink) {
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

/// What was cut out of a cell: no more than its ink.
struct Cut {
    crop: Picture,
    shapes: Vec<Shape>,
    /// Extent of these, in points.
    strokes: (f32, f32),
    scale: f32,
}

/// One connected piece of ink; sizes in points.
struct Shape {
    wide: f32,
    tall: f32,
    filled: f32,
}

impl Cut {
    /// The sign that these few strokes are, if they are one that OCR wouldn't read.
    fn sign(&self) -> Option<&'static str> {
        let (wide, tall) = self.strokes;
        match self.shapes.as_slice() {
            [dash] if dash.wide >= 2.2 * dash.tall && dash.tall <= 3.0 && dash.filled > 0.3 && wide <= 40.0 => {
                Some(if wide > 9.0 { "—" } else { "-" })
            }
            [dot] if dot.wide <= 1.3 * dot.tall && dot.tall <= 1.3 * dot.wide && dot.filled > 0.68 && wide >= 2.0 => {
                Some("●")
            }
            [_, _] | [_]
                if wide <= 7.0 && (1.2..=5.0).contains(&tall) && self.shapes.iter().all(|s| s.tall >= s.wide) =>
            {
                (self.shapes.len() == 2).then_some("\"")
            }
            _ => None,
        }
    }
}

/// Quarter turns counterclockwise from the way a viewer shows the page to a grid's reading direction.
fn turns(grid: &Grid, geometry: &Geometry) -> usize {
    let off = (grid.frame.angle - geometry.rotation as f32).rem_euclid(360.0);
    (off / 90.0).round() as usize % 4
}

/// A picture turned by a quarter, so that what read upwards reads to the right.
fn turned(picture: &Picture) -> Picture {
    let (width, height) = (picture.height, picture.width);
    let mut grey = Vec::with_capacity(picture.grey.len());
    for y in 0..height {
        for x in 0..width {
            grey.push(picture.at(y, picture.height - 1 - x));
        }
    }
    Picture { width, height, grey }
}

/// How much lettering leans to the right: the slant without which its strokes gather best in columns.
fn slant<'a>(crops: impl Iterator<Item = &'a Picture>) -> f32 {
    let mut sums = [0.0_f64; SLANTS.len()];
    for crop in crops {
        for (sum, slant) in sums.iter_mut().zip(SLANTS) {
            let upright = upright(crop, slant);
            let mut columns = vec![0_u32; upright.width];
            for row in upright.grey.chunks_exact(upright.width.max(1)) {
                for (column, &pixel) in columns.iter_mut().zip(row) {
                    *column += u32::from(pixel < 140);
                }
            }
            *sum += columns.iter().map(|&count| f64::from(count) * f64::from(count)).sum::<f64>();
        }
    }
    let best = (0..SLANTS.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
    if sums[best] > SLANTED * sums[0] { SLANTS[best] } else { 0.0 }
}

/// A picture sheared so that strokes which lean to the right by `slant` stand upright.
fn upright(crop: &Picture, slant: f32) -> Picture {
    if slant == 0.0 {
        return crop.clone();
    }
    let more = (slant * crop.height as f32).ceil() as usize;
    let width = crop.width + more;
    let mut grey = Vec::with_capacity(width * crop.height);
    for y in 0..crop.height {
        let shift = (slant * y as f32).round() as usize;
        grey.extend((0..width).map(|x| crop.at(x.wrapping_sub(shift), y)));
    }
    Picture { width, height: crop.height, grey }
}

/// Takes rows and columns near the edges out that are mostly ink: what is left of a rule.
fn clear_rules(ink: &mut [bool], width: usize, height: usize, edge: usize) {
    for off in 0..edge {
        for y in [off, height - 1 - off] {
            let row = &mut ink[y * width..(y + 1) * width];
            if 2 * row.iter().filter(|ink| **ink).count() > width {
                row.fill(false);
            }
        }
        for x in [off, width - 1 - off] {
            let count = (0..height).filter(|y| ink[y * width + x]).count();
            if 2 * count > height {
                (0..height).for_each(|y| ink[y * width + x] = false);
            }
        }
    }
}

/// A connected piece of ink and the box around it.
struct Part {
    x1: usize,
    y1: usize,
    x2: usize,
    y2: usize,
    count: usize,
    kept: bool,
}

/// Connected pieces of at least so many pixels. What only lies along the edge is a rule's and isn't kept; small ones are
/// taken out of the ink.
fn parts(
    ink: &mut [bool],
    sure: &impl Fn(usize) -> bool,
    width: usize,
    height: usize,
    fewest: usize,
    edge: usize,
) -> Vec<Part> {
    let mut seen = vec![false; ink.len()];
    let mut parts = Vec::new();
    let mut stack = Vec::new();
    let mut own = Vec::new();
    for start in 0..ink.len() {
        if !ink[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        own.clear();
        let (x, y) = (start % width, start / width);
        let mut part = Part { x1: x, y1: y, x2: x, y2: y, count: 0, kept: false };
        while let Some(index) = stack.pop() {
            own.push(index);
            let (x, y) = (index % width, index / width);
            part = Part {
                x1: part.x1.min(x),
                y1: part.y1.min(y),
                x2: part.x2.max(x),
                y2: part.y2.max(y),
                count: part.count + 1,
                kept: false,
            };
            for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                    let next = ny * width + nx;
                    if ink[next] && !seen[next] {
                        seen[next] = true;
                        stack.push(next);
                    }
                }
            }
        }
        let (wide, tall) = (part.x2 - part.x1 + 1, part.y2 - part.y1 + 1);
        let at_edge = part.x2 < edge || part.y2 < edge || part.x1 + edge >= width || part.y1 + edge >= height;
        let flat = wide.max(tall) >= 4 * wide.min(tall);
        let far_off_edge = at_edge && (flat || part.count < 4 * fewest);
        let certain = own.iter().filter(|&&index| sure(index)).count();
        part.kept = part.count >= fewest && 8 * certain >= part.count && !far_off_edge;
        if !part.kept {
            for &index in &own {
                ink[index] = false;
            }
        }
        parts.push(part);
    }
    parts
}

/// Reads cells of a grid; what was in them before is gone. None where OCR is not to be had.
pub(crate) fn read(sheet: &impl Sheet, view: &View, grid: &mut Grid, wanted: &[usize]) -> Option<Reading> {
    let mut reading = Reading::default();
    let mut pending: Vec<(usize, Picture, bool)> = Vec::new();
    for &index in wanted.iter().take(MOST_CELLS) {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        cell.pieces.clear();
        let Some(cut) = view.cut(cell.bbox, INSET) else { continue };
        if let Some(sign) = cut.sign() {
            cell.pieces.push(piece(sign.to_owned(), cell.bbox, 0));
            continue;
        }
        let upward = reads_upwards(cell, &cut);
        let crop = if upward { turned(&cut.crop) } else { cut.crop };
        pending.push((index, crop, upward));
    }
    // Lettering that leans is set upright: OCR has learned from type.
    let slant = slant(pending.iter().map(|(_, crop, _)| crop));
    if slant > 0.0 {
        for (_, crop, _) in &mut pending {
            *crop = upright(crop, slant);
        }
    }
    // Cells of a like width and height are read together.
    pending.sort_by_key(|(index, crop, _)| (crop.width / 200, *index));
    let mut start = 0;
    while start < pending.len() {
        let mut tall = MARGIN;
        let mut end = start;
        while end < pending.len() && (end == start || tall + pending[end].1.height + MARGIN <= BATCH.0) {
            tall += pending[end].1.height + MARGIN;
            end += 1;
        }
        let batch = pending.get(start..end)?;
        let crops: Vec<&Picture> = batch.iter().map(|(_, crop, _)| crop).collect();
        for (slot, words) in recognized(sheet, &crops)?.into_iter().enumerate() {
            let Some((index, crop, upward)) = batch.get(slot) else { continue };
            let Some(cell) = grid.cells.get_mut(*index) else { continue };
            for word in words {
                reading.words += 1;
                reading.confidence += word.confidence;
                let bbox = if *upward {
                    // In order along the line; the place across doesn't matter.
                    let (near, far) = (word.bbox.x1 / view.scale, word.bbox.y1 / view.scale);
                    Rect { x1: far, y1: -near, x2: far, y2: -near }
                } else {
                    let _ = crop;
                    let place = |x: f32, y: f32| (cell.bbox.x1 + x / view.scale, cell.bbox.y1 + y / view.scale);
                    let ((x1, y1), (x2, y2)) = (place(word.bbox.x1, word.bbox.y1), place(word.bbox.x2, word.bbox.y2));
                    Rect { x1, y1, x2, y2 }
                };
                let turns = u8::from(*upward);
                cell.pieces.push(Piece { turns, ..piece(word.text, bbox, word.line) });
            }
        }
        start = end;
    }
    Some(reading)
}

/// The lines of text in a box of the frame.
pub(crate) fn lines(sheet: &impl Sheet, view: &View, bbox: Rect) -> Option<Vec<Piece>> {
    let Some(cut) = view.cut(bbox, 0.0) else { return Some(Vec::new()) };
    let words = recognized(sheet, &[&cut.crop])?.into_iter().next().unwrap_or_default();
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
    Some(lines.into_iter().rev().map(|(line, text)| piece(text, bbox, line)).collect())
}

fn piece(text: String, bbox: Rect, line: u32) -> Piece {
    Piece { text, bbox, turns: 0, line, size: 0.0, bold: false }
}

/// Whether a cell's text reads upwards: both it and its ink are much taller than wide, and taller than a line or two.
fn reads_upwards(cell: &Cell, cut: &Cut) -> bool {
    let (wide, tall) = (cell.bbox.x2 - cell.bbox.x1, cell.bbox.y2 - cell.bbox.y1);
    let (inked_wide, inked_tall) = (cut.crop.width as f32, cut.crop.height as f32);
    tall > 1.3 * wide && inked_tall > 1.8 * inked_wide && inked_tall / cut.scale > 16.0
}

/// Strokes made whole and dark: each pixel the mean of the nine around it, further from white.
fn smoothed(picture: &Picture) -> Picture {
    let mut grey = Vec::with_capacity(picture.grey.len());
    for y in 0..picture.height {
        for x in 0..picture.width {
            let mut sum = 0;
            for dy in 0..3 {
                // One before the first is beyond the picture, where all is white.
                sum += (0..3)
                    .map(|dx| u32::from(picture.at((x + dx).wrapping_sub(1), (y + dy).wrapping_sub(1))))
                    .sum::<u32>();
            }
            let darkness = (255 * 9 - sum) as f32 / 9.0 * DARKER;
            grey.push((255.0 - darkness).max(0.0) as u8);
        }
    }
    Picture { width: picture.width, height: picture.height, grey }
}

/// The words of each crop, read in one picture, with places in the crop.
fn recognized(sheet: &impl Sheet, crops: &[&Picture]) -> Option<Vec<Vec<ReadWord>>> {
    let width = crops.iter().map(|crop| crop.width).max().unwrap_or(0).min(BATCH.1) + 2 * MARGIN;
    let height = crops.iter().map(|crop| crop.height + MARGIN).sum::<usize>() + MARGIN;
    let mut picture = Picture { width, height, grey: vec![255; width * height] };
    let mut tops = Vec::new();
    let mut top = MARGIN;
    for crop in crops {
        for y in 0..crop.height {
            let to = (top + y) * width + MARGIN;
            let long = crop.width.min(width - 2 * MARGIN);
            if let (Some(to), Some(from)) =
                (picture.grey.get_mut(to..to + long), crop.grey.get(y * crop.width..y * crop.width + long))
            {
                to.copy_from_slice(from);
            }
        }
        tops.push(top);
        top += crop.height + MARGIN;
    }
    let raster: Raster = smoothed(&picture).raster();
    let mut words: Vec<Vec<ReadWord>> = vec![Vec::new(); crops.len()];
    for mut word in sheet.recognize(&raster)? {
        let middle = f32::midpoint(word.bbox.y1, word.bbox.y2);
        let slot = tops.partition_point(|&top| (top as f32) - MARGIN as f32 / 2.0 <= middle).saturating_sub(1);
        let rubbish = word.text.chars().all(|c| "|_[]{}~`'.,:;".contains(c));
        if word.confidence < DOUBTFUL || rubbish {
            continue;
        }
        let (left, top) = (MARGIN as f32, tops.get(slot).copied().unwrap_or(0) as f32);
        let bbox = word.bbox;
        word.bbox = Rect { x1: bbox.x1 - left, x2: bbox.x2 - left, y1: bbox.y1 - top, y2: bbox.y2 - top };
        if let Some(own) = words.get_mut(slot) {
            own.push(word);
        }
    }
    Some(words)
}
