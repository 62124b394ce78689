//! `fanlight plugin pack` and `key new`: makes the one file that others install.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use fanlight_archive::{Files, SecretKey, is_name};
use semver::Version;

use super::check::ensure_sound;
use super::checked::{Checked, check_networks, read_package};
use super::work_folder::WorkFolder;
use crate::cli::output::print;
use crate::configuration::Configuration;

/// The end of the name of a package's file.
const EXTENSION: &str = "fanlight";

/// Packs a folder and its newest component into one file, signed if a key is given, and prints its name.
pub(super) fn pack(
    configuration: &Configuration,
    folder: &Path,
    key: Option<&Path>,
    out: Option<PathBuf>,
) -> anyhow::Result<()> {
    ensure_sound(configuration, folder)?;
    let mut files = Files::with_component(folder, &WorkFolder::open(folder)?.component()?)?;
    files.set_signature(None);
    if let Some(key) = key {
        let signature = SecretKey::read(key)?.sign(&files.digest());
        files.set_signature(Some(&signature));
    }
    let package = read_package(&files)?;
    check_networks(&package, &files)?;
    let name = format!("{}-{}.{EXTENSION}", package.name(), package.version());
    let out = match out {
        Some(out) => out,
        None if is_name(package.name()) && Version::parse(package.version()).is_ok() => PathBuf::from(name),
        None => bail!("`{name}` is not a valid name and version"),
    };
    // In one step, so that no reader sees half a package.
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = || format!("can't write {}", out.display());
    let mut temporary = tempfile::NamedTempFile::new_in(parent).with_context(failed)?;
    files.pack(&mut temporary).with_context(failed)?;
    readable_by_all(temporary.as_file()).with_context(failed)?;
    let former = out.exists().then(|| Checked::open(&out, configuration).ok()).flatten();
    temporary.persist(&out).with_context(failed)?;
    let digest = Checked::open(&out, configuration)?.origin.digest;
    let replaced = former.is_some_and(|former| former.origin.digest != digest);
    let note = if replaced {
        ", in place of another package of this version: raise the version before you ship it"
    } else {
        ""
    };
    print(&format!("packed {} (sha256:{digest}){note}\n", out.display()))
}

/// Lets other users, such as the server's, read a file.
#[cfg(unix)]
pub(super) fn readable_by_all(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

/// Does nothing: files are created with the folder's access on this platform.
#[cfg(not(unix))]
pub(super) fn readable_by_all(_file: &fs::File) -> io::Result<()> {
    Ok(())
}

/// Creates a publisher's key and prints the public part.
pub(super) fn create_key(path: &Path) -> anyhow::Result<()> {
    let key = SecretKey::create(path)?;
    print(&format!("wrote {}\npublic key: {}\n", path.display(), key.public()))
}
