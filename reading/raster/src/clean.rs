//! Takes out of a picture what OCR stumbles over: the rules of a grid, leaders, dust.

use fanlight_contract::Raster;

use crate::leaders;
use crate::picture::{Picture, Speck};
use crate::rules;

/// Larger specks than this are letters, in pixels a side at 300 dpi; a full stop of 12 pt type has some 7.
const LARGEST_DOT: usize = 11;
/// A full stop or the dot of an i stands closer to its letter than this, in pixels.
const LONELY: usize = 13;

/// Paints rules, rows of evenly spaced dots, and dots that stand alone, white, and smooths what is left: OCR takes the
/// ragged edges of a photocopy for strokes. Pictures of other formats than grey are left as they are.
pub fn clean(picture: &Raster) -> Raster {
    let Some(mut picture) = Picture::of(picture) else { return picture.clone() };
    rules::remove(&mut picture);
    let mut dots: Vec<Speck> = picture.specks(LARGEST_DOT);
    leaders::remove(&mut picture, &dots);
    dots.retain(|dot| dot.is_round() && is_lonely(&picture, *dot));
    for dot in dots {
        picture.erase(dot);
    }
    picture.smooth();
    picture.into_raster()
}

fn is_lonely(picture: &Picture, dot: Speck) -> bool {
    picture.ink_in(dot.grown(LONELY)) == picture.ink_in(dot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::{Mark, WIDTH, drawn};

    #[test]
    fn dust_goes_and_the_dots_of_letters_and_sentences_stay() {
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
