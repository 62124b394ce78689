//! Runs a real OpenID Connect provider: npm's `oidc-provider` under Node, installed once beside the test programs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use deadline::{Lines, PATIENCE};
use serde::Deserialize;
use serde_json::Value;

use crate::installed;
use crate::server::{Options, Server, plain_client};

/// The folder of the provider's program and its lock file.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/identity-provider");
/// The files in it that are copied and installed.
const FILES: [&str; 4] = ["package.json", "package-lock.json", ".npmrc", "provider.js"];
/// Marks a complete installation. Holds the text of the lock file that was installed.
const INSTALLED: &str = "installed";

/// A running provider. Dropping the value ends it.
#[derive(Debug)]
pub struct IdentityProvider {
    process: Child,
    /// Closing it ends the provider.
    requests: Option<ChildStdin>,
    answers: Lines,
    started: Started,
}

/// What the provider prints when it has started.
#[derive(Debug, Deserialize)]
struct Started {
    issuer: String,
    secret: String,
    keys: Vec<SigningKey>,
}

/// A key that the provider signs with, now or after a rotation.
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
        let answers = Lines::read_from(process.stdout.take().unwrap());
        let line = answers.next(PATIENCE, "the identity provider to start").unwrap_or_default();
        let started =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("the provider did not start: see {}", log.display()));
        Self { requests: process.stdin.take(), process, answers, started }
    }

    /// Returns its issuer identifier.
    pub fn issuer(&self) -> &str {
        &self.started.issuer
    }

    /// Returns its signing keys in the order in which it uses them. It publishes one at a time.
    pub fn keys(&self) -> &[SigningKey] {
        &self.started.keys
    }

    /// Requests a token for `client`, with that client as its subject, for `audience`.
    pub async fn token(&self, client: &str, audience: &str) -> String {
        let request = plain_client()
            .post(format!("{}/token", self.issuer()))
            .basic_auth(client, Some(self.started.secret.replace(' ', "+")))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(format!("grant_type=client_credentials&resource={audience}"));
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        answer["access_token"].as_str().unwrap_or_else(|| panic!("no token: {answer}")).to_owned()
    }

    /// Switches to the next key. The previous one is no longer published.
    pub fn rotate(&mut self) {
        self.ask("rotate");
    }

    /// Returns how often its keys were requested.
    pub fn fetches(&mut self) -> usize {
        self.ask("fetches").parse().unwrap()
    }

    /// Lets the client `console` sign people in. The provider sends them back to this address.
    fn allow_console(&mut self, callback: &str) {
        assert_eq!(self.ask(&format!("console {callback}")), callback);
    }

    /// Starts a server that the provider knows as its client, so that people sign in with the provider's page.
    pub fn console_server(&mut self) -> Server {
        let settings = [
            ("IDENTITY__ISSUER", self.issuer()),
            ("IDENTITY__AUDIENCE", "urn:fanlight"),
            ("IDENTITY__CLIENT_ID", "console"),
        ];
        let settings = settings.map(|(key, value)| (key, value.to_owned())).to_vec();
        let server = Server::start_with(Options { role: Some("api"), settings, ..Options::default() });
        self.allow_console(&format!("{}/v1/provider-sign-in/callback", server.base_url()));
        server
    }

    /// Ends the provider, as an outage would.
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
        // A test may have ended it already.
        let _ = self.process.kill();
        let _ = deadline::end_within(&mut self.process, PATIENCE);
    }
}

/// Returns the folder of the provider with its npm packages. The first caller installs them; the others wait.
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

/// Copies a file only if it differs, since a provider may be starting from it.
fn copy_if_changed(from: &Path, to: &Path) {
    let wanted = fs::read(from).unwrap();
    if fs::read(to).ok() != Some(wanted) {
        fs::copy(from, to).unwrap();
    }
}
