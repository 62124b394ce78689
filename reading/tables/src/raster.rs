//! Rules in a picture: the ruled tables of a page that is an image.

use fanlight_contract::{Geometry, PixelFormat, Raster, Rect};
use fanlight_geometry::Frame;

use crate::grid::Grid;
use crate::rules::{Rule, Rules};
use crate::{cells, regions};

/// Pixels an inch at which a page is looked over for rules.
pub const LOOK_DPI: f32 = 150.0;

/// A grey picture, rows from the top.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One byte a pixel, 0 is black.
    pub grey: Vec<u8>,
}

/// Side of the squares that paper's brightness is taken over, in pixels.
const PAPER: usize = 24;
/// So much darker than its paper is ink, of 255.
const INK: f32 = 34.0;
/// Steepest skew that is looked for, and the step, in pixels a pixel.
const SKEW: (f32, f32) = (0.02, 0.0005);
/// A horizontal rule is at least so long in a picture, a vertical one so, in points: longer than any stroke of lettering.
const LONGEST_STROKES: (f32, f32) = (48.0, 16.0);
/// Breaks that a rule may have, in points.
const BREAK: f32 = 2.4;
/// The share of a rule's pixels that are ink.
const DENSE: f32 = 0.8;
/// A rule that stops this short of another one reaches it, in points: pens are lifted.
const REACH: f32 = 4.5;

/// Rules drawn by hand lie so far off where they should, in points.
const WAVER: f32 = 4.5;
/// Fewer cells are boxes.
const FEWEST_CELLS: usize = 6;
/// Cells of a picture at most.
const MOST_CELLS: usize = 8000;

impl Picture {
    /// From a raster of any format.
    pub fn of(raster: &Raster) -> Self {
        let grey = match raster.format {
            PixelFormat::Grey => raster.bytes().to_vec(),
            PixelFormat::Rgb => raster
                .bytes()
                .chunks_exact(3)
                .map(|pixel| (pixel.iter().map(|&channel| u32::from(channel)).sum::<u32>() / 3) as u8)
                .collect(),
        };
        let (width, height) = (raster.width as usize, raster.height as usize);
        let mut picture = Self { width, height, grey };
        picture.grey.resize(width * height, 255);
        picture
    }

    /// The picture as a raster.
    pub fn raster(&self) -> Raster {
        Raster::from_bytes(self.width as u32, self.height as u32, PixelFormat::Grey, &self.grey)
    }

    /// A pixel; white beyond the picture.
    pub fn at(&self, x: usize, y: usize) -> u8 {
        if x >= self.width || y >= self.height {
            return 255;
        }
        self.grey.get(y * self.width + x).copied().unwrap_or(255)
    }

    /// Which pixels are ink: darker than the paper around them.
    pub fn ink(&self) -> Vec<bool> {
        let (across, down) = (self.width.div_ceil(PAPER), self.height.div_ceil(PAPER));
        // The paper is the brighter part of each square.
        let mut paper = vec![255.0_f32; across * down];
        for by in 0..down {
            for bx in 0..across {
                let mut counts = [0_u32; 256];
                for y in by * PAPER..((by + 1) * PAPER).min(self.height) {
                    let row = y * self.width;
                    let (from, to) = (row + bx * PAPER, row + ((bx + 1) * PAPER).min(self.width));
                    for &pixel in self.grey.get(from..to).unwrap_or_default() {
                        counts[usize::from(pixel)] += 1;
                    }
                }
                let all: u32 = counts.iter().sum();
                let mut brighter = 0;
                for value in (0..256).rev() {
                    brighter += counts[value];
                    if 10 * brighter >= 4 * all {
                        paper[by * across + bx] = value as f32;
                        break;
                    }
                }
            }
        }
        (0..self.width * self.height)
            .map(|index| {
                let (x, y) = (index % self.width, index / self.width);
                let own = paper[(y / PAPER) * across + x / PAPER].max(120.0);
                f32::from(self.grey[index]) < own - INK
            })
            .collect()
    }

    /// By how much lines rise over the picture: the slope at which ink gathers best in rows.
    pub fn slope(&self) -> f32 {
        let ink = self.ink();
        let step = (self.width * self.height / 400_000).max(1);
        let places: Vec<(f32, f32)> = ink
            .iter()
            .enumerate()
            .filter(|(_, ink)| **ink)
            .map(|(index, _)| ((index % self.width) as f32, (index / self.width) as f32))
            .step_by(step.min(8))
            .collect();
        let mut best = (0.0_f32, 0.0_f64);
        let steps = (SKEW.0 / SKEW.1) as i32;
        let mut rows = vec![0_u32; self.height + 2 * self.width / 40 + 4];
        let margin = (self.width / 40) as f32 + 1.0;
        for number in -steps..=steps {
            let slope = number as f32 * SKEW.1;
            rows.fill(0);
            for &(x, y) in &places {
                let row = (y - slope * (x - self.width as f32 / 2.0) + margin).max(0.0) as usize;
                if let Some(row) = rows.get_mut(row) {
                    *row += 1;
                }
            }
            let sum: f64 = rows.iter().map(|&count| f64::from(count) * f64::from(count)).sum();
            if sum > best.1 * if slope.abs() < best.0.abs() { 1.0 } else { 1.002 } {
                best = (slope, sum);
            }
        }
        if best.0.abs() < 1.5 * SKEW.1 { 0.0 } else { best.0 }
    }

    /// Turned so that lines which rise by `slope` are level; the middle stays.
    #[must_use]
    pub fn levelled(&self, slope: f32) -> Self {
        let (cx, cy) = (self.width as f32 / 2.0, self.height as f32 / 2.0);
        let mut grey = Vec::with_capacity(self.grey.len());
        for y in 0..self.height {
            for x in 0..self.width {
                let (dx, dy) = (x as f32 - cx, y as f32 - cy);
                let (sx, sy) = (cx + dx - slope * dy, cy + dy + slope * dx);
                grey.push(if sx < 0.0 || sy < 0.0 { 255 } else { self.at(sx.round() as usize, sy.round() as usize) });
            }
        }
        Self { width: self.width, height: self.height, grey }
    }
}

/// The ruled grids of a page's picture, without text, in the frame in which a viewer shows the page; and the slope that
/// the picture has to be levelled by before their cells are cut out of it.
pub fn find_in_picture(picture: &Picture, dpi: f32, geometry: &Geometry) -> (Vec<Grid>, f32) {
    let slope = picture.slope();
    let level = if slope == 0.0 { picture.clone() } else { picture.levelled(slope) };
    let ink = level.ink();
    let scale = 72.0 / dpi;
    let horizontal = strokes(&ink, level.width, level.height, false, LONGEST_STROKES.0 / scale, scale);
    let vertical = strokes(&ink, level.width, level.height, true, LONGEST_STROKES.1 / scale, scale);
    let rules = Rules { horizontal, vertical, ..Rules::default() };
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let all: Vec<Vec<Rect>> =
        cells::groups(&rules, REACH).iter().map(|group| group.iter().map(|face| face.bbox).collect()).collect();
    let paper = Paper { ink: &ink, width: level.width, scale };
    let mut grids = Vec::new();
    for faces in adjoining(all) {
        for region in mended(regions::regions(&drawn_straight(&faces))) {
            if region.len() >= FEWEST_CELLS
                && let Some(mut grid) = Grid::of_faces(&parted(region, &paper), frame)
            {
                grid.fill_holes();
                grids.push(grid);
            }
        }
    }
    (grids, slope)
}

/// Groups of cells that lie beside or over each other: a rule drawn by hand parts what belongs together.
fn adjoining(groups: Vec<Vec<Rect>>) -> Vec<Vec<Rect>> {
    let mut joined: Vec<(Rect, Vec<Rect>)> = Vec::new();
    for faces in groups {
        let Some(mut bbox) = faces.iter().copied().reduce(crate::grid::joined) else { continue };
        let mut own = faces;
        loop {
            let touches = |other: &Rect| {
                other.x1 <= bbox.x2 + WAVER
                    && other.x2 >= bbox.x1 - WAVER
                    && other.y1 <= bbox.y2 + WAVER
                    && other.y2 >= bbox.y1 - WAVER
            };
            let Some(index) = joined.iter().position(|(other, _)| touches(other)) else { break };
            let (other, more) = joined.swap_remove(index);
            bbox = crate::grid::joined(bbox, other);
            own.extend(more);
        }
        joined.push((bbox, own));
    }
    joined.into_iter().map(|(_, faces)| faces).collect()
}

/// Cells with their borders where their neighbours have them. Cells that others lie in are left out: one of the rules
/// between these was broken.
fn drawn_straight(faces: &[Rect]) -> Vec<Rect> {
    let xs = regions::snapped_within(faces.iter().flat_map(|face| [face.x1, face.x2]), WAVER);
    let ys = regions::snapped_within(faces.iter().flat_map(|face| [face.y1, face.y2]), WAVER);
    let on = |values: &[f32], value: f32| values.get(regions::nearest(values, value)).copied().unwrap_or(value);
    let mut straight: Vec<Rect> = faces
        .iter()
        .map(|face| Rect { x1: on(&xs, face.x1), y1: on(&ys, face.y1), x2: on(&xs, face.x2), y2: on(&ys, face.y2) })
        .filter(|face| face.x2 > face.x1 && face.y2 > face.y1)
        .collect();
    let area = |face: &Rect| (face.x2 - face.x1) * (face.y2 - face.y1);
    straight.sort_by(|a, b| area(a).total_cmp(&area(b)));
    let mut kept: Vec<Rect> = Vec::new();
    for face in straight.into_iter().take(MOST_CELLS) {
        let holds =
            |other: &Rect| other.x1 >= face.x1 && other.x2 <= face.x2 && other.y1 >= face.y1 && other.y2 <= face.y2;
        if !kept.iter().any(holds) {
            kept.push(face);
        }
    }
    kept
}

/// A levelled picture's ink.
struct Paper<'a> {
    ink: &'a [bool],
    width: usize,
    /// Points a pixel.
    scale: f32,
}

/// Pieces of a border that are looked at one by one, in points: a hand's line wavers.
const PIECE: f32 = 12.0;
/// Fewer pieces can't tell a line from the stem of a letter.
const PIECES: usize = 6;
/// A border is a column's where one in so many rows has it.
const COLUMN: usize = 3;
/// A faint line's share of ink in a piece, and the share of a border's pieces that have one.
const FAINT: (f32, f32) = (0.4, 0.75);

impl Paper<'_> {
    /// Whether a line is drawn from one point to another, faint and broken as it may be. One of the axes has both.
    fn has_line(&self, from: (f32, f32), to: (f32, f32)) -> bool {
        let upright = to.0 - from.0 < to.1 - from.1;
        let pixel = |points: f32| (points / self.scale).max(0.0) as usize;
        let (start, end) = if upright { (pixel(from.1), pixel(to.1)) } else { (pixel(from.0), pixel(to.0)) };
        let lane = pixel(if upright { from.0 } else { from.1 });
        let near = pixel(WAVER);
        let at = |along: usize, lane: usize| {
            let index = if upright { along * self.width + lane } else { lane * self.width + along };
            usize::from(self.ink.get(index).copied().unwrap_or(false))
        };
        let pieces = (end.saturating_sub(start) / pixel(PIECE).max(1)).max(PIECES);
        let drawn = (0..pieces).filter(|piece| {
            let (from, to) = (start + (end - start) * piece / pieces, start + (end - start) * (piece + 1) / pieces);
            let inked = |lane: usize| (from..to).map(|along| at(along, lane).max(at(along, lane + 1))).sum::<usize>();
            let most = (lane.saturating_sub(near)..=lane + near).map(inked).max().unwrap_or(0);
            most as f32 >= FAINT.0 * (to - from).max(1) as f32
        });
        end > start && drawn.count() as f32 >= FAINT.1 * pieces as f32
    }
}

/// Cells parted along borders of their neighbours where a line is drawn that was too faint to close cells.
fn parted(faces: Vec<Rect>, paper: &Paper<'_>) -> Vec<Rect> {
    let rows = regions::snapped_within(faces.iter().flat_map(|face| [face.y1, face.y2]), WAVER);
    let borders = regions::snapped_within(faces.iter().flat_map(|face| [face.x1, face.x2]), WAVER);
    let begins = |x: &f32| faces.iter().filter(|face| (face.x1 - x).abs() <= WAVER).count();
    let columns: Vec<f32> = borders.into_iter().filter(|x| COLUMN * begins(x) >= rows.len()).collect();
    let mut parted = Vec::with_capacity(faces.len());
    let mut left = faces;
    while let Some(face) = left.pop() {
        let inside = |from: f32, to: f32| move |border: &&f32| **border > from + WAVER && **border < to - WAVER;
        let row = rows.iter().filter(inside(face.y1, face.y2));
        let row = row.copied().find(|&y| paper.has_line((face.x1, y), (face.x2, y)));
        if let Some(y) = row {
            left.extend([Rect { y2: y, ..face }, Rect { y1: y, ..face }]);
            continue;
        }
        let column = columns.iter().filter(inside(face.x1, face.x2));
        let column = column.copied().find(|&x| paper.has_line((x, face.y1), (x, face.y2)));
        match column {
            Some(x) => left.extend([Rect { x2: x, ..face }, Rect { x1: x, ..face }]),
            None => parted.push(face),
        }
    }
    parted
}

/// Regions that a broken rule parted: one lies in the other, or right below it with the same columns.
fn mended(regions: Vec<Vec<Rect>>) -> Vec<Vec<Rect>> {
    let mut whole: Vec<(Rect, Vec<f32>, Vec<Rect>)> = Vec::new();
    let mut sorted: Vec<(Rect, Vec<Rect>)> = regions
        .into_iter()
        .filter_map(|faces| Some((faces.iter().copied().reduce(crate::grid::joined)?, faces)))
        .collect();
    let area = |bbox: &Rect| (bbox.x2 - bbox.x1) * (bbox.y2 - bbox.y1);
    sorted.sort_by(|a, b| area(&b.0).total_cmp(&area(&a.0)));
    for (bbox, faces) in sorted {
        let borders = regions::snapped(faces.iter().flat_map(|face| [face.x1, face.x2]));
        let belongs = |(other, columns, _): &(Rect, Vec<f32>, Vec<Rect>)| {
            let inside = bbox.x1 >= other.x1 - WAVER
                && bbox.x2 <= other.x2 + WAVER
                && bbox.y1 >= other.y1 - WAVER
                && bbox.y2 <= other.y2 + WAVER;
            let edges = (bbox.x1 - other.x1).abs() <= WAVER && (bbox.x2 - other.x2).abs() <= WAVER;
            let follows = (bbox.y1 - other.y2).abs() <= WAVER || (bbox.y2 - other.y1).abs() <= WAVER;
            let has = |x: f32| columns.get(regions::nearest(columns, x)).is_some_and(|own| (own - x).abs() <= WAVER);
            let shared = borders.iter().filter(|&&x| has(x)).count();
            inside || (edges && follows && 10 * shared >= 7 * borders.len())
        };
        match whole.iter_mut().find(|other| belongs(other)) {
            Some((other, columns, own)) => {
                *other = crate::grid::joined(*other, bbox);
                *columns = regions::snapped(columns.iter().chain(&borders).copied());
                own.extend(faces);
            }
            None => whole.push((bbox, borders, faces)),
        }
    }
    whole.into_iter().map(|(_, _, faces)| drawn_straight(&faces)).collect()
}

/// Long strokes along an axis, as rules in points.
fn strokes(ink: &[bool], width: usize, height: usize, upright: bool, longest_letter: f32, scale: f32) -> Vec<Rule> {
    let (lanes, length) = if upright { (width, height) } else { (height, width) };
    let at = |lane: usize, along: usize| {
        let index = if upright { along * width + lane } else { lane * width + along };
        ink.get(index).copied().unwrap_or(false)
    };
    let breaks = (BREAK / scale).round() as usize;
    let mut pieces = Vec::new();
    for lane in 0..lanes {
        // A thin line wavers by a pixel.
        let near = |along: usize| at(lane, along) || (lane > 0 && at(lane - 1, along)) || at(lane + 1, along);
        let (mut start, mut last, mut inked, mut own) = (None, 0, 0_usize, 0_usize);
        for along in 0..=length {
            let here = along < length && near(along);
            if here {
                if start.is_none() {
                    start = Some(along);
                    (inked, own) = (0, 0);
                }
                last = along;
                inked += 1;
                own += usize::from(at(lane, along));
            } else if let Some(from) = start
                && (along == length || along - last > breaks)
            {
                let long = (last - from + 1) as f32;
                let is_rule = long >= longest_letter && inked as f32 >= DENSE * long && own as f32 >= 0.4 * long;
                if is_rule {
                    pieces.push(Rule {
                        at: (lane as f32 + 0.5) * scale,
                        from: from as f32 * scale,
                        to: (last + 1) as f32 * scale,
                    });
                }
                start = None;
            }
        }
    }
    crate::rules::gathered(pieces, longest_letter * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruled(width: usize, height: usize, slope: f32) -> Picture {
        let mut picture = Picture { width, height, grey: vec![255; width * height] };
        let mut put = |x: f32, y: f32| {
            let (dx, dy) = (x - width as f32 / 2.0, y - height as f32 / 2.0);
            let (x, y) = (x - slope * dy, y + slope * dx);
            for off in 0..2 {
                let index = (y as usize + off) * width + x as usize;
                if let Some(pixel) = picture.grey.get_mut(index) {
                    *pixel = 30;
                }
            }
        };
        for row in 0..6 {
            for x in 100..900 {
                put(x as f32, 100.0 + 60.0 * row as f32);
            }
        }
        for column in 0..5 {
            for y in 100..=400 {
                put(100.0 + 200.0 * column as f32, y as f32);
            }
        }
        picture
    }

    #[test]
    fn a_ruled_picture_is_a_grid_level_or_askew() {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 480.0, y2: 240.0 };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        for slope in [0.0, 0.008, -0.012] {
            let (grids, found) = find_in_picture(&ruled(1000, 500, slope), 150.0, &geometry);
            assert!((found - slope).abs() < 0.0015, "{slope}: {found}");
            let sizes: Vec<(usize, usize)> = grids.iter().map(|grid| (grid.width(), grid.height())).collect();
            assert_eq!(sizes, [(4, 5)], "{slope}");
        }
    }
}
