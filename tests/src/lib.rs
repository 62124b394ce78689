//! Shared parts of the end-to-end tests: the installed programs, servers of the real binary, and small documents.
//! `cargo xtask test` builds and lays out all of it first.
#![expect(clippy::missing_panics_doc, reason = "in a test a panic is the report")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "in a test a panic is the report")]

pub mod boxes;
pub mod document;
pub mod identity_provider;
pub mod installed;
pub mod networks;
pub mod plan;
pub mod plugins;
pub mod registry;
pub mod server;
