//! Columns and rows by the alignment of the text, where rules are missing.

use std::collections::HashMap;

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, RectExt as _};

use crate::grid::{Grid, Ruling};
use crate::regions::{SAME_BORDER, snapped};
use crate::rules::{Rule, Rules};
use crate::structure::names_a_table;
use crate::words::Phrase;
use crate::{Views, between};

/// A gap between columns is at least so wide, in em.
const COLUMN_GAP: f32 = 0.5;
/// Between two heads a narrower one will do; the second head begins so near to it.
const NEAR: f32 = 0.1;
const NEAR_HEAD: f32 = 3.0;
/// Rows with text in a gap between columns, of a hundred.
const CROSSING: f32 = 0.12;
/// Fewer rows are no table.
const FEWEST_ROWS: usize = 3;
/// Where rules part them, so many rows are enough.
const FEWEST_RULED: usize = 2;
/// A head's first line is no longer than so many times its last one.
const LONGER_LINE: f32 = 2.5;
/// Lines of a head have no more than this between them, in em.
const CLOSE_LINES: f32 = 0.6;
/// Rows of a head at most.
const MOST_HEAD_ROWS: usize = 3;
/// Fewer columns are no table.
const FEWEST_COLUMNS: usize = 3;
/// A line under a head is at least so long, in points.
const HEAD_RULE: f32 = 90.0;
/// Lines of a table follow each other within so many em.
pub(crate) const ROW_GAP: f32 = 3.2;
/// A line this close below another one, in em, without anything in the first column continues it.
const CONTINUED: f32 = 1.45;
/// Rows of a table at most.
const MOST_ROWS: usize = 10_000;

/// The grid of a table whose rows are ruled and whose columns are not: cells over its whole width.
pub(crate) fn with_columns(rows: &Grid, phrases: &[Phrase]) -> Option<Grid> {
    let bbox = rows.bbox;
    let inside: Vec<&Phrase> = between(phrases, bbox.y1, bbox.y2)
        .iter()
        .filter(|phrase| {
            let (x, _) = phrase.bbox.center();
            phrase.turns == 0 && x > bbox.x1 && x < bbox.x2
        })
        .collect();
    let mut by_row: Vec<Vec<&Phrase>> = vec![Vec::new(); rows.height()];
    for phrase in inside {
        let row = rows.rows.partition_point(|&y| y <= phrase.bbox.center().1);
        if let Some(own) = row.checked_sub(1).and_then(|row| by_row.get_mut(row)) {
            own.push(phrase);
        }
    }
    // Heads of groups stand above the columns' own.
    let several = by_row.iter().filter(|row| row.len() >= 2).take(MOST_HEAD_ROWS);
    let head = several.max_by_key(|row| row.len())?;
    let borders = columns(&by_row, head, &bbox)?;
    let mut faces = Vec::new();
    for (row, pair) in by_row.iter().zip(rows.rows.windows(2)) {
        let [y1, y2] = *pair else { continue };
        if row.len() == 1 {
            faces.push(Rect { y1, y2, ..bbox });
        } else {
            faces.extend(borders.windows(2).map(|x| Rect { x1: x[0], y1, x2: x[1], y2 }));
        }
    }
    let mut grid = Grid::of_faces(&faces, rows.frame)?;
    grid.ruling = Ruling::Partly;
    Some(grid)
}

/// Borders of columns: where rows with several phrases leave a gap, and the head among them always. Both edges are among
/// them.
fn columns(rows: &[Vec<&Phrase>], head: &[&Phrase], bbox: &Rect) -> Option<Vec<f32>> {
    let several: Vec<&Vec<&Phrase>> = rows.iter().filter(|row| row.len() >= 2).collect();
    if several.len() < FEWEST_ROWS {
        return None;
    }
    let size = several.iter().flat_map(|row| row.iter()).map(|phrase| phrase.size).fold(f32::MAX, f32::min);
    let few = (CROSSING * several.len() as f32).floor() as i32;
    let mut edges: Vec<(f32, i32)> = Vec::new();
    let body = several.iter().flat_map(|row| row.iter()).map(|phrase| (phrase, 1));
    for (phrase, weight) in body.chain(head.iter().map(|phrase| (phrase, few + 1))) {
        edges.push((phrase.bbox.x1, weight));
        edges.push((phrase.bbox.x2, -weight));
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut borders = vec![bbox.x1];
    let mut open = 0;
    let mut gap_from: Option<f32> = None;
    for (x, step) in edges {
        let before = open;
        open += step;
        if before > few && open <= few {
            gap_from = Some(x);
        } else if before <= few && open > few {
            let last = borders.last().copied().unwrap_or(bbox.x1);
            let parts_heads = |from: f32| {
                head.iter().any(|own| own.bbox.x1 >= last && own.bbox.x2 <= from + NEAR * size)
                    && head.iter().any(|own| (x - NEAR * size..x + NEAR_HEAD * size).contains(&own.bbox.x1))
            };
            if let Some(from) = gap_from
                && (x - from >= COLUMN_GAP * size || (x - from >= NEAR * size && parts_heads(from)))
            {
                borders.push(f32::midpoint(from, x));
            }
            gap_from = None;
        }
    }
    borders.push(bbox.x2);
    keep_heads_over_texts(&mut borders, &several, head);
    (borders.len() > FEWEST_COLUMNS).then_some(borders)
}

/// Takes the borders out that part a head from the texts below it: a head in the middle of its column, short texts at its
/// edge.
fn keep_heads_over_texts(borders: &mut Vec<f32>, rows: &[&Vec<&Phrase>], head: &[&Phrase]) {
    let column = |phrase: &Phrase, borders: &[f32]| borders.partition_point(|&border| border <= phrase.bbox.center().0);
    let mut has = vec![(false, false); borders.len() + 1];
    for phrase in rows.iter().flat_map(|row| row.iter()) {
        let is_head = head.iter().any(|own| std::ptr::eq(*own, *phrase));
        let (heads, texts) = &mut has[column(phrase, borders)];
        *heads |= is_head;
        *texts |= !is_head;
    }
    let mut index = 1;
    while index + 1 < borders.len() {
        let (left, right) = (has[index], has[index + 1]);
        if matches!((left, right), ((true, false), (false, true)) | ((false, true), (true, false))) {
            borders.remove(index);
            has.remove(index);
            has[index] = (true, true);
        } else {
            index += 1;
        }
    }
}

/// Tables with a line under their head and no other rules.
pub(crate) fn under_heads(views: &Views, rules: &Rules, taken: &[Grid]) -> Vec<Grid> {
    let phrases = views.phrases(0);
    let mut grids: Vec<Grid> = Vec::new();
    let mut heads: Vec<&Rule> = rules.horizontal.iter().filter(|rule| rule.to - rule.from >= HEAD_RULE).collect();
    heads.sort_by(|a, b| a.at.total_cmp(&b.at));
    let own_box = |grid: &Grid| views.frames[0].place_box(grid.frame.to_user_space(grid.bbox));
    let mut boxes = Boxes::default();
    for grid in taken {
        boxes.add(own_box(grid), Some(Cells { grid, cover: grid.cover() }));
    }
    for head in heads {
        if !boxes.hold(head, &views.frames[0])
            && let Some(grid) = under_head(head, &rules.horizontal, phrases, views)
        {
            boxes.add(own_box(&grid), None);
            grids.push(grid);
        }
    }
    grids
}

/// Where grids lie, by strips of the page from the top.
#[derive(Default)]
struct Boxes<'a> {
    all: Vec<(Rect, Option<Cells<'a>>)>,
    strips: HashMap<i32, Vec<usize>>,
}

/// A grid whose cells may hold tables: the drawing's own in the sheet's frame does.
struct Cells<'a> {
    grid: &'a Grid,
    cover: Vec<Option<usize>>,
}

/// Height of a strip, in points.
const STRIP: f32 = 32.0;

impl<'a> Boxes<'a> {
    fn add(&mut self, bbox: Rect, cells: Option<Cells<'a>>) {
        let strips = (bbox.y1 - SAME_BORDER) / STRIP..(bbox.y2 + SAME_BORDER) / STRIP;
        for strip in strips.start.floor() as i32..=strips.end.floor() as i32 {
            self.strips.entry(strip).or_default().push(self.all.len());
        }
        self.all.push((bbox, cells));
    }

    /// Whether a rule lies in one of them, and not within one of its cells.
    fn hold(&self, rule: &Rule, frame: &Frame) -> bool {
        let there = self.strips.get(&((rule.at / STRIP).floor() as i32));
        let boxes = there.into_iter().flatten().filter_map(|&index| self.all.get(index));
        boxes.into_iter().any(|(own, cells)| {
            rule.at >= own.y1 - SAME_BORDER
                && rule.at <= own.y2 + SAME_BORDER
                && rule.from <= own.x2
                && rule.to >= own.x1
                && !cells.as_ref().is_some_and(|cells| cells.one_holds(rule, frame))
        })
    }
}

impl Cells<'_> {
    /// Whether a rule lies within one cell, clear of its borders.
    fn one_holds(&self, rule: &Rule, frame: &Frame) -> bool {
        if self.grid.frame != *frame {
            return false;
        }
        let middle = (f32::midpoint(rule.from, rule.to), rule.at);
        let cell = self.grid.cell_at(middle, &self.cover).and_then(|index| self.grid.cells.get(index));
        cell.is_some_and(|cell| {
            let own = cell.bbox;
            rule.from > own.x1 + SAME_BORDER
                && rule.to < own.x2 - SAME_BORDER
                && rule.at > own.y1 + SAME_BORDER
                && rule.at < own.y2 - SAME_BORDER
        })
    }
}

fn under_head(head: &Rule, rules: &[Rule], phrases: &[Phrase], views: &Views) -> Option<Grid> {
    let within = |phrase: &&Phrase| {
        phrase.turns == 0 && phrase.bbox.x1 >= head.from - SAME_BORDER && phrase.bbox.x2 <= head.to + SAME_BORDER
    };
    // The head: what stands right above the line.
    let near = between(phrases, head.at - 60.0, head.at);
    let lowest = near.iter().rev().find(within)?;
    let size = lowest.size;
    if head.at - lowest.bbox.y2 > 1.2 * size {
        return None;
    }
    let above: Vec<&Phrase> =
        near.iter().filter(within).filter(|phrase| phrase.bbox.y1 >= head.at - 4.0 * size).collect();
    let top_line = lines(&above);
    let lowest_line = top_line.last().filter(|line| line.len() >= 2)?;
    let is_head = |line: &&Vec<&Phrase>| match line.as_slice() {
        [only] => begins_a_head(only, lowest_line),
        several => several.len() >= 2,
    };
    let heads = top_line.iter().rev().take_while(is_head).count();
    let head_lines: Vec<&Phrase> = top_line.iter().rev().take(heads).flatten().copied().collect();
    if head_lines.len() < FEWEST_COLUMNS {
        return None;
    }
    // Rules below the head's and as long: rows' borders.
    let mut parting: Vec<f32> = rules
        .iter()
        .filter(|rule| (rule.from - head.from).abs() <= SAME_BORDER && (rule.to - head.to).abs() <= SAME_BORDER)
        .map(|rule| rule.at)
        .filter(|at| *at > head.at + SAME_BORDER)
        .collect();
    parting.sort_by(f32::total_cmp);
    // The rows: lines below, as long as they follow each other.
    let mut below: Vec<Vec<&Phrase>> = Vec::new();
    let mut last = head.at;
    let under: Vec<&Phrase> = between(phrases, head.at, f32::MAX).iter().filter(within).take(20 * MOST_ROWS).collect();
    for line in lines(&under) {
        let top = line.iter().map(|phrase| phrase.bbox.y1).fold(f32::MAX, f32::min);
        let tallest = line.iter().map(|phrase| phrase.size).fold(0.0, f32::max);
        let ruled = parting[parting.partition_point(|&at| at < last)..].iter().take_while(|&&at| at <= top).last();
        let from = ruled.map_or(last, |&at| at);
        let is_title = matches!(line.as_slice(), [only] if names_a_table(&only.text()));
        if top - from > ROW_GAP * size || tallest > 1.6 * size || is_title || below.len() >= MOST_ROWS {
            break;
        }
        // The same head again is the next table's, and so is the title above it.
        if says_the_same(&line, lowest_line) {
            if below.last().is_some_and(|title| title.len() == 1) {
                below.pop();
            }
            break;
        }
        last = last.max(bottom(&line));
        below.push(line);
    }
    last = below.last().map_or(head.at, |line| bottom(line));
    // The last row's own rule.
    let under = parting.get(parting.partition_point(|&at| at < last)).filter(|&&at| at - last <= CONTINUED * size);
    let end = under.copied().unwrap_or(last + 0.2 * size);
    let top = head_lines.iter().map(|phrase| phrase.bbox.y1).fold(f32::MAX, f32::min);
    let bbox = Rect { x1: head.from, y1: top - 0.2 * size, x2: head.to, y2: end };
    let mut rows = below.clone();
    rows.push(head_lines);
    let borders = columns(&rows, lowest_line, &bbox)?;
    // Rows begin where the first column has text; what follows closely without it goes on.
    let first_border = *borders.get(1)?;
    let mut starts: Vec<f32> = Vec::new();
    let mut before = f32::MIN;
    for line in &below {
        let (_, y) = line.iter().map(|phrase| phrase.bbox).reduce(|a, b| a.union(&b))?.center();
        let begins = line.iter().any(|phrase| phrase.bbox.x1 < first_border) || y - before > CONTINUED * size;
        if begins {
            starts.push(y);
        }
        before = y;
    }
    let between_rows: Vec<f32> = parting.iter().copied().filter(|&at| at < last).collect();
    let is_ruled = between_rows.len() + 1 >= FEWEST_RULED;
    if starts.len() < FEWEST_ROWS && !is_ruled {
        return None;
    }
    let half = 0.6 * size;
    let mut heights = vec![bbox.y1, head.at];
    if is_ruled {
        heights.extend(between_rows);
    } else {
        heights.extend(starts.iter().skip(1).map(|y| y - half));
    }
    heights.push(bbox.y2);
    let heights = snapped(heights.into_iter());
    let mut faces = Vec::new();
    for y in heights.windows(2) {
        faces.extend(borders.windows(2).map(|x| Rect { x1: x[0], y1: y[0], x2: x[1], y2: y[1] }));
    }
    let mut grid = Grid::of_faces(&faces, views.frames[0])?;
    grid.ruling = if is_ruled { Ruling::Partly } else { Ruling::Aligned };
    Some(grid)
}

/// The lower edge of a line.
fn bottom(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.bbox.y2).fold(f32::MIN, f32::max)
}

/// Whether two lines hold the same texts.
fn says_the_same(line: &[&Phrase], other: &[&Phrase]) -> bool {
    line.len() == other.len() && line.iter().zip(other).all(|(one, other)| one.text() == other.text())
}

/// Whether a phrase alone on its line is the first line of one of the heads below it, and no title.
fn begins_a_head(only: &Phrase, heads: &[&Phrase]) -> bool {
    heads.iter().any(|head| {
        let left = (only.bbox.x1 - head.bbox.x1).abs() <= 0.2 * head.size;
        let centred = (only.bbox.center().0 - head.bbox.center().0).abs() <= 0.5 * head.size;
        let wide = only.bbox.x2 - only.bbox.x1;
        only.size <= 1.05 * head.size
            && (left || centred)
            && wide <= LONGER_LINE * (head.bbox.x2 - head.bbox.x1)
            && head.bbox.y1 - only.bbox.y2 <= CLOSE_LINES * head.size
    })
}

/// Phrases by the line they stand on, from the top.
pub(crate) fn lines<'a>(phrases: &[&'a Phrase]) -> Vec<Vec<&'a Phrase>> {
    let mut lines: Vec<(f32, Vec<&Phrase>)> = Vec::new();
    for phrase in phrases {
        let (_, y) = phrase.bbox.center();
        match lines.last_mut() {
            Some((at, line)) if (y - *at).abs() <= 0.4 * phrase.size => line.push(phrase),
            _ => lines.push((y, vec![phrase])),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}
