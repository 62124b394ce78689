//! Cells: the rectangles that rules close.
//!
//! Rules and their crossings are a plane graph. A cell is a face of the graph with four corners. Traversing each face once takes
//! time proportional to the number of crossings, however cells are merged.

use fanlight_contract::Rect;
use fanlight_geometry::UnionFind;

use crate::rules::{Rule, Rules};

/// A rectangle closed by rules.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    /// Crossings at its corners.
    corners: [u32; 4],
}

/// Maximum number of crossings. More are a hatch over the whole sheet; the rest is left out.
const MOST_CROSSINGS: usize = 3_000_000;
/// Minimum side of a cell, in points.
const SHORTEST_SIDE: f32 = 4.5;
/// Height of the strips in which the sweep lists open rules, in points.
const STRIP: f32 = 8.0;
/// Minimum area of a face that may be a frame around others, in square points.
const FRAME_AREA: f32 = 4000.0;
/// Minimum number of faces inside a face that is a frame and not a cell.
const FRAMED: usize = 5;
/// Minimum side of the faces that count for that, in points. Smaller ones are letters.
const FRAMED_SIDE: f32 = 7.0;
/// Stands for no neighbor in a direction.
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
    let faces = without_frames(faces(&crossings));
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
    let (rows, columns) = (&rules.horizontal, &rules.vertical);
    let mut opening: Vec<u32> = (0..rows.len() as u32).collect();
    opening.sort_by(|&a, &b| rows[a as usize].from.total_cmp(&rows[b as usize].from));
    let mut asking: Vec<u32> = (0..columns.len() as u32).collect();
    asking.sort_by(|&a, &b| columns[a as usize].at.total_cmp(&columns[b as usize].at));

    let mut open = OpenRows::from_rows(rows);
    let mut ways = Crossings::default();
    // The crossing before on each row.
    let mut last: Vec<u32> = vec![NONE; rows.len()];
    let mut opening = opening.into_iter().peekable();
    let mut met: Vec<(f32, u32)> = Vec::new();
    for column in asking.into_iter().map(|index| columns[index as usize]) {
        while let Some(row) = opening.next_if(|&row| rows[row as usize].from - reach <= column.at) {
            open.add(row, &rows[row as usize]);
        }
        met.clear();
        open.meet(&column, reach, &mut met);
        met.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut above = NONE;
        for &(y, row) in met.iter().take(MOST_CROSSINGS.saturating_sub(ways.places.len())) {
            let before = std::mem::replace(&mut last[row as usize], ways.places.len() as u32);
            above = ways.add((column.at, y), before, above);
        }
    }
    ways
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
    row: u32,
}

impl OpenRows {
    fn from_rows(rows: &[Rule]) -> Self {
        let top = rows.iter().map(|row| row.at).fold(f32::MAX, f32::min);
        let bottom = rows.iter().map(|row| row.at).fold(f32::MIN, f32::max);
        let mut open = Self { top, strips: Vec::new() };
        if !rows.is_empty() {
            open.strips.resize(open.strip(bottom) + 1, Vec::new());
        }
        open
    }

    /// No strip lies before the first: what lies above them all has its number.
    fn strip(&self, y: f32) -> usize {
        ((y - self.top) / STRIP) as usize
    }

    fn add(&mut self, row: u32, rule: &Rule) {
        let strip = self.strip(rule.at);
        if let Some(there) = self.strips.get_mut(strip) {
            there.push(OpenRow { at: rule.at, to: rule.to, row });
        }
    }

    /// The rows that a column meets, with their heights. Those that ended before it are dropped.
    fn meet(&mut self, column: &Rule, reach: f32, met: &mut Vec<(f32, u32)>) {
        let (low, high) = (column.from - reach, column.to + reach);
        if high < self.top {
            return;
        }
        let (first, last) = (self.strip(low), self.strip(high));
        for there in self.strips.iter_mut().skip(first).take(last - first + 1) {
            there.retain(|row| {
                let open = row.to + reach >= column.at;
                if open && row.at >= low && row.at <= high {
                    met.push((row.at, row.row));
                }
                open
            });
        }
    }
}

impl Crossings {
    /// One more crossing, with its neighbours to the left and above.
    fn add(&mut self, place: (f32, f32), left: u32, above: u32) -> u32 {
        let own = self.places.len() as u32;
        self.places.push(place);
        self.left.push(left);
        self.up.push(above);
        self.right.push(NONE);
        self.down.push(NONE);
        if let Some(way) = self.right.get_mut(left as usize) {
            *way = own;
        }
        if let Some(way) = self.down.get_mut(above as usize) {
            *way = own;
        }
        own
    }
}

/// The faces with four corners, found from their top left one.
fn faces(crossings: &Crossings) -> Vec<Face> {
    let along = |start: u32, way: &[u32], turn: &[u32]| {
        let mut at = way[start as usize];
        while at != NONE && turn[at as usize] == NONE {
            at = way[at as usize];
        }
        at
    };
    let Crossings { places, right, left, down, up } = crossings;
    let mut faces = Vec::new();
    for start in 0..places.len() as u32 {
        if right[start as usize] == NONE || down[start as usize] == NONE {
            continue;
        }
        let top_right = along(start, right, down);
        if top_right == NONE {
            continue;
        }
        let bottom_right = along(top_right, down, left);
        if bottom_right == NONE {
            continue;
        }
        let bottom_left = along(bottom_right, left, up);
        if bottom_left == NONE || along(bottom_left, up, right) != start {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (places[start as usize], places[bottom_right as usize]);
        if x2 - x1 >= SHORTEST_SIDE && y2 - y1 >= SHORTEST_SIDE {
            let corners = [start, top_right, bottom_right, bottom_left];
            faces.push(Face { bbox: Rect { x1, y1, x2, y2 }, corners });
        }
    }
    faces
}

/// Without the faces that have others inside: a sheet's border, a box around a drawing.
fn without_frames(faces: Vec<Face>) -> Vec<Face> {
    let mut middles: Vec<(f32, f32)> = faces
        .iter()
        .filter(|face| (face.bbox.x2 - face.bbox.x1).min(face.bbox.y2 - face.bbox.y1) >= FRAMED_SIDE)
        .map(|face| (f32::midpoint(face.bbox.y1, face.bbox.y2), f32::midpoint(face.bbox.x1, face.bbox.x2)))
        .collect();
    middles.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_frame = |face: &Face| {
        let Rect { x1, y1, x2, y2 } = face.bbox;
        if (x2 - x1) * (y2 - y1) < FRAME_AREA {
            return false;
        }
        let first = middles.partition_point(|middle| middle.0 < y1);
        // Its own middle is one of them.
        let inside = middles[first..].iter().take_while(|middle| middle.0 < y2);
        inside.filter(|middle| middle.1 > x1 && middle.1 < x2).take(FRAMED + 1).count() > FRAMED
    };
    faces.into_iter().filter(|face| !is_frame(face)).collect()
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
    fn a_line_that_ends_in_a_cell_does_not_cut_it() {
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
