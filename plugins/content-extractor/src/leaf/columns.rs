//! Newspaper columns: on a page with two columns, and on a drawing sheet with many, the left one is read before the right one.

use std::cmp::Reverse;
use std::mem;
use std::ops::Range;

use fanlight_masterformat::numbers;
use fanlight_text::Word;
use fanlight_text::folding::has_letters;

/// Wider text, in points, is that of a drawing sheet: Letter paper is 792 points long, ANSI B 1,224 and A3 1,191.
const SHEET_WIDTH: f32 = 1000.0;
/// The share of a page's text in which its gutter is searched.
const MIDDLE: Range<f32> = 0.36..0.64;
/// The least width of a gutter, in points.
const MIN_GUTTER: f32 = 9.0;
/// The least distance of places at which a gutter is searched, in points.
const STEP: f32 = 2.0;
/// The most places at which a gutter is searched: a PDF page is at most 14,400 points wide, but text may lie outside it.
const MAX_PLACES: f32 = 7_200.0;
/// The greatest depth of cuts. A sheet has some ten columns.
const MAX_DEPTH: usize = 60;
/// The most lines across both columns: header, footer, heading.
const MAX_ACROSS: usize = 10;
/// Fewer lines form no columns.
const MIN_LINES: usize = 8;

/// A line of one column.
pub(super) struct ColumnLine {
    /// Its words, shifted to where they would be in the left column.
    pub(super) words: Vec<Word>,
    /// How far they are shifted to the left, in points: 0 outside a right column.
    pub(super) shift: f32,
}

/// Returns the lines of a page in reading order, each of one column.
pub(super) fn in_reading_order(lines: Vec<Vec<Word>>) -> Vec<ColumnLine> {
    let lines: Vec<ColumnLine> = lines.into_iter().map(|words| ColumnLine { words, shift: 0.0 }).collect();
    let (left, right) = edges(&lines);
    if right - left > SHEET_WIDTH {
        return divide_sheet(lines, 0);
    }
    match page_gutter(&lines) {
        Some(gutter) => blocks(lines, gutter).into_iter().flatten().collect(),
        None => lines,
    }
}

/// Returns the lines of a drawing sheet in reading order. Each gutter divides the text into two columns, which are divided again
/// (recursive XY cut, after Nagy and Seth). `depth` is the number of cuts around the lines.
fn divide_sheet(lines: Vec<ColumnLine>, depth: usize) -> Vec<ColumnLine> {
    match sheet_gutter(&lines).filter(|_| depth < MAX_DEPTH) {
        Some(gutter) => {
            let blocks = blocks(lines, gutter).into_iter();
            blocks.flat_map(|block| divide_sheet(block, depth + 1)).collect()
        }
        None => lines,
    }
}

/// Returns the number of a line's words on the left of a gutter; `None` if the line is across it.
fn words_before(line: &[Word], gutter: f32) -> Option<usize> {
    let left = line.iter().take_while(|word| word.bbox.x2 <= gutter).count();
    let is_free = line.get(left).is_none_or(|word| {
        let before = left.checked_sub(1).and_then(|at| line.get(at)).map_or(f32::MIN, |word| word.bbox.x2);
        word.bbox.x1 >= gutter && word.bbox.x1 - before >= MIN_GUTTER
    });
    is_free.then_some(left)
}

/// A white strip down the text.
struct Strip {
    /// The lines across it.
    across: usize,
    /// The number of places in it, at equal distances.
    places: usize,
    /// The place in its middle, in points from the left.
    middle: f32,
}

/// Returns the number of lines that are across a place.
fn count_across(lines: &[ColumnLine], x: f32) -> usize {
    lines.iter().filter(|line| words_before(&line.words, x).is_none()).count()
}

/// Returns the strips between two places. At the places in one, the same number of lines is across.
fn strips(lines: &[ColumnLine], range: Range<f32>) -> Vec<Strip> {
    let step = STEP.max((range.end - range.start) / MAX_PLACES);
    let count = ((range.end - range.start) / step) as usize;
    let places = (0..=count).map(|index| range.start + index as f32 * step);
    let places: Vec<(f32, usize)> = places.map(|x| (x, count_across(lines, x))).collect();
    let strips = places.chunk_by(|(_, one), (_, next)| one == next).map(|strip| {
        let (middle, across) = strip[strip.len() / 2];
        Strip { across, places: strip.len(), middle }
    });
    strips.filter(|strip| strip.across <= MAX_ACROSS.max(lines.len() / 4)).collect()
}

/// Returns the middle of the gutter between two columns of text on a page. The columns of a table do not
/// count: their cells are short.
fn page_gutter(lines: &[ColumnLine]) -> Option<f32> {
    let (left, right) = edges(lines);
    let width = right - left;
    if lines.len() < MIN_LINES || width < 200.0 || lists_sections(lines) {
        return None;
    }
    let strips = strips(lines, left + MIDDLE.start * width..left + MIDDLE.end * width);
    let best = strips.iter().min_by_key(|strip| (strip.across, Reverse(strip.places)))?;
    are_columns(lines, best.middle).then_some(best.middle)
}

/// Returns the middle of the widest gutter on a drawing sheet. Lines of columns beside each other rarely have one baseline, so
/// that they need not fill the sides.
fn sheet_gutter(lines: &[ColumnLine]) -> Option<f32> {
    let (left, right) = edges(lines);
    let strips = strips(lines, left..right);
    let gutters = strips.iter().filter(|strip| is_between_texts(lines, strip.middle));
    gutters.min_by_key(|strip| (strip.across, Reverse(strip.places))).map(|strip| strip.middle)
}

/// Returns whether both sides of a gutter on a drawing sheet are text, rather than labels, numbers or dates.
fn is_between_texts(lines: &[ColumnLine], gutter: f32) -> bool {
    let [left, right] = sides(lines, gutter);
    // The right column of a section's last sheet may be short.
    left.len() >= MIN_LINES && right.len() >= 2 && has_words(&left) && has_words(&right)
}

/// Returns whether lines have two words on average.
fn has_words(lines: &[&[Word]]) -> bool {
    let words = lines.iter().flat_map(|line| line.iter()).filter(|word| has_letters(&word.text, 2));
    words.count() >= 2 * lines.len()
}

/// Returns whether many lines begin with a section's number: the columns of contents are those of a
/// table.
fn lists_sections(lines: &[ColumnLine]) -> bool {
    lines.iter().filter(|line| begins_with_number(&line.words)).count() * 5 >= lines.len() * 2
}

/// Returns whether a line begins with a section's number.
fn begins_with_number(line: &[Word]) -> bool {
    let start: Vec<&str> = line.iter().take(4).map(|word| word.text.as_str()).collect();
    numbers::leading(&start.join(" ")).is_some()
}

/// Returns whether both sides of a gutter are text: lines that fill their column.
fn are_columns(lines: &[ColumnLine], gutter: f32) -> bool {
    let [left, right] = sides(lines, gutter);
    // The right column of a section's last page may be short. Header and footer are no column.
    let is_short_column = || has_neighbours(lines, gutter) && !are_flush_right(&right);
    let is_column = if right.len() < SHORT_COLUMN { is_short_column() } else { fill_column(&right) };
    left.len() >= MIN_LINES && fill_column(&left) && is_column
}

/// A column with fewer lines is short.
const SHORT_COLUMN: usize = 6;

/// Edges this close, in points, are the same.
const SAME_EDGE: f32 = 3.0;

/// Returns whether lines end below each other, but do not begin so: a header at the right.
fn are_flush_right(lines: &[&[Word]]) -> bool {
    let starts = lines.iter().filter_map(|line| line.first()).map(|word| word.bbox.x1);
    let ends = lines.iter().filter_map(|line| line.last()).map(|word| word.bbox.x2);
    spread(ends) <= SAME_EDGE && spread(starts) > SAME_EDGE
}

/// Returns the distance between the least and the greatest of some values.
fn spread(values: impl Iterator<Item = f32>) -> f32 {
    let (least, greatest) = values.fold((f32::MAX, f32::MIN), |(least, greatest), x| (least.min(x), greatest.max(x)));
    greatest - least
}

/// Returns whether two neighbouring lines have words on the right of a gutter.
fn has_neighbours(lines: &[ColumnLine], gutter: f32) -> bool {
    lines.windows(2).any(|pair| pair.iter().all(|line| has_right(&line.words, gutter)))
}

/// Returns whether a line has words on the right of a gutter, and none across it.
fn has_right(line: &[Word], gutter: f32) -> bool {
    words_before(line, gutter).is_some_and(|left| left < line.len())
}

/// Returns the parts of lines on the left and on the right of a gutter, without those across it.
fn sides(lines: &[ColumnLine], gutter: f32) -> [Vec<&[Word]>; 2] {
    let parts = lines.iter().filter_map(|line| Some(line.words.split_at(words_before(&line.words, gutter)?)));
    let (left, right): (Vec<&[Word]>, Vec<&[Word]>) = parts.unzip();
    [left, right].map(|side| side.into_iter().filter(|words| !words.is_empty()).collect())
}

/// Returns whether lines fill their column: many are long, and they have three words on average.
fn fill_column(lines: &[&[Word]]) -> bool {
    let (left, right) = edges(lines);
    let ends = lines.iter().filter_map(|line| line.last()).map(|word| word.bbox.x2);
    let full = ends.filter(|end| end - left >= 0.75 * (right - left)).count();
    let words: usize = lines.iter().map(|line| line.len()).sum();
    full * 10 >= lines.len() * 3 && words >= 3 * lines.len()
}

impl AsRef<[Word]> for ColumnLine {
    fn as_ref(&self) -> &[Word] {
        &self.words
    }
}

/// Returns the left and the right edge of some lines.
fn edges(lines: &[impl AsRef<[Word]>]) -> (f32, f32) {
    let firsts = lines.iter().filter_map(|line| line.as_ref().first());
    let lasts = lines.iter().filter_map(|line| line.as_ref().last());
    let left = firsts.map(|word| word.bbox.x1).fold(f32::MAX, f32::min);
    (left, lasts.map(|word| word.bbox.x2).fold(f32::MIN, f32::max))
}

/// Returns the blocks of lines that are read one after the other: the left column and the right column between two lines across
/// both, and each of those lines.
fn blocks(lines: Vec<ColumnLine>, gutter: f32) -> Vec<Vec<ColumnLine>> {
    let [left, right] = sides(&lines, gutter).map(|side| edges(&side).0);
    let mut blocks = Vec::new();
    let mut columns = [Vec::new(), Vec::new()];
    for mut line in lines {
        let Some(count) = words_before(&line.words, gutter) else {
            blocks.extend(mem::take(&mut columns));
            blocks.push(vec![line]);
            continue;
        };
        let right = line.split_off(count, right - left);
        for (column, line) in columns.iter_mut().zip([line, right]) {
            column.extend(Some(line).filter(|line| !line.words.is_empty()));
        }
    }
    blocks.extend(columns);
    blocks
}

impl ColumnLine {
    /// Returns the words after the first `count` as a line of a right column, and keeps the others. `shift` is the distance of
    /// the columns in points.
    fn split_off(&mut self, count: usize, shift: f32) -> Self {
        let mut words = self.words.split_off(count);
        for word in &mut words {
            word.bbox.x1 -= shift;
            word.bbox.x2 -= shift;
        }
        Self { words, shift: self.shift + shift }
    }
}
