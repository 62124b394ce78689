//! A plugin whose answers are not what they should be, in its description, its partial results, its results and what it
//! presents. Each is refused or put right, and a healthy job beside it has its result.

use std::path::Path;

use fanlight_sandbox::{Document, Failure, Grants, Model, Package, Progress, Sandbox, Task};
use fanlight_tests::plugins::{Plugins, write_renamed};
use fanlight_tests::server::{Options, Server};
use fanlight_tests::{document, installed};
use lying::{Deed, DescribeDeed};
use serde_json::{Value, json};
use strum::IntoEnumIterator;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The name of the guest in its component and its manifest.
const NAME: &str = "lying-under-the-name-that-a-test-writes-here-------------------";
/// `memory_mb` of the guest's package.
const LIMIT_MB: u32 = 192;
/// Most seconds of `describe` and of `present`.
const PURE_CALL_SECONDS: u32 = 5;

/// Writes the package of the guest under another name.
fn package(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_renamed(&installed::guest("lying"), folder.path(), NAME, name);
    folder
}

async fn load(sandbox: &Sandbox, package: &Path) -> Result<Model, String> {
    let package = Package::read(package).unwrap();
    sandbox.load(&package, &Grants::none()).await.map_err(|refusal| refusal.to_string())
}

/// Runs a job to what clients read, as the server does before it stores a result.
async fn answer(model: &Model, deed: Deed) -> Result<Value, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deed.pdf");
    std::fs::write(&path, document::titled(deed.as_ref(), 1)).unwrap();
    let task = Task {
        id: deed.as_ref().to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        asked_for: None,
        parameters: "{}".to_owned(),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    };
    let presented = model.present_first(model.run(task).await?.json).await?;
    Ok(serde_json::from_str(&presented).unwrap())
}

/// What a deed leads to.
enum Outcome {
    /// The job has a result, in which the guest says this.
    Says(&'static str),
    /// The job fails, because this text is not a JSON object.
    IsNotJson(&'static str),
    /// The job fails with this error.
    Fails(Failure),
    /// The job fails, because the guest traps, for this reason.
    Crashes(&'static str),
}

/// Returns what a deed leads to. A deed without an outcome does not compile.
fn outcome(deed: Deed) -> Outcome {
    let misshapen = |path: &str, expected: &str| {
        Outcome::Fails(Failure::SchemaViolation {
            what: "result",
            path: path.to_owned(),
            expected: expected.to_owned(),
        })
    };
    match deed {
        // The host replaces its own fields when it stores the result. Each call has an instance of its own.
        Deed::Behave | Deed::ClaimAnotherDocument | Deed::RememberDocuments => Outcome::Says(""),
        Deed::ReturnAPartialThatIsNotJson => Outcome::IsNotJson("partial result"),
        Deed::ReturnAResultThatIsNotJson | Deed::PresentNoJson => Outcome::IsNotJson("result"),
        Deed::ReturnAList => misshapen("", "object"),
        Deed::ReturnAGigabyte | Deed::EatMemoryInPresent => Outcome::Fails(Failure::Memory(LIMIT_MB)),
        Deed::LoopInPresent => Outcome::Fails(Failure::Deadline(PURE_CALL_SECONDS)),
        Deed::PanicInPresent => Outcome::Crashes("wasm `unreachable` instruction executed"),
        Deed::OpenTheDocumentInPresent => Outcome::Says("Err(OpenError::NotAPdf)"),
        Deed::PresentAMisshapenResult => misshapen("/said", "string"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_untrue_answer_has_its_outcome_and_harms_no_other_job() {
    let sandbox = installed::sandbox(2);
    let model = load(&sandbox, &installed::guest("lying")).await.unwrap();
    let alone = answer(&model, Deed::Behave).await.unwrap();
    // Twice, so that one job could remember another.
    for deed in Deed::iter().chain(Deed::iter()) {
        let (lie, beside) = tokio::join!(answer(&model, deed), answer(&model, Deed::Behave));
        match outcome(deed) {
            Outcome::Says(expected) => assert_eq!(lie.unwrap()["said"], expected, "{deed:?}"),
            Outcome::IsNotJson(expected) => {
                let failure = lie.unwrap_err();
                assert!(matches!(failure, Failure::NotJson { what, .. } if what == expected), "{deed:?}: {failure}");
            }
            Outcome::Fails(expected) => assert_eq!(lie.unwrap_err(), expected, "{deed:?}"),
            Outcome::Crashes(expected) => {
                let failure = lie.unwrap_err();
                let is_expected = matches!(&failure, Failure::Crashed(why) if why.contains(expected));
                assert!(is_expected, "{deed:?}: {failure}");
            }
        }
        assert_eq!(beside.unwrap(), alone, "{deed:?}");
    }
}

/// Returns words of the sentence that refuses the plugin. A deed without one does not compile.
fn refusal(deed: DescribeDeed) -> &'static str {
    match deed {
        DescribeDeed::LoopInDescribe => "the plugin took more than 5 seconds",
        DescribeDeed::PanicInDescribe => "wasm `unreachable` instruction executed",
        DescribeDeed::EatMemoryInDescribe => "the plugin needs more than 192 MB of memory",
        DescribeDeed::DescribeWithoutJson => "its schema of parameters is not a JSON object",
        DescribeDeed::DescribeAtLength => "fuel allocated for hostcalls has been exhausted",
        DescribeDeed::DescribeAnotherModel => "toc-parser",
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_that_describes_itself_badly_is_refused() {
    let cache = tempfile::tempdir().unwrap();
    let sandbox = installed::sandbox_with_cache(2, cache.path());
    let mut unexpected = Vec::new();
    for deed in DescribeDeed::iter() {
        let (package, healthy) = (package(deed.as_ref()), package("healthy"));
        let (loaded, beside) = tokio::join!(load(&sandbox, package.path()), load(&sandbox, healthy.path()));
        let sentence = loaded.err().unwrap_or_default();
        println!("{deed:?}: {sentence}");
        if !sentence.contains(refusal(deed)) || beside.is_err() {
            unexpected.push(format!("{deed:?}: {sentence:?}, and beside it {:?}", beside.err()));
        }
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_of_another_document_is_that_of_its_own() {
    let plugin = package("lying");
    let plugins = Plugins::default().with("lying", plugin.path());
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "pro");
    let document = client.document(document::titled(Deed::ClaimAnotherDocument.as_ref(), 1)).await;
    let job = client.ended("lying", &document).await;

    assert_eq!(job["status"], "complete", "{job}");
    let result = &job["result"];
    assert_eq!((&result["document_id"], &result["model_version"]), (&json!(document), &json!("lying-v1.0.0")));
    assert!(result["processing_time_ms"].as_i64().is_some_and(|time| time >= 0), "{result}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_result_cannot_be_presented_fails_and_is_refunded() {
    let plugin = package("lying");
    let plugins = Plugins::default().with("lying", plugin.path()).with_stand_in("steady");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "pro");
    for deed in [Deed::LoopInPresent, Deed::PresentNoJson] {
        let document = client.document(document::titled(deed.as_ref(), 1)).await;
        let (job, beside) = tokio::join!(client.ended("lying", &document), client.ended("steady", &document));
        assert_eq!((&job["status"], &job["error_code"]), (&json!("failed"), &json!("INTERNAL_ERROR")), "{deed:?}");
        assert_eq!((&job["credits_charged"], &job["result"]), (&json!(0), &Value::Null), "{deed:?}");
        assert_eq!(beside["status"], "complete", "{deed:?}: {beside}");
    }
}
