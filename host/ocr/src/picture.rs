//! Pixels, their smoothing, and their transfer to the program as a netpbm picture, which is a header followed by the pixels.

use image::GrayImage;
use image::imageops::{GaussianBlurParameters, blur_advanced};
use tokio::task::spawn_blocking;

use crate::OcrError;

/// Most pixels of a picture: a sheet of 36 x 48 in at 200 dpi.
const MOST_PIXELS: u64 = 72_000_000;
/// The longest side, in pixels, that Tesseract accepts (`TBOX` counts in 16 bits).
const LONGEST_SIDE: u32 = 32_767;

/// The format of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// One byte: 0 is black.
    Grey,
    /// Three bytes: red, green, blue.
    Rgb,
}

impl Pixels {
    /// Returns the bytes of a pixel.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Grey => 1,
            Self::Rgb => 3,
        }
    }
}

/// A picture: rows from top to bottom, without padding.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// The format of a pixel.
    pub pixels: Pixels,
    /// All pixels: `width * height` times the bytes of a pixel.
    pub bytes: &'a [u8],
}

impl Picture<'_> {
    /// Returns the header that precedes the pixels.
    ///
    /// # Errors
    ///
    /// [`OcrError::BadPicture`] if the size exceeds the limits or does not match the bytes.
    pub(crate) fn header(&self) -> Result<Vec<u8>, OcrError> {
        let count = u64::from(self.width) * u64::from(self.height);
        if count == 0 || count > MOST_PIXELS || self.width.max(self.height) > LONGEST_SIDE {
            return Err(OcrError::BadPicture(format!("{}x{} pixels", self.width, self.height)));
        }
        if self.bytes.len() as u64 != count * self.pixels.bytes() {
            return Err(OcrError::BadPicture(format!("{} bytes for {count} pixels", self.bytes.len())));
        }
        let magic = match self.pixels {
            Pixels::Grey => "P5",
            Pixels::Rgb => "P6",
        };
        Ok(format!("{magic}\n{} {}\n255\n", self.width, self.height).into_bytes())
    }

    /// Returns the pixels.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes
    }

    /// Returns the pixels of a grey picture after a Gaussian filter whose standard deviation is 1.4 pixels.
    ///
    /// # Errors
    ///
    /// [`OcrError::BadPicture`] if the bytes are not those of a grey picture of its size.
    pub(crate) async fn smoothed(&self) -> Result<Vec<u8>, OcrError> {
        let image = GrayImage::from_raw(self.width, self.height, self.bytes.to_vec())
            .ok_or_else(|| OcrError::BadPicture("it is no grey picture".to_owned()))?;
        // Millions of pixels would hold up the other tasks of this thread.
        let smoothing = spawn_blocking(move || blur_advanced(&image, GaussianBlurParameters::SMOOTHING_7));
        let smoothed = smoothing.await.map_err(|error| OcrError::Failed(error.to_string()))?;
        Ok(smoothed.into_raw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_must_match_its_size() {
        let pixels = vec![0; 12];
        let cases = [
            (4, 3, Pixels::Grey, true),
            (2, 2, Pixels::Rgb, true),
            (4, 2, Pixels::Grey, false),
            (4, 3, Pixels::Rgb, false),
            (0, 3, Pixels::Grey, false),
            (u32::MAX, u32::MAX, Pixels::Grey, false),
            (32_768, 1, Pixels::Grey, false),
        ];
        for (width, height, format, taken) in cases {
            let picture = Picture { width, height, pixels: format, bytes: &pixels };
            assert_eq!(picture.header().is_ok(), taken, "{width}x{height} {format:?}");
        }
    }

    #[tokio::test]
    async fn smoothing_spreads_a_dark_pixel_over_its_neighbors() {
        let mut pixels = vec![255; 15 * 15];
        pixels[7 * 15 + 7] = 0;
        let picture = Picture { width: 15, height: 15, pixels: Pixels::Grey, bytes: &pixels };
        let smoothed = picture.smoothed().await.unwrap();
        let at = |x: usize, y: usize| smoothed[y * 15 + x];
        assert!(at(7, 7) < at(8, 7) && at(8, 7) < at(9, 8));
        assert_eq!((at(0, 0), at(14, 7)), (255, 255));
    }
}
