//! The image of a scanned page while it is cleaned for OCR.

use std::ops::Range;

use fanlight_contract::{PixelFormat, Raster};

use crate::GreyImage;
use crate::components::{PixelBox, small_components};

/// Pixels up to this brightness, of 255, are foreground.
const THRESHOLD: u8 = 140;

/// Width of the margin around a dot that holds something else if the dot is a full stop or belongs to a letter, in pixels at
/// 300 dpi.
const NEIGHBORHOOD: usize = 13;

/// A grey image that is binarized at a fixed threshold.
#[derive(Clone, Debug)]
pub(crate) struct ScanImage(pub(crate) GreyImage);

impl ScanImage {
    /// Creates an image from a grey raster; `None` for a raster of another format.
    pub(crate) fn from_raster(raster: &Raster) -> Option<Self> {
        (raster.format == PixelFormat::Grey).then(|| Self(GreyImage::from_raster(raster)))
    }

    /// Returns the image as a raster.
    pub(crate) fn into_raster(self) -> Raster {
        self.0.to_raster()
    }

    /// Returns whether a pixel is foreground; `false` outside the image.
    pub(crate) fn is_foreground(&self, x: usize, y: usize) -> bool {
        self.0.at(x, y) <= THRESHOLD
    }

    /// Returns the number of foreground pixels of a box, as far as it lies in the image.
    pub(crate) fn foreground_in(&self, area: PixelBox) -> usize {
        let rows = area.top..(area.bottom + 1).min(self.0.height);
        rows.flat_map(|y| &self.0.grey[self.row(y, area)]).filter(|&&pixel| pixel <= THRESHOLD).count()
    }

    /// Returns the number of foreground pixels of a dot and its neighborhood.
    pub(crate) fn foreground_near(&self, dot: PixelBox) -> usize {
        self.foreground_in(dot.expanded(NEIGHBORHOOD))
    }

    /// Returns the number of foreground pixels of a dot and of its neighborhood above and below it.
    pub(crate) fn foreground_in_column(&self, dot: PixelBox) -> usize {
        self.foreground_in(PixelBox { left: dot.left, right: dot.right, ..dot.expanded(NEIGHBORHOOD) })
    }

    /// Paints a box white, as far as it lies in the image.
    pub(crate) fn erase(&mut self, area: PixelBox) {
        for y in area.top..(area.bottom + 1).min(self.0.height) {
            let row = self.row(y, area);
            self.0.grey[row].fill(u8::MAX);
        }
    }

    /// Returns where the pixels of a row that lie in a box are.
    fn row(&self, y: usize, area: PixelBox) -> Range<usize> {
        let width = self.0.width;
        y * width + area.left.min(width)..y * width + (area.right + 1).min(width)
    }

    /// Returns the connected components that are at most `max_side` pixels wide and high.
    pub(crate) fn small_components(&self, max_side: usize) -> Vec<PixelBox> {
        let foreground: Vec<bool> = self.0.grey.iter().map(|pixel| *pixel <= THRESHOLD).collect();
        small_components(&foreground, self.0.width, max_side)
    }
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
}
