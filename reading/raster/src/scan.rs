//! Whether a page is a scan: an image of a page rather than text and paths.

use fanlight_contract::page::Readable;
use fanlight_contract::{Geometry, ImagePlacement, PageText, Rect};
use fanlight_geometry::RectExt as _;

/// A page with more characters than this has a text layer. A scan may carry a stamp or a page number.
const MAX_STAMP_CHARACTERS: usize = 80;
/// Minimum share of its area that images cover of a scanned page. Some scanners crop the margins.
const MIN_COVERED_SHARE: f32 = 0.4;

/// Returns the number of characters of a page's text, white space left out, or `limit` if there are at least as many.
pub fn character_count(text: &PageText, limit: usize) -> usize {
    text.runs.iter().flat_map(|run| run.text.chars()).filter(|c| !c.is_whitespace()).take(limit).count()
}

/// Returns whether a page has a text layer. Such a page is no scan, whatever images are on it.
pub fn has_text(text: &PageText) -> bool {
    character_count(text, MAX_STAMP_CHARACTERS + 1) > MAX_STAMP_CHARACTERS
}

/// A page with fewer characters has no text of its own, whatever stamp it has.
const MIN_OWN_CHARACTERS: usize = 25;

/// Returns whether a page has more text of its own than a stamp.
pub fn has_own_text(text: &PageText) -> bool {
    character_count(text, MIN_OWN_CHARACTERS) >= MIN_OWN_CHARACTERS
}

/// Returns whether a page is a scan: it has no text layer, and images cover much of it. Asks for the images only if there is
/// no text layer.
pub fn is_scan(text: &PageText, images: impl FnOnce() -> Vec<ImagePlacement>, geometry: &Geometry) -> bool {
    !has_text(text) && covered_share(&images(), geometry) >= MIN_COVERED_SHARE
}

/// Returns whether only a picture of a page with this text can tell what is written on it: the page is a scan, or shows something
/// and has at most a stamp's text. Its letters may be drawn then.
pub fn needs_ocr(page: &(impl Readable + ?Sized), text: &PageText, geometry: &Geometry) -> bool {
    if has_text(text) {
        return false;
    }
    let images = page.images();
    let shows_something = || !images.is_empty() || !page.paths().lengths.is_empty();
    covered_share(&images, geometry) >= MIN_COVERED_SHARE || (!has_own_text(text) && shows_something())
}

/// Minimum share of its area that images cover of a page that is a picture with text above or beneath it. A page that is
/// set by a word processor has margins.
const MIN_PICTURE_SHARE: f32 = 0.7;
/// A text of fewer characters above a picture of a page is a stamp or a header: a page of a manual has 1,500.
const MAX_HEADER_CHARACTERS: usize = 400;

/// Returns whether a page is a picture with text above or beneath it.
pub(crate) fn is_picture(images: &[ImagePlacement], geometry: &Geometry) -> bool {
    covered_share(images, geometry) >= MIN_PICTURE_SHARE
}

/// Returns whether the text of a page that is a picture is no more than a stamp or a header.
pub(crate) fn is_stamped(text: &PageText) -> bool {
    character_count(text, MAX_HEADER_CHARACTERS) < MAX_HEADER_CHARACTERS
}

/// Returns the share of the page's area that images cover; more than 1 if they overlap.
fn covered_share(images: &[ImagePlacement], geometry: &Geometry) -> f32 {
    let page = geometry.crop_box;
    let covered: f32 = images.iter().map(|image| image.bbox.clamped_to(&page).signed_area()).sum();
    covered / page.signed_area().max(f32::MIN_POSITIVE)
}

/// An image that covers a smaller share of the page is a logo or a seal.
const MIN_IMAGE: f32 = 0.1;
/// A page with more path operators shows a drawn plan. Fewer are a frame, a stamp and some marks over a scan.
const MAX_PATH_OPERATORS: usize = 1_500;

/// Returns the part of a page that its images cover, if the page is a scan of a drawing: images cover much of it, and it has too
/// few path operators for a drawn plan. Unlike [`is_scan`], it does not look at the text, because a plan may be pasted onto a
/// page with a heading and notes.
///
/// `images` is called only if the path operators leave it open.
pub fn scanned_area(
    path_operators: usize,
    geometry: &Geometry,
    images: impl FnOnce() -> Vec<ImagePlacement>,
) -> Option<Rect> {
    if path_operators > MAX_PATH_OPERATORS {
        return None;
    }
    let page = geometry.crop_box;
    let images = images();
    let parts = images.iter().filter_map(|image| image.bbox.overlap(&page));
    // A scan may consist of strips, each of them small.
    let covered: f32 = parts.clone().map(|part| part.signed_area()).sum();
    if covered < MIN_COVERED_SHARE * page.signed_area() {
        return None;
    }
    let large = parts.clone().filter(|part| part.signed_area() >= MIN_IMAGE * page.signed_area());
    large.reduce(|a, b| a.union(&b)).or_else(|| parts.reduce(|a, b| a.union(&b)))
}

/// Returns the highest resolution of a page's large images, in pixels per point, or 0 if it has none.
pub fn image_resolution(images: &[ImagePlacement], scanned: Rect) -> f32 {
    let large = images.iter().filter(|image| image.bbox.signed_area() >= MIN_IMAGE * scanned.signed_area());
    large.map(pixels_per_point).fold(0.0, f32::max)
}

/// Returns the resolution of an image as placed, along its finer axis.
fn pixels_per_point(image: &ImagePlacement) -> f32 {
    let (a, b, c, d, ..) = image.matrix;
    let (width, height) = (a.hypot(b), c.hypot(d));
    (image.width as f32 / width.max(0.01)).max(image.height as f32 / height.max(0.01))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::TextRun;

    const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };

    fn text(characters: usize) -> PageText {
        let run = TextRun {
            text: "a ".repeat(characters),
            lengths: Vec::new(),
            advances: Vec::new(),
            codes: Vec::new(),
            x: 0.0,
            y: 0.0,
            size: 10.0,
            angle: 0.0,
            bbox: SHEET,
            font: 0,
            color: 0,
            visible: true,
        };
        PageText { fonts: Vec::new(), runs: vec![run] }
    }

    fn image(bbox: Rect) -> ImagePlacement {
        ImagePlacement { bbox, matrix: (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), width: 100, height: 100, stencil: false }
    }

    #[test]
    fn a_scan_is_covered_by_images_and_has_no_text_layer() {
        let geometry = Geometry { media_box: SHEET, crop_box: SHEET, rotation: 0, user_unit: 1.0 };
        let strip = |y1: f32| image(Rect { x1: 0.0, y1, x2: 612.0, y2: y1 + 100.0 });
        let cases = [
            ("a whole picture", 0, vec![image(SHEET)], true),
            ("with a stamp", 20, vec![image(SHEET)], true),
            ("with a text layer", 500, vec![image(SHEET)], false),
            ("in strips", 0, vec![strip(0.0), strip(100.0), strip(200.0), strip(300.0)], true),
            ("beyond the page", 0, vec![image(Rect { x1: -9e9, y1: -9e9, x2: 9e9, y2: 9e9 })], true),
            ("a logo", 0, vec![strip(700.0)], false),
            ("nothing", 0, vec![], false),
        ];
        for (what, characters, images, expected) in cases {
            assert_eq!(is_scan(&text(characters), || images, &geometry), expected, "{what}");
        }
    }

    const PLAN_PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 1000.0, y2: 800.0 };

    fn placed(x1: f32, y1: f32, x2: f32, y2: f32) -> ImagePlacement {
        let matrix = (x2 - x1, 0.0, 0.0, y2 - y1, x1, y1);
        ImagePlacement { bbox: Rect { x1, y1, x2, y2 }, matrix, width: 2000, height: 1600, stencil: false }
    }

    fn corners(rect: Rect) -> [f32; 4] {
        [rect.x1, rect.y1, rect.x2, rect.y2]
    }

    #[test]
    fn a_scan_is_covered_by_images_and_has_few_paths() {
        let geometry = Geometry { media_box: PLAN_PAGE, crop_box: PLAN_PAGE, rotation: 90, user_unit: 1.0 };
        let strips: Vec<ImagePlacement> =
            (0..20).map(|n| placed(0.0, 40.0 * n as f32, 1000.0, 40.0 * n as f32 + 40.0)).collect();
        let pasted = Rect { x1: 100.0, y1: 50.0, x2: 800.0, y2: 700.0 };
        let cases = [
            ("a scan", vec![placed(0.0, 0.0, 1000.0, 800.0)], 0, Some(PLAN_PAGE)),
            ("a scan in strips", strips, 10, Some(PLAN_PAGE)),
            (
                "a plan pasted beside a logo",
                vec![placed(100.0, 50.0, 800.0, 700.0), placed(0.0, 750.0, 90.0, 800.0)],
                40,
                Some(pasted),
            ),
            ("larger than the page", vec![placed(-900.0, -900.0, 9000.0, 9000.0)], 0, Some(PLAN_PAGE)),
            ("a picture behind a drawn plan", vec![placed(0.0, 0.0, 1000.0, 800.0)], 90_000, None),
            ("a logo", vec![placed(0.0, 700.0, 300.0, 800.0)], 0, None),
            ("off the page", vec![placed(5000.0, 0.0, 9000.0, 800.0)], 0, None),
            ("nothing", vec![], 0, None),
        ];
        for (what, images, operators, expected) in cases {
            let found = scanned_area(operators, &geometry, || images);
            assert_eq!(found.map(corners), expected.map(corners), "{what}");
        }
    }

    #[test]
    fn resolution_is_that_of_the_finest_large_image() {
        assert_eq!(image_resolution(&[placed(0.0, 0.0, 1000.0, 800.0), placed(0.0, 0.0, 10.0, 10.0)], PLAN_PAGE), 2.0);
        assert_eq!(image_resolution(&[], PLAN_PAGE), 0.0);
    }
}
