//! Regions: splits groups of connected cells into tables.
//!
//! Tables are stacked in one frame, are side by side with a common line, and share the sheet's border with the title block. Their
//! columns separate them: rows of one table have the same left and right edge, and the same borders of columns except where cells
//! are merged.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

/// Maximum distance of two borders that are the same, in points.
pub(crate) const SAME_BORDER: f32 = 2.2;
/// Minimum share of a row's borders that are borders of the rows above it.
const MIN_SHARED_BORDERS: f32 = 0.6;
/// Minimum share of rows' borders that two sides of one table have in common.
const MIN_SHARED_ROWS: f32 = 0.6;
/// Minimum number of rows of a table beside another one.
const MIN_SIDE_ROWS: usize = 4;
/// Maximum number of cells over all rows, merged ones counted in each row. Bounds the memory.
const MAX_CELLS: usize = 4_000_000;

/// Adjacent cells of one row.
struct Strip {
    row: usize,
    left: f32,
    right: f32,
    /// The borders between its cells.
    borders: Vec<f32>,
    /// The indices of its cells.
    faces: Vec<usize>,
    /// Whether one of its cells begins in the row above.
    from_above: bool,
}

/// Strips, one below the other, that have the same columns.
struct Region {
    left: f32,
    right: f32,
    borders: Vec<f32>,
    strips: Vec<Strip>,
}

impl Region {
    fn of_strip(strip: Strip) -> Self {
        Self { left: strip.left, right: strip.right, borders: strip.borders.clone(), strips: vec![strip] }
    }

    /// Returns whether a strip has the same left and right edge, one row below the last strip.
    fn is_above(&self, strip: &Strip) -> bool {
        self.ends_above(strip.row) && is_same(self.left, strip.left) && is_same(self.right, strip.right)
    }

    fn ends_above(&self, row: usize) -> bool {
        self.strips.last().is_some_and(|last| last.row + 1 == row)
    }

    /// Returns whether a strip is one more row of the region.
    fn is_continued_by(&self, strip: &Strip) -> bool {
        if self.borders.is_empty() || strip.borders.is_empty() || strip.from_above {
            return true;
        }
        let shared = strip.borders.iter().filter(|&&border| has_border(&self.borders, border)).count() as f32;
        let all = strip.borders.len().min(self.borders.len()) as f32;
        shared >= MIN_SHARED_BORDERS * all
    }

    fn add(&mut self, strip: Strip) {
        self.borders = snapped(self.borders.iter().chain(&strip.borders).copied());
        self.strips.push(strip);
    }

    /// Removes and returns the last strips of one cell each, which are the title of the table below.
    fn take_title(&mut self) -> Vec<Strip> {
        let is_title = |strip: &Strip| strip.borders.is_empty() && !strip.from_above;
        let titles = self.strips.iter().skip(1).rev().take_while(|strip| is_title(strip)).count();
        self.strips.split_off(self.strips.len() - titles)
    }
}

/// Returns the box around some cells; `None` for no cells.
pub(crate) fn area_of(cells: &[Rect]) -> Option<Rect> {
    cells.iter().copied().reduce(|a, b| a.union(&b))
}

/// Returns the cells of a row between two heights. `borders` are those of the columns, both edges of the table included.
pub(crate) fn row_of_cells(borders: &[f32], y1: f32, y2: f32) -> impl Iterator<Item = Rect> {
    borders.windows(2).map(move |x| Rect { x1: x[0], y1, x2: x[1], y2 })
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
        split_side_by_side(own, &region.borders, &mut found);
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
    let mut clusters: Vec<Cluster> = Vec::new();
    for value in sorted {
        match clusters.last_mut() {
            Some(cluster) if value - cluster.last <= same && value - cluster.mean() <= 2.0 * same => cluster.add(value),
            _ => clusters.push(Cluster { sum: value, count: 1.0, last: value }),
        }
    }
    clusters.iter().map(Cluster::mean).collect()
}

/// Values that are equal but for rounding.
struct Cluster {
    sum: f32,
    count: f32,
    /// The greatest value.
    last: f32,
}

impl Cluster {
    fn mean(&self) -> f32 {
        self.sum / self.count
    }

    fn add(&mut self, value: f32) {
        self.sum += value;
        self.count += 1.0;
        self.last = value;
    }
}

fn is_same(a: f32, b: f32) -> bool {
    (a - b).abs() <= SAME_BORDER
}

/// Returns whether one of some sorted borders is at a place.
fn has_border(borders: &[f32], place: f32) -> bool {
    borders.get(nearest(borders, place)).is_some_and(|&own| is_same(own, place))
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

/// Returns the strips of each row; `None` if the cells are too many.
fn strips(faces: &[Rect], rows: &[f32]) -> Option<Vec<Vec<Strip>>> {
    let mut in_row: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    let mut count = 0;
    for (index, face) in faces.iter().enumerate() {
        let covered = nearest(rows, face.y1)..nearest(rows, face.y2);
        count += covered.len();
        if count > MAX_CELLS {
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
                Some(strip) if is_same(face.x1, strip.right) => {
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

/// Returns the regions of cells, by joining the strips of each row with those above (sweep line from the top).
fn grown(faces: &[Rect], rows: &[f32]) -> Vec<Region> {
    let Some(all) = strips(faces, rows) else { return Vec::new() };
    let mut open: Vec<Region> = Vec::new();
    let mut closed: Vec<Region> = Vec::new();
    for (row, strips) in all.into_iter().enumerate() {
        let (current, ended): (Vec<_>, Vec<_>) = open.into_iter().partition(|region| region.ends_above(row));
        closed.extend(ended);
        open = current;
        for strip in strips {
            let Some(index) = open.iter().position(|region| region.is_above(&strip)) else {
                open.push(Region::of_strip(strip));
                continue;
            };
            if open[index].is_continued_by(&strip) {
                open[index].add(strip);
                continue;
            }
            let mut ended = open.swap_remove(index);
            let mut strips = ended.take_title();
            let borders = strip.borders.clone();
            strips.push(strip);
            open.push(Region { left: ended.left, right: ended.right, borders, strips });
            closed.push(ended);
        }
    }
    closed.extend(open);
    closed
}

/// Splits tables that are side by side with a common line: their rows are at different heights.
fn split_side_by_side(faces: Vec<Rect>, borders: &[f32], found: &mut Vec<Vec<Rect>>) {
    let sides = Sides::from_faces(&faces);
    let Some(border) = borders.iter().copied().find(|&border| sides.differ(border)) else {
        found.push(faces);
        return;
    };
    let (left, right) = faces.into_iter().partition(|face| face.center().0 < border);
    split_side_by_side(left, borders, found);
    split_side_by_side(right, borders, found);
}

/// The cells to the left and to the right of any border. A border is examined without a pass over all cells: a tiled floor has as
/// many borders as rows.
struct Sides {
    reaches: Vec<Reach>,
    rows: Vec<Row>,
}

/// How far to the right the cells extend that begin up to a place.
struct Reach {
    left: f32,
    right: f32,
}

/// Cells that begin at one height.
struct Row {
    top: f32,
    /// The leftmost middle of its cells.
    first: f32,
    /// The rightmost middle of its cells.
    last: f32,
}

impl Sides {
    fn from_faces(faces: &[Rect]) -> Self {
        let mut reaches: Vec<Reach> = faces.iter().map(|face| Reach { left: face.x1, right: face.x2 }).collect();
        reaches.sort_by(|a, b| a.left.total_cmp(&b.left));
        let mut right = f32::MIN;
        for reach in &mut reaches {
            right = right.max(reach.right);
            reach.right = right;
        }
        let mut by_top: Vec<&Rect> = faces.iter().collect();
        by_top.sort_by(|a, b| a.y1.total_cmp(&b.y1));
        let rows = by_top.chunk_by(|a, b| a.y1 == b.y1).map(Row::of_faces).collect();
        Self { reaches, rows }
    }

    /// Returns whether no cell crosses a border and the rows on its two sides are at different heights.
    fn differ(&self, border: f32) -> bool {
        if self.is_crossed(border) {
            return false;
        }
        let left = self.tops(|row| row.first < border);
        let right = self.tops(|row| row.last >= border);
        let rows = left.len().min(right.len());
        let shared = left.iter().filter(|&&top| has_border(&right, top)).count();
        rows >= MIN_SIDE_ROWS && (shared as f32) < MIN_SHARED_ROWS * rows as f32
    }

    fn is_crossed(&self, border: f32) -> bool {
        let begun = self.reaches.partition_point(|reach| reach.left < border - SAME_BORDER);
        let reach = begun.checked_sub(1).and_then(|last| self.reaches.get(last));
        reach.is_some_and(|reach| reach.right > border + SAME_BORDER)
    }

    /// Returns the upper borders of some rows.
    fn tops(&self, is_wanted: impl Fn(&Row) -> bool) -> Vec<f32> {
        snapped(self.rows.iter().filter(|row| is_wanted(row)).map(|row| row.top))
    }
}

impl Row {
    /// Returns the row of some cells that begin at one height.
    fn of_faces(faces: &[&Rect]) -> Self {
        let middles = || faces.iter().map(|face| face.center().0);
        Self {
            top: faces.first().map_or(0.0, |face| face.y1),
            first: middles().fold(f32::MAX, f32::min),
            last: middles().fold(f32::MIN, f32::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns rows of cells of the given heights, from `top` down, between the given borders of columns.
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
    fn tables_in_one_frame_are_split_where_their_columns_change() {
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
    fn tables_side_by_side_with_different_rows_are_two() {
        let mut faces = rows(0.0, &[10.0; 12], &[0.0, 40.0, 100.0]);
        faces.extend(rows(0.0, &[13.0, 13.0, 13.0, 13.0, 13.0, 13.0, 13.0, 13.0, 16.0], &[100.0, 140.0, 200.0]));
        assert_eq!(regions(&faces).len(), 2);
    }

    #[test]
    fn values_that_differ_by_rounding_are_one_border() {
        assert_eq!(snapped([10.0, 0.0, 2.0].into_iter()), [1.0, 10.0]);
        assert_eq!(snapped([0.0, 2.0, 4.0, 6.0, 8.0].into_iter()).len(), 2, "a chain of small steps ends");
    }

    #[test]
    fn nearest_value_is_below_or_above() {
        for (place, expected) in [(-5.0, 0), (4.0, 0), (6.0, 1), (25.0, 2)] {
            assert_eq!(nearest(&[0.0, 10.0, 20.0], place), expected, "{place}");
        }
    }
}
