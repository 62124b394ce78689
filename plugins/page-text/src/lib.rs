//! Reads the lines of pages in reading order: from the text layer, or by OCR where a page has none.
//!
//! - `own_text`: whether the text layer of a page can be used;
//! - `recognition`: OCR of a whole page, in four directions, as text runs;
//! - `lines`: from text runs to lines;
//! - `order`: the order in which lines are read;
//! - `result`: what clients read; `plugin`: the model that the host runs.

mod lines;
mod order;
mod own_text;
mod plugin;
mod recognition;
mod result;

use fanlight_contract::PageText;
use fanlight_plugin::page::Readable;

pub use plugin::PageTextModel;
pub use result::{Line, Pages, Parameters, Source, TextPage, UseOcr, Word};

use lines::TextWithOcr;

/// Returns the lines of a page in reading order.
pub fn read(page: &impl Readable, parameters: Parameters) -> Vec<Line> {
    let geometry = page.geometry();
    let ignores_own = parameters.ocr == UseOcr::Always;
    let own = if ignores_own { PageText { fonts: Vec::new(), runs: Vec::new() } } else { page.text() };
    let needs_ocr = match parameters.ocr {
        UseOcr::Always => true,
        UseOcr::Auto => own_text::is_missing(page, &own, &geometry),
        UseOcr::Never => false,
    };
    let mut text = TextWithOcr::new(own);
    if needs_ocr {
        text.add(recognition::recognize(page, &geometry));
    }
    text.lines(&geometry, parameters.words)
}
