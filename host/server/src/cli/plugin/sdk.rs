//! The SDKs as an author gets them: the contract, and what of this repository a plugin in Rust or in Python uses.

/// Path relative to the repository's root, and text, of each file of the contract.
const CONTRACT: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/contract.rs"));
/// The crates of the SDK in Rust, likewise.
const RUST: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rust_sdk.rs"));
/// The SDK in Python, likewise.
const PYTHON: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/python_sdk.rs"));

/// The guide for authors and the reference of the contract, which lead to no file but each other.
const DOCS: [(&str, &str); 2] = [
    ("docs/plugin-authors.md", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plugin-authors.md"))),
    ("docs/plugin-contract.md", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/plugin-contract.md"))),
];

/// The folder of the contract in the repository.
const CONTRACT_FOLDER: &str = "wit/";
/// The folder of the SDK in Python in the repository.
const PYTHON_FOLDER: &str = "reading/sdk-python/";
/// The file of the contract with worlds that no plugin in Python targets: it writes a world of its own.
const WORLDS: &str = "wit/worlds.wit";

/// The manifest of this workspace, which has the versions of dependencies.
const WORKSPACE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"));

/// The tables of the workspace's manifest that the crates inherit from as they are.
const INHERITED_TABLES: [&str; 3] = ["[workspace.package]", "[workspace.lints.rust]", "[workspace.lints.clippy]"];

/// A file of the SDK.
#[derive(Debug)]
pub(super) struct File {
    /// Path relative to the SDK's folder, with `/`.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }
}

/// Returns the files of the SDK in Rust: guide, contract and crates, a workspace that depends on nothing of this repository.
pub(super) fn rust() -> Vec<File> {
    let own = CONTRACT.iter().chain(RUST).chain(&DOCS).map(|(path, text)| File::new(path, text));
    own.chain([File::new("Cargo.toml", &manifest())]).collect()
}

/// Returns the guide and the modules of the SDK in Python, relative to a folder in Python's path.
pub(super) fn python() -> Vec<File> {
    let inside = |path: &'static str| path.strip_prefix(PYTHON_FOLDER).filter(|path| path.contains('/'));
    let modules = PYTHON.iter().filter_map(|(path, text)| Some(File::new(inside(path)?, text)));
    modules.chain(DOCS.iter().map(|(path, text)| File::new(path, text))).collect()
}

/// Returns the contract as dependencies of a package in WIT, relative to its folder `deps`.
pub(super) fn contract_dependencies() -> Vec<File> {
    let files = CONTRACT.iter().filter(|(path, _)| *path != WORLDS);
    files.map(|(path, text)| File::new(&path_in_deps(path), text)).collect()
}

/// Returns the path of a file of the contract in the folder `deps`, where each package has a folder of its own.
fn path_in_deps(path: &str) -> String {
    let inside = path.strip_prefix(CONTRACT_FOLDER).unwrap_or(path);
    inside.strip_prefix("deps/").map_or_else(|| format!("fanlight/{inside}"), str::to_owned)
}

/// Returns the manifest of the SDK's workspace: that of this workspace, reduced to what the crates use.
fn manifest() -> String {
    let manifests: Vec<(&str, &str)> = RUST.iter().filter(|(path, _)| path.ends_with("/Cargo.toml")).copied().collect();
    let folders: Vec<&str> = manifests.iter().filter_map(|(path, _)| path.strip_suffix("/Cargo.toml")).collect();
    let members: Vec<String> = folders.iter().map(|folder| format!("    \"{folder}\",\n")).collect();
    let mut text = format!("[workspace]\nresolver = \"3\"\nmembers = [\n{}]\n", members.concat());
    for table in INHERITED_TABLES {
        text.extend(["\n", table, "\n", table_of(table), "\n"]);
    }
    text.push_str("\n[workspace.dependencies]\n");
    for line in table_of("[workspace.dependencies]").lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(" = ").next().unwrap_or_default();
        let inherited = format!("\n{name}.workspace = true");
        if manifests.iter().any(|(_, manifest)| manifest.contains(&inherited)) {
            text.extend([line, "\n"]);
        }
    }
    text
}

/// Returns the lines of a table of the workspace's manifest.
fn table_of(header: &str) -> &'static str {
    let after = WORKSPACE.split_once(&format!("\n{header}\n")).map_or("", |(_, after)| after);
    after.split("\n[").next().unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sdk_has_every_crate_it_depends_on() {
        let files = rust();
        for line in table_of("[workspace.dependencies]").lines() {
            let Some(path) = line.split("path = \"").nth(1).and_then(|rest| rest.split('"').next()) else { continue };
            if manifest().contains(line) {
                assert!(files.iter().any(|file| file.path == format!("{path}/Cargo.toml")), "{path} is missing");
            }
        }
        assert!(files.iter().any(|file| file.path == "wit/model.wit"));
    }

    #[test]
    fn the_guide_leads_to_nothing_that_an_author_lacks() {
        for (page, text) in DOCS {
            let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            for link in links.filter(|link| !link.starts_with("https://") && !link.starts_with('#')) {
                let file = link.split('#').next().unwrap_or_default();
                assert!(DOCS.iter().any(|(path, _)| *path == format!("docs/{file}")), "{page} leads to {link}");
            }
        }
        for files in [rust(), python()] {
            assert!(files.iter().any(|file| file.path == "docs/plugin-authors.md"));
        }
    }

    #[test]
    fn the_sdk_in_python_has_modules_and_a_contract() {
        let has = |files: Vec<File>, path: &str| files.iter().any(|file| file.path == path);
        assert!(has(python(), "fanlight_plugin/__init__.py") && !has(python(), "pyproject.toml"));
        assert!(
            has(contract_dependencies(), "fanlight/pdf.wit") && has(contract_dependencies(), "wasi-nn/wasi-nn.wit")
        );
    }

    #[test]
    fn the_manifest_inherits_what_the_crates_use() {
        let manifest = manifest();
        for part in ["edition = \"2024\"", "\nserde = {", "\nwit-bindgen = {", "unsafe_code = \"deny\"", "pedantic ="] {
            assert!(manifest.contains(part), "{part} is not in {manifest}");
        }
        assert!(!manifest.contains("wasmtime"), "{manifest}");
    }
}
