//! OCR of a whole page.

use fanlight_contract::{Geometry, TextRun};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Layout, Readable, finest_dpi, upright};
use fanlight_raster::{Capture, DPI, can_be_rendered, clean, fitted, word_runs};

/// A word that OCR has read, as a text run of the page.
pub(crate) struct RecognizedRun {
    pub(crate) run: TextRun,
    /// From 0 to 1.
    pub(crate) confidence: f32,
}

/// The languages of OCR. The host uses those that it has data for.
const LANGUAGES: [&str; 2] = ["en", "fr"];
/// Most pixels of a page's image. A letter page has 8.4 million at [`DPI`], a sheet of 24 x 36 in has these at 152 dpi.
const MAX_PIXELS: f32 = 20_000_000.0;
/// Points per inch.
const INCH: f32 = 72.0;

/// Reads a page by OCR. Returns no runs if it cannot be rendered, or there is no OCR.
pub(crate) fn recognize(page: &impl Readable, geometry: &Geometry) -> Vec<RecognizedRun> {
    let Some(dpi) = resolution(geometry) else { return Vec::new() };
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    if !can_be_rendered(&page.paths(), &frame, dpi / INCH) {
        eprintln!("a page is not read by OCR: it has too many lines to be rendered");
        return Vec::new();
    }
    let Some(picture) = page.render(&upright(None, dpi)) else { return Vec::new() };
    // What cleaning takes for a dot or a rule has its size in pixels at this resolution only.
    let (picture, layout) = if dpi == DPI { (clean(&picture), Layout::Block) } else { (picture, Layout::Sparse) };
    let Some(words) = page.recognize(&picture, layout, &LANGUAGES) else { return Vec::new() };
    let words = fitted(words, &picture);
    let runs = word_runs(&words, geometry, Capture::of_page(&picture, dpi)).into_iter();
    runs.map(|(word, run)| RecognizedRun { run, confidence: word.confidence }).collect()
}

/// Returns the resolution at which a page is read, in dpi; `None` if the page is too large for any.
fn resolution(geometry: &Geometry) -> Option<f32> {
    let area = geometry.crop_box.signed_area();
    (area <= MAX_PIXELS * INCH * INCH).then(|| finest_dpi(geometry.crop_box, geometry, MAX_PIXELS, DPI))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::Rect;

    #[test]
    fn large_pages_are_read_at_a_lower_resolution() {
        let geometry = |width, height, user_unit| {
            let sheet = Rect { x1: 0.0, y1: 0.0, x2: width, y2: height };
            Geometry { media_box: sheet, crop_box: sheet, rotation: 90, user_unit }
        };
        let rounded = |geometry: &Geometry| resolution(geometry).map(f32::round);
        assert_eq!(rounded(&geometry(612.0, 792.0, 1.0)), Some(300.0));
        assert_eq!(rounded(&geometry(2592.0, 1728.0, 1.0)), Some(152.0));
        assert_eq!(rounded(&geometry(1296.0, 864.0, 2.0)), Some(304.0), "the same size in other units");
        assert_eq!(rounded(&geometry(0.0, 0.0, 1.0)), Some(300.0));
        assert_eq!(rounded(&geometry(9e9, 9e9, 1.0)), None);
        assert_eq!(rounded(&geometry(f32::NAN, 9.0, 1.0)), None);
    }
}
