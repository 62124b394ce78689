//! The files that the programs of this folder write.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};

/// Creates the file that is called `out` with an extension.
pub(crate) fn create(out: &Path, extension: &str) -> Result<BufWriter<File>> {
    let path = out.with_extension(extension);
    File::create(&path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
}
