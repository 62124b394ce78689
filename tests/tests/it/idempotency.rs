//! Requests with an idempotency key, over HTTP.

use fanlight_tests::document;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const KEY: &str = "Idempotency-Key";
const REPLAYED: &str = "idempotency-replayed";

async fn parse(client: &Caller, key: &str, body: &Value) -> Answer {
    answer(client.request(Method::POST, "/v1/specs/parse/document").header(KEY, key).json(body)).await
}

async fn upload(client: &Caller, key: &str, filename: &str, pdf: Vec<u8>) -> Answer {
    let request = client.request(Method::POST, &format!("/v1/documents?filename={filename}")).header(KEY, key);
    answer(request.header("Content-Type", "application/pdf").body(pdf)).await
}

async fn used(client: &Caller) -> Value {
    client.get("/v1/usage").await.body["used"].clone()
}

#[tokio::test]
async fn a_repeated_submission_gets_the_same_answer_and_one_charge() {
    let server = Server::start();
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let body = json!({ "document_id": document });

    let first = parse(&client, "\"one\"", &body).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.body);
    assert!(!first.headers.contains_key(REPLAYED));
    client.finished(first.body["job_id"].as_str().unwrap()).await;

    // The key may be quoted or bare, and either API key of the account may send it.
    for again in [parse(&client, "one", &body).await, parse(&server.client("office", "free"), "\"one\"", &body).await] {
        assert_eq!((again.status, &again.body), (first.status, &first.body));
        assert_eq!(again.headers[LOCATION], first.headers[LOCATION]);
        assert_eq!(again.headers[REPLAYED], "true");
    }
    assert_eq!(used(&client).await, 1);

    let without_cache = json!({ "document_id": document, "no_cache": true });
    assert_eq!(parse(&client, "one", &without_cache).await.error(), (422, "IDEMPOTENCY_KEY_REUSED"));
    let another = parse(&client, "two", &body).await;
    assert_eq!(another.status, StatusCode::ACCEPTED);
    assert_ne!(another.body["job_id"], first.body["job_id"]);
    let stranger = parse(&server.client("site", "free"), "one", &body).await;
    assert_eq!(stranger.error(), (404, "DOCUMENT_NOT_FOUND"), "a key belongs to its account");
    assert_eq!(used(&client).await, 2);
}

#[tokio::test]
async fn concurrent_requests_under_one_key_make_one_job() {
    let server = Server::start();
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let body = json!({ "document_id": document });
    let asking: Vec<_> = (0..30)
        .map(|_| {
            let (client, body) = (client.clone(), body.clone());
            tokio::spawn(async move { parse(&client, "one", &body).await })
        })
        .collect();
    let mut jobs = Vec::new();
    for asked in asking {
        let asked = asked.await.unwrap();
        match asked.status {
            StatusCode::ACCEPTED => jobs.push(asked.body["job_id"].clone()),
            _ => assert_eq!(asked.error(), (409, "IDEMPOTENCY_KEY_IN_USE")),
        }
    }
    jobs.dedup();
    assert_eq!((jobs.len(), used(&client).await), (1, json!(1)));
}

#[tokio::test]
async fn a_refused_request_may_be_retried_under_its_key() {
    let server =
        Server::start_with(Options { settings: vec![("TIERS__FREE__CREDITS", "1".to_owned())], ..Options::default() });
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let body = json!({ "document_id": document });
    client.job(&document).await;
    for _ in 0..2 {
        assert_eq!(parse(&client, "one", &body).await.error(), (402, "FREE_TIER_LIMIT_REACHED"));
    }
    assert_eq!(upload(&client, "one", "a.pdf", b"%PDF-1.7 and nothing".to_vec()).await.error(), (422, "PDF_CORRUPT"));
    assert_eq!(upload(&client, "one", "a.pdf", document::titled("A", 1)).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_repeated_upload_makes_one_document() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let pdf = document::titled("A manual", 1);

    let first = upload(&client, "one", "a.pdf", pdf.clone()).await;
    assert_eq!(first.status, StatusCode::CREATED, "{}", first.body);
    let again = upload(&client, "one", "a.pdf", pdf.clone()).await;

    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(again.headers[LOCATION], first.headers[LOCATION]);
    assert_eq!(again.headers[REPLAYED], "true");
    for (filename, pdf) in [("b.pdf", pdf), ("a.pdf", document::titled("Another", 1))] {
        let another = upload(&client, "one", filename, pdf).await;
        assert_eq!(another.error(), (422, "IDEMPOTENCY_KEY_REUSED"), "{filename}");
    }
    assert_eq!(server.stored_files().len(), 1, "the bytes of repeated uploads are not kept");
}

#[tokio::test]
async fn a_repeated_submission_gets_the_same_answer_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let start = || Server::start_with(Options { data: Some(folder.path().join("data")), ..Options::default() });
    let mut server = start();
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let body = json!({ "document_id": document });
    let first = parse(&client, "one", &body).await;
    server.kill();

    let server = start();
    let client = client.at(&server);
    let again = parse(&client, "one", &body).await;
    assert_eq!((again.status, &again.body), (StatusCode::ACCEPTED, &first.body));
    assert_eq!(used(&client).await, 1);
}

#[tokio::test]
async fn a_malformed_key_is_invalid() {
    let server = Server::start();
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let body = json!({ "document_id": document });
    for key in ["", "\"\"", "\"open", "two words", "a, \"b\"", &"k".repeat(256)] {
        assert_eq!(parse(&client, key, &body).await.error(), (422, "VALIDATION_ERROR"), "{key:?}");
        assert_eq!(upload(&client, key, "a.pdf", Vec::new()).await.error(), (422, "VALIDATION_ERROR"), "{key:?}");
    }
    let twice = client.request(Method::POST, "/v1/specs/parse/document").header(KEY, "a").header(KEY, "b").json(&body);
    assert_eq!(answer(twice).await.error(), (422, "VALIDATION_ERROR"));
    assert_eq!(used(&client).await, 0);
}
