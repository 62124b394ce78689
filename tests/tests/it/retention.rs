//! Listing, deletion, expiry and sweeping of documents.

use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, answer, plain_client};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<&str> {
    list["documents"].as_array().unwrap().iter().map(|item| item["document_id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn documents_are_listed_newest_first_by_page() {
    let server = Server::start();
    let (client, other) = (server.client("office", "developer"), server.client("other", "developer"));
    assert_eq!(client.get("/v1/documents").await.body, json!({"documents": [], "next_cursor": null}));
    let mut uploaded = Vec::new();
    for pages in 1..=3 {
        uploaded.insert(0, client.document(document::titled("A manual", pages)).await);
    }
    other.document(document::titled("Another's", 1)).await;

    let first = client.get("/v1/documents?limit=2").await;
    assert_eq!(first.status, StatusCode::OK, "{}", first.body);
    assert_eq!(ids(&first.body), uploaded[..2]);
    assert_eq!(first.body["documents"][0]["page_count"], 3);
    let cursor = first.body["next_cursor"].as_str().unwrap();
    let rest = client.get(&format!("/v1/documents?limit=2&cursor={cursor}")).await;
    assert_eq!((ids(&rest.body), &rest.body["next_cursor"]), (vec![uploaded[2].as_str()], &Value::Null));

    for path in ["/v1/documents?limit=0", "/v1/documents?limit=101", "/v1/documents?cursor=AAAA"] {
        assert_eq!(client.get(path).await.error(), (422, "VALIDATION_ERROR"), "{path}");
    }
    let misused = other.get(&format!("/v1/documents?cursor={cursor}")).await;
    assert_eq!(misused.error(), (422, "VALIDATION_ERROR"), "a cursor is valid for its account only");
}

#[tokio::test]
async fn deleting_a_document_removes_links_and_refunds_queued_jobs() {
    // No worker runs, so the job stays queued.
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let (client, other) = (server.client("office", "developer"), server.client("other", "developer"));
    let uploaded = client.upload(document::titled("A manual", 1)).await;
    let id = uploaded.body["document_id"].as_str().unwrap();
    let job = client.job(id).await;
    let delete =
        |caller: &fanlight_tests::server::Caller| caller.request(Method::DELETE, &format!("/v1/documents/{id}"));

    assert_eq!(answer(delete(&other)).await.error(), (404, "DOCUMENT_NOT_FOUND"));
    let deleted = answer(delete(&client)).await;
    assert_eq!((deleted.status, &deleted.body), (StatusCode::NO_CONTENT, &Value::Null));

    assert_eq!(answer(delete(&client)).await.error(), (404, "DOCUMENT_NOT_FOUND"));
    for path in ["", "/pages", "/pages/1.png"] {
        let gone = client.get(&format!("/v1/documents/{id}{path}")).await;
        assert_eq!(gone.error(), (404, "DOCUMENT_NOT_FOUND"), "{path}");
    }
    assert_eq!(client.get("/v1/documents").await.body["documents"], json!([]));
    assert_eq!(client.parse(id).await.error(), (404, "DOCUMENT_NOT_FOUND"));
    let link = plain_client().get(uploaded.body["download_url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(link.status(), StatusCode::NOT_FOUND);
    let job = client.get(&format!("/v1/jobs/{job}")).await.body;
    assert_eq!((&job["status"], &job["credits_charged"]), (&json!("cancelled"), &json!(0)));
}

#[tokio::test]
async fn a_result_outlives_its_deleted_document() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let id = client.document(document::titled("A manual", 1)).await;
    let before = client.finished(&client.job(&id).await).await;
    let deleted = answer(client.request(Method::DELETE, &format!("/v1/documents/{id}"))).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);

    let after = client.get(&format!("/v1/jobs/{}", before["id"].as_str().unwrap())).await.body;
    assert_eq!((&after["status"], &after["result"]), (&before["status"], &before["result"]));
}

#[tokio::test]
async fn the_next_server_sweeps_files_of_expired_documents() {
    let mut server = Server::start_with(Options {
        settings: vec![("TIERS__FREE__DOCUMENT_RETENTION_DAYS", "0".to_owned())],
        ..Options::default()
    });
    let (expired, kept) = (server.client("free", "free"), server.client("office", "developer"));
    let gone = expired.document(document::titled("Gone", 1)).await;
    assert_eq!(expired.get(&format!("/v1/documents/{gone}")).await.error(), (404, "DOCUMENT_NOT_FOUND"), "at once");
    kept.document(document::titled("Kept", 1)).await;
    assert_eq!(server.stored_files().len(), 2, "the first sweep ran before there was anything to sweep");
    server.kill();

    let next = Server::start_with(Options {
        data: Some(server.data().to_owned()),
        settings: vec![("RETENTION__GRACE_SECONDS", "0".to_owned())],
        keep_log: true,
        ..Options::default()
    });
    next.logged("swept");
    assert_eq!(next.stored_files().len(), 1);
}
