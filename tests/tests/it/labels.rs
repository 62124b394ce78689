//! `fanlight labels export`: reviewed pages as labels, which the corpus' own scorer reads.

use std::fs;
use std::path::Path;
use std::process::Output;

use fanlight_tests::document::{self, Sheet};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const SHEET: Sheet = Sheet { media_box: [0, 0, 300, 200], crop_box: [0, 0, 300, 200], rotate: 0 };
const DETECTOR: &str = "fixture-detector";
const EXTRACTOR: &str = "schedule-extractor";

/// Starts a server whose detector and extractor answer what a test says.
fn server() -> (Server, Plugins) {
    let plugins = Plugins::default().with_stand_in(DETECTOR).with_stand_in(EXTRACTOR);
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    (server, plugins)
}

/// Runs a job with this result, stores its review, and returns the job.
async fn reviewed(client: &Caller, document: &str, model: &str, result: &Value, review: &Value) -> String {
    let body = json!({ "document_id": document, "parameters": { "answer": result }, "no_cache": true });
    let submitted = answer(client.request(Method::POST, &format!("/v1/models/{model}/jobs")).json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = submitted.body["job_id"].as_str().unwrap().to_owned();
    assert_eq!(client.finished(&job).await["status"], "complete");
    let stored = answer(client.request(Method::PUT, &format!("/v1/jobs/{job}/review")).json(review)).await;
    assert_eq!(stored.status, StatusCode::OK, "{}", stored.body);
    job
}

fn bbox(x: u32) -> Value {
    json!({"x1": x, "y1": 20, "x2": x + 20, "y2": 60})
}

fn found() -> Value {
    json!({"fixtures": [
        {"id": "f1", "page": 1, "bbox": bbox(10), "kind": "wc", "confidence": 0.9},
        {"id": "f2", "page": 1, "bbox": bbox(50), "kind": "sink", "confidence": 0.8},
        {"id": "f3", "page": 1, "bbox": bbox(90), "kind": "sink", "confidence": 0.3},
        {"id": "f4", "page": 2, "bbox": bbox(10), "kind": "wc", "confidence": 0.9},
        {"id": "f5", "page": 2, "bbox": bbox(50), "kind": "wc", "confidence": 0.9},
    ]})
}

fn export(server: &Server, out: &Path, more: &[&str]) -> Output {
    let arguments = ["labels", "export", "--out", out.to_str().unwrap()];
    server.command(&[&arguments[..], more].concat())
}

fn read(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[tokio::test]
async fn judged_pages_become_labels_with_their_document() {
    let (server, _plugins) = server();
    let client = server.client("office", "developer");
    let pdf = document::sheets(&[SHEET, SHEET]);
    let document = client.document(pdf.clone()).await;
    let review = json!({
        "items": [
            {"id": "f1", "status": "rejected"},
            {"id": "f2", "status": "accepted", "kind": "wc"},
            {"id": "f4", "status": "accepted"},
        ],
        "added": [{"list": "fixtures", "page": 1, "bbox": bbox(130), "kind": "sink"}],
    });
    let job = reviewed(&client, &document, DETECTOR, &found(), &review).await;
    let folder = tempfile::tempdir().unwrap();

    let written = export(&server, folder.path(), &[]);

    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let said = String::from_utf8(written.stderr).unwrap();
    assert!(said.contains("page 2 of"), "f5 is left on page 2: {said}");
    let corpus = folder.path().join(DETECTOR);
    let name = format!("{document}-p1");
    assert_eq!(fs::read_dir(corpus.join("labels")).unwrap().count(), 1);
    let label = read(&corpus.join("labels").join(format!("{name}.json")));
    assert_eq!(
        label["fixtures"],
        json!([
            {"bbox": [50.0, 20.0, 70.0, 60.0], "kind": "wc", "uncertain": false},
            {"bbox": [90.0, 20.0, 110.0, 60.0], "kind": "sink", "uncertain": true},
            {"bbox": [130.0, 20.0, 150.0, 60.0], "kind": "sink", "uncertain": false},
        ])
    );
    let about = ["id", "page", "office", "model", "job_id"].map(|field| label[field].clone());
    assert_eq!(json!(about), json!([name, 1, "office", DETECTOR, job]));
    assert_eq!(fs::read(corpus.join("pdf").join(label["pdf"].as_str().unwrap())).unwrap(), pdf);
}

#[tokio::test]
async fn a_corrected_schedule_becomes_a_table_of_the_page() {
    let (server, _plugins) = server();
    let client = server.client("office", "developer");
    let document = client.document(document::sheets(&[SHEET])).await;
    let schedule = |x: u32, confidence: f64| {
        json!({
            "title": "DOORS", "schedule_type": "door_schedule", "page": 1, "bounding_box": [x, 20, x + 20, 60],
            "headers": ["MARK", "WIDTH"], "rows": [{"MARK": "1", "WIDTH": "9OO"}], "confidence": confidence,
        })
    };
    let result = json!({"schedules": [schedule(10, 0.9), schedule(50, 0.2)]});
    let review = json!({
        "items": [{"id": "schedules/0", "status": "accepted"}],
        "cells": [{"schedule": 0, "row": 0, "header": "WIDTH", "text": "900"}],
    });
    reviewed(&client, &document, EXTRACTOR, &result, &review).await;
    let folder = tempfile::tempdir().unwrap();

    assert!(export(&server, folder.path(), &["--account", "office"]).status.success());

    let label = read(&folder.path().join(EXTRACTOR).join("labels").join(format!("{document}-p1.json")));
    let table = json!({
        "title": "DOORS", "schedule_type": "door_schedule", "bbox": [10.0, 20.0, 30.0, 60.0],
        "headers": ["MARK", "WIDTH"], "rows": [["1", "900"]],
    });
    assert_eq!([&label["tables"], &label["labelled_pages"]], [&json!([table]), &json!([1])]);
    assert_eq!(label["ignore_regions"], json!([{"bbox": [50.0, 20.0, 70.0, 60.0]}]), "the doubtful one");
}

#[tokio::test]
async fn nothing_is_written_without_a_judged_page_or_over_other_files() {
    let (server, _plugins) = server();
    let client = server.client("office", "developer");
    let document = client.document(document::sheets(&[SHEET, SHEET])).await;
    let half = json!({"items": [{"id": "f1", "status": "accepted"}]});
    reviewed(&client, &document, DETECTOR, &found(), &half).await;
    let folder = tempfile::tempdir().unwrap();
    let refusal = |output: Output| {
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };

    let none = refusal(export(&server, folder.path(), &[]));
    assert!(none.contains("no page has been reviewed as a whole"), "{none}");
    let unknown = refusal(export(&server, folder.path(), &["--account", "nobody"]));
    assert!(unknown.contains("no operator has created an account"), "{unknown}");
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let taken = refusal(export(&server, folder.path(), &[]));
    assert!(taken.contains("is not empty"), "{taken}");
}
