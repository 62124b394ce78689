//! One function for each thing that strangers send. Each takes any bytes, and panics if a promise is broken.
#![expect(clippy::missing_panics_doc, reason = "a panic is the report")]

use fanlight_archive::Files;
use fanlight_contract::{Orientation, PixelFormat, Rect, RenderOptions};
use fanlight_schema::Schema;
use pdf_annotator::{Mark, PlacedWord, TextLine};
use pdf_engine::{Document, Page};

/// Most pages that are read of one document. What a page holds matters, not how many there are.
const PAGES: u32 = 3;
/// Pixels per inch of the pictures, few so that many are drawn.
const DPI: f32 = 20.0;

/// Reads a PDF as a plugin does: whatever is in the file, the values are finite and agree with each other.
pub fn document(bytes: &[u8]) {
    let Ok(document) = Document::open(bytes.to_vec()) else { return };
    document.outline();
    document.metadata();
    assert!(document.page_count() > 0, "an open document has a page");
    for number in 1..=document.page_count().min(PAGES) {
        if let Ok(page) = document.page(number) {
            check_page(&page);
        }
    }
}

fn check_page(page: &Page) {
    for run in &page.text().runs {
        let numbers = [run.x, run.y, run.size, run.bbox.x1, run.bbox.y1, run.bbox.x2, run.bbox.y2];
        assert!(numbers.iter().all(|number| number.is_finite()), "a run of text is somewhere: {run:?}");
        let lengths: usize = run.lengths.iter().map(|length| usize::from(*length)).sum();
        assert_eq!(lengths, run.text.len(), "glyphs make up the text of a run");
    }
    let paths = page.paths();
    assert!(paths.coordinates.iter().all(|number| number.is_finite()), "points are somewhere");
    assert_eq!(paths.lengths.iter().sum::<u32>() as usize, paths.ops.len(), "paths make up all steps");
    assert!(paths.style_of.iter().all(|style| (*style as usize) < paths.styles.len()), "each path has a style");
    page.images();
    let options =
        RenderOptions { dpi: DPI, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed };
    // A page that is too large is refused, which is right.
    if let Ok(raster) = page.render(&options) {
        let pixels = raster.width as usize * raster.height as usize;
        assert_eq!(raster.words.is_empty(), pixels == 0, "a picture has pixels");
    }
}

/// Draws into a PDF, and lays text over it.
pub fn annotations(bytes: &[u8]) {
    let mark = Mark {
        page: 1,
        bbox: Rect { x1: 10.0, y1: 10.0, x2: 60.0, y2: 40.0 },
        title: "Door".to_owned(),
        contents: String::new(),
        color: 0xff_00_00,
    };
    let word = PlacedWord { text: "EXIT".to_owned(), x: 10.0, y: 10.0, width: 30.0 };
    let line = TextLine { page: 1, angle: 90.0, size: 9.0, words: vec![word] };
    for update in [pdf_annotator::update(bytes.to_vec(), &[mark]), pdf_annotator::add_text(bytes.to_vec(), &[line])] {
        let Ok(update) = update else { continue };
        let text = String::from_utf8_lossy(&update);
        assert!(update.is_empty() || text.trim_end().ends_with("%%EOF"), "an update is whole");
    }
}

/// Reads a package. One that is accepted is written again as it was, apart from what tar leaves open.
pub fn package(bytes: &[u8]) {
    let Ok(files) = Files::unpack(bytes) else { return };
    let packed = files.pack(Vec::new()).unwrap_or_default();
    let again = Files::unpack(packed.as_slice());
    assert_eq!(again.map(|files| files.digest()).ok(), Some(files.digest()), "a package keeps its digest");
    let _ = files.signature();
}

/// Compiles a schema, the first line, and checks a text, the others, against it.
pub fn schema(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some((schema, value)) = text.split_once('\n') else { return };
    let Ok(parsed) = serde_json::from_str::<serde_json::Value>(schema) else { return };
    let Ok(compiled) = Schema::compile(&parsed) else { return };
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(value).is_ok();
    assert!(is_json || compiled.check(value).is_err(), "what is not JSON fits no schema");
}
