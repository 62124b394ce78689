//! A grey image of a page: binarization and deskewing.

use fanlight_contract::{PixelFormat, Raster};

/// A grey image.
#[derive(Clone, Debug)]
pub struct GreyImage {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One byte per pixel, rows from the top; 0 is black.
    pub grey: Vec<u8>,
}

/// Side of the squares in which the brightness of the paper is estimated, in pixels.
const PAPER_SQUARE: usize = 24;
/// Share of a square's pixels that are at least as bright as its paper, in tenths.
const PAPER_TENTHS: u32 = 4;
/// The paper of a square is taken for at least this bright, of 255, so that a black area is foreground.
const MIN_PAPER: f32 = 120.0;
/// Pixels that are this much darker than their paper are foreground, of 255.
const FOREGROUND_CONTRAST: f32 = 34.0;
/// Resolution of the search for the skew.
const SKEW_STEP: f32 = 0.0005;
/// Every pixel of the foreground votes on the skew for images of less than twice this many pixels, then every second,
/// third … up to every eighth one.
const PIXELS_PER_SAMPLE: usize = 400_000;

impl GreyImage {
    /// Creates an image from a raster. Colors become the mean of their channels; missing pixels are white.
    pub fn from_raster(raster: &Raster) -> Self {
        let mut grey = match raster.format {
            PixelFormat::Grey => raster.bytes().to_vec(),
            PixelFormat::Rgb => raster
                .bytes()
                .chunks_exact(3)
                .map(|pixel| (pixel.iter().map(|&channel| u32::from(channel)).sum::<u32>() / 3) as u8)
                .collect(),
        };
        let (width, height) = (raster.width as usize, raster.height as usize);
        grey.resize(width * height, 255);
        Self { width, height, grey }
    }

    /// Returns the image with dark lines on light paper: a negative, such as a blueprint, has mostly dark pixels and is inverted.
    #[must_use]
    pub fn positive(mut self) -> Self {
        let dark = self.grey.iter().filter(|&&pixel| pixel < 128).count();
        if 2 * dark > self.grey.len() {
            self.grey.iter_mut().for_each(|pixel| *pixel = 255 - *pixel);
        }
        self
    }

    /// Returns the image as a raster.
    pub fn to_raster(&self) -> Raster {
        Raster::from_bytes(self.width as u32, self.height as u32, PixelFormat::Grey, &self.grey)
    }

    /// Returns a pixel; white outside the image.
    pub fn at(&self, x: usize, y: usize) -> u8 {
        if x >= self.width || y >= self.height {
            return 255;
        }
        self.grey.get(y * self.width + x).copied().unwrap_or(255)
    }

    /// Returns the image turned by 90 degrees clockwise, so that text that runs upwards is upright.
    #[must_use]
    pub fn clockwise(&self) -> Self {
        let (width, height) = (self.height, self.width);
        let mut grey = Vec::with_capacity(self.grey.len());
        for y in 0..height {
            for x in 0..width {
                grey.push(self.at(y, self.height - 1 - x));
            }
        }
        Self { width, height, grey }
    }

    /// Returns the foreground mask: which pixels are darker than the paper around them (local adaptive thresholding).
    pub fn binarized(&self) -> Vec<bool> {
        let across = self.width.div_ceil(PAPER_SQUARE);
        let paper = self.paper_brightness();
        (0..self.width * self.height)
            .map(|index| {
                let (x, y) = (index % self.width, index / self.width);
                let own = paper[(y / PAPER_SQUARE) * across + x / PAPER_SQUARE].max(MIN_PAPER);
                f32::from(self.grey[index]) < own - FOREGROUND_CONTRAST
            })
            .collect()
    }

    /// Returns the brightness of the paper in each square of [`PAPER_SQUARE`] pixels, row by row.
    fn paper_brightness(&self) -> Vec<f32> {
        let (across, down) = (self.width.div_ceil(PAPER_SQUARE), self.height.div_ceil(PAPER_SQUARE));
        let mut paper = vec![255.0_f32; across * down];
        for by in 0..down {
            for bx in 0..across {
                let mut counts = [0_u32; 256];
                for y in by * PAPER_SQUARE..((by + 1) * PAPER_SQUARE).min(self.height) {
                    let row = y * self.width;
                    let (from, to) = (row + bx * PAPER_SQUARE, row + ((bx + 1) * PAPER_SQUARE).min(self.width));
                    for &pixel in self.grey.get(from..to).unwrap_or_default() {
                        counts[usize::from(pixel)] += 1;
                    }
                }
                let all: u32 = counts.iter().sum();
                let mut brighter = 0;
                for value in (0..256).rev() {
                    brighter += counts[value];
                    if 10 * brighter >= PAPER_TENTHS * all {
                        paper[by * across + bx] = value as f32;
                        break;
                    }
                }
            }
        }
        paper
    }

    /// Returns the skew of the image's lines in pixels down per pixel to the right, at most `steepest` to either side; 0 where it
    /// is too small to matter.
    ///
    /// Takes the angle at which the projection profile has the most energy: the sum of the squared numbers of foreground
    /// pixels in each row. Of large images a sample of the foreground votes.
    pub fn skew(&self, steepest: f32) -> f32 {
        let step = (self.width * self.height / PIXELS_PER_SAMPLE).max(1);
        let places: Vec<(f32, f32)> = self
            .binarized()
            .iter()
            .enumerate()
            .filter(|(_, is_foreground)| **is_foreground)
            .map(|(index, _)| ((index % self.width) as f32, (index / self.width) as f32))
            .step_by(step.min(8))
            .collect();
        let mut best = (0.0_f32, 0.0_f64);
        let steps = (steepest / SKEW_STEP) as i32;
        let margin = steepest * self.width as f32 / 2.0 + 1.0;
        let mut rows = vec![0_u32; self.height + 2 * margin as usize + 4];
        for number in -steps..=steps {
            let skew = number as f32 * SKEW_STEP;
            rows.fill(0);
            for &(x, y) in &places {
                let row = (y - skew * (x - self.width as f32 / 2.0) + margin).max(0.0) as usize;
                if let Some(row) = rows.get_mut(row) {
                    *row += 1;
                }
            }
            let energy: f64 = rows.iter().map(|&count| f64::from(count) * f64::from(count)).sum();
            // A larger skew must be clearly better.
            if energy > best.1 * if skew.abs() < best.0.abs() { 1.0 } else { 1.002 } {
                best = (skew, energy);
            }
        }
        if best.0.abs() < 1.5 * SKEW_STEP { 0.0 } else { best.0 }
    }

    /// Returns the image turned about its center so that lines with this skew become horizontal (nearest neighbor). What
    /// was outside is white.
    #[must_use]
    pub fn deskewed(&self, skew: f32) -> Self {
        let (cx, cy) = (self.width as f32 / 2.0, self.height as f32 / 2.0);
        let mut grey = Vec::with_capacity(self.grey.len());
        for y in 0..self.height {
            for x in 0..self.width {
                let (dx, dy) = (x as f32 - cx, y as f32 - cy);
                let (sx, sy) = (cx + dx - skew * dy, cy + dy + skew * dx);
                grey.push(if sx < 0.0 || sy < 0.0 { 255 } else { self.at(sx.round() as usize, sy.round() as usize) });
            }
        }
        Self { width: self.width, height: self.height, grey }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 400;
    const HEIGHT: usize = 300;

    /// Grey paper with dark lines that fall by `skew`.
    fn ruled(skew: f32) -> GreyImage {
        let grey = (0..WIDTH * HEIGHT).map(|index| {
            let (x, y) = ((index % WIDTH) as f32, (index / WIDTH) as f32);
            let row = y - skew * (x - WIDTH as f32 / 2.0);
            if (row.rem_euclid(40.0)) < 2.0 { 60 } else { 190 }
        });
        GreyImage { width: WIDTH, height: HEIGHT, grey: grey.collect() }
    }

    #[test]
    fn text_that_runs_upwards_is_upright_when_turned_clockwise() {
        let image = GreyImage { width: 2, height: 3, grey: vec![1, 2, 3, 4, 5, 6] };
        let turned = image.clockwise();
        assert_eq!((turned.width, turned.height), (3, 2));
        assert_eq!(turned.grey, [5, 3, 1, 6, 4, 2]);
    }

    #[test]
    fn only_a_negative_is_inverted() {
        let image = |grey: [u8; 4]| GreyImage { width: 2, height: 2, grey: grey.to_vec() };
        assert_eq!(image([60, 70, 80, 250]).positive().grey, [195, 185, 175, 5]);
        assert_eq!(image([60, 200, 200, 250]).positive().grey, [60, 200, 200, 250]);
    }

    #[test]
    fn skew_is_measured_and_undone() {
        for skew in [0.0, 0.01, -0.015, 0.07] {
            let image = ruled(skew);
            let measured = image.skew(0.08);
            assert!((measured - skew).abs() < 0.001, "{skew}: {measured}");
            assert_eq!(image.deskewed(measured).skew(0.08), 0.0, "{skew}");
        }
    }

    #[test]
    fn what_is_darker_than_its_paper_is_foreground() {
        let mask = ruled(0.0).binarized();
        let share = mask.iter().filter(|own| **own).count() as f32 / mask.len() as f32;
        assert!((0.04..0.07).contains(&share), "{share}");
    }

    #[test]
    fn colors_become_grey_and_missing_pixels_white() {
        let raster = Raster::from_bytes(2, 1, PixelFormat::Rgb, &[30, 60, 90, 0, 0, 0]);
        let image = GreyImage::from_raster(&raster);
        assert_eq!((image.at(0, 0), image.at(1, 0), image.at(2, 0)), (60, 0, 255));
        assert_eq!(image.to_raster().bytes(), [60, 0]);
    }
}
