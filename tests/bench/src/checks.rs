//! Measures what checking results against their schemas costs, as a share of the job that made them.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use drafting::{manual, plan, schedule};
use fanlight_sandbox::{Document, Grants, HOST_FIELDS, Model, Package, Progress, Task};
use fanlight_schema::Schema;
use serde_json::json;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::engine;
use crate::report::{Report, median};

/// Maximum share of a job's time for its checks.
const SHARE: f64 = 0.02;
/// Repetitions of a check for one timing, since one is too short to time.
const REPEATED: u32 = 100;

/// Times jobs on typical documents, and the checks of their results.
pub(crate) async fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let (_, style) = plan::styles().into_iter().next().context("no style")?;
    let (_, sheets) = schedule::styles().into_iter().next().context("no style")?;
    let manual = manual::generate(&manual::Style::default(), 7);
    let documents = [
        ("toc-parser", manual.pdf, manual.truth.pages as u32),
        ("door-detector", plan::generate(&style, 8).pdf, 1),
        ("schedule-extractor", schedule::generate(&schedule::Style { tables: 2, rows: 42, ..sheets }, 1).pdf, 1),
    ];
    let sandbox = engine::sandbox(release, 1)?;
    for (name, pdf, pages) in documents {
        let path = folder.join(format!("{name}.pdf"));
        std::fs::write(&path, pdf).with_context(|| format!("can't write {}", path.display()))?;
        let package = Package::read(&release.join("plugins").join(name))?;
        let model = sandbox.load(&package, &Grants::none()).await?;
        let share = share(&model, || task(&model, &path, pages), rounds, report).await?;
        report.below(format!("{name}: checks / job"), share, SHARE, "x");
    }
    Ok(())
}

/// Returns the share of a job's time that its checks take. Jobs and checks alternate.
async fn share(model: &Model, task: impl Fn() -> Result<Task>, rounds: usize, report: &mut Report) -> Result<f64> {
    let schema = Schema::compile(&model.description().result)?;
    let object = Schema::compile(&json!({ "type": "object" }))?;
    let (mut jobs, mut checks, mut bytes) = (Vec::new(), Vec::new(), 0);
    for _ in 0..rounds {
        let started = Instant::now();
        let stored = model.run(task()?).await?.json;
        jobs.push(started.elapsed().as_secs_f64());
        let read = model.present(stored.clone()).await?;
        bytes = read.len();
        let started = Instant::now();
        for _ in 0..REPEATED {
            // A job checks its partial result, which is much like the result, and the result.
            for _ in 0..2 {
                schema.check_but_for(black_box(&read), &HOST_FIELDS)?;
            }
            // Only what a model presents differs from what it returned.
            if model.description().presents {
                object.check(black_box(&stored))?;
            }
        }
        checks.push(started.elapsed().as_secs_f64() / f64::from(REPEATED));
    }
    let (job, check) = (median(jobs), median(checks));
    let name = &model.description().name;
    report.note(format!("{name}: its result"), format!("{bytes} bytes"));
    report.note(format!("{name}: its job"), format!("{:.1} ms", job * 1000.0));
    report.note(format!("{name}: its checks"), format!("{:.3} ms", check * 1000.0));
    Ok(check / job)
}

/// Returns a task on all pages of a document.
fn task(model: &Model, pdf: &Path, pages: u32) -> Result<Task> {
    Ok(Task {
        id: "bench".to_owned(),
        document: Document::open(pdf, "00")?,
        pages: model.description().pages(pages, None),
        asked_for: None,
        parameters: "{}".to_owned(),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    })
}
