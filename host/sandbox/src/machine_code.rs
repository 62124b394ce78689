//! Compiles components, and keeps the machine code between starts.
//!
//! The one place of this crate with unsafe code: wasmtime maps compiled code into the process without looking at it,
//! so a cache entry is trusted only where nobody but this user could have written it, and only as it was written.

use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Bytes that are read at once of a file whose checksum is made.
const BLOCK: usize = 128 * 1024;

/// A folder of compiled components, one file each, with its SHA-256 beside it.
#[derive(Clone, Debug)]
pub(crate) struct MachineCode {
    folder: PathBuf,
}

impl MachineCode {
    /// Makes the folder where it is missing, for this user alone, and refuses one that others may write to.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        create_private(folder).with_context(|| format!("can't make the cache folder {}", folder.display()))?;
        ensure_private(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// The component that `key` stands for: from the cache, or made by `component_bytes` and compiled.
    ///
    /// `key` must tell apart everything that goes into the bytes. Another wasmtime, another configuration and another
    /// CPU are told apart here. A stale or damaged entry is a miss, never a failure.
    pub(crate) fn component<E>(
        &self,
        engine: &Engine,
        key: &str,
        component_bytes: impl FnOnce() -> Result<Vec<u8>, E>,
        compile_error: impl Fn(wasmtime::Error) -> E,
    ) -> Result<Component, E> {
        let entry = self.entry(engine, key);
        if let Some(component) = load(engine, &entry) {
            return Ok(component);
        }
        let started = std::time::Instant::now();
        let bytes = component_bytes()?;
        let code = engine.precompile_component(&bytes).map_err(&compile_error)?;
        tracing::info!(key, seconds = started.elapsed().as_secs_f32(), bytes = code.len(), "compiled a component");
        if let Err(error) = self.store(&entry, &code) {
            tracing::warn!(error = format!("{error:#}"), "can't keep machine code, it is compiled at every start");
        }
        load(engine, &entry).map_or_else(|| Component::new(engine, &bytes).map_err(&compile_error), Ok)
    }

    fn entry(&self, engine: &Engine, key: &str) -> PathBuf {
        let mut compatibility = Fingerprint::default();
        engine.precompile_compatibility_hash().hash(&mut compatibility);
        let mut name = Sha256::new();
        name.update(key);
        name.update(compatibility.0.finalize());
        self.folder.join(format!("{}.cwasm", hex::encode(name.finalize())))
    }

    fn store(&self, entry: &Path, code: &[u8]) -> anyhow::Result<()> {
        write_whole(&self.folder, entry, code)?;
        write_whole(&self.folder, &checksum_file(entry), hex::encode(Sha256::digest(code)).as_bytes())
    }
}

/// Under a name of its own first, then renamed, so that no reader ever sees half a file.
fn write_whole(folder: &Path, target: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(target)?;
    Ok(())
}

fn checksum_file(entry: &Path) -> PathBuf {
    entry.with_extension("sha256")
}

/// Reads the file block by block: as a whole it would take more time to be given memory for than to be read.
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

fn load(engine: &Engine, entry: &Path) -> Option<Component> {
    let checksum = fs::read_to_string(checksum_file(entry)).ok()?;
    if checksum_of(entry).ok()? != checksum {
        tracing::warn!(entry = %entry.display(), "machine code in the cache is damaged, compiling anew");
        return None;
    }
    match deserialize(engine, entry) {
        Ok(component) => Some(component),
        Err(error) => {
            tracing::warn!(entry = %entry.display(), error = format!("{error:#}"), "machine code in the cache is of no use");
            None
        }
    }
}

#[expect(unsafe_code, reason = "the file lies in a folder that only this user can write to, and its checksum is right")]
fn deserialize(engine: &Engine, entry: &Path) -> wasmtime::Result<Component> {
    // SAFETY: `MachineCode` alone writes here, with what `precompile_component` gave; `open` made sure that no other
    // user can, and `load` that the bytes are those that were written. wasmtime checks its version and configuration.
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

#[cfg(unix)]
fn ensure_private(folder: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let metadata = fs::metadata(folder)?;
    let own_file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("can't write to the cache folder {}", folder.display()))?;
    let own_uid = own_file.as_file().metadata()?.uid();
    ensure!(
        metadata.uid() == own_uid && metadata.mode() & 0o022 == 0,
        "the cache folder {} may be written to by others; give it to this user alone",
        folder.display()
    );
    Ok(())
}

#[cfg(not(unix))]
fn ensure_private(_folder: &Path) -> anyhow::Result<()> {
    Ok(())
}

/// SHA-256 over what `Hash` feeds it: `DefaultHasher` may change from one Rust release to the next.
#[derive(Default)]
struct Fingerprint(Sha256);

impl Hasher for Fingerprint {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not used: the whole digest is.
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

    /// `(component)` in binary: the magic number, then version 13 of the component encoding.
    fn empty_component() -> Vec<u8> {
        vec![0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]
    }

    #[test]
    fn a_component_is_compiled_once() {
        let folder = tempfile::tempdir().unwrap();
        let cache = MachineCode::open(&folder.path().join("cache")).unwrap();
        let mut made = 0;
        compile(&cache, &mut made);
        compile(&cache, &mut made);
        assert_eq!(made, 1);
    }

    #[test]
    fn a_damaged_entry_is_compiled_anew() {
        let folder = tempfile::tempdir().unwrap();
        let cache = MachineCode::open(&folder.path().join("cache")).unwrap();
        let mut made = 0;
        compile(&cache, &mut made);
        let entry = cache.entry(&engine(), "empty");
        let mut code = fs::read(&entry).unwrap();
        let middle = code.len() / 2;
        code[middle] ^= 1;
        fs::write(&entry, code).unwrap();
        compile(&cache, &mut made);
        assert_eq!(made, 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_may_write_to_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let error = MachineCode::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("may be written to by others"), "{error}");
    }
}
