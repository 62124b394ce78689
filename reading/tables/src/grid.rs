//! The grid of one table: its rows, columns and cells with their text.

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, RectExt as _};

use crate::regions::{SAME_BORDER, nearest, snapped};
use crate::rules::{Drawn, Mark};
use crate::signs::sign;
use crate::words::Phrase;

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

    fn mark(&mut self, sign: &str, (x, y): (f32, f32)) {
        let bbox = Rect { x1: x - 1.0, y1: y - 1.0, x2: x + 1.0, y2: y + 1.0 };
        self.fragments.push(TextFragment { text: sign.to_owned(), bbox, turns: 0, line: 0, size: 0.0, bold: false });
    }

    /// Its lines from the first to the last.
    pub fn lines(&self) -> Vec<String> {
        let weight = |turns: u8| -> usize {
            self.fragments
                .iter()
                .filter(|fragment| fragment.turns == turns)
                .map(|fragment| fragment.text.chars().count())
                .sum()
        };
        let mut directions: Vec<u8> = (0..4).filter(|&turns| weight(turns) > 0).collect();
        directions.sort_by_key(|&turns| std::cmp::Reverse(weight(turns)));
        let mut lines = Vec::new();
        for turns in directions {
            // (down the lines, along the line)
            let place = |fragment: &TextFragment| {
                let (x, y) = fragment.bbox.center();
                match turns {
                    0 => (y, x),
                    1 => (x, -y),
                    2 => (-y, -x),
                    _ => (-x, y),
                }
            };
            let mut own: Vec<&TextFragment> =
                self.fragments.iter().filter(|fragment| fragment.turns == turns).collect();
            own.sort_by(|a, b| place(a).0.total_cmp(&place(b).0));
            let mut of_line: Vec<(u32, Vec<&TextFragment>)> = Vec::new();
            for fragment in own {
                match of_line.iter_mut().find(|(line, _)| *line == fragment.line) {
                    Some((_, fragments)) => fragments.push(fragment),
                    None => of_line.push((fragment.line, vec![fragment])),
                }
            }
            for (_, mut fragments) in of_line {
                fragments.sort_by(|a, b| place(a).1.total_cmp(&place(b).1));
                let texts: Vec<&str> = fragments.iter().map(|fragment| fragment.text.trim()).collect();
                lines.push(texts.join(" "));
            }
        }
        lines
    }

    /// Quarter turns of most of its text.
    pub fn turns(&self) -> u8 {
        let weight = |turns: u8| -> usize {
            self.fragments
                .iter()
                .filter(|fragment| fragment.turns == turns)
                .map(|fragment| fragment.text.chars().count())
                .sum()
        };
        (0..4).max_by_key(|&turns| (weight(turns), 4 - turns)).unwrap_or(0)
    }
}

/// A column's border is one that at least this share of the rows has.
const COLUMN_ROWS: f32 = 0.2;
/// A word belongs to the cell that at least this share of its width lies in.
const OWN_SHARE: f32 = 0.72;
/// Cells of a grid at most.
const MOST_CELLS: usize = 2_000_000;

impl Grid {
    /// A grid of the closed cells of one region. None where they are too many or make no rows and columns.
    pub(crate) fn of_faces(faces: &[Rect], frame: Frame) -> Option<Self> {
        let rows = snapped(faces.iter().flat_map(|face| [face.y1, face.y2]));
        let borders = snapped(faces.iter().flat_map(|face| [face.x1, face.x2]));
        if rows.len() < 2 || borders.len() < 2 {
            return None;
        }
        let columns = columns(faces, &rows, &borders);
        let (height, width) = (rows.len() - 1, columns.len() - 1);
        if height.saturating_mul(width) > MOST_CELLS {
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
        // Cells that a border parts which is no column's are one.
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

    /// Puts a cell in each place that none covers: where a rule is broken there is a cell all the same.
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

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.columns.len().saturating_sub(1)
    }

    /// Number of rows, headers and titles included.
    pub fn height(&self) -> usize {
        self.rows.len().saturating_sub(1)
    }

    /// For each place of the grid, row by row, the cell that covers it.
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

    /// Puts phrases into the cells that they stand in; those of a line that runs over its cell's border stay together.
    pub(crate) fn fill<'a>(&mut self, phrases: impl Iterator<Item = &'a Phrase>, marks: &[Mark]) {
        let cover = self.cover();
        for phrase in phrases {
            self.put(phrase, &cover);
        }
        // A mark stands alone in its cell; round letters of drawn text don't.
        let mut stand = vec![0_usize; self.cells.len()];
        let homes: Vec<Option<usize>> = marks.iter().map(|mark| self.cell_at(mark.middle, &cover)).collect();
        for home in homes.iter().flatten() {
            if let Some(count) = stand.get_mut(*home) {
                *count += 1;
            }
        }
        for (cell, &count) in self.cells.iter_mut().zip(&stand) {
            if count > 1 || cell.drawn > 0 {
                cell.drawn += count;
            }
        }
        for mark in marks {
            if let Some(index) = self.cell_at(mark.middle, &cover)
                && let Some(cell) = self.cells.get_mut(index)
                && cell.is_blank()
                && cell.drawn == 0
            {
                cell.mark(mark.sign, mark.middle);
            }
        }
    }

    /// Puts the signs into blank cells that the strokes in them make; of each cell as many as are given, and no more, may
    /// be drawn in it.
    pub(crate) fn sign(&mut self, mut strokes: Vec<(usize, Drawn)>) {
        strokes.sort_by_key(|(cell, _)| *cell);
        for own in strokes.chunk_by(|a, b| a.0 == b.0) {
            let drawn: Vec<Drawn> = own.iter().map(|(_, drawn)| *drawn).collect();
            let cell = own.first().and_then(|(index, _)| self.cells.get_mut(*index));
            if let Some(cell) = cell.filter(|cell| cell.is_blank() && cell.drawn == drawn.len())
                && let Some(sign) = sign(&drawn, &cell.bbox)
            {
                cell.mark(sign, drawn[0].middle);
                cell.drawn = 0;
            }
        }
    }

    /// The cell at a point of the frame.
    pub(crate) fn cell_at(&self, (x, y): (f32, f32), cover: &[Option<usize>]) -> Option<usize> {
        let column = self.columns.partition_point(|&border| border <= x).checked_sub(1)?;
        let row = self.rows.partition_point(|&border| border <= y).checked_sub(1)?;
        if column >= self.width() || row >= self.height() {
            return None;
        }
        cover.get(row * self.width() + column).copied().flatten()
    }

    fn put(&mut self, phrase: &Phrase, cover: &[Option<usize>]) {
        let homes: Vec<Option<usize>> =
            phrase.words.iter().map(|word| self.cell_at(word.bbox.center(), cover)).collect();
        let runs_over = phrase.turns.is_multiple_of(2)
            && phrase.words.iter().zip(&homes).any(|(word, home)| {
                let Some(cell) = home.and_then(|home| self.cells.get(home)) else { return false };
                let inside = word.bbox.x2.min(cell.bbox.x2) - word.bbox.x1.max(cell.bbox.x1);
                let wide = word.bbox.x2 - word.bbox.x1;
                wide > 0.0 && inside < OWN_SHARE * wide && wide > phrase.size
            });
        if runs_over || homes.windows(2).all(|pair| pair[0] == pair[1]) {
            let home = if runs_over { self.home_of(phrase, cover) } else { homes.first().copied().flatten() };
            let fragment = fragment(phrase, &phrase.text(), phrase.bbox);
            self.add(home, fragment);
            return;
        }
        let mut start = 0;
        while start < homes.len() {
            let count = homes[start..].iter().take_while(|home| **home == homes[start]).count();
            let words = &phrase.words[start..start + count];
            let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
            let bbox = words.iter().map(|word| word.bbox).reduce(|a, b| a.union(&b)).unwrap_or(phrase.bbox);
            self.add(homes[start], fragment(phrase, &texts.join(" "), bbox));
            start += count;
        }
    }

    /// Where a phrase that runs over a border belongs: to the cell it begins in, unless it stands out on both sides.
    fn home_of(&self, phrase: &Phrase, cover: &[Option<usize>]) -> Option<usize> {
        let (_, y) = phrase.bbox.center();
        let first = self.cell_at((phrase.bbox.x1 + 0.5, y), cover);
        let centre = self.cell_at(phrase.bbox.center(), cover);
        let begins_there = first
            .and_then(|first| self.cells.get(first))
            .is_some_and(|cell| phrase.bbox.x1 - cell.bbox.x1 <= 1.5 * phrase.size);
        if begins_there { first } else { centre.or(first) }
    }

    fn add(&mut self, home: Option<usize>, fragment: TextFragment) {
        if let Some(cell) = home.and_then(|home| self.cells.get_mut(home)) {
            cell.fragments.push(fragment);
        }
    }
}

/// The borders that are columns': those that enough rows have, and both edges.
fn columns(faces: &[Rect], rows: &[f32], borders: &[f32]) -> Vec<f32> {
    let mut rows_with: Vec<f32> = vec![0.0; borders.len()];
    let mut parted = vec![false; rows.len()];
    let last = borders.len() - 1;
    for face in faces {
        let (top, bottom) = (nearest(rows, face.y1), nearest(rows, face.y2));
        let left = nearest(borders, face.x1);
        if left > 0 {
            rows_with[left] += bottom.saturating_sub(top) as f32;
            parted[top..bottom.max(top)].fill(true);
        }
    }
    let parted = parted.iter().filter(|&&row| row).count() as f32;
    let enough = (COLUMN_ROWS * parted).min(3.0).max(if parted > 2.0 { 2.0 } else { 1.0 });
    borders
        .iter()
        .enumerate()
        .filter(|(index, _)| *index == 0 || *index == last || rows_with[*index] >= enough)
        .map(|(_, border)| *border)
        .collect()
}

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
