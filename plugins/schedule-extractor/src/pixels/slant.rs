//! Sets slanted lettering upright: OCR has learnt from printed type.

use fanlight_raster::GreyImage;

/// Slants of lettering that are tried, in pixels per pixel: upright, and up to 23 degrees. ISO 3098 slants lettering by 15 degrees,
/// which is 0.27.
const SLANTS: [f32; 5] = [0.0, 0.12, 0.22, 0.32, 0.42];
/// Minimum ratio of a slant's energy to that of no slant. This and the next were chosen by eye on synthetic lettering.
const MIN_SLANT_GAIN: f64 = 1.12;
/// A pixel with a lower grey value is dark.
const DARK: u8 = 140;

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
}
