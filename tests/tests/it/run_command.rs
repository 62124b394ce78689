//! `fanlight run`: runs a model on a file without a server.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use deadline::PATIENCE;
use drafting::manual::{Style, generate};
use drafting::scan::{Scanner, scan};
use fanlight_tests::{document, installed};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use serde_json::{Value, json};

fn command(arguments: &[&str], file: &Path) -> Command {
    let mut command = Command::new(installed::fanlight());
    command.arg("run").args(&arguments[..1]).arg(file).args(&arguments[1..]);
    command.env("FANLIGHT_CACHE", installed::cache());
    command
}

fn run(arguments: &[&str], file: &Path) -> Output {
    deadline::output(&mut command(arguments, file), PATIENCE)
}

fn error_output(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim_end().to_owned()
}

#[test]
fn the_result_is_what_the_api_returns() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manual.pdf");
    let manual = generate(&Style::default(), 3);
    fs::write(&file, manual.pdf).unwrap();

    let output = run(&["toc-parser"], &file);

    assert!(output.status.success(), "{}", error_output(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let fields: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(fields, ["document_id", "divisions", "pages_analyzed", "model_version", "processing_time_ms"]);
    assert_eq!(result["divisions"].as_array().unwrap().len(), manual.truth.divisions.len());
}

#[test]
fn only_the_named_pages_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manual.pdf");
    fs::write(&file, generate(&Style::default(), 3).pdf).unwrap();
    let output = run(&["toc-parser", "--pages", "1,3-5,99999"], &file);
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["pages_analyzed"], 4);
}

#[test]
fn warnings_are_printed_on_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let manual = generate(&Style::default(), 3);
    let contents = manual.truth.toc_pages[0] as u32;
    let prints = prints(manual.pdf.clone(), [contents], 200.0, Orientation::Displayed).unwrap();
    let warning = "warning: Pictures of text were not read: OCR is not available. (OCR_UNAVAILABLE)";
    for (pdf, expected) in [(scan(&prints, &Scanner::ALL[0].1, 1), vec![warning]), (manual.pdf, vec![])] {
        let file = folder.path().join("manual.pdf");
        fs::write(&file, pdf).unwrap();
        let mut command = command(&["toc-parser"], &file);
        let output = deadline::output(
            command.env("FANLIGHT_OCR__ENGINE", "tesseract").env("FANLIGHT_OCR__PROGRAM", "/nonexistent"),
            PATIENCE,
        );
        assert!(output.status.success(), "{}", error_output(&output));
        let said = error_output(&output);
        let warnings: Vec<&str> = said.lines().filter(|line| line.starts_with("warning")).collect();
        assert_eq!(warnings, expected, "{said}");
    }
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
    let cases: [(&[&str], std::path::PathBuf, &str); 10] = [
        (&["no-such-model"], good.clone(), "toc-parser"),
        (&["toc-parser"], folder.path().join("missing.pdf"), "missing.pdf"),
        (&["toc-parser"], file("text.pdf", b"text".to_vec()), "not a PDF"),
        (&["toc-parser"], file("secret.pdf", document::encrypted("secret")), "password"),
        (&["toc-parser"], file("cut.pdf", b"%PDF-1.7\n".to_vec()), "cut.pdf"),
        (&["toc-parser", "--pages", "0"], good.clone(), "page"),
        (&["toc-parser", "--pages", "7-9"], good.clone(), "page"),
        (&["toc-parser", "--parameters", "{\"surprise\":1}"], good.clone(), "surprise"),
        (&["content-extractor", "--sections", "doors"], good.clone(), "doors"),
        (&["toc-parser", "--sections", "08 11 13"], good, "sections"),
    ];
    for (arguments, path, expected) in cases {
        let output = run(arguments, &path);
        let sentence = error_output(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {sentence}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(sentence.contains(expected), "{arguments:?}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{arguments:?}: {sentence}");
    }
}

#[test]
fn listed_or_named_sections_are_extracted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("manual.pdf");
    let manual = generate(&Style { bodies: 4, ..Style::default() }, 3);
    fs::write(&file, manual.pdf).unwrap();

    let body = manual.truth.bodies.first().unwrap();
    let (code, start_page) = (body.section_code.as_str(), body.start_page as u64);
    let all = sections("all", &file);
    assert!(all.len() > 1);
    let named = sections(&format!("{} {}, 99 99 99", &code[..2], &code[2..]), &file);
    assert_eq!(named.len(), 2);
    for section in [all.iter().find(|section| section["section_code"] == code).unwrap(), &named[0]] {
        assert_eq!((&section["found"], &section["page_start"]), (&json!(true), &json!(start_page)), "{section}");
    }
    assert_eq!((&named[1]["section_code"], &named[1]["found"]), (&json!("999999"), &json!(false)));
}

/// Runs content-extractor on a file and returns the sections of its result.
fn sections(choice: &str, file: &Path) -> Vec<Value> {
    let output = run(&["content-extractor", "--sections", choice], file);
    assert!(output.status.success(), "{choice}: {}", error_output(&output));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    result["sections"].as_array().unwrap().clone()
}
