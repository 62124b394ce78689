//! The structure of a grid: title, column headers, rows.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt as _, median};
use fanlight_text::words::{TABLE_TITLE_ENDINGS, TABLE_TITLES};

use crate::grid::{Cell, Grid, Ruling};
use crate::header_below;
use crate::headings::{is_column_header, is_in, letters, parts};

/// The content of a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its box in user space of the unrotated page, title and rows included.
    pub bbox: Rect,
    /// The title as printed; empty if there is none.
    pub title: String,
    /// The headers of the columns from left to right; a header over several columns precedes the header below it, separated by a
    /// space. Some may be empty.
    pub headers: Vec<String>,
    /// The texts of the rows, one for each header; empty for a blank cell.
    pub rows: Vec<Vec<String>>,
    /// Headings of groups of rows ("GROUND FLOOR"), each with the index of the row that follows.
    pub groups: Vec<(usize, String)>,
    /// What separates its cells.
    pub ruling: Ruling,
    /// Share of the grid's positions that lie in a cell closed by rules.
    pub closed: f32,
    /// Share of body cells that hold text.
    pub filled: f32,
}

/// Rows of a head at most.
const MOST_HEAD_ROWS: usize = 5;
/// A cell over this share of the columns and more is a title or a row's group.
const WIDE: f32 = 0.55;
/// What stands over a head in more words than this is a remark or a key, if there is anything shorter.
const MOST_TITLE_WORDS: usize = 6;
/// A blank row is no row of the table where it is so many times as high as its usual ones.
const TALL_BLANK: f32 = 3.0;
/// Lines in a cell from which a row without rules may be several.
const MOST_LINES: usize = 3;

struct Reader<'a> {
    grid: &'a Grid,
    cover: Vec<Option<usize>>,
    /// Indices of the cells that begin in each row, from the left.
    begins: Vec<Vec<usize>>,
}

impl Grid {
    /// Reads the structure of a grid; `None` if it has fewer than two columns, or nothing but a header.
    pub fn table(&self) -> Option<Table> {
        match header_below::head_first(self) {
            Some(turned_over) => Some(header_below::placed(turned_over.read()?, &turned_over, self)),
            None => self.read(),
        }
    }

    fn read(&self) -> Option<Table> {
        let split = rows_by_lines(self);
        let grid = split.as_ref().unwrap_or(self);
        let mut begins: Vec<Vec<usize>> = vec![Vec::new(); grid.height()];
        for (index, cell) in grid.cells.iter().enumerate() {
            if let Some(row) = begins.get_mut(cell.row) {
                row.push(index);
            }
        }
        for row in &mut begins {
            row.sort_by_key(|&index| grid.cells[index].column);
        }
        Reader { grid, cover: grid.cover(), begins }.read()
    }
}

impl Reader<'_> {
    fn read(&self) -> Option<Table> {
        let (width, height) = (self.grid.width(), self.grid.height());
        if width < 2 || height < 2 {
            return None;
        }
        let mut row = 0;
        let mut titles: Vec<String> = Vec::new();
        while row < height {
            match self.filled(row).as_slice() {
                [] => {}
                [only] if self.is_wide(only) || self.stands_alone(row) => titles.push(only.text()),
                _ => break,
            }
            row += 1;
        }
        let head = row;
        let body = self.body(head);
        if body >= height {
            return None;
        }
        let mut headers: Vec<String> = (0..width).map(|column| self.header(head, body, column)).collect();
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut groups: Vec<(usize, String)> = Vec::new();
        for row in body..height {
            let filled = self.filled(row);
            if let [only] = filled.as_slice()
                && ((self.is_wide(only) && self.is_first(only)) || self.groups(only, row))
            {
                groups.push((rows.len(), only.text()));
                continue;
            }
            if filled.is_empty() {
                continue;
            }
            let mut texts = vec![String::new(); width];
            for cell in filled {
                if let Some(text) = texts.get_mut(cell.column) {
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(&cell.text());
                }
            }
            if texts != headers {
                rows.push(texts);
            }
        }
        groups.retain(|(before, _)| *before < rows.len());
        self.fold_parts(body, &mut headers, &mut rows);
        fold_blocks(&mut headers, &mut rows);
        drop_blank_columns(&mut headers, &mut rows);
        if headers.len() < 2 || rows.is_empty() {
            return None;
        }
        let (title, outside) = self.title(&titles);
        let own = Rect { y2: self.end(body), ..self.grid.bbox };
        let bbox = outside.map_or(own, |line| own.union(&line));
        let places = self.cover.len().max(1) as f32;
        let cells = (headers.len() * rows.len()).max(1) as f32;
        let filled = rows.iter().flatten().filter(|text| !text.is_empty()).count() as f32;
        Some(Table {
            bbox: self.grid.frame.to_user_space(bbox),
            title,
            headers,
            rows,
            groups,
            ruling: self.grid.ruling,
            closed: self.cover.iter().flatten().count() as f32 / places,
            filled: filled / cells,
        })
    }

    /// Where the table ends: with its last row, blank rows for later entries included, but not a blank box that fills the
    /// sheet below it.
    fn end(&self, body: usize) -> f32 {
        let heights = |row: usize| match self.grid.rows.get(row..row + 2) {
            Some(&[top, bottom]) => bottom - top,
            _ => 0.0,
        };
        let mut end = self.grid.height();
        let filled = (body..end).filter(|&row| !self.filled(row).is_empty());
        let usual = median(filled.map(heights).collect()).unwrap_or(f32::MAX);
        while end > body + 1 && self.filled(end - 1).is_empty() && heights(end - 1) > TALL_BLANK * usual {
            end -= 1;
        }
        self.grid.rows.get(end).copied().unwrap_or(self.grid.bbox.y2)
    }

    /// The cells with text that begin in a row.
    fn filled(&self, row: usize) -> Vec<&Cell> {
        let cells = self.begins.get(row).into_iter().flatten().filter_map(|&index| self.grid.cells.get(index));
        cells.filter(|cell| !cell.is_blank()).collect()
    }

    fn is_wide(&self, cell: &Cell) -> bool {
        cell.columns > 1 && self.breadth(cell) >= WIDE
    }

    /// Whether nothing stands to the left of a cell but what has come down from the rows above.
    fn is_first(&self, cell: &Cell) -> bool {
        let left = cell.row * self.grid.width()..cell.row * self.grid.width() + cell.column;
        let places = self.cover.get(left).unwrap_or_default().iter().flatten();
        places.filter_map(|&place| self.grid.cells.get(place)).all(|beside| beside.row < cell.row)
    }

    fn breadth(&self, cell: &Cell) -> f32 {
        let (own, all) = (cell.bbox.x2 - cell.bbox.x1, self.grid.bbox.x2 - self.grid.bbox.x1);
        if all > 0.0 { own / all } else { 0.0 }
    }

    /// Whether a row's only text is in a cell over several columns, or the row's other cells are wide blanks: a title
    /// with a blank box beside it.
    fn stands_alone(&self, row: usize) -> bool {
        let cells = self.begins.get(row).map_or(0, Vec::len);
        let [only] = self.filled(row)[..] else { return false };
        cells <= 2 && only.columns > 1 && self.breadth(only) > 0.3
    }

    /// Whether a row's only text, in the first column, runs on over the columns beside it or is no mark like those below.
    fn groups(&self, only: &Cell, row: usize) -> bool {
        if only.column != 0 || only.columns > 2 {
            return false;
        }
        let end = only.fragments.iter().map(|fragment| fragment.bbox.x2).fold(f32::MIN, f32::max);
        if end > only.bbox.x2 + 1.0 {
            return true;
        }
        // The rows around it are filled well: an all but blank row is no entry of the list.
        let counts: Vec<usize> = (0..self.grid.height())
            .filter(|&other| other != row)
            .map(|other| self.filled(other).len())
            .filter(|&count| count > 1)
            .collect();
        let full = counts.iter().filter(|&&count| 3 * count >= self.grid.width()).count();
        let text = only.text();
        let digits = text.chars().any(|c| c.is_ascii_digit());
        counts.len() >= 2 && 2 * full >= counts.len() && self.grid.width() >= 4 && (!digits || text.contains(' '))
    }

    /// The first row after the head that begins in row `head`.
    fn body(&self, head: usize) -> usize {
        let height = self.grid.height();
        let short = |cell: &&Cell| cell.rows <= MOST_HEAD_ROWS && cell.row + cell.rows < height;
        let mut end = head + 1;
        let mut row = head;
        while row < end && row < height && end - head < MOST_HEAD_ROWS {
            let cells: Vec<&Cell> = self.filled(row);
            let reach = cells.iter().copied().filter(|cell| short(cell)).map(|cell| cell.row + cell.rows).max();
            end = end.max(reach.unwrap_or(0)).min(head + MOST_HEAD_ROWS);
            if row + 1 == end && self.is_head_too(head, end, &cells) {
                end += 1;
            }
            row += 1;
        }
        // Blank rows under the head are nobody's.
        end.min(height)
    }

    /// Whether the row after a head's last one belongs to it as well.
    fn is_head_too(&self, head: usize, next: usize, last: &[&Cell]) -> bool {
        let below = self.filled(next);
        if below.is_empty() || next + 1 >= self.grid.height() {
            return false;
        }
        let heads = below.iter().filter(|cell| is_column_header(&cell.text())).count();
        let says_so = 2 * heads > below.len();
        let turned = below.iter().filter(|cell| cell.turns() % 2 == 1).count();
        if 2 * turned > below.len() && below.len() >= 2 {
            return true;
        }
        let numbers = below.iter().filter(|cell| cell.text().chars().any(|c| c.is_ascii_digit())).count();
        let groups: Vec<&&Cell> = last.iter().filter(|cell| cell.columns > 1).collect();
        let under_groups = groups.iter().any(|group| {
            let parts = below.iter().filter(|cell| {
                cell.column >= group.column && cell.column + cell.columns <= group.column + group.columns
            });
            parts.count() >= 2
        });
        let only_under_groups = below.iter().all(|cell| {
            groups.iter().any(|group| cell.column >= group.column && cell.column < group.column + group.columns)
        });
        if under_groups {
            // What stands beside the groups reaches down to the leaves, or is blank there.
            return only_under_groups || says_so || numbers == 0;
        }
        // Two rows of words that only heads have.
        let above = self.filled(head);
        let above_heads = above.iter().filter(|cell| is_column_header(&cell.text())).count();
        heads >= 2 && says_so && numbers == 0 && (2 * above_heads >= above.len() || above.len() < below.len())
    }

    /// The texts over a column, from the top.
    fn header(&self, head: usize, body: usize, column: usize) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut last = None;
        for row in head..body {
            let cell = self.cover.get(row * self.grid.width() + column).copied().flatten();
            if cell.is_some() && cell != last {
                let text = cell.and_then(|cell| self.grid.cells.get(cell)).map(Cell::text).unwrap_or_default();
                if !text.is_empty() {
                    texts.push(text);
                }
            }
            last = cell;
        }
        texts.join(" ")
    }

    /// Makes one column of those that one head stands over, where no row has more than one text in them: what parts them
    /// is a box drawn around a mark.
    fn fold_parts(&self, body: usize, headers: &mut Vec<String>, rows: &mut [Vec<String>]) {
        let width = self.grid.width();
        let Some(heads) = body.checked_sub(1).and_then(|last| self.cover.get(last * width..(last + 1) * width)) else {
            return;
        };
        for column in (1..width).rev() {
            let has = |row: &Vec<String>, column: usize| row.get(column).is_some_and(|text| !text.is_empty());
            let parted = heads[column].is_none() || heads[column] != heads[column - 1];
            if parted || rows.iter().any(|row| has(row, column - 1) && has(row, column)) {
                continue;
            }
            headers.remove(column);
            for row in rows.iter_mut() {
                let text = row.remove(column);
                if !text.is_empty() {
                    row[column - 1] = text;
                }
            }
        }
    }

    /// The title, and where its line lies if that is outside the grid.
    fn title(&self, inside: &[String]) -> (String, Option<Rect>) {
        if let Some(named) = inside.iter().rev().find(|title| names_a_table(title)) {
            return (named.clone(), None);
        }
        let above = self.grid.above.iter().find(|line| names_a_table(&line.text));
        if let Some(line) = above {
            return (line.text.clone(), Some(line.bbox));
        }
        let short = |title: &&String| title.split_whitespace().count() <= MOST_TITLE_WORDS;
        if let Some(nearest) = inside.iter().rev().find(short).or(inside.last()) {
            return (nearest.clone(), None);
        }
        if let Some(line) = self.grid.below.iter().find(|line| names_a_table(&line.text)) {
            return (line.text.clone(), None);
        }
        match self.grid.above.first() {
            Some(line) => (line.text.clone(), Some(line.bbox)),
            None => (String::new(), None),
        }
    }
}

/// Maximum number of words of a title that names a table; longer texts are sentences. Chosen by hand.
pub const MAX_TITLE_WORDS: usize = 12;

/// Returns whether a line is the title of a table.
pub fn names_a_table(title: &str) -> bool {
    parts(title).count() <= MAX_TITLE_WORDS && parts(title).any(is_title_word)
}

/// Returns whether a word belongs to the titles of tables.
pub(crate) fn is_title_word(word: &str) -> bool {
    let ends_with = |end: &&str| {
        let mut own = letters(word).rev();
        end.chars().rev().all(|letter| own.next() == Some(letter))
    };
    let ends = || TABLE_TITLE_ENDINGS.words().iter().any(ends_with);
    is_in(word, &TABLE_TITLES) || (word.ends_with(['e', 'E', 'g', 'G', 's', 'S', 't', 'T']) && ends())
}

/// Blocks side by side, each with the whole head again, are one table continued: they come below each other.
fn fold_blocks(headers: &mut Vec<String>, rows: &mut Vec<Vec<String>>) {
    let width = headers.len();
    for blocks in [4, 3, 2] {
        let own = width / blocks;
        if own < 2 || !width.is_multiple_of(blocks) || headers.iter().all(String::is_empty) {
            continue;
        }
        let first = &headers[..own];
        if !headers.chunks(own).all(|block| block == first) {
            continue;
        }
        let folded: Vec<Vec<String>> = (0..blocks)
            .flat_map(|block| rows.iter().map(move |row| row[block * own..(block + 1) * own].to_vec()))
            .filter(|row| row.iter().any(|text| !text.is_empty()))
            .collect();
        headers.truncate(own);
        *rows = folded;
        return;
    }
}

/// Columns without a head and without a text are the space between double lines.
fn drop_blank_columns(headers: &mut Vec<String>, rows: &mut [Vec<String>]) {
    let blank: Vec<bool> = headers
        .iter()
        .enumerate()
        .map(|(column, head)| head.is_empty() && rows.iter().all(|row| row.get(column).is_none_or(String::is_empty)))
        .collect();
    let kept = |column: usize| !blank.get(column).copied().unwrap_or(false);
    let mut column = 0;
    headers.retain(|_| {
        column += 1;
        kept(column - 1)
    });
    for row in rows {
        let mut column = 0;
        row.retain(|_| {
            column += 1;
            kept(column - 1)
        });
    }
}

/// The grid with rows where its text has them and its rules don't: a body in one row of tall cells, whose lines stand at
/// the same heights from column to column.
fn rows_by_lines(grid: &Grid) -> Option<Grid> {
    let row =
        (1..grid.height()).rev().find(|&row| grid.cells.iter().any(|cell| cell.row == row && !cell.is_blank()))?;
    let tall: Vec<usize> = (0..grid.cells.len()).filter(|&index| grid.cells[index].row == row).collect();
    let (first, rest) = tall.split_first().map(|_| {
        let mut by_column = tall.clone();
        by_column.sort_by_key(|&index| grid.cells[index].column);
        (by_column[0], by_column[1..].to_vec())
    })?;
    let middles = |index: usize| -> Vec<f32> {
        let fragments = grid.cells[index].fragments.iter().filter(|fragment| fragment.turns == 0);
        crate::regions::snapped(fragments.map(|fragment| f32::midpoint(fragment.bbox.y1, fragment.bbox.y2)))
    };
    let starts = middles(first);
    let above = grid.cells.iter().filter(|cell| cell.row > 0 && cell.row < row && !cell.is_blank()).count();
    let has_lines = rest.iter().filter(|&&index| grid.cells[index].fragments.len() >= MOST_LINES).count();
    if starts.len() <= MOST_LINES || has_lines == 0 || above > 2 * grid.width() {
        return None;
    }
    // Every line of another column stands beside or between those of the first: each row begins with its mark.
    let beside = rest.iter().flat_map(|&index| middles(index)).filter(|&y| {
        let nearest = crate::regions::nearest(&starts, y);
        starts.get(nearest).is_some_and(|start| (start - y).abs() <= 3.0)
    });
    let lines: usize = rest.iter().map(|&index| middles(index).len()).sum();
    if 10 * beside.count() < 7 * lines {
        return None;
    }
    let mut split = grid.clone();
    let borders: Vec<f32> = starts.windows(2).map(|pair| f32::midpoint(pair[0], pair[1])).collect();
    let parts = borders.len() + 1;
    split.ruling = Ruling::Partly;
    let below = split.rows.split_off(row + 1);
    split.rows.extend(borders.iter().copied().chain(below));
    for cell in &mut split.cells {
        if cell.row > row {
            cell.row += parts - 1;
        }
    }
    let mut added = Vec::new();
    split.cells.retain(|cell| {
        if cell.row != row || cell.rows != 1 {
            return true;
        }
        for part in 0..parts {
            let top = part.checked_sub(1).map_or(cell.bbox.y1, |above| borders[above]);
            let bottom = borders.get(part).copied().unwrap_or(cell.bbox.y2);
            let inside = |y: f32| y >= top && y < bottom;
            added.push(Cell {
                row: row + part,
                rows: 1,
                column: cell.column,
                columns: cell.columns,
                bbox: Rect { y1: top, y2: bottom, ..cell.bbox },
                fragments: cell
                    .fragments
                    .iter()
                    .filter(|fragment| inside(f32::midpoint(fragment.bbox.y1, fragment.bbox.y2)))
                    .cloned()
                    .collect(),
                drawn: 0,
            });
        }
        false
    });
    split.cells.extend(added);
    Some(split)
}
