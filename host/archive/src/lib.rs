//! A plugin's package as one file.
//!
//! A package is a set of files ([`Files`]), read from a folder or from an archive: an uncompressed tar, so nothing in it
//! can grow while it is read. Only regular files with the names of `files.rs` belong to it, up to fixed sizes. Everything
//! else is refused before anything is written.
//!
//! The [digest](Files::digest) of a package covers the name, size and SHA-256 of each file, so folder and archive have
//! the same one. The [signature](Signature) is a file of its own over that digest. It is checked before the component
//! reaches a compiler.

mod archive;
mod error;
mod files;
mod signature;

pub use error::ArchiveError;
pub use files::{Files, LONGEST_NAME, MANIFEST, NETWORKS, PACKAGE_BYTES, SIGNATURE, WASM, is_name};
pub use signature::{PublicKey, SecretKey, Signature};
