//! Joins blocks of rows below each other that are one table: its groups of rows stand apart, each below a heading without rules
//! around it.
//!
//! Revit prints schedules in this way when it sorts rows with a header or a blank line for each group.

use std::cell::OnceCell;
use std::collections::HashMap;

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt as _, median};

use crate::headings::are_headers;
use crate::inside;
use crate::regions::{SAME_BORDER, area_of, snapped};
use crate::structure::names_a_table;
use crate::words::Phrase;

/// Least number of columns of such a table. Two columns of equal widths are met by chance.
const MIN_COLUMNS: usize = 3;
/// Most height of the space between two blocks, in heights of the lower block's first row: four headings, as many as Revit sorts
/// by, each with a blank line.
const MAX_GAP: f32 = 8.0;
/// Most height of a space without a heading, in heights of the lower block's first row: one blank line.
const MAX_BLANK_GAP: f32 = 1.5;
/// Most size of a group's heading, in sizes of the table's text. A larger one is the title of another table.
const MAX_HEADING_SIZE: f32 = 1.25;
/// Rows at a table's top that may be its title and headers.
const MAX_TOP_ROWS: usize = 3;

/// Returns the groups of connected cells, with those joined that are blocks of one table. The space between two blocks becomes
/// a cell over all columns, so that what stands in it is the heading of a group of rows.
///
/// `phrases` is the text in the frame of the cells.
pub(crate) fn joined(groups: Vec<Vec<Rect>>, phrases: &[Phrase]) -> Vec<Vec<Rect>> {
    let mut blocks: Vec<Block> = groups.into_iter().filter_map(Block::new).collect();
    blocks.sort_by(|a, b| a.bbox.y1.total_cmp(&b.bbox.y1));
    let mut tables: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut lowest: HashMap<Edges, usize> = HashMap::new();
    for block in blocks {
        let above = block.first_row.edges().near().find_map(|near| lowest.get(&near).copied());
        let edges = block.last_row.edges();
        let above = above.and_then(|index| tables.get_mut(index));
        if let Some(above) = above.filter(|above| above.is_continued_by(&block, phrases)) {
            above.append(block);
        } else {
            lowest.insert(edges, tables.len());
            tables.push(block);
        }
    }
    tables.into_iter().map(|table| table.faces).collect()
}

/// Left and right edge of a row, in steps that are larger than their rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Edges {
    left: i32,
    right: i32,
}

impl Edges {
    /// Returns the edges of all rows that may have the same ones, its own first.
    fn near(self) -> impl Iterator<Item = Self> {
        [0, -1, 1].into_iter().flat_map(move |left| {
            [0, -1, 1]
                .map(|right| Self { left: self.left.saturating_add(left), right: self.right.saturating_add(right) })
        })
    }
}

/// A group of connected cells, or several that are one table.
struct Block {
    faces: Vec<Rect>,
    bbox: Rect,
    /// The upper edges of its first rows, at most one more than [`MAX_TOP_ROWS`].
    tops: Vec<f32>,
    /// The height of its first row.
    first_height: f32,
    first_row: Row,
    last_row: Row,
    /// The median size of the texts in its first cells, in points.
    text_size: OnceCell<f32>,
}

impl Block {
    /// Creates a block of its cells; `None` for no cells.
    fn new(faces: Vec<Rect>) -> Option<Self> {
        let bbox = area_of(&faces)?;
        let is_first = |face: &&Rect| face.y1 <= bbox.y1 + SAME_BORDER;
        let is_last = |face: &&Rect| face.y2 >= bbox.y2 - SAME_BORDER;
        let mut tops = snapped(faces.iter().map(|face| face.y1));
        tops.truncate(MAX_TOP_ROWS + 1);
        let heights = faces.iter().filter(is_first).map(|face| face.y2 - face.y1);
        let first_height = heights.fold(f32::MAX, f32::min);
        let first_row = Row::of_faces(faces.iter().filter(is_first));
        let last_row = Row::of_faces(faces.iter().filter(is_last));
        Some(Self { faces, bbox, tops, first_height, first_row, last_row, text_size: OnceCell::new() })
    }

    /// Returns whether another block is further rows of this table.
    fn is_continued_by(&self, below: &Self, phrases: &[Phrase]) -> bool {
        let space = below.bbox.y1 - self.bbox.y2;
        if below.first_row.columns() < MIN_COLUMNS
            || !self.last_row.has_columns_of(&below.first_row)
            || space <= 0.0
            || space > MAX_GAP * below.first_height
        {
            return false;
        }
        let headings: Vec<&Phrase> = inside(phrases, &self.space_above(below)).collect();
        if headings.is_empty() && space > MAX_BLANK_GAP * below.first_height {
            return false;
        }
        // Headers may be larger than rows, and headings of groups as large as headers.
        let size = self.text_size(phrases).max(below.text_size(phrases));
        let is_heading = |phrase: &&Phrase| phrase.turns == 0 && phrase.size <= MAX_HEADING_SIZE * size;
        headings.iter().all(is_heading)
            && !headings.iter().any(|phrase| names_a_table(&phrase.text()))
            && !below.begins_with_headers(self, phrases)
    }

    /// Returns the space between this block and the one below it.
    fn space_above(&self, below: &Self) -> Rect {
        Rect { x1: self.last_row.left(), y1: self.bbox.y2, x2: self.last_row.right(), y2: below.bbox.y1 }
    }

    /// Returns the median size of the texts in the cells that it began with; 0 for none.
    fn text_size(&self, phrases: &[Phrase]) -> f32 {
        *self
            .text_size
            .get_or_init(|| median(inside(phrases, &self.bbox).map(|phrase| phrase.size).collect()).unwrap_or(0.0))
    }

    /// Returns whether its first row holds headers: most of its texts are such words, or all are those of a row at the top of
    /// the table above.
    fn begins_with_headers(&self, above: &Self, phrases: &[Phrase]) -> bool {
        let own = self.texts_of_row(0, phrases);
        let is_repeated = (0..MAX_TOP_ROWS).any(|row| !own.is_empty() && above.texts_of_row(row, phrases) == own);
        are_headers(&own) || is_repeated
    }

    /// Returns the texts in one of the rows at the top.
    fn texts_of_row(&self, row: usize, phrases: &[Phrase]) -> Vec<String> {
        let Some(&top) = self.tops.get(row) else { return Vec::new() };
        let bottom = self.tops.get(row + 1).copied().unwrap_or(self.bbox.y2);
        let strip = Rect { y1: top, y2: bottom, ..self.bbox };
        inside(phrases, &strip).map(Phrase::text).collect()
    }

    /// Appends the rows of a block, and a cell for the space above it.
    fn append(&mut self, below: Self) {
        self.faces.push(self.space_above(&below));
        self.faces.extend(below.faces);
        self.bbox = self.bbox.union(&below.bbox);
        self.last_row = below.last_row;
    }
}

/// The borders of a row's cells from the left, the edges of the row included.
struct Row(Vec<f32>);

impl Row {
    fn of_faces<'a>(faces: impl Iterator<Item = &'a Rect>) -> Self {
        Self(snapped(faces.flat_map(|face| [face.x1, face.x2])))
    }

    fn left(&self) -> f32 {
        self.0.first().copied().unwrap_or_default()
    }

    fn right(&self) -> f32 {
        self.0.last().copied().unwrap_or_default()
    }

    fn columns(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    fn edges(&self) -> Edges {
        let step = |edge: f32| (edge / (2.0 * SAME_BORDER)).round() as i32;
        Edges { left: step(self.left()), right: step(self.right()) }
    }

    fn has_columns_of(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| (a - b).abs() <= SAME_BORDER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns rows of three cells of 10 points' height, from `top` down.
    fn rows(top: f32, count: usize) -> Vec<Rect> {
        let columns = [0.0, 40.0, 100.0, 200.0];
        let row = |y: f32| {
            columns.windows(2).map(move |pair| Rect { x1: pair[0], y1: y, x2: pair[1], y2: y + 10.0 }).collect()
        };
        let rows: Vec<Vec<Rect>> = (0..count).map(|row_number| row(top + 10.0 * row_number as f32)).collect();
        rows.concat()
    }

    fn phrase(text: &str, x: f32, y: f32, size: f32) -> Phrase {
        Phrase::of_word(text, Rect { x1: x, y1: y - 3.0, x2: x + 20.0, y2: y + 3.0 }, size, 0, y as u32)
    }

    #[test]
    fn blocks_below_headings_of_groups_are_one_table() {
        struct Case {
            what: &'static str,
            space: f32,
            heading: Option<(&'static str, f32)>,
            first_text: &'static str,
            is_one: bool,
        }
        let heading = |text: &'static str| Some((text, 6.0));
        let cases = [
            Case { what: "heading", space: 30.0, heading: heading("LOBBY"), first_text: "2A", is_one: true },
            Case { what: "blank line", space: 12.0, heading: None, first_text: "2A", is_one: true },
            Case { what: "white space", space: 30.0, heading: None, first_text: "2A", is_one: false },
            Case { what: "far", space: 90.0, heading: heading("LOBBY"), first_text: "2A", is_one: false },
            Case { what: "title", space: 30.0, heading: heading("DOOR SCHEDULE"), first_text: "2A", is_one: false },
            Case { what: "large", space: 30.0, heading: Some(("LOBBY", 9.0)), first_text: "2A", is_one: false },
            Case { what: "headers", space: 30.0, heading: heading("LOBBY"), first_text: "WIDTH", is_one: false },
            Case { what: "same headers", space: 30.0, heading: heading("LOBBY"), first_text: "LAIUS", is_one: false },
        ];
        for case in cases {
            let top = 20.0 + case.space;
            let mut phrases = vec![phrase("LAIUS", 5.0, 5.0, 6.0), phrase("1B", 5.0, 15.0, 6.0)];
            phrases.extend(case.heading.map(|(text, size)| phrase(text, 5.0, 20.0 + case.space / 2.0, size)));
            phrases.push(phrase(case.first_text, 5.0, top + 5.0, 6.0));
            let tables = joined(vec![rows(0.0, 2), rows(top, 1)], &phrases);
            assert_eq!(tables.len() == 1, case.is_one, "{}", case.what);
            if case.is_one {
                assert_eq!(tables[0].len(), 10, "nine cells, and one for the space: {}", case.what);
            }
        }
    }

    #[test]
    fn blocks_with_other_columns_stay_apart() {
        let heading = [phrase("LOBBY", 5.0, 30.0, 6.0), phrase("2A", 5.0, 45.0, 6.0)];
        let mut wider = rows(40.0, 1);
        wider[1].x2 = 120.0;
        wider[2].x1 = 120.0;
        assert_eq!(joined(vec![rows(0.0, 2), wider], &heading).len(), 2);
        let moved: Vec<Rect> =
            rows(40.0, 1).iter().map(|face| Rect { x1: face.x1 + 9.0, x2: face.x2 + 9.0, ..*face }).collect();
        assert_eq!(joined(vec![rows(0.0, 2), moved], &heading).len(), 2);
    }
}
