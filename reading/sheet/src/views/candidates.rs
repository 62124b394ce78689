//! Proposes boxes that may hold one view of a sheet.
//!
//! White space parts the views of a sheet, but how much of it does so differs from office to office, and from view to view. So
//! the foreground is clustered at growing distances (single-linkage clustering), and the bounding box of each cluster at each
//! distance is a candidate. Straight rules across the sheet join what they divide, so the same is done without them.

use fanlight_contract::Rect;
use fanlight_geometry::{EMPTY_RECT, RectExt as _};
use fanlight_raster::{PixelBox, labelled_components};

use crate::views::image::SheetImage;

/// Length of the longer side of the mask in cells. A letter of a sheet is a cell or two high.
const MASK_LENGTH: usize = 1024;
/// The distances in cells up to which foreground belongs to one cluster.
const DISTANCES: [usize; 12] = [0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36];
/// Distances are measured with an error of up to a quarter, on a coarser mask.
const STEPS_OF_A_DISTANCE: usize = 4;
/// Minimum side of a candidate, as a share of the sheet's longer side.
const MIN_SIDE: f32 = 0.02;
/// Minimum length of a rule that divides a sheet, as a share of the sheet's longer side.
const MIN_RULE: f32 = 0.3;
/// Boxes with at least this intersection over union are one candidate.
const SAME: f32 = 0.95;
/// Maximum number of candidates of a sheet, the largest first.
pub const MAX_CANDIDATES: usize = 250;

/// Returns the candidates of a sheet in pixels of its image, y down, the largest first.
///
/// The time grows with the cells of the mask and the square of the number of candidates.
pub fn candidates(image: &SheetImage<'_>) -> Vec<Rect> {
    let cell = image.width().max(image.height()).div_ceil(MASK_LENGTH);
    let mask = Mask::of_image(image, cell);
    let mut boxes = clusters(&mask);
    boxes.extend(clusters(&mask.without_rules()));
    let (least, cell) = (MIN_SIDE * mask.width.max(mask.height) as f32, cell as f32);
    boxes.retain(|bbox| bbox.x2 - bbox.x1 >= least && bbox.y2 - bbox.y1 >= least);
    boxes.sort_by(|a, b| b.area().total_cmp(&a.area()));
    let mut kept: Vec<Rect> = Vec::new();
    for bbox in boxes {
        if kept.len() == MAX_CANDIDATES {
            break;
        }
        if !kept.iter().any(|other| other.iou(&bbox) >= SAME) {
            kept.push(bbox);
        }
    }
    kept.into_iter()
        .map(|Rect { x1, y1, x2, y2 }| Rect { x1: x1 * cell, y1: y1 * cell, x2: x2 * cell, y2: y2 * cell })
        .collect()
}

/// Returns the boxes of the clusters at all distances, in cells.
fn clusters(mask: &Mask) -> Vec<Rect> {
    let (labels, components) = labelled_components(&mask.cells, mask.width);
    // Each cell of a component is in the same cluster, so one cell of it tells which.
    let mut one_cell = vec![0; components.len()];
    for (cell, label) in labels.into_iter().enumerate() {
        if let Some(component) = label {
            one_cell[component] = cell;
        }
    }
    let mut boxes = Vec::new();
    for distance in DISTANCES {
        let side = (distance / STEPS_OF_A_DISTANCE).max(1);
        let coarse = mask.pooled(side).dilated(distance.div_ceil(side));
        let (labels, found) = labelled_components(&coarse.cells, coarse.width);
        let mut clusters = vec![EMPTY_RECT; found.len()];
        for (component, cell) in components.iter().zip(&one_cell) {
            let (x, y) = (cell % mask.width, cell / mask.width);
            if let Some(cluster) = labels[(y / side) * coarse.width + x / side] {
                clusters[cluster] = clusters[cluster].union(&bounds(component));
            }
        }
        boxes.extend(clusters.into_iter().filter(|bbox| bbox.x2 > bbox.x1));
    }
    boxes
}

/// Returns the outer edges of a box of cells.
fn bounds(cells: &PixelBox) -> Rect {
    let [x1, y1, x2, y2] = [cells.left, cells.top, cells.right + 1, cells.bottom + 1].map(|edge| edge as f32);
    Rect { x1, y1, x2, y2 }
}

/// A foreground mask.
struct Mask {
    width: usize,
    height: usize,
    cells: Vec<bool>,
}

impl Mask {
    /// Returns the mask whose cells have `side` pixels of the image. One pixel of foreground makes a cell foreground.
    fn of_image(image: &SheetImage<'_>, side: usize) -> Self {
        let (width, height) = (image.width().div_ceil(side), image.height().div_ceil(side));
        let mut cells = vec![false; width * height];
        for y in 0..image.height() {
            let cells = &mut cells[(y / side) * width..][..width];
            for (x, darkness) in image.darkness(y, 0, image.width()).enumerate() {
                cells[x / side] |= darkness > 0.0;
            }
        }
        Self { width, height, cells }
    }

    /// Returns the mask whose cells have `side` cells of this one.
    fn pooled(&self, side: usize) -> Self {
        let (width, height) = (self.width.div_ceil(side), self.height.div_ceil(side));
        let mut cells = vec![false; width * height];
        for (y, row) in self.cells.chunks_exact(self.width.max(1)).enumerate() {
            let cells = &mut cells[(y / side) * width..][..width];
            for (x, cell) in row.iter().enumerate() {
                cells[x / side] |= cell;
            }
        }
        Self { width, height, cells }
    }

    /// Returns the mask with each foreground cell extended by `reach` cells to the right and down.
    fn dilated(mut self, reach: usize) -> Self {
        if reach == 0 {
            return self;
        }
        for row in self.cells.chunks_exact_mut(self.width.max(1)) {
            let mut left = 0;
            for cell in row {
                left = if *cell { reach + 1 } else { left };
                *cell = left > 0;
                left = left.saturating_sub(1);
            }
        }
        let mut left = vec![0; self.width];
        for row in self.cells.chunks_exact_mut(self.width.max(1)) {
            for (cell, left) in row.iter_mut().zip(&mut left) {
                *left = if *cell { reach + 1 } else { *left };
                *cell = *left > 0;
                *left = left.saturating_sub(1);
            }
        }
        self
    }

    /// Returns the mask without straight rules across a large part of the sheet.
    fn without_rules(&self) -> Self {
        let least = ((MIN_RULE * self.width.max(self.height) as f32) as usize).max(2);
        let mut cells = self.cells.clone();
        for y in 0..self.height {
            clear_runs(&self.cells, &mut cells, (0..self.width).map(|x| y * self.width + x), least);
        }
        for x in 0..self.width {
            clear_runs(&self.cells, &mut cells, (0..self.height).map(|y| y * self.width + x), least);
        }
        Self { width: self.width, height: self.height, cells }
    }
}

/// Clears the runs of foreground of at least `least` cells along a line of cells.
fn clear_runs(foreground: &[bool], cells: &mut [bool], line: impl Iterator<Item = usize>, least: usize) {
    let line: Vec<usize> = line.collect();
    let runs = line.chunk_by(|a, b| foreground[*a] == foreground[*b]);
    // A run of paper is cleared already.
    for index in runs.filter(|run| run.len() >= least).flatten() {
        cells[*index] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet of 1000 by 800 pixels with black boxes: left, top, right, bottom.
    fn found(boxes: &[[usize; 4]]) -> Vec<[f32; 4]> {
        let (width, height) = (1000, 800);
        let mut pixels = vec![255; width * height];
        for &[left, top, right, bottom] in boxes {
            for y in top..bottom {
                pixels[y * width + left..y * width + right].fill(0);
            }
        }
        candidates(&SheetImage::new(&pixels, width, height).unwrap())
            .into_iter()
            .map(|Rect { x1, y1, x2, y2 }| [x1, y1, x2, y2])
            .collect()
    }

    #[test]
    fn near_parts_are_candidates_alone_and_together() {
        let boxes = found(&[[100, 100, 200, 200], [210, 100, 300, 200], [600, 500, 700, 600]]);
        for expected in [[100.0, 100.0, 300.0, 200.0], [100.0, 100.0, 200.0, 200.0], [600.0, 500.0, 700.0, 600.0]] {
            assert!(boxes.contains(&expected), "{expected:?} of {boxes:?}");
        }
        assert_eq!(boxes[0], [100.0, 100.0, 300.0, 200.0], "the largest is first");
    }

    #[test]
    fn a_rule_across_the_sheet_does_not_join_views() {
        let boxes = found(&[[50, 400, 950, 402], [100, 300, 200, 400], [700, 300, 800, 400]]);
        assert!(boxes.contains(&[100.0, 300.0, 200.0, 400.0]), "{boxes:?}");
        assert!(boxes.contains(&[50.0, 300.0, 950.0, 402.0]), "{boxes:?}");
    }

    #[test]
    fn an_empty_sheet_and_specks_have_no_candidates() {
        assert_eq!(found(&[]), Vec::<[f32; 4]>::new());
        assert_eq!(found(&[[10, 10, 12, 12], [500, 500, 503, 503]]), Vec::<[f32; 4]>::new());
    }
}
