//! What plugins get from the host, without a sandbox: pages from the engine, OCR and networks from the host's own crates.
//!
//! Evaluation programs and tests use it, so that what they measure is what serves. [`prints`] also renders pages for
//! synthetic scans.

mod network;
mod ocr;
mod page;
mod prints;
mod tesseract;

pub use fanlight_plugin::page::{Readable, upright};
pub use network::NativeNetwork;
pub use ocr::NativeOcr;
pub use page::NativePage;
pub use prints::prints;
pub use tesseract::tesseract_words;
