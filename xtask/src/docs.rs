//! `cargo xtask docs`: checks that what the documentation refers to exists.
//!
//! Reads every `*.md` file, and the comments of Rust, WIT and TOML files. Checks
//!
//! - relative links and their anchors,
//! - paths to files of the repository in backticks, and
//! - commands in `sh` blocks and in backticks: their subcommands, flags, packages, binaries, examples and tests.
//!
//! Prints one line for each that is wrong, with file and line. Builds nothing: the flags of a program come from the
//! `--help` of its binary in `target/release`.

mod commands;
mod interface;
mod links;
mod text;
mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace::{root, say};
use links::Tree;
use text::{Reference, Target};
use workspace::Workspace;

/// Folders without documentation of this project: their names say that tools made them.
const GENERATED_FOLDERS: [&str; 6] = [".git", "target", "node_modules", "__pycache__", ".hypothesis", ".schemathesis"];

/// Checks the whole repository, prints what is wrong and fails if anything is.
pub(crate) fn run() -> Result<()> {
    let tree = Tree::new(root(), files(&root())?);
    let workspace = Workspace::load()?;
    let mut problems = Vec::new();
    let mut references = 0;
    for path in tree.files() {
        let Some(read) = text::reader(path) else { continue };
        let content =
            fs::read_to_string(root().join(path)).with_context(|| format!("can't read {}", path.display()))?;
        for reference in read(&content) {
            references += 1;
            if let Some(problem) = problem(&reference, path, &tree, &workspace)? {
                problems.push(format!("{}:{}: {problem}", path.display(), reference.line));
            }
        }
    }
    for name in workspace.unbuilt() {
        say(&format!("the flags of {name} are not checked: target/release has no such binary"));
    }
    if !problems.is_empty() {
        bail!(
            "the documentation refers to what does not exist (flags are those of the binaries built last)\n{}",
            problems.join("\n")
        );
    }
    say(&format!("all {references} links, paths and commands of the documentation are right"));
    Ok(())
}

/// Returns what is wrong with a reference in the file `path`, if anything is.
fn problem(reference: &Reference, path: &Path, tree: &Tree, workspace: &Workspace) -> Result<Option<String>> {
    match &reference.target {
        Target::Link(destination) => links::check_link(destination, path, tree),
        Target::Code(code) => match commands::parse(code).as_slice() {
            [command] if commands::is_checked(command) => commands::check(command, workspace),
            _ => Ok(links::check_path(code, path, tree)),
        },
        Target::Shell(line) => {
            for command in commands::parse(line).iter().filter(|command| commands::is_checked(command)) {
                if let Some(problem) = commands::check(command, workspace)? {
                    return Ok(Some(problem));
                }
            }
            Ok(None)
        }
    }
}

/// Lists all files under `root` that tools did not make, relative to it.
fn files(root: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("can't read {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            if path.is_dir() && !GENERATED_FOLDERS.iter().any(|generated| name == *generated) {
                folders.push(path);
            } else if path.is_file() {
                files.insert(path.strip_prefix(root).unwrap_or(&path).to_owned());
            }
        }
    }
    Ok(files)
}
