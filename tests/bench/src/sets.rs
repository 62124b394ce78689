//! Builds sets of many sheets from a few synthetic ones.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use lopdf::{Document, Object, ObjectId};

/// Writes a file of `pages` pages by repeating those of `document` in order. All have one parent in the page tree, as
/// synthetic documents do.
pub(crate) fn repeated(document: &Document, pages: usize, path: PathBuf) -> Result<PathBuf> {
    let mut set = document.clone();
    let own: Vec<ObjectId> = set.get_pages().into_values().collect();
    let first = set.get_dictionary(*own.first().context("the file has no page")?)?;
    let tree = first.get(b"Parent")?.as_reference()?;
    let mut kids = Vec::new();
    for (index, &page) in own.iter().cycle().take(pages).enumerate() {
        let kid = if index < own.len() { page } else { set.add_object(set.get_dictionary(page)?.clone()) };
        kids.push(Object::Reference(kid));
    }
    let tree = set.get_dictionary_mut(tree)?;
    tree.set("Count", i64::try_from(pages)?);
    tree.set("Kids", kids);
    save(set, path)
}

/// Writes a file.
pub(crate) fn save(mut document: Document, path: PathBuf) -> Result<PathBuf> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes)?;
    fs::write(&path, bytes).with_context(|| format!("can't write {}", path.display()))?;
    Ok(path)
}
