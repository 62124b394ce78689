//! An estimate of the height of an image's letters.

use fanlight_geometry::median;

use crate::GreyImage;
use crate::components::{PixelBox, small_components};

/// Side of the windows in which letters are looked for, in pixels.
const WINDOW: usize = 512;
/// Most windows. Those with the most dark pixels are taken, so a sheet with little text is estimated by that text.
const MOST_WINDOWS: usize = 12;
/// Brightness below which a pixel counts as dark when windows are chosen, of 255.
const DARK: u8 = 128;
/// Heights that letters may have, in pixels: smaller components are dust, larger ones are drawings.
const HEIGHTS: std::ops::RangeInclusive<usize> = 5..=120;
/// Widest component that may be a letter or two that touch, in heights.
const WIDEST: usize = 2;
/// Narrowest component that may be a letter, in heights: the stroke of an I is at least a tenth of its height wide.
const NARROWEST: usize = 10;
/// Minimum number of components for an estimate.
const MIN_COMPONENTS: usize = 12;

/// Returns the median height of the components of an image that are shaped like letters, in pixels. `None` if the image has
/// too few of them.
pub fn letter_height(image: &GreyImage) -> Option<f32> {
    let mut windows = windows(image);
    windows.sort_by_key(|window| std::cmp::Reverse(dark_pixels(image, window)));
    let mut heights = Vec::new();
    for window in windows.iter().take(MOST_WINDOWS) {
        let part = part(image, window);
        let components = small_components(&part.binarized(), part.width, *HEIGHTS.end());
        heights.extend(components.iter().filter(|component| is_letter(component)).map(|c| c.height() as f32));
    }
    if heights.len() < MIN_COMPONENTS { None } else { median(heights) }
}

fn is_letter(component: &PixelBox) -> bool {
    let (width, height) = (component.width(), component.height());
    HEIGHTS.contains(&height) && width <= WIDEST * height && NARROWEST * width >= height
}

/// Divides an image into windows.
fn windows(image: &GreyImage) -> Vec<PixelBox> {
    let mut windows = Vec::new();
    for top in (0..image.height).step_by(WINDOW) {
        for left in (0..image.width).step_by(WINDOW) {
            let (right, bottom) = ((left + WINDOW).min(image.width) - 1, (top + WINDOW).min(image.height) - 1);
            windows.push(PixelBox { left, top, right, bottom });
        }
    }
    windows
}

fn dark_pixels(image: &GreyImage, window: &PixelBox) -> usize {
    let rows = (window.top..=window.bottom).map(|y| row(image, window, y));
    rows.map(|row| row.iter().filter(|pixel| **pixel < DARK).count()).sum()
}

/// Returns the pixels of a window in one row.
fn row<'a>(image: &'a GreyImage, window: &PixelBox, y: usize) -> &'a [u8] {
    image.grey.get(y * image.width + window.left..=y * image.width + window.right).unwrap_or_default()
}

fn part(image: &GreyImage, window: &PixelBox) -> GreyImage {
    let grey = (window.top..=window.bottom).flat_map(|y| row(image, window, y)).copied().collect();
    GreyImage { width: window.width(), height: window.height(), grey }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image with squares of a height in rows, and one large square.
    fn squares(height: usize, count: usize) -> GreyImage {
        let mut image = GreyImage { width: 700, height: 700, grey: vec![255; 490_000] };
        let mut fill = |left: usize, top: usize, side: usize| {
            for y in top..top + side {
                image.grey[y * 700 + left..y * 700 + left + side].fill(0);
            }
        };
        fill(530, 530, 150);
        for number in 0..count {
            fill(20 + number % 10 * 2 * height, 20 + number / 10 * 2 * height, height);
        }
        image
    }

    #[test]
    fn the_median_height_of_letters_is_estimated() {
        for height in [8, 20] {
            let estimated = letter_height(&squares(height, 40)).unwrap();
            assert!((estimated - height as f32).abs() <= 1.0, "{estimated} instead of {height}");
        }
    }

    #[test]
    fn too_few_letters_give_no_estimate() {
        assert_eq!(letter_height(&squares(20, MIN_COMPONENTS - 1)), None);
        assert_eq!(letter_height(&GreyImage { width: 0, height: 0, grey: vec![] }), None);
    }
}
