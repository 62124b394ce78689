//! Columns and rows from how text stands, where rules are missing.

use std::collections::HashMap;

use fanlight_vocabulary::Rect;

use crate::grid::{Grid, Ruling, joined};
use crate::regions::{SAME_BORDER, snapped};
use crate::rules::{Rule, Rules};
use crate::words::{Phrase, middle};
use crate::{Views, between};

/// A gap between columns is at least so wide, in em.
const COLUMN_GAP: f32 = 0.5;
/// Rows with text in a gap between columns, of a hundred.
const CROSSING: f32 = 0.12;
/// Fewer rows are no table.
const FEWEST_ROWS: usize = 3;
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
            let (x, _) = middle(&phrase.bbox);
            phrase.turns == 0 && x > bbox.x1 && x < bbox.x2
        })
        .collect();
    let mut by_row: Vec<Vec<&Phrase>> = vec![Vec::new(); rows.height()];
    for phrase in inside {
        let row = rows.rows.partition_point(|&y| y <= middle(&phrase.bbox).1);
        if let Some(own) = row.checked_sub(1).and_then(|row| by_row.get_mut(row)) {
            own.push(phrase);
        }
    }
    let borders = columns(&by_row, &bbox)?;
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

/// Borders of columns: where rows with several phrases all leave a gap. Both edges are among them.
fn columns(rows: &[Vec<&Phrase>], bbox: &Rect) -> Option<Vec<f32>> {
    let several: Vec<&Vec<&Phrase>> = rows.iter().filter(|row| row.len() >= 2).collect();
    if several.len() < FEWEST_ROWS {
        return None;
    }
    let size = several.iter().flat_map(|row| row.iter()).map(|phrase| phrase.size).fold(f32::MAX, f32::min);
    let mut edges: Vec<(f32, i32)> = Vec::new();
    for phrase in several.iter().flat_map(|row| row.iter()) {
        edges.push((phrase.bbox.x1, 1));
        edges.push((phrase.bbox.x2, -1));
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let few = (CROSSING * several.len() as f32).floor() as i32;
    let mut borders = vec![bbox.x1];
    let mut open = 0;
    let mut gap_from: Option<f32> = None;
    for (x, step) in edges {
        let before = open;
        open += step;
        if before > few && open <= few {
            gap_from = Some(x);
        } else if before <= few && open > few {
            if let Some(from) = gap_from
                && x - from >= COLUMN_GAP * size
            {
                borders.push(f32::midpoint(from, x));
            }
            gap_from = None;
        }
    }
    borders.push(bbox.x2);
    (borders.len() > FEWEST_COLUMNS).then_some(borders)
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
        boxes.add(own_box(grid));
    }
    for head in heads {
        if !boxes.hold(head)
            && let Some(grid) = under_head(head, phrases, views)
        {
            boxes.add(own_box(&grid));
            grids.push(grid);
        }
    }
    grids
}

/// Where grids lie, by strips of the page from the top.
#[derive(Default)]
struct Boxes {
    strips: HashMap<i32, Vec<Rect>>,
}

/// Height of a strip, in points.
const STRIP: f32 = 32.0;

impl Boxes {
    fn add(&mut self, bbox: Rect) {
        let strips = (bbox.y1 - SAME_BORDER) / STRIP..(bbox.y2 + SAME_BORDER) / STRIP;
        for strip in strips.start.floor() as i32..=strips.end.floor() as i32 {
            self.strips.entry(strip).or_default().push(bbox);
        }
    }

    /// Whether a rule lies in one of them.
    fn hold(&self, rule: &Rule) -> bool {
        let there = self.strips.get(&((rule.at / STRIP).floor() as i32));
        there.into_iter().flatten().any(|own| {
            rule.at >= own.y1 - SAME_BORDER
                && rule.at <= own.y2 + SAME_BORDER
                && rule.from <= own.x2
                && rule.to >= own.x1
        })
    }
}

fn under_head(head: &Rule, phrases: &[Phrase], views: &Views) -> Option<Grid> {
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
    let heads = top_line.iter().rev().take_while(|line| line.len() >= 2).count();
    let head_lines: Vec<&Phrase> = top_line.iter().rev().take(heads.max(1)).flatten().copied().collect();
    if head_lines.len() < FEWEST_COLUMNS {
        return None;
    }
    // The rows: lines below, as long as they follow each other.
    let mut below: Vec<Vec<&Phrase>> = Vec::new();
    let mut last = head.at;
    let under: Vec<&Phrase> = between(phrases, head.at, f32::MAX).iter().filter(within).take(20 * MOST_ROWS).collect();
    for line in lines(&under) {
        let top = line.iter().map(|phrase| phrase.bbox.y1).fold(f32::MAX, f32::min);
        let tallest = line.iter().map(|phrase| phrase.size).fold(0.0, f32::max);
        if top - last > ROW_GAP * size || tallest > 1.6 * size || below.len() >= MOST_ROWS {
            break;
        }
        last = line.iter().map(|phrase| phrase.bbox.y2).fold(last, f32::max);
        below.push(line);
    }
    let top = head_lines.iter().map(|phrase| phrase.bbox.y1).fold(f32::MAX, f32::min);
    let bbox = Rect { x1: head.from, y1: top - 0.2 * size, x2: head.to, y2: last + 0.2 * size };
    let mut rows = below.clone();
    rows.push(head_lines);
    let borders = columns(&rows, &bbox)?;
    // Rows begin where the first column has text; what follows closely without it goes on.
    let first_border = *borders.get(1)?;
    let mut starts: Vec<f32> = Vec::new();
    let mut before = f32::MIN;
    for line in &below {
        let (_, y) = middle(&line.iter().map(|phrase| phrase.bbox).reduce(joined)?);
        let begins = line.iter().any(|phrase| phrase.bbox.x1 < first_border) || y - before > CONTINUED * size;
        if begins {
            starts.push(y);
        }
        before = y;
    }
    if starts.len() < FEWEST_ROWS {
        return None;
    }
    let half = 0.6 * size;
    let mut heights = vec![bbox.y1, head.at];
    heights.extend(starts.iter().skip(1).map(|y| y - half));
    heights.push(bbox.y2);
    let heights = snapped(heights.into_iter());
    let mut faces = Vec::new();
    for y in heights.windows(2) {
        faces.extend(borders.windows(2).map(|x| Rect { x1: x[0], y1: y[0], x2: x[1], y2: y[1] }));
    }
    let mut grid = Grid::of_faces(&faces, views.frames[0])?;
    grid.ruling = Ruling::Aligned;
    Some(grid)
}

/// Phrases by the line they stand on, from the top.
pub(crate) fn lines<'a>(phrases: &[&'a Phrase]) -> Vec<Vec<&'a Phrase>> {
    let mut lines: Vec<(f32, Vec<&Phrase>)> = Vec::new();
    for phrase in phrases {
        let (_, y) = middle(&phrase.bbox);
        match lines.last_mut() {
            Some((at, line)) if (y - *at).abs() <= 0.4 * phrase.size => line.push(phrase),
            _ => lines.push((y, vec![phrase])),
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}
