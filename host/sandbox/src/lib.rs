//! Runs models as sandboxed WebAssembly components.
//!
//! A [`Sandbox`] holds one wasmtime engine and the PDF engine, which is itself a component. [`Sandbox::load`] takes a
//! plugin's [`Package`], checks its requests against the operator's [`Grants`], composes it with the PDF engine,
//! compiles it (or finds its machine code in the cache) and returns a [`Model`]. [`Model::run`] runs a [`Task`] in
//! shards, each in a store of its own, and checks the results against the plugin's schemas. [`Model::present`]
//! converts a stored result to what clients read. [`Sandbox::inspect`], [`Sandbox::pages`] and [`Sandbox::picture`]
//! ask the PDF engine about a document, and an [`Annotator`] draws boxes into one or lays text over its pages.
//!
//! A guest that traps, hangs, floods its log or exceeds its memory fails only its own task, with a [`Failure`].
//! Nothing of it survives. No HTTP and no SQL here.

mod annotator;
mod bindings;
mod check;
mod document;
mod engine;
mod functions;
mod guest;
mod inspection;
mod limits;
mod linking;
mod log;
mod machine_code;
mod model;
mod nn;
mod picture;
mod reading;
mod schemas;
mod shards;
mod warning;

pub use annotator::{AnnotateError, Annotator, Mark, PlacedWord, Rect, TextLine};
pub use check::{Checked, Start};
pub use document::Document;
pub use engine::{Compilation, KEPT_RESIDENT, Outline, Sandbox, Settings};
pub use fanlight_composition::{
    Capability, Grant, Grants, Limits, Package, PackageError, Problem, Refusal, UnknownGrant, WantedModel,
};
pub use guest::{Failure, Progress, Usage};
pub use inspection::{Inspection, OpenError, PageBox, PageGeometry};
pub use model::{Description, Granularity, Model, ModelCall, ModelResult, Task};
pub use picture::{Picture, PictureError, PixelArea};
pub use schemas::HOST_FIELDS;
pub use warning::Warning;
