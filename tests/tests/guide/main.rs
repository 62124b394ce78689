//! The guide for authors of plugins: its commands run as they are printed, in an empty folder outside the checkout, and
//! the model that they install takes jobs.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use fanlight_tests::installed;
use fanlight_tests::server::{Options, Server, answer};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The guide.
const GUIDE: &str = include_str!("../../../docs/plugin-authors.md");
/// The heading of the section that is run.
const SECTION: &str = "\n## From an empty folder to a running model\n";
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
        fs::copy(installed::fanlight(), host.join("fanlight")).unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn plugins(&self) -> PathBuf {
        self.folder.path().join("host/plugins")
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

/// Returns the commands in the `sh` blocks of the section.
fn commands() -> String {
    let section = GUIDE.split(SECTION).nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks = section.split("```sh\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks.collect()
}

fn both(output: &Output) -> String {
    format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[tokio::test]
async fn the_commands_of_the_guide_lead_to_a_running_model() {
    let author = Author::new();
    let output = author.shell(&author.work(), &commands());
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
