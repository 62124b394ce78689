//! Completes tables some of whose cells no rules close: rows with a drawing that touches a cell's rules, and columns at the sides
//! of a table that is open there.
//!
//! A face with a drawing at its edge has more than four corners, so its row is found in pieces or not at all. Its borders are
//! known from the rows above: a row lies between two rules as long as the table, with the table's columns between them.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::cells::MIN_SIDE;
use crate::regions::{SAME_BORDER, area_of, row_of_cells, snapped};
use crate::rules::{Rule, Rules, between, sorted};

/// Minimum number of columns of a table to which rows are added.
const MIN_COLUMNS: usize = 3;
/// Minimum share of the borders between columns that a row has, so that it is one of the table.
const MIN_SHARED_BORDERS: f32 = 0.6;
/// Maximum height of a row with a drawing, in points.
const MAX_ROW_HEIGHT: f32 = 300.0;
/// Minimum number of rules that end at one place beside a table, so that a column ends there.
const MIN_OPEN_RULES: usize = 3;

/// Returns the tables with the rows and columns that rules do not close. Each is a list of cells. `is_lettered` says whether a
/// cell holds text or what may be letters.
pub(crate) fn completed(
    mut tables: Vec<Vec<Rect>>,
    rules: &Rules,
    is_lettered: impl Fn(&Rect) -> bool,
) -> Vec<Vec<Rect>> {
    let rules = SortedRules::of(rules);
    tables.sort_by(|a, b| top(a).total_cmp(&top(b)));
    for index in 0..tables.len() {
        let added = rows_below(&tables, index, &rules, &is_lettered);
        let Some(area) = area_of(&added) else { continue };
        for other in &mut tables {
            other.retain(|face| !is_inside(face, &area));
        }
        tables[index].extend(added);
    }
    for index in 0..tables.len() {
        for side in [Side::Left, Side::Right] {
            let added = open_column(&tables, index, side, &rules);
            tables[index].extend(added);
        }
    }
    tables.retain(|table| !table.is_empty());
    tables
}

/// Rules by their position across their direction.
struct SortedRules {
    horizontal: Vec<Rule>,
    vertical: Vec<Rule>,
}

impl SortedRules {
    fn of(rules: &Rules) -> Self {
        Self { horizontal: sorted(&rules.horizontal), vertical: sorted(&rules.vertical) }
    }

    /// Returns the height of the next rule below `bottom` that is as long as a table from `left` to `right`.
    fn row_end(&self, bottom: f32, left: f32, right: f32) -> Option<f32> {
        let near = between(&self.horizontal, bottom + MIN_SIDE, bottom + MAX_ROW_HEIGHT);
        near.iter().find(|rule| rule.from <= left + SAME_BORDER && rule.to >= right - SAME_BORDER).map(|rule| rule.at)
    }

    /// Returns whether a vertical rule at `x` extends from one height to another.
    fn divides(&self, x: f32, top: f32, bottom: f32) -> bool {
        let near = between(&self.vertical, x - SAME_BORDER, x + SAME_BORDER);
        near.iter().any(|rule| rule.from <= top + SAME_BORDER && rule.to >= bottom - SAME_BORDER)
    }

    /// Returns where the horizontal rule at the height `y` that passes `x` ends on one side.
    fn end_beyond(&self, y: f32, x: f32, side: Side) -> Option<f32> {
        let near = between(&self.horizontal, y - SAME_BORDER, y + SAME_BORDER).iter();
        let mut passing = near.filter(|rule| rule.from <= x + SAME_BORDER && rule.to >= x - SAME_BORDER);
        match side {
            Side::Left => passing.map(|rule| rule.from).find(|end| *end <= x - MIN_SIDE),
            Side::Right => passing.find(|rule| rule.to >= x + MIN_SIDE).map(|rule| rule.to),
        }
    }
}

/// Returns the cells of the rows below a table that are not among its own.
fn rows_below(
    tables: &[Vec<Rect>],
    index: usize,
    rules: &SortedRules,
    is_lettered: impl Fn(&Rect) -> bool,
) -> Vec<Rect> {
    let mut added = Vec::new();
    let Some(bbox) = area_of(&tables[index]) else { return added };
    let borders = snapped(tables[index].iter().flat_map(|face| [face.x1, face.x2]));
    if borders.len() <= MIN_COLUMNS {
        return added;
    }
    let mut top = bbox.y2;
    while let Some(bottom) = rules.row_end(top, bbox.x1, bbox.x2) {
        let own: Vec<f32> = borders.iter().copied().filter(|&x| rules.divides(x, top, bottom)).collect();
        let is_closed = own.first() == borders.first() && own.last() == borders.last();
        if !is_closed || ((own.len() - 2) as f32) < MIN_SHARED_BORDERS * (borders.len() - 2) as f32 {
            break;
        }
        let cells: Vec<Rect> = row_of_cells(&own, top, bottom).collect();
        if 2 * cells.iter().filter(|cell| is_lettered(cell)).count() < cells.len() {
            break;
        }
        added.extend(cells.iter().flat_map(|cell| parts_of(cell, tables)));
        top = bottom;
    }
    added
}

/// Returns the faces that a cell is made of, one below the other, or the cell itself if they do not fill it.
fn parts_of(cell: &Rect, tables: &[Vec<Rect>]) -> Vec<Rect> {
    let is_part = |face: &&Rect| {
        (face.x1 - cell.x1).abs() <= SAME_BORDER && (face.x2 - cell.x2).abs() <= SAME_BORDER && is_inside(face, cell)
    };
    let parts: Vec<Rect> = tables.iter().flatten().filter(is_part).copied().collect();
    let filled: f32 = parts.iter().map(|part| part.y2 - part.y1).sum();
    if parts.len() > 1 && (filled - (cell.y2 - cell.y1)).abs() <= SAME_BORDER { parts } else { vec![*cell] }
}

/// A side of a table.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// Returns the cells of the column at a side of a table where its rows' rules go on and end at one place, without a rule there.
fn open_column(tables: &[Vec<Rect>], index: usize, side: Side, rules: &SortedRules) -> Vec<Rect> {
    let Some(bbox) = area_of(&tables[index]) else { return Vec::new() };
    let edge = match side {
        Side::Left => bbox.x1,
        Side::Right => bbox.x2,
    };
    let heights = snapped(tables[index].iter().flat_map(|face| [face.y1, face.y2]));
    let ends = heights.iter().filter_map(|&y| rules.end_beyond(y, edge, side).map(|end| (y, end)));
    let ends: Vec<(f32, f32)> = ends.collect();
    let [first, .., last] = ends.as_slice() else { return Vec::new() };
    let end = first.1;
    let is_open = ends.len() >= MIN_OPEN_RULES
        && heights.first() == Some(&first.0)
        && heights.last() == Some(&last.0)
        && ends.iter().all(|(_, other)| (other - end).abs() <= SAME_BORDER);
    let column = Rect { x1: edge.min(end), y1: bbox.y1, x2: edge.max(end), y2: bbox.y2 };
    if !is_open || tables.iter().flatten().any(|face| column.contains_point(face.center().0, face.center().1)) {
        return Vec::new();
    }
    ends.windows(2).map(|pair| Rect { y1: pair[0].0, y2: pair[1].0, ..column }).collect()
}

fn top(cells: &[Rect]) -> f32 {
    cells.iter().map(|cell| cell.y1).fold(f32::MAX, f32::min)
}

/// Returns whether the middle of a cell is in an area.
fn is_inside(cell: &Rect, area: &Rect) -> bool {
    let (x, y) = cell.center();
    area.contains_point(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Borders of columns at 0, 100, 200 and 300, and of rows at the given heights, from 0 to 300.
    fn rules(rows: &[f32]) -> Rules {
        let bottom = rows.last().copied().unwrap_or_default();
        Rules {
            horizontal: rows.iter().map(|&at| Rule { at, from: 0.0, to: 300.0 }).collect(),
            vertical: [0.0, 100.0, 200.0, 300.0].map(|at| Rule { at, from: 0.0, to: bottom }).to_vec(),
            ..Rules::default()
        }
    }

    /// The cells of a row between these borders.
    fn row(borders: &[f32], y1: f32, y2: f32) -> Vec<Rect> {
        row_of_cells(borders, y1, y2).collect()
    }

    const BORDERS: [f32; 4] = [0.0, 100.0, 200.0, 300.0];

    #[test]
    fn rows_whose_cells_are_not_closed_are_added_and_take_the_pieces_that_are() {
        let header = row(&BORDERS, 0.0, 20.0);
        let pieces = row(&[120.0, 200.0, 300.0], 20.0, 60.0);
        let tables = completed(vec![header, pieces], &rules(&[0.0, 20.0, 60.0, 100.0]), |_| true);
        let expected: Vec<Rect> =
            [(0.0, 20.0), (20.0, 60.0), (60.0, 100.0)].iter().flat_map(|&(y1, y2)| row(&BORDERS, y1, y2)).collect();
        assert_eq!(tables, [expected]);
    }

    #[test]
    fn rows_that_are_no_tables_are_not_added() {
        let tables = vec![row(&BORDERS, 0.0, 20.0)];
        let heights = [0.0, 20.0, 60.0];
        let mut open_at_the_right = rules(&heights);
        open_at_the_right.vertical.pop();
        let mut without_columns = rules(&heights);
        without_columns.vertical.retain(|rule| [0.0, 300.0].contains(&rule.at));
        let cases = [
            ("open at a side", open_at_the_right, true),
            ("other columns", without_columns, true),
            ("no letters", rules(&heights), false),
            ("no rule below", rules(&heights[..2]), true),
        ];
        for (what, rules, is_lettered) in cases {
            assert_eq!(completed(tables.clone(), &rules, |_| is_lettered), tables, "{what}");
        }
    }

    #[test]
    fn column_without_a_rule_at_the_tables_side_is_added() {
        let heights = [0.0, 20.0, 40.0];
        let mut rules = rules(&heights);
        rules.vertical.retain(|rule| [100.0, 200.0].contains(&rule.at));
        let middle: Vec<Rect> = heights.windows(2).flat_map(|y| row(&BORDERS[1..3], y[0], y[1])).collect();
        let [table] = completed(vec![middle], &rules, |_| true).try_into().expect("one table");
        assert_eq!(table.len(), 6);
        assert_eq!(area_of(&table), Some(Rect { x1: 0.0, y1: 0.0, x2: 300.0, y2: 40.0 }));
    }

    #[test]
    fn rules_that_end_at_different_places_bound_no_column() {
        let heights = [0.0, 20.0, 40.0];
        let mut rules = rules(&heights);
        rules.vertical.retain(|rule| [0.0, 100.0, 200.0].contains(&rule.at));
        rules.horizontal[1].to = 250.0;
        let tables = vec![heights.windows(2).flat_map(|y| row(&BORDERS[..3], y[0], y[1])).collect::<Vec<Rect>>()];
        assert_eq!(completed(tables.clone(), &rules, |_| true), tables);
    }
}
