//! What the author of a Fanlight plugin depends on.
//!
//! A plugin is one model. Implement one of two traits for a type, and name that type in [`export_model!`]:
//!
//! - [`PageModel`] for a model that reads one page at a time and lists what it finds, such as a detector;
//! - [`Model`] for any other.
//!
//! [`picture`] makes the inputs of networks from pages, and [`nn`] runs networks on them.
//!
//! Build with `crate-type = ["cdylib"]` for `wasm32-wasip2`. The contract underneath is the WIT package
//! `fanlight:plugin` in the project's `wit/`.
//!
//! ```
//! use fanlight_plugin::{Description, Failure, Granularity, Model, Request, pdf};
//!
//! /// Counts the words of a document.
//! struct WordCounter;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Parameters {}
//!
//! #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
//! struct Count {
//!     words: usize,
//! }
//!
//! impl Model for WordCounter {
//!     type Parameters = Parameters;
//!     type Partial = Count;
//!     type Outcome = Count;
//!
//!     fn description() -> Description {
//!         Description {
//!             name: "word-counter",
//!             version: "0.1.0",
//!             summary: "Counts words.",
//!             granularity: Granularity::Page,
//!             max_pages: None,
//!         }
//!     }
//!
//!     fn analyze(request: &Request<Parameters>) -> Result<Count, Failure> {
//!         let document = pdf::Document::open()?;
//!         let mut words = 0;
//!         for &number in &request.pages {
//!             let text = document.page(number)?.text();
//!             words += text.runs.iter().map(|run| run.text.split_whitespace().count()).sum::<usize>();
//!         }
//!         Ok(Count { words })
//!     }
//!
//!     fn conclude(_: &Request<Parameters>, partials: Vec<Count>) -> Result<Count, Failure> {
//!         Ok(Count { words: partials.iter().map(|partial| partial.words).sum() })
//!     }
//! }
//!
//! fanlight_plugin::export_model!(WordCounter);
//! # fn main() {}
//! ```

mod adapter;
#[doc(hidden)]
pub mod bindings;
mod bounding_box;
mod identifier;
mod manifest;
mod model;
pub mod page;
mod page_model;
#[doc(hidden)]
pub mod parameters;
pub mod picture;

pub use adapter::Adapter;
pub use bounding_box::{BoundingBox, hundredth};
pub use fanlight_contract as vocabulary;
pub use fanlight_contract::nn;
pub use identifier::identifier;
#[doc(hidden)]
pub use manifest::version_of;
pub use model::{Description, Failure, Granularity, Model, Request};
pub use page_model::{JobPage, NoParameters, PageItems, PageModel};

/// The document, read through the sandboxed engine: `wit/pdf.wit`.
pub mod pdf {
    pub use crate::bindings::fanlight::plugin::pdf::{Document, Metadata, OutlineItem, Page};
    pub use fanlight_contract::{OpenError, PageError};
}

/// The job that is running: `wit/job.wit`.
pub mod job {
    pub use crate::bindings::fanlight::plugin::job::{asked_for, progress};
}

/// Reading text from pixels: `wit/ocr.wit`. Using it asks for the capability `ocr`.
pub mod ocr {
    pub use crate::bindings::fanlight::plugin::ocr::{Layout, OcrError, Options, Word, recognize};
}

/// A large language model behind the host: `wit/language.wit`. Using it asks for the capability `language`.
pub mod language {
    pub use crate::bindings::fanlight::plugin::language::{LanguageError, Prompt, complete};
}

/// The version of the plugin: that of the `plugin.toml` beside the `Cargo.toml` of the crate that calls this.
#[macro_export]
macro_rules! version {
    () => {
        const { $crate::version_of(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/plugin.toml"))) }
    };
}

/// Exports the named type, which implements [`Model`] or [`PageModel`], as the plugin's model.
///
/// Expands to nothing on other targets than WebAssembly, where the crate is a plain library whose logic can be tested.
#[macro_export]
macro_rules! export_model {
    ($model:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            type Component = $crate::Adapter<$model>;
    $crate::bindings::export!(Component with_types_in $crate::bindings);
        };
    };
}
