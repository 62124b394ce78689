//! Reads a grid without a usable text layer by OCR: first the rows that may be headers, then, if they are a schedule's, the rest.

use std::ops::Range;

use fanlight_contract::Rect;
use fanlight_tables::{Cell, Grid, names_a_table};

use crate::kinds;
use crate::pixels::{self, OcrConfidence, TableImage};
use crate::sheet::Sheet;

/// Maximum distance of a title from a table without a text layer, in points.
pub(crate) const MAX_TITLE_DISTANCE: f32 = 36.0;
/// Distance of the strip that is searched for a title from the table, in points: its outer rule is not part of the strip.
const RULE_WIDTH: f32 = 1.5;
/// Minimum height of a strip that is searched for a title, in points: lower ones hold no text.
const MIN_STRIP_HEIGHT: f32 = 6.0;
/// The first rows, which may be headers.
const FIRST_ROWS: usize = 5;
/// The last rows, which may be headers if the first ones are not.
const LAST_ROWS: usize = 2;

/// A grid that is read by OCR.
pub(crate) struct OcrTable<'a> {
    pub(crate) sheet: &'a Sheet<'a>,
    pub(crate) image: &'a TableImage,
    pub(crate) grid: &'a mut Grid,
}

/// One end of a grid.
struct End {
    is_top: bool,
    /// Where the title is searched, in the grid's frame.
    strip: Rect,
    /// The rows that may be headers.
    rows: Range<usize>,
}

impl OcrTable<'_> {
    /// Reads the rows at the ends of the grid and the text beside them and, if they are a schedule's, all of it. `budget` is the
    /// number of cells that may still be read. `None` if OCR is not available.
    pub(crate) fn read(mut self, budget: &mut usize) -> Option<OcrConfidence> {
        let mut confidence = OcrConfidence::default();
        let mut unread: Vec<usize> =
            (0..self.grid.cells.len()).filter(|&cell| !is_sign(&self.grid.cells[cell])).collect();
        let mut is_schedule = false;
        for end in self.ends() {
            let is_at_end = |cell: &Cell| cell.row < end.rows.end && cell.row + cell.rows > end.rows.start;
            let (headers, rest): (Vec<usize>, Vec<usize>) =
                unread.iter().partition(|&&index| is_at_end(&self.grid.cells[index]));
            if !is_schedule {
                if headers.len() > *budget {
                    return Some(confidence);
                }
                unread = rest;
                confidence.add(self.read_cells(&headers, budget)?);
            }
            let is_titled = self.read_title(&end)?;
            is_schedule |= self.grid.table().is_some_and(|table| kinds::kind(&table).is_some());
            if is_schedule && is_titled {
                break;
            }
        }
        if is_schedule && unread.len() <= *budget {
            confidence.add(self.read_cells(&unread, budget)?);
        }
        Some(confidence)
    }

    /// Returns the top of the grid, then its bottom.
    fn ends(&self) -> [End; 2] {
        let (bbox, height) = (self.grid.bbox, self.grid.height());
        let above = Rect { y1: (bbox.y1 - MAX_TITLE_DISTANCE).max(0.0), y2: bbox.y1 - RULE_WIDTH, ..bbox };
        let lowest = (bbox.y2 + MAX_TITLE_DISTANCE).min(self.grid.frame.height);
        let below = Rect { y1: bbox.y2 + RULE_WIDTH, y2: lowest, ..bbox };
        [
            End { is_top: true, strip: above, rows: 0..FIRST_ROWS },
            End { is_top: false, strip: below, rows: height.saturating_sub(LAST_ROWS)..height },
        ]
    }

    fn read_cells(&mut self, cells: &[usize], budget: &mut usize) -> Option<OcrConfidence> {
        *budget -= cells.len();
        pixels::read(self.sheet, self.image, self.grid, cells)
    }

    /// Reads the lines beside an end of the grid. Returns whether one is a title.
    fn read_title(&mut self, end: &End) -> Option<bool> {
        let mut lines = Vec::new();
        if end.strip.y2 > end.strip.y1 + MIN_STRIP_HEIGHT {
            lines = pixels::lines(self.sheet, self.image, end.strip)?;
        }
        let is_titled = lines.iter().any(|line| names_a_table(&line.text));
        *(if end.is_top { &mut self.grid.above } else { &mut self.grid.below }) = lines;
        Some(is_titled)
    }
}

/// Returns whether a cell holds a drawn sign that is known.
pub(crate) fn is_sign(cell: &Cell) -> bool {
    !cell.is_blank() && cell.fragments.iter().all(|fragment| fragment.size == 0.0)
}

#[cfg(test)]
mod tests {
    use fanlight_tables::TextFragment;

    use super::*;

    fn fragment(text: &str, size: f32) -> TextFragment {
        let bbox = Rect { x1: 0.0, y1: 0.0, x2: 10.0, y2: 10.0 };
        TextFragment { text: text.to_owned(), bbox, turns: 0, line: 0, size, bold: false }
    }

    #[test]
    fn only_drawn_signs_have_no_size() {
        let cell = |fragments: Vec<TextFragment>| Cell {
            row: 0,
            rows: 1,
            column: 0,
            columns: 1,
            bbox: Rect { x1: 0.0, y1: 0.0, x2: 10.0, y2: 10.0 },
            fragments,
            drawn: 0,
        };
        assert!(is_sign(&cell(vec![fragment("●", 0.0)])));
        assert!(!is_sign(&cell(vec![fragment("●", 8.0)])));
        assert!(!is_sign(&cell(vec![])));
    }
}
