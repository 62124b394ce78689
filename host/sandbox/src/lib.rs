//! Runs models as sandboxed WebAssembly components.
//!
//! A [`Sandbox`] holds one wasmtime engine and the PDF engine, itself a component. [`Sandbox::load`] takes a plugin's
//! [`Package`], checks what it asks for against the operator's [`Grants`], composes it with the PDF engine, compiles
//! it (or finds its machine code in the cache) and gives a [`Model`]. [`Model::run`] takes a [`Task`] through shards,
//! each in a store of its own, and checks what they return against the plugin's schemas; [`Model::present`] shows a
//! stored result as clients read it. [`Sandbox::inspect`], [`Sandbox::pages`] and [`Sandbox::picture`] ask the PDF
//! engine alone about a document, and an [`Annotator`] draws boxes into one.
//!
//! A guest that traps, hangs, floods or overeats fails its one task with a [`Failure`]; nothing of it survives.
//! No HTTP and no SQL here.

mod annotator;
mod bindings;
mod capability;
mod composition;
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
mod package;
mod picture;
mod reading;
mod schemas;
mod shards;
mod warning;

pub use annotator::{AnnotateError, Annotation, Annotator};
pub use capability::{Capability, Grant, Grants, Refusal, UnknownGrant};
pub use document::Document;
pub use engine::{Outline, Sandbox, Settings};
pub use guest::{Failure, Progress};
pub use inspection::{Inspection, OpenError, PageBox, PageGeometry};
pub use limits::Limits;
pub use model::{Description, Granularity, Model, ModelResult, Task};
pub use package::{Package, PackageError, WantedModel};
pub use picture::{Picture, PictureError};
pub use schemas::HOST_FIELDS;
pub use warning::Warning;
