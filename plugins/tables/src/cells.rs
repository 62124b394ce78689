//! Cells: the rectangles that rules close.
//!
//! Rules and their crossings are a plane graph. A cell is a face of it with four corners; walking each face once, turn by
//! turn, takes time in proportion to the crossings, however cells are merged.

use std::collections::BTreeMap;

use fanlight_vocabulary::Rect;

use crate::rules::{Rule, Rules};

/// A rectangle closed by rules.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    /// In the frame, y down.
    pub(crate) bbox: Rect,
    /// Crossings at its corners.
    corners: [u32; 4],
}

/// More crossings than this are no tables but a hatch over the whole sheet; what lies beyond is left out.
const MOST_CROSSINGS: usize = 3_000_000;
/// Neither side of a cell is shorter, in points.
const SHORTEST_SIDE: f32 = 4.5;
/// Strips of the sweep's list of open rules, in points.
const STRIP: f32 = 24.0;
/// A face of this area, in square points, may be a frame around others.
const FRAME_AREA: f32 = 4000.0;
/// A face with so many others inside is a frame around them, not a cell.
const FRAMED: usize = 5;
/// Sides of faces that count for that: smaller ones are letters.
const FRAMED_SIDE: f32 = 7.0;
/// No neighbour in that direction.
const NONE: u32 = u32::MAX;

/// The ways from one crossing to the next ones along the rules.
struct Crossings {
    places: Vec<(f32, f32)>,
    right: Vec<u32>,
    left: Vec<u32>,
    down: Vec<u32>,
    up: Vec<u32>,
}

/// The cells of a page, grouped by the corners that they share: a table's cells are in one group, which may hold other
/// things beside it. Frames around other cells are left out. A rule that stops `reach` short of another one, in points,
/// reaches it.
pub(crate) fn groups(rules: &Rules, reach: f32) -> Vec<Vec<Face>> {
    let crossings = crossings(rules, reach);
    let faces = without_frames(faces(&crossings));
    let mut leader: Vec<u32> = (0..faces.len() as u32).collect();
    let mut owner: Vec<u32> = vec![NONE; crossings.places.len()];
    for (index, face) in faces.iter().enumerate() {
        for &corner in &face.corners {
            let Some(owned) = owner.get_mut(corner as usize) else { continue };
            if *owned == NONE {
                *owned = index as u32;
            } else {
                let (a, b) = (root(&mut leader, *owned), root(&mut leader, index as u32));
                leader[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut groups: BTreeMap<u32, Vec<Face>> = BTreeMap::new();
    for (index, face) in faces.into_iter().enumerate() {
        groups.entry(root(&mut leader, index as u32)).or_default().push(face);
    }
    groups.into_values().collect()
}

fn root(leader: &mut [u32], mut of: u32) -> u32 {
    while leader[of as usize] != of {
        leader[of as usize] = leader[leader[of as usize] as usize];
        of = leader[of as usize];
    }
    of
}

/// A sweep from left to right: horizontal rules open and close, vertical ones ask which are open.
fn crossings(rules: &Rules, reach: f32) -> Crossings {
    enum Event {
        Open(usize),
        Ask(usize),
        Close(usize),
    }
    let mut events: Vec<(f32, u8, Event)> = Vec::with_capacity(2 * rules.horizontal.len() + rules.vertical.len());
    for (index, rule) in rules.horizontal.iter().enumerate() {
        events.push((rule.from - reach, 0, Event::Open(index)));
        events.push((rule.to + reach, 2, Event::Close(index)));
    }
    events.extend(rules.vertical.iter().enumerate().map(|(index, rule)| (rule.at, 1, Event::Ask(index))));
    events.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    let strip = |rule: &Rule| (rule.at / STRIP).floor() as i32;
    let mut open: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    let mut on_row: Vec<Vec<u32>> = vec![Vec::new(); rules.horizontal.len()];
    let mut on_column: Vec<Vec<u32>> = vec![Vec::new(); rules.vertical.len()];
    let mut places: Vec<(f32, f32)> = Vec::new();
    for (_, _, event) in events {
        match event {
            Event::Open(index) => open.entry(strip(&rules.horizontal[index])).or_default().push(index),
            Event::Close(index) => {
                let at = strip(&rules.horizontal[index]);
                if let Some(there) = open.get_mut(&at) {
                    there.retain(|&own| own != index);
                    if there.is_empty() {
                        open.remove(&at);
                    }
                }
            }
            Event::Ask(index) => {
                let column = rules.vertical[index];
                let (low, high) = (column.from - reach, column.to + reach);
                for (_, there) in open.range((low / STRIP).floor() as i32..=(high / STRIP).floor() as i32) {
                    for &row in there {
                        let y = rules.horizontal[row].at;
                        if y >= low && y <= high && places.len() < MOST_CROSSINGS {
                            let crossing = places.len() as u32;
                            places.push((column.at, y));
                            on_row[row].push(crossing);
                            on_column[index].push(crossing);
                        }
                    }
                }
            }
        }
    }

    let count = places.len();
    let mut ways = Crossings {
        places,
        right: vec![NONE; count],
        left: vec![NONE; count],
        down: vec![NONE; count],
        up: vec![NONE; count],
    };
    // A row's crossings come in the sweep's order, from the left.
    for row in &on_row {
        for pair in row.windows(2) {
            if let [a, b] = *pair {
                ways.right[a as usize] = b;
                ways.left[b as usize] = a;
            }
        }
    }
    for column in &mut on_column {
        column.sort_by(|a, b| ways.places[*a as usize].1.total_cmp(&ways.places[*b as usize].1));
        for pair in column.windows(2) {
            if let [a, b] = *pair {
                ways.down[a as usize] = b;
                ways.up[b as usize] = a;
            }
        }
    }
    ways
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
