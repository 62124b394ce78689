//! Whether the text layer of a page can be used.

use fanlight_contract::{Geometry, PageText};
use fanlight_plugin::page::Readable;

/// Returns whether the text of a page must be read from its picture: it has none, or most of its characters are unknown.
pub(crate) fn is_missing(page: &impl Readable, text: &PageText, geometry: &Geometry) -> bool {
    is_undecoded(text) || fanlight_raster::needs_ocr(page, text, geometry)
}

/// Returns whether most characters of a text are unknown: its fonts do not say what their codes mean.
fn is_undecoded(text: &PageText) -> bool {
    let characters = || text.runs.iter().flat_map(|run| run.text.chars()).filter(|c| !c.is_whitespace());
    let unknown = characters().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    2 * unknown > characters().count()
}
