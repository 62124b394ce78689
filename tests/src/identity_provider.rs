//! A real OpenID Connect provider: npm's `oidc-provider` under Node, installed once beside the test programs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use deadline::{Lines, PATIENCE};
use serde::Deserialize;
use serde_json::Value;

use crate::installed;
use crate::server::plain_client;

/// Where the provider's program and its lock file are checked in.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/identity-provider");
/// All of it.
const FILES: [&str; 4] = ["package.json", "package-lock.json", ".npmrc", "provider.js"];
/// Left once everything is installed, with the lock file's text in it.
const INSTALLED: &str = "installed";

/// A running provider. Ended with the value.
#[derive(Debug)]
pub struct IdentityProvider {
    process: Child,
    /// Closing it ends the provider.
    requests: Option<ChildStdin>,
    answers: Lines,
    started: Started,
}

/// What the provider says of itself.
#[derive(Debug, Deserialize)]
struct Started {
    issuer: String,
    secret: String,
    keys: Vec<SigningKey>,
}

/// A key that the provider signs with, or may sign with one day.
#[derive(Clone, Debug, Deserialize)]
pub struct SigningKey {
    /// Its id.
    pub kid: String,
    /// The private key, PKCS #8.
    pub private_pem: String,
    /// The public key.
    pub public_pem: String,
}

impl IdentityProvider {
    /// Starts a provider with keys of its own.
    pub fn start() -> Self {
        let folder = installed_provider();
        let log = folder.join("provider.log");
        let mut process = Command::new("node")
            .arg("provider.js")
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .expect("Node runs the provider (Debian package nodejs)");
        let answers = Lines::of(process.stdout.take().unwrap());
        let line = answers.next(PATIENCE, "the identity provider to start").unwrap_or_default();
        let started =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("the provider did not start: see {}", log.display()));
        Self { requests: process.stdin.take(), process, answers, started }
    }

    /// Its issuer identifier.
    pub fn issuer(&self) -> &str {
        &self.started.issuer
    }

    /// The keys that it signs with, in turn; it publishes one at a time.
    pub fn keys(&self) -> &[SigningKey] {
        &self.started.keys
    }

    /// A token that the provider gives `client`, whose subject is that client, for `audience`.
    pub async fn token(&self, client: &str, audience: &str) -> String {
        let request = plain_client()
            .post(format!("{}/token", self.issuer()))
            .basic_auth(client, Some(self.started.secret.replace(' ', "+")))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(format!("grant_type=client_credentials&resource={audience}"));
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        answer["access_token"].as_str().unwrap_or_else(|| panic!("no token: {answer}")).to_owned()
    }

    /// Goes on to the next key: the one before is no longer published.
    pub fn rotate(&mut self) {
        self.ask("rotate");
    }

    /// How often its keys were asked for.
    pub fn fetches(&mut self) -> usize {
        self.ask("fetches").parse().unwrap()
    }

    /// Ends it, as an outage would.
    pub fn stop(&mut self) {
        drop(self.requests.take());
        deadline::end_of(&mut self.process, PATIENCE, "the identity provider");
    }

    fn ask(&mut self, request: &str) -> String {
        writeln!(self.requests.as_mut().expect("the provider runs"), "{request}").unwrap();
        self.answers.next(PATIENCE, &format!("the identity provider to {request}")).unwrap_or_default()
    }
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        drop(self.requests.take());
        // A provider that a test has already ended is gone.
        let _ = self.process.kill();
        let _ = deadline::end_within(&mut self.process, PATIENCE);
    }
}

/// The folder of the provider, with what it needs from npm. Whoever comes first installs; the others wait.
fn installed_provider() -> PathBuf {
    let folder = installed::folder("identity-provider");
    fs::create_dir_all(&folder).unwrap();
    let lock = File::create(folder.join("lock")).unwrap();
    lock.lock().unwrap();
    for file in FILES {
        copy_if_changed(&Path::new(SOURCE).join(file), &folder.join(file));
    }
    let wanted = fs::read_to_string(folder.join("package-lock.json")).unwrap();
    if fs::read_to_string(folder.join(INSTALLED)).is_ok_and(|installed| installed == wanted) {
        return folder;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts"]).current_dir(&folder);
    let output = deadline::try_output(&mut npm, PATIENCE).expect("npm installs the provider (Debian package npm)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::write(folder.join(INSTALLED), wanted).unwrap();
    folder
}

/// A provider may be starting from the file as it stands.
fn copy_if_changed(from: &Path, to: &Path) {
    let wanted = fs::read(from).unwrap();
    if fs::read(to).ok() != Some(wanted) {
        fs::copy(from, to).unwrap();
    }
}
