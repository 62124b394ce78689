//! The OpenAPI document, and tools that use it on live servers: clients in three languages, and Schemathesis.

#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod document;
mod schemathesis;
mod sdk;

use std::path::{Path, PathBuf};

/// Returns the path of a file in the repository.
fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path)
}
