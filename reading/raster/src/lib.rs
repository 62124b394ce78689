//! Pages that are pictures of text.
//!
//! [`is_scan`] tells them from pages that have text of their own, [`render_options`] says how to render one for OCR,
//! [`clean`] takes out of the picture what OCR stumbles over, [`fitted`] cuts the boxes of the words that were read to
//! their letters, and [`page_text`] turns those words into what the PDF engine gives for a page with text, so that
//! whatever reads pages reads scans as well.

mod clean;
mod fit;
mod leaders;
mod picture;
mod rules;
mod runs;

use fanlight_contract::{Geometry, ImagePlacement, Orientation, PageText, PixelFormat, Rect, RenderOptions};

pub use clean::clean;
pub use fanlight_contract::ReadWord;
pub use fit::fitted;
pub use runs::page_text;

/// Pixels an inch at which pages are rendered for OCR: capitals of 10 pt type are then some 30 pixels high, which
/// Tesseract reads best.
pub const DPI: f32 = 300.0;

/// A page with more characters than this has a text layer; a scan may carry a stamp or a page number.
const STAMP_CHARACTERS: usize = 80;
/// The share of a page that its pictures cover if it is a scan; some scanners crop the margins.
const COVERED: f32 = 0.4;

/// Whether a page has text of its own: such a page is no scan, whatever pictures are on it.
pub fn has_text(text: &PageText) -> bool {
    let characters = text.runs.iter().flat_map(|run| run.text.chars()).filter(|c| !c.is_whitespace());
    characters.take(STAMP_CHARACTERS + 1).count() > STAMP_CHARACTERS
}

/// Whether a page is a picture of text: hardly a character of its own, and pictures over much of it.
pub fn is_scan(text: &PageText, images: &[ImagePlacement], geometry: &Geometry) -> bool {
    if has_text(text) {
        return false;
    }
    let page = geometry.crop_box;
    let covered: f32 = images.iter().map(|image| area(within(image.bbox, page))).sum();
    covered >= COVERED * area(page)
}

/// How to render such a page: as a viewer shows it, since OCR reads upright text.
pub fn render_options() -> RenderOptions {
    RenderOptions { dpi: DPI, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed }
}

fn within(inner: Rect, outer: Rect) -> Rect {
    Rect {
        x1: inner.x1.clamp(outer.x1, outer.x2),
        y1: inner.y1.clamp(outer.y1, outer.y2),
        x2: inner.x2.clamp(outer.x1, outer.x2),
        y2: inner.y2.clamp(outer.y1, outer.y2),
    }
}

fn area(rect: Rect) -> f32 {
    (rect.x2 - rect.x1) * (rect.y2 - rect.y1)
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
    fn a_scan_is_covered_by_pictures_and_has_no_text_of_its_own() {
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
            assert_eq!(is_scan(&text(characters), &images, &geometry), expected, "{what}");
        }
    }
}
