//! The OpenAPI document, and what others make of it: clients in three languages and Schemathesis, each at work on live
//! servers.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod document;
mod schemathesis;
mod sdk;

use std::path::{Path, PathBuf};

/// A file of the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}
