//! `fanlight plugin test`: compares a package's results with the expected ones in its folder `tests/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use fanlight_sandbox::HOST_FIELDS;
use serde_json::Value;
use tokio::runtime::Builder;

use super::notice::AUTHOR_LOG;
use super::work_folder::WorkFolder;
use crate::cli::local_file::{LocalFile, digest, print_warnings};
use crate::cli::output::print;
use crate::cli::run::parse_parameters;
use crate::configuration::Configuration;
use crate::runtime::guests::Guests;
use crate::runtime::logging;
use crate::runtime::models::Installed;

/// Most differences that are printed for one document.
const SHOWN_DIFFERENCES: usize = 10;
/// Most letters of a value that are printed.
const SHOWN_LETTERS: usize = 60;

/// Runs every test of a package; with `update`, writes the results as the expected ones.
///
/// # Errors
///
/// There is no test, or one fails.
pub(super) fn test(configuration: &Configuration, folder: &Path, update: bool) -> anyhow::Result<()> {
    logging::start(&configuration.log, AUTHOR_LOG)?;
    let package = WorkFolder::open(folder)?;
    let documents = documents(&package.tests())?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let failed = runtime.block_on(async {
        let guests = package.sandbox(configuration).await?;
        let model = package.load(&guests).await?;
        let mut failed = 0;
        for document in &documents {
            let name = document.file_stem().unwrap_or_default().to_string_lossy();
            match outcome(document, &model, &guests, update).await {
                Ok(said) => print(&format!("ok      {name}: {said}\n"))?,
                Err(error) => {
                    failed += 1;
                    print(&format!("FAILED  {name}: {error:#}\n"))?;
                }
            }
        }
        anyhow::Ok(failed)
    })?;
    ensure!(failed == 0, "{failed} of {} tests failed", documents.len());
    Ok(())
}

/// Returns the documents in a folder, sorted.
fn documents(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let files = fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let files: Vec<PathBuf> = files.unwrap_or_default();
    let mut documents: Vec<PathBuf> = files.into_iter().filter(|path| is_document(path)).collect();
    documents.sort();
    if documents.is_empty() {
        let folder = folder.display();
        bail!("there is no PDF in {folder}: put one there, and write its expected result with `--update`");
    }
    Ok(documents)
}

/// Returns whether a file is a PDF, but not an annotated one.
fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pdf")
        && !path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with(".annotated"))
}

/// Runs the test of one document. Returns what is to be said about it.
async fn outcome(document: &Path, model: &Installed, guests: &Arc<Guests>, update: bool) -> anyhow::Result<String> {
    let result = result(document, model, guests).await?;
    let golden = document.with_extension("json");
    let expected = fs::read_to_string(&golden).ok();
    if update {
        let text = format!("{}\n", serde_json::to_string_pretty(&result)?);
        if expected.as_deref() == Some(text.as_str()) {
            return Ok("unchanged".to_owned());
        }
        fs::write(&golden, text).with_context(|| format!("can't write {}", golden.display()))?;
        return Ok(format!("{} is written", golden.display()));
    }
    let shown = golden.display();
    let expected =
        expected.with_context(|| format!("there is no {shown}: `fanlight plugin test --update` writes it"))?;
    let expected: Value = serde_json::from_str(&expected).with_context(|| format!("{shown} is not JSON"))?;
    let mut differences = Vec::new();
    compare(&expected, &result, "", &mut differences);
    if differences.is_empty() {
        return Ok("the result is as expected".to_owned());
    }
    let more = match differences.len().saturating_sub(SHOWN_DIFFERENCES) {
        0 => String::new(),
        more => format!("\n          and {more} more"),
    };
    differences.truncate(SHOWN_DIFFERENCES);
    bail!("the result differs from {shown}:\n          {}{more}", differences.join("\n          "))
}

/// Runs the model on a document and returns the result without the host's fields, which change from run to run.
async fn result(document: &Path, model: &Installed, guests: &Arc<Guests>) -> anyhow::Result<Value> {
    let named = document.with_extension("parameters.json");
    let parameters = if named.exists() {
        Some(fs::read_to_string(&named).with_context(|| format!("can't read {}", named.display()))?)
    } else {
        None
    };
    let parameters = parse_parameters(parameters.as_deref())?;
    let file = LocalFile::without_model(document, &digest(document)?, guests.clone()).await?;
    let answer = file.run(model, None, &parameters).await?;
    print_warnings(&answer.warnings);
    let mut result: Value = serde_json::from_str(&answer.json)?;
    if let Some(fields) = result.as_object_mut() {
        for field in HOST_FIELDS {
            fields.shift_remove(field);
        }
    }
    Ok(result)
}

/// Adds a sentence for each place at which two values differ. `place` is a JSON Pointer.
fn compare(expected: &Value, found: &Value, place: &str, differences: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (name, value) in expected {
                match found.get(name) {
                    Some(found) => compare(value, found, &format!("{place}/{name}"), differences),
                    None => differences.push(format!("{place}/{name} is missing, expected {}", shown(value))),
                }
            }
            for (name, value) in found.iter().filter(|(name, _)| !expected.contains_key(*name)) {
                differences.push(format!("{place}/{name} is {}, expected nothing", shown(value)));
            }
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            for (position, (expected, found)) in expected.iter().zip(found).enumerate() {
                compare(expected, found, &format!("{place}/{position}"), differences);
            }
        }
        (Value::Array(expected), Value::Array(found)) => {
            differences.push(format!("{place} has {} entries, expected {}", found.len(), expected.len()));
        }
        _ if expected == found => {}
        _ => differences.push(format!("{place} is {}, expected {}", shown(found), shown(expected))),
    }
}

/// Returns a value as text, cut where it is long.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    let Some((end, _)) = text.char_indices().nth(SHOWN_LETTERS) else { return text };
    format!("{}…", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_difference_names_its_place() {
        let expected = json!({"items": [{"page": 1}], "found": 1, "gone": true});
        let found = json!({"items": [{"page": 2}], "found": 1, "new": [1]});
        let mut differences = Vec::new();
        compare(&expected, &found, "", &mut differences);
        assert_eq!(
            differences,
            ["/items/0/page is 2, expected 1", "/gone is missing, expected true", "/new is [1], expected nothing"]
        );
    }

    #[test]
    fn lists_of_other_lengths_are_one_difference() {
        let mut differences = Vec::new();
        compare(&json!([1, 2]), &json!([1]), "/a", &mut differences);
        assert_eq!(differences, ["/a has 1 entries, expected 2"]);
    }
}
