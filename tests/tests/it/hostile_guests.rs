//! A plugin that misbehaves fails its own job, by the right name, and nothing else.

use fanlight_sandbox::{Document, Failure, Grants, Limits, Model, Package, Progress, Sandbox, Settings, Task};
use fanlight_tests::{document, installed};
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

pub(crate) fn sandbox() -> Sandbox {
    let settings = Settings {
        pdf_engine: installed::plugin("pdf-engine"),
        cache: installed::cache(),
        parallel: 2,
        ceiling: Limits::default(),
    };
    Sandbox::open(&settings).unwrap()
}

async fn hostile() -> Model {
    static MODEL: OnceCell<()> = OnceCell::const_new();
    // Compiled by whoever is first; the others find it in the cache.
    MODEL.get_or_init(|| async { drop(load().await) }).await;
    load().await
}

async fn load() -> Model {
    let package = Package::read(&installed::guest("hostile")).unwrap();
    sandbox().load(&package, &Grants::none()).await.unwrap()
}

async fn told_to(
    deed: &str,
    cancelled: CancellationToken,
) -> Result<serde_json::Map<String, serde_json::Value>, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deed.pdf");
    std::fs::write(&path, document::titled(deed, 1)).unwrap();
    let task = Task {
        id: deed.to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        parameters: "{}".to_owned(),
        progress: watch::Sender::new(Progress::default()),
        cancelled,
    };
    hostile().await.run(task).await
}

#[tokio::test(flavor = "multi_thread")]
async fn each_misdeed_fails_by_its_own_name() {
    let cases = [
        ("loop", Failure::Deadline(2)),
        ("sleep", Failure::Deadline(2)),
        ("eat memory", Failure::Memory(192)),
        ("panic", Failure::Crashed("wasm trap: wasm `unreachable` instruction executed".to_owned())),
        ("overflow the stack", Failure::Crashed("wasm trap: call stack exhausted".to_owned())),
        ("flood the log", Failure::Flooded(65536)),
        ("give up", Failure::Internal("as told".to_owned())),
        ("write poetry", Failure::Unsupported("no such deed: write poetry".to_owned())),
    ];
    for (deed, expected) in cases {
        let failure = told_to(deed, CancellationToken::new()).await.unwrap_err();
        assert_eq!(failure, expected, "told to {deed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_over_the_limit_is_refused() {
    let failure = told_to("bloat", CancellationToken::new()).await.unwrap_err();
    assert!(matches!(failure, Failure::ResultTooLarge { limit: 1_048_576, .. }), "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_that_loops_ends_when_its_task_is_cancelled() {
    let cancelled = CancellationToken::new();
    let task = tokio::spawn({
        let cancelled = cancelled.clone();
        async move { told_to("loop", cancelled).await }
    });
    cancelled.cancel();
    assert_eq!(task.await.unwrap().unwrap_err(), Failure::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_finds_no_files_and_no_environment() {
    let files = told_to("read files", CancellationToken::new()).await.unwrap();
    assert!(files["padding"].as_str().unwrap().starts_with("Err("), "{files:?}");
    let environment = told_to("read the environment", CancellationToken::new()).await.unwrap();
    assert_eq!(environment["padding"], "[]");
}
