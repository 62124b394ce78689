//! The input of the detector network: squares of a page at one scale of the building, in cells from 0 (paper) to 1 (black).
//!
//! Training and serving agree on them here, so both see the same pixels.

/// Side of the network's input, in cells.
pub const SIDE: usize = 512;

/// Cells per metre of the building: a door's leaf has some 36, a urinal 14.
pub const PIXELS_PER_METRE: f32 = 40.0;

/// Inches per metre.
const INCHES_PER_METRE: f32 = 39.37;

/// Returns the cells per point of paper on a plan with `points_per_inch` points per inch of the building.
pub fn pixels_per_point(points_per_inch: f32) -> f32 {
    PIXELS_PER_METRE / (INCHES_PER_METRE * points_per_inch)
}

/// Width of the histogram's window that holds the greys of paper.
const PAPER_GREYS: usize = 16;

/// Stretches greys so that paper becomes white and ink black.
///
/// Paper is the mode of the grey histogram. If it is dark, the page is a negative, such as a blueprint, and is inverted.
pub fn whiten(pixels: &mut [u8]) {
    let mut counts = [0_usize; 256];
    for &grey in &*pixels {
        counts[usize::from(grey)] += 1;
    }
    let paper = (0..=256 - PAPER_GREYS)
        .max_by_key(|from| counts[*from..from + PAPER_GREYS].iter().sum::<usize>())
        .unwrap_or(256 - PAPER_GREYS);
    let (darkest, brightest) = (paper as f32, (paper + PAPER_GREYS - 1) as f32);
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

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 40;

    /// The pixels of a dark square of 10 x 10 points at the upper left corner.
    fn square(ink: u8, paper: u8) -> Vec<u8> {
        let inside = |at: usize| at % WIDE < 20 && at / WIDE < 20;
        (0..WIDE * WIDE).map(|at| if inside(at) { ink } else { paper }).collect()
    }

    #[test]
    fn whitening_makes_paper_white_and_ink_black() {
        for (what, ink, paper) in
            [("black on white", 0, 255), ("black on old paper", 0, 190), ("white on a blueprint", 255, 40)]
        {
            let mut pixels = square(ink, paper);
            whiten(&mut pixels);
            assert_eq!(pixels, square(0, 255), "{what}");
        }
        whiten(&mut []);
    }
}
