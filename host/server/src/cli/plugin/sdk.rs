//! The SDK as an author gets it: the contract and the crates of this repository that a plugin uses.

/// Path relative to the repository's root, and text, of each file.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sdk_files.rs"));

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

/// Returns the files of the SDK, which are a workspace that depends on nothing of this repository.
pub(super) fn files() -> Vec<File> {
    let own = FILES.iter().map(|(path, text)| File { path: (*path).to_owned(), text: (*text).to_owned() });
    own.chain([File { path: "Cargo.toml".to_owned(), text: manifest() }]).collect()
}

/// Returns the manifest of the SDK's workspace: that of this workspace, reduced to what the crates use.
fn manifest() -> String {
    let manifests: Vec<(&str, &str)> =
        FILES.iter().filter(|(path, _)| path.ends_with("/Cargo.toml")).copied().collect();
    let folders: Vec<&str> = manifests.iter().filter_map(|(path, _)| path.strip_suffix("/Cargo.toml")).collect();
    let members: Vec<String> = folders.iter().map(|folder| format!("    \"{folder}\",\n")).collect();
    let mut text = format!("[workspace]\nresolver = \"3\"\nmembers = [\n{}]\n", members.concat());
    for table in INHERITED_TABLES {
        text.push_str(&format!("\n{table}\n{}\n", table_of(table)));
    }
    text.push_str("\n[workspace.dependencies]\n");
    let is_used = |line: &&str| {
        let name = line.split(" = ").next().unwrap_or_default();
        manifests.iter().any(|(_, manifest)| manifest.contains(&format!("\n{name}.workspace = true")))
    };
    for line in table_of("[workspace.dependencies]").lines().filter(|line| !line.starts_with('#')).filter(is_used) {
        text.push_str(line);
        text.push('\n');
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
        let files = files();
        for line in table_of("[workspace.dependencies]").lines() {
            let Some(path) = line.split("path = \"").nth(1).and_then(|rest| rest.split('"').next()) else { continue };
            if manifest().contains(line) {
                assert!(files.iter().any(|file| file.path == format!("{path}/Cargo.toml")), "{path} is missing");
            }
        }
        assert!(files.iter().any(|file| file.path == "wit/model.wit"));
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
