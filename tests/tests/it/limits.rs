//! Limits of requests a minute, over HTTP.

use fanlight_tests::document;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::json;
use throwaway_postgres::Cluster;

/// An id without a document.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

fn number(answer: &Answer, header: &str) -> u64 {
    answer.headers[header].to_str().unwrap().parse().unwrap()
}

/// Returns the token bucket in an answer's headers: size, tokens left, seconds until it is full.
fn bucket(answer: &Answer) -> (u64, u64, u64) {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map(|header| number(answer, header)).into()
}

fn options(requests_a_minute: u32) -> Options {
    Options {
        settings: vec![("TIERS__FREE__REQUESTS_PER_MINUTE", requests_a_minute.to_string())],
        ..Options::default()
    }
}

/// Allows one request a minute. No test is so slow that it could send a second one.
#[tokio::test]
async fn a_request_above_the_limit_is_refused_with_a_time() {
    let server = Server::start_with(options(1));
    let client = server.client("office", "free");

    let first = client.parse(NOBODY).await;
    assert_eq!(first.error(), (404, "DOCUMENT_NOT_FOUND"), "a refused request takes a token, too");
    assert_eq!(bucket(&first), (1, 0, 60));

    let refused = client.parse(NOBODY).await;
    assert_eq!(refused.error(), (429, "RATE_LIMITED"));
    let wait = refused.body["retry_after_seconds"].as_u64().unwrap();
    assert!((1..=60).contains(&wait), "{}", refused.body);
    assert_eq!(number(&refused, "retry-after"), wait);
    assert_eq!(bucket(&refused), (1, 0, wait), "the bucket is full with its only token");
}

#[tokio::test]
async fn every_limited_operation_reports_the_tokens_left() {
    let server = Server::start_with(options(100));
    let client = server.client("office", "free");
    let post = |path: &str, kind: &'static str, body: &'static str| {
        answer(client.request(Method::POST, path).header("Content-Type", kind).body(body))
    };
    let uploaded = client.upload(document::titled("A manual", 1)).await;
    let document = uploaded.body["document_id"].as_str().unwrap().to_owned();
    let answers = [
        (uploaded, 201),
        (client.parse(&document).await, 202),
        (post("/v1/documents", "text/plain", "no PDF").await, 415),
        (post("/v1/documents", "application/pdf", "no PDF").await, 415),
        (post("/v1/specs/parse/document", "application/json", "{").await, 422),
        (post("/v1/specs/parse/document", "text/plain", "{}").await, 415),
    ];
    let mut before = 100;
    for (answer, status) in answers {
        assert_eq!(answer.status, status, "{}", answer.body);
        let (limit, left, _) = bucket(&answer);
        assert!(limit == 100 && left < before, "{left} of {limit} left, {before} before");
        before = left;
    }
}

#[tokio::test]
async fn reading_and_cancelling_are_not_limited() {
    let server = Server::start_with(options(2));
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let job = client.job(&document).await;
    assert_eq!(client.parse(&document).await.error(), (429, "RATE_LIMITED"));
    for path in [format!("/v1/documents/{document}"), format!("/v1/jobs/{job}"), "/v1/usage".to_owned()] {
        let read = client.get(&path).await;
        assert_eq!(read.status, StatusCode::OK, "{path}");
        assert!(!read.headers.contains_key("x-ratelimit-limit"), "{path}");
    }
    let path = format!("/v1/jobs/{NOBODY}");
    assert_eq!(answer(client.request(Method::DELETE, &path)).await.error(), (404, "JOB_NOT_FOUND"));
}

/// Submits a job under the idempotency key `one`.
async fn submit_once(client: &Caller, document: &str) -> Answer {
    let request = client.request(Method::POST, "/v1/specs/parse/document").header("Idempotency-Key", "one");
    answer(request.json(&json!({ "document_id": document }))).await
}

/// Checks that a free key has a bucket of its own, and gets the stored answers of its account's other keys.
#[tokio::test]
async fn a_repeated_request_takes_a_token() {
    let server = Server::start_with(options(1));
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;
    let free = server.client("office", "free");
    let first = submit_once(&client, &document).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.body);

    let again = submit_once(&free, &document).await;

    assert_eq!((again.status, &again.body), (StatusCode::ACCEPTED, &first.body));
    assert_eq!((again.headers["idempotency-replayed"].to_str().unwrap(), bucket(&again)), ("true", (1, 0, 60)));
    let refused = submit_once(&free, &document).await;
    assert_eq!(refused.error(), (429, "RATE_LIMITED"));
    assert_eq!(number(&refused, "retry-after"), refused.body["retry_after_seconds"].as_u64().unwrap());
}

#[tokio::test]
async fn replaying_a_webhook_takes_a_token() {
    let server = Server::start_with(options(1));
    let client = server.client("office", "free");
    let replay = || answer(client.request(Method::POST, &format!("/v1/jobs/{NOBODY}/deliveries")));
    let first = replay().await;
    assert_eq!((first.error(), bucket(&first)), ((404, "JOB_NOT_FOUND"), (1, 0, 60)));
    assert_eq!(replay().await.error(), (429, "RATE_LIMITED"));
}

/// Allows one request a minute, and uses a key of the same account for each.
#[tokio::test]
async fn pictures_and_annotated_pdfs_are_limited_as_uploads_are() {
    let server = Server::start_with(options(1));
    let key = || server.client("office", "free");
    let document = key().document(document::titled("A manual", 1)).await;
    let job = key().job(&document).await;
    key().finished(&job).await;

    for path in [format!("/v1/documents/{document}/pages/1.png"), format!("/v1/jobs/{job}/annotated.pdf")] {
        let client = key();
        let drawn = client.get(&path).await;
        assert_eq!((drawn.status, bucket(&drawn)), (StatusCode::OK, (1, 0, 60)), "{path}");

        let refused = client.get(&path).await;

        assert_eq!(refused.error(), (429, "RATE_LIMITED"), "{path}");
        let wait = refused.body["retry_after_seconds"].as_u64().unwrap();
        assert!((1..=60).contains(&wait), "{}", refused.body);
        assert_eq!((number(&refused, "retry-after"), bucket(&refused)), (wait, (1, 0, wait)));
        let geometry = client.get(&format!("/v1/documents/{document}/pages")).await;
        assert_eq!(geometry.status, StatusCode::OK, "page geometry is not limited");
        assert!(!geometry.headers.contains_key("x-ratelimit-limit"));
    }
}

#[tokio::test]
async fn limits_are_checked_after_the_key_and_before_the_body() {
    let server = Server::start_with(options(1));
    let client = server.client("office", "free");
    let nobody = answer(server.request(Method::POST, "/v1/specs/parse/document").json(&json!({}))).await;
    assert_eq!(nobody.error(), (401, "UNAUTHORIZED"));
    assert!(!nobody.headers.contains_key("x-ratelimit-limit"));

    client.parse(NOBODY).await;
    let endless = reqwest::Body::wrap_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
    let upload = client.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf").body(endless);
    assert_eq!(answer(upload).await.error(), (429, "RATE_LIMITED"));
}

async fn taken_at_once(clients: [&Caller; 2], requests: usize) -> usize {
    let asking = (0..requests).map(|index| {
        let client = clients[index % 2].clone();
        tokio::spawn(async move { client.parse(NOBODY).await })
    });
    let mut taken = 0;
    for asked in asking.collect::<Vec<_>>() {
        let asked = asked.await.unwrap();
        match asked.error() {
            (404, "DOCUMENT_NOT_FOUND") => taken += 1,
            other => assert_eq!(other, (429, "RATE_LIMITED")),
        }
    }
    taken
}

#[tokio::test]
async fn two_servers_over_one_database_share_the_buckets() {
    let folder = tempfile::tempdir().unwrap();
    let databases = [
        folder.path().join("shared.sqlite").display().to_string(),
        Cluster::shared().unwrap().create_database().unwrap(),
    ];
    for database in databases {
        // A new token takes a minute.
        let start = || Server::start_with(Options { database: Some(database.clone()), ..options(1) });
        let (here, there) = (start(), start());
        let client = here.client("office", "free");
        assert_eq!(taken_at_once([&client, &client.at(&there)], 20).await, 1, "{database}");
    }
}
