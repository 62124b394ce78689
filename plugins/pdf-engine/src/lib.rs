//! The PDF engine: reads documents for all plugins, and renders the host's pictures of pages.
//!
//! Compiled to WebAssembly, it is the component of the world `pdf-engine` in the project's `wit/`,
//! and the only part of the system that parses PDF. Compiled natively, it is a library with the
//! same functions for tests and the benchmark:
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
//! hayro parses files, loads fonts, resolves colours and rasterises. [`Page::text`],
//! [`Page::paths`] and [`Page::images`] come from an interpreter of this crate over hayro's
//! operators, since hayro's interpreter reports neither the font and spacing of a run nor the layer
//! of a form.
//!
//! All coordinates are PDF user space of the unrotated page, in points, with y growing upwards: see
//! `wit/types.wit`.

mod bindings;
mod color;
#[cfg(target_family = "wasm")]
mod component;
mod content;
mod document;
mod font;
mod images;
mod layer;
mod outline;
mod page;
mod path;
mod paths;
mod render;
mod shape;
mod text;
mod text_string;

pub use bindings::exports::fanlight::plugin::pdf::{Metadata, OutlineItem};
pub use document::Document;
pub use fanlight_contract as vocabulary;
pub use page::Page;
