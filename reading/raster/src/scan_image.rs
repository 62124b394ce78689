//! The image of a scanned page while it is cleaned for OCR.

use fanlight_contract::{PixelFormat, Raster};

use crate::components::{PixelBox, small_components};

/// Pixels up to this brightness, of 255, are foreground.
const THRESHOLD: u8 = 140;

/// A grey image that is binarized at a fixed threshold: rows of pixels from the top.
#[derive(Clone, Debug)]
pub(crate) struct ScanImage {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<u8>,
}

impl ScanImage {
    /// Creates an image from a grey raster; `None` for a raster of another format.
    pub(crate) fn from_raster(raster: &Raster) -> Option<Self> {
        if raster.format != PixelFormat::Grey {
            return None;
        }
        let (width, height) = (raster.width as usize, raster.height as usize);
        let mut pixels = raster.bytes().to_vec();
        pixels.resize(width * height, u8::MAX);
        Some(Self { width, height, pixels })
    }

    /// Returns the image as a raster.
    pub(crate) fn into_raster(self) -> Raster {
        Raster::from_bytes(self.width as u32, self.height as u32, PixelFormat::Grey, &self.pixels)
    }

    /// Returns whether a pixel is foreground; `false` outside the image.
    pub(crate) fn is_foreground(&self, x: usize, y: usize) -> bool {
        self.pixels.get(y * self.width + x).is_some_and(|&pixel| pixel <= THRESHOLD)
    }

    /// Returns the number of foreground pixels of a box, as far as it lies in the image.
    pub(crate) fn foreground_in(&self, area: PixelBox) -> usize {
        let rows = area.top..(area.bottom + 1).min(self.height);
        rows.flat_map(|y| self.row(y, area)).filter(|&&pixel| pixel <= THRESHOLD).count()
    }

    /// Paints a box white, as far as it lies in the image.
    pub(crate) fn erase(&mut self, area: PixelBox) {
        let (from, to) = (area.left.min(self.width), (area.right + 1).min(self.width));
        for y in area.top..(area.bottom + 1).min(self.height) {
            self.pixels[y * self.width + from..y * self.width + to].fill(u8::MAX);
        }
    }

    /// Returns the pixels of a row that lie in a box.
    fn row(&self, y: usize, area: PixelBox) -> &[u8] {
        let (from, to) = (area.left.min(self.width), (area.right + 1).min(self.width));
        &self.pixels[y * self.width + from..y * self.width + to]
    }

    /// Smooths the pixels with a Gaussian filter whose standard deviation is about 1.4 pixels: rows first, then columns.
    pub(crate) fn smooth(&mut self) {
        let mut along_rows = vec![0; self.pixels.len()];
        for (row, smoothed) in self.pixels.chunks(self.width.max(1)).zip(along_rows.chunks_mut(self.width.max(1))) {
            for (x, pixel) in smoothed.iter_mut().enumerate() {
                *pixel = weighted(|offset| row[(x + offset).saturating_sub(REACH).min(row.len() - 1)]);
            }
        }
        let (width, height) = (self.width, self.height);
        for (y, row) in self.pixels.chunks_mut(width.max(1)).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = weighted(|offset| along_rows[(y + offset).saturating_sub(REACH).min(height - 1) * width + x]);
            }
        }
    }

    /// Returns the connected components that are at most `max_side` pixels wide and high.
    pub(crate) fn small_components(&self, max_side: usize) -> Vec<PixelBox> {
        let foreground: Vec<bool> = self.pixels.iter().map(|pixel| *pixel <= THRESHOLD).collect();
        small_components(&foreground, self.width, max_side)
    }
}

/// The eighth row of Pascal's triangle: it approximates a Gaussian with a standard deviation of √2 pixels, and its weights sum
/// to 256.
const WEIGHTS: [u32; 9] = [1, 8, 28, 56, 70, 56, 28, 8, 1];
/// Number of pixels to each side that the weights reach.
const REACH: usize = 4;

/// Returns the weighted mean of the pixels at the offsets 0 to twice [`REACH`].
fn weighted(pixel: impl Fn(usize) -> u8) -> u8 {
    let sum: u32 = WEIGHTS.iter().enumerate().map(|(offset, weight)| weight * u32::from(pixel(offset))).sum();
    (sum / 256) as u8
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const WIDTH: usize = 400;
    pub(crate) const HEIGHT: usize = 60;

    /// A black box: left, top, width, height.
    pub(crate) type Mark = (usize, usize, usize, usize);

    /// Black boxes on white paper.
    pub(crate) fn drawn(marks: &[Mark]) -> Raster {
        let mut pixels = vec![255; WIDTH * HEIGHT];
        for &(x, y, wide, high) in marks {
            for row in y..y + high {
                pixels[row * WIDTH + x..row * WIDTH + x + wide].fill(0);
            }
        }
        Raster::from_bytes(WIDTH as u32, HEIGHT as u32, PixelFormat::Grey, &pixels)
    }

    /// The number of dark pixels.
    pub(crate) fn dark_pixels(raster: &Raster) -> usize {
        raster.bytes().iter().filter(|&&pixel| pixel < 128).count()
    }

    #[test]
    fn smoothing_spreads_dark_pixels_and_leaves_paper_white() {
        let mut image = ScanImage::from_raster(&drawn(&[(100, 30, 1, 1)])).unwrap();
        image.smooth();
        let smoothed = image.into_raster();
        let at = |x: usize, y: usize| smoothed.bytes()[y * WIDTH + x];
        assert!(at(100, 30) < at(102, 30) && at(102, 30) < at(104, 34));
        assert_eq!((at(0, 0), at(110, 30), at(WIDTH - 1, HEIGHT - 1)), (255, 255, 255));
    }
}
