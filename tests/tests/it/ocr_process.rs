//! The OCR program as the host starts it: its pipes are all that it gets from the host.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use deadline::PATIENCE;
use fanlight_tests::{document, installed};

/// A script that prints what it sees as its languages, which the host logs. The test fills in a port.
const WITNESS: &str = r"#!/bin/bash
(
    echo languages:
    tr '\0' '\n' </proc/$$/environ | sed 's/^/variable-/'
    find /proc/$$/fd -type l -lname /dev/null -printf 'inherited-%f\n' | grep -v inherited-0
    find . -mindepth 1 -printf 'file-%p\n'
    (exec 3<>/dev/tcp/127.0.0.1/PORT) && echo network
    echo end
) 2>/dev/null
";

/// Returns the log of a host that starts with secrets in its environment and an open descriptor.
fn log_with(witness: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("witness");
    fs::write(&program, witness).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let file = folder.path().join("any.pdf");
    fs::write(&file, document::titled("any", 1)).unwrap();
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "exec 9</dev/null; exec \"$@\"", "sh"])
        .arg(installed::fanlight())
        .args(["run", "toc-parser"])
        .arg(&file)
        .env("FANLIGHT_CACHE", installed::cache())
        .env("FANLIGHT_OCR__ENGINE", "tesseract")
        .env("FANLIGHT_OCR__PROGRAM", &program)
        .env("FANLIGHT_LOG__FILTER", "info")
        .env("FANLIGHT_LANGUAGE__API_KEY", "sk-secret")
        .env("AWS_SECRET_ACCESS_KEY", "secret");
    let output = deadline::output(&mut command, PATIENCE);
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{log}");
    log
}

#[test]
fn the_ocr_program_sees_nothing_of_its_host() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();

    let log = log_with(&WITNESS.replace("PORT", &port.to_string()));

    let line = log.lines().find(|line| line.contains("languages=")).unwrap_or_else(|| panic!("{log}"));
    assert!(line.contains(r#"languages=["end", "variable-OMP_THREAD_LIMIT=1"]"#), "{line}");
}
