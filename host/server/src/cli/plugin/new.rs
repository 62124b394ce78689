//! `fanlight plugin new`: writes a complete package, which builds outside this repository.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;

use super::sdk;
use crate::cli::output::print;

/// A language that plugins are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// Built by cargo.
    Rust,
    /// Built by componentize-py, with Python inside the component.
    Python,
}

/// Most letters of a name, as the host accepts it.
const LONGEST_NAME: usize = 64;

/// Names that cargo does not accept for a library, or that hide a crate of the standard library.
const RESERVED: [&str; 14] = [
    "alloc",
    "async",
    "build",
    "core",
    "crate",
    "fn",
    "impl",
    "mod",
    "proc-macro",
    "self",
    "std",
    "super",
    "test",
    "type",
];

/// The folder of the SDK in a package.
const SDK_FOLDER: &str = "vendor/fanlight";

/// The text files of a package in Rust: path, and text with the placeholders of [`filled`].
const RUST_FILES: [(&str, &str); 7] = [
    ("Cargo.toml", include_str!("rust/Cargo.toml.template")),
    ("plugin.toml", include_str!("rust/plugin.toml.template")),
    ("src/lib.rs", include_str!("rust/lib.rs.template")),
    ("README.md", include_str!("rust/README.md.template")),
    (".gitignore", include_str!("rust/gitignore.template")),
    (".cargo/config.toml", include_str!("rust/cargo-config.toml.template")),
    ("rust-toolchain.toml", include_str!("rust/rust-toolchain.toml.template")),
];

/// The text files of a package in Python, likewise.
const PYTHON_FILES: [(&str, &str); 7] = [
    ("app.py", include_str!("python/app.py.template")),
    ("plugin.toml", include_str!("python/plugin.toml.template")),
    ("requirements.txt", include_str!("python/requirements.txt.template")),
    ("README.md", include_str!("python/README.md.template")),
    (".gitignore", include_str!("python/gitignore.template")),
    ("wit/plugin.wit", include_str!("python/plugin.wit.template")),
    ("tests/test_app.py", include_str!("python/test_app.py.template")),
];

/// The commands that build a package in Python, printed after it was written.
const PYTHON_BUILD: &str = "python3 -m venv .venv\n    .venv/bin/pip install -r requirements.txt\n    \
    .venv/bin/componentize-py -d wit -w plugin componentize --stub-wasi -p . -p vendor/fanlight app -o plugin.wasm";
/// The command that builds a package in Rust.
const RUST_BUILD: &str = "cargo build --release --target wasm32-wasip2";

/// A document to try the package on: two floor plans, drawn for this purpose.
const SAMPLE: &[u8] = include_bytes!("rust/sample.pdf");

/// Writes a package into a new folder of its name.
///
/// # Errors
///
/// One sentence: the name is not possible, the folder has files, or a file cannot be written.
pub(super) fn new(name: &str, language: Language) -> anyhow::Result<()> {
    check_name(name)?;
    let folder = PathBuf::from(name);
    let is_empty = fs::read_dir(&folder).map_or(!folder.exists(), |mut entries| entries.next().is_none());
    ensure!(is_empty, "{name} has files already: choose another name, or move the folder away");
    let build = match language {
        Language::Rust => {
            write_rust(&folder, name)?;
            RUST_BUILD
        }
        Language::Python => {
            write_python(&folder, name)?;
            PYTHON_BUILD
        }
    };
    print(&format!(
        "wrote the package {name}: a model that finds a word. Next:\n\n    \
         cd {name}\n    \
         {build}\n    \
         fanlight plugin check\n    \
         fanlight plugin test --update\n    \
         fanlight plugin run tests/sample.pdf\n\n\
         The guide is {name}/{SDK_FOLDER}/docs/plugin-authors.md.\n"
    ))
}

/// Writes a package in Rust.
fn write_rust(folder: &Path, name: &str) -> anyhow::Result<()> {
    write_filled(folder, name, &RUST_FILES)?;
    write_all(&folder.join(SDK_FOLDER), sdk::rust())
}

/// Writes a package in Python.
fn write_python(folder: &Path, name: &str) -> anyhow::Result<()> {
    write_filled(folder, name, &PYTHON_FILES)?;
    write_all(&folder.join("wit/deps"), sdk::contract_dependencies())?;
    write_all(&folder.join(SDK_FOLDER), sdk::python())
}

/// Writes the templates of a package, and the sample.
fn write_filled(folder: &Path, name: &str, templates: &[(&str, &str)]) -> anyhow::Result<()> {
    for (path, text) in templates {
        write(&folder.join(path), filled(text, name).as_bytes())?;
    }
    write(&folder.join("tests/sample.pdf"), SAMPLE)
}

/// Writes files of the SDK.
fn write_all(folder: &Path, files: Vec<sdk::File>) -> anyhow::Result<()> {
    for file in files {
        write(&folder.join(&file.path), file.text.as_bytes())?;
    }
    Ok(())
}

/// Writes a file and the folders that it is in.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, bytes));
    written.with_context(|| format!("can't write {}", path.display()))
}

/// Returns a template with the package's name as a name, and as a type.
fn filled(template: &str, name: &str) -> String {
    template.replace("{{name}}", name).replace("{{type}}", &type_name(name))
}

/// Returns `ExitSigns` for `exit-signs`.
fn type_name(name: &str) -> String {
    let words = name.split('-').map(|word| word.split_at(word.len().min(1)));
    words.map(|(first, rest)| first.to_uppercase() + rest).collect()
}

/// Checks that a name is possible both as a model's and as a crate's.
fn check_name(name: &str) -> anyhow::Result<()> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let starts_with_letter = name.starts_with(|c: char| c.is_ascii_lowercase());
    if name.len() > LONGEST_NAME || !starts_with_letter || !name.split('-').all(is_word) {
        bail!(
            "`{name}` is not a possible name: use lower-case letters, digits and single hyphens, at most \
             {LONGEST_NAME}, first a letter, such as `exit-signs`"
        );
    }
    ensure!(!RESERVED.contains(&name), "`{name}` is a name that Rust uses itself: choose another, such as `my-{name}`");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kebab_case_that_cargo_accepts_is_a_name() {
        for name in ["exit-signs", "a", "door2"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "Exit", "2doors", "exit--signs", "-a", "a-", "../a", "a_b", "test", &"a".repeat(65)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_type_is_named_after_the_package() {
        assert_eq!(type_name("exit-signs2"), "ExitSigns2");
    }

    #[test]
    fn no_placeholder_stays_in_a_package() {
        for (path, text) in RUST_FILES.into_iter().chain(PYTHON_FILES) {
            assert!(!filled(text, "exit-signs").contains("{{"), "{path}");
        }
    }

    #[test]
    fn the_toolchain_is_that_of_this_repository() {
        let own = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rust-toolchain.toml"));
        let channel = own.lines().find(|line| line.starts_with("channel")).unwrap();
        assert!(include_str!("rust/rust-toolchain.toml.template").contains(channel), "{channel}");
    }
}
