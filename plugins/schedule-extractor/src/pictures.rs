//! Tables that are images on a sheet with text: pasted from a spreadsheet, or an old sheet in a new
//! title block.

use fanlight_contract::{Geometry, ImagePlacement, PagePaths, PageText, Rect};
use fanlight_geometry::RectExt as _;

/// Minimum width of an image of a table, in points. The limits of this file were chosen by eye.
const MIN_WIDTH: f32 = 144.0;
/// Minimum height of an image of a table, in points.
const MIN_HEIGHT: f32 = 72.0;
/// Minimum resolution at which text can be read, in dpi.
const MIN_DPI: f32 = 90.0;
/// Maximum number of images of a page that are examined, the largest first. Bounds the time.
const MAX_IMAGES: usize = 4;
/// Maximum number of path segments of a page whose images are examined. Bounds the time: it takes another pass over the page's
/// content.
const MAX_SEGMENTS: usize = 60_000;
/// Maximum deviation of an image's axes from those of the page, as a slope.
const MAX_SLOPE: f32 = 0.01;
/// Minimum share of background pixels in an image of a table.
const MIN_BACKGROUND: f32 = 0.5;
/// Minimum grey value of a background pixel.
const MIN_BACKGROUND_GREY: u8 = 190;

/// Returns the images that may be tables, in user space: large, sharp, upright, and without text
/// over them.
pub(crate) fn possible_tables(
    images: impl FnOnce() -> Vec<ImagePlacement>,
    paths: &PagePaths,
    text: &PageText,
) -> Vec<Rect> {
    if paths.ops.len() > MAX_SEGMENTS {
        return Vec::new();
    }
    let mut boxes: Vec<Rect> =
        images().iter().filter(|image| may_hold_a_table(image)).map(|image| image.bbox).collect();
    boxes.retain(|bbox| !text.runs.iter().any(|run| run.visible && is_in(&run.bbox, bbox)));
    boxes.sort_by(|a, b| b.signed_area().total_cmp(&a.signed_area()));
    boxes.truncate(MAX_IMAGES);
    boxes
}

/// Returns a page's geometry as if an image were all of it.
pub(crate) fn geometry(page: &Geometry, picture: Rect) -> Geometry {
    Geometry { crop_box: picture.clamped_to(&page.crop_box), ..*page }
}

/// Returns whether most of an image is background, unlike photographs and renderings.
pub(crate) fn is_on_paper(grey: &[u8]) -> bool {
    let background = grey.iter().filter(|pixel| **pixel >= MIN_BACKGROUND_GREY).count();
    background as f32 >= MIN_BACKGROUND * grey.len() as f32
}

/// Returns whether an image is large, sharp and along the axes of the page.
fn may_hold_a_table(image: &ImagePlacement) -> bool {
    let (a, b, c, d, ..) = image.matrix;
    let (width, height) = (image.bbox.x2 - image.bbox.x1, image.bbox.y2 - image.bbox.y1);
    let (straight, cross) = (a.abs() + d.abs(), b.abs() + c.abs());
    let is_along_axes = cross <= MAX_SLOPE * straight || straight <= MAX_SLOPE * cross;
    let dpi = image.width as f32 * 72.0 / a.hypot(b).max(1.0);
    !image.stencil && is_along_axes && width >= MIN_WIDTH && height >= MIN_HEIGHT && dpi >= MIN_DPI
}

/// Returns whether the middle of a run is inside a box.
fn is_in(run: &Rect, bbox: &Rect) -> bool {
    let (x, y) = run.center();
    x > bbox.x1 && x < bbox.x2 && y > bbox.y1 && y < bbox.y2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(bbox: [f32; 4], width: u32) -> ImagePlacement {
        let [x1, y1, x2, y2] = bbox;
        let matrix = (x2 - x1, 0.0, 0.0, y2 - y1, x1, y1);
        ImagePlacement { bbox: Rect { x1, y1, x2, y2 }, matrix, width, height: width, stencil: false }
    }

    #[test]
    fn only_large_and_sharp_images_are_examined() {
        let paths = PagePaths {
            ops: vec![],
            coordinates: vec![],
            lengths: vec![],
            style_of: vec![],
            styles: vec![],
            layers: vec![],
        };
        let text = PageText { fonts: vec![], runs: vec![] };
        let cases = [
            ("a table", image([0.0, 0.0, 400.0, 200.0], 1200), 1),
            ("a logo", image([0.0, 0.0, 90.0, 40.0], 900), 0),
            ("a blurred one", image([0.0, 0.0, 400.0, 200.0], 200), 0),
        ];
        for (what, picture, expected) in cases {
            assert_eq!(possible_tables(|| vec![picture], &paths, &text).len(), expected, "{what}");
        }
    }
}
