//! Finds the lines of text in a picture: differentiable binarization, Liao et al. 2020.
//!
//! The network `text-detector` marks the core of each line, shrunk from its edges. Each connected component of the marks
//! becomes the smallest rectangle around it, which is grown by as much as the network's training data were shrunk.

use std::borrow::Cow;

use fanlight_contract::nn::{NnError, Tensor};
use fanlight_raster::{GreyImage, OrientedBox, component_outlines, letter_height};

use crate::Networks;

/// Height of letters that the network detects best, in pixels.
const LETTER_HEIGHT: f32 = 14.0;
/// Least scale to which a picture is reduced: larger letters are detected well at their size.
const LEAST_SCALE: f32 = 0.25;
/// Side of the tiles that the network sees, in pixels.
const TILE: usize = 1152;
/// The network's sides are multiples of this: it halves them five times.
const STRIDE: usize = 32;
/// Pixels at the edges of a tile that are taken from the neighbouring tile, which sees more around them.
const MARGIN: usize = 64;
/// Least difference between the brightest and the darkest pixel of a tile, of 255. A tile with less holds no text.
const MIN_CONTRAST: u8 = 40;

/// Least likelihood of a pixel of a line's core. From the network's configuration (`PostProcess.thresh`).
const MIN_PIXEL: f32 = 0.2;
/// Least mean likelihood of a line's core. The network's configuration has 0.4 (`PostProcess.box_thresh`), with which one
/// line in 25 more is none on a dense plan.
const MIN_MEAN: f32 = 0.6;
/// How much a core is grown at each side, in area by circumference. From the network's configuration
/// (`PostProcess.unclip_ratio`).
const GROWTH: f32 = 1.4;
/// Least side of a core in pixels; a smaller one is a speck. As `min_size` in the
/// class `DBPostProcess` of the network's authors.
const MIN_SIDE: f32 = 3.0;
/// Pixels by which a core's edge lies outside of the centers of its outermost pixels, from which the network's authors
/// measure (`findContours` of the library `opencv`).
const TO_PIXEL_CENTERS: f32 = 0.5;
/// Most lines of a picture, so that its time is bounded. The densest sheets of the corpus have some 2,000.
const MOST_LINES: usize = 5_000;

/// Returns the boxes of the lines of text in a picture, in its pixels and in no order.
///
/// # Errors
///
/// The network cannot be used or fails.
pub fn text_boxes(picture: &GreyImage, networks: &dyn Networks) -> Result<Vec<OrientedBox>, NnError> {
    let scale = letter_height(picture).map_or(1.0, |height| LETTER_HEIGHT / height).clamp(LEAST_SCALE, 1.0);
    text_boxes_at(scale, picture, networks)
}

/// As [`text_boxes`], but the network sees the picture at `scale` of its resolution, from 0 to 1.
///
/// # Errors
///
/// The network cannot be used or fails.
pub fn text_boxes_at(scale: f32, picture: &GreyImage, networks: &dyn Networks) -> Result<Vec<OrientedBox>, NnError> {
    let reduced = if scale < 1.0 { Cow::Owned(picture.reduced(scale)) } else { Cow::Borrowed(picture) };
    let map = TextMap::of_picture(&reduced, networks)?;
    let enlargement = picture.width as f32 / reduced.width as f32;
    Ok(map.boxes().into_iter().map(|found| found.scaled(enlargement)).collect())
}

/// How likely each pixel of a picture belongs to the core of a line, in steps of 1/255.
struct TextMap {
    width: usize,
    height: usize,
    likelihoods: Vec<u8>,
}

/// A range of pixels along one axis that a tile covers.
struct TileSpan {
    /// First pixel that the network sees.
    start: usize,
    /// Number of pixels that it sees.
    length: usize,
    /// First pixel that is taken from this tile.
    own_start: usize,
    /// The pixel after the last one that is taken.
    own_end: usize,
}

impl TextMap {
    /// Has the network mark a picture tile by tile.
    fn of_picture(picture: &GreyImage, networks: &dyn Networks) -> Result<Self, NnError> {
        let (width, height) = (picture.width, picture.height);
        let mut map = Self { width, height, likelihoods: vec![0; width * height] };
        for rows in tile_spans(height) {
            for columns in tile_spans(width) {
                map.mark_tile(picture, &columns, &rows, networks)?;
            }
        }
        Ok(map)
    }

    fn mark_tile(
        &mut self,
        picture: &GreyImage,
        columns: &TileSpan,
        rows: &TileSpan,
        networks: &dyn Networks,
    ) -> Result<(), NnError> {
        let seen = (rows.start..rows.start + rows.length)
            .map(|y| &picture.grey[y * self.width + columns.start..][..columns.length]);
        let (darkest, brightest) = seen
            .clone()
            .flatten()
            .fold((255, 0), |(least, most): (u8, u8), &pixel| (least.min(pixel), most.max(pixel)));
        if brightest.saturating_sub(darkest) < MIN_CONTRAST {
            return Ok(());
        }
        let side = |length: usize| length.next_multiple_of(STRIDE);
        let (width, height) = (side(columns.length), side(rows.length));
        let mut pixels = vec![1.0; width * height];
        for (row, seen) in pixels.chunks_exact_mut(width).zip(seen) {
            for (pixel, seen) in row.iter_mut().zip(seen) {
                *pixel = f32::from(*seen) / 255.0;
            }
        }
        let marked = networks.detect(Tensor::new(&[1, 1, height as u32, width as u32], pixels))?;
        if marked.values.len() != width * height {
            return Err(NnError::Failed(format!("{} values for {width}x{height} pixels", marked.values.len())));
        }
        for y in rows.own_start..rows.own_end {
            let marks = &marked.values[(y - rows.start) * width..][..width];
            for x in columns.own_start..columns.own_end {
                self.likelihoods[y * self.width + x] = (marks[x - columns.start] * 255.0).round() as u8;
            }
        }
        Ok(())
    }

    /// Returns the boxes of lines, the surest [`MOST_LINES`] of them.
    fn boxes(&self) -> Vec<OrientedBox> {
        let least = (MIN_PIXEL * 255.0) as u8;
        let cores = self.likelihoods.iter().map(|likelihood| *likelihood > least).collect();
        let mut found = Vec::new();
        for outline in component_outlines(cores, self.width) {
            let Some(core) = OrientedBox::around(&outline) else { continue };
            let core = core.expanded(-TO_PIXEL_CENTERS);
            if core.length.min(core.thickness) < MIN_SIDE {
                continue;
            }
            let likelihood = self.mean_in(&core);
            if likelihood >= MIN_MEAN {
                let growth = core.area() * GROWTH / (2.0 * (core.length + core.thickness));
                found.push((likelihood, core.expanded(growth)));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.truncate(MOST_LINES);
        found.into_iter().map(|(_, line)| line).collect()
    }

    /// Returns the mean likelihood of the pixels in a box, from 0 to 1.
    fn mean_in(&self, area: &OrientedBox) -> f32 {
        let bounds = area.bounds();
        let within = |value: f32, most: usize| (value.max(0.0) as usize).min(most);
        let (mut sum, mut count) = (0_u32, 0_u32);
        for y in within(bounds.y1.floor(), self.height)..within(bounds.y2.ceil(), self.height) {
            for x in within(bounds.x1.floor(), self.width)..within(bounds.x2.ceil(), self.width) {
                if area.contains((x as f32 + 0.5, y as f32 + 0.5)) {
                    sum += u32::from(self.likelihoods[y * self.width + x]);
                    count += 1;
                }
            }
        }
        sum as f32 / (255 * count.max(1)) as f32
    }
}

/// Divides the pixels along one axis into tiles that overlap by two margins.
fn tile_spans(pixels: usize) -> Vec<TileSpan> {
    let mut spans = Vec::new();
    let mut start = 0;
    loop {
        let length = TILE.min(pixels - start);
        let is_last = start + length == pixels;
        let own_start = if start == 0 { 0 } else { start + MARGIN };
        let own_end = if is_last { pixels } else { start + length - MARGIN };
        spans.push(TileSpan { start, length, own_start, own_end });
        if is_last {
            return spans;
        }
        start += TILE - 2 * MARGIN;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Likelihoods;

    /// A detector that marks black pixels.
    struct Black;

    impl Networks for Black {
        fn detect(&self, picture: Tensor) -> Result<Tensor, NnError> {
            let values = picture.values.iter().map(|brightness| 1.0 - brightness).collect();
            Ok(Tensor { values, ..picture })
        }

        fn recognize(&self, _: Tensor) -> Result<Likelihoods, NnError> {
            Err(NnError::Failed("detection reads nothing".to_owned()))
        }
    }

    fn picture(width: usize, height: usize, is_black: impl Fn(usize, usize) -> bool) -> GreyImage {
        let grey = (0..width * height).map(|at| if is_black(at % width, at / width) { 0 } else { 255 });
        GreyImage { width, height, grey: grey.collect() }
    }

    #[test]
    fn tiles_take_each_pixel_once() {
        for pixels in [1, 31, TILE, TILE + 1, 5 * TILE + 7] {
            let spans = tile_spans(pixels);
            let taken: usize = spans.iter().map(|span| span.own_end - span.own_start).sum();
            assert_eq!(taken, pixels);
            assert!(spans.windows(2).all(|pair| pair[0].own_end == pair[1].own_start));
            assert!(spans.iter().all(|span| span.start <= span.own_start && span.own_end <= span.start + span.length));
        }
    }

    #[test]
    fn a_line_across_tiles_is_one_box() {
        let width = 2 * TILE;
        let line = picture(width, 64, |x, y| (100..width - 100).contains(&x) && (20..30).contains(&y));
        let boxes = text_boxes(&line, &Black).unwrap();
        assert_eq!(boxes.len(), 1);
        let (length, thickness) = ((width - 201) as f32, 9.0);
        let growth = GROWTH * length * thickness / (2.0 * (length + thickness));
        assert!((boxes[0].thickness - thickness - 2.0 * growth).abs() < 0.1, "{:?}", boxes[0]);
    }

    #[test]
    fn specks_are_no_lines() {
        let specks = picture(320, 320, |x, y| x % 4 < 2 && y % 4 < 2);
        assert!(text_boxes(&specks, &Black).unwrap().is_empty());
    }

    #[test]
    fn a_falling_line_has_a_falling_box() {
        let falling = picture(400, 400, |x, y| (50..350).contains(&x) && (x / 2..x / 2 + 12).contains(&y));
        let boxes = text_boxes(&falling, &Black).unwrap();
        assert_eq!(boxes.len(), 1);
        assert!((boxes[0].angle - 0.5_f32.atan()).abs() < 0.02, "{:?}", boxes[0]);
    }
}
