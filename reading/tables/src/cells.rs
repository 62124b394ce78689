//! Cells: the rectangles that rules close.
//!
//! Rules and their crossings are a plane graph. A cell is a face of the graph with four corners. Traversing each face once takes
//! time proportional to the number of crossings, however cells are merged.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt as _, UnionFind};

use crate::rules::{Rule, Rules, sorted};

/// A rectangle closed by rules.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    /// Crossings at its corners.
    corners: [u32; 4],
}

/// Maximum number of crossings, which bounds the memory. More are a hatch over the whole sheet; the rest is left out.
const MAX_CROSSINGS: usize = 3_000_000;
/// Maximum reach of a rule, as a share of its length. Strokes of letters end at a fifth of their length or more from the rules of a
/// low row.
const MAX_REACH: f32 = 0.12;
/// Minimum side of a cell, in points.
pub(crate) const MIN_SIDE: f32 = 4.5;
/// Height of the strips in which the sweep lists open rules, in points. Affects only speed.
const STRIP: f32 = 8.0;
/// Minimum area of a face that may be a frame around others, in square points.
const MIN_FRAME_AREA: f32 = 4000.0;
/// Minimum number of faces inside a face that is a frame and not a cell.
const MIN_FRAMED: usize = 5;
/// Minimum side of the faces that count for that, in points. Smaller ones are letters.
const MIN_FRAMED_SIDE: f32 = 7.0;
/// No neighbor in a direction, or no group.
const NONE: u32 = u32::MAX;

/// The plane graph: each crossing with its neighbors along the rules.
#[derive(Default)]
struct Crossings {
    places: Vec<(f32, f32)>,
    right: Vec<u32>,
    left: Vec<u32>,
    down: Vec<u32>,
    up: Vec<u32>,
}

/// Returns the cells of a page, grouped by shared corners (union-find). The cells of a table are in one group, which may hold
/// others beside them. Frames around other cells are left out. A rule that stops at most `reach` points short of another one
/// reaches it.
pub(crate) fn groups(rules: &Rules, reach: f32) -> Vec<Vec<Face>> {
    let crossings = crossings(rules, reach);
    let faces = (0..crossings.places.len() as u32).filter_map(|start| face_from(start, &crossings));
    let faces = without_frames(faces.collect());
    let mut sets = UnionFind::new(faces.len());
    let mut owner: Vec<u32> = vec![NONE; crossings.places.len()];
    for (index, face) in faces.iter().enumerate() {
        for &corner in &face.corners {
            let Some(owned) = owner.get_mut(corner as usize) else { continue };
            if *owned == NONE {
                *owned = index as u32;
            } else {
                sets.unite(*owned as usize, index);
            }
        }
    }
    let mut group_of: Vec<u32> = vec![NONE; faces.len()];
    let mut groups: Vec<Vec<Face>> = Vec::new();
    for (index, face) in faces.into_iter().enumerate() {
        let group = &mut group_of[sets.find(index)];
        if *group == NONE {
            *group = groups.len() as u32;
            groups.push(Vec::new());
        }
        groups[*group as usize].push(face);
    }
    groups
}

/// Returns the crossings of the rules (sweep line from left to right): horizontal rules open where they begin, and each vertical
/// rule crosses the open ones.
fn crossings(rules: &Rules, reach: f32) -> Crossings {
    let rows: Vec<Rule> = rules.horizontal.iter().map(|row| extended(row, reach)).collect();
    let columns: Vec<Rule> = rules.vertical.iter().map(|column| extended(column, reach)).collect();
    let mut by_start: Vec<u32> = (0..rows.len() as u32).collect();
    by_start.sort_by(|&a, &b| rows[a as usize].from.total_cmp(&rows[b as usize].from));
    let mut open = OpenRows::from_rows(&rows);
    let mut crossings = Crossings::default();
    // The last crossing of each row so far.
    let mut last: Vec<u32> = vec![NONE; rows.len()];
    let mut by_start = by_start.into_iter().peekable();
    let mut crossed: Vec<CrossedRow> = Vec::new();
    for column in sorted(&columns) {
        while let Some(row) = by_start.next_if(|&row| rows[row as usize].from <= column.at) {
            open.add(row, &rows[row as usize]);
        }
        crossed.clear();
        open.add_crossed(&column, &mut crossed);
        crossed.sort_unstable_by(|a, b| a.at.total_cmp(&b.at));
        let mut above = NONE;
        for row in crossed.iter().take(MAX_CROSSINGS.saturating_sub(crossings.places.len())) {
            let before = std::mem::replace(&mut last[row.row as usize], crossings.places.len() as u32);
            above = crossings.add((column.at, row.at), before, above);
        }
    }
    crossings
}

/// Returns a rule that reaches others at most `reach` points beyond its ends, a short one at most [`MAX_REACH`] of its length.
fn extended(rule: &Rule, reach: f32) -> Rule {
    let reach = reach.min(MAX_REACH * (rule.to - rule.from));
    Rule { from: rule.from - reach, to: rule.to + reach, ..*rule }
}

/// Horizontal rules that have begun and not ended, in strips of the page.
struct OpenRows {
    /// Height at which the first strip begins.
    top: f32,
    strips: Vec<Vec<OpenRow>>,
}

/// A rule that has begun.
#[derive(Clone, Copy)]
struct OpenRow {
    at: f32,
    to: f32,
    /// Its index among the horizontal rules.
    row: u32,
}

/// A rule that a column crosses.
#[derive(Clone, Copy)]
struct CrossedRow {
    at: f32,
    /// Its index among the horizontal rules.
    row: u32,
}

impl OpenRows {
    fn from_rows(rows: &[Rule]) -> Self {
        let top = rows.iter().map(|row| row.at).fold(f32::MAX, f32::min);
        let bottom = rows.iter().map(|row| row.at).fold(f32::MIN, f32::max);
        let mut open = Self { top, strips: Vec::new() };
        open.strips.resize(open.strip(bottom) + 1, Vec::new());
        open
    }

    /// Returns the number of the strip that holds a height; 0 above the first strip.
    fn strip(&self, y: f32) -> usize {
        ((y - self.top) / STRIP) as usize
    }

    fn add(&mut self, row: u32, rule: &Rule) {
        let strip = self.strip(rule.at);
        if let Some(rows) = self.strips.get_mut(strip) {
            rows.push(OpenRow { at: rule.at, to: rule.to, row });
        }
    }

    /// Adds the rows that a column crosses to `crossed`. Rows that ended before it are dropped.
    fn add_crossed(&mut self, column: &Rule, crossed: &mut Vec<CrossedRow>) {
        let (low, high) = (column.from, column.to);
        if high < self.top {
            return;
        }
        let (first, last) = (self.strip(low), self.strip(high));
        for rows in self.strips.iter_mut().skip(first).take(last - first + 1) {
            rows.retain(|row| {
                let open = row.to >= column.at;
                if open && row.at >= low && row.at <= high {
                    crossed.push(CrossedRow { at: row.at, row: row.row });
                }
                open
            });
        }
    }
}

impl Crossings {
    /// Adds a crossing with its neighbors to the left and above, and returns its index.
    fn add(&mut self, place: (f32, f32), left: u32, above: u32) -> u32 {
        let own = self.places.len() as u32;
        self.places.push(place);
        self.left.push(left);
        self.up.push(above);
        self.right.push(NONE);
        self.down.push(NONE);
        if let Some(right) = self.right.get_mut(left as usize) {
            *right = own;
        }
        if let Some(down) = self.down.get_mut(above as usize) {
            *down = own;
        }
        own
    }
}

/// Returns the crossing at which one can first turn in a direction, on the way from `start` in another direction. Each
/// direction is the list of neighbors in it.
fn next_corner(start: u32, way: &[u32], turn: &[u32]) -> Option<u32> {
    let mut at = way[start as usize];
    while at != NONE && turn[at as usize] == NONE {
        at = way[at as usize];
    }
    (at != NONE).then_some(at)
}

/// Returns the face with four corners whose upper left one is the crossing `start`, by traversing it clockwise.
fn face_from(start: u32, crossings: &Crossings) -> Option<Face> {
    let Crossings { places, right, left, down, up } = crossings;
    // No way leads back to a crossing with none below it, so the walk along its row is saved.
    if down[start as usize] == NONE {
        return None;
    }
    let top_right = next_corner(start, right, down)?;
    let bottom_right = next_corner(top_right, down, left)?;
    let bottom_left = next_corner(bottom_right, left, up)?;
    if next_corner(bottom_left, up, right)? != start {
        return None;
    }
    let ((x1, y1), (x2, y2)) = (places[start as usize], places[bottom_right as usize]);
    let corners = [start, top_right, bottom_right, bottom_left];
    (x2 - x1 >= MIN_SIDE && y2 - y1 >= MIN_SIDE).then_some(Face { bbox: Rect { x1, y1, x2, y2 }, corners })
}

/// Returns the faces without those that have others inside: a sheet's border, a box around a drawing.
fn without_frames(faces: Vec<Face>) -> Vec<Face> {
    let mut middles: Vec<(f32, f32)> = faces
        .iter()
        .filter(|face| (face.bbox.x2 - face.bbox.x1).min(face.bbox.y2 - face.bbox.y1) >= MIN_FRAMED_SIDE)
        .map(|face| face.bbox.center())
        .collect();
    middles.sort_by(|a, b| a.1.total_cmp(&b.1));
    faces.into_iter().filter(|face| !is_frame(&face.bbox, &middles)).collect()
}

/// Returns whether a face has others inside. `middles` are those of all faces (x, y), from the top.
fn is_frame(bbox: &Rect, middles: &[(f32, f32)]) -> bool {
    let Rect { x1, y1, x2, y2 } = *bbox;
    if (x2 - x1) * (y2 - y1) < MIN_FRAME_AREA {
        return false;
    }
    let first = middles.partition_point(|middle| middle.1 < y1);
    let inside =
        middles[first..].iter().take_while(|middle| middle.1 < y2).filter(|middle| middle.0 > x1 && middle.0 < x2);
    // Its own middle is one of them.
    inside.take(MIN_FRAMED + 1).count() > MIN_FRAMED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(horizontal: &[(f32, f32, f32)], vertical: &[(f32, f32, f32)]) -> Rules {
        let rule = |&(at, from, to): &(f32, f32, f32)| Rule { at, from, to };
        Rules {
            horizontal: horizontal.iter().map(rule).collect(),
            vertical: vertical.iter().map(rule).collect(),
            ..Rules::default()
        }
    }

    #[test]
    fn merged_cells_are_one_face() {
        // Three rows by two columns; the first row is merged, and so is the left column below it.
        let found = groups(
            &rules(
                &[(0.0, 0.0, 100.0), (20.0, 0.0, 100.0), (40.0, 50.0, 100.0), (60.0, 0.0, 100.0)],
                &[(0.0, 0.0, 60.0), (50.0, 20.0, 60.0), (100.0, 0.0, 60.0)],
            ),
            2.0,
        );
        assert_eq!(found.len(), 1);
        let mut boxes: Vec<[f32; 4]> =
            found[0].iter().map(|face| [face.bbox.x1, face.bbox.y1, face.bbox.x2, face.bbox.y2]).collect();
        boxes.sort_by(|a, b| a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0])));
        let expected =
            [[0.0, 0.0, 100.0, 20.0], [0.0, 20.0, 50.0, 60.0], [50.0, 20.0, 100.0, 40.0], [50.0, 40.0, 100.0, 60.0]];
        assert_eq!(boxes, expected);
    }

    #[test]
    fn box_around_several_cells_is_no_cell() {
        let middles: Vec<(f32, f32)> = (0..6).map(|index| (50.0, 10.0 + 10.0 * index as f32)).collect();
        let frame = Rect { x1: 0.0, y1: 0.0, x2: 100.0, y2: 70.0 };
        assert!(is_frame(&frame, &middles));
        assert!(!is_frame(&frame, &middles[..5]), "a merged cell holds few middles");
        assert!(!is_frame(&Rect { x2: 52.0, ..frame }, &middles), "a narrow cell");
    }

    #[test]
    fn line_that_ends_in_a_cell_does_not_split_it() {
        let found = groups(
            &rules(
                &[(0.0, 0.0, 100.0), (20.0, 0.0, 60.0), (40.0, 0.0, 100.0)],
                &[(0.0, 0.0, 40.0), (100.0, 0.0, 40.0)],
            ),
            2.0,
        );
        assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 1);
    }
}
