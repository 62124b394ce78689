//! Whether a page is a scan: an image of text rather than text.

use fanlight_contract::{Geometry, ImagePlacement, PageText};
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

/// Returns whether a page is a scan: it has no text layer, and images cover much of it. Asks for the images only if there is
/// no text layer.
pub fn is_scan(text: &PageText, images: impl FnOnce() -> Vec<ImagePlacement>, geometry: &Geometry) -> bool {
    if has_text(text) {
        return false;
    }
    let page = geometry.crop_box;
    let covered: f32 = images().iter().map(|image| image.bbox.clamped_to(&page).signed_area()).sum();
    covered >= MIN_COVERED_SHARE * page.signed_area()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::{Rect, TextRun};

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
}
