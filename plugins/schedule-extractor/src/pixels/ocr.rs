//! OCR of many cells in one image: a call for each cell would take as long as the program needs to start, hundreds of
//! times.

use fanlight_contract::Rect;
use fanlight_raster::{GreyImage, ReadWord};

use crate::sheet::Sheet;

/// White space around a cell's text and between the cells of an image for OCR, in pixels: about the height of a capital.
const MARGIN: usize = 26;
/// Maximum height of an image for OCR, in pixels. Bounds the memory.
const MAX_HEIGHT: usize = 3200;
/// Maximum width of an image for OCR, in pixels. Bounds the memory.
const MAX_WIDTH: usize = 5000;
/// Minimum confidence of a word, 0 to 1. Chosen by eye on synthetic scans.
const MIN_CONFIDENCE: f32 = 0.18;
/// Words of these characters alone are dirt or pieces of rules.
const NOISE: &str = "|_[]{}~`'.,:;";

/// Returns the words of each image. Each call of OCR reads as many images as fit below each other. `None` if OCR is not
/// available.
pub(super) fn read_batches(sheet: &Sheet<'_>, crops: &[&GreyImage]) -> Option<Vec<Vec<ReadWord>>> {
    let mut words = Vec::with_capacity(crops.len());
    let mut left = crops;
    while !left.is_empty() {
        let (batch, rest) = left.split_at(batch_size(left));
        words.extend(read_batch(sheet, batch)?);
        (sheet.progress)(words.len(), crops.len());
        left = rest;
    }
    Some(words)
}

/// Returns how many images, at least one, fit below each other.
fn batch_size(crops: &[&GreyImage]) -> usize {
    let heights = crops.iter().scan(MARGIN, |height, crop| {
        *height += crop.height + MARGIN;
        Some(*height)
    });
    heights.take_while(|height| *height <= MAX_HEIGHT).count().max(1)
}

/// Returns the words of each image, with boxes in that image's pixels. All images are read in one call of OCR.
pub(super) fn read_batch(sheet: &Sheet<'_>, crops: &[&GreyImage]) -> Option<Vec<Vec<ReadWord>>> {
    let column = Column::of_images(crops);
    let mut words: Vec<Vec<ReadWord>> = vec![Vec::new(); crops.len()];
    for mut word in sheet.recognize(&column.image.to_raster())? {
        if word.confidence < MIN_CONFIDENCE || word.text.chars().all(|c| NOISE.contains(c)) {
            continue;
        }
        let index = column.image_at(f32::midpoint(word.bbox.y1, word.bbox.y2));
        let (left, top) = (MARGIN as f32, column.tops.get(index).copied().unwrap_or(0) as f32);
        let bbox = word.bbox;
        word.bbox = Rect { x1: bbox.x1 - left, x2: bbox.x2 - left, y1: bbox.y1 - top, y2: bbox.y2 - top };
        if let Some(own) = words.get_mut(index) {
            own.push(word);
        }
    }
    Some(words)
}

/// Images below each other on one white image.
struct Column {
    image: GreyImage,
    /// The first row of each image.
    tops: Vec<usize>,
}

impl Column {
    fn of_images(crops: &[&GreyImage]) -> Self {
        let width = crops.iter().map(|crop| crop.width).max().unwrap_or(0).min(MAX_WIDTH) + 2 * MARGIN;
        let height = crops.iter().map(|crop| crop.height + MARGIN).sum::<usize>() + MARGIN;
        let image = GreyImage { width, height, grey: vec![255; width * height] };
        let mut column = Self { image, tops: Vec::with_capacity(crops.len()) };
        let mut top = MARGIN;
        for crop in crops {
            column.copy(crop, top);
            column.tops.push(top);
            top += crop.height + MARGIN;
        }
        column
    }

    /// Copies an image to the row `top`. What is too wide is cut off.
    fn copy(&mut self, crop: &GreyImage, top: usize) {
        let width = crop.width.min(self.image.width - 2 * MARGIN);
        for y in 0..crop.height {
            let to = (top + y) * self.image.width + MARGIN;
            if let (Some(to), Some(from)) =
                (self.image.grey.get_mut(to..to + width), crop.grey.get(y * crop.width..y * crop.width + width))
            {
                to.copy_from_slice(from);
            }
        }
    }

    /// Returns the index of the image at a height; the white space above an image is divided between it and the one before.
    fn image_at(&self, y: f32) -> usize {
        self.tops.partition_point(|&top| (top as f32) - MARGIN as f32 / 2.0 <= y).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: usize, height: usize) -> GreyImage {
        GreyImage { width, height, grey: vec![0; width * height] }
    }

    #[test]
    fn images_are_below_each_other_with_white_space_between() {
        let (first, second) = (image(10, 20), image(30, 5));
        let column = Column::of_images(&[&first, &second]);
        assert_eq!((column.image.width, column.image.height), (30 + 2 * MARGIN, 25 + 3 * MARGIN));
        assert_eq!(column.tops, [MARGIN, 20 + 2 * MARGIN]);
        assert_eq!(column.image.at(MARGIN, MARGIN), 0);
        assert_eq!(column.image.at(MARGIN, MARGIN + 20), 255);
    }

    #[test]
    fn words_belong_to_the_image_at_their_height() {
        let crop = image(10, 20);
        let column = Column::of_images(&[&crop, &crop]);
        for (y, expected) in [(MARGIN + 10, 0), (2 * MARGIN + 30, 1)] {
            assert_eq!(column.image_at(y as f32), expected, "{y}");
        }
    }

    #[test]
    fn batch_holds_as_many_images_as_fit() {
        let high = image(10, MAX_HEIGHT);
        let low = image(10, MAX_HEIGHT / 4);
        assert_eq!(batch_size(&[&low, &low, &low, &low]), 3);
        assert_eq!(batch_size(&[&high, &low]), 1, "one image at least");
    }
}
