//! Text fixtures: pages typed as plain text, for tests of what reads pages. A test's input then
//! shows what its page looks like.
//!
//! Each character fills a cell of a grid. Each word is a run of its own, as the PDF engine reports
//! it. There are no rules and no images. [`file()`] writes what only a file can say, such as a
//! page's rotation; [`odd`] has unusual files. [`promises`] holds for every page, typed or not.

mod file;
pub mod odd;
pub mod promises;

pub use file::file;

use fanlight_contract::{Font, Geometry, PagePaths, PageText, Rect, TextRun};

/// Height of the letters, in points.
const SIZE: f32 = 10.0;
/// Width of a cell, in points.
const ADVANCE: f32 = 6.0;
/// Distance of the lines, in points.
const LEADING: f32 = 12.0;
/// The position of the first cell of the first line, in points.
const FIRST_CELL: (f32, f32) = (50.0, 740.0);
/// The paper, wide enough for lines of 100 characters.
const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 720.0, y2: 792.0 };

/// Returns the boxes of every typed page, upright.
pub fn geometry() -> Geometry {
    Geometry { media_box: SHEET, crop_box: SHEET, rotation: 0, user_unit: 1.0 }
}

/// Returns the runs of a page from its lines.
pub fn text(page: &str) -> PageText {
    let fonts = vec![Font { name: "Monospaced".to_owned(), bold: false, italic: false }];
    let mut runs = Vec::new();
    for (row, line) in page.lines().enumerate() {
        let mut column = 0;
        for word in line.split(' ') {
            if !word.is_empty() {
                runs.push(run(word, column, row));
            }
            column += word.chars().count() + 1;
        }
    }
    PageText { fonts, runs }
}

/// Returns the paths of a typed page: none.
pub fn paths() -> PagePaths {
    PagePaths { ops: vec![], coordinates: vec![], lengths: vec![], style_of: vec![], styles: vec![], layers: vec![] }
}

fn run(word: &str, column: usize, row: usize) -> TextRun {
    let count = word.chars().count();
    let (x, y) = (FIRST_CELL.0 + column as f32 * ADVANCE, FIRST_CELL.1 - row as f32 * LEADING);
    TextRun {
        text: word.to_owned(),
        lengths: word.chars().map(|c| c.len_utf8() as u8).collect(),
        advances: vec![ADVANCE; count],
        codes: word.chars().map(u32::from).collect(),
        x,
        y,
        size: SIZE,
        angle: 0.0,
        bbox: Rect { x1: x, y1: y - 2.0, x2: x + ADVANCE * count as f32, y2: y + 8.0 },
        font: 0,
        color: 0,
        visible: true,
    }
}
