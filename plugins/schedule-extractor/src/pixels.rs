//! Reads cells from the page's pixels.
//!
//! A table's part of the page is rendered once, its cells are cut out of it, and what is in them is told apart: nothing,
//! a dash, a ditto mark, a dot, or text. Text goes to OCR, many cells in one picture below each other: a call for each
//! cell would take as long as the program needs to start, hundreds of times.

use fanlight_contract::{Geometry, Raster, Rect};
use fanlight_geometry::{RectExt as _, median};
use fanlight_raster::{GreyImage, ReadWord};
use fanlight_tables::{Cell, Grid, TextFragment};

use crate::sheet::Sheet;

/// Part of a page as pixels, in a grid's frame.
pub(crate) struct View {
    picture: GreyImage,
    ink: Vec<bool>,
    /// A pixel this dark is ink for certain: pencil smudges and paper's grain are lighter.
    certain: u8,
    /// The frame's point at the picture's upper left corner.
    x: f32,
    y: f32,
    /// Pixels a point.
    scale: f32,
    /// Whether it was drawn on paper, where rules don't lie where they should.
    scanned: bool,
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
/// Within so many points from its edges a cell may still hold pieces of its rules: on paper, and where they are drawn
/// exactly, with letters beside them.
const EDGE: f32 = 3.5;
const DRAWN_EDGE: f32 = 1.6;
/// Pieces of rules and guide lines that a hand drew lie within this share of a cell's height from its edges, and are so
/// thin, in points.
const RIM: f32 = 0.2;
const THIN: f32 = 1.6;
/// Ink of less than the square of this many points is a speck.
const SPECK: f32 = 0.6;
/// A piece this large, in points, is a stroke however faint it is, if it is no line.
const STROKE: f32 = 2.4;
/// Slants of lettering that are looked for, in pixels a pixel, and how much better one has to be than none.
const SLANTS: [f32; 5] = [0.0, 0.12, 0.22, 0.32, 0.42];
const SLANTED: f64 = 1.12;
/// How much further from white a smoothed stroke is made.
const DARKER: f32 = 1.6;
/// Cells of a scan that OCR is less sure of than this are read again.
const SURE: f32 = 0.65;
/// Words that OCR is less sure of than this are none.
const DOUBTFUL: f32 = 0.18;
/// Cells that are read on a page at most.
pub(crate) const MOST_CELLS: usize = 6000;

impl Reading {
    /// Counts what more was read.
    pub(crate) fn add(&mut self, more: Self) {
        self.words += more.words;
        self.confidence += more.confidence;
    }
}

impl View {
    /// Renders what lies under a grid, and `around` points above and below it. `scan` is the skew (pixels per pixel) and
    /// the resolution (dpi) of a scanned page.
    pub(crate) fn of(sheet: &Sheet<'_>, grid: &Grid, around: f32, scan: Option<(f32, f32)>) -> Option<Self> {
        let (skew, finest) = scan.unwrap_or((0.0, DPI.1));
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
        let most = (MOST_PIXELS / area.max(1.0)).sqrt() * 72.0;
        let dpi = (72.0 * ROW_PIXELS / row).clamp(DPI.0, DPI.1).min(finest).min(most);
        let mut picture = sheet.render(Some(grid.frame.to_user_space(region)), dpi)?;
        let scale = dpi / 72.0;
        for _ in 0..turns(grid, &geometry) {
            picture = turned(&picture);
        }
        let (mut x, mut y) = (region.x1, region.y1);
        if skew != 0.0 {
            picture = picture.deskewed(skew);
            // The page was deskewed about its center, this part about its own.
            let dx = f32::midpoint(region.x1, region.x2) - grid.frame.width / 2.0;
            let dy = f32::midpoint(region.y1, region.y2) - grid.frame.height / 2.0;
            x += skew * dy;
            y -= skew * dx;
        }
        let ink = picture.binarized();
        let certain = certain(&picture, &ink);
        Some(Self { picture, ink, certain, x, y, scale, scanned: scan.is_some() })
    }

    /// The cells of a grid with something in them, of as many as may still be looked at.
    pub(crate) fn inked(&self, grid: &Grid, left: &mut usize) -> Vec<usize> {
        let looked_at = grid.cells.len().min(*left);
        *left -= looked_at;
        (0..looked_at).filter(|&index| self.cut(grid.cells[index].bbox, INSET).is_some()).collect()
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
        let reach = if self.scanned { EDGE } else { DRAWN_EDGE };
        let edge = ((reach * self.scale) as usize).min(width / 4).min(height / 4);
        clear_rules(&mut ink, width, height, edge);
        let darkness = |index: usize| 255 - self.picture.at(x1 + index % width, y1 + index / width);
        let parts = parts(&mut ink, &darkness, &Paper::of(self, width, height, edge));
        let (left, right) = (parts.iter().map(|part| part.x1).min()?, parts.iter().map(|part| part.x2).max()?);
        let (top, bottom) = (parts.iter().map(|part| part.y1).min()?, parts.iter().map(|part| part.y2).max()?);
        let mut crop = GreyImage {
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
        // What is faint beside a sign is no stroke of it.
        let darkest = parts.iter().map(|part| part.darkness).max()?;
        let shapes: Vec<Shape> = parts
            .iter()
            .filter(|part| 5 * part.darkness >= darkest)
            .map(|part| Shape {
                bbox: Rect {
                    x1: part.x1 as f32 / self.scale,
                    y1: part.y1 as f32 / self.scale,
                    x2: (part.x2 + 1) as f32 / self.scale,
                    y2: (part.y2 + 1) as f32 / self.scale,
                },
                filled: part.count as f32 / ((part.x2 - part.x1 + 1) * (part.y2 - part.y1 + 1)) as f32,
            })
            .collect();
        Some(Cut { crop, shapes, tall: height as f32 / self.scale, scale: self.scale, scanned: self.scanned })
    }
}

/// How dark ink is for certain: nearly as dark as the darker half of it.
fn certain(picture: &GreyImage, ink: &[bool]) -> u8 {
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
    crop: GreyImage,
    /// The pieces of ink that count.
    shapes: Vec<Shape>,
    /// Height of what it was cut out of, in points.
    tall: f32,
    scale: f32,
    /// Whether it was drawn on paper.
    scanned: bool,
}

/// One connected piece of ink; in points from the upper left corner of what it was cut out of.
#[derive(Clone, Copy)]
struct Shape {
    bbox: Rect,
    filled: f32,
}

impl Shape {
    fn wide(&self) -> f32 {
        self.bbox.x2 - self.bbox.x1
    }

    fn tall(&self) -> f32 {
        self.bbox.y2 - self.bbox.y1
    }

    fn ink(&self) -> f32 {
        self.filled * self.wide() * self.tall()
    }
}

/// Dashes are so long at most, and from the second length on they are long ones; in points.
const DASH: (f32, f32) = (40.0, 9.0);
/// A dash is so thick at most; one that rises is so high, and so many times as long.
const DASH_TALL: (f32, f32, f32) = (3.0, 4.2, 2.2);
/// Pieces of a dash have no more than this between them, in points.
const DASH_BREAK: f32 = 2.4;
/// Beside a dash may lie what has this share of its ink, altogether so much, and is so high.
const BESIDE_DASH: (f32, f32, f32) = (0.34, 0.75, 2.5);
/// Heights of ditto marks, and the breadth of a pair of them, in points.
const DITTO: (f32, f32, f32) = (1.2, 5.0, 7.0);
/// Ditto marks reach no further than this share of lettering's usual height.
const DITTO_SHARE: f32 = 0.75;
/// What is so low and no wider than this is a speck beside ditto marks drawn by hand.
const DITTO_SPECK: (f32, f32) = (1.7, 2.6);
/// Beside ditto marks drawn by hand, what has less than this share of the blackest one's ink is dirt.
const DITTO_FAINT: f32 = 0.3;
/// Strokes of one pair of ditto marks have no more than this between them.
const DITTO_GAP: f32 = 2.5;
/// Signs stand in the middle of their cell: between so much of its height, and so much.
const MIDDLE: (f32, f32) = (0.15, 0.85);

/// Letters are read best so high, in pixels; lower ones than the second number are enlarged, so many times at most.
const LETTER_PIXELS: (f32, f32, f32) = (26.0, 14.0, 2.5);

impl Cut {
    /// How many times larger it has to be for its letters to be read well.
    fn enlargement(&self) -> f32 {
        let mut heights: Vec<f32> = self.shapes.iter().map(Shape::tall).filter(|tall| *tall > STROKE).collect();
        heights.sort_by(f32::total_cmp);
        let capitals = heights.get(heights.len() * 3 / 4);
        let height = capitals.map_or(f32::MAX, |height| height * self.scale);
        if height < LETTER_PIXELS.1 { (LETTER_PIXELS.0 / height).min(LETTER_PIXELS.2) } else { 1.0 }
    }

    /// The sign that these few strokes are, if they are one that OCR wouldn't read. `lettering` is the usual height of the
    /// letters around, in points.
    fn sign(&self, lettering: f32) -> Option<String> {
        let bbox = self.shapes.iter().map(|shape| shape.bbox).reduce(|a, b| a.union(&b))?;
        let middle = f32::midpoint(bbox.y1, bbox.y2);
        let in_middle = middle >= MIDDLE.0 * self.tall && middle <= MIDDLE.1 * self.tall;
        if !in_middle || self.tall < lettering.min(DITTO.2) {
            return None;
        }
        if let [dot] = self.shapes.as_slice() {
            let (wide, tall) = (dot.wide(), dot.tall());
            if wide <= 1.3 * tall && tall <= 1.3 * wide && dot.filled > 0.68 && wide >= 2.0 {
                return Some("●".to_owned());
            }
        }
        self.dash().or_else(|| self.dittos(lettering))
    }

    /// One flat stroke, in pieces perhaps, with hardly anything beside it.
    fn dash(&self) -> Option<String> {
        let mut flat: Vec<&Shape> = self.shapes.iter().filter(|shape| shape.filled > 0.25).collect();
        flat.sort_by(|a, b| b.ink().total_cmp(&a.ink()));
        let mut dash = flat.first()?.bbox;
        let mut ink = 0.0;
        // Pieces on one line, whichever of them comes first.
        for _ in 0..flat.len() {
            let on_it = |shape: &&Shape| {
                let apart = (shape.bbox.x1 - dash.x2).max(dash.x1 - shape.bbox.x2);
                let off = f32::midpoint(shape.bbox.y1, shape.bbox.y2) - f32::midpoint(dash.y1, dash.y2);
                apart <= DASH_BREAK && off.abs() <= DASH_BREAK / 2.0
            };
            let (own, rest): (Vec<&Shape>, Vec<&Shape>) = flat.into_iter().partition(on_it);
            flat = rest;
            if own.is_empty() {
                break;
            }
            ink += own.iter().map(|shape| shape.ink()).sum::<f32>();
            dash = own.iter().map(|shape| shape.bbox).fold(dash, |a, b| a.union(&b));
        }
        let (wide, tall) = (dash.x2 - dash.x1, dash.y2 - dash.y1);
        let level = tall <= DASH_TALL.0 || (tall <= DASH_TALL.1 && wide >= 3.0 * tall);
        if !level || wide < DASH_TALL.2 * tall || wide > DASH.0 {
            return None;
        }
        let inside = |shape: &&Shape| shape.bbox.x1 >= dash.x1 && shape.bbox.x2 <= dash.x2 && shape.bbox.y1 >= dash.y1;
        let beside: Vec<&Shape> = self.shapes.iter().filter(|shape| !inside(shape)).collect();
        let most = if self.scanned { BESIDE_DASH } else { (0.0, 0.0, 0.0) };
        let slight = beside.iter().all(|shape| shape.ink() <= most.0 * ink && shape.tall() <= most.2);
        let sum: f32 = beside.iter().map(|shape| shape.ink()).sum();
        (slight && sum <= most.1 * ink).then(|| if wide > DASH.1 { "—" } else { "-" }.to_owned())
    }

    /// Pairs of small upright strokes, one pair or several beside each other. By hand the strokes of a pair may run
    /// together or come in pieces.
    fn dittos(&self, lettering: f32) -> Option<String> {
        let tallest = DITTO.1.min(DITTO_SHARE * lettering);
        let is_speck = |shape: &&Shape| self.scanned && shape.tall() < DITTO_SPECK.0 && shape.wide() <= DITTO_SPECK.1;
        let mut strokes: Vec<&Shape> = self.shapes.iter().collect();
        strokes.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
        let mut pairs: Vec<(Rect, Vec<&Shape>)> = Vec::new();
        for stroke in strokes {
            let beside = |(bbox, _): &&mut (Rect, Vec<&Shape>)| {
                let down = (stroke.bbox.y1 - bbox.y2).max(bbox.y1 - stroke.bbox.y2);
                stroke.bbox.x1 - bbox.x2 <= DITTO_GAP && down <= DITTO_GAP
            };
            match pairs.iter_mut().find(beside) {
                Some((bbox, own)) => {
                    *bbox = bbox.union(&stroke.bbox);
                    own.push(stroke);
                }
                None => pairs.push((stroke.bbox, vec![stroke])),
            }
        }
        let ink = |own: &[&Shape]| own.iter().map(|shape| shape.ink()).sum::<f32>();
        let most = pairs.iter().map(|(_, own)| ink(own)).fold(0.0, f32::max);
        pairs.retain(|(_, own)| !own.iter().all(is_speck) && (!self.scanned || ink(own) >= DITTO_FAINT * most));
        let is_pair = |(bbox, own): &(Rect, Vec<&Shape>)| {
            let (wide, tall) = (bbox.x2 - bbox.x1, bbox.y2 - bbox.y1);
            let upright = own.iter().all(|shape| shape.tall() >= shape.wide() && shape.filled > 0.3);
            let drawn = if self.scanned { wide <= 1.6 * tall } else { own.len() == 2 && upright };
            (DITTO.0..=tallest).contains(&tall) && wide <= DITTO.2 && drawn
        };
        (!pairs.is_empty() && pairs.iter().all(is_pair)).then(|| vec!["\""; pairs.len()].join(" "))
    }
}

/// Quarter turns counterclockwise from the way a viewer shows the page to a grid's reading direction.
fn turns(grid: &Grid, geometry: &Geometry) -> usize {
    let off = (grid.frame.angle - geometry.rotation as f32).rem_euclid(360.0);
    (off / 90.0).round() as usize % 4
}

/// A picture turned by a quarter, so that what read upwards reads to the right.
fn turned(picture: &GreyImage) -> GreyImage {
    let (width, height) = (picture.height, picture.width);
    let mut grey = Vec::with_capacity(picture.grey.len());
    for y in 0..height {
        for x in 0..width {
            grey.push(picture.at(y, picture.height - 1 - x));
        }
    }
    GreyImage { width, height, grey }
}

/// How much lettering leans to the right: the slant without which its strokes gather best in columns.
fn slant<'a>(crops: impl Iterator<Item = &'a GreyImage>) -> f32 {
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
fn upright(crop: &GreyImage, slant: f32) -> GreyImage {
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
    GreyImage { width, height: crop.height, grey }
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
#[derive(Clone, Debug)]
struct Part {
    x1: usize,
    y1: usize,
    x2: usize,
    y2: usize,
    /// Its pixels.
    count: usize,
    /// Their darkness, summed.
    darkness: usize,
    /// Its pixels that are ink for certain.
    certain: usize,
}

impl Part {
    fn wide(&self) -> usize {
        self.x2 - self.x1 + 1
    }

    fn tall(&self) -> usize {
        self.y2 - self.y1 + 1
    }

    /// Pixels between the boxes of two pieces, across or down, whichever is more.
    fn apart(&self, other: &Self) -> usize {
        let gap =
            |low: usize, high: usize, from: usize, to: usize| from.saturating_sub(high).max(low.saturating_sub(to));
        gap(self.x1, self.x2, other.x1, other.x2).max(gap(self.y1, self.y2, other.y1, other.y2))
    }

    fn add(&mut self, x: usize, y: usize, darkness: u8, certain: bool) {
        (self.x1, self.x2) = (self.x1.min(x), self.x2.max(x));
        (self.y1, self.y2) = (self.y1.min(y), self.y2.max(y));
        self.count += 1;
        self.darkness += usize::from(darkness);
        self.certain += usize::from(certain);
    }
}

/// What is cut out, and what is told apart on it; lengths in pixels.
struct Paper {
    width: usize,
    height: usize,
    /// Pieces of rules lie within so much of the edges.
    edge: usize,
    /// And so far above the lower or below the upper edge, where a hand drew them or its guide lines.
    rim: usize,
    /// A flat piece is so thin.
    thin: usize,
    /// Pixels of the smallest mark.
    fewest: usize,
    /// Side of the smallest piece of a letter that may be faint.
    stroke: usize,
    /// How near to a letter faint pieces are its own, and how far from one small pieces may be.
    near: usize,
    far: usize,
    /// So dark is ink for certain.
    certain: u8,
}

impl Paper {
    fn of(view: &View, width: usize, height: usize, edge: usize) -> Self {
        let pixels = |points: f32| (points * view.scale) as usize;
        Self {
            width,
            height,
            edge,
            rim: if view.scanned { (height as f32 * RIM) as usize } else { 0 },
            thin: pixels(THIN).max(1),
            fewest: (view.scale * SPECK).powi(2).max(2.0) as usize,
            stroke: pixels(STROKE).max(2),
            near: if view.scanned { pixels(NEAR) } else { 0 },
            far: if view.scanned { pixels(FAR) } else { usize::MAX },
            certain: 255 - view.certain,
        }
    }

    /// Whether a piece is a letter's or a sign's, not a speck, and not what is left of a rule.
    fn judge(&self, part: &Part) -> Judgement {
        let (wide, tall) = (part.wide(), part.tall());
        let in_rim = part.y2 < self.rim || part.y1 + self.rim >= self.height;
        let at_side = part.x2 < self.edge || part.x1 + self.edge >= self.width;
        let at_edge = at_side || part.y2 < self.edge || part.y1 + self.edge >= self.height;
        let flat = wide.max(tall) >= 4 * wide.min(tall);
        let touches = part.x1 == 0 || part.y1 == 0 || part.x2 + 1 == self.width || part.y2 + 1 == self.height;
        let rule = (at_edge && (flat || part.count < 4 * self.fewest || (touches && self.rim > 0)))
            || (in_rim && tall <= self.thin && (wide >= 3 * tall || part.count < 4 * self.fewest));
        let certain = 8 * part.certain >= part.count;
        let stroke = wide.max(tall) >= self.stroke && !flat;
        if part.count < self.fewest || rule {
            Judgement::Dirt
        } else if certain || stroke {
            Judgement::Stroke
        } else {
            Judgement::Faint
        }
    }
}

/// What a connected piece of ink is.
enum Judgement {
    /// A stroke of a letter or sign.
    Stroke,
    /// A stroke if there is a letter that it can belong to.
    Faint,
    /// A speck, or what is left of a rule.
    Dirt,
}

/// Faint pieces this close to a letter, in points, are its strokes.
const NEAR: f32 = 1.2;
/// Small pieces further than this from every letter of a cell with lettering are dirt.
const FAR: f32 = 8.0;
/// Letters of a cell from which it has lettering.
const LETTERS: usize = 3;

/// Connected pieces that are letters' and signs'; the others are taken out of the ink.
fn parts(ink: &mut [bool], darkness: &impl Fn(usize) -> u8, paper: &Paper) -> Vec<Part> {
    let (width, height) = (paper.width, paper.height);
    let mut seen = vec![false; ink.len()];
    let mut parts: Vec<(Part, Vec<usize>)> = Vec::new();
    let mut faint: Vec<(Part, Vec<usize>)> = Vec::new();
    let mut stack = Vec::new();
    for start in 0..ink.len() {
        if !ink[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        stack.push(start);
        let mut own = Vec::new();
        let (x, y) = (start % width, start / width);
        let mut part = Part { x1: x, y1: y, x2: x, y2: y, count: 0, darkness: 0, certain: 0 };
        while let Some(index) = stack.pop() {
            own.push(index);
            let (x, y) = (index % width, index / width);
            let dark = darkness(index);
            part.add(x, y, dark, dark >= paper.certain);
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
        for &index in &own {
            ink[index] = false;
        }
        match paper.judge(&part) {
            Judgement::Stroke => parts.push((part, own)),
            Judgement::Faint => faint.push((part, own)),
            Judgement::Dirt => {}
        }
    }
    drop_frame(&mut parts, paper);
    let letters: Vec<Part> =
        parts.iter().filter(|(part, _)| part.tall() >= paper.stroke).map(|(part, _)| part.clone()).collect();
    let nearest = |part: &Part| letters.iter().map(|letter| part.apart(letter)).min().unwrap_or(usize::MAX);
    if letters.len() >= LETTERS {
        parts.retain(|(part, _)| part.tall() >= paper.stroke || nearest(part) <= paper.far);
        parts.extend(faint.into_iter().filter(|(part, _)| nearest(part) <= paper.near));
    }
    for &index in parts.iter().flat_map(|(_, own)| own) {
        ink[index] = true;
    }
    parts.into_iter().map(|(part, _)| part).collect()
}

/// The share of a cell's height that what is drawn around a mark has at the least.
const FRAME_TALL: f32 = 0.6;
/// What stands in a frame is no higher than this share of it, and no lower.
const FRAMED: (f32, f32) = (0.75, 0.25);
/// More pieces than these are no mark in a frame.
const MOST_FRAMED: usize = 12;

/// Takes the circle, box or hexagon out that is drawn around a mark: one piece around all others, or one on either side
/// where the cell's borders cut it.
fn drop_frame(parts: &mut Vec<(Part, Vec<usize>)>, paper: &Paper) {
    if parts.len() < 2 || parts.len() > MOST_FRAMED {
        return;
    }
    parts.sort_by_key(|(part, _)| part.x1);
    let tall = |part: &Part| part.tall() as f32;
    let is_tall = |part: &Part| tall(part) >= FRAME_TALL * paper.height as f32;
    let framed = |frame: &Part, inner: &[(Part, Vec<usize>)]| {
        let lower = inner.iter().all(|(part, _)| tall(part) <= FRAMED.0 * tall(frame));
        lower && inner.iter().any(|(part, _)| tall(part) >= FRAMED.1 * tall(frame) && tall(part) >= paper.stroke as f32)
    };
    let [(left, _), inner @ .., (right, _)] = parts.as_slice() else { return };
    let cut_in_two = is_tall(left) && is_tall(right) && framed(left, inner) && framed(right, inner);
    let encloses = |other: &Part| other.x2 < left.x2 && other.y1 > left.y1 && other.y2 < left.y2;
    let around = is_tall(left)
        && framed(left, &parts[1..])
        && parts[1..].iter().all(|(part, _)| encloses(part))
        && 3 * left.count < left.wide() * left.tall();
    if cut_in_two {
        parts.pop();
    }
    if cut_in_two || around {
        parts.remove(0);
    }
}

/// What was cut out of a cell and waits for OCR.
struct Pending {
    /// Index of the cell.
    cell: usize,
    crop: GreyImage,
    /// Whether it was turned to read to the right.
    upward: bool,
    /// Pixels a point.
    scale: f32,
}

/// Reads cells of a grid; what was in them before is gone. None where OCR is not to be had.
pub(crate) fn read(sheet: &Sheet<'_>, view: &View, grid: &mut Grid, wanted: &[usize]) -> Option<Reading> {
    let mut reading = Reading::default();
    let mut cuts: Vec<(usize, Cut)> = Vec::new();
    for &index in wanted.iter().take(MOST_CELLS) {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        cell.fragments.clear();
        cuts.extend(view.cut(cell.bbox, INSET).map(|cut| (index, cut)));
    }
    let lettering = lettering(cuts.iter().map(|(_, cut)| cut));
    let mut pending: Vec<Pending> = Vec::new();
    for (index, cut) in cuts {
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        if let Some(sign) = cut.sign(lettering) {
            cell.fragments.push(fragment(sign, cell.bbox, 0));
            continue;
        }
        let upward = reads_upwards(cell, &cut);
        let larger = cut.enlargement();
        let crop = if upward { turned(&cut.crop) } else { cut.crop };
        pending.push(Pending { cell: index, crop: enlarged(&crop, larger), upward, scale: view.scale * larger });
    }
    // Lettering that leans is set upright: OCR has learned from type.
    let slant = slant(pending.iter().map(|own| &own.crop));
    if slant > 0.0 {
        for own in &mut pending {
            own.crop = upright(&own.crop, slant);
        }
    }
    // Cells of a like width and height are read together.
    pending.sort_by_key(|own| (own.crop.width / 200, own.cell));
    let crops: Vec<&GreyImage> = pending.iter().map(|own| &own.crop).collect();
    let mut read = batched(sheet, &crops)?;
    if view.scanned {
        again(sheet, &crops, &mut read)?;
    }
    for (own, words) in pending.iter().zip(read) {
        let Some(cell) = grid.cells.get_mut(own.cell) else { continue };
        for word in words {
            reading.words += 1;
            reading.confidence += word.confidence;
            let bbox = if own.upward {
                // In order along the line; the place across doesn't matter.
                let (near, far) = (word.bbox.x1 / own.scale, word.bbox.y1 / own.scale);
                Rect { x1: far, y1: -near, x2: far, y2: -near }
            } else {
                let place = |x: f32, y: f32| (cell.bbox.x1 + x / own.scale, cell.bbox.y1 + y / own.scale);
                let ((x1, y1), (x2, y2)) = (place(word.bbox.x1, word.bbox.y1), place(word.bbox.x2, word.bbox.y2));
                Rect { x1, y1, x2, y2 }
            };
            let text = mixed_number(word.text);
            cell.fragments.push(TextFragment { turns: u8::from(own.upward), ..fragment(text, bbox, word.line) });
        }
    }
    Some(reading)
}

/// A word as it is, but inches in halves, quarters or eighths that are more than one whole with the whole apart:
/// nobody writes 13/4" for 1 3/4".
fn mixed_number(word: String) -> String {
    let parts = word.strip_suffix('"').and_then(|inches| inches.split_once('/'));
    let Some((over, under)) = parts else { return word };
    let is_whole = over.len() == 2 && over.bytes().all(|byte| byte.is_ascii_digit()) && !over.starts_with('0');
    let is_odd = over.ends_with(['1', '3', '5', '7']);
    let below_one = over.get(1..).is_some_and(|digit| digit < under);
    if !is_whole || !is_odd || !below_one || !["2", "4", "8"].contains(&under) {
        return word;
    }
    format!("{} {}/{under}\"", &over[..1], &over[1..])
}

/// The words of crops, as many of them in a picture as it may hold.
fn batched(sheet: &Sheet<'_>, crops: &[&GreyImage]) -> Option<Vec<Vec<ReadWord>>> {
    let mut words = Vec::with_capacity(crops.len());
    let mut left = crops;
    while !left.is_empty() {
        let mut tall = MARGIN;
        let fits = |crop: &&&GreyImage| {
            tall += crop.height + MARGIN;
            tall <= BATCH.0
        };
        let (batch, rest) = left.split_at(left.iter().take_while(fits).count().max(1));
        words.extend(recognized(sheet, batch)?);
        (sheet.heard)(words.len(), crops.len());
        left = rest;
    }
    Some(words)
}

/// Reads what OCR doubts once more with broader strokes, and keeps what it is surer of.
fn again(sheet: &Sheet<'_>, crops: &[&GreyImage], read: &mut [Vec<ReadWord>]) -> Option<()> {
    let doubted: Vec<usize> = (0..read.len()).filter(|&index| sureness(&read[index]) < SURE).collect();
    let broader: Vec<GreyImage> = doubted.iter().filter_map(|&index| Some(smoothed(crops.get(index)?))).collect();
    let second = batched(sheet, &broader.iter().collect::<Vec<_>>())?;
    for (index, words) in doubted.into_iter().zip(second) {
        if sureness(&words) > sureness(&read[index]) {
            read[index] = words;
        }
    }
    Some(())
}

/// How sure OCR is of a cell's characters on average; 0 of a cell without any.
fn sureness(words: &[ReadWord]) -> f32 {
    let characters = |word: &ReadWord| word.text.chars().count() as f32;
    let sum: f32 = words.iter().map(|word| word.confidence * characters(word)).sum();
    sum / words.iter().map(characters).sum::<f32>().max(1.0)
}

/// The lines of text in a box of the frame.
pub(crate) fn lines(sheet: &Sheet<'_>, view: &View, bbox: Rect) -> Option<Vec<TextFragment>> {
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
    Some(lines.into_iter().rev().map(|(line, text)| fragment(text, bbox, line)).collect())
}

fn fragment(text: String, bbox: Rect, line: u32) -> TextFragment {
    TextFragment { text, bbox, turns: 0, line, size: 0.0, bold: false }
}

/// How high letters are as a rule, in points; where there are none, as high as no sign is.
fn lettering<'a>(cuts: impl Iterator<Item = &'a Cut>) -> f32 {
    let shapes = cuts.flat_map(|cut| &cut.shapes);
    let heights = shapes.map(Shape::tall).filter(|tall| (3.0..24.0).contains(tall));
    median(heights.collect()).unwrap_or(f32::MAX)
}

/// A picture so many times as large, pixels between pixels.
fn enlarged(crop: &GreyImage, by: f32) -> GreyImage {
    if by <= 1.0 {
        return crop.clone();
    }
    let (width, height) = ((crop.width as f32 * by) as usize, (crop.height as f32 * by) as usize);
    let mut grey = Vec::with_capacity(width * height);
    for y in 0..height {
        let from_y = ((y as f32 + 0.5) / by - 0.5).max(0.0);
        let (top, low) = (from_y as usize, from_y.fract());
        for x in 0..width {
            let from_x = ((x as f32 + 0.5) / by - 0.5).max(0.0);
            let (left, right) = (from_x as usize, from_x.fract());
            let at = |x: usize, y: usize| f32::from(crop.at(x, y));
            let upper = at(left, top) * (1.0 - right) + at(left + 1, top) * right;
            let lower = at(left, top + 1) * (1.0 - right) + at(left + 1, top + 1) * right;
            grey.push((upper * (1.0 - low) + lower * low) as u8);
        }
    }
    GreyImage { width, height, grey }
}

/// Whether a cell's text reads upwards: both it and its ink are much taller than wide, and taller than a line or two.
fn reads_upwards(cell: &Cell, cut: &Cut) -> bool {
    let (wide, tall) = (cell.bbox.x2 - cell.bbox.x1, cell.bbox.y2 - cell.bbox.y1);
    let (inked_wide, inked_tall) = (cut.crop.width as f32, cut.crop.height as f32);
    tall > 1.3 * wide && inked_tall > 1.8 * inked_wide && inked_tall / cut.scale > 16.0
}

/// Strokes made whole and dark: each pixel the mean of the nine around it, further from white.
fn smoothed(picture: &GreyImage) -> GreyImage {
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
    GreyImage { width: picture.width, height: picture.height, grey }
}

/// The words of each crop, read in one picture, with places in the crop.
fn recognized(sheet: &Sheet<'_>, crops: &[&GreyImage]) -> Option<Vec<Vec<ReadWord>>> {
    let width = crops.iter().map(|crop| crop.width).max().unwrap_or(0).min(BATCH.1) + 2 * MARGIN;
    let height = crops.iter().map(|crop| crop.height + MARGIN).sum::<usize>() + MARGIN;
    let mut picture = GreyImage { width, height, grey: vec![255; width * height] };
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
    let raster: Raster = smoothed(&picture).to_raster();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inches_have_their_whole_apart() {
        let cases = [
            ("13/4\"", "1 3/4\""),
            ("11/2\"", "1 1/2\""),
            ("3/4\"", "3/4\""),
            ("13/16\"", "13/16\""),
            ("13/4", "13/4"),
            ("17/2\"", "17/2\""),
            ("é1/2\"", "é1/2\""),
        ];
        for (read, expected) in cases {
            assert_eq!(mixed_number(read.to_owned()), expected, "{read}");
        }
    }
}
