//! Documents as their owner and as other accounts see them.

use fanlight_tests::document;
use fanlight_tests::server::{Server, answer, plain_client};
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode};
use serde_json::Value;

/// An id without a document or a job.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

#[tokio::test]
async fn an_uploaded_document_has_the_fields_of_the_specification() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let pdf = document::titled("A manual", 3);
    let size = pdf.len();

    let uploaded = client.upload(pdf).await;

    assert_eq!(uploaded.status, StatusCode::CREATED);
    let body = &uploaded.body;
    let id = body["document_id"].as_str().unwrap();
    assert_eq!(uploaded.headers[LOCATION], format!("/v1/documents/{id}"));
    assert_eq!(body["original_filename"], "manual.pdf");
    assert_eq!(body["file_size_bytes"], size);
    assert_eq!(body["page_count"], 3);
    assert_eq!(body["mime_type"], "application/pdf");
    assert_eq!(body["tier"], "developer");
    assert_eq!(body["download_url_expires_in_seconds"], 900);
    assert!(body["uploaded_at"].as_str().unwrap().ends_with('Z'), "{body}");
    assert!(body["expires_at"].as_str().unwrap() > body["uploaded_at"].as_str().unwrap(), "{body}");
}

#[tokio::test]
async fn an_upload_may_be_the_pdf_itself() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let request = client
        .request(Method::POST, "/v1/documents?filename=Project%20Manual.pdf")
        .header("Content-Type", "application/pdf")
        .body(document::titled("A manual", 2));

    let uploaded = answer(request).await;

    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    assert_eq!(uploaded.body["original_filename"], "Project Manual.pdf");
    assert_eq!(uploaded.body["page_count"], 2);
}

#[tokio::test]
async fn a_download_link_returns_the_uploaded_bytes_without_a_key() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let pdf = document::titled("A manual", 1);
    let id = client.document(pdf.clone()).await;

    let again = client.get(&format!("/v1/documents/{id}")).await;
    let link = again.body["download_url"].as_str().unwrap();
    let downloaded = plain_client().get(link).send().await.unwrap();

    assert_eq!(downloaded.status(), StatusCode::OK);
    assert_eq!(downloaded.bytes().await.unwrap(), pdf);
}

#[tokio::test]
async fn an_altered_link_is_forbidden() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let uploaded = client.upload(document::titled("A manual", 1)).await;
    let link = uploaded.body["download_url"].as_str().unwrap();
    let (start, token) = link.rsplit_once('/').unwrap();

    for at in 0..token.len() {
        let old = token.as_bytes()[at] as char;
        let new = if old == 'A' { 'B' } else { 'A' };
        let altered = format!("{start}/{}{new}{}", &token[..at], &token[at + 1..]);
        let status = plain_client().get(&altered).send().await.unwrap().status();
        assert_eq!(status, StatusCode::FORBIDDEN, "character {at} changed");
    }
}

#[tokio::test]
async fn documents_and_jobs_of_others_are_not_found() {
    let server = Server::start();
    let (owner, other) = (server.client("owner", "developer"), server.client("other", "developer"));
    let document = owner.document(document::titled("A manual", 1)).await;
    let job = owner.job(&document).await;

    let cases = [
        (other.get(&format!("/v1/documents/{document}")).await, "DOCUMENT_NOT_FOUND"),
        (other.get(&format!("/v1/jobs/{job}")).await, "JOB_NOT_FOUND"),
        (answer(other.request(Method::DELETE, &format!("/v1/jobs/{job}"))).await, "JOB_NOT_FOUND"),
        (other.parse(&document).await, "DOCUMENT_NOT_FOUND"),
        (other.get(&format!("/v1/documents/{NOBODY}")).await, "DOCUMENT_NOT_FOUND"),
        (other.get(&format!("/v1/jobs/{NOBODY}")).await, "JOB_NOT_FOUND"),
        (other.parse(NOBODY).await, "DOCUMENT_NOT_FOUND"),
        (other.get("/v1/nothing/here").await, "NOT_FOUND"),
    ];
    for (answer, code) in cases {
        assert_eq!(answer.error(), (404, code));
    }
}

#[tokio::test]
async fn an_id_that_is_not_a_uuid_is_invalid() {
    let server = Server::start();
    let client = server.client("office", "developer");
    for path in ["/v1/documents/7", "/v1/jobs/not-a-uuid"] {
        assert_eq!(client.get(path).await.error(), (422, "VALIDATION_ERROR"), "{path}");
    }
    assert_eq!(client.parse("not-a-uuid").await.error(), (422, "VALIDATION_ERROR"));
}

#[tokio::test]
async fn a_missing_or_wrong_key_is_unauthorized() {
    let server = Server::start();
    let routes = [
        (Method::POST, "/v1/documents".to_owned()),
        (Method::GET, format!("/v1/documents/{NOBODY}")),
        (Method::POST, "/v1/specs/parse/document".to_owned()),
        (Method::GET, "/v1/jobs".to_owned()),
        (Method::GET, format!("/v1/jobs/{NOBODY}")),
        (Method::DELETE, format!("/v1/jobs/{NOBODY}")),
    ];
    let unknown = format!("fl_{}", "0".repeat(64));
    for (method, path) in routes {
        for key in [None, Some("fl_"), Some(unknown.as_str()), Some("")] {
            let mut request = server.request(method.clone(), &path);
            if let Some(key) = key {
                request = request.header("X-API-Key", key);
            }
            let refused = answer(request).await;
            assert_eq!(refused.error(), (401, "UNAUTHORIZED"), "{method} {path} with {key:?}");
            assert_ne!(refused.body["error"]["message"], Value::Null);
        }
    }
}

#[tokio::test]
async fn a_submission_that_breaks_the_specification_is_invalid() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "{}",
        r#"{"document_id": null}"#,
        r#"{"document_id": 7}"#,
        r#"{"document_id": ["01890a5d-ac96-774b-bcce-b302099a8057"]}"#,
        r#"{"document_id": "01890a5d-ac96-774b-bcce-b302099a8057", "webhook_url": 7}"#,
    ];
    for body in bodies {
        let request = client
            .request(Method::POST, "/v1/specs/parse/document")
            .header("Content-Type", "application/json")
            .body(body);
        assert_eq!(answer(request).await.error(), (422, "VALIDATION_ERROR"), "{body}");
    }
}
