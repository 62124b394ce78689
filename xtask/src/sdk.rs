//! `cargo xtask sdk` checks what authors of plugins in Rust depend on: each crate is packed and built from its package
//! alone, and each public item has an example.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::build::{WASM, add_wasm_target};
use crate::examples;
use crate::workspace::{cargo, run as run_command, say, target};

/// The crates that `fanlight plugin new` writes into a package.
const CRATES: [&str; 4] = ["fanlight-contract", "fanlight-geometry", "fanlight-text", "fanlight-plugin"];
/// Those of them that every plugin depends on. Each of their public items has an example.
const WITH_EXAMPLES: [&str; 2] = ["fanlight-contract", "fanlight-plugin"];

pub(crate) fn run() -> Result<()> {
    for name in WITH_EXAMPLES {
        say(&format!("looking for public items of {name} without an example"));
        check_examples(name)?;
    }
    say(&format!("packing {}, and building each from its package", CRATES.join(", ")));
    pack()
}

/// Returns a cargo command whose output lies in a folder of its own: `cargo xtask package` has the usual one.
fn cargo_in(folder: &str, command: &str) -> Command {
    let mut cargo = cargo();
    cargo.args([command, "--target-dir"]).arg(target().join(folder));
    // Nobody debugs what is built here.
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "0");
    cargo
}

/// Packs all crates in one call, in which cargo finds those that are not published yet, and builds what it has packed.
fn pack() -> Result<()> {
    add_wasm_target()?;
    forget_packages()?;
    let mut package = cargo_in("sdk-package", "package");
    // What is not committed yet is packed as well. The rest was downloaded for the examples.
    package.args(["--allow-dirty", "--offline", "--target", WASM]);
    for name in CRATES {
        package.args(["--package", name]);
    }
    run_command(&mut package)
}

/// Removes what cargo has unpacked and built of the crates in earlier runs. It takes a version that it has seen once for the same
/// ever after, although the package has changed.
fn forget_packages() -> Result<()> {
    let built = target().join("sdk-package");
    if built.exists() {
        fs::remove_dir_all(built)?;
    }
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let sources = home.context("the home folder is not known")?.join("registry").join("src");
    let Ok(registries) = fs::read_dir(&sources) else { return Ok(()) };
    for registry in registries {
        let registry = registry?;
        // A registry in a folder has no host's name before its hash.
        if !registry.file_name().to_string_lossy().starts_with('-') {
            continue;
        }
        for package in fs::read_dir(registry.path())? {
            let package = package?;
            let name = package.file_name();
            if CRATES.iter().any(|own| is_version_of(&name.to_string_lossy(), own)) {
                fs::remove_dir_all(package.path())?;
            }
        }
    }
    Ok(())
}

/// Returns whether a folder's name is that of a crate with a version.
fn is_version_of(folder: &str, name: &str) -> bool {
    let version = folder.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
}

/// Fails if a public item of a crate has no example.
fn check_examples(name: &str) -> Result<()> {
    let mut rustdoc = cargo_in("sdk-docs", "rustdoc");
    rustdoc.args(["--locked", "--lib", "--package", name, "--", "-Z", "unstable-options", "--output-format", "json"]);
    // Examples of hidden modules stand at what is exported of them.
    rustdoc.arg("--document-hidden-items");
    // Lets the workspace's own compiler write JSON.
    run_command(rustdoc.env("RUSTC_BOOTSTRAP", "1"))?;
    let path = target().join("sdk-docs").join("doc").join(format!("{}.json", name.replace('-', "_")));
    let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let missing = examples::missing(&serde_json::from_str(&text)?)?;
    ensure!(missing.is_empty(), "these have no example:\n  {}", missing.join("\n  "));
    Ok(())
}
