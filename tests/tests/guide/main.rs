//! The guide for authors of plugins: its commands run as they are printed, in an empty folder outside the checkout, and
//! the model that they install takes jobs.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use fanlight_tests::server::{Caller, Options, Server, answer};
use fanlight_tests::{boxes, document, installed, plan};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The guide.
const GUIDE: &str = include_str!("../../../docs/plugin-authors.md");
/// The heading of the section on Rust.
const IN_RUST: &str = "\n## From an empty folder to a running model\n";
/// The heading of the section on Python.
const IN_PYTHON: &str = "\n## The same in Python\n";
/// The unit tests of the SDK in Python.
const SDK_IN_PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../reading/sdk-python");
/// Longest time of all commands of the guide. The build takes minutes on a busy machine.
const LIMIT: Duration = Duration::from_mins(15);
/// The packages that an author's host has.
const HOST_PACKAGES: [&str; 2] = ["pdf-engine", "pdf-annotator"];

/// A host as an author has it, and an empty folder to work in.
struct Author {
    folder: TempDir,
}

impl Author {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = folder.path().join("host");
        for package in HOST_PACKAGES {
            let target = host.join("plugins").join(package);
            fs::create_dir_all(&target).unwrap();
            for file in ["plugin.toml", "plugin.wasm"] {
                fs::copy(installed::plugin(package).join(file), target.join(file)).unwrap();
            }
        }
        symlink(installed::machine_code(), host.join("plugins/.machine-code")).unwrap();
        copy_by_another_process(&installed::fanlight(), &host.join("fanlight"));
        fs::create_dir(host.join("models")).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn plugins(&self) -> PathBuf {
        self.folder.path().join("host/plugins")
    }

    /// Returns the folder of the networks that plugins bring.
    fn models(&self) -> PathBuf {
        self.folder.path().join("host/models")
    }

    /// Runs commands in a shell, which ends at the first that fails.
    fn shell(&self, folder: &Path, commands: &str) -> Output {
        let path = env::var("PATH").unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-euc", commands]).current_dir(folder);
        shell.env("PATH", format!("{}:{path}", self.folder.path().join("host").display()));
        shell.env("FANLIGHT_CACHE", installed::cache());
        // The crates are those of this workspace, which are downloaded already.
        shell.env("CARGO_NET_OFFLINE", "true");
        for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "RUSTFLAGS", "RUSTUP_TOOLCHAIN"] {
            shell.env_remove(name);
        }
        deadline::output(&mut shell, LIMIT)
    }
}

/// Copies a program that this process runs afterwards. A child that another test starts while this process writes the file
/// holds it open for writing, and Linux then refuses to run it ("Text file busy").
fn copy_by_another_process(from: &Path, to: &Path) {
    let copied = deadline::output(Command::new("cp").arg(from).arg(to), LIMIT);
    assert!(copied.status.success(), "{}", both(&copied));
}

/// Waits until a running server has taken a plugin and compiled it.
async fn ready(client: &Caller, plugin: &str) {
    deadline::until(deadline::PATIENCE, "the server to take the plugin", async || {
        let model = client.get(&format!("/v1/models/{plugin}")).await;
        (model.body["versions"][0]["state"] == "ready").then_some(())
    })
    .await;
}

/// Returns the commands in the `sh` blocks of a section.
fn commands(heading: &str) -> String {
    let section = GUIDE.split(heading).nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks = section.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.collect()
}

fn both(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[tokio::test]
async fn the_commands_of_the_guide_lead_to_a_running_model() {
    let author = Author::new();
    let output = author.shell(&author.work(), &commands(IN_RUST));
    let said = both(&output);
    assert!(output.status.success(), "{said}");
    for part in ["A Fanlight host accepts this package.", "ok      sample", "\"items_found\": 3", "conclude"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    let package = author.work().join("exit-signs");
    let annotated = fs::read(package.join("tests/sample.annotated.pdf")).unwrap();
    let sample = fs::read(package.join("tests/sample.pdf")).unwrap();
    assert!(annotated.starts_with(&sample) && annotated.len() > sample.len());

    broken_packages_are_explained(&author, &package);
    other_results_fail_the_test(&author, &package);

    let server = Server::start_with(Options { plugins: Some(author.plugins()), ..Options::default() });
    let client = server.client("office", "free");
    let document = client.document(sample).await;
    let request = client.request(Method::POST, "/v1/models/exit-signs/jobs");
    let submitted = answer(request.json(&json!({ "document_id": document, "parameters": { "word": "office" } }))).await;
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["result"]["items_found"], 4, "{job}");
}

#[tokio::test]
async fn the_commands_for_python_lead_to_a_running_model() {
    let author = Author::new();
    let output = author.shell(&author.work(), &commands(IN_PYTHON));
    let said = both(&output);
    assert!(output.status.success(), "{said}");
    for part in ["A Fanlight host accepts this package.", "ok      sample", "\"items_found\": 4", "conclude"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    let package = author.work().join("stair-signs");
    assert!(package.join("tests/sample.annotated.pdf").exists());

    let tests = format!("PYTHONPATH={SDK_IN_PYTHON}:bindings python3 -m unittest discover {SDK_IN_PYTHON}/tests");
    let output = author.shell(&package, &tests);
    assert!(output.status.success(), "{}", both(&output));

    let server = Server::start_with(Options { plugins: Some(author.plugins()), ..Options::default() });
    let client = server.client("office", "free");
    let document = client.document(fs::read(package.join("tests/sample.pdf")).unwrap()).await;
    let request = client.request(Method::POST, "/v1/models/stair-signs/jobs");
    let submitted = answer(request.json(&json!({ "document_id": document, "parameters": { "word": 7 } }))).await;
    assert_eq!(submitted.error(), (422, "VALIDATION_ERROR"), "the schema of a dataclass is checked");
    let job = client.ended("stair-signs", &document).await;
    assert_eq!(job["result"]["items_found"], 3, "{job}");
}

/// Several mistakes at once are all reported, each with a remedy, and nothing is built anew.
fn broken_packages_are_explained(author: &Author, package: &Path) {
    let manifest = fs::read_to_string(package.join("plugin.toml")).unwrap();
    let broken = manifest.replace("\"0.1.0\"", "\"0.2.0\"").replace("capabilities = []   ", "capabilities = [\"ocr\"]");
    fs::write(package.join("plugin.toml"), format!("files = true\n{broken}")).unwrap();
    let output = author.shell(package, "fanlight plugin check");
    let said = both(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("line 1: unknown field `files`"), "{said}");

    fs::write(package.join("plugin.toml"), broken).unwrap();
    let said = both(&author.shell(package, "fanlight plugin check || true"));
    assert!(said.contains("asks for `ocr`, which the component does not use"), "{said}");
    fs::write(package.join("plugin.toml"), manifest.replace("\"0.1.0\"", "\"0.2.0\"")).unwrap();
    let said = both(&author.shell(package, "fanlight plugin check || true"));
    assert!(said.contains("plugin.toml says exit-signs 0.2.0, the component says exit-signs 0.1.0"), "{said}");
    fs::write(package.join("plugin.toml"), manifest).unwrap();
}

/// A golden test names the place of a difference, and `--update` takes the new result.
fn other_results_fail_the_test(author: &Author, package: &Path) {
    let golden = package.join("tests/sample.json");
    let written = fs::read_to_string(&golden).unwrap();
    let mut expected: Value = serde_json::from_str(&written).unwrap();
    expected["items"][1]["page"] = json!(7);
    fs::write(&golden, expected.to_string()).unwrap();
    let output = author.shell(package, "fanlight plugin test");
    let said = both(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("/items/1/page is 1, expected 7"), "{said}");
    assert!(author.shell(package, "fanlight plugin test --update").status.success());
    assert_eq!(fs::read_to_string(&golden).unwrap(), written);
}

/// The example in Python.
const KEYNOTE_COUNTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/keynote-counter");

/// The commands with which its author makes a package of the example.
const PACK_KEYNOTE_COUNTER: &str = "
fanlight plugin new keynote-counter --lang python
cp -r \"$EXAMPLE\"/. keynote-counter
cd keynote-counter
python3 -m venv .venv
.venv/bin/pip install --quiet -r requirements.txt
.venv/bin/componentize-py -d wit -w plugin bindings bindings
PYTHONPATH=.:vendor/fanlight:bindings python3 -m unittest discover tests
.venv/bin/componentize-py -d wit -w plugin componentize --stub-wasi -p . -p vendor/fanlight app -o plugin.wasm
fanlight plugin pack
";

/// A box around the tag of the first line of a typed page, and the border of the sheet.
const FRAME_OF_THE_FIRST_LINE: &str = "0.5 w 68 712 66 24 re S\n18 18 576 756 re S\n";

#[tokio::test(flavor = "multi_thread")]
async fn the_example_in_python_is_installed_into_a_running_server() {
    let author = Author::new();
    let server = Server::start_with(Options { plugins: Some(author.plugins()), ..Options::default() });
    let client = server.client("office", "free");
    let packed = author.shell(&author.work(), &format!("EXAMPLE='{KEYNOTE_COUNTER}'{PACK_KEYNOTE_COUNTER}"));
    assert!(packed.status.success(), "{}", both(&packed));
    let package = author.work().join("keynote-counter");
    let installed = author.shell(&package, "fanlight plugin install keynote-counter-0.1.0.fanlight --yes");
    assert!(installed.status.success(), "{}", both(&installed));
    ready(&client, "keynote-counter").await;

    let lines = ["061000.A2", "092900.B1", "061000.A2", "KEYNOTES", "061000.A2 WOOD BLOCKING AT RAILS", "12345 EXIT"];
    let document = client.document(document::typed_and_drawn(&[&lines], FRAME_OF_THE_FIRST_LINE)).await;
    let job = client.ended("keynote-counter", &document).await;
    assert_eq!(job["status"], "complete", "{job}");
    let keynotes = job["result"]["keynotes"].as_array().unwrap();
    let counts: Vec<Value> = keynotes.iter().map(|each| json!([each["id"], each["text"], each["count"]])).collect();
    let expected = json!([["061000.A2", "WOOD BLOCKING AT RAILS", 2], ["092900.B1", null, 1]]);
    assert_eq!(json!(counts), expected, "{job}");
    assert_eq!(job["result"]["tags_found"], 3);
    let framed = keynotes[0]["places"].as_array().unwrap().iter().map(|place| place["framed"].clone());
    assert_eq!(framed.collect::<Vec<_>>(), [true, false], "{job}");
    let openapi = client.get("/openapi.json").await.body;
    assert!(openapi["components"]["schemas"]["keynote-counter.result"].is_object(), "the running server describes it");
}

/// The example in Rust.
const WINDOW_DETECTOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/window-detector");

/// The commands with which its author makes a package of the example. The test of the package finds the network that it
/// carries.
const PACK_WINDOW_DETECTOR: &str = "
fanlight plugin new window-detector
cp -r \"$EXAMPLE\"/. window-detector
cd window-detector
rm tests/sample.pdf
cargo test
cargo build --release --target wasm32-wasip2
fanlight plugin check
fanlight plugin test
fanlight plugin run tests/plan.pdf
fanlight plugin bench tests/plan.pdf --runs 1
fanlight plugin pack
";

/// What the operator writes into the configuration so that the package may run its network.
const GRANTED_WINDOW_DETECTOR: &str = "[grants]\nwindow-detector = [\"nn:window-classifier\"]\n";

/// Least intersection over union of a window with its detection.
const SAME_WINDOW: f64 = 0.8;

#[tokio::test(flavor = "multi_thread")]
async fn the_example_in_rust_brings_its_network_and_finds_windows() {
    let author = Author::new();
    let server = Server::start_with(Options {
        plugins: Some(author.plugins()),
        settings: vec![
            ("MODELS", author.models().display().to_string()),
            ("GRANTS__WINDOW-DETECTOR", "[\"nn:window-classifier\"]".to_owned()),
        ],
        ..Options::default()
    });
    let client = server.client("office", "free");
    let packed = author.shell(&author.work(), &format!("EXAMPLE='{WINDOW_DETECTOR}'{PACK_WINDOW_DETECTOR}"));
    let said = both(&packed);
    assert!(packed.status.success(), "{said}");
    for part in ["A Fanlight host accepts this package.", "ok      plan", "\"windows_found\"", "whole run"] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    let package = author.work().join("window-detector");
    let install = "fanlight plugin install window-detector-0.1.0.fanlight --yes --config granted.toml";
    fs::write(package.join("granted.toml"), "").unwrap();
    let refused = author.shell(&package, install);
    assert!(!refused.status.success() && both(&refused).contains("nn:window-classifier"), "{}", both(&refused));
    fs::write(package.join("granted.toml"), GRANTED_WINDOW_DETECTOR).unwrap();
    let installed = author.shell(&package, install);
    assert!(installed.status.success(), "{}", both(&installed));
    ready(&client, "window-detector").await;

    let document = client.document(document::drawn(&plan::content())).await;
    let job = client.ended("window-detector", &document).await;
    assert_eq!(job["status"], "complete", "{job}");
    let found: Vec<[f64; 4]> = job["result"]["windows"].as_array().unwrap().iter().map(boxes::bbox).collect();
    for window in plan::WINDOWS {
        let best = found.iter().map(|bbox| boxes::intersection_over_union(*bbox, window)).fold(0.0, f64::max);
        assert!(best > SAME_WINDOW, "{window:?} is not in {job}");
    }
    assert_eq!(job["result"]["windows_found"], plan::WINDOWS.len(), "{job}");
}
