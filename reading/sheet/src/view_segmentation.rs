//! The input and the output of the network that segments a sheet into its views.
//!
//! Training and serving both prepare the input here, so both see the same: the whole sheet as a viewer shows it, scaled down to fit
//! [`WIDTH`] by [`HEIGHT`] pixels, at the upper left, with values from 0 (paper) to 1. The output is a [`SegmentationMap`]: for
//! each cell of [`CELL`] by [`CELL`] of these pixels, the class of what is there.

/// Width of the input in pixels.
pub const WIDTH: usize = 1024;
/// Height of the input in pixels. Sheets are rarely squarer than 4 to 3.
pub const HEIGHT: usize = 768;
/// Side of a cell of the output, in pixels of the input.
pub const CELL: usize = 4;
/// Number of columns of the output.
pub const COLUMNS: usize = WIDTH / CELL;
/// Number of rows of the output.
pub const ROWS: usize = HEIGHT / CELL;
/// Number of planes of the network's output. The first ones are [`CLASSES`]; the others are unused.
pub const PLANES: usize = 16;

/// The classes in the order of the network's first planes.
pub const CLASSES: [Class; 6] =
    [Class::Nothing, Class::Interior, Class::OtherView, Class::Title, Class::Notes, Class::Table];

/// The class of a part of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Empty paper, the sheet's border, and leaders of notes.
    Nothing,
    /// An interior elevation with its dimensions.
    Interior,
    /// Another drawing: a plan, a section, the front of a building, a detail, door types.
    OtherView,
    /// The title under a drawing, with its mark and scale.
    Title,
    /// Lines of text beside a drawing or in a list.
    Notes,
    /// A ruled table or the title block.
    Table,
}

/// Minimum contrast of foreground with the paper, as a share of the paper's brightness. Less is scanner noise.
const MIN_CONTRAST: f32 = 0.2;

/// A grey image of a whole sheet.
#[derive(Clone, Copy, Debug)]
pub struct SheetImage<'a> {
    /// One byte per pixel, rows from the top; 0 is black.
    pub pixels: &'a [u8],
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

impl SheetImage<'_> {
    /// Returns the pixels of the input per pixel of the image.
    pub fn scale(&self) -> f32 {
        (WIDTH as f32 / self.width.max(1) as f32).min(HEIGHT as f32 / self.height.max(1) as f32)
    }

    /// Returns the input of the network: [`HEIGHT`] rows of [`WIDTH`] pixels. A pixel holds the square root of the mean darkness of
    /// its part of the sheet, so that thin lines show beside heavy ones. An empty image gives paper.
    pub fn network_input(&self) -> Vec<f32> {
        let mut input = vec![0.0; WIDTH * HEIGHT];
        let darkness = self.darkness();
        let scale = self.scale();
        let columns: Vec<(usize, usize)> = (0..WIDTH).map(|column| covered(column, scale, self.width)).collect();
        for row in 0..HEIGHT {
            let (top, bottom) = covered(row, scale, self.height);
            for (column, &(left, right)) in columns.iter().enumerate() {
                let count = (right - left) * (bottom - top);
                if count == 0 {
                    break;
                }
                let lines =
                    (top..bottom).filter_map(|y| self.pixels.get(y * self.width + left..y * self.width + right));
                let sum: f32 = lines.flatten().map(|&grey| darkness[usize::from(grey)]).sum();
                input[row * WIDTH + column] = (sum / count as f32).sqrt();
            }
        }
        input
    }

    /// Returns the darkness of each brightness relative to the paper, from 0 to 1. The paper is the most frequent value of the bright
    /// half.
    fn darkness(&self) -> [f32; 256] {
        let mut counts = [0_usize; 256];
        for &grey in self.pixels {
            counts[usize::from(grey)] += 1;
        }
        let paper = (128..256).max_by_key(|&grey| counts[grey]).unwrap_or(255) as f32;
        std::array::from_fn(|grey| {
            let darker = (1.0 - grey as f32 / paper).max(0.0);
            if darker < MIN_CONTRAST { 0.0 } else { darker }
        })
    }
}

/// Returns the range, as start and end, of the image's pixels that a pixel of the input shows.
fn covered(at: usize, scale: f32, count: usize) -> (usize, usize) {
    let from = ((at as f32 / scale) as usize).min(count);
    let to = (((at + 1) as f32 / scale) as usize).clamp(from, count);
    // Each pixel of an image that is smaller than the input shows several times.
    if to == from && from < count { (from, from + 1) } else { (from, to) }
}

/// The output of the network for a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentationMap {
    /// Probabilities of the classes of each cell, row by row.
    cells: Vec<[f32; CLASSES.len()]>,
    /// Pixels of the input per pixel of the image.
    scale: f32,
}

impl SegmentationMap {
    /// Reads the network's output, [`PLANES`] planes of [`ROWS`] by [`COLUMNS`] logits, for an image (softmax over the classes).
    /// `None` if there are not as many values, or one is not finite.
    pub fn from_output(outputs: &[f32], picture: &SheetImage<'_>) -> Option<Self> {
        let plane = ROWS * COLUMNS;
        if outputs.len() != PLANES * plane || outputs.iter().any(|output| !output.is_finite()) {
            return None;
        }
        let likely = |cell: usize| {
            let own: [f32; CLASSES.len()] = std::array::from_fn(|class| outputs[class * plane + cell]);
            let highest = own.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let powers = own.map(|output| (output - highest).exp());
            let sum: f32 = powers.iter().sum();
            powers.map(|power| power / sum)
        };
        Some(Self { cells: (0..plane).map(likely).collect(), scale: picture.scale() })
    }

    /// Returns the side of a cell in pixels of the image.
    pub fn cell_side(&self) -> f32 {
        CELL as f32 / self.scale
    }

    /// Returns the probability of a class at a column and row of cells; 0 outside the map.
    pub fn likelihood(&self, column: usize, row: usize, class: Class) -> f32 {
        let place = CLASSES.iter().position(|known| *known == class).unwrap_or_default();
        let inside = column < COLUMNS;
        self.cells.get(row * COLUMNS + column).filter(|_| inside).map_or(0.0, |cell| cell[place])
    }

    /// Returns the most likely class at a column and row of cells; [`Class::Nothing`] outside the map.
    pub fn likeliest(&self, column: usize, row: usize) -> Class {
        let inside = column < COLUMNS;
        let Some(cell) = self.cells.get(row * COLUMNS + column).filter(|_| inside) else { return Class::Nothing };
        let best = (0..CLASSES.len()).max_by(|&a, &b| cell[a].total_cmp(&cell[b]));
        best.map_or(Class::Nothing, |best| CLASSES[best])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet of 40 by 30 inches with a black square, 10 to 20 inches from the left, 5 to 15 from the top.
    fn pixels(dpi: usize) -> Vec<u8> {
        let black = |x: usize, y: usize| (10..20).contains(&(x / dpi)) && (5..15).contains(&(y / dpi));
        (0..40 * 30 * dpi * dpi).map(|at| if black(at % (40 * dpi), at / (40 * dpi)) { 0 } else { 250 }).collect()
    }

    #[test]
    fn the_input_is_the_same_at_any_resolution() {
        let shown = |dpi: usize| {
            let pixels = pixels(dpi);
            SheetImage { pixels: &pixels, width: 40 * dpi, height: 30 * dpi }.network_input()
        };
        let (coarse, fine) = (shown(10), shown(50));
        let share = |shown: &[f32]| shown.iter().sum::<f32>() / shown.len() as f32;
        assert!((share(&fine) - 100.0 / 1200.0).abs() < 0.003, "{}", share(&fine));
        assert!((share(&coarse) - share(&fine)).abs() < 0.01, "{}", share(&coarse));
        assert_eq!((fine[256 * WIDTH + 384], fine[0]), (1.0, 0.0));
    }

    #[test]
    fn grey_paper_and_noise_are_no_foreground() {
        let pixels: Vec<u8> = (0..400 * 300).map(|at| 200 - (at % 23) as u8).collect();
        let shown = SheetImage { pixels: &pixels, width: 400, height: 300 }.network_input();
        assert!(shown.iter().all(|ink| *ink == 0.0));
        assert!(SheetImage { pixels: &[], width: 0, height: 0 }.network_input().iter().all(|ink| *ink == 0.0));
    }

    #[test]
    fn a_map_gives_the_class_of_each_cell() {
        let picture = SheetImage { pixels: &[], width: 2048, height: 1000 };
        let mut outputs = vec![0.0; PLANES * ROWS * COLUMNS];
        // The second cell of the third row is a title.
        outputs[3 * ROWS * COLUMNS + 2 * COLUMNS + 1] = 9.0;
        let map = SegmentationMap::from_output(&outputs, &picture).unwrap();
        assert!((map.cell_side() - 8.0).abs() < 1e-3);
        assert_eq!(map.likeliest(1, 2), Class::Title);
        assert!(map.likelihood(1, 2, Class::Title) > 0.99);
        assert!((map.likelihood(0, 0, Class::Title) - 1.0 / 6.0).abs() < 1e-6);
        assert_eq!(map.likelihood(COLUMNS, 0, Class::Title), 0.0);
        assert_eq!(map.likeliest(COLUMNS, 2), Class::Nothing);
        assert_eq!(map.likeliest(1, ROWS), Class::Nothing);
        outputs[0] = f32::NAN;
        assert_eq!(SegmentationMap::from_output(&outputs, &picture), None);
        assert_eq!(SegmentationMap::from_output(&[0.0; 12], &picture), None);
    }
}
