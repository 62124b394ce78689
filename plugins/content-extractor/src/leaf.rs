//! One page as lines in reading order.

mod columns;
mod margin;

use fanlight_text::{Page, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::patterns::pattern;

/// A page: what a shard hands on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaf {
    /// 1-based.
    pub(crate) page: u32,
    /// Of the crop box as it is read, in points.
    pub(crate) width: f32,
    /// As `width`.
    pub(crate) height: f32,
    /// In reading order: of two columns the left one first.
    pub(crate) lines: Vec<Line>,
}

/// A line of one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "PackedLine", into = "PackedLine")]
pub(crate) struct Line {
    /// Distance of the baseline from the page's top, in points.
    pub(crate) y: f32,
    /// Height of the em of its first word, in points.
    pub(crate) size: f32,
    /// Whether its first word is bold.
    pub(crate) bold: bool,
    /// What stands together on it, from left to right; at least one.
    pub(crate) cells: Vec<Cell>,
}

/// Words without a wide gap between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cell {
    /// Left end in points. In a right column it is counted as if the column stood where the left one stands.
    pub(crate) left: f32,
    /// Right end, as `left`.
    pub(crate) right: f32,
    /// Never empty; words with one space between them.
    pub(crate) text: String,
}

/// A line in JSON: baseline, size, bold, cells of left end, right end and text. A manual has a quarter of a million.
type PackedLine = (f32, f32, u8, Vec<(f32, f32, String)>);

impl From<PackedLine> for Line {
    fn from((y, size, bold, cells): PackedLine) -> Self {
        let cells = cells.into_iter().map(|(left, right, text)| Cell { left, right, text }).collect();
        Self { y, size, bold: bold > 0, cells }
    }
}

impl From<Line> for PackedLine {
    fn from(line: Line) -> Self {
        let cells = line.cells.into_iter().map(|cell| (cell.left, cell.right, cell.text)).collect();
        (line.y, line.size, u8::from(line.bold), cells)
    }
}

/// White space as wide as this, in em, parts cells: more than between the words of a justified line.
const CELL_GAP: f32 = 1.2;
/// A gap this wide, in em, is less than a space in any face.
const KERNED: f32 = 0.22;
/// A row of dots no longer than this belongs to its sentence; a longer one leads to the next cell or is a blank to
/// fill in.
const ELLIPSIS: usize = 4;

impl Leaf {
    /// Reads a page.
    pub fn of(number: u32, page: &Page) -> Self {
        let mut lines: Vec<Vec<Word>> = page.lines.iter().map(|line| line.words.clone()).collect();
        margin::strip(&mut lines);
        let lines = columns::in_reading_order(lines).into_iter().filter_map(|words| Line::of(&words)).collect();
        Self { page: number, width: tenth(page.frame.width), height: tenth(page.frame.height), lines }
    }
}

impl Cell {
    /// Puts its words into the order that they are read in, where that isn't from left to right.
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
    fn of(words: &[Word]) -> Option<Self> {
        let first = words.iter().find(|word| !word.leader)?;
        let mut cells: Vec<Cell> = Vec::new();
        let mut parted = true;
        for word in words {
            let ellipsis = word.text.chars().count() <= ELLIPSIS && !word.text.starts_with('_');
            if word.leader && !ellipsis {
                parted = true;
                continue;
            }
            // A label is a cell of its own, however close its text stands.
            let after_label = matches!(cells.as_slice(), [label] if is_label(&label.text));
            parted |= after_label || word.gap >= CELL_GAP * word.size;
            let (left, right) = (tenth(word.bbox.x1), tenth(word.bbox.x2));
            match cells.last_mut().filter(|_| !parted) {
                Some(cell) => {
                    // An ellipsis stands close to the word before it; kerning alone parts nothing behind a slash.
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
        (!cells.is_empty()).then(|| Self { y: tenth(baseline), size: tenth(first.size), bold: first.style.bold, cells })
    }

    /// The whole line, one space between cells.
    pub(crate) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Its left end.
    pub(crate) fn left(&self) -> f32 {
        self.cells.first().map_or(0.0, |cell| cell.left)
    }

    /// Its right end.
    pub(crate) fn right(&self) -> f32 {
        self.cells.last().map_or(0.0, |cell| cell.right)
    }
}

pattern!(
    /// "A.", "1)", "(a)", "1.01", a bullet.
    LABEL = r"^(?:[A-Z]{1,2}\.|[a-z]{1,3}\.|\d{1,2}\.|\d{1,2}\)|[A-Za-z]\)|\(\d{1,2}\)|\([a-z]{1,3}\)|[1-9]\d?(?:[.-]\d{1,2}){1,3}\.?|[•▪■●○◦·\u{f0b7}\u{f0a7}])$"
);

/// Whether a word is the label of an article or a paragraph.
pub(crate) fn is_label(word: &str) -> bool {
    LABEL.is_match(word)
}

/// To a tenth of a point.
fn tenth(value: f32) -> f32 {
    (value * 10.0).round() / 10.0
}
