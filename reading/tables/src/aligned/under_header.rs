//! Tables with a rule below their header. Other rules, if any, are between rows.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use super::columns;
use super::occupied::Occupied;
use crate::grid::{Grid, Ruling};
use crate::regions::{SAME_BORDER, row_of_cells, snapped};
use crate::rules::{Rule, Rules};
use crate::structure::names_a_table;
use crate::words::{Phrase, by_line};
use crate::{Views, between};

/// Minimum length of a rule below a header, in points.
const MIN_HEADER_RULE: f32 = 90.0;
/// Maximum distance of a header's lowest line from its rule, in em.
const MAX_RULE_DISTANCE: f32 = 1.2;
/// Height above the rule in which header lines are searched, in em.
const HEADER_HEIGHT: f32 = 4.0;
/// The same height in points, whatever their size.
const MAX_HEADER_HEIGHT: f32 = 60.0;
/// Minimum number of texts in a header.
const MIN_HEADERS: usize = 3;
/// The first line of a header is at most this many times as long as its last one.
const MAX_FIRST_LINE: f32 = 2.5;
/// Maximum gap between two lines of a header, in em.
const MAX_HEADER_LEADING: f32 = 0.6;
/// Maximum offset of the left edge of a header's first line from that of its last one, in em.
const MAX_LEFT_OFFSET: f32 = 0.2;
/// Maximum offset of the center of a header's first line from that of its last one, in em.
const MAX_CENTER_OFFSET: f32 = 0.5;
/// Maximum size of the first line of a header, as a share of the last one's.
const MAX_FIRST_LINE_SIZE: f32 = 1.05;
/// Maximum distance of two lines of a table, in em.
const MAX_ROW_GAP: f32 = 3.2;
/// The same in mean distances of the table's lines, with one blank row between and a little more.
const MAX_PITCHES: f32 = 2.25;
/// Maximum size of a group's heading below a blank row, as a share of the header's.
const MAX_GROUP_SIZE: f32 = 1.1;
/// Maximum size of text of a table, as a share of the header's: larger text is the title of something else.
const MAX_BODY_SIZE: f32 = 1.6;
/// Maximum distance of a line from the line above it whose row it continues, if its first column is empty, in em.
const MAX_LEADING: f32 = 1.45;
/// White space around text, in em.
const MARGIN: f32 = 0.2;
/// Distance of a row's upper border from the middle of its first line, in em.
const HALF_ROW: f32 = 0.6;
/// Minimum number of rows of a table.
const MIN_ROWS: usize = 3;
/// Minimum number of rows of a table whose rows are separated by rules.
const MIN_RULED_ROWS: usize = 2;
/// Maximum number of lines of one table. Bounds the work.
const MAX_LINES: usize = 10_000;
/// Maximum number of phrases of one table. Bounds the work.
const MAX_PHRASES: usize = 200_000;

/// Returns the tables of a page that have a rule below their header, in all reading directions, except where `known` grids are.
pub(crate) fn under_headers(views: &Views, rules: &Rules, known: &[Grid]) -> Vec<Grid> {
    under(views, known, |turns| row_rules_in(views, rules, turns))
}

/// Returns the tables of a page whose header or rows are shaded, as [`under_headers`] does: the edges of shades are rules, too.
pub(crate) fn under_shades(views: &Views, rules: &Rules, known: &[Grid]) -> Vec<Grid> {
    if rules.shade_edges.is_empty() {
        return Vec::new();
    }
    under(views, known, |turns| {
        let mut lines = row_rules_in(views, rules, turns);
        if turns == 0 {
            lines.extend(&rules.shade_edges);
        }
        lines
    })
}

/// Returns the tables in all reading directions that have one of the horizontal lines that `lines_in` a direction returns below
/// their header, except where `known` grids are.
fn under(views: &Views, known: &[Grid], lines_in: impl Fn(usize) -> Vec<Rule>) -> Vec<Grid> {
    let mut grids: Vec<Grid> = Vec::new();
    for turns in views.directions() {
        let mut lines = lines_in(turns);
        lines.sort_by(|a, b| a.at.total_cmp(&b.at));
        let mut occupied = Occupied::new(views.frames[turns]);
        for grid in known {
            occupied.add_ruled(grid);
        }
        for grid in &grids {
            occupied.add_aligned(grid);
        }
        for rule in lines.iter().filter(|rule| rule.to - rule.from >= MIN_HEADER_RULE) {
            if !occupied.holds(rule)
                && let Some(grid) = under_header(rule, &lines, views, turns, MIN_ROWS)
            {
                occupied.add_aligned(&grid);
                grids.push(grid);
            }
        }
    }
    grids
}

/// Returns the rules that may separate rows in a reading direction.
fn row_rules_in(views: &Views, rules: &Rules, turns: usize) -> Vec<Rule> {
    let boxes: Vec<Rect> = if turns.is_multiple_of(2) {
        rules.horizontal.iter().map(Rule::as_row).collect()
    } else {
        rules.vertical.iter().map(Rule::as_column).collect()
    };
    let turned = boxes.iter().map(|line| views.turned_box(*line, turns));
    turned.map(|line| Rule::along_row(&line)).collect()
}

/// Returns the table whose header is above `rule`. `rules` are all that may separate its rows; without any between them, it has at
/// least `min_rows` rows.
pub(super) fn under_header(rule: &Rule, rules: &[Rule], views: &Views, turns: usize, min_rows: usize) -> Option<Grid> {
    let phrases = views.phrases(turns);
    let header = Header::above(rule, phrases)?;
    let row_rules = row_rules(rule, rules);
    let body = Body::below(&header, phrases, &row_rules);
    let (y1, y2) = (top(&header.phrases) - MARGIN * header.size, body.end(&header, &row_rules));
    let bbox = Rect { x1: rule.from, y1, x2: rule.to, y2 };
    let mut rows = body.lines.clone();
    rows.push(header.phrases.clone());
    let borders = columns::borders(&rows, &header.lowest_line, &bbox)?;
    let between_rows: Vec<f32> = row_rules.iter().copied().filter(|&at| at < body.bottom).collect();
    let is_ruled = between_rows.len() + 1 >= MIN_RULED_ROWS;
    let starts = body.row_starts(*borders.get(1)?, header.size)?;
    if starts.len() < min_rows && !is_ruled {
        return None;
    }
    let mut heights = vec![bbox.y1, rule.at];
    if is_ruled {
        heights.extend(between_rows);
    } else {
        heights.extend(starts.iter().skip(1).map(|y| y - HALF_ROW * header.size));
    }
    heights.push(bbox.y2);
    let heights = snapped(heights.into_iter());
    let faces: Vec<Rect> = heights.array_windows().flat_map(|&[y1, y2]| row_of_cells(&borders, y1, y2)).collect();
    let mut grid = Grid::of_faces(&faces, views.frames[turns])?;
    grid.ruling = if is_ruled { Ruling::Partly } else { Ruling::Aligned };
    Some(grid)
}

/// Returns the heights of the rules below a header's rule that are as long as it, from the top: borders of rows.
fn row_rules(header: &Rule, rules: &[Rule]) -> Vec<f32> {
    let is_as_long =
        |rule: &Rule| (rule.from - header.from).abs() <= SAME_BORDER && (rule.to - header.to).abs() <= SAME_BORDER;
    let mut heights: Vec<f32> =
        rules.iter().filter(|rule| is_as_long(rule) && rule.at > header.at + SAME_BORDER).map(|rule| rule.at).collect();
    heights.sort_by(f32::total_cmp);
    heights
}

/// Returns whether an upright phrase is above or below a rule, within its ends.
fn is_within(phrase: &Phrase, rule: &Rule) -> bool {
    phrase.turns == 0 && phrase.bbox.x1 >= rule.from - SAME_BORDER && phrase.bbox.x2 <= rule.to + SAME_BORDER
}

/// The header above a rule.
struct Header<'a> {
    rule: Rule,
    phrases: Vec<&'a Phrase>,
    /// The line just above the rule, which has a text for each column.
    lowest_line: Vec<&'a Phrase>,
    /// The size of the lowest text: one em, in points.
    size: f32,
}

impl<'a> Header<'a> {
    /// Reads the header above a rule: lines of several texts, and the first lines of texts in the line below.
    fn above(rule: &Rule, phrases: &'a [Phrase]) -> Option<Self> {
        let near: Vec<&Phrase> = between(phrases, rule.at - MAX_HEADER_HEIGHT, rule.at)
            .iter()
            .filter(|phrase| is_within(phrase, rule))
            .collect();
        let lowest = near.last()?;
        let size = lowest.size;
        if rule.at - lowest.bbox.y2 > MAX_RULE_DISTANCE * size {
            return None;
        }
        let above: Vec<&Phrase> =
            near.iter().copied().filter(|phrase| phrase.bbox.y1 >= rule.at - HEADER_HEIGHT * size).collect();
        let lines = by_line(&above);
        let lowest_line = lines.last().filter(|line| line.len() >= 2)?;
        let own = lines.iter().rev().take_while(|line| is_header_line(line, lowest_line));
        let phrases: Vec<&Phrase> = own.flatten().copied().collect();
        let lowest_line = lowest_line.clone();
        (phrases.len() >= MIN_HEADERS).then_some(Self { rule: *rule, phrases, lowest_line, size })
    }
}

/// Returns whether a line is one of a header with this lowest line.
fn is_header_line(line: &[&Phrase], lowest_line: &[&Phrase]) -> bool {
    match line {
        [only] => is_first_line(only, lowest_line),
        several => several.len() >= 2,
    }
}

/// Returns whether a phrase that is alone on its line is the first line of one of the headers below it, and no title.
fn is_first_line(only: &Phrase, headers: &[&Phrase]) -> bool {
    headers.iter().any(|header| {
        let size = header.size;
        let is_left = (only.bbox.x1 - header.bbox.x1).abs() <= MAX_LEFT_OFFSET * size;
        let is_centred = (only.bbox.center().0 - header.bbox.center().0).abs() <= MAX_CENTER_OFFSET * size;
        only.size <= MAX_FIRST_LINE_SIZE * size
            && (is_left || is_centred)
            && only.bbox.x2 - only.bbox.x1 <= MAX_FIRST_LINE * (header.bbox.x2 - header.bbox.x1)
            && header.bbox.y1 - only.bbox.y2 <= MAX_HEADER_LEADING * size
    })
}

/// The lines below a header.
struct Body<'a> {
    lines: Vec<Vec<&'a Phrase>>,
    /// The lower edge of the last line, or the header's rule if there are no lines.
    bottom: f32,
}

impl<'a> Body<'a> {
    /// Reads the lines below a header as long as they follow each other, or a rule between rows.
    fn below(header: &Header<'_>, phrases: &'a [Phrase], row_rules: &[f32]) -> Self {
        let under: Vec<&Phrase> = between(phrases, header.rule.at, f32::MAX)
            .iter()
            .filter(|phrase| is_within(phrase, &header.rule))
            .take(MAX_PHRASES)
            .collect();
        let mut lines: Vec<Vec<&Phrase>> = Vec::new();
        let mut last = header.rule.at;
        for line in by_line(&under) {
            let from = lowest_between(row_rules, last, top(&line)).unwrap_or(last);
            let is_unruled = row_rules.first().is_none_or(|&first| first > top(&line));
            let is_row = is_unruled && follows_a_blank_row(&line, &lines, header.size);
            let is_far = top(&line) - from > MAX_ROW_GAP * header.size && !is_row;
            if is_far || is_heading(&line, header.size) || lines.len() >= MAX_LINES {
                break;
            }
            if has_same_texts(&line, &header.lowest_line) {
                // The header of the next table, perhaps below its title.
                if lines.last().is_some_and(|title| title.len() == 1) {
                    lines.pop();
                }
                break;
            }
            last = last.max(bottom(&line));
            lines.push(line);
        }
        let bottom = lines.last().map_or(header.rule.at, |line| bottom(line));
        Self { lines, bottom }
    }

    /// Returns where the table ends: at the rule below its last row, or below its text.
    fn end(&self, header: &Header<'_>, row_rules: &[f32]) -> f32 {
        let next = row_rules.get(row_rules.partition_point(|&at| at < self.bottom)).copied();
        let own = next.filter(|at| at - self.bottom <= MAX_LEADING * header.size);
        own.unwrap_or(self.bottom + MARGIN * header.size)
    }

    /// Returns the middles of the lines with which rows begin: they have text in the first column, or are far below the
    /// line before. `first_border` is the right border of the first column.
    fn row_starts(&self, first_border: f32, size: f32) -> Option<Vec<f32>> {
        let mut starts: Vec<f32> = Vec::new();
        let mut before = f32::MIN;
        for line in &self.lines {
            let (_, y) = line.iter().map(|phrase| phrase.bbox).reduce(|a, b| a.union(&b))?.center();
            if line.iter().any(|phrase| phrase.bbox.x1 < first_border) || y - before > MAX_LEADING * size {
                starts.push(y);
            }
            before = y;
        }
        Some(starts)
    }
}

/// Returns the lowest of some heights, which are sorted from the top, from `top` to `bottom`.
fn lowest_between(heights: &[f32], top: f32, bottom: f32) -> Option<f32> {
    let first = heights.partition_point(|&at| at < top);
    heights[first..].iter().take_while(|&&at| at <= bottom).last().copied()
}

/// Returns whether a line is a title or larger than text of a table whose header has this size.
fn is_heading(line: &[&Phrase], size: f32) -> bool {
    let largest = line.iter().map(|phrase| phrase.size).fold(0.0, f32::max);
    largest > MAX_BODY_SIZE * size || matches!(line, [only] if names_a_table(&only.text()))
}

/// Returns whether a line is below the last of some lines with at most one blank row between, by their mean distance. A single text
/// that is larger than the header's, which has this size, is the title of what comes next.
fn follows_a_blank_row(line: &[&Phrase], lines: &[Vec<&Phrase>], size: f32) -> bool {
    let [first, .., last] = lines else { return false };
    let pitch = (top(last) - top(first)) / (lines.len() - 1) as f32;
    let is_title = matches!(line, [only] if only.size > MAX_GROUP_SIZE * size);
    !is_title && top(line) - top(last) <= MAX_PITCHES * pitch
}

/// Returns the upper edge of a line, or of several.
fn top(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.bbox.y1).fold(f32::MAX, f32::min)
}

/// Returns the lower edge of a line.
fn bottom(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.bbox.y2).fold(f32::MIN, f32::max)
}

/// Returns whether two lines have the same texts.
fn has_same_texts(line: &[&Phrase], other: &[&Phrase]) -> bool {
    line.len() == other.len() && line.iter().zip(other).all(|(one, other)| one.text() == other.text())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aligned::fixture::line;

    const RULE: Rule = Rule { at: 20.0, from: 0.0, to: 300.0 };

    /// A header above [`RULE`] and some lines below it.
    fn page(lines: &[Vec<Phrase>]) -> Vec<Phrase> {
        let mut phrases = line(8.0, &[(0.0, "NO."), (100.0, "WIDTH"), (200.0, "HEIGHT")]);
        phrases.extend(lines.iter().flatten().cloned());
        phrases
    }

    fn row(y: f32) -> Vec<Phrase> {
        line(y, &[(0.0, "A1"), (100.0, "900"), (200.0, "2100")])
    }

    /// The number of lines below the header of a page.
    fn body_lines(phrases: &[Phrase], row_rules: &[f32]) -> usize {
        let header = Header::above(&RULE, phrases).expect("a header");
        Body::below(&header, phrases, row_rules).lines.len()
    }

    #[test]
    fn header_is_just_above_its_rule() {
        assert_eq!(Header::above(&RULE, &page(&[])).map(|header| header.phrases.len()), Some(3));
        assert!(Header::above(&Rule { at: 40.0, ..RULE }, &page(&[])).is_none());
    }

    #[test]
    fn single_text_belongs_to_the_header_only_above_one_of_its_texts() {
        let lowest = line(20.0, &[(0.0, "NO."), (100.0, "WIDTH"), (200.0, "HEIGHT")]);
        let lowest: Vec<&Phrase> = lowest.iter().collect();
        for (x, expected) in [(100.0, true), (120.0, false)] {
            assert_eq!(is_first_line(&line(8.0, &[(x, "CLEAR")])[0], &lowest), expected, "{x}");
        }
    }

    #[test]
    fn body_ends_where_lines_are_too_far_apart() {
        let phrases = page(&[row(25.0), row(40.0), row(90.0)]);
        assert_eq!(body_lines(&phrases, &[]), 2);
        assert_eq!(body_lines(&phrases, &[80.0]), 3, "a rule between rows bridges the gap");
    }

    #[test]
    fn body_goes_on_below_one_blank_row() {
        assert_eq!(body_lines(&page(&[row(25.0), row(50.0), row(75.0), row(125.0)]), &[]), 4);
        assert_eq!(body_lines(&page(&[row(25.0), row(50.0), row(75.0), row(150.0)]), &[]), 3, "two blank rows");
    }

    #[test]
    fn body_ends_before_the_next_tables_title() {
        let next = line(40.0, &[(0.0, "WINDOW SCHEDULE")]);
        assert_eq!(body_lines(&page(&[row(25.0), next, row(55.0)]), &[]), 1);
    }

    #[test]
    fn repeated_header_and_the_text_above_it_begin_the_next_table() {
        let again = line(55.0, &[(0.0, "NO."), (100.0, "WIDTH"), (200.0, "HEIGHT")]);
        let phrases = page(&[row(25.0), line(40.0, &[(0.0, "NORTH")]), again, row(70.0)]);
        assert_eq!(body_lines(&phrases, &[]), 1);
    }

    #[test]
    fn line_without_first_text_continues_the_row() {
        let phrases = page(&[row(25.0), line(36.0, &[(200.0, "CLEAR")]), row(50.0)]);
        let header = Header::above(&RULE, &phrases).expect("a header");
        let body = Body::below(&header, &phrases, &[]);
        assert_eq!(body.row_starts(50.0, header.size), Some(vec![30.0, 55.0]));
    }

    #[test]
    fn only_rules_as_long_as_the_headers_separate_rows() {
        let rules = [Rule { at: 60.0, ..RULE }, Rule { at: 40.0, to: 150.0, ..RULE }, RULE];
        assert_eq!(row_rules(&RULE, &rules), [60.0]);
    }
}
