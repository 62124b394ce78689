//! A server without machine code, and one from an archive that has it all.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server};
use fanlight_tests::{document, installed};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;

use crate::admin::{read, with_admin};

/// The limit for compiling two models and the PDF engine on a busy machine.
const PATIENCE: Duration = Duration::from_mins(5);

/// Options of a server whose plugins have no machine code, and the folders that must outlive it.
fn cold() -> (Options, Plugins, TempDir) {
    let plugins = Plugins::without_machine_code()
        .with("toc-parser", &installed::plugin("toc-parser"))
        .with("drawing-classifier", &installed::plugin("drawing-classifier"));
    let cache = tempfile::tempdir().unwrap();
    let settings = vec![("CACHE", cache.path().join("machine-code").to_string_lossy().into_owned())];
    (Options { plugins: Some(plugins.folder()), settings, ..Options::default() }, plugins, cache)
}

/// Returns the entry of a model in `/v1/models`.
async fn model(client: &Caller, name: &str) -> Value {
    let listed = client.get("/v1/models").await;
    assert_eq!(listed.status, StatusCode::OK, "{}", listed.body);
    listed.body["models"].as_array().unwrap().iter().find(|model| model["name"] == name).unwrap().clone()
}

#[tokio::test]
async fn a_server_listens_before_compiling_anything() {
    let (options, _plugins, cache) = cold();
    let (server, admin) = with_admin(options);
    let (status, text) = read(format!("{admin}/readyz")).await;
    let client = server.client("office", "developer");
    let parser = model(&client, "toc-parser").await;
    assert_eq!((&parser["installed"], &parser["compiling"]), (&json!(true), &json!(true)), "{parser}");
    assert!(text.contains("compiling: "), "{status} {text}");
    assert!(compiled(cache.path()) < 3, "everything was compiled before the server listened");
}

/// Counts the compiled components in a cache.
fn compiled(folder: &Path) -> usize {
    let files = fs::read_dir(folder.join("machine-code")).into_iter().flatten().flatten();
    files.filter(|file| file.path().extension().is_some_and(|extension| extension == "cwasm")).count()
}

#[tokio::test]
async fn a_job_waits_while_its_model_compiles() {
    let (options, _plugins, _cache) = cold();
    let server = Server::start_with(options);
    let client = server.client("office", "developer");
    let finished = timeout(PATIENCE, async {
        let document = client.document(document::titled("A manual", 2)).await;
        let job = client.job(&document).await;
        client.finished(&job).await
    });
    let job = finished.await.unwrap();
    assert_eq!(job["status"], "complete", "{job}");
    let parser = model(&client, "toc-parser").await;
    assert_eq!((&parser["compiling"], &parser["version"]), (&json!(false), &json!(installed::version("toc-parser"))));
}

#[tokio::test]
async fn a_requested_model_compiles_first() {
    let data = tempfile::tempdir().unwrap();
    let warm = Server::start_with(Options { data: Some(data.path().to_owned()), ..Options::default() });
    let document = warm.client("office", "developer").document(document::titled("A manual", 2)).await;
    drop(warm);
    let (options, _plugins, _cache) = cold();
    let options = Options { keep_log: true, data: Some(data.path().to_owned()), ..options };
    let server = Server::start_with(options);
    let client = server.client("office", "developer");
    // The PDF engine compiles for seconds, so the job is submitted before any model's turn.
    let job = timeout(PATIENCE, client.job(&document)).await.unwrap();
    timeout(PATIENCE, client.finished(&job)).await.unwrap();
    let log = server.log();
    let compiled: Vec<&String> = log.iter().filter(|line| line.contains("a model can be run")).collect();
    assert!(compiled.first().is_some_and(|line| line.contains("toc-parser")), "{compiled:?}");
}

#[tokio::test]
async fn wrong_parameters_are_refused_while_the_model_compiles() {
    let (options, _plugins, _cache) = cold();
    let server = Server::start_with(options);
    let client = server.client("office", "developer");
    let answered = timeout(PATIENCE, async {
        let document = client.document(document::titled("A manual", 2)).await;
        let body = json!({ "document_id": document, "parameters": { "surprise": 1 } });
        let request = client.request(reqwest::Method::POST, "/v1/models/toc-parser/jobs").json(&body);
        fanlight_tests::server::answer(request).await
    });
    assert_eq!(answered.await.unwrap().error(), (422, "VALIDATION_ERROR"));
}

#[test]
fn an_unpacked_archive_runs_without_compiling() {
    let folder = tempfile::tempdir().unwrap();
    let unpacked = Command::new("tar").arg("-xzf").arg(installed::archive()).current_dir(&folder).status().unwrap();
    assert!(unpacked.success());
    let [program] = &fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()[..] else {
        panic!("the archive is not one folder");
    };
    let (home, empty) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut run = Command::new(program.join("fanlight"));
    run.args(["run", "toc-parser", "sample.pdf"]).current_dir(program);
    run.env_clear().env("PATH", empty.path()).env("HOME", home.path());
    let started = Instant::now();
    let output = run.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(result["divisions"].as_array().unwrap().len() > 1, "{result}");
    let kept = fs::read_dir(home.path().join(".cache/fanlight")).unwrap().count();
    assert_eq!(kept, 0, "machine code was made anew, in {:?}", started.elapsed());
    for file in ["README.md", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt", "fanlight.service", "Containerfile"] {
        assert!(fs::metadata(program.join(file)).unwrap().len() > 500, "{file}");
    }
}
