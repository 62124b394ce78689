//! Finds everything that is wrong with the text of a `plugin.toml`.
//!
//! The parser stops at the first error. So each error is recorded and taken out of the text, which is parsed again: the
//! rules stay those of the parser.

use crate::package::{CONTRACT, Manifest, contradictions};
use crate::problem::Problem;

/// Most errors that are looked for.
const MOST_ERRORS: usize = 50;

/// A manifest, and what is wrong with it.
#[derive(Debug, Default)]
pub struct CheckedManifest {
    /// The manifest without its errors, with placeholders for what is missing.
    pub manifest: Manifest,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// Whether the parser accepts the text as it is.
    pub is_valid: bool,
}

/// Checks the text of a `plugin.toml`.
pub fn check_manifest(text: &str) -> CheckedManifest {
    let mut problems = Vec::new();
    let Some(manifest) = parse(text, &mut problems) else {
        return CheckedManifest { manifest: Manifest::default(), problems, is_valid: false };
    };
    let is_valid = problems.is_empty();
    if is_valid && !manifest.is_model() {
        problems.push(Problem::new("plugin.toml: `kind` is not `model`", "write kind = \"model\""));
    }
    if manifest.contract() != CONTRACT {
        problems.push(Problem::new(
            format!("plugin.toml: contract is {}, this host speaks {CONTRACT}", manifest.contract()),
            format!("write contract = \"{CONTRACT}\" and build with the SDK that `fanlight plugin new` writes"),
        ));
    }
    for contradiction in contradictions(&manifest) {
        problems.push(Problem::new(
            format!("plugin.toml: {contradiction}"),
            "name each network once under [[models]] with the SHA-256 of its file, and `nn` among the capabilities",
        ));
    }
    CheckedManifest { manifest, problems, is_valid }
}

/// Parses a manifest, and takes each error out of the text until the rest is valid.
fn parse(text: &str, problems: &mut Vec<Problem>) -> Option<Manifest> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut placeholders: Vec<String> = Vec::new();
    let mut silenced: Vec<String> = Vec::new();
    for _ in 0..MOST_ERRORS {
        let tried = [placeholders.as_slice(), lines.as_slice()].concat().join("\n");
        let error = match toml::from_str(&tried) {
            Ok(manifest) => return Some(manifest),
            Err(error) => error,
        };
        let line = error.span().map(|span| line_at(&tried, span.start));
        let message = error.message().lines().next().unwrap_or_default().to_owned();
        if let Some(placeholder) = missing_field(&message).and_then(placeholder) {
            let key = key_of(&placeholder).to_owned();
            if !silenced.contains(&key) {
                let remedy = format!("add a line such as {placeholder}");
                problems.push(Problem::new(format!("plugin.toml: {message}"), remedy));
            }
            placeholders.push(placeholder);
            continue;
        }
        let own_line = line.and_then(|line| line.checked_sub(placeholders.len()));
        let Some((number, line)) = own_line.and_then(|number| Some((number, lines.get_mut(number)?))) else {
            problems.push(Problem::new(format!("plugin.toml: {message}"), "correct it"));
            return None;
        };
        let remedy =
            if message.starts_with("unknown field") { "delete or correct the line" } else { "correct the line" };
        problems.push(Problem::new(format!("plugin.toml, line {}: {message}", number + 1), remedy));
        if line.is_empty() {
            return None;
        }
        silenced.push(key_of(line).to_owned());
        line.clear();
    }
    None
}

/// Returns the number of the line, from 0, that a byte is on.
fn line_at(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|byte| *byte == b'\n').count()
}

/// Returns the field that a message says is missing.
fn missing_field(message: &str) -> Option<&str> {
    message.strip_prefix("missing field `")?.split('`').next()
}

/// Returns a line that gives a required field of the top level a value.
fn placeholder(field: &str) -> Option<String> {
    let value = match field {
        "name" => "my-model",
        "version" => "0.1.0",
        "contract" => CONTRACT,
        "kind" => "model",
        _ => return None,
    };
    Some(format!("{field} = \"{value}\""))
}

/// Returns the key of a line `key = value`.
fn key_of(line: &str) -> &str {
    line.split('=').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whats(text: &str) -> Vec<String> {
        check_manifest(text).problems.into_iter().map(|problem| problem.what).collect()
    }

    #[test]
    fn a_valid_manifest_has_no_problem() {
        let text = "name = 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\n";
        assert_eq!(whats(text), [] as [&str; 0]);
        assert!(check_manifest(text).is_valid);
    }

    #[test]
    fn every_error_is_reported_with_its_line() {
        let text = "name = 'a'\nfiles = true\ncontract = '0.3'\nkind = 'plan'\ncapabilities = ['net']\n\
                    [limits]\nmemory = 3\n";
        let found = whats(text);
        let expected = ["line 2", "line 4", "line 5", "line 7", "missing field `version`", "contract is 0.3"];
        for part in expected {
            assert!(found.iter().any(|what| what.contains(part)), "{part} is not in {found:#?}");
        }
        assert_eq!(found.len(), expected.len(), "{found:#?}");
    }

    #[test]
    fn text_that_is_not_toml_is_reported() {
        let found = whats("name 'a'\nversion = '1.0.0'\ncontract = '0.1'\nkind = 'model'\n");
        assert!(found[0].contains("line 1"), "{found:?}");
    }
}
