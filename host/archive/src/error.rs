//! Why a package is refused.

use std::path::PathBuf;

use thiserror::Error;

/// Why a package is refused. Each message is one sentence.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// A file or folder cannot be read or written.
    #[error("can't access {path}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The file is not an archive.
    #[error("the file is not a package that `fanlight plugin pack` has made: {0}")]
    NotAnArchive(String),
    /// An entry is not a regular file.
    #[error("the package holds `{0}`, which is a link, a folder or a device; only regular files belong into a package")]
    NotAFile(String),
    /// An entry's name is not one that a package may hold.
    #[error(
        "the package holds `{0}`, which does not belong into a package: that is plugin.toml, plugin.wasm, plugin.sig, \
         networks/NAME.onnx, README.md, LICENSE files and card.md"
    )]
    UnknownFile(String),
    /// A name occurs twice.
    #[error("the package holds `{0}` twice")]
    Twice(String),
    /// There are too many entries.
    #[error("the package holds more than {0} files")]
    TooMany(usize),
    /// A file is too large.
    #[error("`{name}` has {size} bytes, and a package may have at most {most} there")]
    TooLarge {
        /// The file's name.
        name: String,
        /// The bytes that it has, or claims to have.
        size: u64,
        /// The permitted bytes.
        most: u64,
    },
    /// A required file is missing.
    #[error("the package has no {0}")]
    Missing(&'static str),
    /// The component is not one.
    #[error("plugin.wasm is not a WebAssembly component: {0}")]
    NotAComponent(&'static str),
    /// A key's file or text is not valid.
    #[error("{0} is not a key: {1}")]
    Key(String, &'static str),
    /// The signature's file is not valid.
    #[error("plugin.sig is not a signature: {0}")]
    SignatureFile(String),
    /// The signature does not match the files.
    #[error("the signature does not match the package: it was changed after it was signed, or signed with another key")]
    WrongSignature,
}
