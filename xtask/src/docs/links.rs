//! Checks relative links, their anchors, and paths in backticks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

/// Extensions of files that are named in backticks without their folder.
const NAMED_ALONE: [&str; 3] = ["rs", "wit", "md"];

/// Words that stand for a part of a file's name.
const PLACEHOLDERS: [&str; 2] = ["NAME", "NNNN"];

/// The files and folders of the repository, relative to its root.
pub(super) struct Tree {
    root: PathBuf,
    files: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
}

impl Tree {
    /// Creates the tree of `files`, which lie under `root`.
    pub(super) fn new(root: PathBuf, files: BTreeSet<PathBuf>) -> Self {
        let folders = files.iter().flat_map(|file| file.ancestors().skip(1)).map(Path::to_owned).collect();
        Self { root, files, folders }
    }

    /// Returns all files, sorted by path.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    fn contains(&self, path: &Path) -> bool {
        self.files.contains(path) || self.folders.contains(path)
    }

    /// Returns the folder of the crate that holds `file`: the nearest one with a `Cargo.toml`.
    fn crate_folder<'a>(&self, file: &'a Path) -> &'a Path {
        let mut folders = file.ancestors().skip(1);
        folders.find(|folder| self.files.contains(&folder.join("Cargo.toml"))).unwrap_or(Path::new(""))
    }
}

/// Returns what is wrong with a link in the file `from`, if anything is. Links to other sites are not followed.
pub(super) fn check_link(destination: &str, from: &Path, tree: &Tree) -> Result<Option<String>> {
    if destination.contains("://") || destination.starts_with("mailto:") {
        return Ok(None);
    }
    let (path, anchor) = destination.split_once('#').unwrap_or((destination, ""));
    let to = if path.is_empty() { Some(from.to_owned()) } else { joined(from.parent().unwrap_or(from), path) };
    let Some(to) = to.filter(|to| tree.contains(to)) else {
        return Ok(Some(format!("the link to {destination} leads to no file")));
    };
    if anchor.is_empty() || to.extension().is_none_or(|extension| extension != "md") {
        return Ok(None);
    }
    let content = fs::read_to_string(tree.root.join(&to)).with_context(|| format!("can't read {}", to.display()))?;
    let wrong = !anchors(&content).contains(anchor);
    Ok(wrong.then(|| format!("{} has no heading for the anchor #{anchor}", to.display())))
}

/// Returns what is wrong with a code span in the file `from` that reads as a path, if anything is.
///
/// A path starts with a folder at the root of the repository. It counts from there, or from the folder, the crate or
/// the `src` of the file that names it. The name of a source file alone counts for any folder.
pub(super) fn check_path(code: &str, from: &Path, tree: &Tree) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let is_placeholder = code.split(['/', '-', '.']).any(|part| PLACEHOLDERS.contains(&part));
    if code.is_empty() || is_placeholder || !code.chars().all(is_name) {
        return None;
    }
    let path = Path::new(code);
    if !code.contains('/') {
        let source = path.extension().is_some_and(|found| NAMED_ALONE.iter().any(|known| found == *known));
        let exists = tree.files().any(|file| file.file_name() == path.file_name());
        return (source && path.file_stem().is_some() && !exists).then(|| format!("there is no file {code}"));
    }
    let at_root = path.components().next().is_some_and(|first| tree.folders.contains(Path::new(&first)));
    // Hidden folders are made by a build or an installation.
    let is_built = path.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        part.starts_with('.') && part.len() > 2
    });
    if !at_root || is_built {
        return None;
    }
    let folder = from.parent().unwrap_or(from);
    let krate = tree.crate_folder(from);
    let bases = [Path::new(""), folder, krate, &krate.join("src")];
    let exists = bases.iter().any(|base| joined(base, code).is_some_and(|path| tree.contains(&path)));
    (!exists).then(|| format!("there is no file {code}"))
}

/// Joins a relative path to a folder of the repository and resolves `.` and `..`. None outside the repository.
fn joined(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut joined = folder.to_owned();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => joined.push(name),
            Component::CurDir => {}
            Component::ParentDir if joined.pop() => {}
            _ => return None,
        }
    }
    Some(joined)
}

/// Returns the anchors of a Markdown file's headings, as GitHub makes them.
fn anchors(content: &str) -> BTreeSet<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut in_block = false;
    let mut anchors = BTreeSet::new();
    for line in content.lines() {
        in_block ^= line.trim_start().starts_with("```");
        let title = line.trim_start_matches('#');
        if in_block || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let anchor = slug(title);
        let times = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *times == 0 { anchor } else { format!("{anchor}-{times}") });
        *times += 1;
    }
    anchors
}

/// Returns a heading in lower case, with hyphens for spaces and without punctuation and destinations of links.
fn slug(title: &str) -> String {
    let mut slug = String::new();
    let mut rest = title.trim();
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("](") {
            rest = rest.find(')').map_or("", |end| &rest[end + 1..]);
            continue;
        }
        match c {
            ' ' => slug.push('-'),
            '-' | '_' => slug.push(c),
            _ if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(root: &Path) -> Tree {
        let files =
            ["README.md", "docs/a.md", "host/store/Cargo.toml", "host/store/src/queue.rs", "host/store/src/lib.rs"];
        Tree::new(root.to_owned(), files.map(PathBuf::from).into())
    }

    #[test]
    fn links_lead_to_files_folders_and_headings() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("docs")).unwrap();
        fs::write(root.path().join("docs/a.md"), "# One `two`\n").unwrap();
        let tree = tree(root.path());
        let cases = [
            ("a.md", None),
            ("../README.md", None),
            ("../host/store", None),
            ("a.md#one-two", None),
            ("#one-two", None),
            ("https://example.com/missing", None),
            ("b.md", Some("the link to b.md leads to no file")),
            ("../../README.md", Some("the link to ../../README.md leads to no file")),
            ("#two", Some("docs/a.md has no heading for the anchor #two")),
        ];
        for (destination, expected) in cases {
            let problem = check_link(destination, Path::new("docs/a.md"), &tree).unwrap();
            assert_eq!(problem.as_deref(), expected, "{destination}");
        }
    }

    #[test]
    fn paths_in_backticks_lead_to_files() {
        let tree = tree(Path::new("/none"));
        let cases = [
            ("host/store/src/queue.rs", true),
            ("host/store/", true),
            ("queue.rs", true),
            ("text/plain", true),
            ("host/NAME/lib.rs", true),
            ("docs/.built", true),
            ("NNNN-title.md", true),
            ("a / b", true),
            ("host/store/src/job.rs", false),
            ("job.rs", false),
        ];
        for (code, expected) in cases {
            let problem = check_path(code, Path::new("host/store/src/lib.rs"), &tree);
            assert_eq!(problem.is_none(), expected, "{code}: {problem:?}");
        }
    }

    #[test]
    fn anchors_are_those_of_github() {
        let content =
            "# The `first` [link](a.md)\n## Twice\n## Twice\n```sh\n# comment\n```\n#hash\n### What's new, 2?";
        let expected = ["the-first-link", "twice", "twice-1", "whats-new-2"];
        assert_eq!(anchors(content), expected.map(str::to_owned).into());
    }
}
