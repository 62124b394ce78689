//! The console's bundle, which the server embeds: built from its sources where Node is, else taken as it is checked in.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::setup::on_path;
use crate::workspace::{root, run as run_command, say, target};

/// The files of the bundle.
const FILES: [&str; 5] = ["index.html", "console.css", "console.js", "icon.svg", LICENCES];
/// The licences of the packages whose code is in the bundle.
pub(crate) const LICENCES: &str = "licences.txt";

/// Builds the bundle where Node and the packages of the lock file are there. Otherwise the checked-in one is used.
///
/// # Errors
///
/// Fails if the sources do not compile, or the bundle cannot be written.
pub(crate) fn build() -> Result<()> {
    if !on_path("node") {
        say("using the checked-in console: Node is not installed");
        return Ok(());
    }
    let sources = root().join("host/console");
    if !install_packages(&sources)? {
        say("using the checked-in console: npm can't install its packages");
        return Ok(());
    }
    say("building the console");
    let built = target().join("console");
    run_command(Command::new("node").arg("build.mjs").arg(&built).current_dir(&sources))?;
    update(&built, &sources.join("dist"))
}

/// Installs the packages of the lock file, unless that has been done. Returns false if npm is missing or fails, as
/// without a network.
fn install_packages(sources: &Path) -> Result<bool> {
    let lock = fs::read(sources.join("package-lock.json")).context("can't read the console's lock file")?;
    // The lock file that the installed packages are from.
    let installed = sources.join("node_modules/.installed-lock.json");
    if fs::read(&installed).is_ok_and(|known| known == lock) {
        return Ok(true);
    }
    let mut install = Command::new("npm");
    install.args(["ci", "--no-audit", "--no-fund"]).current_dir(sources).stdout(Stdio::null()).stderr(Stdio::null());
    if !install.status().is_ok_and(|status| status.success()) {
        return Ok(false);
    }
    fs::write(&installed, lock).with_context(|| format!("can't write {}", installed.display()))?;
    Ok(true)
}

/// Copies the files of a bundle that differ from those that are there. The server is compiled again only for those.
fn update(built: &Path, bundle: &Path) -> Result<()> {
    for file in FILES {
        let (from, to) = (built.join(file), bundle.join(file));
        let new = fs::read(&from).with_context(|| format!("can't read {}", from.display()))?;
        if !fs::read(&to).is_ok_and(|old| old == new) {
            fs::write(&to, new).with_context(|| format!("can't write {}", to.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_the_same_are_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let (built, bundle) = (folder.path().join("built"), folder.path().join("bundle"));
        for (folder, script) in [(&built, "new"), (&bundle, "old")] {
            fs::create_dir(folder).unwrap();
            for file in FILES {
                fs::write(folder.join(file), if file == "console.js" { script } else { "same" }).unwrap();
            }
        }
        let written = |file: &str| fs::metadata(bundle.join(file)).unwrap().modified().unwrap();
        let before = FILES.map(written);
        update(&built, &bundle).unwrap();
        assert_eq!(fs::read_to_string(bundle.join("console.js")).unwrap(), "new");
        for (file, before) in FILES.into_iter().zip(before).filter(|(file, _)| *file != "console.js") {
            assert_eq!(written(file), before, "{file}");
        }
    }
}
