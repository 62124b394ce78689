//! Packages of plugins: packed, signed, installed and removed by the real program, also while a server runs.

use std::fs;
#[cfg(unix)]
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use deadline::PATIENCE;
use fanlight_tests::networks::Networks;
use fanlight_tests::plugins::{Plugins, write_stand_in};
use fanlight_tests::registry::Registry;
use fanlight_tests::server::{Caller, Options, Server};
use fanlight_tests::{document, installed};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tar::{Builder, EntryType, Header};
use tempfile::TempDir;

/// A host that plugins are installed on, and a folder for an author's work.
struct Workbench {
    plugins: Plugins,
    models: TempDir,
    folder: TempDir,
    /// The configuration file.
    configuration: PathBuf,
}

impl Workbench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let configuration = folder.path().join("fanlight.toml");
        fs::write(&configuration, "").unwrap();
        Self { plugins: Plugins::default(), models: tempfile::tempdir().unwrap(), folder, configuration }
    }

    /// Returns the command `fanlight plugin`, which works in this folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(installed::fanlight());
        command.arg("plugin").args(arguments).arg("--config").arg(&self.configuration);
        command.env("FANLIGHT_CACHE", installed::cache()).env("FANLIGHT_PLUGINS", self.plugins.folder());
        command.env("FANLIGHT_MODELS", self.models.path()).current_dir(self.folder.path());
        command
    }

    /// Runs `fanlight plugin`.
    fn plugin(&self, arguments: &[&str]) -> Output {
        deadline::output(&mut self.command(arguments), PATIENCE)
    }

    /// Runs `fanlight plugin`, which must succeed, and returns what it prints.
    fn done(&self, arguments: &[&str]) -> String {
        let output = self.plugin(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs `fanlight plugin`, which must refuse, and returns its sentence.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.plugin(arguments);
        assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap().trim_end().to_owned()
    }

    /// Packs a stand-in of this name and version, and returns the name of the file.
    fn packed(&self, model: &str, version: &str, more: &[&str]) -> String {
        let folder = self.folder.path().join(model);
        fs::create_dir_all(&folder).unwrap();
        write_stand_in(&installed::guest("stand-in"), &folder, model, version);
        self.done(&[&["pack", model], more].concat());
        format!("{model}-{version}.fanlight")
    }

    /// Returns what is in the folders of plugins and networks, unfinished installations included.
    fn laid_out(&self) -> Vec<String> {
        let names = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let all = names(&self.plugins.folder()).chain(names(self.models.path()));
        let mut all: Vec<String> = all.map(|name| name.into_string().unwrap()).collect();
        all.retain(|name| name != ".machine-code");
        all.sort();
        all
    }

    fn server(&self) -> Server {
        let options = Options { plugins: Some(self.plugins.folder()), ..Options::default() };
        Server::start_with(options)
    }
}

#[test]
fn a_packed_plugin_is_inspected_installed_and_removed() {
    let bench = Workbench::new();
    let file = bench.packed("counter", "1.0.0", &[]);
    let first = fs::read(bench.folder.path().join(&file)).unwrap();
    bench.done(&["pack", "counter"]);
    assert_eq!(fs::read(bench.folder.path().join(&file)).unwrap(), first, "equal folders make equal files");

    let shown = bench.done(&["inspect", &file]);
    for part in ["counter 1.0.0\n", "signature: none\n", "no files, no network", "memory: 1024 MB wanted"] {
        assert!(shown.contains(part), "{shown}");
    }
    let described: Value = serde_json::from_str(&bench.done(&["inspect", &file, "--json"])).unwrap();
    let of_folder: Value = serde_json::from_str(&bench.done(&["inspect", "counter", "--json"])).unwrap();
    assert_eq!((&described["name"], &described["version"]), (&json!("counter"), &json!("1.0.0")));
    assert_eq!(described, of_folder, "a folder and its package are the same");

    let sentence = bench.refused(&["install", &file]);
    assert!(sentence.ends_with("fanlight: nothing was installed"), "{sentence}");
    assert_eq!(bench.laid_out(), ["pdf-engine"]);

    let started = Instant::now();
    let said = bench.done(&["install", &file, "--yes"]);
    println!("{said} (whole command: {:?})", started.elapsed());
    assert!(said.starts_with("installed counter 1.0.0 in "), "{said}");
    assert_eq!(bench.laid_out(), ["counter@1.0.0", "pdf-engine"]);
    assert_eq!(bench.done(&["list"]), "counter  1.0.0  not signed  document only  installed\n");
    let sentence = bench.refused(&["install", &file, "--yes"]);
    assert!(sentence.contains("counter 1.0.0 is already installed"), "{sentence}");

    let newer = bench.packed("counter", "1.1.0", &[]);
    bench.done(&["upgrade", &newer, "--yes"]);
    assert_eq!(bench.laid_out(), ["counter@1.1.0", "pdf-engine"]);
    let sentence = bench.refused(&["upgrade", &file, "--yes"]);
    assert!(sentence.contains("counter 1.1.0 is installed, which is newer than 1.0.0"), "{sentence}");

    assert_eq!(bench.done(&["remove", "counter"]), "removed counter 1.1.0\n");
    assert_eq!(bench.laid_out(), ["pdf-engine"]);
    let sentence = bench.refused(&["remove", "counter"]);
    assert_eq!(sentence, "fanlight: counter is not installed: see `fanlight plugin list`");
}

#[test]
fn a_second_check_of_a_component_compiles_nothing() {
    let bench = Workbench::new();
    let package = bench.folder.path().join("counter");
    fs::create_dir_all(&package).unwrap();
    write_stand_in(&installed::guest("stand-in"), &package, "counter", "1.0.0");
    let cache = tempfile::tempdir().unwrap();
    let check = || {
        let mut command = bench.command(&["check", "counter"]);
        let output = deadline::output(command.env("FANLIGHT_CACHE", cache.path()), PATIENCE);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let first = check();
    assert!(first.contains("  compiled    in "), "{first}");
    let second = check();
    assert!(second.contains("  compiled    before, its machine code was kept\n"), "{second}");

    let other = fs::read(package.join("plugin.wasm")).unwrap();
    // A custom section of one empty name: the same component, with another hash.
    fs::write(package.join("plugin.wasm"), [other.as_slice(), &[0, 1, 0]].concat()).unwrap();
    let changed = check();
    assert!(changed.contains("  compiled    in "), "{changed}");
}

/// Returns what a command whose output nobody reads says on standard error. It must succeed.
#[cfg(unix)]
fn unread(command: &mut Command) -> String {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut process = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let status = deadline::end_of(&mut process, PATIENCE, "a command that nobody reads");
    let mut said = String::new();
    process.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert!(status.success(), "{command:?}: {said}");
    said
}

/// As in `fanlight plugin list | head -1`.
#[cfg(unix)]
#[test]
fn a_command_goes_on_when_nobody_reads_what_it_prints() {
    let bench = Workbench::new();
    bench.packed("counter", "1.0.0", &[]);
    for arguments in [
        &["check", "counter"][..],
        &["inspect", "counter"],
        &["describe"],
        &["install", "counter", "--yes"],
        &["list"],
        &["remove", "counter"],
        &["new", "exit-signs"],
        &["key", "new", "acme.key"],
    ] {
        let said = unread(&mut bench.command(arguments));
        assert!(!said.contains("panicked") && !said.contains("fanlight: "), "{arguments:?}: {said}");
    }
    assert_eq!(bench.laid_out(), ["pdf-engine"], "what was installed is removed again");
    for arguments in [&["config"][..], &["openapi"], &["plugin", "test", "--help"]] {
        let said = unread(Command::new(installed::fanlight()).args(arguments));
        assert_eq!(said, "", "{arguments:?}");
    }

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let missing = bench.command(&["check", "missing"]).stdout(Stdio::null()).stderr(writer).status().unwrap();
    assert_eq!(missing.code(), Some(1), "a command whose errors nobody reads fails as usual");
}

#[test]
fn a_package_goes_through_a_registry() {
    let registry = Registry::start();
    let bench = Workbench::new();
    let key = new_key(&bench, "acme.key");
    fs::write(&bench.configuration, format!("require_signatures = true\n[publishers]\nacme = \"{key}\"\n")).unwrap();
    let signed = bench.packed("counter", "1.0.0", &["--key", "acme.key"]);
    let tagged = format!("oci://{}/acme/counter:1.0.0", registry.address());

    let said = bench.done(&["push", &signed, &tagged]);
    let pinned = said.strip_prefix("pushed ").unwrap().trim_end().to_owned();
    assert!(pinned.starts_with(&format!("oci://{}/acme/counter@sha256:", registry.address())), "{said}");
    let described = |package: &str| bench.done(&["inspect", package, "--json"]);
    assert_eq!(described(&pinned), described(&signed), "the registry gives what was pushed");
    assert!(bench.done(&["install", &pinned, "--yes"]).starts_with("installed counter 1.0.0"));
    assert_eq!(bench.laid_out(), ["counter@1.0.0", "pdf-engine"]);

    // The tag moves to an unsigned package of another author: the digest still stands for what was looked at.
    let unsigned = bench.packed("counter", "1.1.0", &[]);
    bench.done(&["push", &unsigned, &tagged]);
    let sentence = bench.refused(&["upgrade", &tagged, "--yes"]);
    assert!(sentence.contains("is not signed"), "{sentence}");
    assert_eq!(described(&pinned), described(&signed));

    let nothing = format!("oci://{}/acme/nothing:1.0.0", registry.address());
    let sentence = bench.refused(&["install", &nothing, "--yes"]);
    assert!(sentence.contains("can't fetch oci://"), "{sentence}");
    let sentence = bench.refused(&["push", &signed, &pinned]);
    assert!(sentence.contains("name a tag"), "{sentence}");
    assert_eq!(bench.laid_out(), ["counter@1.0.0", "pdf-engine"]);
}

/// Writes the archive of a package by hand.
struct Archive(Builder<Vec<u8>>);

impl Archive {
    fn new(manifest: &str, wasm: &[u8]) -> Self {
        Self(Builder::new(Vec::new())).file("plugin.toml", manifest.as_bytes()).file("plugin.wasm", wasm)
    }

    fn entry(mut self, name: &str, kind: EntryType, claimed: u64, bytes: &[u8]) -> Self {
        let mut header = Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_mode(0o644);
        header.set_size(claimed);
        header.set_cksum();
        self.0.append(&header, bytes).unwrap();
        self
    }

    fn file(self, name: &str, bytes: &[u8]) -> Self {
        self.entry(name, EntryType::Regular, bytes.len() as u64, bytes)
    }

    fn bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap()
    }
}

#[test]
fn hostile_packages_are_refused_and_leave_nothing() {
    let bench = Workbench::new();
    bench.packed("counter", "1.0.0", &[]);
    let read = |name: &str| fs::read(bench.folder.path().join("counter").join(name)).unwrap();
    let (manifest, wasm) = (String::from_utf8(read("plugin.toml")).unwrap(), read("plugin.wasm"));
    let good = || Archive::new(&manifest, &wasm);
    let named = |name: &str| Archive::new(&manifest.replace("counter", name), &wasm).bytes();
    let network = "optional_capabilities = ['nn']\n[[models]]\nname = 'eyes'\nsha256 = '0000000000000000000000000000000000000000000000000000000000000000'\n";
    let many = (0..100_000).fold(good(), |archive, n| archive.file(&format!("networks/n{n}.onnx"), b""));
    let cases = [
        (good().file("../counter@9.9.9/plugin.toml", b"x").bytes(), "which does not belong into a package"),
        (good().file("/tmp/evil", b"x").bytes(), "which does not belong into a package"),
        (good().entry("LICENSE", EntryType::Symlink, 0, b"").bytes(), "which is a link, a folder or a device"),
        (good().entry("LICENSE", EntryType::Link, 0, b"").bytes(), "which is a link, a folder or a device"),
        (many.bytes(), "more than 64 files"),
        (good().entry("networks/a.onnx", EntryType::Regular, 1 << 42, b"").bytes(), "has 4398046511104 bytes"),
        (good().entry("card.md", EntryType::GNUSparse, 0, b"").bytes(), "which is a link, a folder or a device"),
        (Archive::new(&" ".repeat(70_000), &wasm).bytes(), "`plugin.toml` has 70000 bytes"),
        (Archive::new("name = 'counter'", &wasm).bytes(), "plugin.toml is not a valid package description"),
        (Archive::new(&manifest, b"\x7fELF\x02\x01\x01\x00").bytes(), "it is machine code, which is never accepted"),
        (Archive::new(&manifest, b"\0asm\x0d\0\x01\0rubbish").bytes(), "is not a usable component"),
        (named("another"), "does not describe itself properly"),
        (named("../../evil"), "is no plugin's name"),
        (named("pdf-engine"), "is not a model"),
        (Archive::new(&manifest.replace("1.0.0", "9.9.9"), &wasm).bytes(), "does not describe itself properly"),
        (Archive::new(&manifest.replace("1.0.0", "../9"), &wasm).bytes(), "is not a semantic one"),
        (good().file("networks/eyes.onnx", b"x").bytes(), "carries the network `eyes`, which its plugin.toml does not"),
        (
            Archive::new(&format!("{manifest}{network}"), &wasm).file("networks/eyes.onnx", b"x").bytes(),
            "but plugin.toml says 0000",
        ),
        (
            Archive::new(&format!("{manifest}capabilities = ['ocr', 'language']\n"), &wasm).bytes(),
            "add `counter = [\"ocr\", \"language\"]` under [grants]",
        ),
        (good().file("plugin.sig", b"key = 'x'").bytes(), "plugin.sig is not a signature"),
        (b"PK\x03\x04".repeat(1000), "is not a package that `fanlight plugin pack` has made"),
        (Vec::new(), "it is empty"),
    ];
    for (archive, expected) in cases {
        fs::write(bench.folder.path().join("evil.fanlight"), archive).unwrap();
        let sentence = bench.refused(&["install", "evil.fanlight", "--yes"]);
        assert!(sentence.contains(expected), "{sentence}\ndoes not contain {expected}");
        assert_eq!(bench.laid_out(), ["pdf-engine"], "{sentence}");
    }
    #[cfg(unix)]
    {
        fs::write(bench.folder.path().join("secret"), "x").unwrap();
        std::os::unix::fs::symlink("../secret", bench.folder.path().join("counter/LICENSE")).unwrap();
        let sentence = bench.refused(&["install", "counter", "--yes"]);
        assert!(sentence.contains("`LICENSE`, which is a link"), "{sentence}");
    }
}

/// Creates a key in the workbench's folder and returns its public part.
fn new_key(bench: &Workbench, file: &str) -> String {
    let said = bench.done(&["key", "new", file]);
    said.lines().find_map(|line| line.strip_prefix("public key: ")).unwrap().to_owned()
}

#[test]
fn where_signatures_are_required_only_trusted_packages_are_installed() {
    let bench = Workbench::new();
    let public = new_key(&bench, "acme.key");
    new_key(&bench, "other.key");
    let settings = format!(
        "require_signatures = true\n[publishers]\nacme = '{public}'\n[grants]\n\"acme/counter\" = ['ocr']\nstranger = []\n"
    );
    fs::write(&bench.configuration, settings).unwrap();

    let file = bench.packed("counter", "1.0.0", &[]);
    let sentence = bench.refused(&["install", &file, "--yes"]);
    assert!(sentence.contains("the package is not signed"), "{sentence}");

    let file = bench.packed("counter", "1.0.0", &["--key", "other.key"]);
    let sentence = bench.refused(&["install", &file, "--yes"]);
    assert!(sentence.contains("which this host does not trust"), "{sentence}");

    let file = bench.packed("counter", "1.0.0", &["--key", "acme.key"]);
    let path = bench.folder.path().join(&file);
    let good = fs::read(&path).unwrap();
    let mut changed = good.clone();
    let at = changed.windows(8).position(|window| window == b"\0asm\x0d\0\x01\0").unwrap();
    changed[at + 2000] ^= 1;
    fs::write(&path, changed).unwrap();
    let sentence = bench.refused(&["install", &file, "--yes"]);
    assert!(sentence.contains("the signature does not match the package"), "{sentence}");
    assert_eq!(bench.laid_out(), ["pdf-engine"]);

    fs::write(&path, good).unwrap();
    assert!(bench.done(&["inspect", &file]).contains(&format!("signature: valid, by acme (key {public})")));
    bench.done(&["install", &file, "--yes"]);
    assert_eq!(bench.done(&["list"]), "counter  1.0.0  acme  document only  installed\n");

    let component = bench.plugins.folder().join("counter@1.0.0/plugin.wasm");
    let mut changed = fs::read(&component).unwrap();
    changed[2000] ^= 1;
    fs::write(component, changed).unwrap();
    let listed = bench.done(&["list"]);
    assert!(listed.contains("refused: the signature does not match the package"), "{listed}");
}

/// Waits until the newest installed version of a model is this one.
async fn newest_is(client: &Caller, model: &str, version: &Value) {
    let started = Instant::now();
    while client.get(&format!("/v1/models/{model}")).await.body["version"] != *version {
        assert!(started.elapsed() < PATIENCE, "{model} {version} does not appear");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_server_takes_what_is_installed_and_removed() {
    let bench = Workbench::new();
    let server = bench.server();
    let client = server.client("office", "pro");
    let document = client.document(document::titled("a", 1)).await;

    let first = bench.packed("counter", "1.0.0", &[]);
    bench.done(&["install", &first, "--yes"]);
    newest_is(&client, "counter", &json!("1.0.0")).await;
    let old = client.ended("counter", &document).await;
    assert_eq!((&old["status"], &old["model_version"]), (&json!("complete"), &json!("counter-v1.0.0")));

    let second = bench.packed("counter", "1.1.0", &[]);
    bench.done(&["install", &second, "--yes"]);
    newest_is(&client, "counter", &json!("1.1.0")).await;
    let job = client.ended("counter", &document).await;
    assert_eq!((&job["model"], &job["model_version"]), (&json!("counter"), &json!("counter-v1.1.0")));
    let job = client.ended("counter@1.0.0", &document).await;
    assert_eq!((&job["model"], &job["model_version"]), (&json!("counter"), &json!("counter-v1.0.0")));
    let model = client.get("/v1/models/counter").await.body;
    let installed = json!({ "version": "1.1.0", "publisher": null, "permissions": [], "state": "ready" });
    assert_eq!(model["versions"][0], installed, "{model}");
    let versions: Vec<&Value> = model["versions"].as_array().unwrap().iter().map(|one| &one["version"]).collect();
    assert_eq!(versions, ["1.1.0", "1.0.0"]);

    bench.done(&["remove", "counter"]);
    let started = Instant::now();
    while client.get("/v1/models/counter").await.status != StatusCode::NOT_FOUND {
        assert!(started.elapsed() < PATIENCE, "the plugin does not disappear");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
    let id = old["id"].as_str().unwrap();
    let read = client.get(&format!("/v1/jobs/{id}")).await;
    assert_eq!((read.status, &read.body["result"]), (StatusCode::OK, &old["result"]), "old results stay readable");
    assert_eq!(client.submit("counter", &document).await.status, StatusCode::NOT_FOUND);
}

#[test]
fn a_carried_network_is_installed_by_its_hash_and_removed_with_its_plugin() {
    let bench = Workbench::new();
    let onnx = onnx_writer::doubling();
    let networks = Networks::default().with("doubling", &onnx);
    let source = networks.needy_package();
    let folder = bench.folder.path().join("inferring");
    fs::create_dir_all(folder.join("networks")).unwrap();
    for file in ["plugin.toml", "plugin.wasm"] {
        fs::copy(source.join(file), folder.join(file)).unwrap();
    }
    fs::write(folder.join("networks/doubling.onnx"), &onnx).unwrap();
    bench.done(&["pack", "inferring"]);

    let sentence = bench.refused(&["install", "inferring-1.0.0.fanlight", "--yes"]);
    assert!(sentence.contains("add `inferring = [\"nn:doubling\"]` under [grants]"), "{sentence}");
    assert_eq!(bench.laid_out(), ["pdf-engine"]);

    fs::write(&bench.configuration, "inference = 'cpu'\n[grants]\ninferring = ['nn:doubling']\n").unwrap();
    let shown = bench.done(&["inspect", "inferring-1.0.0.fanlight"]);
    assert!(shown.contains("runs the network doubling (nn:doubling): wanted, granted"), "{shown}");
    bench.done(&["install", "inferring-1.0.0.fanlight", "--yes"]);
    assert_eq!(bench.done(&["list"]), "inferring  1.0.0  not signed  nn:doubling  installed\n");
    let carried = bench.models.path().join(".by-hash");
    assert_eq!(fs::read_dir(&carried).unwrap().count(), 1);

    bench.done(&["remove", "inferring@1.0.0"]);
    assert_eq!(fs::read_dir(&carried).unwrap().count(), 0);
}
