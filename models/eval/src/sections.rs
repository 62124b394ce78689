//! Sections of project manuals extracted without a host, for `content-extractor`.

use content_extractor::{Extraction, Leaf, Parameters};
use native::{NativePage, Readable as _};
use pdf_engine::Document;

/// Extracts the sections that `parameters` name.
///
/// # Errors
///
/// If the file or a page cannot be opened.
pub fn extract_sections(pdf: Vec<u8>, parameters: &Parameters) -> Result<Extraction, String> {
    Ok(content_extractor::extract(parameters, read_leaves(pdf)?))
}

/// Reads the pages of a document, scanned ones by OCR if `tesseract` is installed.
///
/// # Errors
///
/// If the file or a page cannot be opened.
pub fn read_leaves(pdf: Vec<u8>) -> Result<Vec<Leaf>, String> {
    let document = Document::open(pdf).map_err(|error| format!("{error:?}"))?;
    (1..=document.page_count())
        .map(|number| {
            let page = document.page(number).map_err(|error| format!("{error:?}"))?;
            let page = NativePage::new(page).with_ocr();
            let read = fanlight_raster::read_text(&page);
            Ok(Leaf::from_text(number, &read, &page.geometry()))
        })
        .collect()
}
