//! `cargo xtask demo` runs a job over the REST API, from upload to result, on a manual that `models/drafting` draws.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::build;
use crate::workspace::{Profile, output, run as run_command, say, target};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Stop after the job instead of serving further requests
    #[arg(long)]
    once: bool,
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: String,
}

/// The style preset of the sample.
const STYLE: &str = "tidy";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let profile = build::for_demo()?;
    let folder = target().join("demo-data");
    let manual = sample(&folder, profile)?;

    say("starting the server on SQLite and a local folder");
    let data = folder.join("data");
    let mut server = Server::start(profile, &data, &arguments.listen)?;
    let secret = output(
        Command::new(profile.program("fanlight"))
            .args(["keys", "create", "--account", "demo", "--tier", "developer", "--data"])
            .arg(&data),
    )?;
    let client = Client { base_url: server.base_url.clone(), key: secret.trim().to_owned() };

    say(&format!("uploading {}", manual.display()));
    let document = client.upload(&manual)?;
    let pages = &document["page_count"];
    println!("document {}: {pages} pages", text(&document, "document_id"));

    say("submitting a toc-parser job");
    let job = client.submit(&document)?;
    let job = client.wait(text(&job, "poll_url"))?;
    if text(&job, "status") != "complete" {
        bail!("the job ended as {}: {}", text(&job, "status"), job["error_code"]);
    }
    print_divisions(&job["result"]);
    print_next_steps(profile, &client, &job);
    if arguments.once {
        return Ok(());
    }
    say("serving until Ctrl-C");
    server.process.wait().context("can't wait for the server")?;
    Ok(())
}

/// Draws a sample project manual in `folder` by the program of a profile, and returns its path.
pub(crate) fn sample(folder: &Path, profile: Profile) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
    say("drawing a sample project manual");
    run_command(Command::new(profile.program("drafting")).args(["manual", "--style", STYLE, "--out"]).arg(folder))?;
    Ok(folder.join(format!("{STYLE}.pdf")))
}

/// The demo's server. Dropping the value ends it.
struct Server {
    process: Child,
    base_url: String,
}

impl Server {
    fn start(profile: Profile, data: &Path, listen: &str) -> Result<Self> {
        let mut process = Command::new(profile.program("fanlight"))
            .args(["serve", "--listen", listen, "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .context("can't start the server")?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let base_url = line.split_whitespace().find(|word| word.starts_with("http")).unwrap_or_default().to_owned();
        let server = Self { process, base_url };
        if server.base_url.is_empty() {
            bail!("the server did not say where it listens; its log is above");
        }
        println!("{}", line.trim_end());
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Client {
    base_url: String,
    key: String,
}

impl Client {
    fn upload(&self, manual: &Path) -> Result<Value> {
        let bytes = fs::read(manual).with_context(|| format!("can't read {}", manual.display()))?;
        let name = manual.file_name().unwrap_or_default().to_string_lossy();
        let answer = ureq::post(format!("{}/v1/documents", self.base_url))
            .query("filename", name)
            .header("X-API-Key", &self.key)
            .content_type("application/pdf")
            .send(&bytes[..])
            .context("the upload failed")?;
        answer.into_body().read_json().context("the upload's answer is not JSON")
    }

    fn submit(&self, document: &Value) -> Result<Value> {
        let submission = json!({ "document_id": document["document_id"] });
        let answer = ureq::post(format!("{}/v1/specs/parse/document", self.base_url))
            .header("X-API-Key", &self.key)
            .content_type("application/json")
            .send(submission.to_string())
            .context("the submission failed")?;
        answer.into_body().read_json().context("the acknowledgement is not JSON")
    }

    /// Polls until the job is final, and shows its progress as a bar.
    fn wait(&self, poll_url: &str) -> Result<Value> {
        let bar = ProgressBar::new(1);
        bar.set_style(ProgressStyle::with_template("{spinner} [{bar:40}] {msg}")?.progress_chars("=> "));
        bar.enable_steady_tick(Duration::from_millis(100));
        loop {
            let answer = ureq::get(format!("{}{poll_url}", self.base_url))
                .query("wait", "1")
                .header("X-API-Key", &self.key)
                .call()
                .context("polling failed")?;
            let job: Value = answer.into_body().read_json().context("the job is not JSON")?;
            let progress = text(&job, "progress").to_owned();
            if let Some((done, total)) = pages_done(&progress) {
                bar.set_length(total);
                bar.set_position(done);
            }
            bar.set_message(progress);
            if !matches!(text(&job, "status"), "queued" | "processing") {
                bar.set_position(bar.length().unwrap_or(1));
                bar.finish();
                return Ok(job);
            }
        }
    }
}

/// Reads done and total pages, such as 4 and 12 in "Analyzing page 4 of 12".
fn pages_done(progress: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> = progress.split_whitespace().collect();
    let of = words.iter().position(|word| *word == "of")?;
    let number = |at: usize| words.get(at)?.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok();
    Some((number(of.checked_sub(1)?)?, number(of + 1)?))
}

fn print_divisions(result: &Value) {
    println!();
    for division in result["divisions"].as_array().into_iter().flatten() {
        let sections = division["sections"].as_array().map_or(&[][..], Vec::as_slice);
        let (code, title) = (text(division, "division_code"), text(division, "division_title"));
        println!("\x1b[1m{code:>4}  {title}\x1b[0m ({} sections)", sections.len());
        for section in sections.iter().take(3) {
            println!("      {}  {}", text(section, "section_code"), text(section, "section_title"));
        }
        if sections.len() > 3 {
            println!("      … and {} more", sections.len() - 3);
        }
    }
}

fn print_next_steps(profile: Profile, client: &Client, job: &Value) {
    println!(
        "\nThe whole result:\n  curl -H 'X-API-Key: {}' {}/v1/jobs/{}\n\
         The same without a server:\n  {} run toc-parser FILE.pdf\n\
         The other models, and the machine code of all:\n  cargo xtask build\n\
         How it is built: docs/architecture.md",
        client.key,
        client.base_url,
        text(job, "id"),
        profile.program("fanlight").display(),
    );
}

/// Returns a text field of an answer. Empty if it is missing.
fn text<'a>(answer: &'a Value, field: &str) -> &'a str {
    answer[field].as_str().unwrap_or_default()
}
