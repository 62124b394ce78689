//! What the network looks at: squares of a page at one scale of the building, cells of ink from 0 (paper) to 1.
//!
//! Training and serving cut their tiles here, so both see the same pixels.

use crate::classifier_input::Picture;

/// Pixels along a side of a tile that the network takes.
pub const SIDE: usize = 512;

/// Pixels of a tile for a metre of the building: a door's leaf has some 36, a urinal 14.
pub const PIXELS_PER_METRE: f32 = 40.0;

/// Inches of a metre.
const INCHES_PER_METRE: f32 = 39.37;

/// Pixels of a tile for a point of paper, where an inch of the building takes so many points.
pub fn pixels_per_point(points_per_inch: f32) -> f32 {
    PIXELS_PER_METRE / (INCHES_PER_METRE * points_per_inch)
}

/// Paper is one of this many neighbouring greys.
const PAPER: usize = 16;

/// Makes paper white and ink black by how far it is from paper: the grey that most of a picture has. On a blueprint's negative
/// what is dark is paper.
pub fn whiten(pixels: &mut [u8]) {
    let mut counts = [0_usize; 256];
    for &grey in &*pixels {
        counts[usize::from(grey)] += 1;
    }
    let about = |from: &usize| counts[*from..from + PAPER].iter().sum::<usize>();
    let paper = (0..=256 - PAPER).max_by_key(about).unwrap_or(256 - PAPER);
    let (darkest, brightest) = (paper as f32, (paper + PAPER - 1) as f32);
    let is_negative = darkest + brightest < 255.0;
    let whitened: [u8; 256] = std::array::from_fn(|grey| {
        let grey = grey as f32;
        let white = if is_negative { (255.0 - grey) / (255.0 - brightest) } else { grey / darkest };
        (255.0 * white.clamp(0.0, 1.0)).round() as u8
    });
    for grey in pixels {
        *grey = whitened[usize::from(*grey)];
    }
}

/// Cuts a tile of `side` rows of `side` cells, its upper left corner at `left` and `top` in user space, `scale` cells a
/// point. What lies beside the picture is paper. A cell holds the square root of its share of ink, which makes thin and grey
/// lines show beside heavy ones.
pub fn cut(picture: &Picture<'_>, (left, top): (f32, f32), scale: f32, side: usize) -> Vec<f32> {
    let mut tile = vec![0.0; side * side];
    let step = picture.scale / scale;
    let (x, y) = ((left - picture.left) * picture.scale, (picture.top - top) * picture.scale);
    if !(step > 0.0 && step.is_finite() && x.is_finite() && y.is_finite()) {
        return tile;
    }
    let columns: Vec<Stretch> =
        (0..side).map(|cell| Stretch::of(x + step * cell as f32, step, picture.width)).collect();
    for (row, cells) in tile.chunks_mut(side).enumerate() {
        let rows = Stretch::of(y + step * row as f32, step, picture.height);
        for (pixel_row, high) in rows.pixels() {
            let Some(line) = picture.pixels.get(pixel_row * picture.width..(pixel_row + 1) * picture.width) else {
                continue;
            };
            for (cell, across) in cells.iter_mut().zip(&columns) {
                let ink: f32 = across
                    .pixels()
                    .map(|(column, wide)| wide * line.get(column).map_or(0.0, |grey| 1.0 - f32::from(*grey) / 255.0))
                    .sum();
                *cell += high * ink;
            }
        }
        for cell in cells {
            *cell = (*cell / (step * step)).clamp(0.0, 1.0).sqrt();
        }
    }
    tile
}

/// A stretch of a row or column of pixels, as far as the picture goes.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    from: f32,
    to: f32,
}

impl Stretch {
    fn of(from: f32, length: f32, count: usize) -> Self {
        Self { from: from.max(0.0), to: (from + length).min(count as f32) }
    }

    /// The pixels that it covers, each with how much of it.
    fn pixels(self) -> impl Iterator<Item = (usize, f32)> {
        let Self { from, to } = self;
        let pixels = if to > from { from as usize..to.ceil() as usize } else { 0..0 };
        pixels.map(move |pixel| (pixel, to.min(pixel as f32 + 1.0) - from.max(pixel as f32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 40;

    /// A grey picture of 40 x 40 pixels at 2 pixels a point, with a square of ink of 10 x 10 points at its upper left corner.
    fn picture(pixels: &[u8]) -> Picture<'_> {
        Picture { pixels, width: WIDE, height: WIDE, left: 100.0, top: 50.0, scale: 2.0 }
    }

    fn square(ink: u8, paper: u8) -> Vec<u8> {
        let inside = |at: usize| at % WIDE < 20 && at / WIDE < 20;
        (0..WIDE * WIDE).map(|at| if inside(at) { ink } else { paper }).collect()
    }

    #[test]
    fn paper_is_white_and_ink_black_whatever_they_were() {
        for (what, ink, paper) in
            [("black on white", 0, 255), ("black on old paper", 0, 190), ("white on a blueprint", 255, 40)]
        {
            let mut pixels = square(ink, paper);
            whiten(&mut pixels);
            assert_eq!(pixels, square(0, 255), "{what}");
        }
        whiten(&mut []);
    }

    #[test]
    fn a_tile_shows_the_same_place_at_any_scale() {
        let pixels = square(0, 255);
        for scale in [0.5, 1.0, 2.0, 3.0] {
            let tile = cut(&picture(&pixels), (95.0, 55.0), scale, 60);
            let ink: f32 = tile.iter().map(|cell| cell * cell).sum::<f32>() / (scale * scale);
            assert!((ink - 100.0).abs() < 1.0, "{scale}: {ink}");
            let cell = |x: f32, y: f32| tile[(y * scale) as usize * 60 + (x * scale) as usize];
            assert_eq!((cell(2.0, 2.0), cell(10.0, 10.0), cell(17.0, 17.0)), (0.0, 1.0, 0.0), "{scale}");
        }
    }

    #[test]
    fn beside_the_picture_and_without_one_is_paper() {
        let none = Picture { pixels: &[], width: 0, height: 0, left: 0.0, top: 0.0, scale: 2.0 };
        for (at, scale) in [((0.0, 0.0), 1.0), ((f32::NAN, 0.0), 1.0), ((0.0, 0.0), 0.0), ((0.0, 0.0), f32::INFINITY)] {
            assert_eq!(cut(&none, at, scale, 4), vec![0.0; 16]);
        }
        let pixels = square(0, 255);
        assert_eq!(cut(&picture(&pixels), (500.0, 500.0), 1.0, 4), vec![0.0; 16]);
    }
}
