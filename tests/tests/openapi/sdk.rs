//! Generated clients in three languages upload, submit, poll, read a typed section, door and schedule, cancel, and
//! provoke errors. The programs are in `tests/sdk`. Each prints what it saw.

use std::fs;
use std::path::Path;
use std::process::Command;

use drafting::manual::{Manual, Style, generate};
use drafting::{plan, schedule};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server};
use fanlight_tests::{document, installed};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_programs::{Node, Python, output};
use tokio::runtime::Runtime;

use crate::repository;

/// A server with a worker, and one whose jobs stay queued and so can be cancelled, each with a key.
struct Scene {
    working: (Server, Caller),
    idle: (Server, Caller),
    manual: Manual,
    folder: TempDir,
}

impl Scene {
    fn set() -> Self {
        let working = Server::start();
        let idle = Server::start_with(Options { role: Some("api"), ..Options::default() });
        let (key, idle_key) = (working.client("office", "developer"), idle.client("office", "developer"));
        let manual = generate(&Style::default(), 7);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("manual.pdf"), &manual.pdf).unwrap();
        let drawn = plan::generate(&plan::styles().swap_remove(0).1, 8);
        fs::write(folder.path().join("plan.pdf"), drawn.pdf).unwrap();
        let sheet = schedule::generate(&schedule::styles().swap_remove(0).1, 1);
        fs::write(folder.path().join("schedules.pdf"), sheet.pdf).unwrap();
        Self { working: (working, key), idle: (idle, idle_key), manual, folder }
    }

    /// Runs a client's program and checks what it saw.
    fn play(&self, program: &mut Command, brought_by: &str) {
        for (server, key) in [&self.working, &self.idle] {
            program.args([server.base_url(), key.secret()]);
        }
        let printed = output(program.arg(self.folder.path()), brought_by);
        let seen: Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error} in {printed}"));
        let truth = &self.manual.truth;
        let expected = json!({
            "pages": truth.pages,
            "status": "complete",
            "section": self.first_section(&seen["section"]["job"]),
            "door": self.first_door(&seen["door"]["job"]),
            "schedule": self.first_schedule(&seen["schedule"]["job"]),
            "cancelled": "cancelled",
            "cancelled_again": [409, "JOB_NOT_CANCELLABLE"],
            "unknown": [404, "JOB_NOT_FOUND"],
        });
        assert_eq!(seen, expected);
    }

    /// Returns the result of a job that a program ran.
    fn result(&self, job: &Value) -> Value {
        let (_, caller) = &self.working;
        let read = async { caller.get(&format!("/v1/jobs/{}", job.as_str().unwrap())).await };
        let mut job = Runtime::new().unwrap().block_on(read).body;
        assert_eq!(job["status"], "complete", "{job}");
        job["result"].take()
    }

    fn first_section(&self, job: &Value) -> Value {
        let section = &self.result(job)["divisions"][0]["sections"][0];
        json!({ "job": job, "code": section["section_code"], "title": section["section_title"] })
    }

    fn first_door(&self, job: &Value) -> Value {
        let door = &self.result(job)["doors"][0];
        assert!(door["id"].as_str().unwrap().starts_with("door_"), "{door}");
        json!({ "job": job, "id": door["id"], "page": door["page"], "right": door["bbox"]["x2"] })
    }

    fn first_schedule(&self, job: &Value) -> Value {
        let result = self.result(job);
        let schedule = &result["schedules"][0];
        let cell = &schedule["rows"][0][schedule["headers"][0].as_str().unwrap()];
        assert!(cell.is_string(), "{schedule}");
        let (kind, pages) = (&schedule["schedule_type"], &result["pages_analyzed"]);
        json!({ "job": job, "type": kind, "pages": pages, "cell": cell })
    }
}

fn openapi() -> std::path::PathBuf {
    repository("openapi/openapi.json")
}

#[test]
fn the_python_client_covers_the_whole_flow() {
    let scene = Scene::set();
    let mut program = python_with_client(&openapi(), scene.folder.path());
    scene.play(program.arg(repository("tests/sdk/python/sdk.py")), "requirements.txt");
}

/// Generates a client in Python into a folder, and returns Python with it.
fn python_with_client(description: &Path, folder: &Path) -> Command {
    let python = Python::with(&repository("tests/sdk/python/requirements.txt"));
    let mut generate = python.program("openapi-python-client");
    generate.args(["generate", "--meta", "none", "--fail-on-warning", "--path"]).arg(description);
    generate.arg("--config").arg(repository("openapi/openapi-python-client.yaml"));
    output(generate.arg("--output-path").arg(folder.join("fanlight_client")), "requirements.txt");
    let mut program = python.python();
    program.env("PYTHONPATH", folder);
    program
}

/// The description of a running server has the plugin of a third party with the type of its result.
#[test]
fn a_client_of_a_running_server_runs_the_plugin_of_a_third_party() {
    let plugins = Plugins::default().with("tally", &installed::guest("tally"));
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let caller = server.client("office", "developer");
    let folder = tempfile::tempdir().unwrap();
    let (description, pdf) = (folder.path().join("openapi.json"), folder.path().join("sheets.pdf"));
    let served = Runtime::new().unwrap().block_on(caller.get("/openapi.json")).body;
    fs::write(&description, served.to_string()).unwrap();
    fs::write(&pdf, document::titled("Sheets", 3)).unwrap();

    let mut program = python_with_client(&description, folder.path());
    program.arg(repository("tests/sdk/python/plugin.py")).args([server.base_url(), caller.secret()]).arg(&pdf);
    let seen: Value = serde_json::from_str(&output(&mut program, "requirements.txt")).unwrap();
    assert_eq!(seen, json!({ "pages": [2, 3], "heights": [792.0, 792.0] }));
}

#[test]
fn the_typescript_client_covers_the_whole_flow() {
    let scene = Scene::set();
    let node = Node::with(&repository("tests/sdk/typescript"));
    let mut generate = node.program("openapi-ts");
    output(generate.args(["--output", "client", "--input"]).arg(openapi()), "package.json");
    output(&mut node.program("tsc"), "package.json");

    scene.play(Command::new("node").arg(node.folder().join("built").join("sdk.js")), "Debian package nodejs");
}

#[test]
fn the_rust_client_covers_the_whole_flow() {
    let scene = Scene::set();
    let built = test_programs::folder().join("sdk-rust");
    fs::create_dir_all(&built).unwrap();
    // The generator supports neither multipart nor application/pdf.
    let document = output(Command::new(installed::fanlight()).args(["openapi", "--plain-uploads"]), "this build");
    let path = built.join("openapi.json");
    write_where_changed(&path, &document);

    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(repository("tests/sdk/rust/Cargo.toml"));
    output(build.arg("--target-dir").arg(&built).env("OPENAPI", &path), "Rust toolchain");

    let program = built.join("debug").join(format!("sdk{}", std::env::consts::EXE_SUFFIX));
    scene.play(&mut Command::new(program), "build before");
}

/// Writes a file only if it differs, since cargo rebuilds what depends on a written file.
fn write_where_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).unwrap_or_default() != text {
        fs::write(path, text).unwrap();
    }
}
