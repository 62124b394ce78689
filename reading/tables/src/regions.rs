//! Regions: splits groups of connected cells into tables.
//!
//! Tables are stacked in one frame, are side by side with a common line, and share the sheet's border with the title block. Their
//! columns separate them: rows of one table have the same left and right edge, and the same borders of columns except where cells
//! are merged.

use fanlight_contract::Rect;

/// Borders this close are the same, in points.
pub(crate) const SAME_BORDER: f32 = 2.2;
/// The share of a row's borders that must be borders of the rows above it.
const SHARED_BORDERS: f32 = 0.6;
/// The share of rows' borders that two halves of a table have in common at the least.
const SHARED_ROWS: f32 = 0.6;
/// Fewer rows than this on one side don't tell that it is a table of its own.
const FEWEST_ROWS: usize = 4;
/// Cells over all rows, merged ones counted in each: more is no table.
const MOST_CELLS: usize = 4_000_000;

/// What of one row hangs together from left to right.
struct Strip {
    row: usize,
    left: f32,
    right: f32,
    /// Columns' borders between its left and right edge.
    borders: Vec<f32>,
    faces: Vec<usize>,
    /// Whether one of its cells begins in the row above.
    from_above: bool,
}

/// Strips, one below the other, that have their columns in common.
struct Growing {
    left: f32,
    right: f32,
    borders: Vec<f32>,
    strips: Vec<Strip>,
}

/// Splits cells into tables. Each item of the result holds the cells of one.
pub(crate) fn regions(faces: &[Rect]) -> Vec<Vec<Rect>> {
    let rows = snapped(faces.iter().flat_map(|face| [face.y1, face.y2]));
    let mut found = Vec::new();
    for region in grown(faces, &rows) {
        let mut members: Vec<usize> = region.strips.iter().flat_map(|strip| strip.faces.iter().copied()).collect();
        members.sort_unstable();
        members.dedup();
        let own: Vec<Rect> = members.iter().filter_map(|&member| faces.get(member).copied()).collect();
        part(own, &region.borders, &mut found);
    }
    found
}

/// Returns values sorted, with values that are equal but for rounding replaced by their mean.
pub(crate) fn snapped(values: impl Iterator<Item = f32>) -> Vec<f32> {
    snapped_within(values, SAME_BORDER)
}

/// Returns values as [`snapped`] does; values at most `same` apart are equal.
pub(crate) fn snapped_within(values: impl Iterator<Item = f32>, same: f32) -> Vec<f32> {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_by(f32::total_cmp);
    let mut snapped: Vec<(f32, f32, f32)> = Vec::new();
    for value in sorted {
        match snapped.last_mut() {
            Some((sum, count, last)) if value - *last <= same && value - *sum / *count <= 2.0 * same => {
                *sum += value;
                *count += 1.0;
                *last = value;
            }
            _ => snapped.push((value, 1.0, value)),
        }
    }
    snapped.into_iter().map(|(sum, count, _)| sum / count).collect()
}

/// Returns the index of the nearest value.
pub(crate) fn nearest(values: &[f32], to: f32) -> usize {
    let after = values.partition_point(|&value| value < to);
    match (after.checked_sub(1).and_then(|at| values.get(at)), values.get(after)) {
        (Some(before), Some(next)) if to - before <= next - to => after - 1,
        (Some(_), None) => after - 1,
        _ => after,
    }
}

fn strips(faces: &[Rect], rows: &[f32]) -> Option<Vec<Vec<Strip>>> {
    let mut in_row: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    let mut count = 0;
    for (index, face) in faces.iter().enumerate() {
        let covered = nearest(rows, face.y1)..nearest(rows, face.y2);
        count += covered.len();
        if count > MOST_CELLS {
            return None;
        }
        for row in covered {
            in_row[row].push(index);
        }
    }
    let mut all = Vec::with_capacity(rows.len());
    for (row, mut members) in in_row.into_iter().enumerate() {
        members.sort_by(|&a, &b| faces[a].x1.total_cmp(&faces[b].x1));
        let mut strips: Vec<Strip> = Vec::new();
        for index in members {
            let face = faces[index];
            let from_above = nearest(rows, face.y1) < row;
            match strips.last_mut() {
                Some(strip) if (face.x1 - strip.right).abs() <= SAME_BORDER => {
                    strip.from_above |= from_above;
                    strip.borders.push(face.x1);
                    strip.right = face.x2;
                    strip.faces.push(index);
                }
                _ => strips.push(Strip {
                    row,
                    left: face.x1,
                    right: face.x2,
                    borders: Vec::new(),
                    faces: vec![index],
                    from_above,
                }),
            }
        }
        all.push(strips);
    }
    Some(all)
}

fn grown(faces: &[Rect], rows: &[f32]) -> Vec<Growing> {
    let Some(all) = strips(faces, rows) else { return Vec::new() };
    let mut open: Vec<Growing> = Vec::new();
    let mut closed: Vec<Growing> = Vec::new();
    for (row, strips) in all.into_iter().enumerate() {
        let (current, ended): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|region| region.strips.last().is_some_and(|last| last.row + 1 == row));
        closed.extend(ended);
        open = current;
        for strip in strips {
            let same_edges = |region: &Growing| {
                (region.left - strip.left).abs() <= SAME_BORDER && (region.right - strip.right).abs() <= SAME_BORDER
            };
            let above = open.iter().position(|region| {
                let newest = region.strips.last();
                newest.is_some_and(|last| last.row + 1 == row) && same_edges(region)
            });
            match above {
                Some(index) if continues(&open[index], &strip) => {
                    let region = &mut open[index];
                    region.borders = snapped(region.borders.iter().chain(&strip.borders).copied());
                    region.strips.push(strip);
                }
                Some(index) => {
                    // Single cells before the new columns are its title, not the last rows of the table above.
                    let region = &mut open[index];
                    let mut own = Vec::new();
                    while region.strips.len() > 1
                        && region.strips.last().is_some_and(|last| last.borders.is_empty())
                        && region.strips.last().is_some_and(|last| !last.from_above)
                    {
                        own.extend(region.strips.pop());
                    }
                    own.reverse();
                    let ended = open.swap_remove(index);
                    let (left, right, borders) = (ended.left, ended.right, strip.borders.clone());
                    closed.push(ended);
                    own.push(strip);
                    open.push(Growing { left, right, borders, strips: own });
                }
                None => open.push(Growing {
                    left: strip.left,
                    right: strip.right,
                    borders: strip.borders.clone(),
                    strips: vec![strip],
                }),
            }
        }
    }
    closed.extend(open);
    closed
}

/// Whether a strip is one more row of the table above it.
fn continues(above: &Growing, strip: &Strip) -> bool {
    if above.borders.is_empty() || strip.borders.is_empty() || strip.from_above {
        return true;
    }
    let has = |borders: &[f32], border: f32| {
        borders.get(nearest(borders, border)).is_some_and(|own| (own - border).abs() <= SAME_BORDER)
    };
    let shared = strip.borders.iter().filter(|&&border| has(&above.borders, border)).count() as f32;
    let fewest = strip.borders.len().min(above.borders.len()) as f32;
    shared >= SHARED_BORDERS * fewest
}

/// Parts tables that stand side by side with a common line: their rows lie at different heights.
fn part(faces: Vec<Rect>, borders: &[f32], found: &mut Vec<Vec<Rect>>) {
    let sides = Sides::from_faces(&faces);
    let Some(border) = borders.iter().copied().find(|&border| sides.differ(border)) else {
        found.push(faces);
        return;
    };
    let (left, right) = faces.into_iter().partition(|face| middle(face) < border);
    part(left, borders, found);
    part(right, borders, found);
}

fn middle(face: &Rect) -> f32 {
    f32::midpoint(face.x1, face.x2)
}

/// What lies to the left and to the right of a column's border, told for each border without going through all cells again:
/// a tiled floor has as many borders as rows.
struct Sides {
    /// From left to right where cells begin, and how far to the right all cells up to there reach.
    reach: Vec<(f32, f32)>,
    rows: Vec<Row>,
}

/// Cells that begin at one height.
struct Row {
    top: f32,
    /// The middles of its first and of its last cell.
    first: f32,
    last: f32,
}

impl Sides {
    fn from_faces(faces: &[Rect]) -> Self {
        let mut reach: Vec<(f32, f32)> = faces.iter().map(|face| (face.x1, face.x2)).collect();
        reach.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut reached = f32::MIN;
        for (_, right) in &mut reach {
            reached = reached.max(*right);
            *right = reached;
        }
        let mut by_top: Vec<&Rect> = faces.iter().collect();
        by_top.sort_by(|a, b| a.y1.total_cmp(&b.y1));
        let rows = by_top.chunk_by(|a, b| a.y1 == b.y1).map(|cells| {
            let middles = cells.iter().map(|face| middle(face));
            let (first, last) =
                middles.fold((f32::MAX, f32::MIN), |(first, last), middle| (first.min(middle), last.max(middle)));
            Row { top: cells[0].y1, first, last }
        });
        Self { reach, rows: rows.collect() }
    }

    /// Whether no cell crosses a border and the rows on its two sides lie at different heights.
    fn differ(&self, border: f32) -> bool {
        let begun = self.reach.partition_point(|(left, _)| *left < border - SAME_BORDER);
        let reached = begun.checked_sub(1).and_then(|last| self.reach.get(last));
        if reached.is_some_and(|(_, right)| *right > border + SAME_BORDER) {
            return false;
        }
        let tops = |has_cells: &dyn Fn(&Row) -> bool| {
            snapped(self.rows.iter().filter(|row| has_cells(row)).map(|row| row.top))
        };
        let (of_left, of_right) = (tops(&|row| row.first < border), tops(&|row| row.last >= border));
        let fewest = of_left.len().min(of_right.len());
        let is_shared =
            |top: f32| of_right.get(nearest(&of_right, top)).is_some_and(|own| (own - top).abs() <= SAME_BORDER);
        let shared = of_left.iter().filter(|&&top| is_shared(top)).count();
        fewest >= FEWEST_ROWS && (shared as f32) < SHARED_ROWS * fewest as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of cells between the given columns' borders, `heights` from the top.
    fn rows(top: f32, heights: &[f32], columns: &[f32]) -> Vec<Rect> {
        let mut y = top;
        let mut faces = Vec::new();
        for height in heights {
            let cells = columns.windows(2).map(|pair| Rect { x1: pair[0], y1: y, x2: pair[1], y2: y + height });
            faces.extend(cells);
            y += height;
        }
        faces
    }

    #[test]
    fn tables_in_one_frame_are_parted_where_their_columns_change() {
        let mut faces = rows(0.0, &[12.0], &[0.0, 300.0]);
        faces.extend(rows(12.0, &[10.0; 3], &[0.0, 40.0, 100.0, 200.0, 300.0]));
        faces.extend(rows(42.0, &[12.0], &[0.0, 300.0]));
        faces.extend(rows(54.0, &[10.0; 4], &[0.0, 40.0, 130.0, 170.0, 260.0, 300.0]));
        let sizes: Vec<usize> = regions(&faces).iter().map(Vec::len).collect();
        assert_eq!(sizes, [13, 21]);
    }

    #[test]
    fn group_rows_and_merged_headers_stay_in_their_table() {
        let mut faces = rows(0.0, &[10.0], &[0.0, 40.0, 200.0, 300.0]);
        faces.extend(rows(10.0, &[10.0; 2], &[0.0, 40.0, 100.0, 200.0, 300.0]));
        faces.extend(rows(30.0, &[10.0], &[0.0, 300.0]));
        faces.extend(rows(40.0, &[10.0; 2], &[0.0, 40.0, 100.0, 200.0, 300.0]));
        assert_eq!(regions(&faces).len(), 1);
    }

    #[test]
    fn tables_beside_each_other_with_rows_of_their_own_are_two() {
        let mut faces = rows(0.0, &[10.0; 12], &[0.0, 40.0, 100.0]);
        faces.extend(rows(0.0, &[13.0, 13.0, 13.0, 13.0, 13.0, 13.0, 13.0, 13.0, 16.0], &[100.0, 140.0, 200.0]));
        assert_eq!(regions(&faces).len(), 2);
    }
}
