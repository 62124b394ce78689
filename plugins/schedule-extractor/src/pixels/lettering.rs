//! Prepares images of lettering for OCR: turns, shears, enlarges and darkens them.

use fanlight_raster::GreyImage;

/// Slants of lettering that are tried, in pixels per pixel: upright, and up to 23 degrees. ISO 3098 slants lettering by 15 degrees,
/// which is 0.27.
const SLANTS: [f32; 5] = [0.0, 0.12, 0.22, 0.32, 0.42];
/// Minimum ratio of a slant's energy to that of no slant. This and the next two were chosen by eye on synthetic lettering.
const MIN_SLANT_GAIN: f64 = 1.12;
/// A pixel with a lower grey value is dark.
const DARK: u8 = 140;
/// The factor by which the distance of a smoothed stroke from white is increased.
const DARKENING: f32 = 1.6;

/// Returns an image turned by 90 degrees clockwise, so that text that ran upwards runs to the right.
pub(super) fn turned(image: &GreyImage) -> GreyImage {
    let (width, height) = (image.height, image.width);
    let mut grey = Vec::with_capacity(image.grey.len());
    for y in 0..height {
        for x in 0..width {
            grey.push(image.at(y, image.height - 1 - x));
        }
    }
    GreyImage { width, height, grey }
}

/// Returns how far lettering is slanted to the right: the slant that a shear removes best.
///
/// As in deskewing by projection profiles, the best shear has the most energy: the sum of the squared numbers of dark
/// pixels in each column.
pub(super) fn slant<'a>(crops: impl Iterator<Item = &'a GreyImage>) -> f32 {
    let mut sums = [0.0_f64; SLANTS.len()];
    for crop in crops {
        for (sum, slant) in sums.iter_mut().zip(SLANTS) {
            *sum += energy(&sheared(crop, slant));
        }
    }
    let best = (0..SLANTS.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
    if sums[best] > MIN_SLANT_GAIN * sums[0] { SLANTS[best] } else { 0.0 }
}

/// Returns the sum of the squared numbers of dark pixels in each column.
fn energy(image: &GreyImage) -> f64 {
    let mut columns = vec![0_u32; image.width];
    for row in image.grey.chunks_exact(image.width.max(1)) {
        for (column, &pixel) in columns.iter_mut().zip(row) {
            *column += u32::from(pixel < DARK);
        }
    }
    columns.iter().map(|&count| f64::from(count) * f64::from(count)).sum()
}

/// Returns an image sheared so that strokes slanted to the right by `slant` become vertical.
pub(super) fn sheared(crop: &GreyImage, slant: f32) -> GreyImage {
    if slant == 0.0 {
        return crop.clone();
    }
    let more = (slant * crop.height as f32).ceil() as usize;
    let width = crop.width + more;
    let mut grey = Vec::with_capacity(width * crop.height);
    for y in 0..crop.height {
        let shift = (slant * y as f32).round() as usize;
        grey.extend((0..width).map(|x| crop.at(x.wrapping_sub(shift), y)));
    }
    GreyImage { width, height: crop.height, grey }
}

/// Returns an image enlarged by a factor, with bilinear interpolation.
pub(super) fn enlarged(crop: &GreyImage, by: f32) -> GreyImage {
    if by <= 1.0 {
        return crop.clone();
    }
    let (width, height) = ((crop.width as f32 * by) as usize, (crop.height as f32 * by) as usize);
    let mut grey = Vec::with_capacity(width * height);
    for y in 0..height {
        let from_y = ((y as f32 + 0.5) / by - 0.5).max(0.0);
        let (top, low) = (from_y as usize, from_y.fract());
        for x in 0..width {
            let from_x = ((x as f32 + 0.5) / by - 0.5).max(0.0);
            let (left, right) = (from_x as usize, from_x.fract());
            let at = |x: usize, y: usize| f32::from(crop.at(x, y));
            let upper = at(left, top) * (1.0 - right) + at(left + 1, top) * right;
            let lower = at(left, top + 1) * (1.0 - right) + at(left + 1, top + 1) * right;
            grey.push((upper * (1.0 - low) + lower * low) as u8);
        }
    }
    GreyImage { width, height, grey }
}

/// Closes gaps in strokes and darkens them: a 3 by 3 mean filter, with the distance from white increased.
pub(super) fn smoothed(image: &GreyImage) -> GreyImage {
    let mut grey = Vec::with_capacity(image.grey.len());
    for y in 0..image.height {
        for x in 0..image.width {
            let mut sum = 0;
            for dy in 0..3 {
                // A wrapped coordinate is outside the image, where all pixels are white.
                sum += (0..3)
                    .map(|dx| u32::from(image.at((x + dx).wrapping_sub(1), (y + dy).wrapping_sub(1))))
                    .sum::<u32>();
            }
            let darkness = (255 * 9 - sum) as f32 / 9.0 * DARKENING;
            grey.push((255.0 - darkness).max(0.0) as u8);
        }
    }
    GreyImage { width: image.width, height: image.height, grey }
}

/// Inserts the space of a mixed number of inches in halves, quarters or eighths: 13/4" is a misread 1 3/4". Other
/// words are returned unchanged.
pub(super) fn mixed_number(word: String) -> String {
    let parts = word.strip_suffix('"').and_then(|inches| inches.split_once('/'));
    let Some((over, under)) = parts else { return word };
    let is_whole = over.len() == 2 && over.bytes().all(|byte| byte.is_ascii_digit()) && !over.starts_with('0');
    let is_odd = over.ends_with(['1', '3', '5', '7']);
    let below_one = over.get(1..).is_some_and(|digit| digit < under);
    if !is_whole || !is_odd || !below_one || !["2", "4", "8"].contains(&under) {
        return word;
    }
    format!("{} {}/{under}\"", &over[..1], &over[1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image with a dark line of five pixels from the lower left; `slope` columns to the right for each row up.
    fn line(slope: usize) -> GreyImage {
        let (width, height) = (12, 5);
        let mut image = GreyImage { width, height, grey: vec![255; width * height] };
        for y in 0..height {
            image.grey[y * width + 2 + slope * (height - 1 - y)] = 0;
        }
        image
    }

    #[test]
    fn vertical_strokes_have_no_slant() {
        assert_eq!(slant([line(0)].iter()), 0.0);
    }

    #[test]
    fn slanted_strokes_have_the_nearest_slant() {
        let (width, height) = (60, 50);
        let mut image = GreyImage { width, height, grey: vec![255; width * height] };
        for y in 0..height {
            image.grey[y * width + 5 + (0.32 * (height - 1 - y) as f32).round() as usize] = 0;
        }
        assert_eq!(slant([image].iter()), 0.32);
    }

    #[test]
    fn an_image_without_enlargement_is_unchanged() {
        assert_eq!(enlarged(&line(1), 1.0).grey, line(1).grey);
    }

    #[test]
    fn enlargement_scales_both_sides() {
        let image = enlarged(&line(0), 2.0);
        assert_eq!((image.width, image.height), (24, 10));
    }

    #[test]
    fn smoothing_closes_a_gap_in_a_stroke() {
        let mut image = line(0);
        image.grey[2 * 12 + 2] = 255;
        assert!(smoothed(&image).at(2, 2) < 200);
    }

    #[test]
    fn turning_moves_the_lower_left_corner_to_the_upper_left() {
        assert_eq!(turned(&line(0)).at(0, 2), 0);
    }

    #[test]
    fn inches_are_mixed_numbers() {
        let cases = [
            ("13/4\"", "1 3/4\""),
            ("11/2\"", "1 1/2\""),
            ("3/4\"", "3/4\""),
            ("13/16\"", "13/16\""),
            ("13/4", "13/4"),
            ("17/2\"", "17/2\""),
            ("é1/2\"", "é1/2\""),
        ];
        for (read, expected) in cases {
            assert_eq!(mixed_number(read.to_owned()), expected, "{read}");
        }
    }
}
