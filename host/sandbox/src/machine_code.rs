//! Compiles components, and keeps the machine code between starts.
//!
//! This is the only module of the crate with unsafe code: wasmtime maps compiled code into the process without
//! checking it. An entry is therefore trusted only if nobody but this user and the superuser could have written it,
//! and only if its checksum matches.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, ensure};
use fanlight_composition::Package;
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Bytes per read of a file whose checksum is computed.
const BLOCK: usize = 128 * 1024;

/// Extension of a compiled component; its checksum has [`CHECKSUM`].
const CODE: &str = "cwasm";
/// Extension of a checksum.
const CHECKSUM: &str = "sha256";

/// Folders of compiled components, one file each, with its SHA-256 beside it.
#[derive(Debug)]
pub(crate) struct MachineCode {
    /// Holds what is compiled here.
    cache: PathBuf,
    /// Machine code that is shipped with the plugins. Read only.
    shipped: Option<PathBuf>,
    /// The user of this process, and the superuser.
    trusted: Owners,
    /// Held while a component is compiled. One compilation takes all cores, and the next one finds the functions that
    /// both have.
    compiling: Mutex<()>,
    /// The entries of the cache that were requested.
    used: Mutex<BTreeSet<PathBuf>>,
}

impl MachineCode {
    /// Creates the cache for this user alone if it is missing, and ignores shipped code that others may write to.
    ///
    /// # Errors
    ///
    /// The cache cannot be created or written to, or others may write to it.
    pub(crate) fn open(cache: &Path, shipped: Option<&Path>) -> anyhow::Result<Self> {
        create_private(cache).with_context(|| format!("can't make the cache folder {}", cache.display()))?;
        let own_file = tempfile::NamedTempFile::new_in(cache)
            .with_context(|| format!("can't write to the cache folder {}", cache.display()))?;
        let trusted = Owners::from_own_file(own_file.as_file())?;
        ensure!(
            trusted.alone_can_write(&fs::metadata(cache)?),
            "the cache folder {} may be written to by others; give it to this user alone",
            cache.display()
        );
        let shipped = shipped.filter(|folder| folder.is_dir()).filter(|folder| {
            let safe = fs::metadata(folder).is_ok_and(|metadata| trusted.alone_can_write(&metadata));
            if !safe {
                tracing::warn!(folder = %folder.display(), "machine code that others may write to is not used");
            }
            safe
        });
        Ok(Self {
            cache: cache.to_owned(),
            shipped: shipped.map(Path::to_owned),
            trusted,
            compiling: Mutex::default(),
            used: Mutex::default(),
        })
    }

    /// Returns the component of `key` if its machine code is available.
    ///
    /// `key` must identify everything that the bytes depend on. The versions of wasmtime, its configuration and the
    /// CPU are added here. A stale or damaged entry counts as missing.
    pub(crate) fn find(&self, engine: &Engine, key: &str) -> Option<Component> {
        let name = file_name(engine, key);
        self.used.lock().unwrap_or_else(PoisonError::into_inner).insert(self.cache.join(&name));
        let folders = self.shipped.iter().chain([&self.cache]);
        folders.map(|folder| folder.join(&name)).find_map(|entry| self.load(engine, &entry))
    }

    /// As [`MachineCode::find`]. A missing component is created by `component_bytes`, compiled and cached.
    ///
    /// # Errors
    ///
    /// The error of `component_bytes`, or of the compilation by `compile_error`.
    pub(crate) fn component<E>(
        &self,
        engine: &Engine,
        key: &str,
        component_bytes: impl FnOnce() -> Result<Vec<u8>, E>,
        compile_error: impl Fn(wasmtime::Error) -> E,
    ) -> Result<Component, E> {
        if let Some(component) = self.find(engine, key) {
            return Ok(component);
        }
        let bytes = component_bytes()?;
        let _alone = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have compiled it during the wait.
        if let Some(component) = self.find(engine, key) {
            return Ok(component);
        }
        let started = Instant::now();
        let code = engine.precompile_component(&bytes).map_err(&compile_error)?;
        tracing::info!(key, seconds = started.elapsed().as_secs_f32(), bytes = code.len(), "compiled a component");
        let entry = self.cache.join(file_name(engine, key));
        if let Err(error) = self.store(&entry, &code) {
            tracing::warn!(error = format!("{error:#}"), "cannot store machine code, compiling it at every start");
        }
        self.load(engine, &entry).map_or_else(|| Component::new(engine, &bytes).map_err(&compile_error), Ok)
    }

    /// As [`MachineCode::component`], of a package as it is.
    ///
    /// # Errors
    ///
    /// wasmtime's error.
    pub(crate) fn package(&self, engine: &Engine, package: &Package) -> Result<Component, wasmtime::Error> {
        self.component(engine, package.sha256(), || Ok(package.wasm().to_vec()), |error| error)
    }

    /// Compiles a component for one use, without caching it.
    ///
    /// # Errors
    ///
    /// wasmtime's error.
    pub(crate) fn compile(&self, engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
        let _alone = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        Component::new(engine, bytes)
    }

    /// Deletes the entries of the cache that were not requested.
    ///
    /// # Errors
    ///
    /// The cache cannot be read, or a file cannot be deleted.
    pub(crate) fn delete_unused(&self) -> anyhow::Result<()> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        for file in fs::read_dir(&self.cache)? {
            let path = file?.path();
            let is_entry = path.extension().is_some_and(|extension| extension == CODE || extension == CHECKSUM);
            if is_entry && !used.contains(&path.with_extension(CODE)) {
                fs::remove_file(&path).with_context(|| format!("can't delete {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Writes an entry and its checksum.
    fn store(&self, entry: &Path, code: &[u8]) -> anyhow::Result<()> {
        write_whole(&self.cache, entry, code)?;
        write_whole(&self.cache, &checksum_file(entry), hex::encode(Sha256::digest(code)).as_bytes())
    }

    /// Loads an entry if it is trusted, undamaged and compatible.
    fn load(&self, engine: &Engine, entry: &Path) -> Option<Component> {
        let checksum = fs::read_to_string(checksum_file(entry)).ok()?;
        if !fs::metadata(entry).is_ok_and(|metadata| self.trusted.alone_can_write(&metadata)) {
            tracing::warn!(entry = %entry.display(), "machine code that others may write to is not used");
            return None;
        }
        if checksum_of(entry).ok()? != checksum {
            tracing::warn!(entry = %entry.display(), "machine code is damaged, compiling again");
            return None;
        }
        match deserialize(engine, entry) {
            Ok(component) => Some(component),
            Err(error) => {
                tracing::warn!(entry = %entry.display(), error = format!("{error:#}"), "machine code cannot be loaded, compiling again");
                None
            }
        }
    }
}

/// Returns the file name of a component's machine code for this wasmtime, configuration and CPU.
fn file_name(engine: &Engine, key: &str) -> String {
    let mut compatibility = Fingerprint::default();
    engine.precompile_compatibility_hash().hash(&mut compatibility);
    let mut name = Sha256::new();
    name.update(key);
    name.update(compatibility.0.finalize());
    format!("{}.{CODE}", hex::encode(name.finalize()))
}

/// Writes to a temporary file and renames it, so that no reader sees a partial file.
fn write_whole(folder: &Path, target: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(target)?;
    Ok(())
}

fn checksum_file(entry: &Path) -> PathBuf {
    entry.with_extension(CHECKSUM)
}

/// Computes the SHA-256 block by block, because allocating a buffer for the whole file would take longer than reading
/// it.
fn checksum_of(entry: &Path) -> io::Result<String> {
    let mut code = BufReader::with_capacity(BLOCK, File::open(entry)?);
    let mut digest = Sha256::new();
    loop {
        let block = code.fill_buf()?;
        if block.is_empty() {
            return Ok(hex::encode(digest.finalize()));
        }
        digest.update(block);
        let read = block.len();
        code.consume(read);
    }
}

#[expect(unsafe_code, reason = "only this user and the superuser can write to the file, and its checksum is right")]
fn deserialize(engine: &Engine, entry: &Path) -> wasmtime::Result<Component> {
    // SAFETY: The file is the output of `precompile_component` as a `MachineCode` stored it. `open` checked that only
    // this user and the superuser can write to the folder; `load` checked the same for the file, and its checksum.
    // wasmtime checks its version and configuration.
    unsafe { Component::deserialize_file(engine, entry) }
}

#[cfg(unix)]
fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// The users whose files are trusted.
#[cfg(unix)]
#[derive(Clone, Copy, Debug)]
struct Owners {
    /// The user id of this process.
    own: u32,
}

/// The user id of the superuser.
#[cfg(unix)]
const ROOT: u32 = 0;
/// The bits of a file's mode that let its group and everybody write.
#[cfg(unix)]
const WRITABLE_BY_OTHERS: u32 = 0o022;

#[cfg(unix)]
impl Owners {
    /// Trusts the owner of a file that this process has just created, and the superuser.
    fn from_own_file(own_file: &File) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt;
        Ok(Self { own: own_file.metadata()?.uid() })
    }

    /// Returns whether only trusted users can write to a file or folder.
    fn alone_can_write(self, metadata: &Metadata) -> bool {
        use std::os::unix::fs::MetadataExt;
        [self.own, ROOT].contains(&metadata.uid()) && metadata.mode() & WRITABLE_BY_OTHERS == 0
    }
}

/// The users whose files are trusted: all, since this system has no file owners of this kind.
#[cfg(not(unix))]
#[derive(Clone, Copy, Debug)]
struct Owners;

#[cfg(not(unix))]
impl Owners {
    fn from_own_file(_own_file: &File) -> io::Result<Self> {
        Ok(Self)
    }

    fn alone_can_write(self, _metadata: &Metadata) -> bool {
        true
    }
}

/// A SHA-256 hasher. `DefaultHasher` may change between Rust releases.
#[derive(Default)]
struct Fingerprint(Sha256);

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Never used; the whole digest is.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine() -> Engine {
        Engine::default()
    }

    fn compile(cache: &MachineCode, made: &mut u32) -> Component {
        let bytes = || {
            *made += 1;
            Ok::<_, wasmtime::Error>(empty_component())
        };
        cache.component(&engine(), "empty", bytes, |error| error).unwrap()
    }

    /// Returns `(component)` in binary: the magic number, then version 13 of the component encoding.
    fn empty_component() -> Vec<u8> {
        vec![0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]
    }

    /// Opens a cache in `folder`, with shipped machine code.
    fn open(folder: &Path, shipped: Option<&Path>) -> MachineCode {
        MachineCode::open(&folder.join("cache"), shipped).unwrap()
    }

    fn entry(cache: &MachineCode) -> PathBuf {
        cache.cache.join(file_name(&engine(), "empty"))
    }

    #[test]
    fn a_component_is_compiled_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), None);
        let mut made = 0;
        compile(&cache, &mut made);
        compile(&cache, &mut made);
        assert_eq!(made, 1);
    }

    #[test]
    fn shipped_machine_code_is_used_and_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let shipped = open(&folder.path().join("shipped"), None);
        let mut made = 0;
        compile(&shipped, &mut made);
        let cache = open(folder.path(), Some(&shipped.cache));
        compile(&cache, &mut made);
        assert_eq!(made, 1);
        assert!(!entry(&cache).exists(), "shipped code is not copied");
    }

    #[test]
    fn a_damaged_entry_is_compiled_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), None);
        let mut made = 0;
        compile(&cache, &mut made);
        let mut code = fs::read(entry(&cache)).unwrap();
        let middle = code.len() / 2;
        code[middle] ^= 1;
        fs::write(entry(&cache), code).unwrap();
        compile(&cache, &mut made);
        assert_eq!(made, 2);
    }

    #[test]
    fn only_requested_entries_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let cache = open(folder.path(), None);
        compile(&cache, &mut 0);
        let stale = cache.cache.join("stale.cwasm");
        for path in [stale.clone(), checksum_file(&stale), cache.cache.join("notes.txt")] {
            fs::write(path, "").unwrap();
        }
        cache.delete_unused().unwrap();
        let mut left: Vec<PathBuf> = fs::read_dir(&cache.cache).unwrap().map(|file| file.unwrap().path()).collect();
        left.sort();
        let mut expected = [entry(&cache), checksum_file(&entry(&cache)), cache.cache.join("notes.txt")];
        expected.sort();
        assert_eq!(left, expected);
    }

    #[cfg(unix)]
    fn let_others_write(path: &Path) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o777)).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_cache_writable_by_others_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let_others_write(folder.path());
        let error = MachineCode::open(folder.path(), None).unwrap_err().to_string();
        assert!(error.contains("may be written to by others"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn shipped_code_writable_by_others_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let shipped = open(&folder.path().join("shipped"), None);
        let mut made = 0;
        compile(&shipped, &mut made);
        let file = entry(&shipped);
        for writable in [file.as_path(), shipped.cache.as_path()] {
            let untouched = fs::metadata(writable).unwrap().permissions();
            let_others_write(writable);
            let fresh = tempfile::tempdir().unwrap();
            let before = made;
            compile(&open(fresh.path(), Some(&shipped.cache)), &mut made);
            assert_eq!(made, before + 1, "{}", writable.display());
            fs::set_permissions(writable, untouched).unwrap();
        }
    }
}
