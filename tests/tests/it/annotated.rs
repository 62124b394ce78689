//! Results drawn into their documents: `annotated.pdf`.

use std::process::Command;

use deadline::PATIENCE;
use fanlight_tests::document::{self, Sheet};
use fanlight_tests::installed;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server, answer};
use lopdf::Document;
use reqwest::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const SHEET: Sheet = Sheet { media_box: [0, 0, 300, 200], crop_box: [0, 0, 300, 200], rotate: 0 };

/// Starts a server, and returns it with the folder of its plugins, which it reads until all are compiled.
fn server(role: Option<&'static str>) -> (Server, Plugins) {
    let plugins =
        Plugins::default().with("pdf-annotator", &installed::plugin("pdf-annotator")).with_stand_in("acme-model");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), role, ..Options::default() });
    (server, plugins)
}

async fn annotated(client: &Caller, job: &str) -> Vec<u8> {
    let path = format!("/v1/jobs/{job}/annotated.pdf");
    let response = client.request(Method::GET, &path).send().await.unwrap();
    let headers = response.headers().clone();
    assert_eq!((response.status(), &headers[CONTENT_TYPE]), (StatusCode::OK, &"application/pdf".parse().unwrap()));
    assert!(headers[CACHE_CONTROL].to_str().unwrap().starts_with("private"));
    let file = response.bytes().await.unwrap().to_vec();
    assert_eq!(headers[CONTENT_LENGTH], file.len().to_string());
    file
}

fn doors() -> Value {
    json!({"doors": [
        {"id": "door_0123456789ab", "page": 2, "bbox": {"x1": 10, "y1": 20, "x2": 60, "y2": 90}, "confidence": 0.9},
        {"id": "door_beyond", "page": 9, "bbox": {"x1": 10, "y1": 20, "x2": 60, "y2": 90}},
    ]})
}

#[tokio::test]
async fn boxes_are_appended_to_the_file_as_annotations() {
    let (server, _plugins) = server(None);
    let client = server.client("office", "developer");
    let pdf = document::sheets(&[SHEET, SHEET]);
    let id = client.document(pdf.clone()).await;
    let job = client.stand_in_job(&id, doors()).await;
    client.finished(&job).await;

    let file = annotated(&client, &job).await;

    assert!(file.starts_with(&pdf), "the file's own bytes are unchanged");
    let read = Document::load_mem(&file).unwrap();
    let pages = read.get_pages();
    assert!(read.get_page_annotations(pages[&1]).unwrap().is_empty());
    let drawn = read.get_page_annotations(pages[&2]).unwrap();
    let [square] = drawn[..] else { panic!("{drawn:?}") };
    let rect: Vec<f32> =
        square.get(b"Rect").unwrap().as_array().unwrap().iter().map(|number| number.as_float().unwrap()).collect();
    assert_eq!(rect, [10.0, 20.0, 60.0, 90.0]);
    assert_eq!(lopdf::decode_text_string(square.get(b"T").unwrap()).unwrap(), "door");
    assert_eq!(lopdf::decode_text_string(square.get(b"Contents").unwrap()).unwrap(), "door_0123456789ab, 0.9");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("annotated.pdf");
    std::fs::write(&path, &file).unwrap();
    let checked = deadline::output(Command::new("qpdf").arg("--check").arg(&path), PATIENCE);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[tokio::test]
async fn a_result_without_boxes_returns_the_uploaded_file() {
    let (server, _plugins) = server(None);
    let client = server.client("office", "developer");
    let pdf = document::sheets(&[SHEET]);
    let id = client.document(pdf.clone()).await;
    let job = client.stand_in_job(&id, json!({"doors": [], "doors_found": 0})).await;
    client.finished(&job).await;
    assert_eq!(annotated(&client, &job).await, pdf);
}

#[tokio::test]
async fn a_document_that_cannot_be_annotated_says_why() {
    let (server, _plugins) = server(None);
    let (client, other) = (server.client("office", "developer"), server.client("other", "developer"));
    let encrypted = client.document(document::encrypted("")).await;
    let job = client.stand_in_job(&encrypted, json!({"doors": [{"page": 1, "bbox": [1, 2, 3, 4]}]})).await;
    client.finished(&job).await;
    let path = format!("/v1/jobs/{job}/annotated.pdf");
    assert_eq!(client.get(&path).await.error(), (422, "PDF_ENCRYPTED"));
    assert_eq!(other.get(&path).await.error(), (404, "JOB_NOT_FOUND"));

    let deleted = answer(client.request(Method::DELETE, &format!("/v1/documents/{encrypted}"))).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    assert_eq!(client.get(&path).await.error(), (404, "DOCUMENT_NOT_FOUND"));
}

#[tokio::test]
async fn an_incomplete_job_has_no_annotated_document() {
    let (server, _plugins) = server(Some("api"));
    let client = server.client("office", "developer");
    let id = client.document(document::sheets(&[SHEET])).await;
    let job = client.stand_in_job(&id, doors()).await;
    let path = format!("/v1/jobs/{job}/annotated.pdf");
    assert_eq!(client.get(&path).await.error(), (422, "JOB_NOT_COMPLETE"));
    answer(client.request(Method::DELETE, &format!("/v1/jobs/{job}"))).await;
    assert_eq!(client.get(&path).await.error(), (422, "JOB_NOT_COMPLETE"), "cancelled");
}

#[tokio::test]
async fn only_results_with_boxes_need_an_annotator() {
    let plugins = Plugins::default().with_stand_in("acme-model");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "developer");
    let pdf = document::sheets(&[SHEET, SHEET]);
    let id = client.document(pdf.clone()).await;
    let (with, without) = (client.stand_in_job(&id, doors()).await, client.stand_in_job(&id, json!({})).await);
    for job in [&with, &without] {
        client.finished(job).await;
    }
    assert_eq!(client.get(&format!("/v1/jobs/{with}/annotated.pdf")).await.error(), (503, "MODEL_UNAVAILABLE"));
    assert_eq!(annotated(&client, &without).await, pdf);
}
