//! The grid of one table: its rows, columns and cells with their text.

use std::cmp::Reverse;

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, RectExt as _};

use crate::regions::{SAME_BORDER, nearest, snapped};
use crate::rules::{Drawn, Mark};
use crate::signs::sign;
use crate::words::{Phrase, Word};

/// What separates the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Rules close every cell.
    Ruled,
    /// Rules separate the rows or the columns, and the alignment of the text the other.
    Partly,
    /// Only the alignment of the text.
    Aligned,
}

/// Text of a cell: words of one line without wide gaps between them.
#[derive(Clone, Debug)]
pub struct TextFragment {
    /// The text of the text layer or of OCR.
    pub text: String,
    /// Its box in the grid's frame, y down.
    pub bbox: Rect,
    /// Quarter turns counterclockwise from the grid's reading direction: 0 to 3.
    pub turns: u8,
    /// Number of its line. Fragments of a cell with the same number are side by side.
    pub line: u32,
    /// Height of the em, in points; 0 if unknown.
    pub size: f32,
    /// Whether it is set in bold.
    pub bold: bool,
}

/// A cell, merged ones included.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its first row.
    pub row: usize,
    /// Number of rows that it spans.
    pub rows: usize,
    /// Its first column.
    pub column: usize,
    /// Number of columns that it spans.
    pub columns: usize,
    /// Its box in the grid's frame, y down.
    pub bbox: Rect,
    /// Its text, in no order.
    pub fragments: Vec<TextFragment>,
    /// Number of slanted and curved segments in it: a drawing, or text drawn as paths.
    pub drawn: usize,
}

/// Rows, columns and cells of one table, in a frame in which its text is upright.
#[derive(Clone, Debug)]
pub struct Grid {
    /// The frame of all boxes.
    pub frame: Frame,
    /// Its box in the frame, y down.
    pub bbox: Rect,
    /// What separates its cells.
    pub ruling: Ruling,
    /// Borders of its columns from left to right, one more than columns.
    pub columns: Vec<f32>,
    /// Borders of its rows from the top, one more than rows.
    pub rows: Vec<f32>,
    /// Its cells.
    pub cells: Vec<Cell>,
    /// Lines of text just above it, the nearest first.
    pub above: Vec<TextFragment>,
    /// Lines of text just below it, the nearest first.
    pub below: Vec<TextFragment>,
}

impl Cell {
    /// Returns its text in the reading direction of most of it, lines separated by one space.
    pub fn text(&self) -> String {
        // A number sign belongs to the number after it, however wide the gap.
        self.lines().join(" ").replace("# ", "#")
    }

    /// Returns whether it has no text.
    pub fn is_blank(&self) -> bool {
        self.fragments.iter().all(|fragment| fragment.text.trim().is_empty())
    }

    /// Adds a sign with its middle at (x, y) as text.
    fn add_sign(&mut self, sign: &str, (x, y): (f32, f32)) {
        let bbox = Rect { x1: x - 1.0, y1: y - 1.0, x2: x + 1.0, y2: y + 1.0 };
        self.fragments.push(TextFragment { text: sign.to_owned(), bbox, turns: 0, line: 0, size: 0.0, bold: false });
    }

    /// Returns its lines from the first to the last, those in the reading direction of most of its text first.
    pub fn lines(&self) -> Vec<String> {
        let mut directions: Vec<u8> = (0..4).filter(|&turns| self.characters(turns) > 0).collect();
        directions.sort_by_key(|&turns| Reverse(self.characters(turns)));
        directions.into_iter().flat_map(|turns| self.lines_in_direction(turns)).collect()
    }

    /// Returns the lines with the given quarter turns.
    fn lines_in_direction(&self, turns: u8) -> Vec<String> {
        let mut own: Vec<&TextFragment> = self.fragments.iter().filter(|fragment| fragment.turns == turns).collect();
        own.sort_by(|a, b| a.down().total_cmp(&b.down()));
        let mut lines: Vec<Vec<&TextFragment>> = Vec::new();
        for fragment in own {
            match lines.iter_mut().find(|line| line.first().is_some_and(|first| first.line == fragment.line)) {
                Some(line) => line.push(fragment),
                None => lines.push(vec![fragment]),
            }
        }
        let mut texts = Vec::with_capacity(lines.len());
        for mut line in lines {
            line.sort_by(|a, b| a.along().total_cmp(&b.along()));
            let own: Vec<&str> = line.iter().map(|fragment| fragment.text.trim()).collect();
            texts.push(own.join(" "));
        }
        texts
    }

    /// Returns the quarter turns of most of its text.
    pub fn turns(&self) -> u8 {
        (0..4).max_by_key(|&turns| (self.characters(turns), 4 - turns)).unwrap_or(0)
    }

    /// Returns the number of characters with the given quarter turns.
    fn characters(&self, turns: u8) -> usize {
        let own = self.fragments.iter().filter(|fragment| fragment.turns == turns);
        own.map(|fragment| fragment.text.chars().count()).sum()
    }
}

impl TextFragment {
    /// Returns the position of its middle along its reading direction.
    fn along(&self) -> f32 {
        let (x, y) = self.bbox.center();
        match self.turns {
            0 => x,
            1 => -y,
            2 => -x,
            _ => y,
        }
    }

    /// Returns the position of its middle across its reading direction, from the first line to the last.
    fn down(&self) -> f32 {
        let (x, y) = self.bbox.center();
        match self.turns {
            0 => y,
            1 => x,
            2 => -y,
            _ => -x,
        }
    }
}

/// Minimum share of the rows that have a column's border.
const MIN_BORDER_ROWS: f32 = 0.2;
/// Maximum number of rows that must have a column's border.
const MAX_REQUIRED_ROWS: f32 = 3.0;
/// Minimum number of rows that must have it, if more than two rows are split.
const MIN_REQUIRED_ROWS: f32 = 2.0;
/// A word belongs to a cell if at least this share of its width is in it.
const MIN_WORD_SHARE: f32 = 0.72;
/// A phrase that extends over a border belongs to the cell in which it begins, if it begins at most this far from its left
/// border, in em.
const MAX_INDENT: f32 = 1.5;
/// Maximum number of positions of a grid.
const MAX_POSITIONS: usize = 2_000_000;

impl Grid {
    /// Returns the grid of the cells of one region; `None` if they are too many or form no rows and columns.
    pub(crate) fn of_faces(faces: &[Rect], frame: Frame) -> Option<Self> {
        let rows = snapped(faces.iter().flat_map(|face| [face.y1, face.y2]));
        let borders = snapped(faces.iter().flat_map(|face| [face.x1, face.x2]));
        if rows.len() < 2 || borders.len() < 2 {
            return None;
        }
        let columns = columns(faces, &rows, &borders);
        let (height, width) = (rows.len() - 1, columns.len() - 1);
        if height.saturating_mul(width) > MAX_POSITIONS {
            return None;
        }
        let mut cells: Vec<Cell> = Vec::with_capacity(faces.len());
        for face in faces {
            let (top, bottom) = (nearest(&rows, face.y1), nearest(&rows, face.y2));
            let left = columns.partition_point(|&x| x <= face.x1 + SAME_BORDER).saturating_sub(1).min(width - 1);
            let right = nearest(&columns, face.x2).clamp(left + 1, width);
            cells.push(Cell {
                row: top,
                rows: bottom.saturating_sub(top).max(1),
                column: left,
                columns: right - left,
                bbox: *face,
                fragments: Vec::new(),
                drawn: 0,
            });
        }
        // Cells that are separated by a border of few rows are one.
        cells.sort_by_key(|cell| (cell.row, cell.column, cell.rows, cell.columns));
        cells.dedup_by(|next, cell| {
            let same = (next.row, next.column) == (cell.row, cell.column);
            if same {
                cell.bbox = cell.bbox.union(&next.bbox);
                cell.rows = cell.rows.max(next.rows);
                cell.columns = cell.columns.max(next.columns);
            }
            same
        });
        let bbox = Rect { x1: columns[0], y1: rows[0], x2: columns[width], y2: rows[height] };
        Some(Self { frame, bbox, ruling: Ruling::Ruled, columns, rows, cells, above: Vec::new(), below: Vec::new() })
    }

    /// Puts a cell in each position that none covers: where a rule is broken, the cell is not closed.
    pub(crate) fn fill_holes(&mut self) {
        let width = self.width().max(1);
        for (place, _) in self.cover().into_iter().enumerate().filter(|(_, cell)| cell.is_none()) {
            let (row, column) = (place / width, place % width);
            let (Some(&[y1, y2]), Some(&[x1, x2])) =
                (self.rows.get(row..row + 2), self.columns.get(column..column + 2))
            else {
                continue;
            };
            let bbox = Rect { x1, y1, x2, y2 };
            self.cells.push(Cell { row, rows: 1, column, columns: 1, bbox, fragments: Vec::new(), drawn: 0 });
        }
    }

    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.columns.len().saturating_sub(1)
    }

    /// Returns the number of rows, headers and titles included.
    pub fn height(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// Returns for each position of the grid, row by row, the index of the cell that covers it.
    pub fn cover(&self) -> Vec<Option<usize>> {
        let width = self.width();
        let mut cover = vec![None; width * self.height()];
        for (index, cell) in self.cells.iter().enumerate() {
            for row in cell.row..cell.row + cell.rows {
                for column in cell.column..cell.column + cell.columns {
                    if let Some(place) = cover.get_mut(row * width + column) {
                        *place = Some(index);
                    }
                }
            }
        }
        cover
    }

    /// Returns the cells that begin in each row, from the left.
    pub(crate) fn cells_by_row(&self) -> Vec<Vec<&Cell>> {
        let mut rows: Vec<Vec<&Cell>> = vec![Vec::new(); self.height()];
        for cell in &self.cells {
            if let Some(row) = rows.get_mut(cell.row) {
                row.push(cell);
            }
        }
        for row in &mut rows {
            row.sort_by_key(|cell| cell.column);
        }
        rows
    }

    /// Puts phrases and marks into their cells.
    pub(crate) fn fill<'a>(&mut self, phrases: impl Iterator<Item = &'a Phrase>, marks: &[Mark]) {
        let cover = self.cover();
        for phrase in phrases {
            self.add_phrase(phrase, &cover);
        }
        self.add_marks(marks, &cover);
    }

    /// Puts a mark into each blank cell with one mark and nothing else. Round letters of drawn text are several in a cell, or
    /// beside other segments; they count as drawn.
    fn add_marks(&mut self, marks: &[Mark], cover: &[Option<usize>]) {
        let mut counts = vec![0_usize; self.cells.len()];
        for mark in marks {
            if let Some(count) = self.cell_at(mark.middle, cover).and_then(|index| counts.get_mut(index)) {
                *count += 1;
            }
        }
        for (cell, &count) in self.cells.iter_mut().zip(&counts) {
            if count > 1 || cell.drawn > 0 {
                cell.drawn += count;
            }
        }
        for mark in marks {
            if let Some(index) = self.cell_at(mark.middle, cover)
                && let Some(cell) = self.cells.get_mut(index)
                && cell.is_blank()
                && cell.drawn == 0
            {
                cell.add_sign(mark.sign, mark.middle);
            }
        }
    }

    /// Puts signs into the blank cells whose segments form one. `strokes` has the segments of cells that may hold signs.
    pub(crate) fn add_signs(&mut self, mut strokes: Vec<CellStroke>) {
        strokes.sort_by_key(|stroke| stroke.cell);
        for own in strokes.chunk_by(|a, b| a.cell == b.cell) {
            let drawn: Vec<Drawn> = own.iter().map(|stroke| stroke.drawn).collect();
            let cell = own.first().and_then(|stroke| self.cells.get_mut(stroke.cell));
            if let Some(cell) = cell.filter(|cell| cell.is_blank() && cell.drawn == drawn.len())
                && let Some(sign) = sign(&drawn, &cell.bbox)
            {
                cell.add_sign(sign, drawn[0].middle);
                cell.drawn = 0;
            }
        }
    }

    /// Returns the index of the cell at a point of the frame. `cover` is that of [`Grid::cover`].
    pub(crate) fn cell_at(&self, (x, y): (f32, f32), cover: &[Option<usize>]) -> Option<usize> {
        let column = self.columns.partition_point(|&border| border <= x).checked_sub(1)?;
        let row = self.rows.partition_point(|&border| border <= y).checked_sub(1)?;
        if column >= self.width() || row >= self.height() {
            return None;
        }
        cover.get(row * self.width() + column).copied().flatten()
    }

    /// Puts a phrase into its cell. If its words are in several cells, each cell gets its own, unless a word extends over a
    /// border: then the whole phrase belongs to one cell.
    fn add_phrase(&mut self, phrase: &Phrase, cover: &[Option<usize>]) {
        let cells: Vec<Option<usize>> =
            phrase.words.iter().map(|word| self.cell_at(word.bbox.center(), cover)).collect();
        let extends_over_border = phrase.turns.is_multiple_of(2)
            && phrase.words.iter().zip(&cells).any(|(word, &cell)| self.extends_over(word, cell, phrase.size));
        if extends_over_border {
            let cell = self.cell_of_overflowing(phrase, cover);
            self.add_fragment(cell, fragment(phrase, &phrase.text(), phrase.bbox));
            return;
        }
        let mut words = phrase.words.as_slice();
        for cells in cells.chunk_by(|a, b| a == b) {
            let (own, rest) = words.split_at(cells.len());
            let texts: Vec<&str> = own.iter().map(|word| word.text.as_str()).collect();
            // The box of a whole phrase may be larger than that of its words.
            let bbox = if own.len() == phrase.words.len() { None } else { bounding_box(own) };
            self.add_fragment(cells[0], fragment(phrase, &texts.join(" "), bbox.unwrap_or(phrase.bbox)));
            words = rest;
        }
    }

    /// Returns whether a word that is wider than an em extends out of a cell.
    fn extends_over(&self, word: &Word, cell: Option<usize>, size: f32) -> bool {
        let Some(cell) = cell.and_then(|index| self.cells.get(index)) else { return false };
        let inside = word.bbox.x2.min(cell.bbox.x2) - word.bbox.x1.max(cell.bbox.x1);
        let width = word.bbox.x2 - word.bbox.x1;
        width > 0.0 && inside < MIN_WORD_SHARE * width && width > size
    }

    /// Returns the cell of a phrase that extends over a border: the one in which it begins, or that of its middle if it extends
    /// over the left border as well.
    fn cell_of_overflowing(&self, phrase: &Phrase, cover: &[Option<usize>]) -> Option<usize> {
        let (_, y) = phrase.bbox.center();
        let first = self.cell_at((phrase.bbox.x1 + 0.5, y), cover);
        let middle = self.cell_at(phrase.bbox.center(), cover);
        let begins_there = first
            .and_then(|first| self.cells.get(first))
            .is_some_and(|cell| phrase.bbox.x1 - cell.bbox.x1 <= MAX_INDENT * phrase.size);
        if begins_there { first } else { middle.or(first) }
    }

    fn add_fragment(&mut self, cell: Option<usize>, fragment: TextFragment) {
        if let Some(cell) = cell.and_then(|index| self.cells.get_mut(index)) {
            cell.fragments.push(fragment);
        }
    }
}

/// A slanted segment in a cell.
pub(crate) struct CellStroke {
    /// The index of the cell.
    pub(crate) cell: usize,
    pub(crate) drawn: Drawn,
}

/// Returns the borders of columns: those that enough rows have, and both edges.
fn columns(faces: &[Rect], rows: &[f32], borders: &[f32]) -> Vec<f32> {
    let mut rows_with: Vec<f32> = vec![0.0; borders.len()];
    let mut is_split = vec![false; rows.len()];
    let last = borders.len() - 1;
    for face in faces {
        let (top, bottom) = (nearest(rows, face.y1), nearest(rows, face.y2));
        let left = nearest(borders, face.x1);
        if left > 0 {
            rows_with[left] += bottom.saturating_sub(top) as f32;
            is_split[top..bottom.max(top)].fill(true);
        }
    }
    let split = is_split.iter().filter(|&&row| row).count() as f32;
    let min_rows = if split > MIN_REQUIRED_ROWS { MIN_REQUIRED_ROWS } else { 1.0 };
    let enough = (MIN_BORDER_ROWS * split).min(MAX_REQUIRED_ROWS).max(min_rows);
    borders
        .iter()
        .enumerate()
        .filter(|(index, _)| *index == 0 || *index == last || rows_with[*index] >= enough)
        .map(|(_, border)| *border)
        .collect()
}

/// Returns the box around some words.
fn bounding_box(words: &[Word]) -> Option<Rect> {
    words.iter().map(|word| word.bbox).reduce(|a, b| a.union(&b))
}

/// Returns a part of a phrase as text of a cell.
pub(crate) fn fragment(phrase: &Phrase, text: &str, bbox: Rect) -> TextFragment {
    TextFragment {
        text: text.to_owned(),
        bbox,
        turns: phrase.turns,
        line: phrase.line,
        size: phrase.size,
        bold: phrase.bold,
    }
}
