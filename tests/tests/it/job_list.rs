//! The list of jobs, page by page.

use fanlight_tests::document;
use fanlight_tests::server::{Caller, Options, Server};
use serde_json::Value;

/// Returns the ids of a page, and its cursor.
async fn page(client: &Caller, query: &str) -> (Vec<String>, Value) {
    let listed = client.get(&format!("/v1/jobs{query}")).await;
    assert_eq!(listed.status, 200, "{query}: {}", listed.body);
    let jobs = listed.body["jobs"].as_array().unwrap();
    assert!(jobs.iter().all(|job| job.get("result").is_none()), "{}", listed.body);
    (jobs.iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect(), listed.body["next_cursor"].clone())
}

#[tokio::test]
async fn jobs_are_listed_newest_first_while_more_arrive() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let client = server.client("office", "pro");
    let document = client.document(document::titled("A manual", 1)).await;
    let mut expected = Vec::new();
    for _ in 0..5 {
        expected.insert(0, client.job(&document).await);
    }

    let (mut seen, mut query) = (Vec::new(), "?limit=2".to_owned());
    for length in [2, 2, 1] {
        let (jobs, cursor) = page(&client, &query).await;
        assert_eq!(jobs.len(), length);
        seen.extend(jobs);
        query = format!("?limit=2&cursor={}", cursor.as_str().unwrap_or_default());
        assert_eq!(cursor.is_null(), length == 1);
        client.job(&document).await;
    }
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_list_is_filtered_by_status_model_and_document() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let client = server.client("office", "pro");
    let documents =
        [client.document(document::titled("A manual", 1)).await, client.document(document::titled("Another", 1)).await];
    let jobs = [client.job(&documents[0]).await, client.job(&documents[1]).await];
    let cancelled = client.cancel(&jobs[1]).await;
    assert_eq!(cancelled.body["status"], "cancelled");

    let cases = [
        ("?status=queued".to_owned(), &jobs[..1]),
        ("?status=cancelled".to_owned(), &jobs[1..]),
        ("?status=complete".to_owned(), &[]),
        ("?model=door-detector".to_owned(), &[]),
        (format!("?document_id={}", documents[1]), &jobs[1..]),
        (format!("?document_id={}&model=toc-parser&status=queued", documents[0]), &jobs[..1]),
    ];
    for (query, expected) in cases {
        let (listed, cursor) = page(&client, &query).await;
        assert_eq!((listed.as_slice(), cursor), (expected, Value::Null), "{query}");
    }
    let (all, _) = page(&client, "").await;
    assert_eq!(all, [jobs[1].as_str(), jobs[0].as_str()]);
}

#[tokio::test]
async fn wrong_parameters_and_cursors_of_other_lists_are_invalid() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let (owner, other) = (server.client("owner", "pro"), server.client("other", "pro"));
    let document = owner.document(document::titled("A manual", 1)).await;
    for _ in 0..2 {
        owner.job(&document).await;
    }
    let (_, cursor) = page(&owner, "?limit=1").await;
    let cursor = cursor.as_str().unwrap();
    assert!(page(&other, "").await.0.is_empty());

    let queries = [
        "?limit=0",
        "?limit=101",
        "?limit=-1",
        "?limit=many",
        "?status=done",
        "?status=",
        "?model=%00",
        "?document_id=7",
        "?cursor=",
        "?cursor=AQ",
        "?cursor=%00",
        &format!("?cursor={cursor}x"),
        &format!("?status=queued&cursor={cursor}"),
    ];
    for query in queries {
        assert_eq!(owner.get(&format!("/v1/jobs{query}")).await.error(), (422, "VALIDATION_ERROR"), "{query}");
    }
    assert_eq!(other.get(&format!("/v1/jobs?cursor={cursor}")).await.error(), (422, "VALIDATION_ERROR"));
    for limit in ["1", "100"] {
        page(&owner, &format!("?limit={limit}")).await;
    }
}
