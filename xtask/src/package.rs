//! `cargo xtask package` packs everything into one archive, which runs without a toolchain on machines of this platform.

use std::env;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::workspace::{Profile, binary, output, root, say, target};
use crate::{build, demo, licences};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder to write the archive to [default: target/package]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    build::run()?;
    let archive = pack(&arguments.out.clone().unwrap_or_else(default_folder))?;
    println!("{}", archive.display());
    Ok(())
}

/// Files of this repository in every archive, with their names there.
const REPOSITORY_FILES: [(&str, &str); 5] = [
    ("package/README.md", "README.md"),
    ("package/fanlight.service", "fanlight.service"),
    ("package/Containerfile", "Containerfile"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
];

/// The archive's file of third-party licences.
const LICENCES: &str = "THIRD-PARTY-LICENSES.txt";

/// Packs what [`build::run`] has built into an archive in `out`, and returns its path. Nothing else in `out`
/// changes.
fn pack(out: &Path) -> Result<PathBuf> {
    say("collecting the licences of what is linked");
    let staging = target().join("package-staging");
    let sample = demo::sample(&staging, Profile::Release)?;
    let licences = staging.join(LICENCES);
    fs::write(&licences, licences::collect()?).with_context(|| format!("can't write {}", licences.display()))?;

    let release = target().join("release");
    let mut entries = vec![
        Entry { name: file_name(&binary()), source: binary(), mode: PROGRAM },
        Entry::file("sample.pdf", sample),
        Entry::file(LICENCES, licences),
    ];
    entries.extend(REPOSITORY_FILES.iter().map(|(from, to)| Entry::file(to, root().join(from))));
    for plugin in build::installed_plugins()? {
        entries.extend(files_of(&release, &format!("plugins/{plugin}"))?);
    }
    entries.extend(files_of(&release, "plugins/.machine-code")?);
    for network in fs::read_dir(release.join("models")).context("no networks are laid out")? {
        entries.extend(files_of(&release, &format!("models/{}", file_name(&network?.path())))?);
    }

    let name = archive_name();
    let archive = out.join(format!("{name}.tar.gz"));
    say(&format!("packing {}", archive.display()));
    fs::create_dir_all(out).with_context(|| format!("can't make {}", out.display()))?;
    let file = File::create(&archive).with_context(|| format!("can't write {}", archive.display()))?;
    write(BufWriter::new(file), &name, entries, changed_at())?;
    Ok(archive)
}

/// Packs into the emptied default folder: tests unpack the only archive that they find there.
pub(crate) fn pack_for_tests() -> Result<PathBuf> {
    let out = default_folder();
    fs::remove_dir_all(&out).or_else(absent_is_fine).with_context(|| format!("can't empty {}", out.display()))?;
    pack(&out)
}

/// Returns the folder of the archive if none is given.
fn default_folder() -> PathBuf {
    target().join("package")
}

fn absent_is_fine(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Returns `fanlight-<version>-<architecture>-<system>`, which is also the only folder in the archive.
fn archive_name() -> String {
    format!("fanlight-{}-{}-{}", env!("CARGO_PKG_VERSION"), env::consts::ARCH, env::consts::OS)
}

/// File mode of a program in the archive.
const PROGRAM: u32 = 0o755;
/// File mode of other files in the archive.
const DATA: u32 = 0o644;

/// A file of the archive.
struct Entry {
    /// The path in the archive's folder.
    name: String,
    source: PathBuf,
    mode: u32,
}

impl Entry {
    fn file(name: &str, source: PathBuf) -> Self {
        Self { name: name.to_owned(), source, mode: DATA }
    }
}

/// Returns the files in `base/folder`, without those in subfolders.
fn files_of(base: &Path, folder: &str) -> Result<Vec<Entry>> {
    let path = base.join(folder);
    let mut entries = Vec::new();
    for file in fs::read_dir(&path).with_context(|| format!("can't read {}", path.display()))? {
        let file = file?.path();
        if file.is_file() {
            entries.push(Entry::file(&format!("{folder}/{}", file_name(&file)), file));
        }
    }
    Ok(entries)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the date of every file in the archive, in seconds since 1970: `SOURCE_DATE_EPOCH` if set
/// (<https://reproducible-builds.org/specs/source-date-epoch/>), else the time of the last commit. So the same sources
/// give the same archive.
fn changed_at() -> u64 {
    let given = env::var("SOURCE_DATE_EPOCH").ok();
    let committed = || output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root())).ok();
    given.or_else(committed).and_then(|seconds| seconds.trim().parse().ok()).unwrap_or_default()
}

/// Writes an archive whose bytes depend only on names, contents and `changed_at`.
fn write(to: impl Write, folder: &str, mut entries: Vec<Entry>, changed_at: u64) -> Result<()> {
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    // Most of the archive is machine code. A higher level takes minutes and saves a tenth.
    let mut archive = tar::Builder::new(GzEncoder::new(to, Compression::fast()));
    for Entry { name, source, mode } in entries {
        let file = File::open(&source).with_context(|| format!("can't read {}", source.display()))?;
        let mut header = tar::Header::new_gnu();
        header.set_size(file.metadata()?.len());
        header.set_mode(mode);
        header.set_mtime(changed_at);
        header.set_uid(0);
        header.set_gid(0);
        let added = archive.append_data(&mut header, format!("{folder}/{name}"), file);
        added.with_context(|| format!("can't pack {}", source.display()))?;
    }
    archive.into_inner()?.finish()?.flush().context("can't write the archive")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    fn packed(files: &[(&str, &str)]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let entries = files.iter().map(|(name, text)| {
            let source = folder.path().join(name.replace('/', "-"));
            fs::write(&source, text).unwrap();
            Entry::file(name, source)
        });
        let mut bytes = Vec::new();
        write(&mut bytes, "fanlight", entries.collect(), 1_000_000_000).unwrap();
        bytes
    }

    #[test]
    fn the_order_of_files_does_not_change_the_archive() {
        let one = packed(&[("b/c", "1"), ("a", "2")]);
        let other = packed(&[("a", "2"), ("b/c", "1")]);
        assert_eq!(one, other);
    }

    #[test]
    fn an_archive_holds_one_folder_of_files_others_cannot_write() {
        let bytes = packed(&[("b/c", "1"), ("a", "2")]);
        let mut archive = tar::Archive::new(GzDecoder::new(&bytes[..]));
        let mut found = BTreeMap::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let (mode, time) = (entry.header().mode().unwrap(), entry.header().mtime().unwrap());
            assert_eq!((mode, time), (0o644, 1_000_000_000));
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            found.insert(entry.path().unwrap().into_owned(), text);
        }
        let expected = [("fanlight/a", "2"), ("fanlight/b/c", "1")];
        assert_eq!(found, expected.map(|(path, text)| (PathBuf::from(path), text.to_owned())).into());
    }
}
