//! Measures the server under load: reads against a handler that does nothing, submissions, and the memory of an upload.

use std::fs;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use deadline::{Lines, PATIENCE};
use drafting::manual::Style;
use futures_util::StreamExt;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;
use hyper::{Method, Request, StatusCode};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::{Body as PoemBody, Endpoint, Response, Server};
use serde_json::Value;
use tempfile::NamedTempFile;
use tokio_util::io::ReaderStream;

use crate::load::{self, Body, Connection, whole};
use crate::report::{Report, median};
use crate::sheet;

/// Minimum ratio of the throughput of reading a finished job to that of a bare handler.
const READING: f64 = 0.4;
/// Minimum submissions a second, charged and with idempotency keys.
const SUBMISSIONS: f64 = 1000.0;
/// Maximum megabytes of an upload above those of an idle server.
const UPLOAD_MB: f64 = 32.0;
/// Bytes of that upload.
const UPLOAD_BYTES: usize = 100_000_000;

/// Bytes of each piece of that upload.
const CHUNK: usize = 64 * 1024;

/// Connections that read.
const READERS: u64 = 16;
/// Connections that submit.
const SUBMITTERS: u64 = 64;
/// How long each connection sends in a round.
const ROUND: Duration = Duration::from_secs(2);

/// Limits that no measurement reaches, so that they are checked and nothing is refused.
const SETTINGS: [(&str, &str); 2] =
    [("FANLIGHT_TIERS__PRO__REQUESTS_PER_MINUTE", "1000000"), ("FANLIGHT_TIERS__PRO__CREDITS", "4000000000")];

/// Measures all three.
pub(crate) async fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let pdf = folder.join("upload.pdf");
    let drafted = drafting::manual::generate(&Style { pages: 75, ..Style::default() }, 1);
    fs::write(&pdf, drafted.pdf).with_context(|| format!("can't write {}", pdf.display()))?;
    let data = folder.join("served");

    let server = Running::serve(release, &data, "api,worker")?;
    let client = Client { address: server.address, secret: key(release, &data)? };
    let document = client.upload(&pdf, None).await?;
    measure_reading(&client, &document, rounds, report).await?;
    drop(server);

    // No worker: only the submissions are measured, not the jobs.
    let server = Running::serve(release, &data, "api")?;
    let client = Client { address: server.address, ..client };
    measure_submissions(&server, &client, &document, rounds, report).await?;
    drop(server);

    let large = sheet::write_of_size(folder, "upload of 100 MB", UPLOAD_BYTES)?;
    let inspected = memory_of_upload(release, &data, &client, &pdf, &large.path).await?;
    report.note(
        "memory of an upload of 100 MB, the sandbox's while it is inspected included",
        format!("{:.1} MB", inspected.peak),
    );
    report.note("memory that the sandbox keeps for its next guest", format!("{:.1} MB", inspected.kept));
    // A repeated upload ends at its idempotency key once all of it is received.
    let streamed = memory_of_upload(release, &data, &client, &pdf, &large.path).await?;
    report.below("memory of streaming it", streamed.peak, UPLOAD_MB, "MB");
    Ok(())
}

async fn measure_reading(client: &Client, document: &str, rounds: usize, report: &mut Report) -> Result<()> {
    let job = client.finished(&client.submit(document).await?).await?;
    let answer = client.get(&format!("/v1/jobs/{job}")).await?;
    let bare = Running::bare(&answer)?;
    let path = format!("/v1/jobs/{job}");
    let request = |_: u64| client.request(Method::GET, &path, whole(""));
    let (mut reading, mut doing_nothing) = (Vec::new(), Vec::new());
    // The two alternate, so that other load slows both equally.
    for _ in 0..rounds {
        doing_nothing.push(load::rate(bare.address, READERS, ROUND, StatusCode::OK, request).await?);
        reading.push(load::rate(client.address, READERS, ROUND, StatusCode::OK, request).await?);
    }
    report.note(format!("a bare handler's {} bytes", answer.len()), format!("{:.0} /s", median(doing_nothing.clone())));
    report.note("reading a finished job", format!("{:.0} /s", median(reading.clone())));
    let ratios = reading.iter().zip(&doing_nothing).map(|(reading, nothing)| reading / nothing).collect();
    report.at_least("reading a finished job / a bare handler", median(ratios), READING, "x");
    Ok(())
}

async fn measure_submissions(
    server: &Running,
    client: &Client,
    document: &str,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let body = format!("{{\"document_id\":\"{document}\"}}");
    let (mut rates, mut costs) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let request = |number: u64| -> Result<Request<Body>> {
            let mut request = client.request(Method::POST, "/v1/specs/parse/document", whole(body.clone()))?;
            request.headers_mut().insert("content-type", "application/json".parse()?);
            request.headers_mut().insert("idempotency-key", format!("{round}-{number}").parse()?);
            Ok(request)
        };
        let busy = server.processor_seconds()?;
        let rate = load::rate(client.address, SUBMITTERS, ROUND, StatusCode::ACCEPTED, request).await?;
        costs.push((server.processor_seconds()? - busy) * 1000.0 / (rate * ROUND.as_secs_f64()));
        rates.push(rate);
    }
    report.note("server's processor time of a submission", format!("{:.2} ms", median(costs)));
    report.at_least("submissions with charge and idempotency key", median(rates), SUBMISSIONS, "/s");
    Ok(())
}

/// Megabytes above those of an idle server.
struct Memory {
    /// The peak.
    peak: f64,
    /// After the upload.
    kept: f64,
}

/// Measures the memory of an upload in a server of its own.
async fn memory_of_upload(release: &Path, data: &Path, client: &Client, small: &Path, pdf: &Path) -> Result<Memory> {
    let server = Running::serve(release, data, "api")?;
    let client = Client { address: server.address, secret: client.secret.clone() };
    // The first upload creates what all later ones share: threads, connections, the engine's code.
    client.upload(small, None).await?;
    let idle = server.memory("VmRSS:")?;
    server.forget_peak()?;
    client.upload(pdf, Some("upload")).await?;
    Ok(Memory { peak: server.memory("VmHWM:")? - idle, kept: server.memory("VmRSS:")? - idle })
}

/// Serves the same JSON for every request until the process ends, as a baseline.
pub(crate) async fn serve_bare(answer: &Path) -> Result<()> {
    let answer = fs::read_to_string(answer).with_context(|| format!("can't read {}", answer.display()))?;
    let acceptor = TcpListener::bind("127.0.0.1:0").into_acceptor().await?;
    let address = acceptor.local_addr().into_iter().find_map(|address| address.as_socket_addr().copied());
    println!("listening on http://{}", address.context("no address")?);
    Server::new_with_acceptor(acceptor).run(Bare(answer)).await.context("can't serve")
}

/// A handler that does nothing.
struct Bare(String);

impl Endpoint for Bare {
    type Output = Response;

    async fn call(&self, _: poem::Request) -> poem::Result<Response> {
        let body = PoemBody::from_string(self.0.clone());
        Ok(Response::builder().content_type("application/json; charset=utf-8").body(body))
    }
}

/// A server in a process of its own. Dropping the value ends it.
pub(crate) struct Running {
    process: Child,
    pub(crate) address: SocketAddr,
    _answer: Option<NamedTempFile>,
}

impl Running {
    fn serve(release: &Path, data: &Path, roles: &str) -> Result<Self> {
        let mut command = Command::new(release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX)));
        command.args(["serve", "--listen", "127.0.0.1:0", "--role", roles, "--data"]).arg(data);
        Self::start(command.envs(SETTINGS), None)
    }

    fn bare(answer: &str) -> Result<Self> {
        let mut file = NamedTempFile::new()?;
        file.write_all(answer.as_bytes())?;
        let this = std::env::current_exe().context("can't find this program")?;
        Self::start(Command::new(this).args(["bare", "--answer"]).arg(file.path()), Some(file))
    }

    pub(crate) fn start(command: &mut Command, answer: Option<NamedTempFile>) -> Result<Self> {
        let mut process =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("can't start a server")?;
        let lines = Lines::read_from(process.stdout.take().context("no standard output")?);
        let line = lines.next(PATIENCE, "the server to listen").unwrap_or_default();
        let address = line.trim_end().rsplit_once("http://").map(|(_, address)| address.parse::<SocketAddr>());
        let address = address.with_context(|| format!("the server did not say where it listens: {line:?}"))??;
        Ok(Self { process, address, _answer: answer })
    }

    /// Returns the CPU seconds of all its threads.
    pub(crate) fn processor_seconds(&self) -> Result<f64> {
        let stat = self.proc_file("stat")?;
        let fields: Vec<&str> = stat.rsplit_once(") ").context("no name")?.1.split(' ').collect();
        // utime and stime are the 14th and 15th field, in ticks of 10 ms: proc_pid_stat(5).
        let ticks = [11, 12].map(|index| fields.get(index).and_then(|ticks| ticks.parse::<f64>().ok()));
        Ok(ticks.into_iter().sum::<Option<f64>>().context("no processor time")? / 100.0)
    }

    /// Reads megabytes from the line of this name in `/proc/PID/status`.
    fn memory(&self, name: &str) -> Result<f64> {
        let status = self.proc_file("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).context("no such line")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse().context("no number")?;
        Ok(kilobytes / 1024.0)
    }

    /// Resets the peak memory.
    fn forget_peak(&self) -> Result<()> {
        Ok(fs::write(format!("/proc/{}/clear_refs", self.process.id()), "5")?)
    }

    fn proc_file(&self, name: &str) -> Result<String> {
        fs::read_to_string(format!("/proc/{}/{name}", self.process.id()))
            .context("this system tells nothing of processes")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Creates a key whose charges are checked.
pub(crate) fn key(release: &Path, data: &Path) -> Result<String> {
    let mut command = Command::new(release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX)));
    command.args(["keys", "create", "--account", "bench", "--tier", "pro", "--data"]).arg(data);
    let output = command.output().context("can't make a key")?;
    ensure!(output.status.success(), "can't make a key: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// A client of the server.
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) secret: String,
}

impl Client {
    fn request(&self, method: Method, path: &str, body: Body) -> Result<Request<Body>> {
        let request = Request::builder().method(method).uri(path).header("host", self.address.to_string());
        Ok(request.header("x-api-key", &self.secret).body(body)?)
    }

    async fn send(&self, request: Request<Body>) -> Result<String> {
        let (status, body) = Connection::open(self.address).await?.send(request).await?;
        let body = String::from_utf8(body.into())?;
        ensure!(status.is_success(), "answered with {status}: {body}");
        Ok(body)
    }

    pub(crate) async fn get(&self, path: &str) -> Result<String> {
        self.send(self.request(Method::GET, path, whole(""))?).await
    }

    /// Uploads a file, with an idempotency key if given, and returns the document's id.
    pub(crate) async fn upload(&self, pdf: &Path, idempotency_key: Option<&str>) -> Result<String> {
        let file = tokio::fs::File::open(pdf).await.with_context(|| format!("can't read {}", pdf.display()))?;
        let body = StreamBody::new(ReaderStream::with_capacity(file, CHUNK).map(|chunk| chunk.map(Frame::data)))
            .boxed_unsync();
        let mut request = self.request(Method::POST, "/v1/documents?filename=upload.pdf", body)?;
        request.headers_mut().insert("content-type", "application/pdf".parse()?);
        if let Some(key) = idempotency_key {
            request.headers_mut().insert("idempotency-key", key.parse()?);
        }
        text_of(&self.send(request).await?, "document_id")
    }

    /// Submits a toc-parser job and returns its id.
    pub(crate) async fn submit(&self, document: &str) -> Result<String> {
        self.submit_to("/v1/specs/parse/document", document).await
    }

    /// Submits a job of the model behind this path, and returns its id.
    pub(crate) async fn submit_to(&self, path: &str, document: &str) -> Result<String> {
        let body = whole(format!("{{\"document_id\":\"{document}\"}}"));
        let mut request = self.request(Method::POST, path, body)?;
        request.headers_mut().insert("content-type", "application/json".parse()?);
        text_of(&self.send(request).await?, "job_id")
    }

    /// Waits until the job is complete.
    pub(crate) async fn finished(&self, job: &str) -> Result<String> {
        let answer = self.get(&format!("/v1/jobs/{job}?wait=60")).await?;
        let status = text_of(&answer, "status")?;
        ensure!(status == "complete", "the job is {status}");
        Ok(job.to_owned())
    }
}

fn text_of(answer: &str, field: &str) -> Result<String> {
    let answer: Value = serde_json::from_str(answer)?;
    Ok(answer[field].as_str().with_context(|| format!("no {field} in {answer}"))?.to_owned())
}
