//! Compares the PDF engine in the sandbox with the same code built natively and with poppler.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use fanlight_contract::{Orientation, PixelFormat, RenderOptions};
use fanlight_sandbox::{Compilation, Document, Grants, Limits, Model, Package, Progress, Sandbox, Settings, Task};
use serde_json::{Map, Value};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::report::{Report, median};
use crate::sheet::Sheet;

const DPI: f32 = 100.0;

/// Maximum ratio of the sandbox's time to the native time.
const SANDBOX_FACTOR: f64 = 1.8;
/// Maximum megabytes of memory for a sheet of 5 MB.
const MEMORY_MB: f64 = 300.0;
/// Maximum milliseconds for creating an instance.
const INSTANTIATION_MS: f64 = 0.5;

/// Times the creation of an instance.
pub(crate) async fn measure_instantiation(model: &Model, report: &mut Report) -> Result<()> {
    let mut instantiations = Vec::new();
    for _ in 0..100 {
        let started = Instant::now();
        model.warm_up().await?;
        instantiations.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    report.below("instantiation", median(instantiations), INSTANTIATION_MS, "ms");
    Ok(())
}

/// Times paths, text and raster of a sheet's first page.
pub(crate) async fn measure(model: &Model, sheet: &Sheet, rounds: usize, report: &mut Report) -> Result<()> {
    let bytes = fs::read(&sheet.path).with_context(|| format!("can't read {}", sheet.path.display()))?;
    let (mut sandboxed, mut native, mut poppler) = (Vec::new(), Vec::new(), Vec::new());
    // The three alternate, so that other load slows all of them equally.
    for _ in 0..rounds {
        sandboxed.push(run(model, &sheet.path).await?);
        native.push(natively(&bytes)?);
        poppler.push(pdftoppm(&sheet.path)?);
    }
    let name = &sheet.name;
    let figure = |key: &str| median(sandboxed.iter().map(|run| run[key].as_f64().unwrap_or(f64::NAN)).collect());
    report.note(format!("{name}: path operations"), sandboxed[0]["segments"].to_string());
    report.note(format!("{name}: glyphs"), sandboxed[0]["glyphs"].to_string());
    for (key, what, natively) in [
        ("paths_ms", "paths", median(native.iter().map(|run| run.paths).collect())),
        ("text_ms", "text", median(native.iter().map(|run| run.text).collect())),
        ("raster_ms", "raster at 100 dpi", median(native.iter().map(|run| run.raster).collect())),
    ] {
        report.note(format!("{name}: {what}, sandboxed"), format!("{:.1} ms", figure(key)));
        report.note(format!("{name}: {what}, native"), format!("{natively:.1} ms"));
        let ratio = figure(key) / natively;
        if key == "text_ms" {
            report.note(format!("{name}: {what}, sandboxed / native"), format!("{ratio:.2} x"));
        } else {
            report.below(format!("{name}: {what}, sandboxed / native"), ratio, SANDBOX_FACTOR, "x");
        }
    }
    let poppler = median(poppler);
    report.note(format!("{name}: pdftoppm -r 100"), format!("{poppler:.1} ms"));
    let whole = figure("open_ms") + figure("raster_ms");
    report.below(format!("{name}: open and raster, sandboxed / pdftoppm"), whole / poppler, 1.0, "x");
    Ok(())
}

/// Measures the peak memory of a process that reads a sheet's paths, text and raster once.
pub(crate) fn measure_memory(release: &Path, sheet: &Sheet, report: &mut Report) -> Result<()> {
    let this = std::env::current_exe().context("can't find this program")?;
    let output = Command::new(this)
        .args(["once", "--release"])
        .arg(release)
        .arg("--pdf")
        .arg(&sheet.path)
        .output()
        .context("can't run this program again")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let peak: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().context("no figure of memory")?;
    report.below(format!("{}: peak memory of the process", sheet.name), peak, MEMORY_MB, "MB");
    Ok(())
}

/// Runs the stopwatch once and prints this process's peak memory in MB.
pub(crate) async fn once(release: &Path, pdf: &Path) -> Result<()> {
    let model = load(release).await?;
    run(&model, pdf).await?;
    let status = fs::read_to_string("/proc/self/status").context("this system doesn't tell a process's memory")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let kilobytes: f64 = peak.trim().trim_end_matches(" kB").parse().context("VmHWM is no number")?;
    println!("{:.1}", kilobytes / 1024.0);
    Ok(())
}

/// Opens a sandbox of the built programs that runs `parallel` guests at once, without networks.
pub(crate) fn sandbox(release: &Path, parallel: usize) -> Result<Sandbox> {
    let settings = Settings {
        pdf_engine: release.join("plugins").join("pdf-engine"),
        ocr_engine: None,
        cache: release.join("test-cache"),
        machine_code: Some(release.join("plugins").join(".machine-code")),
        parallel,
        ceiling: Limits::default(),
        compilation: Compilation::ForJobs,
        language: None,
        inference: None,
    };
    Sandbox::open(&settings)
}

/// Loads the guest `stopwatch`.
pub(crate) async fn load(release: &Path) -> Result<Model> {
    let sandbox = sandbox(release, 1)?;
    let package = Package::read(&release.join("test-guests").join("stopwatch"))?;
    Ok(sandbox.load(&package, &Grants::none()).await?)
}

/// Runs the stopwatch on the first page, and returns the times that it has taken.
pub(crate) async fn run(model: &Model, pdf: &Path) -> Result<Map<String, Value>> {
    let task = Task {
        id: "bench".to_owned(),
        document: Document::open(pdf, "00")?,
        pages: vec![1],
        asked_for: None,
        parameters: format!("{{\"dpi\":{DPI}}}"),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    };
    Ok(serde_json::from_str(&model.run(task).await?.json)?)
}

struct Native {
    paths: f64,
    text: f64,
    raster: f64,
}

fn natively(bytes: &[u8]) -> Result<Native> {
    let document = pdf_engine::Document::open(bytes.to_vec()).map_err(|error| anyhow!("{error:?}"))?;
    let page = || document.page(1).map_err(|error| anyhow!("{error:?}"));
    let (paths, done) = timed(|| page().map(|page| page.paths().ops.len()));
    done?;
    let (text, done) = timed(|| page().map(|page| page.text().runs.len()));
    done?;
    let options =
        RenderOptions { dpi: DPI, region: None, format: PixelFormat::Rgb, orientation: Orientation::UserSpace };
    let page = page()?;
    let (raster, done) = timed(|| page.render(&options).map(|raster| raster.words.len()));
    done.map_err(|error| anyhow!("{error:?}"))?;
    Ok(Native { paths, text, raster })
}

fn pdftoppm(pdf: &Path) -> Result<f64> {
    let (elapsed, output) =
        timed(|| Command::new("pdftoppm").args(["-r", "100", "-f", "1", "-l", "1"]).arg(pdf).output());
    let output = output.context("can't run pdftoppm (Debian package poppler-utils)")?;
    ensure!(output.status.success(), "pdftoppm failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(elapsed)
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let started = Instant::now();
    let done = work();
    (started.elapsed().as_secs_f64() * 1000.0, done)
}
