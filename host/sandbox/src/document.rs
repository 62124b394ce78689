//! The document of a task, as an open file.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The bytes of a document. Cheap to clone: all shards share one open file.
#[derive(Clone, Debug)]
pub struct Document {
    file: Arc<File>,
    size: u64,
    sha256: Arc<str>,
}

impl Document {
    /// Opens the file. `sha256` is the hash of its bytes in lower-case hex, from which plugins derive identifiers.
    ///
    /// # Errors
    ///
    /// The system's error if the file cannot be opened.
    pub fn open(path: &Path, sha256: &str) -> io::Result<Self> {
        Self::from_file(File::open(path)?, sha256)
    }

    /// Wraps a file that is open for reading. `sha256` as in [`Self::open`].
    ///
    /// # Errors
    ///
    /// The system's error if the size cannot be read.
    pub fn from_file(file: File, sha256: &str) -> io::Result<Self> {
        let size = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), size, sha256: sha256.into() })
    }

    /// Returns the hash of the bytes in lower-case hex.
    pub(crate) fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Returns the size in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns up to `length` bytes from `offset`, fewer at the end of the file.
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
