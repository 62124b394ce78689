//! The order of the server's modules: each depends only on those below it.

use std::fs;
use std::path::{Path, PathBuf};

/// The top-level modules, from the highest to the lowest.
const LAYERS: [&str; 7] = ["cli", "api", "domain", "views", "runtime", "configuration", "errors"];

/// Returns the Rust files of a folder and of the folders in it.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] }).collect()
}

/// Returns the top-level modules that a source text names in paths such as `crate::domain::service`.
fn named_modules(text: &str) -> Vec<&str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| line.split("crate::").skip(1));
    paths.filter_map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_').next()).collect()
}

#[test]
fn modules_depend_only_on_lower_ones() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (position, layer) in LAYERS.iter().enumerate() {
        let file = source.join(layer).with_extension("rs");
        let files = if file.is_file() { vec![file] } else { rust_files(&source.join(layer)) };
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
            for module in named_modules(&fs::read_to_string(file).unwrap()) {
                let allowed = LAYERS.iter().skip(position).any(|lower| *lower == module);
                assert!(allowed, "{} uses `crate::{module}`, which is above `{layer}` or unknown", file.display());
            }
        }
    }
}

#[test]
fn every_top_level_module_has_a_layer() {
    let main = include_str!("main.rs");
    let modules = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    for module in modules.filter(|module| *module != "module_graph") {
        assert!(LAYERS.contains(&module), "`{module}` is not in `LAYERS`");
    }
}
