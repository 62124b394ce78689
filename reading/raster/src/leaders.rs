//! Removes leaders from the image of a page: OCR reads a row of dots as letters and joins them to the words beside it.

use fanlight_geometry::median;

use crate::components::PixelBox;
use crate::scan_image::ScanImage;

/// Maximum distance of neighboring dots of a leader, center to center, in pixels at 300 dpi. Printers space them by up to two
/// ems.
const MAX_GAP: f32 = 100.0;
/// Minimum number of dots of a leader: fewer may be an ellipsis or initials.
const MIN_DOTS: usize = 5;
/// Maximum difference in height of neighboring dots, in pixels at 300 dpi.
const MAX_RISE: f32 = 3.5;
/// Share of its median gap by which a gap of a leader may differ from it.
const GAP_TOLERANCE: f32 = 0.25;
/// Margin of grey that blur leaves around a dot, in pixels. OCR reads rows of it as letters.
const HALO: usize = 3;

/// Paints leaders white. `small` are the small connected components of the image.
pub(crate) fn remove(image: &mut ScanImage, small: &[PixelBox]) {
    for dot in rows(dots(image, small)).into_iter().flatten() {
        image.erase(dot.expanded(HALO));
    }
}

/// Returns the small components that can be dots of a leader: round ones with nothing above or below them and nothing larger
/// near them. The pieces of a faint letter have other pieces there, or the rest of the letter.
fn dots(image: &ScanImage, small: &[PixelBox]) -> Vec<PixelBox> {
    let mut larger = image.clone();
    for component in small {
        larger.erase(*component);
    }
    let mut dots: Vec<PixelBox> = small.iter().copied().filter(PixelBox::is_round).collect();
    dots.retain(|dot| image.foreground_in_column(*dot) == image.foreground_in(*dot));
    dots.retain(|dot| larger.foreground_near(*dot) == 0);
    dots
}

/// Returns the rows of evenly spaced dots.
fn rows(mut dots: Vec<PixelBox>) -> Vec<Vec<PixelBox>> {
    dots.sort_by_key(|dot| dot.left);
    let mut open: Vec<Vec<PixelBox>> = Vec::new();
    let mut done: Vec<Vec<PixelBox>> = Vec::new();
    for dot in dots {
        let (x, y) = dot.center();
        done.extend(open.extract_if(.., |row| x - last(row).0 > MAX_GAP));
        let nearest = open
            .iter_mut()
            .filter(|row| (last(row).1 - y).abs() <= MAX_RISE && x - last(row).0 > 1.0)
            .min_by(|a, b| (last(a).1 - y).abs().total_cmp(&(last(b).1 - y).abs()));
        match nearest {
            Some(row) => row.push(dot),
            None => open.push(vec![dot]),
        }
    }
    done.extend(open);
    done.into_iter().filter(|row| row.len() >= MIN_DOTS && evenly_spaced(row)).collect()
}

/// Returns the center of the last dot of a row.
fn last(row: &[PixelBox]) -> (f32, f32) {
    row.last().map_or((f32::MIN, f32::MIN), PixelBox::center)
}

/// Returns whether three quarters of the gaps are close to the median gap.
fn evenly_spaced(row: &[PixelBox]) -> bool {
    let gaps: Vec<f32> = row.windows(2).map(|pair| pair[1].center().0 - pair[0].center().0).collect();
    let Some(median) = median(gaps.clone()) else { return false };
    let even = gaps.iter().filter(|gap| (*gap - median).abs() <= GAP_TOLERANCE * median + 1.0).count();
    even * 4 >= gaps.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan_image::tests::{Mark, dark_pixels, drawn};

    fn left_of(marks: &[Mark]) -> usize {
        let mut image = ScanImage::from_raster(&drawn(marks)).unwrap();
        let dots = image.small_components(11);
        remove(&mut image, &dots);
        dark_pixels(&image.into_raster())
    }

    #[test]
    fn a_row_of_dots_is_removed_and_letters_stay() {
        let letter = (20, 20, 18, 30);
        let dots: Vec<_> = (0..12).map(|n| (60 + n * 20, 45 + n / 6, 5, 5)).collect();
        assert_eq!(left_of(&[dots.as_slice(), &[letter]].concat()), 18 * 30);
    }

    #[test]
    fn pieces_of_faint_letters_are_no_leader() {
        let row = |top: usize| (0..12).map(move |n| (60 + n * 20, top, 5, 5));
        let pieces: Vec<_> = row(45).chain(row(36)).collect();
        let feet_of_letters: Vec<_> = row(45).chain((0..12).map(|n| (60 + n * 20, 10, 4, 28))).collect();
        for marks in [pieces, feet_of_letters] {
            assert_eq!(left_of(&marks), dark_pixels(&drawn(&marks)), "{marks:?}");
        }
    }

    #[test]
    fn few_or_unevenly_spaced_dots_are_no_leader() {
        let cases: [&[Mark]; 3] = [
            &[(100, 45, 6, 6)],
            &[(100, 45, 6, 6), (112, 45, 6, 6), (124, 45, 6, 6)],
            &[(10, 5, 3, 3), (90, 40, 3, 3), (130, 12, 3, 3), (200, 50, 3, 3), (280, 30, 3, 3), (300, 7, 3, 3)],
        ];
        for marks in cases {
            assert_eq!(left_of(marks), dark_pixels(&drawn(marks)), "{marks:?}");
        }
    }
}
