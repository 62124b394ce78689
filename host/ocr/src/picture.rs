//! Pixels, and how they are handed to the program: as a netpbm picture, whose header is all that it takes.

use crate::OcrError;

/// Pixels of a picture that are read at most: a 36x48 in sheet at 200 dpi.
const MOST_PIXELS: u64 = 72_000_000;
/// The longest side, in pixels, that Tesseract takes (`TBOX` counts in 16 bits).
const LONGEST_SIDE: u32 = 32_767;

/// What a pixel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixels {
    /// One byte: 0 is black.
    Grey,
    /// Three bytes: red, green, blue.
    Rgb,
}

impl Pixels {
    /// Bytes of a pixel.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Grey => 1,
            Self::Rgb => 3,
        }
    }
}

/// A picture: rows from the top, no padding.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// What a pixel is.
    pub pixels: Pixels,
    /// All pixels: `width * height` times a pixel's bytes.
    pub bytes: &'a [u8],
}

impl Picture<'_> {
    /// What stands before the pixels.
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

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_must_be_what_it_claims() {
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
}
