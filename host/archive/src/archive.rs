//! Writes and reads the archive of a package.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;

use tar::{Archive, Builder, EntryType, Header};

use crate::error::ArchiveError;
use crate::files::{Files, check_size, check_total, read_limited};

/// Mode of every file in an archive.
const MODE: u32 = 0o644;

impl Files {
    /// Writes an archive. Equal files make equal bytes: the entries are sorted, and have no times and owners.
    ///
    /// # Errors
    ///
    /// Fails if `out` does.
    pub fn pack<W: Write>(&self, out: W) -> std::io::Result<W> {
        let mut builder = Builder::new(out);
        for (name, bytes) in self.iter() {
            let mut header = Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(MODE);
            header.set_mtime(0);
            header.set_entry_type(EntryType::Regular);
            builder.append_data(&mut header, name, bytes)?;
        }
        builder.into_inner()
    }

    /// Reads an archive into memory. Nothing is written to the disk, and no entry beyond its permitted bytes is read.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] with the first entry that does not belong into a package.
    pub fn unpack(archive: impl Read) -> Result<Self, ArchiveError> {
        let broken = |error: std::io::Error| ArchiveError::NotAnArchive(error.to_string());
        let mut files = BTreeMap::new();
        let mut archive = Archive::new(archive);
        // Raw entries: extensions of tar, such as long names and sparse files, are entries of other types.
        for entry in archive.entries().map_err(broken)?.raw(true) {
            let mut entry = entry.map_err(broken)?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if entry.header().entry_type() != EntryType::Regular {
                return Err(ArchiveError::NotAFile(name));
            }
            let size = entry.header().size().map_err(broken)?;
            check_size(&name, size)?;
            check_total(&files, size)?;
            let bytes = read_limited(&name, &mut entry)?;
            if bytes.len() as u64 != size {
                return Err(ArchiveError::NotAnArchive(format!("it ends within `{name}`")));
            }
            if files.insert(name.clone(), bytes).is_some() {
                return Err(ArchiveError::Twice(name));
            }
        }
        if files.is_empty() {
            return Err(ArchiveError::NotAnArchive("it is empty".to_owned()));
        }
        Self::new(files)
    }

    /// Reads a package from a folder or an archive.
    ///
    /// # Errors
    ///
    /// [`ArchiveError`] if it cannot be read or is not a package.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        if path.is_dir() {
            return Self::from_folder(path);
        }
        let file = std::fs::File::open(path);
        Self::unpack(file.map_err(|source| ArchiveError::Io { path: path.to_owned(), source })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{MANIFEST, WASM};

    /// An empty component.
    const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

    /// Writes entries that no careful program writes.
    struct Entries(Builder<Vec<u8>>);

    impl Entries {
        fn new() -> Self {
            Self(Builder::new(Vec::new()))
        }

        fn entry(mut self, name: &str, kind: EntryType, claimed: u64, bytes: &[u8]) -> Self {
            let mut header = Header::new_ustar();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(kind);
            header.set_mode(MODE);
            header.set_size(claimed);
            header.set_cksum();
            self.0.append(&header, bytes).unwrap();
            self
        }

        fn file(self, name: &str, bytes: &[u8]) -> Self {
            self.entry(name, EntryType::Regular, bytes.len() as u64, bytes)
        }

        fn good() -> Self {
            Self::new().file(MANIFEST, b"name = 'a'").file(WASM, COMPONENT)
        }

        fn refusal(self) -> String {
            Files::unpack(self.0.into_inner().unwrap().as_slice()).unwrap_err().to_string()
        }
    }

    #[test]
    fn equal_files_make_equal_archives() {
        let good = Entries::good().0.into_inner().unwrap();
        let files = Files::unpack(good.as_slice()).unwrap();
        let packed = files.pack(Vec::new()).unwrap();
        assert_eq!(Files::unpack(packed.as_slice()).unwrap(), files);
        assert_eq!(files.pack(Vec::new()).unwrap(), packed);
    }

    #[test]
    fn hostile_archives_are_refused_in_one_sentence() {
        let many = (0..100_000).fold(Entries::new(), |entries, n| entries.file(&format!("networks/n{n}.onnx"), b""));
        let cases = [
            (Entries::good().file("../evil", b"x"), "`../evil`, which does not belong"),
            (Entries::good().file("/etc/passwd", b"x"), "`/etc/passwd`, which does not belong"),
            (Entries::good().file("networks/../../evil.onnx", b"x"), "which does not belong"),
            (Entries::good().file("C:\\evil", b"x"), "which does not belong"),
            (Entries::good().entry("card.md", EntryType::Symlink, 0, b""), "is a link, a folder or a device"),
            (Entries::good().entry("card.md", EntryType::Link, 0, b""), "is a link, a folder or a device"),
            (Entries::good().entry("card.md", EntryType::Fifo, 0, b""), "is a link, a folder or a device"),
            (Entries::good().entry("networks", EntryType::Directory, 0, b""), "is a link, a folder or a device"),
            (Entries::good().entry("card.md", EntryType::GNUSparse, 0, b""), "is a link, a folder or a device"),
            (Entries::good().entry("card.md", EntryType::GNULongName, 4, b"evil"), "is a link, a folder or a device"),
            (Entries::good().entry("card.md", EntryType::XHeader, 4, b"evil"), "is a link, a folder or a device"),
            (many, "more than 64 files"),
            (Entries::good().entry("networks/a.onnx", EntryType::Regular, 1 << 40, b""), "has 1099511627776 bytes"),
            (Entries::new().file(MANIFEST, &vec![b' '; 70_000]).file(WASM, COMPONENT), "`plugin.toml` has 70000 bytes"),
            (Entries::good().file(MANIFEST, b"name = 'b'"), "holds `plugin.toml` twice"),
            (Entries::good().entry("card.md", EntryType::Regular, 5000, b"short"), "ends within `card.md`"),
            (Entries::new().file(WASM, COMPONENT), "has no plugin.toml"),
            (Entries::new().file(MANIFEST, b""), "has no plugin.wasm"),
            (Entries::new().file(MANIFEST, b"").file(WASM, b"\x7fELF\x02\x01\x01\0"), "it is machine code"),
            (Entries::new().file(MANIFEST, b"").file(WASM, b"\0asm\x01\0\0\0"), "it is a core module"),
            (Entries::new(), "it is empty"),
        ];
        for (entries, expected) in cases {
            let refusal = entries.refusal();
            assert!(refusal.contains(expected), "{refusal}\ndoes not contain {expected}");
            assert!(!refusal.contains('\n'), "{refusal}");
        }
        for bytes in [b"PK\x03\x04".repeat(200), vec![0x1f, 0x8b, 8, 0], vec![0xff; 4096]] {
            let refusal = Files::unpack(bytes.as_slice()).unwrap_err().to_string();
            assert!(refusal.starts_with("the file is not a package"), "{refusal}");
        }
    }
}
