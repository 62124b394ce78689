//! A manual read by the engine built natively: no sandbox between.

use content_extractor::{Extraction, Leaf, Parameters};
use fanlight_text::Page;
use pdf_engine::Document;

/// The sections that were asked for, as the host would have them read.
pub(crate) fn extract(pdf: Vec<u8>, parameters: &Parameters) -> Result<Extraction, String> {
    Ok(content_extractor::extract(parameters, leaves(pdf)?))
}

/// The leaves of a document.
pub(crate) fn leaves(pdf: Vec<u8>) -> Result<Vec<Leaf>, String> {
    let document = Document::open(pdf).map_err(|error| format!("{error:?}"))?;
    (1..=document.page_count())
        .map(|number| {
            let page = document.page(number).map_err(|error| format!("{error:?}"))?;
            Ok(Leaf::of(number, &Page::read(&page.text(), &page.geometry())))
        })
        .collect()
}
