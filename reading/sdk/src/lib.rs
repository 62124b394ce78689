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
//! Each item has an example. A method without one of its own is used in the example of its type or trait, and what
//! [`pdf`], [`job`], [`ocr`] and [`language`] hold in the example of that module. Examples that call the host are only
//! compiled when they are tested.
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

#[doc(hidden)]
pub use adapter::Adapter;
// A comment at a type with a JSON Schema is what clients read there. So the examples of such types stand here.

/// A box as results contain it.
///
/// ```
/// use fanlight_plugin::{BoundingBox, vocabulary::Rect};
///
/// let bbox = BoundingBox::from(Rect { x1: 10.001, y1: 20.0, x2: 46.333, y2: 56.0 });
/// assert_eq!(serde_json::to_string(&bbox).unwrap(), r#"{"x1":10.0,"y1":20.0,"x2":46.33,"y2":56.0}"#);
/// ```
pub use bounding_box::BoundingBox;
pub use bounding_box::hundredth;
pub use fanlight_contract as vocabulary;
pub use fanlight_contract::nn;
pub use identifier::identifier;
#[doc(hidden)]
pub use manifest::version_of;
pub use model::{Description, Failure, Granularity, Model, Request};
/// Parameters of a model that takes none.
///
/// ```
/// use fanlight_plugin::NoParameters;
///
/// assert!(serde_json::from_str::<NoParameters>("{}").is_ok());
/// assert!(serde_json::from_str::<NoParameters>(r#"{"scale": 2}"#).is_err());
/// ```
pub use page_model::NoParameters;
/// The result of most models.
///
/// ```
/// use fanlight_plugin::PageItems;
///
/// #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Doors {
///     doors: Vec<String>,
///     doors_found: usize,
/// }
///
/// /// A `PageModel` with this as its `Outcome` gives its clients other names to read.
/// impl From<PageItems<String>> for Doors {
///     fn from(found: PageItems<String>) -> Self {
///         Self { doors_found: found.items_found, doors: found.items }
///     }
/// }
///
/// let found = PageItems { items: vec!["door_4d061a9ac332".to_owned()], items_found: 1, pages_analyzed: 3 };
/// assert_eq!(Doors::from(found).doors_found, 1);
/// ```
pub use page_model::PageItems;
pub use page_model::{JobPage, PageModel};

/// The document, read through the sandboxed engine: `wit/pdf.wit`.
///
/// ```no_run
/// use fanlight_plugin::Failure;
/// use fanlight_plugin::pdf::{Document, Metadata, OpenError, OutlineItem, Page, PageError};
/// use fanlight_plugin::vocabulary::{PixelFormat, Orientation, RenderOptions};
///
/// /// Prints what the document says of itself, and returns the pages that its outline calls plans.
/// fn plans() -> Result<Vec<Page>, Failure> {
///     let document: Document = Document::open().map_err(|error: OpenError| Failure::from(error))?;
///     let Metadata { title, producer, .. } = document.metadata();
///     eprintln!("{title:?} by {producer:?} has {} pages", document.page_count());
///     let outline: Vec<OutlineItem> = document.outline();
///     let plans = outline.iter().filter(|item| item.title.contains("PLAN"));
///     let pages = plans.filter_map(|item| item.page).map(|number| document.page(number));
///     pages.collect::<Result<_, PageError>>().map_err(Failure::from)
/// }
///
/// /// Prints what is on a page, and returns how many pixels it has at 100 dpi.
/// fn describe(page: &Page) -> Result<u32, PageError> {
///     eprintln!("{:?}", page.geometry().crop_box);
///     eprintln!("{} runs of text", page.text().runs.len());
///     eprintln!("{} paths, {} images", page.paths().lengths.len(), page.images().len());
///     let picture = page.render(RenderOptions {
///         dpi: 100.0,
///         region: None,
///         format: PixelFormat::Grey,
///         orientation: Orientation::Displayed,
///     })?;
///     Ok(picture.width * picture.height)
/// }
/// ```
pub mod pdf {
    pub use crate::bindings::fanlight::plugin::pdf::{Document, Metadata, OutlineItem, Page};
    pub use fanlight_contract::{OpenError, PageError};
}

/// The job that is running: `wit/job.wit`.
///
/// ```no_run
/// use fanlight_plugin::job;
///
/// /// Calls `read` with each page of a shard, and reports the progress. A `PageModel` does so by itself.
/// fn each_page(pages: &[u32], read: impl Fn(u32)) {
///     if job::asked_for().is_none() {
///         eprintln!("the whole document is wanted");
///     }
///     for (done, &number) in (0..).zip(pages) {
///         job::progress(done, pages.len() as u32, &format!("Reading page {number}"));
///         read(number);
///     }
/// }
/// ```
pub mod job {
    pub use crate::bindings::fanlight::plugin::job::{asked_for, progress};
}

/// Reading text from pixels: `wit/ocr.wit`. Using it asks for the capability `ocr`.
///
/// ```no_run
/// use fanlight_plugin::ocr::{Layout, OcrError, Options, Word, recognize};
/// use fanlight_plugin::vocabulary::Raster;
///
/// /// Returns the number in a small picture, such as that of a door's tag.
/// fn number(picture: &Raster) -> Option<u32> {
///     let options = Options {
///         layout: Layout::Line,
///         languages: vec!["en".to_owned()],
///         characters: "0123456789".to_owned(),
///     };
///     match recognize(picture, &options) {
///         Ok(words) => {
///             let surest: Word = words.into_iter().max_by(|a, b| a.confidence.total_cmp(&b.confidence))?;
///             surest.text.parse().ok()
///         }
///         // The job carries a warning for the client.
///         Err(OcrError::Unavailable(_) | OcrError::BadRequest(_) | OcrError::Failed(_)) => None,
///     }
/// }
/// ```
pub mod ocr {
    pub use crate::bindings::fanlight::plugin::ocr::{Layout, OcrError, Options, Word, recognize};
}

/// A large language model behind the host: `wit/language.wit`. Using it asks for the capability `language`.
///
/// ```no_run
/// use fanlight_plugin::language::{LanguageError, Prompt, complete};
///
/// /// An answer's schema: closed, with all properties required.
/// const SCHEMA: &str = r#"{"type": "object", "properties": {"manufacturer": {"type": "string"}},
///     "required": ["manufacturer"], "additionalProperties": false}"#;
///
/// /// Returns the manufacturer that each paragraph names, as JSON. All are asked in one call.
/// fn manufacturers(paragraphs: &[String]) -> Vec<Option<String>> {
///     let prompts: Vec<Prompt> = paragraphs
///         .iter()
///         .map(|paragraph| Prompt {
///             instructions: "Name the manufacturer, or leave it empty.".to_owned(),
///             material: paragraph.clone(),
///             max_tokens: 100,
///         })
///         .collect();
///     let answers = complete(&prompts, SCHEMA).into_iter();
///     answers
///         .map(|answer| answer.inspect_err(|error: &LanguageError| eprintln!("no answer: {error:?}")).ok())
///         .collect()
/// }
/// ```
pub mod language {
    pub use crate::bindings::fanlight::plugin::language::{LanguageError, Prompt, complete};
}

/// The version of the plugin: that of the `plugin.toml` beside the `Cargo.toml` of the crate that calls this.
///
/// In a package with a `plugin.toml`:
///
/// ```ignore
/// const VERSION: &'static str = fanlight_plugin::version!();
/// ```
#[macro_export]
macro_rules! version {
    () => {
        const { $crate::version_of(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/plugin.toml"))) }
    };
}

/// Exports the named type, which implements [`Model`] or [`PageModel`], as the plugin's model.
///
/// Expands to nothing on other targets than WebAssembly, where the crate is a plain library whose logic can be tested.
///
/// ```
/// use fanlight_plugin::{Failure, JobPage, NoParameters, PageItems, PageModel, export_model};
///
/// /// Lists the rotation of each page in degrees.
/// #[derive(Default)]
/// struct Rotations;
///
/// impl PageModel for Rotations {
///     type Parameters = NoParameters;
///     type Item = u32;
///     type Outcome = PageItems<u32>;
///
///     const NAME: &'static str = "rotations";
///     const VERSION: &'static str = "0.1.0";
///     const SUMMARY: &'static str = "Lists the rotations of pages.";
///
///     fn analyze_page(&self, page: &JobPage<'_>, _: &NoParameters) -> Result<Vec<u32>, Failure> {
///         Ok(vec![page.content.geometry().rotation])
///     }
/// }
///
/// export_model!(Rotations);
/// # fn main() {}
/// ```
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
