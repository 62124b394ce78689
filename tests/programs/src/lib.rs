//! Programs from package registries that tests run for real, set up once and kept until their pinned versions change.
#![expect(clippy::missing_panics_doc, reason = "in a test a panic is the report")]
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "in a test a panic is the report")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a program may take: the longest builds a client of the API, on two busy cores.
const LONGEST: Duration = Duration::from_mins(20);

/// A folder with the Python packages that a `requirements.txt` pins.
#[derive(Debug)]
pub struct Python(PathBuf);

impl Python {
    /// Sets it up where that isn't done yet.
    pub fn with(requirements: &Path) -> Self {
        Self(prepared("python", &[requirements], |folder| {
            output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder), "Debian package python3-venv");
            let pip = Self(folder.to_owned());
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
            output(pip.python().args(install).arg(requirements), "Debian package python3-venv");
        }))
    }

    /// The interpreter.
    pub fn python(&self) -> Command {
        self.program("python")
    }

    /// A program that one of the packages brings.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("bin").join(name));
        // Programs that start others of the same packages find them.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.0.join("bin")).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(folders).unwrap()).env_remove("PYTHONPATH");
        command
    }
}

/// A folder with the npm packages that a `package-lock.json` pins, and beside them the other files of the folder that it
/// stands in.
#[derive(Debug)]
pub struct Node(PathBuf);

impl Node {
    /// Sets it up where that isn't done yet.
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

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// A program that one of the packages brings, run in the folder.
    pub fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.0.join("node_modules").join(".bin").join(name));
        command.current_dir(&self.0);
        command
    }
}

/// Runs a command to its end and gives what it printed. `brought_by` says where to get it.
pub fn output(command: &mut Command, brought_by: &str) -> String {
    let output = deadline::try_output(command, LONGEST);
    let output = output.unwrap_or_else(|error| panic!("can't run {command:?}, of the {brought_by}: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}:\n{printed}\n{errors}", output.status);
    printed
}

/// The folder that all of them are set up in, beside the test programs: `target/release/test-tools`.
pub fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("the test program has a path");
    program.ancestors().nth(2).expect("target/release/deps/NAME").join("test-tools")
}

/// The folder of what is made from these files: made now, unless it is there from an earlier run.
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
    // Tests of several programs may want the same one at the same time.
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

/// FNV-1a, which unlike the standard library's hasher is the same in every build.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
