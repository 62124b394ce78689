//! Measures the binary as users run it: how long a job takes without a server, and how long a server takes to start.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use deadline::{Lines, PATIENCE};
use drafting::manual::Style;

use crate::report::{Report, median};

/// Pages of a typical project's manual.
const PAGES: u16 = 75;
/// Maximum seconds of `fanlight run toc-parser` on it.
const RUN_SECONDS: f64 = 0.5;
/// Maximum seconds until a server listens.
const START_SECONDS: f64 = 1.0;

/// Times `fanlight run` and `fanlight serve`, both with a warm cache.
pub(crate) fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let manual = folder.join("manual.pdf");
    let drafted = drafting::manual::generate(&Style { pages: PAGES, ..Style::default() }, 1);
    fs::write(&manual, drafted.pdf).with_context(|| format!("can't write {}", manual.display()))?;

    run(&fanlight, &manual)?;
    let runs = (0..rounds).map(|_| run(&fanlight, &manual)).collect::<Result<Vec<_>>>()?;
    report.below(format!("fanlight run toc-parser, {PAGES} pages"), median(runs), RUN_SECONDS, "s");

    let data = folder.join("data");
    start(&fanlight, &data)?;
    let starts = (0..rounds).map(|_| start(&fanlight, &data)).collect::<Result<Vec<_>>>()?;
    report.below("fanlight serve, until it listens", median(starts), START_SECONDS, "s");
    Ok(())
}

fn run(fanlight: &Path, manual: &Path) -> Result<f64> {
    let started = Instant::now();
    let output =
        Command::new(fanlight).args(["run", "toc-parser"]).arg(manual).output().context("can't run fanlight")?;
    ensure!(output.status.success(), "fanlight run failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(started.elapsed().as_secs_f64())
}

fn start(fanlight: &Path, data: &Path) -> Result<f64> {
    let started = Instant::now();
    let mut server = Command::new(fanlight)
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("can't start fanlight")?;
    let lines = Lines::read_from(server.stdout.take().context("no standard output")?);
    let line = lines.next(PATIENCE, "the server to listen").unwrap_or_default();
    let elapsed = started.elapsed().as_secs_f64();
    server.kill()?;
    server.wait()?;
    ensure!(line.contains("http"), "the server did not say where it listens");
    Ok(elapsed)
}
