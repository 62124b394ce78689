//! What the host holds for a guest counts as the guest's memory.

use std::sync::Arc;

use fanlight_inference::{Choice, Inference, Settings};
use fanlight_sandbox::{Document, Failure, Grant, Grants, Model, Package, Progress, Task};
use fanlight_tests::networks::Networks;
use fanlight_tests::{document, installed};
use hoarding::Deed;
use serde_json::{Value, json};
use strum::IntoEnumIterator;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// `memory_mb` of the guest's package.
const LIMIT_MB: u32 = 192;
/// `result_bytes` of the guest's package.
const RESULT_BYTES: u32 = 1_048_576;

/// Loads the guest with a network, on a host without OCR and without a language model.
async fn hoarding_guest() -> Model {
    let networks = Networks::default().with("doubling", &onnx_writer::doubling());
    let inference = Inference::open(Settings { models: networks.models(), choice: Choice::Cpu }).unwrap();
    let sandbox = installed::sandbox_for_networks(1, Arc::new(inference));
    let package = Package::read(&networks.hoarding_package()).unwrap();
    sandbox.load(&package, &Grants::new([Grant::Model("doubling".to_owned())])).await.unwrap()
}

async fn attacked_with(model: &Model, deed: Deed) -> Result<String, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.pdf");
    std::fs::write(&path, document::titled("any", 1)).unwrap();
    let task = Task {
        id: deed.as_ref().to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        asked_for: None,
        parameters: json!({ "deed": deed.as_ref() }).to_string(),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    };
    let result: Value = serde_json::from_str(&model.run(task).await?.json).unwrap();
    Ok(result["said"].as_str().unwrap().to_owned())
}

/// What a deed leads to on a host without OCR and without a language model.
enum Outcome {
    /// The job fails with this error.
    Fails(Failure),
    /// The job fails, because the guest's handles or the host's table of resources are full, whichever is first.
    RunsOutOfHandles,
    /// The job fails, because a result is above the limit.
    ReturnsTooMuch,
    /// The call is refused or has no effect, and the guest returns the host's answer.
    Returns(&'static str),
}

/// Returns what a deed leads to. A deed without an outcome does not compile.
fn outcome(deed: Deed) -> Outcome {
    let crashed = |why: &str| Outcome::Fails(Failure::Crashed(why.to_owned()));
    match deed {
        Deed::Behave | Deed::ReportAtLength => Outcome::Returns(""),
        Deed::HoardDimensions | Deed::HoardTensors | Deed::HoardOutputs => Outcome::Fails(Failure::Memory(LIMIT_MB)),
        Deed::HoardErrors | Deed::HoardNetworks | Deed::HoardTimers | Deed::HoardStreams | Deed::PollManyTimes => {
            Outcome::RunsOutOfHandles
        }
        Deed::NameInputsAtLength => Outcome::Returns("the name of an input has more than 200 bytes"),
        Deed::ShapeInputsAtLength => {
            Outcome::Returns("the tensor `x` has 6291456 dimensions, more than the 16 that a model can take")
        }
        Deed::PrintZeros => crashed("cannot write more zeroes than `check_write` allows"),
        Deed::DrawManyBytes => crashed("requested len 1073741824 exceeds limit 65536"),
        Deed::ReachOut => Outcome::Returns("reached 0"),
        Deed::ExpectManyLanguages => Outcome::Returns("Err(OcrError::Unavailable(\"this host has no OCR engine\"))"),
        Deed::AskManyQuestions | Deed::AskLongQuestions => Outcome::Returns("Some(Err(LanguageError::Unavailable))"),
        Deed::AnswerAtLength => Outcome::ReturnsTooMuch,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_deed_of_a_hoarding_guest_ends_at_a_limit() {
    let model = hoarding_guest().await;
    for deed in Deed::iter() {
        let ended = attacked_with(&model, deed).await;
        match outcome(deed) {
            Outcome::Fails(expected) => assert_eq!(ended, Err(expected), "{deed:?}"),
            Outcome::RunsOutOfHandles => {
                let Err(Failure::Crashed(why)) = &ended else { panic!("{deed:?}: {ended:?}") };
                let is_limit = why.ends_with("store handle limit exceeded") || why == "resource table has no free keys";
                assert!(is_limit, "{deed:?}: {why}");
            }
            Outcome::ReturnsTooMuch => {
                let is_too_large = matches!(ended, Err(Failure::ResultTooLarge { limit: RESULT_BYTES, .. }));
                assert!(is_too_large, "{deed:?}: {ended:?}");
            }
            Outcome::Returns(expected) => assert_eq!(ended, Ok(expected.to_owned()), "{deed:?}"),
        }
    }
}

/// The server's memory, as Linux reports it.
#[cfg(target_os = "linux")]
mod growth {
    use std::fs;
    use std::time::Duration;

    use fanlight_tests::document;
    use fanlight_tests::networks::Networks;
    use fanlight_tests::plugins::Plugins;
    use fanlight_tests::server::{Caller, Options, Server, answer};
    use hoarding::Deed;
    use language_provider::{Provider, Reply};
    use reqwest::{Method, StatusCode};
    use serde_json::{Value, json};
    use strum::IntoEnumIterator;
    use tokio::time::timeout;

    use super::LIMIT_MB;

    /// Maximum megabytes of growth above the guest's own limit.
    const SLACK_BYTES: u64 = 64_000_000;
    /// The limit for a job: the guest's `seconds`, and time for a loaded machine.
    const PATIENCE: Duration = Duration::from_mins(3);

    /// Reads the bytes in a line of `/proc/PID/status`, such as the peak resident memory.
    fn bytes(server: &Server, line: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
        let value = status.lines().find_map(|found| found.strip_prefix(line)).unwrap();
        let kilobytes: u64 = value.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap();
        kilobytes * 1024
    }

    /// Resets the peak: `proc_pid_clear_refs(5)`.
    fn forget_peak(server: &Server) {
        fs::write(format!("/proc/{}/clear_refs", server.process_id()), "5").unwrap();
    }

    async fn job(client: &Caller, document: &str, model: &str, parameters: Value) -> Value {
        let body = json!({ "document_id": document, "parameters": parameters });
        let path = format!("/v1/models/{model}/jobs");
        let submitted = answer(client.request(Method::POST, &path).json(&body)).await;
        assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
        let finished = client.finished(submitted.body["job_id"].as_str().unwrap());
        timeout(PATIENCE, finished).await.unwrap_or_else(|_| panic!("the job of {model} does not end"))
    }

    /// Starts a server with the guest and a stand-in beside it, on which both have run.
    async fn server_in_use(networks: &Networks, plugins: &Plugins, provider: &Provider) -> (Server, Caller, String) {
        let server = Server::start_with(Options {
            plugins: Some(plugins.folder()),
            settings: vec![
                ("WORKERS", "2".to_owned()),
                ("MODELS", networks.models().display().to_string()),
                ("INFERENCE", "cpu".to_owned()),
                ("OCR__ENGINE", "tesseract".to_owned()),
                ("GRANTS__HOARDING", r#"["nn:doubling", "ocr", "language"]"#.to_owned()),
                ("LANGUAGE__BASE_URL", provider.base_url().to_owned()),
                ("LANGUAGE__MODEL", "small".to_owned()),
            ],
            ..Options::default()
        });
        let client = server.client("office", "developer");
        let document = client.document(document::titled("any", 1)).await;
        for _ in 0..2 {
            let well_behaved = job(&client, &document, "hoarding", json!({ "deed": "behave" })).await;
            assert_eq!(well_behaved["status"], "complete", "{well_behaved}");
            assert_eq!(job(&client, &document, "bystander", json!({})).await["status"], "complete");
        }
        (server, client, document)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_host_grows_by_at_most_the_guests_limit() {
        let networks = Networks::default().with("doubling", &onnx_writer::doubling());
        let provider = Provider::replying([Reply::json(&json!({}))]).await;
        let plugins = Plugins::default().with("hoarding", &networks.hoarding_package()).with_stand_in("bystander");
        let most = u64::from(LIMIT_MB) * 1024 * 1024 + SLACK_BYTES;
        for deed in Deed::iter() {
            // A server for each deed: the allocator keeps memory that is freed for a while, so that a deed's peak would
            // hold what the deed before it left.
            let (server, client, document) = server_in_use(&networks, &plugins, &provider).await;
            let before = bytes(&server, "VmRSS");
            forget_peak(&server);
            let (_, bystander) = tokio::join!(
                job(&client, &document, "hoarding", json!({ "deed": deed.as_ref() })),
                job(&client, &document, "bystander", json!({})),
            );
            let grown = bytes(&server, "VmHWM").saturating_sub(before);
            println!("{deed:?}: {} MB", grown / 1_000_000);
            assert!(grown < most, "{deed:?}: the host grew by {grown} bytes, more than {most}");
            assert_eq!(bystander["status"], "complete", "{deed:?}: {bystander}");
        }
    }
}
