//! Rasters with their place on the page, and squares of them as networks see them.
//!
//! Training and serving resample here, so both see the same pixels.

use std::ops::Range;

use fanlight_contract::{Raster, Rect};

/// Points per inch.
pub(crate) const INCH: f32 = 72.0;

/// A grey raster with its place on the page.
#[derive(Clone, Copy, Debug)]
pub struct PlacedRaster<'a> {
    /// One byte per pixel, 0 is black, rows from the top.
    pub pixels: &'a [u8],
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Left edge in user space, in points.
    pub left: f32,
    /// Upper edge in user space, in points.
    pub top: f32,
    /// Pixels per point.
    pub scale: f32,
}

impl<'a> PlacedRaster<'a> {
    /// Places the raster of a region of a page that was rendered in user space at `dpi` pixels per inch, one byte per pixel.
    pub fn of_region(raster: &'a Raster, region: Rect, dpi: f32) -> Self {
        Self {
            pixels: raster.bytes(),
            width: raster.width as usize,
            height: raster.height as usize,
            left: region.x1,
            top: region.y2,
            scale: dpi / INCH,
        }
    }

    /// Returns a square of the page by area averaging: `side` rows of `side` cells, from the top of the page.
    ///
    /// Its upper left corner is at `left` and `top` in user space, and it has `scale` cells per point. A cell holds the square
    /// root of its mean darkness, from 0 (paper) to 1 (black), so that thin and grey lines show beside heavy ones. Outside the
    /// raster everything is paper; a square that is empty or infinite is paper only.
    pub fn ink(&self, (left, top): (f32, f32), scale: f32, side: usize) -> Vec<f32> {
        let mut ink = vec![0.0; side * side];
        let step = self.scale / scale;
        let (x, y) = ((left - self.left) * self.scale, (self.top - top) * self.scale);
        if !(step > 0.0 && step.is_finite() && x.is_finite() && y.is_finite()) {
            return ink;
        }
        let columns: Vec<PixelSpan> =
            (0..side).map(|cell| PixelSpan::new(x + step * cell as f32, step, self.width)).collect();
        let shown = PixelSpan::new(x, step * side as f32, self.width).pixels();
        // The darkness of the pixels of a row of cells, summed from above downwards.
        let mut darkness = vec![0.0; self.width];
        for (row, cells) in ink.chunks_mut(side.max(1)).enumerate() {
            let rows = PixelSpan::new(y + step * row as f32, step, self.height);
            let Some(darkness_shown) = darkness.get_mut(shown.clone()) else { break };
            darkness_shown.fill(0.0);
            for line in rows.pixels() {
                let high = rows.share_of(line);
                let greys = self.pixels.get(line * self.width..(line + 1) * self.width).unwrap_or_default();
                for (sum, grey) in darkness_shown.iter_mut().zip(greys.get(shown.clone()).unwrap_or_default()) {
                    *sum += high * (1.0 - f32::from(*grey) / 255.0);
                }
            }
            for (cell, across) in cells.iter_mut().zip(&columns) {
                let dark = darkness.get(across.pixels()).unwrap_or_default();
                let sum: f32 =
                    dark.iter().zip(across.pixels()).map(|(dark, pixel)| across.share_of(pixel) * dark).sum();
                *cell = (sum / (step * step)).clamp(0.0, 1.0).sqrt();
            }
        }
        ink
    }
}

/// An interval of a row or column of pixels, clipped to the raster.
#[derive(Clone, Copy, Debug)]
struct PixelSpan {
    from: f32,
    to: f32,
    count: usize,
}

impl PixelSpan {
    fn new(from: f32, length: f32, count: usize) -> Self {
        Self { from: from.max(0.0), to: (from + length).min(count as f32), count }
    }

    /// Returns the pixels that it covers in part or in full.
    fn pixels(self) -> Range<usize> {
        if self.to > self.from { self.from as usize..(self.to.ceil() as usize).min(self.count) } else { 0..0 }
    }

    /// Returns the share of one of these pixels that it covers.
    fn share_of(self, pixel: usize) -> f32 {
        self.to.min(pixel as f32 + 1.0) - self.from.max(pixel as f32)
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

    /// The pixels of a black square of 10 x 10 points at the upper left corner.
    fn square() -> Vec<u8> {
        let inside = |at: usize| at % WIDE < 20 && at / WIDE < 20;
        (0..WIDE * WIDE).map(|at| if inside(at) { 0 } else { 255 }).collect()
    }

    #[test]
    fn a_square_shows_the_same_place_at_any_scale() {
        let pixels = square();
        for scale in [0.5, 1.0, 2.0, 3.0] {
            let tile = raster(&pixels).ink((95.0, 55.0), scale, 60);
            let ink: f32 = tile.iter().map(|cell| cell * cell).sum::<f32>() / (scale * scale);
            assert!((ink - 100.0).abs() < 1.0, "{scale}: {ink}");
            let cell = |x: f32, y: f32| tile[(y * scale) as usize * 60 + (x * scale) as usize];
            assert_eq!((cell(2.0, 2.0), cell(10.0, 10.0), cell(17.0, 17.0)), (0.0, 1.0, 0.0), "{scale}");
        }
    }

    #[test]
    fn a_cell_holds_the_root_of_its_mean_darkness() {
        let mut pixels = vec![255; WIDE * WIDE];
        // A quarter of the pixel at the third column of the second row lies in the cell.
        pixels[WIDE + 2] = 51;
        let cell = raster(&pixels).ink((101.25, 49.25), 0.5, 1)[0];
        assert!((cell - (0.25_f32 * 0.8 / 16.0).sqrt()).abs() < 1e-6, "{cell}");
    }

    #[test]
    fn outside_the_raster_is_paper() {
        let none = PlacedRaster { pixels: &[], width: 0, height: 0, left: 0.0, top: 0.0, scale: 2.0 };
        for (at, scale) in [((0.0, 0.0), 1.0), ((f32::NAN, 0.0), 1.0), ((0.0, 0.0), 0.0), ((0.0, 0.0), f32::INFINITY)] {
            assert_eq!(none.ink(at, scale, 4), vec![0.0; 16]);
        }
        let pixels = square();
        for at in [(500.0, 500.0), (-500.0, -500.0), (1e30, 0.0)] {
            assert_eq!(raster(&pixels).ink(at, 1.0, 4), vec![0.0; 16]);
        }
        assert_eq!(raster(&pixels).ink((100.0, 50.0), 1.0, 0), Vec::<f32>::new());
    }
}
