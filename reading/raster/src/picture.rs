//! A picture of a page while it is cleaned: grey pixels, and the pieces of ink in them.

use fanlight_contract::{PixelFormat, Raster};

/// Darker pixels are ink.
const INK: u8 = 140;

/// Grey pixels, row by row from the top.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<u8>,
}

/// A piece of ink: the box of its pixels, edges included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Speck {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

impl Speck {
    pub(crate) fn width(&self) -> usize {
        self.right - self.left + 1
    }

    pub(crate) fn height(&self) -> usize {
        self.bottom - self.top + 1
    }

    /// Whether it is about as wide as high, as no dash is.
    pub(crate) fn is_round(&self) -> bool {
        self.width() <= self.height() * 2 && self.height() <= self.width() * 2
    }

    pub(crate) fn middle(&self) -> (f32, f32) {
        ((self.left + self.right) as f32 / 2.0, (self.top + self.bottom) as f32 / 2.0)
    }

    /// The box with so much more at each side.
    pub(crate) fn grown(self, by: usize) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right.saturating_add(by),
            bottom: self.bottom.saturating_add(by),
        }
    }
}

impl Picture {
    /// None for a picture of another format than grey.
    pub(crate) fn of(raster: &Raster) -> Option<Self> {
        if raster.format != PixelFormat::Grey {
            return None;
        }
        let (width, height) = (raster.width as usize, raster.height as usize);
        let mut pixels = raster.bytes().to_vec();
        pixels.resize(width * height, u8::MAX);
        Some(Self { width, height, pixels })
    }

    pub(crate) fn into_raster(self) -> Raster {
        Raster::from_bytes(self.width as u32, self.height as u32, PixelFormat::Grey, &self.pixels)
    }

    pub(crate) fn is_ink(&self, x: usize, y: usize) -> bool {
        self.pixels.get(y * self.width + x).is_some_and(|&pixel| pixel <= INK)
    }

    /// Pixels of ink within a box, as far as it lies in the picture.
    pub(crate) fn ink_in(&self, area: Speck) -> usize {
        let rows = area.top..(area.bottom + 1).min(self.height);
        rows.flat_map(|y| self.row(y, area)).filter(|&&pixel| pixel <= INK).count()
    }

    /// Paints a box white, as far as it lies in the picture.
    pub(crate) fn erase(&mut self, area: Speck) {
        let (from, to) = (area.left.min(self.width), (area.right + 1).min(self.width));
        for y in area.top..(area.bottom + 1).min(self.height) {
            self.pixels[y * self.width + from..y * self.width + to].fill(u8::MAX);
        }
    }

    fn row(&self, y: usize, area: Speck) -> &[u8] {
        let (from, to) = (area.left.min(self.width), (area.right + 1).min(self.width));
        &self.pixels[y * self.width + from..y * self.width + to]
    }

    /// Smooths the pixels with a Gaussian of about 1.4 pixels.
    pub(crate) fn smooth(&mut self) {
        let mut lying = vec![0; self.pixels.len()];
        for (row, smoothed) in self.pixels.chunks(self.width.max(1)).zip(lying.chunks_mut(self.width.max(1))) {
            for (x, pixel) in smoothed.iter_mut().enumerate() {
                *pixel = weighted(|offset| row[(x + offset).saturating_sub(REACH).min(row.len() - 1)]);
            }
        }
        let (width, height) = (self.width, self.height);
        for (y, row) in self.pixels.chunks_mut(width.max(1)).enumerate() {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = weighted(|offset| lying[(y + offset).saturating_sub(REACH).min(height - 1) * width + x]);
            }
        }
    }

    /// Every connected piece of ink (8 neighbours) that fits into a square of so many pixels.
    pub(crate) fn specks(&self, largest: usize) -> Vec<Speck> {
        let (width, height) = (self.width, self.height);
        let mut seen = vec![false; self.pixels.len()];
        let mut found = Vec::new();
        let mut pending = Vec::new();
        for start in 0..self.pixels.len() {
            if seen[start] || self.pixels[start] > INK {
                continue;
            }
            seen[start] = true;
            pending.push(start);
            let mut speck = Speck { left: width, top: height, right: 0, bottom: 0 };
            while let Some(at) = pending.pop() {
                let (x, y) = (at % width, at / width);
                speck.left = speck.left.min(x);
                speck.right = speck.right.max(x);
                speck.top = speck.top.min(y);
                speck.bottom = speck.bottom.max(y);
                for ny in y.saturating_sub(1)..(y + 2).min(height) {
                    for nx in x.saturating_sub(1)..(x + 2).min(width) {
                        let next = ny * width + nx;
                        if !seen[next] && self.pixels[next] <= INK {
                            seen[next] = true;
                            pending.push(next);
                        }
                    }
                }
            }
            if speck.width() <= largest && speck.height() <= largest {
                found.push(speck);
            }
        }
        found
    }
}

/// The eighth row of Pascal's triangle: a Gaussian of the square root of 2 pixels, its weights summing to 256.
const WEIGHTS: [u32; 9] = [1, 8, 28, 56, 70, 56, 28, 8, 1];
/// Pixels to each side that the weights reach.
const REACH: usize = 4;

/// The weighted mean of the pixels at the offsets 0 to twice the reach.
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

    pub(crate) fn ink(raster: &Raster) -> usize {
        raster.bytes().iter().filter(|&&pixel| pixel < 128).count()
    }

    #[test]
    fn smoothing_spreads_ink_and_leaves_paper_white() {
        let mut picture = Picture::of(&drawn(&[(100, 30, 1, 1)])).unwrap();
        picture.smooth();
        let smoothed = picture.into_raster();
        let at = |x: usize, y: usize| smoothed.bytes()[y * WIDTH + x];
        assert!(at(100, 30) < at(102, 30) && at(102, 30) < at(104, 34));
        assert_eq!((at(0, 0), at(110, 30), at(WIDTH - 1, HEIGHT - 1)), (255, 255, 255));
    }

    #[test]
    fn pieces_that_touch_at_a_corner_are_one() {
        let picture = Picture::of(&drawn(&[(10, 10, 3, 3), (13, 13, 2, 2), (30, 10, 40, 3)])).unwrap();
        assert_eq!(picture.specks(11), [Speck { left: 10, top: 10, right: 14, bottom: 14 }]);
    }
}
