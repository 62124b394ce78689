//! The columns of a table without rules: the gaps that header and rows have in common.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::gaps::{Coverage, Gap};
use crate::regions::row_of_cells;
use crate::unruled::body::{Body, TextLine};
use crate::unruled::header::Header;
use crate::unruled::rows::Rows;
use crate::words::Phrase;

/// Minimum width of a gap between columns, in em.
const MIN_GAP: f32 = 0.5;
/// Maximum share of rows with text in a gap between columns: a long text extends into the next column.
const MAX_CROSSING: f32 = 0.12;
/// A gap of this width beside a column without a header is one between words, in em: `3'-0"  x  7'-0"`.
const MAX_WORD_GAP: f32 = 2.0;
/// Minimum share of columns with a header.
const MIN_HEADED: f32 = 0.7;
/// Maximum share of lines that are one text over several columns: more are prose.
const MAX_PROSE: f32 = 0.4;
/// Maximum distance of the middle of a group's header from that of the headers below it, in em.
const MAX_OFF_CENTER: f32 = 1.5;
/// Columns below a group's header are equally well centred if their distances differ by less, in em.
const SAME_CENTER: f32 = 0.3;
/// White space around a table's texts, in em.
const MARGIN: f32 = 0.3;

/// The columns of a table.
pub(super) struct Columns<'a> {
    /// The white space between neighbors, one less than there are columns.
    gaps: Vec<Gap>,
    /// The headers of several columns.
    groups: Vec<Group<'a>>,
}

/// A header over the columns from `first` to `last`.
struct Group<'a> {
    phrase: &'a Phrase,
    first: usize,
    last: usize,
}

impl<'a> Columns<'a> {
    /// Returns the columns of a header and the body below it. `None` if most lines cross every gap, or if too few columns have a
    /// header.
    pub(super) fn detect(header: &Header<'a>, body: &Body<'_>) -> Option<Self> {
        let parts = HeaderParts::of_lines(&header.lines);
        let mut columns = Self { gaps: gaps(&parts.columns, body, MIN_GAP * header.size), groups: Vec::new() };
        columns.join_without_header(&parts.columns, MAX_WORD_GAP * header.size);
        let headed = (0..columns.count()).filter(|&own| columns.has_header(own, &parts.columns)).count();
        if (headed as f32) < MIN_HEADED * columns.count() as f32 {
            return None;
        }
        let prose = body.lines.iter().filter(|line| columns.is_crossed_by_only_text(line)).count();
        if prose as f32 > MAX_PROSE * body.lines.len() as f32 {
            return None;
        }
        columns.add_groups(&parts, header.size);
        Some(columns)
    }

    pub(super) fn count(&self) -> usize {
        self.gaps.len() + 1
    }

    /// Returns the column that holds a place.
    pub(super) fn at(&self, x: f32) -> usize {
        self.gaps.partition_point(|gap| gap.middle() <= x)
    }

    /// Returns whether a column holds the middle of a phrase.
    fn has(&self, column: usize, phrase: &Phrase) -> bool {
        self.at(phrase.bbox.center().0) == column
    }

    fn has_header(&self, column: usize, headers: &[&Phrase]) -> bool {
        headers.iter().any(|header| self.has(column, header))
    }

    /// Returns whether a phrase fills a gap and extends over both sides of it.
    pub(super) fn crosses(&self, phrase: &Phrase) -> bool {
        let stretches = stretches(phrase);
        stretches.iter().any(|text| self.gaps.iter().any(|gap| text.from < gap.from && text.to > gap.to))
    }

    /// Returns whether a line is one text over several columns: a note, or the heading of a group of rows.
    pub(super) fn is_crossed_by_only_text(&self, line: &TextLine<'_>) -> bool {
        matches!(line.phrases.as_slice(), [only] if self.crosses(only))
    }

    /// Removes gaps that are narrower than `max_width` beside columns without a header.
    fn join_without_header(&mut self, headers: &[&Phrase], max_width: f32) {
        let mut index = 0;
        while let Some(gap) = self.gaps.get(index) {
            let is_narrow = gap.width() < max_width;
            if is_narrow && (!self.has_header(index, headers) || !self.has_header(index + 1, headers)) {
                self.gaps.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Finds the columns that each group's header is centred over. `size` is one em, in points.
    fn add_groups(&mut self, parts: &HeaderParts<'a>, size: f32) {
        let centers: Vec<Option<f32>> = (0..self.count()).map(|column| self.center(column, &parts.columns)).collect();
        for phrase in &parts.groups {
            let space = GroupSpace::around(phrase, &parts.groups, size);
            let Some(columns) = space.best_columns(&centers, size) else { continue };
            let is_free = |own: &Group<'_>| own.first > columns.last || own.last < columns.first;
            if self.groups.iter().all(is_free) {
                self.groups.push(Group { phrase, first: columns.first, last: columns.last });
            }
        }
    }

    /// Returns the middle of a column's own headers.
    fn center(&self, column: usize, headers: &[&Phrase]) -> Option<f32> {
        let own = headers.iter().filter(|header| self.has(column, header));
        let spans = own.map(|header| (header.bbox.x1, header.bbox.x2));
        let (from, to) = spans.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some(f32::midpoint(from, to))
    }

    /// Returns the cells of a table.
    pub(super) fn faces(&self, header: &Header<'_>, body: &Body<'_>, rows: &Rows<'_>) -> Vec<Rect> {
        let borders = self.borders(header, body);
        let mut faces = self.header_faces(header, &borders, rows.top);
        let (left, right) = (borders[0], borders[borders.len() - 1]);
        for row in rows.all() {
            // The heading of a group of rows gets a cell of its own.
            match row.lines {
                [only] if self.is_crossed_by_only_text(only) => {
                    faces.push(Rect { x1: left, y1: row.top, x2: right, y2: row.bottom });
                }
                _ => faces.extend(row_of_cells(&borders, row.top, row.bottom)),
            }
        }
        faces
    }

    /// Returns the borders of the columns, both edges of the table included.
    fn borders(&self, header: &Header<'_>, body: &Body<'_>) -> Vec<f32> {
        let all = || header.lines.iter().chain(body.lines.iter().map(|line| &line.phrases)).flatten();
        let left = all().map(|phrase| phrase.bbox.x1).fold(f32::MAX, f32::min) - MARGIN * header.size;
        let right = all().map(|phrase| phrase.bbox.x2).fold(f32::MIN, f32::max) + MARGIN * header.size;
        std::iter::once(left).chain(self.gaps.iter().copied().map(Gap::middle)).chain([right]).collect()
    }

    /// Returns the cells of the header, down to `bottom`. A group has a cell above those of its columns.
    fn header_faces(&self, header: &Header<'_>, borders: &[f32], bottom: f32) -> Vec<Rect> {
        let top = header.top - MARGIN * header.size;
        let lowest = self.groups.iter().map(|group| group.phrase.bbox.y2).fold(top, f32::max);
        let tops = header.lines.iter().flatten().map(|phrase| phrase.bbox.y1);
        let below = tops.filter(|y| *y > lowest - 0.5 * header.size).fold(bottom, f32::min);
        let split = f32::midpoint(lowest, below.max(lowest));
        let mut faces = Vec::new();
        for (column, face) in row_of_cells(borders, top, bottom).enumerate() {
            let Some(group) = self.groups.iter().find(|group| (group.first..=group.last).contains(&column)) else {
                faces.push(face);
                continue;
            };
            if group.first == column {
                let right = borders.get(group.last + 1).or(borders.last()).copied().unwrap_or(face.x2);
                faces.push(Rect { x1: face.x1, y1: top, x2: right, y2: split });
            }
            faces.push(Rect { y1: split, ..face });
        }
        faces
    }
}

/// The place of a group's header.
struct GroupSpace {
    /// The middle of the header.
    center: f32,
    /// The nearest edges of other group headers at its height.
    left: f32,
    right: f32,
}

/// Neighboring columns, and the distance of their middle from that of a group's header.
#[derive(Clone, Copy)]
struct CenteredColumns {
    first: usize,
    last: usize,
    distance: f32,
}

impl GroupSpace {
    /// Returns the space around a group's header. `size` is one em, in points.
    fn around(phrase: &Phrase, groups: &[&Phrase], size: f32) -> Self {
        let (center, y) = phrase.bbox.center();
        let beside = || groups.iter().filter(|other| (other.bbox.center().1 - y).abs() < size);
        Self {
            center,
            left: beside().map(|other| other.bbox.x2).filter(|&x| x < center).fold(f32::MIN, f32::max),
            right: beside().map(|other| other.bbox.x1).filter(|&x| x > center).fold(f32::MAX, f32::min),
        }
    }

    /// Returns the columns that the header is centred over best; of equally good ones the most columns. `centers` are the
    /// middles of the columns' own headers.
    fn best_columns(&self, centers: &[Option<f32>], size: f32) -> Option<CenteredColumns> {
        let mut best: Option<CenteredColumns> = None;
        for first in 0..centers.len() {
            for last in first + 1..centers.len() {
                let Some(columns) = self.columns(centers, first, last) else { continue };
                let is_better = best.is_none_or(|best| {
                    let has_more = last - first > best.last - best.first;
                    columns.distance < best.distance - SAME_CENTER * size
                        || (columns.distance < best.distance + SAME_CENTER * size && has_more)
                });
                if columns.distance <= MAX_OFF_CENTER * size && is_better {
                    best = Some(columns);
                }
            }
        }
        best
    }

    /// Returns the columns from `first` to `last` if they all have a header and are on both sides of the group's header, without
    /// another group's header between them.
    fn columns(&self, centers: &[Option<f32>], first: usize, last: usize) -> Option<CenteredColumns> {
        let own = centers.get(first..=last)?;
        let (from, to) = ((*own.first()?)?, (*own.last()?)?);
        let is_free = from > self.left && to < self.right && from < self.center && to > self.center;
        let distance = (f32::midpoint(from, to) - self.center).abs();
        (is_free && own.iter().all(Option::is_some)).then_some(CenteredColumns { first, last, distance })
    }
}

/// The phrases of a header.
struct HeaderParts<'a> {
    /// Those that may be headers of several columns.
    groups: Vec<&'a Phrase>,
    /// Those that are headers of one column.
    columns: Vec<&'a Phrase>,
}

impl<'a> HeaderParts<'a> {
    fn of_lines(lines: &[Vec<&'a Phrase>]) -> Self {
        let mut parts = Self { groups: Vec::new(), columns: Vec::new() };
        for (number, line) in lines.iter().enumerate() {
            let below: Vec<&Phrase> = lines.iter().skip(number + 1).flatten().copied().collect();
            for &phrase in line {
                if is_above_several(phrase, &below) { parts.groups.push(phrase) } else { parts.columns.push(phrase) }
            }
        }
        parts
    }
}

/// Returns whether a phrase is above several of the phrases below, or between them and above none.
fn is_above_several(phrase: &Phrase, below: &[&Phrase]) -> bool {
    let (x, _) = phrase.bbox.center();
    let is_above_one = below.iter().any(|other| x >= other.bbox.x1 && x <= other.bbox.x2);
    let has_left = below.iter().any(|other| other.bbox.center().0 < x);
    let has_right = below.iter().any(|other| other.bbox.center().0 > x);
    let covered = below.iter().filter(|other| other.bbox.x1 < phrase.bbox.x2 && other.bbox.x2 > phrase.bbox.x1);
    covered.count() >= 2 || (!is_above_one && has_left && has_right)
}

/// A part of a phrase.
struct Stretch {
    from: f32,
    to: f32,
}

/// Returns the parts of a phrase between gaps that are wide enough for columns.
fn stretches(phrase: &Phrase) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for word in &phrase.words {
        match stretches.last_mut() {
            Some(stretch) if word.bbox.x1 - stretch.to < MIN_GAP * phrase.size => stretch.to = word.bbox.x2,
            _ => stretches.push(Stretch { from: word.bbox.x1, to: word.bbox.x2 }),
        }
    }
    stretches
}

/// Returns the gaps of at least `min_width` points that hardly any row and no header crosses.
fn gaps(headers: &[&Phrase], body: &Body<'_>, min_width: f32) -> Vec<Gap> {
    let rows: Vec<&TextLine<'_>> = body.lines.iter().filter(|line| line.phrases.len() >= 2).collect();
    let max_crossing = (MAX_CROSSING * rows.len() as f32).floor() as i32;
    let mut coverage = Coverage::default();
    for text in rows.iter().flat_map(|line| &line.phrases).flat_map(|phrase| stretches(phrase)) {
        coverage.add(text.from, text.to, 1);
    }
    // A column has a header even if hardly a row has text in it.
    for text in headers.iter().flat_map(|phrase| stretches(phrase)) {
        coverage.add(text.from, text.to, max_crossing + 1);
    }
    coverage.gaps(max_crossing).into_iter().filter(|gap| gap.width() >= min_width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrase(text: &str, x1: f32, x2: f32, y: f32) -> Phrase {
        Phrase::of_word(text, Rect { x1, y1: y, x2, y2: y + 10.0 }, 10.0, 0, y as u32)
    }

    #[test]
    fn header_over_several_headers_is_a_groups() {
        let below = [phrase("TYPE", 0.0, 20.0, 12.0), phrase("FINISH", 40.0, 70.0, 12.0)];
        let below: Vec<&Phrase> = below.iter().collect();
        let cases =
            [("over both", 10.0, 50.0, true), ("between them", 24.0, 34.0, true), ("over one", 42.0, 62.0, false)];
        for (what, x1, x2, expected) in cases {
            assert_eq!(is_above_several(&phrase("FRAME", x1, x2, 0.0), &below), expected, "{what}");
        }
    }

    #[test]
    fn group_has_the_columns_that_it_is_centred_over() {
        let group = phrase("FRAME", 140.0, 160.0, 0.0);
        let space = GroupSpace::around(&group, &[&group], 10.0);
        let centers = [Some(0.0), Some(100.0), Some(200.0), Some(290.0)];
        let found = space.best_columns(&centers, 10.0).map(|columns| (columns.first, columns.last));
        assert_eq!(found, Some((1, 2)));
        assert!(space.best_columns(&[Some(0.0), Some(100.0)], 10.0).is_none(), "all columns to its left");
    }

    #[test]
    fn group_ends_before_the_next_group() {
        let (first, second) = (phrase("DOOR", 90.0, 110.0, 0.0), phrase("FRAME", 120.0, 180.0, 0.0));
        let space = GroupSpace::around(&first, &[&first, &second], 10.0);
        assert!(space.best_columns(&[Some(50.0), Some(150.0)], 10.0).is_none());
    }
}
