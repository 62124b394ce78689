//! Embeds what `fanlight plugin new` writes into a package: the contract and the crates that a plugin's author uses.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::{env, io};

/// What is embedded, each under the name of a file in the output folder.
const LISTS: [(&str, &[&str]); 3] = [
    ("contract.rs", &["wit"]),
    // The SDK in Rust, and the crates that it needs.
    ("rust_sdk.rs", &["reading/contract", "reading/geometry", "reading/sdk", "reading/text"]),
    ("python_sdk.rs", &["reading/sdk-python"]),
];
/// Folders in them that authors do not need.
const LEFT_OUT: [&str; 3] = ["tests", "examples", "__pycache__"];

fn main() -> io::Result<()> {
    let variable = |name| env::var(name).map_err(io::Error::other);
    let root = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../..");
    for (list, folders) in LISTS {
        fs::write(Path::new(&variable("OUT_DIR")?).join(list), files_of(&root, folders)?)?;
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// Returns a list of paths relative to the root, and texts, as Rust source.
fn files_of(root: &Path, folders: &[&str]) -> io::Result<String> {
    let mut list = String::from("&[\n");
    for folder in folders {
        println!("cargo::rerun-if-changed={}", root.join(folder).display());
        for file in files(&root.join(folder))? {
            let name = file.strip_prefix(root).map_err(io::Error::other)?;
            let name = name.to_string_lossy().replace('\\', "/");
            let line = format!("    ({name:?}, include_str!({:?})),\n", file.display().to_string());
            list.write_str(&line).map_err(io::Error::other)?;
        }
    }
    list.push(']');
    Ok(list)
}

/// Returns the files of a folder and of the folders in it, sorted.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_left_out = path.file_name().is_some_and(|name| LEFT_OUT.iter().any(|left_out| name == *left_out));
        if path.is_dir() && !is_left_out {
            found.extend(files(&path)?);
        } else if path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
