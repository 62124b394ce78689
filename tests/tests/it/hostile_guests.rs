//! A plugin that misbehaves fails its own job with the right error, and nothing else.

use std::path::Path;

use fanlight_sandbox::{Document, Failure, Grants, Model, Package, Progress, Task};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Options, Server};
use fanlight_tests::{document, installed};
use serde_json::{Value, json};
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

/// Returns the guest, which the first caller loads.
async fn hostile() -> Model {
    static MODEL: OnceCell<Model> = OnceCell::const_new();
    let load = || async {
        let package = Package::read(&installed::guest("hostile")).unwrap();
        installed::sandbox(2).load(&package, &Grants::none()).await.unwrap()
    };
    MODEL.get_or_init(load).await.clone()
}

fn task_of(folder: &Path, deed: &str) -> Task {
    let path = folder.join("deed.pdf");
    std::fs::write(&path, document::titled(deed, 1)).unwrap();
    Task {
        id: deed.to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        asked_for: None,
        parameters: "{}".to_owned(),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    }
}

async fn attacked_with(deed: &str) -> Result<Value, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let result = hostile().await.run(task_of(folder.path(), deed)).await?;
    Ok(serde_json::from_str(&result.json).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_attack_fails_with_its_own_error() {
    let cases = [
        ("loop", Failure::Deadline(2)),
        ("sleep", Failure::Deadline(2)),
        ("eat memory", Failure::Memory(192)),
        ("panic", Failure::Crashed("wasm trap: wasm `unreachable` instruction executed".to_owned())),
        ("panic while something is dropped", Failure::Crashed("wasm trap: wasm `unreachable` instruction executed".to_owned())),
        ("loop at the end", Failure::Deadline(2)),
        ("panic at the end", Failure::Crashed("wasm trap: wasm `unreachable` instruction executed".to_owned())),
        ("flood the progress", Failure::Deadline(2)),
        ("overflow the stack", Failure::Crashed("wasm trap: call stack exhausted".to_owned())),
        ("flood the log", Failure::Flooded(65536)),
        ("give up", Failure::Internal("as told".to_owned())),
        ("hoard documents", Failure::Crashed("cannot allocate another handle: store handle limit exceeded".to_owned())),
        ("overfill a call", Failure::Crashed("too much data is being copied between the host and the guest: fuel allocated for hostcalls has been exhausted".to_owned())),
        ("rant", Failure::Internal("as told  ".repeat(56)[..500].to_owned())),
        ("write poetry", Failure::Unsupported("no such deed: write poetry".to_owned())),
    ];
    for (deed, expected) in cases {
        let failure = attacked_with(deed).await.unwrap_err();
        assert_eq!(failure, expected, "{deed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_above_the_limit_is_refused() {
    let failure = attacked_with("bloat").await.unwrap_err();
    assert!(matches!(failure, Failure::ResultTooLarge { limit: 1_048_576, .. }), "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_mismatch_is_refused_with_its_place() {
    let deeds = [
        ("return a misshapen partial", "partial result"),
        ("return a misshapen result", "result"),
        ("return no number", "result"),
    ];
    for (deed, what) in deeds {
        let failure = attacked_with(deed).await.unwrap_err();
        let expected = Failure::SchemaViolation { what, path: "/padding".to_owned(), expected: "string".to_owned() };
        assert_eq!(failure, expected, "{deed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_breaks_its_schema_fails_and_is_refunded() {
    let plugins = Plugins::default().with("toc-parser", &installed::guest("hostile"));
    let options = Options { plugins: Some(plugins.folder()), keep_log: true, ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "pro");
    let document = client.document(document::titled("return a misshapen result", 1)).await;
    let job = client.finished(&client.job(&document).await).await;

    assert_eq!((&job["status"], &job["error_code"]), (&json!("failed"), &json!("INTERNAL_ERROR")));
    assert_eq!((&job["credits_charged"], &job["result"]), (&json!(0), &Value::Null));
    server.logged("a job has ended");
    let log = server.log();
    let mismatches: Vec<&String> = log.iter().filter(|line| line.contains("does not fit its schema")).collect();
    let [line] = mismatches[..] else { panic!("{log:#?}") };
    for words in [job["id"].as_str().unwrap(), "toc-parser-v6.6.6", "/padding", "string"] {
        assert!(line.contains(words), "{words:?} in {line}");
    }
    assert!(!log.iter().any(|line| line.contains("words of a document")), "{log:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_looping_guest_ends_when_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let task = task_of(folder.path(), "loop");
    let (cancelled, mut progress) = (task.cancelled.clone(), task.progress.subscribe());
    let model = hostile().await;
    let running = tokio::spawn(async move { model.run(task).await });

    progress.wait_for(|step| step.message == "looping").await.unwrap();
    cancelled.cancel();

    assert_eq!(running.await.unwrap().unwrap_err(), Failure::Cancelled);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_beyond_the_document_is_refused() {
    let report = attacked_with("read beyond the document").await.unwrap();
    assert_eq!(report["padding"], "8 of 8 refused");
}

/// Each attack beside a healthy job, which ends as it does alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_healthy_job_beside_an_attack_has_its_result() {
    let alone = attacked_with("behave").await.unwrap();
    for deed in ["loop", "eat memory", "panic", "overflow the stack", "flood the log", "flood the progress"] {
        let (attack, beside) = tokio::join!(attacked_with(deed), attacked_with("behave"));
        assert!(attack.is_err(), "{deed}");
        assert_eq!(beside.unwrap(), alone, "{deed}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_finds_no_files_and_no_environment() {
    let files = attacked_with("read files").await.unwrap();
    assert!(files["padding"].as_str().unwrap().starts_with("Err("), "{files:?}");
    let environment = attacked_with("read the environment").await.unwrap();
    assert_eq!(environment["padding"], "[]");
}
