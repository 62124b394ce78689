//! Installs the programs from PyPI and npm that tests run, once, and keeps them until their pinned versions change.
#![expect(clippy::missing_panics_doc, reason = "in a test a panic is the report")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "in a test a panic is the report")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The limit for a program. The slowest builds a client of the API, on two busy cores.
const LONGEST: Duration = Duration::from_mins(20);

/// A folder with the Python packages that a `requirements.txt` pins.
#[derive(Debug)]
pub struct Python(PathBuf);

impl Python {
    /// Returns the folder, installing the packages if that is not done yet.
    pub fn with(requirements: &Path) -> Self {
        Self(prepared("python", &[requirements], |folder| {
            output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder), "Debian package python3-venv");
            let pip = Self(folder.to_owned());
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
            output(pip.python().args(install).arg(requirements), "Debian package python3-venv");
        }))
    }

    /// Returns a command for the interpreter.
    pub fn python(&self) -> Command {
        self.program("python")
    }

    /// Returns a command for a program of one of the packages.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("bin").join(name));
        // Lets programs find others of the same packages.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.0.join("bin")).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap()).env_remove("PYTHONPATH");
        command
    }
}

/// A folder with the npm packages that a `package-lock.json` pins, and copies of the files beside it.
#[derive(Debug)]
pub struct Node(PathBuf);

impl Node {
    /// Returns the folder, installing the packages if that is not done yet.
    pub fn with(package: &Path) -> Self {
        let files: Vec<PathBuf> = fs::read_dir(package).unwrap().map(|entry| entry.unwrap().path()).collect();
        let files: Vec<&Path> = files.iter().map(PathBuf::as_path).filter(|path| path.is_file()).collect();
        Self(prepared("node", &files, |folder| {
            fs::create_dir_all(folder).unwrap();
            for file in &files {
                fs::copy(file, folder.join(file.file_name().unwrap())).unwrap();
            }
            output(
                Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(folder),
                "Debian package npm",
            );
        }))
    }

    /// Returns the folder's path.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Returns a command for a program of one of the packages, to run in the folder.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("node_modules").join(".bin").join(name));
        command.current_dir(&self.0);
        command
    }
}

/// Runs a command to its end and returns what it printed. `brought_by` names its Debian package.
pub fn output(command: &mut Command, brought_by: &str) -> String {
    let output = deadline::try_output(command, LONGEST);
    let output = output.unwrap_or_else(|error| panic!("can't run {command:?}, of the {brought_by}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}:\n{printed}\n{errors}", output.status);
    printed
}

/// Returns the folder of all installations, beside the test programs: `target/release/test-tools`.
pub fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("the test program has a path");
    program.ancestors().nth(2).expect("target/release/deps/NAME").join("test-tools")
}

/// Returns the folder that `make` fills from these files. Reuses the folder of an earlier run if the files are the same.
fn prepared(kind: &str, files: &[&Path], make: impl FnOnce(&Path)) -> PathBuf {
    let mut contents = Vec::new();
    for file in files {
        contents.extend_from_slice(file.file_name().unwrap().as_encoded_bytes());
        contents.extend(fs::read(file).unwrap_or_else(|error| panic!("can't read {}: {error}", file.display())));
    }
    let name = files[0].parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
    let root = folder();
    fs::create_dir_all(&root).unwrap();
    let folder = root.join(format!("{kind}-{name}-{:016x}", digest(&contents)));
    // Several test programs may need the same folder at the same time.
    let lock = File::create(folder.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let done = folder.with_extension("done");
    if !done.exists() {
        let _ = fs::remove_dir_all(&folder);
        make(&folder);
        File::create(done).unwrap();
    }
    folder
}

/// Computes the 64-bit FNV-1a hash, which unlike the standard library's hasher is the same in every build.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
