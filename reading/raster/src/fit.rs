//! Cuts dust off the boxes of recognized words: Tesseract's include what lies above and below the letters, and the size and
//! position of a line are taken from them.

use fanlight_contract::Raster;
use fanlight_geometry::{RectExt as _, median};

use crate::ReadWord;
use crate::components::PixelBox;
use crate::scan_image::ScanImage;

/// Boxes are cut that are this many times as high as the median box of the page. The others have no dust worth a cut, which
/// could take the tails of their letters. Contents that Tesseract reads come out the same with 1.1 to 1.4.
const MIN_HEIGHT_RATIO: f32 = 1.3;
/// Rows of pixels with less foreground than this share of the fullest row's belong to dust.
const MIN_ROW_SHARE: f32 = 0.08;
/// Maximum number of rows without foreground within a word, in pixels at 300 dpi: those below the dots of "iii".
const MAX_GAP: usize = 6;

/// The least share of its box's height that a word's letters have. Of a faint word, only the heaviest strokes are darker than the
/// paper around them; its box stays as OCR gives it.
const MIN_LETTERS_SHARE: f32 = 0.5;

/// Returns the words, those with high boxes cut to the height of their letters. `picture` is the image that was read. If it is
/// not grey, the boxes stay as they are, and so do those of words that do not run to the right.
pub fn fitted(words: Vec<ReadWord>, picture: &Raster) -> Vec<ReadWord> {
    let Some(image) = ScanImage::from_raster(picture) else { return words };
    let level = words.iter().filter(|word| runs_to_the_right(word));
    let Some(usual) = median(level.map(|word| word.bbox.height()).collect()) else { return words };
    let is_high = |word: &ReadWord| runs_to_the_right(word) && word.bbox.height() > MIN_HEIGHT_RATIO * usual;
    words.into_iter().map(|word| if is_high(&word) { fit(word, &image) } else { word }).collect()
}

/// Most degrees between a word and the horizontal at which its rows are rows of pixels, the skew of a bad scan.
const MAX_SLOPE: f32 = 5.0;

fn runs_to_the_right(word: &ReadWord) -> bool {
    word.angle.min(360.0 - word.angle) <= MAX_SLOPE
}

fn fit(mut word: ReadWord, image: &ScanImage) -> ReadWord {
    let whole = |value: f32| value.max(0.0) as usize;
    let height = word.bbox.height();
    let area = PixelBox {
        left: whole(word.bbox.x1),
        top: whole(word.bbox.y1),
        right: whole(word.bbox.x2).saturating_sub(1),
        bottom: whole(word.bbox.y2).saturating_sub(1),
    };
    let bottom = area.bottom.min(image.0.height.saturating_sub(1));
    let rows: Vec<usize> =
        (area.top..=bottom).map(|y| image.foreground_in(PixelBox { top: y, bottom: y, ..area })).collect();
    let Some((fullest, &most)) =
        rows.iter().enumerate().max_by_key(|(_, count)| **count).filter(|(_, count)| **count > 0)
    else {
        return word;
    };
    let least = (MIN_ROW_SHARE * most as f32).max(1.0);
    let is_letters = |row: usize| rows.get(row).is_some_and(|&count| count as f32 >= least);
    let first = last_before_gap((0..=fullest).rev(), is_letters).unwrap_or(fullest);
    let last = last_before_gap(fullest..rows.len(), is_letters).unwrap_or(fullest);
    if ((last + 1 - first) as f32) < MIN_LETTERS_SHARE * height {
        return word;
    }
    word.bbox.y1 = (area.top + first) as f32;
    word.bbox.y2 = (area.top + last + 1) as f32;
    word
}

/// Returns the last row of letters before more than [`MAX_GAP`] rows without any.
fn last_before_gap(rows: impl Iterator<Item = usize>, is_letters: impl Fn(usize) -> bool) -> Option<usize> {
    let mut found = None;
    let mut empty = 0;
    for row in rows {
        if is_letters(row) {
            found = Some(row);
            empty = 0;
        } else {
            empty += 1;
            if empty > MAX_GAP {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan_image::tests::drawn;
    use fanlight_contract::Rect;

    fn word(bbox: Rect) -> ReadWord {
        ReadWord { text: "il".to_owned(), bbox, confidence: 0.9, angle: 0.0, line: 0 }
    }

    /// Returns the box of a word after those of two words of 30 pixels' height are cut with it.
    fn cut(bbox: Rect, picture: &Raster) -> [f32; 4] {
        let usual = || word(Rect { x1: 200.0, y1: 0.0, x2: 260.0, y2: 30.0 });
        let Rect { x1, y1, x2, y2 } = fitted(vec![usual(), word(bbox), usual()], picture)[1].bbox;
        [x1, y1, x2, y2]
    }

    #[test]
    fn a_high_box_is_cut_to_the_letters_and_keeps_their_dots() {
        // An "i" of 30 pixels with its dot 4 above the stem, a letter beside it, and dust below both.
        let picture = drawn(&[(20, 10, 6, 6), (20, 20, 6, 20), (40, 10, 20, 30), (44, 52, 3, 3)]);
        let bbox = Rect { x1: 18.0, y1: 5.0, x2: 62.0, y2: 58.0 };
        assert_eq!(cut(bbox, &picture), [18.0, 10.0, 62.0, 40.0]);
    }

    #[test]
    fn a_box_of_the_usual_height_keeps_a_tail() {
        // Letters of 28 pixels, and below one of them a tail of 8 pixels, as a y has.
        let picture = drawn(&[(20, 10, 60, 28), (40, 38, 3, 8)]);
        let bbox = Rect { x1: 18.0, y1: 8.0, x2: 82.0, y2: 46.0 };
        assert_eq!(cut(bbox, &picture), [18.0, 8.0, 82.0, 46.0]);
    }

    #[test]
    fn a_high_box_without_letters_or_outside_the_image_stays() {
        let picture = drawn(&[]);
        for bbox in [Rect { x1: 5.0, y1: 5.0, x2: 9.0, y2: 59.0 }, Rect { x1: -9.0, y1: 900.0, x2: 9.0, y2: 950.0 }] {
            assert_eq!(cut(bbox, &picture), [bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
        }
    }
}
