//! A plugin that misbehaves fails its own job with the right error, and nothing else.

use std::path::Path;

use fanlight_sandbox::{Document, Failure, Grants, Model, Package, Progress, Task};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Options, Server};
use fanlight_tests::{document, installed};
use hostile::Deed;
use serde_json::{Value, json};
use strum::IntoEnumIterator;
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;

/// Returns the guest, which the first caller loads.
async fn hostile_guest() -> Model {
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
    let result = hostile_guest().await.run(task_of(folder.path(), deed)).await?;
    Ok(serde_json::from_str(&result.json).unwrap())
}

/// What a deed leads to.
enum Outcome {
    /// The job fails with this error.
    Fails(Failure),
    /// The job fails, because a result is above the limit.
    ReturnsTooMuch,
    /// The job fails, because this text violates its schema.
    BreaksTheSchemaOf(&'static str),
    /// The job has a result, in which the guest reports this.
    Reports(&'static str),
    /// The job has a result, in which the guest reports an error of the system.
    ReportsAnError,
}

/// Returns what a deed leads to. A deed without an outcome does not compile.
fn outcome(deed: Deed) -> Outcome {
    let crashed = |why: &str| Outcome::Fails(Failure::Crashed(why.to_owned()));
    let panicked = || crashed("wasm trap: wasm `unreachable` instruction executed");
    match deed {
        Deed::Behave => Outcome::Reports(""),
        Deed::Loop | Deed::LoopAtTheEnd | Deed::Sleep | Deed::FloodTheProgress => Outcome::Fails(Failure::Deadline(2)),
        Deed::EatMemory => Outcome::Fails(Failure::Memory(192)),
        Deed::OverflowTheStack => crashed("wasm trap: call stack exhausted"),
        Deed::HoardDocuments => crashed("cannot allocate another handle: store handle limit exceeded"),
        Deed::OverfillACall => crashed(
            "too much data is being copied between the host and the guest: fuel allocated for hostcalls has been exhausted",
        ),
        Deed::FloodTheLog => Outcome::Fails(Failure::Flooded(65536)),
        Deed::Panic | Deed::PanicInADestructor | Deed::PanicAtTheEnd => panicked(),
        Deed::GiveUp => Outcome::Fails(Failure::Internal("as told".to_owned())),
        Deed::Rant => Outcome::Fails(Failure::Internal("as told  ".repeat(56)[..500].to_owned())),
        Deed::Bloat => Outcome::ReturnsTooMuch,
        Deed::ReturnAMisshapenPartial => Outcome::BreaksTheSchemaOf("partial result"),
        Deed::ReturnAMisshapenResult | Deed::ReturnNoNumber => Outcome::BreaksTheSchemaOf("result"),
        Deed::ReadBeyondTheDocument => Outcome::Reports("8 of 8 refused"),
        Deed::ReadFiles => Outcome::ReportsAnError,
        Deed::ReadTheEnvironment => Outcome::Reports("[]"),
    }
}

/// Each deed beside a healthy job, which ends as it does alone.
#[tokio::test(flavor = "multi_thread")]
async fn each_deed_has_its_outcome_and_harms_no_other_job() {
    let alone = attacked_with(Deed::Behave.as_ref()).await.unwrap();
    for deed in Deed::iter() {
        let behave = Deed::Behave.as_ref();
        let (attack, beside) = tokio::join!(attacked_with(deed.as_ref()), attacked_with(behave));
        match outcome(deed) {
            Outcome::Fails(expected) => assert_eq!(attack.unwrap_err(), expected, "{deed:?}"),
            Outcome::ReturnsTooMuch => {
                let failure = attack.unwrap_err();
                let is_too_large = matches!(failure, Failure::ResultTooLarge { limit: 1_048_576, .. });
                assert!(is_too_large, "{deed:?}: {failure}");
            }
            Outcome::BreaksTheSchemaOf(what) => {
                let (path, expected) = ("/padding".to_owned(), "string".to_owned());
                assert_eq!(attack.unwrap_err(), Failure::SchemaViolation { what, path, expected }, "{deed:?}");
            }
            Outcome::Reports(expected) => assert_eq!(attack.unwrap()["padding"], expected, "{deed:?}"),
            Outcome::ReportsAnError => {
                let report = attack.unwrap();
                assert!(report["padding"].as_str().unwrap().starts_with("Err("), "{deed:?}: {report}");
            }
        }
        assert_eq!(beside.unwrap(), alone, "{deed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_a_plugin_does_not_support_is_its_own_failure() {
    let failure = attacked_with("write poetry").await.unwrap_err();
    assert_eq!(failure, Failure::Unsupported("no such deed: write poetry".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_breaks_its_schema_fails_and_is_refunded() {
    let plugins = Plugins::default().with("toc-parser", &installed::guest("hostile"));
    let options = Options { plugins: Some(plugins.folder()), keep_log: true, ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "pro");
    let document = client.document(document::titled(Deed::ReturnAMisshapenResult.as_ref(), 1)).await;
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
    let task = task_of(folder.path(), Deed::Loop.as_ref());
    let (cancelled, mut progress) = (task.cancelled.clone(), task.progress.subscribe());
    let model = hostile_guest().await;
    let running = tokio::spawn(async move { model.run(task).await });

    progress.wait_for(|step| step.message == "looping").await.unwrap();
    cancelled.cancel();

    assert_eq!(running.await.unwrap().unwrap_err(), Failure::Cancelled);
}
