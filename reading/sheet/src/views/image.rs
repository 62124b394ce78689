//! The image of a sheet that views are looked for in.

/// Length of the longer side in pixels, at which sheets are rendered. A room of an interior elevation at 1:50 on a sheet of 48
/// inches is then some 100 pixels wide.
pub const LENGTH: f32 = 2048.0;
/// Least contrast of foreground with the paper, as a share of the paper's brightness. Scanner noise has less.
const MIN_CONTRAST: f32 = 0.12;

/// A grey image of a whole sheet.
#[derive(Clone, Debug)]
pub struct SheetImage<'a> {
    pixels: &'a [u8],
    width: usize,
    height: usize,
    /// The darkness of each brightness relative to the paper.
    darkness: [f32; 256],
}

impl<'a> SheetImage<'a> {
    /// Creates an image of one byte per pixel, rows from the top; 0 is black. The paper is the most frequent brightness of the
    /// bright half. `None` if the pixels are not as many as the sides say, or none.
    pub fn new(pixels: &'a [u8], width: usize, height: usize) -> Option<Self> {
        if pixels.is_empty() || Some(pixels.len()) != width.checked_mul(height) {
            return None;
        }
        let mut counts = [0_usize; 256];
        for &grey in pixels {
            counts[usize::from(grey)] += 1;
        }
        let paper = (128..256).max_by_key(|&grey| counts[grey]).unwrap_or(255) as f32;
        let darkness = std::array::from_fn(|grey| {
            let darker = (1.0 - grey as f32 / paper).max(0.0);
            if darker < MIN_CONTRAST { 0.0 } else { darker }
        });
        Some(Self { pixels, width, height, darkness })
    }

    /// Returns the number of pixels per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the darkness of the pixels of a row from column `from` to before `to`, from 0 (paper) to 1 (black); none outside
    /// the image.
    pub fn darkness(&self, row: usize, from: usize, to: usize) -> impl Iterator<Item = f32> + '_ {
        let pixels =
            self.pixels.get(row * self.width + from..row * self.width + to.min(self.width)).unwrap_or_default();
        pixels.iter().map(|&grey| self.darkness[usize::from(grey)])
    }
}
