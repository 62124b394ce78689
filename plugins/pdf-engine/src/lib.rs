//! The PDF engine: reads documents for every plugin, and for the host's own pictures of pages.
//!
//! Built for WebAssembly it is the component of the world `pdf-engine` in the project's `wit/`, and the only part of the
//! system that parses PDF. Built natively it is a plain library with the same functions, which tests and the benchmark
//! use:
//!
//! ```no_run
//! let document = pdf_engine::Document::open(std::fs::read("manual.pdf")?).map_err(|error| format!("{error:?}"))?;
//! let page = document.page(1).map_err(|error| format!("{error:?}"))?;
//! for run in &page.text().runs {
//!     println!("{:7.2} {:7.2} {}", run.x, run.y, run.text);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Parsing, fonts, colours and rasterisation are hayro's. What a page holds ([`Page::text`], [`Page::paths`],
//! [`Page::images`]) is read by an interpreter of our own over hayro's operators, since hayro's tells a device neither
//! a run's font and spacing nor a form's layer.
//!
//! Coordinates everywhere are PDF user space of the unrotated page, in points, y up: see `wit/types.wit`.

#[cfg(target_family = "wasm")]
mod component;
mod content;
mod document;
mod font;
mod images;
mod ink;
mod layer;
mod outline;
mod page;
mod path;
mod paths;
mod render;
mod shape;
mod text;
mod text_string;

pub use document::Document;
pub use fanlight_contract as vocabulary;
pub use outline::{Metadata, OutlineItem};
pub use page::Page;
