//! OCR of many cells in one image: a call for each cell would take as long as the program needs to start, hundreds of
//! times.

use fanlight_contract::{Raster, Rect};
use fanlight_raster::{GreyImage, ReadWord};

use super::lettering::smoothed;
use crate::sheet::Sheet;

/// White space around a cell's text and between the cells of an image for OCR, in pixels.
const MARGIN: usize = 26;
/// The greatest height and width of an image for OCR, in pixels.
const MAX_HEIGHT: usize = 3200;
const MAX_WIDTH: usize = 5000;
/// Cells of a scan with a lower mean confidence are read again.
const SURE: f32 = 0.65;
/// Words with a lower confidence are dropped.
const MIN_CONFIDENCE: f32 = 0.18;

/// Returns the words of each image. Each call of OCR reads as many images as fit below each other. `None` if OCR is not
/// available.
pub(super) fn read_batches(sheet: &Sheet<'_>, crops: &[&GreyImage]) -> Option<Vec<Vec<ReadWord>>> {
    let mut words = Vec::with_capacity(crops.len());
    let mut left = crops;
    while !left.is_empty() {
        let mut tall = MARGIN;
        let fits = |crop: &&&GreyImage| {
            tall += crop.height + MARGIN;
            tall <= MAX_HEIGHT
        };
        let (batch, rest) = left.split_at(left.iter().take_while(fits).count().max(1));
        words.extend(read_batch(sheet, batch)?);
        (sheet.progress)(words.len(), crops.len());
        left = rest;
    }
    Some(words)
}

/// Reads uncertain images again with broader strokes, and keeps the result with the higher confidence.
pub(super) fn read_again(sheet: &Sheet<'_>, crops: &[&GreyImage], read: &mut [Vec<ReadWord>]) -> Option<()> {
    let uncertain: Vec<usize> = (0..read.len()).filter(|&index| mean_confidence(&read[index]) < SURE).collect();
    let broader: Vec<GreyImage> = uncertain.iter().filter_map(|&index| Some(smoothed(crops.get(index)?))).collect();
    let second = read_batches(sheet, &broader.iter().collect::<Vec<_>>())?;
    for (index, words) in uncertain.into_iter().zip(second) {
        if mean_confidence(&words) > mean_confidence(&read[index]) {
            read[index] = words;
        }
    }
    Some(())
}

/// Returns the mean confidence of the words, weighted by their characters; 0 without words.
fn mean_confidence(words: &[ReadWord]) -> f32 {
    let characters = |word: &ReadWord| word.text.chars().count() as f32;
    let sum: f32 = words.iter().map(|word| word.confidence * characters(word)).sum();
    sum / words.iter().map(characters).sum::<f32>().max(1.0)
}

/// Returns the words of each image, with boxes in that image's pixels. All images are read in one call of OCR.
pub(super) fn read_batch(sheet: &Sheet<'_>, crops: &[&GreyImage]) -> Option<Vec<Vec<ReadWord>>> {
    let width = crops.iter().map(|crop| crop.width).max().unwrap_or(0).min(MAX_WIDTH) + 2 * MARGIN;
    let height = crops.iter().map(|crop| crop.height + MARGIN).sum::<usize>() + MARGIN;
    let mut sheet_of_crops = GreyImage { width, height, grey: vec![255; width * height] };
    let mut tops = Vec::new();
    let mut top = MARGIN;
    for crop in crops {
        for y in 0..crop.height {
            let to = (top + y) * width + MARGIN;
            let long = crop.width.min(width - 2 * MARGIN);
            if let (Some(to), Some(from)) =
                (sheet_of_crops.grey.get_mut(to..to + long), crop.grey.get(y * crop.width..y * crop.width + long))
            {
                to.copy_from_slice(from);
            }
        }
        tops.push(top);
        top += crop.height + MARGIN;
    }
    let raster: Raster = smoothed(&sheet_of_crops).to_raster();
    let mut words: Vec<Vec<ReadWord>> = vec![Vec::new(); crops.len()];
    for mut word in sheet.recognize(&raster)? {
        let middle = f32::midpoint(word.bbox.y1, word.bbox.y2);
        let slot = tops.partition_point(|&top| (top as f32) - MARGIN as f32 / 2.0 <= middle).saturating_sub(1);
        let is_noise = word.text.chars().all(|c| "|_[]{}~`'.,:;".contains(c));
        if word.confidence < MIN_CONFIDENCE || is_noise {
            continue;
        }
        let (left, top) = (MARGIN as f32, tops.get(slot).copied().unwrap_or(0) as f32);
        let bbox = word.bbox;
        word.bbox = Rect { x1: bbox.x1 - left, x2: bbox.x2 - left, y1: bbox.y1 - top, y2: bbox.y2 - top };
        if let Some(own) = words.get_mut(slot) {
            own.push(word);
        }
    }
    Some(words)
}
