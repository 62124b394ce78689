//! Reviews: what people say of a result, the result as reviewed, and the files that follow it.

use fanlight_tests::document::{self, Sheet};
use fanlight_tests::installed;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use lopdf::Document;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use throwaway_postgres::Cluster;

const SHEET: Sheet = Sheet { media_box: [0, 0, 300, 200], crop_box: [0, 0, 300, 200], rotate: 0 };

/// Starts a server, and returns it with the folder of its plugins, which it reads until all are compiled.
fn server(role: Option<&'static str>, database: Option<String>) -> (Server, Plugins) {
    let plugins =
        Plugins::default().with("pdf-annotator", &installed::plugin("pdf-annotator")).with_stand_in("acme-model");
    let options = Options { plugins: Some(plugins.folder()), role, database, ..Options::default() };
    (Server::start_with(options), plugins)
}

fn found() -> Value {
    let place = |x: u32| json!({"x1": x, "y1": 20, "x2": x + 20, "y2": 60});
    json!({
        "fixtures": [
            {"id": "f1", "page": 1, "bbox": place(10), "kind": "toilet", "confidence": 0.9},
            {"id": "f2", "page": 1, "bbox": place(50), "kind": "sink", "confidence": 0.2},
            {"id": "f3", "page": 2, "bbox": place(90), "kind": "sink", "confidence": 0.3},
        ],
        "fixtures_found": 3,
        "schedules": [{"title": "DOORS", "headers": ["MARK", "WIDTH"], "rows": [{"MARK": "1", "WIDTH": "9OO"}]}],
    })
}

/// Submits a job with this result, and returns its id once it is complete.
async fn complete(client: &Caller) -> String {
    let document = client.document(document::sheets(&[SHEET, SHEET])).await;
    let job = client.stand_in_job(&document, found()).await;
    assert_eq!(client.finished(&job).await["status"], "complete");
    job
}

async fn put(client: &Caller, job: &str, if_match: Option<&str>, review: &Value) -> Answer {
    let mut request = client.request(Method::PUT, &format!("/v1/jobs/{job}/review")).json(review);
    if let Some(tag) = if_match {
        request = request.header("If-Match", tag);
    }
    answer(request).await
}

fn corrections() -> Value {
    json!({
        "items": [
            {"id": "f1", "status": "rejected"},
            {"id": "f2", "status": "accepted", "bbox": {"x1": 52, "y1": 22, "x2": 72, "y2": 62}, "kind": "toilet"},
            {"id": "f3", "status": "accepted"},
        ],
        "added": [{"list": "fixtures", "page": 2, "bbox": {"x1": 1, "y1": 2, "x2": 3, "y2": 4}, "kind": "sink"}],
        "cells": [{"schedule": 0, "row": 0, "header": "WIDTH", "text": "900"}],
    })
}

async fn result(client: &Caller, job: &str, query: &str) -> Value {
    client.get(&format!("/v1/jobs/{job}/result{query}")).await.body
}

/// Checks all that a review changes, on a server with this database.
async fn corrected_result_leaves_the_models_own(database: Option<String>) {
    let (server, _plugins) = server(None, database);
    let client = server.client("office", "developer");
    let job = complete(&client).await;
    let before = client.get(&format!("/v1/jobs/{job}")).await.body["result"].clone();
    let unreviewed = client.get(&format!("/v1/jobs/{job}/review")).await;
    assert_eq!((&unreviewed.headers["etag"], &unreviewed.body["version"]), (&"\"0\"".parse().unwrap(), &json!(0)));
    assert_eq!(result(&client, &job, "?reviewed=true").await, before, "nobody has reviewed it");

    let stored = put(&client, &job, Some("\"0\""), &corrections()).await;

    assert_eq!(stored.status, StatusCode::OK, "{}", stored.body);
    assert_eq!((&stored.headers["etag"], &stored.body["version"]), (&"\"1\"".parse().unwrap(), &json!(1)));
    assert!(stored.body["reviewed_at"].as_str().unwrap().ends_with('Z') && stored.body["reviewed_by"].is_string());
    assert_eq!(client.get(&format!("/v1/jobs/{job}/review")).await.body, stored.body);
    assert_eq!(client.get(&format!("/v1/jobs/{job}")).await.body["result"], before, "the model's result is unchanged");
    assert_eq!(result(&client, &job, "").await, before);

    let reviewed = result(&client, &job, "?reviewed=true").await;
    assert_eq!(reviewed["fixtures_found"], 3);
    let fixtures = reviewed["fixtures"].as_array().unwrap();
    let seen: Vec<_> = fixtures.iter().map(|item| (&item["id"], &item["kind"], &item["review"])).collect();
    let expected = [("f2", "toilet", "corrected"), ("f3", "sink", "accepted"), ("added_1", "sink", "added")];
    assert_eq!(json!(seen), json!(expected));
    assert_eq!(reviewed["document_id"], before["document_id"]);
}

#[tokio::test]
async fn a_review_corrects_the_result_on_sqlite() {
    corrected_result_leaves_the_models_own(None).await;
}

#[tokio::test]
async fn a_review_corrects_the_result_on_postgres() {
    let database = Cluster::shared().unwrap().create_database().unwrap();
    corrected_result_leaves_the_models_own(Some(database)).await;
}

#[tokio::test]
async fn files_follow_the_review() {
    let (server, _plugins) = server(None, None);
    let client = server.client("office", "developer");
    let job = complete(&client).await;
    put(&client, &job, None, &corrections()).await;

    let path = format!("/v1/jobs/{job}/annotated.pdf");
    let file = client.request(Method::GET, &path).send().await.unwrap().bytes().await.unwrap();
    let read = Document::load_mem(&file).unwrap();
    let pages = read.get_pages();
    let titles = |page: u32| -> Vec<String> {
        let annotations = read.get_page_annotations(pages[&page]).unwrap();
        annotations.iter().map(|one| lopdf::decode_text_string(one.get(b"T").unwrap()).unwrap()).collect()
    };
    assert_eq!((titles(1), titles(2)), (vec!["toilet".to_owned()], vec!["sink".to_owned(), "sink".to_owned()]));

    let path = format!("/v1/jobs/{job}/tables.csv");
    let csv = client.request(Method::GET, &path).send().await.unwrap().text().await.unwrap();
    assert_eq!(csv.lines().collect::<Vec<_>>(), ["DOORS", "MARK,WIDTH", "1,900"]);
    let path = format!("/v1/jobs/{job}/tables.xlsx");
    let workbook = client.request(Method::GET, &path).send().await.unwrap();
    assert_eq!(workbook.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_review_is_not_overwritten_unread() {
    let (server, _plugins) = server(None, None);
    let client = server.client("office", "developer");
    let job = complete(&client).await;
    let review = json!({"items": [{"id": "f1", "status": "accepted"}]});
    assert_eq!(put(&client, &job, Some("\"1\""), &review).await.error(), (412, "REVIEW_CHANGED"), "there is none yet");
    assert_eq!(put(&client, &job, None, &review).await.body["version"], 1);
    for stale in [None, Some("\"0\""), Some("\"2\""), Some("*"), Some("1")] {
        assert_eq!(put(&client, &job, stale, &review).await.error(), (412, "REVIEW_CHANGED"), "{stale:?}");
    }
    assert_eq!(put(&client, &job, Some("\"1\""), &json!({})).await.body["version"], 2);
    assert!(result(&client, &job, "?reviewed=true").await["fixtures"][0].get("review").is_none(), "it was withdrawn");
}

#[tokio::test]
async fn a_review_that_does_not_fit_is_refused() {
    let (server, _plugins) = server(None, None);
    let client = server.client("office", "developer");
    let job = complete(&client).await;
    let moved = |x1: i32, x2: i32| json!({"items": [{"id": "f1", "status": "accepted", "bbox": {"x1": x1, "y1": 0, "x2": x2, "y2": 9}}]});
    let outlined = |corners: Value| json!({"items": [{"id": "f1", "status": "accepted", "polygon": corners}]});
    let added = |list: &str, page: u32| json!({"added": [{"list": list, "page": page, "bbox": {"x1": 1, "y1": 1, "x2": 2, "y2": 2}}]});
    let cases = [
        (json!({"items": [{"id": "f9", "status": "accepted"}]}), "UNKNOWN_ITEM"),
        (added("windows", 1), "UNKNOWN_ITEM"),
        (json!({"items": [{"id": "f1", "status": "accepted", "kind": "boat"}]}), "UNKNOWN_KIND"),
        (moved(290, 301), "BOX_OUTSIDE_PAGE"),
        (moved(-1, 20), "BOX_OUTSIDE_PAGE"),
        (moved(20, 20), "BOX_OUTSIDE_PAGE"),
        (added("fixtures", 3), "BOX_OUTSIDE_PAGE"),
        (added("fixtures", 0), "BOX_OUTSIDE_PAGE"),
        (json!({"cells": [{"schedule": 0, "row": 1, "header": "MARK", "text": ""}]}), "UNKNOWN_CELL"),
        (json!({"items": [{"id": "f1", "status": "maybe"}]}), "VALIDATION_ERROR"),
        (
            json!({"items": [{"id": "f1", "status": "accepted"}, {"id": "f1", "status": "rejected"}]}),
            "VALIDATION_ERROR",
        ),
        (outlined(json!([[0, 0], [9, 0], [9, 9]])), "VALIDATION_ERROR"),
        (outlined(json!([[0, 0], [9, 9]])), "VALIDATION_ERROR"),
        (json!({"item": []}), "VALIDATION_ERROR"),
        (json!([]), "VALIDATION_ERROR"),
    ];
    for (review, code) in cases {
        assert_eq!(put(&client, &job, None, &review).await.error(), (422, code), "{review}");
    }
    assert_eq!(client.get(&format!("/v1/jobs/{job}/review")).await.body["version"], 0, "nothing was stored");
}

#[tokio::test]
async fn only_complete_jobs_of_the_account_are_reviewed() {
    let (server, _plugins) = server(Some("api"), None);
    let (client, other) = (server.client("office", "developer"), server.client("others", "developer"));
    let document = client.document(document::sheets(&[SHEET])).await;
    let job = client.stand_in_job(&document, found()).await;
    for path in ["review", "result", "result?reviewed=true"] {
        let path = format!("/v1/jobs/{job}/{path}");
        assert_eq!(client.get(&path).await.error(), (422, "JOB_NOT_COMPLETE"), "{path}");
        assert_eq!(other.get(&path).await.error(), (404, "JOB_NOT_FOUND"), "{path}");
    }
    assert_eq!(put(&client, &job, None, &json!({})).await.error(), (422, "JOB_NOT_COMPLETE"));
    assert_eq!(put(&other, &job, None, &json!({})).await.error(), (404, "JOB_NOT_FOUND"));
}
