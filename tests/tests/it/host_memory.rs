//! What the host holds for a guest counts as the guest's memory.

use std::sync::Arc;

use fanlight_inference::{Choice, Inference, Settings};
use fanlight_sandbox::{Document, Failure, Grant, Grants, Model, Package, Progress, Task};
use fanlight_tests::networks::Networks;
use fanlight_tests::{document, installed};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// `memory_mb` of the guest's package.
const LIMIT_MB: u32 = 192;
/// `result_bytes` of the guest's package.
const RESULT_BYTES: u32 = 1_048_576;

/// Loads the guest with a network, on a host without OCR and without a language model.
async fn hoarding() -> Model {
    let networks = Networks::default().with("doubling", &onnx_writer::doubling());
    let inference = Inference::open(Settings { models: networks.models(), choice: Choice::Cpu }).unwrap();
    let sandbox = installed::sandbox_for_networks(1, Arc::new(inference));
    let package = Package::read(&networks.hoarding_package()).unwrap();
    sandbox.load(&package, &Grants::new([Grant::Model("doubling".to_owned())])).await.unwrap()
}

async fn attacked_with(model: &Model, deed: &str) -> Result<String, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.pdf");
    std::fs::write(&path, document::titled("any", 1)).unwrap();
    let task = Task {
        id: deed.to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        asked_for: None,
        parameters: json!({ "deed": deed }).to_string(),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    };
    let result: Value = serde_json::from_str(&model.run(task).await?.json).unwrap();
    Ok(result["said"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hoarding_guest_fails_by_the_limit_it_reaches() {
    let model = hoarding().await;
    let cases = [
        ("hoard_dimensions", Failure::Memory(LIMIT_MB)),
        ("hoard_tensors", Failure::Memory(LIMIT_MB)),
        ("hoard_outputs", Failure::Memory(LIMIT_MB)),
        ("print_zeros", Failure::Crashed("cannot write more zeroes than `check_write` allows".to_owned())),
        ("draw_many_bytes", Failure::Crashed("requested len 1073741824 exceeds limit 65536".to_owned())),
    ];
    for (deed, expected) in cases {
        assert_eq!(attacked_with(&model, deed).await, Err(expected), "{deed}");
    }
    for deed in ["hoard_errors", "hoard_networks", "hoard_timers", "hoard_streams", "poll_many_times"] {
        let failure = attacked_with(&model, deed).await.unwrap_err();
        let Failure::Crashed(why) = &failure else { panic!("{deed}: {failure}") };
        // The guest's handles or the host's resource table, whichever is full first.
        let is_limit = why.ends_with("store handle limit exceeded") || why == "resource table has no free keys";
        assert!(is_limit, "{deed}: {failure}");
    }
    let too_long = attacked_with(&model, "answer_at_length").await;
    assert!(matches!(too_long, Err(Failure::ResultTooLarge { limit: RESULT_BYTES, .. })), "{too_long:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_that_are_too_long_are_refused() {
    let model = hoarding().await;
    let cases = [
        ("name_inputs_at_length", "the name of an input has more than 200 bytes"),
        ("shape_inputs_at_length", "the tensor `x` has 6291456 dimensions, more than the 16 that a model can take"),
        ("reach_out", "reached 0"),
        ("report_at_length", ""),
        ("ask_many_questions", "Some(Err(LanguageError::Unavailable))"),
    ];
    for (deed, expected) in cases {
        assert_eq!(attacked_with(&model, deed).await, Ok(expected.to_owned()), "{deed}");
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
    use language_provider::{Provider, Reply};
    use reqwest::{Method, StatusCode};
    use serde_json::{Value, json};
    use tokio::time::timeout;

    use super::LIMIT_MB;

    /// All attacks that the guest implements.
    const DEEDS: [&str; 18] = [
        "hoard_dimensions",
        "hoard_tensors",
        "hoard_outputs",
        "hoard_errors",
        "hoard_networks",
        "hoard_timers",
        "hoard_streams",
        "poll_many_times",
        "name_inputs_at_length",
        "shape_inputs_at_length",
        "print_zeros",
        "draw_many_bytes",
        "reach_out",
        "report_at_length",
        "expect_many_languages",
        "ask_many_questions",
        "ask_long_questions",
        "answer_at_length",
    ];
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

    #[tokio::test(flavor = "multi_thread")]
    async fn the_host_grows_by_at_most_the_guests_limit() {
        let networks = Networks::default().with("doubling", &onnx_writer::doubling());
        let provider = Provider::replying([Reply::json(&json!({}))]).await;
        let plugins = Plugins::default().with("hoarding", &networks.hoarding_package()).with_stand_in("bystander");
        let server = Server::start_with(Options {
            plugins: Some(plugins.folder()),
            settings: vec![
                ("WORKERS", "2".to_owned()),
                // Each deed fails by itself, and the plugin stays in use.
                ("FAILURES__IN_A_ROW", "0".to_owned()),
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

        let before = bytes(&server, "VmRSS");
        let most = u64::from(LIMIT_MB) * 1024 * 1024 + SLACK_BYTES;
        for deed in DEEDS {
            forget_peak(&server);
            let (_, bystander) = tokio::join!(
                job(&client, &document, "hoarding", json!({ "deed": deed })),
                job(&client, &document, "bystander", json!({})),
            );
            let grown = bytes(&server, "VmHWM").saturating_sub(before);
            println!("{deed}: {} MB", grown / 1_000_000);
            assert!(grown < most, "{deed}: the host grew by {grown} bytes, more than {most}");
            assert_eq!(bystander["status"], "complete", "{deed}: {bystander}");
        }
    }
}
