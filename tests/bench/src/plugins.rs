//! Measures what plugins of third parties cost: checking one, installing one, an empty job, and a start with a hundred.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fanlight_tests::document;
use fanlight_tests::plugins::write_stand_in;

use crate::neighbours;
use crate::report::{Report, median};
use crate::service::{self, Client, Running};

/// Maximum seconds of `fanlight plugin check`.
const CHECK: f64 = 1.0;
/// Maximum seconds of `fanlight plugin install` of a plugin in Rust, machine code included.
const INSTALL: f64 = 5.0;
/// Maximum seconds of `fanlight plugin install` of a plugin in Python, which brings Python itself.
const INSTALL_PYTHON: f64 = 90.0;
/// An installed plugin in Rust that reads documents, so that the PDF engine is compiled with it. It is larger than what
/// `fanlight plugin new` writes: 0.7 MB against 0.5 MB.
const READER: &str = "page-text";
/// A large plugin in Rust: 1.5 MB.
const LARGE: &str = "door-detector";
/// Maximum milliseconds from the submission of a job that does nothing to its result.
const EMPTY_JOB: f64 = 10.0;
/// Maximum milliseconds of each plugin at a start with machine code.
const EACH_AT_START: f64 = 5.0;

/// Plugins of the measured start.
const MANY: usize = 100;
/// Jobs whose median is taken in a round.
const JOBS: usize = 50;
/// Settings that refuse none of the jobs.
const SETTINGS: [(&str, &str); 1] = [("FANLIGHT_TIERS__PRO__REQUESTS_PER_MINUTE", "1000000")];

/// A host with folders of its own.
struct Host<'a> {
    release: &'a Path,
    folder: PathBuf,
}

impl<'a> Host<'a> {
    /// Lays out the PDF engine alone.
    fn new(release: &'a Path, folder: PathBuf) -> Result<Self> {
        let host = Self { release, folder };
        copy_package(&release.join("plugins/pdf-engine"), &host.plugins().join("pdf-engine"))?;
        Ok(host)
    }

    fn plugins(&self) -> PathBuf {
        self.folder.join("plugins")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn fanlight(&self) -> Command {
        let mut command = Command::new(self.release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX)));
        command.env("FANLIGHT_PLUGINS", self.plugins()).env("FANLIGHT_CACHE", self.folder.join("cache"));
        command
    }

    /// Runs a command to its end, and returns its seconds.
    fn seconds(&self, arguments: &[&str], path: &Path) -> Result<f64> {
        let started = Instant::now();
        let output = self.fanlight().args(arguments).arg(path).output().context("can't run fanlight")?;
        ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(started.elapsed().as_secs_f64())
    }

    /// Starts a server. Returns it with the seconds until it listens, which is once it has loaded what has machine code.
    fn start(&self) -> Result<(Running, f64)> {
        let started = Instant::now();
        let mut command = self.fanlight();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(self.data()).envs(SETTINGS);
        let server = Running::start(&mut command, None)?;
        Ok((server, started.elapsed().as_secs_f64()))
    }
}

/// Measures all of it. `python` is the folder of a built plugin in Python.
pub(crate) async fn measure(
    release: &Path,
    folder: &Path,
    python: Option<&Path>,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let folder = folder.join("plugin-costs");
    let host = Host::new(release, folder.join("host"))?;
    let guest = release.join("test-guests/stand-in");
    let package = folder.join("counter");
    fs::create_dir_all(&package).context("can't make a folder for a plugin")?;
    write_stand_in(&guest, &package, "counter", "1.0.0");

    let reader = release.join("plugins").join(READER);
    let large = release.join("plugins").join(LARGE);
    let (mut checks, mut large_checks, mut installs) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let fresh = Host::new(release, folder.join(format!("fresh-{round}")))?;
        checks.push(fresh.seconds(&["plugin", "check"], &reader)?);
        large_checks.push(fresh.seconds(&["plugin", "check"], &large)?);
        installs.push(fresh.seconds(&["plugin", "install", "--yes"], &reader)?);
    }
    report.below("fanlight plugin check, of a new component", median(checks), CHECK, "s");
    report.below("fanlight plugin check, of a new component of 1.5 MB", median(large_checks), CHECK, "s");
    let checks = (0..rounds).map(|_| host.seconds(&["plugin", "check"], &package));
    report.below("fanlight plugin check, again", median(checks.collect::<Result<_>>()?), CHECK, "s");
    report.below("fanlight plugin install of a plugin in Rust", median(installs), INSTALL, "s");
    if let Some(python) = python {
        let fresh = Host::new(release, folder.join("python"))?;
        let seconds = fresh.seconds(&["plugin", "install", "--yes"], python)?;
        report.below("fanlight plugin install of a plugin in Python", seconds, INSTALL_PYTHON, "s");
    }
    neighbours::measure(release, &folder, rounds, report).await?;

    host.seconds(&["plugin", "install", "--yes"], &package)?;
    let (server, _) = host.start()?;
    measure_job(&host, &server, &folder, rounds, report).await?;
    drop(server);

    let few = starts(&host, rounds)?;
    for number in 0..MANY {
        let name = format!("counter-{number}");
        let folder = host.plugins().join(&name);
        fs::create_dir_all(&folder).context("can't lay out a plugin")?;
        write_stand_in(&guest, &folder, &name, "1.0.0");
    }
    ensure!(host.fanlight().args(["plugin", "compile"]).output()?.status.success(), "can't compile the plugins");
    let many = starts(&host, rounds)?;
    let each = (many - few) * 1000.0 / MANY as f64;
    report.below(format!("each of {MANY} plugins at a start with machine code"), each, EACH_AT_START, "ms");
    Ok(())
}

/// Returns the median seconds of a start. One more before them fills the caches.
fn starts(host: &Host<'_>, rounds: usize) -> Result<f64> {
    host.start()?;
    let times = (0..rounds).map(|_| host.start().map(|(_, seconds)| seconds));
    Ok(median(times.collect::<Result<_>>()?))
}

/// Times jobs that do nothing, from the submission to the result.
async fn measure_job(
    host: &Host<'_>,
    server: &Running,
    folder: &Path,
    rounds: usize,
    report: &mut Report,
) -> Result<()> {
    let client = Client { address: server.address, secret: service::key(host.release, &host.data())? };
    let mut medians = Vec::new();
    for round in 0..rounds {
        let mut times = Vec::new();
        for number in 0..JOBS {
            // Each job has a document of its own, since the result of an equal job would be reused.
            let pdf = folder.join("empty.pdf");
            fs::write(&pdf, document::titled(&format!("{round} {number}"), 1)).context("can't write a document")?;
            let uploaded = client.upload(&pdf, None).await?;
            let started = Instant::now();
            let job = client.submit_to("/v1/models/counter/jobs", &uploaded).await?;
            client.finished(&job).await?;
            times.push(started.elapsed().as_secs_f64() * 1000.0);
        }
        medians.push(median(times));
    }
    report.below("a job that does nothing, from its submission to its result", median(medians), EMPTY_JOB, "ms");
    Ok(())
}

/// Copies the files of a package.
fn copy_package(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context("can't make a folder for a plugin")?;
    for file in ["plugin.toml", "plugin.wasm"] {
        fs::copy(from.join(file), to.join(file)).with_context(|| format!("can't copy {file} of a plugin"))?;
    }
    Ok(())
}
