//! What plugins have from the host, without a host: pages from the engine, OCR from Tesseract, networks run by rten. For
//! measuring and for tests, which also put pages on paper with it; nothing is sandboxed.

mod network;
mod page;
mod prints;

pub use fanlight_plugin::page::{Readable, upright};
pub use network::NativeNetwork;
pub use page::NativePage;
pub use prints::prints;
