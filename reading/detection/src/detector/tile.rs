//! The input of the detector network: squares of a page at one scale of the building, in cells from 0 (paper) to 1 (black).
//!
//! Training and serving resample their tiles here, so both see the same pixels.

use crate::classifier_input::PlacedRaster;

/// Side of the network's input, in cells.
pub const SIDE: usize = 512;

/// Cells per metre of the building: a door's leaf has some 36, a urinal 14.
pub const PIXELS_PER_METRE: f32 = 40.0;

/// Inches per metre.
const INCHES_PER_METRE: f32 = 39.37;

/// Returns the cells per point of paper on a plan with `points_per_inch` points per inch of the building.
pub fn pixels_per_point(points_per_inch: f32) -> f32 {
    PIXELS_PER_METRE / (INCHES_PER_METRE * points_per_inch)
}

/// Width of the histogram's window that holds the greys of paper.
const PAPER_GREYS: usize = 16;

/// Stretches greys so that paper becomes white and ink black.
///
/// Paper is the mode of the grey histogram. If it is dark, the page is a negative, such as a blueprint, and is inverted.
pub fn whiten(pixels: &mut [u8]) {
    let mut counts = [0_usize; 256];
    for &grey in &*pixels {
        counts[usize::from(grey)] += 1;
    }
    let paper = (0..=256 - PAPER_GREYS)
        .max_by_key(|from| counts[*from..from + PAPER_GREYS].iter().sum::<usize>())
        .unwrap_or(256 - PAPER_GREYS);
    let (darkest, brightest) = (paper as f32, (paper + PAPER_GREYS - 1) as f32);
    let is_negative = darkest + brightest < 255.0;
    let whitened: [u8; 256] = std::array::from_fn(|grey| {
        let grey = grey as f32;
        let white = if is_negative { (255.0 - grey) / (255.0 - brightest) } else { grey / darkest };
        (255.0 * white.clamp(0.0, 1.0)).round() as u8
    });
    for grey in pixels {
        *grey = whitened[usize::from(*grey)];
    }
}

/// Resamples a tile of `side` by `side` cells by area averaging, in rows from the top.
///
/// Its upper left corner is at `left` and `top` in user space, and it has `scale` cells per point. A cell holds the square
/// root of its mean darkness, so that thin and grey lines show beside heavy ones. Outside the raster everything is paper.
pub fn input_for_tile(raster: &PlacedRaster<'_>, (left, top): (f32, f32), scale: f32, side: usize) -> Vec<f32> {
    let mut tile = vec![0.0; side * side];
    let step = raster.scale / scale;
    let (x, y) = ((left - raster.left) * raster.scale, (raster.top - top) * raster.scale);
    if !(step > 0.0 && step.is_finite() && x.is_finite() && y.is_finite()) {
        return tile;
    }
    let columns: Vec<PixelSpan> =
        (0..side).map(|cell| PixelSpan::new(x + step * cell as f32, step, raster.width)).collect();
    for (row, cells) in tile.chunks_mut(side).enumerate() {
        let rows = PixelSpan::new(y + step * row as f32, step, raster.height);
        for (pixel_row, high) in rows.pixels() {
            let Some(line) = raster.pixels.get(pixel_row * raster.width..(pixel_row + 1) * raster.width) else {
                continue;
            };
            for (cell, across) in cells.iter_mut().zip(&columns) {
                let ink: f32 = across
                    .pixels()
                    .map(|(column, wide)| wide * line.get(column).map_or(0.0, |grey| 1.0 - f32::from(*grey) / 255.0))
                    .sum();
                *cell += high * ink;
            }
        }
        for cell in cells {
            *cell = (*cell / (step * step)).clamp(0.0, 1.0).sqrt();
        }
    }
    tile
}

/// An interval of a row or column of pixels, clipped to the raster.
#[derive(Clone, Copy, Debug)]
struct PixelSpan {
    from: f32,
    to: f32,
}

impl PixelSpan {
    fn new(from: f32, length: f32, count: usize) -> Self {
        Self { from: from.max(0.0), to: (from + length).min(count as f32) }
    }

    /// Returns the pixels that it covers, each with the covered share.
    fn pixels(self) -> impl Iterator<Item = (usize, f32)> {
        let Self { from, to } = self;
        let pixels = if to > from { from as usize..to.ceil() as usize } else { 0..0 };
        pixels.map(move |pixel| (pixel, to.min(pixel as f32 + 1.0) - from.max(pixel as f32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 40;

    /// A raster of 40 x 40 pixels at 2 pixels per point.
    fn raster(pixels: &[u8]) -> PlacedRaster<'_> {
        PlacedRaster { pixels, width: WIDE, height: WIDE, left: 100.0, top: 50.0, scale: 2.0 }
    }

    /// The pixels of a dark square of 10 x 10 points at the upper left corner.
    fn square(ink: u8, paper: u8) -> Vec<u8> {
        let inside = |at: usize| at % WIDE < 20 && at / WIDE < 20;
        (0..WIDE * WIDE).map(|at| if inside(at) { ink } else { paper }).collect()
    }

    #[test]
    fn whitening_makes_paper_white_and_ink_black() {
        for (what, ink, paper) in
            [("black on white", 0, 255), ("black on old paper", 0, 190), ("white on a blueprint", 255, 40)]
        {
            let mut pixels = square(ink, paper);
            whiten(&mut pixels);
            assert_eq!(pixels, square(0, 255), "{what}");
        }
        whiten(&mut []);
    }

    #[test]
    fn a_tile_shows_the_same_place_at_any_scale() {
        let pixels = square(0, 255);
        for scale in [0.5, 1.0, 2.0, 3.0] {
            let tile = input_for_tile(&raster(&pixels), (95.0, 55.0), scale, 60);
            let ink: f32 = tile.iter().map(|cell| cell * cell).sum::<f32>() / (scale * scale);
            assert!((ink - 100.0).abs() < 1.0, "{scale}: {ink}");
            let cell = |x: f32, y: f32| tile[(y * scale) as usize * 60 + (x * scale) as usize];
            assert_eq!((cell(2.0, 2.0), cell(10.0, 10.0), cell(17.0, 17.0)), (0.0, 1.0, 0.0), "{scale}");
        }
    }

    #[test]
    fn outside_the_raster_is_paper() {
        let none = PlacedRaster { pixels: &[], width: 0, height: 0, left: 0.0, top: 0.0, scale: 2.0 };
        for (at, scale) in [((0.0, 0.0), 1.0), ((f32::NAN, 0.0), 1.0), ((0.0, 0.0), 0.0), ((0.0, 0.0), f32::INFINITY)] {
            assert_eq!(input_for_tile(&none, at, scale, 4), vec![0.0; 16]);
        }
        let pixels = square(0, 255);
        assert_eq!(input_for_tile(&raster(&pixels), (500.0, 500.0), 1.0, 4), vec![0.0; 16]);
    }
}
