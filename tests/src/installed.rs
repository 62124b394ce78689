//! Locates the programs and plugins that `cargo xtask test` has laid out.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fanlight_sandbox::{Compilation, Limits, Package, Sandbox, Settings};

/// Returns `target/release`, the parent of the folder of the test programs.
fn release() -> PathBuf {
    let program = env::current_exe().expect("the test program has a path");
    program.ancestors().nth(2).expect("target/release/deps/NAME").to_owned()
}

fn existing(path: PathBuf) -> PathBuf {
    assert!(path.exists(), "{} is missing: run the tests by `cargo xtask test`", path.display());
    path
}

/// Returns the path of the host's binary.
pub fn fanlight() -> PathBuf {
    existing(release().join(format!("fanlight{}", env::consts::EXE_SUFFIX)))
}

/// Returns the path of the host's binary that has failpoints.
pub fn fanlight_with_failpoints() -> PathBuf {
    existing(release().join("test-programs").join(format!("fanlight-failpoints{}", env::consts::EXE_SUFFIX)))
}

/// Returns the package folder of an installed plugin.
pub fn plugin(name: &str) -> PathBuf {
    existing(release().join("plugins").join(name))
}

/// Reads the packages of all installed plugins.
pub fn packages() -> Vec<Package> {
    let folders = std::fs::read_dir(existing(release().join("plugins"))).expect("the folder can be read").flatten();
    let packages = folders.map(|folder| folder.path()).filter(|folder| folder.join("plugin.toml").exists());
    packages.map(|folder| Package::read(&folder).unwrap()).collect()
}

/// Returns the version of an installed plugin.
pub fn version(name: &str) -> String {
    Package::read(&plugin(name)).unwrap().version().to_owned()
}

/// Returns the file of an installed network.
pub fn network(name: &str) -> PathBuf {
    existing(release().join("models").join(name).join("model.onnx"))
}

/// Returns the package folder of a guest that exists for tests only.
pub fn guest(name: &str) -> PathBuf {
    existing(release().join("test-guests").join(name))
}

/// Returns a folder for what tests install themselves.
pub fn folder(name: &str) -> PathBuf {
    release().join(name)
}

/// Returns the folder of machine code that all tests share, so that each component is compiled once.
pub fn cache() -> PathBuf {
    release().join("test-cache")
}

/// Returns the folder of machine code that `cargo xtask build` leaves beside the installed plugins.
pub fn machine_code() -> PathBuf {
    release().join("plugins").join(".machine-code")
}

/// Returns the path of the archive that `cargo xtask package` makes.
pub fn archive() -> PathBuf {
    let folder = existing(release().with_file_name("package"));
    let archives = std::fs::read_dir(&folder).expect("the folder can be read").flatten().map(|file| file.path());
    let mut archives = archives.filter(|path| path.extension().is_some_and(|extension| extension == "gz"));
    archives.next().unwrap_or_else(|| panic!("no archive in {}: run the tests by `cargo xtask test`", folder.display()))
}

/// Opens a sandbox of the installed PDF engine that runs at most `parallel` guests at once.
pub fn sandbox(parallel: usize) -> Sandbox {
    sandbox_with(parallel, None)
}

/// Opens a sandbox as [`sandbox`] does, with a provider of a language model.
pub fn sandbox_with(parallel: usize, language: Option<Arc<fanlight_language::Client>>) -> Sandbox {
    open(parallel, language, None, cache())
}

/// Opens a sandbox as [`sandbox`] does, which keeps machine code in this folder. The tests' cache stays free of what only
/// one test compiles.
pub fn sandbox_with_cache(parallel: usize, cache: &Path) -> Sandbox {
    open(parallel, None, None, cache.to_owned())
}

/// Opens a sandbox as [`sandbox`] does, with networks.
pub fn sandbox_for_networks(parallel: usize, inference: Arc<fanlight_inference::Inference>) -> Sandbox {
    open(parallel, None, Some(inference), cache())
}

fn open(
    parallel: usize,
    language: Option<Arc<fanlight_language::Client>>,
    inference: Option<Arc<fanlight_inference::Inference>>,
    cache: PathBuf,
) -> Sandbox {
    let settings = Settings {
        pdf_engine: plugin("pdf-engine"),
        ocr_engine: Some(plugin("ocr-engine")),
        cache,
        machine_code: Some(machine_code()),
        parallel,
        ceiling: Limits::default(),
        compilation: Compilation::ForJobs,
        language,
        inference,
    };
    Sandbox::open(&settings).unwrap()
}
