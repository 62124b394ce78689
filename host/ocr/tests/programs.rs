//! Runs the real program, and programs that misbehave.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test's panic is its report")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fanlight_ocr::{Expected, Launcher, Layout, OcrError, Picture, Pixels, Reader, Settings};

fn settings() -> Settings {
    Settings::new(Launcher::new(env!("CARGO_BIN_EXE_ocr-launcher"), &[]))
}

fn expected() -> Expected {
    Expected { layout: Layout::Block, languages: Vec::new(), characters: String::new() }
}

fn white() -> Vec<u8> {
    vec![255; 400 * 200]
}

fn picture(bytes: &[u8]) -> Picture<'_> {
    Picture { width: 400, height: 200, pixels: Pixels::Grey, bytes }
}

/// Writes a program that lists a language as Tesseract does, and then runs this script.
fn program(folder: &Path, then: &str) -> PathBuf {
    let path = folder.join("program");
    let script = format!("#!/bin/sh\ncase \"$1\" in\n--list-langs) printf 'List:\\neng\\n';;\n*) {then};;\nesac\n");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    path
}

#[tokio::test]
async fn an_empty_picture_holds_no_words() {
    let reader = Reader::find(settings()).await.unwrap();
    assert!(reader.languages().any(|language| language == "eng"));
    let words = reader.read(&picture(&white()), &expected()).await.unwrap();
    assert_eq!(words, []);
}

#[tokio::test]
async fn a_missing_program_is_unavailable() {
    let missing = Settings { program: PathBuf::from("no-such-program"), ..settings() };
    let error = Reader::find(missing).await.unwrap_err();
    assert!(matches!(&error, OcrError::Unavailable(detail) if detail.contains("no-such-program")), "{error}");
}

#[tokio::test]
async fn a_language_without_data_is_unavailable() {
    let reader = Reader::find(settings()).await.unwrap();
    let expected = Expected { languages: vec!["tlh".to_owned()], ..expected() };
    let error = reader.read(&picture(&white()), &expected).await.unwrap_err();
    assert!(matches!(error, OcrError::Unavailable(_)), "{error}");
}

#[tokio::test]
async fn a_misbehaving_program_fails_only_its_picture() {
    let cases = [
        ("exec sleep 100", "too long"),
        ("exec yes", "without end"),
        ("echo broken >&2; exit 3", "broken"),
        ("kill -SEGV $$", "signal"),
        ("printf '\\377\\376'", "utf-8"),
        ("echo hello", "no table"),
        ("head -c 2000000000 /dev/zero | tail -c 1999999999", "memory"),
    ];
    for (then, reason) in cases {
        let folder = tempfile::tempdir().unwrap();
        let limited = Settings {
            program: program(folder.path(), then),
            time_limit: Duration::from_secs(2),
            memory_mb: 256,
            ..settings()
        };
        let reader = Reader::find(limited).await.unwrap();
        let error = reader.read(&picture(&white()), &expected()).await.unwrap_err();
        assert!(matches!(&error, OcrError::Failed(detail) if detail.contains(reason)), "{then}: {error}");
    }
}
