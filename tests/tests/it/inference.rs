//! The capability `nn`: from a guest's call to the engine and back.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fanlight_inference::{Choice, Inference, Settings};
use fanlight_sandbox::{
    Capability, Document, Failure, Grant, Grants, Model, ModelResult, Package, Progress, Refusal, Task, Warning,
};
use fanlight_tests::networks::Networks;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server, answer};
use fanlight_tests::{document, installed};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Loads the guest on a host that has these networks and grants the named ones.
async fn load(networks: &Networks, package: &Path, granted: &[&str]) -> Result<Model, Refusal> {
    let inference = Inference::open(Settings { models: networks.models(), choice: Choice::Cpu }).unwrap();
    let sandbox = installed::sandbox_for_networks(1, Arc::new(inference));
    let grants = Grants::new(granted.iter().map(|name| Grant::Model((*name).to_owned())));
    sandbox.load(&Package::read(package).unwrap(), &grants).await
}

async fn refusal(networks: &Networks, granted: &[&str]) -> String {
    load(networks, &networks.needy_package(), granted).await.unwrap_err().to_string()
}

async fn ran(model: &Model, parameters: &Value) -> Result<Value, Failure> {
    ran_until(model, parameters, CancellationToken::new(), watch::Sender::new(Progress::default())).await
}

async fn ran_until(
    model: &Model,
    parameters: &Value,
    cancelled: CancellationToken,
    progress: watch::Sender<Progress>,
) -> Result<Value, Failure> {
    let result = result_until(model, parameters, cancelled, progress).await?;
    Ok(serde_json::from_str(&result.json).unwrap())
}

async fn result_of(model: &Model, parameters: &Value) -> Result<ModelResult, Failure> {
    result_until(model, parameters, CancellationToken::new(), watch::Sender::new(Progress::default())).await
}

async fn result_until(
    model: &Model,
    parameters: &Value,
    cancelled: CancellationToken,
    progress: watch::Sender<Progress>,
) -> Result<ModelResult, Failure> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.pdf");
    std::fs::write(&path, document::titled("any", 1)).unwrap();
    let task = Task {
        id: "inferring".to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        asked_for: None,
        parameters: parameters.to_string(),
        progress,
        cancelled,
    };
    model.run(task).await
}

/// Submits a job of the guest, expects 202 and returns the job's id.
async fn submitted(client: &Caller, document: &str, parameters: Value) -> String {
    let body = json!({ "document_id": document, "parameters": parameters });
    let submitted = answer(client.request(Method::POST, "/v1/models/inferring/jobs").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    submitted.body["job_id"].as_str().unwrap().to_owned()
}

/// Returns the error that the guest reports.
async fn error(model: &Model, parameters: Value) -> String {
    let result = ran(model, &parameters).await.unwrap();
    result["error"].as_str().unwrap_or_else(|| panic!("{parameters} gave {result}")).to_owned()
}

/// Returns the parameters of a job that runs ones through a network of many layers, many times.
fn laborious(rows: usize, times: u32) -> Value {
    let ones = vec![1.0; rows];
    json!({ "network": "laborious", "inputs": [{ "name": "x", "shape": [rows, 1], "values": ones }], "times": times })
}

fn doubling(values: &[f32]) -> Value {
    json!({ "network": "doubling", "inputs": [{ "name": "x", "shape": [values.len()], "values": values }] })
}

fn folding(values: &[f32]) -> Value {
    json!({ "network": "folding", "inputs": [{ "name": "x", "shape": [values.len()], "values": values }] })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guests_tensors_reach_the_network_and_outputs_return() {
    let networks =
        Networks::default().with("doubling", &onnx_writer::doubling()).with("detector", &onnx_writer::detector());
    let model = load(&networks, &networks.needy_package(), &["doubling", "detector"]).await.unwrap();
    assert!(model.has(Capability::Nn));

    let result = ran(&model, &doubling(&[1.0, -2.5, 3.0])).await.unwrap();
    assert_eq!(result["outputs"], json!([{ "name": "doubled", "shape": [3], "values": [2.0, -5.0, 6.0] }]));

    let image: Vec<f32> = (0..256).map(|index| (index % 16) as f32 / 16.0).collect();
    let input = json!({ "name": "image", "shape": [1, 1, 16, 16], "values": image });
    let result = ran(&model, &json!({ "network": "detector", "inputs": [input], "times": 3 })).await.unwrap();
    let heat = &result["outputs"][0];
    assert_eq!((&heat["name"], &heat["shape"]), (&json!("heat"), &json!([1, 1, 16, 16])));
    let between = |value: &Value| value.as_f64().is_some_and(|value| value > 0.0 && value < 1.0);
    assert!(heat["values"].as_array().unwrap().iter().all(between), "{heat}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_without_its_required_network_is_refused() {
    let hash = "ab".repeat(32);
    let doubling = onnx_writer::doubling();
    let cases = [
        (
            Networks::default().with("doubling", &doubling),
            "plugin `inferring` asks for the model `doubling`, which the operator has not granted it",
        ),
        (
            Networks::default().naming("rooms", &hash),
            "plugin `inferring` can't have what it needs: the model `rooms` is not installed: can't read ",
        ),
        (
            Networks::default().with_another("rooms", &doubling, &hash),
            "plugin `inferring` can't have what it needs: the model `rooms` is not the one that is asked for: its SHA-256 is ",
        ),
        (
            Networks::default().with("rooms", b"no network"),
            "plugin `inferring` can't have what it needs: the model `rooms` is not a readable ONNX file: ",
        ),
        (
            Networks::default().with("rooms", &onnx_writer::divining()),
            "plugin `inferring` can't have what it needs: the model `rooms` can't be run by the CPU's engine: \
             in node \"truth\": ",
        ),
        (
            Networks::default().with("rooms", &onnx_writer::counting()),
            "plugin `inferring` can't have what it needs: the model `rooms` is none for this host, which runs models \
             of 32-bit floats: its input `x` is of ",
        ),
    ];
    for (networks, expected) in cases {
        let sentence = refusal(&networks, &["rooms"]).await;
        assert!(sentence.starts_with(expected), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
    }
    let divined = refusal(&Networks::default().with("rooms", &onnx_writer::divining()), &["rooms"]).await;
    assert!(divined.contains("Divine"), "{divined}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plugin_learns_why_its_optional_network_is_missing() {
    let networks = Networks::default()
        .with("doubling", &onnx_writer::doubling())
        .with_another("rooms", &onnx_writer::doubling(), &"ab".repeat(32))
        .with("truth", &onnx_writer::divining());
    let model = load(&networks, &networks.package(), &["rooms", "truth"]).await.unwrap();
    assert!(!model.has(Capability::Nn));
    let cases = [
        ("doubling", "the model `doubling` is not granted to this plugin"),
        ("rooms", "the model `rooms` can't be used on this host"),
        ("truth", "the model `truth` can't be used on this host"),
        ("doors", "the model `doors` is not among those that the plugin's package names"),
    ];
    for (network, expected) in cases {
        let result = error(&model, json!({ "network": network })).await;
        assert_eq!(result, format!("Unavailable({expected:?})"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_network_is_a_warning() {
    let networks = Networks::default()
        .with("doubling", &onnx_writer::doubling())
        .with("folding", &onnx_writer::folding())
        .with("truth", &onnx_writer::divining());
    let model = load(&networks, &networks.package(), &["folding", "truth"]).await.unwrap();
    let unavailable = |network: &str| vec![Warning::NetworkUnavailable { network: network.to_owned() }];
    let failed = vec![Warning::NetworkFailed { network: "folding".to_owned() }];
    let cases = [
        ("not granted", json!({ "network": "doubling" }), unavailable("doubling")),
        ("not usable", json!({ "network": "truth" }), unavailable("truth")),
        ("not the package's", json!({ "network": "doors" }), vec![]),
        ("failed", folding(&[1.0, 2.0, 3.0]), failed),
        ("given what it doesn't take", json!({ "network": "folding", "inputs": [] }), vec![]),
        ("answered", folding(&[1.0, 2.0, 3.0, 4.0]), vec![]),
    ];
    for (case, parameters, expected) in cases {
        assert_eq!(result_of(&model, &parameters).await.unwrap().warnings, expected, "{case}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_inputs_are_refused_with_what_the_network_takes() {
    let networks =
        Networks::default().with("doubling", &onnx_writer::doubling()).with("detector", &onnx_writer::detector());
    let model = load(&networks, &networks.package(), &["doubling", "detector"]).await.unwrap();
    let with = |network: &str, inputs: Value| json!({ "network": network, "inputs": inputs });
    let cases = [
        (
            with("doubling", json!([{ "name": "x", "shape": [2, 2], "values": [1, 2, 3, 4] }])),
            "BadInput(\"the input `x` has the shape [2, 2], the model takes [?]\")",
        ),
        (
            with("detector", json!([{ "name": "image", "shape": [1, 1, 2, 2], "values": [1, 2, 3, 4] }])),
            "BadInput(\"the input `image` has the shape [1, 1, 2, 2], the model takes [1, 1, 16, 16]\")",
        ),
        (
            with("doubling", json!([{ "name": "x", "shape": [5], "values": [1, 2, 3, 4] }])),
            "BadInput(\"the tensor `x` is none: the shape [5] does not hold 4 values\")",
        ),
        (
            with("doubling", json!([{ "name": "y", "shape": [1], "values": [1] }])),
            "BadInput(\"the model has no input `y`; it takes `x`\")",
        ),
        (with("doubling", json!([])), "BadInput(\"the input `x` is missing\")"),
        (
            json!({ "network": "doubling", "instead": "run_on_bytes" }),
            "BadInput(\"the tensor `x` is of TensorType::U8, models take FP32 alone\")",
        ),
        (
            json!({ "network": "doubling", "instead": "load_itself" }),
            "Unavailable(\"models are loaded by name alone: a plugin brings none of its own\")",
        ),
    ];
    for (parameters, expected) in cases {
        assert_eq!(error(&model, parameters).await, expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_run_fails_its_call_only() {
    let networks = Networks::default().with("folding", &onnx_writer::folding());
    let model = load(&networks, &networks.package(), &["folding"]).await.unwrap();
    let failed = error(&model, folding(&[1.0, 2.0, 3.0])).await;
    assert!(failed.starts_with("Failed(\"the model failed: "), "{failed}");
    let result = ran(&model, &folding(&[1.0, 2.0, 3.0, 4.0])).await.unwrap();
    assert_eq!(result["outputs"], json!([{ "name": "folded", "shape": [2, 2], "values": [1.0, 2.0, 3.0, 4.0] }]));
}

#[tokio::test(flavor = "multi_thread")]
async fn tensors_count_as_the_guests_memory_and_handles() {
    let networks = Networks::default().with("doubling", &onnx_writer::doubling());
    let model = load(&networks, &networks.package(), &["doubling"]).await.unwrap();
    let hoarded = async |what: &str| ran(&model, &json!({ "network": "doubling", "instead": what })).await.unwrap_err();
    assert_eq!(hoarded("hoard_tensors").await, Failure::Memory(1024));
    let Failure::Crashed(why) = hoarded("hoard_handles").await else { panic!("handles are limited") };
    assert!(why.contains("table"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_misuses_a_network_fails_alone() {
    let networks =
        Networks::default().with("doubling", &onnx_writer::doubling()).with("folding", &onnx_writer::folding());
    let plugins = Plugins::default().with("inferring", &networks.package());
    let server = Server::start_with(Options {
        plugins: Some(plugins.folder()),
        settings: vec![
            ("MODELS", networks.models().display().to_string()),
            ("GRANTS__INFERRING", r#"["nn:doubling", "nn:folding"]"#.to_owned()),
        ],
        ..Options::default()
    });
    let client = server.client("office", "developer");
    let document = client.document(document::titled("any", 1)).await;
    let job = async |parameters: Value| client.finished(&submitted(&client, &document, parameters).await).await;

    let hoarding = job(json!({ "network": "doubling", "instead": "hoard_tensors" })).await;
    assert_eq!(hoarding["status"], "failed");
    assert_eq!(hoarding["error_code"], "INTERNAL_ERROR", "{hoarding}");
    let failing = job(folding(&[1.0])).await;
    assert!(failing["result"]["error"].as_str().unwrap().starts_with("Failed("), "{failing}");
    let doubled = job(doubling(&[4.0])).await;
    assert_eq!(doubled["status"], "complete");
    assert_eq!(doubled["result"]["outputs"][0]["values"], json!([8.0]));
}

/// The limit for a job behind expensive runs, each of which takes seconds at most.
const PATIENCE: Duration = Duration::from_mins(2);

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_costs_too_much_is_refused_at_once() {
    let networks = Networks::default()
        .with("doubling", &onnx_writer::doubling())
        .with("laborious", &onnx_writer::laborious(onnx_writer::Size::Any("n")));
    let plugins = Plugins::default().with("inferring", &networks.package());
    let server = Server::start_with(Options {
        plugins: Some(plugins.folder()),
        settings: vec![
            ("MODELS", networks.models().display().to_string()),
            ("GRANTS__INFERRING", r#"["nn:doubling", "nn:laborious"]"#.to_owned()),
        ],
        ..Options::default()
    });
    let client = server.client("office", "developer");
    let document = client.document(document::titled("any", 1)).await;
    let too_much = submitted(&client, &document, laborious(16_384, 1)).await;
    let behind = submitted(&client, &document, doubling(&[4.0])).await;
    let finished = async |job: &str| tokio::time::timeout(PATIENCE, client.finished(job)).await.unwrap();

    let refused = finished(&too_much).await;
    let expected = "BadInput(\"the model `laborious` on the inputs `x` [16384, 1] would cost 310329 million operations, \
                    more than the 50000 million that one run may cost\")";
    assert_eq!(refused["result"]["error"], expected, "{refused}");
    assert_eq!(finished(&behind).await["result"]["outputs"][0]["values"], json!([8.0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_alternates_with_the_expensive_runs_of_another() {
    let networks = Networks::default()
        .with("doubling", &onnx_writer::doubling())
        .with("laborious", &onnx_writer::laborious(onnx_writer::Size::Any("n")));
    let inference = Inference::open(Settings { models: networks.models(), choice: Choice::Cpu }).unwrap();
    let sandbox = installed::sandbox_for_networks(2, Arc::new(inference));
    let grants = ["doubling", "laborious"].map(|name| Grant::Model(name.to_owned()));
    let model = sandbox.load(&Package::read(&networks.package()).unwrap(), &Grants::new(grants)).await.unwrap();

    // Together these runs take an hour, and no deadline ends them before the test's own.
    let (cancelled, progress) = (CancellationToken::new(), watch::Sender::new(Progress::default()));
    let mut running = progress.subscribe();
    let expensive = tokio::spawn({
        let (model, cancelled) = (model.clone(), cancelled.clone());
        async move { ran_until(&model, &laborious(2000, 10_000), cancelled, progress).await }
    });
    tokio::time::timeout(PATIENCE, running.wait_for(|step| step.done > 0)).await.unwrap().unwrap();
    let behind = async {
        for value in [1.0, 2.0, 3.0] {
            let result = ran(&model, &doubling(&[value])).await.unwrap();
            assert_eq!(result["outputs"][0]["values"], json!([2.0 * value]));
        }
    };
    tokio::time::timeout(PATIENCE, behind).await.unwrap();
    assert!(!expensive.is_finished());
    cancelled.cancel();
    let ended = tokio::time::timeout(PATIENCE, expensive).await.unwrap().unwrap();
    assert_eq!(ended, Err(Failure::Cancelled));
}
