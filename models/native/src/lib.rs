//! What plugins get from the host, without a sandbox: pages from the engine, OCR and networks from the host's own crates.
//!
//! Evaluation programs and tests use it, so that what they measure is what serves. [`prints`] also renders pages for
//! synthetic scans.

mod network;
mod ocr;
mod page;
mod prints;

pub use fanlight_plugin::page::{Readable, upright};
pub use network::NativeNetwork;
pub use page::NativePage;
pub use prints::prints;
