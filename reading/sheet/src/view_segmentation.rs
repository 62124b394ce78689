//! What the network that maps a sheet's views looks at, and what its answers mean.
//!
//! Training and serving show their sheets here, so both see the same: the whole sheet as a viewer shows it, shrunk to fit
//! [`WIDTH`] by [`HEIGHT`] pixels of ink from 0 (paper) to 1, at the upper left, the rest paper. The answer is a [`Map`]:
//! for each cell of [`CELL`] by [`CELL`] of these pixels, what the sheet is there.

/// Width of what the network looks at, in pixels.
pub const WIDTH: usize = 1024;
/// Its height: sheets are no squarer than 4 to 3 as a rule.
pub const HEIGHT: usize = 768;
/// Side of a cell of the answer, in those pixels.
pub const CELL: usize = 4;
/// Cells of a row of the answer.
pub const COLUMNS: usize = WIDTH / CELL;
/// Rows of the answer.
pub const ROWS: usize = HEIGHT / CELL;
/// Planes of the network's output, of which the first ones are [`CLASSES`]; the others mean nothing.
pub const PLANES: usize = 16;

/// What a part of a sheet may be, in the order of the network's first outputs.
pub const CLASSES: [Class; 6] =
    [Class::Nothing, Class::Interior, Class::OtherView, Class::Title, Class::Notes, Class::Table];

/// What a part of a sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Empty paper, the sheet's frame, and lines that lead to notes.
    Nothing,
    /// An interior elevation with its dimensions.
    Interior,
    /// Another drawing: a plan, a section, a building's front, a detail, door types.
    OtherView,
    /// The title under a drawing, with its mark and scale.
    Title,
    /// Lines of text beside a drawing or in a list.
    Notes,
    /// A ruled table or the title block.
    Table,
}

/// Pixels this much darker than the paper are ink, as a share of the paper's brightness: less is a scanner's noise.
const INK: f32 = 0.2;

/// A grey picture of a whole sheet.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// One byte a pixel, 0 is black, rows from the top.
    pub pixels: &'a [u8],
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Picture<'_> {
    /// Pixels of the network's picture for one of this picture's.
    pub fn shrinking(&self) -> f32 {
        (WIDTH as f32 / self.width.max(1) as f32).min(HEIGHT as f32 / self.height.max(1) as f32)
    }

    /// What the network looks at: [`HEIGHT`] rows of [`WIDTH`] pixels. A pixel holds the square root of the share of ink in
    /// its part of the sheet, which makes thin lines show beside heavy ones. No picture gives paper.
    pub fn shown(&self) -> Vec<f32> {
        let mut shown = vec![0.0; WIDTH * HEIGHT];
        let ink = self.darkness();
        let shrinking = self.shrinking();
        let columns: Vec<(usize, usize)> = (0..WIDTH).map(|column| covered(column, shrinking, self.width)).collect();
        for row in 0..HEIGHT {
            let (top, bottom) = covered(row, shrinking, self.height);
            for (column, &(left, right)) in columns.iter().enumerate() {
                let count = (right - left) * (bottom - top);
                if count == 0 {
                    break;
                }
                let lines =
                    (top..bottom).filter_map(|y| self.pixels.get(y * self.width + left..y * self.width + right));
                let sum: f32 = lines.flatten().map(|&grey| ink[usize::from(grey)]).sum();
                shown[row * WIDTH + column] = (sum / count as f32).sqrt();
            }
        }
        shown
    }

    /// How much ink a pixel of each brightness is, from 0 to 1. Paper is what most of the bright half is.
    fn darkness(&self) -> [f32; 256] {
        let mut counts = [0_usize; 256];
        for &grey in self.pixels {
            counts[usize::from(grey)] += 1;
        }
        let paper = (128..256).max_by_key(|&grey| counts[grey]).unwrap_or(255) as f32;
        std::array::from_fn(|grey| {
            let darker = (1.0 - grey as f32 / paper).max(0.0);
            if darker < INK { 0.0 } else { darker }
        })
    }
}

/// The picture's pixels that one of the network's shows: from, to.
fn covered(at: usize, shrinking: f32, count: usize) -> (usize, usize) {
    let from = ((at as f32 / shrinking) as usize).min(count);
    let to = (((at + 1) as f32 / shrinking) as usize).clamp(from, count);
    // A picture that is smaller than what the network looks at shows each of its pixels several times.
    if to == from && from < count { (from, from + 1) } else { (from, to) }
}

/// What the network says of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Likelihoods of the classes, cell by cell.
    cells: Vec<[f32; CLASSES.len()]>,
    shrinking: f32,
}

impl Map {
    /// Reads the network's outputs, [`PLANES`] planes of [`ROWS`] by [`COLUMNS`], for a picture. None where they are not as
    /// many, or no numbers.
    pub fn of(outputs: &[f32], picture: &Picture<'_>) -> Option<Self> {
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
        Some(Self { cells: (0..plane).map(likely).collect(), shrinking: picture.shrinking() })
    }

    /// The side of a cell in the picture's pixels.
    pub fn cell_side(&self) -> f32 {
        CELL as f32 / self.shrinking
    }

    /// How likely a class is at a column and row of cells.
    pub fn likelihood(&self, column: usize, row: usize, class: Class) -> f32 {
        let place = CLASSES.iter().position(|known| *known == class).unwrap_or_default();
        let inside = column < COLUMNS;
        self.cells.get(row * COLUMNS + column).filter(|_| inside).map_or(0.0, |cell| cell[place])
    }

    /// The likeliest class at a column and row of cells; [`Class::Nothing`] beside the map.
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
    fn a_sheet_looks_the_same_at_any_resolution() {
        let shown = |dpi: usize| {
            let pixels = pixels(dpi);
            Picture { pixels: &pixels, width: 40 * dpi, height: 30 * dpi }.shown()
        };
        let (coarse, fine) = (shown(10), shown(50));
        let share = |shown: &[f32]| shown.iter().sum::<f32>() / shown.len() as f32;
        assert!((share(&fine) - 100.0 / 1200.0).abs() < 0.003, "{}", share(&fine));
        assert!((share(&coarse) - share(&fine)).abs() < 0.01, "{}", share(&coarse));
        assert_eq!((fine[256 * WIDTH + 384], fine[0]), (1.0, 0.0));
    }

    #[test]
    fn grey_paper_and_noise_are_no_ink() {
        let pixels: Vec<u8> = (0..400 * 300).map(|at| 200 - (at % 23) as u8).collect();
        let shown = Picture { pixels: &pixels, width: 400, height: 300 }.shown();
        assert!(shown.iter().all(|ink| *ink == 0.0));
        assert!(Picture { pixels: &[], width: 0, height: 0 }.shown().iter().all(|ink| *ink == 0.0));
    }

    #[test]
    fn a_map_says_what_is_where() {
        let picture = Picture { pixels: &[], width: 2048, height: 1000 };
        let mut outputs = vec![0.0; PLANES * ROWS * COLUMNS];
        // The second cell of the third row is a title.
        outputs[3 * ROWS * COLUMNS + 2 * COLUMNS + 1] = 9.0;
        let map = Map::of(&outputs, &picture).unwrap();
        assert!((map.cell_side() - 8.0).abs() < 1e-3);
        assert_eq!(map.likeliest(1, 2), Class::Title);
        assert!(map.likelihood(1, 2, Class::Title) > 0.99);
        assert!((map.likelihood(0, 0, Class::Title) - 1.0 / 6.0).abs() < 1e-6);
        assert_eq!(map.likelihood(COLUMNS, 0, Class::Title), 0.0);
        assert_eq!(map.likeliest(COLUMNS, 2), Class::Nothing);
        assert_eq!(map.likeliest(1, ROWS), Class::Nothing);
        outputs[0] = f32::NAN;
        assert_eq!(Map::of(&outputs, &picture), None);
        assert_eq!(Map::of(&[0.0; 12], &picture), None);
    }
}
