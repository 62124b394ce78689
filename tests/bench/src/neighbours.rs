//! Measures a healthy job beside each deed of the hostile guest, against the same job alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fanlight_sandbox::{Document, Grants, Model, Package, Progress, Task};
use fanlight_tests::document;
use hostile::Deed;
use strum::IntoEnumIterator;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::engine;
use crate::report::{Report, median};

/// Maximum ratio of the healthy job's time beside a deed to its time alone.
const SLOWDOWN: f64 = 2.0;
/// How long healthy jobs run beside each deed. A deed that ends earlier is done again.
const BESIDE: Duration = Duration::from_millis(500);
/// Guests at once: the hostile one and the healthy one.
const GUESTS: usize = 2;

/// Measures the healthy job beside every deed, and reports the one that slows it most.
pub(crate) async fn measure(release: &Path, folder: &Path, report: &mut Report) -> Result<()> {
    let package = Package::read(&release.join("test-guests/hostile"))?;
    let model = engine::sandbox(release, GUESTS)?.load(&package, &Grants::none()).await?;
    let healthy = written(folder, Deed::Behave)?;
    let mut alone = healthy_jobs(&model, &healthy, None).await?;
    let (mut slowest, mut factor) = (Deed::Behave, 0.0);
    for deed in Deed::iter() {
        let beside = healthy_jobs(&model, &healthy, Some(&written(folder, deed)?)).await?;
        // A busy machine slows both, so the job alone is timed between two deeds.
        let again = healthy_jobs(&model, &healthy, None).await?;
        let ratio = beside / f64::midpoint(alone, again);
        if ratio > factor {
            (slowest, factor) = (deed, ratio);
        }
        alone = again;
    }
    report.note("a healthy job alone", format!("{alone:.2} ms"));
    report.below(format!("it beside the deed that slows it most ({})", slowest.as_ref()), factor, SLOWDOWN, "x");
    Ok(())
}

/// Writes the document that asks for a deed.
fn written(folder: &Path, deed: Deed) -> Result<PathBuf> {
    let path = folder.join(format!("{}.pdf", deed.as_ref()));
    fs::write(&path, document::titled(deed.as_ref(), 1)).with_context(|| format!("can't write {}", path.display()))?;
    Ok(path)
}

/// Runs a healthy job again and again, with a hostile one beside it if given. Returns the median milliseconds.
async fn healthy_jobs(model: &Model, healthy: &Path, hostile: Option<&Path>) -> Result<f64> {
    let cancelled = CancellationToken::new();
    let attack = async {
        let Some(hostile) = hostile else { return std::future::pending().await };
        loop {
            // How it fails is what the tests look at.
            let _ = model.run(task(hostile, cancelled.clone())?).await;
        }
    };
    let timed = async {
        let (started, mut times) = (Instant::now(), Vec::new());
        while started.elapsed() < BESIDE {
            let began = Instant::now();
            model.run(task(healthy, CancellationToken::new())?).await?;
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
        anyhow::Ok(median(times))
    };
    let time = tokio::select! {
        failed = attack => failed,
        time = timed => time,
    };
    cancelled.cancel();
    time
}

fn task(path: &Path, cancelled: CancellationToken) -> Result<Task> {
    Ok(Task {
        id: "bench".to_owned(),
        document: Document::open(path, "00")?,
        pages: vec![1],
        asked_for: None,
        parameters: "{}".to_owned(),
        progress: watch::Sender::new(Progress::default()),
        cancelled,
    })
}
