//! One page as lines in reading order.

mod columns;
mod margin;

use fanlight_contract::Geometry;
use fanlight_geometry::{EMPTY_RECT, Frame, RectExt as _};
use fanlight_masterformat::misread;
use fanlight_raster::ReadText;
use fanlight_text::{Page, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use columns::ColumnLine;

use crate::labels;

/// A page, as a shard passes it on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    /// The page's number, counted from 1.
    pub(crate) page: u32,
    /// The width of the upright crop box, in points.
    pub(crate) width: f32,
    /// The height of the upright crop box, in points.
    pub(crate) height: f32,
    /// In reading order: the left of two columns comes first.
    pub(crate) lines: Vec<Line>,
}

/// A line of one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "PackedLine", into = "PackedLine")]
pub(crate) struct Line {
    /// The distance of the baseline from the top of the page, in points.
    pub(crate) y: f32,
    /// The height of the em of its first word, in points.
    pub(crate) size: f32,
    /// Whether its first word is bold.
    pub(crate) bold: bool,
    /// The box around it in user space, in points.
    pub(crate) bbox: [f32; 4],
    /// The words that belong together on the line, from left to right; at least one cell.
    pub(crate) cells: Vec<Cell>,
}

/// Words without a wide gap between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    /// The left edge in points. Cells of a right column are shifted as if the column were at the
    /// place of the left one.
    pub(crate) left: f32,
    /// The right edge, shifted like `left`.
    pub(crate) right: f32,
    /// Not empty. Words are separated by one space.
    pub(crate) text: String,
}

/// A line in JSON: baseline, size, bold, box, and cells of left edge, right edge and text. A manual
/// has a quarter of a million lines, so keys would double the size.
type PackedLine = (f32, f32, u8, [f32; 4], Vec<(f32, f32, String)>);

impl From<PackedLine> for Line {
    fn from((y, size, bold, bbox, cells): PackedLine) -> Self {
        let cells = cells.into_iter().map(|(left, right, text)| Cell { left, right, text }).collect();
        Self { y, size, bold: bold > 0, bbox, cells }
    }
}

impl From<Line> for PackedLine {
    fn from(line: Line) -> Self {
        let cells = line.cells.into_iter().map(|cell| (cell.left, cell.right, cell.text)).collect();
        (line.y, line.size, u8::from(line.bold), line.bbox, cells)
    }
}

/// White space this wide, in em, separates cells: more than between the words of a justified line.
const CELL_GAP: f32 = 1.2;
/// A narrower gap, in em, is kerning rather than a space in any face.
const KERNED: f32 = 0.22;
/// A row of at most this many dots belongs to its sentence. A longer one leads to the next cell or
/// is a blank to fill in.
const ELLIPSIS: usize = 4;

impl Leaf {
    /// Reads the text of a page, its own or what OCR has read.
    pub fn from_text(number: u32, read: &ReadText, geometry: &Geometry) -> Self {
        let mut page = Page::read(&read.text, geometry);
        if read.is_recognized() {
            misread::mend(&mut page.lines);
        }
        Self::new(number, &page)
    }

    /// Reads a page.
    pub fn new(number: u32, page: &Page) -> Self {
        let mut lines: Vec<Vec<Word>> = page.lines.iter().map(|line| line.words.clone()).collect();
        margin::strip(&mut lines);
        let lines = columns::in_reading_order(lines);
        let lines = lines.iter().filter_map(|line| Line::from_words(line, &page.frame)).collect();
        Self { page: number, width: tenth(page.frame.width), height: tenth(page.frame.height), lines }
    }
}

impl Cell {
    /// Puts the words in reading order if they do not run from left to right.
    fn turn(&mut self, words: &[Word]) {
        if self.text.is_ascii() {
            return;
        }
        let is_own = |word: &&Word| !word.leader && (self.left..=self.right).contains(&tenth(word.bbox.x1));
        let own: Vec<Word> = words.iter().filter(is_own).cloned().collect();
        let shown = own.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let read = fanlight_text::text(&own);
        if read != shown {
            self.text = read;
        }
    }
}

impl Line {
    fn from_words(ColumnLine { words, shift }: &ColumnLine, frame: &Frame) -> Option<Self> {
        let first = words.iter().find(|word| !word.leader)?;
        let mut cells: Vec<Cell> = Vec::new();
        let mut parted = true;
        for word in words {
            let ellipsis = word.text.chars().count() <= ELLIPSIS && !word.text.starts_with('_');
            if word.leader && !ellipsis {
                parted = true;
                continue;
            }
            // A label is a cell of its own, however close its text is.
            let after_label = matches!(cells.as_slice(), [label] if is_label(&label.text));
            parted |= after_label || word.gap >= CELL_GAP * word.size;
            let (left, right) = (tenth(word.bbox.x1), tenth(word.bbox.x2));
            match cells.last_mut().filter(|_| !parted) {
                Some(cell) => {
                    // An ellipsis is close to the word before it. After a slash, kerning alone
                    // separates no words.
                    let kerned = cell.text.ends_with('/') && word.gap < KERNED * word.size;
                    if !word.leader && !kerned {
                        cell.text.push(' ');
                    }
                    cell.text.push_str(&word.text);
                    cell.right = right;
                }
                None if word.leader => continue,
                None => cells.push(Cell { left, right, text: word.text.clone() }),
            }
            parted = false;
        }
        for cell in &mut cells {
            cell.turn(words);
        }
        let baseline = words.iter().map(|word| word.baseline).fold(first.baseline, f32::max);
        let mut printed = words.iter().fold(EMPTY_RECT, |sum, word| sum.union(&word.bbox));
        printed.x1 += shift;
        printed.x2 += shift;
        let placed = frame.to_user_space(printed);
        let bbox = [placed.x1, placed.y1, placed.x2, placed.y2].map(tenth);
        let (y, size, bold) = (tenth(baseline), tenth(first.size), first.style.bold);
        (!cells.is_empty()).then_some(Self { y, size, bold, bbox, cells })
    }

    /// Returns the whole line, with one space between cells.
    pub(crate) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Returns its left edge.
    pub(crate) fn left(&self) -> f32 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    /// Returns its right edge.
    pub(crate) fn right(&self) -> f32 {
        self.cells.last().map_or(0.0, |cell| cell.right)
    }
}

/// Returns whether a word is the label of an article or a paragraph.
fn is_label(word: &str) -> bool {
    labels::item(word).or_else(|| labels::article(word)) == Some(word)
}

/// Rounds to a tenth of a point.
fn tenth(value: f32) -> f32 {
    (value * 10.0).round() / 10.0
}
