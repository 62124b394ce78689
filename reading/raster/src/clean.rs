//! Removes from the image of a page what disturbs OCR: rules, leaders and dust.

use fanlight_contract::Raster;

use crate::components::PixelBox;
use crate::leaders;
use crate::rules;
use crate::scan_image::ScanImage;

/// Maximum side of a connected component that is a dot and not a letter, in pixels at 300 dpi. A full stop of 12 pt type has
/// some 7.
const MAX_DOT: usize = 11;

/// Returns the image of a page, rendered at [`DPI`](crate::DPI), without rules, leaders and single dots. An image that is not
/// grey is returned as it is.
pub fn clean(picture: &Raster) -> Raster {
    let Some(mut image) = ScanImage::from_raster(picture) else { return picture.clone() };
    rules::remove(&mut image);
    let mut dots: Vec<PixelBox> = image.small_components(MAX_DOT);
    leaders::remove(&mut image, &dots);
    dots.retain(|dot| dot.is_round() && image.foreground_near(*dot) == image.foreground_in(*dot));
    for dot in dots {
        image.erase(dot);
    }
    image.into_raster()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan_image::tests::{Mark, WIDTH, drawn};

    #[test]
    fn single_dots_are_removed_and_dots_beside_letters_stay() {
        let letter = (20, 20, 18, 30);
        let at = |raster: &Raster, (x, y): (usize, usize)| raster.bytes()[y * WIDTH + x];
        let cases: [(&str, Mark, bool); 4] = [
            ("dust", (200, 30, 4, 4), false),
            ("a full stop", (43, 44, 6, 6), true),
            ("the dot of an i", (26, 8, 6, 6), true),
            ("a hyphen", (200, 30, 10, 4), true),
        ];
        for (what, mark, stays) in cases {
            let cleaned = clean(&drawn(&[letter, mark]));
            let middle = (mark.0 + mark.2 / 2, mark.1 + mark.3 / 2);
            assert_eq!(at(&cleaned, middle) < 200, stays, "{what}");
            assert!(at(&cleaned, (29, 35)) < 10, "{what}");
        }
    }
}
