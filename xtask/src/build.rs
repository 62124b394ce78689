//! `cargo xtask build`: the host and its plugins, laid out as the host finds them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace::{binary, cargo, output, root, run as run_command, say, target};

const WASM: &str = "wasm32-wasip2";

pub(crate) fn run() -> Result<()> {
    plugins(&["plugins"], &target().join("release").join("plugins"))?;
    networks(&target().join("release").join("models"))?;
    host()?;
    say(&format!("built {} with its plugins beside it", binary().display()));
    Ok(())
}

/// Builds every native program of the workspace in release.
pub(crate) fn host() -> Result<()> {
    say("building the host");
    run_command(cargo().args(["build", "--release", "--workspace", "--bins"]))
}

/// Builds every package under `folders` that has a `plugin.toml`, and lays each out in a folder of its name under
/// `destination`.
pub(crate) fn plugins(folders: &[&str], destination: &Path) -> Result<()> {
    add_wasm_target()?;
    let packages = packages(folders)?;
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    say(&format!("building plugins: {}", names.join(", ")));
    let mut build = cargo();
    build.args(["build", "--profile", "plugin", "--target", WASM]);
    for name in &names {
        build.args(["--package", name]);
    }
    run_command(&mut build)?;
    for package in &packages {
        let folder = destination.join(&package.name);
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        let component = target().join(WASM).join("plugin").join(format!("{}.wasm", package.name.replace('-', "_")));
        copy(&component, &folder.join("plugin.wasm"))?;
        copy(&package.manifest, &folder.join("plugin.toml"))?;
    }
    Ok(())
}

/// Lays out every network under `models/`, each in a folder of its name under `destination`.
fn networks(destination: &Path) -> Result<()> {
    let models = root().join("models");
    for entry in fs::read_dir(&models).with_context(|| format!("can't read {}", models.display()))? {
        let network = entry?.path();
        let (true, Some(name)) = (network.join("model.onnx").exists(), network.file_name()) else { continue };
        let folder = destination.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        for file in ["model.onnx", "card.md"] {
            copy(&network.join(file), &folder.join(file))?;
        }
    }
    Ok(())
}

/// Adds the guests' target where the toolchain lacks it.
fn add_wasm_target() -> Result<()> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()))?;
    if Path::new(sysroot.trim()).join("lib").join("rustlib").join(WASM).exists() {
        return Ok(());
    }
    say(&format!("adding the target {WASM}"));
    run_command(Command::new("rustup").args(["target", "add", WASM]).current_dir(root()))
        .context("the wasm target is missing, and rustup could not add it")
}

struct PluginPackage {
    name: String,
    manifest: PathBuf,
}

fn packages(folders: &[&str]) -> Result<Vec<PluginPackage>> {
    let mut packages = Vec::new();
    for folder in folders {
        let folder = root().join(folder);
        for entry in fs::read_dir(&folder).with_context(|| format!("can't read {}", folder.display()))? {
            let path = entry?.path();
            let manifest = path.join("plugin.toml");
            if let (true, Some(name)) = (manifest.exists(), path.file_name()) {
                packages.push(PluginPackage { name: name.to_string_lossy().into_owned(), manifest });
            }
        }
    }
    ensure!(!packages.is_empty(), "no plugins under {}", folders.join(", "));
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("can't copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
