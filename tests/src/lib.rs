//! What the end-to-end tests stand on: the installed programs, servers of the real binary, and documents made to
//! measure. `cargo xtask test` builds and lays out all of it first.
#![expect(clippy::missing_panics_doc, reason = "in a test a panic is the report")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "in a test a panic is the report")]

pub mod document;
pub mod identity_provider;
pub mod installed;
pub mod networks;
pub mod plugins;
pub mod server;
