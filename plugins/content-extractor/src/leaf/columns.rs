//! Newspaper columns: on a page with two columns, the left one is read before the right one.

use std::ops::Range;

use fanlight_masterformat::numbers;
use fanlight_text::Word;

/// The share of the text's width in which the gutter is searched.
const MIDDLE: Range<f32> = 0.36..0.64;
/// The least width of a gutter, in points.
const MIN_GUTTER: f32 = 9.0;
/// The most lines across both columns: header, footer, heading.
const MAX_ACROSS: usize = 10;

/// A line of one column.
pub(super) struct ColumnLine {
    /// Its words, shifted to where they would be in the left column.
    pub(super) words: Vec<Word>,
    /// How far they are shifted to the left, in points: 0 outside a right column.
    pub(super) shift: f32,
}

impl ColumnLine {
    /// Returns a line that is where it is printed.
    fn in_place(words: Vec<Word>) -> Self {
        Self { words, shift: 0.0 }
    }
}

/// Returns the lines of a page in reading order, each of one column.
pub(super) fn in_reading_order(lines: Vec<Vec<Word>>) -> Vec<ColumnLine> {
    match gutter(&lines) {
        Some(gutter) => unfold(lines, gutter),
        None => lines.into_iter().map(ColumnLine::in_place).collect(),
    }
}

/// The position of a line relative to a gutter.
enum Place {
    Across,
    /// Words to its left and to its right.
    Beside(usize),
}

fn place(line: &[Word], gutter: f32) -> Place {
    let left = line.iter().take_while(|word| word.bbox.x2 <= gutter).count();
    let free = line.get(left).is_none_or(|word| {
        let before = left.checked_sub(1).and_then(|at| line.get(at)).map_or(f32::MIN, |word| word.bbox.x2);
        word.bbox.x1 >= gutter && word.bbox.x1 - before >= MIN_GUTTER
    });
    if free { Place::Beside(left) } else { Place::Across }
}

/// Returns the middle of the gutter between two columns of text. The columns of a table do not
/// count: their cells are short.
fn gutter(lines: &[Vec<Word>]) -> Option<f32> {
    let (left, right) = edges(lines);
    let width = right - left;
    if lines.len() < MIN_LINES || width < 200.0 || lists_sections(lines) {
        return None;
    }
    // The lines across each candidate. Of the best ones, which are adjacent, the middle one is
    // chosen.
    let step = 2.0;
    let count = ((MIDDLE.end - MIDDLE.start) * width / step) as usize;
    let across: Vec<(f32, usize)> = (0..=count)
        .map(|index| left + MIDDLE.start * width + index as f32 * step)
        .map(|x| (x, lines.iter().filter(|line| matches!(place(line, x), Place::Across)).count()))
        .collect();
    let fewest = across.iter().map(|(_, crossing)| *crossing).min()?;
    let best: Vec<f32> = across.iter().filter(|(_, crossing)| *crossing == fewest).map(|(x, _)| *x).collect();
    let middle = *best.get(best.len() / 2)?;
    (fewest <= MAX_ACROSS.max(lines.len() / 4) && are_columns(lines, middle)).then_some(middle)
}

/// Returns whether many lines begin with a section's number: the columns of contents are those of a
/// table.
fn lists_sections(lines: &[Vec<Word>]) -> bool {
    lines.iter().filter(|line| begins_with_number(line)).count() * 5 >= lines.len() * 2
}

/// Returns whether a line begins with a section's number.
fn begins_with_number(line: &[Word]) -> bool {
    let start: Vec<&str> = line.iter().take(4).map(|word| word.text.as_str()).collect();
    numbers::leading(&start.join(" ")).is_some()
}

/// Fewer lines form no columns.
const MIN_LINES: usize = 8;

/// Returns whether both sides of a gutter are text: lines that fill their column.
fn are_columns(lines: &[Vec<Word>], gutter: f32) -> bool {
    let [left, right] = sides(lines, gutter);
    // The right column of a section's last page may be short.
    left.len() >= MIN_LINES && right.len() >= 2 && fill_column(&left) && (right.len() < 6 || fill_column(&right))
}

/// Returns the parts of lines on the left and on the right of a gutter, without those across it.
fn sides(lines: &[Vec<Word>], gutter: f32) -> [Vec<&[Word]>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    for line in lines {
        let Place::Beside(left) = place(line, gutter) else { continue };
        let (before, after) = line.split_at(left);
        for (side, words) in sides.iter_mut().zip([before, after]) {
            side.extend(Some(words).filter(|words| !words.is_empty()));
        }
    }
    sides
}

/// Returns whether lines fill their column: many are long, and they have three words on average.
fn fill_column(lines: &[&[Word]]) -> bool {
    let (left, right) = edges(lines);
    let ends = lines.iter().filter_map(|line| line.last()).map(|word| word.bbox.x2);
    let full = ends.filter(|end| end - left >= 0.75 * (right - left)).count();
    let words: usize = lines.iter().map(|line| line.len()).sum();
    full * 10 >= lines.len() * 3 && words >= 3 * lines.len()
}

/// Returns the left and the right edge of some lines.
fn edges(lines: &[impl AsRef<[Word]>]) -> (f32, f32) {
    let firsts = lines.iter().filter_map(|line| line.as_ref().first());
    let lasts = lines.iter().filter_map(|line| line.as_ref().last());
    let left = firsts.map(|word| word.bbox.x1).fold(f32::MAX, f32::min);
    (left, lasts.map(|word| word.bbox.x2).fold(f32::MIN, f32::max))
}

/// Puts the left column before the right one, between lines across both.
fn unfold(lines: Vec<Vec<Word>>, gutter: f32) -> Vec<ColumnLine> {
    let [left, right] = sides(&lines, gutter).map(|side| edges(&side).0);
    let shift = right - left;
    let mut ordered: Vec<ColumnLine> = Vec::with_capacity(lines.len());
    let mut right_column: Vec<ColumnLine> = Vec::new();
    for mut line in lines {
        match place(&line, gutter) {
            Place::Across => {
                ordered.append(&mut right_column);
                ordered.push(ColumnLine::in_place(line));
            }
            Place::Beside(left) => {
                let mut right = line.split_off(left);
                for word in &mut right {
                    word.bbox.x1 -= shift;
                    word.bbox.x2 -= shift;
                }
                ordered.extend(Some(line).filter(|line| !line.is_empty()).map(ColumnLine::in_place));
                right_column
                    .extend(Some(right).filter(|line| !line.is_empty()).map(|words| ColumnLine { words, shift }));
            }
        }
    }
    ordered.append(&mut right_column);
    ordered
}
