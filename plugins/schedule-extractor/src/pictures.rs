//! Tables that are images on a sheet with text: pasted from a spreadsheet, or an old sheet in a new
//! title block.

use fanlight_contract::{Geometry, ImagePlacement, PagePaths, PageText, Rect};
use fanlight_geometry::RectExt as _;

/// The least width and height of an image of a table, in points.
const SMALLEST: (f32, f32) = (144.0, 72.0);
/// The least resolution at which text can be read, in dpi.
const MIN_DPI: f32 = 90.0;
/// The most images of a page that are examined, the largest first.
const MAX_IMAGES: usize = 4;
/// The images of a page with more path segments are not read: that would take another pass over its
/// content.
const MAX_SEGMENTS: usize = 60_000;
/// The greatest deviation of an image's axes from those of the page, as a slope.
const LEAN: f32 = 0.01;
/// The least share of background pixels in an image of a table.
const PAPER: f32 = 0.5;
/// Pixels lighter than this are background.
const LIGHT: u8 = 190;

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
    boxes.retain(|bbox| !text.runs.iter().any(|run| run.visible && lies_in(run.bbox, bbox)));
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
    let light = grey.iter().filter(|pixel| **pixel >= LIGHT).count();
    light as f32 >= PAPER * grey.len() as f32
}

fn may_hold_a_table(image: &ImagePlacement) -> bool {
    let (a, b, c, d, ..) = image.matrix;
    let (wide, tall) = (image.bbox.x2 - image.bbox.x1, image.bbox.y2 - image.bbox.y1);
    let along = (b.abs() + c.abs()) <= LEAN * (a.abs() + d.abs()) || (a.abs() + d.abs()) <= LEAN * (b.abs() + c.abs());
    let dpi = image.width as f32 * 72.0 / a.hypot(b).max(1.0);
    !image.stencil && along && wide >= SMALLEST.0 && tall >= SMALLEST.1 && dpi >= MIN_DPI
}

fn lies_in(run: Rect, bbox: &Rect) -> bool {
    let (x, y) = (f32::midpoint(run.x1, run.x2), f32::midpoint(run.y1, run.y2));
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
