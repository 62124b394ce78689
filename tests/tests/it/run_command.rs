//! `fanlight run`: a model on a file, without a server.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use drafting::manual::{Style, draft};
use fanlight_tests::{document, installed};
use serde_json::Value;

fn run(arguments: &[&str], file: &Path) -> Output {
    let mut command = Command::new(installed::fanlight());
    command.arg("run").args(&arguments[..1]).arg(file).args(&arguments[1..]);
    command.env("FANLIGHT_CACHE", installed::cache()).output().unwrap()
}

fn last_words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

#[test]
fn the_result_is_what_the_api_returns() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manual.pdf");
    let manual = draft(&Style::default(), 3);
    fs::write(&file, manual.pdf).unwrap();

    let output = run(&["toc-parser"], &file);

    assert!(output.status.success(), "{}", last_words(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["document_id", "divisions", "pages_analyzed", "model_version", "processing_time_ms"]);
    assert_eq!(result["divisions"].as_array().unwrap().len(), manual.truth.divisions.len());
}

#[test]
fn only_the_named_pages_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manual.pdf");
    fs::write(&file, draft(&Style::default(), 3).pdf).unwrap();
    let output = run(&["toc-parser", "--pages", "1,3-5,99999"], &file);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["pages_analyzed"], 4);
}

#[test]
fn a_failure_is_one_sentence_and_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let good = file("good.pdf", document::titled("A manual", 2));
    let cases: [(&[&str], std::path::PathBuf, &str); 8] = [
        (&["no-such-model"], good.clone(), "toc-parser"),
        (&["toc-parser"], folder.path().join("missing.pdf"), "missing.pdf"),
        (&["toc-parser"], file("text.pdf", b"text".to_vec()), "not a PDF"),
        (&["toc-parser"], file("secret.pdf", document::encrypted("secret")), "password"),
        (&["toc-parser"], file("cut.pdf", b"%PDF-1.7\n".to_vec()), "cut.pdf"),
        (&["toc-parser", "--pages", "0"], good.clone(), "page"),
        (&["toc-parser", "--pages", "7-9"], good.clone(), "page"),
        (&["toc-parser", "--parameters", "{\"surprise\":1}"], good, "surprise"),
    ];
    for (arguments, path, expected) in cases {
        let output = run(arguments, &path);
        let sentence = last_words(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {sentence}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{arguments:?}: {sentence}");
    }
}
