//! Finds the ruled tables of a scanned page by the rules in its image.
//!
//! - `strokes`: long strokes in the foreground;
//! - `faint_lines`: lines that are too faint to be strokes, and the cells that they split;
//! - `broken_rules`: joins what broken rules separate.
//!
//! The thresholds were chosen by eye on synthetic scans (`models/drafting`) and on a sheet of 1939, lettered and ruled by hand.

mod broken_rules;
mod faint_lines;
mod strokes;

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::Frame;
use fanlight_raster::GreyImage;

use crate::grid::Grid;
use crate::rules::Rules;
use crate::{cells, regions};

use faint_lines::split_at_faint_lines;
use strokes::{Axis, Foreground, strokes};

/// Resolution at which a page is searched for rules, in pixels per inch.
pub const LOOK_DPI: f32 = 150.0;

/// Steepest skew of a table, in pixels down per pixel to the right.
const MAX_SKEW: f32 = 0.02;
/// Minimum length of a horizontal rule, in points: longer than any stroke of lettering.
const MIN_HORIZONTAL_RULE: f32 = 48.0;
/// Minimum length of a vertical rule, in points: the height of a row.
const MIN_VERTICAL_RULE: f32 = 16.0;
/// A rule that stops at most this short of another one reaches it, in points: a hand lifts the pen early.
const MAX_GAP: f32 = 4.5;
/// Maximum distance of a hand-drawn rule from its place, in points.
const MAX_OFFSET: f32 = 4.5;
/// Minimum number of cells of a table. Fewer are boxes.
const MIN_CELLS: usize = 6;

/// Returns the ruled grids in the image of a page, without text, in the frame in which a viewer shows the page; and the skew by
/// which the image must be deskewed before their cells are cut out of it.
pub fn find_in_image(image: &GreyImage, dpi: f32, geometry: &Geometry) -> (Vec<Grid>, f32) {
    let skew = image.skew(MAX_SKEW);
    let upright = if skew == 0.0 { image.clone() } else { image.deskewed(skew) };
    let foreground = Foreground {
        mask: upright.binarized(),
        width: upright.width,
        height: upright.height,
        points_per_pixel: 72.0 / dpi,
    };
    let rules = Rules {
        horizontal: strokes(&foreground, Axis::Horizontal, MIN_HORIZONTAL_RULE),
        vertical: strokes(&foreground, Axis::Vertical, MIN_VERTICAL_RULE),
        ..Rules::default()
    };
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let groups = cells::groups(&rules, MAX_GAP);
    let groups: Vec<Vec<Rect>> = groups.iter().map(|group| group.iter().map(|face| face.bbox).collect()).collect();
    let mut grids = Vec::new();
    for faces in broken_rules::adjoining(groups) {
        for region in broken_rules::joined(regions::regions(&broken_rules::straightened(&faces))) {
            if region.len() >= MIN_CELLS
                && let Some(mut grid) = Grid::of_faces(&split_at_faint_lines(region, &foreground), frame)
            {
                grid.fill_holes();
                grids.push(grid);
            }
        }
    }
    (grids, skew)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruled(width: usize, height: usize, skew: f32) -> GreyImage {
        let mut image = GreyImage { width, height, grey: vec![255; width * height] };
        let mut put = |x: f32, y: f32| {
            let (dx, dy) = (x - width as f32 / 2.0, y - height as f32 / 2.0);
            let (x, y) = (x - skew * dy, y + skew * dx);
            for off in 0..2 {
                let index = (y as usize + off) * width + x as usize;
                if let Some(pixel) = image.grey.get_mut(index) {
                    *pixel = 30;
                }
            }
        };
        for row in 0..6 {
            for x in 100..900 {
                put(x as f32, 100.0 + 60.0 * row as f32);
            }
        }
        for column in 0..5 {
            for y in 100..=400 {
                put(100.0 + 200.0 * column as f32, y as f32);
            }
        }
        image
    }

    #[test]
    fn ruled_image_is_a_grid_straight_or_skewed() {
        let sheet = Rect { x1: 0.0, y1: 0.0, x2: 480.0, y2: 240.0 };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        for skew in [0.0, 0.008, -0.012] {
            let (grids, found) = find_in_image(&ruled(1000, 500, skew), 150.0, &geometry);
            assert!((found - skew).abs() < 0.0015, "{skew}: {found}");
            let sizes: Vec<(usize, usize)> = grids.iter().map(|grid| (grid.width(), grid.height())).collect();
            assert_eq!(sizes, [(4, 5)], "{skew}");
        }
    }
}
