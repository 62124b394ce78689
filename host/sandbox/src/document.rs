//! The document of a task, as a file that is open.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A document's bytes. Cheap to clone: every shard reads the same open file.
#[derive(Clone, Debug)]
pub struct Document {
    file: Arc<File>,
    size: u64,
    sha256: Arc<str>,
}

impl Document {
    /// Opens the file. `sha256` is that of its bytes, lower-case hex; plugins derive identifiers from it.
    pub fn open(path: &Path, sha256: &str) -> io::Result<Self> {
        Self::from_file(File::open(path)?, sha256)
    }

    /// As [`Self::open`], of a file that is open for reading already.
    pub fn from_file(file: File, sha256: &str) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), size, sha256: sha256.into() })
    }

    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Up to `length` bytes from `offset`, fewer at the end of the file.
    pub(crate) fn read(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.size.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length.min(left)];
        read_exact_at(&self.file, &mut bytes, offset)?;
        Ok(bytes)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += read as u64;
        bytes = &mut bytes[read..];
    }
    Ok(())
}
