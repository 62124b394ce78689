//! `cargo xtask build` builds the host, its plugins and networks, lays them out as the host finds them, and compiles the
//! plugins to machine code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::console;
use crate::workspace::{Profile, binary, cargo, children_cpu_seconds, output, root, run as run_command, say, target};

/// The compilation target of guests.
pub(crate) const WASM: &str = "wasm32-wasip2";
/// The folder of the plugins.
const PLUGINS: &str = "plugins";
/// The folder of guests that exist for tests only.
const TEST_GUESTS: &str = "tests/guests";
/// The PDF engine's package.
const PDF_ENGINE: &str = "pdf-engine";
/// The plugins that the demo needs.
const DEMO_PLUGINS: [&str; 2] = [PDF_ENGINE, "toc-parser"];
/// The programs that the demo runs: the server, and the one that draws a sample.
const DEMO_PROGRAMS: [&str; 2] = ["fanlight", "drafting"];

/// Builds and lays out the server with its console, every plugin and every network.
pub(crate) fn run() -> Result<()> {
    installed()?;
    console::build()?;
    programs(&DEMO_PROGRAMS, Profile::Release)?;
    machine_code()?;
    say(&format!("built {} with its plugins beside it", binary().display()));
    Ok(())
}

/// Builds what [`run`] builds, and the programs that measure and train.
pub(crate) fn everything() -> Result<()> {
    installed()?;
    programs_of_workspace()?;
    machine_code()
}

/// Builds every program of the workspace. Another selection of packages has other features and compiles wasmtime anew.
pub(crate) fn programs_of_workspace() -> Result<()> {
    say("building all programs");
    run_command(cargo().args(["build", "--release", "--workspace", "--bins"]))
}

/// Builds only what the demo needs, and returns the profile of its programs. A build from an empty folder leaves a record of
/// what it took.
///
/// Programs that are shipped are taken if they were built before. Otherwise those of the demo compile in less time.
pub(crate) fn for_demo() -> Result<Profile> {
    let profile = if binary().exists() { Profile::Release } else { Profile::Demo };
    let is_first = !profile.program("fanlight").exists() && !plugin_output().exists();
    let started = Instant::now();
    plugins(&packages(&[PLUGINS], |name| DEMO_PLUGINS.contains(&name))?, &profile.folder(PLUGINS))?;
    programs(&DEMO_PROGRAMS, profile)?;
    if is_first {
        record(started)?;
    }
    Ok(profile)
}

/// Returns the path of the record that [`for_demo`] leaves.
pub(crate) fn first_build_record() -> PathBuf {
    target().join("first-build.json")
}

fn record(started: Instant) -> Result<()> {
    let record = json!({ "seconds": started.elapsed().as_secs_f64(), "cpu_seconds": children_cpu_seconds() });
    let path = first_build_record();
    fs::write(&path, record.to_string()).with_context(|| format!("can't write {}", path.display()))
}

/// Builds the guests that exist for tests only, and compiles them into the cache that tests share.
pub(crate) fn test_guests() -> Result<()> {
    let folder = release("test-guests");
    plugins(&packages(&[TEST_GUESTS], |_| true)?, &folder)?;
    // A guest is composed with the PDF engine before it is compiled.
    let engine = folder.join(PDF_ENGINE);
    fs::create_dir_all(&engine).with_context(|| format!("can't make {}", engine.display()))?;
    for file in ["plugin.wasm", "plugin.toml"] {
        copy(&release(PLUGINS).join(PDF_ENGINE).join(file), &engine.join(file))?;
    }
    say("compiling the guests of tests for this machine");
    let mut compile = Command::new(binary());
    compile.args(["plugin", "compile", "--out"]).arg(release("test-cache"));
    run_command(compile.env("FANLIGHT_PLUGINS", &folder).env("FANLIGHT_LOG__FILTER", "error"))
}

/// Builds and lays out every plugin, and lays out every network.
fn installed() -> Result<()> {
    plugins(&packages(&[PLUGINS], |_| true)?, &release(PLUGINS))?;
    networks(&release("models"))
}

/// Builds the programs of these packages.
fn programs(packages: &[&str], profile: Profile) -> Result<()> {
    say(&format!("building {}", packages.join(" and ")));
    let mut build = cargo();
    build.args(["build", "--bins", "--profile", profile.name()]);
    for package in packages {
        build.args(["--package", package]);
    }
    run_command(&mut build)
}

/// Compiles the plugins to machine code, so that servers don't have to.
fn machine_code() -> Result<()> {
    say("compiling the plugins for this machine");
    run_command(Command::new(binary()).args(["plugin", "compile"]))
}

/// Returns a folder beside the server that is shipped.
fn release(name: &str) -> PathBuf {
    Profile::Release.folder(name)
}

/// Returns the folder of built components.
fn plugin_output() -> PathBuf {
    target().join(WASM).join("plugin")
}

/// Builds packages and lays out each in a folder of its name under `destination`.
fn plugins(packages: &[PluginPackage], destination: &Path) -> Result<()> {
    add_wasm_target()?;
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    say(&format!("building plugins: {}", names.join(", ")));
    let mut build = cargo();
    build.args(["build", "--profile", "plugin", "--target", WASM]);
    for name in &names {
        build.args(["--package", name]);
    }
    run_command(&mut build)?;
    for package in packages {
        let folder = destination.join(&package.name);
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        let component = plugin_output().join(format!("{}.wasm", package.name.replace('-', "_")));
        copy(&component, &folder.join("plugin.wasm"))?;
        copy(&package.manifest, &folder.join("plugin.toml"))?;
        let card = package.manifest.with_file_name("card.md");
        if card.exists() {
            copy(&card, &folder.join("card.md"))?;
        }
    }
    Ok(())
}

/// Lays out every network of `models/` in a folder of its name under `destination`.
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
        // A network of others comes with its licence.
        let licence = network.join("LICENSE");
        if licence.exists() {
            copy(&licence, &folder.join("LICENSE"))?;
        }
    }
    Ok(())
}

/// Adds the guests' target if the toolchain lacks it.
pub(crate) fn add_wasm_target() -> Result<()> {
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

/// Returns the names of the plugins that are installed.
pub(crate) fn installed_plugins() -> Result<Vec<String>> {
    Ok(packages(&[PLUGINS], |_| true)?.into_iter().map(|package| package.name).collect())
}

/// Returns the wanted packages under `folders`, sorted by name. A package is a folder with a `plugin.toml`.
fn packages(folders: &[&str], wanted: impl Fn(&str) -> bool) -> Result<Vec<PluginPackage>> {
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
    packages.retain(|package| wanted(&package.name));
    ensure!(!packages.is_empty(), "no plugins under {}", folders.join(", "));
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("can't copy {} to {}", from.display(), to.display()))?;
    Ok(())
}
