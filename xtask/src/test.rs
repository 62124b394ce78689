//! `cargo xtask test`: sets up what the tests need, and runs them.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::workspace::{cargo, run as run_command, say, target};
use crate::{build, failpoints};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A package whose tests to run; all if none is named
    #[arg(short, long)]
    package: Vec<String>,
    /// What to tell the test programs, after `--`
    #[arg(last = true)]
    rest: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    check_system_packages()?;
    // The ordinary binary comes after it, in the same place.
    failpoints::build()?;
    build::run()?;
    build::plugins(&["tests/guests"], &target().join("release").join("test-guests"))?;
    say("running tests");
    let mut test = cargo();
    test.args(["test", "--release"]);
    if arguments.package.is_empty() {
        test.arg("--workspace");
    }
    for package in &arguments.package {
        test.args(["--package", package]);
    }
    if !arguments.rest.is_empty() {
        test.arg("--").args(&arguments.rest);
    }
    run_command(&mut test)
}

/// A program that tests run for real, and the Debian package that brings it.
struct SystemPackage {
    what_for: &'static str,
    package: &'static str,
    present: fn() -> bool,
}

const SYSTEM_PACKAGES: &[SystemPackage] = &[
    SystemPackage {
        what_for: "PostgreSQL, for the store's tests on a throwaway cluster",
        package: "postgresql",
        present: postgresql_is_installed,
    },
    SystemPackage {
        what_for: "Python with venv, for its client of the API, for Schemathesis and for an S3 server",
        package: "python3-venv",
        present: python_has_venv,
    },
    SystemPackage {
        what_for: "Node 20 or later, for the API's client in TypeScript and the tests' identity provider",
        package: "nodejs",
        present: || on_path("node"),
    },
    SystemPackage { what_for: "npm, for the packages that tests need", package: "npm", present: || on_path("npm") },
    SystemPackage {
        what_for: "qpdf, which checks the structure of annotated documents",
        package: "qpdf",
        present: || on_path("qpdf"),
    },
    SystemPackage {
        what_for: "pdftoppm, which shows annotated documents as a viewer does",
        package: "poppler-utils",
        present: || on_path("pdftoppm"),
    },
    SystemPackage {
        what_for: "Tesseract, which reads scanned pages",
        package: "tesseract-ocr",
        present: || on_path("tesseract"),
    },
    SystemPackage {
        what_for: "llvmpipe, a GPU for tests",
        package: "mesa-vulkan-drivers",
        present: llvmpipe_is_installed,
    },
];

fn check_system_packages() -> Result<()> {
    let missing: Vec<&SystemPackage> = SYSTEM_PACKAGES.iter().filter(|package| !(package.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for package in &missing {
        eprintln!("missing: {} (Debian package {})", package.what_for, package.package);
    }
    let names: Vec<&str> = missing.iter().map(|package| package.package).collect();
    bail!("install what is missing with `apt-get install {}`, then run the tests again", names.join(" "))
}

/// Debian keeps the server's programs out of the path.
fn postgresql_is_installed() -> bool {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    debian.map(|version| version.path().join("bin").join("initdb")).any(|initdb| initdb.exists()) || on_path("initdb")
}

/// Vulkan's loader finds drivers by these files.
fn llvmpipe_is_installed() -> bool {
    let mut drivers = fs::read_dir("/usr/share/vulkan/icd.d").into_iter().flatten().flatten();
    drivers.any(|driver| driver.file_name().to_string_lossy().starts_with("lvp_icd"))
}

/// Debian keeps a part of it in a package of its own.
fn python_has_venv() -> bool {
    Command::new("python3").args(["-c", "import ensurepip, venv"]).status().is_ok_and(|status| status.success())
}

fn on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| Path::new(&folder).join(program).exists())
}
