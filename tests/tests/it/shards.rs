//! The job of a model that works page by page: it is split, run in parallel, joined and presented.

use std::fs;

use fanlight_sandbox::{Document, Failure, Grants, Model, Package, Progress, Task};
use fanlight_tests::{document, installed};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

async fn tally(parallel: usize) -> Model {
    let package = Package::read(&installed::guest("tally")).unwrap();
    installed::sandbox(parallel).load(&package, &Grants::none()).await.unwrap()
}

/// Runs a job on seven pages. Returns the stored result and the last progress.
async fn run(model: &Model, pages: Vec<u32>) -> (String, Progress) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sheets.pdf");
    fs::write(&path, document::titled("Sheets", 7)).unwrap();
    let progress = watch::Sender::new(Progress::default());
    let mut last = progress.subscribe();
    let task = Task {
        id: "shards".to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages,
        asked_for: None,
        parameters: "{}".to_owned(),
        progress,
        cancelled: CancellationToken::new(),
    };
    let result = model.run(task).await.unwrap();
    let step = last.borrow_and_update().clone();
    (result.json, step)
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_split_into_parallel_shards_and_joined_in_order() {
    let cases = [
        (1, vec![1, 2, 3, 4, 5, 6, 7], json!([[1, 2, 3, 4, 5, 6, 7]])),
        (3, vec![1, 2, 3, 4, 5, 6, 7], json!([[1, 2, 3], [4, 5], [6, 7]])),
        (3, vec![2, 7], json!([[2], [7]])),
    ];
    for (parallel, pages, shards) in cases {
        let count = pages.len();
        let (result, _) = run(&tally(parallel).await, pages).await;
        let result: Value = serde_json::from_str(&result).unwrap();
        assert_eq!(result["shards"], shards, "{parallel} at once");
        assert_eq!(result["heights"], json!(vec![792.0; count]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn progress_covers_all_shards() {
    let (_, last) = run(&tally(3).await, vec![1, 2, 3, 4, 5, 6, 7]).await;
    assert_eq!(last, Progress { done: 7, total: 7, message: "Measuring".to_owned() });
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_read_what_the_plugin_presents() {
    let model = tally(2).await;
    let (stored, _) = run(&model, vec![1, 2]).await;
    assert!(stored.contains("unfiltered"), "{stored}");
    let presented = model.present(stored).await.unwrap();
    assert_eq!(presented, r#"{"shards":[[1],[2]],"heights":[792.0,792.0]}"#);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_presented_text_must_match_the_schema() {
    let model = tally(2).await;
    let (stored, _) = run(&model, (1..=7).collect()).await;
    let failure = model.present_first(stored).await.unwrap_err();
    let expected =
        Failure::SchemaViolation { what: "result", path: "/heights/0".to_owned(), expected: "number".to_owned() };
    assert_eq!(failure, expected);
}
