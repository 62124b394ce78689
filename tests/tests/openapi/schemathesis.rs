//! Schemathesis on a live server: all checks, all phases, with links.

use std::fs;

use drafting::manual::{Style, generate};
use fanlight_tests::document;
use fanlight_tests::server::{Options, Server};
use test_programs::{Python, output};

use crate::repository;

#[tokio::test]
async fn schemathesis_finds_nothing() {
    let settings = vec![
        // Schemathesis sends requests as fast as it can.
        ("TIERS__ENTERPRISE__REQUESTS_PER_MINUTE", "1000000".to_owned()),
        // The addresses that it invents may exist.
        ("TIERS__ENTERPRISE__WEBHOOKS", "false".to_owned()),
    ];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("office", "enterprise");
    // Entries for lists and targets for links.
    for seed in 0..2 {
        let document = client.document(generate(&Style::default(), seed).pdf).await;
        client.finished(&client.job(&document).await).await;
    }

    let folder = repository("tests/schemathesis");
    let python = Python::with(&folder.join("requirements.txt"));
    let scratch = tempfile::tempdir().unwrap();
    let pdf = scratch.path().join("sample.pdf");
    fs::write(&pdf, document::titled("A sample", 2)).unwrap();
    let mut schemathesis = python.program("schemathesis");
    schemathesis.arg("--config-file").arg(folder.join("schemathesis.toml")).args(["--no-color", "run"]);
    schemathesis.arg(format!("{}/openapi.json", server.base_url())).args(["--seed", "1"]);
    schemathesis.env("PYTHONPATH", &folder).env("PYTHONDONTWRITEBYTECODE", "1");
    schemathesis.env("FANLIGHT_KEY", client.secret()).env("FANLIGHT_PDF", &pdf).current_dir(scratch.path());
    let report = output(&mut schemathesis, "requirements.txt");

    for phase in ["Examples", "Coverage", "Fuzzing", "Stateful"] {
        assert!(report.contains(&format!("✅ {phase}")), "{phase} did not run:\n{report}");
    }
}
