//! Connected components of a foreground mask.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A box of pixels, all four edges included: the bounding box of a connected component, or any part of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelBox {
    /// First column.
    pub left: usize,
    /// First row.
    pub top: usize,
    /// Last column.
    pub right: usize,
    /// Last row.
    pub bottom: usize,
}

impl PixelBox {
    /// Returns the number of columns.
    pub fn width(&self) -> usize {
        self.right - self.left + 1
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.bottom - self.top + 1
    }

    /// Returns the center in pixels.
    pub fn center(&self) -> (f32, f32) {
        ((self.left + self.right) as f32 / 2.0, (self.top + self.bottom) as f32 / 2.0)
    }

    /// Returns the Chebyshev distance from another box in pixels: the greater of the gaps across and down.
    pub fn distance(&self, other: &Self) -> usize {
        let across = other.left.saturating_sub(self.right).max(self.left.saturating_sub(other.right));
        let down = other.top.saturating_sub(self.bottom).max(self.top.saturating_sub(other.bottom));
        across.max(down)
    }

    /// Returns whether neither side is more than twice as long as the other: a dot is, a dash is not.
    pub fn is_round(&self) -> bool {
        self.width() <= self.height() * 2 && self.height() <= self.width() * 2
    }

    /// Returns the smallest box around both boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Returns the box with `by` more pixels at each side; it may reach beyond the image at the right and the bottom.
    #[must_use]
    pub fn expanded(self, by: usize) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: self.right.saturating_add(by),
            bottom: self.bottom.saturating_add(by),
        }
    }
}

/// A connected component of a foreground mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelComponent {
    /// Its bounding box.
    pub bbox: PixelBox,
    /// Number of its pixels.
    pub pixels: usize,
}

/// Returns the 8-connected components of a foreground mask in the order of their first pixels.
///
/// `foreground` holds rows of `width` pixels from the top.
pub fn components(foreground: &[bool], width: usize) -> Vec<PixelComponent> {
    let mut unvisited = foreground.to_vec();
    let mut found = Vec::new();
    for start in 0..unvisited.len() {
        if !unvisited[start] {
            continue;
        }
        let bbox = PixelBox { left: usize::MAX, top: usize::MAX, right: 0, bottom: 0 };
        let mut component = PixelComponent { bbox, pixels: 0 };
        flood_fill(&mut unvisited, width, start, |x, y| {
            component.bbox = component.bbox.union(&PixelBox { left: x, top: y, right: x, bottom: y });
            component.pixels += 1;
        });
        found.push(component);
    }
    found
}

/// Returns the number of each pixel's component, `None` in the background, and the boxes of the 8-connected components of a
/// foreground mask in the order of their first pixels.
///
/// `foreground` holds rows of `width` pixels from the top.
pub fn labelled_components(foreground: &[bool], width: usize) -> (Vec<Option<usize>>, Vec<PixelBox>) {
    let mut unvisited = foreground.to_vec();
    let mut labels = vec![None; foreground.len()];
    let mut boxes = Vec::new();
    for start in 0..unvisited.len() {
        if !unvisited[start] {
            continue;
        }
        let (x, y) = (start % width, start / width);
        let mut bbox = PixelBox { left: x, top: y, right: x, bottom: y };
        flood_fill(&mut unvisited, width, start, |x, y| {
            bbox = bbox.union(&PixelBox { left: x, top: y, right: x, bottom: y });
            labels[y * width + x] = Some(boxes.len());
        });
        boxes.push(bbox);
    }
    (labels, boxes)
}

/// Returns the boxes of the 8-connected components of a foreground mask that are at most `max_side` pixels wide and high, in
/// the order of their first pixels.
///
/// `foreground` holds rows of `width` pixels from the top.
pub(crate) fn small_components(foreground: &[bool], width: usize, max_side: usize) -> Vec<PixelBox> {
    let boxes = components(foreground, width).into_iter().map(|component| component.bbox);
    boxes.filter(|bbox| bbox.width() <= max_side && bbox.height() <= max_side).collect()
}

/// Returns the outlines of the 8-connected components of a foreground mask, in the order of their first pixels: for each
/// row of a component, the corners of its first and its last pixel. Their convex hull is that of the component's pixels.
///
/// `foreground` holds rows of `width` pixels from the top.
pub fn component_outlines(mut foreground: Vec<bool>, width: usize) -> Vec<Vec<(f32, f32)>> {
    let mut found = Vec::new();
    for start in 0..foreground.len() {
        if !foreground[start] {
            continue;
        }
        let mut rows: BTreeMap<usize, RangeInclusive<usize>> = BTreeMap::new();
        flood_fill(&mut foreground, width, start, |x, y| {
            let row = rows.entry(y).or_insert(x..=x);
            *row = x.min(*row.start())..=x.max(*row.end());
        });
        let corners = rows.into_iter().flat_map(|(y, row)| {
            let (left, right) = (*row.start() as f32, (*row.end() + 1) as f32);
            let (top, bottom) = (y as f32, (y + 1) as f32);
            [(left, top), (right, top), (left, bottom), (right, bottom)]
        });
        found.push(corners.collect());
    }
    found
}

/// Calls `visit` with the column and the row of each pixel of the 8-connected component of `start`, and clears them in the
/// mask (flood fill).
fn flood_fill(mask: &mut [bool], width: usize, start: usize, mut visit: impl FnMut(usize, usize)) {
    let height = mask.len() / width.max(1);
    mask[start] = false;
    let mut pending = vec![start];
    while let Some(at) = pending.pop() {
        let (x, y) = (at % width, at / width);
        visit(x, y);
        for next_y in y.saturating_sub(1)..(y + 2).min(height) {
            for next_x in x.saturating_sub(1)..(x + 2).min(width) {
                let next = next_y * width + next_x;
                if std::mem::take(&mut mask[next]) {
                    pending.push(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_that_touch_at_a_corner_are_one_component() {
        let rows = ["##....", "##....", "..#...", "......", "######"];
        let mask: Vec<bool> = rows.iter().flat_map(|row| row.chars().map(|c| c == '#')).collect();
        assert_eq!(small_components(&mask, 6, 3), [PixelBox { left: 0, top: 0, right: 2, bottom: 2 }]);
        assert_eq!(small_components(&mask, 6, 6).len(), 2);
        assert!(small_components(&[], 0, 3).is_empty());
    }

    #[test]
    fn each_pixel_has_the_number_of_its_component() {
        let (labels, boxes) = labelled_components(&[true, false, true, false, false, true], 3);
        assert_eq!(labels, [Some(0), None, Some(1), None, None, Some(1)]);
        assert_eq!(boxes[1], PixelBox { left: 2, top: 0, right: 2, bottom: 1 });
    }

    #[test]
    fn a_component_counts_its_pixels() {
        let bbox = PixelBox { left: 0, top: 0, right: 1, bottom: 1 };
        assert_eq!(components(&[true, true, false, true], 2), [PixelComponent { bbox, pixels: 3 }]);
    }

    #[test]
    fn boxes_that_touch_have_no_distance() {
        let own = PixelBox { left: 0, top: 0, right: 3, bottom: 3 };
        assert_eq!(own.distance(&PixelBox { left: 3, top: 2, right: 9, bottom: 9 }), 0);
        assert_eq!(own.distance(&PixelBox { left: 8, top: 6, right: 9, bottom: 9 }), 5);
    }

    #[test]
    fn an_outline_has_the_ends_of_each_row() {
        let mask = [true, true, false, false, false, false, false, true];
        let outlines = component_outlines(mask.to_vec(), 4);
        let upper = vec![(0.0, 0.0), (2.0, 0.0), (0.0, 1.0), (2.0, 1.0)];
        let lower = vec![(3.0, 1.0), (4.0, 1.0), (3.0, 2.0), (4.0, 2.0)];
        assert_eq!(outlines, [upper, lower]);
    }

    #[test]
    fn a_box_counts_its_edges() {
        let bbox = PixelBox { left: 2, top: 4, right: 3, bottom: 8 };
        assert_eq!((bbox.width(), bbox.height(), bbox.center()), (2, 5, (2.5, 6.0)));
        assert_eq!(bbox.expanded(3), PixelBox { left: 0, top: 1, right: 6, bottom: 11 });
    }
}
