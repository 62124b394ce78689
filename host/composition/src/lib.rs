//! What is decided about a plugin before anything of it is compiled.
//!
//! A [`Package`] is a `plugin.toml` and a component. [`compose`] checks what the component imports and exports against what
//! the package asks for, the operator [`Grants`] and the host has to offer, and puts it together with the PDF and OCR
//! engines into one component. [`check_manifest`] and [`component_problems`] find everything that is wrong for the
//! author. No compiler and no runtime here, so that strangers' bytes can be tried on all of it quickly.

mod capability;
mod composition;
mod limits;
mod manifest_check;
mod package;
mod problem;

pub use capability::{Capability, Grant, Grants, Offer, Refusal, UnknownGrant, check_imports, is_same_interface};
pub use composition::{COMPOSITION, Engines, PDF, compose};
pub use limits::Limits;
pub use manifest_check::{CheckedManifest, check_manifest};
pub use package::{Manifest, Package, PackageError, WantedModel};
pub use problem::{Problem, component_problems};
