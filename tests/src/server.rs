//! Runs the real server with a data folder of its own, and talks to it over HTTP.

use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use deadline::{Lines, PATIENCE};
use fanlight_store::failpoint::{self, Failpoint};
use futures_util::{StreamExt, stream};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::installed;

/// Settings of the request limits, which only tests about limits should reach.
const UNLIMITED: [&str; 4] = [
    "TIERS__FREE__REQUESTS_PER_MINUTE",
    "TIERS__DEVELOPER__REQUESTS_PER_MINUTE",
    "TIERS__PRO__REQUESTS_PER_MINUTE",
    "TIERS__ENTERPRISE__REQUESTS_PER_MINUTE",
];
/// The value of these settings where a test sets no other.
const GENEROUS: &str = "1000000";

/// How a test starts a server, where that differs from how users start it.
#[derive(Debug, Default)]
pub struct Options {
    /// A folder of plugins to use instead of those beside the binary.
    pub plugins: Option<PathBuf>,
    /// A database to use instead of SQLite in the data folder.
    pub database: Option<String>,
    /// The data folder of an earlier server. None: a new folder.
    pub data: Option<PathBuf>,
    /// `api` or `worker`. None: both.
    pub role: Option<&'static str>,
    /// Settings by their names in the environment, such as `TIERS__FREE__CREDITS`, with their values.
    pub settings: Vec<(&'static str, String)>,
    /// Whether to keep the log, from level `info`, for [`Server::logged`] and [`Server::log`].
    pub keep_log: bool,
    /// A failpoint at which the server ends as in a crash. Uses the binary with failpoints and keeps the log.
    pub failpoint: Option<Failpoint>,
}

/// The lines of a server's log so far, and a signal for each new line.
#[derive(Debug, Default)]
struct KeptLog {
    lines: Mutex<Vec<String>>,
    grown: Condvar,
}

impl KeptLog {
    fn keep(self: &Arc<Self>, log: ChildStderr) {
        let this = self.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(log).lines().map_while(Result::ok) {
                this.lines.lock().unwrap().push(line);
                this.grown.notify_all();
            }
        });
    }
}

/// A running server. Dropping the value ends it.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// Lines on standard output after the one that says where it listens.
    announcements: Lines,
    database: Option<String>,
    link_secret: Option<String>,
    data: PathBuf,
    base_url: String,
    client: Client,
    log: Arc<KeptLog>,
    _folder: TempDir,
}

impl Server {
    /// Starts a server as users start it.
    pub fn start() -> Self {
        Self::start_with(Options::default())
    }

    /// Starts the binary and waits until it says where it listens. With a failpoint it may end before it does.
    pub fn start_with(options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = options.data.unwrap_or_else(|| folder.path().join("data"));
        let mut command = match options.failpoint {
            Some(point) => with_failpoint(point),
            None => Command::new(installed::fanlight()),
        };
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(&data);
        command.env("FANLIGHT_CACHE", installed::cache()).env("FANLIGHT_LOG__FILTER", "error");
        if let Some(role) = options.role {
            command.args(["--role", role]);
        }
        if let Some(plugins) = &options.plugins {
            command.env("FANLIGHT_PLUGINS", plugins);
        }
        if let Some(database) = &options.database {
            command.env("FANLIGHT_DATABASE", database);
        }
        for (key, value) in UNLIMITED.map(|key| (key, GENEROUS)) {
            command.env(format!("FANLIGHT_{key}"), value);
        }
        let link_secret =
            options.settings.iter().find(|(key, _)| *key == "LINK_SECRET").map(|(_, secret)| secret.clone());
        for (key, value) in &options.settings {
            command.env(format!("FANLIGHT_{key}"), value);
        }
        if options.keep_log || options.failpoint.is_some() {
            command.env("FANLIGHT_LOG__FILTER", "info").stderr(Stdio::piped());
        }
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let log = Arc::new(KeptLog::default());
        if let Some(stderr) = process.stderr.take() {
            log.keep(stderr);
        }
        let announcements = Lines::read_from(process.stdout.take().unwrap());
        let line = announcements.next(PATIENCE, "the server to say where it listens").unwrap_or_default();
        let base_url = line.split_whitespace().find(|word| word.starts_with("http")).unwrap_or_default();
        assert!(
            options.failpoint.is_some() || !base_url.is_empty(),
            "the server did not say where it listens: {line:?}"
        );
        Self {
            base_url: base_url.to_owned(),
            process,
            announcements,
            database: options.database,
            link_secret,
            data,
            client: plain_client(),
            log,
            _folder: folder,
        }
    }

    /// Kills the server, as a crash would.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.ended();
    }

    /// Returns the process id.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Asks the server to stop (SIGTERM), as an operator does.
    pub fn terminate(&self) {
        let signalled =
            deadline::output(Command::new("kill").args(["-TERM", &self.process.id().to_string()]), PATIENCE);
        assert!(signalled.status.success());
    }

    /// Waits until a server that was asked to stop has ended.
    pub fn ended(&mut self) -> ExitStatus {
        deadline::end_of(&mut self.process, PATIENCE, "the server")
    }

    /// Waits until the server has ended at its failpoint.
    pub fn ended_at(&mut self, point: Failpoint) {
        let status = deadline::end_of(&mut self.process, PATIENCE, &format!("the server to reach {point:?}"));
        assert!(!status.success(), "a server that reaches its failpoint must end as in a crash: {status}");
        self.logged(&failpoint::announcement(point));
    }

    /// Returns whether the server has started to listen. One with a failpoint may have ended before.
    pub fn listens(&self) -> bool {
        !self.base_url.is_empty()
    }

    /// Waits until a line of the kept log contains `words`.
    pub fn logged(&self, words: &str) {
        let lines = self.log.lines.lock().unwrap();
        let (lines, waited) = self
            .log
            .grown
            .wait_timeout_while(lines, PATIENCE, |lines| !lines.iter().any(|line| line.contains(words)))
            .unwrap();
        assert!(!waited.timed_out(), "no line of the log contains {words:?}: {lines:#?}");
    }

    /// Returns the lines of the kept log so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lines.lock().unwrap().clone()
    }

    /// Reads the next line on standard output, after the one that says where the server listens, and returns its last
    /// word, an address.
    pub fn announced(&mut self) -> String {
        let line = self.announcements.next(PATIENCE, "another line of the server's").unwrap_or_default();
        line.split_whitespace().last().unwrap_or_default().to_owned()
    }

    /// Runs a command of the binary on this server's data and returns its output.
    pub fn command(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(installed::fanlight());
        command.args(arguments).arg("--data").arg(&self.data).env("FANLIGHT_CACHE", installed::cache());
        if let Some(database) = &self.database {
            command.env("FANLIGHT_DATABASE", database);
        }
        if let Some(secret) = &self.link_secret {
            command.env("FANLIGHT_LINK_SECRET", secret);
        }
        deadline::output(&mut command, PATIENCE)
    }

    /// Returns the data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Returns where the server listens: scheme, host and port.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Creates a key for this account and tier, and returns a client that uses it.
    pub fn client(&self, account: &str, tier: &str) -> Caller {
        let output = self.command(&["keys", "create", "--account", account, "--tier", tier]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let secret = String::from_utf8(output.stdout).unwrap().trim_end().to_owned();
        let noted = String::from_utf8(output.stderr).unwrap();
        let webhook_secret = noted.lines().find_map(|line| line.strip_prefix("webhook secret: ")).map(str::to_owned);
        Caller { base_url: self.base_url.clone(), client: self.client.clone(), secret, webhook_secret }
    }

    /// Starts a request without a key.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base_url))
    }

    /// Returns the paths of all stored blobs, partial uploads included.
    pub fn stored_files(&self) -> Vec<PathBuf> {
        fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { walk(&path, found) } else { found.push(path) }
            }
        }
        let mut found = Vec::new();
        walk(&self.data.join("blobs"), &mut found);
        found
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test may have killed it already.
        let _ = self.process.kill();
        let _ = deadline::end_within(&mut self.process, PATIENCE);
    }
}

/// A client with a key.
#[derive(Clone, Debug)]
pub struct Caller {
    base_url: String,
    client: Client,
    secret: String,
    webhook_secret: Option<String>,
}

/// An upload that has stalled. Dropping the value closes its connection.
#[derive(Debug)]
pub struct HeldUpload {
    _pieces: mpsc::Sender<Vec<u8>>,
    sending: JoinHandle<reqwest::Result<()>>,
}

impl Drop for HeldUpload {
    fn drop(&mut self) {
        self.sending.abort();
    }
}

/// A complete answer.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: reqwest::header::HeaderMap,
    /// The body as JSON. Null if it is not JSON.
    pub body: Value,
}

impl Answer {
    /// Returns status and `error.code`, by which clients distinguish errors.
    pub fn error(&self) -> (u16, &str) {
        (self.status.as_u16(), self.body["error"]["code"].as_str().unwrap_or_default())
    }
}

/// Creates a client without a key, with a timeout for each request.
pub fn plain_client() -> Client {
    Client::builder().timeout(PATIENCE).build().unwrap()
}

/// Sends a request and reads the answer.
pub async fn answer(request: RequestBuilder) -> Answer {
    try_answer(request).await.unwrap()
}

/// Sends a request and reads the answer. Fails if the server ends before it answers.
pub async fn try_answer(request: RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = response.bytes().await?;
    Ok(Answer { status, headers, body: serde_json::from_slice(&bytes).unwrap_or_default() })
}

/// Returns a command for the binary with failpoints that ends at `point`.
fn with_failpoint(point: Failpoint) -> Command {
    let mut command = Command::new(installed::fanlight_with_failpoints());
    command.env(failpoint::VARIABLE, point.as_str());
    command
}

impl Caller {
    /// Returns the secret that signs the key's webhook messages. Panics on tiers without webhooks.
    pub fn webhook_secret(&self) -> &str {
        self.webhook_secret.as_deref().unwrap()
    }

    /// Returns a client with the same key for another server on the same database.
    #[must_use]
    pub fn at(&self, server: &Server) -> Self {
        Self { base_url: server.base_url.clone(), ..self.clone() }
    }

    /// Returns the key's secret.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// Starts a request with the key.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base_url)).header("X-API-Key", &self.secret)
    }

    /// Uploads a PDF as multipart form data, as the specification shows it.
    pub async fn upload(&self, pdf: Vec<u8>) -> Answer {
        self.try_upload(pdf).await.unwrap()
    }

    /// Uploads as [`Self::upload`] does, to a server that may end before it answers.
    pub async fn try_upload(&self, pdf: Vec<u8>) -> reqwest::Result<Answer> {
        let file = reqwest::multipart::Part::bytes(pdf).file_name("manual.pdf").mime_str("application/pdf").unwrap();
        let form = reqwest::multipart::Form::new().part("file", file);
        try_answer(self.request(Method::POST, "/v1/documents").multipart(form)).await
    }

    /// Starts an upload and stalls it after 32 MB, more than socket buffers hold, so that the server has read most of it.
    pub async fn held_upload(&self) -> HeldUpload {
        let (pieces, mut coming) = mpsc::channel(1);
        let body = stream::poll_fn(move |context| coming.poll_recv(context)).map(Ok::<Vec<u8>, Infallible>);
        let request = self.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf");
        let request = request.body(reqwest::Body::wrap_stream(body));
        let sending = tokio::spawn(async move { request.send().await.map(|_| ()) });
        for _ in 0..32 {
            let mut piece = b"%PDF-1.7\n".to_vec();
            piece.resize(1_000_000, b' ');
            pieces.send(piece).await.unwrap();
        }
        HeldUpload { _pieces: pieces, sending }
    }

    /// Uploads a document, expects 201 and returns the document's id.
    pub async fn document(&self, pdf: Vec<u8>) -> String {
        let uploaded = self.upload(pdf).await;
        assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
        uploaded.body["document_id"].as_str().unwrap().to_owned()
    }

    /// Submits a toc-parser job.
    pub async fn parse(&self, document_id: &str) -> Answer {
        let body = json!({ "document_id": document_id });
        answer(self.request(Method::POST, "/v1/specs/parse/document").json(&body)).await
    }

    /// Submits a toc-parser job, expects 202 and returns the job's id.
    pub async fn job(&self, document_id: &str) -> String {
        let submitted = self.parse(document_id).await;
        assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
        submitted.body["job_id"].as_str().unwrap().to_owned()
    }

    /// Submits a job of any model, by its name or as `NAME@VERSION`.
    pub async fn submit(&self, model: &str, document_id: &str) -> Answer {
        let body = json!({ "document_id": document_id });
        answer(self.request(Method::POST, &format!("/v1/models/{model}/jobs")).json(&body)).await
    }

    /// Submits a job of any model, expects 202 and returns the job when it has ended.
    pub async fn ended(&self, model: &str, document_id: &str) -> Value {
        let submitted = self.submit(model, document_id).await;
        assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
        self.finished(submitted.body["job_id"].as_str().unwrap()).await
    }

    /// Submits a job of the stand-in `acme-model` whose result has these fields, and returns its id.
    pub async fn stand_in_job(&self, document_id: &str, result: Value) -> String {
        let body = json!({ "document_id": document_id, "parameters": { "answer": result } });
        let submitted = answer(self.request(Method::POST, "/v1/models/acme-model/jobs").json(&body)).await;
        assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
        submitted.body["job_id"].as_str().unwrap().to_owned()
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Answer {
        answer(self.request(Method::GET, path)).await
    }

    /// Returns `GET /v1/models` as soon as no model is compiling.
    pub async fn ready_models(&self) -> Answer {
        deadline::until(PATIENCE, "the models to compile", async || {
            let listed = self.get("/v1/models").await;
            let models = listed.body["models"].as_array()?;
            models.iter().all(|model| model["compiling"] != true).then_some(listed)
        })
        .await
    }

    /// Cancels a job.
    pub async fn cancel(&self, job_id: &str) -> Answer {
        answer(self.request(Method::DELETE, &format!("/v1/jobs/{job_id}"))).await
    }

    /// Waits for a job's final state and returns the job. The server delays each answer until then, or for a minute.
    pub async fn finished(&self, job_id: &str) -> Value {
        deadline::until(PATIENCE, &format!("the end of job {job_id}"), async || {
            let job = self.get(&format!("/v1/jobs/{job_id}?wait=60")).await;
            assert_eq!(job.status, StatusCode::OK, "{}", job.body);
            (!matches!(job.body["status"].as_str(), Some("queued" | "processing"))).then_some(job.body)
        })
        .await
    }
}
